#include "kube/transfer.h"

#include "kube/printable.h"
#include "kube/transfer_setup.h"

#include <limits.h>

/* How long to wait at most before looking around; a stop wakes it at once. */
#define POLL_MS 1000

static enum transfer_result result_of(CURLcode code)
{
    switch (code) {
    case CURLE_OK:
        return TRANSFER_ANSWERED;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PROXY:
        return TRANSFER_NOT_SENT;
    case CURLE_OPERATION_TIMEDOUT:
        return TRANSFER_OUT_OF_TIME;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
        return TRANSFER_BROKEN;
    default:
        return TRANSFER_HOPELESS;
    }
}

/* Whether it came as far as the request itself. */
static bool was_sent(CURL *easy)
{
    curl_off_t until_then = 0;
    return curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &until_then) != CURLE_OK || until_then > 0;
}

static void describe(
    struct transfer *transfer, const struct kube_client *client, const struct transfer_setup *setup,
    CURLcode code)
{
    struct kube_printable server = kube_printable(slice_of(client->config.server));
    struct kube_printable detail =
        kube_printable(slice_of(*setup->detail ? setup->detail : curl_easy_strerror(code)));
    if (setup->body.is_too_large)
        error_set(
            &transfer->problem, "the answer of %s is larger than %zu bytes", server.text,
            setup->body.length_max);
    else
        error_set(&transfer->problem, "no answer from %s: %s", server.text, detail.text);
}

static int64_t date_of(CURL *easy)
{
    struct curl_header *header;
    if (curl_easy_header(easy, "Date", 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return 0;
    time_t date = curl_getdate(header->value, NULL);
    return date > 0 ? date : 0;
}

static void take_answer(
    struct transfer *transfer, CURL *easy, struct transfer_setup *setup, struct kube_response *response)
{
    curl_off_t retry_after = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &response->status);
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
    if (retry_after > 0)
        transfer->retry_after_ms = retry_after < INT_MAX ? (uint64_t)retry_after * 1000 : UINT64_MAX;
    response->date = date_of(easy);
    response->body = setup->body.bytes;
    response->body.length = setup->body.length;
    setup->body.bytes = (struct secret){0};
}

/* Runs what was added until it is done. False if it was stopped. */
static bool drive(struct kube_client *client, CURLcode *code)
{
    int running = 1;
    while (running) {
        if (atomic_load(&client->is_stopped))
            return false;
        if (curl_multi_perform(client->multi, &running) != CURLM_OK)
            break;
        if (running)
            curl_multi_poll(client->multi, NULL, 0, POLL_MS, NULL);
    }
    int left = 0;
    CURLMsg *message = curl_multi_info_read(client->multi, &left);
    *code = message && message->msg == CURLMSG_DONE ? message->data.result : CURLE_OUT_OF_MEMORY;
    return true;
}

static void run(
    struct transfer *transfer, struct kube_client *client, struct transfer_setup *setup,
    struct kube_response *response)
{
    CURLcode code = CURLE_OUT_OF_MEMORY;
    bool is_whole = true;
    if (curl_multi_add_handle(client->multi, client->easy) == CURLM_OK) {
        is_whole = drive(client, &code);
        curl_multi_remove_handle(client->multi, client->easy);
    }
    if (!is_whole) {
        transfer->result = TRANSFER_STOPPED;
        error_set(&transfer->problem, "stopped");
        return;
    }
    transfer->result = result_of(code);
    if (transfer->result == TRANSFER_BROKEN || transfer->result == TRANSFER_OUT_OF_TIME)
        transfer->result = was_sent(client->easy) ? transfer->result : TRANSFER_NOT_SENT;
    if (transfer->result == TRANSFER_ANSWERED)
        take_answer(transfer, client->easy, setup, response);
    else
        describe(transfer, client, setup, code);
}

struct transfer kube_transfer(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct kube_response *response)
{
    struct transfer transfer = {.result = TRANSFER_HOPELESS};
    struct transfer_setup setup = {0};
    if (kube_transfer_set(client, request, deadline, &setup))
        run(&transfer, client, &setup, response);
    else
        error_set(&transfer.problem, "out of memory");
    kube_transfer_release(&setup);
    curl_easy_reset(client->easy);
    return transfer;
}
