#include "policy/fieldset/fieldset_index.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "base/text.h"
#include "policy/fieldset/lookup_state.h"
#include "policy/fieldset/plain_json.h"

#include <stdlib.h>

/* Up to here a search through all children is quicker than an index. */
#define FEW_CHILDREN_MAX 16

/* A search may go by so many children for each that it asks for; if it asks for fewer, so many searches may.
 */
#define SCANNED_FOR_EACH 16
#define SCANS_MAX 8

/* A child of a node in canonical form, by which the children of one node can be sorted and found. */
struct indexed_child {
    struct slice canonical;
    yyjson_val *node;
    uint32_t position;
    uint32_t taken_by; /* the number of the search that has found it */
};

struct children_index {
    struct note note;
    struct indexed_child *sorted; /* in order of their canonical form; NULL: not yet made */
    size_t count;
    uint32_t searches; /* by the index */
    uint32_t scans;    /* searches that went by the children although they asked for few */
    enum { ORDER_UNKNOWN, ORDER_ASCENDING, ORDER_OTHER } order;
};

static int compare_children(const void *a, const void *b)
{
    return slice_compare(
        ((const struct indexed_child *)a)->canonical, ((const struct indexed_child *)b)->canonical);
}

/* A number has one form for all that json_compare_scalars takes for the same: 1 and 1.0, and a double. */
static void append_canonical_value(struct text *text, yyjson_val *value)
{
    int64_t whole = 0;
    yyjson_val number = {0};
    if (yyjson_is_str(value)) {
        text_append_json(text, json_text(value));
        return;
    }
    if (json_is_whole(value, &whole)) {
        text_append_integer(text, whole);
        return;
    }
    unsafe_yyjson_set_real(&number, yyjson_get_num(value));
    json_append_value(text, yyjson_is_num(value) ? &number : value);
}

/* k: with its members sorted by name and without spaces. */
static void append_sorted_keys(struct text *text, yyjson_val *object)
{
    size_t count = yyjson_obj_size(object), i = 0;
    yyjson_val **keys = arena_allocate_array(text->arena, count, sizeof(*keys));
    if (!keys) {
        text->failed = true;
        return;
    }
    json_each_key(key, object)
        keys[i++] = key;
    qsort(keys, count, sizeof(*keys), json_compare_keys);
    text_append_string(text, "{");
    for (i = 0; i < count; i++) {
        text_append_all(text, i ? "," : "", as_json(json_text(keys[i])), ":");
        append_canonical_value(text, yyjson_obj_iter_get_val(keys[i]));
    }
    text_append_string(text, "}");
}

static bool has_one_spelling(struct slice key)
{
    return key.length < 2 || key.bytes[1] != ':' || (key.bytes[0] != 'k' && key.bytes[0] != 'v');
}

/* Whether k: or v: is spelled as an API server spells it: that is the canonical form. */
static bool is_canonical(struct slice key)
{
    struct plain_json json;
    return plain_json_read(slice_from(key, 2), &json) && json.is_sorted &&
        (key.bytes[0] == 'v' || yyjson_is_obj(json.values));
}

/* Numbers may be longer in the canonical form. */
#define ROOM_FOR_SPELLING 16

/* Field names and indexes stay as they are; JSON is parsed and written again in one form. */
static enum fields_result canonical_form(struct slice key, struct arena *arena, struct slice *canonical)
{
    *canonical = key;
    if (has_one_spelling(key) || is_canonical(key))
        return FIELDS_OK;
    struct text text = text_start(arena, key.length + ROOM_FOR_SPELLING);
    const char *start = text.bytes;
    text_append(&text, (struct slice){key.bytes, 2});
    struct arena_mark mark = arena_mark(arena);
    struct path element = {0};
    bool known;
    if (!fields_decode_element(key, arena, &element, &known))
        return FIELDS_MALFORMED;
    if (element.kind == PATH_KEY)
        append_sorted_keys(&text, element.json);
    else
        append_canonical_value(&text, element.json);
    *canonical = text_slice(&text);
    if (text.bytes == start)
        arena_rewind(arena, mark);
    return canonical->bytes ? FIELDS_OK : FIELDS_OUT_OF_MEMORY;
}

static bool is_taken(const struct fieldset_index *finder, size_t position)
{
    return (position < finder->passed && !finder->has_skipped) ||
        (position < FEW_CHILDREN_MAX && (finder->taken >> position & 1U));
}

/* NULL: there is no memory. */
static struct children_index *children_of(struct fieldset_index *finder)
{
    struct lookup_notes *notes = &finder->lookup->notes;
    if (finder->children)
        return finder->children;
    struct note *note = note_find(note_first(notes, finder->node), NOTE_CHILDREN, finder->node);
    finder->children = note ? (struct children_index *)(void *)note
                            : note_add(notes, NOTE_CHILDREN, finder->node, sizeof(*finder->children));
    if (!finder->children)
        return NULL;
    finder->may_scan = finder->asked >= yyjson_obj_size(finder->node) / SCANNED_FOR_EACH ||
        finder->children->scans < SCANS_MAX;
    finder->children->scans += finder->may_scan;
    return finder->children;
}

static enum fields_result sort_children(
    struct children_index *children, yyjson_val *node, struct arena *arena)
{
    struct indexed_child *sorted = arena_allocate_array(arena, yyjson_obj_size(node), sizeof(*sorted));
    if (!sorted)
        return FIELDS_OUT_OF_MEMORY;
    children->count = 0;
    json_each_key(key, node) {
        struct indexed_child *child = &sorted[children->count];
        child->node = yyjson_obj_iter_get_val(key);
        child->position = (uint32_t)children->count++;
        enum fields_result result = canonical_form(json_text(key), arena, &child->canonical);
        if (result == FIELDS_OUT_OF_MEMORY)
            return result;
        if (result == FIELDS_MALFORMED)
            child->canonical = json_text(key);
    }
    qsort(sorted, children->count, sizeof(*sorted), compare_children);
    children->sorted = sorted;
    return FIELDS_OK;
}

/* From here on the finder asks the index alone. */
static enum fields_result begin_search(struct fieldset_index *finder)
{
    struct children_index *children = children_of(finder);
    enum fields_result result = children ? FIELDS_OK : FIELDS_OUT_OF_MEMORY;
    if (children && !children->sorted)
        result = sort_children(children, finder->node, finder->lookup->arena);
    if (result == FIELDS_OK)
        finder->search = ++children->searches;
    return result;
}

/* Memberships are never looked for, and one side may have them where the other does not. */
static void go_on(struct fieldset_index *finder)
{
    finder->passed_key = finder->next_key;
    finder->next_key = yyjson_obj_iter_next(&finder->cursor);
    while (finder->next_key && fields_is_membership(json_text(finder->next_key))) {
        finder->passed++;
        finder->next_key = yyjson_obj_iter_next(&finder->cursor);
    }
}

void fieldset_index_start(
    struct fieldset_index *finder, yyjson_val *node, struct lookup *lookup, size_t asked)
{
    if (!yyjson_is_obj(node)) {
        finder->node = NULL;
        return;
    }
    *finder = (struct fieldset_index){.node = node, .lookup = lookup, .asked = asked};
    if (yyjson_obj_iter_init(node, &finder->cursor))
        go_on(finder);
}

static enum fields_result find_by_index(
    struct fieldset_index *finder, struct fields_key *key, yyjson_val **found)
{
    enum fields_result result = finder->search ? FIELDS_OK : begin_search(finder);
    if (result == FIELDS_OK && !key->canonical.bytes)
        result = canonical_form(key->text, finder->lookup->arena, &key->canonical);
    if (result != FIELDS_OK)
        return result;
    const struct children_index *children = finder->children;
    const struct indexed_child wanted = {.canonical = key->canonical};
    struct indexed_child *child =
        bsearch(&wanted, children->sorted, children->count, sizeof(wanted), compare_children);
    if (!child)
        return FIELDS_OK;
    if (child->taken_by == finder->search || is_taken(finder, child->position))
        return FIELDS_MALFORMED;
    child->taken_by = finder->search;
    *found = child->node;
    return FIELDS_OK;
}

/* Names have one order, in which an API server writes them; keys of list items are ordered by their values.
 */
static bool is_ascending(yyjson_val *node)
{
    struct slice previous = {NULL, 0};
    json_each_key(key, node) {
        struct slice text = json_text(key);
        if (!has_one_spelling(text) || (previous.bytes && slice_compare(previous, text) >= 0))
            return false;
        previous = text;
    }
    return true;
}

static void take_next(struct fieldset_index *finder, yyjson_val **found)
{
    *found = yyjson_obj_iter_get_val(finder->next_key);
    finder->passed++;
    go_on(finder);
}

static bool is_in_order(struct children_index *children, yyjson_val *node)
{
    if (children->order == ORDER_UNKNOWN)
        children->order = is_ascending(node) ? ORDER_ASCENDING : ORDER_OTHER;
    return children->order == ORDER_ASCENDING;
}

/*
 * Whether the cursor alone gives the answer: the node's names are in order, and the one that is asked for
 * comes later than those it has gone by.
 */
static bool find_further_on(struct fieldset_index *finder, struct slice key, yyjson_val **found)
{
    if (!has_one_spelling(key) ||
        (finder->passed_key && slice_compare(key, json_text(finder->passed_key)) <= 0))
        return false;
    struct children_index *children = children_of(finder);
    if (!children || !finder->may_scan || !is_in_order(children, finder->node))
        return false;
    int order = 1;
    while (finder->next_key && (order = slice_compare(json_text(finder->next_key), key)) < 0) {
        finder->has_skipped = true;
        finder->passed++;
        go_on(finder);
    }
    if (finder->next_key && order == 0)
        take_next(finder, found);
    return true;
}

/* Found by its spelling, which for all but JSON is the only one. */
static enum fields_result find_among_few(
    struct fieldset_index *finder, struct fields_key *key, yyjson_val **found)
{
    yyjson_obj_iter members;
    yyjson_obj_iter_init(finder->node, &members);
    size_t position = 0;
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&members)); position++) {
        if (!slice_equal(json_text(name), key->text))
            continue;
        if (is_taken(finder, position))
            return FIELDS_MALFORMED;
        finder->taken |= UINT32_C(1) << position;
        *found = yyjson_obj_iter_get_val(name);
        return FIELDS_OK;
    }
    return has_one_spelling(key->text) ? FIELDS_OK : find_by_index(finder, key, found);
}

static enum fields_result find_elsewhere(
    struct fieldset_index *finder, struct fields_key *key, yyjson_val **found)
{
    if (finder->search)
        return find_by_index(finder, key, found);
    if (yyjson_obj_size(finder->node) <= FEW_CHILDREN_MAX)
        return find_among_few(finder, key, found);
    return find_further_on(finder, key->text, found) ? FIELDS_OK : find_by_index(finder, key, found);
}

enum fields_result fieldset_index_find(
    struct fieldset_index *finder, struct fields_key *key, yyjson_val **found)
{
    *found = NULL;
    if (!finder->node)
        return FIELDS_OK;
    bool is_next = finder->next_key && !finder->search &&
        slice_equal(json_text(finder->next_key), key->text) && !is_taken(finder, finder->passed);
    if (!is_next)
        return find_elsewhere(finder, key, found);
    take_next(finder, found);
    return FIELDS_OK;
}
