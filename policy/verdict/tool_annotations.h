/*
 * tool_annotations.h: annotations with which other tools declare that a conflict is intended.
 *
 * Kluctl, Flux and Argo CD read annotations on the objects that they apply. Some of these have the effect of
 * a waiver: the tool may take fields from others, or others may take fields from the tool. A policy may
 * honour them (`waivers: {honour: [kluctl]}`). Each waives only what its tool defines. The table is in
 * tool_annotation_table.c; docs/rules/README.md says what is not honoured, and why.
 *
 * A tool's annotation counts only if the tool itself has declared it: one of its managedFields entries must
 * own the annotation, and must have owned it before the request unless the request is the tool's. A client
 * may send managedFields, so what one request writes into the tool's entry proves nothing in that request.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATIONS_H
#define APPLYGUARD_POLICY_VERDICT_TOOL_ANNOTATIONS_H

#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/verdict/finding.h"

#include <stdbool.h>

/*
 * The key of an annotation that allows the finding and belongs to a tool that the policy honors; empty if it
 * does not exist. An annotation for certain fields counts only if it covers all fields of the finding.
 */
struct slice tool_annotation_for(
    const struct policy *policy, const struct review *review, const struct finding *finding);

enum tool_annotation_result {
    TOOL_ANNOTATION_NONE,           /* the annotation is not in the table, or its tool is not honoured */
    TOOL_ANNOTATION_COUNTS,         /* the tool sets it */
    TOOL_ANNOTATION_OF_ANOTHER,     /* another manager sets it, so it does not count */
    TOOL_ANNOTATION_NOT_UNDERSTOOD, /* its JSON path or expression is not understood: it lowers nothing */
};

/* How the policy treats an annotation that the request sets. Sets `*tool` to the tool's name for messages. */
enum tool_annotation_result tool_annotation_read(
    const struct policy *policy, const struct review *review, struct slice key, struct slice value,
    const char **tool);

#endif
