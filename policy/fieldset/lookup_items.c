#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/lookup_state.h"

#include <stdlib.h>

/* Values that are compared in a search through all items of a list. Up to here, an index is no quicker even
 * if each item is asked for once. */
#define SEARCHED_WHOLE_MAX 16

/* Ways to index one list by different key names: a list type has one. More are an attempt to make us slow. */
#define INDEXES_OF_ONE_LIST_MAX 4

/* Fields that make the key of a list type: real ones have at most four. */
#define KEY_NAMES_MAX 16

/* Sets of key fields that items of one declared list leave to their defaults. */
#define SHAPES_MAX 4

/* The search key of an item: the values of key fields, or of a set the item itself. */
struct wanted {
    bool is_set;
    struct slice names[KEY_NAMES_MAX];
    yyjson_val *values[KEY_NAMES_MAX]; /* NULL: to be absent */
    size_t count;
};

struct item_row {
    yyjson_val *item;
    yyjson_val **values; /* in the order of the names; NULL: it has none */
    size_t count;
};

struct item_index {
    struct note note;
    bool is_set;
    struct slice names[KEY_NAMES_MAX];
    size_t name_count;
    struct item_row *rows; /* in order of their values */
    size_t count;
    size_t last; /* the row of the last answer */
    /* For declared lists: which of the names items have, a bit for each. */
    bool has_shapes;
    unsigned shapes[SHAPES_MAX];
    size_t shape_count; /* more than SHAPES_MAX: these are not all */
};

static bool add_name(struct wanted *wanted, struct slice name, yyjson_val *value)
{
    if (wanted->count == KEY_NAMES_MAX)
        return false;
    wanted->names[wanted->count] = name;
    wanted->values[wanted->count++] = value;
    return true;
}

/*
 * By the key fields that the element has. Returns false if it is not a key: none, or more than any list type
 * has.
 */
static bool read_wanted(struct lookup *lookup, const struct path *element, struct wanted *wanted)
{
    wanted->count = 0;
    wanted->is_set = element->kind == PATH_VALUE;
    if (wanted->is_set)
        return !yyjson_is_ctn(element->json) && add_name(wanted, (struct slice){NULL, 0}, element->json);
    if (element->key_names) {
        for (size_t i = 0; i < element->key_names->count; i++) {
            yyjson_val *value = lookup_member(lookup, element->json, element->key_names->items[i]);
            if (value && !add_name(wanted, element->key_names->items[i], value))
                return false;
        }
        return wanted->count;
    }
    json_each_key(key, element->json)
        if (!add_name(wanted, json_text(key), yyjson_obj_iter_get_val(key)))
            return false;
    return wanted->count;
}

static yyjson_val *value_of(struct lookup *lookup, yyjson_val *item, bool is_set, struct slice name)
{
    return is_set ? item : lookup_member(lookup, item, name);
}

static int compare_values(yyjson_val *a, yyjson_val *b)
{
    return a && b ? json_compare_scalars(a, b) : (a != NULL) - (b != NULL);
}

static int compare_rows(const void *a, const void *b)
{
    const struct item_row *x = a, *y = b;
    for (size_t i = 0; i < x->count; i++) {
        int order = compare_values(x->values[i], y->values[i]);
        if (order)
            return order;
    }
    return 0;
}

/* Sets are mostly stored in the order of their values. */
static void sort_rows(struct item_index *index)
{
    for (size_t i = 1; i < index->count; i++) {
        if (compare_rows(&index->rows[i - 1], &index->rows[i]) > 0) {
            qsort(index->rows, index->count, sizeof(*index->rows), compare_rows);
            return;
        }
    }
}

static bool is_of(const struct item_index *index, const struct wanted *wanted)
{
    bool same = index->is_set == wanted->is_set && index->name_count == wanted->count;
    for (size_t i = 0; same && i < wanted->count; i++)
        same = slice_equal(index->names[i], wanted->names[i]);
    return same;
}

static bool fill_rows(struct lookup *lookup, struct item_index *index, yyjson_val *list)
{
    size_t size = yyjson_arr_size(list), names = index->name_count;
    index->rows = arena_allocate_array(lookup->arena, size, sizeof(*index->rows));
    yyjson_val **values = arena_allocate_array(lookup->arena, size, names * sizeof(yyjson_val *));
    if (!index->rows || !values)
        return false;
    json_each_item(item, list) {
        index->rows[index->count++] = (struct item_row){item, values, names};
        for (size_t i = 0; i < names; i++)
            *values++ = value_of(lookup, item, index->is_set, index->names[i]);
    }
    sort_rows(index);
    return !arena_has_failed(lookup->arena);
}

/* Returns NULL if memory runs out, or the list is asked for by ever other names. */
static struct item_index *index_of(struct lookup *lookup, yyjson_val *list, const struct wanted *wanted)
{
    unsigned indexes = 0;
    for (struct note *note = note_find(note_first(&lookup->notes, list), NOTE_ITEMS, list); note;
         note = note_find(note->next, NOTE_ITEMS, list)) {
        struct item_index *index = (struct item_index *)(void *)note;
        if (is_of(index, wanted))
            return index->rows ? index : NULL;
        indexes++;
    }
    if (indexes >= INDEXES_OF_ONE_LIST_MAX) {
        effort_give_up(&lookup->effort, EFFORT_KEYS);
        return NULL;
    }
    struct item_index *index = note_add(&lookup->notes, NOTE_ITEMS, list, sizeof(*index));
    if (!index)
        return NULL;
    index->is_set = wanted->is_set;
    index->name_count = wanted->count;
    memcpy(index->names, wanted->names, wanted->count * sizeof(*wanted->names));
    return fill_rows(lookup, index, list) ? index : NULL;
}

static bool is_short(yyjson_val *list, const struct wanted *wanted)
{
    return yyjson_arr_size(list) * wanted->count <= SEARCHED_WHOLE_MAX;
}

static bool is_below(const struct item_index *index, size_t row, const struct item_row *wanted)
{
    return compare_rows(&index->rows[row], wanted) < 0;
}

/*
 * The first row that is not below the wanted one. Items are mostly asked for in their order, or in the
 * opposite one, so the search starts at the row of the last answer, and takes steps of twice the size.
 */
static size_t first_row(const struct item_index *index, const struct item_row *wanted)
{
    size_t low = 0, high = index->count, step = 1;
    if (index->last < high && is_below(index, index->last, wanted)) {
        for (low = index->last + 1; step <= high - low && is_below(index, low + step - 1, wanted); step *= 2)
            low += step;
        if (step <= high - low)
            high = low + step - 1;
    } else {
        for (high = index->last; step <= high && !is_below(index, high - step, wanted); step *= 2)
            high -= step;
        if (step <= high)
            low = high - step + 1;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_below(index, middle, wanted))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum lookup_result find_in_index(struct item_index *index, yyjson_val **values, yyjson_val **found)
{
    const struct item_row wanted = {NULL, values, index->name_count};
    size_t row = index->last = first_row(index, &wanted);
    if (row == index->count || compare_rows(&index->rows[row], &wanted) != 0)
        return LOOKUP_ABSENT;
    *found = index->rows[row].item;
    return row + 1 < index->count && compare_rows(&index->rows[row + 1], &wanted) == 0 ? LOOKUP_SEVERAL
                                                                                       : LOOKUP_FOUND;
}

static bool has_values(struct lookup *lookup, yyjson_val *item, const struct wanted *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        yyjson_val *value = value_of(lookup, item, wanted->is_set, wanted->names[i]);
        if (compare_values(value, wanted->values[i]) != 0)
            return false;
    }
    return true;
}

static enum lookup_result find_in_list(
    struct lookup *lookup, yyjson_val *list, const struct wanted *wanted, yyjson_val **found)
{
    enum lookup_result result = LOOKUP_ABSENT;
    json_each_item(item, list) {
        if (!has_values(lookup, item, wanted))
            continue;
        if (result == LOOKUP_FOUND)
            return LOOKUP_SEVERAL;
        result = LOOKUP_FOUND;
        *found = item;
    }
    return result;
}

enum lookup_result lookup_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    struct wanted wanted;
    if (!read_wanted(lookup, element, &wanted))
        return LOOKUP_AMBIGUOUS;
    struct item_index *index = NULL;
    if (!is_short(list, &wanted) && !(index = index_of(lookup, list, &wanted)))
        return LOOKUP_AMBIGUOUS;
    enum lookup_result result =
        index ? find_in_index(index, wanted.values, found) : find_in_list(lookup, list, &wanted, found);
    /* A set cannot hold the same value twice in a way that matters; a key that two items have names neither.
     */
    return wanted.is_set && result == LOOKUP_SEVERAL ? LOOKUP_FOUND : result;
}

/* The best of the declared items that may be the one. */
struct candidate {
    int declared; /* key fields of the item; 0: no candidate */
    bool is_tied; /* another one declares as many */
    yyjson_val *item;
};

static void consider(struct candidate *best, unsigned shape, yyjson_val *item, bool is_tied)
{
    int declared = __builtin_popcount(shape);
    if (declared > best->declared)
        *best = (struct candidate){declared, is_tied, item};
    else if (declared == best->declared)
        best->is_tied = true;
}

static unsigned shape_of(yyjson_val *const *values, size_t count)
{
    unsigned shape = 0;
    for (size_t i = 0; i < count; i++)
        shape |= (values[i] ? 1U : 0U) << i;
    return shape;
}

static void consider_items(
    struct lookup *lookup, yyjson_val *list, const struct wanted *wanted, struct candidate *best)
{
    json_each_item(item, list) {
        yyjson_val *values[KEY_NAMES_MAX];
        bool fits = true;
        for (size_t i = 0; i < wanted->count && fits; i++) {
            values[i] = lookup_member(lookup, item, wanted->names[i]);
            fits = !values[i] || json_compare_scalars(values[i], wanted->values[i]) == 0;
        }
        unsigned shape = fits ? shape_of(values, wanted->count) : 0;
        if (shape)
            consider(best, shape, item, false);
    }
}

static void find_shapes(struct item_index *index)
{
    for (size_t row = 0; row < index->count && index->shape_count <= SHAPES_MAX; row++) {
        unsigned shape = shape_of(index->rows[row].values, index->name_count);
        size_t known = 0;
        while (known < index->shape_count && index->shapes[known] != shape)
            known++;
        if (!shape || known < index->shape_count)
            continue;
        if (index->shape_count < SHAPES_MAX)
            index->shapes[index->shape_count] = shape;
        index->shape_count++;
    }
    index->has_shapes = true;
}

/* False if the items have too many shapes. */
static bool consider_index(
    struct lookup *lookup, struct item_index *index, const struct wanted *wanted, struct candidate *best)
{
    if (!index->has_shapes)
        find_shapes(index);
    if (index->shape_count > SHAPES_MAX) {
        effort_give_up(&lookup->effort, EFFORT_KEYS);
        return false;
    }
    for (size_t i = 0; i < index->shape_count; i++) {
        yyjson_val *values[KEY_NAMES_MAX], *item = NULL;
        for (size_t name = 0; name < wanted->count; name++)
            values[name] = index->shapes[i] >> name & 1U ? wanted->values[name] : NULL;
        enum lookup_result result = find_in_index(index, values, &item);
        if (result != LOOKUP_ABSENT)
            consider(best, index->shapes[i], item, result == LOOKUP_SEVERAL);
    }
    return true;
}

enum lookup_result lookup_declared_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found)
{
    struct wanted wanted;
    struct candidate best = {0};
    if (!read_wanted(lookup, element, &wanted))
        return LOOKUP_AMBIGUOUS;
    if (is_short(list, &wanted)) {
        consider_items(lookup, list, &wanted, &best);
    } else {
        struct item_index *index = index_of(lookup, list, &wanted);
        if (!index || !consider_index(lookup, index, &wanted, &best))
            return LOOKUP_AMBIGUOUS;
    }
    if (!best.declared)
        return LOOKUP_ABSENT;
    *found = best.item;
    return best.is_tied ? LOOKUP_AMBIGUOUS : LOOKUP_FOUND;
}
