#include "base/count.h"
#include "policy/analysis/document.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

/* The API server's limit on all annotations together (apimachinery, validation.TotalAnnotationSizeLimitB). */
#define ANNOTATIONS_BYTES_LIMIT 262144

struct last_applied_size_settings {
    size_t warn_bytes;
    size_t deny_bytes;
};

/* Half of the limit and 90 % of it, as oversized-annotations has them. */
static const struct last_applied_size_settings defaults = {.warn_bytes = 131072, .deny_bytes = 235929};

static const struct setting settings[] = {
    {"warnBytes", SETTING_BYTES, offsetof(struct last_applied_size_settings, warn_bytes),
     "from here on it warns; at least 1"},
    {"denyBytes", SETTING_BYTES, offsetof(struct last_applied_size_settings, deny_bytes),
     "from here on it denies, where the action is deny"},
};

static const char *check(const void *checked, bool is_on)
{
    const struct last_applied_size_settings *set = checked;
    if (is_on && !set->warn_bytes)
        return "warnBytes is 0, so it would warn about every object; to turn the rule off, set action: "
               "\"off\"";
    return set->warn_bytes > set->deny_bytes ? "warnBytes is above denyBytes" : NULL;
}

/* What oversized-annotations says of all annotations together holds for this one. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct last_applied_size_settings *set = verdict->policy->settings[RULE_last_applied_size];
    size_t bytes = document->last_applied.length;
    if (bytes < set->warn_bytes || verdict_next(verdict, RULE_oversized_annotations, ACTION_AUDIT, NULL))
        return;
    struct text text = text_start(review->arena, 160);
    text_append_string(&text, "kubectl apply will write a last-applied annotation of ");
    text_append_number(&text, bytes);
    text_append_string(&text, " bytes; Kubernetes allows ");
    text_append_number(&text, ANNOTATIONS_BYTES_LIMIT);
    text_append_string(&text, " in all annotations; use kubectl apply --server-side, which needs none");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_size,
            .action = bytes >= set->deny_bytes ? ACTION_DENY : ACTION_WARN,
            .message = text_slice(&text),
        });
}

const struct rule_definition rule_last_applied_size = {
    .judge_document = judge,
    .settings = settings,
    .setting_count = COUNT(settings),
    .settings_size = sizeof(defaults),
    .defaults = {&defaults, &defaults, &defaults},
    .check = check,
};
