/*
 * value.h: JSON as merges need it: members in the order of their names, parts shared between values.
 *
 * A value never changes once it is built, so a merged object shares with the live one and the manifest all
 * that it takes over from them. Everything lies in an arena; the strings stay in the document that was read.
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

struct value_member {
    struct slice name;
    const struct value *value; /* never NULL */
};

struct value {
    enum value_kind kind;
    size_t count;                       /* of items, or of members */
    yyjson_val *scalar;                 /* VALUE_SCALAR */
    const struct value *const *items;   /* VALUE_LIST */
    const struct value_member *members; /* VALUE_MAP: ascending by name, without duplicates */
};

/* null, {} and [] */
extern const struct value value_null, value_empty_map, value_empty_list;

/*
 * Reads a value of a document, which must outlive it; of members with the same name the last one counts, as
 * in Kubernetes. NULL, with an error, if it is deeper than JSON_DEPTH_MAX or there is no memory.
 */
const struct value *value_read(yyjson_val *json, struct arena *arena, struct error *error);

/* The value of a JSON text. NULL if it is none, or too deep, or there is no memory. */
const struct value *value_read_json(struct slice json, struct arena *arena);

/* The member of that name; NULL if there is none, or `map` is NULL or no map. */
const struct value *value_member(const struct value *map, struct slice name);

/* The text of a string; an empty slice for anything else, and for NULL. */
struct slice value_text(const struct value *value);

/* Whether it is a container without anything in it, null, or NULL. */
bool value_is_empty(const struct value *value);

/* The same value, 1 being equal to 1.0. Neither may be NULL. */
bool value_equal(const struct value *a, const struct value *b);

/* NULL if there is no memory. `items` and `members` become part of the value. */
const struct value *value_list(const struct value *const *items, size_t count, struct arena *arena);
const struct value *value_map(const struct value_member *members, size_t count, struct arena *arena);

/* The map with this member in place of the one of its name, or without it if `value` is NULL. */
const struct value *value_with(
    const struct value *map, struct slice name, const struct value *value, struct arena *arena);

/* Adds the value to a JSON value, whole numbers as integers. */
void value_build(struct json_build *build, const struct value *value);

/* How many JSON values it consists of, keys among them, and how many bytes their strings take. */
struct value_size {
    size_t values;
    size_t string_bytes;
};

struct value_size value_size(const struct value *value);

/* The same as a JSON value. NULL if there is no memory. */
yyjson_val *value_json(const struct value *value, struct arena *arena);

/* A string, which is copied. NULL if there is no memory. */
const struct value *value_string(struct slice text, struct arena *arena);

/* Appends it as compact JSON, whole numbers without a fraction: equal scalars become equal texts. */
void value_append_json(struct text *text, const struct value *value);

#endif
