/*
 * An object with managedFields in the first line, and an audit log in the others: each line is an event or
 * refused with a reason; the object's history is printable and JSON, has each field once, and is the same if
 * the log is packed.
 */
#include "audit/logs.h"
#include "commands/blame/history.h"
#include "commands/blame/print.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"
#include "tests/unit/log_file.h"

#include <string.h>

static const struct manifest_limits limits = {16 * 1024, 4096, 64 * 1024};

static void check_event(const struct audit_event *event)
{
    promise(!audit_is_done(event) || !event->is_dry_run, "a dry run has done nothing");
    promise(event->code < 1000, "a code has three digits");
}

static void read_log(struct history *history, const char *path)
{
    struct error error = {0};
    struct audit_entry entry;
    enum audit_result result;
    size_t errors = 0;
    struct audit_logs *logs = audit_logs_open(&path, 1);
    promise(logs != NULL, "there is memory");
    while ((result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) {
        promise(strcmp(entry.path, path) == 0, "each entry has its log");
        if (result == AUDIT_EVENT) {
            check_event(&entry.event);
            promise(history_add(history, &entry.event), "there is memory");
        } else {
            promise(error.message[0] != '\0', "what is refused has a reason");
            check_printable(slice_of(error.message), 0);
            promise(++errors <= 12, "another file is not refused line by line");
        }
        error = (struct error){0};
    }
    audit_logs_close(logs);
    promise(history_end(history), "there is memory");
}

static void check_fields(const struct blame_node *node)
{
    promise(!node->history || node->is_field, "only fields have a history");
    promise(!node->history || history_kept(node->history), "a history has changes");
    for (size_t i = 0; i < history_kept(node->history); i++) {
        const struct history_change *change = history_change(node->history, i);
        promise(!change->is_known || change->write, "who is known has a name");
        promise(change->write || i + 1 == history_kept(node->history), "what the log does not show is last");
    }
    for (size_t i = 0; i < node->child_count; i++)
        check_fields(&node->children[i]);
}

static void check_text(const struct blame *blame, size_t columns)
{
    const struct blame_print print = {.columns = columns, .now = 1800000000};
    struct text text = text_start(blame->arena, 1024);
    blame_append_text(&text, blame, &print);
    struct slice all = text_slice(&text);
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
}

/* The history as JSON, in the blame's arena. */
static struct slice told_of(struct blame *blame, struct slice log, bool is_packed)
{
    struct log_file file = log_file_of(log, is_packed);
    struct history *history = history_start(blame);
    struct text json = text_start(blame->arena, 1024);
    promise(history != NULL, "there is memory");
    read_log(history, file.path);
    check_fields(&blame->root);
    check_text(blame, 0);
    check_text(blame, 60);
    blame_append_json(&json, blame, &(struct blame_print){.now = 0});
    struct slice line = text_slice(&json);
    yyjson_doc *document = yyjson_read(line.bytes, line.length, 0);
    promise(document != NULL, "the JSON is JSON");
    yyjson_val *root = yyjson_doc_get_root(document);
    promise(
        yyjson_arr_size(yyjson_obj_get(root, "fields")) == blame->field_count, "each field is there once");
    promise(yyjson_is_obj(yyjson_obj_get(root, "history")), "the object has a history");
    yyjson_doc_free(document);
    history_free(history);
    log_file_close(&file);
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice whole = {(const char *)data, size}, first = slice_until(whole, slice_find(whole, '\n'));
    struct slice log = slice_from(whole, first.length + 1);
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &first, &limits);
    struct arena *arena = arena_create();
    struct manifest_object object;
    struct blame *blame = NULL;
    struct error error = {0};
    promise(reader && arena, "there is memory");
    if (manifest_next(reader, &object, &error) == MANIFEST_OBJECT &&
        blame_read(&object, NULL, arena, &blame, &error) == BLAME_OK) {
        struct slice plain = told_of(blame, log, false);
        promise(
            log_file_begins_packed(log) || slice_equal(plain, told_of(blame, log, true)),
            "a packed log tells the same");
    }
    arena_destroy(arena);
    manifest_close(reader);
    return 0;
}
