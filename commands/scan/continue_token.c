#include "commands/scan/continue_token.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/text.h"

static const struct slice none = {NULL, 0};

struct slice continue_token_renewed(struct slice token, struct arena *arena)
{
    struct text json = text_start(arena, token.length), renewed = text_start(arena, 256),
                encoded = text_start(arena, 256);
    while (token.length && token.bytes[token.length - 1] == '=')
        token.length--;
    if (!base64url_append_decoded(&json, token))
        return none;
    yyjson_val *root = json_parse(text_slice(&json), arena);
    struct slice version = json_text(json_member(root, SLICE("v")));
    struct slice start = json_text(json_member(root, SLICE("start")));
    if (!slice_equal(version, SLICE("meta.k8s.io/v1")) || !start.length ||
        yyjson_get_sint(json_member(root, SLICE("rv"))) < 0)
        return none;
    text_append_all(&renewed, "{\"v\":\"meta.k8s.io/v1\",\"rv\":-1,\"start\":", as_json(start), "}");
    if (!text_slice(&renewed).bytes)
        return none;
    base64url_append(&encoded, text_slice(&renewed));
    return text_slice(&encoded);
}
