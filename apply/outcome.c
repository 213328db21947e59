#include "apply/outcome.h"

#include "apply/first_apply.h"
#include "apply/merge/defaults.h"
#include "apply/server_set.h"

size_t outcome_find_applier(const struct attempt *attempt)
{
    struct slice api_version = value_text(value_member(attempt->manifest, SLICE("apiVersion")));
    const struct live *live = attempt->live;
    size_t i = 0;
    while (live && i < live->count &&
           !owners_is_written_by(&live->entries[i], &attempt->manager, api_version))
        i++;
    return i;
}

const struct value *outcome_last_applied(const struct value *object)
{
    return value_member(value_at(object, SLICE(".metadata.annotations")), SLICE(LAST_APPLIED_ANNOTATION));
}

const struct value *outcome_with_defaults(
    const struct attempt *attempt, const struct value *stored, struct arena *arena)
{
    struct slice kind = value_text(value_member(attempt->manifest, SLICE("kind")));
    if (!stored || !attempt->live)
        return stored;
    stored = defaults_fill(attempt->type, stored, attempt->live->object, kind, arena);
    return stored ? server_set_fields(stored, attempt->live->object, arena) : NULL;
}

void outcome_compare(const struct attempt *attempt, struct arena *arena, struct outcome *outcome)
{
    if (attempt->live && outcome->after)
        outcome->change = typed_compare(attempt->type, outcome->before, outcome->after, arena);
}
