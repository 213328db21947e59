#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/words.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/tool_annotations.h"
#include "policy/verdict/verdict.h"
#include "policy/verdict/waivers.h"

/* Names that one part of the message lists. */
#define LISTED_NAMES_MAX 3

/* Annotations of other tools that one request has reported: more are not reported. */
#define REPORTED_ANNOTATIONS_MAX 16

/* Names of one kind, as they come. */
struct names {
    struct text text;
    size_t count;
};

/* Rules have such names, tokens and sentences have not: what an annotation holds is not printed else. */
static bool looks_like_a_rule(struct slice name)
{
    for (size_t i = 0; i < name.length; i++) {
        if ((name.bytes[i] < 'a' || name.bytes[i] > 'z') && name.bytes[i] != '-')
            return false;
    }
    return name.length <= MESSAGE_NAME_BYTES;
}

static void add_name(struct names *names, struct slice name)
{
    if (++names->count > LISTED_NAMES_MAX)
        return;
    text_append_string(&names->text, names->count > 1 ? ", " : "");
    if (looks_like_a_rule(name))
        text_append(&names->text, name);
    else
        text_append_string(&names->text, "…");
}

static void append_names(
    struct text *text, const char *separator, const char *words, const struct names *names)
{
    if (!names->count)
        return;
    text_append_all(text, separator, words, text_slice(&names->text));
    if (names->count > LISTED_NAMES_MAX)
        text_append_all(text, " and ", names->count - LISTED_NAMES_MAX, " more");
}

static struct text start_message(const struct review *review, struct slice annotation)
{
    struct text text = text_start(review->arena, 200);
    message_append_marked(&text, annotation);
    return text;
}

/*
 * A waiver that has effect is recorded, unless the policy refuses new ones. A person who sets one without
 * effect is warned; a controller copied it from elsewhere, and reads no warning.
 */
static enum action action_for(const struct review *review, const struct verdict *verdict, bool has_effect)
{
    if (verdict->policy_actions[RULE_waiver] == ACTION_DENY)
        return ACTION_DENY;
    bool is_read = !verdict->unattended || !review_is_of_service(review);
    return !has_effect && is_read ? ACTION_WARN : ACTION_AUDIT;
}

static void report(
    const struct review *review, struct verdict *verdict, const struct text *message, struct slice key,
    enum action action)
{
    struct text field = text_start(review->arena, 64);
    struct slice *fields = arena_allocate(review->arena, sizeof(*fields));
    const struct path metadata = path_member(NULL, SLICE("metadata"));
    const struct path annotations = path_member(&metadata, SLICE("annotations"));
    const struct path annotation = path_member(&annotations, key);
    path_append(&field, &annotation);
    if (!fields)
        return;
    *fields = text_slice(&field);
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_waiver,
            .action = action,
            .message = text_slice(message),
            FINDING_FIELD(fields),
            FINDING_WRITER(review->ownership.writer),
        });
}

/* The names in the annotation, by their effect. */
struct sorted_names {
    struct names waived;
    struct names kept; /* the policy does not let it waive these here */
    struct names expired;
    struct slice expired_on;
    struct names unknown;
    const char *meant; /* the rule that is nearest to the first unknown name that has one; NULL: none has */
    bool seen[RULE_COUNT];
};

static const char *nearest_rule(struct slice name)
{
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    return looks_like_a_rule(name) ? word_nearest(name, names, RULE_COUNT) : NULL;
}

static void sort_name(
    struct sorted_names *sorted, const struct review *review, const struct verdict *verdict,
    struct slice name)
{
    enum rule_id rule;
    if (!rule_find(name, &rule)) {
        if (sorted->unknown.count < LISTED_NAMES_MAX && !sorted->meant)
            sorted->meant = nearest_rule(name);
        add_name(&sorted->unknown, name);
        return;
    }
    if (sorted->seen[rule])
        return;
    sorted->seen[rule] = true;
    struct slice expired_on = {NULL, 0};
    if (!verdict->waivable[rule])
        expired_on = waiver_expired(verdict->policy, review, verdict->now, rule);
    if (expired_on.length)
        sorted->expired_on = expired_on;
    add_name(
        verdict->waivable[rule] ? &sorted->waived
            : expired_on.length ? &sorted->expired
                                : &sorted->kept,
        name);
}

static struct sorted_names sort_names(
    const struct review *review, const struct verdict *verdict, struct slice list)
{
    struct sorted_names sorted = {0};
    struct names *const all[] = {&sorted.waived, &sorted.kept, &sorted.expired, &sorted.unknown};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        all[i]->text = text_start(review->arena, 64);
    while (list.length) {
        struct slice name = waiver_take_name(&list);
        if (name.length)
            sort_name(&sorted, review, verdict, name);
    }
    return sorted;
}

/* The reasons why names have no effect, each after a separator. */
static void append_reasons(struct text *text, const struct sorted_names *sorted, const char *separator)
{
    append_names(text, separator, "the policy allows no waiver of ", &sorted->kept);
    separator = sorted->kept.count ? ", and " : separator;
    if (sorted->expired.count) {
        append_names(text, separator, "the policy allowed a waiver of ", &sorted->expired);
        text_append_all(text, " until ", sorted->expired_on);
        separator = ", and ";
    }
    append_names(text, separator, "there is no rule ", &sorted->unknown);
    if (sorted->meant && !sorted->kept.count && !sorted->expired.count)
        text_append_all(text, " (did you mean ", sorted->meant, "?)");
}

static void report_own(const struct review *review, struct verdict *verdict, struct slice list)
{
    struct sorted_names sorted = sort_names(review, verdict, list);
    bool has_useless = sorted.kept.count || sorted.expired.count || sorted.unknown.count;
    struct text text = start_message(review, SLICE(WAIVE_ANNOTATION));
    append_names(&text, "", " waives ", &sorted.waived);
    if (!sorted.waived.count)
        text_append_string(&text, " has no effect");
    else if (!waiver_stands(review))
        text_append_string(&text, " from the next request on");
    append_reasons(&text, &sorted, sorted.waived.count ? ", but " : ": ");
    enum action action = action_for(review, verdict, sorted.waived.count && !has_useless);
    report(review, verdict, &text, SLICE(WAIVE_ANNOTATION), action);
}

/* Whether the annotation says something of conflicts, whether it counts or not. */
static bool report_annotation(
    const struct review *review, struct verdict *verdict, struct slice key, struct slice value)
{
    static const char *const words[] = {
        [TOOL_ANNOTATION_COUNTS] = " waives conflicts here as it does in ",
        [TOOL_ANNOTATION_OF_ANOTHER] = " has no effect: it counts only in a manifest applied by ",
        [TOOL_ANNOTATION_NOT_UNDERSTOOD] = " has no effect: applyguard cannot read what it asks of ",
    };
    const char *tool = NULL;
    enum tool_annotation_result result = tool_annotation_read(verdict->policy, review, key, value, &tool);
    if (result == TOOL_ANNOTATION_NONE)
        return false;
    struct text text = start_message(review, key);
    text_append_all(&text, words[result], tool);
    report(review, verdict, &text, key, action_for(review, verdict, true));
    return true;
}

/* Whether the request has added the annotation, or given it another value. */
static bool is_news(const struct review *review, yyjson_val *before, struct slice key, yyjson_val *value)
{
    return yyjson_is_str(value) && yyjson_get_len(value) &&
        !slice_equal(json_text(lookup_member(review->lookup, before, key)), json_text(value));
}

static bool honours_any(const struct policy *policy)
{
    for (int tool = 0; tool < WAIVER_TOOL_COUNT; tool++) {
        if (policy->honoured[tool])
            return true;
    }
    return false;
}

static void report_annotations(
    const struct review *review, struct verdict *verdict, yyjson_val *before, yyjson_val *after)
{
    size_t reported = 0;
    json_each_key(key, after) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        if (reported == REPORTED_ANNOTATIONS_MAX)
            break;
        if (is_news(review, before, json_text(key), value))
            reported += report_annotation(review, verdict, json_text(key), json_text(value));
    }
}

static void judge(const struct review *review, struct verdict *verdict)
{
    yyjson_val *before = review->old_parts.metadata.annotations, *after = review->parts.metadata.annotations;
    yyjson_val *own = json_member(after, SLICE(WAIVE_ANNOTATION));
    if (is_news(review, before, SLICE(WAIVE_ANNOTATION), own))
        report_own(review, verdict, json_text(own));
    if (honours_any(verdict->policy))
        report_annotations(review, verdict, before, after);
}

const struct rule_definition rule_waiver = {.judge = judge};
