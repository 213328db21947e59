#include "policy/last_applied.h"

#include "policy/json.h"
#include "policy/last_applied_text.h"
#include "policy/managers.h"

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
    if (slice_equal(last_applied->before, last_applied->after))
        return last_applied_configuration(last_applied);
    if (last_applied->parsed_before)
        return last_applied->configuration_before;
    struct last_applied *memo = (struct last_applied *)(uintptr_t)last_applied;
    memo->configuration_before = last_applied_parse(memo->before, memo->arena);
    memo->parsed_before = true;
    return memo->configuration_before;
}

/* Whether a declared item can be the one of the key: no key field that it declares is another. */
static bool may_have_key(yyjson_val *item, yyjson_val *key)
{
    bool has_one = false;
    yyjson_obj_iter members;
    yyjson_obj_iter_init(key, &members);
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&members));) {
        yyjson_val *value = json_member(item, json_text(name));
        if (value && json_compare_scalars(value, yyjson_obj_iter_get_val(name)) != 0)
            return false;
        has_one |= value != NULL;
    }
    return has_one;
}

static yyjson_val *declared_item(yyjson_val *list, const struct path *element)
{
    yyjson_arr_iter items;
    if (!yyjson_arr_iter_init(list, &items))
        return NULL;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        bool found = element->kind == PATH_KEY ? may_have_key(item, element->json)
                                               : json_compare_scalars(item, element->json) == 0;
        if (found)
            return item;
    }
    return NULL;
}

static yyjson_val *declared_value(yyjson_val *configuration, const struct path *path)
{
    if (!path)
        return configuration;
    yyjson_val *parent = declared_value(configuration, path->parent);
    if (path->kind == PATH_FIELD)
        return json_member(parent, path->text);
    return path->kind == PATH_INDEX ? NULL : declared_item(parent, path);
}

bool configuration_declares(yyjson_val *configuration, const struct path *path)
{
    return declared_value(configuration, path) != NULL;
}
