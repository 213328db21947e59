#include "preview/text_value.h"

#include "base/json.h"

const struct value *text_value_of_json(struct slice json, struct arena *arena)
{
    yyjson_doc *document = json.bytes ? json_read(json, YYJSON_READ_NOFLAG, arena, NULL) : NULL;
    return document ? value_read(yyjson_doc_get_root(document), arena, NULL) : NULL;
}

const struct value *text_value(struct slice text, struct arena *arena)
{
    struct text json = text_start(arena, text.length + 16);
    text_append_json(&json, text);
    return text_value_of_json(text_slice(&json), arena);
}
