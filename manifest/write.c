#include "manifest/write.h"

#include "manifest/number.h"

#define LINE_SEPARATOR 0x2028
#define PARAGRAPH_SEPARATOR 0x2029

/* encoding/json, htmlSafeSet: what is not ASCII is looked at more closely. */
static bool is_plain(unsigned char byte)
{
    /* A bit for each byte up to the backslash. */
    static const uint64_t escaped[] = {
        0xffffffff | 1ull << '"' | 1ull << '&' | 1ull << '<' | 1ull << '>', 1ull << ('\\' - 64)};
    return byte < 0x80 && !(escaped[byte / 64] >> byte % 64 & 1);
}

/* How many bytes go out as they are: to the next that does not. */
static size_t plain_length(struct slice text)
{
    size_t length = 0;
    while (length < text.length) {
        if (is_plain((unsigned char)text.bytes[length])) {
            length++;
            continue;
        }
        size_t width;
        int32_t character = text_character(slice_from(text, length), &width);
        if (character < 0x80 || character == LINE_SEPARATOR || character == PARAGRAPH_SEPARATOR)
            return length;
        length += width;
    }
    return length;
}

/* encoding/json: appendString with escapeHTML, of text that was decoded from JSON. Returns how many bytes it
 * stands for. */
static size_t append_escape(struct text *text, struct slice rest)
{
    static const char letters[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)rest.bytes[0];
    if (byte >= 0x80) {
        size_t length;
        int32_t character = text_character(rest, &length);
        text_append_string(
            text,
            character < 0                     ? "\xef\xbf\xbd"
                : character == LINE_SEPARATOR ? "\\u2028"
                                              : "\\u2029");
        return length;
    }
    if (byte < sizeof(letters) && letters[byte])
        text_append(text, (struct slice){(char[]){'\\', letters[byte]}, 2});
    else
        text_append(
            text, (struct slice){(char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6});
    return 1;
}

void manifest_append_string(struct text *text, struct slice string)
{
    text_append_string(text, "\"");
    while (string.length) {
        size_t plain = plain_length(string);
        text_append(text, slice_until(string, plain));
        string = slice_from(string, plain);
        if (string.length)
            string = slice_from(string, append_escape(text, string));
    }
    text_append_string(text, "\"");
}

static void append_integer(struct text *text, int64_t integer)
{
    if (integer < 0)
        text_append_string(text, "-");
    text_append_number(text, integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer);
}

static void append_real(struct text *text, double real)
{
    char digits[NUMBER_TEXT_MAX];
    text_append(text, (struct slice){digits, number_format(real, text->arena, digits)});
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
        append_integer(text, node->integer);
        break;
    case MANIFEST_FLOAT:
        append_real(text, node->real);
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
