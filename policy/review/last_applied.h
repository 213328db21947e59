/*
 * last_applied.h: the annotation kubectl.kubernetes.io/last-applied-configuration, before and after the
 * request.
 *
 * Client-side apply keeps in it what was declared last: a JSON object, written by kubectl and by tools that
 * do as kubectl does. It is parsed when first asked for and at most once.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_H
#define APPLYGUARD_POLICY_REVIEW_LAST_APPLIED_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/* What was parsed of it. */
struct last_applied_cache {
    bool parsed; /* whether `configuration` stands */
    yyjson_val *configuration;
    bool parsed_before; /* whether `configuration_before` stands */
    yyjson_val *configuration_before;
};

struct last_applied {
    struct slice before; /* the annotation of the old object; bytes NULL: it has none */
    struct slice after;  /* of the object */
    bool written;        /* the object has it, and the old object has not the same */
    struct last_applied_cache *cache;
    struct arena *arena;
};

/* Finds it among the annotations of the old object and of the object. Either may be NULL. False if there is
 * no memory. */
bool last_applied_read(
    struct last_applied *last_applied, yyjson_val *before, yyjson_val *after, struct arena *arena);

/*
 * What the object's annotation declares: a JSON object; NULL if there is no annotation or it holds none. The
 * first call parses it.
 */
yyjson_val *last_applied_configuration(const struct last_applied *last_applied);

/* The same of the old object's annotation. */
yyjson_val *last_applied_configuration_before(const struct last_applied *last_applied);

#endif
