/* applyguard preview: shows the effects of an apply. */
#include "base/array_size.h"
#include "cli/commands.h"
#include "cli/field_manager.h"
#include "cli/preview_run.h"
#include "cli/shared_flags.h"
#include "commands/preview/operand.h"

/* Returns NULL if it is used rightly. */
static const char *operand_problem(const struct operands *operands)
{
    for (int i = 0; i < operands->count; i++)
        if (!cluster_is_kind_and_name(operands->items[i]))
            return "has another form than that of deployment/web; name manifests with -f";
    return NULL;
}

/* Returns NULL if the flags for pruning fit together. */
static const char *prune_problem(const struct preview_options *options)
{
    bool is_kubectl = options->applier == PREVIEW_KUBECTL || options->applier == PREVIEW_KUBECTL_SERVER;
    if (!options->prunes)
        return options->selector || options->apply_set
            ? "is missing: --selector and --applyset say what it prunes"
            : NULL;
    if (options->applier == PREVIEW_HELM)
        return "is not for Helm, which always deletes what --previous has and the chart no longer has";
    if (!options->files.count)
        return "needs the manifests: name them with -f";
    if (!options->live && !options->previous)
        return "needs the objects that may be pruned: --live with kubectl get -o yaml --show-managed-fields "
               "of them, or "
               "--previous with the former manifests";
    if (is_kubectl && !options->selector == !options->apply_set)
        return "needs --selector or --applyset for kubectl, and not both";
    if (!is_kubectl && (options->selector || options->apply_set))
        return "takes --selector and --applyset for kubectl only";
    return NULL;
}

static int run_preview(const struct command *command, int argc, char **argv)
{
    struct preview_options options = {.applier = PREVIEW_KUBECTL, .fail_on = ACTION_DENY};
    struct operands operands;
    int status;
    if (command_parse(command, argc, argv, &options, &operands, &status)) {
        const char *problem = operand_problem(&operands);
        if (!operands.count && !options.files.count)
            status = command_misused(
                command, "--filename",
                "is missing: which manifests? Name each with -f; \"-\" is standard input. KIND/NAME is a "
                "live object, to which its last apply is applied again");
        else if (problem)
            status = command_misused(command, "KIND/NAME", problem);
        else if (
            options.is_forced && (options.applier == PREVIEW_KUBECTL || options.applier == PREVIEW_ARGOCD))
            status = command_misused(
                command, "--force-conflicts",
                "is for a server-side apply: a client-side one takes them anyway");
        else if (options.previous && options.applier != PREVIEW_HELM && !options.prunes)
            status = command_misused(
                command, "--previous",
                "is for --applier helm, or with --prune: others find in the cluster what they applied "
                "before");
        else if (prune_problem(&options))
            status = command_misused(command, "--prune", prune_problem(&options));
        else if (options.selector && prune_selector_problem(slice_of(options.selector)))
            status =
                command_misused(command, "--selector", prune_selector_problem(slice_of(options.selector)));
        else
            status = preview_run(&options, &operands);
    }
    names_release(&options.files);
    names_release(&options.crds);
    requester_release(&options.requester);
    cluster_options_release(&options.cluster);
    return status;
}

static const char *set_server_side(const char *value, void *field)
{
    (void)value;
    enum preview_applier *applier = field;
    *applier = PREVIEW_KUBECTL_SERVER;
    return NULL;
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text = "manifests: a file, a directory, or \"-\" for standard input; may be given several times",
     SETS(names_flag, struct preview_options, files)},
    RECURSIVE_FLAG(struct preview_options),
    {.name = "live",
     .value = "FILE",
     .text = "the live objects with their managedFields (default those of the cluster); what is not among "
             "them would be created",
     SETS(flag_set_file, struct preview_options, live)},
    {.name = "previous",
     .value = "FILE",
     .text = "the manifest of the release before the upgrade, as helm get manifest prints it; with --applier "
             "helm, for a release that Helm upgrades client-side; with --prune, the former manifests",
     SETS(flag_set_file, struct preview_options, previous)},
    {.name = "prune",
     .text = "show also what would be deleted or left because no manifest has it any more, of the objects of "
             "--live or "
             "--previous",
     SETS(flag_set_true, struct preview_options, prunes)},
    {.name = "selector",
     .letter = 'l',
     .value = "SELECTOR",
     .text = "the labels by which kubectl apply --prune finds objects, such as app=shop",
     SETS(flag_set_string, struct preview_options, selector)},
    {.name = "applyset",
     .value = "NAME|ID",
     .text =
         "the ApplySet that kubectl apply --prune applies: the name of its Secret, or the ID in its label "
         "applyset.kubernetes.io/id",
     SETS(flag_set_string, struct preview_options, apply_set)},
    {.name = "applier",
     .value = "kubectl|kubectl-server|helm|flux|argocd",
     .text =
         "who applies, and how (default kubectl, client-side; kubectl-server is kubectl apply --server-side; "
         "helm upgrades as the object was applied before)",
     CHOOSES(struct preview_options, applier)},
    {.name = "server-side",
     .text = "the same as --applier kubectl-server",
     SETS(set_server_side, struct preview_options, applier)},
    {.name = "field-manager",
     .value = "NAME",
     .text = "the field manager that applies (default the applier's own, such as kubectl)",
     SETS(field_manager_flag, struct preview_options, manager)},
    {.name = "force-conflicts",
     .text = "take the fields of other managers that conflict",
     SETS(flag_set_true, struct preview_options, is_forced)},
    {.name = "crd",
     .value = "FILE",
     .text = "CustomResourceDefinitions of the manifests' custom resources; may be given several times",
     SETS(names_flag, struct preview_options, crds)},
    {.name = "output",
     .letter = 'o',
     .value = "text|json|diff|object",
     .text =
         "for people, one line of JSON per object, a unified diff like kubectl diff, or the object after the "
         "apply as JSON (default text)",
     CHOOSES(struct preview_options, format)},
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
        "0; 1 if a finding has the action of --fail-on or a stronger one, or the API server would refuse an "
        "apply; 2 if an input or the policy could not be read. With -o diff, as for kubectl diff: 0 if "
        "nothing differs, 1 if "
        "something does, 2 if there was an error.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .run = run_preview,
};
