#include "policy/analysis/combinations_parts.h"

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

struct keyed_item {
    struct slice key;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct keyed_item *first = a, *second = b;
    int order = slice_compare(first->key, second->key);
    return order ? order : first->index < second->index ? -1 : 1;
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

void combinations_check_unique(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_key *key,
    const char *field_name, const char *sentence)
{
    size_t count = 0;
    yyjson_arr_iter items;
    if (yyjson_arr_size(list) < 2 || !yyjson_arr_iter_init(list, &items))
        return;
    struct keyed_item *keys = arena_allocate_array(of->arena, yyjson_arr_size(list), sizeof(*keys));
    for (yyjson_val *item; keys && (item = yyjson_arr_iter_next(&items));) {
        keys[count] = (struct keyed_item){key(item, of->arena), items.idx - 1};
        count += keys[count].key.length != 0;
    }
    if (count > 1)
        qsort(keys, count, sizeof(*keys), compare);
    for (size_t i = 1; i < count; i++)
        if (slice_equal(keys[i].key, keys[i - 1].key))
            refuse_item(of, place, keys[i].index, field_name, sentence);
}
