#include "commands/explain/unquote.h"

#include "base/ascii.h"

#include <stdint.h>

/* Reads `length` hexadecimal digits at the start of the text. Returns -1 if there are fewer. */
static int64_t read_hexadecimal(struct slice text, size_t length)
{
    int64_t number = 0;
    if (text.length < length)
        return -1;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = ascii_hex_value(text.bytes[i]);
        if (digit > 15)
            return -1;
        number = number * 16 + digit;
    }
    return number;
}

/* Writes UTF-8: at most three bytes for \uXXXX and four for \UXXXXXXXX, so never more than the escape has. */
static size_t write_character(int64_t character, char *out)
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (character & 0x3f));
        character >>= 6;
    }
    out[0] = (char)((0xf00 >> length & 0xff) | character);
    return length;
}

static char plain_escape(char letter)
{
    switch (letter) {
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    default:
        return letter;
    }
}

/* JSON writes a character beyond U+FFFF as two escapes. A half of a pair is invalid, as in Go. */
static int64_t join_surrogates(int64_t character, struct slice next, size_t *taken)
{
    if (character < 0xd800 || character > 0xdfff)
        return character;
    bool has_next = character < 0xdc00 && next.length >= 6 && next.bytes[0] == '\\' && next.bytes[1] == 'u';
    int64_t low = has_next ? read_hexadecimal(slice_from(next, 2), 4) : -1;
    if (low < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    *taken += 6;
    return 0x10000 + ((character - 0xd800) << 10) + (low - 0xdc00);
}

/* Undoes the escape behind a backslash. Returns the number of bytes that it takes; at least one follows. */
static size_t undo(struct slice text, char *out, size_t *written)
{
    char letter = text.bytes[0];
    size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0, taken = digits + 1;
    int64_t character = digits ? read_hexadecimal(slice_from(text, 1), digits) : -1;
    if (character >= 0 && character <= 0x10ffff) {
        if (letter == 'x') {
            out[(*written)++] = (char)character; /* a byte, not a character */
            return taken;
        }
        character = join_surrogates(character, slice_from(text, taken), &taken);
        *written += write_character(character, out + *written);
        return taken;
    }
    out[(*written)++] = plain_escape(letter);
    return 1;
}

struct slice unquote(struct slice text, char mark, struct arena *arena, size_t *taken)
{
    size_t end = 0;
    while (end < text.length && text.bytes[end] != mark)
        end += text.bytes[end] == '\\' && end + 1 < text.length ? 2 : 1;
    *taken = end < text.length ? end : text.length;
    char *out = arena_allocate(arena, *taken + 1);
    if (!out)
        return (struct slice){NULL, 0};
    size_t written = 0;
    for (size_t i = 0; i < *taken;) {
        char byte = text.bytes[i++];
        if (byte == '\\' && i < *taken)
            i += undo((struct slice){text.bytes + i, *taken - i}, out, &written);
        else
            out[written++] = byte;
    }
    return (struct slice){out, written};
}
