/*
 * An audit log: each line is an event or refused with a reason; each write is judged, or unjudged with a
 * reason, and the sums match the lines; the output is printable, JSON and HTML are whole, and a packed log
 * gives the same.
 */
#include "audit/logs.h"
#include "base/json.h"
#include "commands/replay/replay.h"
#include "commands/replay/row.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"
#include "tests/unit/log_file.h"

#include <string.h>

struct told {
    struct text text;
    uint64_t unjudged, findings; /* of lines, but for dry runs */
};

static void check_json(struct slice line)
{
    yyjson_doc *document = yyjson_read(line.bytes, line.length, 0);
    promise(document != NULL, "the JSON is JSON");
    yyjson_doc_free(document);
    check_printable(line, '\n');
}

/* The JSON has all that the page shows. */
static void check_row(struct slice line, struct slice html, struct arena *arena)
{
    struct replay_row row;
    struct text text = text_start(arena, 256);
    yyjson_doc *document = json_read(line, YYJSON_READ_NOFLAG, arena, NULL);
    promise(replay_row_read(&row, yyjson_doc_get_root(document), arena), "there is memory");
    replay_append_row(&text, &row);
    promise(slice_equal(text_slice(&text), html), "a row of the JSON is the row of the write");
}

static void check_write(struct told *told, const struct replay_write *write)
{
    struct arena *arena = arena_create();
    struct replay_row shown;
    struct text line = text_start(arena, 256), row = text_start(arena, 256);
    bool counts = !write->event->is_dry_run;
    replay_append_line(&line, write);
    promise(replay_row_of_write(&shown, write, arena), "there is memory");
    replay_append_row(&row, &shown);
    struct slice json = text_slice(&line), html = text_slice(&row);
    promise(json.bytes && (html.bytes || !html.length), "there is memory");
    check_json(json);
    check_printable(html, '\n');
    check_row(json, html, arena);
    promise(!write->verdict || write->tier != REPLAY_METADATA, "what is not judged has no verdict");
    promise(
        write->verdict || !write->reason || write->tier == REPLAY_METADATA, "what has a tier has a verdict");
    told->unjudged += counts && write->reason != REPLAY_NO_REASON;
    for (const struct finding *finding = NULL;
         (finding = replay_next_finding(write, write->verdict, finding));)
        told->findings += counts;
    text_append(&told->text, json);
    arena_destroy(arena);
}

static void read_log(struct replay *replay, const char *path, struct told *told)
{
    struct audit_entry entry;
    struct error error = {0};
    struct replay_write write;
    enum audit_result result;
    struct audit_logs *logs = audit_logs_open(&path, 1);
    promise(logs != NULL, "there is memory");
    while ((result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) {
        if (result == AUDIT_EVENT) {
            enum replay_result added = replay_add(replay, &entry.event, &write);
            promise(added != REPLAY_NO_MEMORY, "there is memory");
            if (added == REPLAY_LINE)
                check_write(told, &write);
        } else {
            promise(error.message[0] != '\0', "what is refused has a reason");
            check_printable(slice_of(error.message), 0);
        }
        error = (struct error){0};
    }
    audit_logs_close(logs);
}

static void check_sums(const struct replay_summary *summary, const struct told *told)
{
    uint64_t judged = 0, unjudged = 0, findings = 0;
    for (int i = 0; i < REPLAY_TIER_COUNT; i++)
        judged += summary->judged[i];
    for (int i = REPLAY_NO_REASON + 1; i < REPLAY_REASON_COUNT; i++)
        unjudged += summary->unjudged[i];
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int action = 0; action < ACTION_COUNT; action++)
            findings += summary->findings[rule][action];
    promise(judged == summary->writes, "each write has a tier");
    promise(unjudged == told->unjudged, "each reason has a line");
    promise(findings == told->findings, "each finding has a line");
    promise(summary->writes <= summary->events, "a write is a request");
}

/* The output, in the arena. */
static struct slice replayed(
    const struct policy *policy, struct slice log, bool is_packed, struct arena *arena)
{
    const struct replay_options options = {.policy = policy, .memory = 64 * 1024};
    struct log_file file = log_file_of(log, is_packed);
    struct replay *replay = replay_create(&options);
    struct told told = {.text = text_start(arena, 1024)};
    promise(replay != NULL, "there is memory");
    read_log(replay, file.path, &told);
    const struct replay_summary *summary = replay_end(replay);
    check_sums(summary, &told);
    struct text sums = text_start(arena, 1024);
    replay_append_summary(&sums, summary);
    check_json(text_slice(&sums));
    replay_append_text(&told.text, summary);
    replay_append_page(&told.text, summary);
    struct slice all = text_slice(&told.text);
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
    replay_free(replay);
    log_file_close(&file);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct policy *policy;
    struct slice log = {(const char *)data, size};
    struct arena *arena = arena_create();
    if (!policy)
        policy = replay_suggested_profile(0);
    promise(policy && arena, "there is memory");
    struct slice plain = replayed(policy, log, false, arena);
    promise(
        log_file_begins_packed(log) || slice_equal(plain, replayed(policy, log, true, arena)),
        "a packed log tells the same");
    arena_destroy(arena);
    return 0;
}
