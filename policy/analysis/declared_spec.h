/*
 * declared_spec.h: the object that a manifest declares, and how a caller gets to know what is refused of it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_DECLARED_SPEC_H
#define APPLYGUARD_POLICY_ANALYSIS_DECLARED_SPEC_H

#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * `field` is printable and lives in the arena. `sentence` says what is refused and what to do, without a full
 * stop.
 */
typedef void combination_visit(void *context, struct slice field, const char *sentence);

/* The object that a manifest declares. */
struct declared_spec {
    struct slice group_kind; /* as in struct review */
    struct slice version;
    yyjson_val *object;
    yyjson_val *old_object; /* NULL: it is created */
    yyjson_val *spec;       /* of the object; may be NULL */
    bool is_partial;        /* the rest may be declared elsewhere: what the spec lacks does not count */
    bool kustomize_sets_namespaces; /* a kustomization may set that of the object, and of its accounts */
    bool kustomize_adds_labels;     /* its pod template may still get the labels that its selector asks for */
};

#endif
