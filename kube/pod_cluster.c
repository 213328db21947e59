#include "kube/pod_cluster.h"

#include "certs/memory.h"
#include "kube/api_client.h"

#include <stdlib.h>

#define TIMEOUT_MS 60000

struct pod_cluster {
    struct cluster cluster;
    struct kube_client *client;
    const char *namespace;
};

static int keep(const struct kube_response *response, struct file_content *content, struct error *error)
{
    if (!response->body.length)
        return error_set(error, "the API server's answer is empty");
    content->length = response->body.length;
    content->bytes = malloc(content->length + 1);
    if (!content->bytes)
        return error_set_out_of_memory(error);
    memcpy(content->bytes, response->body.bytes, content->length);
    content->bytes[content->length] = '\0';
    return 0;
}

static enum cluster_refusal refusal_of(long status)
{
    switch (status) {
    case 401:
    case 403:
        return CLUSTER_FORBIDDEN;
    case 410:
        return CLUSTER_EXPIRED;
    case 429:
    case 503:
    case 504:
        return CLUSTER_BUSY;
    default:
        return CLUSTER_REFUSAL_OTHER;
    }
}

static enum cluster_found get_raw(
    struct cluster *cluster, const char *path, struct file_content *content, struct error *error)
{
    struct kube_response response = {0};
    const struct kube_request request = {
        .method = "GET",
        .path = path,
        .answer_bytes_max = CLUSTER_ANSWER_BYTES_MAX,
        .timeout_ms = TIMEOUT_MS,
    };
    int result = kube_call(((struct pod_cluster *)cluster)->client, &request, &response, error);
    bool is_there = response.status != 404;
    cluster->refusal = result == 0 ? refusal_of(response.status) : CLUSTER_REFUSAL_OTHER;
    if (result == 0 && is_there)
        result = response.status == 200 ? keep(&response, content, error) : kube_refused(&response, error);
    kube_response_release(&response);
    return result < 0 ? CLUSTER_FAILED : is_there ? CLUSTER_FOUND : CLUSTER_NO_OBJECT;
}

static int get_named(
    struct cluster *cluster, const char *kind_and_name, struct file_content *content, struct error *error)
{
    (void)cluster, (void)kind_and_name, (void)content;
    return error_set(error, "kubectl finds objects by KIND/NAME, and is not in PATH; name a file with -f");
}

static const char *get_namespace(struct cluster *cluster)
{
    const struct pod_cluster *pod = (const struct pod_cluster *)cluster;
    return pod->namespace ? pod->namespace : kube_namespace(pod->client);
}

static void close_pod(struct cluster *cluster)
{
    kube_client_free(((struct pod_cluster *)cluster)->client);
    free(cluster);
}

struct cluster *pod_cluster_open(const char *namespace, struct error *error)
{
    memory_protect();
    struct kube_client *client = api_client_connect(NULL, error);
    struct pod_cluster *pod = client ? calloc(1, sizeof(*pod)) : NULL;
    struct arena *arena = pod ? arena_create() : NULL;
    if (!arena) {
        free(pod);
        kube_client_free(client);
        if (client)
            error_set_out_of_memory(error);
        return NULL;
    }
    *pod = (struct pod_cluster){
        .cluster =
            {.get_raw = get_raw,
             .get_named = get_named,
             .get_namespace = get_namespace,
             .close = close_pod,
             .arena = arena},
        .client = client,
        .namespace = namespace,
    };
    return &pod->cluster;
}
