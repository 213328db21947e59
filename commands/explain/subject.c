#include "commands/explain/subject.h"

#include "base/count.h"

#include <string.h>

#define LINE_BYTES_MAX 1000
#define PARTS 4

/* What stands last in the text and begins so, without the beginning. NULL bytes: nothing does. */
static struct slice after_last(struct slice text, struct slice beginning)
{
    for (size_t i = text.length; i >= beginning.length && i > 0; i--) {
        struct slice rest = slice_from(text, i - beginning.length);
        if (slice_starts_with(rest, beginning))
            return slice_from(rest, beginning.length);
    }
    return (struct slice){NULL, 0};
}

static struct slice until(struct slice *text, char byte)
{
    struct slice part = slice_until(*text, slice_find(*text, byte));
    *text = slice_from(*text, part.length + 1);
    return part;
}

/* GROUP/VERSION, or VERSION of the core group. */
static void read_group_version(struct slice text, struct conflict_object *object)
{
    size_t slash = slice_find(text, '/');
    bool has_group = slash < text.length;
    object->group = has_group ? slice_until(text, slash) : (struct slice){NULL, 0};
    object->version = has_group ? slice_from(text, slash + 1) : text;
}

/* shop/web apps/v1, Kind=Deployment: */
static bool read_helm(struct slice line, struct conflict_object *object)
{
    struct slice rest = after_last(line, SLICE("while applying object "));
    if (!rest.bytes)
        return false;
    struct slice named = until(&rest, ' ');
    object->namespace = until(&named, '/');
    object->name = named;
    read_group_version(until(&rest, ','), object);
    struct slice kind = after_last(rest, SLICE("Kind="));
    object->kind = until(&kind, ':');
    return object->name.length && object->kind.length;
}

static size_t split(struct slice text, struct slice parts[PARTS])
{
    size_t count = 0;
    while (text.length && count < PARTS)
        parts[count++] = until(&text, '/');
    return text.length ? 0 : count;
}

static bool ends_word(char byte)
{
    return byte && strchr(" \t\"'`=(;,", byte);
}

static struct slice last_word(struct slice text)
{
    size_t start = text.length;
    while (start > 0 && !ends_word(text.bytes[start - 1]))
        start--;
    return slice_from(text, start);
}

/* Deployment/shop/web dry-run failed */
static bool read_flux(struct slice line, struct conflict_object *object)
{
    struct slice rest = after_last(line, SLICE(" dry-run failed"));
    if (!rest.bytes)
        return false;
    size_t end = (size_t)(rest.bytes - line.bytes) - SLICE(" dry-run failed").length;
    struct slice parts[PARTS] = {{NULL, 0}};
    size_t count = split(last_word(slice_until(line, end)), parts);
    if (count != 2 && count != 3)
        return false;
    object->kind = parts[0];
    object->namespace = count == 3 ? parts[1] : (struct slice){NULL, 0};
    object->name = parts[count - 1];
    return object->kind.length && object->name.length;
}

/* apps/Deployment/shop/web: */
static bool read_argocd(struct slice line, struct conflict_object *object)
{
    if (line.length < 2 || line.bytes[line.length - 2] != ':')
        return false;
    struct slice parts[PARTS] = {{NULL, 0}};
    if (split(last_word(slice_until(line, line.length - 2)), parts) != PARTS)
        return false;
    object->group = parts[0];
    object->kind = parts[1];
    object->namespace = parts[2];
    object->name = parts[3];
    return object->kind.length && object->name.length;
}

/* What stands after the last newline, or its end where that is long. */
static struct slice last_line(struct slice text)
{
    size_t start = text.length;
    while (start > 0 && text.length - start < LINE_BYTES_MAX && text.bytes[start - 1] != '\n')
        start--;
    return slice_from(text, start);
}

void subject_read(struct slice before, struct conflict_object *object, enum conflict_tool *tool)
{
    static const struct {
        bool (*read)(struct slice line, struct conflict_object *object);
        enum conflict_tool tool;
    } forms[] = {
        {read_helm, CONFLICT_TOOL_HELM},
        {read_flux, CONFLICT_TOOL_FLUX},
        {read_argocd, CONFLICT_TOOL_ARGOCD}};
    const struct slice line = last_line(before);
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct conflict_object found = {0};
        if (!forms[i].read(line, &found))
            continue;
        *object = found;
        *tool = forms[i].tool;
        return;
    }
}
