/*
 * json.h: additions to yyjson: text as slices, and comparisons that are safe on hostile input.
 */
#ifndef APPLYGUARD_BASE_JSON_H
#define APPLYGUARD_BASE_JSON_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/*
 * The depth limit of our own recursion over JSON: yyjson reads any depth, but a thread's stack is limited. No
 * API type comes near it.
 */
#define JSON_DEPTH_MAX 128

/*
 * Parses JSON in the arena, with yyjson's flags. NULL, and `problem` (which may be NULL) filled, if it is not
 * JSON or memory runs out. `text` need not outlive the call.
 *
 * With YYJSON_READ_INSITU nothing is copied: `text` is overwritten and must outlive the document. The
 * YYJSON_PADDING_SIZE bytes behind it must be there; they are put back.
 */
yyjson_doc *json_read(
    struct slice text, yyjson_read_flag flags, struct arena *arena, yyjson_read_err *problem);

/* The value of a text. NULL if it is not JSON, or memory runs out. */
yyjson_val *json_parse(struct slice text, struct arena *arena);

/* The value as compact JSON. NULL bytes if memory runs out, or `value` is NULL. */
struct slice json_write(const yyjson_val *value, struct arena *arena);

/* The string's bytes; an empty slice if `value` is NULL or no string. */
static inline struct slice json_text(const yyjson_val *value)
{
    if (!value || !unsafe_yyjson_is_str((void *)(uintptr_t)value))
        return (struct slice){NULL, 0};
    return (struct slice){value->uni.str, (size_t)(value->tag >> YYJSON_TAG_BIT)};
}

/* The object's first member of that name. NULL if the member is absent, or if `object` is NULL or not an
 * object. */
yyjson_val *json_member(yyjson_val *object, struct slice name);

/*
 * A copy of the object with no member but the first of that name, if there is one. NULL if memory runs out.
 */
yyjson_val *json_only_member(yyjson_val *object, struct slice name, struct arena *arena);

/*
 * A copy of the object without a member, at any depth, which has this key. It shares the strings. NULL if
 * memory runs out.
 */
yyjson_val *json_without(yyjson_val *object, const yyjson_val *key, struct arena *arena);

/* For qsort of an array of yyjson_val * that point to strings, such as keys: orders them by their text. */
int json_compare_keys(const void *a, const void *b);

/* A member to find: its name, and the offset of its value in a struct. */
struct json_wanted {
    struct slice name;
    size_t offset;
};

#define JSON_WANTED(literal, type, value)                                                                    \
    {                                                                                                        \
        SLICE_LITERAL(literal), offsetof(type, value)                                                        \
    }

/*
 * Finds members in one pass; of several with the same name, the first. Sets each value, a yyjson_val * that
 * the caller has set to NULL, and leaves the values of absent members alone. Fastest if `wanted` is in the
 * order of the object. Returns a member that occurs twice, or NULL.
 */
const struct json_wanted *json_members(
    yyjson_val *object, const struct json_wanted *wanted, size_t count, void *values);

/*
 * Whether a scalar is the zero value of its type ("", 0 or false), which the API server omits when it stores
 * an object.
 */
bool json_is_zero(yyjson_val *value);

/* A member of an API object's metadata, such as labels or annotations. NULL if there is none. */
static inline yyjson_val *json_metadata(yyjson_val *object, struct slice name)
{
    return json_member(json_member(object, SLICE("metadata")), name);
}

/*
 * Whether both are the same values with members in the same order. Absent (NULL) is identical only to absent.
 * One pass, no recursion.
 */
bool json_identical(const yyjson_val *a, const yyjson_val *b);

/*
 * The same. If they differ, `*difference` is the first value of `a` that differs in `b`: everything before it
 * is identical, at the same positions. NULL if unknown because their sizes differ.
 */
bool json_identical_up_to(const yyjson_val *a, const yyjson_val *b, const yyjson_val **difference);

/*
 * Equal as JSON: members in any order, 1 equal to 1.0. Absent (NULL) is equal only to absent. Below
 * JSON_DEPTH_MAX levels only identical values are equal. Near-linear in the size of the values. Returns false
 * if memory runs out; arena_has_failed then returns true.
 */
bool json_equal(yyjson_val *a, yyjson_val *b, struct arena *arena);

/* How many values the value consists of, itself and the keys of members among them. Takes no search. */
size_t json_parts(const yyjson_val *value);

/*
 * The size of the value as compact JSON, without counting escapes in strings and digits of fractions. 0 for
 * NULL. One pass, no recursion.
 */
size_t json_bytes(yyjson_val *value);

/* The same if the size of a part of the value (at any depth, or NULL) is already known. */
size_t json_bytes_around(yyjson_val *value, yyjson_val *part, size_t part_bytes);

/*
 * Orders scalars: absent (NULL) first, then by type, then numbers by value and strings by bytes. All
 * containers compare as equal to each other, and differ from any scalar.
 */
int json_compare_scalars(yyjson_val *a, yyjson_val *b);

/*
 * Whether the value is a whole number, as 1 or as 1.0, that 64 bits with a sign hold: those are compared
 * exactly, all other numbers as doubles.
 */
bool json_is_whole(yyjson_val *value, int64_t *whole);

#endif
