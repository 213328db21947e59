#include "commands/migrate/plan.h"

#include "policy/review/ownership.h"

bool plan_is_target(const struct plan *plan, const struct manager *manager)
{
    bool is_apply = manager->operation == MANAGER_APPLY;
    return is_apply != plan->request->is_back && !manager->subresource.length &&
        slice_equal(manager->name, plan->request->to);
}

bool plan_takes(const struct plan *plan, const struct managed_fields_entry *entry, struct slice name)
{
    enum manager_operation operation = plan->request->is_back ? MANAGER_APPLY : MANAGER_UPDATE;
    return entry->manager.operation == operation && !entry->manager.subresource.length &&
        slice_equal(entry->manager.name, name);
}

/*
 * The managers that kubectl moves: each manager that wrote the last-applied annotation client-side (kubectl,
 * pkg/cmd/apply/apply.go, migrateToSSAIfNecessary). In the other direction: kubectl itself, and its manager
 * of the annotation.
 */
static size_t name_managers_of_kubectl(const struct plan *plan, struct slice *names)
{
    size_t count = 0;
    if (plan->request->is_back) {
        names[count++] = SLICE("kubectl");
        names[count++] = SLICE("kubectl-last-applied");
        return count;
    }
    names[count++] = SLICE(MIGRATE_CLIENT_SIDE);
    for (size_t i = 0; i < plan->count; i++) {
        const struct managed_fields_entry *entry = plan->entries[i].before;
        if (entry->manager.operation == MANAGER_UPDATE && entry_owns_last_applied(entry) &&
            !slice_is_in(entry->manager.name, names, count))
            names[count++] = entry->manager.name;
    }
    return count;
}

/*
 * Whether the manager's first entry has the apiVersion of the object; the new manager gets that of the first
 * entry.
 */
static bool is_current(const struct plan *plan, struct slice name, struct slice api_version)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan_takes(plan, plan->entries[i].before, name))
            return slice_equal(plan->entries[i].before->api_version, api_version);
    return false;
}

/*
 * client-go takes the managers in any order. This order loses the fewest fields: if possible, the others are
 * united with an entry that has the apiVersion of the object.
 */
static bool order_managers(struct plan *plan, struct slice api_version, struct arena *arena)
{
    const struct migrate_request *request = plan->request;
    size_t most = request->from.count + plan->count + 2, count = 0;
    struct slice *names = arena_allocate_array(arena, most, sizeof(*names));
    struct slice *ordered = arena_allocate_array(arena, most, sizeof(*ordered));
    if (!names || !ordered)
        return false;
    for (size_t i = 0; i < request->from.count; i++)
        if (!slice_is_in(request->from.items[i], names, count))
            names[count++] = request->from.items[i];
    if (!request->from.count)
        count = name_managers_of_kubectl(plan, names);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++)
            if (is_current(plan, names[i], api_version) == (pass == 0))
                ordered[plan->from_count++] = names[i];
    plan->from = ordered;
    return true;
}

/* The first remaining entry of this manager, with this apiVersion (NULL bytes: any). */
static struct plan_entry *find(const struct plan *plan, struct manager manager, struct slice api_version)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct plan_entry *entry = &plan->entries[i];
        if (!entry->is_gone && entry->manager.operation == manager.operation &&
            !entry->manager.subresource.length && slice_equal(entry->manager.name, manager.name) &&
            (!api_version.bytes || slice_equal(entry->before->api_version, api_version)))
            return entry;
    }
    return NULL;
}

static void convert(struct plan_entry *entry, struct manager to)
{
    entry->manager = to;
    entry->fate = PLAN_MOVED;
    entry->is_changed = true;
}

static void unite(struct plan *plan, struct plan_entry *entry, struct plan_entry *target)
{
    entry->fate = PLAN_MOVED;
    entry->is_gone = true;
    entry->into = (size_t)(target - plan->entries);
    target->is_changed = true;
}

/* client-go, util/csaupgrade/upgrade.go, upgradedManagedFields. */
static void move_to_apply(struct plan *plan, struct slice name)
{
    const struct manager from = {.name = name, .operation = MANAGER_UPDATE};
    const struct manager to = {.name = plan->request->to, .operation = MANAGER_APPLY};
    const struct slice any = {NULL, 0};
    struct plan_entry *target = find(plan, to, any);
    if (!target) {
        target = find(plan, from, any);
        if (!target)
            return;
        convert(target, to);
    }
    struct plan_entry *entry = find(plan, from, target->before->api_version);
    if (entry)
        unite(plan, entry, target);
    while ((entry = find(plan, from, any))) {
        entry->fate = PLAN_DROPPED;
        entry->is_gone = true;
    }
}

/* A manager has an Update entry for each apiVersion, so no entry is dropped. */
static void move_to_update(struct plan *plan, struct slice name)
{
    const struct manager from = {.name = name, .operation = MANAGER_APPLY};
    const struct manager to = {.name = plan->request->to, .operation = MANAGER_UPDATE};
    const struct slice any = {NULL, 0};
    for (struct plan_entry *entry; (entry = find(plan, from, any));) {
        struct plan_entry *target = find(plan, to, entry->before->api_version);
        if (target)
            unite(plan, entry, target);
        else
            convert(entry, to);
    }
}

static bool unite_fields(struct plan *plan, struct arena *arena)
{
    const struct field_set **sets = arena_allocate_array(arena, plan->count, sizeof(*sets));
    for (size_t i = 0; sets && i < plan->count; i++) {
        size_t count = 0;
        for (size_t j = 0; plan->entries[i].is_changed && j < plan->count; j++)
            if (plan->entries[j].into == i)
                sets[count++] = plan->entries[j].fields;
        if (count > 1)
            plan->entries[i].fields = field_set_union_all(sets, count, arena);
    }
    return sets && !arena_has_failed(arena);
}

bool plan_make(struct plan *plan, struct slice api_version, struct arena *arena)
{
    if (!order_managers(plan, api_version, arena))
        return false;
    for (size_t i = 0; i < plan->from_count; i++) {
        if (plan->request->is_back)
            move_to_update(plan, plan->from[i]);
        else
            move_to_apply(plan, plan->from[i]);
    }
    for (size_t i = 0; i < plan->count; i++)
        plan->is_needed |= plan->entries[i].is_changed || plan->entries[i].is_gone;
    return unite_fields(plan, arena);
}
