#include "manifest/write.h"

#include "manifest/number.h"

#define LINE_SEPARATOR 0x2028
#define PARAGRAPH_SEPARATOR 0x2029

/*
 * The character behind the backslash for an ASCII byte (encoding/json, appendString with escapeHTML); 0: the
 * byte is not escaped.
 */
static const char escapes[0x80] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u',         'u',         'b',         't',         'n',          'u', 'f',
    'r', 'u', 'u', 'u', 'u', 'u', 'u',         'u',         'u',         'u',         'u',          'u', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', ['"'] = '"', ['&'] = 'u', ['<'] = 'u', ['>'] = 'u', ['\\'] = '\\'};

/* How many ASCII bytes the string begins with; `*written` is their length with escapes. */
static size_t ascii_length(struct slice string, size_t *written)
{
    size_t length = 0;
    for (*written = 0; length < string.length && (unsigned char)string.bytes[length] < 0x80; length++) {
        char escape = escapes[(unsigned char)string.bytes[length]];
        *written += escape == 0 ? 1 : escape == 'u' ? 6 : 2;
    }
    return length;
}

static void write_escaped(char *out, struct slice ascii)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < ascii.length; i++) {
        unsigned char byte = (unsigned char)ascii.bytes[i];
        if (!escapes[byte]) {
            *out++ = (char)byte;
            continue;
        }
        *out++ = '\\';
        *out++ = escapes[byte];
        if (escapes[byte] != 'u')
            continue;
        memcpy(out, (char[]){'0', '0', digits[byte >> 4], digits[byte & 15]}, 4);
        out += 4;
    }
}

static void append_ascii(struct text *text, struct slice ascii, size_t written)
{
    if (written == ascii.length) {
        text_append(text, ascii);
        return;
    }
    char *out = text_extend(text, written);
    if (out)
        write_escaped(out, ascii);
}

/* Appends a character beyond ASCII. Returns the number of its bytes. */
static size_t append_wide(struct text *text, struct slice rest)
{
    size_t length;
    int32_t character = text_character(rest, &length);
    if (character < 0)
        text_append_string(text, "\xef\xbf\xbd");
    else if (character == LINE_SEPARATOR || character == PARAGRAPH_SEPARATOR)
        text_append_string(text, character == LINE_SEPARATOR ? "\\u2028" : "\\u2029");
    else
        text_append(text, slice_until(rest, length));
    return length;
}

static void append_escaped(struct text *text, struct slice string)
{
    text_append_string(text, "\"");
    while (string.length) {
        size_t written, length = ascii_length(string, &written);
        append_ascii(text, slice_until(string, length), written);
        string = slice_from(string, length);
        if (string.length)
            string = slice_from(string, append_wide(text, string));
    }
    text_append_string(text, "\"");
}

static bool is_plain(struct slice string)
{
    size_t length = 0;
    while (length < string.length && (unsigned char)string.bytes[length] < 0x80 &&
           !escapes[(unsigned char)string.bytes[length]])
        length++;
    return length == string.length;
}

void manifest_append_string(struct text *text, struct slice string)
{
    /* Nearly all strings need no escapes. */
    if (is_plain(string))
        text_append_quoted(text, string);
    else
        append_escaped(text, string);
}

static void append_map(struct text *text, const struct manifest_node *map)
{
    for (size_t i = 0; i < map->count; i++) {
        text_append_string(text, i ? "," : "{");
        manifest_append_string(text, map->members[i].key);
        text_append_string(text, ":");
        manifest_append_json(text, map->members[i].value);
    }
    text_append_string(text, map->count ? "}" : "{}");
}

static void append_list(struct text *text, const struct manifest_node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        text_append_string(text, i ? "," : "[");
        manifest_append_json(text, list->items[i]);
    }
    text_append_string(text, list->count ? "]" : "[]");
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. */
void manifest_append_json(struct text *text, const struct manifest_node *node)
{
    switch (node->kind) {
    case MANIFEST_NULL:
        text_append_string(text, "null");
        break;
    case MANIFEST_BOOL:
        text_append_string(text, node->boolean ? "true" : "false");
        break;
    case MANIFEST_INT:
        text_append_integer(text, node->integer);
        break;
    case MANIFEST_FLOAT:
        number_append(text, node->real);
        break;
    case MANIFEST_STRING:
        manifest_append_string(text, node->string);
        break;
    case MANIFEST_LIST:
        append_list(text, node);
        break;
    case MANIFEST_MAP:
        append_map(text, node);
        break;
    }
}

struct slice manifest_json(const struct manifest_node *node, struct arena *arena)
{
    struct text text = text_start(arena, node->text_bytes + node->nodes * 4 + 16);
    manifest_append_json(&text, node);
    return text_slice(&text);
}
