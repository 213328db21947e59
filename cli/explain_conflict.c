#include "cli/explain_conflict.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/message.h"
#include "cli/terminal.h"
#include "conflict/live.h"
#include "conflict/print.h"
#include "conflict/read.h"
#include "manifest/manifest.h"
#include "policy/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a file may hold: the log of a long run, or a List of objects. */
#define INPUT_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* Objects of --live: those that one apply is about. */
#define LIVE_MAX 100

struct run {
    const struct explain_conflict *options;
    const struct policy *policy;
    struct arena *arena;
    const struct live_object *live[LIVE_MAX];
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
        live_read(manifest_json(object->root, run->arena), &run->policy->managers, run->arena, error);
    if (!live)
        return -1;
    run->live[run->live_count++] = live;
    return 0;
}

static int read_live_text(struct run *run, struct slice text, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct manifest_object object;
    enum manifest_result result = MANIFEST_END;
    int status = reader ? 0 : error_set(error, "there is no memory for it");
    while (status == 0 && (result = manifest_next(reader, &object, error)) != MANIFEST_END)
        status = result == MANIFEST_ERROR ? -1 : add_live(run, &object, error);
    manifest_close(reader);
    if (status == 0 && !run->live_count)
        return error_set(error, "it holds no object, as kubectl get -o yaml --show-managed-fields prints it");
    return status;
}

/* A file that is there is meant, also where its path looks like KIND/NAME. */
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
    int status = is_in_cluster(path) ? cluster_read_one(run->options->cluster, path, &content, &error)
                                     : file_read(path, INPUT_BYTES_MAX, &content, &error);
    if (status == 0) {
        status = read_live_text(run, (struct slice){content.bytes, content.length}, &error);
        free(content.bytes);
    }
    if (status < 0)
        file_complain(path, &error);
    return status;
}

/* Whether it is the object of a report that names none: the managers own the fields there. */
static bool has_all(const struct live_object *live, const struct conflict_report *report, struct arena *arena)
{
    const struct live_field *fields = live_find(live, report, arena);
    for (size_t i = 0; fields && i < report->count; i++)
        if (!fields[i].is_held)
            return false;
    return fields != NULL;
}

static const struct live_object *live_of(const struct run *run, const struct conflict_report *report)
{
    bool is_named = report->object.name.length > 0;
    for (size_t i = 0; i < run->live_count; i++) {
        if (live_may_be(run->live[i], &report->object) &&
            (is_named || run->live_count == 1 || has_all(run->live[i], report, run->arena)))
            return run->live[i];
    }
    return NULL;
}

/*
 * The conflicts
 */

static void note_what_is_missing(const struct run *run, const struct conflict_report *report, bool has_live)
{
    fflush(stdout);
    if (report->missing)
        message_say(
            "applyguard explain: %zu more conflicts are counted and not listed: the text was cut",
            report->missing);
    if (run->live_count && !has_live)
        message_say("applyguard explain: no object of --live is the one of this conflict");
}

static int print_reports(const struct run *run, const struct conflict_reports *reports)
{
    const struct conflict_print print = {
        .class_rules = &run->policy->managers,
        .is_json = run->options->is_json,
        .has_colour = terminal_has_colour(),
    };
    for (size_t i = 0; i < reports->count; i++) {
        const struct live_object *live = live_of(run, &reports->items[i]);
        struct slice printed = conflict_report_print(&print, &reports->items[i], live, run->arena);
        if (!printed.bytes) {
            message_say("applyguard explain: there is no memory to print all of it");
            return EXIT_UNREADABLE;
        }
        if (i && !print.is_json)
            fputs("\n", stdout);
        fwrite(printed.bytes, 1, printed.length, stdout);
        note_what_is_missing(run, &reports->items[i], live != NULL);
    }
    return 0;
}

static int explain_text(struct run *run)
{
    struct file_content content;
    struct conflict_reports reports;
    struct error error = {0};
    if (file_read(run->options->path, INPUT_BYTES_MAX, &content, &error) < 0) {
        file_complain(run->options->path, &error);
        return EXIT_UNREADABLE;
    }
    int status = EXIT_UNREADABLE;
    if (conflict_read((struct slice){content.bytes, content.length}, run->arena, &reports, &error) < 0)
        file_complain(run->options->path, &error);
    else
        status = print_reports(run, &reports);
    free(content.bytes);
    return status;
}

int explain_conflict(const struct explain_conflict *options)
{
    struct policy *policy = file_load_policy(options->policy_path);
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (!arena)
        message_say("applyguard explain: there is no memory");
    if (policy && arena) {
        struct run run = {.options = options, .policy = policy, .arena = arena};
        if (read_live(&run) == 0)
            status = explain_text(&run);
    }
    arena_destroy(arena);
    policy_free(policy);
    return status;
}
