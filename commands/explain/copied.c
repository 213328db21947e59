#include "commands/explain/copied.h"

#include "base/array_size.h"
#include "base/text.h"

#include <string.h>

static const struct replacement {
    struct slice from;
    char to;
} replacements[] = {
    {SLICE_LITERAL("\xe2\x80\x9c"), '"'},  {SLICE_LITERAL("\xe2\x80\x9d"), '"'},
    {SLICE_LITERAL("\xe2\x80\x9e"), '"'},  {SLICE_LITERAL("\xe2\x80\x98"), '\''},
    {SLICE_LITERAL("\xe2\x80\x99"), '\''}, {SLICE_LITERAL("&quot;"), '"'},
    {SLICE_LITERAL("&#34;"), '"'},         {SLICE_LITERAL("&apos;"), '\''},
    {SLICE_LITERAL("&#39;"), '\''},        {SLICE_LITERAL("&lt;"), '<'},
    {SLICE_LITERAL("&gt;"), '>'},          {SLICE_LITERAL("&amp;"), '&'},
};

/* The length of the beginning of a line: spaces, and the marks of a quoted mail. */
static size_t margin_of(struct slice text)
{
    size_t length = 0;
    while (length < text.length && text.bytes[length] && strchr(" \t\r\n>", text.bytes[length]))
        length++;
    return length;
}

/* The number of bytes that were read of the text, which has one at least. */
static size_t undo(struct slice text, struct text *out)
{
    if (text.bytes[0] == '\n') {
        text_append_string(out, " ");
        return margin_of(text);
    }
    for (size_t i = 0; i < ARRAY_SIZE(replacements); i++) {
        if (!slice_starts_with(text, replacements[i].from))
            continue;
        text_append(out, (struct slice){&replacements[i].to, 1});
        return replacements[i].from.length;
    }
    text_append(out, slice_until(text, 1));
    return 1;
}

struct slice copied_undo(struct slice text, struct arena *arena)
{
    struct text out = text_start(arena, text.length);
    for (size_t i = 0; i < text.length;)
        i += undo(slice_from(text, i), &out);
    return text_slice(&out);
}
