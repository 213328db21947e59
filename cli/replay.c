/*
 * applyguard replay: a policy against the API server's audit log.
 */
#include "commands/replay/replay.h"

#include "audit/logs.h"
#include "base/array_size.h"
#include "base/names.h"
#include "base/values.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/replay_merge.h"
#include "cli/replay_output.h"
#include "cli/shared_flags.h"
#include "cli/time_flag.h"

#include <stdio.h>
#include <string.h>

#define MEBIBYTE ((uint64_t)1024 * 1024)

/* The reader of a log and the judge take less memory than this, without the objects. */
#define WORK_BYTES (64 * MEBIBYTE)

struct options {
    const char *policy_path, *compare_path;
    struct moment since, until;
    struct names namespaces, kinds;
    uint64_t memory;
    enum action fail_on;
    enum output_format format;
    bool suggests;
    bool merges;
    struct shard shard;
};

struct run {
    const struct options *options;
    struct replay *replay;
    struct arena *arena; /* of a line */
    struct replay_output output;
    bool has_failed; /* something could not be read */
    bool is_out_of_memory;
};

static bool print_line(struct run *run, const struct replay_write *write)
{
    struct replay_row row;
    bool has_lines = run->options->format != OUTPUT_TEXT || run->options->compare_path;
    if (run->options->suggests || !has_lines)
        return true;
    if (run->options->format != OUTPUT_JSON)
        return replay_row_of_write(&row, write, run->arena) &&
            replay_output_row(&run->output, &row, run->arena);
    struct text text = text_start(run->arena, 1024);
    replay_append_line(&text, write);
    return replay_output_text(&text);
}

static bool print_summary(struct run *run)
{
    const struct replay_summary *summary = replay_end(run->replay);
    if (!run->options->suggests)
        return replay_output_end(&run->output, summary, run->arena);
    struct text text = text_start(run->arena, 4096);
    replay_append_suggestion(&text, summary, replay_suggestion(run->replay));
    return replay_output_text(&text);
}

/* False: out of memory. */
static bool add(struct run *run, const struct audit_event *event)
{
    struct replay_write write;
    enum replay_result result = replay_add(run->replay, event, &write);
    arena_reset(run->arena);
    return result != REPLAY_NO_MEMORY && (result == REPLAY_SILENT || print_line(run, &write));
}

static void read_logs(struct run *run, struct audit_logs *logs)
{
    struct audit_entry entry;
    struct error error = {0};
    enum audit_result result;
    while (!run->is_out_of_memory && (result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) {
        if (result == AUDIT_EVENT) {
            run->is_out_of_memory = !add(run, &entry.event);
        } else {
            file_complain(entry.path, &error);
            run->has_failed = true;
        }
        error = (struct error){0};
    }
}

/* Without any log, no finding means nothing: a pipe that failed leaves an empty input. */
static void refuse_nothing(struct run *run, const struct audit_logs *logs, const struct operands *operands)
{
    struct error error = {0};
    if (run->is_out_of_memory || run->has_failed || audit_logs_have_content(logs))
        return;
    error_set(&error, "it is empty; it must be an audit log of the API server");
    for (int i = 0; i < operands->count; i++)
        file_complain(operands->items[i], &error);
    run->has_failed = true;
}

static int run_logs(struct run *run, const struct operands *operands)
{
    struct audit_logs *logs = audit_logs_open((const char *const *)operands->items, (size_t)operands->count);
    run->is_out_of_memory = !logs || !run->replay || !run->arena;
    if (!run->is_out_of_memory)
        read_logs(run, logs);
    if (logs)
        refuse_nothing(run, logs, operands);
    if (!run->is_out_of_memory) {
        arena_reset(run->arena);
        run->is_out_of_memory = !print_summary(run);
    }
    audit_logs_close(logs);
    if (run->is_out_of_memory)
        message_say_out_of_memory("replay");
    if (run->has_failed || run->is_out_of_memory)
        return EXIT_UNREADABLE;
    return !run->options->suggests && replay_has_reached(run->replay, run->options->fail_on) ? EXIT_DENIED
                                                                                             : 0;
}

static int run_policies(
    const struct options *options, const struct operands *operands, const struct policy *policy,
    const struct policy *other)
{
    static const struct slice_list none = {NULL, 0};
    struct arena *names = arena_create();
    const struct replay_options replay_options = {
        .policy = policy,
        .other = other,
        .since = moment_text(&options->since),
        .until = moment_text(&options->until),
        .namespaces = names ? names_slices(&options->namespaces, names) : none,
        .kinds = names ? names_slices(&options->kinds, names) : none,
        .memory = (size_t)(options->memory - WORK_BYTES),
        .suggests = options->suggests,
        .shard = options->shard,
    };
    struct run run = {
        .options = options,
        .replay = replay_create(&replay_options),
        .arena = arena_create(),
    };
    int status = EXIT_UNREADABLE;
    if (replay_output_begin(&run.output, options->format))
        status = run_logs(&run, operands);
    replay_output_close(&run.output);
    replay_free(run.replay);
    arena_destroy(run.arena);
    arena_destroy(names);
    return status;
}

static int replay(const struct options *options, const struct operands *operands)
{
    struct policy *policy =
        options->suggests ? replay_suggested_profile(0) : file_load_policy(options->policy_path);
    struct policy *other = options->suggests ? replay_suggested_profile(1)
        : options->compare_path              ? file_load_policy(options->compare_path)
                                             : NULL;
    bool has_other = options->suggests || options->compare_path;
    int status =
        policy && (other || !has_other) ? run_policies(options, operands, policy, other) : EXIT_UNREADABLE;
    policy_free(other);
    policy_free(policy);
    return status;
}

static const char *set_memory(const char *value, void *field)
{
    return bytes_parse(value, 2 * WORK_BYTES, SIZE_MAX / 2, field);
}

static const char *kind_flag(const char *value, void *field)
{
    return *value ? names_flag(value, field) : "is empty";
}

/* Whether a flag would change the results of shards, which are printed as they are. */
static bool changes_results(const struct options *options)
{
    return options->shard.count || options->suggests || options->policy_path || options->compare_path ||
        options->since.length || options->until.length || options->namespaces.count || options->kinds.count;
}

/* 0 if there is nothing wrong with it. */
static int check_use(
    const struct command *command, const struct options *options, const struct operands *operands)
{
    if (!operands->count)
        return command_misused(command, "LOG", "is missing: which audit log? \"-\" is standard input");
    if (options->suggests && (options->policy_path || options->compare_path))
        return command_misused(command, "--suggest", "starts from the profiles: use it without a policy");
    if (options->suggests && options->format != OUTPUT_TEXT)
        return command_misused(command, "--suggest", "prints a policy: use it without -o");
    if (options->merges && changes_results(options))
        return command_misused(
            command, "--merge",
            "prints the results of all shards as they are: use it without --shard, a policy, --since, "
            "--until, -n and --kind");
    if (options->shard.count && options->format != OUTPUT_JSON)
        return command_misused(command, "--shard", "is for --merge: use it with -o json");
    if (options->since.length && options->until.length &&
        slice_compare(moment_text(&options->until), moment_text(&options->since)) <= 0)
        return command_misused(command, "--until", "is not later than --since, so no request is in between");
    if (options->compare_path && options->format == OUTPUT_HTML)
        return command_misused(command, "--compare", "works with -o text and -o json");
    return 0;
}

static int run_replay(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    const int status = check_use(command, options, operands);
    if (status)
        return status;
    return options->merges ? replay_merge(operands, options->format, options->fail_on)
                           : replay(options, operands);
}

static const struct flag flags[] = {
    POLICY_FLAG(struct options),
    {.name = "compare",
     .value = "FILE",
     .text = "another policy: only the writes on which it decides differently",
     SETS(flag_set_string, struct options, compare_path)},
    {.name = "suggest",
     .text = "print a policy to start with: the strongest profile under which the log denies nothing, with "
             "exceptions",
     SETS(flag_set_true, struct options, suggests)},
    SHARD_FLAG(struct options),
    {.name = "merge",
     .text = "the arguments are the JSON of all shards: print them as one run does",
     SETS(flag_set_true, struct options, merges)},
    {.name = "since",
     .value = "TIME",
     .text = "only requests from this time on: 2026-01-31T08:00:00Z, a date in UTC, or how long ago, such as "
             "24h or 7d",
     SETS(time_flag, struct options, since)},
    {.name = "until",
     .value = "TIME",
     .text = "only requests before this time",
     SETS(time_flag, struct options, until)},
    {.name = "namespace",
     .letter = 'n',
     .value = "NAMESPACE",
     .text = "only writes in this namespace, a name or a glob; may be given several times",
     LISTS(names_flag, struct options, namespaces)},
    {.name = "kind",
     .value = "KIND",
     .text = "only writes of this kind, such as deployments, deploy or Deployment.apps; may be given several "
             "times",
     LISTS(kind_flag, struct options, kinds)},
    OUTPUT_FLAG(
        struct options, "text|json|html",
        "for people, one line of JSON per write and one with the sums, or one page that loads nothing "
        "(default text)"),
    FAIL_ON_FLAG(struct options),
    {.name = "memory",
     .value = "SIZE",
     .text = "the memory to use, at least 128Mi: with more objects than fit, those seen least recently are "
             "forgotten (default 256Mi)",
     SETS(set_memory, struct options, memory)},
};

const struct command command_replay = {
    .name = "replay",
    .summary = "Judge the writes in an audit log of the API server",
    .synopsis = "[FLAG...] LOG...",
    .description =
        "Shows what a policy would have warned of and denied in the time of an audit log. The log holds the "
        "object after each write, if its level is RequestResponse; with the one before, it is judged as the "
        "webhook would have judged it. Where the log does not show enough, the write is not judged, and the "
        "reason is shown.\n\n"
        "A LOG is a file of the log or the webhook backend, or an export of EKS, AKS or GKE, plain or packed "
        "with gzip or zstd; \"-\" is standard input. Rotated files and those of several API servers are "
        "merged by time, in any order.",
    .exit_status = "0, 1 if a finding has the action of --fail-on or a stronger one, 2 a log or the "
                   "policy could not be read; the rest is done.",
    .operand = "FILE",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct options, .memory = 256 * MEBIBYTE, .fail_on = ACTION_DENY),
    .run = run_replay,
};
