#include "commands/check/exclusions.h"

#include "base/file_path.h"
#include "base/text.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>

#define EXCLUSIONS_BYTES_MAX ((size_t)1024 * 1024)

/*
 * One name of a path
 */

/* Whether the set at the start of `pattern`, behind its [, has the byte. Sets `length` to that of the set. */
static bool set_has(struct slice pattern, char byte, size_t *length)
{
    size_t at = pattern.length && (pattern.bytes[0] == '!' || pattern.bytes[0] == '^');
    const bool is_negated = at;
    bool has = false;
    for (size_t first = at; at < pattern.length && (pattern.bytes[at] != ']' || at == first); at++) {
        char low = pattern.bytes[at], high = low;
        if (at + 2 < pattern.length && pattern.bytes[at + 1] == '-' && pattern.bytes[at + 2] != ']') {
            high = pattern.bytes[at + 2];
            at += 2;
        }
        has |= byte >= low && byte <= high;
    }
    *length = at + 1;
    return at < pattern.length && has != is_negated;
}

/*
 * Whether the pattern, which is not a *, begins with a match for the byte; `length` is the length of that
 * part.
 */
static bool begins_with(struct slice pattern, char byte, size_t *length)
{
    if (!pattern.length)
        return false;
    *length = 1;
    if (pattern.bytes[0] == '?')
        return true;
    if (pattern.bytes[0] == '[') {
        bool has = set_has(slice_from(pattern, 1), byte, length);
        *length += 1;
        return has;
    }
    if (pattern.bytes[0] == '\\' && pattern.length > 1) {
        *length = 2;
        return pattern.bytes[1] == byte;
    }
    return pattern.bytes[0] == byte;
}

/* A later * replaces an earlier one, so the time is limited by the product of both lengths. */
static bool name_matches(struct slice pattern, struct slice name)
{
    struct slice star_pattern = {NULL, 0}, star_name = name;
    while (name.length) {
        size_t length = 0;
        if (pattern.length && pattern.bytes[0] == '*') {
            star_pattern = pattern = slice_from(pattern, 1);
            star_name = name;
        } else if (begins_with(pattern, name.bytes[0], &length)) {
            pattern = slice_from(pattern, length);
            name = slice_from(name, 1);
        } else if (star_pattern.bytes) {
            star_name = name = slice_from(star_name, 1);
            pattern = star_pattern;
        } else {
            return false;
        }
    }
    while (pattern.length && pattern.bytes[0] == '*')
        pattern = slice_from(pattern, 1);
    return !pattern.length;
}

/*
 * Paths
 */

static struct slice first_name(struct slice path)
{
    return slice_until(path, slice_find(path, '/'));
}

static struct slice behind_name(struct slice path)
{
    return slice_from(path, slice_find(path, '/') + 1);
}

static bool is_any_folders(struct slice pattern)
{
    return slice_equal(first_name(pattern), SLICE("**"));
}

/* As in name_matches: a later ** replaces an earlier one. */
static bool path_matches(struct slice pattern, struct slice path)
{
    struct slice star_pattern = {NULL, 0}, star_path = path;
    bool has_star = false;
    while (path.length) {
        if (pattern.length && is_any_folders(pattern)) {
            has_star = true;
            star_pattern = pattern = behind_name(pattern);
            if (!pattern.length)
                return true;
            star_path = path;
        } else if (pattern.length && name_matches(first_name(pattern), first_name(path))) {
            pattern = behind_name(pattern);
            path = behind_name(path);
        } else if (has_star) {
            star_path = path = behind_name(star_path);
            pattern = star_pattern;
        } else {
            return false;
        }
    }
    return !pattern.length;
}

static struct slice without_dot(struct slice path)
{
    while (slice_starts_with(path, SLICE("./")))
        path = slice_from(path, 2);
    return path;
}

/* `path` is a file's path, or the beginning of one that names a directory. */
static bool exclusion_matches(const struct exclusion *exclusion, struct slice path, bool is_folder)
{
    if ((exclusion->is_for_folders && !is_folder) || !slice_starts_with(path, exclusion->folder))
        return false;
    path = slice_from(path, exclusion->folder.length);
    return path.length &&
        (exclusion->is_anchored ? path_matches(exclusion->pattern, path)
                                : name_matches(exclusion->pattern, file_path_name(path)));
}

bool exclusions_match(const struct exclusions *exclusions, const char *path)
{
    const struct slice whole = without_dot(slice_of(path));
    for (size_t end = 0; exclusions->count && end < whole.length; end++) {
        end += slice_find(slice_from(whole, end), '/');
        bool is_excluded = false;
        for (size_t i = 0; i < exclusions->count; i++) {
            const struct exclusion *exclusion = &exclusions->items[i];
            if (exclusion_matches(exclusion, slice_until(whole, end), end < whole.length))
                is_excluded = !exclusion->is_negated;
        }
        if (is_excluded)
            return true;
    }
    return false;
}

/*
 * Reading
 */

static bool has_arena(struct exclusions *exclusions)
{
    if (!exclusions->arena)
        exclusions->arena = arena_create();
    return exclusions->arena;
}

/* The content of a line: without blanks at its end, and without comments. */
static struct slice content_of(struct slice line)
{
    while (line.length && strchr(" \t\r", line.bytes[line.length - 1]))
        line.length--;
    return line.length && line.bytes[0] == '#' ? slice_until(line, 0) : line;
}

bool exclusions_add(struct exclusions *exclusions, struct slice pattern, struct slice folder)
{
    struct exclusion added = {.folder = without_dot(folder)};
    pattern = content_of(pattern);
    added.is_negated = pattern.length && pattern.bytes[0] == '!';
    pattern = slice_from(pattern, added.is_negated);
    added.is_for_folders = pattern.length && pattern.bytes[pattern.length - 1] == '/';
    pattern = slice_until(pattern, pattern.length - added.is_for_folders);
    added.is_anchored = slice_contains(pattern, '/');
    pattern = slice_starts_with(pattern, SLICE("/")) ? slice_from(pattern, 1) : without_dot(pattern);
    if (!pattern.length)
        return true;
    if (!has_arena(exclusions))
        return false;
    struct exclusion *items = arena_grow(
        exclusions->arena, exclusions->items, exclusions->count, &exclusions->capacity, sizeof(*items));
    added.pattern = arena_copy(exclusions->arena, pattern);
    added.folder = arena_copy(exclusions->arena, added.folder);
    if (!items || arena_has_failed(exclusions->arena))
        return false;
    exclusions->items = items;
    items[exclusions->count++] = added;
    return true;
}

static bool add_lines(struct exclusions *exclusions, struct slice text, struct slice folder)
{
    while (text.length) {
        struct slice line = slice_until(text, slice_find(text, '\n'));
        if (!exclusions_add(exclusions, line, folder))
            return false;
        text = slice_from(text, line.length + 1);
    }
    return true;
}

bool exclusions_read(struct exclusions *exclusions, const char *folder)
{
    if (!has_arena(exclusions))
        return false;
    struct text path = text_start(exclusions->arena, 256);
    text_append_string(&path, folder);
    if (path.length && path.bytes[path.length - 1] != '/')
        text_append_string(&path, "/");
    struct slice base = arena_copy(exclusions->arena, text_slice(&path));
    text_append_all(&path, EXCLUSIONS_FILE, SLICE("\0"));
    const char *name = text_slice(&path).bytes;
    struct file_content content;
    struct error ignored = {0};
    if (!name || arena_has_failed(exclusions->arena))
        return false;
    if (file_read(name, EXCLUSIONS_BYTES_MAX, &content, &ignored) < 0)
        return true;
    bool is_whole = add_lines(exclusions, file_slice(&content), base);
    free(content.bytes);
    return is_whole;
}

void exclusions_leave(struct exclusions *exclusions, struct slice folder)
{
    const struct slice whole = without_dot(folder);
    while (exclusions->count && !slice_starts_with(whole, exclusions->items[exclusions->count - 1].folder))
        exclusions->count--;
}

void exclusions_release(struct exclusions *exclusions)
{
    arena_destroy(exclusions->arena);
    *exclusions = (struct exclusions){0};
}
