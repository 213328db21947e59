#include "apply/merge/field_set.h"

#include "apply/merge/element.h"
#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fields_element.h"

#include <stdlib.h>

const struct field_set field_set_empty = {NULL, 0};

static int compare_nodes(const void *a, const void *b)
{
    const struct field_node *one = a, *other = b;
    return slice_compare(one->element, other->element);
}

const struct field_set *field_set_of(struct field_node *nodes, size_t count, struct arena *arena)
{
    struct field_set *set = count ? arena_allocate_array(arena, 1, sizeof(*set)) : NULL;
    bool is_ordered = true;
    if (!set)
        return &field_set_empty;
    for (size_t i = 1; i < count && is_ordered; i++)
        is_ordered = compare_nodes(&nodes[i - 1], &nodes[i]) < 0;
    if (!is_ordered)
        qsort(nodes, count, sizeof(*nodes), compare_nodes);
    *set = (struct field_set){nodes, count};
    return set;
}

/* Like field_set_read. Returns an empty set if memory runs out. */
static const struct field_set *read_at(
    yyjson_val *fields, unsigned depth, struct arena *arena, struct error *error)
{
    size_t count = 0;
    if (depth > JSON_DEPTH_MAX || !yyjson_is_obj(fields)) {
        error_set(error, "%s", depth > JSON_DEPTH_MAX ? "it is too deep" : "an element is not an object");
        return NULL;
    }
    struct field_node *nodes = arena_allocate_array(arena, yyjson_obj_size(fields) + 1, sizeof(*nodes));
    if (!nodes) {
        error_set_out_of_memory(error);
        return NULL;
    }
    json_each_key(key, fields) {
        yyjson_val *child = yyjson_obj_iter_get_val(key);
        struct slice element;
        bool is_known = true;
        if (fields_is_membership(json_text(key)))
            continue;
        if (!element_normalize(json_text(key), arena, &element, &is_known)) {
            if (!is_known)
                continue;
            error_set(error, "a path element is malformed");
            return NULL;
        }
        const struct field_set *below = read_at(child, depth + 1, arena, error);
        if (!below)
            return NULL;
        bool is_member = fields_is_leaf(child) || yyjson_obj_get(child, ".");
        nodes[count++] = (struct field_node){element, below, is_member};
    }
    const struct field_set *set = field_set_of(nodes, count, arena);
    for (size_t i = 1; i < set->count; i++) {
        if (slice_equal(set->nodes[i - 1].element, set->nodes[i].element)) {
            error_set(error, "a path element is repeated");
            return NULL;
        }
    }
    return set;
}

int field_set_read(yyjson_val *fields, struct arena *arena, const struct field_set **set, struct error *error)
{
    *set = read_at(fields, 0, arena, error);
    return *set ? 0 : -1;
}

/* `is_member`: the set contains the field itself, in addition to fields below it. */
static void build_node(struct json_build *build, const struct field_set *set, bool is_member)
{
    size_t position = json_build_open(build, YYJSON_TYPE_OBJ);
    if (is_member) {
        json_build_string(build, SLICE("."));
        json_build_close(build, json_build_open(build, YYJSON_TYPE_OBJ));
    }
    for (size_t i = 0; i < set->count; i++) {
        const struct field_node *node = &set->nodes[i];
        json_build_string(build, node->element);
        build_node(build, node->below, node->is_member && node->below->count);
    }
    json_build_close(build, position);
}

void field_set_build(struct json_build *build, const struct field_set *set)
{
    build_node(build, set, false);
}

bool field_set_is_empty(const struct field_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->nodes[i].is_member || !field_set_is_empty(set->nodes[i].below))
            return false;
    }
    return true;
}

const struct field_node *field_set_find(const struct field_set *set, struct slice element)
{
    struct field_node wanted = {.element = element};
    return set->count ? bsearch(&wanted, set->nodes, set->count, sizeof(wanted), compare_nodes) : NULL;
}

const struct field_set *field_set_union(
    const struct field_set *a, const struct field_set *b, struct arena *arena)
{
    if (!a->count || !b->count)
        return a->count ? a : b;
    struct field_node *nodes = arena_allocate_array(arena, a->count + b->count, sizeof(*nodes));
    size_t i = 0, j = 0, count = 0;
    while (nodes && (i < a->count || j < b->count)) {
        int order = i == a->count ? 1 : j == b->count ? -1 : compare_nodes(&a->nodes[i], &b->nodes[j]);
        struct field_node node = order <= 0 ? a->nodes[i++] : b->nodes[j];
        if (order == 0) {
            node.is_member |= b->nodes[j].is_member;
            node.below = field_set_union(node.below, b->nodes[j].below, arena);
        }
        j += order >= 0;
        nodes[count++] = node;
    }
    return nodes ? field_set_of(nodes, count, arena) : &field_set_empty;
}

/* Unites halves, so that each set is copied only log(count) times. */
const struct field_set *field_set_union_all(
    const struct field_set *const *sets, size_t count, struct arena *arena)
{
    if (count < 2)
        return count ? sets[0] : &field_set_empty;
    size_t half = count / 2;
    return field_set_union(
        field_set_union_all(sets, half, arena), field_set_union_all(sets + half, count - half, arena), arena);
}

static bool is_same_node(const struct field_node *node, const struct field_node *other)
{
    return node->below == other->below && node->is_member == other->is_member;
}

/*
 * The set of `count` nodes that were made from the nodes of `a` since `start`, some of which did not change:
 * if all are, it is `a` itself.
 */
static const struct field_set *share(
    const struct field_set *a, struct field_node *nodes, size_t count, size_t whole, struct arena_mark start,
    struct arena *arena)
{
    bool is_same = count == a->count && whole == a->count;
    if (is_same || !count)
        arena_rewind(arena, start);
    return is_same ? a : field_set_of(nodes, count, arena);
}

/*
 * The members of `a` that `b` contains, or that it lacks. Takes time by the size of `a`: each of many owners
 * is compared with all changes of an apply.
 */
static const struct field_set *select_nodes(
    const struct field_set *a, const struct field_set *b, bool in_b, struct arena *arena)
{
    struct arena_mark start = arena_mark(arena);
    struct field_node *nodes = arena_allocate_array(arena, a->count, sizeof(*nodes));
    size_t count = 0, whole = 0;
    for (size_t i = 0; nodes && i < a->count; i++) {
        struct field_node node = a->nodes[i];
        const struct field_node *other = field_set_find(b, node.element);
        const struct field_set *below = other ? other->below : &field_set_empty;
        node.is_member &= (other && other->is_member) == in_b;
        node.below = in_b ? field_set_intersection(node.below, below, arena)
                          : field_set_difference(node.below, below, arena);
        whole += is_same_node(&node, &a->nodes[i]);
        if (!other ? !in_b : node.is_member || node.below->count)
            nodes[count++] = node;
    }
    return nodes ? share(a, nodes, count, whole, start, arena) : &field_set_empty;
}

const struct field_set *field_set_intersection(
    const struct field_set *a, const struct field_set *b, struct arena *arena)
{
    return a->count && b->count ? select_nodes(a, b, true, arena) : &field_set_empty;
}

const struct field_set *field_set_difference(
    const struct field_set *a, const struct field_set *b, struct arena *arena)
{
    return a->count && b->count ? select_nodes(a, b, false, arena) : a;
}

bool field_set_equal(const struct field_set *a, const struct field_set *b, struct arena *arena)
{
    return field_set_is_empty(field_set_difference(a, b, arena)) &&
        field_set_is_empty(field_set_difference(b, a, arena));
}

const struct field_set *field_set_with_parents(
    const struct field_set *set, struct schema_ref type, struct arena *arena)
{
    if (!set->count)
        return set;
    struct arena_mark start = arena_mark(arena);
    struct field_node *nodes = arena_allocate_array(arena, set->count, sizeof(*nodes));
    size_t whole = 0;
    for (size_t i = 0; nodes && i < set->count; i++) {
        const struct field_node *node = &set->nodes[i];
        struct schema_ref below = {type.schema, SCHEMA_DEDUCED};
        nodes[i] = *node;
        if (slice_starts_with(node->element, SLICE("f:"))) {
            const struct schema_field *field = schema_field_of(type, slice_from(node->element, 2));
            nodes[i].is_member |= node->below->count && field;
            below = schema_of_field(type, field);
        } else if (slice_starts_with(node->element, SLICE("k:"))) {
            below = schema_item(type);
        }
        nodes[i].below = field_set_with_parents(node->below, below, arena);
        whole += is_same_node(&nodes[i], node);
    }
    return nodes ? share(set, nodes, set->count, whole, start, arena) : &field_set_empty;
}

const struct field_set *field_set_leaves(const struct field_set *set, struct arena *arena)
{
    struct field_node *nodes = arena_allocate_array(arena, set->count + 1, sizeof(*nodes));
    for (size_t i = 0; nodes && i < set->count; i++) {
        nodes[i] = set->nodes[i];
        nodes[i].below = field_set_leaves(nodes[i].below, arena);
        nodes[i].is_member &= !nodes[i].below->count;
    }
    return nodes ? field_set_of(nodes, set->count, arena) : &field_set_empty;
}

struct visit {
    struct arena *arena;
    field_set_visit *visit;
    void *context;
};

static void walk(const struct visit *visit, const struct field_set *set, const struct path *above)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct field_node *node = &set->nodes[i];
        struct path path = {.parent = above, .depth = above ? above->depth + 1 : 1};
        bool is_known;
        if (!fields_decode_element(node->element, visit->arena, &path, &is_known))
            continue;
        if (node->is_member)
            visit->visit(visit->context, &path);
        walk(visit, node->below, &path);
    }
}

void field_set_walk(const struct field_set *set, struct arena *arena, field_set_visit *visit, void *context)
{
    const struct visit how = {arena, visit, context};
    walk(&how, set, NULL);
}
