#include "base/json.h"
#include "owners/blame.h"

struct selection {
    const struct blame *blame;
    struct slice manager;
    enum blame_select select;
    bool has_applied; /* the manager has an Apply entry of the object itself */
};

static bool is_applied_entry(const struct managed_fields_entry *entry)
{
    return entry->manager.operation == MANAGER_APPLY && !entry->manager.subresource.length;
}

static bool is_of_selection(const struct selection *selection, const struct managed_fields_entry *entry)
{
    if (!slice_equal(entry->manager.name, selection->manager))
        return false;
    if (selection->select == BLAME_ALL_ENTRIES)
        return true;
    return selection->has_applied ? is_applied_entry(entry) : !entry->manager.subresource.length;
}

static bool is_owned(const struct selection *selection, const struct blame_node *node)
{
    for (const struct blame_holder *owner = NULL; (owner = blame_next_owner(node, owner));)
        if (is_of_selection(selection, owner->entry))
            return true;
    return false;
}

/* Whether the node is apiVersion, kind, or the metadata's name or namespace. */
static bool is_identity(const struct blame_node *node)
{
    if (node->is_item || node->marks.is_tracked)
        return false;
    return !node->parent->parent || slice_equal(node->name, SLICE("name")) ||
        slice_equal(node->name, SLICE("namespace"));
}

/* Whether the API server needs the field to identify its item. */
static bool is_key_of_item(const struct blame_node *node)
{
    return path_is_key_field(&node->path);
}

static bool has_owned_key(const struct selection *selection, const struct blame_node *item)
{
    for (size_t i = 0; i < item->child_count; i++)
        if (is_key_of_item(&item->children[i]) && is_owned(selection, &item->children[i]))
            return true;
    return false;
}

/* An Apply entry does not own keys that were left to their defaults. */
static bool needs_keys(const struct selection *selection, const struct blame_node *item)
{
    return item->is_item && item->path.kind == PATH_KEY &&
        !(selection->has_applied && has_owned_key(selection, item));
}

static bool select_children(
    const struct selection *selection, const struct blame_node *node, struct blame_node *copy, bool *has_any);

/* Copies a child with all its content, or with the selected part of it. Returns false if memory runs out. */
static bool select_child(
    const struct selection *selection, const struct blame_node *child, struct blame_node *copy, bool *is_kept)
{
    bool has_any = false, is_whole = !child->child_count || child->children[0].is_inside;
    *copy = *child;
    if (!is_whole && !select_children(selection, child, copy, &has_any))
        return false;
    *is_kept = has_any || is_identity(child) || is_owned(selection, child);
    return true;
}

/* `*has_any` is set if some child is selected itself, and not only as a key of the rest. */
static bool select_children(
    const struct selection *selection, const struct blame_node *node, struct blame_node *copy, bool *has_any)
{
    struct blame_node *kept = arena_allocate_array(selection->blame->arena, node->child_count, sizeof(*kept));
    bool with_keys = needs_keys(selection, node);
    if (!kept)
        return false;
    copy->children = kept;
    copy->child_count = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        struct blame_node *child = &kept[copy->child_count];
        bool is_kept;
        if (!select_child(selection, &node->children[i], child, &is_kept))
            return false;
        *has_any |= is_kept;
        if (is_kept || (with_keys && is_key_of_item(child)))
            copy->child_count++;
    }
    return true;
}

const struct blame_node *blame_select(
    const struct blame *blame, struct slice manager, enum blame_select select)
{
    struct selection selection = {.blame = blame, .manager = manager, .select = select};
    struct blame_node *root = arena_allocate(blame->arena, sizeof(*root));
    bool has_any = false;
    if (!root)
        return NULL;
    for (size_t i = 0; i < blame->managed_fields->count; i++) {
        const struct managed_fields_entry *entry = &blame->managed_fields->entries[i];
        selection.has_applied |= is_applied_entry(entry) && slice_equal(entry->manager.name, manager);
    }
    *root = blame->root;
    return select_children(&selection, &blame->root, root, &has_any) ? root : NULL;
}
