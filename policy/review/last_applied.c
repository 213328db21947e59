#include "policy/review/last_applied.h"

#include "base/json.h"
#include "policy/managers.h"
#include "policy/review/last_applied_text.h"

static struct slice annotation_in(yyjson_val *annotations)
{
    return json_text(json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION)));
}

void last_applied_read(
    struct last_applied *last_applied, yyjson_val *before, yyjson_val *after, struct arena *arena)
{
    *last_applied = (struct last_applied){
        .before = annotation_in(before),
        .after = annotation_in(after),
        .arena = arena,
    };
    last_applied->written = last_applied->after.bytes &&
        (!last_applied->before.bytes || !slice_equal(last_applied->before, last_applied->after));
}

yyjson_val *last_applied_configuration(const struct last_applied *last_applied)
{
    if (last_applied->parsed || !last_applied->after.bytes)
        return last_applied->configuration;
    struct last_applied *memo = (struct last_applied *)(uintptr_t)last_applied;
    memo->configuration = last_applied_parse(memo->after, memo->arena);
    memo->parsed = true;
    return memo->configuration;
}

yyjson_val *last_applied_configuration_before(const struct last_applied *last_applied)
{
    if (!last_applied->before.bytes)
        return NULL;
    if (last_applied->after.bytes && !last_applied->written)
        return last_applied_configuration(last_applied);
    if (last_applied->parsed_before)
        return last_applied->configuration_before;
    struct last_applied *memo = (struct last_applied *)(uintptr_t)last_applied;
    memo->configuration_before = last_applied_parse(memo->before, memo->arena);
    memo->parsed_before = true;
    return memo->configuration_before;
}
