#include "commands/explain/own.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/find.h"
#include "base/json_append.h"
#include "base/terminal.h"
#include "commands/explain/copied.h"
#include "commands/explain/own_resolutions.h"
#include "commands/explain/own_statement.h"
#include "commands/explain/unwrap.h"
#include "owners/shell_object.h"

#include <string.h>

/* The longest part of a line before a rule's name that is searched: messages are shorter. */
#define LINE_BYTES_MAX 1024

/*
 * Where they are
 */

/* Where the last `word` in the text ends; 0: it is not there. */
static size_t end_of_last(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t end = text.length; end >= length && end > 0; end--) {
        if (memcmp(text.bytes + end - length, word, length) == 0)
            return end;
    }
    return 0;
}

/* The text from the start of its last line, or a part of a long one. Logs write a newline as \n. */
static struct slice last_line(struct slice text)
{
    struct slice near = text.length > LINE_BYTES_MAX ? slice_from(text, text.length - LINE_BYTES_MAX) : text;
    size_t newline = end_of_last(near, "\n"), escaped = end_of_last(near, "\\n");
    return slice_from(near, newline > escaped ? newline : escaped);
}

#define DENIED "denied the request:"

/*
 * Whether the words before a denial are about a webhook of applyguard: "enforce.applyguard.io". Text in JSON,
 * or in JSON in the text of a program, has backslashes before the quote.
 */
static bool is_our_webhook(struct slice before)
{
    size_t name = end_of_last(before, ".applyguard.io");
    struct slice rest = slice_from(before, name);
    while (slice_starts_with(rest, SLICE("\\")))
        rest = slice_from(rest, 1);
    return name && slice_equal(slice_trim(rest), SLICE("\""));
}

/* kapp begins a line behind a colon. */
static bool ends_in_denial(struct slice before)
{
    static const char *const line_ends[] = {"\n", "\r\n", "\\n"};
    struct slice near =
        before.length > LINE_BYTES_MAX ? slice_from(before, before.length - LINE_BYTES_MAX) : before;
    size_t end = end_of_last(near, DENIED);
    return end && slice_is_one_of(slice_trim(slice_from(near, end)), line_ends, ARRAY_SIZE(line_ends)) &&
        is_our_webhook(slice_until(near, end - strlen(DENIED)));
}

/*
 * A message begins after the words of a warning or a denial, or it is a further line of a denial. `before` is
 * the text before the line.
 */
static bool find_start(struct slice before, struct slice line, bool in_denial, struct own_message *message)
{
    static const char denied[] = DENIED " ", warned[] = "applyguard: ";
    size_t denial = end_of_last(line, denied), warning = end_of_last(line, warned);
    size_t prefix = warning ? warning - strlen(warned) : 0;
    bool begins_denial = denial && (denial > warning || prefix == denial);
    bool is_further = in_denial || (!denial && !warning && ends_in_denial(before));
    message->is_denial = begins_denial || (is_further && !prefix);
    if (begins_denial && !is_our_webhook(slice_until(line, denial - strlen(denied))))
        return false;
    if (!denial && !warning && !is_further)
        return false;
    message->message = slice_trim(slice_from(line, denial > warning ? denial : warning));
    return message->message.length > 0;
}

/* Quotes in JSON, and in JSON in the text of a program, have backslashes before them. */
static struct slice without_escapes(struct slice message, struct arena *arena)
{
    if (!slice_contains(message, '\\'))
        return message;
    struct text text = text_start(arena, message.length);
    for (size_t i = 0; i < message.length; i++) {
        size_t quote = i;
        while (quote < message.length && message.bytes[quote] == '\\')
            quote++;
        if (quote < message.length && (message.bytes[quote] == '"' || message.bytes[quote] == '\''))
            i = quote;
        text_append(&text, (struct slice){message.bytes + i, 1});
    }
    return text.failed ? message : text_slice(&text);
}

static bool is_there(const struct own_messages *messages, const struct own_message *message)
{
    for (size_t i = 0; i < messages->count; i++) {
        if (slice_equal(messages->items[i].message, message->message))
            return true;
    }
    return false;
}

static void read_messages(struct slice text, struct arena *arena, struct own_messages *messages)
{
    bool in_denial = false;
    messages->count = 0;
    for (size_t at = 0; at < text.length && messages->count < OWN_MESSAGES_MAX;) {
        size_t open = at + slice_find(slice_from(text, at), '[');
        struct slice rest = slice_from(text, open + 1);
        struct slice name = slice_until(rest, slice_find(slice_until(rest, 64), ']'));
        struct own_message message = {.is_denial = false};
        at = open + 1;
        if (open < 2 || open >= text.length || text.bytes[open - 1] != ' ' || !rule_find(name, &message.rule))
            continue;
        struct slice line = last_line(slice_until(text, open - 1));
        struct slice before = slice_until(text, (size_t)(line.bytes - text.bytes));
        if (!find_start(before, line, in_denial, &message))
            continue;
        in_denial = message.is_denial;
        message.message = without_escapes(message.message, arena);
        if (!is_there(messages, &message))
            messages->items[messages->count++] = message;
    }
}

static void read_other_form(struct slice text, struct arena *arena, struct own_messages *messages)
{
    struct own_messages *other = arena_allocate(arena, sizeof(*other));
    if (!other)
        return;
    read_messages(text, arena, other);
    if (other->count > messages->count)
        *messages = *other;
}

/*
 * The programs with which people copy text break its lines, and change it in other ways. The form in which
 * more messages are found is the right one.
 */
void own_read(struct slice text, struct arena *arena, struct own_messages *messages)
{
    read_messages(text, arena, messages);
    bool is_as_written = messages->count > 0;
    read_other_form(unwrap(text, UNWRAP_ALL, arena), arena, messages);
    if (!is_as_written)
        read_other_form(copied_undo(text, arena), arena, messages);
}

/*
 * Resolutions
 */

/*
 * A command for any object: `before` and `after` are the words around it. RULE is the rule's name. A waiver
 * of the same object is one annotation for all rules, so its present value comes first.
 */
struct general_command {
    const char *way, *label, *before, *after;
};

static const struct general_command owners_command = {"owners", "owners", "applyguard blame ", ""};

static const struct general_command waiver_commands[] = {
    {"waived", "waived", "kubectl get ",
     " -o jsonpath='{.metadata.annotations.applyguard\\.io/waive}'  # the rules waived now"},
    {"waive", "waive it", "kubectl annotate ",
     " applyguard.io/waive=RULE  # counts only if the policy allows it; if other rules are waived, keep "
     "them: OTHER,RULE --overwrite"},
    {"unwaive", "unwaive", "kubectl annotate ",
     " applyguard.io/waive-  # later: ends all waivers of the object"},
};

/* A cut name would name another object. */
static bool is_whole(const struct conflict_object *object)
{
    return object->name.length && !slice_contains_text(object->name, SLICE(TEXT_ELLIPSIS)) &&
        !slice_contains_text(object->namespace, SLICE(TEXT_ELLIPSIS));
}

static const struct conflict_object *object_of(const struct own_statement *said)
{
    static const struct conflict_object unknown = {.kind = {NULL, 0}};
    return is_whole(&said->object) ? &said->object : &unknown;
}

struct conflict_object own_object(const struct own_message *message)
{
    const struct own_statement said = own_statement_read(message->message);
    return *object_of(&said);
}

static struct own_conflict conflict_of(const struct own_message *message, const struct own_statement *said)
{
    return (struct own_conflict){
        .rule = message->rule,
        .is_denial = message->is_denial,
        .object = object_of(said),
        .message = message->message,
        .statement = said,
    };
}

static void append_with_rule(struct text *text, const char *words, const char *rule)
{
    static const char name[] = "RULE";
    for (const char *found; (found = strstr(words, name)); words = found + strlen(name))
        text_append_all(text, ((struct slice){words, (size_t)(found - words)}), rule);
    text_append_string(text, words);
}

static struct slice command_of(
    const struct general_command *general, const struct own_message *message,
    const struct own_statement *said, struct arena *arena)
{
    struct text command = text_start(arena, 128);
    text_append_string(&command, general->before);
    shell_append_object(&command, object_of(said));
    append_with_rule(&command, general->after, rules[message->rule].name);
    return text_slice(&command);
}

/* A waiver of the rule about waivers would have no effect. */
static size_t waiver_command_count(const struct own_message *message)
{
    return message->rule == RULE_waiver ? 0 : ARRAY_SIZE(waiver_commands);
}

static void append_line(struct text *text, const char *label, struct slice content)
{
    if (!content.length)
        return;
    text_append_all(text, "  ", label);
    text_append_spaces(text, strlen(label) < 10 ? 10 - strlen(label) : 1);
    text_append_all(text, as_terminal(content), "\n");
}

/* "Deployment shop/web" */
static struct slice object_words(struct slice message)
{
    size_t end = 0;
    while (end < message.length && !slice_starts_with(slice_from(message, end), SLICE(": ")))
        end++;
    return slice_until(message, end);
}

void own_append_text(struct text *text, const struct own_message *message)
{
    struct own_statement said = own_statement_read(message->message);
    const struct rule *rule = &rules[message->rule];
    const struct own_conflict conflict = conflict_of(message, &said);
    struct resolution resolutions[RESOLUTION_COUNT];
    bool has_resolutions = own_resolutions_find(&conflict, text->arena, resolutions);
    text_append_all(text, as_terminal(object_words(message->message)), ": ", rule->name, "\n");
    append_line(
        text, "result",
        message->is_denial ? SLICE("refused: nothing was written")
                           : SLICE("allowed: the write went through"));
    append_line(text, "who", said.who);
    append_line(text, "what", said.what);
    append_line(text, "held by", said.holder);
    append_line(text, "next", own_statement_next(&said, message->is_denial, text->arena));
    append_line(text, "do", said.advice);
    append_line(text, "command", said.command);
    for (int i = 0; i < RESOLUTION_COUNT && has_resolutions; i++)
        append_line(
            text, resolution_label((enum resolution_kind)i), resolution_line(&resolutions[i], text->arena));
    append_line(text, owners_command.label, command_of(&owners_command, message, &said, text->arena));
    append_line(text, "preview", own_preview(&conflict, text->arena));
    for (size_t i = 0; i < waiver_command_count(message); i++)
        append_line(
            text, waiver_commands[i].label, command_of(&waiver_commands[i], message, &said, text->arena));
    append_line(text, "rule", slice_of(rule->summary));
    append_line(text, "page", text_join(text->arena, "applyguard explain ", rule->name));
}

static void append_way(struct text *text, const char *way, struct slice command)
{
    json_append_open(text, NULL, "{");
    json_append_member(text, "way", slice_of(way));
    json_append_member(text, "command", command);
    text_append_string(text, "}");
}

void own_append_json(struct text *text, const struct own_message *message)
{
    struct own_statement said = own_statement_read(message->message);
    const struct own_conflict conflict = conflict_of(message, &said);
    struct resolution resolutions[RESOLUTION_COUNT];
    bool has_resolutions = own_resolutions_find(&conflict, text->arena, resolutions);
    text_append_string(text, "{\"object\":{");
    json_append_member(text, "kind", said.object.kind);
    json_append_member(text, "namespace", said.object.namespace);
    json_append_member(text, "name", said.object.name);
    text_append_string(text, "}");
    json_append_member(text, "rule", slice_of(rules[message->rule].name));
    json_append_bool(text, "refused", message->is_denial);
    json_append_member(text, "who", said.who);
    json_append_member(text, "what", said.what);
    json_append_member(text, "holder", said.holder);
    json_append_member(text, "next", own_statement_next(&said, message->is_denial, text->arena));
    json_append_member(text, "advice", said.advice);
    json_append_open(text, "ways", "[");
    if (said.command.length)
        append_way(text, "command", said.command);
    for (int i = 0; i < RESOLUTION_COUNT && has_resolutions; i++)
        if (resolutions[i].command.length)
            append_way(
                text, resolution_name((enum resolution_kind)i),
                resolution_line(&resolutions[i], text->arena));
    append_way(text, owners_command.way, command_of(&owners_command, message, &said, text->arena));
    append_way(text, "preview", own_preview(&conflict, text->arena));
    for (size_t i = 0; i < waiver_command_count(message); i++)
        append_way(
            text, waiver_commands[i].way, command_of(&waiver_commands[i], message, &said, text->arena));
    text_append_string(text, "]}\n");
}
