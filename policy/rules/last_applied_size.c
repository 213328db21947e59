#include "base/json_each.h"
#include "policy/analysis/annotation_limits.h"
#include "policy/analysis/document.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

/* The API server's own count: of keys and values. */
static size_t annotation_bytes(const struct review *review)
{
    size_t bytes = 0;
    json_each_key(key, review->parts.metadata.annotations)
        bytes += yyjson_get_len(key) + yyjson_get_len(yyjson_obj_iter_get_val(key));
    return bytes;
}

static void refuse(const struct review *review, bool is_kubectl, size_t bytes, struct verdict *verdict)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_size,
            .action = ACTION_DENY,
            .is_refused = true,
            .message = text_join(
                review->arena,
                "the API server refuses this: annotations may have 262144 bytes, and these have ", bytes,
                is_kubectl ? " with the one that kubectl apply writes; use kubectl apply --server-side"
                           : "; make them smaller"),
        });
}

/* The limit of oversized-annotations for all annotations also applies to this one. */
static void judge_size(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct annotation_limits *limits = verdict->policy->settings[RULE_last_applied_size];
    size_t bytes = document->last_applied.length;
    if (bytes < limits->warn_bytes || verdict_next(verdict, RULE_oversized_annotations, ACTION_AUDIT, NULL))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_size,
            .action = bytes >= limits->deny_bytes ? ACTION_DENY : ACTION_WARN,
            .message = text_join(
                review->arena, "kubectl apply will write a last-applied annotation of ", bytes,
                " bytes; Kubernetes allows ", (size_t)ANNOTATIONS_BYTES_LIMIT,
                " in all annotations; use kubectl apply --server-side"),
        });
}

static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const size_t bytes = annotation_bytes(review);
    const bool is_kubectl = bytes - document->last_applied.length <= ANNOTATIONS_BYTES_LIMIT;
    if (bytes > ANNOTATIONS_BYTES_LIMIT)
        refuse(review, is_kubectl && document->last_applied.length, bytes, verdict);
    else
        judge_size(review, document, verdict);
}

const struct rule_definition rule_last_applied_size = {
    .judge_document = judge,
    RULE_SETTINGS(annotation_limit_settings, annotation_limit_defaults),
    .check = annotation_limits_check,
};
