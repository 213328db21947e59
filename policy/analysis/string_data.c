#include "policy/analysis/string_data.h"

#include "policy/fieldset/fields.h"
#include "policy/review/ownership.h"

yyjson_val *string_data_of(const struct review *review, const struct managed_fields_entry *entry)
{
    bool is_applied =
        entry->manager.operation == MANAGER_APPLY && slice_equal(review->group_kind, SLICE("Secret"));
    return is_applied ? fields_child(entry_fields(entry), SLICE("stringData")) : NULL;
}

bool string_data_is_applied(const struct review *review)
{
    const struct managed_fields *before = &review->ownership.before;
    for (size_t i = 0; i < before->count; i++)
        if (string_data_of(review, &before->entries[i]))
            return true;
    return false;
}
