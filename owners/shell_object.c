#include "owners/shell_object.h"

#include "base/shell.h"

/* kubectl accepts a kind in lower case as a resource. */
static struct slice resource_of(const struct conflict_object *object, struct arena *arena)
{
    return text_join(
        arena, as_escaped(text_append_lower, object->kind), object->group.length ? "." : "", object->group);
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
    text_append_all(
        text, as_escaped(shell_append_word, resource_of(object, text->arena)), separator,
        as_escaped(shell_append_word, object->name));
    if (object->namespace.length)
        text_append_all(text, " -n ", as_escaped(shell_append_word, object->namespace));
}

void shell_append_object(struct text *text, const struct conflict_object *object)
{
    append(text, object, " ");
}

void shell_append_object_in_one(struct text *text, const struct conflict_object *object)
{
    append(text, object, "/");
}
