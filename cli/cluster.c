#include "cli/cluster.h"

#include "kube/objects.h"

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
    int result = !done    ? error_set(error, "out of memory")
        : !paths.count    ? error_set(error, "KUBECONFIG names no file")
        : paths.count > 1 ? kube_config_read_files(config, paths.items, paths.count, context, error)
                          : kube_config_read_file(config, paths.items[0], context, error);
    names_release(&paths);
    free(copy);
    return result;
}

static int read_pod(struct kube_config *config, struct error *error)
{
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    if (host && *host)
        return kube_config_in_cluster(config, NULL, error);
    return error_set(error, "which cluster? There is no ~/.kube/config; name a file with --kubeconfig");
}

static int read_default(struct kube_config *config, const char *context, struct error *error)
{
    const char *home = getenv("HOME");
    char *path = NULL;
    if (asprintf(&path, "%s/.kube/config", home ? home : "") < 0)
        return error_set(error, "out of memory");
    int result = home && access(path, F_OK) == 0 ? kube_config_read_file(config, path, context, error)
                                                 : read_pod(config, error);
    free(path);
    return result;
}

static int read_config(struct kube_config *config, const struct cluster_options *options, struct error *error)
{
    const char *variable = getenv("KUBECONFIG");
    if (options->kubeconfig)
        return kube_config_read_file(config, options->kubeconfig, options->context, error);
    if (variable && *variable)
        return read_variable(config, variable, options->context, error);
    return read_default(config, options->context, error);
}

static int impersonate(struct kube_config *config, const struct cluster_options *options, struct error *error)
{
    const struct kube_impersonation impersonation = {
        .user = options->as, .groups = options->as_groups.items, .group_count = options->as_groups.count};
    if (!options->as && !options->as_groups.count)
        return 0;
    return kube_config_impersonate(config, &impersonation, error);
}

struct kube_client *cluster_connect(const struct cluster_options *options, struct error *error)
{
    struct kube_config config;
    struct kube_client *client = NULL;
    if (kube_library_init(error) != 0 || read_config(&config, options, error) != 0)
        return NULL;
    config.exec.is_allowed = true;
    if (impersonate(&config, options, error) == 0)
        client = kube_client_create(&config, error);
    kube_config_release(&config);
    return client;
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
    if (!type.length || !name.length || slice_find(name, '/') < name.length)
        return error_set(error, "this is not KIND/NAME, such as deployment/web");
    struct arena *arena = arena_create();
    int result =
        !arena ? error_set(error, "out of memory") : kube_find_kind(client, type, arena, &kind, error);
    if (result == 0)
        result = kube_read_object(client, &kind, namespace ? namespace : "default", name, response, error);
    arena_destroy(arena);
    return result;
}

int cluster_read_one(
    const struct cluster_options *options, const char *kind_and_name, struct file_content *content,
    struct error *error)
{
    struct kube_response response = {0};
    struct kube_client *client = cluster_connect(options, error);
    int result = client ? cluster_read_object(client, options, kind_and_name, &response, error) : -1;
    if (result == 0) {
        content->length = response.body.length;
        content->bytes = malloc(content->length + 1);
        result = content->bytes ? 0 : error_set(error, "out of memory");
        if (result == 0)
            memcpy(content->bytes, response.body.bytes, content->length);
    }
    kube_response_release(&response);
    kube_client_free(client);
    return result;
}
