#include "base/json_changes.h"

#include "base/json.h"
#include "base/json_same_text.h"

/* Up to so many members are searched one by one for the key of a member. */
#define SEARCHED_MEMBERS_MAX 32

/* A larger value of another text is compared part by part: most parts are of the same text. */
#define COMPARED_WHOLE_MAX 64

struct comparison {
    struct json_changes *changes;
    const yyjson_val *skipped;
};

static void add(struct json_changes *changes, const yyjson_val *start, const yyjson_val *end)
{
    if (changes->count < JSON_CHANGES_MAX)
        changes->items[changes->count++] = (struct json_change){start, end};
    else
        changes->items[JSON_CHANGES_MAX - 1].end = end;
}

static yyjson_type type_of(const yyjson_val *value)
{
    return (yyjson_type)(value->tag & YYJSON_TYPE_MASK);
}

static const yyjson_val *end_of(const yyjson_val *value)
{
    return value + json_parts(value);
}

static void compare(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth);

/* Whether a value of another text is identical. If not, finds the first difference in it where it is known.
 */
static bool is_identical(const yyjson_val *before, const yyjson_val *after, const yyjson_val **difference)
{
    *difference = NULL;
    return json_parts(before) <= COMPARED_WHOLE_MAX && json_identical_up_to(before, after, difference);
}

/*
 * In a larger value, everything before `difference` is identical. The first difference in this part is looked
 * for only if it is not known from there.
 */
static void compare_part(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth)
{
    const yyjson_val *end = end_of(before);
    if (difference && end <= difference)
        return;
    if (before == comparison->skipped) {
        add(comparison->changes, before, end);
        return;
    }
    bool holds_skipped = before < comparison->skipped && comparison->skipped < end;
    if (holds_skipped)
        difference = NULL;
    bool is_known = holds_skipped || (difference && difference >= before);
    if (is_known || !(json_same_text(before, after) || is_identical(before, after, &difference)))
        compare(comparison, before, after, difference, depth);
}

static void compare_lists(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth)
{
    const yyjson_val *end = end_of(before);
    for (before++, after++; before < end; before = end_of(before), after = end_of(after))
        compare_part(comparison, before, after, difference, depth);
}

static bool is_same_key(const yyjson_val *key, const yyjson_val *other)
{
    return slice_equal(json_text(key), json_text(other));
}

/* NULL: absent, or the search would take too long. */
static const yyjson_val *find_member(const yyjson_val *map, const yyjson_val *expected, const yyjson_val *key)
{
    if (expected < end_of(map) && is_same_key(key, expected))
        return expected + 1;
    bool is_searched = unsafe_yyjson_get_len((void *)(uintptr_t)map) <= SEARCHED_MEMBERS_MAX;
    return is_searched ? json_member((yyjson_val *)(uintptr_t)map, json_text(key)) : NULL;
}

/* With a member more or fewer, the map itself has changed. */
static void compare_resized_maps(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth)
{
    const yyjson_val *end = end_of(before), *expected = after + 1;
    add(comparison->changes, before, before + 1);
    for (const yyjson_val *key = before + 1; key < end; key = end_of(key + 1)) {
        const yyjson_val *value = find_member(after, expected, key);
        if (value) {
            expected = end_of(value);
            compare_part(comparison, key + 1, value, difference, depth);
        } else {
            add(comparison->changes, key, end_of(key + 1));
        }
    }
}

/*
 * The value in `after` of a key that is at another place there; `other` is the key at its place. NULL: one of
 * the two keys is in one map alone, or `before` has the key twice.
 */
static const yyjson_val *find_moved(
    const yyjson_val *before, const yyjson_val *after, const yyjson_val *key, const yyjson_val *other)
{
    bool is_first = find_member(before, before + 1, key) == key + 1;
    return is_first && find_member(before, before + 1, other) ? find_member(after, after + 1, key) : NULL;
}

static void compare_maps(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth)
{
    const yyjson_val *end = end_of(before), *other = after + 1;
    for (const yyjson_val *key = before + 1; key < end; key = end_of(key + 1)) {
        const yyjson_val *value = is_same_key(key, other) ? other + 1 : find_moved(before, after, key, other);
        if (value)
            compare_part(comparison, key + 1, value, difference, depth);
        else
            add(comparison->changes, key, end_of(key + 1));
        other = end_of(other + 1);
    }
}

/* Two values that differ. */
static void compare(
    const struct comparison *comparison, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *difference, unsigned depth)
{
    yyjson_type type = type_of(before);
    bool is_same_size = before->tag == after->tag;
    bool has_parts = type == YYJSON_TYPE_OBJ || (type == YYJSON_TYPE_ARR && is_same_size);
    if (!has_parts || type != type_of(after) || depth >= JSON_DEPTH_MAX)
        add(comparison->changes, before, end_of(before));
    else if (type == YYJSON_TYPE_ARR)
        compare_lists(comparison, before, after, difference, depth + 1);
    else if (is_same_size)
        compare_maps(comparison, before, after, difference, depth + 1);
    else
        compare_resized_maps(comparison, before, after, difference, depth + 1);
}

void json_changes_find(
    struct json_changes *changes, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *skipped)
{
    const struct comparison comparison = {changes, skipped};
    changes->count = 0;
    if (before && after)
        compare_part(&comparison, before, after, NULL, 0);
    else if (before)
        add(changes, before, end_of(before));
}

bool json_changes_touch(const struct json_changes *changes, const yyjson_val *part)
{
    const yyjson_val *end = end_of(part);
    size_t i = 0;
    while (i < changes->count && changes->items[i].end <= part)
        i++;
    return i < changes->count && changes->items[i].start < end;
}
