/*
 * value.h: JSON in a form for merges: members are sorted by name, and values share parts.
 *
 * A value never changes after it is built, so a merged object shares its unchanged parts with the live object
 * and the manifest. All values live in an arena; their strings stay in the document that was read.
 */
#ifndef APPLYGUARD_APPLY_MERGE_VALUE_H
#define APPLYGUARD_APPLY_MERGE_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json_build.h"
#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <yyjson.h>

enum value_kind { VALUE_NULL, VALUE_SCALAR, VALUE_LIST, VALUE_MAP };

struct value;
struct list_items;

struct value_member {
    struct slice name;
    const struct value *value; /* never NULL */
};

struct value {
    enum value_kind kind;
    size_t count; /* of items, or of members */
    union {
        yyjson_val *scalar;                 /* VALUE_SCALAR */
        const struct value *const *items;   /* VALUE_LIST */
        const struct value_member *members; /* VALUE_MAP: ascending by name, without duplicates */
    };
    struct list_items **known_items; /* VALUE_LIST with items: call items_of */
};

/* null, {} and [] */
extern const struct value value_null, value_empty_map, value_empty_list;

/*
 * Reads a value of a document, which must outlive it; if several members have one name, the last one counts,
 * as in Kubernetes. Returns NULL and sets the error if it is deeper than JSON_DEPTH_MAX or memory runs out.
 */
const struct value *value_read(yyjson_val *json, struct arena *arena, struct error *error);

/* The same without the member whose value is `left_out`; NULL: all members are read. */
const struct value *value_read_without(
    yyjson_val *json, const yyjson_val *left_out, struct arena *arena, struct error *error);

/* The value of a JSON text. Returns NULL if it is invalid or too deep, or memory runs out. */
const struct value *value_read_json(struct slice json, struct arena *arena);

/* The member of that name; returns NULL if it is missing, or `map` is NULL or another kind of value. */
const struct value *value_member(const struct value *map, struct slice name);

/* The value at a path such as .spec.template; returns NULL if a member is missing. */
const struct value *value_at(const struct value *object, struct slice path);

/* The text of a string; an empty slice for anything else, and for NULL. */
struct slice value_text(const struct value *value);

/* Whether the value is an empty container, null, or NULL. */
bool value_is_empty(const struct value *value);

/* Whether two values are equal. 1 equals 1.0. Neither may be NULL. */
bool value_equal(const struct value *a, const struct value *b);

/* The same, where missing (NULL), null and empty are equal. */
bool value_equal_or_empty(const struct value *a, const struct value *b);

/* Returns NULL if memory runs out. `items` and `members` become part of the value. */
const struct value *value_list(const struct value *const *items, size_t count, struct arena *arena);
const struct value *value_map(const struct value_member *members, size_t count, struct arena *arena);

/* The map with this member, which replaces one with the same name; without the member if `value` is NULL. */
const struct value *value_with(
    const struct value *map, struct slice name, const struct value *value, struct arena *arena);

/* Adds the value to a JSON value, whole numbers as integers. */
void value_build(struct json_build *build, const struct value *value);

/* The number of JSON values in a value, keys included, and the bytes of its strings. */
struct value_size {
    size_t values;
    size_t string_bytes;
};

struct value_size value_size(const struct value *value);

/* A string, which is copied. Returns NULL if memory runs out. */
const struct value *value_string(struct slice text, struct arena *arena);

/* Appends the value as compact JSON, with integers without a fraction: equal scalars become equal texts. */
void value_append_json(struct text *text, const struct value *value);

#endif
