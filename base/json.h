/*
 * json.h: what judging asks of parsed JSON beyond yyjson: slices, and equality that is safe on hostile input.
 */
#ifndef APPLYGUARD_BASE_JSON_H
#define APPLYGUARD_BASE_JSON_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

/* Levels that our own recursion over JSON goes down: yyjson reads any depth, the thread's stack does not. No
 * API type comes near it. */
#define JSON_DEPTH_MAX 128

/*
 * Parses JSON in the arena, with yyjson's flags. NULL, and `problem` (which may be NULL) filled, if it is not
 * JSON or there is no memory. `text` need not outlive the call.
 *
 * With YYJSON_READ_INSITU nothing is copied: `text` is overwritten and must outlive the document. The
 * YYJSON_PADDING_SIZE bytes behind it must be there; they are put back.
 */
yyjson_doc *json_read(
    struct slice text, yyjson_read_flag flags, struct arena *arena, yyjson_read_err *problem);

/* The string's bytes; an empty slice if `value` is NULL or no string. */
static inline struct slice json_text(const yyjson_val *value)
{
    if (!value || !unsafe_yyjson_is_str((void *)(uintptr_t)value))
        return (struct slice){NULL, 0};
    return (struct slice){value->uni.str, (size_t)(value->tag >> YYJSON_TAG_BIT)};
}

/* The object's member; NULL if `object` is NULL, no object, or has none of that name. The first one of
 * several. */
yyjson_val *json_member(yyjson_val *object, struct slice name);

/* Orders pointers to keys, or to other strings, by their text: for qsort of an array of yyjson_val *. */
int json_compare_keys(const void *a, const void *b);

/* A member that is wanted: its name, and where in a struct of values it goes. */
struct json_wanted {
    struct slice name;
    size_t offset;
};

#define JSON_WANTED(literal, type, value)                                                                    \
    {                                                                                                        \
        SLICE_LITERAL(literal), offsetof(type, value)                                                        \
    }

/*
 * Finds members in one pass, the first one of several of a name. The values, each a yyjson_val *, are NULL
 * beforehand, and stay so where a member is absent. Quickest where `wanted` is in the order of the object.
 * Returns one that stands there twice; NULL: none does.
 */
const struct json_wanted *json_members(
    yyjson_val *object, const struct json_wanted *wanted, size_t count, void *values);

/* Whether a scalar is its type's zero value: "", 0 or false, which the API server leaves out of what it
 * stores. */
bool json_is_zero(yyjson_val *value);

/* A member of an API object's metadata: its labels, its annotations. NULL where `object` has none. */
static inline yyjson_val *json_metadata(yyjson_val *object, struct slice name)
{
    return json_member(json_member(object, SLICE("metadata")), name);
}

/* Equal in every byte that matters, members in the same order. Absent (NULL) is identical to absent alone.
 * One pass, no recursion. */
bool json_identical(const yyjson_val *a, const yyjson_val *b);

/*
 * The same. Where they differ, `*difference` is the first value in `a` that is another in `b`: all before it
 * are the same ones, in the same places. NULL: it is not known, as they are of different size.
 */
bool json_identical_up_to(const yyjson_val *a, const yyjson_val *b, const yyjson_val **difference);

/*
 * Equal as JSON: members in any order, 1 equal to 1.0; absent (NULL) is equal to absent alone. Below
 * JSON_DEPTH_MAX levels only identical values count as equal. Near-linear in the size of the values. Without
 * memory the answer is false, and arena_has_failed tells.
 */
bool json_equal(yyjson_val *a, yyjson_val *b, struct arena *arena);

/* How many bytes the value has as compact JSON, 0 for NULL, but for escapes in strings and the digits of
 * fractions. One pass, no recursion. */
size_t json_bytes(yyjson_val *value);

/* The same of a value when that of a part of it, at whatever depth, is known; NULL: there is no such part. */
size_t json_bytes_around(yyjson_val *value, yyjson_val *part, size_t part_bytes);

/*
 * Orders scalars: absent (NULL), then by type, then numbers by value and strings by bytes. Containers are all
 * alike to it, and equal to nothing but containers.
 */
int json_compare_scalars(yyjson_val *a, yyjson_val *b);

#endif
