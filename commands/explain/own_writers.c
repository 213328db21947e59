#include "commands/explain/own_writers.h"

#include "base/array_size.h"
#include "base/find.h"

#include <stddef.h>
#include <string.h>

const struct own_writer own_writer_client_side = {
    .name = "kubectl apply",
    .event = "the next kubectl apply undoes",
    .source = "MANIFEST",
    .apply = "kubectl apply -f MANIFEST",
};

/* A row whose event contains the event of another row comes first. */
static const struct own_writer writers[] = {
    {
        .name = "kubectl apply --server-side",
        .source = "MANIFEST",
        .apply = "kubectl apply --server-side -f MANIFEST",
        .force = "kubectl apply --server-side --force-conflicts -f MANIFEST",
        .preview = "applyguard preview --server-side -f MANIFEST",
    },
    {
        .name = "Flux's Helm controller",
        .event = "Flux undoes this at the next Helm upgrade",
        .source = "the values of the HelmRelease",
        .apply = "flux reconcile helmrelease NAME -n NAMESPACE",
        .suspend = "flux suspend helmrelease NAME -n NAMESPACE",
        .resume = "flux resume helmrelease NAME -n NAMESPACE",
    },
    {
        .name = "Helm",
        .event = "the next helm upgrade",
        .source = "the chart",
        .apply = "helm upgrade --install RELEASE CHART",
        .force = "helm upgrade --install RELEASE CHART --force-conflicts",
        .force_edit = "if Helm applies server-side (Helm 4)",
        .preview = "helm template RELEASE CHART --no-hooks | applyguard preview --applier helm -f -",
    },
    {
        .name = "Flux Operator",
        .event = "Flux Operator undoes",
        .source = "its ResourceSet or FluxInstance",
        .apply =
            "kubectl annotate resourceset NAME -n NAMESPACE reconcile.fluxcd.io/requestedAt=now --overwrite",
    },
    {
        .name = "Flux",
        .event = "Flux undoes",
        .source = "Git",
        .apply = "flux reconcile kustomization NAME -n NAMESPACE --with-source",
        .suspend = "flux suspend kustomization NAME -n NAMESPACE",
        .resume = "flux resume kustomization NAME -n NAMESPACE",
        .preview = "applyguard preview --applier flux -f MANIFEST",
    },
    {
        .name = "Argo CD",
        .event = "Argo CD undoes",
        .source = "Git",
        .apply = "argocd app sync NAME",
        .preview = "applyguard preview --applier argocd -f MANIFEST",
    },
    {.name = "Config Sync", .event = "Config Sync undoes", .source = "Git", .apply = "git push"},
    {
        .name = "Timoni",
        .event = "Timoni undoes",
        .source = "the module or its values",
        .apply = "timoni apply NAME MODULE -n NAMESPACE",
    },
    {
        .name = "Terraform",
        .event = "the next terraform apply",
        .source = "the Terraform configuration",
        .apply = "terraform apply",
    },
    {
        .name = "Pulumi",
        .event = "the next pulumi up",
        .source = "the Pulumi program",
        .apply = "pulumi up",
    },
    {
        .name = "Kluctl",
        .event = "the next kluctl deploy",
        .source = "the Kluctl project",
        .apply = "kluctl deploy",
        .force = "kluctl deploy --force-apply",
    },
    {
        .name = "kapp",
        .event = "the next kapp deploy",
        .source = "MANIFEST",
        .apply = "kapp deploy -a NAME -f MANIFEST",
    },
    {.name = "werf", .event = "the next werf converge", .source = "the chart", .apply = "werf converge"},
};

/* "Flux (status)" is Flux, and "Flux Operator" is another tool. */
static bool is_named(struct slice name, const struct own_writer *writer)
{
    struct slice rest = slice_from(name, strlen(writer->name));
    return slice_starts_with(name, slice_of(writer->name)) &&
        (!rest.length || slice_starts_with(rest, SLICE(" (")));
}

const struct own_writer *own_writer_find(struct slice name)
{
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++)
        if (is_named(name, &writers[i]))
            return &writers[i];
    return is_named(name, &own_writer_client_side) ? &own_writer_client_side : NULL;
}

const struct own_writer *own_writer_that_undoes(struct slice message)
{
    for (size_t i = 0; i < ARRAY_SIZE(writers); i++)
        if (writers[i].event && slice_contains_text(message, slice_of(writers[i].event)))
            return &writers[i];
    return slice_contains_text(message, slice_of(own_writer_client_side.event)) ? &own_writer_client_side
                                                                                : NULL;
}
