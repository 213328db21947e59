/* applyguard policy: checks, shows and tests policy files. */
#include "base/array_size.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "cli/policy_check.h"
#include "cli/policy_test.h"
#include "policy/verdict/overrides.h"

#include <stdio.h>
#include <time.h>

/* Overrides and waivers that end within this time are noted early. */
#define NOTED_SECONDS (14 * INT64_C(86400))

/* Notes of one kind. */
struct notes {
    const char *path;
    const char *what; /* the day follows it */
    struct arena *arena;
};

/* Returns false if memory runs out. */
static bool print_note(
    const struct notes *notes, const char *list, size_t index, struct slice reason, struct slice expires)
{
    struct text text = text_start(notes->arena, 256);
    terminal_append_place(&text, slice_of(notes->path), 0, 0, false);
    text_append_all(&text, "note: ", list, "[", index, "]");
    if (reason.length)
        text_append_all(&text, " (", as_terminal(reason), ")");
    text_append_all(&text, notes->what, expires);
    struct slice note = text_slice(&text);
    if (note.bytes)
        printf("%.*s\n", (int)note.length, note.bytes);
    arena_reset(notes->arena);
    return note.bytes;
}

/* Notes the parts that expire within that time. Returns false if memory runs out. */
static bool print_expiring(
    const struct notes *notes, const struct policy *policy, int64_t since, int64_t until)
{
    const struct override *override;
    const struct scoped_waiver *waiver;
    bool done = true;
    for (size_t i = 0; done && (override = overrides_expiring(policy, since, until, &i)); i++)
        done = print_note(notes, "overrides", i, override->reason, override->expires);
    for (size_t i = 0; done && (waiver = waivers_expiring(policy, since, until, &i)); i++)
        done = print_note(notes, "waivers.scoped", i, waiver->reason, waiver->expires);
    return done;
}

/* Notes the parts that have no effect any more, or will soon have none. Returns false if memory runs out. */
static bool print_notes(const char *path, const struct policy *policy, int64_t now)
{
    struct arena *arena = arena_create();
    const struct notes old = {path, " has no effect: it expired with ", arena};
    const struct notes soon = {path, " soon has no effect: it expires with ", arena};
    bool done = arena && print_expiring(&old, policy, INT64_MIN, now) &&
        print_expiring(&soon, policy, now, now + NOTED_SECONDS);
    arena_destroy(arena);
    return done;
}

static int check_one(const char *path)
{
    struct policy *policy = policy_check_file(path);
    if (!policy)
        return EXIT_UNREADABLE;
    message_print(
        stdout, "%s: ok, profile %s, mode %s, %zu override%s", path, profile_name(policy->profile),
        mode_name(policy->mode), policy->override_count, policy->override_count == 1 ? "" : "s");
    bool noted = print_notes(path, policy, (int64_t)time(NULL));
    policy_free(policy);
    return noted ? 0 : message_say_out_of_memory("policy check");
}

static int run_check(const struct command *command, void *options, const struct operands *files)
{
    int status = 0;
    (void)command, (void)options;
    if (!files->count) {
        message_say("applyguard policy check: which FILE?");
        return EXIT_UNREADABLE;
    }
    for (int i = 0; i < files->count; i++)
        if (check_one(files->items[i]) != 0)
            status = EXIT_UNREADABLE;
    return status;
}

static int run_show(const struct command *command, void *options, const struct operands *files)
{
    (void)command, (void)options;
    if (files->count > 1) {
        message_say("applyguard policy show: one FILE at a time");
        return EXIT_UNREADABLE;
    }
    struct policy *policy = file_load_policy(files->count ? files->items[0] : NULL);
    if (!policy)
        return EXIT_UNREADABLE;
    int printed = policy_print(policy, stdout);
    policy_free(policy);
    return printed == 0 ? 0 : message_say_out_of_memory("policy show");
}

static const struct command policy_check = {
    .name = "policy check",
    .summary = "Report every error of policy files",
    .synopsis = "FILE...",
    .description =
        "Reports every error of policy files with line and column: what it cannot read, and what can never "
        "have an effect (a server loads the latter and logs it). Notes, for example about overrides that "
        "have expired or expire within 14 days, are not errors. \"-\" is standard input.",
    .exit_status = "0, or 2 if a file has an error.",
    .operand = "FILE",
    .run = run_check,
};

static const struct command policy_show = {
    .name = "policy show",
    .summary = "Print a policy with all defaults",
    .synopsis = "[FILE]",
    .description = "Prints the policy with all defaults; without FILE, the built-in policy. \"-\" is "
                   "standard input.",
    .exit_status = "0, or 2 if the policy could not be read.",
    .operand = "FILE",
    .run = run_show,
};

static const struct command *const subcommands[] = {&policy_check, &policy_show, &command_policy_test};

const struct command command_policy = {
    .name = "policy",
    .summary = "Check, show and test policy files",
    .description = "Checks, shows and tests policy files. docs/policy.md describes the file.",
    .commands = subcommands,
    .command_count = ARRAY_SIZE(subcommands),
};
