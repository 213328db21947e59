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

/* Visits the findings of a line. Returns -1 and sets the error. */
static int read_line(
    struct scan_diff *diff, struct slice json,
    int (*visit)(struct scan_diff *, yyjson_val *, yyjson_val *, struct text *), struct text *text,
    struct arena *arena, struct error *error)
{
    yyjson_val *line = json_parse(json, arena);
    yyjson_val *found = json_member(line, SLICE("findings"));
    bool is_sums = json_member(line, SLICE("summary"));
    diff->is_whole |= is_sums;
    if (!is_sums && !yyjson_is_arr(found))
        return arena_has_failed(arena) ? error_set_out_of_memory(error)
                                       : error_set(error, "it is not a line that scan -o json prints");
    json_each_item(finding, found)
        if (visit(diff, line, finding, text) < 0)
            return error_set_out_of_memory(error);
    return 0;
}

static int note_earlier(struct scan_diff *diff, yyjson_val *line, yyjson_val *finding, struct text *text)
{
    (void)text;
    struct slice rule = json_text(json_member(finding, SLICE("rule")));
    struct slice key = key_of(line, rule, diff->arena), object = key_of(line, SLICE(""), diff->arena);
    struct earlier *earlier = key.bytes ? name_table_add(&diff->findings, key) : NULL;
    if (!earlier || !object.bytes || !name_table_add(&diff->objects, object))
        return -1;
    enum action action = ACTION_AUDIT;
    if (action_parse(json_text(json_member(finding, SLICE("policyAction"))), &action) &&
        action > earlier->action)
        earlier->action = action;
    earlier->before++;
    return 0;
}

int scan_diff_read(struct scan_diff *diff, struct slice line, struct error *error)
{
    struct arena *arena = arena_create();
    int result =
        arena ? read_line(diff, line, note_earlier, NULL, arena, error) : error_set_out_of_memory(error);
    arena_destroy(arena);
    return result;
}

static void append_difference(struct text *text, const char *word, yyjson_val *finding)
{
    text_append_all(
        text, word, as_terminal(json_text(json_member(finding, SLICE("message")))), " [",
        as_terminal(json_text(json_member(finding, SLICE("rule")))), "]\n");
}

static int compare(struct scan_diff *diff, yyjson_val *line, yyjson_val *finding, struct text *text)
{
    struct slice rule = json_text(json_member(finding, SLICE("rule")));
    struct slice key = key_of(line, rule, text->arena), object = key_of(line, SLICE(""), text->arena);
    if (!key.bytes || !object.bytes)
        return -1;
    struct earlier *earlier = name_table_find(&diff->findings, key);
    enum action action = ACTION_AUDIT;
    bool has_action = action_parse(json_text(json_member(finding, SLICE("policyAction"))), &action);
    if (earlier && ++earlier->now <= earlier->before && (!has_action || action <= earlier->action))
        return 0;
    bool is_new = !name_table_find(&diff->objects, object);
    diff->new += is_new;
    diff->worse += !is_new;
    diff->strongest = action > diff->strongest ? action : diff->strongest;
    append_difference(text, is_new ? "new     " : "worse   ", finding);
    return 0;
}

int scan_diff_compare(struct scan_diff *diff, struct slice line, struct text *text, struct error *error)
{
    return read_line(diff, line, compare, text, text->arena, error);
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
