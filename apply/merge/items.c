#include "apply/merge/items.h"

#include "apply/merge/element.h"

#include <stdlib.h>

/* The items that a list remembers. */
struct list_items {
    struct schema_ref type; /* by which the items were found */
    struct items items;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *one = *(struct item *const *)a, *other = *(struct item *const *)b;
    int order = slice_compare(one->element, other->element);
    return order ? order : (one->position > other->position) - (one->position < other->position);
}

/* Keeps the first item of each element, and counts its items. */
static void unite_repeated(struct items *items)
{
    size_t kept = 0;
    struct item *last = NULL;
    for (size_t i = 0; i < items->count; i++) {
        struct item *item = items->by_element[i];
        if (kept && slice_equal(items->by_element[kept - 1]->element, item->element)) {
            items->by_element[kept - 1]->repeats++;
            last->next = item;
        } else {
            item->repeats = 1;
            items->by_element[kept++] = item;
        }
        last = item;
    }
    items->distinct = kept;
}

static struct items find(struct schema_ref type, const struct value *list, size_t count, struct arena *arena)
{
    struct items items = {0};
    items.in_order = arena_allocate_array(arena, count, sizeof(*items.in_order));
    items.by_element = arena_allocate_array(arena, count, sizeof(*items.by_element));
    if (!items.in_order || !items.by_element)
        return items;
    for (size_t i = 0; i < count; i++) {
        struct item *item = &items.in_order[items.count];
        const char *problem = element_of_item(type, list, i, arena, &item->element);
        if (problem) {
            items.problem = problem;
            continue;
        }
        item->value = list->items[i];
        item->position = i;
        items.by_element[items.count++] = item;
    }
    qsort(items.by_element, items.count, sizeof(*items.by_element), compare_items);
    unite_repeated(&items);
    return items;
}

struct items items_of(struct schema_ref type, const struct value *list, struct arena *arena)
{
    size_t count = list && list->kind == VALUE_LIST ? list->count : 0;
    if (!count)
        return (struct items){0};
    struct list_items *known = *list->known_items;
    if (known && known->type.schema == type.schema && known->type.type == type.type)
        return known->items;
    struct items items = find(type, list, count, arena);
    known = arena_allocate(arena, sizeof(*known));
    if (known && !arena_has_failed(arena)) {
        *known = (struct list_items){type, items};
        *list->known_items = known;
        arena_keep(arena);
    }
    return items;
}

static int compare_element(const void *element, const void *item)
{
    return slice_compare(*(const struct slice *)element, (*(struct item *const *)item)->element);
}

const struct item *items_find(const struct items *items, struct slice element)
{
    if (!items->distinct)
        return NULL;
    struct item **found =
        bsearch(&element, items->by_element, items->distinct, sizeof(struct item *), compare_element);
    return found ? *found : NULL;
}

static void pair_by_element(
    struct schema_ref type, const struct value *list, const struct value *other, struct arena *arena,
    const struct value **pairs)
{
    const struct items items = items_of(type, list, arena), others = items_of(type, other, arena);
    for (size_t i = 0; items.count == list->count && i < items.count; i++) {
        const struct item *found = items_find(&others, items.in_order[i].element);
        pairs[i] = found ? found->value : NULL;
    }
}

const struct value **items_counterparts(
    struct schema_ref type, const struct value *list, const struct value *other, bool is_by_position,
    struct arena *arena)
{
    const struct value **pairs = arena_allocate_array(arena, list->count + 1, sizeof(*pairs));
    size_t count = other && other->kind == VALUE_LIST ? other->count : 0;
    for (size_t i = 0; pairs && i < list->count; i++)
        pairs[i] = is_by_position && i < count ? other->items[i] : NULL;
    if (pairs && count && !is_by_position)
        pair_by_element(type, list, other, arena, pairs);
    return pairs;
}
