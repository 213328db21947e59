/*
 * Describes which fields go to the new manager, and what to do next.
 */
#include "commands/migrate/migrate.h"
#include "policy/managers.h"

/* The limit of listed fields. */
#define LISTED_MAX 10

struct list {
    struct text *text;
    size_t count;
};

static void list_field(void *context, const struct path *path)
{
    struct list *list = context;
    if (list->count++ >= LISTED_MAX)
        return;
    text_append_string(list->text, "  ");
    path_append(list->text, path);
    text_append_string(list->text, "\n");
}

static void append_manager(struct text *text, const struct manager *manager)
{
    text_append_all(
        text, as_printable(manager->name), manager->operation == MANAGER_APPLY ? " (Apply)" : " (Update)");
}

static void append_losers(struct text *text, const struct plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (!plan->entries[i].lost)
            continue;
        text_append_string(text, count++ ? ", " : "");
        append_manager(text, &plan->entries[i].before->manager);
    }
}

/* Helm 3 compares the chart with its last release, which no patch of the object changes. */
static bool is_of_helm(const struct plan *plan)
{
    bool is_found = false;
    for (size_t i = 0; i < plan->count; i++) {
        const struct manager *manager = &plan->entries[i].before->manager;
        is_found |= plan->entries[i].lost && manager->operation == MANAGER_UPDATE &&
            manager_tool(manager->name) == TOOL_HELM;
    }
    return is_found;
}

/* A manager with an entry of its own may apply a manifest: then what that lacks is removed. */
static void append_manifests(struct text *text, const struct plan *plan)
{
    if (plan->is_new) {
        text_append_string(text, "Next, remove it from what ");
        append_losers(text, plan);
        text_append_string(
            text,
            " applies: an apply without it keeps the value, and one with it conflicts as soon as another "
            "manager changes the value.\n");
        return;
    }
    text_append_all(
        text, "Next, keep it in what ", as_printable(plan->request->to),
        " applies: an apply without it removes it. Remove it from every other manifest: an apply with it "
        "owns it again.\n");
}

static void append_next(struct text *text, const struct migration *migration)
{
    if (migration->last_applied.length)
        text_append_string(text, "The patch removes it from the last-applied annotation, too.\n");
    if (migration->is_declared)
        text_append_string(
            text,
            "The last-applied annotation declares it: kubectl apply edit-last-applied removes it there.\n");
    if (is_of_helm(&migration->plan))
        text_append_string(
            text,
            "Helm 3 removes what the next chart drops: keep it in the chart, or upgrade with Helm 4.\n");
    append_manifests(text, &migration->plan);
}

void migrate_append_handover(struct text *text, const struct migration *migration)
{
    const struct plan *plan = &migration->plan;
    const struct blame *blame = migration->blame;
    struct list list = {.text = text};
    text_append_all(
        text, as_printable(blame->kind), " ",
        as_qualified(text_append_printable, blame->namespace, blame->name));
    if (!plan->is_needed) {
        text_append_string(text, ": nothing to hand over: no other manager owns these fields\n");
        return;
    }
    text_append_string(text, ": from ");
    append_losers(text, plan);
    text_append_all(text, " to ", as_printable(plan->request->to), " (Apply)\n");
    field_set_walk(plan->moved, text->arena, list_field, &list);
    if (list.count > LISTED_MAX)
        text_append_all(text, "  and ", list.count - LISTED_MAX, " more\n");
    append_next(text, migration);
}
