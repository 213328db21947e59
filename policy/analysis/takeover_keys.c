#include "policy/analysis/takeover_keys.h"

#include "base/json.h"

void takeover_append_part(struct text *text, struct slice part)
{
    text_append_all(text, part, SLICE("\0"));
}

void takeover_append_manager(struct text *text, const struct manager *manager)
{
    takeover_append_part(text, manager->name);
    takeover_append_part(text, slice_of(manager_operation_name(manager->operation)));
    takeover_append_part(text, manager->subresource);
}

struct slice takeover_manager_key(const struct manager *manager, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    takeover_append_manager(&text, manager);
    return text_slice(&text);
}

void takeover_append_object(struct text *text, const struct review *review)
{
    struct slice uid = json_text(review->parts.metadata.uid);
    takeover_append_part(text, uid);
    if (uid.length)
        return;
    takeover_append_part(text, review->group_kind);
    takeover_append_part(text, review->namespace);
    takeover_append_part(text, review->name);
}

/* Where the last element of a printed path begins, if that is a list item; else the length of the path. */
static size_t item_begin(struct slice printed)
{
    size_t begin = printed.length;
    bool is_inside = false, is_quoted = false;
    for (size_t i = 0; i < printed.length; i++) {
        char byte = printed.bytes[i];
        if (is_quoted) {
            i += byte == '\\';
            is_quoted = byte != '"';
        } else if (is_inside) {
            is_quoted = byte == '"';
            is_inside = byte != ']';
        } else {
            begin = byte == '[' ? i : printed.length;
            is_inside = byte == '[';
        }
    }
    return is_inside ? printed.length : begin;
}

struct slice takeover_field(struct slice printed)
{
    return slice_until(printed, item_begin(printed));
}
