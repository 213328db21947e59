/*
 * review_make.h: what decoding a review and making one from objects have in common. Private to this folder.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_MAKE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_MAKE_H

#include "policy/review/review.h"

/* An empty review. `bytes` is its size as JSON. Returns NULL if memory runs out. */
struct review *review_create(size_t bytes, struct arena *arena);

/*
 * A copy of a review, with caches of its own, and with bounds of effort for so many bytes. Returns NULL if
 * memory runs out.
 */
struct review *review_copy(const struct review *review, size_t bytes);

/* Sets the type of the object. */
void review_set_kind(struct review *review, struct slice group, struct slice version, struct slice kind);

/*
 * Sets both objects, and the name where the request has none. Either may be NULL or of any type; one that is
 * neither null nor an object is noted.
 */
void review_set_objects(struct review *review, yyjson_val *object, yyjson_val *old_object);

/* Whether a rule may ask for the owners of the objects. */
bool review_needs_owners(const struct review *review);

/*
 * Reads the last-applied annotations and the owners of both objects, if they are needed, and notes what is
 * missing. Everything else must have been set before. Returns false if memory runs out.
 */
bool review_read_owners(struct review *review);

#endif
