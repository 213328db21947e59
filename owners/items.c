#include "base/digits.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/search.h"
#include "owners/tree.h"

#include <stdlib.h>

/* More key fields than any list has, and more sets of them than one list has. */
#define KEY_NAMES_MAX 8
#define INDEXES_MAX 8

/* A child with the values that identify it. */
struct row {
    yyjson_val *const *values;
    size_t value_count;
    size_t position;
};

struct item_index {
    struct slice
        names[KEY_NAMES_MAX]; /* of key fields, sorted; empty if the items are identified by their values */
    size_t name_count;
    struct row *rows;  /* sorted */
    size_t *positions; /* of the rows */
};

struct item_search {
    const struct blame_node *node;
    struct arena *arena;
    struct item_index indexes[INDEXES_MAX];
    size_t index_count;
    size_t position; /* the place of the last item that was found without an index */
};

struct item_search *item_search_create(const struct blame_node *node, struct arena *arena)
{
    struct item_search *search = arena_allocate_array(arena, 1, sizeof(*search));
    if (search) {
        search->node = node;
        search->arena = arena;
    }
    return search;
}

static int compare_rows(const struct row *a, const struct row *b)
{
    for (size_t i = 0; i < a->value_count; i++) {
        int order = json_compare_scalars(a->values[i], b->values[i]);
        if (order)
            return order;
    }
    return 0;
}

static int compare_rows_and_positions(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = compare_rows(x, y);
    return order ? order : (x->position > y->position) - (x->position < y->position);
}

/* The names of an element's key fields, sorted. Returns false if there are more than any list has. */
static bool read_names(const struct path *element, struct item_index *wanted)
{
    wanted->name_count = 0;
    if (element->kind != PATH_KEY)
        return true;
    json_each_key(key, element->json) {
        if (wanted->name_count == KEY_NAMES_MAX)
            return false;
        size_t at = wanted->name_count++;
        for (; at && slice_compare(json_text(key), wanted->names[at - 1]) < 0; at--)
            wanted->names[at] = wanted->names[at - 1];
        wanted->names[at] = json_text(key);
    }
    return true;
}

static bool is_same(const struct item_index *a, const struct item_index *b)
{
    bool same = a->name_count == b->name_count;
    for (size_t i = 0; same && i < a->name_count; i++)
        same = slice_equal(a->names[i], b->names[i]);
    return same;
}

static int fill(struct item_search *search, struct item_index *index)
{
    size_t count = search->node->child_count;
    size_t width = index->name_count ? index->name_count : 1;
    yyjson_val **values = arena_allocate_array(search->arena, count * width, sizeof(yyjson_val *));
    index->rows = arena_allocate_array(search->arena, count, sizeof(*index->rows));
    index->positions = arena_allocate_array(search->arena, count, sizeof(*index->positions));
    if (!values || !index->rows || !index->positions)
        return -1;
    for (size_t i = 0; i < count; i++, values += width) {
        yyjson_val *value = search->node->children[i].value;
        index->rows[i] = (struct row){values, width, i};
        for (size_t name = 0; name < index->name_count; name++)
            values[name] = json_member(value, index->names[name]);
        if (!index->name_count)
            values[0] = value;
    }
    qsort(index->rows, count, sizeof(*index->rows), compare_rows_and_positions);
    for (size_t i = 0; i < count; i++)
        index->positions[i] = index->rows[i].position;
    return 0;
}

static const struct item_index *index_for(
    struct item_search *search, const struct item_index *wanted, struct error *error)
{
    for (size_t i = 0; i < search->index_count; i++)
        if (is_same(&search->indexes[i], wanted))
            return &search->indexes[i];
    if (search->index_count == INDEXES_MAX) {
        error_set(
            error, "managedFields name the items of one list by more than %d sets of keys", INDEXES_MAX);
        return NULL;
    }
    struct item_index *index = &search->indexes[search->index_count];
    *index = *wanted;
    if (fill(search, index) < 0) {
        error_set_out_of_memory(error);
        return NULL;
    }
    search->index_count++;
    return index;
}

static bool is_less(const void *row, const void *wanted)
{
    return compare_rows(row, wanted) < 0;
}

static bool is_not_greater(const void *row, const void *wanted)
{
    return compare_rows(row, wanted) <= 0;
}

static int find_by_values(
    struct item_search *search, const struct path *element, struct positions *found, struct error *error)
{
    struct item_index wanted = {.name_count = 0};
    yyjson_val *values[KEY_NAMES_MAX] = {element->json};
    if (!read_names(element, &wanted))
        return error_set(error, "managedFields name a list item by more than %d keys", KEY_NAMES_MAX);
    if (element->kind == PATH_KEY && !wanted.name_count)
        return 0;
    for (size_t i = 0; i < wanted.name_count; i++)
        values[i] = json_member(element->json, wanted.names[i]);
    const struct item_index *index = index_for(search, &wanted, error);
    if (!index)
        return -1;
    const struct row row = {values, wanted.name_count ? wanted.name_count : 1, 0};
    const size_t count = search->node->child_count;
    size_t first = search_first(index->rows, count, sizeof(row), is_less, &row);
    size_t end = search_first(index->rows, count, sizeof(row), is_not_greater, &row);
    *found = (struct positions){index->positions + first, end - first};
    return 0;
}

static bool find_member(struct item_search *search, struct slice name)
{
    const struct blame_node *child = blame_child(search->node, name);
    search->position = child ? (size_t)(child - search->node->children) : 0;
    return child;
}

int item_search_find(
    struct item_search *search, const struct path *element, struct positions *found, struct error *error)
{
    bool is_list = yyjson_is_arr(search->node->value);
    *found = (struct positions){&search->position, 0};
    /* The sets of Kubernetes' APIs contain no lists or maps. */
    bool is_never = element->kind == PATH_VALUE && yyjson_is_ctn(element->json);
    if (element->kind == PATH_FIELD)
        found->count = !is_list && find_member(search, element->text);
    else if (is_list && element->kind == PATH_INDEX)
        found->count =
            digits_parse(element->text, &search->position) && search->position < search->node->child_count;
    else if (is_list && !is_never)
        return find_by_values(search, element, found, error);
    return 0;
}
