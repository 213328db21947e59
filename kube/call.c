#include "kube/client.h"

#include <stdbool.h>

/* The outcome of a call that a thread waits for. */
struct outcome {
    bool is_known;
    int result;
    struct kube_response *response;
    struct error *error;
};

static void take_outcome(void *data, struct kube_response *response, const struct error *error)
{
    struct outcome *outcome = data;
    outcome->is_known = true;
    outcome->result = response ? 0 : -1;
    if (response)
        *outcome->response = *response;
    else
        *outcome->error = *error;
}

static uint64_t do_nothing(void *data)
{
    (void)data;
    return UINT64_MAX;
}

int kube_call_meanwhile(
    struct kube_client *client, const struct kube_request *request, kube_meanwhile *meanwhile, void *data,
    struct kube_response *response, struct error *error)
{
    struct outcome outcome = {.response = response, .error = error};
    *response = (struct kube_response){0};
    if (!kube_begin(client, request, take_outcome, &outcome))
        return error_set_out_of_memory(error);
    while (!outcome.is_known)
        kube_run(client, meanwhile(data));
    return outcome.result;
}

int kube_call(
    struct kube_client *client, const struct kube_request *request, struct kube_response *response,
    struct error *error)
{
    return kube_call_meanwhile(client, request, do_nothing, NULL, response, error);
}
