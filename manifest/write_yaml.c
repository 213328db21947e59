#include "manifest/write_yaml.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/json.h"
#include "manifest/number.h"
#include "manifest/resolve.h"

#include <stdio.h>

static bool is_one_of(char byte, const char *set)
{
    return byte && strchr(set, byte);
}

/* The characters of numbers, times and versions: readers disagree on which texts are which of these. */
static bool may_be_number(struct slice text)
{
    if (!ascii_is_digit(text.bytes[0]) && !is_one_of(text.bytes[0], "+-."))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (!ascii_is_digit(byte) && !is_one_of(byte, "abcdefABCDEFxXoOinfINFTZ+-._: "))
            return false;
    }
    return true;
}

/* Words that some reader takes for a boolean or for null, in upper or lower case. */
static bool is_word_of_yaml(struct slice text)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"};
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (slice_equal_in_any_case(text, slice_of(words[i])))
            return true;
    return false;
}

/* Whether no character at the start has a meaning in YAML. */
static bool is_plain_start(struct slice text)
{
    char first = text.bytes[0];
    if (first == '-')
        return text.length > 1 && (ascii_is_letter(text.bytes[1]) || text.bytes[1] == '-') &&
            !slice_starts_with(text, SLICE("---"));
    return ascii_is_alphanumeric(first) || is_one_of(first, "/_.$(");
}

/* Whether it has no space that YAML would drop, and no start of a comment or end of a key. */
static bool is_plain_within(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        char next = i + 1 < text.length ? text.bytes[i + 1] : ' ';
        if (!ascii_is_alphanumeric(byte) && !is_one_of(byte, " _-./+@%=~$():;,*^!?<>|&'"))
            return false;
        if ((byte == ':' || byte == ' ') && next == ' ')
            return false;
    }
    return true;
}

static bool is_plain(struct slice text, struct arena *arena)
{
    struct resolved resolved;
    const char *problem = NULL;
    return text.length && is_plain_start(text) && is_plain_within(text) && !may_be_number(text) &&
        !is_word_of_yaml(text) &&
        resolve_scalar((struct slice){"", 0}, true, text, arena, &resolved, &problem) &&
        resolved.kind == RESOLVED_TEXT;
}

/* YAML's names for some characters are not used: \u is better known. */
static void append_escape(struct text *text, int32_t character)
{
    char escape[16];
    if (character == '"' || character == '\\')
        snprintf(escape, sizeof(escape), "\\%c", (char)character);
    else if (character == '\n' || character == '\t' || character == '\r')
        snprintf(escape, sizeof(escape), "\\%c", character == '\n' ? 'n' : character == '\t' ? 't' : 'r');
    else if (character < 0x100)
        snprintf(escape, sizeof(escape), "\\x%02x", (unsigned)character);
    else if (character < 0x10000)
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)character);
    else
        snprintf(escape, sizeof(escape), "\\U%08x", (unsigned)character);
    text_append_string(text, escape);
}

static void append_quoted(struct text *text, struct slice string)
{
    text_append_string(text, "\"");
    for (size_t at = 0, length; at < string.length; at += length) {
        struct slice rest = slice_from(string, at);
        int32_t character = text_character(rest, &length);
        if (character < 0)
            text_append_string(text, "\xef\xbf\xbd");
        else if (
            character == '"' || character == '\\' || text_is_unprintable(character) ||
            text_is_command(string, at))
            append_escape(text, character);
        else
            text_append(text, slice_until(rest, length));
    }
    text_append_string(text, "\"");
}

void yaml_append_string(struct text *text, struct slice string)
{
    if (is_plain(string, text->arena))
        text_append(text, string);
    else
        append_quoted(text, string);
}

static void append_number(struct text *text, yyjson_val *value)
{
    if (yyjson_is_real(value))
        number_append(text, yyjson_get_real(value));
    else if (yyjson_is_sint(value))
        text_append_integer(text, yyjson_get_sint(value));
    else
        text_append_number(text, yyjson_get_uint(value));
}

void yaml_append_scalar(struct text *text, yyjson_val *value)
{
    if (yyjson_is_str(value))
        yaml_append_string(text, json_text(value));
    else if (yyjson_is_num(value))
        append_number(text, value);
    else if (yyjson_is_bool(value))
        text_append_string(text, yyjson_get_bool(value) ? "true" : "false");
    else
        text_append_string(text, yyjson_is_obj(value) ? "{}" : yyjson_is_arr(value) ? "[]" : "null");
}

/* Lines that GitHub Actions takes for a command: also after white space of any kind. */
static bool is_command_line(struct slice line)
{
    while (line.length && (line.bytes[0] == ' ' || (unsigned char)line.bytes[0] >= 0x80))
        line = slice_from(line, 1);
    return slice_starts_with(line, SLICE("::"));
}

bool yaml_is_block(struct slice string)
{
    bool has_break = false, has_text = false;
    char before = '\n';
    for (struct slice rest = string; rest.length;) {
        size_t length;
        int32_t character = text_character(rest, &length);
        if (character != '\n' && text_is_unprintable(character))
            return false;
        if ((before == '\n' && is_command_line(rest)) || text_is_command(string, string.length - rest.length))
            return false;
        has_break |= character == '\n';
        /* The first line with text determines the indentation of the block. */
        if (character == ' ' && before == '\n' && !has_text)
            return false;
        has_text |= character != '\n';
        before = rest.bytes[0];
        rest = slice_from(rest, length);
    }
    return has_break && has_text;
}

const char *yaml_block_header(struct slice string)
{
    if (string.bytes[string.length - 1] != '\n')
        return "|-";
    return string.bytes[string.length - 2] == '\n' ? "|+" : "|";
}

bool yaml_block_line(struct slice *rest, struct slice *line)
{
    if (!rest->length)
        return false;
    size_t length = slice_find(*rest, '\n');
    *line = slice_until(*rest, length);
    *rest = slice_from(*rest, length + 1);
    return true;
}
