#include "policy/analysis/conflicts.h"

#include <stdlib.h>

/* Whether the previous owner lost something that it declared together with this default: both in one list
 * item. */
static bool is_told(const struct conflicts *conflicts, const struct conflict *conflict)
{
    struct conflict stronger = *conflict;
    const struct conflict *key = &stronger;
    if (!conflict->undeclared)
        return false;
    while (stronger.action++ < ACTION_DENY) {
        if (bsearch(&key, conflicts->items, conflicts->count, sizeof(key), conflicts_compare))
            return true;
    }
    return false;
}

/* Leaves out defaults that were lost together with a declared field. Returns false if memory runs out. */
static bool leave_out_told(struct conflicts *conflicts, struct arena *arena)
{
    const struct conflict **kept =
        arena_allocate_array(arena, conflicts->count, sizeof(const struct conflict *));
    size_t count = 0;
    for (size_t i = 0; kept && i < conflicts->count; i++) {
        if (!is_told(conflicts, conflicts->items[i]))
            kept[count++] = conflicts->items[i];
    }
    conflicts->items = kept;
    conflicts->count = count;
    return kept;
}

/* One field with all who lost it. */
struct lost_field {
    enum action action;
    struct slice text;
    bool removed;
    bool undeclared;
    bool heals;
    bool renewed;
    bool required;
    enum declaration declaration;
    yyjson_val *old_value, *value;
    const struct managed_fields_entry **previous_owners;
    size_t previous_owner_count;
    enum manager_class previous_owner_class; /* of the first one */
    const struct conflict *const *losses;
    size_t loss_count;
};

static enum declaration least_certain(enum declaration a, enum declaration b)
{
    return a < b ? a : b;
}

/*
 * From the run of conflicts [start, end) of one field. A map with a single member is reported as that member.
 */
static struct lost_field merge_previous_owners(
    const struct conflict *const *conflicts, size_t start, size_t end,
    const struct managed_fields_entry **previous_owners)
{
    struct lost_field field = {
        .action = conflicts[start]->action,
        .text = conflicts[start]->leaf,
        .removed = conflicts[start]->removed,
        .declaration = conflicts[start]->declaration,
        .old_value = conflicts[start]->old_value,
        .value = conflicts[start]->value,
        .undeclared = true,
        .heals = true,
        .renewed = true,
        .previous_owners = previous_owners,
        .previous_owner_class = conflicts[start]->previous_owner_class,
        .losses = conflicts + start,
        .loss_count = end - start,
    };
    for (size_t i = start; i < end; i++) {
        field.required |= conflicts[i]->required;
        field.declaration = least_certain(field.declaration, conflicts[i]->declaration);
        field.heals &= conflicts[i]->heals;
        field.renewed &= conflicts[i]->renewed;
        field.undeclared &= conflicts[i]->undeclared;
        if (conflicts[i]->item_removed || !slice_equal(conflicts[i]->leaf, field.text))
            field.text = conflicts[i]->field;
        if (field.previous_owner_count == 0 ||
            previous_owners[field.previous_owner_count - 1] != conflicts[i]->previous_owner)
            previous_owners[field.previous_owner_count++] = conflicts[i]->previous_owner;
    }
    return field;
}

static int compare_previous_owners(const struct lost_field *x, const struct lost_field *y)
{
    size_t common =
        x->previous_owner_count < y->previous_owner_count ? x->previous_owner_count : y->previous_owner_count;
    for (size_t i = 0; i < common; i++) {
        if (x->previous_owners[i] != y->previous_owners[i])
            return x->previous_owners[i] < y->previous_owners[i] ? -1 : 1;
    }
    return (x->previous_owner_count > y->previous_owner_count) -
        (x->previous_owner_count < y->previous_owner_count);
}

static int compare_lost_fields(const void *a, const void *b)
{
    const struct lost_field *x = a, *y = b;
    if (x->action != y->action)
        return (int)y->action - (int)x->action;
    int order = compare_previous_owners(x, y);
    return order ? order : slice_compare(x->text, y->text);
}

static size_t run_of_field(const struct conflicts *conflicts, size_t start)
{
    size_t end = start + 1;
    while (end < conflicts->count && conflicts->items[end]->action == conflicts->items[start]->action &&
           slice_equal(conflicts->items[end]->field, conflicts->items[start]->field))
        end++;
    return end;
}

static struct conflict_group group_of(
    const struct lost_field *fields, size_t count, struct slice *texts, const struct conflict **losses)
{
    struct conflict_group group = {
        .action = fields[0].action,
        .fields = texts,
        .field_count = count,
        .undeclared = true,
        .heals = true,
        .renewed = true,
        .declaration = fields[0].declaration,
        .old_value = fields[0].old_value,
        .value = fields[0].value,
        .previous_owners = fields[0].previous_owners,
        .previous_owner_count = fields[0].previous_owner_count,
        .previous_owner_class = fields[0].previous_owner_class,
        .losses = losses,
    };
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < fields[i].loss_count; j++)
            losses[group.loss_count++] = fields[i].losses[j];
        texts[i] = fields[i].text;
        group.undeclared &= fields[i].undeclared;
        group.removed |= fields[i].removed;
        group.required |= fields[i].required;
        group.declaration = least_certain(group.declaration, fields[i].declaration);
        group.heals &= fields[i].heals;
        group.renewed &= fields[i].renewed;
        group.taken |= !fields[i].removed;
    }
    return group;
}

/* Where the run of fields with the previous owners of the one at `start` ends. */
static size_t run_of_previous_owners(const struct lost_field *fields, size_t count, size_t start)
{
    size_t end = start + 1;
    while (end < count && fields[end].action == fields[start].action &&
           compare_previous_owners(&fields[end], &fields[start]) == 0)
        end++;
    return end;
}

static size_t count_groups(const struct lost_field *fields, size_t count)
{
    size_t groups = 0;
    for (size_t start = 0; start < count; start = run_of_previous_owners(fields, count, start))
        groups++;
    return groups;
}

static size_t count_fields(const struct conflicts *conflicts)
{
    size_t fields = 0;
    for (size_t start = 0; start < conflicts->count; start = run_of_field(conflicts, start))
        fields++;
    return fields;
}

const struct conflict_group *conflicts_group(const struct conflicts *all, struct arena *arena, size_t *count)
{
    struct conflicts shown = *all;
    if (!leave_out_told(&shown, arena))
        return NULL;
    const struct conflicts *conflicts = &shown;
    size_t size = shown.count;
    const struct managed_fields_entry **previous_owners =
        arena_allocate_array(arena, size, sizeof(const struct managed_fields_entry *));
    struct lost_field *fields = arena_allocate_array(arena, count_fields(conflicts), sizeof(*fields));
    if (!previous_owners || !fields)
        return NULL;
    size_t field_count = 0;
    for (size_t start = 0, end; start < size; start = end) {
        end = run_of_field(conflicts, start);
        fields[field_count++] = merge_previous_owners(conflicts->items, start, end, previous_owners + start);
    }
    qsort(fields, field_count, sizeof(*fields), compare_lost_fields);
    struct slice *texts = arena_allocate_array(arena, field_count, sizeof(*texts));
    const struct conflict **losses = arena_allocate_array(arena, size, sizeof(const struct conflict *));
    struct conflict_group *groups =
        arena_allocate_array(arena, count_groups(fields, field_count), sizeof(*groups));
    if (!texts || !losses || !groups)
        return NULL;
    *count = 0;
    for (size_t start = 0, end; start < field_count; start = end) {
        end = run_of_previous_owners(fields, field_count, start);
        groups[*count] = group_of(fields + start, end - start, texts + start, losses);
        losses += groups[*count].loss_count;
        groups[*count].at_least = conflicts->overflowed[fields[start].action];
        ++*count;
    }
    return groups;
}
