#include "manifest/stream.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "manifest/read_json.h"

#include <string.h>

/* How far kubectl looks for a { to distinguish JSON from YAML. */
#define GUESS_BYTES 4096

/* The length of the longest character that is white space. */
#define SPACE_BYTES_MAX 3

void stream_open(struct stream *stream, manifest_read *read, void *context, size_t document_bytes_max)
{
    input_open(&stream->input, read, context);
    stream->document_bytes_max = document_bytes_max;
    stream->mode = STREAM_UNKNOWN;
    stream->taken = stream->values = stream->searched = 0;
    stream->line = stream->column = 1;
    stream->in_list = stream->is_broken = false;
}

void stream_close(struct stream *stream)
{
    input_close(&stream->input);
}

/* The length of the white space at the start of the text, as in Go's unicode.IsSpace; 0 for none. */
static size_t space_length(struct slice text)
{
    static const char *const spaces[] = {"\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\xa8",
                                         "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    if (!text.length)
        return 0;
    if (text.bytes[0] == ' ' || (text.bytes[0] >= '\t' && text.bytes[0] <= '\r'))
        return 1;
    for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
        if (slice_starts_with(text, slice_of(spaces[i])))
            return strlen(spaces[i]);
    }
    bool is_wide = slice_starts_with(text, SLICE("\xe2\x80")) && text.length > 2 &&
        (unsigned char)text.bytes[2] >= 0x80 && (unsigned char)text.bytes[2] <= 0x8a;
    return is_wide ? 3 : 0;
}

static struct slice skip_spaces(struct slice text)
{
    for (size_t length; (length = space_length(text)) != 0;)
        text = slice_from(text, length);
    return text;
}

static void advance(struct slice text, unsigned *line, unsigned *column)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text.bytes[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

/* Skips the first `length` bytes. */
static void consume(struct stream *stream, size_t length)
{
    struct slice text = slice_until(input_text(&stream->input), length);
    advance(text, &stream->line, &stream->column);
    input_consume(&stream->input, text.length);
}

static void guess_mode(struct stream *stream)
{
    while (input_text(&stream->input).length < GUESS_BYTES && input_fill(&stream->input))
        continue;
    struct slice text = skip_spaces(slice_until(input_text(&stream->input), GUESS_BYTES));
    stream->mode = text.length && text.bytes[0] == '{' ? STREAM_JSON : STREAM_YAML;
}

static enum stream_result refuse_size(const struct stream *stream, struct error *error, unsigned line)
{
    error_set_at(
        error, line, 1, "the document that begins here is larger than %zu bytes; split it",
        stream->document_bytes_max);
    return STREAM_ERROR;
}

/* The lines of a YAML document while they are collected at the start of the window. */
struct gathering {
    size_t read;    /* bytes of the window that were processed, line by line */
    size_t written; /* bytes of the document: fewer if lines end with CRLF */
    unsigned lines;
};

/* The line at `start`, with its end. Returns false if it is incomplete and more can come. */
static bool next_line(struct stream *stream, size_t start, struct slice *line)
{
    size_t searched = start;
    for (;;) {
        struct slice text = input_text(&stream->input);
        size_t end = searched + slice_find(slice_from(text, searched), '\n');
        if (end < text.length || text.length - start > stream->document_bytes_max) {
            *line = slice_from(slice_until(text, end + 1), start);
            return true;
        }
        searched = text.length;
        if (!input_fill(&stream->input)) {
            *line = slice_from(input_text(&stream->input), start);
            return line->length != 0;
        }
    }
}

static bool ends_with_break(struct slice line)
{
    return line.length && line.bytes[line.length - 1] == '\n';
}

/* Drops a CR before the LF, and adds a missing LF at the end of the text. */
static void keep_line(struct stream *stream, struct gathering *gathering, struct slice line)
{
    char *start = stream->input.bytes + stream->input.start;
    size_t length = line.length;
    gathering->read += length;
    gathering->lines++;
    if (ends_with_break(line))
        length -= length > 1 && line.bytes[length - 2] == '\r' ? 2 : 1;
    if (gathering->read - line.length != gathering->written)
        memmove(start + gathering->written, line.bytes, length);
    gathering->written += length;
    start[gathering->written++] = '\n';
}

static bool is_separator(struct slice line)
{
    return slice_starts_with(line, SLICE("---"));
}

/* kubectl allows only a comment after ---. */
static bool is_good_separator(struct slice line)
{
    struct slice rest = skip_spaces(slice_from(line, 3));
    return !rest.length || rest.bytes[0] == '#';
}

/* Continues behind the next line that begins with ---. */
static void skip_document(struct stream *stream)
{
    bool at_line_start = stream->column == 1;
    for (;;) {
        struct slice text = input_text(&stream->input);
        if (text.length < 3 && input_fill(&stream->input))
            continue;
        if (!text.length)
            return;
        bool is_end = at_line_start && is_separator(text);
        size_t length = slice_find(text, '\n');
        at_line_start = length < text.length;
        consume(stream, length + at_line_start);
        /* If a separator is incomplete, its rest is read as a line. */
        if (is_end && at_line_start)
            return;
        if (is_end) {
            struct slice rest;
            while (input_fill(&stream->input) && next_line(stream, 0, &rest)) {
                consume(stream, rest.length);
                if (ends_with_break(rest))
                    return;
            }
            return;
        }
    }
}

/* The document is in the window, so it is skipped at the next call. */
static enum stream_result finish(
    struct stream *stream, const struct gathering *gathering, struct slice separator,
    struct stream_document *document)
{
    *document = (struct stream_document){
        .text = {stream->input.bytes + stream->input.start, gathering->written},
        .line = stream->line,
        .column = 1,
        .has_replaced = input_has_replaced(&stream->input, gathering->read),
    };
    stream->taken = gathering->read + separator.length;
    stream->line += gathering->lines + (separator.length != 0);
    return STREAM_DOCUMENT;
}

static enum stream_result refuse_separator(
    struct stream *stream, const struct gathering *gathering, size_t length, struct error *error)
{
    error_set_at(
        error, stream->line + gathering->lines, 4,
        "kubectl allows only a comment after ---; begin a new line");
    input_consume(&stream->input, gathering->read + length);
    stream->line += gathering->lines + 1;
    return STREAM_ERROR;
}

static enum stream_result skip_large_document(
    struct stream *stream, const struct gathering *gathering, struct error *error)
{
    unsigned first = stream->line;
    input_consume(&stream->input, gathering->read);
    stream->line += gathering->lines;
    stream->column = 1;
    skip_document(stream);
    return refuse_size(stream, error, first);
}

static enum stream_result next_yaml(
    struct stream *stream, struct stream_document *document, struct error *error)
{
    struct gathering gathering = {0};
    struct slice line;
    while (next_line(stream, gathering.read, &line)) {
        if (is_separator(line) && !is_good_separator(line))
            return refuse_separator(stream, &gathering, line.length, error);
        if (is_separator(line) && gathering.written)
            return finish(stream, &gathering, line, document);
        if (gathering.written + line.length > stream->document_bytes_max)
            return skip_large_document(stream, &gathering, error);
        keep_line(stream, &gathering, line);
    }
    return gathering.written ? finish(stream, &gathering, (struct slice){NULL, 0}, document) : STREAM_END;
}

/* Skips a value that exceeds the limit: reading continues behind it. */
static enum stream_result skip_large_value(
    struct stream *stream, struct json_scan *scan, enum json_extent extent, struct error *error)
{
    unsigned line = stream->line, column = stream->column;
    advance(slice_until(input_text(&stream->input), scan->start), &line, &column);
    consume(stream, scan->offset);
    while (extent == JSON_PARTIAL && input_fill(&stream->input)) {
        scan->offset = 0;
        extent = json_scan(scan, input_text(&stream->input), false);
        consume(stream, scan->offset);
    }
    stream->values++;
    return refuse_size(stream, error, line);
}

/* From here on a List is read item by item, as kubectl get -A -o json prints the objects of a cluster. */
#define LIST_BYTES_MAX ((size_t)8 * 1024 * 1024)

/* The offset behind the quote that ends the string at `start`. */
static size_t string_end(struct slice text, size_t start)
{
    for (size_t i = start + 1; i < text.length; i++) {
        if (text.bytes[i] == '\\')
            i++;
        else if (text.bytes[i] == '"')
            return i + 1;
    }
    return text.length;
}

/* The offset behind the brackets that open the items, if this is the key of them; else 0. */
static size_t items_start(struct slice text, struct slice key, size_t behind)
{
    if (!slice_equal(key, SLICE("\"items\"")))
        return 0;
    struct slice rest = skip_spaces(slice_from(text, behind));
    if (!rest.length || rest.bytes[0] != ':')
        return 0;
    rest = skip_spaces(slice_from(rest, 1));
    return rest.length && rest.bytes[0] == '[' ? (size_t)(rest.bytes - text.bytes) + 1 : 0;
}

/* The offset behind the bracket that opens the items of the List at `start`; 0: it has none so far. */
static size_t find_items(struct slice text, size_t start)
{
    size_t depth = 0;
    for (size_t i = start; i < text.length;) {
        const char byte = text.bytes[i];
        if (byte == '"') {
            const size_t end = string_end(text, i);
            const struct slice key = slice_from(slice_until(text, end), i);
            const size_t found = depth == 1 ? items_start(text, key, end) : 0;
            if (found)
                return found;
            i = end;
            continue;
        }
        depth += byte == '{' || byte == '[';
        depth -= (byte == '}' || byte == ']') && depth;
        i++;
    }
    return 0;
}

/* Goes on with the items of a large List as values of their own. */
static bool enter_list(struct stream *stream, const struct json_scan *scan)
{
    const size_t start = stream->in_list ? 0 : find_items(input_text(&stream->input), scan->start);
    if (!start)
        return false;
    consume(stream, start);
    stream->in_list = true;
    stream->values += 2; /* what follows is JSON for certain */
    return true;
}

/* Skips what is behind the items, up to the end of the List. */
static void leave_list(struct stream *stream)
{
    struct json_scan scan = {.has_begun = true, .depth = 1, .length = 1};
    enum json_extent extent;
    consume(stream, 1);
    stream->in_list = false;
    do {
        scan.offset = 0;
        extent = json_scan(&scan, input_text(&stream->input), false);
        consume(stream, scan.offset);
    } while (extent == JSON_PARTIAL && input_fill(&stream->input));
}

/* Skips what separates the items of a List, and its end. */
static void skip_to_item(struct stream *stream)
{
    while (stream->in_list) {
        const struct slice text = input_text(&stream->input);
        size_t length = 0;
        while (length < text.length && (ascii_is_space(text.bytes[length]) || text.bytes[length] == ','))
            length++;
        consume(stream, length);
        if (length < text.length) {
            if (text.bytes[length] == ']')
                leave_list(stream);
            return;
        }
        if (!input_fill(&stream->input))
            return;
    }
}

static enum stream_result next_json(
    struct stream *stream, struct stream_document *document, struct error *error)
{
    struct json_scan scan = {0};
    enum json_extent extent;
    bool is_tried = false;
    skip_to_item(stream);
    for (;;) {
        extent = json_scan(&scan, input_text(&stream->input), stream->input.is_all);
        bool is_large = scan.length > LIST_BYTES_MAX || scan.length > stream->document_bytes_max;
        if (is_large && !is_tried && enter_list(stream, &scan))
            return next_json(stream, document, error);
        is_tried |= is_large;
        if (extent != JSON_PARTIAL || scan.length > stream->document_bytes_max)
            break;
        input_fill(&stream->input);
    }
    if (extent == JSON_NOTHING)
        return STREAM_END;
    if (scan.length > stream->document_bytes_max)
        return skip_large_value(stream, &scan, extent, error);
    *document = (struct stream_document){
        .text = slice_from(slice_until(input_text(&stream->input), scan.offset), scan.start),
        .line = stream->line,
        .column = stream->column,
        .is_json = true,
        .has_replaced = input_has_replaced(&stream->input, scan.offset),
    };
    advance(slice_until(input_text(&stream->input), scan.start), &document->line, &document->column);
    stream->taken = scan.offset;
    return STREAM_DOCUMENT;
}

/*
 * Skips white space, at most to the end of the line (YAMLOrJSONDecoder.consumeWhitespace). kubectl's decoder
 * looks at four bytes at a time, and gives up if fewer are left.
 */
static bool begin_yaml(struct stream *stream)
{
    for (;;) {
        while (input_text(&stream->input).length < 4 && input_fill(&stream->input))
            continue;
        struct slice text = input_text(&stream->input);
        if (text.length < 4)
            return false;
        bool is_break = text.bytes[0] == '\n';
        size_t length = space_length(text);
        consume(stream, length);
        if (is_break || !length)
            break;
    }
    stream->mode = STREAM_YAML;
    return true;
}

/* Reads more if necessary: a space may consist of bytes that have not come yet. */
static void consume_spaces(struct stream *stream)
{
    do {
        struct slice text = input_text(&stream->input);
        consume(stream, text.length - skip_spaces(text).length);
    } while (input_text(&stream->input).length < SPACE_BYTES_MAX && input_fill(&stream->input));
}

/* Skips the line with its end. */
static void consume_line(struct stream *stream)
{
    do {
        struct slice text = input_text(&stream->input);
        size_t length = slice_find(text, '\n');
        consume(stream, length < text.length ? length + 1 : length);
        if (length < text.length)
            return;
    } while (input_fill(&stream->input));
}

static bool begins_object(struct stream *stream)
{
    while (!input_text(&stream->input).length && input_fill(&stream->input))
        continue;
    struct slice text = input_text(&stream->input);
    return !text.length || text.bytes[0] == '{';
}

/*
 * Skips to the next line that may begin an object. Values that begin inside a broken one may end where it
 * does: bytes beyond a document's limit are not searched again, because the time would be quadratic.
 */
static void skip_broken(struct stream *stream, size_t length)
{
    if (length <= stream->document_bytes_max - stream->searched) {
        stream->searched += length;
        consume_spaces(stream);
    } else {
        consume(stream, length);
    }
    do
        consume_line(stream);
    while (!begins_object(stream));
}

bool stream_reject(struct stream *stream, bool *is_news)
{
    const size_t length = stream->taken;
    stream->taken = 0;
    *is_news = !stream->is_broken;
    if (stream->values <= 1 && begin_yaml(stream))
        return true;
    stream->is_broken = true;
    skip_broken(stream, length);
    return false;
}

enum stream_result stream_next(struct stream *stream, struct stream_document *document, struct error *error)
{
    if (stream->mode == STREAM_UNKNOWN)
        guess_mode(stream);
    if (stream->mode == STREAM_YAML) {
        input_consume(&stream->input, stream->taken);
        stream->taken = 0;
        return next_yaml(stream, document, error);
    }
    if (stream->taken) {
        consume(stream, stream->taken);
        stream->values++;
        stream->is_broken = false;
        stream->taken = 0;
    }
    return next_json(stream, document, error);
}
