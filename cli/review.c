/*
 * applyguard review: judges recorded AdmissionReviews as the webhook would.
 */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/report.h"
#include "cli/split.h"
#include "policy/judge.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* What one file may hold, of any number of reviews. */
#define INPUT_BYTES_MAX ((size_t)256 * 1024 * 1024)

struct options {
    const char *policy_path;
    enum mode ceiling;
    enum report_format format;
    enum action fail_on;
};

struct run {
    const struct options *options;
    const struct policy *policy;
    struct arena *arena;
    struct takeover_history
        *takeover_history; /* of all files: a field changes hands from one review to the next */
    int64_t now;
    bool colour;
    bool failed;     /* something reached --fail-on */
    bool unreadable; /* something could not be read */
};

static void print_help(void)
{
    puts("Usage: applyguard review [FLAG...] FILE...\n"
         "\n"
         "Judges recorded AdmissionReviews as the webhook does. A FILE may hold several, one after another;\n"
         "\"-\" is standard input. Changes of ownership are counted across all reviews, in their order.\n"
         "\n"
         "Flags:\n"
         "  --policy FILE          the policy file; without it the built-in policy (profile baseline)\n"
         "  --mode MODE            enforce, warn or audit: the mode of the webhook's path (default enforce)\n"
         "  -o, --output FORMAT    text, json (one line per review) or response (the webhook's answer)\n"
         "  --fail-on ACTION       deny or warn: the action that makes the exit status 1 (default deny)\n"
         "  -h, --help             print this\n"
         "\n"
         "Exit status: 0 nothing denied, 1 something denied, 2 a file or the policy could not be read.");
}

/* `number` tells which review of the file it is about; 0: the file has one, or could not be read. What is in
 * the arena is gone afterwards: memory may have run out there. */
static void complain(struct run *run, const char *path, size_t number, const char *sentence)
{
    arena_reset(run->arena);
    struct text name = text_start(run->arena, 256);
    text_append_printable(&name, slice_of(path));
    struct slice printable = text_slice(&name);
    fflush(stdout);
    if (printable.bytes)
        fprintf(stderr, "%.*s: ", (int)printable.length, printable.bytes);
    else
        fputs("a FILE whose name cannot be printed: ", stderr);
    if (number)
        fprintf(stderr, "review %zu: ", number);
    fprintf(stderr, "%s\n", sentence);
    run->unreadable = true;
}

static void judge_one(struct run *run, const char *path, size_t number, struct slice body)
{
    const struct judge_options options = {
        .ceiling = run->options->ceiling, .now = run->now, .takeover_history = run->takeover_history};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(run->policy, body, &options, run->arena, &verdict, &error) != JUDGE_OK) {
        complain(run, path, number, error.message);
    } else {
        run->failed |= !verdict->allowed;
        run->failed |= run->options->fail_on == ACTION_WARN && verdict_count(verdict, ACTION_WARN) > 0;
        if (report_print(verdict, slice_of(path), run->options->format, run->colour, run->arena, stdout) < 0)
            complain(run, path, number, "there is no memory for the report");
    }
    arena_reset(run->arena);
}

static void judge_file(struct run *run, const char *path)
{
    struct file_content content;
    struct error error = {0};
    if (file_read(path, INPUT_BYTES_MAX, &content, &error) < 0) {
        complain(run, path, 0, error.message);
        return;
    }
    struct slice rest = {content.bytes, content.length};
    struct slice body = split_first(&rest);
    bool several = rest.length > 0;
    if (!body.length)
        complain(run, path, 0, "it holds no AdmissionReview");
    for (size_t number = 1; body.length; number++) {
        judge_one(run, path, several ? number : 0, body);
        body = split_first(&rest);
    }
    free(content.bytes);
}

static int bad_value(const char *flag, const char *value, const char *choices)
{
    fprintf(stderr, "applyguard review: %s %s is none of %s\n", flag, value, choices);
    return -1;
}

enum review_flag { FLAG_POLICY = 256, FLAG_MODE, FLAG_FAIL_ON, FLAG_HELP };

static int set_flag(int flag, const char *value, struct options *options)
{
    switch (flag) {
    case FLAG_POLICY:
        options->policy_path = value;
        return 0;
    case FLAG_MODE:
        return mode_parse(slice_of(value), &options->ceiling)
            ? 0
            : bad_value("--mode", value, "enforce, warn, audit");
    case FLAG_FAIL_ON:
        if (action_parse(slice_of(value), &options->fail_on) && options->fail_on >= ACTION_WARN)
            return 0;
        return bad_value("--fail-on", value, "deny, warn");
    default:
        return report_format_parse(value, &options->format)
            ? 0
            : bad_value("--output", value, "text, json, response");
    }
}

/* getopt_long says in optopt which it was: 0 for a long flag that it does not know. */
static int bad_flag(int problem, const char *argument)
{
    const char *sentence = problem == ':' ? "lacks its value"
        : optopt >= FLAG_POLICY           ? "takes no value"
                                          : "is not a flag of review";
    char letter[] = {'-', (char)optopt, '\0'};
    bool is_short = optopt > 0 && optopt < FLAG_POLICY;
    fprintf(
        stderr, "applyguard review: %s %s; see applyguard review --help\n", is_short ? letter : argument,
        sentence);
    return -1;
}

/* 0: go on with the files from optind; 1: help was printed; -1: said what is wrong. */
static int parse_flags(int argc, char **argv, struct options *options)
{
    static const struct option flags[] = {
        {"policy", required_argument, NULL, FLAG_POLICY}, {"mode", required_argument, NULL, FLAG_MODE},
        {"output", required_argument, NULL, 'o'},         {"fail-on", required_argument, NULL, FLAG_FAIL_ON},
        {"help", no_argument, NULL, FLAG_HELP},           {NULL, 0, NULL, 0},
    };
    int flag;
    opterr = 0;
    optind = 1;
    while ((flag = getopt_long(argc, argv, ":ho:", flags, NULL)) != -1) {
        if (flag == FLAG_HELP || flag == 'h') {
            print_help();
            return 1;
        }
        if (flag == '?' || flag == ':')
            return bad_flag(flag, argv[optind - 1]);
        if (set_flag(flag, optarg, options) < 0)
            return -1;
    }
    if (optind < argc)
        return 0;
    fputs("applyguard review: which FILE? \"-\" is standard input\n", stderr);
    return -1;
}

static int judge_files(struct run *run, int count, char **paths)
{
    for (int i = 0; i < count; i++)
        judge_file(run, paths[i]);
    return run->unreadable ? EXIT_UNREADABLE : run->failed ? EXIT_DENIED : 0;
}

static struct takeover_history *create_takeover_history(void)
{
    struct siphash_seed seed;
    bool is_random = getrandom(&seed, sizeof(seed), 0) == sizeof(seed);
    return is_random ? takeover_history_create(seed) : NULL;
}

int command_review(int argc, char **argv)
{
    struct options options = {.ceiling = MODE_ENFORCE, .format = REPORT_TEXT, .fail_on = ACTION_DENY};
    int parsed = parse_flags(argc, argv, &options);
    if (parsed != 0)
        return parsed > 0 ? 0 : EXIT_UNREADABLE;
    struct policy *policy = file_load_policy(options.policy_path);
    struct arena *arena = arena_create();
    struct takeover_history *history = create_takeover_history();
    int status = EXIT_UNREADABLE;
    if (!arena || !history)
        fputs("applyguard review: there is no memory\n", stderr);
    if (policy && arena && history) {
        const char *no_colour = getenv("NO_COLOR");
        struct run run = {
            .options = &options,
            .policy = policy,
            .arena = arena,
            .takeover_history = history,
            .now = (int64_t)time(NULL),
            .colour = isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]),
        };
        status = judge_files(&run, argc - optind, argv + optind);
    }
    takeover_history_destroy(history);
    arena_destroy(arena);
    policy_free(policy);
    return status;
}
