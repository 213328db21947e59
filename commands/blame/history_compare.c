#include "commands/blame/history_compare.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/lookup.h"

/* The owner of a field is searched in all entries, perhaps for each field of a large object. */
#define EFFORT_FACTOR 16

/* The minimum for list items of the object that are searched in two responses: more than both can contain. */
#define ITEMS_LEAST 4096
#define ITEMS_PER_BYTE 8

struct walk {
    const struct history_comparison *comparison;
    struct lookup *lookup;
    yyjson_val *owners; /* managedFields; NULL: unknown */
    size_t items_left;  /* list items of the object that may still be searched */
    bool is_cut_short;  /* because the limit was reached */
    bool has_failed;
};

/*
 * The owners of a field after the write
 */

struct owned {
    bool by_writer;
    bool by_others;
    bool is_unknown; /* more managers own more fields than can be looked up */
};

static bool is_settled(const struct owned *owned)
{
    return owned->is_unknown || (owned->by_writer && owned->by_others);
}

static bool is_writer(yyjson_val *entry, const struct history_write *write)
{
    return slice_equal(json_text(json_member(entry, SLICE("manager"))), write->manager) &&
        slice_equal(json_text(json_member(entry, SLICE("subresource"))), write->subresource);
}

static struct owned owned_by(const struct walk *walk, const struct blame_node *node)
{
    struct owned owned = {0};
    json_each_item(entry, walk->owners) {
        if (is_settled(&owned))
            break;
        yyjson_val *fields = json_member(entry, SLICE("fieldsV1"));
        enum search_answer answer =
            yyjson_is_obj(fields) ? fieldset_contains(walk->lookup, fields, blame_path(node)) : ANSWER_NO;
        bool *owner = is_writer(entry, walk->comparison->write) ? &owned.by_writer : &owned.by_others;
        *owner |= answer == ANSWER_YES;
        owned.is_unknown |= answer == ANSWER_UNKNOWN;
    }
    return owned;
}

/*
 * Whether the write made the change. A manager that updates a field owns it; a manager that applies a value
 * which another one has just set owns the field together with that one.
 */
static bool is_of_writer(const struct walk *walk, const struct blame_node *node, enum history_kind kind)
{
    bool has_gap = walk->comparison->has_gap;
    if (!walk->comparison->write)
        return false;
    if (!walk->owners || kind == HISTORY_REMOVED)
        return !has_gap;
    struct owned owned = owned_by(walk, node);
    if (owned.is_unknown)
        return false;
    if (has_gap)
        return owned.by_writer && !owned.by_others;
    return owned.by_writer || !owned.by_others;
}

static void note(struct walk *walk, struct blame_node *node, enum history_kind kind)
{
    const struct history_comparison *comparison = walk->comparison;
    const struct history_change change = {
        .kind = kind,
        .is_known = is_of_writer(walk, node, kind),
        .write = comparison->write,
        .after = comparison->previous,
    };
    bool is_first = !node->history;
    walk->has_failed |= !field_history_add(&node->history, &change);
    if (!is_first || !node->history)
        return;
    node->changed = comparison->blame->changed;
    comparison->blame->changed = node;
}

/*
 * The fields
 */

/* NULL for an absent field. Returns false if the item cannot be identified. */
static bool find(struct walk *walk, yyjson_val *parent, const struct path *element, yyjson_val **found)
{
    *found = NULL;
    enum lookup_result result = parent ? lookup_element(walk->lookup, parent, element, found) : LOOKUP_ABSENT;
    return result == LOOKUP_FOUND || result == LOOKUP_ABSENT;
}

/* Whether the value is compared as a whole, and not by its children. */
static bool is_one_value(const struct blame_node *node)
{
    return !node->child_count || node->children[0].is_inside;
}

static void compare_field(struct walk *walk, struct blame_node *node, yyjson_val *before, yyjson_val *after)
{
    if (!before != !after)
        note(walk, node, before ? HISTORY_REMOVED : HISTORY_SET);
    else if (before && is_one_value(node) && lookup_equal(walk->lookup, before, after) == ANSWER_NO)
        note(walk, node, HISTORY_CHANGED);
}

static void compare_children(
    struct walk *walk, struct blame_node *node, yyjson_val *before, yyjson_val *after);

static void compare_child(struct walk *walk, struct blame_node *child, yyjson_val *before, yyjson_val *after)
{
    yyjson_val *old = NULL, *new = NULL;
    if (child->is_inside || !child->marks.is_tracked || !find(walk, before, &child->path, &old) ||
        !find(walk, after, &child->path, &new) || (!old && !new))
        return;
    if (child->is_field)
        compare_field(walk, child, old, new);
    if (!json_identical(old, new))
        compare_children(walk, child, old, new);
}

/* Compares the members of `map`, except for the members of `but`. */
static void compare_members(
    struct walk *walk, struct blame_node *node, yyjson_val *map, yyjson_val *but, yyjson_val *before,
    yyjson_val *after)
{
    json_each_key(key, map) {
        struct slice name = json_text(key);
        if (walk->has_failed)
            return;
        bool is_again = lookup_member(walk->lookup, map, name) != yyjson_obj_iter_get_val(key);
        struct blame_node *child =
            is_again || lookup_member(walk->lookup, but, name) ? NULL : blame_child(node, name);
        if (child)
            compare_child(walk, child, before, after);
    }
}

/*
 * Parts that neither response has are skipped, so that a log of small responses does not take the time of the
 * whole object for each. Equal parts are skipped, too.
 */
static void compare_children(
    struct walk *walk, struct blame_node *node, yyjson_val *before, yyjson_val *after)
{
    if (yyjson_is_obj(node->value)) {
        compare_members(walk, node, before, NULL, before, after);
        compare_members(walk, node, after, before, before, after);
        return;
    }
    walk->is_cut_short |= node->child_count > walk->items_left;
    if (walk->is_cut_short)
        return;
    walk->items_left -= node->child_count;
    for (size_t i = 0; i < node->child_count && !walk->has_failed; i++)
        compare_child(walk, &node->children[i], before, after);
}

bool history_compare(const struct history_comparison *comparison, bool *is_cut_short)
{
    struct walk walk = {
        .comparison = comparison,
        .lookup = lookup_create(comparison->arena),
        .items_left = ITEMS_LEAST + comparison->bytes * ITEMS_PER_BYTE,
    };
    if (!walk.lookup)
        return false;
    lookup_effort(walk.lookup)->bytes = comparison->bytes * EFFORT_FACTOR;
    yyjson_val *entries = json_metadata(comparison->after, SLICE("managedFields"));
    if (comparison->has_owners && yyjson_arr_size(entries))
        walk.owners = entries;
    compare_children(&walk, &comparison->blame->root, comparison->before, comparison->after);
    *is_cut_short = walk.is_cut_short;
    return !walk.has_failed && !arena_has_failed(comparison->arena);
}
