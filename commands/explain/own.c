#include "commands/explain/own.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/json_append.h"
#include "base/terminal.h"
#include "commands/explain/own_resolutions.h"
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

/* Whether the words before a denial are about a webhook of applyguard: "enforce.applyguard.io". */
static bool is_our_webhook(struct slice before)
{
    size_t name = end_of_last(before, ".applyguard.io");
    return name && before.length - name <= sizeof("\\\" ") &&
        memchr(before.bytes + name - 1, '"', before.length - name + 1);
}

/* A message begins after the words of a warning or a denial, or it is a further line of a denial. */
static bool find_start(struct slice line, bool in_denial, struct own_message *message)
{
    static const char denied[] = "denied the request: ", warned[] = "applyguard: ";
    size_t denial = end_of_last(line, denied), warning = end_of_last(line, warned);
    message->is_denial = denial > warning || (in_denial && !warning);
    if (denial > warning && !is_our_webhook(slice_until(line, denial - strlen(denied))))
        return false;
    if (!denial && !warning && !in_denial)
        return false;
    message->message = slice_from(line, denial > warning ? denial : warning);
    return message->message.length > 0;
}

static bool is_there(const struct own_messages *messages, const struct own_message *message)
{
    for (size_t i = 0; i < messages->count; i++) {
        if (slice_equal(messages->items[i].message, message->message))
            return true;
    }
    return false;
}

void own_read(struct slice text, struct own_messages *messages)
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
        if (!find_start(line, in_denial, &message))
            continue;
        in_denial = message.is_denial;
        if (!is_there(messages, &message))
            messages->items[messages->count++] = message;
    }
}

/*
 * Statements
 */

struct said {
    struct conflict_object object;
    struct slice who, fields; /* parts of `what` */
    struct slice holder;      /* of the fields */
    struct slice what, next, advice, command;
};

static size_t find_words(struct slice text, const char *words)
{
    const char *found = text.length ? memmem(text.bytes, text.length, words, strlen(words)) : NULL;
    return found ? (size_t)(found - text.bytes) : text.length;
}

/* Deployment shop/web, or Namespace shop. */
static struct conflict_object read_object(struct slice named)
{
    struct conflict_object object = {.kind = slice_until(named, slice_find(named, ' '))};
    struct slice name = slice_from(named, object.kind.length + 1);
    size_t slash = slice_find(name, '/');
    bool has_namespace = slash < name.length;
    object.namespace = has_namespace ? slice_until(name, slash) : (struct slice){NULL, 0};
    object.name = has_namespace ? slice_from(name, slash + 1) : name;
    return object;
}

/* The next event follows the statement: ", but the next apply undoes this". */
static void split_statement(struct slice statement, struct said *said)
{
    static const char *const joints[] = {", but ", ", so ", ", which ", ", because "};
    size_t end = statement.length, after = 0;
    for (size_t i = 0; i < ARRAY_SIZE(joints); i++) {
        size_t found = find_words(statement, joints[i]);
        if (found >= end)
            continue;
        end = found;
        after = i < 2 ? strlen(joints[i]) : strlen(", ");
    }
    said->what = slice_until(statement, end);
    said->next = slice_from(statement, end + after);
}

/* kubectl apply overwrites nginx's image: the first verb is behind the writer. */
static void split_what(struct said *said)
{
    static const char *const verbs[] = {" changes ",        " overwrites ", " removes ", " sets ",
                                        " no longer sets ", " resets ",     " drops ",   " takes ",
                                        " still owns ",     " also owns "};
    size_t end = said->what.length, after = 0;
    for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
        size_t found = find_words(said->what, verbs[i]);
        if (found >= end)
            continue;
        end = found;
        after = strlen(verbs[i]);
    }
    if (end == said->what.length)
        return;
    said->who = slice_until(said->what, end);
    said->fields = slice_from(said->what, end + after);
}

/* "which Flux manages: the next apply undoes this": the holder, and the event behind a colon. */
static void split_next(struct said *said)
{
    static const char *const verbs[] = {" manage",  " also set",      " control", " wrote",
                                        " applied", " still declare", " owns"};
    struct slice named = slice_from(said->next, strlen("which "));
    size_t end = named.length, colon = find_words(said->next, ": ");
    if (!slice_starts_with(said->next, SLICE("which ")))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
        size_t found = find_words(named, verbs[i]);
        end = found < end ? found : end;
    }
    if (end == named.length)
        return;
    said->holder = slice_until(named, end);
    if (colon < said->next.length)
        said->next = slice_from(said->next, colon + strlen(": "));
}

/* The fields of sentences without a writer. */
static void find_fields(struct said *said)
{
    static const char *const marks[] = {" (", " are in no manifest", " is in no manifest", " changed hands"};
    size_t end = said->what.length;
    split_what(said);
    for (size_t i = 0; i < ARRAY_SIZE(marks) && !said->fields.length; i++) {
        size_t found = find_words(said->what, marks[i]);
        end = found < end ? found : end;
    }
    if (!said->fields.length && end < said->what.length)
        said->fields = slice_until(said->what, end);
}

static struct said read_message(struct slice message)
{
    static const char *const programs[] = {": kubectl ", ": applyguard "};
    struct said said = {.object = read_object(slice_until(message, find_words(message, ": ")))};
    struct slice rest = slice_from(message, find_words(message, ": ") + strlen(": "));
    size_t advice = find_words(rest, "; ");
    said.advice = slice_from(rest, advice + strlen("; "));
    split_statement(slice_until(rest, advice), &said);
    find_fields(&said);
    split_next(&said);
    for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
        size_t command = find_words(said.advice, programs[i]);
        if (command == said.advice.length)
            continue;
        said.command = slice_from(said.advice, command + strlen(": "));
        said.advice = slice_until(said.advice, command);
    }
    return said;
}

/*
 * Resolutions
 */

/* A command for any object: `before` and `after` are the words around it. */
struct general_command {
    const char *way, *label, *before, *after;
};

static const struct general_command general_commands[] = {
    {"owners", "owners", "applyguard blame ", ""},
    {"preview", "preview", "applyguard preview ", ""},
    {"waive", "waive it", "kubectl annotate ", " applyguard.io/waive="},
};

/* A cut name would name another object. */
static bool is_whole(const struct conflict_object *object)
{
    return object->name.length && find_words(object->name, TEXT_ELLIPSIS) == object->name.length &&
        find_words(object->namespace, TEXT_ELLIPSIS) == object->namespace.length;
}

static const struct conflict_object *object_of(const struct said *said)
{
    static const struct conflict_object unknown = {.kind = {NULL, 0}};
    return is_whole(&said->object) ? &said->object : &unknown;
}

struct conflict_object own_object(const struct own_message *message)
{
    const struct said said = read_message(message->message);
    return *object_of(&said);
}

static bool find_resolutions(
    const struct own_message *message, const struct said *said, struct arena *arena,
    struct resolution resolutions[RESOLUTION_COUNT])
{
    const struct own_conflict conflict = {
        .rule = message->rule,
        .is_denial = message->is_denial,
        .object = object_of(said),
        .message = message->message,
        .who = said->who,
        .fields = said->fields,
    };
    return own_resolutions_find(&conflict, arena, resolutions);
}

static struct slice command_of(
    const struct general_command *general, const struct own_message *message, const struct said *said,
    struct arena *arena)
{
    struct text command = text_start(arena, 128);
    text_append_string(&command, general->before);
    shell_append_object(&command, object_of(said));
    text_append_string(&command, general->after);
    if (*general->after) {
        text_append_string(&command, rules[message->rule].name);
        text_append_string(&command, "  # counts only if the policy allows it");
    }
    return text_slice(&command);
}

static void append_line(struct text *text, const char *label, struct slice content)
{
    if (!content.length)
        return;
    text_append_string(text, "  ");
    text_append_string(text, label);
    text_append_spaces(text, strlen(label) < 10 ? 10 - strlen(label) : 1);
    terminal_append(text, content);
    text_append_string(text, "\n");
}

void own_append_text(struct text *text, const struct own_message *message)
{
    struct said said = read_message(message->message);
    const struct rule *rule = &rules[message->rule];
    struct resolution resolutions[RESOLUTION_COUNT];
    bool has_resolutions = find_resolutions(message, &said, text->arena, resolutions);
    terminal_append(text, slice_until(message->message, find_words(message->message, ": ")));
    text_append_string(text, ": ");
    text_append_string(text, rule->name);
    text_append_string(text, "\n");
    append_line(
        text, "result",
        message->is_denial ? SLICE("refused: nothing was written")
                           : SLICE("allowed: the write went through"));
    append_line(text, "who", said.who);
    append_line(text, "what", said.what);
    append_line(text, "held by", said.holder);
    append_line(text, "next", said.next);
    append_line(text, "do", said.advice);
    append_line(text, "command", said.command);
    for (int i = 0; i < RESOLUTION_COUNT && has_resolutions; i++)
        append_line(
            text, resolution_label((enum resolution_kind)i), resolution_line(&resolutions[i], text->arena));
    for (size_t i = 0; i < ARRAY_SIZE(general_commands); i++)
        append_line(
            text, general_commands[i].label, command_of(&general_commands[i], message, &said, text->arena));
    append_line(text, "rule", slice_of(rule->summary));
    struct text page = text_start(text->arena, 64);
    text_append_string(&page, "applyguard explain ");
    text_append_string(&page, rule->name);
    append_line(text, "page", text_slice(&page));
}

static void append_way(struct text *text, const char *way, struct slice command)
{
    json_append_comma(text);
    text_append_string(text, "{");
    json_append_member(text, "way", slice_of(way));
    json_append_member(text, "command", command);
    text_append_string(text, "}");
}

void own_append_json(struct text *text, const struct own_message *message)
{
    struct said said = read_message(message->message);
    struct resolution resolutions[RESOLUTION_COUNT];
    bool has_resolutions = find_resolutions(message, &said, text->arena, resolutions);
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
    json_append_member(text, "next", said.next);
    json_append_member(text, "advice", said.advice);
    text_append_string(text, ",\"ways\":[");
    if (said.command.length)
        append_way(text, "command", said.command);
    for (int i = 0; i < RESOLUTION_COUNT && has_resolutions; i++)
        append_way(
            text, resolution_name((enum resolution_kind)i), resolution_line(&resolutions[i], text->arena));
    for (size_t i = 0; i < ARRAY_SIZE(general_commands); i++)
        append_way(
            text, general_commands[i].way, command_of(&general_commands[i], message, &said, text->arena));
    text_append_string(text, "]}\n");
}
