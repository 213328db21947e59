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
