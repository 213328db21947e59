#include "kubectl/cluster.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "manifest/kinds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cluster_kinds {
    struct cluster_kinds *next;
    struct slice api_version;
    yyjson_val *resources; /* NULL: the cluster does not serve this version */
};

/* A kind that the cluster serves. */
struct kind {
    struct slice plural;
    bool is_namespaced;
};

enum cluster_found cluster_get_raw(
    struct cluster *cluster, const char *path, struct file_content *content, struct error *error)
{
    return cluster->get_raw(cluster, path, content, error);
}

bool cluster_is_kind_and_name(const char *text)
{
    struct slice whole = slice_of(text), name = slice_from(whole, slice_find(whole, '/') + 1);
    return slice_find(whole, '/') && name.length && !slice_contains(name, '/') && !slice_contains(whole, ',');
}

int cluster_get_named(
    struct cluster *cluster, const char *kind_and_name, struct file_content *content, struct error *error)
{
    if (access(kind_and_name, F_OK) == 0)
        return error_set(error, "this is a file, not KIND/NAME; name it with -f");
    if (!cluster_is_kind_and_name(kind_and_name))
        return error_set(error, "this is not KIND/NAME, such as deployment/web");
    return cluster->get_named(cluster, kind_and_name, content, error);
}

struct slice cluster_namespace(struct cluster *cluster)
{
    const char *namespace = cluster->get_namespace(cluster);
    return namespace && *namespace ? slice_of(namespace) : SLICE("default");
}

void cluster_close(struct cluster *cluster)
{
    if (!cluster)
        return;
    arena_destroy(cluster->arena);
    cluster->close(cluster);
}

/*
 * Paths
 */

static void append_escaped(struct text *path, struct slice part)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:";
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < part.length; i++) {
        unsigned char byte = (unsigned char)part.bytes[i];
        const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};
        bool is_plain = byte && strchr(plain, byte);
        text_append(
            path, is_plain ? slice_until(slice_from(part, i), 1) : (struct slice){escape, sizeof(escape)});
    }
}

/* Appends a part of a path: a name cannot lead to another path. */
static void append_part(struct text *path, struct slice part)
{
    text_append_string(path, "/");
    append_escaped(path, part);
}

static struct text start_path(struct slice api_version, struct arena *arena)
{
    struct text path = text_start(arena, 256);
    struct slice group = group_of(api_version);
    text_append_string(&path, group.length ? "/apis" : "/api");
    if (group.length)
        append_part(&path, group);
    append_part(&path, version_of(api_version));
    return path;
}

/* Returns NULL and sets the error if memory runs out. */
static const char *end_path(struct text *path, struct error *error)
{
    text_append(path, (struct slice){"", 1});
    struct slice whole = text_slice(path);
    if (!whole.bytes)
        error_set_out_of_memory(error);
    return whole.bytes;
}

/* "." and ".." lead to another path even if they are escaped. */
static bool is_path_name(struct slice name)
{
    return name.length && !slice_equal(name, SLICE(".")) && !slice_equal(name, SLICE(".."));
}

/*
 * Kinds
 */

static struct cluster_kinds *find_kinds(struct cluster *cluster, struct slice api_version)
{
    struct cluster_kinds *kinds = cluster->kinds;
    while (kinds && !slice_equal(kinds->api_version, api_version))
        kinds = kinds->next;
    return kinds;
}

static int parse_kinds(
    struct cluster *cluster, struct slice json, struct cluster_kinds *kinds, struct error *error)
{
    kinds->resources = json_member(json_parse(json, cluster->arena), SLICE("resources"));
    if (arena_has_failed(cluster->arena))
        return error_set_out_of_memory(error);
    return kinds->resources ? 0 : error_set(error, "the cluster's list of kinds cannot be read");
}

/* Asks the cluster, and keeps the answer. Returns NULL and sets the error. */
static struct cluster_kinds *ask_for_kinds(
    struct cluster *cluster, struct slice api_version, struct error *error)
{
    struct cluster_kinds *kinds = arena_allocate_array(cluster->arena, 1, sizeof(*kinds));
    struct text text = start_path(api_version, cluster->arena);
    const char *path = kinds ? end_path(&text, error) : NULL;
    struct file_content content = {0};
    if (!kinds)
        error_set_out_of_memory(error);
    if (!path)
        return NULL;
    *kinds = (struct cluster_kinds){cluster->kinds, arena_copy(cluster->arena, api_version), NULL};
    enum cluster_found found = cluster_get_raw(cluster, path, &content, error);
    int result = found == CLUSTER_FAILED ? -1 : 0;
    if (found == CLUSTER_FOUND)
        result = parse_kinds(cluster, file_slice(&content), kinds, error);
    free(content.bytes);
    if (result < 0)
        return NULL;
    cluster->kinds = kinds;
    return kinds;
}

static bool find_kind(const struct cluster_kinds *kinds, struct slice name, struct kind *kind)
{
    json_each_item(resource, kinds->resources) {
        kind->plural = json_text(json_member(resource, SLICE("name")));
        kind->is_namespaced = yyjson_get_bool(json_member(resource, SLICE("namespaced")));
        /* A name with a slash is a subresource, which may have the same kind as its object. */
        if (slice_equal(json_text(json_member(resource, SLICE("kind"))), name) && kind->plural.length &&
            !slice_contains(kind->plural, '/'))
            return true;
    }
    return false;
}

static enum cluster_found no_such_kind(
    const struct cluster_object *object, struct arena *arena, struct error *error)
{
    struct text text = text_start(arena, 128);
    text_append_all(
        &text, as_printable(text_cut(object->kind, 64)), " of ",
        as_printable(text_cut(object->api_version, 100)));
    error_set(error, "the cluster has no kind %.*s", (int)text.length, text.bytes ? text.bytes : "");
    return CLUSTER_NO_KIND;
}

static enum cluster_found look_up_kind(
    struct cluster *cluster, const struct cluster_object *object, struct kind *kind, struct error *error)
{
    struct cluster_kinds *kinds = find_kinds(cluster, object->api_version);
    if (!kinds)
        kinds = ask_for_kinds(cluster, object->api_version, error);
    if (!kinds)
        return CLUSTER_FAILED;
    return find_kind(kinds, object->kind, kind) ? CLUSTER_FOUND : no_such_kind(object, cluster->arena, error);
}

/*
 * Objects
 */

/* Returns NULL and sets the error. */
static const char *object_path(
    struct cluster *cluster, const struct cluster_object *object, const struct kind *kind,
    struct arena *arena, struct error *error)
{
    struct text path = start_path(object->api_version, arena);
    const bool is_unnamed = kind->is_namespaced && !object->namespace.length;
    const struct slice namespace = is_unnamed ? cluster_namespace(cluster) : object->namespace;
    if (!is_path_name(object->name) || (kind->is_namespaced && !is_path_name(namespace))) {
        error_set(error, "this is not the name of an object");
        return NULL;
    }
    if (kind->is_namespaced) {
        text_append_string(&path, "/namespaces");
        append_part(&path, namespace);
    }
    append_part(&path, kind->plural);
    append_part(&path, object->name);
    return end_path(&path, error);
}

static enum cluster_found get_object(
    struct cluster *cluster, const struct cluster_object *object, const struct kind *kind,
    struct file_content *content, struct error *error)
{
    struct arena *arena = arena_create();
    if (!arena)
        return (enum cluster_found)error_set_out_of_memory(error);
    const char *path = object_path(cluster, object, kind, arena, error);
    enum cluster_found found = path ? cluster_get_raw(cluster, path, content, error) : CLUSTER_FAILED;
    arena_destroy(arena);
    return found;
}

enum cluster_found cluster_find_object(
    struct cluster *cluster, const struct cluster_object *object, struct file_content *content,
    struct error *error)
{
    struct kind kind;
    enum cluster_found found = look_up_kind(cluster, object, &kind, error);
    return found == CLUSTER_FOUND ? get_object(cluster, object, &kind, content, error) : found;
}

/* Returns NULL and sets the error. */
static const char *list_path(
    const struct cluster_object *object, const struct kind *kind, struct slice selector, struct arena *arena,
    struct error *error)
{
    struct text path = start_path(object->api_version, arena);
    if (kind->is_namespaced && object->namespace.length) {
        if (!is_path_name(object->namespace)) {
            error_set(error, "this is not the name of a namespace");
            return NULL;
        }
        text_append_string(&path, "/namespaces");
        append_part(&path, object->namespace);
    }
    append_part(&path, kind->plural);
    text_append_string(&path, selector.length ? "?labelSelector=" : "");
    append_escaped(&path, selector);
    return end_path(&path, error);
}

enum cluster_found cluster_list_objects(
    struct cluster *cluster, const struct cluster_object *object, struct slice selector,
    struct file_content *content, struct error *error)
{
    struct kind kind;
    enum cluster_found found = look_up_kind(cluster, object, &kind, error);
    if (found != CLUSTER_FOUND)
        return found;
    struct arena *arena = arena_create();
    if (!arena)
        return (enum cluster_found)error_set_out_of_memory(error);
    const char *path = list_path(object, &kind, selector, arena, error);
    found = path ? cluster_get_raw(cluster, path, content, error) : CLUSTER_FAILED;
    arena_destroy(arena);
    return found;
}

/* {"preferredVersion":{"groupVersion":"apps/v1"}} */
static enum cluster_found read_version(
    struct slice json, struct arena *arena, struct slice *api_version, struct error *error)
{
    yyjson_val *preferred = json_member(json_parse(json, arena), SLICE("preferredVersion"));
    *api_version = arena_copy(arena, json_text(json_member(preferred, SLICE("groupVersion"))));
    if (api_version->length)
        return CLUSTER_FOUND;
    error_set(error, "the cluster's list of versions cannot be read");
    return CLUSTER_FAILED;
}

enum cluster_found cluster_find_version(
    struct cluster *cluster, struct slice group, struct arena *arena, struct slice *api_version,
    struct error *error)
{
    struct text path = text_start(arena, 128);
    struct file_content content;
    *api_version = SLICE("v1");
    if (!group.length)
        return CLUSTER_FOUND;
    text_append_string(&path, "/apis");
    append_part(&path, group);
    const char *name = end_path(&path, error);
    enum cluster_found found = name ? cluster_get_raw(cluster, name, &content, error) : CLUSTER_FAILED;
    if (found != CLUSTER_FOUND)
        return found;
    found = read_version(file_slice(&content), arena, api_version, error);
    free(content.bytes);
    return found;
}

enum cluster_found cluster_find_definition(
    struct cluster *cluster, const struct cluster_object *object, struct file_content *content,
    struct error *error)
{
    static const struct kind definitions = {SLICE_LITERAL("customresourcedefinitions"), false};
    struct cluster_object definition = {.api_version = SLICE("apiextensions.k8s.io/v1")};
    struct kind kind;
    enum cluster_found found = look_up_kind(cluster, object, &kind, error);
    if (found != CLUSTER_FOUND)
        return found;
    definition.name = text_join(cluster->arena, kind.plural, ".", group_of(object->api_version));
    return get_object(cluster, &definition, &definitions, content, error);
}
