/*
 * applyguard scan: a cluster at rest.
 */
#include "commands/scan/session.h"

#include "base/array_size.h"
#include "base/digits.h"
#include "base/names.h"
#include "base/terminal_output.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/shared_flags.h"
#include "commands/scan/read_cluster.h"
#include "system/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More shards than anyone needs for one cluster. */
#define SHARDS_MAX 10000

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_METRICS };

struct options {
    struct cluster_options cluster;
    struct names contexts, kinds, files;
    bool is_recursive, has_all_namespaces, has_all;
    const char *policy_path;
    enum format format;
    enum action fail_on;
    unsigned shard, shards; /* shards 0: all objects */
};

struct run {
    const struct options *options;
    struct scan_session session;
    uint64_t begin; /* milliseconds */
    bool has_failed;
};

static void complain(void *context, const char *input, const struct error *error)
{
    struct run *run = context;
    run->has_failed = true;
    if (*input)
        file_complain(input, error);
    else
        message_say("applyguard scan: %s", error->message);
}

static void read_file(struct run *run, const char *path)
{
    if (scan_is_archive(path))
        scan_read_archive(&run->session, path);
    else
        scan_read_files(&run->session, path, run->options->is_recursive);
}

static struct cluster *open_cluster(const void *context, struct error *error)
{
    return cluster_open(context, error);
}

static void read_context(struct run *run, const char *name)
{
    struct cluster_options cluster = run->options->cluster;
    if (name)
        cluster.context = name;
    const struct scan_cluster options = {
        .open = open_cluster,
        .context = &cluster,
        .namespace = run->options->cluster.namespace,
        .kinds = run->options->kinds,
        .has_progress = isatty(STDERR_FILENO) && !terminal_is_dumb(),
    };
    run->session.cluster = name && run->options->contexts.count > 1 ? slice_of(name) : SLICE("");
    scan_read_cluster(&run->session, &options);
    scan_session_end_cluster(&run->session);
}

static void read_all(struct run *run)
{
    const struct options *options = run->options;
    for (size_t i = 0; i < options->files.count; i++)
        read_file(run, options->files.items[i]);
    if (options->files.count)
        scan_session_end_cluster(&run->session);
    else if (!options->contexts.count)
        read_context(run, NULL);
    for (size_t i = 0; !options->files.count && i < options->contexts.count; i++)
        read_context(run, options->contexts.items[i]);
}

static bool print_line(void *context, struct slice line)
{
    (void)context;
    return fwrite(line.bytes, 1, line.length, stdout) == line.length;
}

static bool print_lines(struct run *run)
{
    if (!run->session.lines || scan_lines_read(run->session.lines, print_line, run))
        return true;
    message_say("applyguard scan: the temporary file cannot be read");
    return false;
}

static bool print_summary(struct run *run, const struct scan_summary *summary)
{
    struct text text = text_start(run->session.arena, 16384);
    int64_t now = (int64_t)time(NULL);
    const struct scan_text how = {.columns = terminal_columns(), .colour = terminal_has_colour(), .now = now};
    switch (run->options->format) {
    case FORMAT_TEXT:
        terminal_begin_pager();
        scan_append_text(&text, summary, &how);
        break;
    case FORMAT_JSON:
        scan_append_summary(&text, summary);
        break;
    case FORMAT_METRICS:
        scan_append_metrics(&text, summary, now, (monotonic_milliseconds() - run->begin) / 1000);
        break;
    }
    struct slice all = text_slice(&text);
    if (all.bytes)
        fwrite(all.bytes, 1, all.length, stdout);
    else
        message_say("applyguard scan: there is no memory to print all of it");
    return all.bytes != NULL;
}

static int finish(struct run *run)
{
    const struct scan_summary *summary = scan_end(run->session.scan);
    /* Without a single object there is nothing to report but the failure. */
    if (run->session.is_out_of_memory || (run->has_failed && !summary->objects))
        return EXIT_UNREADABLE;
    bool is_printed = print_lines(run) && print_summary(run, summary);
    if (!is_printed || run->has_failed)
        return EXIT_UNREADABLE;
    return scan_summary_has_reached(summary, run->options->fail_on) ? EXIT_DENIED : 0;
}

static int scan_with(struct run *run, struct scan_lines *lines)
{
    const struct options *options = run->options;
    int status = EXIT_UNREADABLE;
    if (!run->session.scan || !run->session.arena) {
        message_say("applyguard scan: there is no memory");
    } else if (options->format == FORMAT_JSON && !scan_lines_start(lines)) {
        message_say("applyguard scan: no temporary file can be made: %s", strerror(errno));
    } else {
        run->session.lines = options->format == FORMAT_JSON ? lines : NULL;
        read_all(run);
        status = finish(run);
    }
    return status;
}

static int scan(const struct options *options)
{
    struct policy *policy = file_load_policy(options->policy_path);
    if (!policy)
        return EXIT_UNREADABLE;
    const struct scan_options scan_options = {
        .policy = policy,
        .now = (int64_t)time(NULL),
        .shard = options->shard,
        .shards = options->shards,
        .keeps_all = options->has_all,
    };
    struct scan_lines lines = {0};
    struct run run = {.options = options, .begin = monotonic_milliseconds()};
    run.session = (struct scan_session){
        .scan = scan_create(&scan_options), .arena = arena_create(), .complain = complain, .context = &run};
    int status = scan_with(&run, &lines);
    scan_lines_release(&lines);
    arena_destroy(run.session.arena);
    scan_free(run.session.scan);
    policy_free(policy);
    return status;
}

/* I/N, from 1 on; 0/N is N/N, so that the index of a Job's pod can be used. */
static const char *set_shard(const char *value, void *field)
{
    struct options *options = field;
    size_t shard, shards, slash = strcspn(value, "/");
    struct slice text = slice_of(value);
    if (!digits_parse(slice_until(text, slash), &shard) ||
        !digits_parse(slice_from(text, slash + 1), &shards) || !shards || shard > shards ||
        shards > SHARDS_MAX)
        return "is no shard such as 1/4";
    options->shard = (unsigned)((shard + shards - 1) % shards);
    options->shards = (unsigned)shards;
    return NULL;
}

/* 0 if there is nothing wrong with it. */
static int check_use(const struct command *command, const struct options *options)
{
    bool is_of_cluster = options->contexts.count || options->cluster.namespace || options->kinds.count;
    if (options->files.count && is_of_cluster)
        return command_misused(
            command, "-f", "reads objects from files: use it without -n, --context and --kinds");
    if (options->has_all_namespaces && options->cluster.namespace)
        return command_misused(command, "use either -A", "or -n");
    return 0;
}

static int run_scan(const struct command *command, int argc, char **argv)
{
    struct options options = {.fail_on = ACTION_DENY};
    struct operands operands;
    int status;
    if (command_parse(command, argc, argv, &options, &operands, &status)) {
        status = check_use(command, &options);
        if (!status)
            status = scan(&options);
    }
    names_release(&options.contexts);
    names_release(&options.kinds);
    names_release(&options.files);
    cluster_options_release(&options.cluster);
    return status;
}

static const struct flag flags[] = {
    {.name = "all-namespaces",
     .letter = 'A',
     .text = "all namespaces, and the objects without one (default)",
     SETS(flag_set_true, struct options, has_all_namespaces)},
    {.name = "namespace",
     .letter = 'n',
     .value = "NAME",
     .text = "only this namespace",
     SETS(flag_set_if_any, struct options, cluster.namespace)},
    {.name = "kinds",
     .value = "KIND",
     .text =
         "only this kind, such as deployments or Deployment.apps; may be given several times, or with commas",
     SETS(names_flag, struct options, kinds)},
    FILES_FLAG(struct options),
    RECURSIVE_FLAG(struct options, is_recursive),
    {.name = "output",
     .letter = 'o',
     .value = "text|json|metrics",
     .text =
         "for people, one line of JSON per object with findings and one with the sums, or the text format of "
         "Prometheus (default text)",
     CHOOSES(struct options, format)},
    {.name = "all",
     .text = "show everything, and not one page",
     SETS(flag_set_true, struct options, has_all)},
    FAIL_ON_FLAG(struct options),
    {.name = "shard",
     .value = "I/N",
     .text = "judge only a share of the objects, the first of four with 1/4",
     .set = set_shard,
     .offset = 0},
    POLICY_FLAG(struct options),
    {.name = "context",
     .value = "NAME",
     .text = "the context of the kubeconfig (default its current-context); may be given several times",
     SETS(names_flag, struct options, contexts)},
    CLUSTER_ACCESS_FLAGS(struct options),
    CLUSTER_USER_FLAG(struct options),
};

const struct command command_scan = {
    .name = "scan",
    .summary = "Show who owns what in a cluster, and what breaks next",
    .synopsis = "[FLAG...]\n[FLAG...] -f FILE",
    .description =
        "Reads the objects of a cluster as they are stored, and writes nothing. Shows which field managers "
        "own how "
        "many fields of which kinds, which objects two tools apply, which fields were set by hand, where the "
        "next "
        "server-side apply conflicts, and how ready the objects are for it. The same rules judge as in the "
        "webhook, "
        "as far as a stored object shows what they ask.\n\n"
        "Objects are listed through your kubectl, 500 at a time, or in a pod as its service account. Kinds "
        "that you "
        "may not list are named at the end. Objects can also come from files: what kubectl get -A -o json "
        "--show-managed-fields prints, or a backup of Velero. Values of Secrets are never shown.",
    .exit_status =
        "0 no finding reached --fail-on, 1 one did, 2 something could not be read; the rest is done.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .run = run_scan,
};
