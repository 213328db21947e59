/*
 * applyguard review: judges recorded AdmissionReviews as the webhook would.
 */
#include "base/array_size.h"
#include "base/ascii.h"
#include "base/find.h"
#include "base/terminal_output.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "cli/shared_flags.h"
#include "cli/split.h"
#include "policy/judge.h"
#include "report/print_verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The limit of one file, which may contain many reviews. */
#define INPUT_BYTES_MAX ((size_t)256 * 1024 * 1024)

struct options {
    const char *policy_path;
    enum mode ceiling;
    enum output_format format;
    enum action fail_on;
};

struct run {
    const struct options *options;
    const struct policy *policy;
    struct arena *arena;
    struct takeover_history
        *takeover_history; /* for all files: a field changes hands from one review to the next */
    int64_t now;
    bool colour;
    bool failed;     /* a finding reached --fail-on */
    bool unreadable; /* an input could not be read */
};

/* `number` is the review's number in the file; 0: the file has only one, or could not be read. */
static void complain(struct run *run, const char *path, size_t number, const struct error *error)
{
    struct error numbered = *error;
    if (number)
        error_set(&numbered, "review %zu: %s", number, error->message);
    file_complain(path, &numbered);
    run->unreadable = true;
}

static bool has_reached(const struct verdict *verdict, enum action action)
{
    bool has_any = !verdict->allowed;
    for (int each = (int)action; each <= ACTION_DENY; each++)
        has_any |= verdict_count(verdict, (enum action)each) > 0;
    return has_any;
}

static void judge_one(struct run *run, const char *path, size_t number, struct slice body)
{
    const struct judge_options options = {
        .ceiling = run->options->ceiling, .now = run->now, .takeover_history = run->takeover_history};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(run->policy, body, &options, run->arena, &verdict, &error) != JUDGE_OK) {
        complain(run, path, number, &error);
    } else {
        run->failed |= has_reached(verdict, run->options->fail_on);
        if (print_verdict(verdict, slice_of(path), run->options->format, run->colour, run->arena, stdout) <
            0) {
            error_set_out_of_memory(&error);
            complain(run, path, number, &error);
        }
    }
    arena_reset(run->arena);
}

/* People hand over a manifest. JSON begins with a brace. */
static bool is_yaml(struct slice body)
{
    size_t start = 0;
    while (start < body.length && ascii_is_space(body.bytes[start]))
        start++;
    struct slice text = slice_without_mark(slice_from(body, start));
    return text.length && !slice_starts_with(text, SLICE("{")) && !slice_starts_with(text, SLICE("[")) &&
        (slice_starts_with(text, SLICE("---")) || slice_starts_with(text, SLICE("#")) ||
         slice_contains_text(text, SLICE(": ")) || slice_contains_text(text, SLICE(":\n")));
}

static void judge_file(struct run *run, const char *path)
{
    struct file_content content;
    struct error error = {0};
    if (file_read(path, INPUT_BYTES_MAX, &content, &error) < 0) {
        complain(run, path, 0, &error);
        return;
    }
    struct slice rest = file_slice(&content);
    struct slice body = split_first(&rest);
    bool several = rest.length > 0;
    if (is_yaml(body)) {
        error_set(
            &error,
            "it is YAML, and review reads AdmissionReviews in JSON; for a manifest see applyguard check");
        complain(run, path, 0, &error);
        free(content.bytes);
        return;
    }
    if (!body.length) {
        error_set(&error, "it holds no AdmissionReview");
        complain(run, path, 0, &error);
    }
    for (size_t number = 1; body.length; number++) {
        judge_one(run, path, several ? number : 0, body);
        body = split_first(&rest);
    }
    free(content.bytes);
}

static const char *set_mode(const char *value, void *field)
{
    mode_parse(slice_of(value), field);
    return NULL;
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
    bool is_random = getentropy(&seed, sizeof(seed)) == 0;
    return is_random ? takeover_history_create(seed) : NULL;
}

static int run_review(const struct command *command, void *parsed, const struct operands *files)
{
    const struct options *options = parsed;
    int status = EXIT_UNREADABLE;
    (void)command;
    if (!files->count) {
        message_say("applyguard review: which FILE? \"-\" is standard input");
        return EXIT_UNREADABLE;
    }
    struct policy *policy = file_load_policy(options->policy_path);
    struct arena *arena = arena_create();
    struct takeover_history *history = create_takeover_history();
    if (!arena || !history)
        message_say_out_of_memory("review");
    if (policy && arena && history) {
        struct run run = {
            .options = options,
            .policy = policy,
            .arena = arena,
            .takeover_history = history,
            .now = (int64_t)time(NULL),
            .colour = terminal_has_colour(),
        };
        status = judge_files(&run, files->count, files->items);
    }
    takeover_history_destroy(history);
    arena_destroy(arena);
    policy_free(policy);
    return status;
}

static const struct flag flags[] = {
    POLICY_FLAG(struct options),
    {.name = "mode",
     .value = "enforce|warn|audit",
     .text = "the mode of the webhook's path (default enforce)",
     SETS(set_mode, struct options, ceiling)},
    OUTPUT_FLAG(
        struct options, "text|json|response",
        "for people, one line of JSON per review, or the webhook's answer (default text)"),
    FAIL_ON_FLAG(struct options),
};

const struct command command_review = {
    .name = "review",
    .summary = "Judge recorded AdmissionReviews offline",
    .synopsis = "[FLAG...] FILE...",
    .description =
        "Judges recorded AdmissionReviews as the webhook does. A FILE may hold several, one after another; "
        "\"-\" is standard input. Changes of ownership are counted across all reviews, in their order.",
    .exit_status = "0, 1 if a finding has the action of --fail-on or a stronger one, 2 a file or the policy "
                   "could not be read.",
    .operand = "FILE",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct options, .ceiling = MODE_ENFORCE, .fail_on = ACTION_DENY),
    .run = run_review,
};
