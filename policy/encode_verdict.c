#include "policy/encode.h"
#include "policy/encode_finding.h"
#include "policy/review.h"
#include "policy/text.h"

static void append_member(struct text *text, const char *name, struct slice value)
{
    if (!value.length)
        return;
    struct text printable = text_start(text->arena, value.length + 16);
    text_append_printable(&printable, value);
    text->failed |= printable.failed;
    encode_key(text, name);
    text_append_json(text, text_slice(&printable));
    text_append_string(text, ",");
}

struct slice encode_verdict(const struct verdict *verdict, struct slice file, struct arena *arena)
{
    const struct review *review = verdict->review;
    struct text text = text_start(arena, 512);
    text_append_string(&text, "{");
    append_member(&text, "file", file);
    append_member(&text, "uid", review->uid);
    append_member(&text, "operation", slice_of(operation_name(review->operation)));
    append_member(&text, "kind", review->group_kind);
    append_member(&text, "namespace", review->namespace);
    append_member(&text, "name", review->name);
    text_append_string(&text, verdict->allowed ? "\"allowed\":true," : "\"allowed\":false,");
    append_member(&text, "mode", slice_of(mode_name(verdict->mode)));
    text_append_string(&text, "\"findings\":[");
    for (size_t i = 0; i < verdict->finding_count; i++) {
        text_append_string(&text, i ? "," : "");
        encode_finding(&text, &verdict->findings[i], true);
    }
    text_append_string(&text, "]}\n");
    return arena_has_failed(arena) ? (struct slice){NULL, 0} : text_slice(&text);
}
