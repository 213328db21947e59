#include "base/json_append.h"

#include "base/json.h"

#include <string.h>

static bool needs_comma(const struct text *text)
{
    char last = text->length ? text->bytes[text->length - 1] : '[';
    return last != '[' && last != '{';
}

void json_append_comma(struct text *text)
{
    if (needs_comma(text))
        text_append_string(text, ",");
}

static char *put(char *end, const void *bytes, size_t length)
{
    if (length)
        memcpy(end, bytes, length);
    return end + length;
}

/* One bit is set in each byte of the word that is below `low`, for bytes below 0x80. */
static uint64_t bytes_below(uint64_t word, unsigned char low)
{
    return (word - 0x0101010101010101 * low) & 0x8080808080808080;
}

/* One bit is set in each byte that is not printable ASCII, or that JSON escapes. */
static uint64_t odd_bytes(uint64_t word)
{
    return (word | bytes_below(word, ' ') | bytes_below(word ^ 0x2222222222222222, 1) |
            bytes_below(word ^ 0x5c5c5c5c5c5c5c5c, 1) | bytes_below(word ^ 0x7f7f7f7f7f7f7f7f, 1)) &
        0x8080808080808080;
}

static uint64_t odd_bytes_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return odd_bytes(word);
}

/*
 * Whether the text is printable as it is, and JSON needs no escape in it. Most texts are. The last word of a
 * longer text begins within the one before.
 */
static bool is_plain(struct slice text)
{
    uint64_t odd = 0, word = 0x2020202020202020;
    for (size_t i = 0; text.length >= sizeof(word) && i < text.length - sizeof(word); i += sizeof(word))
        odd |= odd_bytes_at(text.bytes + i);
    if (text.length >= sizeof(word))
        return !(odd | odd_bytes_at(text.bytes + text.length - sizeof(word)));
    for (size_t i = 0; i < text.length; i++)
        word = word << 8 | (unsigned char)text.bytes[i];
    return !odd_bytes(word);
}

/* Appends the key, and makes room for the value, of which the caller fills the bytes. */
static char *extend_by_member(struct text *text, const char *key, size_t value_length)
{
    const size_t length = strlen(key), comma = needs_comma(text);
    char *end = text_extend(text, comma + length + 3 + value_length);
    return end ? put(put(put(end, comma ? ",\"" : "\"", comma + 1), key, length), "\":", 2) : NULL;
}

void json_append_key(struct text *text, const char *key)
{
    extend_by_member(text, key, 0);
}

void json_append_open(struct text *text, const char *key, const char *bracket)
{
    if (key)
        json_append_key(text, key);
    else
        json_append_comma(text);
    text_append_string(text, bracket);
}

static void put_string(char *end, struct slice value)
{
    put(put(put(end, "\"", 1), value.bytes, value.length), "\"", 1);
}

void json_append_string(struct text *text, struct slice value)
{
    if (!is_plain(value)) {
        text_append_json(text, text_printable(text->arena, value));
        return;
    }
    char *end = text_extend(text, value.length + 2);
    if (end)
        put_string(end, value);
}

void json_append_value(struct text *text, const yyjson_val *value)
{
    struct slice json = json_write(value, text->arena);
    text->failed |= !json.bytes;
    text_append(text, json);
}

void json_append_member(struct text *text, const char *key, struct slice value)
{
    if (!is_plain(value)) {
        json_append_key(text, key);
        json_append_string(text, value);
        return;
    }
    char *end = extend_by_member(text, key, value.length + 2);
    if (end)
        put_string(end, value);
}

void json_append_member_if_any(struct text *text, const char *key, struct slice value)
{
    if (value.length)
        json_append_member(text, key, value);
}

void json_append_exact(struct text *text, const char *key, struct slice value)
{
    json_append_key(text, key);
    text_append_json(text, value);
}

void json_append_number(struct text *text, const char *key, uint64_t number)
{
    json_append_key(text, key);
    text_append_number(text, number);
}

void json_append_number_if_any(struct text *text, const char *key, uint64_t number)
{
    if (number)
        json_append_number(text, key, number);
}

void json_append_bool(struct text *text, const char *key, bool value)
{
    json_append_key(text, key);
    text_append_string(text, value ? "true" : "false");
}

void json_append_list(struct text *text, const char *key, struct slice_list list)
{
    json_append_open(text, key, "[");
    for (size_t i = 0; i < list.count; i++) {
        json_append_comma(text);
        json_append_string(text, list.items[i]);
    }
    text_append_string(text, "]");
}
