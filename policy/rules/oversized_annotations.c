#include "base/count.h"
#include "base/json.h"
#include "policy/config/config.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* The API server's limit on all annotations together (apimachinery, validation.TotalAnnotationSizeLimitB). */
#define ANNOTATIONS_BYTES_LIMIT 262144

struct oversized_annotations_settings {
    size_t warn_bytes;
    size_t deny_bytes;
};

static const struct oversized_annotations_settings defaults = {
    .warn_bytes = ANNOTATIONS_BYTES_LIMIT / 2,
    .deny_bytes = ANNOTATIONS_BYTES_LIMIT / 10 * 9 + 3, /* 235,929: 90 % */
};

static const struct setting settings[] = {
    {"warnBytes", SETTING_BYTES, offsetof(struct oversized_annotations_settings, warn_bytes),
     "from here on it warns; at least 1"},
    {"denyBytes", SETTING_BYTES, offsetof(struct oversized_annotations_settings, deny_bytes),
     "from here on it denies, where the action is deny"},
};

static const char *check(const void *checked, bool is_on)
{
    const struct oversized_annotations_settings *set = checked;
    if (is_on && !set->warn_bytes)
        return "warnBytes is 0, so it would warn about every object; to turn the rule off, set action: "
               "\"off\"";
    return set->warn_bytes > set->deny_bytes ? "warnBytes is above denyBytes" : NULL;
}

struct annotations_size {
    size_t bytes; /* of keys and values */
    struct slice largest_key;
    size_t largest_bytes;
};

static struct annotations_size measure(yyjson_val *annotations)
{
    struct annotations_size size = {0};
    yyjson_obj_iter members;
    if (!yyjson_obj_iter_init(annotations, &members))
        return size;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
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
 * Whether it is a server-side apply, for which nobody needs the largest annotation: of kubectl's the API
 * server keeps last-applied up to date while it is there (managedfields/internal/lastappliedupdater.go).
 */
static bool is_left_over(const struct annotations_size *size, const struct review *review)
{
    return review->ownership.taker.manager.operation == MANAGER_APPLY &&
        slice_equal(size->largest_key, SLICE(LAST_APPLIED_ANNOTATION));
}

static struct slice describe(const struct annotations_size *size, const struct review *review)
{
    struct text text = text_start(review->arena, 256);
    text_append_string(&text, "annotations use ");
    text_append_number(&text, size->bytes * 100 / ANNOTATIONS_BYTES_LIMIT);
    text_append_string(&text, " % of the 256 KiB that Kubernetes allows, most of it ");
    if (is_left_over(size, review)) {
        text_append_string(
            &text, "last-applied-configuration; server-side apply needs none, so delete that annotation");
        return text_slice(&text);
    }
    if (slice_equal(size->largest_key, SLICE(LAST_APPLIED_ANNOTATION))) {
        text_append_string(
            &text, "last-applied-configuration; use kubectl apply --server-side, which needs none");
        return text_slice(&text);
    }
    message_append_name(&text, size->largest_key);
    text_append_string(&text, "; make it smaller");
    return text_slice(&text);
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
    const struct oversized_annotations_settings *set = verdict->policy->settings[RULE_oversized_annotations];
    struct annotations_size size = measure(review->parts.metadata.annotations);
    if (size.bytes < set->warn_bytes)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_oversized_annotations,
            .action = action_for(&size, review, set->deny_bytes),
            .message = describe(&size, review),
        });
}

const struct rule_definition rule_oversized_annotations = {
    .judge = judge,
    .settings = settings,
    .setting_count = COUNT(settings),
    .settings_size = sizeof(defaults),
    .defaults = {&defaults, &defaults, &defaults},
    .check = check,
};
