#include "policy/lookup.h"

#include "policy/json.h"

#include <stdint.h>
#include <stdlib.h>

/* Up to here a search through all is as quick as an index. */
#define SEARCHED_WHOLE_MAX 32

/* Ways to index one list by different key names: a list type has one. More are an attempt to make us slow. */
#define INDEXES_OF_ONE_LIST_MAX 4

/* JSON values compared for one review: an object at the API server's limit has a tenth of them. */
#define COMPARED_VALUES_MAX ((size_t)4000000)

/* Fields that make the key of a list type: real ones have at most four. */
#define KEY_NAMES_MAX 16

/* Of the table of indexes, which is made with the first. */
#define BUCKETS_LOG2 12

/* The members of an object by name, or the items of a list by the values of their keys. */
struct container_index {
    struct container_index *next;
    yyjson_val *container;
    const struct path *sample; /* lists: an element with the key names of this index; NULL: an object */
    yyjson_val **sorted;       /* keys of members, or items */
    size_t count;
};

struct lookup {
    struct arena *arena;
    struct container_index **buckets; /* NULL: there is no index yet */
    size_t paid;
};

struct lookup *lookup_create(struct arena *arena)
{
    struct lookup *lookup = arena_allocate_array(arena, 1, sizeof(*lookup));
    if (lookup)
        lookup->arena = arena;
    return lookup;
}

/* Values lie at regular distances, so the bits of their addresses are mixed (Knuth's multiplicative hashing).
 */
static struct container_index **bucket_of(struct lookup *lookup, const yyjson_val *container)
{
    uint64_t mixed = (uint64_t)((uintptr_t)container / sizeof(yyjson_val)) * UINT64_C(0x9e3779b97f4a7c15);
    return &lookup->buckets[mixed >> (64 - BUCKETS_LOG2)];
}

static struct container_index *first_index(struct lookup *lookup, const yyjson_val *container)
{
    return lookup->buckets ? *bucket_of(lookup, container) : NULL;
}

bool lookup_pay_for(struct lookup *lookup, const yyjson_val *value)
{
    if (value)
        lookup->paid += (size_t)(unsafe_yyjson_get_next((yyjson_val *)(uintptr_t)value) - value);
    return lookup->paid <= COMPARED_VALUES_MAX;
}

static int compare_member_keys(const void *a, const void *b)
{
    return slice_compare(json_text(*(yyjson_val *const *)a), json_text(*(yyjson_val *const *)b));
}

static struct container_index *index_create(struct lookup *lookup, yyjson_val *container, size_t count)
{
    struct container_index *index = arena_allocate_array(lookup->arena, 1, sizeof(*index));
    yyjson_val **sorted = arena_allocate_array(lookup->arena, count, sizeof(*sorted));
    if (!lookup->buckets)
        lookup->buckets =
            arena_allocate_array(lookup->arena, (size_t)1 << BUCKETS_LOG2, sizeof(*lookup->buckets));
    if (!index || !sorted || !lookup->buckets)
        return NULL;
    struct container_index **bucket = bucket_of(lookup, container);
    *index = (struct container_index){.next = *bucket, .container = container, .sorted = sorted};
    *bucket = index;
    return index;
}

static struct container_index *member_index(struct lookup *lookup, yyjson_val *object)
{
    for (struct container_index *index = first_index(lookup, object); index; index = index->next) {
        if (index->container == object)
            return index;
    }
    struct container_index *index = index_create(lookup, object, yyjson_obj_size(object));
    if (!index)
        return NULL;
    yyjson_obj_iter members;
    yyjson_obj_iter_init(object, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        index->sorted[index->count++] = key;
    qsort(index->sorted, index->count, sizeof(*index->sorted), compare_member_keys);
    return index;
}

yyjson_val *lookup_member(struct lookup *lookup, yyjson_val *object, struct slice name)
{
    if (yyjson_obj_size(object) <= SEARCHED_WHOLE_MAX)
        return json_member(object, name);
    struct container_index *index = member_index(lookup, object);
    if (!index)
        return NULL;
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(json_text(index->sorted[middle]), name);
        if (order == 0)
            return yyjson_obj_iter_get_val(index->sorted[middle]);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/*
 * Orders `key` (an object that has the element's key fields, or the value of a set) against a list item. The
 * element's names are those that it has.
 */
static int compare_to_item(
    struct lookup *lookup, const struct path *element, yyjson_val *key, yyjson_val *item)
{
    if (element->kind == PATH_VALUE)
        return json_compare_scalars(key, item);
    for (size_t i = 0; i < element->key_names->count; i++) {
        struct slice name = element->key_names->items[i];
        yyjson_val *wanted = lookup_member(lookup, key, name), *value = lookup_member(lookup, item, name);
        int order =
            !wanted || !value ? (wanted != NULL) - (value != NULL) : json_compare_scalars(wanted, value);
        if (order)
            return order;
    }
    return 0;
}

struct item_order {
    struct lookup *lookup;
    const struct path *sample;
};

static int compare_items(const void *a, const void *b, void *context)
{
    const struct item_order *order = context;
    return compare_to_item(order->lookup, order->sample, *(yyjson_val *const *)a, *(yyjson_val *const *)b);
}

static bool same_key_names(const struct path *a, const struct path *b)
{
    if (a->kind != b->kind || a->kind == PATH_VALUE)
        return a->kind == b->kind;
    bool same = a->key_names->count == b->key_names->count;
    for (size_t i = 0; same && i < a->key_names->count; i++)
        same = slice_equal(a->key_names->items[i], b->key_names->items[i]);
    return same;
}

/* The caller's element, and its names, live on a stack. */
static const struct path *keep_sample(struct lookup *lookup, const struct path *element)
{
    struct kept {
        struct path sample;
        struct slice_list key_names;
        struct slice names[KEY_NAMES_MAX];
    } *kept = arena_allocate(lookup->arena, sizeof(*kept));
    if (!kept)
        return NULL;
    kept->sample = *element;
    kept->sample.parent = NULL;
    if (element->kind != PATH_KEY)
        return &kept->sample;
    kept->key_names = (struct slice_list){kept->names, element->key_names->count};
    memcpy(kept->names, element->key_names->items, element->key_names->count * sizeof(*kept->names));
    kept->sample.key_names = &kept->key_names;
    return &kept->sample;
}

/* Beforehand, what the comparison of items asks for: a memory that runs out while sorting would change their
 * order. False if it has. */
static bool index_members_of_items(struct lookup *lookup, const struct container_index *items)
{
    for (size_t i = 0; i < items->count; i++) {
        if (yyjson_obj_size(items->sorted[i]) > SEARCHED_WHOLE_MAX && !member_index(lookup, items->sorted[i]))
            return false;
    }
    return true;
}

static struct container_index *item_index(struct lookup *lookup, yyjson_val *list, const struct path *element)
{
    unsigned indexes = 0;
    for (struct container_index *index = first_index(lookup, list); index; index = index->next) {
        if (index->container != list)
            continue;
        if (same_key_names(index->sample, element))
            return index;
        indexes++;
    }
    if (indexes >= INDEXES_OF_ONE_LIST_MAX)
        return NULL;
    const struct path *sample = keep_sample(lookup, element);
    struct container_index *index = sample ? index_create(lookup, list, yyjson_arr_size(list)) : NULL;
    if (!index)
        return NULL;
    index->sample = sample;
    yyjson_arr_iter items;
    yyjson_arr_iter_init(list, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        index->sorted[index->count++] = item;
    if (sample->kind == PATH_KEY && !index_members_of_items(lookup, index))
        return NULL;
    struct item_order order = {lookup, sample};
    qsort_r(index->sorted, index->count, sizeof(*index->sorted), compare_items, &order);
    return index;
}

static enum lookup_result find_in_index(
    struct lookup *lookup, const struct container_index *index, const struct path *element,
    yyjson_val **found)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_to_item(lookup, element, element->json, index->sorted[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == index->count || compare_to_item(lookup, element, element->json, index->sorted[low]) != 0)
        return LOOKUP_ABSENT;
    if (low + 1 < index->count &&
        compare_to_item(lookup, element, element->json, index->sorted[low + 1]) == 0)
        return LOOKUP_AMBIGUOUS;
    *found = index->sorted[low];
    return LOOKUP_FOUND;
}

static enum lookup_result find_in_list(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    enum lookup_result result = LOOKUP_ABSENT;
    yyjson_arr_iter items;
    yyjson_arr_iter_init(list, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        if (compare_to_item(lookup, element, element->json, item) != 0)
            continue;
        if (result == LOOKUP_FOUND)
            return LOOKUP_AMBIGUOUS;
        result = LOOKUP_FOUND;
        *found = item;
    }
    return result;
}

static size_t add_name(struct slice *names, size_t count, struct slice name)
{
    if (count < KEY_NAMES_MAX)
        names[count] = name;
    return count + 1;
}

/* The names of the key fields that the element has; how many, which may be more than KEY_NAMES_MAX. */
static size_t present_key_names(const struct path *element, struct slice *names)
{
    size_t count = 0;
    if (element->key_names) {
        for (size_t i = 0; i < element->key_names->count; i++) {
            if (json_member(element->json, element->key_names->items[i]))
                count = add_name(names, count, element->key_names->items[i]);
        }
        return count;
    }
    yyjson_obj_iter members;
    yyjson_obj_iter_init(element->json, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        count = add_name(names, count, json_text(key));
    return count;
}

static enum lookup_result find_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    if (yyjson_arr_size(list) <= SEARCHED_WHOLE_MAX)
        return find_in_list(lookup, list, element, found);
    struct container_index *index = item_index(lookup, list, element);
    return index ? find_in_index(lookup, index, element, found) : LOOKUP_AMBIGUOUS;
}

/* A key that two items have names neither. */
static enum lookup_result lookup_keyed_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    struct slice names[KEY_NAMES_MAX];
    struct slice_list present = {names, present_key_names(element, names)};
    if (present.count == 0 || present.count > KEY_NAMES_MAX)
        return LOOKUP_AMBIGUOUS;
    struct path resolved = *element;
    resolved.key_names = &present;
    return find_item(lookup, list, &resolved, found);
}

/* A set cannot hold the same value twice in a way that matters. */
static enum lookup_result lookup_set_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    if (yyjson_is_ctn(element->json))
        return LOOKUP_AMBIGUOUS;
    if (yyjson_arr_size(list) > SEARCHED_WHOLE_MAX && !item_index(lookup, list, element))
        return LOOKUP_AMBIGUOUS;
    if (find_item(lookup, list, element, found) == LOOKUP_ABSENT)
        return LOOKUP_ABSENT;
    *found = element->json;
    return LOOKUP_FOUND;
}

/* No built-in type emits positions; where finding one would mean walking a long list, it is left alone. */
static enum lookup_result lookup_index(yyjson_val *list, struct slice digits, yyjson_val **found)
{
    size_t index = 0;
    if (digits.length == 0 || digits.length > 9 || yyjson_arr_size(list) > SEARCHED_WHOLE_MAX)
        return LOOKUP_AMBIGUOUS;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.bytes[i] < '0' || digits.bytes[i] > '9')
            return LOOKUP_AMBIGUOUS;
        index = index * 10 + (size_t)(digits.bytes[i] - '0');
    }
    *found = yyjson_arr_get(list, index);
    return *found ? LOOKUP_FOUND : LOOKUP_ABSENT;
}

enum lookup_result lookup_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found)
{
    if (element->kind == PATH_FIELD) {
        if (yyjson_is_arr(parent))
            return LOOKUP_AMBIGUOUS;
        *found = lookup_member(lookup, parent, element->text);
        return *found ? LOOKUP_FOUND : LOOKUP_ABSENT;
    }
    if (yyjson_is_null(parent))
        return LOOKUP_ABSENT;
    if (!yyjson_is_arr(parent))
        return LOOKUP_AMBIGUOUS;
    if (element->kind == PATH_INDEX)
        return lookup_index(parent, element->text, found);
    return element->kind == PATH_KEY ? lookup_keyed_item(lookup, parent, element, found)
                                     : lookup_set_item(lookup, parent, element, found);
}
