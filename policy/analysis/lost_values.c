#include "policy/analysis/lost_values.h"

#include "base/json.h"
#include "base/search.h"

#include <stdlib.h>

static const yyjson_val *end_of(const yyjson_val *value)
{
    return value + json_parts(value);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct value_range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end < y->end) - (x->end > y->end);
}

/* Ranges either hold each other or have nothing in common. */
static void merge(struct value_ranges *ranges)
{
    size_t kept = 0;
    if (ranges->count > 1)
        qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
    for (size_t i = 0; i < ranges->count; i++) {
        if (!kept || ranges->items[i].start >= ranges->items[kept - 1].end)
            ranges->items[kept++] = ranges->items[i];
    }
    ranges->count = kept;
}

static void add(struct value_ranges *ranges, const yyjson_val *value)
{
    if (value)
        ranges->items[ranges->count++] = (struct value_range){value, end_of(value)};
}

/* A tool that puts back what kubectl apply took is reported as that alone, even if it is only audited. */
static bool is_reported(const struct lost_fields_group *group, enum action action)
{
    enum action reported = group->finding.policy_action;
    return reported >= action || (group->conflicts->heals && reported != ACTION_OFF);
}

bool lost_values_find(
    const struct lost_fields *lost, enum action action, struct arena *arena, struct lost_values *values)
{
    size_t count = 0;
    for (size_t i = 0; i < lost->count; i++)
        count += is_reported(&lost->groups[i], action) ? lost->groups[i].conflicts->loss_count : 0;
    *values = (struct lost_values){0};
    if (!count)
        return true;
    values->before.items = arena_allocate_array(arena, count, sizeof(*values->before.items));
    values->after.items = arena_allocate_array(arena, count, sizeof(*values->after.items));
    if (!values->before.items || !values->after.items)
        return false;
    for (size_t i = 0; i < lost->count; i++) {
        const struct conflict_group *group = lost->groups[i].conflicts;
        for (size_t j = 0; is_reported(&lost->groups[i], action) && j < group->loss_count; j++) {
            add(&values->before, group->losses[j]->old_value);
            add(&values->after, group->losses[j]->value);
        }
    }
    merge(&values->before);
    merge(&values->after);
    return true;
}

static bool starts_before(const void *range, const void *value)
{
    return ((const struct value_range *)range)->start < (const yyjson_val *)value;
}

/* How many ranges start before the value. */
static size_t count_before(const struct value_ranges *ranges, const yyjson_val *value)
{
    return search_first(ranges->items, ranges->count, sizeof(*ranges->items), starts_before, value);
}

static bool covers(const struct value_ranges *ranges, const yyjson_val *value)
{
    size_t before = count_before(ranges, value);
    return (before < ranges->count && ranges->items[before].start == value) ||
        (before && value < ranges->items[before - 1].end);
}

bool lost_values_cover(const struct lost_values *values, const yyjson_val *old_value, const yyjson_val *value)
{
    return (old_value && covers(&values->before, old_value)) || (value && covers(&values->after, value));
}

bool lost_values_are_in(const struct lost_values *values, const yyjson_val *old_value)
{
    size_t before = count_before(&values->before, old_value);
    return before < values->before.count && values->before.items[before].start < end_of(old_value);
}
