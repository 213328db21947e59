#include "policy/verdict/message_name.h"

/* The longest end of `text` that is at most `limit` bytes and begins at a character. */
static struct slice end_of(struct slice text, size_t limit)
{
    if (text.length <= limit)
        return text;
    struct slice end = slice_from(text, text.length - limit);
    while (end.length && ((unsigned char)end.bytes[0] & 0xc0) == 0x80)
        end = slice_from(end, 1);
    return end;
}

void message_append_cut(struct text *text, struct slice name, size_t limit)
{
    size_t kept = limit - MESSAGE_ELLIPSIS.length, head = kept - kept / 3;
    if (name.length <= limit) {
        struct slice whole = text_printable(text->arena, name);
        if (whole.length <= limit) {
            text_append(text, whole);
            return;
        }
    }
    text_append(text, text_cut(text_printable(text->arena, text_cut(name, head)), head));
    text_append(text, MESSAGE_ELLIPSIS);
    text_append(text, end_of(text_printable(text->arena, end_of(name, kept / 3)), kept / 3));
}

void message_append_name(struct text *text, struct slice name)
{
    message_append_cut(text, name, MESSAGE_NAME_BYTES);
}
