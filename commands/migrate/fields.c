#include "commands/migrate/fields.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fields_element.h"

/*
 * Which fields move
 */

struct search {
    const struct migrate_request *request;
    struct arena *arena;
};

static bool is_named(const struct search *search, const struct path *path)
{
    struct text printed = text_start(search->arena, 128);
    path_append(&printed, path);
    for (size_t i = 0; i < search->request->fields.count; i++) {
        if (path_printed_covers(search->request->fields.items[i], text_slice(&printed)))
            return true;
    }
    return false;
}

/* The part of the set that the request names. */
static const struct field_set *named_part(
    const struct search *search, const struct field_set *set, const struct path *above)
{
    struct field_node *nodes = arena_allocate_array(search->arena, set->count + 1, sizeof(*nodes));
    size_t count = 0;
    for (size_t i = 0; nodes && i < set->count; i++) {
        struct path path = path_below(above);
        bool is_known;
        if (!fields_decode_element(set->nodes[i].element, search->arena, &path, &is_known))
            continue;
        struct field_node node = set->nodes[i];
        if (!is_named(search, &path)) {
            node.below = named_part(search, node.below, &path);
            node.is_member = false;
        }
        if (node.is_member || node.below->count)
            nodes[count++] = node;
    }
    return nodes ? field_set_of(nodes, count, search->arena) : &field_set_empty;
}

/* Entries of subresources stay: a scale is a write of its own. */
static bool may_lose(const struct plan *plan, const struct plan_entry *entry)
{
    const struct slice_list *from = &plan->request->from;
    const struct manager *manager = &entry->manager;
    return (!from->count || slice_is_in(manager->name, from->items, from->count)) &&
        !plan_is_target(plan, manager) && !manager->subresource.length;
}

static bool add_name(struct plan *plan, struct slice name, size_t capacity, struct arena *arena)
{
    struct slice *names = plan->from_count ? (struct slice *)(uintptr_t)plan->from
                                           : arena_allocate_array(arena, capacity, sizeof(*names));
    for (size_t i = 0; names && i < plan->from_count; i++) {
        if (slice_equal(names[i], name))
            return true;
    }
    if (names)
        names[plan->from_count++] = name;
    plan->from = names;
    return names;
}

static struct plan_entry *find_target(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (plan_is_target(plan, &plan->entries[i].manager))
            return &plan->entries[i];
    }
    return NULL;
}

static struct plan_entry *add_target(struct plan *plan, struct slice api_version, struct arena *arena)
{
    struct managed_fields_entry *before = arena_allocate_array(arena, 1, sizeof(*before));
    if (!before)
        return NULL;
    before->manager = (struct manager){.name = plan->request->to, .operation = MANAGER_APPLY};
    before->api_version = api_version;
    struct plan_entry *entry = &plan->entries[plan->count];
    *entry = (struct plan_entry){
        .before = before, .manager = before->manager, .fields = &field_set_empty, .into = plan->count};
    plan->count++;
    return entry;
}

bool fields_plan(struct plan *plan, struct slice api_version, struct arena *arena)
{
    const struct search search = {plan->request, arena};
    const size_t count = plan->count;
    const struct field_set *moved = &field_set_empty;
    for (size_t i = 0; i < count; i++) {
        struct plan_entry *entry = &plan->entries[i];
        const struct field_set *lost =
            may_lose(plan, entry) ? named_part(&search, entry->fields, NULL) : &field_set_empty;
        if (!lost->count)
            continue;
        entry->fate = PLAN_MOVED;
        entry->lost = lost;
        entry->fields = field_set_difference(entry->fields, lost, arena);
        entry->is_changed = true;
        entry->is_gone = field_set_is_empty(entry->fields);
        moved = field_set_union(moved, lost, arena);
        if (!add_name(plan, entry->manager.name, count, arena))
            return false;
    }
    plan->moved = moved;
    plan->is_needed = moved->count > 0;
    if (!plan->is_needed)
        return !arena_has_failed(arena);
    struct plan_entry *target = find_target(plan);
    plan->is_new = !target;
    target = target ? target : add_target(plan, api_version, arena);
    if (!target)
        return false;
    target->fields = field_set_union(target->fields, moved, arena);
    target->is_changed = true;
    return !arena_has_failed(arena);
}

/*
 * The last-applied configuration
 */

static bool has_keys(yyjson_mut_val *item, yyjson_val *keys)
{
    json_each_key(key, keys) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        struct slice name = json_text(key);
        yyjson_mut_val *own = yyjson_mut_obj_getn(item, name.bytes, name.length);
        bool is_same = yyjson_is_str(value)
            ? yyjson_mut_equals_strn(own, yyjson_get_str(value), yyjson_get_len(value))
            : yyjson_mut_is_int(own) && yyjson_is_int(value) &&
                yyjson_mut_get_sint(own) == yyjson_get_sint(value);
        if (!is_same)
            return false;
    }
    return yyjson_obj_size(keys) > 0;
}

static yyjson_mut_val *child_of(yyjson_mut_val *value, const struct path *path)
{
    size_t index, count;
    yyjson_mut_val *item;
    if (path->kind == PATH_FIELD)
        return yyjson_mut_obj_getn(value, path->text.bytes, path->text.length);
    if (path->kind != PATH_KEY || !yyjson_mut_is_arr(value))
        return NULL;
    yyjson_mut_arr_foreach(value, index, count, item)
    {
        if (has_keys(item, path->json))
            return item;
    }
    return NULL;
}

/* Removes the members of maps that are in the set, and no items of lists. */
static bool remove_fields(yyjson_mut_val *value, const struct field_set *set, struct arena *arena)
{
    bool is_removed = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct field_node *node = &set->nodes[i];
        struct path path = path_below(NULL);
        bool is_known;
        if (!fields_decode_element(node->element, arena, &path, &is_known))
            continue;
        yyjson_mut_val *child = child_of(value, &path);
        if (!child)
            continue;
        if (node->is_member && !node->below->count && path.kind == PATH_FIELD)
            is_removed |= yyjson_mut_obj_remove_keyn(value, path.text.bytes, path.text.length) != NULL;
        else
            is_removed |= remove_fields(child, node->below, arena);
    }
    return is_removed;
}

struct slice fields_undeclared(const struct plan *plan, struct slice last_applied, struct arena *arena)
{
    yyjson_alc allocator = arena_yyjson(arena);
    yyjson_doc *document = json_read(last_applied, YYJSON_READ_NOFLAG, arena, NULL);
    yyjson_mut_doc *copy = document ? yyjson_doc_mut_copy(document, &allocator) : NULL;
    size_t length = 0;
    if (!copy || !remove_fields(yyjson_mut_doc_get_root(copy), plan->moved, arena))
        return (struct slice){NULL, 0};
    /* kubectl ends it with a line break, too. */
    char *json = yyjson_mut_val_write_opts(
        yyjson_mut_doc_get_root(copy), YYJSON_WRITE_NEWLINE_AT_END, &allocator, &length, NULL);
    return (struct slice){json, json ? length : 0};
}
