#include "policy/verdict/message.h"

#include "base/json.h"
#include "policy/rules.h"
#include "policy/verdict/message_field.h"
#include "policy/verdict/message_fit.h"

#include <string.h>

static void append_manager_words(struct text *text, const struct manager *manager)
{
    bool has_subresource = false;
    if (!manager->name.length || manager_words(manager, &has_subresource)) {
        manager_append(text, manager);
        return;
    }
    message_append_marked(text, manager->name);
    if (manager->subresource.length)
        text_append_all(text, " (", message_marked(manager->subresource), ")");
}

/* kubectl rollout undo patches the pod template, and sends no name of its own. */
static bool is_rollout_undo(const struct review *review)
{
    const struct manager *writer = &review->ownership.writer.manager;
    return slice_equal(writer->name, SLICE("kubectl")) && writer->operation == MANAGER_UPDATE &&
        !writer->subresource.length && review_is_of_workload(review) &&
        !json_equal(
               json_member(review->old_parts.spec, SLICE("template")),
               json_member(review->parts.spec, SLICE("template")), review->arena);
}

/* `fields` is NULL if memory ran out while the fields were collected: then the message fails. */
static void append_first_field(struct text *text, const struct slice *fields)
{
    text->failed |= !fields;
    if (fields)
        message_append_field(text, fields[0]);
}

static void append_manager(struct text *text, const void *manager, size_t count, size_t total)
{
    (void)count, (void)total;
    append_manager_words(text, manager);
}

struct text_listed message_manager(const struct manager *manager)
{
    return (struct text_listed){append_manager, manager, 1, 1};
}

static void append_writer(struct text *text, const void *review, size_t count, size_t total)
{
    if (is_rollout_undo(review))
        text_append_string(text, "kubectl rollout undo");
    else
        append_manager(text, &((const struct review *)review)->ownership.writer.manager, count, total);
}

struct text_listed message_writer(const struct review *review)
{
    return (struct text_listed){append_writer, review, 1, 1};
}

static void append_managers(struct text *text, const void *managers, size_t count, size_t total)
{
    managers_append(text, managers, count, total, append_manager_words);
}

struct text_listed message_managers(const struct manager *managers, size_t count, size_t total)
{
    return (struct text_listed){append_managers, managers, count, total};
}

static void append_fields(struct text *text, const void *fields, size_t count, size_t total)
{
    (void)count;
    append_first_field(text, fields);
    if (total > 1)
        text_append_all(text, " and ", total - 1, message_for(total - 1, " more field", " more fields"));
}

struct text_listed message_fields(const struct slice *fields, size_t total)
{
    return (struct text_listed){append_fields, fields, total, total};
}

static void append_fields_at_least(struct text *text, const void *fields, size_t count, size_t total)
{
    (void)count;
    append_first_field(text, fields);
    if (total > 1)
        text_append_all(
            text, " and at least ", total - 1, message_for(total - 1, " more field", " more fields"));
    else
        text_append_string(text, " and more fields");
}

struct text_listed message_fields_at_least(const struct slice *fields, size_t total)
{
    return (struct text_listed){append_fields_at_least, fields, total, total};
}

const char *message_keep_one(size_t fields, bool has_operator)
{
    return has_operator ? message_for(fields, "let only one of them set it", "let only one of them set each")
                        : message_for(fields, "keep it in one manifest", "keep each in one manifest");
}

void message_append_object(struct text *text, const struct review *review)
{
    struct slice prefix = json_text(json_member(review->parts.metadata.value, SLICE("generateName")));
    bool is_named = review->name.length;
    /* A Namespace is its own. */
    bool has_namespace = review->namespace.length && !slice_equal(review->group_kind, SLICE("Namespace"));
    bool has_name = is_named || prefix.length;
    if (review->kind.length)
        message_append_marked(text, review->kind);
    text_append_string(text, review->kind.length && (has_name || has_namespace) ? " " : "");
    if (has_namespace)
        text_append_all(text, message_marked(review->namespace), "/");
    if (has_name)
        message_append_marked(text, is_named ? review->name : prefix);
    if (!is_named && (prefix.length || has_namespace))
        text_append(text, MESSAGE_ELLIPSIS);
}

size_t message_room(enum rule_id rule)
{
    return MESSAGE_LINE_BYTES_MAX - strlen(MESSAGE_LINE_START) - strlen(" []") - strlen(rules[rule].name);
}

struct slice message_compose_within(
    const struct review *review, enum rule_id rule, const struct message_parts *words, size_t extra)
{
    struct text object = text_start(review->arena, 128);
    message_append_object(&object, review);
    struct message_parts parts = *words;
    parts.object = text_slice(&object);
    return message_fit(&parts, message_room(rule) + extra, review->arena);
}

struct slice message_compose(
    const struct review *review, enum rule_id rule, struct slice sentence, struct slice command)
{
    const struct message_parts words = {.sentence = sentence, .command = command};
    return message_compose_within(review, rule, &words, 0);
}
