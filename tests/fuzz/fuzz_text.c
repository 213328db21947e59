/*
 * Whatever strangers call their managers, fields and objects: what is printed of it shows all its bytes,
 * stays on its line, and is UTF-8.
 */
#include "base/text.h"
#include "fuzz.h"
#include "policy/fieldset/path.h"

#include <yyjson.h>

typedef void append(struct text *text, struct slice bytes);

static struct slice appended(struct arena *arena, append *append, struct slice bytes)
{
    struct text text = text_start(arena, 0);
    append(&text, bytes);
    promise(text_slice(&text).bytes != NULL, "there is memory");
    return text_slice(&text);
}

/* yyjson takes well-formed UTF-8 only. The caller frees the document; NULL: it is not JSON. */
static yyjson_doc *parse(struct slice json)
{
    return yyjson_read(json.bytes, json.length, YYJSON_READ_NOFLAG);
}

/* The JSON string holds `text`, or anything if that is not UTF-8. */
static void check_json(struct slice json, struct slice text, bool is_utf8)
{
    yyjson_doc *document = parse(json);
    yyjson_val *string = yyjson_doc_get_root(document);
    promise(yyjson_is_str(string), "a text becomes a JSON string");
    struct slice read = {yyjson_get_str(string), yyjson_get_len(string)};
    promise(!is_utf8 || slice_equal(read, text), "a JSON string is the text that it was");
    yyjson_doc_free(document);
}

/* A JSON document of one string, all but quotes, backslashes and controls as they are. */
static bool is_utf8(struct arena *arena, struct slice text)
{
    struct text json = text_start(arena, text.length + 2);
    text_append_string(&json, "\"");
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        bool special = (unsigned char)byte < 0x20 || byte == '"' || byte == '\\';
        text_append(&json, special ? SLICE("x") : (struct slice){&byte, 1});
    }
    text_append_string(&json, "\"");
    yyjson_doc *document = parse(text_slice(&json));
    yyjson_doc_free(document);
    return document != NULL;
}

static void check_line(struct arena *arena, struct slice line)
{
    promise(is_utf8(arena, line), "what is printed is UTF-8");
    for (size_t i = 0; i < line.length; i++) {
        unsigned char byte = (unsigned char)line.bytes[i],
                      next = i + 1 < line.length ? (unsigned char)line.bytes[i + 1] : 0;
        promise(byte >= 0x20 && byte != 0x7f, "no control character is printed");
        promise(byte != 0xc2 || next >= 0xa0, "no C1 control is printed");
        promise(
            byte != 0xe2 || next != 0x80 || i + 2 >= line.length || (unsigned char)line.bytes[i + 2] < 0xa8 ||
                (unsigned char)line.bytes[i + 2] > 0xae,
            "nothing that is printed turns the text around");
    }
}

static void check_printable(struct arena *arena, struct slice bytes)
{
    struct slice once = appended(arena, text_append_printable, bytes);
    check_line(arena, once);
    promise(
        slice_equal(once, appended(arena, text_append_printable, once)), "what is printable stays as it is");
    check_json(appended(arena, text_append_json, once), once, true);
}

/* Between quotes it ends where it ends. */
static void check_quotable(struct arena *arena, struct slice bytes)
{
    struct slice quotable = appended(arena, text_append_quotable, bytes);
    check_line(arena, quotable);
    for (size_t i = 0; i < quotable.length; i++) {
        promise(quotable.bytes[i] != '"', "a quote within quotes is escaped");
        i += quotable.bytes[i] == '\\';
        promise(i < quotable.length, "the closing quote is not escaped");
    }
}

static void check_cuts(struct arena *arena, struct slice bytes, bool whole)
{
    for (size_t limit = 0; limit <= bytes.length && limit < 64; limit++) {
        struct slice cut = text_cut(bytes, limit);
        promise(cut.length <= limit && slice_starts_with(bytes, cut), "a cut text is a beginning");
        promise(!whole || is_utf8(arena, cut), "no character is cut in two");
    }
}

/* Paths are cut in the middle; 40 is less than any message leaves for one. */
static void check_short_path(struct arena *arena, struct slice bytes)
{
    struct slice printed = appended(arena, text_append_printable, bytes);
    for (size_t limit = 40; limit < 60; limit += 7) {
        struct text text = text_start(arena, 0);
        path_append_short(&text, printed, limit);
        check_line(arena, text_slice(&text));
        promise(text.length <= limit + sizeof("…"), "a short path is short");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice bytes = {(const char *)data, size};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    bool whole = is_utf8(arena, bytes);
    check_printable(arena, bytes);
    check_quotable(arena, bytes);
    check_json(appended(arena, text_append_json, bytes), bytes, whole);
    check_cuts(arena, bytes, whole);
    check_short_path(arena, bytes);
    arena_destroy(arena);
    return 0;
}
