#include "policy/analysis/first_apply.h"

#include "policy/analysis/absorption.h"
#include "policy/analysis/defaults.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"

struct search {
    const struct review *review;
    struct lookup_cursor *object;
    struct lookup_cursor *configuration; /* NULL: nothing is known to be declared */
    struct first_apply *found;
};

static const struct managed_fields_entry *entry_of_before(const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
            slice_equal(entry->manager.name, SLICE("before-first-apply")))
            return entry;
    }
    return NULL;
}

/* kubectl takes over an entry that owns the last-applied annotation. */
static bool takes_over(const struct managed_fields_entry *applier, const struct managed_fields_entry *before)
{
    if (applier->manager.operation != MANAGER_APPLY)
        return false;
    if (slice_equal(applier->manager.name, SLICE("kubectl")))
        return entry_owns_last_applied(before);
    return absorber_named(applier->manager.name) && absorber_takes(applier, &before->manager);
}

/* The API server and controllers set it again: no manifest declares it. */
static bool is_of_others(const struct path *path)
{
    const struct path *root = path;
    while (root->depth > 1)
        root = root->parent;
    return field_is_bookkeeping(path) || slice_equal(root->text, SLICE("status"));
}

static enum walk_action add(struct search *search, const struct path *path)
{
    bool is_declared = search->configuration && lookup_declares(search->configuration, path) == ANSWER_YES;
    finding_fields_add(is_declared ? &search->found->declared : &search->found->undeclared, path);
    return WALK_PASS;
}

static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct search *search = context;
    yyjson_val *value = NULL;
    unsigned absent_depth;
    if (is_of_others(node->path))
        return WALK_PASS;
    if (node->path->kind == PATH_KEY && !node->others[0])
        return add(search, node->path);
    if (!node->is_leaf)
        return node->others[0] && fields_is_leaf(node->others[0]) ? WALK_PASS : WALK_DESCEND;
    if (node->others[0] || path_is_key_field(node->path) ||
        lookup_path(search->object, node->path, &value, &absent_depth) != LOOKUP_FOUND ||
        value_may_be_default(node->path, value))
        return WALK_PASS;
    return add(search, node->path);
}

/* Returns false if memory runs out. */
static bool prepare(struct search *search)
{
    const struct review *review = search->review;
    yyjson_val *configuration = applied_annotation_before(review);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    if (configuration)
        search->configuration = lookup_cursor_create_declared(review->lookup, configuration, review->arena);
    return search->object && (search->configuration || !configuration) &&
        finding_fields_start(&search->found->declared, review->arena) &&
        finding_fields_start(&search->found->undeclared, review->arena);
}

bool first_apply_find(const struct review *review, struct first_apply *found)
{
    const struct ownership *ownership = &review->ownership;
    const struct managed_fields_entry *applier = ownership->writer.after;
    const struct managed_fields_entry *before = entry_of_before(&ownership->after);
    if (!review->old_object || ownership->before.count || !applier || !before ||
        !takes_over(applier, before) || !slice_equal(applier->api_version, before->api_version))
        return false;
    *found = (struct first_apply){.result = FIELDS_OUT_OF_MEMORY};
    struct search search = {.review = review, .found = found};
    if (!prepare(&search))
        return true;
    yyjson_val *const others[] = {entry_fields(applier)};
    found->result = fieldset_overlap_walk(entry_fields(before), others, 1, review->lookup, visit, &search);
    return true;
}
