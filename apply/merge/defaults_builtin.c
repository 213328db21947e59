/*
 * The defaults of Kubernetes' own types, from defaults_builtin.def.
 */
#include "apply/merge/defaults.h"
#include "base/array_size.h"

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

static struct slice text_at(uint16_t number)
{
    return (struct slice){(const char *)&all_texts + texts[number].offset, texts[number].length};
}

static size_t first_of(size_t type)
{
    size_t low = 0, high = ARRAY_SIZE(rows);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct builtin_defaults defaults_of_builtin(struct schema_ref type)
{
    size_t first = first_of(type.type);
    return (struct builtin_defaults){first, first_of((size_t)type.type + 1) - first};
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
    for (size_t i = 0; i < ARRAY_SIZE(quantities) && quantities[i].type <= type.type; i++)
        if (quantities[i].type == type.type && slice_equal(text_at(quantities[i].member), member))
            return quantities[i].is_map ? QUANTITY_MAP : QUANTITY_ONE;
    return QUANTITY_NONE;
}
