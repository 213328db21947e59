#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "cli/certs.h"
#include "cli/framework/message.h"
#include "kube/api_client.h"

#define CONFIGURATIONS "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"

/* Another client may write the configuration between reading and writing it. */
#define TRIES 3

#define TIMEOUT_MS 15000

struct publication {
    struct kube_client *client;
    const char *name;
    const char *base64;
    struct arena *arena;
    struct error *error;
    size_t webhooks;
};

enum outcome { PUBLISHED, CONFLICT, FAILED };

static const char *request_path(struct publication *publication, const char *query)
{
    return text_join_string(publication->arena, CONFIGURATIONS, publication->name, query);
}

static enum outcome refused(struct publication *publication, const struct kube_response *response)
{
    kube_refused(response, publication->error);
    return FAILED;
}

static yyjson_val *read_configuration(struct publication *publication)
{
    struct kube_response response;
    const char *path = request_path(publication, "");
    struct kube_request request = {.method = "GET", .path = path, .timeout_ms = TIMEOUT_MS};
    if (!path || kube_call(publication->client, &request, &response, publication->error) != 0)
        return NULL;
    yyjson_val *root = NULL;
    if (response.status == 200) {
        root = json_parse(secret_slice(&response.body), publication->arena);
        if (!root)
            error_set(publication->error, "the API server's answer cannot be read");
    } else {
        refused(publication, &response);
    }
    kube_response_release(&response);
    return root;
}

/* Changes only the bundle of each webhook: other managers keep their fields. */
static struct slice make_patch(struct publication *publication, yyjson_val *configuration)
{
    struct text patch = text_start(publication->arena, 4096);
    yyjson_val *metadata = json_member(configuration, SLICE("metadata"));
    text_append_all(
        &patch,
        "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":"
        "\"ValidatingWebhookConfiguration\",\"metadata\":{\"name\":",
        as_json(slice_of(publication->name)),
        ",\"resourceVersion\":", as_json(json_text(json_member(metadata, SLICE("resourceVersion")))),
        "},\"webhooks\":[");
    publication->webhooks = 0;
    json_each_item(webhook, json_member(configuration, SLICE("webhooks")))
        text_append_all(
            &patch, publication->webhooks++ ? ",{\"name\":" : "{\"name\":",
            as_json(json_text(json_member(webhook, SLICE("name")))), ",\"clientConfig\":{\"caBundle\":\"",
            publication->base64, "\"}}");
    text_append_string(&patch, "]}");
    return text_slice(&patch);
}

static enum outcome apply(struct publication *publication, struct slice patch)
{
    struct kube_response response;
    const char *path = request_path(publication, "?fieldManager=applyguard&force=true");
    struct kube_request request = {
        .method = "PATCH",
        .path = path,
        .content_type = "application/apply-patch+yaml",
        .body = patch,
        .timeout_ms = TIMEOUT_MS,
    };
    if (!path || kube_call(publication->client, &request, &response, publication->error) != 0)
        return FAILED;
    enum outcome outcome = response.status == 409 ? CONFLICT
        : response.status == 200                  ? PUBLISHED
                                                  : refused(publication, &response);
    kube_response_release(&response);
    return outcome;
}

static enum outcome publish_once(struct publication *publication)
{
    error_set_out_of_memory(publication->error);
    yyjson_val *configuration = read_configuration(publication);
    if (!configuration)
        return FAILED;
    struct slice patch = make_patch(publication, configuration);
    if (publication->webhooks == 0) {
        error_set(publication->error, "it has no webhooks");
        return FAILED;
    }
    return patch.bytes ? apply(publication, patch) : FAILED;
}

static int publish(struct publication *publication)
{
    enum outcome outcome = CONFLICT;
    for (int tries = 0; outcome == CONFLICT && tries < TRIES; tries++) {
        arena_reset(publication->arena);
        outcome = publish_once(publication);
    }
    if (outcome == CONFLICT)
        error_set(publication->error, "another client keeps changing it; try again");
    if (outcome != PUBLISHED)
        return -1;
    message_print(
        stdout, "validating webhook configuration %s: the caBundle of %zu webhook%s is set",
        publication->name, publication->webhooks, publication->webhooks == 1 ? "" : "s");
    return 0;
}

int certs_publish(const struct certs_options *options, const char *base64, struct error *error)
{
    struct kube_client *client = api_client_find(options->kubeconfig, options->context, error);
    if (!client)
        return -1;
    struct publication publication = {
        .client = client,
        .name = options->configuration,
        .base64 = base64,
        .arena = arena_create(),
        .error = error,
    };
    int result = publication.arena ? publish(&publication) : error_set_out_of_memory(error);
    arena_destroy(publication.arena);
    kube_client_free(client);
    return result;
}
