#include "policy/analysis/combinations_parts.h"

#include "base/json_each.h"

#include <stdlib.h>

void combinations_refuse(
    const struct combinations *of, const struct path *place, const char *field_name, const char *sentence)
{
    struct text path = text_start(of->arena, 96);
    path_append(&path, place);
    text_append_string(&path, field_name);
    if (!path.failed)
        of->visit(of->context, text_slice(&path), sentence);
}

void combinations_index(struct indexed_item *item, const struct path *list, size_t index)
{
    item->path = path_below(list);
    item->path.kind = PATH_INDEX;
    item->path.text = digits_write(index, item->number);
}

static void refuse_item(
    const struct combinations *of, const struct path *list, size_t index, const char *field_name,
    const char *sentence)
{
    struct indexed_item item;
    combinations_index(&item, list, index);
    combinations_refuse(of, &item.path, field_name, sentence);
}

void combinations_each_item(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_item *check)
{
    json_each_item(item, list) {
        struct indexed_item indexed;
        combinations_index(&indexed, place, json_position(item));
        if (yyjson_is_obj(item) || yyjson_is_null(item))
            check(of, item, &indexed.path);
    }
}

bool combinations_has_text(yyjson_val *list, struct slice text)
{
    json_each_item(item, list)
        if (yyjson_is_str(item) && slice_equal(json_text(item), text))
            return true;
    return false;
}

bool combinations_has_named(yyjson_val *list, struct slice name)
{
    json_each_item(item, list)
        if (slice_equal(json_text(member(item, "name")), name))
            return true;
    return false;
}

/*
 * Keys
 */

static int compare(const void *a, const void *b)
{
    const struct combinations_keyed *first = a, *second = b;
    int order = slice_compare(first->key, second->key);
    return order ? order : first->position < second->position ? -1 : 1;
}

size_t combinations_repeated(struct combinations_keyed *keys, size_t count)
{
    size_t repeated = 0;
    struct slice previous = {NULL, 0};
    if (count > 1)
        qsort(keys, count, sizeof(*keys), compare);
    for (size_t i = 0; i < count; i++) {
        bool is_repeated = i > 0 && slice_equal(keys[i].key, previous);
        previous = keys[i].key;
        if (is_repeated)
            keys[repeated++] = keys[i];
    }
    return repeated;
}

struct slice combinations_name_of(yyjson_val *item, struct arena *arena)
{
    (void)arena;
    return json_text(member(item, "name"));
}

void combinations_check_unique(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_key *key,
    const char *field_name, const char *sentence)
{
    size_t count = 0;
    struct combinations_keyed *keys = yyjson_arr_size(list) < 2
        ? NULL
        : arena_allocate_array(of->arena, yyjson_arr_size(list), sizeof(*keys));
    if (!keys)
        return;
    json_each_item(item, list) {
        keys[count] = (struct combinations_keyed){key(item, of->arena), json_position(item)};
        count += keys[count].key.length != 0;
    }
    size_t repeated = combinations_repeated(keys, count);
    for (size_t i = 0; i < repeated; i++)
        refuse_item(of, place, keys[i].position, field_name, sentence);
}
