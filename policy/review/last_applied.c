#include "policy/review/last_applied.h"

#include "base/json.h"
#include "policy/managers.h"
#include "policy/review/last_applied_text.h"

static struct slice annotation_in(yyjson_val *annotations)
{
    return json_text(json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION)));
}

bool last_applied_read(
    struct last_applied *last_applied, yyjson_val *before, yyjson_val *after, struct arena *arena)
{
    *last_applied = (struct last_applied){
        .before = annotation_in(before),
        .after = annotation_in(after),
        .cache = arena_allocate_array(arena, 1, sizeof(*last_applied->cache)),
        .arena = arena,
    };
    last_applied->written = last_applied->after.bytes &&
        (!last_applied->before.bytes || !slice_equal(last_applied->before, last_applied->after));
    return last_applied->cache;
}

void last_applied_know(struct last_applied *last_applied, yyjson_val *configuration)
{
    last_applied->cache->configuration = configuration;
    last_applied->cache->parsed = true;
}

yyjson_val *last_applied_configuration(const struct last_applied *last_applied)
{
    if (!last_applied->after.bytes)
        return NULL;
    struct last_applied_cache *cache = last_applied->cache;
    if (!cache->parsed)
        cache->configuration = last_applied_parse(last_applied->after, last_applied->arena);
    cache->parsed = true;
    return cache->configuration;
}

yyjson_val *last_applied_configuration_before(const struct last_applied *last_applied)
{
    if (!last_applied->before.bytes)
        return NULL;
    if (last_applied->after.bytes && !last_applied->written)
        return last_applied_configuration(last_applied);
    struct last_applied_cache *cache = last_applied->cache;
    if (!cache->parsed_before)
        cache->configuration_before = last_applied_parse(last_applied->before, last_applied->arena);
    cache->parsed_before = true;
    return cache->configuration_before;
}
