#include "commands/preview/objects_file.h"

#include "base/search.h"
#include "base/text.h"
#include "commands/preview/operand.h"
#include "manifest/inputs.h"
#include "manifest/kinds.h"

#include <stdlib.h>
#include <unistd.h>

/* The limit of objects in one file. */
#define OBJECTS_MAX 10000

/* The limit of their JSON in total: with aliases, it is larger than the file. */
#define JSON_BYTES_MAX MANIFEST_FILE_BYTES_MAX

struct file_object {
    struct slice api_version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
    struct slice json;
    struct manifest_place place;
    size_t number; /* in the file */
    bool is_used;
};

struct file_objects {
    struct file_object **items; /* in the order of the file */
    struct file_object **by_name;
    size_t count;
    size_t capacity;
    size_t bytes; /* of all JSON */
    size_t used;
    size_t passed; /* the position of file_objects_next_unused */
};

static int compare_names(const void *a, const void *b)
{
    const struct file_object *one = *(struct file_object *const *)a, *other = *(struct file_object *const *)b;
    int order = slice_compare(one->name, other->name);
    return order ? order : (one->number > other->number) - (one->number < other->number);
}

static int add(
    struct file_objects *objects, const struct manifest_object *object, struct arena *arena,
    struct error *error)
{
    struct file_object *entry = arena_allocate_array(arena, 1, sizeof(*entry));
    if (objects->count == OBJECTS_MAX)
        return error_set(error, "it holds more than %d objects", OBJECTS_MAX);
    struct file_object **items =
        arena_grow(arena, objects->items, objects->count, &objects->capacity, sizeof(struct file_object *));
    if (!entry || !items)
        return error_set_out_of_memory(error);
    objects->items = items;
    *entry = (struct file_object){
        .api_version = arena_copy(arena, object->api_version),
        .kind = arena_copy(arena, object->kind),
        .namespace = arena_copy(arena, object->namespace),
        .name = arena_copy(arena, object->name),
        .json = manifest_json(object->root, arena),
        .place = object->root->place,
        .number = objects->count,
    };
    objects->items[objects->count++] = entry;
    objects->bytes += entry->json.length;
    if (objects->bytes > JSON_BYTES_MAX)
        return error_set(error, "its objects are larger than %zu bytes", JSON_BYTES_MAX);
    return arena_has_failed(arena) ? error_set_out_of_memory(error) : 0;
}

static int read_stream(struct file_objects *objects, int file, struct arena *arena, struct error *error)
{
    struct manifest_bounded_file input = {file, MANIFEST_FILE_BYTES_MAX};
    struct manifest_reader *reader = manifest_open(manifest_read_bounded_file, &input, NULL);
    struct manifest_object object;
    enum manifest_result result;
    int status = reader ? 0 : error_set_out_of_memory(error);
    while (status == 0 && (result = manifest_next(reader, &object, error)) != MANIFEST_END)
        status = result == MANIFEST_ERROR ? -1 : add(objects, &object, arena, error);
    manifest_close(reader);
    return status;
}

static struct slice use(struct file_objects *objects, struct file_object *entry)
{
    objects->used += !entry->is_used;
    entry->is_used = true;
    return entry->json;
}

struct file_objects *file_objects_new(struct arena *arena)
{
    return arena_allocate_array(arena, 1, sizeof(struct file_objects));
}

static bool has_object(const struct file_objects *objects, const struct manifest_object *object)
{
    for (size_t i = 0; i < objects->count; i++) {
        const struct file_object *entry = objects->items[i];
        if (slice_equal(entry->name, object->name) && slice_equal(entry->namespace, object->namespace) &&
            slice_equal(entry->kind, object->kind) &&
            slice_equal(group_of(entry->api_version), group_of(object->api_version)))
            return true;
    }
    return false;
}

int file_objects_add_text(
    struct file_objects *objects, struct slice text, bool is_used, struct arena *arena, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct manifest_object object;
    enum manifest_result result;
    int status = reader ? 0 : error_set_out_of_memory(error);
    while (status == 0 && (result = manifest_next(reader, &object, error)) != MANIFEST_END) {
        if (result == MANIFEST_OBJECT && has_object(objects, &object))
            continue;
        status = result == MANIFEST_ERROR ? -1 : add(objects, &object, arena, error);
        if (status == 0 && is_used)
            use(objects, objects->items[objects->count - 1]);
    }
    manifest_close(reader);
    return status;
}

struct file_objects *file_objects_read(const char *path, struct arena *arena, struct error *error)
{
    struct file_objects *objects = arena_allocate_array(arena, 1, sizeof(*objects));
    if (!objects) {
        error_set_out_of_memory(error);
        return NULL;
    }
    int file = inputs_open(path, error);
    if (file < 0)
        return NULL;
    int status = read_stream(objects, file, arena, error);
    if (file != STDIN_FILENO)
        close(file);
    if (status < 0)
        return NULL;
    objects->by_name = arena_allocate_array(arena, objects->count + 1, sizeof(struct file_object *));
    if (!objects->by_name) {
        error_set_out_of_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < objects->count; i++)
        objects->by_name[i] = objects->items[i];
    qsort(objects->by_name, objects->count, sizeof(struct file_object *), compare_names);
    return objects;
}

static bool is_name_before(const void *object, const void *name)
{
    return slice_compare((*(struct file_object *const *)object)->name, *(const struct slice *)name) < 0;
}

/* The first object with this name, or the first after it. */
static size_t first_named(const struct file_objects *objects, struct slice name)
{
    return search_first(objects->by_name, objects->count, sizeof(*objects->by_name), is_name_before, &name);
}

static bool is_of(
    const struct file_object *entry, const struct manifest_object *manifest, struct slice namespace)
{
    struct slice wanted = manifest->namespace.length ? manifest->namespace : namespace;
    return slice_equal(entry->kind, manifest->kind) &&
        slice_equal(group_of(entry->api_version), group_of(manifest->api_version)) &&
        (!entry->namespace.length || slice_equal(entry->namespace, wanted));
}

struct found_object file_objects_find(
    struct file_objects *objects, const struct manifest_object *manifest, struct slice namespace)
{
    for (size_t i = first_named(objects, manifest->name); i < objects->count; i++) {
        if (!slice_equal(objects->by_name[i]->name, manifest->name))
            break;
        if (is_of(objects->by_name[i], manifest, namespace))
            return (struct found_object){use(objects, objects->by_name[i]), objects->by_name[i]->place};
    }
    return (struct found_object){.json = {NULL, 0}};
}

static bool is_meant(const struct file_object *entry, const char *operand, struct slice namespace)
{
    return preview_operand_is(operand, entry->api_version, entry->kind, entry->name) &&
        (!namespace.length || !entry->namespace.length || slice_equal(entry->namespace, namespace));
}

static int say_which(const struct file_object *one, const struct file_object *other, struct error *error)
{
    if (slice_equal(one->namespace, other->namespace))
        return error_set(error, "--live has several such objects");
    return error_set(error, "--live has several such objects, of several namespaces: name one with -n");
}

int file_objects_find_named(
    struct file_objects *objects, const char *operand, struct slice namespace, struct slice *json,
    struct error *error)
{
    struct file_object *found = NULL;
    const struct slice name = preview_operand_name(operand);
    for (size_t i = first_named(objects, name); i < objects->count; i++) {
        struct file_object *entry = objects->by_name[i];
        if (!slice_equal(entry->name, name))
            break;
        if (!is_meant(entry, operand, namespace))
            continue;
        if (found)
            return say_which(found, entry, error);
        found = entry;
    }
    if (!found)
        return error_set(error, "--live has no such object: compare kind, name and namespace");
    *json = use(objects, found);
    return 0;
}

struct slice file_objects_next_unused(struct file_objects *objects)
{
    while (objects->passed < objects->count) {
        const struct file_object *entry = objects->items[objects->passed++];
        if (!entry->is_used)
            return entry->json;
    }
    return (struct slice){NULL, 0};
}

struct slice file_objects_next_used(const struct file_objects *objects, size_t *position)
{
    while (*position < objects->count) {
        const struct file_object *entry = objects->items[(*position)++];
        if (entry->is_used)
            return entry->json;
    }
    return (struct slice){NULL, 0};
}

struct slice file_objects_first_if_unused(const struct file_objects *objects, struct arena *arena)
{
    if (objects->used || !objects->count)
        return (struct slice){NULL, 0};
    return text_join(
        arena, as_printable(text_cut(objects->items[0]->kind, 64)), " ",
        as_printable(text_cut(objects->items[0]->name, 128)));
}
