/* applyguard preview: shows the effects of an apply. */
#include "commands/preview/preview.h"
#include "base/array_size.h"
#include "base/terminal_output.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/field_manager.h"
#include "cli/file.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "cli/requester.h"
#include "cli/shared_flags.h"
#include "commands/preview/prune.h"
#include "commands/preview/request.h"

#include <time.h>

struct preview_options {
    struct preview_request request;
    struct cluster_options cluster;
    struct requester requester;
    const char *policy_path;
    enum output_format format;
    enum action fail_on;
};

/* The output of a run. */
struct preview_output {
    const struct preview_options *options;
    struct arena *arena; /* for the text of one object */
    size_t printed;
    bool has_colour;
    bool has_found; /* a finding reaches --fail-on, or the API server refuses an object */
};

/* A diff fails if it has lines; policyAction is the action that the policy alone would take. */
static bool is_failure(const struct preview_options *options, const struct preview *preview)
{
    const struct verdict *verdict = preview->verdict;
    if (options->format == OUTPUT_DIFF)
        return (preview->after || preview->dropped) && !preview_is_same(preview);
    bool is_failure = preview->is_refused;
    for (size_t i = 0; verdict && i < verdict->finding_count; i++)
        is_failure |= verdict->findings[i].policy_action >= options->fail_on;
    return is_failure;
}

static void append(struct text *text, const struct preview *preview, const struct preview_output *output)
{
    const enum output_format format = output->options->format;
    if (format == OUTPUT_JSON)
        preview_append_json(text, preview);
    else if (format == OUTPUT_DIFF)
        preview_append_diff(text, preview, output->has_colour);
    else if (format == OUTPUT_OBJECT)
        preview_append_object(text, preview);
    else
        preview_append_text(text, preview, output->has_colour);
}

static int print(void *context, const struct preview *preview, struct error *error)
{
    struct preview_output *output = context;
    const enum output_format format = output->options->format;
    const bool is_printable = preview->after || format == OUTPUT_TEXT || format == OUTPUT_JSON;
    if (!is_printable && !preview->dropped)
        return error_set(
            error, "%.*s", (int)preview->refused.items[0].length, preview->refused.items[0].bytes);
    output->has_found |= is_failure(output->options, preview);
    if (format == OUTPUT_OBJECT && !preview->after)
        return 0;
    if (format == OUTPUT_TEXT || format == OUTPUT_DIFF)
        terminal_begin_pager();
    arena_reset(output->arena);
    struct text text = text_start(output->arena, 4096);
    append(&text, preview, output);
    if (output->printed++ && format == OUTPUT_TEXT)
        fputs("\n", stdout);
    return output_write(stdout, text_slice(&text)) ? 0 : error_set_out_of_memory(error);
}

static void complain(void *context, const char *path, const struct error *error)
{
    (void)context;
    file_complain(path, error);
}

static struct cluster *open_cluster(void *context, struct error *error)
{
    const struct preview_output *output = context;
    return cluster_open(&output->options->cluster, error);
}

/* Returns the exit status. `arena` is for the run. */
static int preview_all(struct preview_options *options, struct preview_output *output, struct arena *arena)
{
    const struct preview_caller caller = {open_cluster, print, complain, output};
    struct policy *policy = file_load_policy(options->policy_path);
    if (!policy)
        return EXIT_UNREADABLE;
    options->request.policy = policy;
    options->request.namespace = options->cluster.namespace;
    options->request.user = options->requester.user;
    options->request.groups = names_slices(&options->requester.groups, arena);
    options->request.now = (int64_t)time(NULL);
    warn_unmatchable_overrides(&options->requester, policy, "preview");
    int result = arena_has_failed(arena) ? -1 : preview_run(&options->request, &caller, arena);
    policy_free(policy);
    return result < 0 ? EXIT_UNREADABLE : output->has_found ? EXIT_DENIED : 0;
}

static int run(struct preview_options *options)
{
    struct preview_output output = {
        .options = options,
        .arena = arena_create(),
        .has_colour = terminal_has_colour(),
    };
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (output.arena && arena)
        status = preview_all(options, &output, arena);
    if (!output.arena || !arena || arena_has_failed(arena))
        message_say_out_of_memory("preview");
    arena_destroy(output.arena);
    arena_destroy(arena);
    return status;
}

/* Returns the first operand that is of another form than KIND/NAME, or NULL. */
static const char *wrong_operand(const struct preview_request *request)
{
    for (size_t i = 0; i < request->operand_count; i++)
        if (!cluster_is_kind_and_name(request->operands[i]))
            return request->operands[i];
    return NULL;
}

/* Returns NULL if the flags for pruning fit together. */
static const char *prune_problem(const struct preview_request *request)
{
    bool is_kubectl = request->applier == APPLY_KUBECTL || request->applier == APPLY_KUBECTL_SERVER;
    if (!request->prunes)
        return request->selector || request->apply_set
            ? "is missing: --selector and --applyset say what it prunes"
            : NULL;
    if (!request->files.count)
        return "needs the manifests: name them with -f";
    if (request->applier == APPLY_HELM && !request->previous)
        return "needs --previous for Helm: the manifest of the release, as helm get manifest prints it";
    if (is_kubectl && request->selector && request->apply_set)
        return "takes --selector or --applyset, and not both";
    if (is_kubectl && !request->selector && !request->apply_set && !request->previous)
        return "needs --selector, --applyset or --previous for kubectl: which objects may it delete?";
    if (!is_kubectl && (request->selector || request->apply_set))
        return "takes --selector and --applyset for kubectl only";
    return NULL;
}

static int run_preview(const struct command *command, void *parsed, const struct operands *operands)
{
    struct preview_options *options = parsed;
    struct preview_request *request = &options->request;
    request->operands = (const char *const *)operands->items;
    request->operand_count = (size_t)operands->count;
    if (!operands->count && !request->files.count)
        return command_misused(
            command, "--filename",
            "is missing: which manifests? Name each with -f; \"-\" is standard input. KIND/NAME is a "
            "live object, to which its last apply is applied again");
    if (wrong_operand(request))
        return command_misused(
            command, wrong_operand(request),
            "is not KIND/NAME, such as deployment/web; name manifests with -f");
    if (request->is_forced && (request->applier == APPLY_KUBECTL || request->applier == APPLY_ARGOCD))
        return command_misused(
            command, "--force-conflicts", "is for a server-side apply: a client-side one takes them anyway");
    if (request->previous && request->applier != APPLY_HELM && !request->prunes)
        return command_misused(
            command, "--previous",
            "is for --applier helm, or with --prune: others find in the cluster what they applied before");
    if (prune_problem(request))
        return command_misused(command, "--prune", prune_problem(request));
    if (request->selector && prune_selector_problem(slice_of(request->selector)))
        return command_misused(command, "--selector", prune_selector_problem(slice_of(request->selector)));
    return run(options);
}

static const char *set_server_side(const char *value, void *field)
{
    (void)value;
    enum apply_tool *applier = field;
    *applier = APPLY_KUBECTL_SERVER;
    return NULL;
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text = "manifests: a file, a directory, or \"-\" for standard input; may be given several times",
     LISTS(names_flag, struct preview_options, request.files)},
    RECURSIVE_FLAG(struct preview_options, request.is_recursive),
    {.name = "live",
     .value = "FILE",
     .text = "the live objects with their managedFields (default those of the cluster); what is not among "
             "them would be created",
     SETS(flag_set_file, struct preview_options, request.live)},
    {.name = "previous",
     .value = "FILE",
     .text = "the manifest of the release before the upgrade, as helm get manifest prints it; with --applier "
             "helm, for a release that Helm upgrades client-side; with --prune, the former manifests",
     SETS(flag_set_file, struct preview_options, request.previous)},
    {.name = "prune",
     .text = "show also what would be deleted or left because no manifest has it any more, of the objects of "
             "the cluster, of --live or of --previous",
     SETS(flag_set_true, struct preview_options, request.prunes)},
    {.name = "selector",
     .letter = 'l',
     .value = "SELECTOR",
     .text = "the labels by which kubectl apply --prune finds objects, such as app=shop",
     SETS(flag_set_string, struct preview_options, request.selector)},
    {.name = "applyset",
     .value = "NAME|ID",
     .text =
         "the ApplySet that kubectl apply --prune applies: the name of its Secret, or the ID in its label "
         "applyset.kubernetes.io/id",
     SETS(flag_set_string, struct preview_options, request.apply_set)},
    {.name = "applier",
     .value = "kubectl|kubectl-server|helm|flux|argocd",
     .text =
         "who applies, and how (default kubectl, client-side; kubectl-server is kubectl apply --server-side; "
         "helm upgrades as the object was applied before)",
     CHOOSES(struct preview_options, request.applier)},
    {.name = "server-side",
     .text = "the same as --applier kubectl-server",
     SETS(set_server_side, struct preview_options, request.applier)},
    {.name = "field-manager",
     .value = "NAME",
     .text = "the field manager that applies (default the applier's own, such as kubectl)",
     SETS(field_manager_flag, struct preview_options, request.manager)},
    {.name = "force-conflicts",
     .text = "take the fields of other managers that conflict",
     SETS(flag_set_true, struct preview_options, request.is_forced)},
    {.name = "crd",
     .value = "FILE",
     .text = "CustomResourceDefinitions of the manifests' custom resources; may be given several times",
     LISTS(names_flag, struct preview_options, request.crds)},
    OUTPUT_FLAG(
        struct preview_options, "text|json|diff|object",
        "for people, one line of JSON per object, a unified diff like kubectl diff, or the object after the "
        "apply as JSON (default text)"),
    POLICY_FLAG(struct preview_options),
    REQUESTER_FLAGS(struct preview_options),
    FAIL_ON_FLAG(struct preview_options),
    CLUSTER_FLAGS(struct preview_options),
};

const struct command command_preview = {
    .name = "preview",
    .summary = "Show what an apply would do",
    .synopsis = "[FLAG...] -f MANIFEST [KIND/NAME...]\n[FLAG...] KIND/NAME...",
    .description =
        "Shows what an apply would do to each object of the manifests: which fields it sets, changes and "
        "removes, which stay although the manifest no longer has them, and who keeps them, which conflict "
        "with whom, which other appliers put back, and what the policy says. Nothing is sent.\n\n"
        "The live objects are those of the cluster, or of --live, as kubectl get -o yaml "
        "--show-managed-fields prints them.\n\n"
        "KIND/NAME, such as deploy/web, takes only this object of the manifests. Without -f the manifest "
        "comes from the live object: from the last-applied annotation, or, for a manager that applies "
        "server-side, from the fields that it still owns. So it shows what the next apply of the same "
        "manifest sets back.",
    .operand = "KIND/NAME",
    .exit_status =
        "0; 1 if a finding has the action of --fail-on or a stronger one, or the API server would refuse "
        "an apply; 2 if an input or the policy could not be read. With -o diff, as for kubectl diff: 0 if "
        "nothing differs, 1 if something does, 2 if there was an error.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    DEFAULTS(struct preview_options, .request.applier = APPLY_KUBECTL, .fail_on = ACTION_DENY),
    .run = run_preview,
};
