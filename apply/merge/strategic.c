#include "apply/merge/strategic.h"

#include "base/search.h"
#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>

const struct value *strategic_refuse(struct strategic *strategic, const char *sentence)
{
    if (!strategic->has_failed)
        error_set(strategic->error, "%s", sentence);
    strategic->has_failed = true;
    return NULL;
}

const struct value *strategic_refuse_unknown(struct strategic *strategic)
{
    return strategic_refuse(strategic, "the type has no such field, and kubectl does not know how it merges");
}

const struct value *strategic_no_memory(struct strategic *strategic)
{
    if (!strategic->has_failed)
        error_set_out_of_memory(strategic->error);
    strategic->has_failed = true;
    return NULL;
}

bool strategic_copy(struct strategic *strategic, size_t count)
{
    strategic->copied += count;
    if (strategic->copied <= STRATEGIC_COPIES_MAX)
        return true;
    strategic->has_given_up = true;
    return strategic_refuse(strategic, "too many items of a list that merges have the same key");
}

const struct value *strategic_list(
    struct strategic *strategic, const struct value *const *items, size_t count)
{
    const struct value *list = value_list(items, count, strategic->arena);
    return list ? list : strategic_no_memory(strategic);
}

const struct value *strategic_map(
    struct strategic *strategic, const struct value_member *members, size_t count)
{
    const struct value *map = value_map(members, count, strategic->arena);
    return map ? map : strategic_no_memory(strategic);
}

/* The type allows any value, so Go has no fields for it. */
static bool is_opaque(struct schema_ref type)
{
    return schema_type_of(type)->kinds == (SCHEMA_SCALAR | SCHEMA_LIST | SCHEMA_MAP);
}

bool strategic_map_field(struct schema_ref type, struct slice name, struct strategic_field *field)
{
    const struct schema_type *of = schema_type_of(type);
    const struct schema_field *found = schema_field_of(type, name);
    if (is_opaque(type) || !(of->kinds & SCHEMA_MAP) || (!found && !of->is_open))
        return false;
    *field = (struct strategic_field){.type = schema_of_field(type, found)};
    if (found) {
        field->key = schema_name_of(type.schema, found->patch_key);
        field->merges = found->patch_strategy & SCHEMA_PATCH_MERGE;
        field->replaces = found->patch_strategy & SCHEMA_PATCH_REPLACE;
        field->retains_keys = found->patch_strategy & SCHEMA_PATCH_RETAIN_KEYS;
    }
    return true;
}

bool strategic_list_field(struct schema_ref type, struct slice name, struct strategic_field *field)
{
    if (!strategic_map_field(type, name, field) || is_opaque(field->type) ||
        !(schema_type_of(field->type)->kinds & SCHEMA_LIST))
        return false;
    field->type = schema_item(field->type);
    return true;
}

/* The kinds of values in Go: it distinguishes texts, booleans, integers and other numbers. */
enum go_kind { GO_NULL, GO_MAP, GO_LIST, GO_TEXT, GO_BOOLEAN, GO_WHOLE, GO_REAL };

static enum go_kind go_kind_of(const struct value *value)
{
    if (value->kind == VALUE_NULL)
        return GO_NULL;
    if (value->kind != VALUE_SCALAR)
        return value->kind == VALUE_MAP ? GO_MAP : GO_LIST;
    if (!yyjson_is_num(value->scalar))
        return yyjson_is_str(value->scalar) ? GO_TEXT : GO_BOOLEAN;
    bool is_large = yyjson_is_uint(value->scalar) && yyjson_get_uint(value->scalar) > INT64_MAX;
    return yyjson_is_int(value->scalar) && !is_large ? GO_WHOLE : GO_REAL;
}

static bool has_kind(const struct value *list, enum go_kind kind)
{
    for (size_t i = 0; list && i < list->count; i++) {
        if (go_kind_of(list->items[i]) != kind)
            return false;
    }
    return true;
}

bool strategic_one_kind(struct strategic *strategic, const struct value *a, const struct value *b)
{
    const struct value *first = a && a->count ? a->items[0] : b && b->count ? b->items[0] : NULL;
    if (!first)
        strategic_refuse(strategic, "a list that merges is empty, and kubectl does not know what it holds");
    else if (first->kind == VALUE_NULL || first->kind == VALUE_LIST)
        strategic_refuse(strategic, "an item of a list that merges is null or a list");
    else if (!has_kind(a, go_kind_of(first)) || !has_kind(b, go_kind_of(first)))
        strategic_refuse(strategic, "items of a list that merges are of different kinds");
    return !strategic->has_failed;
}

bool strategic_has_directive(const struct value *value, struct slice text)
{
    return slice_equal(value_text(value_member(value, DIRECTIVE)), text);
}

static bool refuse_keyless(struct strategic *strategic, struct slice key)
{
    if (!strategic->has_failed)
        error_set(
            strategic->error, "an item of a list that merges by %.*s has no %.*s", (int)key.length, key.bytes,
            (int)key.length, key.bytes);
    strategic->has_failed = true;
    return false;
}

static struct slice printed(struct strategic *strategic, const struct value *value)
{
    if (value->kind == VALUE_NULL)
        return SLICE("<nil>");
    struct text text = text_start(strategic->arena, 24);
    value_append_json(&text, value);
    return text_slice(&text);
}

bool strategic_key_of(
    struct strategic *strategic, const struct value *item, struct slice key, struct strategic_key *found)
{
    const struct value *value = key.length ? value_member(item, key) : item;
    if (!value)
        return refuse_keyless(strategic, key);
    if (value->kind == VALUE_MAP || value->kind == VALUE_LIST)
        return strategic_refuse(strategic, "the key of an item of a list that merges is not a scalar");
    *found = (struct strategic_key){.text = value_text(value)};
    found->is_string = value->kind == VALUE_SCALAR && yyjson_is_str(value->scalar);
    if (!found->is_string)
        found->text = printed(strategic, value);
    return found->text.bytes || strategic_no_memory(strategic);
}

bool strategic_same_key(const struct strategic_key *a, const struct strategic_key *b)
{
    return a->is_string == b->is_string && slice_equal(a->text, b->text);
}

static int compare_keys(const void *a, const void *b)
{
    const struct strategic_key *one = a, *other = b;
    int order = slice_compare(one->text, other->text);
    if (order || one->is_string != other->is_string)
        return order ? order : one->is_string - other->is_string;
    return (one->position < other->position) - (one->position > other->position);
}

bool strategic_index_items(
    struct strategic *strategic, const struct value *list, struct slice key, struct strategic_index *index)
{
    const size_t count = list ? list->count : 0;
    *index = (struct strategic_index){.list = list, .count = count};
    index->keys = arena_allocate_array(strategic->arena, count, sizeof(*index->keys));
    if (!index->keys)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < count; i++) {
        if (!strategic_key_of(strategic, list->items[i], key, &index->keys[i]))
            return false;
        index->keys[i].position = i;
    }
    if (index->count)
        qsort(index->keys, index->count, sizeof(*index->keys), compare_keys);
    return true;
}

static bool is_not_after(const void *item, const void *key)
{
    return compare_keys(item, key) <= 0;
}

size_t strategic_find(const struct strategic_index *index, const struct strategic_key *key)
{
    struct strategic_key first = *key;
    first.position = 0;
    size_t low = search_first(index->keys, index->count, sizeof(*index->keys), is_not_after, &first);
    /* The first item of the list with this key is the last one here. */
    return low && strategic_same_key(&index->keys[low - 1], key) ? index->keys[low - 1].position : SIZE_MAX;
}

/* An item and its place. */
struct placed {
    const struct value *item;
    size_t rank, position;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    return (one->position > other->position) - (one->position < other->position);
}

static const struct value *list_of_placed(
    struct strategic *strategic, const struct placed *placed, size_t count)
{
    const struct value **items = arena_allocate_array(strategic->arena, count, sizeof(*items));
    if (!items)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < count; i++)
        items[i] = placed[i].item;
    return strategic_list(strategic, items, count);
}

const struct value *strategic_sort(
    struct strategic *strategic, const struct value *list, struct slice key,
    const struct strategic_index *order)
{
    struct placed *placed = arena_allocate_array(strategic->arena, list->count, sizeof(*placed));
    if (!placed)
        return strategic_no_memory(strategic);
    for (size_t i = 0; i < list->count; i++) {
        struct strategic_key found;
        if (!strategic_key_of(strategic, list->items[i], key, &found))
            return NULL;
        placed[i] = (struct placed){list->items[i], SIZE_MAX, i};
        if (!strategic_has_directive(list->items[i], SLICE("delete")))
            placed[i].rank = strategic_find(order, &found);
    }
    if (list->count)
        qsort(placed, list->count, sizeof(*placed), compare_placed);
    return list_of_placed(strategic, placed, list->count);
}
