#include "apply/text_value.h"

const struct value *text_value(struct slice text, struct arena *arena)
{
    struct text json = text_start(arena, text.length + 16);
    text_append_json(&json, text);
    return value_read_json(text_slice(&json), arena);
}
