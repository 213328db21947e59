#include "policy/review/managed_fields.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/json_same_text.h"

#include <stdlib.h>

/* Up to here a search through all entries is as quick as an index. */
#define SEARCHED_WHOLE_MAX 16

struct entry_members {
    yyjson_val *manager, *operation, *api_version, *time, *fields_type, *fields, *subresource;
};

static bool read_entry(yyjson_val *value, struct managed_fields_entry *entry)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("manager", struct entry_members, manager),
        JSON_WANTED("operation", struct entry_members, operation),
        JSON_WANTED("apiVersion", struct entry_members, api_version),
        JSON_WANTED("time", struct entry_members, time),
        JSON_WANTED("fieldsType", struct entry_members, fields_type),
        JSON_WANTED("fieldsV1", struct entry_members, fields),
        JSON_WANTED("subresource", struct entry_members, subresource),
    };
    struct entry_members members = {0};
    json_members(value, wanted, ARRAY_SIZE(wanted), &members);
    *entry = (struct managed_fields_entry){
        .manager.name = json_text(members.manager),
        .manager.subresource = json_text(members.subresource),
        .api_version = json_text(members.api_version),
        .time = json_text(members.time),
        .known_fields = yyjson_is_obj(members.fields) ? members.fields : NULL,
    };
    return entry->known_fields && slice_equal(json_text(members.fields_type), SLICE("FieldsV1")) &&
        manager_operation_parse(json_text(members.operation), &entry->manager.operation);
}

/* The members of a readable entry: operation, fieldsType and fieldsV1. */
#define LEAST_MEMBERS 3

/* How many items may be entries: what is read of one takes many times the bytes of a number. */
static size_t count_possible(yyjson_val *list)
{
    size_t possible = 0;
    json_each_item(item, list)
        possible += yyjson_obj_size(item) >= LEAST_MEMBERS;
    return possible;
}

bool managed_fields_read(struct managed_fields *side, yyjson_val *list, bool old, struct arena *arena)
{
    *side = (struct managed_fields){0};
    if (!list || yyjson_is_null(list))
        return true;
    side->present = true;
    side->malformed = !yyjson_is_arr(list);
    size_t size = count_possible(list);
    side->unreadable = yyjson_arr_size(list) - size;
    if (!size)
        return true;
    side->entries = arena_allocate_array(arena, size, sizeof(*side->entries));
    struct entry_cache *caches = arena_allocate_array(arena, size, sizeof(*caches));
    if (!side->entries || !caches)
        return false;
    json_each_item(item, list) {
        if (yyjson_obj_size(item) < LEAST_MEMBERS)
            continue;
        struct managed_fields_entry *entry = &side->entries[side->count];
        if (!read_entry(item, entry)) {
            side->unreadable++;
            continue;
        }
        entry->old = old;
        entry->number = side->count;
        side->updates += entry->manager.operation == MANAGER_UPDATE;
        entry->cache = &caches[side->count++];
    }
    return true;
}

bool managed_fields_defer(
    struct managed_fields *side, const struct deferred_owner *owner, struct arena *arena)
{
    struct managed_fields_entry *entry = arena_allocate_array(arena, 1, sizeof(*entry));
    struct entry_cache *cache = arena_allocate_array(arena, 1, sizeof(*cache));
    if (!entry || !cache)
        return false;
    cache->deferred = owner->owners;
    cache->is_searched = cache->owns_last_applied = owner->owns_last_applied;
    *entry = (struct managed_fields_entry){
        .manager = owner->manager,
        .api_version = owner->api_version,
        .time = owner->time,
        .cache = cache,
    };
    *side = (struct managed_fields){
        .entries = entry,
        .count = 1,
        .updates = owner->manager.operation == MANAGER_UPDATE,
        .deferred = owner->owners,
        .present = true,
    };
    return true;
}

yyjson_val *managed_fields_object(const struct managed_fields *side, yyjson_val *object)
{
    return side->deferred ? side->deferred->make(side->deferred) : object;
}

yyjson_val *entry_fields(const struct managed_fields_entry *entry)
{
    static const yyjson_val no_fields = {.tag = YYJSON_TYPE_OBJ, .uni.ofs = sizeof(no_fields)};
    struct entry_cache *cache = entry->cache;
    if (entry->known_fields || !cache || !cache->deferred)
        return entry->known_fields;
    if (!cache->fields) {
        yyjson_val *object = cache->deferred->make(cache->deferred);
        yyjson_val *made = yyjson_arr_get(json_metadata(object, SLICE("managedFields")), entry->number);
        cache->fields = json_member(made, SLICE("fieldsV1"));
    }
    return cache->fields ? cache->fields : (yyjson_val *)(uintptr_t)&no_fields;
}

bool managed_fields_keep_metadata(struct managed_fields *side, struct arena *arena)
{
    for (size_t i = 0; i < side->count; i++) {
        struct managed_fields_entry *entry = &side->entries[i];
        entry->known_fields = json_only_member(entry_fields(entry), SLICE("f:metadata"), arena);
        if (!entry->known_fields)
            return false;
    }
    return true;
}

static int compare_identity(const struct managed_fields_entry *a, const struct managed_fields_entry *b)
{
    int order = slice_compare(a->manager.name, b->manager.name);
    if (!order)
        order = (int)a->manager.operation - (int)b->manager.operation;
    if (!order)
        order = slice_compare(a->manager.subresource, b->manager.subresource);
    if (!order && a->manager.operation == MANAGER_UPDATE)
        order = slice_compare(a->api_version, b->api_version);
    return order;
}

static int compare_entry_pointers(const void *a, const void *b)
{
    return compare_identity(
        *(const struct managed_fields_entry *const *)a, *(const struct managed_fields_entry *const *)b);
}

/* Entries of one identity by their numbers. */
static int compare_with_numbers(const void *a, const void *b)
{
    const struct managed_fields_entry *x = *(const struct managed_fields_entry *const *)a;
    const struct managed_fields_entry *y = *(const struct managed_fields_entry *const *)b;
    int order = compare_identity(x, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool is_replaced(const struct managed_fields *side, size_t number)
{
    for (size_t later = number + 1; later < side->count; later++) {
        if (compare_identity(&side->entries[number], &side->entries[later]) == 0)
            return true;
    }
    return false;
}

/* Returns false if memory runs out. */
static bool mark_replaced(const struct managed_fields *side, bool *replaced, struct arena *arena)
{
    if (side->count <= SEARCHED_WHOLE_MAX) {
        for (size_t i = 0; i < side->count; i++)
            replaced[i] = is_replaced(side, i);
        return true;
    }
    const struct managed_fields_entry **sorted =
        arena_allocate_array(arena, side->count, sizeof(const struct managed_fields_entry *));
    if (!sorted)
        return false;
    for (size_t i = 0; i < side->count; i++)
        sorted[i] = &side->entries[i];
    qsort(sorted, side->count, sizeof(*sorted), compare_with_numbers);
    for (size_t i = 0; i < side->count; i++)
        replaced[sorted[i]->number] = i + 1 < side->count && compare_identity(sorted[i], sorted[i + 1]) == 0;
    return true;
}

bool managed_fields_keep_last(struct managed_fields *before, struct arena *arena)
{
    bool few[SEARCHED_WHOLE_MAX];
    bool *replaced = before->count <= SEARCHED_WHOLE_MAX
        ? few
        : arena_allocate_array(arena, before->count, sizeof(*replaced));
    if (!replaced || !mark_replaced(before, replaced, arena))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < before->count; i++) {
        struct managed_fields_entry *entry = &before->entries[kept];
        if (replaced[i]) {
            before->updates -= before->entries[i].manager.operation == MANAGER_UPDATE;
            continue;
        }
        *entry = before->entries[i];
        entry->number = kept++;
    }
    before->count = kept;
    return true;
}

/* The API server writes the fields in order. In another order, only sets of equal size can be the same. */
static bool same_fields(yyjson_val *a, yyjson_val *b, struct arena *arena)
{
    const yyjson_val *difference;
    return json_same_text(a, b) || json_identical_up_to(a, b, &difference) ||
        (difference && json_equal(a, b, arena));
}

/* Both sides of an unchanged entry share its cache, as facts about it come from its manager and its fields.
 */
static void pair(struct managed_fields_entry *a, struct managed_fields_entry *b, struct arena *arena)
{
    if (a->counterpart || b->counterpart)
        return;
    a->counterpart = b;
    b->counterpart = a;
    a->same_fields = b->same_fields = same_fields(entry_fields(a), entry_fields(b), arena);
    if (a->same_fields)
        b->cache = a->cache;
}

/* Both sides are stored in the same order but for the entries that were written, so a cursor finds nearly
 * all. */
static void pair_few(struct managed_fields *before, struct managed_fields *after, struct arena *arena)
{
    size_t cursor = 0;
    for (size_t i = 0; i < before->count; i++) {
        for (size_t tried = 0; tried < after->count; tried++) {
            size_t j = (cursor + tried) % after->count;
            if (compare_identity(&before->entries[i], &after->entries[j]) == 0) {
                pair(&before->entries[i], &after->entries[j], arena);
                cursor = j + 1;
                break;
            }
        }
    }
}

static bool pair_many(struct managed_fields *before, struct managed_fields *after, struct arena *arena)
{
    struct managed_fields_entry **sorted =
        arena_allocate_array(arena, after->count, sizeof(struct managed_fields_entry *));
    if (!sorted)
        return false;
    for (size_t i = 0; i < after->count; i++)
        sorted[i] = &after->entries[i];
    qsort(sorted, after->count, sizeof(*sorted), compare_entry_pointers);
    for (size_t i = 0; i < before->count; i++) {
        struct managed_fields_entry *entry = &before->entries[i];
        struct managed_fields_entry **found =
            bsearch(&entry, sorted, after->count, sizeof(*sorted), compare_entry_pointers);
        if (found)
            pair(entry, *found, arena);
    }
    return true;
}

bool managed_fields_pair(struct managed_fields *before, struct managed_fields *after, struct arena *arena)
{
    if (after->count > SEARCHED_WHOLE_MAX || before->count > SEARCHED_WHOLE_MAX)
        return pair_many(before, after, arena);
    pair_few(before, after, arena);
    return true;
}
