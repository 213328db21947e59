#include "manifest/input.h"

#include "base/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A byte becomes at most three bytes of UTF-8: U+FFFD. One more byte is for a missing line break. */
#define GROWTH 3

void input_open(struct input *input, manifest_read *read, void *context)
{
    input->read = read;
    input->context = context;
    input->raw_length = 0;
    input->encoding = INPUT_UNKNOWN;
    input->bytes = NULL;
    input->start = input->end = input->capacity = 0;
    input->passed = 0;
    input->replaced_at = SIZE_MAX;
    input->is_all = input->is_memory_out = false;
    input->failure = 0;
}

void input_close(struct input *input)
{
    free(input->bytes);
    input->bytes = NULL;
}

void input_consume(struct input *input, size_t length)
{
    input->start += length;
}

bool input_has_replaced(const struct input *input, size_t length)
{
    return input->replaced_at < input->passed + input->start + length;
}

/*
 * Makes space for `size` more bytes. Drops consumed bytes first; if that is not enough, doubles the window.
 */
static bool make_room(struct input *input, size_t size)
{
    size_t used = input->end - input->start, needed, capacity = input->capacity;
    if (input->capacity - input->end >= size)
        return true;
    if (input->start && used)
        memmove(input->bytes, input->bytes + input->start, used);
    input->passed += input->start;
    input->start = 0;
    input->end = used;
    if (__builtin_add_overflow(used, size, &needed))
        return false;
    while (capacity < needed)
        capacity = capacity ? capacity * 2 : INPUT_READ_BYTES * GROWTH;
    if (capacity == input->capacity)
        return true;
    char *bytes = realloc(input->bytes, capacity);
    if (!bytes)
        return false;
    input->bytes = bytes;
    input->capacity = capacity;
    return true;
}

static void put(struct input *input, const void *bytes, size_t length)
{
    memcpy(input->bytes + input->end, bytes, length);
    input->end += length;
}

static void put_replacement(struct input *input)
{
    if (input->replaced_at == SIZE_MAX)
        input->replaced_at = input->passed + input->end;
    put(input, "\xef\xbf\xbd", 3);
}

static void put_character(struct input *input, uint32_t character)
{
    char bytes[4] = {0};
    put(input, bytes, text_put_character(bytes, (int32_t)character));
}

/* Recognizes the byte order marks at the start of the text. Returns their length. */
static size_t recognize(struct input *input)
{
    const unsigned char *raw = input->raw;
    size_t length = input->raw_length;
    input->encoding = INPUT_UTF8;
    if (length >= 2 && raw[0] == 0xff && raw[1] == 0xfe)
        input->encoding = INPUT_UTF16_LITTLE;
    else if (length >= 2 && raw[0] == 0xfe && raw[1] == 0xff)
        input->encoding = INPUT_UTF16_BIG;
    else if (length >= 3 && raw[0] == 0xef && raw[1] == 0xbb && raw[2] == 0xbf)
        input->encoding = INPUT_UTF8_MARKED;
    return input->encoding == INPUT_UTF8 ? 0 : input->encoding == INPUT_UTF8_MARKED ? 3 : 2;
}

struct sequence {
    size_t length; /* of the sequence, or of the part of a broken one that one U+FFFD replaces */
    bool is_whole;
    bool is_cut; /* the end of the bytes cuts it off */
};

/* A sequence of UTF-8; a broken one ends as in the Unicode standard ("maximal subpart"). */
static struct sequence sequence_at(const unsigned char *bytes, size_t left)
{
    unsigned char first = bytes[0], low = 0x80, high = 0xbf;
    size_t length = first < 0x80 ? 1
        : first < 0xc2           ? 0
        : first < 0xe0           ? 2
        : first < 0xf0           ? 3
        : first < 0xf5           ? 4
                                 : 0;
    if (length <= 1)
        return (struct sequence){1, length == 1, false};
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf) {
        if (i == left)
            return (struct sequence){i, false, true};
        if (bytes[i] < low || bytes[i] > high)
            return (struct sequence){i, false, false};
    }
    return (struct sequence){length, true, false};
}

/* Returns how many of the raw bytes were translated. */
static size_t translate_utf8(struct input *input, size_t offset)
{
    while (offset < input->raw_length) {
        const unsigned char *rest = input->raw + offset;
        size_t left = input->raw_length - offset;
        size_t plain = text_ascii_length((struct slice){(const char *)rest, left});
        put(input, rest, plain);
        offset += plain;
        if (plain == left)
            break;
        struct sequence sequence = sequence_at(rest + plain, left - plain);
        if (sequence.is_cut && !input->is_all)
            break;
        if (sequence.is_whole)
            put(input, rest + plain, sequence.length);
        else
            put_replacement(input);
        offset += sequence.length;
    }
    return offset;
}

static uint32_t unit_at(const struct input *input, size_t offset)
{
    unsigned char first = input->raw[offset], second = input->raw[offset + 1];
    return input->encoding == INPUT_UTF16_BIG ? (uint32_t)first << 8 | second : (uint32_t)second << 8 | first;
}

static size_t translate_utf16(struct input *input, size_t offset)
{
    while (input->raw_length - offset >= 2) {
        uint32_t unit = unit_at(input, offset), low = 0;
        bool is_high = unit >= 0xd800 && unit < 0xdc00;
        if (is_high && input->raw_length - offset < 4 && !input->is_all)
            break;
        if (is_high && input->raw_length - offset >= 4)
            low = unit_at(input, offset + 2);
        bool is_pair = low >= 0xdc00 && low < 0xe000;
        if (is_pair)
            put_character(input, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
        else if (unit >= 0xd800 && unit < 0xe000)
            put_replacement(input);
        else
            put_character(input, unit);
        offset += is_pair ? 4 : 2;
    }
    if (input->is_all && offset < input->raw_length) {
        put_replacement(input);
        offset = input->raw_length;
    }
    return offset;
}

static void translate(struct input *input)
{
    size_t done = input->encoding == INPUT_UNKNOWN ? recognize(input) : 0;
    if (input->encoding == INPUT_UTF8) {
        done = translate_utf8(input, done);
    } else if (input->encoding == INPUT_UTF8_MARKED) {
        put(input, input->raw + done, input->raw_length - done);
        done = input->raw_length;
    } else {
        done = translate_utf16(input, done);
    }
    input->raw_length -= done;
    memmove(input->raw, input->raw + done, input->raw_length);
}

static void read_raw(struct input *input)
{
    ptrdiff_t count =
        input->read(input->context, input->raw + input->raw_length, INPUT_READ_BYTES - input->raw_length);
    if (count < 0)
        input->failure = errno ? errno : EIO;
    if (count <= 0)
        input->is_all = true;
    else
        input->raw_length += (size_t)count;
}

bool input_fill(struct input *input)
{
    size_t before = input->end - input->start;
    while (!input->is_all && input->end - input->start == before) {
        read_raw(input);
        if (!make_room(input, INPUT_READ_BYTES * GROWTH + 1)) {
            input->is_memory_out = input->is_all = true;
            return false;
        }
        /* A mark has up to three bytes. */
        if (input->encoding != INPUT_UNKNOWN || input->raw_length >= 3 || input->is_all)
            translate(input);
    }
    return input->end - input->start > before;
}
