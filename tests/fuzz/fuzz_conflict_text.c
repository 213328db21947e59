/*
 * The output of tools for a conflict, or anything else: it is refused with a reason, or each conflict is
 * explained, printable and as JSON that parses, and the same if it is printed twice.
 */
#include "commands/explain/read.h"

#include "commands/explain/print.h"
#include "fuzz.h"
#include "policy/judge.h"
#include "tests/fuzz/printable.h"

#include <string.h>
#include <yyjson.h>

static const struct policy *embedded_policy(void)
{
    static struct policy *policy;
    if (!policy)
        policy = policy_default();
    promise(policy != NULL, "the embedded policy loads");
    return policy;
}

static void check_printed(const struct conflict_report *report, struct arena *arena)
{
    struct conflict_print print = {.policy = embedded_policy(), .is_json = false};
    struct slice text = conflict_report_print(&print, report, NULL, arena);
    promise(text.bytes != NULL, "there is memory");
    check_printable(text, '\n');
    print.is_json = true;
    struct slice json = conflict_report_print(&print, report, NULL, arena);
    promise(json.length && json.bytes[json.length - 1] == '\n', "JSON is a line");
    check_printable(slice_until(json, json.length - 1), 0);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, YYJSON_READ_NOFLAG);
    promise(document != NULL, "JSON parses");
    size_t count = yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(document), "conflicts"));
    promise(count == report->count && count > 0, "each conflict is told");
    yyjson_doc_free(document);
}

static void check_twice(struct slice text, const struct conflict_reports *once, struct arena *arena)
{
    struct conflict_reports twice;
    struct error error = {0};
    char *copy = arena_allocate(arena, 2 * text.length + 1);
    promise(copy != NULL, "there is memory");
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\n';
    memcpy(copy + text.length + 1, text.bytes, text.length);
    int result = conflict_read((struct slice){copy, 2 * text.length + 1}, arena, &twice, &error);
    promise(result == 0 && twice.count >= once->count, "what is printed twice is found");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = {(const char *)data, size};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    struct conflict_reports reports;
    struct error error = {0};
    if (conflict_read(text, arena, &reports, &error) < 0) {
        promise(error.message[0], "a refusal has a reason");
        check_printable(slice_of(error.message), 0);
    } else {
        promise(reports.count > 0, "there is a report");
        for (size_t i = 0; i < reports.count; i++)
            check_printed(&reports.items[i], arena);
        check_twice(text, &reports, arena);
    }
    arena_destroy(arena);
    return 0;
}
