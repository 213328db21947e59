#include "cli/cluster.h"

#include "base/text.h"
#include "certs/memory.h"
#include "kube/objects.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cluster_options_release(struct cluster_options *options)
{
    names_release(&options->as_groups);
}

/* FILE:FILE..., of which empty names are left out. */
static int read_variable(
    struct kube_config *config, const char *variable, const char *context, struct error *error)
{
    char *copy = strdup(variable), *rest = NULL;
    struct names paths = {0};
    bool done = copy != NULL;
    for (char *path = copy ? strtok_r(copy, ":", &rest) : NULL; path && done;
         path = strtok_r(NULL, ":", &rest))
        done = names_add(&paths, path);
    int result = !done ? error_set(error, "out of memory")
        : !paths.count ? error_set(error, "KUBECONFIG names no file")
                       : kube_config_read_files(config, paths.items, paths.count, context, error);
    names_release(&paths);
    free(copy);
    return result;
}

static int read_one(struct kube_config *config, const char *path, const char *context, struct error *error)
{
    return kube_config_read_files(config, &path, 1, context, error);
}

static int read_pod(struct kube_config *config, struct error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    if (host && *host)
        return kube_config_in_cluster(config, NULL, error);
    return error_set(error, "which cluster? There is no ~/.kube/config; name a file with --kubeconfig");
}

/* One that cannot be looked up may be there, and name another cluster than the pod's. */
static int read_default(struct kube_config *config, const char *context, struct error *error)
{
    const char *home = getenv("HOME");
    char *path = NULL;
    if (asprintf(&path, "%s/.kube/config", home ? home : "") < 0)
        return error_set(error, "out of memory");
    bool is_absent = !home || (access(path, F_OK) != 0 && errno == ENOENT);
    int result = is_absent ? read_pod(config, error) : read_one(config, path, context, error);
    free(path);
    return result;
}

static int read_config(struct kube_config *config, const struct cluster_options *options, struct error *error)
{
    const char *variable = getenv("KUBECONFIG");
    if (options->kubeconfig)
        return read_one(config, options->kubeconfig, options->context, error);
    if (variable && *variable)
        return read_variable(config, variable, options->context, error);
    return read_default(config, options->context, error);
}

static int impersonate(struct kube_config *config, const struct cluster_options *options, struct error *error)
{
    const struct kube_impersonation impersonation = {
        .user = options->as,
        .uid = options->as_uid,
        .groups = options->as_groups.items,
        .group_count = options->as_groups.count};
    if (!options->as && !options->as_uid && !options->as_groups.count)
        return 0;
    return kube_config_impersonate(config, &impersonation, error);
}

struct kube_client *cluster_connect(const struct cluster_options *options, struct error *error)
{
    struct kube_config config;
    struct kube_client *client = NULL;
    memory_protect();
    if (kube_library_init(error) != 0 || read_config(&config, options, error) != 0)
        return NULL;
    config.exec.is_allowed = true;
    if (impersonate(&config, options, error) == 0)
        client = kube_client_create(&config, error);
    kube_config_release(&config);
    return client;
}

/* -1, with another error if a file was meant. */
static int misnamed(const char *kind_and_name, struct error *error)
{
    if (access(kind_and_name, F_OK) == 0)
        error_set(error, "this is a file, not KIND/NAME; name it with -f");
    return -1;
}

int cluster_read_object(
    struct kube_client *client, const struct cluster_options *options, const char *kind_and_name,
    struct kube_response *response, struct error *error)
{
    struct slice text = slice_of(kind_and_name), type = slice_until(text, slice_find(text, '/'));
    struct slice name = slice_from(text, type.length + 1);
    const char *namespace = options->namespace ? options->namespace : kube_namespace(client);
    struct kube_kind kind;
    *response = (struct kube_response){0};
    if (!type.length || !name.length || slice_contains(name, '/')) {
        error_set(error, "this is not KIND/NAME, such as deployment/web");
        return misnamed(kind_and_name, error);
    }
    struct arena *arena = arena_create();
    int result =
        !arena ? error_set(error, "out of memory") : kube_find_kind(client, type, arena, &kind, error);
    if (result > 0)
        result = misnamed(kind_and_name, error);
    else if (result == 0)
        result = kube_read_object(client, &kind, namespace ? namespace : "default", name, response, error);
    arena_destroy(arena);
    return result ? -1 : 0;
}

/* Deployment.v1.apps; ConfigMap of the core group. */
static struct slice kind_name(const struct cluster_object *object, struct arena *arena)
{
    struct slice group = slice_until(object->api_version, slice_find(object->api_version, '/'));
    bool has_group = group.length < object->api_version.length;
    struct text text = text_start(arena, 128);
    text_append(&text, object->kind);
    if (has_group) {
        text_append_string(&text, ".");
        text_append(&text, slice_from(object->api_version, group.length + 1));
        text_append_string(&text, ".");
        text_append(&text, group);
    }
    return text_slice(&text);
}

static int connect_once(
    struct kube_client **client, const struct cluster_options *options, struct error *error)
{
    if (!*client)
        *client = cluster_connect(options, error);
    return *client ? 0 : -1;
}

/* Connects, and makes an arena for one call. NULL and an error. */
static struct arena *begin_call(
    struct kube_client **client, const struct cluster_options *options, struct error *error)
{
    struct arena *arena = connect_once(client, options, error) == 0 ? arena_create() : NULL;
    if (*client && !arena)
        error_set(error, "out of memory");
    return arena;
}

static int keep(struct kube_response *response, struct file_content *content, struct error *error)
{
    if (!response->body.length)
        return error_set(error, KUBE_EMPTY_ANSWER);
    content->length = response->body.length;
    content->bytes = malloc(content->length + 1);
    if (!content->bytes)
        return error_set(error, "out of memory");
    memcpy(content->bytes, response->body.bytes, content->length);
    return 0;
}

int cluster_read_named(
    struct kube_client **client, const struct cluster_options *options, const char *kind_and_name,
    struct file_content *content, struct error *error)
{
    struct kube_response response = {0};
    if (connect_once(client, options, error) < 0)
        return -1;
    int result = cluster_read_object(*client, options, kind_and_name, &response, error);
    if (result == 0)
        result = keep(&response, content, error);
    kube_response_release(&response);
    return result;
}

int cluster_read_one(
    const struct cluster_options *options, const char *kind_and_name, struct file_content *content,
    struct error *error)
{
    struct kube_client *client = NULL;
    int result = cluster_read_named(&client, options, kind_and_name, content, error);
    kube_client_free(client);
    return result;
}

static enum cluster_found get(
    struct kube_client *client, struct slice path, struct file_content *content, struct error *error)
{
    struct kube_response response = {0};
    const struct kube_request request = {
        .method = "GET", .path = path.bytes, .timeout_ms = CLUSTER_TIMEOUT_MS};
    int result =
        path.bytes ? kube_call(client, &request, &response, error) : error_set(error, "out of memory");
    bool is_there = response.status != 404;
    if (result == 0 && is_there)
        result = response.status == 200 ? keep(&response, content, error) : kube_refused(&response, error);
    kube_response_release(&response);
    return result < 0 ? CLUSTER_FAILED : is_there ? CLUSTER_FOUND : CLUSTER_NO_OBJECT;
}

/* CLUSTER_FOUND, or what is wrong. */
static enum cluster_found find_kind(
    struct kube_client *client, const struct cluster_object *object, struct arena *arena,
    struct kube_kind *kind, struct error *error)
{
    int result = kube_find_kind(client, kind_name(object, arena), arena, kind, error);
    return result < 0 ? CLUSTER_FAILED : result ? CLUSTER_NO_KIND : CLUSTER_FOUND;
}

static enum cluster_found fail(struct error *error, const char *problem)
{
    error_set(error, "%s", problem);
    return CLUSTER_FAILED;
}

/* The name becomes a part of a path, and of no other one. */
static bool is_name(struct slice name, struct arena *arena)
{
    struct slice copy = {NULL, 0};
    struct text text = text_start(arena, name.length + 1);
    text_append(&text, name);
    text_append(&text, (struct slice){"", 1});
    copy = text_slice(&text);
    return name.length && copy.bytes && strlen(copy.bytes) == name.length && strcmp(copy.bytes, ".") != 0 &&
        strcmp(copy.bytes, "..") != 0;
}

static enum cluster_found find_object(
    struct kube_client *client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct arena *arena, struct error *error)
{
    struct kube_kind kind;
    struct text text = text_start(arena, 64);
    text_append(&text, object->namespace.length ? object->namespace : cluster_namespace(client, options));
    text_append(&text, (struct slice){"", 1});
    struct slice place = text_slice(&text);
    enum cluster_found found =
        place.bytes ? find_kind(client, object, arena, &kind, error) : fail(error, "out of memory");
    if (found != CLUSTER_FOUND)
        return found;
    if (!is_name(object->name, arena) || !is_name(slice_until(place, place.length - 1), arena))
        return fail(error, "this is no name of an object");
    return get(client, kube_object_path(&kind, place.bytes, object->name, arena), content, error);
}

enum cluster_found cluster_find_object(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error)
{
    struct arena *arena = begin_call(client, options, error);
    enum cluster_found found =
        arena ? find_object(*client, options, object, content, arena, error) : CLUSTER_FAILED;
    arena_destroy(arena);
    return found;
}

static enum cluster_found find_type(
    struct kube_client *client, const struct cluster_object *object, struct file_content *content,
    struct arena *arena, struct error *error)
{
    struct kube_kind kind;
    enum cluster_found found = find_kind(client, object, arena, &kind, error);
    if (found != CLUSTER_FOUND)
        return found;
    struct text name = text_start(arena, 128);
    text_append(&name, kind.plural);
    text_append_string(&name, ".");
    text_append(&name, kind.group);
    const struct kube_kind definitions = {
        .group = SLICE("apiextensions.k8s.io"),
        .version = SLICE("v1"),
        .plural = SLICE("customresourcedefinitions"),
        .kind = SLICE("CustomResourceDefinition"),
    };
    return get(client, kube_object_path(&definitions, "default", text_slice(&name), arena), content, error);
}

enum cluster_found cluster_find_type(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error)
{
    struct arena *arena = begin_call(client, options, error);
    enum cluster_found found = arena ? find_type(*client, object, content, arena, error) : CLUSTER_FAILED;
    arena_destroy(arena);
    return found;
}

struct slice cluster_namespace(const struct kube_client *client, const struct cluster_options *options)
{
    const char *namespace = options->namespace ? options->namespace : client ? kube_namespace(client) : NULL;
    return slice_of(namespace ? namespace : "default");
}

void cluster_disconnect(struct kube_client *client)
{
    kube_client_free(client);
}
