#include "cli/kustomize_patches.h"

#include "base/count.h"
#include "base/yaml.h"
#include "cli/file.h"

#include <stdlib.h>
#include <string.h>

#define KUSTOMIZATION_BYTES_MAX ((size_t)1024 * 1024)

/* The length of the path without its last part, and without the slash before that. */
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

/* Appends a part of a path. What .. stands above goes, without a look at the disk. Returns the new length. */
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
    while (parts.length) {
        struct slice part = slice_until(parts, slice_find(parts, '/'));
        length = append_part(path, length, part);
        parts = slice_from(parts, part.length + 1);
    }
    return length;
}

/* The name as it is found from the folder, in its shortest form. NULL if there is no memory. */
static const char *resolve(struct slice folder, struct slice name, struct arena *arena)
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

static void add_name(struct kustomize_patches *patches, struct slice folder, const struct yaml_node *name)
{
    if (!name || name->kind != YAML_KIND_TEXT || slice_contains(name->text, '\n'))
        return;
    const char **names =
        arena_grow(patches->arena, patches->names, patches->count, &patches->capacity, sizeof(const char *));
    const char *path = names ? resolve(folder, name->text, patches->arena) : NULL;
    if (!path)
        return;
    patches->names = names;
    patches->names[patches->count++] = path;
}

/* Of patches that are written in the kustomization there is no name of a file. */
static void add_list(struct kustomize_patches *patches, struct slice folder, const struct yaml_node *list)
{
    if (!list || list->kind != YAML_KIND_LIST)
        return;
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
        add_name(
            patches, folder,
            entry->value->kind == YAML_KIND_MAP ? yaml_member(entry->value, SLICE("path")) : entry->value);
}

static bool is_kustomization(const char *name)
{
    return strcmp(name, "kustomization.yaml") == 0 || strcmp(name, "kustomization.yml") == 0;
}

/* Merge keys and tags, which are good to kustomize. */
static void ignore(void *context, const struct error *error)
{
    (void)context;
    (void)error;
}

static bool add_kustomization(struct kustomize_patches *patches, struct slice folder, struct slice text)
{
    static const char *const keys[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};
    struct error ignored;
    struct arena *scratch = arena_create();
    const struct yaml_node *root = scratch ? yaml_read_on(text, scratch, ignore, NULL, &ignored) : NULL;
    for (size_t i = 0; root && i < COUNT(keys); i++)
        add_list(patches, folder, yaml_member(root, slice_of(keys[i])));
    bool is_whole = scratch && !arena_has_failed(scratch) && !arena_has_failed(patches->arena);
    arena_destroy(scratch);
    return is_whole;
}

bool kustomize_patches_add(struct kustomize_patches *patches, const char *path)
{
    const char *slash = strrchr(path, '/');
    const struct slice folder = {path, slash ? (size_t)(slash - path) + 1 : 0};
    struct file_content file;
    struct error ignored = {0};
    if (!is_kustomization(path + folder.length) ||
        file_read(path, KUSTOMIZATION_BYTES_MAX, &file, &ignored) < 0)
        return true;
    bool is_whole = add_kustomization(patches, folder, (struct slice){file.bytes, file.length});
    free(file.bytes);
    return is_whole;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void kustomize_patches_sort(struct kustomize_patches *patches)
{
    if (patches->count)
        qsort(patches->names, patches->count, sizeof(const char *), compare);
}

bool kustomize_patches_have(const struct kustomize_patches *patches, const char *path)
{
    if (!patches->count)
        return false;
    const char *name = resolve((struct slice){NULL, 0}, slice_of(path), patches->arena);
    return name && bsearch(&name, patches->names, patches->count, sizeof(const char *), compare);
}
