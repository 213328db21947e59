/* applyguard migrate: prints the patch that hands an object's fields over to another field manager. */
#include "commands/migrate/migrate.h"

#include "base/array_size.h"
#include "base/names.h"
#include "base/terminal.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/field_manager.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "manifest/manifest.h"
#include "policy/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum format { FORMAT_PATCH, FORMAT_COMMAND };

struct options {
    struct cluster_options cluster;
    struct names files;
    struct names from;
    const char *to;
    bool is_back;
    const char *policy_path;
    enum format format;
};

struct run {
    const struct options *options;
    const struct migrate_request *request;
    const struct policy *policy;
    struct arena *arena;
    const char *source; /* the file, or KIND/NAME */
};

static void print(FILE *out, struct slice text)
{
    fwrite(text.bytes, 1, text.length, out);
}

/* Appends each line of a text behind a prefix. */
static void append_lines(struct text *text, const char *prefix, struct slice lines)
{
    while (lines.length) {
        size_t length = slice_find(lines, '\n');
        text_append_string(text, prefix);
        text_append(text, slice_until(lines, length));
        text_append_string(text, "\n");
        lines = slice_from(lines, length + 1);
    }
}

static void append_refused(struct run *run, struct text *text, const char *prefix, const char *end)
{
    text_append_string(text, prefix);
    text_append_string(text, "The webhook refuses this patch");
    text_append_string(text, run->options->policy_path ? "" : " under the profile strict");
    text_append_string(text, end);
}

/* Appends the policy's findings, each line behind a prefix. */
static void append_answer(
    struct run *run, struct text *text, const struct migrate_answer *answer, const char *prefix)
{
    if (answer->moves.length) {
        append_refused(run, text, prefix, ", unless its policy says:\n");
        append_lines(text, prefix, answer->moves);
    }
    if (answer->refusals.length) {
        append_refused(run, text, prefix, ":\n");
        append_lines(text, prefix, answer->refusals);
    }
}

static struct slice_list groups_of(const struct run *run)
{
    const struct names *names = &run->options->cluster.as_groups;
    struct slice *items = arena_allocate_array(run->arena, names->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < names->count; i++)
        items[i] = slice_of(names->items[i]);
    return (struct slice_list){items, items ? names->count : 0};
}

static struct slice optional(const char *text)
{
    return text ? slice_of(text) : (struct slice){"", 0};
}

static struct migrate_sending sending_of(const struct run *run)
{
    const struct cluster_options *options = &run->options->cluster;
    return (struct migrate_sending){
        .flags = cluster_flags(options, false, run->arena),
        .as = optional(options->as),
        .as_groups = groups_of(run),
        .time = (int64_t)time(NULL),
    };
}

/* Returns -1 and sets the error if the command does not exist. */
static int append_result(
    struct run *run, struct text *text, const struct migration *migration,
    const struct migrate_sending *sending, struct error *error)
{
    if (run->options->format == FORMAT_COMMAND)
        return migrate_append_command(text, migration, sending, error);
    text_append(text, migration->patch);
    text_append_string(text, "\n");
    return 0;
}

/* Prints nothing until the whole answer is ready. */
static int answer_object(struct run *run, const struct manifest_object *object, struct error *error)
{
    const struct migration *migration = NULL;
    const struct migrate_sending sending = sending_of(run);
    struct migrate_answer answer = {{"", 0}, {"", 0}};
    if (migrate_read(object, run->request, &run->policy->managers, run->arena, &migration, error) < 0)
        return -1;
    if (migration->plan.is_needed &&
        migrate_judge(migration, object, run->policy, &sending, run->arena, &answer, error) < 0)
        return -1;
    struct text result = text_start(run->arena, migration->patch.length + 1024);
    struct text readiness = text_start(run->arena, 1024);
    migrate_append_readiness(&readiness, migration);
    bool is_command = run->options->format == FORMAT_COMMAND;
    append_answer(run, is_command ? &result : &readiness, &answer, is_command ? "# " : "");
    if (append_result(run, &result, migration, &sending, error) < 0)
        return -1;
    struct text shown = text_start(run->arena, readiness.length);
    terminal_append_lines(&shown, text_slice(&readiness));
    if (result.failed || shown.failed || readiness.failed || arena_has_failed(run->arena))
        return error_set_out_of_memory(error);
    print(stderr, text_slice(&shown));
    print(stdout, (struct slice){result.bytes, result.length});
    return 0;
}

/* Reads exactly one object: a patch is for one. */
static int read_only_object(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error)
{
    enum manifest_result result = manifest_next(reader, object, error);
    if (result == MANIFEST_ERROR)
        return -1;
    if (result == MANIFEST_END)
        return error_set(error, "it holds no object");
    if (object->root != object->document->root)
        return error_set(error, "it holds a List, and a patch is for one object; name one as KIND/NAME");
    return 0;
}

static int has_no_more(struct manifest_reader *reader, struct error *error)
{
    struct manifest_object object;
    enum manifest_result result = manifest_next(reader, &object, error);
    if (result == MANIFEST_OBJECT)
        return error_set(error, "it holds several objects, and a patch is for one");
    return result == MANIFEST_END ? 0 : -1;
}

/* Counts the objects before anything is printed. */
static int check_count(struct slice text, struct error *error)
{
    struct manifest_object object;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    int result = -1;
    if (!reader)
        return error_set_out_of_memory(error);
    if (read_only_object(reader, &object, error) == 0)
        result = has_no_more(reader, error);
    manifest_close(reader);
    return result;
}

static int migrate_text(struct run *run, struct slice text, struct error *error)
{
    struct manifest_object object;
    if (check_count(text, error) < 0)
        return -1;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    if (!reader)
        return error_set_out_of_memory(error);
    int result = read_only_object(reader, &object, error);
    if (result == 0)
        result = answer_object(run, &object, error);
    manifest_close(reader);
    return result;
}

static int migrate_file(struct run *run, struct error *error)
{
    struct file_content content;
    if (file_read(run->source, MANIFEST_DOCUMENT_BYTES_MAX, &content, error) < 0)
        return -1;
    int result = migrate_text(run, (struct slice){content.bytes, content.length}, error);
    free(content.bytes);
    return result;
}

static int migrate_live(struct run *run, struct error *error)
{
    struct file_content content = {0};
    struct cluster *cluster = NULL;
    int result = cluster_read_named(&cluster, &run->options->cluster, run->source, &content, error);
    if (result == 0)
        result = migrate_text(run, (struct slice){content.bytes, content.length}, error);
    free(content.bytes);
    cluster_close(cluster);
    return result;
}

/* Loads the webhook's own policy, or else the strictest one. */
static struct policy *load_policy(const struct options *options)
{
    struct error error;
    if (options->policy_path)
        return file_load_policy(options->policy_path);
    struct policy *policy =
        policy_load(SLICE("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"), &error);
    if (!policy)
        message_say("applyguard migrate: %s", error.message);
    return policy;
}

static int migrate(const struct options *options, const struct operands *operands)
{
    struct policy *policy = load_policy(options);
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (!arena)
        message_say_out_of_memory("migrate");
    if (policy && arena) {
        struct error error = {0};
        struct slice *from = arena_allocate_array(arena, options->from.count + 1, sizeof(*from));
        for (size_t i = 0; from && i < options->from.count; i++)
            from[i] = slice_of(options->from.items[i]);
        const struct migrate_request request = {
            .from = from,
            .from_count = options->from.count,
            .to = slice_of(options->to),
            .is_back = options->is_back};
        struct run run = {
            .options = options,
            .request = &request,
            .policy = policy,
            .arena = arena,
            .source = operands->count ? operands->items[0] : options->files.items[0],
        };
        int result = !from    ? error_set_out_of_memory(&error)
            : operands->count ? migrate_live(&run, &error)
                              : migrate_file(&run, &error);
        if (result < 0)
            file_complain(run.source, &error);
        status = result < 0 ? EXIT_UNREADABLE : 0;
    }
    arena_destroy(arena);
    policy_free(policy);
    return status;
}

/* Returns 0, or the exit status for wrong usage. */
static int check_use(const struct command *command, const struct options *options, int operands)
{
    if (!options->to)
        return command_misused(
            command, "--to", "is missing; name the field manager that takes over the fields");
    if (!operands && !options->files.count)
        return command_misused(
            command, "KIND/NAME", "is missing: which object? Name a file with -f; \"-\" is standard input");
    if (operands && options->files.count)
        return command_misused(command, "use either KIND/NAME", "or -f");
    if (operands > 1 || options->files.count > 1)
        return command_misused(
            command, operands ? "KIND/NAME" : "-f", "is given twice: a patch is for one object");
    return 0;
}

static int run_migrate(const struct command *command, int argc, char **argv)
{
    struct options options = {.format = FORMAT_PATCH};
    struct operands operands;
    int status;
    if (command_parse(command, argc, argv, &options, &operands, &status)) {
        if (!options.to && options.is_back)
            options.to = MIGRATE_CLIENT_SIDE;
        status = check_use(command, &options, operands.count);
        if (!status)
            status = migrate(&options, &operands);
    }
    names_release(&options.files);
    names_release(&options.from);
    cluster_options_release(&options.cluster);
    return status;
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text = "a file with the object, or \"-\" for standard input",
     SETS(names_flag, struct options, files)},
    {.name = "from",
     .value = "MANAGER",
     .text = "a field manager whose fields move; may be given several times (default those of kubectl apply)",
     SETS(field_managers_flag, struct options, from)},
    {.name = "to",
     .value = "MANAGER",
     .text = "the field manager that owns them next (with --back default kubectl-client-side-apply)",
     SETS(field_manager_flag, struct options, to)},
    {.name = "back",
     .text = "from server-side back to client-side apply",
     SETS(flag_set_true, struct options, is_back)},
    {.name = "output",
     .letter = 'o',
     .value = "patch|command",
     .text = "the JSON patch, or the kubectl command that sends it (default patch)",
     CHOOSES(struct options, format)},
    {.name = "policy",
     .value = "FILE",
     .text = "the webhook's policy file; without it the profile strict",
     SETS(flag_set_string, struct options, policy_path)},
    CLUSTER_FLAGS(struct options),
    CLUSTER_USER_FLAG(struct options),
};

const struct command command_migrate = {
    .name = "migrate",
    .summary = "Print the patch from client-side to server-side apply, or back",
    .synopsis =
        "[FLAG...] --to MANAGER KIND/NAME\n[FLAG...] --to MANAGER -f FILE\n[FLAG...] --back KIND/NAME",
    .description =
        "Prints a JSON patch that hands the fields of some field managers over to another one, and writes "
        "nothing itself. Without --back Update entries of managedFields become the Apply entry of --to, as "
        "kubectl apply --server-side does it: then the next server-side apply removes what the manifest "
        "drops. With --back Apply entries become an Update entry. Standard error says what the next apply "
        "does to which fields.\n\n"
        "Without --from the fields of kubectl move: those of kubectl-client-side-apply, and of whoever else "
        "wrote the last-applied annotation; with --back those of kubectl and kubectl-last-applied. The patch "
        "names the resourceVersion, so the API server refuses it if the object has changed meanwhile.\n\n"
        "An object in a file needs its managedFields: kubectl get deployment web -o yaml "
        "--show-managed-fields | applyguard migrate --to kubectl -f -.",
    .operand = "KIND/NAME",
    .exit_status =
        "0, also if there is nothing to migrate, or 2 if the object or the policy could not be read.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .run = run_migrate,
};
