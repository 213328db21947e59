/*
 * question.h: an apply that has not happened: of which manifest, to which live object, by which applier.
 */
#ifndef APPLYGUARD_APPLY_QUESTION_H
#define APPLYGUARD_APPLY_QUESTION_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "manifest/manifest.h"
#include "policy/config/config.h"

#include <stdbool.h>
#include <stdint.h>

enum preview_applier {
    PREVIEW_KUBECTL,        /* kubectl apply, client-side */
    PREVIEW_KUBECTL_SERVER, /* kubectl apply --server-side */
    PREVIEW_HELM,           /* 3 or 4, as the release was applied before */
    PREVIEW_FLUX,           /* its kustomize-controller */
    PREVIEW_ARGOCD,
};

struct preview_question {
    const struct manifest_object *manifest;
    bool is_partial;   /* the manifest is what the manager still owns (preview_last_apply) */
    struct slice live; /* the object as JSON; bytes NULL: it is not there */
    enum preview_applier applier;
    struct slice manager; /* the field manager; empty: the applier's own */
    bool is_forced;
    bool has_previous;      /* of Helm: the manifest of the release before is known */
    struct slice previous;  /* the object as it declares it, as JSON; bytes NULL: it does not */
    struct slice namespace; /* where objects go that name none; empty: default */
    struct slice schema;    /* OpenAPI of a custom resource, as JSON; empty: unknown */
    const struct policy *policy;
    struct slice user;        /* who would apply; empty: nobody said */
    struct slice_list groups; /* likewise */
    int64_t now;              /* seconds since 1970 UTC */
};

struct last_apply {
    struct slice manifest; /* JSON */
    bool is_partial;       /* it is what the manager still owns: what others have taken from it is gone */
};

/*
 * The manifest that was applied last, as the live object has it: kubectl and Argo CD write it into an
 * annotation, and a manager that applies server-side owns what it declared. The question's manifest is the
 * live object itself. -1 and an error if it has none.
 */
int preview_last_apply(
    const struct preview_question *question, struct arena *arena, struct last_apply *found,
    struct error *error);

#endif
