#include "report/xml_text.h"

static const char *entity(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

void xml_text_append(struct text *text, struct slice value)
{
    struct slice rest = text_printable(text->arena, value);
    size_t plain = 0;
    while (plain < rest.length) {
        const char *escaped = entity(rest.bytes[plain]);
        if (!escaped) {
            plain++;
            continue;
        }
        text_append_all(text, slice_until(rest, plain), escaped);
        rest = slice_from(rest, plain + 1);
        plain = 0;
    }
    text_append(text, rest);
}

void xml_text_append_attribute(struct text *text, const char *name, struct slice value)
{
    text_append_all(text, " ", name, "=\"", as_escaped(xml_text_append, value), "\"");
}

void xml_text_append_number(struct text *text, const char *name, uint64_t number)
{
    xml_text_append_attribute(text, name, text_join(text->arena, number));
}
