#include "commands/check/kustomizations.h"

#include "base/array_size.h"
#include "base/file_path.h"
#include "base/search.h"
#include "base/yaml.h"
#include "commands/check/kustomize_patches.h"
#include "commands/check/short_path.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KUSTOMIZATION_BYTES_MAX ((size_t)1024 * 1024)

static void add_path(struct kustomization_paths *paths, struct slice path, struct arena *arena)
{
    struct slice *items = arena_grow(arena, paths->items, paths->count, &paths->capacity, sizeof(*items));
    if (!items)
        return;
    paths->items = items;
    paths->items[paths->count++] = path;
}

static void add_named(
    struct kustomizations *kustomizations, struct kustomization_paths *paths, struct slice folder,
    struct slice name)
{
    const char *path = short_path_in(folder, name, kustomizations->arena);
    if (path)
        add_path(paths, slice_of(path), kustomizations->arena);
}

static void add_patch(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *name)
{
    if (name && name->kind == YAML_KIND_TEXT && !slice_contains(name->text, '\n'))
        add_named(kustomizations, &kustomizations->patches, folder, name->text);
}

/* Patches inside the kustomization have no file. */
static void add_patches(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *list)
{
    if (!list || list->kind != YAML_KIND_LIST)
        return;
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
        add_patch(
            kustomizations, folder,
            entry->value->kind == YAML_KIND_MAP ? yaml_member(entry->value, SLICE("path")) : entry->value);
}

/* Each is FILE or KEY=FILE. */
static void add_contents(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *generator)
{
    const struct yaml_node *files =
        generator->kind == YAML_KIND_MAP ? yaml_member(generator, SLICE("files")) : NULL;
    if (!files || files->kind != YAML_KIND_LIST)
        return;
    for (const struct yaml_entry *entry = files->entries; entry; entry = entry->next) {
        if (entry->value->kind != YAML_KIND_TEXT)
            continue;
        const struct slice text = entry->value->text;
        const size_t equals = slice_find(text, '=');
        add_named(
            kustomizations, &kustomizations->contents, folder,
            equals < text.length ? slice_from(text, equals + 1) : text);
    }
}

static void add_generators(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *list)
{
    if (!list || list->kind != YAML_KIND_LIST)
        return;
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
        add_contents(kustomizations, folder, entry->value);
}

static void add_resource(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *name)
{
    struct kustomization_resources *resources = &kustomizations->resources;
    if (name->kind != YAML_KIND_TEXT)
        return;
    const char *path = short_path_in(folder, name->text, kustomizations->arena);
    struct kustomization_resource *items = arena_grow(
        kustomizations->arena, resources->items, resources->count, &resources->capacity, sizeof(*items));
    if (!path || !items)
        return;
    resources->items = items;
    resources->items[resources->count++] =
        (struct kustomization_resource){.folder = folder, .path = slice_of(path)};
}

/* Remote directories are among them, too: their names match no local path. */
static void add_resources(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *root)
{
    static const char *const keys[] = {"resources", "bases", "components"};
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        const struct yaml_node *list = yaml_member(root, slice_of(keys[i]));
        if (!list || list->kind != YAML_KIND_LIST)
            continue;
        for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
            add_resource(kustomizations, folder, entry->value);
    }
}

static bool is_map_with_members(const struct yaml_node *node)
{
    return node && node->kind == YAML_KIND_MAP && node->count;
}

static bool labels_selectors(const struct yaml_node *root)
{
    const struct yaml_node *list = yaml_member(root, SLICE("labels"));
    if (is_map_with_members(yaml_member(root, SLICE("commonLabels"))))
        return true;
    if (!list || list->kind != YAML_KIND_LIST)
        return false;
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next) {
        const struct yaml_node *selectors = yaml_member(entry->value, SLICE("includeSelectors"));
        if (selectors && selectors->kind == YAML_KIND_TEXT && slice_equal(selectors->text, SLICE("true")) &&
            is_map_with_members(yaml_member(entry->value, SLICE("pairs"))))
            return true;
    }
    return false;
}

static void add_labels(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *root)
{
    const char *path = short_path_in(folder, (struct slice){NULL, 0}, kustomizations->arena);
    if (!path)
        return;
    add_resources(kustomizations, slice_of(path), root);
    if (labels_selectors(root))
        add_path(&kustomizations->labelled, slice_of(path), kustomizations->arena);
}

static struct slice text_of(const struct yaml_node *root, const char *name, struct arena *arena)
{
    const struct yaml_node *node = yaml_member(root, slice_of(name));
    return node && node->kind == YAML_KIND_TEXT ? arena_copy(arena, node->text) : (struct slice){NULL, 0};
}

static bool has_any(const struct yaml_node *root, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *node = yaml_member(root, slice_of(names[i]));
        if (node && node->count)
            return true;
    }
    return false;
}

static void add_change(
    struct kustomizations *kustomizations, struct slice folder, const struct yaml_node *root)
{
    static const char *const completions[] = {"patches",    "patchesStrategicMerge", "patchesJson6902",
                                              "components", "transformers",          "replacements"};
    struct kustomization_changes *changes = &kustomizations->changes;
    struct arena *arena = kustomizations->arena;
    const char *path = short_path_in(folder, (struct slice){NULL, 0}, arena);
    struct kustomization_change *items =
        arena_grow(arena, changes->items, changes->count, &changes->capacity, sizeof(*items));
    if (!path || !items)
        return;
    changes->items = items;
    items[changes->count++] = (struct kustomization_change){
        .folder = slice_of(path),
        .change =
            {.namespace = text_of(root, "namespace", arena),
             .prefix = text_of(root, "namePrefix", arena),
             .suffix = text_of(root, "nameSuffix", arena),
             .is_patched = has_any(root, completions, ARRAY_SIZE(completions)),
             .removes_replicas = patches_remove_replicas(root, folder, arena)},
    };
    kustomizations->removes_replicas |= items[changes->count - 1].change.removes_replicas;
}

/* Merge keys and tags, which are good to kustomize. */
static void ignore(void *context, const struct error *error)
{
    (void)context;
    (void)error;
}

static bool add_text(struct kustomizations *kustomizations, struct slice folder, struct slice text)
{
    static const char *const keys[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};
    struct error ignored;
    struct arena *scratch = arena_create();
    const struct yaml_node *root = scratch ? yaml_read_on(text, scratch, ignore, NULL, &ignored) : NULL;
    for (size_t i = 0; root && i < ARRAY_SIZE(keys); i++)
        add_patches(kustomizations, folder, yaml_member(root, slice_of(keys[i])));
    if (root) {
        add_generators(kustomizations, folder, yaml_member(root, SLICE("configMapGenerator")));
        add_generators(kustomizations, folder, yaml_member(root, SLICE("secretGenerator")));
        add_labels(kustomizations, folder, root);
        add_change(kustomizations, folder, root);
    }
    bool is_whole = scratch && !arena_has_failed(scratch);
    arena_destroy(scratch);
    return is_whole;
}

/* Returns NULL if memory runs out. */
static const char *join(struct slice folder, struct slice name, struct arena *arena)
{
    char *path = arena_allocate(arena, folder.length + name.length + 1);
    if (!path)
        return NULL;
    memcpy(path, folder.bytes, folder.length);
    memcpy(path + folder.length, name.bytes, name.length);
    path[folder.length + name.length] = '\0';
    return path;
}

static bool add_file(struct kustomizations *kustomizations, struct slice folder, struct slice name)
{
    const char *path = join(folder, name, kustomizations->arena);
    struct stat status;
    struct file_content file;
    struct error ignored = {0};
    if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return path;
    add_path(&kustomizations->roots, folder, kustomizations->arena);
    if (file_read(path, KUSTOMIZATION_BYTES_MAX, &file, &ignored) < 0)
        return true;
    bool is_whole = add_text(kustomizations, folder, file_slice(&file));
    free(file.bytes);
    return is_whole;
}

static bool add_folder(struct kustomizations *kustomizations, struct slice folder)
{
    static const char *const names[] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (!add_file(kustomizations, folder, slice_of(names[i])))
            return false;
    return true;
}

static void sort(struct kustomization_paths *paths)
{
    if (paths->count)
        qsort(paths->items, paths->count, sizeof(*paths->items), slice_compare_items);
}

static int compare_resources(const void *a, const void *b)
{
    return slice_compare(
        ((const struct kustomization_resource *)a)->folder,
        ((const struct kustomization_resource *)b)->folder);
}

static bool contains(const struct kustomization_paths *paths, struct slice path)
{
    return paths->count && bsearch(&path, paths->items, paths->count, sizeof(path), slice_compare_items);
}

static int compare_writers(const void *a, const void *b)
{
    const struct kustomization_resource *first = a, *second = b;
    int order = slice_compare(first->path, second->path);
    return order ? order : slice_compare(first->folder, second->folder);
}

static int compare_changes(const void *a, const void *b)
{
    return slice_compare(
        ((const struct kustomization_change *)a)->folder, ((const struct kustomization_change *)b)->folder);
}

static void sort_changes(struct kustomizations *kustomizations)
{
    const struct kustomization_resources *resources = &kustomizations->resources;
    struct kustomization_resources *writers = &kustomizations->writers;
    if (kustomizations->changes.count)
        qsort(
            kustomizations->changes.items, kustomizations->changes.count, sizeof(struct kustomization_change),
            compare_changes);
    if (!resources->count)
        return;
    writers->items = arena_allocate_array(kustomizations->arena, resources->count, sizeof(*writers->items));
    if (!writers->items)
        return;
    memcpy(writers->items, resources->items, resources->count * sizeof(*writers->items));
    writers->count = resources->count;
    qsort(writers->items, writers->count, sizeof(*writers->items), compare_writers);
}

static bool is_path_before(const void *resource, const void *path)
{
    return slice_compare(
               ((const struct kustomization_resource *)resource)->path, *(const struct slice *)path) < 0;
}

static bool is_folder_before(const void *resource, const void *folder)
{
    return slice_compare(
               ((const struct kustomization_resource *)resource)->folder, *(const struct slice *)folder) < 0;
}

/* The folder of the only kustomization that takes the path. Returns false if none does, or several. */
static bool find_writer(const struct kustomizations *kustomizations, struct slice path, struct slice *folder)
{
    const struct kustomization_resources *writers = &kustomizations->writers;
    size_t low = search_first(writers->items, writers->count, sizeof(*writers->items), is_path_before, &path);
    if (low == writers->count || !slice_equal(writers->items[low].path, path))
        return false;
    *folder = writers->items[low].folder;
    for (size_t i = low + 1; i < writers->count && slice_equal(writers->items[i].path, path); i++)
        if (!slice_equal(writers->items[i].folder, *folder))
            return false;
    return true;
}

static struct slice join_text(struct slice a, struct slice b, struct arena *arena)
{
    if (!a.length || !b.length)
        return a.length ? a : b;
    char *bytes = arena_allocate(arena, a.length + b.length);
    if (!bytes)
        return a;
    memcpy(bytes, a.bytes, a.length);
    memcpy(bytes + a.length, b.bytes, b.length);
    return (struct slice){bytes, a.length + b.length};
}

/* Adds what the kustomization of the folder does to what inner ones have done. */
static void apply_change(
    const struct kustomizations *kustomizations, struct slice folder, struct kustomized *change)
{
    const struct kustomization_changes *changes = &kustomizations->changes;
    const struct kustomization_change key = {.folder = folder};
    const struct kustomization_change *found =
        changes->count ? bsearch(&key, changes->items, changes->count, sizeof(key), compare_changes) : NULL;
    if (!found)
        return;
    if (found->change.namespace.length)
        change->namespace = found->change.namespace;
    change->prefix = join_text(found->change.prefix, change->prefix, kustomizations->arena);
    change->suffix = join_text(change->suffix, found->change.suffix, kustomizations->arena);
    change->is_patched |= found->change.is_patched;
    change->removes_replicas |= found->change.removes_replicas;
}

/* Kustomizations that take each other have no outermost one. */
#define KUSTOMIZATIONS_ABOVE_MAX 64

struct kustomized kustomizations_change(const struct kustomizations *kustomizations, const char *path)
{
    struct kustomized change = {0};
    const char *name = short_path(path, kustomizations->arena);
    struct slice at = slice_of_optional(name), folder;
    for (size_t i = 0; name && i < KUSTOMIZATIONS_ABOVE_MAX; i++) {
        if (!find_writer(kustomizations, at, &folder)) {
            /* Several may take it, and each may patch it. */
            bool is_taken = contains(&kustomizations->taken, at);
            change.is_patched |= is_taken;
            change.removes_replicas |= is_taken && kustomizations->removes_replicas;
            break;
        }
        apply_change(kustomizations, folder, &change);
        at = folder;
    }
    return change;
}

static struct kustomization_resource *first_resource_of(
    const struct kustomization_resources *resources, struct slice folder)
{
    return resources->items +
        search_first(
               resources->items, resources->count, sizeof(*resources->items), is_folder_before, &folder);
}

/* Resources of a labelled kustomization are labelled, too. */
static void follow_labels(struct kustomizations *kustomizations)
{
    const struct kustomization_resources *resources = &kustomizations->resources;
    struct kustomization_paths *labelled = &kustomizations->labelled;
    if (!resources->count)
        return;
    qsort(resources->items, resources->count, sizeof(*resources->items), compare_resources);
    for (size_t i = 0; i < labelled->count; i++) {
        const struct slice folder = labelled->items[i];
        struct kustomization_resource *resource = first_resource_of(resources, folder);
        for (; resource < resources->items + resources->count && slice_equal(resource->folder, folder) &&
             !resource->is_followed;
             resource++) {
            resource->is_followed = true;
            add_path(labelled, resource->path, kustomizations->arena);
        }
    }
}

bool kustomizations_look_beside(struct kustomizations *kustomizations, const char *path)
{
    add_path(&kustomizations->folders, file_path_folder(slice_of(path)), kustomizations->arena);
    return !arena_has_failed(kustomizations->arena);
}

bool kustomizations_read(struct kustomizations *kustomizations)
{
    const struct kustomization_paths *folders = &kustomizations->folders;
    sort(&kustomizations->folders);
    for (size_t i = 0; i < folders->count; i++)
        if ((!i || !slice_equal(folders->items[i], folders->items[i - 1])) &&
            !add_folder(kustomizations, folders->items[i]))
            return false;
    follow_labels(kustomizations);
    sort(&kustomizations->labelled);
    for (size_t i = 0; i < kustomizations->resources.count; i++)
        add_path(&kustomizations->taken, kustomizations->resources.items[i].path, kustomizations->arena);
    sort_changes(kustomizations);
    sort(&kustomizations->taken);
    sort(&kustomizations->patches);
    sort(&kustomizations->contents);
    sort(&kustomizations->roots);
    return !arena_has_failed(kustomizations->arena);
}

static struct slice folder_above(struct slice folder)
{
    do {
        folder.length--;
    } while (folder.length && folder.bytes[folder.length - 1] != '/');
    return folder;
}

/* The directory of the nearest kustomization above the file. Returns false if no kustomization is. */
static bool find_root(const struct kustomizations *kustomizations, const char *path, struct slice *folder)
{
    *folder = file_path_folder(slice_of(path));
    while (folder->length && !contains(&kustomizations->roots, *folder))
        *folder = folder_above(*folder);
    return contains(&kustomizations->roots, *folder);
}

static bool contains_resolved(
    const struct kustomizations *kustomizations, const struct kustomization_paths *paths, struct slice path)
{
    const char *name = short_path_in((struct slice){NULL, 0}, path, kustomizations->arena);
    return name && contains(paths, slice_of(name));
}

bool kustomizations_have_patch(const struct kustomizations *kustomizations, const char *path)
{
    return kustomizations->patches.count &&
        contains_resolved(kustomizations, &kustomizations->patches, slice_of(path));
}

bool kustomizations_have_content(const struct kustomizations *kustomizations, const char *path)
{
    const struct slice file = slice_of(path);
    return kustomizations->contents.count &&
        contains_resolved(kustomizations, &kustomizations->contents, file) &&
        !contains_resolved(kustomizations, &kustomizations->taken, file);
}

struct slice kustomizations_root_of(const struct kustomizations *kustomizations, const char *path)
{
    const struct slice file = slice_of(path);
    struct slice root;
    if (!find_root(kustomizations, path, &root))
        return file_path_folder(slice_of(path));
    return contains_resolved(kustomizations, &kustomizations->taken, file) ? root : file;
}

bool kustomizations_have(const struct kustomizations *kustomizations, const char *path)
{
    struct slice root;
    return find_root(kustomizations, path, &root);
}

bool kustomizations_leave_out(const struct kustomizations *kustomizations, const char *path)
{
    struct slice root;
    return find_root(kustomizations, path, &root) &&
        !contains_resolved(kustomizations, &kustomizations->taken, slice_of(path));
}

bool kustomizations_label(const struct kustomizations *kustomizations, const char *path)
{
    const struct kustomization_paths *labelled = &kustomizations->labelled;
    struct slice root;
    return labelled->count &&
        (contains_resolved(kustomizations, labelled, slice_of(path)) ||
         (find_root(kustomizations, path, &root) && contains_resolved(kustomizations, labelled, root)));
}
