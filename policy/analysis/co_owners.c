#include "policy/analysis/co_owners.h"

#include "policy/analysis/absorption.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"

static bool is_taken_over(
    const struct managed_fields_entry *entry, const struct managed_fields_entry *applier)
{
    if (slice_equal(applier->manager.name, SLICE("kubectl")))
        return entry_owns_last_applied(entry);
    return absorber_named(applier->manager.name) && absorber_takes(applier, &entry->manager);
}

bool co_owner_stays(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *applier)
{
    const struct ownership *ownership = &review->ownership;
    return applier->manager.operation == MANAGER_APPLY && entry->manager.operation == MANAGER_UPDATE &&
        !entry->manager.subresource.length && entries_share_names(review, entry, applier) &&
        ownership_class(ownership, entry) == CLASS_AD_HOC &&
        ownership_class(ownership, applier) == CLASS_APPLIER && !is_taken_over(entry, applier);
}

struct search {
    const struct managed_fields_entry *others[FIELDSET_OVERLAP_MAX];
    size_t count;
    bool is_owner[FIELDSET_OVERLAP_MAX];
    struct co_owned *found;
};

/* A field that the writer owned before is not reported again. */
static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct search *search = context;
    bool was_own = node->others[search->count] != NULL;
    if (node->shared == (size_t)was_own)
        return WALK_PASS;
    if (!node->is_leaf)
        return WALK_DESCEND;
    if (was_own || path_is_key_field(node->path) || field_is_bookkeeping(node->path))
        return WALK_PASS;
    bool is_held = false;
    for (size_t i = 0; i < search->count; i++) {
        bool holds = node->others[i] && fields_is_leaf(node->others[i]);
        search->is_owner[i] |= holds;
        is_held |= holds;
    }
    if (is_held)
        finding_fields_add(&search->found->fields, node->path);
    return WALK_PASS;
}

static bool find_others(const struct review *review, struct search *search)
{
    const struct managed_fields *side = &review->ownership.after;
    for (size_t i = 0; i < side->count && search->count < FIELDSET_OVERLAP_MAX - 1; i++)
        if (co_owner_stays(review, &side->entries[i], review->ownership.writer.after))
            search->others[search->count++] = &side->entries[i];
    return search->count > 0;
}

enum fields_result co_owned_find(const struct review *review, struct co_owned *found)
{
    const struct writer *writer = &review->ownership.writer;
    struct search search = {.found = found};
    *found = (struct co_owned){0};
    if (applied_kind(review) != APPLIED_SERVER_SIDE || !writer->before || writer->after->same_fields ||
        !find_others(review, &search))
        return FIELDS_OK;
    yyjson_val *beside[FIELDSET_OVERLAP_MAX];
    for (size_t i = 0; i < search.count; i++)
        beside[i] = entry_fields(search.others[i]);
    beside[search.count] = entry_fields(writer->before);
    found->owners = arena_allocate_array(review->arena, search.count, sizeof(*found->owners));
    if (!found->owners || !finding_fields_start(&found->fields, review->arena))
        return FIELDS_OUT_OF_MEMORY;
    enum fields_result result = fieldset_overlap_walk(
        entry_fields(writer->after), beside, search.count + 1, review->lookup, visit, &search);
    for (size_t i = 0; i < search.count; i++)
        if (search.is_owner[i])
            found->owners[found->owner_count++] = search.others[i]->manager;
    return result;
}
