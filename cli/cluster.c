#include "cli/cluster.h"

#include "base/array_size.h"
#include "base/process.h"
#include "base/split.h"
#include "base/text.h"
#include "cli/framework/message.h"
#include "kubectl/kubectl.h"
#ifndef APPLYGUARD_STATIC
#include "kube/pod_cluster.h"
#endif

#include <stdlib.h>

/* The flags with one value, in the order in which they are printed. */
static const struct {
    const char *name;
    size_t offset;
} flags[] = {
    {"kubeconfig", offsetof(struct cluster_options, kubeconfig)},
    {"context", offsetof(struct cluster_options, context)},
    {"cluster", offsetof(struct cluster_options, cluster)},
    {"user", offsetof(struct cluster_options, user)},
    {"server", offsetof(struct cluster_options, server)},
    {"certificate-authority", offsetof(struct cluster_options, certificate_authority)},
    {"client-certificate", offsetof(struct cluster_options, client_certificate)},
    {"client-key", offsetof(struct cluster_options, client_key)},
    {"tls-server-name", offsetof(struct cluster_options, tls_server_name)},
    {"request-timeout", offsetof(struct cluster_options, request_timeout)},
    {"as", offsetof(struct cluster_options, as)},
    {"as-uid", offsetof(struct cluster_options, as_uid)},
};

static void add_flag(
    struct slice *items, size_t *count, const char *name, const char *value, struct arena *arena)
{
    struct slice flag = text_join(arena, "--", name, "=", value, SLICE("\0"));
    if (flag.bytes)
        items[(*count)++] = slice_until(flag, flag.length - 1);
}

struct slice_list cluster_flags(const struct cluster_options *options, bool with_token, struct arena *arena)
{
    const struct names *groups = &options->as_groups;
    struct slice *items = arena_allocate_array(arena, ARRAY_SIZE(flags) + 2 + groups->count, sizeof(*items));
    size_t count = 0;
    for (size_t i = 0; items && i < ARRAY_SIZE(flags); i++) {
        const char *value = *(const char *const *)((const char *)options + flags[i].offset);
        if (value)
            add_flag(items, &count, flags[i].name, value, arena);
    }
    for (size_t i = 0; items && i < groups->count; i++)
        add_flag(items, &count, "as-group", groups->items[i], arena);
    if (items && options->insecure_skip_tls_verify)
        add_flag(items, &count, "insecure-skip-tls-verify", "true", arena);
    if (items && with_token && options->token)
        add_flag(items, &count, "token", options->token, arena);
    return (struct slice_list){items, count};
}

static void say(void *context, struct slice text)
{
    (void)context;
    while (text.length) {
        struct slice line = split_next(&text, '\n');
        message_say("%.*s", (int)line.length, line.bytes);
    }
}

bool cluster_is_in_pod(void)
{
#ifndef APPLYGUARD_STATIC
    const char *host = getenv("KUBERNETES_SERVICE_HOST");
    return host && *host && !process_is_in_path("kubectl");
#else
    return false;
#endif
}

static struct cluster *open_kubectl(const struct cluster_options *options, struct error *error)
{
    struct arena *arena = arena_create();
    struct cluster *cluster = NULL;
    if (arena) {
        const struct slice_list connection = cluster_flags(options, true, arena);
        const struct kubectl_options kubectl = {
            .flags = connection.items,
            .flag_count = connection.count,
            .namespace = options->namespace,
            .say = say,
        };
        if (!arena_has_failed(arena))
            cluster = kubectl_open(&kubectl);
    }
    arena_destroy(arena);
    if (!cluster)
        error_set_out_of_memory(error);
    return cluster;
}

struct cluster *cluster_open(const struct cluster_options *options, struct error *error)
{
#ifndef APPLYGUARD_STATIC
    if (cluster_is_in_pod())
        return pod_cluster_open(options->namespace, error);
#endif
    return open_kubectl(options, error);
}

void cluster_visit_named(
    struct cluster **cluster, const struct cluster_options *options, const char *kind_and_name,
    const struct object_visitor *visitor)
{
    struct file_content content = {0};
    struct error error = {0};
    if (cluster_read_named(cluster, options, kind_and_name, &content, &error) < 0) {
        visitor->complain(visitor->context, kind_and_name, &error);
        return;
    }
    struct slice json = file_slice(&content);
    each_object_of(kind_and_name, manifest_read_slice, &json, visitor);
    free(content.bytes);
}

int cluster_read_named(
    struct cluster **cluster, const struct cluster_options *options, const char *kind_and_name,
    struct file_content *content, struct error *error)
{
    if (!*cluster)
        *cluster = cluster_open(options, error);
    return *cluster ? cluster_get_named(*cluster, kind_and_name, content, error) : -1;
}
