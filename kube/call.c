#include "kube/clock.h"
#include "kube/printable.h"
#include "kube/transfer.h"

#include <openssl/rand.h>
#include <signal.h>

#define FIRST_WAIT_MS 100
#define LONGEST_WAIT_MS 5000

/*
 * libcurl may write to a connection that the other side has closed. The signal that this gives is for this
 * thread alone, so it is held back here and taken when the call ends; the program's own way stays as it is.
 */
struct held_signal {
    sigset_t before;
    bool was_pending;
};

static sigset_t broken_pipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

static struct held_signal hold_signal(void)
{
    struct held_signal held;
    sigset_t set = broken_pipe(), pending;
    sigpending(&pending);
    held.was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &set, &held.before);
    return held;
}

static void release_signal(const struct held_signal *held)
{
    sigset_t set = broken_pipe();
    struct timespec now = {0};
    if (!held->was_pending)
        sigtimedwait(&set, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

/*
 * Whether and when to try again
 */

/* Applying, and merging, come to the same when they are done twice. */
bool kube_is_repeatable(const struct kube_request *request)
{
    static const char *const types[] = {"application/apply-patch+yaml", "application/merge-patch+json"};
    if (strcmp(request->method, "PATCH") != 0)
        return strcmp(request->method, "POST") != 0;
    for (size_t i = 0; request->content_type && i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(request->content_type, types[i]) == 0)
            return true;
    return false;
}

/* 429 and 503 say that nothing was done. */
static bool is_worth_another_try(
    const struct kube_request *request, const struct transfer *transfer, long status)
{
    switch (transfer->result) {
    case TRANSFER_ANSWERED:
        return status == 429 || status == 503 || (status >= 500 && kube_is_repeatable(request));
    case TRANSFER_NOT_SENT:
        return true;
    case TRANSFER_BROKEN:
    case TRANSFER_OUT_OF_TIME:
        return kube_is_repeatable(request);
    case TRANSFER_HOPELESS:
    case TRANSFER_STOPPED:
        return false;
    }
    return false;
}

/* Between half and all of a wait that doubles, so that many clients do not come back at once. */
static uint64_t wait_before(unsigned next_try, const struct transfer *transfer)
{
    uint32_t random = 0;
    uint64_t longest = (uint64_t)FIRST_WAIT_MS << (next_try - 1);
    if (longest > LONGEST_WAIT_MS)
        longest = LONGEST_WAIT_MS;
    if (RAND_bytes((unsigned char *)&random, sizeof(random)) != 1)
        random = 0;
    uint64_t wait = longest / 2 + random % (longest / 2 + 1);
    if (transfer->retry_after_ms == 0)
        return wait;
    return transfer->retry_after_ms < UINT64_MAX - wait ? transfer->retry_after_ms + wait : UINT64_MAX;
}

/* A stop wakes it. */
static void sleep_until(struct kube_client *client, uint64_t end)
{
    uint64_t left;
    while ((left = kube_milliseconds_until(end)) > 0 && !atomic_load(&client->is_stopped))
        curl_multi_poll(client->multi, NULL, 0, (int)(left < 1000 ? left : 1000), NULL);
}

/*
 * The call
 */

/* Credentials that are refused once are made anew once, if a plugin makes them. */
static bool is_refused(const struct kube_client *client, const struct transfer *transfer, long status)
{
    return client->config.exec.command && transfer->result == TRANSFER_ANSWERED && status == 401;
}

static struct transfer try_once(
    struct kube_client *client, const struct kube_request *request, bool is_refused, uint64_t *deadline,
    struct kube_response *response)
{
    struct transfer transfer = {.result = TRANSFER_HOPELESS};
    uint64_t before = kube_milliseconds();
    int result = kube_credentials_refresh(
        &client->credentials, &client->config, is_refused, &client->is_stopped, &transfer.problem);
    *deadline += kube_milliseconds() - before;
    kube_response_release(response);
    return result == 0 ? kube_transfer(client, request, *deadline, response) : transfer;
}

static struct transfer try_until(
    struct kube_client *client, const struct kube_request *request, uint64_t deadline,
    struct kube_response *response)
{
    struct transfer transfer = try_once(client, request, false, &deadline, response);
    if (is_refused(client, &transfer, response->status))
        transfer = try_once(client, request, true, &deadline, response);
    for (unsigned tries = 1; tries < KUBE_TRIES_MAX; tries++) {
        if (!is_worth_another_try(request, &transfer, response->status))
            break;
        uint64_t wait = wait_before(tries, &transfer);
        if (wait >= kube_milliseconds_until(deadline))
            break;
        sleep_until(client, kube_milliseconds() + wait);
        transfer = try_once(client, request, false, &deadline, response);
    }
    return transfer;
}

int kube_call(
    struct kube_client *client, const struct kube_request *request, struct kube_response *response,
    struct error *error)
{
    *response = (struct kube_response){0};
    struct held_signal held = hold_signal();
    struct transfer transfer =
        try_until(client, request, kube_milliseconds() + request->timeout_ms, response);
    release_signal(&held);
    if (transfer.result == TRANSFER_ANSWERED)
        return 0;
    kube_response_release(response);
    return error_set(error, "%s", transfer.problem.message);
}
