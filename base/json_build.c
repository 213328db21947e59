#include "base/json_build.h"

#include "base/json.h"
#include "base/text.h"

#define VALUES_MIN 16
#define STRING_BYTES_MIN 256

/* Room for `more` elements of `size` bytes behind `count`. NULL if memory runs out. */
static void *reserve(
    struct arena *arena, void *items, size_t count, size_t *capacity, size_t more, size_t size)
{
    size_t needed, bytes, doubled = *capacity * 2;
    if (*capacity - count >= more)
        return items;
    if (__builtin_add_overflow(count, more, &needed))
        return NULL;
    if (needed < doubled)
        needed = doubled;
    void *larger = __builtin_mul_overflow(needed, size, &bytes) ? NULL : arena_allocate(arena, bytes);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, items, count * size);
    *capacity = needed;
    return larger;
}

struct json_build json_build_start(struct arena *arena, size_t values, size_t string_bytes)
{
    struct json_build build = {.arena = arena};
    size_t expected_values = values > VALUES_MIN ? values : VALUES_MIN;
    size_t expected_bytes = string_bytes > STRING_BYTES_MIN ? string_bytes : STRING_BYTES_MIN;
    build.values = reserve(arena, NULL, 0, &build.capacity, expected_values, sizeof(*build.values));
    build.strings = reserve(arena, NULL, 0, &build.size, expected_bytes, 1);
    build.failed = !build.values || !build.strings;
    return build;
}

/* The next value, not yet filled, and counted for its container. NULL if memory runs out. */
static yyjson_val *add_value(struct json_build *build)
{
    yyjson_val *values = build->failed
        ? NULL
        : reserve(build->arena, build->values, build->count, &build->capacity, 1, sizeof(*values));
    if (!values) {
        build->failed = true;
        return NULL;
    }
    build->values = values;
    if (build->container)
        values[build->container - 1].tag += (uint64_t)1 << YYJSON_TAG_BIT;
    return &values[build->count++];
}

/* Makes room for more bytes of strings. NULL if memory runs out. */
static char *extend(struct json_build *build, size_t length)
{
    char *strings =
        build->failed ? NULL : reserve(build->arena, build->strings, build->length, &build->size, length, 1);
    if (!strings) {
        build->failed = true;
        return NULL;
    }
    build->strings = strings;
    build->length += length;
    return strings + build->length - length;
}

static void append_bytes(struct json_build *build, struct slice bytes)
{
    char *out = extend(build, bytes.length);
    if (out && bytes.length)
        memcpy(out, bytes.bytes, bytes.length);
}

/* With the zero that ends them. */
static void append_string(struct json_build *build, struct slice bytes)
{
    char *out = extend(build, bytes.length + 1);
    if (!out)
        return;
    if (bytes.length)
        memcpy(out, bytes.bytes, bytes.length);
    out[bytes.length] = '\0';
}

/* Until it is closed, a container holds the one around it. */
size_t json_build_open(struct json_build *build, yyjson_type type)
{
    size_t position = build->count;
    yyjson_val *value = add_value(build);
    if (!value)
        return position;
    value->tag = (uint64_t)type;
    value->uni.ofs = build->container;
    build->container = position + 1;
    return position;
}

void json_build_close(struct json_build *build, size_t position)
{
    if (build->failed)
        return;
    yyjson_val *container = &build->values[position];
    uint64_t count = container->tag >> YYJSON_TAG_BIT;
    build->container = container->uni.ofs;
    if (unsafe_yyjson_is_obj(container))
        container->tag = (uint64_t)YYJSON_TYPE_OBJ | (count / 2) << YYJSON_TAG_BIT;
    container->uni.ofs = (build->count - position) * sizeof(*container);
}

static void append_characters(struct json_build *build, struct slice string)
{
    while (string.length) {
        size_t length = text_ascii_length(string);
        bool is_good = length || text_character(string, &length) >= 0;
        append_bytes(build, is_good ? slice_until(string, length) : SLICE("\xef\xbf\xbd"));
        string = slice_from(string, length);
    }
    append_string(build, string);
}

/* A zero ends it, as it ends the strings of a document. */
void json_build_string(struct json_build *build, struct slice string)
{
    size_t start = build->length;
    append_characters(build, string);
    yyjson_val *value = add_value(build);
    if (!value)
        return;
    value->tag = (uint64_t)YYJSON_TYPE_STR | (uint64_t)(build->length - start - 1) << YYJSON_TAG_BIT;
    value->uni.ofs = start;
}

void json_build_member(struct json_build *build, struct slice key, struct slice string)
{
    json_build_string(build, key);
    json_build_string(build, string);
}

static bool has_text(const yyjson_val *value)
{
    yyjson_type type = (yyjson_type)(value->tag & YYJSON_TYPE_MASK);
    return type == YYJSON_TYPE_STR || type == YYJSON_TYPE_RAW;
}

void json_build_copy(struct json_build *build, const yyjson_val *value)
{
    const yyjson_val *end = value + json_parts(value);
    const size_t container = build->container;
    for (; value < end; value++) {
        yyjson_val *copy = add_value(build);
        if (!copy)
            return;
        *copy = *value;
        build->container = 0; /* what is in the value is counted there already */
        if (!has_text(value))
            continue;
        copy->uni.ofs = build->length;
        append_string(build, (struct slice){value->uni.str, (size_t)(value->tag >> YYJSON_TAG_BIT)});
    }
    build->container = container;
}

yyjson_val *json_build_finish(struct json_build *build)
{
    if (build->failed || !build->count)
        return NULL;
    for (size_t i = 0; i < build->count; i++) {
        if (has_text(&build->values[i]))
            build->values[i].uni.str = build->strings + build->values[i].uni.ofs;
    }
    return build->values;
}
