/*
 * applied.h: the applied configuration of a request: what its author declared, as far as the review shows it.
 *
 * Of a server-side apply it is the taker's Apply entry, of a client-side apply the last-applied annotation
 * that the request wrote. Other writes declare nothing: the object itself already holds defaults, and an
 * Update owns them too, so whether a field was declared cannot be told from it.
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
    DECLARED_UNKNOWN, /* nothing was applied, or others own the field and it is not told who declared it */
};

/*
 * Whether the applied configuration declares the field. `path` is a pattern of field names and [*]; with [*]
 * each item that is declared must have the rest, and a list that is not declared has no items.
 *
 * A server-side apply may be partial, so a field that it leaves to another applier is unknown, not missing.
 */
enum declared applied_declares(const struct review *review, struct slice path);

/* The same, of the taker's own configuration alone: never unknown for a request that applied something. */
enum declared applied_declares_itself(const struct review *review, struct slice path);

/* What this request applied client-side; NULL: nothing, or what is another object's. */
yyjson_val *applied_client_side(const struct review *review);

/*
 * What the object's last-applied annotation declares of this very object, whoever wrote it; NULL: nothing, or
 * what it names is another object.
 */
yyjson_val *applied_annotation(const struct review *review);

/* The same by its parts, which are all NULL where it is. */
const struct object_parts *applied_annotation_parts(const struct review *review);

/*
 * Whether the request is a server-side apply of some fields only, such as the replicas or one image, to an
 * object that others declare: what it leaves out is not missing. A workload's whole configuration has a
 * selector; of other kinds it is not known which of several appliers has the whole.
 */
bool applied_is_partial(const struct review *review);

#endif
