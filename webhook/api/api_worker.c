#include "webhook/api/api_worker.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct turn {
    api_turn *take;
    void *data;
    bool is_under_way;
};

struct api_worker {
    struct kube_client *client;
    struct turn turns[API_WORKER_TURNS_MAX];
    size_t turn_count;
    unsigned waits; /* how many turns are waiting for an answer now */
    pthread_t thread;
    bool is_running;
    atomic_bool is_stopping;
};

struct api_worker *api_worker_create(struct kube_client *client, struct error *error)
{
    struct api_worker *worker = calloc(1, sizeof(*worker));
    if (!worker) {
        kube_client_free(client);
        error_set_out_of_memory(error);
        return NULL;
    }
    worker->client = client;
    atomic_init(&worker->is_stopping, false);
    return worker;
}

void api_worker_add(struct api_worker *worker, api_turn *turn, void *data)
{
    worker->turns[worker->turn_count++] = (struct turn){.take = turn, .data = data};
}

static uint64_t take_turn(struct turn *turn)
{
    turn->is_under_way = true;
    uint64_t wanted = turn->take(turn->data);
    turn->is_under_way = false;
    return wanted;
}

/*
 * While one turn waited, the others had turns, and may want their next one sooner than they returned before.
 */
static uint64_t take_turns(void *data)
{
    struct api_worker *worker = data;
    unsigned waits = worker->waits;
    uint64_t wait = UINT64_MAX;
    for (size_t i = 0; i < worker->turn_count; i++) {
        if (worker->turns[i].is_under_way)
            continue;
        uint64_t wanted = take_turn(&worker->turns[i]);
        wait = wanted < wait ? wanted : wait;
    }
    return worker->waits == waits ? wait : 0;
}

int api_worker_call(
    struct api_worker *worker, const struct kube_request *request, struct kube_response *response,
    struct error *error)
{
    worker->waits++;
    return kube_call_meanwhile(worker->client, request, take_turns, worker, response, error);
}

/* The last run ends all aborted calls. */
static void *run(void *data)
{
    struct api_worker *worker = data;
    pthread_setname_np(pthread_self(), "api");
    while (!atomic_load(&worker->is_stopping))
        kube_run(worker->client, take_turns(worker));
    kube_run(worker->client, 0);
    OPENSSL_thread_stop();
    return NULL;
}

int api_worker_start(struct api_worker *worker, struct error *error)
{
    int reason = pthread_create(&worker->thread, NULL, run, worker);
    worker->is_running = reason == 0;
    return reason == 0 ? 0 : error_set(error, "cannot start a thread: %s", strerror(reason));
}

struct kube_client *api_worker_client(struct api_worker *worker)
{
    return worker->client;
}

bool api_worker_is_stopping(const struct api_worker *worker)
{
    return atomic_load(&worker->is_stopping);
}

void api_worker_wake(struct api_worker *worker)
{
    kube_wake(worker->client);
}

void api_worker_stop(struct api_worker *worker)
{
    if (!worker || !worker->is_running)
        return;
    atomic_store(&worker->is_stopping, true);
    kube_client_stop(worker->client);
    pthread_join(worker->thread, NULL);
    worker->is_running = false;
}

void api_worker_free(struct api_worker *worker)
{
    if (!worker)
        return;
    kube_client_free(worker->client);
    free(worker);
}
