#include "manifest/read_json.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/text.h"
#include "manifest/marks.h"
#include "manifest/number.h"

static bool ends_token(char byte)
{
    return ascii_is_space(byte) || (byte && strchr(",:\"{}[]", byte));
}

/* Scans a byte inside brackets. Returns true at the end of the value. */
static bool scan_byte(struct json_scan *scan, char byte)
{
    if (scan->in_string) {
        if (scan->is_escaped)
            scan->is_escaped = false;
        else if (byte == '\\')
            scan->is_escaped = true;
        else
            scan->in_string = byte != '"';
        return !scan->in_string && scan->depth == 0;
    }
    if (byte == '"')
        scan->in_string = true;
    else if (byte == '{' || byte == '[')
        scan->depth++;
    else if (byte == '}' || byte == ']')
        return scan->depth <= 1 || --scan->depth == 0;
    return false;
}

static bool begin(struct json_scan *scan, struct slice text)
{
    while (scan->offset < text.length && ascii_is_space(text.bytes[scan->offset]))
        scan->offset++;
    scan->has_begun = scan->offset < text.length;
    scan->start = scan->offset;
    return scan->has_begun;
}

enum json_extent json_scan(struct json_scan *scan, struct slice text, bool is_all)
{
    if (!scan->has_begun && !begin(scan, text))
        return is_all ? JSON_NOTHING : JSON_PARTIAL;
    while (scan->offset < text.length) {
        char byte = text.bytes[scan->offset];
        bool is_token = scan->depth == 0 && !scan->in_string;
        if (is_token && scan->length && ends_token(byte))
            return JSON_WHOLE;
        scan->offset++;
        scan->length++;
        if (scan_byte(scan, byte))
            return JSON_WHOLE;
    }
    return is_all ? JSON_WHOLE : JSON_PARTIAL;
}

struct parse {
    struct build *build;
    struct slice text;
    struct marks marks;
    size_t offset;
    struct manifest_place too_large; /* the first number that is too large; line 0: none */
};

static struct manifest_place place_of(struct parse *parse)
{
    marks_move_to_offset(&parse->marks, parse->offset);
    const struct marks *marks = &parse->marks;
    return (struct manifest_place){marks->line, marks->column, marks->line, marks->column};
}

/* If something is missing at the end, its place is after the last line. */
static void *refuse(struct parse *parse, const char *sentence)
{
    struct marks *marks = &parse->marks;
    parse->build->is_malformed = true;
    marks_move_to_offset(marks, parse->offset);
    if (marks->offset == parse->text.length)
        marks_move_before_blanks(marks);
    error_set_at(parse->build->error, marks->line, marks->column, "%s", sentence);
    return NULL;
}

static void skip_blanks(struct parse *parse)
{
    while (parse->offset < parse->text.length && ascii_is_space(parse->text.bytes[parse->offset]))
        parse->offset++;
}

/* The next byte that is not white space; 0 at the end. */
static char peek(struct parse *parse)
{
    skip_blanks(parse);
    return parse->offset < parse->text.length ? parse->text.bytes[parse->offset] : '\0';
}

static bool take(struct parse *parse, char byte)
{
    if (peek(parse) != byte)
        return false;
    parse->offset++;
    return true;
}

/* The four digits after \u at `bytes`; returns -1 if they are not hexadecimal. */
static int32_t read_unit(struct slice digits)
{
    int32_t unit = 0;
    if (digits.length < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        unsigned value = ascii_hex_value(digits.bytes[i]);
        if (value > 15)
            return -1;
        unit = unit * 16 + (int32_t)value;
    }
    return unit;
}

/*
 * Decodes an escape after \u. Half a surrogate pair becomes U+FFFD, as in Go. Returns the bytes written; 0:
 * the escape is invalid.
 */
static size_t take_unicode(struct slice *rest, char *end)
{
    int32_t unit = read_unit(*rest);
    if (unit < 0)
        return 0;
    *rest = slice_from(*rest, 4);
    if (unit < 0xd800 || unit > 0xdfff)
        return text_put_character(end, unit);
    if (unit < 0xdc00 && slice_starts_with(*rest, SLICE("\\u"))) {
        int32_t low = read_unit(slice_from(*rest, 2));
        if (low >= 0xdc00 && low <= 0xdfff) {
            *rest = slice_from(*rest, 6);
            return text_put_character(end, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
        }
    }
    return text_put_character(end, 0xfffd);
}

static size_t take_escape(struct slice *rest, char *end)
{
    static const char letters[][2] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
                                      {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'}};
    char letter = rest->length ? rest->bytes[0] : '\0';
    *rest = slice_from(*rest, 1);
    if (letter == 'u')
        return take_unicode(rest, end);
    for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
        if (letters[i][0] == letter) {
            *end = letters[i][1];
            return 1;
        }
    }
    return 0;
}

/* The number of bytes up to the closing quote. */
static size_t written_length(struct slice rest)
{
    size_t length = 0;
    while (length < rest.length && rest.bytes[length] != '"')
        length += rest.bytes[length] == '\\' ? 2 : 1;
    return length < rest.length ? length : rest.length;
}

/*
 * Reads a string from its first quote on. Each escape is at least as long as its UTF-8, except for one at the
 * very end.
 */
static bool read_string(struct parse *parse, struct slice *string)
{
    struct slice rest = slice_from(parse->text, parse->offset + 1);
    char *bytes = arena_allocate(parse->build->arena, written_length(rest) + 4);
    size_t length = 0;
    if (!bytes)
        return build_out_of_memory(parse->build) != NULL;
    while (rest.length && rest.bytes[0] != '"') {
        char byte = rest.bytes[0];
        rest = slice_from(rest, 1);
        if ((unsigned char)byte < 0x20)
            return refuse(
                parse, "a JSON string cannot contain a line break or another control character; escape it");
        if (byte != '\\') {
            bytes[length++] = byte;
            continue;
        }
        size_t written = take_escape(&rest, bytes + length);
        parse->offset = parse->text.length - rest.length;
        if (!written)
            return refuse(parse, "JSON knows no such escape");
        length += written;
    }
    parse->offset = parse->text.length - rest.length;
    if (!rest.length || rest.bytes[0] != '"')
        return refuse(parse, "this JSON string has no closing quote");
    parse->offset++;
    *string = (struct slice){bytes, length};
    arena_shorten(parse->build->arena, bytes + length);
    return true;
}

static struct slice take_number(struct parse *parse)
{
    size_t start = parse->offset;
    while (parse->offset < parse->text.length) {
        char byte = parse->text.bytes[parse->offset];
        if (!byte || !strchr("+-.eE0123456789", byte))
            break;
        parse->offset++;
    }
    return (struct slice){parse->text.bytes + start, parse->offset - start};
}

static bool is_digit(struct slice text, size_t i)
{
    return i < text.length && ascii_is_digit(text.bytes[i]);
}

static bool skip_digits(struct slice text, size_t *i)
{
    size_t start = *i;
    while (is_digit(text, *i))
        (*i)++;
    return *i > start;
}

/* JSON's grammar of numbers, which is stricter than that of number_parse_real. */
static bool is_number(struct slice text)
{
    size_t i = text.length && text.bytes[0] == '-';
    if (i < text.length && text.bytes[i] == '0')
        i++;
    else if (!skip_digits(text, &i))
        return false;
    if (i < text.length && text.bytes[i] == '.' && (i++, !skip_digits(text, &i)))
        return false;
    if (i < text.length && (text.bytes[i] | 0x20) == 'e') {
        i++;
        i += i < text.length && (text.bytes[i] == '+' || text.bytes[i] == '-');
        if (!skip_digits(text, &i))
            return false;
    }
    return i == text.length;
}

static struct manifest_node *read_number(struct parse *parse, struct manifest_place place)
{
    struct slice text = take_number(parse);
    bool is_whole = !slice_contains(text, '.') && !slice_contains(text, 'e') && !slice_contains(text, 'E');
    struct manifest_node *node = build_node(parse->build, MANIFEST_INT, (struct slice){NULL, 0}, place);
    if (!node)
        return NULL;
    if (!is_number(text))
        return refuse(parse, "this is not a JSON number");
    if (is_whole && number_parse_integer(text, &node->integer))
        return node;
    node->kind = MANIFEST_FLOAT;
    if (number_parse_real(text, parse->build->arena, &node->real))
        return node;
    if (arena_has_failed(parse->build->arena))
        return build_out_of_memory(parse->build);
    /* First find out whether the text is JSON at all: it may be YAML, where this is a string. */
    node->real = 0;
    if (!parse->too_large.line)
        parse->too_large = place;
    return node;
}

static struct manifest_node *read_word(struct parse *parse, struct manifest_place place)
{
    static const struct {
        struct slice word;
        enum manifest_kind kind;
    } words[] = {
        {SLICE_LITERAL("null"), MANIFEST_NULL},
        {SLICE_LITERAL("false"), MANIFEST_BOOL},
        {SLICE_LITERAL("true"), MANIFEST_BOOL}};
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (!slice_starts_with(slice_from(parse->text, parse->offset), words[i].word))
            continue;
        struct manifest_node *node = build_node(parse->build, words[i].kind, (struct slice){NULL, 0}, place);
        if (node)
            node->boolean = words[i].word.bytes[0] == 't';
        parse->offset += words[i].word.length;
        return node;
    }
    return refuse(parse, "this does not begin a JSON value");
}

static struct manifest_node *read_value(struct parse *parse, unsigned depth);

static bool read_member(struct parse *parse, struct build_container *container, unsigned depth)
{
    if (peek(parse) != '"')
        return refuse(parse, "a key in double quotes is missing here");
    struct manifest_member member = {.key_place = place_of(parse)};
    if (!read_string(parse, &member.key) ||
        !build_count(parse->build, 1, member.key.length, member.key_place))
        return false;
    if (!take(parse, ':'))
        return refuse(parse, "a colon is missing here");
    member.value = read_value(parse, depth + 1);
    if (!member.value || !build_add(parse->build, container, &member))
        return false;
    container->node->nodes++;
    container->node->text_bytes += member.key.length;
    return true;
}

static bool read_item(struct parse *parse, struct build_container *container, unsigned depth)
{
    const struct manifest_member item = {.value = read_value(parse, depth + 1)};
    return item.value && build_add(parse->build, container, &item);
}

static struct manifest_node *read_container(struct parse *parse, struct manifest_node *node, unsigned depth)
{
    bool is_map = node->kind == MANIFEST_MAP;
    char closing = is_map ? '}' : ']';
    struct build_container container = build_open(parse->build, node);
    parse->offset++;
    if (!take(parse, closing)) {
        do {
            if (!(is_map ? read_member : read_item)(parse, &container, depth))
                return NULL;
        } while (take(parse, ','));
        if (!take(parse, closing))
            return refuse(parse, is_map ? "a comma or } is missing here" : "a comma or ] is missing here");
    }
    return build_close(parse->build, &container);
}

static struct manifest_node *read_beginning(struct parse *parse, unsigned depth)
{
    char first = peek(parse);
    struct manifest_place place = place_of(parse);
    if (first == '{' || first == '[') {
        struct manifest_node *node = build_check_depth(parse->build, depth, place)
            ? build_node(
                  parse->build, first == '{' ? MANIFEST_MAP : MANIFEST_LIST, (struct slice){NULL, 0}, place)
            : NULL;
        return node ? read_container(parse, node, depth) : NULL;
    }
    if (first == '"') {
        struct slice string = {NULL, 0};
        return read_string(parse, &string) ? build_node(parse->build, MANIFEST_STRING, string, place) : NULL;
    }
    return first == '-' || ascii_is_digit(first) ? read_number(parse, place) : read_word(parse, place);
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. */
static struct manifest_node *read_value(struct parse *parse, unsigned depth)
{
    struct manifest_node *node = read_beginning(parse, depth);
    if (!node)
        return NULL;
    struct manifest_place end = place_of(parse);
    node->place.end_line = end.line;
    node->place.end_column = end.column;
    return node;
}

const struct manifest_node *read_json(struct build *build, struct slice text, unsigned line, unsigned column)
{
    struct parse parse = {.build = build, .text = text, .marks = marks_start(text, line)};
    parse.marks.column = column;
    const struct manifest_node *root = read_value(&parse, 1);
    if (root && peek(&parse))
        return refuse(&parse, "nothing may follow the value");
    if (root && parse.too_large.line) {
        error_set_at(
            build->error, parse.too_large.line, parse.too_large.column,
            "this number is too large for kubectl");
        return NULL;
    }
    return root;
}
