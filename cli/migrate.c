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
#include "cli/framework/output.h"
#include "cli/migrate_files.h"
#include "cli/migrate_select.h"
#include "cli/shared_flags.h"
#include "commands/migrate/script.h"
#include "manifest/each_object.h"
#include "manifest/manifest.h"
#include "policy/judge.h"

#include <stdio.h>
#include <time.h>

struct options {
    struct cluster_options cluster;
    struct names files;
    bool is_recursive;
    struct names from;
    struct names fields;
    const char *selector, *release, *kustomization, *application;
    bool is_selection; /* the objects are those of a namespace or of a tool, and not named one by one */
    const char *to;
    bool is_back;
    const char *policy_path;
    enum output_format format;
};

struct run {
    const struct options *options;
    const struct migrate_request *request;
    const struct policy *policy;
    struct arena *arena; /* of one object */
    struct arena *kept;
    struct text readiness; /* of all objects, for people */
    struct text result;    /* of the first object alone */
    struct text script;    /* the steps of all objects */
    size_t found;          /* objects */
    size_t count, needed;  /* those that are shown, and that have something to migrate */
    bool has_failed;
};

/* The policy, in the sentence "The webhook refuses this patch". */
static const char *words_of_policy(const struct options *options)
{
    return options->policy_path ? "" : " under the profile strict";
}

static void append_answer(
    const struct run *run, struct text *text, const struct migrate_answer *answer, const char *prefix)
{
    migrate_append_answer(text, answer, words_of_policy(run->options), prefix);
}

static struct migrate_sending sending_of(const struct run *run)
{
    const struct cluster_options *options = &run->options->cluster;
    return (struct migrate_sending){
        .flags = cluster_flags(options, false, run->arena),
        .as = slice_of_optional(options->as),
        .as_groups = names_slices(&options->as_groups, run->arena),
        .time = (int64_t)time(NULL),
    };
}

/*
 * One object
 */

/* The result for one object alone. Returns -1 and sets the error if the command does not exist. */
static int append_result(
    struct run *run, struct text *text, const struct migration *migration,
    const struct migrate_sending *sending, const struct migrate_answer *answer, struct error *error)
{
    if (run->options->format == OUTPUT_PATCH) {
        text_append_all(text, migration->patch, "\n");
        return 0;
    }
    append_answer(run, text, answer, "# ");
    return migrate_append_command(text, migration, sending, error);
}

/* The object in the script, which is printed if there are several. */
static int append_step(
    struct run *run, const struct migration *migration, const struct migrate_sending *sending,
    const struct migrate_answer *answer, struct error *error)
{
    struct text comment = text_start(run->arena, 256);
    append_answer(run, &comment, answer, "# ");
    text_append_all(&run->script, comment.length ? "\n" : "", text_slice(&comment));
    return migrate_append_step(&run->script, migration, sending, error);
}

static int add_migration(struct run *run, const struct migration *migration, struct error *error)
{
    const struct migrate_sending sending = sending_of(run);
    struct migrate_answer answer = {0};
    struct text readiness = text_start(run->arena, 1024), shown = text_start(run->arena, 1024);
    if (migration->plan.is_needed && migrate_judge(migration, run->policy, &sending, &answer, error) < 0)
        return -1;
    if (run->request->fields.count)
        migrate_append_handover(&readiness, migration);
    else
        migrate_append_readiness(&readiness, migration);
    if (run->options->format == OUTPUT_PATCH)
        append_answer(run, &readiness, &answer, "");
    terminal_append_lines(&shown, text_slice(&readiness));
    if (run->count == 1 && append_result(run, &run->result, migration, &sending, &answer, error) < 0)
        return -1;
    if (run->options->format == OUTPUT_COMMAND && append_step(run, migration, &sending, &answer, error) < 0)
        return -1;
    text_append(&run->readiness, text_slice(&shown));
    run->needed += migration->plan.is_needed;
    bool is_whole = !arena_has_failed(run->arena) && !arena_has_failed(run->kept) && !readiness.failed;
    return is_whole ? 0 : error_set_out_of_memory(error);
}

static int add_object(struct run *run, const struct manifest_object *object, struct error *error)
{
    if (run->options->format == OUTPUT_PATCH && object->root != object->document->root)
        return error_set(error, "it holds a List, and a patch is for one object; name one as KIND/NAME");
    const struct migration *migration =
        migrate_read(object, run->request, &run->policy->managers, run->arena, error);
    if (!migration)
        return -1;
    run->found++;
    if (run->options->is_selection && !migration->plan.is_needed)
        return 0;
    run->count++;
    return add_migration(run, migration, error);
}

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    struct run *run = context;
    struct error error = {0}, named = {0};
    arena_reset(run->arena);
    if (add_object(run, object, &error) == 0)
        return;
    run->has_failed = true;
    object_error(object, false, &error, run->arena, &named);
    file_complain(path, &named);
}

static void complain(void *context, const char *path, const struct error *error)
{
    struct run *run = context;
    run->has_failed = true;
    file_complain(path, error);
}

/*
 * All objects
 */

/*
 * Without a namespace a release is that of the context's namespace; what Flux and Argo CD apply may be in any
 * namespace.
 */
static void add_selected(struct run *run, struct cluster **cluster)
{
    const struct options *options = run->options;
    const struct object_visitor visitor = {visit, complain, run};
    struct error error = {0};
    *cluster = cluster_open(&options->cluster, &error);
    if (!*cluster) {
        complain(run, "the cluster", &error);
        return;
    }
    bool is_anywhere = (options->kustomization || options->application) && !options->cluster.namespace;
    const struct migrate_selection selection = {
        .labels = slice_of_optional(options->selector),
        .namespace = is_anywhere         ? SLICE("")
            : options->cluster.namespace ? slice_of(options->cluster.namespace)
                                         : cluster_namespace(*cluster),
        .release = slice_of_optional(options->release),
        .kustomization = slice_of_optional(options->kustomization),
        .application = slice_of_optional(options->application),
    };
    migrate_each_selected(*cluster, &selection, &visitor, run->kept);
}

static void add_all(struct run *run, const struct operands *operands)
{
    const struct object_visitor visitor = {visit, complain, run};
    struct cluster *cluster = NULL;
    if (run->options->is_selection)
        add_selected(run, &cluster);
    for (int i = 0; i < operands->count; i++)
        cluster_visit_named(&cluster, &run->options->cluster, operands->items[i], &visitor);
    for (size_t i = 0; i < run->options->files.count; i++)
        each_object_in(run->options->files.items[i], run->options->is_recursive, &visitor);
    cluster_close(cluster);
}

static bool is_script(const struct run *run)
{
    return run->count > 1 || (run->count && run->options->is_selection);
}

static struct slice script_of(struct run *run)
{
    const struct migrate_sending sending = sending_of(run);
    struct text script = text_start(run->kept, run->script.length + 4096);
    migrate_append_script_begin(&script, &sending, run->needed);
    text_append(&script, text_slice(&run->script));
    migrate_append_script_end(&script);
    return text_slice(&script);
}

/* Prints nothing until all is ready: the readiness of all objects comes first. */
static int print_all(struct run *run)
{
    if (run->count > 1 && run->options->format == OUTPUT_PATCH) {
        message_say("applyguard migrate: these are several objects, and a patch is for one; -o command "
                    "prints a script");
        return EXIT_UNREADABLE;
    }
    struct slice result = is_script(run) ? script_of(run) : text_slice(&run->result);
    if (arena_has_failed(run->kept) || arena_has_failed(run->arena))
        return message_say_out_of_memory("migrate");
    if (!run->count && !run->has_failed && run->options->is_selection)
        message_say("applyguard migrate: none of the %zu selected objects has fields to migrate", run->found);
    output_write(stderr, text_slice(&run->readiness));
    output_write(stdout, result);
    return run->has_failed ? EXIT_UNREADABLE : 0;
}

/* Loads the webhook's own policy, or else the strictest one. */
static struct policy *load_policy(const struct options *options)
{
    if (options->policy_path)
        return file_load_policy(options->policy_path);
    struct policy *policy = policy_of_profile(PROFILE_STRICT);
    if (!policy)
        message_say_out_of_memory("migrate");
    return policy;
}

static int migrate_with(
    const struct options *options, const struct operands *operands, const struct policy *policy,
    struct arena *arena, struct arena *kept)
{
    /* Helm 4 moves the same fields of its older releases. */
    static const struct slice helm = SLICE_LITERAL("helm");
    const struct slice_list named = names_slices(&options->from, kept);
    const struct slice_list fields = names_slices(&options->fields, kept);
    bool is_of_helm = options->release && !named.count && !fields.count;
    const struct slice_list from = is_of_helm ? (struct slice_list){&helm, 1} : named;
    const struct migrate_request request = {
        .from = from, .to = slice_of_optional(options->to), .is_back = options->is_back, .fields = fields};
    struct run run = {
        .options = options,
        .request = &request,
        .policy = policy,
        .arena = arena,
        .kept = kept,
        .readiness = text_start(kept, 1024),
        .result = text_start(kept, 1024),
        .script = text_start(kept, 1024),
    };
    add_all(&run, operands);
    return print_all(&run);
}

static int migrate(const struct options *options, const struct operands *operands)
{
    struct policy *policy = load_policy(options);
    struct arena *arena = arena_create(), *kept = arena_create();
    int status = EXIT_UNREADABLE;
    if (!arena || !kept)
        message_say_out_of_memory("migrate");
    else if (policy)
        status = migrate_with(options, operands, policy, arena, kept);
    arena_destroy(arena);
    arena_destroy(kept);
    policy_free(policy);
    return status;
}

static int migrate_manifests(const struct options *options, const struct operands *files)
{
    struct policy *policy = load_policy(options);
    const struct migrate_files request = {
        .cluster = &options->cluster,
        .is_recursive = options->is_recursive,
        .to = options->to,
        .policy = policy,
        .under = words_of_policy(options),
    };
    int status = policy ? migrate_files(&request, files) : EXIT_UNREADABLE;
    policy_free(policy);
    return status;
}

/* A path as the API server prints it. */
static const char *set_field(const char *value, void *field)
{
    return value[0] == '.' && value[1] ? names_flag(value, field) : "is no path such as .spec.replicas";
}

static int check_selection(const struct command *command, const struct options *options, int operands)
{
    if (operands || options->files.count)
        return command_misused(
            command, "use either -l, --release, --kustomization, --application", "or KIND/NAME or -f");
    if (options->format == OUTPUT_PATCH)
        return command_misused(
            command, "-o command", "is missing: it prints a script for all selected objects");
    return 0;
}

/* Returns 0, or the exit status for wrong usage. */
static int check_use(
    const struct command *command, const struct options *options, int operands, bool are_files)
{
    if (!options->to)
        return command_misused(
            command, "--to", "is missing; name the field manager that takes over the fields");
    if (options->fields.count && options->is_back)
        return command_misused(command, "--fields", "moves to an Apply entry: use it without --back");
    if (options->is_selection)
        return check_selection(command, options, operands);
    if (!operands && !options->files.count)
        return command_misused(
            command, "KIND/NAME", "is missing: which object? Name a file with -f; \"-\" is standard input");
    if (operands && options->files.count)
        return command_misused(command, "use either KIND/NAME", "or -f");
    if (are_files && (options->is_back || options->from.count || options->fields.count))
        return command_misused(
            command, "FILE", "is for --to alone: it takes over what imperative commands own");
    if (options->format == OUTPUT_PATCH && !are_files && (operands > 1 || options->files.count > 1))
        return command_misused(
            command, operands ? "KIND/NAME" : "-f",
            "is given twice: a patch is for one object; -o command prints a script for all");
    return 0;
}

static int run_migrate(const struct command *command, void *parsed, const struct operands *operands)
{
    struct options *options = parsed;
    if (!options->to && options->is_back)
        options->to = MIGRATE_CLIENT_SIDE;
    const bool are_files = operands->count && migrate_is_file(operands->items[0]);
    options->is_selection = options->selector || options->release || options->kustomization ||
        options->application ||
        (options->cluster.namespace && options->format == OUTPUT_COMMAND && !operands->count &&
         !options->files.count);
    const int status = check_use(command, options, operands->count, are_files);
    if (status)
        return status;
    return are_files ? migrate_manifests(options, operands) : migrate(options, operands);
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text =
         "a file with the object, or \"-\" for standard input; with -o command also a directory, files with "
         "many objects, and several",
     LISTS(names_flag, struct options, files)},
    {.name = "recursive",
     .letter = 'R',
     .text = "read the directories below as well",
     SETS(flag_set_true, struct options, is_recursive)},
    {.name = "selector",
     .letter = 'l',
     .value = "SELECTOR",
     .text = "all objects in the namespace with these labels, such as app=web",
     SETS(flag_set_if_any, struct options, selector)},
    {.name = "release",
     .value = "NAME",
     .text = "all objects of a release of Helm in the namespace; without --from the fields of helm move",
     SETS(flag_set_if_any, struct options, release)},
    {.name = "kustomization",
     .value = "NAME",
     .text = "all objects of a Kustomization of Flux, in all namespaces without -n",
     SETS(flag_set_if_any, struct options, kustomization)},
    {.name = "application",
     .value = "NAME",
     .text = "all objects of an Application of Argo CD, in all namespaces without -n",
     SETS(flag_set_if_any, struct options, application)},
    {.name = "from",
     .value = "MANAGER",
     .text = "a field manager whose fields move; may be given several times (default those of kubectl apply)",
     LISTS(field_managers_flag, struct options, from)},
    {.name = "to",
     .value = "MANAGER",
     .text = "the field manager that owns them next (with --back default kubectl-client-side-apply)",
     SETS(field_manager_flag, struct options, to)},
    {.name = "back",
     .text = "from server-side back to client-side apply",
     SETS(flag_set_true, struct options, is_back)},
    {.name = "fields",
     .value = "PATH",
     .text = "move only this field and what is below it, such as .spec.replicas, from all who own it or from "
             "those of --from; may be given several times",
     LISTS(set_field, struct options, fields)},
    OUTPUT_FLAG(
        struct options, "patch|command",
        "the JSON patch, or the kubectl command that sends it; for several objects a script of these "
        "(default patch)"),
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
    .synopsis = "[FLAG...] --to MANAGER KIND/NAME...\n[FLAG...] --to MANAGER -f FILE\n[FLAG...] --to MANAGER "
                "FILE...\n[FLAG...] --to MANAGER -o command -l SELECTOR\n[FLAG...] --back KIND/NAME...",
    .description =
        "Prints a JSON patch that hands the fields of some field managers over to another one, and writes "
        "nothing itself. Without --back Update entries of managedFields become the Apply entry of --to, as "
        "kubectl apply --server-side does it: then the next server-side apply removes what the manifest "
        "drops. With --back Apply entries become an Update entry. Standard error says what the next apply "
        "does to which fields.\n\n"
        "Without --from the fields of kubectl move: those of kubectl-client-side-apply, and of any other "
        "manager that wrote the last-applied annotation; with --back those of kubectl and "
        "kubectl-last-applied. The patch names the resourceVersion, so the API server refuses it if the "
        "object has changed meanwhile.\n\n"
        "For several objects, by name, file, namespace, label or tool, -o command prints a script, and the "
        "readiness of all on standard error first. The script can be run again after a failure: it skips "
        "objects that are done.\n\n"
        "With FILE, which has manifests, it prints the commands by which objects of imperative commands, "
        "such as kubectl create and kubectl edit, become declarative: the patches, and the first "
        "server-side apply. Standard error says what that apply changes.\n\n"
        "An object in a file needs its managedFields: kubectl get deployment web -o yaml "
        "--show-managed-fields | applyguard migrate --to kubectl -f -.",
    .operand = "KIND/NAME",
    .exit_status =
        "0, also if there is nothing to migrate, or 2 if the object or the policy could not be read.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct options, .format = OUTPUT_PATCH),
    .run = run_migrate,
};
