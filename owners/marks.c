#include "owners/marks.h"

#include "base/json.h"
#include "base/quantity.h"
#include "policy/analysis/absorption.h"
#include "policy/analysis/co_owners.h"
#include "policy/analysis/orphans.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

struct marking {
    const struct review *review;
    struct lookup_cursor *configuration; /* the fields that last-applied declares; NULL: none */
    yyjson_val *string_data;             /* the stringData of the configuration, for a Secret */
    bool is_applied_client_side;         /* the annotation will be applied again */
    bool has_orphans;                    /* some apply leaves fields behind */
    const bool *leaves_behind;           /* by entry */
};

/* Only scalars are compared: defaults fill in the rest. */
static bool is_other_value(yyjson_val *declared, yyjson_val *value)
{
    return !yyjson_is_null(declared) && !yyjson_is_ctn(declared) && !yyjson_is_ctn(value) &&
        json_compare_scalars(declared, value) != 0 && !quantity_is_declared(declared, json_text(value));
}

/* Whether two tools that apply the object both set the field. */
static bool is_applied_twice(const struct marking *marking, const struct blame_node *node)
{
    const struct managed_fields_entry *first = NULL;
    for (const struct blame_holder *owner = NULL; (owner = blame_next_owner(node, owner));) {
        if (ownership_class(&marking->review->ownership, owner->entry) != CLASS_APPLIER)
            continue;
        if (first && !manager_is_same_tool(first->manager.name, owner->entry->manager.name))
            return true;
        first = first ? first : owner->entry;
    }
    return false;
}

static bool is_stuck(const struct marking *marking, const struct blame_node *node)
{
    const struct managed_fields *side = &marking->review->ownership.after;
    const struct blame_holder *owner = NULL;
    if (!marking->has_orphans || orphans_is_exempt(&node->path) ||
        orphans_is_applied_plain(marking->review, &node->path) || !blame_next_owner(node, NULL))
        return false;
    while ((owner = blame_next_owner(node, owner)))
        if (!marking->leaves_behind[owner->entry - side->entries])
            return false;
    /* The same must hold for everything inside a map or an item. */
    for (size_t i = 0; i < node->holder_count; i++)
        if (!marking->leaves_behind[node->holders[i].entry - side->entries])
            return false;
    return true;
}

/* Whether an edit keeps a field that a server-side applier also sets. */
static bool is_held(const struct marking *marking, const struct blame_node *node)
{
    const struct blame_holder *applier = NULL;
    while ((applier = blame_next_owner(node, applier))) {
        if (applier->entry->manager.operation != MANAGER_APPLY)
            continue;
        for (const struct blame_holder *other = NULL; (other = blame_next_owner(node, other));)
            if (co_owner_stays(marking->review, other->entry, applier->entry))
                return true;
    }
    return false;
}

static void mark(const struct marking *marking, struct blame_node *node)
{
    yyjson_val *declared = NULL;
    unsigned absent_depth = 0;
    enum lookup_result result = LOOKUP_ABSENT;
    if (marking->configuration)
        result = lookup_path(marking->configuration, &node->path, &declared, &absent_depth);
    bool by_string_data = orphans_is_declared_plain(marking->review, marking->string_data, &node->path);
    node->marks.is_declared = result == LOOKUP_FOUND || by_string_data;
    node->marks.is_stuck =
        result == LOOKUP_ABSENT && !by_string_data && node->marks.is_tracked && is_stuck(marking, node);
    node->marks.is_other = !path_is_key_field(&node->path) && !field_is_bookkeeping(&node->path) &&
        result == LOOKUP_FOUND && node->marks.is_tracked && !node->is_hidden &&
        is_other_value(declared, node->value);
    node->marks.is_set_back = node->marks.is_other && marking->is_applied_client_side;
    node->marks.is_contested = node->marks.is_set_back;
    bool is_leaf = !node->is_item || node->path.kind == PATH_VALUE;
    if (is_leaf && !path_is_key_field(&node->path) && !field_is_bookkeeping(&node->path)) {
        node->marks.is_contested |= is_applied_twice(marking, node);
        node->marks.is_held = is_held(marking, node);
    }
}

static void mark_all(const struct marking *marking, struct blame_node *node)
{
    if (node->is_field)
        mark(marking, node);
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        mark_all(marking, &node->children[i]);
}

/*
 * Sets `leaves_behind` for each entry whose fields no apply removes, if the entry is their only owner. If
 * managers use several apiVersions, one field may have two names, and unowned fields cannot be distinguished
 * from owned ones.
 */
static bool find_orphans(struct marking *marking, bool *leaves_behind)
{
    const struct review *review = marking->review;
    const struct managed_fields *side = &review->ownership.after;
    const struct managed_fields_entry *absorber = absorber_of(review, side);
    struct slice version = json_text(review->parts.api_version);
    bool is_applied = managed_fields_server_side_applied(&review->ownership, side) ||
        managed_fields_client_side_applied(&review->ownership, side);
    for (size_t i = 0; i < side->count; i++) {
        leaves_behind[i] = orphans_leaves_behind(review, &side->entries[i], absorber);
        is_applied = is_applied && slice_equal(side->entries[i].api_version, version);
    }
    return is_applied;
}

bool marks_set(struct blame *blame)
{
    const struct review *review = blame->review;
    yyjson_val *configuration = applied_annotation(review);
    bool *leaves_behind = arena_allocate_array(blame->arena, review->ownership.after.count, sizeof(bool));
    struct marking marking = {
        .review = review,
        .is_applied_client_side =
            managed_fields_client_side_applied(&review->ownership, &review->ownership.after),
        .leaves_behind = leaves_behind,
    };
    if (configuration)
        marking.configuration = lookup_cursor_create_declared(review->lookup, configuration, blame->arena);
    if (!leaves_behind || (configuration && !marking.configuration))
        return false;
    if (blame->is_secret)
        marking.string_data = json_member(configuration, SLICE("stringData"));
    marking.has_orphans = find_orphans(&marking, leaves_behind);
    mark_all(&marking, &blame->root);
    return !arena_has_failed(blame->arena);
}
