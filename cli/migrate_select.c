#include "cli/migrate_select.h"

#include "kubectl/discovery.h"

#include <stdlib.h>

struct search {
    struct cluster *cluster;
    const struct migrate_selection *selection;
    const struct object_visitor *visitor;
    struct arena *arena;
};

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    const struct search *search = context;
    if (migrate_selects(search->selection, object))
        search->visitor->visit(search->visitor->context, path, object);
}

static void complain(void *context, const char *path, const struct error *error)
{
    const struct search *search = context;
    search->visitor->complain(search->visitor->context, path, error);
}

/* Events are records, which no tool applies. */
static bool is_listed(const struct migrate_selection *selection, const struct discovered_kind *kind)
{
    bool is_of_tool =
        selection->release.length || selection->kustomization.length || selection->application.length;
    return (kind->is_namespaced || is_of_tool) && !slice_equal(kind->kind, SLICE("Event"));
}

static void list_kind(struct search *search, const struct discovered_kind *kind)
{
    const struct cluster_object object = {
        .api_version = kind->api_version,
        .kind = kind->kind,
        .namespace = kind->is_namespaced ? search->selection->namespace : SLICE(""),
    };
    const struct object_visitor visitor = {visit, complain, search};
    struct file_content content = {0};
    struct error error = {0};
    const char *plural = text_join_string(search->arena, kind->plural), *source = plural ? plural : "";
    struct slice selector = migrate_list_selector(search->selection, search->arena);
    enum cluster_found found = cluster_list_objects(search->cluster, &object, selector, &content, &error);
    if (found == CLUSTER_FAILED)
        complain(search, source, &error);
    if (found != CLUSTER_FOUND)
        return;
    struct slice json = file_slice(&content);
    each_object_of(source, manifest_read_slice, &json, &visitor);
    free(content.bytes);
}

void migrate_each_selected(
    struct cluster *cluster, const struct migrate_selection *selection, const struct object_visitor *visitor,
    struct arena *arena)
{
    struct search search = {cluster, selection, visitor, arena};
    struct discovery discovery = {.arena = arena, .complain = complain, .context = &search};
    struct error error = {0};
    if (discovery_read(&discovery, cluster, &error) < 0) {
        complain(&search, "the cluster", &error);
        return;
    }
    for (size_t i = 0; i < discovery.count; i++) {
        if (is_listed(selection, &discovery.kinds[i]))
            list_kind(&search, &discovery.kinds[i]);
    }
}
