#include "policy/fieldset/lookup.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/lookup_state.h"

#include <stdlib.h>

/* Up to here a search through all is as quick as an index. */
#define SEARCHED_WHOLE_MAX 32

/* Comparing values of fewer parts takes no longer than remembering the result. */
#define COMPARED_ANEW_MAX 16

struct lookup *lookup_create(struct arena *arena)
{
    struct lookup *lookup = arena_allocate_array(arena, 1, sizeof(*lookup));
    if (lookup)
        lookup->arena = lookup->notes.arena = arena;
    return lookup;
}

struct effort *lookup_effort(struct lookup *lookup)
{
    return &lookup->effort;
}

bool lookup_pay_for(struct lookup *lookup, const yyjson_val *value)
{
    return !value || effort_spend(&lookup->effort, EFFORT_COMPARED, json_parts(value));
}

struct comparison {
    struct note note;
    const yyjson_val *with;
    bool is_equal;
};

enum search_answer lookup_equal(struct lookup *lookup, yyjson_val *a, yyjson_val *b)
{
    bool is_small = json_parts(a) <= COMPARED_ANEW_MAX;
    for (struct note *note = is_small ? NULL : note_find(note_first(&lookup->notes, a), NOTE_COMPARED, a);
         note; note = note_find(note->next, NOTE_COMPARED, a)) {
        const struct comparison *comparison = (const struct comparison *)(const void *)note;
        if (comparison->with == b)
            return comparison->is_equal ? ANSWER_YES : ANSWER_NO;
    }
    if (!lookup_pay_for(lookup, a))
        return ANSWER_UNKNOWN;
    bool is_equal = json_equal(a, b, lookup->arena);
    struct comparison *kept = is_small ? NULL : note_add(&lookup->notes, NOTE_COMPARED, a, sizeof(*kept));
    if (kept) {
        kept->with = b;
        kept->is_equal = is_equal;
    }
    return is_equal ? ANSWER_YES : ANSWER_NO;
}

/* The keys of an object's members, in order. */
struct member_index {
    struct note note;
    size_t count;
    yyjson_val *sorted[];
};

static struct member_index *member_index(struct lookup *lookup, yyjson_val *object)
{
    struct note *note = note_find(note_first(&lookup->notes, object), NOTE_MEMBERS, object);
    if (note)
        return (struct member_index *)(void *)note;
    struct member_index *index = note_add(
        &lookup->notes, NOTE_MEMBERS, object,
        sizeof(*index) + yyjson_obj_size(object) * sizeof(*index->sorted));
    if (!index)
        return NULL;
    json_each_key(key, object)
        index->sorted[index->count++] = key;
    qsort(index->sorted, index->count, sizeof(*index->sorted), json_compare_keys);
    return index;
}

/* As slice_compare of a key and the text that stands behind `prefix_length` bytes of prefix. */
static int compare_prefixed(struct slice key, const char *prefix, size_t prefix_length, struct slice text)
{
    if (!prefix_length)
        return slice_compare(key, text);
    size_t common = key.length < prefix_length ? key.length : prefix_length;
    int order = memcmp(key.bytes, prefix, common);
    if (order || common < prefix_length)
        return order ? order : -1;
    return slice_compare(slice_from(key, prefix_length), text);
}

static yyjson_val *find_in_index(
    const struct member_index *index, const char *prefix, size_t prefix_length, struct slice text)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_prefixed(json_text(index->sorted[middle]), prefix, prefix_length, text);
        if (order == 0)
            return yyjson_obj_iter_get_val(index->sorted[middle]);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

yyjson_val *lookup_member(struct lookup *lookup, yyjson_val *object, struct slice name)
{
    if (yyjson_obj_size(object) <= SEARCHED_WHOLE_MAX)
        return json_member(object, name);
    struct member_index *index = member_index(lookup, object);
    return index ? find_in_index(index, NULL, 0, name) : NULL;
}

yyjson_val *lookup_child(struct lookup *lookup, yyjson_val *node, const struct path *element)
{
    static const char prefixes[][2] = {
        [PATH_FIELD] = {'f', ':'},
        [PATH_KEY] = {'k', ':'},
        [PATH_VALUE] = {'v', ':'},
        [PATH_INDEX] = {'i', ':'}};
    const char *prefix = prefixes[element->kind];
    if (yyjson_obj_size(node) > SEARCHED_WHOLE_MAX) {
        struct member_index *index = member_index(lookup, node);
        return index ? find_in_index(index, prefix, 2, element->text) : NULL;
    }
    json_each_key(key, node) {
        struct slice text = json_text(key);
        if (text.length == element->text.length + 2 && compare_prefixed(text, prefix, 2, element->text) == 0)
            return yyjson_obj_iter_get_val(key);
    }
    return NULL;
}
