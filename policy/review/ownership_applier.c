#include "policy/review/ownership_applier.h"

#include "policy/fieldset/fields.h"
#include "policy/review/review.h"

/* How much speaks for an entry as that of the object's applier. */
enum rank { RANK_NONE, RANK_UPDATES, RANK_APPLIES, RANK_CLIENT_SIDE, RANK_KNOWN_TOOL, RANK_COUNT };

/* An entry with a workload's selector is that of a whole manifest; others may be of a few fields. */
static bool is_whole(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    return review_is_of_workload(ownership->review) &&
        fields_child(fields_child(entry_fields(entry), SLICE("spec")), SLICE("selector"));
}

static enum rank rank_of(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    if (entry->manager.subresource.length || !entry_is_comparable(ownership->review, entry) ||
        ownership_class(ownership, entry) != CLASS_APPLIER)
        return RANK_NONE;
    bool is_known = entry_tool(entry) != TOOL_OTHER;
    if (entry->manager.operation == MANAGER_APPLY)
        return is_known ? RANK_KNOWN_TOOL : RANK_APPLIES;
    return entry_applies_client_side(ownership, entry) ? RANK_CLIENT_SIDE : RANK_UPDATES;
}

/* A controller applies what it makes, too, but people cannot change its manifest. */
static bool is_counted(const struct ownership *ownership, enum rank rank)
{
    return rank > (object_is_controlled(&ownership->review->parts) ? RANK_APPLIES : RANK_NONE);
}

void ownership_set_applier(struct ownership *ownership)
{
    const struct managed_fields_entry *applier = NULL;
    unsigned best = 0;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        enum rank rank = rank_of(ownership, entry);
        if (!is_counted(ownership, rank))
            continue;
        unsigned order = (unsigned)rank + (is_whole(ownership, entry) ? RANK_COUNT : 0);
        if (order < best || (order == best && !entry_may_be_newer(entry, applier)))
            continue;
        applier = entry;
        best = order;
    }
    ownership->writer = (struct writer){.class = CLASS_AD_HOC, .manager.operation = MANAGER_UPDATE};
    if (applier)
        ownership->writer = (struct writer){
            .known = true, .manager = applier->manager, .class = CLASS_APPLIER, .after = applier};
}
