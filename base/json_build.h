/*
 * json_build.h: builds a JSON value in memory, as json_read makes it of a text.
 *
 * The values lie one after another in the order of the text, containers before their content. The strings lie
 * one after another in one piece of memory. Comparisons in json.h rely on both.
 */
#ifndef APPLYGUARD_BASE_JSON_BUILD_H
#define APPLYGUARD_BASE_JSON_BUILD_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* Private to json_build.c, but for the arena. */
struct json_build {
    struct arena *arena;
    yyjson_val *values;
    size_t count;
    size_t capacity;
    char *strings; /* until json_build_finish, a string's value holds its offset in here */
    size_t length;
    size_t size;
    size_t container; /* the position of the innermost open container, plus 1; 0: none is open */
    bool failed;      /* no memory at some point: the functions below do nothing */
};

/* Nothing yet. `values` (keys count as well) and `string_bytes` are what is expected. */
struct json_build json_build_start(struct arena *arena, size_t values, size_t string_bytes);

/*
 * Begins a list (YYJSON_TYPE_ARR) or a map (YYJSON_TYPE_OBJ). Returns its position for json_build_close,
 * which ends it. In between, the caller adds the items; of a map, a key and a value for each member.
 */
size_t json_build_open(struct json_build *build, yyjson_type type);
void json_build_close(struct json_build *build, size_t position);

/* Adds a string or a key. Bytes that are not UTF-8 become U+FFFD. */
void json_build_string(struct json_build *build, struct slice string);

/* Adds a key and its string. */
void json_build_member(struct json_build *build, struct slice key, struct slice string);

/* Adds a copy of a value of any type, with all that is in it. */
void json_build_copy(struct json_build *build, const yyjson_val *value);

/*
 * Returns the first value with its contents, and ends the building. Returns NULL if nothing was built or
 * memory ran out.
 */
yyjson_val *json_build_finish(struct json_build *build);

#endif
