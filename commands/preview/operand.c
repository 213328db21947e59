#include "commands/preview/operand.h"

#include "manifest/kinds.h"

struct slice preview_operand_name(const char *operand)
{
    struct slice text = slice_of(operand);
    return slice_from(text, slice_find(text, '/') + 1);
}

/* Whether the word is a beginning with an ending, in any case: most plurals are a kind with s or es. */
static bool has_end(struct slice word, struct slice begin, const char *end)
{
    return word.length > begin.length && slice_equal_in_any_case(slice_until(word, begin.length), begin) &&
        slice_equal_in_any_case(slice_from(word, begin.length), slice_of(end));
}

static bool is_name_of_kind(struct slice word, struct slice kind)
{
    bool has_y = kind.length > 1 && kind.bytes[kind.length - 1] == 'y';
    if (slice_equal_in_any_case(word, kind) || has_end(word, kind, "s") || has_end(word, kind, "es") ||
        (has_y && has_end(word, slice_until(kind, kind.length - 1), "ies")))
        return true;
    return slice_equal(kind_of_short_name(word), kind);
}

/* Whether the place is the group of the apiVersion, or its version and group: apps, or v1.apps. */
static bool is_place_of(struct slice place, struct slice api_version)
{
    struct slice group = group_of(api_version), version = version_of(api_version);
    return slice_equal(place, group) ||
        (place.length > version.length && place.bytes[version.length] == '.' &&
         slice_equal(slice_until(place, version.length), version) &&
         slice_equal(slice_from(place, version.length + 1), group));
}

bool preview_operand_is(const char *operand, struct slice api_version, struct slice kind, struct slice name)
{
    struct slice text = slice_of(operand), type = slice_until(text, slice_find(text, '/'));
    struct slice word = slice_until(type, slice_find(type, '.'));
    return slice_equal(preview_operand_name(operand), name) && is_name_of_kind(word, kind) &&
        (word.length == type.length || is_place_of(slice_from(type, word.length + 1), api_version));
}
