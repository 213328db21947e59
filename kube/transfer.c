#include "kube/transfer.h"

#include "kube/printable.h"

#include <limits.h>

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
    case CURLE_ABORTED_BY_CALLBACK: /* may_send refused to send it again */
        return TRANSFER_BROKEN;
    default:
        return TRANSFER_HOPELESS;
    }
}

/* Whether the try got as far as sending the request. */
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
    else if (setup->body.finds_no_room)
        error_set(&transfer->problem, "too many large answers of %s at once", server.text);
    else if (code == CURLE_WRITE_ERROR) /* only take_body fails like this */
        error_set_out_of_memory(&transfer->problem);
    else if (code == CURLE_ABORTED_BY_CALLBACK)
        error_set(
            &transfer->problem,
            "no answer from %s: the connection was closed, and the request may have been done", server.text);
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
    struct transfer *transfer, struct transfer_setup *setup, struct kube_response *response)
{
    CURL *easy = setup->easy;
    curl_off_t retry_after = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &response->status);
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
    if (retry_after > 0)
        transfer->retry_after_ms = retry_after < INT_MAX ? (uint64_t)retry_after * 1000 : UINT64_MAX;
    response->date = date_of(easy);
    response->body = kube_transfer_take_body(&setup->body);
}

void kube_response_release(struct kube_response *response)
{
    secret_free(&response->body);
    response->status = 0;
}

bool kube_transfer_begin(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline, void *owner,
    struct transfer_setup *setup)
{
    if (!kube_transfer_set(client, request, deadline, setup) ||
        curl_easy_setopt(setup->easy, CURLOPT_PRIVATE, owner) != CURLE_OK ||
        curl_multi_add_handle(client->multi, setup->easy) != CURLM_OK)
        return false;
    setup->multi = client->multi;
    return true;
}

struct transfer kube_transfer_end(
    const struct kube_client *client, struct transfer_setup *setup, CURLcode code,
    struct kube_response *response)
{
    struct transfer transfer = {.result = result_of(code)};
    if (transfer.result == TRANSFER_BROKEN || transfer.result == TRANSFER_OUT_OF_TIME)
        transfer.result = was_sent(setup->easy) ? transfer.result : TRANSFER_NOT_SENT;
    if (transfer.result == TRANSFER_ANSWERED)
        take_answer(&transfer, setup, response);
    else
        describe(&transfer, client, setup, code);
    return transfer;
}
