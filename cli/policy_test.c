/* applyguard policy test: checks policies against recorded reviews and pairs of manifests. */
#include "cli/policy_test.h"

#include "base/array_size.h"
#include "base/terminal_output.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "cli/shared_flags.h"
#include "commands/policytest/print.h"
#include "manifest/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct options {
    const char *policy_path;
    enum output_format format;
};

struct tests {
    struct run_options options;
    struct test_printer printer;
    struct arena *arena; /* for one file */
    size_t found;        /* in the directory that is searched */
    bool is_out_of_memory;
};

static bool complain(struct tests *tests, const char *path, const struct error *error)
{
    bool is_whole = print_test_problem(&tests->printer, path, error, tests->arena);
    arena_reset(tests->arena);
    tests->is_out_of_memory |= !is_whole;
    return is_whole;
}

static bool run_file(struct tests *tests, const char *path)
{
    struct file_content file;
    struct error error = {0};
    if (file_read(path, POLICY_FILE_BYTES_MAX, &file, &error) < 0)
        return complain(tests, path, &error);
    const struct policy_test_run *run =
        policy_test_run(path, file_slice(&file), &tests->options, tests->arena);
    bool is_whole = run && print_test_run(&tests->printer, run, tests->arena);
    free(file.bytes);
    arena_reset(tests->arena);
    tests->is_out_of_memory |= !is_whole;
    return is_whole;
}

/* In a directory, runs only tests, and reports only errors of tests and directories. */
static bool visit(void *context, const char *path, const struct error *error)
{
    struct tests *tests = context;
    bool is_test = slice_ends_with(slice_of(path), SLICE(".test.yaml")) ||
        slice_ends_with(slice_of(path), SLICE(".test.yml"));
    bool is_other = slice_ends_with(slice_of(path), SLICE(".yaml")) ||
        slice_ends_with(slice_of(path), SLICE(".yml")) || slice_ends_with(slice_of(path), SLICE(".json"));
    if (error && (is_test || !is_other))
        return complain(tests, path, error);
    if (!is_test)
        return true;
    tests->found++;
    return run_file(tests, path);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A file on the command line may have any name. */
static bool run_operand(struct tests *tests, const char *path)
{
    struct error error = {0};
    size_t problems = tests->printer.counts.problems;
    if (!is_folder(path))
        return run_file(tests, path);
    tests->found = 0;
    if (!inputs_walk(path, true, visit, tests))
        return false;
    if (tests->found || tests->printer.counts.problems > problems)
        return true;
    error_set(&error, "there is no *.test.yaml in it");
    return complain(tests, path, &error);
}

static int run_all(struct tests *tests, const struct operands *operands)
{
    const struct test_counts *counts = &tests->printer.counts;
    bool goes_on = print_tests_begin(&tests->printer, tests->arena);
    tests->is_out_of_memory |= !goes_on;
    for (int i = 0; i < operands->count && goes_on; i++)
        goes_on = run_operand(tests, operands->items[i]);
    tests->is_out_of_memory |= !print_tests_end(&tests->printer, tests->arena);
    if (tests->is_out_of_memory)
        message_say_out_of_memory("policy test");
    return tests->is_out_of_memory || counts->problems ? EXIT_UNREADABLE : counts->failed ? EXIT_DENIED : 0;
}

static int run_test(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    int status = EXIT_UNREADABLE;
    (void)command;
    if (!operands->count) {
        message_say("applyguard policy test: which DIR?");
        return EXIT_UNREADABLE;
    }
    struct policy *policy = options->policy_path ? file_load_policy(options->policy_path) : NULL;
    struct tests tests = {
        .options = {policy, options->policy_path, (int64_t)time(NULL)},
        .printer = {.format = options->format, .colour = terminal_has_colour(), .out = stdout, .err = stderr},
        .arena = arena_create(),
    };
    if (!tests.arena)
        message_say_out_of_memory("policy test");
    else if (policy || !options->policy_path)
        status = run_all(&tests, operands);
    arena_destroy(tests.arena);
    policy_free(policy);
    return status;
}

static const struct flag flags[] = {
    {.name = "policy",
     .value = "FILE",
     .text = "the policy file to test in place of those that the tests name",
     SETS(flag_set_string, struct options, policy_path)},
    OUTPUT_FLAG(
        struct options, "text|junit|json",
        "for people, JUnit's XML, or one line of JSON per case (default text)"),
};

const struct command command_policy_test = {
    .name = "policy test",
    .summary = "Test policies with recorded reviews and manifests",
    .synopsis = "[FLAG...] DIR|FILE...",
    .description =
        "Runs each *.test.yaml in a DIR, and in those within it. A test names a policy, and "
        "cases: requests, as recorded AdmissionReviews or as an object before and after, and the "
        "findings expected of each. If a case has other findings, prints what was expected (-) and "
        "what came (+). docs/policy-test.md describes the file; docs/policies/ has examples.",
    .exit_status = "0 all cases pass, 1 some fail, 2 something could not be read; the other cases are run.",
    .operand = "FILE",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .run = run_test,
};
