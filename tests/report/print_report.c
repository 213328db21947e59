/*
 * print_report FORMAT: prints the report that standard input describes, a JSON object a line:
 *
 *   {"item":{"file":…,"line":…,"kind":…,"namespace":…,"name":…,"findings":[
 *     {"rule":…,"action":0…3,"message":…,"fields":[…],"line":…,"column":…,"end_line":…,"source_line":…,"waived":…}]}}
 *   {"problem":{"file":…,"line":…,"column":…,"sentence":…}}
 *   {"summary":{"files":…,"items":…,"waived":…,"problems":…}}
 *
 * Texts are in hexadecimal digits, because names of files may hold any bytes.
 */
#include "base/arena.h"
#include "base/json.h"
#include "report/report.h"

#include <stdlib.h>

static struct slice decode(yyjson_val *value, struct arena *arena)
{
    struct slice digits = json_text(value);
    char *bytes = arena_allocate(arena, digits.length / 2 + 1);
    for (size_t i = 0; i < digits.length / 2; i++) {
        const char pair[] = {digits.bytes[2 * i], digits.bytes[2 * i + 1], '\0'};
        bytes[i] = (char)strtoul(pair, NULL, 16);
    }
    bytes[digits.length / 2] = '\0';
    return (struct slice){bytes, digits.length / 2};
}

static struct slice text_of(yyjson_val *object, const char *key, struct arena *arena)
{
    return decode(yyjson_obj_get(object, key), arena);
}

static unsigned number_of(yyjson_val *object, const char *key)
{
    return (unsigned)yyjson_get_uint(yyjson_obj_get(object, key));
}

static struct report_finding read_finding(yyjson_val *value, struct arena *arena)
{
    yyjson_val *names = yyjson_obj_get(value, "fields");
    struct slice *fields = arena_allocate_array(arena, yyjson_arr_size(names) + 1, sizeof(*fields));
    for (size_t i = 0; i < yyjson_arr_size(names); i++)
        fields[i] = decode(yyjson_arr_get(names, i), arena);
    struct report_finding finding = {
        .action = (enum action)number_of(value, "action"),
        .message = text_of(value, "message", arena),
        .fields = fields,
        .field_count = yyjson_arr_size(names),
        .line = number_of(value, "line"),
        .column = number_of(value, "column"),
        .end_line = number_of(value, "end_line"),
        .source_line = text_of(value, "source_line", arena),
        .is_waived = yyjson_obj_get(value, "waived") != NULL,
        .waived_reason = text_of(value, "waived", arena),
    };
    if (!rule_find(json_text(yyjson_obj_get(value, "rule")), &finding.rule))
        exit(2);
    return finding;
}

static void read_dropped(yyjson_val *counts, struct report_item *item)
{
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++)
        item->dropped[action] = number_of(counts, action_name((enum action)action));
}

static void add_item(struct report *report, yyjson_val *value, struct arena *arena)
{
    yyjson_val *list = yyjson_obj_get(value, "findings");
    size_t count = yyjson_arr_size(list);
    struct report_finding *findings = arena_allocate_array(arena, count + 1, sizeof(*findings));
    for (size_t i = 0; i < count; i++)
        findings[i] = read_finding(yyjson_arr_get(list, i), arena);
    struct report_item item = {
        .file = text_of(value, "file", arena),
        .line = number_of(value, "line"),
        .kind = text_of(value, "kind", arena),
        .namespace = text_of(value, "namespace", arena),
        .name = text_of(value, "name", arena),
        .findings = findings,
        .finding_count = count,
    };
    read_dropped(yyjson_obj_get(value, "dropped"), &item);
    report_add(report, &item);
}

static void read_line(
    struct report *report, yyjson_val *root, struct report_summary *summary, struct arena *arena)
{
    yyjson_val *item = yyjson_obj_get(root, "item"), *problem = yyjson_obj_get(root, "problem"),
               *counts = yyjson_obj_get(root, "summary");
    if (item)
        add_item(report, item, arena);
    if (problem)
        report_problem(
            report, text_of(problem, "file", arena), number_of(problem, "line"), number_of(problem, "column"),
            text_of(problem, "sentence", arena).bytes);
    summary->files += number_of(counts, "files");
    summary->items += number_of(counts, "items");
    summary->waived += number_of(counts, "waived");
    summary->dropped += number_of(counts, "dropped");
    summary->problems += number_of(counts, "problems");
}

int main(int argc, char **argv)
{
    struct report_options options = {
        .out = stdout, .err = stderr, .version = "1.2.3", .pages = "https://example.com/docs/rules/"};
    if (argc != 2 || !output_format_parse(slice_of(argv[1]), &options.format))
        return 2;
    struct report *report = report_begin(&options);
    struct arena *arena = arena_create();
    struct report_summary summary = {0};
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
        yyjson_doc *document = yyjson_read(line, (size_t)length, YYJSON_READ_NOFLAG);
        read_line(report, yyjson_doc_get_root(document), &summary, arena);
        yyjson_doc_free(document);
        arena_reset(arena);
    }
    free(line);
    arena_destroy(arena);
    return report_end(report, &summary) < 0;
}
