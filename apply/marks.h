/*
 * marks.h: the labels and annotations that a tool adds to each object that it applies, and that are in no
 * manifest. Private to apply/ and preview/.
 */
#ifndef APPLYGUARD_APPLY_MARKS_H
#define APPLYGUARD_APPLY_MARKS_H

#include "apply/merge/value.h"
#include "apply/question.h"
#include "manifest/node.h"

/*
 * The manifest with the marks of the applier. Their values come from the live object, which may be NULL: only
 * it shows which release, Kustomization or Application the object belongs to. A mark in the manifest stays.
 * Returns NULL if memory runs out.
 */
const struct manifest_node *marks_add(
    enum apply_tool applier, const struct manifest_node *manifest, const struct value *live,
    struct arena *arena);

#endif
