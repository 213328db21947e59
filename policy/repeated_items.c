#include "policy/repeated_items.h"

#include "policy/applied.h"
#include "policy/json.h"
#include "policy/list_types.h"
#include "policy/path.h"

#include <stdlib.h>

struct collector {
    const struct review *review;
    enum repetition repetition;
    struct repeated_items *items;
    bool out_of_memory;
};

/* The key fields of one item, in the order of the list type; client-side apply's is the first. */
struct item_key {
    yyjson_val *item;
    yyjson_val *merge_value;
    yyjson_val *other_value; /* NULL: left to its default, or there is but one key */
};

static int compare_merge_values(const struct item_key *x, const struct item_key *y)
{
    return json_compare_scalars(x->merge_value, y->merge_value);
}

/* A protocol that is left out is TCP; no other second key has a default. */
static int compare_other_values(yyjson_val *x, yyjson_val *y)
{
    static const struct slice tcp = {"TCP", 3};
    if (x && y)
        return json_compare_scalars(x, y);
    if (!x && !y)
        return 0;
    int order = slice_compare(json_text(x ? x : y), tcp);
    return x ? order : -order;
}

static int compare_keys(const void *a, const void *b)
{
    const struct item_key *x = a, *y = b;
    int order = compare_merge_values(x, y);
    return order ? order : compare_other_values(x->other_value, y->other_value);
}

static void add(
    struct collector *collector, const struct path *list, yyjson_val *item, struct slice merge_key)
{
    struct repeated_items *items = collector->items;
    const struct slice_list names = {&merge_key, 1};
    const struct path element = {
        .parent = list, .depth = list->depth + 1, .kind = PATH_KEY, .json = item, .key_names = &names};
    items->total++;
    if (items->count == REPEATED_ITEMS_MAX)
        return;
    struct text text = text_start(collector->review->arena, 96);
    path_append(&text, &element);
    items->fields[items->count] = text_slice(&text);
    collector->out_of_memory |= items->fields[items->count++].bytes == NULL;
}

/* Whether the run of items with one merge key has two that are the same in every key field. */
static bool has_same(const struct item_key *keys, size_t start, size_t end)
{
    for (size_t i = start + 1; i < end; i++) {
        if (compare_keys(&keys[i - 1], &keys[i]) == 0)
            return true;
    }
    return false;
}

static void collect_runs(
    struct collector *collector, const struct path *list, struct slice merge_key, struct item_key *keys,
    size_t count)
{
    qsort(keys, count, sizeof(*keys), compare_keys);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && compare_merge_values(&keys[start], &keys[end]) == 0;)
            end++;
        if (end - start == 1)
            continue;
        enum repetition repetition = has_same(keys, start, end) ? REPEATED_KEY : REPEATED_MERGE_KEY;
        if (repetition == collector->repetition)
            add(collector, list, keys[start].item, merge_key);
    }
}

static bool is_key_value(const yyjson_val *value)
{
    return value && !yyjson_is_ctn((void *)(uintptr_t)value) && !yyjson_is_null((void *)(uintptr_t)value);
}

/* Items whose key is not declared are the API server's to refuse. */
static void collect_list(
    struct collector *collector, const struct path *list, const struct list_type *type,
    struct slice merge_key, yyjson_val *declared)
{
    size_t size = yyjson_arr_size(declared), count = 0;
    struct item_key *keys = arena_allocate_array(collector->review->arena, size, sizeof(*keys));
    if (!keys) {
        collector->out_of_memory = true;
        return;
    }
    yyjson_arr_iter items;
    yyjson_arr_iter_init(declared, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        struct item_key key = {.item = item, .merge_value = json_member(item, merge_key)};
        if (type->keys.count > 1)
            key.other_value = json_member(item, type->keys.items[1]);
        if (!is_key_value(key.other_value))
            key.other_value = NULL;
        if (is_key_value(key.merge_value))
            keys[count++] = key;
    }
    collect_runs(collector, list, merge_key, keys, count);
}

static void collect_value(struct collector *collector, const struct path *path, yyjson_val *declared);

static void collect_members(struct collector *collector, const struct path *path, yyjson_val *declared)
{
    yyjson_obj_iter members;
    yyjson_obj_iter_init(declared, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path element = {
            .parent = path,
            .depth = path ? path->depth + 1 : 1,
            .kind = PATH_FIELD,
            .text = json_text(key),
        };
        if (yyjson_is_ctn(value))
            collect_value(collector, &element, value);
    }
}

static void collect_value(struct collector *collector, const struct path *path, yyjson_val *declared)
{
    if (path->depth >= JSON_DEPTH_MAX)
        return;
    if (yyjson_is_obj(declared)) {
        collect_members(collector, path, declared);
        return;
    }
    struct slice merge_key;
    struct list_type type = list_type_builtin(collector->review->group, path, &merge_key);
    if (type.kind != LIST_KEYED)
        return;
    if (yyjson_arr_size(declared) > 1)
        collect_list(collector, path, &type, merge_key, declared);
    const struct slice_list names = {&merge_key, 1};
    yyjson_arr_iter items;
    yyjson_arr_iter_init(declared, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        const struct path element = {
            .parent = path, .depth = path->depth + 1, .kind = PATH_KEY, .json = item, .key_names = &names};
        collect_members(collector, &element, item);
    }
}

bool repeated_items_collect(
    const struct review *review, enum repetition repetition, struct repeated_items *items)
{
    items->count = items->total = 0;
    if (!review->last_applied.written || review->ownership.taker.class == CLASS_BOOKKEEPING)
        return true;
    yyjson_val *configuration = last_applied_configuration(&review->last_applied);
    if (!configuration || applied_elsewhere(review, configuration))
        return true;
    struct collector collector = {.review = review, .repetition = repetition, .items = items};
    collect_members(&collector, NULL, configuration);
    return !collector.out_of_memory;
}
