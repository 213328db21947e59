/*
 * tool_annotations.h: annotations by which other tools say that a conflict is wanted.
 *
 * Kluctl, Flux and Argo CD take annotations on the objects that they apply. Some of them say of conflicts
 * what a waiver says: that the tool is to take fields from others, or that others may take fields from it. A
 * policy may honour them (`waivers: {honour: [kluctl]}`), each for as much as it means to its own tool; the
 * table in tool_annotations.c has them all, and docs/rules/README.md says what is not honoured, and why.
 *
 * A tool's annotation counts where the tool itself has declared it: where an entry of its own in
 * managedFields owns the annotation. So nobody else can add one to the request that it is to excuse.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATIONS_H
#define APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATIONS_H

#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/finding.h"

#include <stdbool.h>

/*
 * The key of the annotation by which a tool that the policy honours allows what the finding tells; empty if
 * there is none. Annotations for certain fields count only if they name all fields of the finding.
 */
struct slice tool_annotation_for(
    const struct policy *policy, const struct review *review, const struct finding *finding);

enum tool_annotation_result {
    TOOL_ANNOTATION_NONE,   /* the annotation says nothing of conflicts, or of none that the policy honours */
    TOOL_ANNOTATION_COUNTS, /* the tool has set it */
    TOOL_ANNOTATION_OF_ANOTHER,     /* somebody else has set it, so the tool does not know of it */
    TOOL_ANNOTATION_NOT_UNDERSTOOD, /* a JSON path or expression of a kind that is not judged: it lowers
                                       nothing */
};

/* What an annotation of the object comes to under the policy, and the name of its tool, as people know it. */
enum tool_annotation_result tool_annotation_read(
    const struct policy *policy, const struct review *review, struct slice key, struct slice value,
    const char **tool);

#endif
