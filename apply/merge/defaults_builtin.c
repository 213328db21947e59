/*
 * The defaults of Kubernetes' own types, from defaults_builtin.def.
 */
#include "apply/merge/defaults.h"
#include "base/array_size.h"
#include "base/search.h"

#include <string.h>

/* All texts behind one another, so that nothing is relocated at start. */
struct texts {
#define TEXT(number, text) char entry##number[sizeof(text)];
#include "apply/merge/defaults_builtin.def"
#undef TEXT
};

static const struct texts all_texts = {
#define TEXT(number, text) text,
#include "apply/merge/defaults_builtin.def"
#undef TEXT
};

static const struct schema_name texts[] = {
#define TEXT(number, text) {offsetof(struct texts, entry##number), sizeof(text) - 1},
#include "apply/merge/defaults_builtin.def"
#undef TEXT
};

/* Ascending by type. */
static const struct {
    uint16_t type;
    uint16_t member;
    uint16_t when;
    uint16_t is;
    uint16_t kind;
    uint16_t value;
    uint16_t is_copied;
} rows[] = {
#define DEFAULT(type, member, when, is, kind, value, is_copied)                                              \
    {type, member, when, is, kind, value, is_copied},
#include "apply/merge/defaults_builtin.def"
#undef DEFAULT
};

/* The members that are quantities. Ascending by type. */
static const struct {
    uint16_t type;
    uint16_t member;
    uint16_t is_map;
} quantities[] = {
#define QUANTITY(type, member, is_map) {type, member, is_map},
#include "apply/merge/defaults_builtin.def"
#undef QUANTITY
};

/* The members that are not stored if they are zero. Ascending by type. */
static const struct {
    uint16_t type;
    uint16_t member;
} omitted[] = {
#define OMITTED(type, member) {type, member},
#include "apply/merge/defaults_builtin.def"
#undef OMITTED
};

static struct slice text_at(uint16_t number)
{
    return (struct slice){(const char *)&all_texts + texts[number].offset, texts[number].length};
}

/* Each row begins with its type. */
static bool is_before_type(const void *row, const void *type)
{
    uint16_t found;
    memcpy(&found, row, sizeof(found));
    return found < *(const size_t *)type;
}

/* The first row of a type or a later one. */
static size_t first_of(const void *table, size_t count, size_t row_size, size_t type)
{
    return search_first(table, count, row_size, is_before_type, &type);
}

struct builtin_defaults defaults_of_builtin(struct schema_ref type)
{
    size_t first = first_of(rows, ARRAY_SIZE(rows), sizeof(rows[0]), type.type);
    size_t end = first_of(rows, ARRAY_SIZE(rows), sizeof(rows[0]), (size_t)type.type + 1);
    return (struct builtin_defaults){first, end - first};
}

struct builtin_default defaults_builtin_at(size_t index)
{
    return (struct builtin_default){
        .member = text_at(rows[index].member),
        .when = text_at(rows[index].when),
        .is = text_at(rows[index].is),
        .kind = text_at(rows[index].kind),
        .value = text_at(rows[index].value),
        .is_copied = rows[index].is_copied != 0,
    };
}

enum quantity_form defaults_quantity_form(struct schema_ref type, struct slice member)
{
    size_t i = first_of(quantities, ARRAY_SIZE(quantities), sizeof(quantities[0]), type.type);
    for (; i < ARRAY_SIZE(quantities) && quantities[i].type == type.type; i++)
        if (slice_equal(text_at(quantities[i].member), member))
            return quantities[i].is_map ? QUANTITY_MAP : QUANTITY_ONE;
    return QUANTITY_NONE;
}

bool defaults_omit_zero(struct schema_ref type, struct slice member)
{
    size_t i = first_of(omitted, ARRAY_SIZE(omitted), sizeof(omitted[0]), type.type);
    for (; i < ARRAY_SIZE(omitted) && omitted[i].type == type.type; i++)
        if (slice_equal(text_at(omitted[i].member), member))
            return true;
    return false;
}
