#include "policy/analysis/repeated_items.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/search.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/declared_lists.h"
#include "policy/review/ownership.h"
#include "policy/verdict/message.h"

#include <stdlib.h>

struct collector {
    struct arena *arena;
    struct repeated_items *by_key;
    struct repeated_items *kept;
    struct repeated_items *by_merge_key;
    struct repeated_items *lost;
    struct repeated_items *lost_by_merge_key;
};

/* The key fields of one item, in the order of the list type; client-side apply's is the first. */
struct item_key {
    yyjson_val *item;
    yyjson_val *merge_value;
    yyjson_val *other_value; /* NULL: left to its default, or there is but one key */
};

/* In order of their keys. */
struct item_keys {
    struct item_key *keys;
    size_t count;
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

static bool is_key_value(const yyjson_val *value)
{
    return value && !yyjson_is_ctn((void *)(uintptr_t)value) && !yyjson_is_null((void *)(uintptr_t)value);
}

/* Items whose key is not declared are the API server's to refuse. `list` may be NULL: it has none. */
static struct item_keys sort_keys(
    struct collector *collector, const struct declared_list *type, yyjson_val *list)
{
    struct item_keys sorted = {
        arena_allocate_array(collector->arena, yyjson_arr_size(list), sizeof(*sorted.keys)), 0};
    if (!sorted.keys)
        return sorted;
    json_each_item(item, list) {
        struct item_key key = {.item = item, .merge_value = json_member(item, type->merge_key)};
        if (type->type->keys.count > 1)
            key.other_value = json_member(item, type->type->keys.items[1]);
        if (!is_key_value(key.other_value))
            key.other_value = NULL;
        if (is_key_value(key.merge_value))
            sorted.keys[sorted.count++] = key;
    }
    qsort(sorted.keys, sorted.count, sizeof(*sorted.keys), compare_keys);
    return sorted;
}

/* Where the run of items with the merge key of the one at `start` ends. */
static size_t end_of_run(const struct item_keys *sorted, size_t start)
{
    size_t end = start + 1;
    while (end < sorted->count && compare_merge_values(&sorted->keys[start], &sorted->keys[end]) == 0)
        end++;
    return end;
}

static bool is_value_before(const void *item, const void *key)
{
    return compare_merge_values(item, key) < 0;
}

/* How many items have the merge key; the first of them in `*first`. */
static size_t count_items(const struct item_keys *sorted, const struct item_key *key, size_t *first)
{
    *first = search_first(sorted->keys, sorted->count, sizeof(*sorted->keys), is_value_before, key);
    bool is_there = *first < sorted->count && compare_merge_values(&sorted->keys[*first], key) == 0;
    return is_there ? end_of_run(sorted, *first) - *first : 0;
}

static bool has_several(const struct item_keys *sorted, const struct item_key *key)
{
    size_t first;
    return count_items(sorted, key, &first) > 1;
}

/* Whether two items are the same in every key field. */
static bool has_same(const struct item_keys *sorted, size_t start, size_t end)
{
    for (size_t i = start + 1; i < end; i++) {
        if (compare_keys(&sorted->keys[i - 1], &sorted->keys[i]) == 0)
            return true;
    }
    return false;
}

static void add(
    struct collector *collector, struct repeated_items *items, const struct declared_list *list,
    const struct item_key *key)
{
    const struct slice_list names = {&list->merge_key, 1};
    struct path element = path_below(list->path);
    element.kind = PATH_KEY;
    element.json = key->item;
    element.key_names = &names;
    items->total++;
    if (items->count == REPEATED_ITEMS_MAX)
        return;
    struct text text = text_start(collector->arena, 96);
    path_append(&text, &element);
    items->fields[items->count++] = text_slice(&text);
}

/* Only where a list has several key fields can items differ though their merge key is the same. */
static bool has_other_keys(const struct declared_list *list)
{
    return list->type->keys.count > 1;
}

static void collect_same_keys(
    struct collector *collector, const struct declared_list *list, const struct item_keys *declared,
    const struct item_keys *before)
{
    for (size_t start = 0, end; start < declared->count; start = end) {
        end = end_of_run(declared, start);
        if (!has_same(declared, start, end))
            continue;
        size_t first, count = count_items(before, &declared->keys[start], &first);
        bool is_kept = has_same(before, first, first + count);
        add(collector, is_kept ? collector->kept : collector->by_key, list, &declared->keys[start]);
    }
}

/* `before` is the list in the configuration before. */
static void collect_lost(
    struct collector *collector, const struct declared_list *list, const struct item_keys *declared,
    const struct item_keys *before)
{
    if (!list->after && !list->is_absent_after)
        return;
    struct item_keys after = sort_keys(collector, list, list->after);
    for (size_t start = 0, end; start < declared->count; start = end) {
        const struct item_key *key = &declared->keys[start];
        size_t first, unused;
        end = end_of_run(declared, start);
        size_t count = count_items(before, key, &first);
        if (count <= end - start || count_items(&after, key, &unused))
            continue;
        bool is_same = has_same(before, first, first + count);
        add(collector, is_same ? collector->lost : collector->lost_by_merge_key, list, key);
    }
}

static void collect_same_merge_keys(
    struct collector *collector, const struct declared_list *list, const struct item_keys *declared)
{
    struct item_keys after = sort_keys(collector, list, list->after);
    for (size_t start = 0, end; start < declared->count; start = end) {
        end = end_of_run(declared, start);
        if (end - start > 1 || has_several(&after, &declared->keys[start]))
            add(collector, collector->by_merge_key, list, &declared->keys[start]);
    }
}

static void collect_applied(void *context, const struct declared_list *list)
{
    struct collector *collector = context;
    bool is_repeated_beside = has_other_keys(list) && yyjson_arr_size(list->after) > 1;
    if (yyjson_arr_size(list->declared) < 2 && yyjson_arr_size(list->before) < 2 && !is_repeated_beside)
        return;
    struct item_keys declared = sort_keys(collector, list, list->declared);
    struct item_keys before = sort_keys(collector, list, list->before);
    if (before.count > 1)
        collect_lost(collector, list, &declared, &before);
    if (has_same(&declared, 0, declared.count))
        collect_same_keys(collector, list, &declared, &before);
    else if (has_other_keys(list))
        collect_same_merge_keys(collector, list, &declared);
}

static void collect_made(void *context, const struct declared_list *list)
{
    struct collector *collector = context;
    if (!has_other_keys(list) || yyjson_arr_size(list->after) < 2 ||
        json_identical(list->before, list->after))
        return;
    struct item_keys declared = sort_keys(collector, list, list->declared);
    struct item_keys before = sort_keys(collector, list, list->before);
    struct item_keys after = sort_keys(collector, list, list->after);
    for (size_t start = 0; start < declared.count; start = end_of_run(&declared, start)) {
        const struct item_key *key = &declared.keys[start];
        if (has_several(&after, key) && !has_several(&before, key))
            add(collector, collector->by_merge_key, list, key);
    }
}

struct slice repeated_items_describe_lost(const struct review *review, const struct repeated_items *items)
{
    const struct writer *writer = &review->ownership.writer;
    bool is_kubectl = writer->after && entry_tool(writer->after) == TOOL_KUBECTL_CLIENT_SIDE;
    return text_join(
        review->arena, message_writer(review), " removes ", message_fields(items->fields, items->total),
        ", which the manifest had twice and still has; ",
        is_kubectl ? "use --server-side --force-conflicts" : "apply it again");
}

/* In the value, however deep. Without such a list nothing repeats, and most of the way is spared. */
static bool holds_list_of_several(yyjson_val *value)
{
    const yyjson_val *end = value ? unsafe_yyjson_get_next(value) : NULL;
    for (; value < end; value++) {
        if (unsafe_yyjson_is_arr(value) && unsafe_yyjson_get_len(value) > 1)
            return true;
    }
    return false;
}

/* No list of metadata or status has several key fields: only of such is the object asked. */
static bool object_holds_list_of_several(const struct review *review)
{
    json_each_key(key, review->object) {
        struct slice name = json_text(key);
        if (!slice_equal(name, SLICE("metadata")) && !slice_equal(name, SLICE("status")) &&
            holds_list_of_several(yyjson_obj_iter_get_val(key)))
            return true;
    }
    return false;
}

/* A removed item leaves the fields of an owner. */
static bool may_remove_items(const struct review *review)
{
    const struct managed_fields_entry *before = review->ownership.writer.before;
    return !before || !before->same_fields || review->ownership.others_changed;
}

static void collect_all(
    const struct review *review, yyjson_val *configuration, yyjson_val *before,
    struct repeated_items_applied *applied)
{
    struct repeated_items *all[] = {
        &applied->by_key, &applied->kept, &applied->by_merge_key, &applied->lost,
        &applied->lost_by_merge_key};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        all[i]->count = all[i]->total = 0;
    struct collector collector = {
        .arena = review->arena,
        .by_key = &applied->by_key,
        .kept = &applied->kept,
        .by_merge_key = &applied->by_merge_key,
        .lost = &applied->lost,
        .lost_by_merge_key = &applied->lost_by_merge_key,
    };
    const struct declared_list_places places = {before, review->object, true};
    if (holds_list_of_several(configuration) || holds_list_of_several(before) ||
        object_holds_list_of_several(review))
        declared_lists_visit(review, configuration, &places, collect_applied, &collector);
}

const struct repeated_items_applied *repeated_items_applied(const struct review *review)
{
    if (review->cache->repeated_items)
        return review->cache->repeated_items;
    struct repeated_items_applied *applied = arena_allocate(review->arena, sizeof(*applied));
    if (!applied)
        return NULL;
    yyjson_val *configuration = applied_client_side(review);
    bool looks_back = configuration && may_remove_items(review);
    collect_all(review, configuration, looks_back ? applied_annotation_before(review) : NULL, applied);
    /* The configuration before is read only if it matters, which is seldom. */
    if (!looks_back && applied->by_key.total)
        collect_all(review, configuration, applied_annotation_before(review), applied);
    review->cache->repeated_items = applied;
    return applied;
}

void repeated_items_collect_made(
    const struct review *review, yyjson_val *configuration, struct repeated_items *items)
{
    items->count = items->total = 0;
    struct collector collector = {.arena = review->arena, .by_merge_key = items};
    const struct declared_list_places places = {review->old_object, review->object, false};
    if (object_holds_list_of_several(review))
        declared_lists_visit(review, configuration, &places, collect_made, &collector);
}
