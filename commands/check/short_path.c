#include "commands/check/short_path.h"

#include "base/split.h"

#include <string.h>

/* The length of the path without its last part and the slash before it. */
static size_t parent_length(const char *path, size_t length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length ? length - 1 : 0;
}

static bool ends_with_parent(const char *path, size_t length)
{
    return length >= 2 && memcmp(path + length - 2, "..", 2) == 0 && (length == 2 || path[length - 3] == '/');
}

/*
 * Appends a part of a path. A .. removes the part before it, without reading the file system. Returns the new
 * length.
 */
static size_t append_part(char *path, size_t length, struct slice part)
{
    if (!part.length || slice_equal(part, SLICE(".")))
        return length;
    if (slice_equal(part, SLICE("..")) && length && !ends_with_parent(path, length))
        return parent_length(path, length);
    if (length)
        path[length++] = '/';
    memcpy(path + length, part.bytes, part.length);
    return length + part.length;
}

static size_t append_parts(char *path, size_t length, struct slice parts)
{
    while (parts.length)
        length = append_part(path, length, split_next(&parts, '/'));
    return length;
}

const char *short_path_in(struct slice folder, struct slice name, struct arena *arena)
{
    const bool is_absolute = name.length && name.bytes[0] == '/';
    if (is_absolute)
        folder.length = 0;
    const struct slice whole = folder.length ? folder : name;
    char *path = arena_allocate(arena, folder.length + name.length + 4);
    if (!path)
        return NULL;
    char *rest = path;
    if (whole.length && whole.bytes[0] == '/')
        *rest++ = '/';
    size_t length = append_parts(rest, append_parts(rest, 0, folder), name);
    rest[length] = '\0';
    return path;
}

const char *short_path(const char *path, struct arena *arena)
{
    return short_path_in((struct slice){NULL, 0}, slice_of(path), arena);
}
