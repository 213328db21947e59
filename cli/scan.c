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
#include "cli/scan_compare.h"
#include "cli/scan_merge.h"
#include "cli/scan_publish.h"
#include "cli/scan_report_dir.h"
#include "cli/scan_reports.h"
#include "cli/shared_flags.h"
#include "commands/scan/read_cluster.h"
#include "policy/judge.h"
#include "system/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How many problems of a file are printed. */
#define PROBLEMS_MAX 20

struct options {
    struct cluster_options cluster;
    struct names contexts, kinds, files;
    bool is_recursive, has_all_namespaces, has_all, suggests;
    const char *policy_path, *diff_path, *expect_path, *config_map, *report_dir;
    bool merges, writes;
    enum output_format format;
    enum action fail_on;
    struct shard shard;
    unsigned rate, lists;
};

struct run {
    const struct options *options;
    struct scan_session session;
    struct scan_comparison comparison; /* with an earlier scan */
    struct scan_reports reports;
    const struct scan_report_kind *report_kind; /* NULL: no reports are written */
    struct arena *report_arena;
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
        .rate = run->options->rate,
        .lists = run->options->lists,
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
    bool is_diff = run->options->diff_path;
    if (!run->session.lines ||
        scan_lines_read(run->session.lines, is_diff ? scan_compare_line : print_line, &run->comparison)) {
        if (is_diff)
            scan_print_difference(&run->comparison);
        run->has_failed |= run->comparison.has_failed;
        return true;
    }
    message_say("applyguard scan: the temporary file cannot be read");
    return false;
}

static void publish(struct run *run, const struct scan_summary *summary, uint64_t seconds)
{
    const char *directory = run->options->report_dir;
    struct error error = {0};
    if (directory && scan_write_report(directory, summary, seconds, &error) < 0)
        complain(run, "", &error);
#ifndef APPLYGUARD_STATIC
    const char *name = run->options->config_map;
    if (name && scan_publish(name, summary, seconds, &error) < 0)
        complain(run, name, &error);
#endif
}

/* The cluster without a context among several. */
static struct cluster_options cluster_of(const struct options *options)
{
    struct cluster_options cluster = options->cluster;
    if (options->contexts.count)
        cluster.context = options->contexts.items[0];
    return cluster;
}

/* Reports of a scan that has failed would lack findings, and older ones would be deleted. */
static void write_reports(struct run *run)
{
    const struct cluster_options cluster = cluster_of(run->options);
    struct error error = {0};
    if (!run->report_kind)
        return;
    if (run->has_failed)
        message_say("applyguard scan: no report is written, because something could not be read");
    else if (scan_reports_write(&cluster, run->report_kind, &run->reports, &error) < 0)
        complain(run, "", &error);
}

static bool is_published(const struct options *options)
{
    return options->config_map || options->report_dir;
}

static int finish(struct run *run)
{
    const struct scan_summary *summary = scan_end(run->session.scan);
    /* Without a single object there is nothing to report but the failure. */
    if (run->session.is_out_of_memory || (run->has_failed && !summary->objects))
        return EXIT_UNREADABLE;
    uint64_t seconds = (monotonic_milliseconds() - run->begin) / 1000;
    const struct scan_print print = {run->options->format, run->options->suggests, seconds};
    bool is_diff = run->options->diff_path;
    bool is_printed =
        print_lines(run) && (is_diff || run->report_kind || scan_print_summary(summary, &print));
    publish(run, summary, seconds);
    write_reports(run);
    if (!is_printed || run->has_failed)
        return EXIT_UNREADABLE;
    /* The report is what is wanted then, and a Job with findings has not failed. */
    if (is_published(run->options) || run->options->suggests)
        return 0;
    if (is_diff)
        return run->comparison.diff.strongest >= run->options->fail_on ? EXIT_DENIED : 0;
    return scan_summary_has_reached(summary, run->options->fail_on) ? EXIT_DENIED : 0;
}

/* Returns false and complains if the cluster takes no reports. */
static bool open_reports(struct run *run)
{
    const struct cluster_options cluster = cluster_of(run->options);
    struct error error = {0};
    if (run->options->format != OUTPUT_POLICY_REPORT)
        return true;
    scan_reports_start(&run->reports, run->report_arena, (int64_t)time(NULL));
    run->session.reports = &run->reports;
    run->report_kind = scan_report_kind_find(&cluster, &error);
    if (!run->report_kind)
        complain(run, "", &error);
    return run->report_kind != NULL;
}

static int scan_with(struct run *run, struct scan_lines *lines)
{
    const struct options *options = run->options;
    int status = EXIT_UNREADABLE;
    if (!run->session.scan || !run->session.arena) {
        message_say_out_of_memory("scan");
    } else if (
        (options->diff_path && !scan_read_earlier(options->diff_path, &run->comparison)) ||
        !open_reports(run)) {
        status = EXIT_UNREADABLE;
    } else if ((options->format == OUTPUT_JSON || options->diff_path) && !scan_lines_start(lines)) {
        message_say("applyguard scan: no temporary file can be made: %s", strerror(errno));
    } else {
        run->session.lines = options->format == OUTPUT_JSON || options->diff_path ? lines : NULL;
        read_all(run);
        status = finish(run);
    }
    return status;
}

/* Returns false and complains if the file cannot be read. */
static bool read_expectations(const char *path, struct arena *arena, struct scan_expectations *expectations)
{
    struct file_content content = {0};
    struct error error = {0};
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX, .least = POLICY_BROKEN};
    if (file_read(path, POLICY_FILE_BYTES_MAX, &content, &error) < 0) {
        file_complain(path, &error);
        return false;
    }
    bool is_read = scan_expectations_read(file_slice(&content), arena, &problems, expectations);
    for (size_t i = 0; i < problems.count; i++)
        file_complain(path, &problems.items[i].error);
    free(content.bytes);
    return is_read;
}

static int scan_under(
    const struct options *options, const struct policy *policy, const struct policy *weaker,
    struct arena *arena)
{
    struct scan_expectations expectations = {0};
    if (options->expect_path && !read_expectations(options->expect_path, arena, &expectations))
        return EXIT_UNREADABLE;
    const struct scan_options scan_options = {
        .policy = policy,
        .weaker = weaker,
        .expectations = expectations,
        .now = (int64_t)time(NULL),
        .shard = options->shard,
        .keeps_all = options->has_all || options->format == OUTPUT_HTML,
    };
    struct scan_lines lines = {0};
    struct run run = {.options = options, .begin = monotonic_milliseconds(), .report_arena = arena};
    run.session = (struct scan_session){
        .scan = scan_create(&scan_options), .arena = arena_create(), .complain = complain, .context = &run};
    run.comparison.format = options->format;
    run.comparison.arena = run.session.arena;
    int status = scan_with(&run, &lines);
    scan_lines_release(&lines);
    scan_diff_release(&run.comparison.diff);
    arena_destroy(run.session.arena);
    scan_free(run.session.scan);
    return status;
}

static int scan(const struct options *options)
{
    bool suggests = options->suggests;
    struct policy *policy =
        suggests ? policy_of_profile(suggestion_profiles[0]) : file_load_policy(options->policy_path);
    struct policy *weaker = suggests ? policy_of_profile(suggestion_profiles[1]) : NULL;
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (policy && arena && (weaker || !suggests))
        status = scan_under(options, policy, weaker, arena);
    else if (policy || suggests)
        message_say_out_of_memory("scan");
    arena_destroy(arena);
    policy_free(weaker);
    policy_free(policy);
    return status;
}

static bool is_of_whole_cluster(const struct options *options)
{
    bool is_of_all_kinds = !options->kinds.count || is_published(options);
    return !options->files.count && is_of_all_kinds && options->contexts.count < 2 && !options->shard.count &&
        !options->merges && !options->diff_path;
}

static int check_reports(const struct command *command, const struct options *options)
{
    bool has_format = options->format == OUTPUT_POLICY_REPORT;
    if (has_format && !options->writes)
        return command_misused(
            command, "-o policyreport",
            "writes reports into the cluster: add --write if that is what you want");
    if (options->writes && !has_format)
        return command_misused(command, "--write", "works with -o policyreport");
    if (has_format && !is_of_whole_cluster(options))
        return command_misused(
            command, "-o policyreport",
            "replaces the reports of a cluster: use it without -f, --kinds, --shard, --merge, --diff and "
            "with one --context");
    return 0;
}

/* A policy is suggested from all that one scan sees, under the profiles alone. */
static bool can_suggest(const struct options *options)
{
    return !options->policy_path && !options->expect_path && !options->diff_path && !options->merges &&
        !options->shard.count && !is_published(options) && options->format == OUTPUT_TEXT;
}

static int check_suggestion(const struct command *command, const struct options *options)
{
    if (options->suggests && !can_suggest(options))
        return command_misused(
            command, "--suggest",
            "prints a policy that starts from the profiles: use it without --policy, --expect, --diff, "
            "--merge, --shard, --config-map, --report-dir and -o");
    return 0;
}

/* Whether there is a flag that the merging of results could only ignore. */
static bool has_unmerged(const struct options *options)
{
    return options->shard.count || options->diff_path || options->policy_path || options->expect_path ||
        is_published(options);
}

/* 0 if there is nothing wrong with it. */
static int check_use(const struct command *command, const struct options *options)
{
    bool is_of_cluster = options->contexts.count || options->cluster.namespace || options->kinds.count;
    if (options->files.count && is_of_cluster)
        return command_misused(
            command, "-f", "reads objects from files: use it without -n, --context and --kinds");
    if (options->merges && (!options->files.count || has_unmerged(options)))
        return command_misused(
            command, "--merge",
            "prints results of shards from -f: use it without --shard, --diff, --policy, --expect, "
            "--config-map and --report-dir");
    if (options->diff_path && options->format != OUTPUT_TEXT && options->format != OUTPUT_JSON)
        return command_misused(command, "--diff", "works with -o text and -o json");
    if (options->has_all_namespaces && options->cluster.namespace)
        return command_misused(command, "use either -A", "or -n");
    int status = check_suggestion(command, options);
    return status ? status : check_reports(command, options);
}

static bool parse_number(const char *value, unsigned most, unsigned *number)
{
    size_t parsed;
    if (!digits_parse(slice_of(value), &parsed) || !parsed || parsed > most)
        return false;
    *number = (unsigned)parsed;
    return true;
}

_Static_assert(SCAN_RATE_MAX == 1000 && SCAN_LISTS_MAX == 16, "the sentences say so");

static const char *flag_set_rate(const char *value, void *field)
{
    return parse_number(value, SCAN_RATE_MAX, field) ? NULL : "is not a number from 1 to 1000";
}

static const char *flag_set_lists(const char *value, void *field)
{
    return parse_number(value, SCAN_LISTS_MAX, field) ? NULL : "is not a number from 1 to 16";
}

static int run_scan(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    const int status = check_use(command, options);
    (void)operands;
    if (status)
        return status;
    return options->merges ? scan_merge(&options->files, options->format, options->has_all, options->fail_on)
                           : scan(options);
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
     LISTS(names_flag, struct options, kinds)},
    FILES_FLAG(struct options),
    RECURSIVE_FLAG(struct options, is_recursive),
    OUTPUT_FLAG(
        struct options, "text|json|html|metrics|policyreport",
        "for people, one line of JSON per object with findings and one with the sums, one page of HTML, or "
        "the text format of Prometheus (default text); or with --write reports in the cluster itself"),
    {.name = "write",
     .text = "with -o policyreport, write one Report (openreports.io), or else PolicyReport "
             "(wgpolicyk8s.io), in each namespace with findings that deny or warn, through kubectl or in a "
             "pod as its service account",
     SETS(flag_set_true, struct options, writes)},
    {.name = "all",
     .text = "show everything, and not one page",
     SETS(flag_set_true, struct options, has_all)},
    FAIL_ON_FLAG(struct options),
    SHARD_FLAG(struct options),
    {.name = "rate",
     .value = "N",
     .text = "send at most so many requests in a second, up to 1000 (default 20)",
     SETS(flag_set_rate, struct options, rate)},
    {.name = "lists",
     .value = "N",
     .text = "list so many kinds at a time, up to 16 (default 4)",
     SETS(flag_set_lists, struct options, lists)},
    {.name = "merge",
     .text = "the files of -f are the JSON of all shards: print them as one scan",
     SETS(flag_set_true, struct options, merges)},
    {.name = "diff",
     .value = "FILE",
     .text = "the JSON of an earlier scan: only what is better, worse and new since; the exit status is "
             "about that",
     SETS(flag_set_string, struct options, diff_path)},
    {.name = "report-dir",
     .value = "DIR",
     .text = "write the report, its sums and metrics into report.txt, summary.json and metrics.prom of this "
             "directory, too; findings then do not change the exit status",
     SETS(flag_set_if_any, struct options, report_dir)},
#ifndef APPLYGUARD_STATIC
    {.name = "config-map",
     .value = "NAME",
     .text =
         "in a pod, write the report, its sums and metrics into this ConfigMap of the pod's namespace, too; "
         "findings then do not change the exit status",
     SETS(flag_set_string, struct options, config_map)},
#endif
    {.name = "expect",
     .value = "FILE",
     .text = "a file that says who should own which fields: others who do are findings of manager-scope, "
             "which deny",
     SETS(flag_set_string, struct options, expect_path)},
    {.name = "suggest",
     .text = "print a policy to start with: the strongest profile that denies nothing of what is stored, and "
             "classes for unknown managers to choose from",
     SETS(flag_set_true, struct options, suggests)},
    POLICY_FLAG(struct options),
    {.name = "context",
     .value = "NAME",
     .text = "the context of the kubeconfig (default its current-context); may be given several times",
     LISTS(names_flag, struct options, contexts)},
    CLUSTER_ACCESS_FLAGS(struct options),
    CLUSTER_USER_FLAG(struct options),
};

const struct command command_scan = {
    .name = "scan",
    .summary = "Show who owns what in a cluster, and what breaks next",
    .synopsis = "[FLAG...]\n[FLAG...] -f FILE",
    .description =
        "Reads the objects of a cluster as they are stored, and writes nothing without --write. Shows "
        "which field managers own how many fields of which kinds, which objects two tools apply, which "
        "fields were set by hand, where the next server-side apply conflicts, and how ready the objects "
        "are for it. The same rules judge as in the webhook, as far as a stored object shows what they "
        "ask.\n\n"
        "Objects are listed through your kubectl, 500 at a time, or in a pod as its service account. Kinds "
        "that you may not list are named at the end. Objects can also come from files: what kubectl get -A "
        "-o json --show-managed-fields prints, also packed with gzip or zstd, or a backup of Velero. Values "
        "of Secrets are never shown.",
    .exit_status =
        "0 no finding reached --fail-on, 1 one did, 2 something could not be read; the rest is done.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct options, .fail_on = ACTION_DENY, .rate = SCAN_RATE, .lists = SCAN_LISTS),
    .run = run_scan,
};
