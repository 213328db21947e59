/*
 * review_from_objects.h: the review of a request that no API server sent.
 *
 * The commands judge manifests, live objects and logs by the code that judges requests: they make the objects
 * before and after the request, and this makes a review of them. Nothing is written as text.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_FROM_OBJECTS_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_FROM_OBJECTS_H

#include "base/error.h"
#include "policy/review/review.h"

/* The members of a request other than its objects. Those that are not known are empty. */
struct review_head {
    const char *uid;
    enum operation operation;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice kind;
    struct resource resource;
    struct slice subresource;
    struct slice namespace;
    struct slice name; /* empty: the object's */
    struct slice username;
    struct slice_list groups; /* of the user */
    struct slice field_manager;
    bool dry_run;
    const struct deferred_owner *owner; /* of an object that has no managedFields yet; NULL: it has them */
    yyjson_val
        *configuration; /* what the object's annotation last-applied-configuration holds; NULL: unknown */
    yyjson_val *list_api_version; /* of the list of which the object is an item, and which names its version;
                                   * NULL: the object names it itself
                                   */
};

/*
 * Makes a review and reads who owns the fields of both objects, as review_decode does. A request that creates
 * has no `old_object`, one that deletes no `object`: NULL.
 *
 * Both objects come from json_read or json_build, and may come from different documents. They, and the texts
 * of the head, must outlive the review. It changes neither, so that a caller reads an object once and may go
 * on using it.
 *
 * Everything else lives in the arena. NULL and an error if the head names no kind, or if memory runs out.
 */
const struct review *review_from_objects(
    const struct review_head *head, yyjson_val *old_object, yyjson_val *object, struct arena *arena,
    struct error *error);

#endif
