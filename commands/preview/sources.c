#include "commands/preview/sources.h"

#include "apply/merge/schema.h"
#include "base/json.h"
#include "manifest/kinds.h"

#include <stdlib.h>

struct slice preview_namespace(const struct preview_sources *sources)
{
    if (sources->request->namespace)
        return slice_of(sources->request->namespace);
    return sources->cluster ? cluster_namespace(sources->cluster) : SLICE("default");
}

static int connect_once(struct preview_sources *sources, struct error *error)
{
    if (!sources->cluster)
        sources->cluster = sources->caller->connect(sources->caller->context, error);
    return sources->cluster ? 0 : -1;
}

/* Moves the content to the arena. */
static int keep(struct file_content *content, struct arena *arena, struct slice *text, struct error *error)
{
    *text = arena_copy(arena, file_slice(content));
    free(content->bytes);
    return text->bytes ? 0 : error_set_out_of_memory(error);
}

/* A text that is not JSON has no object: it is null, and the reader of the live object says so. */
static int parse(struct slice text, struct arena *arena, struct preview_live *live, struct error *error)
{
    static yyjson_val null = {.tag = YYJSON_TYPE_NULL};
    yyjson_val *document = json_parse(text, arena);
    live->json = document ? document : &null;
    return document || !arena_has_failed(arena) ? 0 : error_set_out_of_memory(error);
}

/* Whether --crd has the type, which may be applied before the object. */
static bool has_definition(const struct preview_sources *sources, const struct manifest_object *object)
{
    const struct custom_type *type = custom_types_find(&sources->types, object->api_version, object->kind);
    return type && type->schema.length;
}

/*
 * Returns -1, and an error that explains how to preview a custom resource before its definition is applied.
 */
static int kind_is_absent(const struct manifest_object *object, struct error *error)
{
    const struct error absent = *error;
    if (kind_scope_of(group_of(object->api_version), object->kind) == KIND_UNKNOWN)
        error_set(error, "%s; give a definition that is not applied yet with --crd", absent.message);
    return -1;
}

/* Adds a namespace in which a tool prunes, once. */
static int add_namespace(struct preview_sources *sources, struct slice namespace, struct error *error)
{
    const size_t count = sources->namespace_count;
    for (size_t i = 0; i < count; i++)
        if (slice_equal(sources->namespaces[i], namespace))
            return 0;
    struct slice *items =
        arena_grow(sources->arena, sources->namespaces, count, &sources->namespace_capacity, sizeof(*items));
    struct slice copy = arena_copy(sources->arena, namespace);
    if (!items || copy.length != namespace.length)
        return error_set_out_of_memory(error);
    sources->namespaces = items;
    sources->namespaces[sources->namespace_count++] = copy;
    return 0;
}

/* Notes a manifest and its live object for pruning. */
static int collect(
    struct preview_sources *sources, const struct manifest_object *object, struct slice live,
    struct error *error)
{
    bool is_of_cluster = kind_scope_of(group_of(object->api_version), object->kind) == KIND_CLUSTER;
    struct slice namespace = object->namespace.length ? object->namespace : preview_namespace(sources);
    if (!is_of_cluster && add_namespace(sources, namespace, error) < 0)
        return -1;
    return live.length ? file_objects_add_text(sources->candidates, live, true, sources->arena, error) : 0;
}

static int find_in_cluster(
    struct preview_sources *sources, const struct manifest_object *object, struct arena *arena,
    struct slice *live, struct error *error)
{
    const struct cluster_object wanted = {object->api_version, object->kind, object->namespace, object->name};
    struct file_content content;
    enum cluster_found found = cluster_find_object(sources->cluster, &wanted, &content, error);
    if (found == CLUSTER_NO_OBJECT || (found == CLUSTER_NO_KIND && has_definition(sources, object)))
        return 0;
    if (found == CLUSTER_NO_KIND)
        return kind_is_absent(object, error);
    return found == CLUSTER_FOUND ? keep(&content, arena, live, error) : -1;
}

static int find_in_file(
    struct preview_sources *sources, const struct manifest_object *object, struct arena *arena,
    struct preview_live *live, struct error *error)
{
    struct found_object found = file_objects_find(sources->live, object, preview_namespace(sources));
    live->place = found.place;
    return found.json.bytes ? parse(found.json, arena, live, error) : 0;
}

int preview_find_live(
    struct preview_sources *sources, const struct manifest_object *object, struct arena *arena,
    struct preview_live *live, struct error *error)
{
    if (sources->live)
        return find_in_file(sources, object, arena, live, error);
    if (!object->name.length)
        return 0;
    if (connect_once(sources, error) < 0)
        return -1;
    struct slice found = {NULL, 0};
    if (find_in_cluster(sources, object, arena, &found, error) < 0)
        return -1;
    if (found.length && parse(found, arena, live, error) < 0)
        return -1;
    return sources->candidates ? collect(sources, object, found, error) : 0;
}

int preview_find_named(
    struct preview_sources *sources, const char *operand, struct arena *arena, struct slice *json,
    struct error *error)
{
    const char *namespace = sources->request->namespace;
    struct file_content content;
    if (sources->live)
        return file_objects_find_named(
            sources->live, operand, slice_of(namespace ? namespace : ""), json, error);
    if (connect_once(sources, error) < 0 || cluster_get_named(sources->cluster, operand, &content, error) < 0)
        return -1;
    return keep(&content, arena, json, error);
}

static struct slice ask_for_kustomization(
    struct preview_sources *sources, const struct manifest_object *wanted, struct arena *arena)
{
    const struct cluster_object object = {wanted->api_version, wanted->kind, wanted->namespace, wanted->name};
    struct file_content content;
    struct slice json = {NULL, 0};
    struct error ignored;
    if (sources->live)
        return file_objects_find(sources->live, wanted, preview_namespace(sources)).json;
    if (sources->cluster &&
        cluster_find_object(sources->cluster, &object, &content, &ignored) == CLUSTER_FOUND)
        keep(&content, arena, &json, &ignored);
    return json;
}

struct slice preview_find_kustomization(struct preview_sources *sources, const struct value *live)
{
    const struct value *labels = value_at(live, SLICE(".metadata.labels"));
    const struct manifest_object wanted = {
        .api_version = SLICE("kustomize.toolkit.fluxcd.io/v1"),
        .kind = SLICE("Kustomization"),
        .namespace = value_text(value_member(labels, SLICE("kustomize.toolkit.fluxcd.io/namespace"))),
        .name = value_text(value_member(labels, SLICE("kustomize.toolkit.fluxcd.io/name"))),
    };
    struct manifest_object *known = &sources->kustomization;
    if (!wanted.name.length)
        return (struct slice){NULL, 0};
    if (slice_equal(known->name, wanted.name) && slice_equal(known->namespace, wanted.namespace))
        return sources->kustomization_json;
    sources->kustomization_json = ask_for_kustomization(sources, &wanted, sources->arena);
    known->name = arena_copy(sources->arena, wanted.name);
    known->namespace = arena_copy(sources->arena, wanted.namespace);
    return sources->kustomization_json;
}

struct slice preview_find_previous(
    const struct preview_sources *sources, const struct manifest_object *object)
{
    if (!sources->previous)
        return (struct slice){NULL, 0};
    return file_objects_find(sources->previous, object, preview_namespace(sources)).json;
}

/* Adds the cluster's definition of the object's type, if it has one. */
static void ask_for_type(struct preview_sources *sources, const struct manifest_object *object)
{
    const struct cluster_object wanted = {object->api_version, object->kind, {NULL, 0}, object->name};
    struct manifest_object definition;
    struct file_content content;
    struct error error = {0};
    if (cluster_find_definition(sources->cluster, &wanted, &content, &error) != CLUSTER_FOUND)
        return;
    struct slice text = file_slice(&content);
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    if (reader && manifest_next(reader, &definition, &error) == MANIFEST_OBJECT)
        custom_types_add(&sources->types, &definition, sources->arena);
    manifest_close(reader);
    free(content.bytes);
}

/* If the type is unknown, asks the cluster for it, once. If the cluster lacks it, it stays unknown. */
struct slice preview_find_schema(struct preview_sources *sources, const struct manifest_object *object)
{
    struct schema_ref builtin;
    struct custom_types *types = &sources->types;
    const struct custom_type *type = custom_types_find(types, object->api_version, object->kind);
    if (!type && sources->cluster && !schema_find_builtin(object->api_version, object->kind, &builtin)) {
        ask_for_type(sources, object);
        type = custom_types_find(types, object->api_version, object->kind);
        if (!type)
            custom_types_add_unknown(types, object->api_version, object->kind, sources->arena);
    }
    return type ? type->schema : (struct slice){NULL, 0};
}
