#include "policy/verdict/message.h"

#include "policy/fieldset/path.h"

void message_append_name(struct text *text, struct slice name)
{
    struct slice cut = text_cut(name, MESSAGE_NAME_BYTES);
    text_append_printable(text, cut);
    if (cut.length < name.length)
        text_append_string(text, "…");
}

void message_append_manager(struct text *text, const struct manager *manager)
{
    if (!manager->name.length) {
        text_append_string(text, "this request");
        return;
    }
    message_append_name(text, manager->name);
    if (manager->subresource.length) {
        text_append_string(text, " (");
        message_append_name(text, manager->subresource);
        text_append_string(text, ")");
    } else if (manager->operation == MANAGER_APPLY) {
        text_append_string(text, " (Apply)");
    }
}

void message_append_managers(struct text *text, const struct manager *managers, size_t count, size_t total)
{
    size_t named = total <= 2 ? count : count < 2 ? count : 2;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            text_append_string(text, i + 1 == total ? " and " : ", ");
        message_append_manager(text, &managers[i]);
    }
    if (named < total) {
        text_append_string(text, " and ");
        text_append_number(text, total - named);
        text_append_string(text, " more");
    }
}

static void append_more_fields(struct text *text, size_t count)
{
    text_append_number(text, count);
    text_append_string(text, count == 1 ? " more field" : " more fields");
}

void message_append_fields(struct text *text, const struct slice *fields, size_t total)
{
    path_append_short(text, fields[0], MESSAGE_PATH_BYTES);
    if (total == 1)
        return;
    text_append_string(text, " and ");
    append_more_fields(text, total - 1);
}

void message_append_fields_at_least(struct text *text, const struct slice *fields, size_t total)
{
    path_append_short(text, fields[0], MESSAGE_PATH_BYTES);
    text_append_string(text, " and ");
    if (total == 1) {
        text_append_string(text, "more fields");
        return;
    }
    text_append_string(text, "at least ");
    append_more_fields(text, total - 1);
}

void message_append_object(struct text *text, const struct review *review)
{
    message_append_name(text, review->kind);
    if (!review->name.length)
        return;
    text_append_string(text, " ");
    /* A Namespace is its own. */
    if (review->namespace.length && !slice_equal(review->group_kind, SLICE("Namespace"))) {
        message_append_name(text, review->namespace);
        text_append_string(text, "/");
    }
    message_append_name(text, review->name);
}
