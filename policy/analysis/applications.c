#include "policy/analysis/applications.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/split.h"
#include "policy/fieldset/fields.h"

#define ARGOCD_TRACKING "argocd.argoproj.io/tracking-id"

/* Where a tool writes the name; the first mark that the object has decides. */
struct mark {
    enum tool tool;
    const char *kind;
    bool is_label;
    bool is_shared; /* other tools write the label, too: it counts if no other manager owns it */
    struct slice name, namespace;
};

static const struct mark marks[] = {
    {TOOL_HELM, "release", false, false, SLICE_LITERAL("meta.helm.sh/release-name"),
     SLICE_LITERAL("meta.helm.sh/release-namespace")},
    {TOOL_HELM_CONTROLLER, "HelmRelease", true, false, SLICE_LITERAL("helm.toolkit.fluxcd.io/name"),
     SLICE_LITERAL("helm.toolkit.fluxcd.io/namespace")},
    {TOOL_FLUX, "Kustomization", true, false, SLICE_LITERAL("kustomize.toolkit.fluxcd.io/name"),
     SLICE_LITERAL("kustomize.toolkit.fluxcd.io/namespace")},
    {TOOL_ARGOCD, "Application", false, false, SLICE_LITERAL(ARGOCD_TRACKING), SLICE_LITERAL("")},
    {TOOL_ARGOCD, "Application", true, true, SLICE_LITERAL("argocd.argoproj.io/instance"), SLICE_LITERAL("")},
    {TOOL_ARGOCD, "Application", true, true, SLICE_LITERAL("app.kubernetes.io/instance"), SLICE_LITERAL("")},
    {TOOL_KAPP, "app label", true, false, SLICE_LITERAL("kapp.k14s.io/app"), SLICE_LITERAL("")},
    {TOOL_KLUCTL, "discriminator", true, false, SLICE_LITERAL("kluctl.io/discriminator"), SLICE_LITERAL("")},
};

static bool owns(const struct managed_fields_entry *entry, const struct mark *mark)
{
    yyjson_val *metadata = fields_child(entry_fields(entry), SLICE("metadata"));
    yyjson_val *map = fields_child(metadata, mark->is_label ? SLICE("labels") : SLICE("annotations"));
    return fields_child(map, mark->name) != NULL;
}

static bool others_own(
    const struct review *review, const struct managed_fields_entry *entry, const struct mark *mark)
{
    const struct managed_fields *side = &review->ownership.after;
    for (size_t i = 0; i < side->count; i++)
        if (&side->entries[i] != entry && owns(&side->entries[i], mark))
            return true;
    return false;
}

/*
 * APPLICATION:GROUP/KIND:NAMESPACE/NAME, where the application may be NAMESPACE_NAME. An object that was
 * copied with its annotations names another one.
 */
static bool read_tracking_id(const struct review *review, struct slice value, struct application *application)
{
    struct slice rest = value;
    struct slice name = split_next(&rest, ':');
    split_next(&rest, ':');
    split_next(&rest, '/');
    struct slice after = name;
    struct slice space = split_next(&after, '_');
    bool has_namespace = space.length < name.length;
    application->name = has_namespace ? after : name;
    application->namespace = has_namespace ? space : SLICE("");
    return slice_equal(rest, review->name);
}

static bool read_mark(const struct review *review, const struct mark *mark, struct application *application)
{
    const struct metadata *metadata = &review->parts.metadata;
    yyjson_val *map = mark->is_label ? metadata->labels : metadata->annotations;
    struct slice name = json_text(json_member(map, mark->name));
    *application = (struct application){.kind = mark->kind, .namespace = SLICE(""), .name = name};
    if (mark->namespace.length)
        application->namespace = json_text(json_member(map, mark->namespace));
    if (slice_equal(mark->name, SLICE(ARGOCD_TRACKING)) && !read_tracking_id(review, name, application))
        return false;
    return application->name.length > 0;
}

bool application_find(
    const struct review *review, const struct managed_fields_entry *entry, struct application *application)
{
    enum tool tool = manager_tool(entry->manager.name);
    for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
        const struct mark *mark = &marks[i];
        if (mark->tool == tool && owns(entry, mark) &&
            !(mark->is_shared && others_own(review, entry, mark)) && read_mark(review, mark, application))
            return true;
    }
    return false;
}
