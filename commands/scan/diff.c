#include "commands/scan/diff.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "base/split.h"
#include "base/terminal.h"
#include "commands/scan/facts.h"

struct earlier {
    struct slice key; /* context, kind, namespace, name and rule, each with a NUL behind it */
    enum action action;
    unsigned before; /* findings of the rule in the object, in the earlier scan */
    unsigned now;
};

struct named {
    struct slice key;
};

bool scan_diff_start(struct scan_diff *diff)
{
    struct arena *arena = arena_create();
    *diff = (struct scan_diff){
        .arena = arena,
        .findings = {.arena = arena, .record_bytes = sizeof(struct earlier)},
        .objects = {.arena = arena, .record_bytes = sizeof(struct named)},
    };
    return arena != NULL;
}

void scan_diff_release(struct scan_diff *diff)
{
    arena_destroy(diff->arena);
    *diff = (struct scan_diff){0};
}

static struct slice key_of(yyjson_val *line, struct slice rule, struct arena *arena)
{
    const struct slice parts[] = {
        json_text(json_member(line, SLICE("context"))),
        json_text(json_member(line, SLICE("kind"))),
        json_text(json_member(line, SLICE("namespace"))),
        json_text(json_member(line, SLICE("name"))),
        rule,
    };
    return scan_key(parts, ARRAY_SIZE(parts), arena);
}

/* Parses an object with its findings, or the sums, which have none. Returns -1 and sets the error. */
static int parse_line(
    struct scan_diff *diff, struct slice json, struct arena *arena, yyjson_val **line, struct error *error)
{
    *line = json_parse(json, arena);
    bool is_sums = json_member(*line, SLICE("summary"));
    diff->is_whole |= is_sums;
    if (is_sums || yyjson_is_arr(json_member(*line, SLICE("findings"))))
        return 0;
    return arena_has_failed(arena) ? error_set_out_of_memory(error)
                                   : error_set(error, "it is not a line that scan -o json prints");
}

/* False: out of memory. */
static bool note_earlier(struct scan_diff *diff, yyjson_val *line, yyjson_val *finding)
{
    struct slice rule = json_text(json_member(finding, SLICE("rule")));
    struct slice key = key_of(line, rule, diff->arena), object = key_of(line, SLICE(""), diff->arena);
    struct earlier *earlier = key.bytes ? name_table_add(&diff->findings, key) : NULL;
    if (!earlier || !object.bytes || !name_table_add(&diff->objects, object))
        return false;
    enum action action = ACTION_AUDIT;
    if (action_parse(json_text(json_member(finding, SLICE("policyAction"))), &action) &&
        action > earlier->action)
        earlier->action = action;
    earlier->before++;
    return true;
}

int scan_diff_read(struct scan_diff *diff, struct slice line, struct error *error)
{
    struct arena *arena = arena_create();
    yyjson_val *parsed = NULL;
    int result = arena ? parse_line(diff, line, arena, &parsed, error) : error_set_out_of_memory(error);
    json_each_item(finding, json_member(parsed, SLICE("findings")))
        if (!note_earlier(diff, parsed, finding))
            result = error_set_out_of_memory(error);
    arena_destroy(arena);
    return result;
}

static void append_difference(struct text *text, const char *word, yyjson_val *finding)
{
    text_append_all(
        text, word, as_terminal(json_text(json_member(finding, SLICE("message")))), " [",
        as_terminal(json_text(json_member(finding, SLICE("rule")))), "]\n");
}

/* False: out of memory. */
static bool compare(struct scan_diff *diff, yyjson_val *line, yyjson_val *finding, struct text *text)
{
    struct slice rule = json_text(json_member(finding, SLICE("rule")));
    struct slice key = key_of(line, rule, text->arena), object = key_of(line, SLICE(""), text->arena);
    if (!key.bytes || !object.bytes)
        return false;
    struct earlier *earlier = name_table_find(&diff->findings, key);
    enum action action = ACTION_AUDIT;
    bool has_action = action_parse(json_text(json_member(finding, SLICE("policyAction"))), &action);
    if (earlier && ++earlier->now <= earlier->before && (!has_action || action <= earlier->action))
        return true;
    bool is_new = !name_table_find(&diff->objects, object);
    diff->new += is_new;
    diff->worse += !is_new;
    diff->strongest = action > diff->strongest ? action : diff->strongest;
    append_difference(text, is_new ? "new     " : "worse   ", finding);
    return true;
}

int scan_diff_compare(struct scan_diff *diff, struct slice line, struct text *text, struct error *error)
{
    yyjson_val *parsed;
    if (parse_line(diff, line, text->arena, &parsed, error) < 0)
        return -1;
    json_each_item(finding, json_member(parsed, SLICE("findings")))
        if (!compare(diff, parsed, finding, text))
            return error_set_out_of_memory(error);
    return 0;
}

static void append_gone(struct text *text, struct slice key)
{
    struct slice context = split_next(&key, '\0'), kind = split_next(&key, '\0'),
                 namespace = split_next(&key, '\0'), name = split_next(&key, '\0');
    text_append_all(
        text, "better  ", as_terminal(context), context.length ? " " : "", as_terminal(kind), " ",
        as_qualified(terminal_append, namespace, name), " [", as_terminal(split_next(&key, '\0')), "]\n");
}

void scan_diff_append_gone(struct scan_diff *diff, struct text *text)
{
    for (size_t i = 0; i < diff->findings.count; i++) {
        const struct earlier *earlier = name_table_item(&diff->findings, i);
        if (earlier->now >= earlier->before)
            continue;
        diff->better += earlier->before - earlier->now;
        append_gone(text, earlier->key);
    }
}

void scan_diff_append_sums(const struct scan_diff *diff, struct text *text)
{
    text_append_all(text, diff->better, " better, ", diff->worse, " worse, ", diff->new, " new\n");
}

void scan_diff_append_json(const struct scan_diff *diff, struct text *text)
{
    text_append_string(text, "{\"diff\":{");
    json_append_number(text, "better", diff->better);
    json_append_number(text, "worse", diff->worse);
    json_append_number(text, "new", diff->new);
    text_append_string(text, "}}\n");
}
