/* applyguard check: judges manifests before they are applied. */
#include "commands/check/check.h"

#include "base/array_size.h"
#include "base/terminal_output.h"
#include "cli/check_definitions.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/requester.h"
#include "cli/shared_flags.h"
#include "commands/check/charts.h"
#include "commands/check/inputs.h"
#include "manifest/inputs.h"
#include "policy/judge.h"
#include "system/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64

#define BASELINE_BYTES_MAX ((size_t)256 * 1024 * 1024)

struct apply_flag {
    enum apply_mode mode;
    bool is_given;
};

struct options {
    const char *policy_path;
    const char *profile;
    struct apply_flag apply;
    struct cluster_options cluster;
    struct requester requester;
    const char *namespace;
    enum output_format format;
    enum action fail_on;
    const char *baseline_path;
    struct names files;
    struct names sources; /* NAME=DIR */
    struct names excluded;
    struct names crds; /* OLD or OLD=NEW */
    bool is_recursive;
    bool shows_audit;
    bool shows_all;
    bool shows_skipped;
};

/*
 * The policy of --profile, or else of --policy. Returns NULL, after printing the error, if it cannot be
 * loaded.
 */
static struct policy *load_policy(const struct options *options)
{
    const char *path = options->policy_path;
    enum profile profile;
    if (options->profile && profile_find(slice_of(options->profile), &profile)) {
        struct policy *policy = policy_of_profile(profile);
        if (!policy)
            message_say_out_of_memory("check");
        return policy;
    }
    struct policy *policy = file_load_policy(path);
    if (!policy && path && profile_find(slice_of(path), &profile))
        message_say("applyguard check: for the profile %s, write --profile %s", path, path);
    return policy;
}

/*
 * Returns false, after printing the error, if the file cannot be read. Without a file, the baseline is empty.
 */
static bool read_baseline(const char *path, struct baseline **baseline)
{
    struct file_content content;
    struct error error = {0};
    if (!path)
        return true;
    if (file_read(path, BASELINE_BYTES_MAX, &content, &error) == 0) {
        *baseline = baseline_read(file_slice(&content), &error);
        free(content.bytes);
    }
    if (*baseline)
        return true;
    file_complain(path, &error);
    return false;
}

static unsigned thread_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (unsigned)online;
}

/* Progress in one line on a terminal, from the first second on. */
struct progress {
    size_t count; /* of files */
    time_t started_at;
    bool is_shown;
    bool has_ended; /* what is printed now goes to the same terminal */
    bool is_alone;  /* it goes elsewhere */
};

static void show_progress(void *context, size_t done, size_t objects)
{
    struct progress *progress = context;
    if (done == progress->count) {
        fputs(progress->is_shown ? "\r\033[K" : "", stderr);
        progress->has_ended = !progress->is_alone;
        progress->is_shown = false;
        return;
    }
    if (progress->has_ended || (objects ? objects % 4096 : done % 64) ||
        time(NULL) - progress->started_at < 1)
        return;
    progress->is_shown = true;
    if (objects)
        fprintf(stderr, "\r%zu objects", objects);
    else
        fprintf(stderr, "\r%zu of %zu files", done, progress->count);
}

static void report_appliers(const struct options *options, const struct check_result *result)
{
    if (result->is_server_side)
        message_say(
            "applyguard check: judged as server-side applies, because the Flux or Argo CD objects in the "
            "files apply so; for kubectl apply, use --apply client");
    else if (!options->apply.is_given && result->has_server_side)
        message_say(
            "applyguard check: some Flux or Argo CD objects in the files apply server-side: --apply server "
            "fits what they apply");
}

/* Without objects, a run without findings looks like a success, although kubectl apply would fail. */
static void report_directories(struct report *report, const struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (inputs_have_directories(names->items[i]))
            report_note(report, slice_of(names->items[i]), 0, 0, "no object in it" INPUTS_RECURSIVE_ADVICE);
}

/* A chart is not an error if other files are judged. */
static bool report_charts(
    const struct check_options *check, struct check_result *result, const struct check_inputs *inputs)
{
    bool is_whole = true;
    for (size_t i = 0; i < inputs->chart_count && !result->summary.items; i++) {
        struct error error = {0};
        is_whole &= chart_explain(slice_of(inputs->charts[i]), &error);
        check_problem(check, result, inputs->charts[i], &error);
    }
    return is_whole;
}

/* The same for templates of ytt, of which one is reported. */
static void report_ytt(
    const struct check_options *check, struct check_result *result, const struct check_inputs *inputs)
{
    struct error error = {0};
    if (!inputs->first_ytt || result->summary.items)
        return;
    error_set(
        &error,
        "this is a template of ytt, and check judges what it renders; run: ytt -f FILE | applyguard check -");
    check_problem(check, result, inputs->first_ytt, &error);
}

/* Reports inputs as a whole, apart from their content. */
static bool report_inputs(
    const struct check_options *check, struct check_result *result, const struct check_inputs *inputs)
{
    for (size_t i = 0; i < inputs->note_count; i++)
        report_note(check->report, slice_of(inputs->notes[i].path), 0, 0, inputs->notes[i].error.message);
    for (size_t i = 0; i < inputs->problem_count; i++)
        check_problem(check, result, inputs->problems[i].path, &inputs->problems[i].error);
    for (size_t i = 0; i < inputs->passed_count; i++)
        report_skipped(check->report, slice_of(inputs->passed[i].path), 0, inputs->passed[i].reason);
    result->summary.excluded += inputs->excluded_count;
    result->summary.skipped += inputs->passed_count - inputs->excluded_count;
    result->summary.files += inputs->passed_count - inputs->excluded_count;
    report_ytt(check, result, inputs);
    return report_charts(check, result, inputs);
}

/* Returns NULL if memory runs out. */
static struct report *begin_report(const struct options *options)
{
    const struct report_options form = {
        .format = options->format,
        .colour = terminal_has_colour(),
        .out = stdout,
        .err = stderr,
        .version = APPLYGUARD_VERSION,
        .pages = APPLYGUARD_RULE_PAGES,
        .shows_audit = options->shows_audit || options->fail_on == ACTION_AUDIT,
        .shows_samples = options->fail_on <= ACTION_WARN,
        .shows_all = options->shows_all,
        .shows_skipped = options->shows_skipped,
    };
    return report_begin(&form);
}

/* Returns false if memory runs out, or output is lost. */
static bool end_report(
    const struct options *options, const struct check_inputs *inputs, const struct check_options *check,
    struct check_result *result)
{
    const struct report_summary *summary = &result->summary;
    bool is_whole = report_inputs(check, result, inputs);
    if (!options->is_recursive && !summary->items && !summary->problems && !summary->excluded)
        report_directories(check->report, &options->files);
    is_whole &= report_end(check->report, summary) == 0;
    report_appliers(options, result);
    return is_whole;
}

static int check_with(
    const struct policy *policy, const struct options *options, const struct check_inputs *inputs,
    struct slice_list groups, struct baseline *baseline)
{
    struct check_options check = {
        .policy = policy,
        .follows_appliers = !options->apply.is_given,
        .applier =
            {
                .mode = options->apply.mode,
                .user = slice_of_optional(options->requester.user),
                .groups = groups,
                .namespace = slice_of_optional(options->namespace),
                .now = (int64_t)time(NULL),
            },
        .inputs = inputs->items,
        .input_count = inputs->count,
        .threads = thread_count(),
        .fail_on = options->fail_on,
        .shows_lines_around = options->format == OUTPUT_HTML,
        .baseline = baseline,
        .report = begin_report(options),
    };
    struct check_result result = {0};
    struct progress progress = {
        .count = inputs->count, .started_at = time(NULL), .is_alone = !isatty(STDOUT_FILENO)};
    if (isatty(STDERR_FILENO) && !terminal_is_dumb()) {
        check.progress = show_progress;
        check.progress_context = &progress;
    }
    const bool is_judged = check.report && check_run(&check, &result);
    const bool is_whole = check.report && end_report(options, inputs, &check, &result) && is_judged;
    /* The program itself reports lost output. */
    if (!is_judged || (!is_whole && !ferror(stdout)))
        message_say_out_of_memory("check");
    return !is_whole || result.summary.problems ? EXIT_UNREADABLE : result.has_failed ? EXIT_DENIED : 0;
}

static int check_inputs(const struct options *options, const struct check_inputs *inputs)
{
    struct policy *policy = load_policy(options);
    struct arena *arena = arena_create();
    struct slice_list groups = {NULL, 0};
    struct baseline *baseline = NULL;
    int status = EXIT_UNREADABLE;
    if (arena)
        groups = names_slices(&options->requester.groups, arena);
    if (!arena || arena_has_failed(arena)) {
        message_say_out_of_memory("check");
    } else if (policy && read_baseline(options->baseline_path, &baseline)) {
        warn_unmatchable_overrides(&options->requester, policy, "check");
        status = check_with(policy, options, inputs, groups, baseline);
    }
    baseline_destroy(baseline);
    arena_destroy(arena);
    policy_free(policy);
    return status;
}

/* NAME=DIR */
static const char *add_source(const char *value, void *field)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return "is not NAME=DIR";
    return names_flag(value, field);
}

static bool gather_sources(struct check_inputs *inputs, const struct options *options)
{
    for (size_t i = 0; i < options->sources.count; i++) {
        struct slice value = slice_of(options->sources.items[i]);
        struct slice name = slice_until(value, slice_find(value, '='));
        const char *directory = value.bytes + name.length + 1;
        if (!check_inputs_gather(inputs, &(struct names){&directory, 1}, name, options->is_recursive))
            return false;
    }
    return true;
}

static bool add_exclusions(struct check_inputs *inputs, const struct options *options)
{
    for (size_t i = 0; i < options->excluded.count; i++)
        if (!exclusions_add(&inputs->excluded, slice_of(options->excluded.items[i]), slice_of("")))
            return false;
    return exclusions_read(&inputs->ignored, "");
}

/* Returns false, after printing the error, if memory runs out. */
static bool gather(struct check_inputs *inputs, const struct options *options)
{
    bool is_whole = add_exclusions(inputs, options) &&
        check_inputs_gather(inputs, &options->files, slice_of_optional(NULL), options->is_recursive) &&
        gather_sources(inputs, options) && check_inputs_settle(inputs);
    if (!is_whole)
        message_say_out_of_memory("check");
    return is_whole;
}

static int run_check(const struct command *command, void *parsed, const struct operands *files)
{
    struct options *options = parsed;
    struct check_inputs inputs = {0};
    int status = EXIT_UNREADABLE;
    (void)command;
    heap_keep_freed();
    for (int i = 0; i < files->count; i++)
        if (!names_add(&options->files, files->items[i]))
            return message_say_out_of_memory("check");
    if (!check_definitions_add_new(&options->crds, &options->files))
        return EXIT_UNREADABLE;
    if (options->profile && options->policy_path)
        message_say("applyguard check: give --policy or --profile, not both");
    else if (!options->files.count && !options->sources.count)
        message_say("applyguard check: which FILE? \"-\" is standard input");
    else if (
        check_definitions_gather(&inputs, &options->crds, &options->cluster, options->is_recursive) &&
        gather(&inputs, options))
        status = check_inputs(options, &inputs);
    check_inputs_release(&inputs);
    return status;
}

static const char *set_mode(const char *value, void *field)
{
    struct apply_flag *apply = field;
    bool is_server_side = strcmp(value, "server") == 0;
    *apply = (struct apply_flag){is_server_side ? APPLY_SERVER_SIDE : APPLY_CLIENT_SIDE, true};
    return NULL;
}

static const char *set_server_side(const char *value, void *field)
{
    (void)value;
    return set_mode("server", field);
}

static const struct flag flags[] = {
    FILES_FLAG(struct options),
    {.name = "source",
     .value = "NAME=DIR",
     .text = "manifests of one of several sources, such as one team's; given twice or more, fields that two "
             "of them declare are found",
     LISTS(add_source, struct options, sources)},
    RECURSIVE_FLAG(struct options, is_recursive),
    POLICY_FLAG(struct options),
    {.name = "profile",
     .value = "audit|baseline|strict",
     .text = "a built-in policy: what a policy file with nothing but this profile says",
     SETS(flag_set_string, struct options, profile)},
    {.name = "apply",
     .value = "client|server",
     .text =
         "judge as kubectl apply would send it, or as kubectl apply --server-side would (default client, or "
         "server if the manifests hold objects of Flux or Argo CD that all apply server-side)",
     SETS(set_mode, struct options, apply)},
    {.name = "server-side",
     .text = "the same as --apply server",
     SETS(set_server_side, struct options, apply)},
    REQUESTER_FLAGS(struct options),
    {.name = "namespace",
     .letter = 'n',
     .value = "NAME",
     .text = "namespace of objects that set none (default \"default\")",
     SETS(flag_set_string, struct options, namespace)},
    OUTPUT_FLAG(
        struct options, "text|json|sarif|junit|github|codeclimate|markdown|html",
        "the format of the report; json is one line per object (default text)"),
    {.name = "baseline",
     .value = "FILE",
     .text = "a former report (-o json): its findings and problems are not reported again or counted",
     SETS(flag_set_file, struct options, baseline_path)},
    {.name = "exclude",
     .value = "GLOB",
     .text = "leave out files that match, as a line of .gitignore does; may be given several times. So does "
             "a file .applyguardignore, in the current directory or in one that is searched",
     LISTS(names_flag, struct options, excluded)},
    {.name = "crd",
     .value = "OLD[=NEW]",
     .text = "a file or directory with former CustomResourceDefinitions, or \"cluster\" for those of the "
             "cluster: the ones in the manifests are compared with them. NEW is another FILE; may be given "
             "several times",
     LISTS(check_definitions_flag, struct options, crds)},
    {.name = "show",
     .value = "audit",
     .text = "list findings of the action audit, too (text only: the other formats always have them)",
     SETS(flag_set_true, struct options, shows_audit)},
    {.name = "all",
     .text =
         "list all findings in the order of the files, and not only the first five of each rule (text only)",
     SETS(flag_set_true, struct options, shows_all)},
    {.name = "skipped",
     .text = "list what was passed over, and why",
     SETS(flag_set_true, struct options, shows_skipped)},
    FAIL_ON_FLAG(struct options),
    CLUSTER_CONNECTION_FLAGS(struct options),
};

const struct command command_check = {
    .name = "check",
    .summary = "Judge manifests before a cluster sees them",
    .synopsis = "[FLAG...] FILE|DIR...",
    .description = "Judges each object as the webhook would judge the request that applies it to a cluster "
                   "that does not have it, and also by the rules for manifests, which see their text and "
                   "the other manifests.\n\n"
                   "Reads what kubectl reads: YAML and JSON, several documents, Lists; of a directory the "
                   "files that end in .yaml, .yml and .json. A comment \"# applyguard:waive RULE REASON\", "
                   "on a line or above it, waives the findings of a rule there.\n\n"
                   "Actions are those of the policy's rules: its mode, such as audit, has no effect here.",
    .exit_status =
        "0 no finding has the action of --fail-on or a stronger one, 1 a finding has, 2 an input or the "
        "policy could not be read.",
    .operand = "FILE",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct options, .fail_on = ACTION_DENY),
    .run = run_check,
};
