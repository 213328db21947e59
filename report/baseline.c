#include "report/baseline.h"

#include "base/json.h"
#include "base/json_each.h"
#include "report/fingerprint.h"
#include "report/occurrences.h"
#include "report/tally.h"

#include <stdlib.h>

struct baseline {
    struct arena *kept;
    struct arena *line;    /* for reading one line */
    struct arena *finding; /* for one finding */
    struct tally tally;
    struct tally totals; /* per object and action: all findings that are not known yet, listed or not */
};

/* The strings of an array; other items are left out. */
static int read_fields(yyjson_val *array, struct arena *arena, struct fingerprint_parts *parts)
{
    struct slice *fields = arena_allocate_array(arena, yyjson_arr_size(array) + 1, sizeof(*fields));
    if (!fields)
        return -1;
    parts->fields = fields;
    parts->field_count = 0;
    json_each_item(item, array) {
        if (yyjson_is_str(item))
            fields[parts->field_count++] = json_text(item);
    }
    return 0;
}

/*
 * The fingerprint for all findings of one action that the report does not list of an object: no finding's
 * rule is empty.
 */
static uint64_t object_fingerprint(
    const struct fingerprint_parts *object, struct slice action, struct arena *scratch)
{
    struct fingerprint_parts parts = *object;
    parts.rule = (struct slice){NULL, 0};
    parts.fields = &action;
    parts.field_count = 1;
    return fingerprint(&parts, scratch);
}

/* Returns false if memory runs out. */
static bool add_total(
    struct baseline *baseline, const struct fingerprint_parts *object, struct slice action, size_t count)
{
    uint64_t hash = object_fingerprint(object, action, baseline->finding);
    return !arena_has_failed(baseline->finding) &&
        tally_add_many(&baseline->totals, hash, count, baseline->kept);
}

static int add_finding(
    struct baseline *baseline, yyjson_val *finding, struct fingerprint_parts *parts, unsigned line,
    struct error *error)
{
    if (!yyjson_is_str(json_member(finding, SLICE("rule"))))
        return error_set_at(error, line, 1, "a finding has no rule");
    if (json_member(finding, SLICE("waived")))
        return 0;
    parts->rule = json_text(json_member(finding, SLICE("rule")));
    if (read_fields(json_member(finding, SLICE("fields")), baseline->finding, parts) < 0)
        return error_set_out_of_memory_at(error, line);
    uint64_t hash = fingerprint(parts, baseline->finding);
    if (arena_has_failed(baseline->finding) || !tally_add(&baseline->tally, hash, baseline->kept) ||
        !add_total(baseline, parts, json_text(json_member(finding, SLICE("action"))), 1))
        return error_set_out_of_memory_at(error, line);
    arena_reset(baseline->finding);
    return 0;
}

static int add_dropped(
    struct baseline *baseline, yyjson_val *dropped, const struct fingerprint_parts *object, unsigned line,
    struct error *error)
{
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        const struct slice name = slice_of(action_name((enum action)action));
        yyjson_val *count = json_member(dropped, name);
        if (!yyjson_is_uint(count))
            continue;
        uint64_t hash = object_fingerprint(object, name, baseline->finding);
        if (arena_has_failed(baseline->finding) ||
            !tally_add_many(&baseline->tally, hash, yyjson_get_uint(count), baseline->kept) ||
            !add_total(baseline, object, name, yyjson_get_uint(count)))
            return error_set_out_of_memory_at(error, line);
        arena_reset(baseline->finding);
    }
    return 0;
}

/* The fingerprint of a problem of a file: no finding's rule is empty, and a problem has no kind. */
static uint64_t problem_fingerprint(struct slice file, struct slice sentence, struct arena *scratch)
{
    const struct fingerprint_parts parts = {.file = file, .fields = &sentence, .field_count = 1};
    return fingerprint(&parts, scratch);
}

static int add_problem(
    struct baseline *baseline, yyjson_val *file, yyjson_val *sentence, unsigned line, struct error *error)
{
    uint64_t hash = problem_fingerprint(json_text(file), json_text(sentence), baseline->finding);
    if (arena_has_failed(baseline->finding) || !tally_add(&baseline->tally, hash, baseline->kept))
        return error_set_out_of_memory_at(error, line);
    arena_reset(baseline->finding);
    return 0;
}

static int add_item(struct baseline *baseline, yyjson_val *item, unsigned line, struct error *error)
{
    yyjson_val *findings = json_member(item, SLICE("findings"));
    struct fingerprint_parts parts = {
        .file = json_text(json_member(item, SLICE("file"))),
        .kind = json_text(json_member(item, SLICE("kind"))),
        .namespace = json_text(json_member(item, SLICE("namespace"))),
        .name = json_text(json_member(item, SLICE("name"))),
    };
    yyjson_val *file = json_member(item, SLICE("file")), *problem = json_member(item, SLICE("error"));
    if (!findings && yyjson_is_str(file) && yyjson_is_str(problem))
        return add_problem(baseline, file, problem, line, error);
    if (!yyjson_is_arr(findings) || !yyjson_is_str(file))
        return error_set_at(
            error, line, 1, "it is not a line of -o json: an object with \"file\" and \"findings\"");
    json_each_item(finding, findings) {
        if (add_finding(baseline, finding, &parts, line, error) < 0)
            return -1;
    }
    return add_dropped(baseline, json_member(item, SLICE("dropped")), &parts, line, error);
}

static int read_line(struct baseline *baseline, struct slice text, unsigned line, struct error *error)
{
    yyjson_read_err problem = {0};
    yyjson_doc *document = json_read(text, YYJSON_READ_NOFLAG, baseline->line, &problem);
    if (arena_has_failed(baseline->line))
        return error_set_out_of_memory_at(error, line);
    if (!document)
        return error_set_at(error, line, (unsigned)problem.pos + 1, "it is not JSON: %s", problem.msg);
    return add_item(baseline, yyjson_doc_get_root(document), line, error);
}

static bool is_blank(struct slice line)
{
    line = slice_trim(line);
    return !line.length || (line.length == 1 && line.bytes[0] == '\r');
}

static int read_lines(struct baseline *baseline, struct slice text, struct error *error)
{
    for (unsigned line = 1; text.length; line++) {
        size_t end = slice_find(text, '\n');
        struct slice content = slice_without_mark(slice_until(text, end));
        if (!is_blank(content) && read_line(baseline, content, line, error) < 0)
            return -1;
        arena_reset(baseline->line);
        text = slice_from(text, end + 1);
    }
    return 0;
}

/* Whether the text has a second line. */
static bool has_lines(struct slice text)
{
    while (text.length && is_blank(slice_until(text, slice_find(text, '\n'))))
        text = slice_from(text, slice_find(text, '\n') + 1);
    return slice_find(text, '\n') + 1 < text.length;
}

/*
 * Recognizes JSON of several lines, such as SARIF or the output of jq: the text as a whole is JSON, but not
 * each line.
 */
static int explain_json(struct baseline *baseline, struct slice text, struct error *error)
{
    yyjson_read_err problem = {0};
    text = slice_without_mark(text);
    if (has_lines(text) && json_read(text, YYJSON_READ_NOFLAG, baseline->line, &problem))
        return error_set_at(
            error, 1, 1, "it is JSON, but not what check -o json prints: a line for each object");
    return -1;
}

struct baseline *baseline_read(struct slice text, struct error *error)
{
    struct baseline *baseline = calloc(1, sizeof(*baseline));
    if (baseline) {
        baseline->kept = arena_create();
        baseline->line = arena_create();
        baseline->finding = arena_create();
    }
    if (!baseline || !baseline->kept || !baseline->line || !baseline->finding)
        error_set_out_of_memory_at(error, 0);
    else if (read_lines(baseline, text, error) == 0)
        return baseline;
    else
        explain_json(baseline, text, error);
    baseline_destroy(baseline);
    return NULL;
}

/* Takes the hash from one of the tallies, and resets the arena of the finding. */
static bool take(struct baseline *baseline, struct tally *tally, uint64_t hash, size_t count)
{
    bool has_hash = !arena_has_failed(baseline->finding);
    arena_reset(baseline->finding);
    return has_hash && tally_take(tally, hash, count);
}

static bool take_of_object(
    struct baseline *baseline, struct tally *tally, const struct report_item *item, enum action action,
    size_t count)
{
    const struct fingerprint_parts object = {
        .file = item->file, .kind = item->kind, .namespace = item->namespace, .name = item->name};
    uint64_t hash = object_fingerprint(&object, slice_of(action_name(action)), baseline->finding);
    return take(baseline, tally, hash, count);
}

bool baseline_take(
    struct baseline *baseline, const struct report_item *item, const struct report_finding *finding)
{
    if (finding->is_waived)
        return false;
    uint64_t hash = finding_fingerprint(item, finding, baseline->finding);
    bool is_known = take(baseline, &baseline->tally, hash, 1) ||
        take_of_object(baseline, &baseline->tally, item, finding->action, 1);
    if (is_known)
        take_of_object(baseline, &baseline->totals, item, finding->action, 1);
    return is_known;
}

bool baseline_take_dropped(struct baseline *baseline, const struct report_item *item, enum action action)
{
    return take_of_object(baseline, &baseline->totals, item, action, item->dropped[action]);
}

bool baseline_take_problem(struct baseline *baseline, struct slice file, struct slice sentence)
{
    return take(baseline, &baseline->tally, problem_fingerprint(file, sentence, baseline->finding), 1);
}

void baseline_destroy(struct baseline *baseline)
{
    if (!baseline)
        return;
    arena_destroy(baseline->kept);
    arena_destroy(baseline->line);
    arena_destroy(baseline->finding);
    free(baseline);
}
