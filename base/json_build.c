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

/* The next value, not yet filled. NULL if memory runs out. */
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
    return &values[build->count++];
}

static void append_bytes(struct json_build *build, const char *bytes, size_t length)
{
    char *strings =
        build->failed ? NULL : reserve(build->arena, build->strings, build->length, &build->size, length, 1);
    if (!strings) {
        build->failed = true;
        return;
    }
    if (length)
        memcpy(strings + build->length, bytes, length);
    build->strings = strings;
    build->length += length;
}

size_t json_build_open(struct json_build *build, yyjson_type type)
{
    size_t position = build->count;
    yyjson_val *value = add_value(build);
    if (value)
        value->tag = (uint64_t)type;
    return position;
}

/* How many values are directly in the container that ends here. */
static size_t count_content(const struct json_build *build, size_t position)
{
    size_t count = 0;
    for (const yyjson_val *value = &build->values[position + 1]; value < &build->values[build->count];
         value += json_parts(value))
        count++;
    return count;
}

void json_build_close(struct json_build *build, size_t position)
{
    if (build->failed)
        return;
    yyjson_val *container = &build->values[position];
    bool is_map = unsafe_yyjson_is_obj(container);
    size_t count = count_content(build, position);
    container->tag |= (uint64_t)(is_map ? count / 2 : count) << YYJSON_TAG_BIT;
    container->uni.ofs = (build->count - position) * sizeof(*container);
}

static bool is_ascii(struct slice string)
{
    unsigned char all = 0;
    for (size_t i = 0; i < string.length; i++)
        all |= (unsigned char)string.bytes[i];
    return all < 0x80;
}

static void append_characters(struct json_build *build, struct slice string)
{
    while (string.length) {
        size_t length;
        if (text_character(string, &length) < 0)
            append_bytes(build, "\xef\xbf\xbd", 3);
        else
            append_bytes(build, string.bytes, length);
        string = slice_from(string, length);
    }
}

/* A zero ends it, as it ends the strings of a document. */
void json_build_string(struct json_build *build, struct slice string)
{
    size_t start = build->length;
    if (is_ascii(string))
        append_bytes(build, string.bytes, string.length);
    else
        append_characters(build, string);
    size_t length = build->length - start;
    append_bytes(build, "", 1);
    yyjson_val *value = add_value(build);
    if (!value)
        return;
    value->tag = (uint64_t)YYJSON_TYPE_STR | (uint64_t)length << YYJSON_TAG_BIT;
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
    for (; value < end; value++) {
        yyjson_val *copy = add_value(build);
        if (!copy)
            return;
        *copy = *value;
        if (!has_text(value))
            continue;
        copy->uni.ofs = build->length;
        append_bytes(build, value->uni.str, (size_t)(value->tag >> YYJSON_TAG_BIT));
        append_bytes(build, "", 1);
    }
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
