#include "policy/last_applied.h"

#include "policy/json.h"
#include "policy/managers.h"

static struct slice annotation_of(yyjson_val *object)
{
    yyjson_val *annotations = json_member(json_member(object, SLICE("metadata")), SLICE("annotations"));
    return json_text(json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION)));
}

void last_applied_read(
    struct last_applied *last_applied, yyjson_val *old_object, yyjson_val *object, struct arena *arena)
{
    *last_applied = (struct last_applied){
        .before = annotation_of(old_object),
        .after = annotation_of(object),
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
    yyjson_val *root = yyjson_doc_get_root(json_read(memo->after, 0, memo->arena, NULL));
    memo->configuration = yyjson_is_obj(root) ? root : NULL;
    memo->parsed = true;
    return memo->configuration;
}
