#include "webhook/tls/self_certificate.h"

#include "issuer/issuer.h"
#include "kube/api_client.h"
#include "system/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct self_certificate {
    const struct issuer_settings *settings;
    struct issuer_settings issuer_settings;
    struct tls *tls;
    struct log *log;
    struct arena *arena; /* for this thread's log lines */
    struct kube_client *client;
    struct issuer *issuer;
    pthread_t thread;
    bool is_running;
    pthread_mutex_t lock; /* of `is_stopped` */
    pthread_cond_t wake;
    bool is_stopped;
    atomic_bool is_ready;
    atomic_bool is_well;
    atomic_uint_fast64_t pairs;
    atomic_uint_fast64_t failures;
    atomic_int_fast64_t clock_ahead;
    char told[sizeof(
        ((struct error *)0)->message)]; /* the problem that was last reported; empty: none lasts */
    uint64_t problem_reported;          /* monotonic milliseconds, as below */
    uint64_t clock_reported;
};

/*
 * What it says
 */

static struct log_line start_line(struct self_certificate *self, enum log_level level, const char *message)
{
    struct log_line line = log_start(self->log, self->arena, level, message);
    log_add_string(&line, "namespace", self->settings->namespace);
    log_add_string(&line, "secret", self->settings->secret);
    return line;
}

static void end_line(struct self_certificate *self, struct log_line *line)
{
    log_end(line);
    arena_reset(self->arena);
}

static void tell_step(struct self_certificate *self, enum rotation_step step)
{
    static const char *const messages[] = {
        [ROTATION_CREATE] = "made a certificate authority",
        [ROTATION_STAGE] = "made the next certificate authority; it signs once the API servers know it",
        [ROTATION_PROMOTE] = "the next certificate authority signs from now on",
        [ROTATION_DROP] = "the previous certificate authority is no longer trusted",
        [ROTATION_UNSTAGE] = "dropped the next certificate authority, which can no longer sign",
    };
    if (step == ROTATION_NONE)
        return;
    struct log_line line = start_line(self, LOG_INFO, messages[step]);
    end_line(self, &line);
}

static void tell_unusable(struct self_certificate *self, const struct issuer_turn *turn)
{
    if (!turn->was_restored && !turn->unusable.message[0])
        return;
    struct log_line line = start_line(
        self, LOG_WARNING,
        turn->was_restored ? "restored the certificate authority that others changed or deleted"
                           : "the Secret does not hold a certificate authority");
    if (turn->unusable.message[0])
        log_add_string(&line, "reason", turn->unusable.message);
    end_line(self, &line);
}

static void tell_published(struct self_certificate *self, size_t count)
{
    if (!count)
        return;
    struct log_line line = start_line(self, LOG_INFO, "wrote the caBundle");
    log_add_number(&line, "configurations", count);
    end_line(self, &line);
}

static void tell_clock(struct self_certificate *self, int64_t ahead)
{
    if (!ahead || !log_is_due(&self->clock_reported, monotonic_milliseconds()))
        return;
    struct log_line line = start_line(
        self, LOG_WARNING,
        "this clock differs from the API server's, which is used instead; correct this clock");
    log_add_number(&line, ahead > 0 ? "secondsAhead" : "secondsBehind", (uint64_t)llabs(ahead));
    end_line(self, &line);
}

/* A problem is told when it is new and then once a minute, and when it is over. */
static void tell_problem(struct self_certificate *self, const char *problem)
{
    bool is_new = strcmp(self->told, problem) != 0;
    if (*problem) {
        uint64_t now = monotonic_milliseconds();
        bool is_due = log_is_due(&self->problem_reported, now);
        if (!is_new && !is_due)
            return;
        self->problem_reported = now;
    } else if (!is_new) {
        return;
    }
    memcpy(self->told, problem, strlen(problem) + 1);
    struct log_line line = *problem ? start_line(self, LOG_ERROR, "cannot maintain the certificates")
                                    : start_line(self, LOG_INFO, "the certificates are maintained again");
    if (*problem)
        log_add_string(&line, "reason", problem);
    end_line(self, &line);
}

static void tell_pair(struct self_certificate *self, const struct validity *validity)
{
    int64_t left = validity->not_after - calendar_seconds();
    struct log_line line = start_line(self, LOG_INFO, "serving a new certificate");
    log_add_number(&line, "secondsLeft", left > 0 ? (uint64_t)left : 0);
    end_line(self, &line);
}

/*
 * The thread
 */

static void take_pair(struct self_certificate *self, struct issuer_turn *turn)
{
    struct error error = {0};
    struct validity validity = turn->pair.validity;
    if (tls_take_pair(self->tls, &turn->pair, &error) != 0) {
        turn->problem = error;
        return;
    }
    atomic_fetch_add_explicit(&self->pairs, 1, memory_order_relaxed);
    tell_pair(self, &validity);
}

static bool was_stopped(struct self_certificate *self)
{
    pthread_mutex_lock(&self->lock);
    bool was_stopped = self->is_stopped;
    pthread_mutex_unlock(&self->lock);
    return was_stopped;
}

static uint64_t take_turn(struct self_certificate *self)
{
    struct issuer_turn turn;
    issuer_take_turn(self->issuer, calendar_seconds(), &turn);
    /* A call that the stop broke off is nobody's problem. */
    if (was_stopped(self))
        turn.problem.message[0] = '\0';
    tell_unusable(self, &turn);
    tell_step(self, turn.step);
    if (turn.has_pair)
        take_pair(self, &turn);
    tell_published(self, turn.published);
    atomic_store_explicit(&self->clock_ahead, turn.clock_ahead, memory_order_relaxed);
    tell_clock(self, turn.clock_ahead);
    tell_problem(self, turn.problem.message);
    bool is_well = !turn.problem.message[0];
    atomic_store_explicit(&self->is_well, is_well, memory_order_relaxed);
    if (!is_well)
        atomic_fetch_add_explicit(&self->failures, 1, memory_order_relaxed);
    if (turn.is_trusted)
        atomic_store_explicit(&self->is_ready, true, memory_order_release);
    return turn.again_in_ms;
}

/* False: it is time to stop. */
static bool wait_for(struct self_certificate *self, uint64_t milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(milliseconds / 1000);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&self->lock);
    while (!self->is_stopped && pthread_cond_timedwait(&self->wake, &self->lock, &until) != ETIMEDOUT)
        continue;
    bool goes_on = !self->is_stopped;
    pthread_mutex_unlock(&self->lock);
    return goes_on;
}

static void *run(void *data)
{
    struct self_certificate *self = data;
    while (wait_for(self, take_turn(self)))
        continue;
    return NULL;
}

/*
 * Start and stop
 */

static int call(
    void *client, const struct kube_request *request, struct kube_response *response, struct error *error)
{
    return kube_call(client, request, response, error);
}

static int start(struct self_certificate *self, const char *kubeconfig_path, struct error *error)
{
    self->client = api_client_connect(kubeconfig_path, error);
    if (!self->client)
        return -1;
    self->arena = arena_create();
    self->issuer_settings = *self->settings;
    if (getrandom(&self->issuer_settings.random, sizeof(self->issuer_settings.random), 0) < 0)
        return error_set(error, "the system has no random numbers");
    const struct issuer_api api = {self->client, call};
    self->issuer = self->arena ? issuer_create(&self->issuer_settings, &api, error) : NULL;
    if (!self->issuer)
        return error_set(error, "out of memory");
    self->is_running = pthread_create(&self->thread, NULL, run, self) == 0;
    return self->is_running ? 0 : error_set(error, "cannot start a thread");
}

struct self_certificate *self_certificate_start(
    const struct issuer_settings *settings, const char *kubeconfig_path, struct tls *tls, struct log *log,
    struct error *error)
{
    struct self_certificate *self = calloc(1, sizeof(*self));
    if (!self) {
        error_set(error, "out of memory");
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&self->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&self->lock, NULL);
    self->settings = settings;
    self->tls = tls;
    self->log = log;
    if (start(self, kubeconfig_path, error) == 0)
        return self;
    self_certificate_free(self);
    return NULL;
}

void self_certificate_stop(struct self_certificate *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&self->lock);
    self->is_stopped = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->lock);
    if (!self->is_running)
        return;
    kube_client_stop(self->client);
    pthread_join(self->thread, NULL);
    self->is_running = false;
}

void self_certificate_free(struct self_certificate *self)
{
    if (!self)
        return;
    issuer_free(self->issuer);
    kube_client_free(self->client);
    arena_destroy(self->arena);
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

const atomic_bool *self_certificate_readiness(const struct self_certificate *self)
{
    return &self->is_ready;
}

struct self_certificate_counts self_certificate_count(const struct self_certificate *self)
{
    return (struct self_certificate_counts){
        .pairs = atomic_load_explicit(&self->pairs, memory_order_relaxed),
        .failures = atomic_load_explicit(&self->failures, memory_order_relaxed),
        .is_well = atomic_load_explicit(&self->is_well, memory_order_relaxed),
        .clock_ahead = atomic_load_explicit(&self->clock_ahead, memory_order_relaxed),
    };
}
