#include "commands/check/kustomize_patches.h"

#include "base/array_size.h"
#include "commands/check/short_path.h"
#include "system/file.h"

#include <stdlib.h>

#define PATCH_BYTES_MAX ((size_t)1024 * 1024)

/* Merge keys and tags do not matter here. */
static void ignore(void *context, const struct error *error)
{
    (void)context;
    (void)error;
}

static struct slice text_of(const struct yaml_node *map, const char *name)
{
    const struct yaml_node *node = yaml_member(map, slice_of(name));
    return node && node->kind == YAML_KIND_TEXT ? node->text : (struct slice){NULL, 0};
}

/* Operations of a JSON patch. */
static bool operations_remove(const struct yaml_node *list)
{
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
        if (slice_equal(text_of(entry->value, "op"), SLICE("remove")) &&
            slice_equal(text_of(entry->value, "path"), SLICE("/spec/replicas")))
            return true;
    return false;
}

static bool text_removes(struct slice text, struct arena *arena)
{
    struct error ignored;
    const struct yaml_node *root = yaml_read_on(text, arena, ignore, NULL, &ignored);
    if (root && root->kind == YAML_KIND_LIST)
        return operations_remove(root);
    const struct yaml_node *spec = root ? yaml_member(root, SLICE("spec")) : NULL;
    const struct yaml_node *replicas = spec ? yaml_member(spec, SLICE("replicas")) : NULL;
    return replicas && replicas->null;
}

static bool file_removes(const char *path, struct arena *arena)
{
    struct file_content file;
    struct error ignored = {0};
    if (!path || file_read(path, PATCH_BYTES_MAX, &file, &ignored) < 0)
        return false;
    bool removes = text_removes(file_slice(&file), arena);
    free(file.bytes);
    return removes;
}

/* A text is a patch, or the name of its file. */
static bool patch_removes(const struct yaml_node *patch, struct slice folder, struct arena *arena)
{
    struct slice text = patch->kind == YAML_KIND_TEXT ? patch->text : text_of(patch, "patch");
    struct slice path = text_of(patch, "path");
    if (slice_contains(text, '\n') || (text.length && patch->kind == YAML_KIND_MAP))
        return text_removes(text, arena);
    if (!path.length)
        path = text;
    return path.length && file_removes(short_path_in(folder, path, arena), arena);
}

bool patches_remove_replicas(const struct yaml_node *root, struct slice folder, struct arena *arena)
{
    static const char *const keys[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        const struct yaml_node *list = yaml_member(root, slice_of(keys[i]));
        const struct yaml_entry *entry = list && list->kind == YAML_KIND_LIST ? list->entries : NULL;
        for (; entry; entry = entry->next)
            if (patch_removes(entry->value, folder, arena))
                return true;
    }
    return false;
}
