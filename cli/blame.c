/*
 * applyguard blame: an object with the manager of each line.
 */
#include "commands/blame/print.h"

#include "base/array_size.h"
#include "base/names.h"
#include "base/terminal.h"
#include "base/terminal_output.h"
#include "base/words.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "cli/shared_flags.h"
#include "commands/blame/follow.h"
#include "manifest/each_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct options {
    struct cluster_options cluster;
    struct names files;
    struct names logs; /* audit logs */
    bool is_recursive;
    const char *policy_path;
    const char *manager;
    enum output_format format;
};

struct run {
    const struct options *options;
    const struct policy *policy;
    struct blame_print print;
    struct arena *arena;
    struct followed_objects followed; /* objects that wait for their history */
    size_t printed;                   /* objects */
    bool has_manager;                 /* an object has the requested manager */
    char nearest[129];                /* a manager with a similar name; empty: none */
    bool is_live;
    bool has_failed;
};

static void say(void *context, const char *path, const struct error *error)
{
    struct run *run = context;
    file_complain(path, error);
    run->has_failed = true;
}

static void say_of_object(
    struct run *run, const char *path, const struct manifest_object *object, const struct error *error)
{
    struct error named;
    object_error(object, !run->is_live, error, run->arena, &named);
    say(run, path, &named);
}

/* Keeps a manager of the object whose name is similar to the requested one, which may be mistyped. */
static void find_nearest(struct run *run, const struct blame *blame)
{
    for (size_t i = 0; i < blame->managed_fields->count && !run->nearest[0]; i++) {
        char name[sizeof(run->nearest)];
        const char *known = name;
        struct slice manager = text_printable(run->arena, blame->managed_fields->entries[i].manager.name);
        snprintf(name, sizeof(name), "%.*s", (int)manager.length, manager.bytes ? manager.bytes : "");
        if (word_nearest(run->print.manager, &known, 1))
            memcpy(run->nearest, name, sizeof(name));
    }
}

static void append(struct run *run, struct text *text, const struct blame *blame)
{
    static const struct {
        const char *separator;
        void (*append)(struct text *text, const struct blame *blame, const struct blame_print *print);
    } formats[] = {
        [OUTPUT_TEXT] = {"\n", blame_append_text},
        [OUTPUT_JSON] = {"", blame_append_json},
        [OUTPUT_YAML] = {"---\n", blame_append_yaml},
        [OUTPUT_HTML] = {"", blame_append_html},
    };
    run->print.number = run->printed++;
    text_append_string(text, run->print.number ? formats[run->options->format].separator : "");
    formats[run->options->format].append(text, blame, &run->print);
}

/* Returns false if memory runs out. */
static bool print(struct run *run, const struct blame *blame)
{
    struct text text = text_start(blame->arena, 16384);
    if (run->options->format == OUTPUT_TEXT)
        terminal_begin_pager();
    append(run, &text, blame);
    struct slice all = text_slice(&text);
    struct text shown = text_start(blame->arena, all.length);
    if (run->options->format == OUTPUT_TEXT || run->options->format == OUTPUT_YAML) {
        terminal_append_lines(&shown, all);
        all = text_slice(&shown);
    }
    return output_write(stdout, all);
}

/* Keeps the object and its arena. Returns false if memory runs out. */
static bool wait_for_history(struct run *run, struct blame *blame)
{
    struct arena *next = arena_create();
    if (next && followed_add(&run->followed, blame)) {
        run->arena = next;
        return true;
    }
    arena_destroy(next);
    return false;
}

static void blame_object(void *context, const char *path, const struct manifest_object *object)
{
    struct run *run = context;
    struct blame *blame = NULL;
    struct error error = {0};
    arena_reset(run->arena);
    enum blame_result result = blame_read(object, &run->policy->managers, run->arena, &blame, &error);
    if (result != BLAME_OK) {
        arena_reset(run->arena);
        if (result == BLAME_NO_OWNERS && !run->is_live)
            error_set(&error, "it has no managedFields; kubectl get shows them with --show-managed-fields");
        say_of_object(run, path, object, &error);
        return;
    }
    if (run->print.manager.bytes && !blame_has_manager(blame, run->print.manager)) {
        find_nearest(run, blame);
        return;
    }
    run->has_manager = true;
    bool has_history = run->options->logs.count > 0;
    if (has_history ? wait_for_history(run, blame) : print(run, blame))
        return;
    error_set(
        &error, "%s",
        has_history ? "out of memory: a history is kept for each object; name fewer" : "out of memory");
    arena_reset(run->arena);
    say_of_object(run, path, object, &error);
}

/* Prints the objects that wait, with their histories. */
static void blame_followed(struct run *run)
{
    followed_read(&run->followed, &run->options->logs, say, run);
    for (size_t i = 0; i < run->followed.count; i++) {
        const struct followed *each = &run->followed.items[i];
        if (!each->has_failed && print(run, each->blame))
            continue;
        message_say_out_of_memory("blame");
        run->has_failed = true;
    }
}

static struct object_visitor visitor_of(struct run *run)
{
    return (struct object_visitor){.visit = blame_object, .complain = say, .context = run};
}

/* Blames the objects of the cluster that the arguments name. */
static void blame_all_live(struct run *run, const struct operands *operands)
{
    const struct object_visitor visitor = visitor_of(run);
    struct cluster *cluster = NULL;
    run->is_live = true;
    for (int i = 0; i < operands->count; i++)
        cluster_visit_named(&cluster, &run->options->cluster, operands->items[i], &visitor);
    run->is_live = false;
    cluster_close(cluster);
}

/* If no object has the requested manager, its name is probably mistyped. */
static void say_who_is_missing(struct run *run)
{
    const char *nearest = run->nearest;
    message_say(
        "applyguard blame: no object has fields of the manager \"%s\"%s%s%s", run->options->manager,
        *nearest ? "; did you mean \"" : "", nearest, *nearest ? "\"?" : "");
    run->has_failed = true;
}

static int blame_all(struct run *run, const struct operands *operands)
{
    const struct names *files = &run->options->files;
    const struct object_visitor visitor = visitor_of(run);
    blame_all_live(run, operands);
    for (size_t i = 0; i < files->count; i++)
        each_object_in(files->items[i], run->options->is_recursive, &visitor);
    if (run->options->logs.count)
        blame_followed(run);
    if (run->print.manager.bytes && !run->has_manager && !run->has_failed)
        say_who_is_missing(run);
    return run->has_failed ? EXIT_UNREADABLE : 0;
}

/* Prints a part of the page of HTML. */
static void print_page(struct run *run, void (*append_part)(struct text *text))
{
    arena_reset(run->arena);
    struct text text = text_start(run->arena, 8192);
    append_part(&text);
    if (output_write(stdout, text_slice(&text)))
        return;
    message_say("applyguard blame: there is no memory for the page");
    run->has_failed = true;
}

static int blame_on_page(struct run *run, const struct operands *operands)
{
    print_page(run, blame_append_html_begin);
    int status = blame_all(run, operands);
    print_page(run, blame_append_html_end);
    return run->has_failed ? EXIT_UNREADABLE : status;
}

static int blame(const struct options *options, const struct operands *operands)
{
    bool is_text = options->format == OUTPUT_TEXT;
    struct policy *policy = file_load_policy(options->policy_path);
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (!arena)
        message_say_out_of_memory("blame");
    if (policy && arena) {
        struct run run = {
            .options = options,
            .policy = policy,
            .arena = arena,
            .print =
                {.columns = is_text ? terminal_columns() : 0,
                 .colour = is_text && terminal_has_colour(),
                 .now = (int64_t)time(NULL)},
        };
        if (options->manager)
            run.print.manager = slice_of(options->manager);
        status = options->format == OUTPUT_HTML ? blame_on_page(&run, operands) : blame_all(&run, operands);
        followed_release(&run.followed);
        arena = run.arena;
    }
    arena_destroy(arena);
    policy_free(policy);
    return status;
}

/* Returns 0 if the command line is valid. */
static int check_use(
    const struct command *command, const struct options *options, const struct operands *operands)
{
    if (!operands->count && !options->files.count)
        return command_misused(
            command, "KIND/NAME", "is missing: which object? Name a file with -f; \"-\" is standard input");
    if (operands->count && options->files.count)
        return command_misused(command, "use either KIND/NAME", "or -f");
    if (options->logs.count && options->format == OUTPUT_YAML)
        return command_misused(command, "--history", "works with -o text, -o json and -o html");
    return 0;
}

static int run_blame(const struct command *command, void *options, const struct operands *operands)
{
    const int status = check_use(command, options, operands);
    return status ? status : blame(options, operands);
}

static const struct flag flags[] = {
    FILES_FLAG(struct options),
    RECURSIVE_FLAG(struct options, is_recursive),
    {.name = "manager",
     .value = "NAME",
     .text = "only the fields of this field manager; with -o yaml its manifest, which applies again",
     SETS(flag_set_string, struct options, manager)},
    {.name = "history",
     .value = "FILE",
     .text = "an audit log of the API server, also rotated, packed or exported from EKS, AKS or GKE, or "
             "\"-\": who changed each field, and when; may be given several times",
     LISTS(names_flag, struct options, logs)},
    OUTPUT_FLAG(
        struct options, "text|json|yaml|html",
        "owners in a margin, one line of JSON per object, YAML with comments, or one page that loads "
        "nothing (default text)"),
    {.name = "policy",
     .value = "FILE",
     .text = "the policy file, for its classes of managers; without it the built-in policy",
     SETS(flag_set_string, struct options, policy_path)},
    CLUSTER_FLAGS(struct options),
    CLUSTER_USER_FLAG(struct options),
};

const struct command command_blame = {
    .name = "blame",
    .summary = "Show an object with the manager of each line",
    .synopsis = "[FLAG...] KIND/NAME...\n[FLAG...] -f FILE",
    .description =
        "Prints each object as YAML with the owners of each field: field manager, operation, and how long "
        "ago it last wrote. A field may have several owners. Below the object are the fields that need "
        "attention: those that no apply removes, and those that several appliers set.\n\n"
        "KIND/NAME is an object of the cluster, such as deploy/web, read through your kubectl. An object in "
        "a file needs its managedFields: kubectl get deployment web -o yaml --show-managed-fields | "
        "applyguard blame -f -. Values of Secrets are never shown.\n\n"
        "With --history the API server's audit log shows who changed each field, when, and in which order, "
        "completely if the log's level is RequestResponse. What the log does not show is unknown. The "
        "history has no values.",
    .operand = "KIND/NAME",
    .exit_status = "0, or 2 if an object, a file or the policy could not be read.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .run = run_blame,
};
