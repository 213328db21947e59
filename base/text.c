#include "base/text.h"

#include "base/ascii.h"
#include "base/digits.h"

#include <time.h>

struct text text_start(struct arena *arena, size_t expected)
{
    struct text text = {.arena = arena, .capacity = expected < 64 ? 64 : expected};
    text.bytes = arena_allocate(arena, text.capacity);
    text.failed = !text.bytes;
    return text;
}

/* Makes room for `more` bytes. The old block stays in the arena: it goes with the review. */
static bool reserve(struct text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more <= text->capacity - text->length)
        return true;
    size_t needed, capacity;
    if (__builtin_add_overflow(text->length, more, &needed) || __builtin_mul_overflow(needed, 2, &capacity))
        capacity = SIZE_MAX;
    char *bytes = arena_allocate(text->arena, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    memcpy(bytes, text->bytes, text->length);
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void text_append(struct text *text, struct slice bytes)
{
    if (bytes.length == 0 || !reserve(text, bytes.length))
        return;
    memcpy(text->bytes + text->length, bytes.bytes, bytes.length);
    text->length += bytes.length;
}

char *text_extend(struct text *text, size_t length)
{
    if (!reserve(text, length))
        return NULL;
    text->length += length;
    return text->bytes + text->length - length;
}

void text_append_lower(struct text *text, struct slice bytes)
{
    if (bytes.length == 0 || !reserve(text, bytes.length))
        return;
    for (size_t i = 0; i < bytes.length; i++)
        text->bytes[text->length++] = ascii_to_lower(bytes.bytes[i]);
}

void text_append_number(struct text *text, uint64_t number)
{
    char digits[DIGITS_MAX];
    text_append(text, digits_write(number, digits));
}

void text_append_count(struct text *text, uint64_t count, const char *one, const char *several)
{
    text_append_all(text, count, " ", count == 1 ? one : several);
}

void text_append_integer(struct text *text, int64_t integer)
{
    text_append_all(text, integer < 0 ? "-" : "", integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer);
}

void text_append_spaces(struct text *text, size_t count)
{
    while (count--)
        text_append_string(text, " ");
}

void text_append_time(struct text *text, int64_t seconds)
{
    char digits[32];
    struct tm parts;
    time_t time = (time_t)seconds;
    if (gmtime_r(&time, &parts) && strftime(digits, sizeof(digits), "%Y-%m-%dT%H:%M:%SZ", &parts))
        text_append_string(text, digits);
}

/* Looks at a word at a time. */
size_t text_ascii_length(struct slice text)
{
    const uint64_t highs = UINT64_MAX / 0xff * 0x80;
    size_t length = 0;
    for (uint64_t word; text.length - length >= sizeof(word); length += sizeof(word)) {
        memcpy(&word, text.bytes + length, sizeof(word));
        if (word & highs)
            break;
    }
    while (length < text.length && (unsigned char)text.bytes[length] < 0x80)
        length++;
    return length;
}

int32_t text_character(struct slice text, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    *length = 1;
    if (bytes[0] < 0x80)
        return bytes[0];
    size_t size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
    static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || size > text.length)
        return -1;
    int32_t character = bytes[0] & (0x7f >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return -1;
        character = (character << 6) | (bytes[i] & 0x3f);
    }
    if (character < smallest[size] || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
        return -1;
    *length = size;
    return character;
}

size_t text_character_count(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += (text.bytes[i] & 0xc0) != 0x80;
    return count;
}

size_t text_put_character(char bytes[4], int32_t character)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length; i > 1; i--, character >>= 6)
        bytes[i - 1] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(leads[length] | character);
    return length;
}

/* Fillers of scripts, and controls of notations. Variation selectors are no such: emoji have them. */
static bool is_blank_filler(int32_t character)
{
    return character == 0x34f || character == 0x115f || character == 0x1160 || character == 0x17b4 ||
        character == 0x17b5 || character == 0x3164 || character == 0xffa0 ||
        (character >= 0x1bca0 && character <= 0x1bca3) || (character >= 0x1d173 && character <= 0x1d17a);
}

bool text_is_unprintable(int32_t character)
{
    return character < 0x20 || (character >= 0x7f && character <= 0x9f) || character == 0xad ||
        character == 0x61c || character == 0x180e || (character >= 0x200b && character <= 0x200f) ||
        (character >= 0x2028 && character <= 0x202e) || (character >= 0x2060 && character <= 0x206f) ||
        character == 0xfeff || (character >= 0xfff9 && character <= 0xfffb) ||
        (character & 0xfffe) == 0xfffe || (character >= 0xe0000 && character <= 0xe0fff) ||
        is_blank_filler(character);
}

bool text_is_command(struct slice line, size_t offset)
{
    if (!offset || line.bytes[offset] != '#' || line.bytes[offset - 1] != '#')
        return false;
    size_t end = offset + 1;
    while (end < line.length && ascii_is_letter(line.bytes[end]))
        end++;
    return end < line.length && line.bytes[end] == '[';
}

bool text_is_printable(struct slice text)
{
    for (size_t length; text.length; text = slice_from(text, length))
        if (text_is_unprintable(text_character(text, &length)))
            return false;
    return true;
}

static void append_escape(struct text *text, int32_t character, unsigned char byte)
{
    static const char *const named[] = {['\a'] = "\\a", ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n",
                                        ['\v'] = "\\v", ['\f'] = "\\f", ['\r'] = "\\r"};
    char escape[16];
    if (character >= '\a' && character <= '\r')
        snprintf(escape, sizeof(escape), "%s", named[character]);
    else if (character < 0x80)
        snprintf(escape, sizeof(escape), "\\x%02x", byte);
    else if (character < 0x10000)
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)character);
    else
        snprintf(escape, sizeof(escape), "\\U%08x", (unsigned)character);
    text_append_string(text, escape);
}

static bool is_plain(char byte)
{
    return byte >= 0x20 && byte < 0x7f;
}

/* How many bytes from the start need no escape, between quotes or not. */
static size_t plain_run(struct slice bytes, bool quotable)
{
    size_t plain = 0;
    while (plain < bytes.length && is_plain(bytes.bytes[plain]) &&
           !(quotable && (bytes.bytes[plain] == '"' || bytes.bytes[plain] == '\\')))
        plain++;
    return plain;
}

static void append_escaped(struct text *text, struct slice bytes, bool quotable)
{
    while (bytes.length) {
        size_t plain = plain_run(bytes, quotable);
        text_append(text, (struct slice){bytes.bytes, plain});
        bytes = slice_from(bytes, plain);
        if (!bytes.length)
            return;
        size_t length;
        int32_t character = text_character(bytes, &length);
        /* Else these two are plain. */
        if (character == '"' || character == '\\') {
            text_append_all(text, "\\", ((struct slice){bytes.bytes, 1}));
        } else if (character < 0 || text_is_unprintable(character)) {
            append_escape(text, character, (unsigned char)bytes.bytes[0]);
        } else {
            text_append(text, (struct slice){bytes.bytes, length});
        }
        bytes = slice_from(bytes, length);
    }
}

void text_append_printable(struct text *text, struct slice bytes)
{
    append_escaped(text, bytes, false);
}

struct slice text_printable(struct arena *arena, struct slice bytes)
{
    struct text text = text_start(arena, bytes.length);
    text_append_printable(&text, bytes);
    return text_slice(&text);
}

void text_append_quotable(struct text *text, struct slice bytes)
{
    append_escaped(text, bytes, true);
}

static void append_json_character(struct text *text, struct slice character)
{
    char byte = character.bytes[0];
    if (byte == '"' || byte == '\\') {
        text_append_all(text, "\\", character);
    } else if (byte == '\n') {
        text_append(text, SLICE("\\n"));
    } else {
        char escape[8];
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)(unsigned char)byte);
        text_append_string(text, escape);
    }
}

void text_append_qualified(
    struct text *text, void (*append)(struct text *text, struct slice bytes), struct slice qualifier,
    struct slice name)
{
    append(text, qualifier);
    if (qualifier.length)
        text_append_string(text, "/");
    append(text, name);
}

void text_append_quoted(struct text *text, struct slice bytes)
{
    char *quoted = text_extend(text, bytes.length + 2);
    if (!quoted)
        return;
    quoted[0] = '"';
    if (bytes.length)
        memcpy(quoted + 1, bytes.bytes, bytes.length);
    quoted[bytes.length + 1] = '"';
}

void text_append_json(struct text *text, struct slice bytes)
{
    size_t plain = plain_run(bytes, true);
    /* Nearly all strings need no escapes. */
    if (plain == bytes.length) {
        text_append_quoted(text, bytes);
        return;
    }
    text_append(text, SLICE("\""));
    while (bytes.length) {
        text_append(text, (struct slice){bytes.bytes, plain});
        bytes = slice_from(bytes, plain);
        if (!bytes.length)
            break;
        size_t length;
        int32_t character = text_character(bytes, &length);
        if (character < 0)
            text_append(text, SLICE("\xef\xbf\xbd"));
        else if (character < 0x80)
            append_json_character(text, (struct slice){bytes.bytes, 1});
        else
            text_append(text, (struct slice){bytes.bytes, length});
        bytes = slice_from(bytes, length);
        plain = plain_run(bytes, true);
    }
    text_append(text, SLICE("\""));
}

struct slice text_slice(const struct text *text)
{
    bool is_whole = !text->failed && !arena_has_failed(text->arena);
    return is_whole ? (struct slice){text->bytes, text->length} : (struct slice){NULL, 0};
}

struct slice text_cut(struct slice text, size_t limit)
{
    if (text.length <= limit)
        return text;
    while (limit && ((unsigned char)text.bytes[limit] & 0xc0) == 0x80)
        limit--;
    return (struct slice){text.bytes, limit};
}

struct slice text_cut_front(struct slice text, size_t limit)
{
    if (text.length <= limit)
        return text;
    size_t start = text.length - limit;
    while (start < text.length && ((unsigned char)text.bytes[start] & 0xc0) == 0x80)
        start++;
    return slice_from(text, start);
}

static void append_unit(struct text *text, unsigned unit)
{
    static const char digits[] = "0123456789abcdef";
    const char escape[] = {'\\',
                           'u',
                           digits[unit >> 12 & 15],
                           digits[unit >> 8 & 15],
                           digits[unit >> 4 & 15],
                           digits[unit & 15]};
    text_append(text, (struct slice){escape, sizeof(escape)});
}

struct slice text_printable_json(struct arena *arena, struct slice json)
{
    struct text text = text_start(arena, json.length + 64);
    size_t written = 0, at = 0;
    while (at < json.length) {
        size_t length;
        int32_t character = text_character(slice_from(json, at), &length);
        if (character >= 0x7f && text_is_unprintable(character)) {
            unsigned beyond = (unsigned)character - 0x10000;
            text_append(&text, (struct slice){json.bytes + written, at - written});
            if (character > 0xffff)
                append_unit(&text, 0xd800 + (beyond >> 10));
            append_unit(&text, character > 0xffff ? 0xdc00 + (beyond & 0x3ff) : (unsigned)character);
            written = at + length;
        }
        at += length;
    }
    text_append(&text, slice_from(json, written));
    return text_slice(&text);
}
