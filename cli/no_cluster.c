#include "cli/cluster.h"

void cluster_options_release(struct cluster_options *options)
{
    names_release(&options->as_groups);
}

int cluster_read_one(
    const struct cluster_options *options, const char *kind_and_name, struct file_content *content,
    struct error *error)
{
    (void)options, (void)kind_and_name, (void)content;
    return error_set(
        error, "%s",
        "there is no such file, and this program knows no clusters: kubectl get -o yaml "
        "--show-managed-fields prints the object for --live");
}

enum cluster_found cluster_find_object(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error)
{
    (void)client, (void)options, (void)object, (void)content;
    error_set(
        error, "%s",
        "which live object? This program knows no clusters; --live FILE has the objects, as kubectl get -o "
        "yaml --show-managed-fields prints them");
    return CLUSTER_FAILED;
}

int cluster_read_named(
    struct kube_client **client, const struct cluster_options *options, const char *kind_and_name,
    struct file_content *content, struct error *error)
{
    (void)kind_and_name;
    return cluster_find_object(client, options, NULL, content, error);
}

enum cluster_found cluster_find_type(
    struct kube_client **client, const struct cluster_options *options, const struct cluster_object *object,
    struct file_content *content, struct error *error)
{
    return cluster_find_object(client, options, object, content, error);
}

struct slice cluster_namespace(const struct kube_client *client, const struct cluster_options *options)
{
    (void)client;
    return slice_of(options->namespace ? options->namespace : "default");
}

void cluster_disconnect(struct kube_client *client)
{
    (void)client;
}
