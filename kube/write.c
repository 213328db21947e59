#include "kube/write.h"

#include "base/text.h"

#define TIMEOUT_MS 60000

/* `may_be_absent`: 404 is no error. */
static int write_object(
    struct kube_client *client, struct kube_request request, bool may_be_absent, struct error *error)
{
    struct kube_response response = {0};
    request.timeout_ms = TIMEOUT_MS;
    int result =
        request.path ? kube_call(client, &request, &response, error) : error_set_out_of_memory(error);
    bool is_done =
        (response.status >= 200 && response.status < 300) || (may_be_absent && response.status == 404);
    if (result == 0 && !is_done)
        result = kube_refused(&response, error);
    kube_response_release(&response);
    return result;
}

int kube_apply(struct kube_client *client, const char *path, struct slice object, struct error *error)
{
    const struct kube_request request = {
        .method = "PATCH", .path = path, .content_type = "application/apply-patch+yaml", .body = object};
    return write_object(client, request, false, error);
}

int kube_delete(struct kube_client *client, const char *path, struct error *error)
{
    return write_object(client, (struct kube_request){.method = "DELETE", .path = path}, true, error);
}
