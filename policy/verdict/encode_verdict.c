#include "base/json_append.h"
#include "policy/review/review.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/encode_finding.h"

/* ,"dropped":{"deny":3,"audit":20}: how many findings are not listed. */
static void append_dropped(struct text *text, const struct verdict *verdict)
{
    bool any = false;
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!verdict->dropped[action])
            continue;
        if (!any)
            json_append_open(text, "dropped", "{");
        json_append_number(text, action_name((enum action)action), verdict->dropped[action]);
        any = true;
    }
    text_append_string(text, any ? "}" : "");
}

struct slice encode_verdict(const struct verdict *verdict, struct slice file, struct arena *arena)
{
    const struct review *review = verdict->review;
    struct text text = text_start(arena, 512);
    text_append_string(&text, "{");
    json_append_member_if_any(&text, "file", file);
    json_append_member_if_any(&text, "uid", review->uid);
    json_append_member_if_any(&text, "operation", slice_of(operation_name(review->operation)));
    json_append_member_if_any(&text, "kind", review->group_kind);
    json_append_member_if_any(&text, "namespace", review->namespace);
    json_append_member_if_any(&text, "name", review->name);
    json_append_bool(&text, "allowed", verdict->allowed);
    json_append_member_if_any(&text, "mode", slice_of(mode_name(verdict->mode)));
    json_append_open(&text, "findings", "[");
    for (size_t i = 0; i < verdict->finding_count; i++) {
        json_append_comma(&text);
        encode_finding(&text, &verdict->findings[i], true);
    }
    text_append_string(&text, "]");
    append_dropped(&text, verdict);
    text_append_string(&text, "}\n");
    return text_slice(&text);
}
