#include "report/json_text.h"

void json_text_append(struct text *text, struct slice value)
{
    text_append_json(text, text_printable(text->arena, value));
}

void json_text_append_key(struct text *text, const char *key)
{
    bool is_first = !text->length || text->bytes[text->length - 1] == '{';
    text_append_string(text, is_first ? "\"" : ",\"");
    text_append_string(text, key);
    text_append_string(text, "\":");
}

void json_text_append_member(struct text *text, const char *key, struct slice value)
{
    if (!value.length)
        return;
    json_text_append_key(text, key);
    json_text_append(text, value);
}

void json_text_append_number(struct text *text, const char *key, uint64_t number)
{
    if (!number)
        return;
    json_text_append_key(text, key);
    text_append_number(text, number);
}

void json_text_append_list(struct text *text, const char *key, const struct slice *values, size_t count)
{
    json_text_append_key(text, key);
    text_append_string(text, "[");
    for (size_t i = 0; i < count; i++) {
        text_append_string(text, i ? "," : "");
        json_text_append(text, values[i]);
    }
    text_append_string(text, "]");
}
