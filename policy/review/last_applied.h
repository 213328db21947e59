/*
 * last_applied.h: the annotation kubectl.kubernetes.io/last-applied-configuration, before and after the
 * request.
 *
 * kubectl and tools that imitate it store the last client-side applied configuration in it, as a JSON object.
 * It is parsed when it is first needed, and only once.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_H
#define APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/* The parsed annotations. */
struct last_applied_cache {
    bool parsed; /* whether `configuration` is cached */
    yyjson_val *configuration;
    bool parsed_before; /* whether `configuration_before` is cached */
    yyjson_val *configuration_before;
};

struct last_applied {
    struct slice before; /* the annotation of the old object; bytes NULL: it has none */
    struct slice after;  /* of the object */
    bool written;        /* the object has it, with a value that differs from the old object's */
    struct last_applied_cache *cache;
    struct arena *arena;
};

/*
 * Finds it in the annotations of the old object and of the object, either of which may be NULL. Returns false
 * if memory runs out.
 */
bool last_applied_read(
    struct last_applied *last_applied, yyjson_val *before, yyjson_val *after, struct arena *arena);

/* Sets the configuration in the object's annotation, if the caller knows it without parsing the annotation.
 */
void last_applied_know(struct last_applied *last_applied, yyjson_val *configuration);

/*
 * The configuration in the object's annotation: a JSON object, or NULL without an annotation that holds one.
 * The first call parses it.
 */
yyjson_val *last_applied_configuration(const struct last_applied *last_applied);

/* The same for the old object's annotation. */
yyjson_val *last_applied_configuration_before(const struct last_applied *last_applied);

#endif
