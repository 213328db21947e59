#include "preview/outcome.h"

#include "check/first_apply.h"

/* An Update has an entry for each apiVersion that it is sent in, an Apply one for all
 * (managedfields/manager.go). */
static bool is_own(const struct attempt *attempt, const struct live_entry *entry)
{
    return entry->manager.operation == attempt->manager.operation && !entry->manager.subresource.length &&
        slice_equal(entry->manager.name, attempt->manager.name) &&
        (attempt->manager.operation == MANAGER_APPLY ||
         slice_equal(entry->api_version, value_text(value_member(attempt->manifest, SLICE("apiVersion")))));
}

size_t outcome_find_applier(const struct attempt *attempt)
{
    const struct live *live = attempt->live;
    size_t i = 0;
    while (live && i < live->count && !is_own(attempt, &live->entries[i]))
        i++;
    return i;
}

const struct value *outcome_last_applied(const struct value *object)
{
    const struct value *metadata = value_member(object, SLICE("metadata"));
    return value_member(value_member(metadata, SLICE("annotations")), SLICE(LAST_APPLIED_ANNOTATION));
}
