/* question.h: an apply that has not happened: its manifest, its live object and its applier. */
#ifndef APPLYGUARD_APPLY_QUESTION_H
#define APPLYGUARD_APPLY_QUESTION_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "manifest/manifest.h"
#include "policy/config/config.h"

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

enum apply_tool {
    APPLY_KUBECTL,        /* kubectl apply, client-side */
    APPLY_KUBECTL_SERVER, /* kubectl apply --server-side */
    APPLY_HELM,           /* Helm 3 or 4, as the release was applied before */
    APPLY_FLUX,           /* Flux's kustomize-controller */
    APPLY_ARGOCD,
};

struct apply_question {
    const struct manifest_object *manifest;
    bool is_partial;  /* the manifest contains only fields that the manager still owns (apply_find_last) */
    yyjson_val *live; /* the object, from json_read or json_build; NULL: it does not exist */
    enum apply_tool applier;
    struct slice manager; /* the field manager; empty: the applier's own */
    bool is_forced;
    bool has_previous;      /* for Helm: the manifest of the previous release is known */
    struct slice previous;  /* the object in that manifest, as JSON; bytes NULL: the manifest lacks it */
    struct slice namespace; /* the namespace of objects that name none; empty: default */
    struct slice schema;    /* OpenAPI of a custom resource, as JSON; empty: unknown */
    const struct policy *policy;
    struct slice user;        /* the user who would apply; empty: unknown */
    struct slice_list groups; /* empty: unknown */
    int64_t now;              /* seconds since 1970 UTC */
};

struct last_apply {
    struct slice manifest; /* JSON */
    bool is_partial; /* it contains only fields that the manager still owns: fields that others have taken
                        from it are missing */
};

/*
 * The manifest that was applied last, as the live object shows it: kubectl and Argo CD store it in an
 * annotation, and a manager that applies server-side owns the fields that it declared. The question's
 * manifest is the live object itself. Returns -1 and sets the error if the live object does not show it.
 */
int apply_find_last(
    const struct apply_question *question, struct arena *arena, struct last_apply *found,
    struct error *error);

#endif
