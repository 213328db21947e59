#include "policy/fieldset/plain_json.h"

#include "base/ascii.h"
#include "base/json.h"

/* Fewer than any number has that does not fit. */
#define DIGITS_MAX 18

/* The rest of the text, and the number of values read. */
struct reader {
    struct slice rest;
    struct plain_json *json;
};

static bool next_is(const struct reader *reader, char byte)
{
    return reader->rest.length && reader->rest.bytes[0] == byte;
}

static bool skip(struct reader *reader, char byte)
{
    if (!next_is(reader, byte))
        return false;
    reader->rest = slice_from(reader->rest, 1);
    return true;
}

static yyjson_val *add_value(struct reader *reader)
{
    struct plain_json *json = reader->json;
    return json->count < PLAIN_JSON_VALUES_MAX ? &json->values[json->count++] : NULL;
}

/* Printable ASCII: it is one character a byte, and well-formed. */
static bool stands_for_itself(char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static bool read_string(struct reader *reader)
{
    yyjson_val *value = skip(reader, '"') ? add_value(reader) : NULL;
    if (!value)
        return false;
    struct slice rest = reader->rest;
    size_t length = 0;
    while (length < rest.length && stands_for_itself(rest.bytes[length]))
        length++;
    value->tag = (uint64_t)length << YYJSON_TAG_BIT | YYJSON_SUBTYPE_NOESC | YYJSON_TYPE_STR;
    value->uni.str = rest.bytes;
    reader->rest = slice_from(rest, length);
    return skip(reader, '"');
}

static bool read_number(struct reader *reader)
{
    bool is_negative = skip(reader, '-');
    struct slice rest = reader->rest;
    uint64_t number = 0;
    size_t digits = 0;
    for (; digits < rest.length && ascii_is_digit(rest.bytes[digits]); digits++) {
        if (digits == DIGITS_MAX)
            return false;
        number = number * 10 + (uint64_t)(rest.bytes[digits] - '0');
    }
    bool is_spelled_otherwise = digits && rest.bytes[0] == '0' && (digits > 1 || is_negative);
    yyjson_val *value = digits && !is_spelled_otherwise ? add_value(reader) : NULL;
    if (!value)
        return false;
    value->tag = YYJSON_TYPE_NUM | (is_negative ? YYJSON_SUBTYPE_SINT : YYJSON_SUBTYPE_UINT);
    value->uni.u64 = is_negative ? 0 - number : number;
    reader->rest = slice_from(rest, digits);
    return true;
}

static bool read_scalar(struct reader *reader)
{
    return next_is(reader, '"') ? read_string(reader) : read_number(reader);
}

static bool read_member(struct reader *reader)
{
    const yyjson_val *name = &reader->json->values[reader->json->count];
    const yyjson_val *previous = reader->json->count > 1 ? name - 2 : NULL;
    if (!read_string(reader))
        return false;
    if (previous && slice_compare(json_text(previous), json_text(name)) >= 0)
        reader->json->is_sorted = false;
    return skip(reader, ':') && read_scalar(reader);
}

/* After the brace. */
static bool read_object(struct reader *reader)
{
    yyjson_val *object = add_value(reader);
    size_t count = 0;
    if (!next_is(reader, '}')) {
        do {
            if (!read_member(reader))
                return false;
            count++;
        } while (skip(reader, ','));
    }
    object->tag = (uint64_t)count << YYJSON_TAG_BIT | YYJSON_TYPE_OBJ;
    object->uni.ofs = reader->json->count * sizeof(yyjson_val);
    return skip(reader, '}');
}

bool plain_json_read(struct slice text, struct plain_json *json)
{
    json->count = 0;
    json->is_sorted = true;
    struct reader reader = {text, json};
    bool is_plain = skip(&reader, '{') ? read_object(&reader) : read_scalar(&reader);
    return is_plain && !reader.rest.length;
}
