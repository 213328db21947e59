/*
 * applied.h: the applied configuration of a request: which fields its author declared, as far as the review
 * shows it.
 *
 * For a server-side apply it is the writer's Apply entry; for a client-side apply, the last-applied
 * annotation that the request wrote. Other writes declare nothing: their object already has its defaults, and
 * the Update entry owns these too, so it does not show which fields were declared.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_APPLIED_H
#define APPLYGUARD_POLICY_REVIEW_APPLIED_H

#include "base/slice.h"
#include "policy/review/review.h"

enum applied_kind { APPLIED_NOTHING, APPLIED_SERVER_SIDE, APPLIED_CLIENT_SIDE };

enum applied_kind applied_kind(const struct review *review);

enum declared {
    DECLARED_NO,
    DECLARED_YES,
    DECLARED_UNKNOWN, /* nothing was applied, or other appliers own the field and may have declared it */
};

/*
 * Whether the applied configuration declares the field. `path` is a pattern of field names and [*]. After
 * [*], every declared item must have the rest of the path; a list that is not declared has no items.
 *
 * A server-side apply may be partial, so a field that another applier owns is DECLARED_UNKNOWN, not
 * DECLARED_NO.
 */
enum declared applied_declares(const struct review *review, struct slice path);

/*
 * The same for the writer's own configuration only: never DECLARED_UNKNOWN for a request that applied
 * something.
 */
enum declared applied_declares_itself(const struct review *review, struct slice path);

/*
 * Whether it is this request's doing that the applied configuration lacks the field: it creates the object,
 * it applies it for the first time, or it drops or changes the field. `path` is of field names without dots.
 */
bool applied_lacks_newly(const struct review *review, struct slice path);

/*
 * The configuration that this request applied client-side. NULL if it does not exist, or if it names another
 * object.
 */
yyjson_val *applied_client_side(const struct review *review);

/*
 * The configuration in the object's last-applied annotation, written by any manager. NULL if it does not
 * exist, or if it names another object.
 */
yyjson_val *applied_annotation(const struct review *review);

/* The same of the old object. */
yyjson_val *applied_annotation_before(const struct review *review);

/* The parts of the configuration of applied_annotation; all NULL if that is NULL. */
const struct object_parts *applied_annotation_parts(const struct review *review);

/*
 * Whether the request may apply only some of an object's fields, because it is an apply of, say, the replicas
 * or one image to an object that others declare, or because other sources of manifests declare the object,
 * too: then a field that it omits is not missing. A workload's complete configuration has a
 * selector. For other kinds with several appliers it is unknown which one has the complete configuration.
 */
bool applied_is_partial(const struct review *review);

#endif
