#include "kube/printable.h"

#include "base/text.h"

#include <stdio.h>

struct kube_printable kube_printable(struct slice foreign)
{
    struct kube_printable printable = {"?"};
    const size_t limit = sizeof(printable.text) - sizeof(TEXT_ELLIPSIS);
    struct arena *arena = arena_create();
    if (!arena)
        return printable;
    struct text text = text_start(arena, sizeof(printable.text));
    text_append_printable(&text, text_cut(foreign, limit));
    struct slice whole = text_slice(&text);
    if (whole.bytes) {
        struct slice cut = text_cut(whole, limit);
        bool is_cut = cut.length < whole.length || foreign.length > limit;
        snprintf(
            printable.text, sizeof(printable.text), "%.*s%s", (int)cut.length, cut.bytes,
            is_cut ? TEXT_ELLIPSIS : "");
    }
    arena_destroy(arena);
    return printable;
}
