/*
 * document.h: what a manifest shows beside the object in it: its text, and the manifests beside it. The rules
 * of the scope manifest judge it.
 *
 * Everything that it points to outlives the judging.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_DOCUMENT_H
#define APPLYGUARD_POLICY_ANALYSIS_DOCUMENT_H

#include "base/slice.h"
#include "manifest/manifest.h"
#include "policy/analysis/manifest_set.h"

struct document {
    const struct manifest_object *object;
    struct document_place place;
    struct slice last_applied;  /* the annotation that kubectl apply will write; empty: none */
    const struct slice *fields; /* if there are several sources: what the document declares, leaf by leaf */
    size_t field_count;
    bool is_shared; /* other sources declare the object, too: what this one omits may be in theirs */
    const struct manifest_set *set; /* all manifests, this one too */
};

#endif
