#include "base/json.h"
#include "base/json_each.h"
#include "policy/analysis/annotation_limits.h"
#include "policy/config/config.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/verdict.h"

struct annotations_size {
    size_t bytes; /* of keys and values */
    struct slice largest_key;
    size_t largest_bytes;
};

static struct annotations_size measure(yyjson_val *annotations)
{
    struct annotations_size size = {0};
    json_each_key(key, annotations) {
        size_t bytes = yyjson_get_len(key) + yyjson_get_len(yyjson_obj_iter_get_val(key));
        size.bytes += bytes;
        if (bytes > size.largest_bytes) {
            size.largest_bytes = bytes;
            size.largest_key = json_text(key);
        }
    }
    return size;
}

/*
 * Whether it is a server-side apply, which does not need the largest annotation: of kubectl's the API server
 * keeps last-applied up to date while it is there (managedfields/internal/lastappliedupdater.go).
 */
static bool is_left_over(const struct annotations_size *size, const struct review *review)
{
    return review->ownership.writer.manager.operation == MANAGER_APPLY &&
        slice_equal(size->largest_key, SLICE(LAST_APPLIED_ANNOTATION));
}

static struct slice describe(const struct annotations_size *size, const struct review *review)
{
    bool is_most = size->largest_bytes > size->bytes / 2;
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, "annotations use ", size->bytes * 100 / ANNOTATIONS_BYTES_LIMIT, " % of the allowed 256 KiB, ",
        is_most ? "mostly " : "the largest is ");
    if (is_left_over(size, review)) {
        text_append_string(
            &text, "last-applied-configuration; server-side apply needs none, so delete that annotation");
        return text_slice(&text);
    }
    if (slice_equal(size->largest_key, SLICE(LAST_APPLIED_ANNOTATION))) {
        text_append_string(&text, "last-applied-configuration; use --server-side");
        return text_slice(&text);
    }
    text_append_all(
        &text, message_marked(size->largest_key),
        is_most ? "; make it smaller" : "; delete some of them or make them smaller");
    return text_slice(&text);
}

/* A stored object shows which annotation it is, and who applies it. */
static struct slice command_for(const struct annotations_size *size, const struct review *review)
{
    const struct manager *applier = &review->ownership.writer.manager;
    if (!slice_equal(size->largest_key, SLICE(LAST_APPLIED_ANNOTATION)))
        return SLICE("");
    if (is_left_over(size, review))
        return message_command_remove_last_applied(review);
    return manager_tool(applier->name) == TOOL_KUBECTL_CLIENT_SIDE
        ? message_command_migrate_kubectl(review, applier)
        : SLICE("");
}

/* A request that leaves the annotations as large as they were, or smaller, has not brought it about. */
static enum action action_for(
    const struct annotations_size *size, const struct review *review, size_t deny_bytes)
{
    if (review->old_object && measure(review->old_parts.metadata.annotations).bytes >= size->bytes)
        return ACTION_AUDIT;
    /* To deny the server-side apply would close the way out. */
    return size->bytes >= deny_bytes && !is_left_over(size, review) ? ACTION_DENY : ACTION_WARN;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct annotation_limits *limits = verdict->policy->settings[RULE_oversized_annotations];
    struct annotations_size size = measure(review->parts.metadata.annotations);
    /* Beyond the limit the API server refuses a manifest: last-applied-size finds that. */
    if (size.bytes < limits->warn_bytes || (review->is_of_manifest && size.bytes > ANNOTATIONS_BYTES_LIMIT))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_oversized_annotations,
            .action = action_for(&size, review, limits->deny_bytes),
            .message = describe(&size, review),
            .command = verdict->is_stored ? command_for(&size, review) : SLICE(""),
        });
}

const struct rule_definition rule_oversized_annotations = {
    .judge = judge,
    .judges_objects = true,
    RULE_SETTINGS(annotation_limit_settings, annotation_limit_defaults),
    .check = annotation_limits_check,
};
