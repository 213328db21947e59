#include "kube/broken_pipe.h"
#include "kube/client_state.h"
#include "kube/retry.h"
#include "system/clock.h"

#include <limits.h>
#include <stdlib.h>

struct kube_pending {
    struct kube_pending *next, **link; /* in its client's list; `link` points to the pointer to this call */
    struct kube_client *client;
    struct kube_request request;
    kube_done *done;
    void *data;
    uint64_t deadline;
    uint64_t next_try_at; /* while no try is in progress */
    unsigned tries;
    bool is_on_its_way;
    struct transfer_setup setup;
    struct kube_response response;
};

/*
 * Begin and end
 */

struct kube_pending *kube_begin(
    struct kube_client *client, const struct kube_request *request, kube_done *done, void *data)
{
    struct kube_pending *pending = calloc(1, sizeof(*pending));
    if (!pending)
        return NULL;
    pending->client = client;
    pending->request = *request;
    pending->done = done;
    pending->data = data;
    pending->next_try_at = monotonic_milliseconds();
    pending->deadline = pending->next_try_at + request->timeout_ms;
    pending->link = &client->pending;
    pending->next = client->pending;
    if (pending->next)
        pending->next->link = &pending->next;
    client->pending = pending;
    return pending;
}

static void unlink_pending(struct kube_pending *pending)
{
    *pending->link = pending->next;
    if (pending->next)
        pending->next->link = pending->link;
}

void kube_cancel(struct kube_pending *pending)
{
    unlink_pending(pending);
    kube_transfer_release(&pending->setup);
    kube_response_release(&pending->response);
    free(pending);
}

/* The callback may start or cancel calls, so this one must be released first. */
static void finish(struct kube_pending *pending, const struct transfer *transfer)
{
    struct kube_response response = pending->response;
    kube_done *done = pending->done;
    void *data = pending->data;
    pending->client->has_ended = true;
    bool is_answered = transfer->result == TRANSFER_ANSWERED;
    pending->response = (struct kube_response){0};
    kube_cancel(pending);
    if (!is_answered)
        kube_response_release(&response);
    done(data, is_answered ? &response : NULL, &transfer->problem);
}

/*
 * Tries
 */

static void settle(struct kube_pending *pending, const struct transfer *transfer);

static void try_once(struct kube_pending *pending)
{
    struct kube_client *client = pending->client;
    struct transfer transfer = {.result = TRANSFER_HOPELESS};
    kube_response_release(&pending->response);
    if (kube_credentials_refresh(&client->credentials, &client->config, &transfer.problem) != 0) {
        settle(pending, &transfer);
        return;
    }
    pending->is_on_its_way =
        kube_transfer_begin(pending->client, &pending->request, pending->deadline, pending, &pending->setup);
    if (pending->is_on_its_way)
        return;
    kube_transfer_release(&pending->setup);
    error_set_out_of_memory(&transfer.problem);
    settle(pending, &transfer);
}

/* Continues after a try: with the next try, at once or later, or with the end. */
static void settle(struct kube_pending *pending, const struct transfer *transfer)
{
    pending->tries++;
    if (pending->tries < KUBE_TRIES_MAX &&
        kube_is_worth_another_try(&pending->request, transfer, pending->response.status)) {
        uint64_t wait = kube_wait_before_next_try(pending->tries, transfer);
        if (wait < monotonic_milliseconds_until(pending->deadline)) {
            pending->next_try_at = monotonic_milliseconds() + wait;
            return;
        }
    }
    finish(pending, transfer);
}

/*
 * All calls
 */

/* Returns NULL if no call is due; then `wait` is lowered to the time until the first one is. */
static struct kube_pending *first_due(const struct kube_client *client, uint64_t *wait)
{
    for (struct kube_pending *pending = client->pending; pending; pending = pending->next) {
        if (pending->is_on_its_way)
            continue;
        uint64_t left = monotonic_milliseconds_until(pending->next_try_at);
        if (left == 0)
            return pending;
        if (left < *wait)
            *wait = left;
    }
    return NULL;
}

static void take_finished(struct kube_client *client, const CURLMsg *message)
{
    struct kube_pending *pending = NULL;
    CURLcode code = message->data.result;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &pending);
    struct transfer transfer = kube_transfer_end(client, &pending->setup, code, &pending->response);
    kube_transfer_release(&pending->setup);
    pending->is_on_its_way = false;
    settle(pending, &transfer);
}

/* Returns false if no try has ended. */
static bool take_all_finished(struct kube_client *client)
{
    const CURLMsg *message;
    int left = 0;
    bool any = false;
    while ((message = curl_multi_info_read(client->multi, &left))) {
        any = true;
        take_finished(client, message);
    }
    return any;
}

static void stop_all(struct kube_client *client)
{
    struct transfer transfer = {.result = TRANSFER_STOPPED};
    error_set(&transfer.problem, "stopped");
    while (client->pending)
        finish(client->pending, &transfer);
}

static void move_on(struct kube_client *client, uint64_t wait)
{
    struct kube_pending *due;
    int running;
    client->has_ended = false;
    while ((due = first_due(client, &wait)))
        try_once(due);
    curl_multi_perform(client->multi, &running);
    if (!take_all_finished(client) && !client->has_ended)
        curl_multi_poll(client->multi, NULL, 0, wait < INT_MAX ? (int)wait : INT_MAX, NULL);
}

void kube_run(struct kube_client *client, uint64_t wait_ms)
{
    struct held_signal held = broken_pipe_hold();
    if (atomic_load(&client->is_stopped))
        stop_all(client);
    else
        move_on(client, wait_ms);
    broken_pipe_release(&held);
}

void kube_wake(struct kube_client *client)
{
    curl_multi_wakeup(client->multi);
}
