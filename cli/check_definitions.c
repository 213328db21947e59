#include "cli/check_definitions.h"

#include "cli/framework/message.h"

#include <stdlib.h>
#include <string.h>

/* Where the API server lists the definitions, and their name in findings. */
#define CLUSTER_PATH "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define CLUSTER_NAME "the cluster"

static bool say_out_of_memory(void)
{
    message_say_out_of_memory("check");
    return false;
}

const char *check_definitions_flag(const char *value, void *field)
{
    const char *equals = strchr(value, '=');
    if (!*value || equals == value || (equals && !equals[1]))
        return "is neither OLD nor OLD=NEW";
    return names_flag(value, field);
}

bool check_definitions_add_new(const struct names *definitions, struct names *files)
{
    for (size_t i = 0; i < definitions->count; i++) {
        const char *equals = strchr(definitions->items[i], '=');
        if (equals && !names_add(files, equals + 1))
            return say_out_of_memory();
    }
    return true;
}

static bool add_cluster(struct check_inputs *inputs, const struct cluster_options *options)
{
    struct error error = {0};
    struct file_content content;
    struct cluster *cluster = cluster_open(options, &error);
    enum cluster_found found =
        cluster ? cluster_get_raw(cluster, CLUSTER_PATH, &content, &error) : CLUSTER_FAILED;
    cluster_close(cluster);
    if (found == CLUSTER_NO_OBJECT)
        error_set(&error, "it does not list its CustomResourceDefinitions");
    if (found != CLUSTER_FOUND) {
        message_say("applyguard check: %s: %s", CLUSTER_NAME, error.message);
        return false;
    }
    if (check_inputs_add_former(inputs, CLUSTER_NAME, file_slice(&content)))
        return true;
    free(content.bytes);
    return say_out_of_memory();
}

static bool add_files(struct check_inputs *inputs, struct slice path, bool is_recursive)
{
    char *name = strndup(path.bytes, path.length);
    bool is_whole = name && check_inputs_gather_former(inputs, name, is_recursive);
    free(name);
    return is_whole || say_out_of_memory();
}

bool check_definitions_gather(
    struct check_inputs *inputs, const struct names *definitions, const struct cluster_options *options,
    bool is_recursive)
{
    for (size_t i = 0; i < definitions->count; i++) {
        struct slice value = slice_of(definitions->items[i]);
        struct slice former = slice_until(value, slice_find(value, '='));
        bool is_cluster = slice_equal(former, SLICE("cluster"));
        if (!(is_cluster ? add_cluster(inputs, options) : add_files(inputs, former, is_recursive)))
            return false;
    }
    return true;
}
