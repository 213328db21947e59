/*
 * The types of Kubernetes itself, from schema_builtin.def.
 */
#include "apply/merge/schema.h"
#include "base/array_size.h"
#include "manifest/kinds.h"

/* All names in one text: a number locates each of them, so that the loader relocates nothing. */
struct names {
#define NAME(number, text) char name##number[sizeof(text)];
#include "apply/merge/schema_builtin.def"
#undef NAME
};

static const struct names text = {
#define NAME(number, text) text,
#include "apply/merge/schema_builtin.def"
#undef NAME
};

static const struct schema_name names[] = {
#define NAME(number, text) {offsetof(struct names, name##number), sizeof(text) - 1},
#include "apply/merge/schema_builtin.def"
#undef NAME
};

static const uint16_t keys[] = {
#define KEY(name) name,
#include "apply/merge/schema_builtin.def"
#undef KEY
};

static const struct schema_field fields[] = {
#define FIELD(name, type, preset, patch_key, strategy) {name, type, preset, patch_key, strategy},
#include "apply/merge/schema_builtin.def"
#undef FIELD
};

static const struct schema_type types[] = {
#define TYPE(kinds, scalars, atomic, key_count, open, first_key, item, member, first_field, field_count)     \
    {kinds, scalars, atomic, key_count, open, first_key, item, member, first_field, field_count},
#include "apply/merge/schema_builtin.def"
#undef TYPE
};

/* Ascending by apiVersion, then by kind. */
static const struct {
    uint16_t api_version;
    uint16_t kind;
    uint16_t type;
} kinds[] = {
#define KIND(api_version, kind, type) {api_version, kind, type},
#include "apply/merge/schema_builtin.def"
#undef KIND
};

static const struct schema schema = {(const char *)&text, names, keys, fields, types};

bool schema_find_builtin(struct slice api_version, struct slice kind, struct schema_ref *found)
{
    size_t low = 0, high = ARRAY_SIZE(kinds);
    *found = (struct schema_ref){&schema, SCHEMA_DEDUCED};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(api_version, schema_name_of(&schema, kinds[middle].api_version));
        if (order == 0)
            order = slice_compare(kind, schema_name_of(&schema, kinds[middle].kind));
        if (order == 0) {
            found->type = kinds[middle].type;
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

size_t schema_builtin_kinds(struct slice group, const char **kind_names, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (!slice_equal(group_of(schema_name_of(&schema, kinds[i].api_version)), group))
            continue;
        if (count < capacity)
            kind_names[count] = schema_name_of(&schema, kinds[i].kind).bytes;
        count++;
    }
    return count;
}
