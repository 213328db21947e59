#include "cli/explain_conflict.h"

#include "base/terminal_output.h"
#include "base/text.h"
#include "cli/file.h"
#include "cli/framework/command.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "commands/explain/copied.h"
#include "commands/explain/own.h"
#include "commands/explain/print.h"
#include "commands/explain/read.h"
#include "commands/explain/unanswered.h"
#include "commands/explain/unbox.h"
#include "manifest/input.h"
#include "manifest/json_value.h"
#include "manifest/kinds.h"
#include "manifest/manifest.h"
#include "owners/live.h"
#include "policy/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The limit of an input: it may be the log of a long run, or a List of objects. */
#define INPUT_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* The limit of objects of --live: one apply concerns fewer. */
#define LIVE_MAX 100

/* An object of --live with its fields in the conflicts of all reports that may concern it. */
struct live {
    const struct live_object *object;
    const struct live_field *fields;
    size_t passed; /* of these reports, while they are printed */
};

struct run {
    const struct explain_conflict *options;
    const struct policy *policy;
    struct arena *arena;  /* for the run */
    struct arena *report; /* for one report */
    struct live live[LIVE_MAX];
    size_t live_count;
};

/*
 * The objects of --live
 */

static int add_live(struct run *run, const struct manifest_object *object, struct error *error)
{
    if (run->live_count == LIVE_MAX)
        return error_set(error, "it holds more than %d objects", LIVE_MAX);
    const struct live_object *live =
        live_read(manifest_json_value(object->root, run->arena), &run->policy->managers, run->arena, error);
    if (!live)
        return -1;
    run->live[run->live_count++].object = live;
    return 0;
}

static int read_live_text(struct run *run, struct slice text, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct manifest_object object;
    enum manifest_result result = MANIFEST_END;
    int status = reader ? 0 : error_set_out_of_memory(error);
    while (status == 0 && (result = manifest_next(reader, &object, error)) != MANIFEST_END)
        status = result == MANIFEST_ERROR ? -1 : add_live(run, &object, error);
    manifest_close(reader);
    if (status == 0 && !run->live_count)
        return error_set(error, "it holds no object, as kubectl get -o yaml --show-managed-fields prints it");
    return status;
}

/* An existing file takes precedence over KIND/NAME. */
static bool is_in_cluster(const char *live)
{
    return strchr(live, '/') && live[0] != '/' && live[0] != '.' && access(live, F_OK) != 0;
}

static int read_live(struct run *run)
{
    const char *path = run->options->live;
    struct file_content content;
    struct error error = {0};
    if (!path)
        return 0;
    struct cluster *cluster = NULL;
    int status = is_in_cluster(path)
        ? cluster_read_named(&cluster, run->options->cluster, path, &content, &error)
        : file_read(path, INPUT_BYTES_MAX, &content, &error);
    if (status == 0) {
        status = read_live_text(run, file_slice(&content), &error);
        free(content.bytes);
    }
    cluster_close(cluster);
    if (status < 0)
        file_complain(path, &error);
    return status;
}

static void add_conflicts(struct conflict_report *all, const struct conflict_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        all->items[all->count++] = report->items[i];
}

/* Walks each object once. Returns false if memory runs out. */
static bool find_fields(struct run *run, const struct conflict_reports *reports)
{
    struct conflict_report all = {
        .items = arena_allocate_array(run->arena, reports->conflict_count + 1, sizeof(*all.items))};
    for (size_t i = 0; all.items && i < run->live_count; i++) {
        struct live *live = &run->live[i];
        all.count = 0;
        for (size_t j = 0; j < reports->count; j++)
            if (live_may_be(live->object, &reports->items[j].object))
                add_conflicts(&all, &reports->items[j]);
        live->fields = live_find(live->object, &all, run->arena);
        if (!live->fields)
            return false;
    }
    return all.items != NULL;
}

/* Whether a report that names no object may concern this one: the managers own the fields there. */
static bool has_all(const struct live_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!fields[i].is_held)
            return false;
    return true;
}

/*
 * Whether the conflicts concern another object: it has another API group, and managers that wrote nothing
 * here.
 */
static bool is_elsewhere(
    const struct live_object *object, const struct conflict_report *report, const struct live_field *fields)
{
    for (size_t i = 0; i < report->count; i++) {
        struct slice api_version = report->items[i].api_version;
        if (fields[i].holder || !api_version.length ||
            slice_equal(group_of(api_version), object->identity.group))
            return false;
    }
    return true;
}

/* Whether a report that names no object concerns this one. */
static bool is_meant(
    const struct run *run, const struct live_object *object, const struct conflict_report *report,
    const struct live_field *fields)
{
    return run->live_count == 1 ? !is_elsewhere(object, report, fields) : has_all(fields, report->count);
}

/* Finds the object of the next report. Returns false if no object matches. */
static bool find_live(struct run *run, const struct conflict_report *report, struct live_fields *found)
{
    bool is_named = report->object.name.length > 0;
    *found = (struct live_fields){0};
    for (size_t i = 0; i < run->live_count; i++) {
        struct live *live = &run->live[i];
        if (!live_may_be(live->object, &report->object))
            continue;
        const struct live_field *fields = live->fields + live->passed;
        live->passed += report->count;
        if (!found->object && (is_named || is_meant(run, live->object, report, fields)))
            *found = (struct live_fields){live->object, fields};
    }
    return found->object != NULL;
}

/*
 * The conflicts
 */

static void note_what_is_missing(const struct run *run, const struct conflict_report *report, bool has_live)
{
    fflush(stdout);
    if (report->missing)
        message_say(
            "applyguard explain: %zu more conflict%s counted and not listed: the text was cut",
            report->missing, report->missing == 1 ? " is" : "s are");
    if (run->live_count && !has_live)
        message_say("applyguard explain: no object of --live is the one of this conflict");
}

static int print_reports(struct run *run, const struct conflict_reports *reports)
{
    const struct conflict_print print = {
        .policy = run->policy,
        .is_json = run->options->is_json,
        .has_colour = terminal_has_colour(),
    };
    if (!print.is_json)
        terminal_begin_pager();
    bool has_memory = find_fields(run, reports);
    for (size_t i = 0; has_memory && i < reports->count; i++) {
        struct live_fields live;
        bool has_live = find_live(run, &reports->items[i], &live);
        arena_reset(run->report);
        struct slice printed =
            conflict_report_print(&print, &reports->items[i], has_live ? &live : NULL, run->report);
        if (i && !print.is_json)
            fputs("\n", stdout);
        has_memory = output_write(stdout, printed);
        note_what_is_missing(run, &reports->items[i], has_live);
    }
    return has_memory ? 0 : message_say_out_of_memory("explain");
}

static bool may_be_live(const struct run *run, const struct own_message *message)
{
    const struct conflict_object object = own_object(message);
    for (size_t i = 0; i < run->live_count; i++)
        if (live_may_be(run->live[i].object, &object))
            return true;
    return false;
}

/* The warnings and denials of applyguard in the text. Returns how many there are. */
static size_t print_own(struct run *run, struct slice text)
{
    bool has_live = false;
    struct own_messages *messages = arena_allocate(run->arena, sizeof(*messages));
    if (!messages)
        return 0;
    own_read(text, run->arena, messages);
    for (size_t i = 0; i < messages->count; i++) {
        struct text printed = text_start(run->arena, 512);
        if (run->options->is_json)
            own_append_json(&printed, &messages->items[i]);
        else
            own_append_text(&printed, &messages->items[i]);
        fputs(i && !run->options->is_json ? "\n" : "", stdout);
        output_write(stdout, text_slice(&printed));
        has_live |= may_be_live(run, &messages->items[i]);
    }
    fflush(stdout);
    if (messages->count && run->live_count && !has_live)
        message_say("applyguard explain: no object of --live is the one of this message");
    return messages->count;
}

/* The API server could not ask applyguard. Returns whether the text says so. */
static bool print_unanswered(struct run *run, struct slice text)
{
    struct unanswered unanswered;
    if (!unanswered_read(text, &unanswered))
        return false;
    struct text printed = text_start(run->arena, 512);
    if (run->options->is_json)
        unanswered_append_json(&printed, &unanswered);
    else
        unanswered_append_text(&printed, &unanswered);
    output_write(stdout, text_slice(&printed));
    fflush(stdout);
    return true;
}

/* A redirection of PowerShell writes UTF-16, which begins with a byte order mark. */
static struct slice as_utf8(struct slice bytes, struct arena *arena)
{
    struct input input;
    if (!slice_starts_with(bytes, SLICE("\xff\xfe")) && !slice_starts_with(bytes, SLICE("\xfe\xff")))
        return bytes;
    input_open(&input, manifest_read_slice, &bytes);
    while (input_fill(&input))
        ;
    const struct slice text = arena_copy(arena, input_text(&input));
    input_close(&input);
    return text;
}

/* Explains all that the text holds. On -1 it holds nothing, and nothing was printed. */
static int explain_found(struct run *run, struct slice text, struct error *error)
{
    struct conflict_reports reports;
    bool own = print_own(run, text) > 0;
    own |= print_unanswered(run, text);
    if (conflict_read(text, run->arena, &reports, error) == 0)
        return print_reports(run, &reports);
    return own ? 0 : -1;
}

static int explain_text(struct run *run)
{
    struct file_content content;
    struct error error = {0}, again = {0};
    if (file_read(run->options->path, INPUT_BYTES_MAX, &content, &error) < 0) {
        file_complain(run->options->path, &error);
        return EXIT_UNREADABLE;
    }
    struct slice text = unbox(as_utf8(file_slice(&content), run->arena), run->arena);
    int status = explain_found(run, text, &error);
    if (status < 0)
        status = explain_found(run, copied_undo(text, run->arena), &again);
    if (status < 0) {
        file_complain(run->options->path, again.is_out_of_memory ? &again : &error);
        status = EXIT_UNREADABLE;
    }
    free(content.bytes);
    return status;
}

int explain_conflict(const struct explain_conflict *options)
{
    struct policy *policy = file_load_policy(options->policy_path);
    struct arena *arena = arena_create(), *report = arena_create();
    int status = EXIT_UNREADABLE;
    if (!arena || !report)
        message_say_out_of_memory("explain");
    if (policy && arena && report) {
        struct run run = {.options = options, .policy = policy, .arena = arena, .report = report};
        if (read_live(&run) == 0)
            status = explain_text(&run);
    }
    arena_destroy(report);
    arena_destroy(arena);
    policy_free(policy);
    return status;
}
