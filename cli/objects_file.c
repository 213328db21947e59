#include "cli/objects_file.h"

#include "base/text.h"
#include "check/kinds.h"
#include "cli/preview_operand.h"
#include "manifest/inputs.h"

#include <unistd.h>

/* Of one file: each is looked at for each manifest. */
#define OBJECTS_MAX 10000

struct file_object {
    struct file_object *next;
    struct slice api_version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
    struct slice json;
};

struct file_objects {
    struct file_object *first;
    size_t count;
    bool is_used;
};

static int add(
    struct file_objects *objects, const struct manifest_object *object, struct arena *arena,
    struct error *error)
{
    struct file_object *entry = arena_allocate_array(arena, 1, sizeof(*entry));
    if (objects->count++ == OBJECTS_MAX)
        return error_set(error, "it holds more than %d objects", OBJECTS_MAX);
    if (!entry)
        return error_set(error, "there is no memory for it");
    *entry = (struct file_object){
        .next = objects->first,
        .api_version = arena_copy(arena, object->api_version),
        .kind = arena_copy(arena, object->kind),
        .namespace = arena_copy(arena, object->namespace),
        .name = arena_copy(arena, object->name),
        .json = arena_copy(arena, object->json),
    };
    objects->first = entry;
    return arena_has_failed(arena) ? error_set(error, "there is no memory for it") : 0;
}

static int read_stream(struct file_objects *objects, int file, struct arena *arena, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_file, &file, NULL);
    struct manifest_object object;
    enum manifest_result result;
    int status = reader ? 0 : error_set(error, "there is no memory for it");
    while (status == 0 && (result = manifest_next(reader, &object, error)) != MANIFEST_END)
        status = result == MANIFEST_ERROR ? -1 : add(objects, &object, arena, error);
    manifest_close(reader);
    return status;
}

struct file_objects *file_objects_read(const char *path, struct arena *arena, struct error *error)
{
    struct file_objects *objects = arena_allocate_array(arena, 1, sizeof(*objects));
    int file = inputs_open(path, error);
    if (file < 0 || !objects)
        return NULL;
    int status = read_stream(objects, file, arena, error);
    if (file != STDIN_FILENO)
        close(file);
    return status == 0 ? objects : NULL;
}

static bool is_of(
    const struct file_object *entry, const struct manifest_object *manifest, struct slice namespace)
{
    struct slice wanted = manifest->namespace.length ? manifest->namespace : namespace;
    return slice_equal(entry->kind, manifest->kind) && slice_equal(entry->name, manifest->name) &&
        slice_equal(group_of(entry->api_version), group_of(manifest->api_version)) &&
        (!entry->namespace.length || slice_equal(entry->namespace, wanted));
}

struct slice file_objects_find(
    struct file_objects *objects, const struct manifest_object *manifest, struct slice namespace)
{
    for (const struct file_object *entry = objects->first; entry; entry = entry->next) {
        if (!is_of(entry, manifest, namespace))
            continue;
        objects->is_used = true;
        return entry->json;
    }
    return (struct slice){NULL, 0};
}

struct slice file_objects_find_named(
    struct file_objects *objects, const char *operand, struct slice namespace)
{
    for (const struct file_object *entry = objects->first; entry; entry = entry->next) {
        if (!operand_is_of(operand, entry->api_version, entry->kind, entry->name) ||
            (namespace.length && entry->namespace.length && !slice_equal(entry->namespace, namespace)))
            continue;
        objects->is_used = true;
        return entry->json;
    }
    return (struct slice){NULL, 0};
}

struct slice file_objects_first_unused(const struct file_objects *objects, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    if (objects->is_used || !objects->first)
        return (struct slice){NULL, 0};
    text_append_printable(&text, text_cut(objects->first->kind, 64));
    text_append_string(&text, " ");
    text_append_printable(&text, text_cut(objects->first->name, 128));
    return text_slice(&text);
}
