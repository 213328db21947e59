#include "owners/shell_object.h"

#include "base/shell.h"

/* kubectl takes a kind for its resource, in lower case. */
static struct slice resource_of(const struct conflict_object *object, struct arena *arena)
{
    struct text resource = text_start(arena, 64);
    text_append_lower(&resource, object->kind);
    text_append_string(&resource, object->group.length ? "." : "");
    text_append(&resource, object->group);
    return text_slice(&resource);
}

/* What begins with a dash is a flag for kubectl, quoted or not, and no name of anything. */
static bool is_name(struct slice word)
{
    return word.length && word.bytes[0] != '-';
}

void shell_append_object(struct text *text, const struct conflict_object *object)
{
    if (!is_name(object->kind) || !is_name(object->name)) {
        text_append_string(text, "KIND NAME");
        return;
    }
    shell_append_word(text, resource_of(object, text->arena));
    text_append_string(text, " ");
    shell_append_word(text, object->name);
    if (object->namespace.length) {
        text_append_string(text, " -n ");
        shell_append_word(text, object->namespace);
    }
}
