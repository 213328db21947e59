#include "base/text.h"
#include "policy/review/review.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/encode_finding.h"

static void append_member(struct text *text, const char *name, struct slice value)
{
    if (!value.length)
        return;
    encode_key(text, name);
    text_append_json(text, text_printable(text->arena, value));
    text_append_string(text, ",");
}

/* ,"dropped":{"deny":3,"audit":20}: how many findings are not listed. */
static void append_dropped(struct text *text, const struct verdict *verdict)
{
    bool any = false;
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!verdict->dropped[action])
            continue;
        if (!any)
            text_append_string(text, ",\"dropped\":{");
        encode_next(text);
        encode_key(text, action_name((enum action)action));
        text_append_number(text, verdict->dropped[action]);
        any = true;
    }
    text_append_string(text, any ? "}" : "");
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
        encode_next(&text);
        encode_finding(&text, &verdict->findings[i], true);
    }
    text_append_string(&text, "]");
    append_dropped(&text, verdict);
    text_append_string(&text, "}\n");
    return text_slice(&text);
}
