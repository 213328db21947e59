#include "owners/shell_object.h"

#include "base/shell.h"

/* kubectl accepts a kind in lower case as a resource. */
static struct slice resource_of(const struct conflict_object *object, struct arena *arena)
{
    struct text resource = text_start(arena, 64);
    text_append_lower(&resource, object->kind);
    text_append_all(&resource, object->group.length ? "." : "", object->group);
    return text_slice(&resource);
}

/* kubectl takes a word that begins with a dash for a flag, even if it is quoted. */
static bool is_name(struct slice word)
{
    return word.length && word.bytes[0] != '-';
}

static void append(struct text *text, const struct conflict_object *object, const char *separator)
{
    if (!is_name(object->kind) || !is_name(object->name)) {
        text_append_all(text, "KIND", separator, "NAME");
        return;
    }
    shell_append_word(text, resource_of(object, text->arena));
    text_append_string(text, separator);
    shell_append_word(text, object->name);
    if (object->namespace.length) {
        text_append_string(text, " -n ");
        shell_append_word(text, object->namespace);
    }
}

void shell_append_object(struct text *text, const struct conflict_object *object)
{
    append(text, object, " ");
}

void shell_append_object_in_one(struct text *text, const struct conflict_object *object)
{
    append(text, object, "/");
}
