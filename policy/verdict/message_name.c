#include "policy/verdict/message_name.h"

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
    text_append_all(
        text, text_cut(text_printable(text->arena, text_cut(name, head)), head), MESSAGE_ELLIPSIS,
        text_cut_front(text_printable(text->arena, text_cut_front(name, kept / 3)), kept / 3));
}

void message_append_name(struct text *text, struct slice name)
{
    message_append_cut(text, name, MESSAGE_NAME_BYTES);
}

void manager_append(struct text *text, const struct manager *manager)
{
    bool has_subresource = false;
    const char *words = manager->name.length ? manager_words(manager, &has_subresource) : "this request";
    if (words)
        text_append_string(text, words);
    else
        message_append_name(text, manager->name);
    if (manager->name.length && manager->subresource.length && !has_subresource)
        text_append_all(text, " (", message_name(manager->subresource), ")");
}

void managers_append(
    struct text *text, const struct manager *managers, size_t count, size_t total,
    void (*append)(struct text *text, const struct manager *manager))
{
    size_t named = total <= 2 ? count : count < 2 ? count : 2;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            text_append_string(text, i + 1 == total ? " and " : ", ");
        append(text, &managers[i]);
    }
    if (named < total)
        text_append_all(text, " and ", total - named, " more");
}
