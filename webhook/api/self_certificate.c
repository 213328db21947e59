#include "webhook/api/self_certificate.h"

#include "system/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct self_certificate {
    struct api_worker *worker;
    struct issuer_settings settings;
    struct tls *tls;
    struct log *log;
    atomic_bool is_ready;
    atomic_bool is_well;
    atomic_uint_fast64_t pairs;
    atomic_uint_fast64_t failures;
    atomic_int_fast64_t clock_ahead;

    /* Only the worker's thread uses the members below. */
    struct arena *arena; /* for log lines */
    struct issuer *issuer;
    uint64_t next_look; /* monotonic milliseconds, as all below */
    char logged_problem[sizeof(
        ((struct error *)0)->message)]; /* the problem that was last reported; empty if it is over */
    uint64_t problem_reported;
    uint64_t clock_reported;
};

/*
 * Log lines
 */

static struct log_line start_line(struct self_certificate *self, enum log_level level, const char *message)
{
    struct log_line line = log_start(self->log, self->arena, level, message);
    log_add_string(&line, "namespace", self->settings.namespace);
    log_add_string(&line, "secret", self->settings.secret);
    return line;
}

static void end_line(struct self_certificate *self, struct log_line *line)
{
    log_end(line);
    arena_reset(self->arena);
}

static void log_step(struct self_certificate *self, enum rotation_step step)
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

static void log_unusable(struct self_certificate *self, const struct issuer_turn *turn)
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

static void log_published(struct self_certificate *self, size_t count)
{
    if (!count)
        return;
    struct log_line line = start_line(self, LOG_INFO, "wrote the caBundle");
    log_add_number(&line, "configurations", count);
    end_line(self, &line);
}

static void log_clock(struct self_certificate *self, int64_t ahead)
{
    if (!ahead || !log_is_due(&self->clock_reported, monotonic_milliseconds()))
        return;
    struct log_line line = start_line(
        self, LOG_WARNING,
        "this clock differs from the API server's, which is used instead; correct this clock");
    log_add_number(&line, ahead > 0 ? "secondsAhead" : "secondsBehind", (uint64_t)llabs(ahead));
    end_line(self, &line);
}

/* Logs a problem when it is new and then once a minute, and logs when it is over. */
static void log_problem(struct self_certificate *self, const char *problem)
{
    bool is_new = strcmp(self->logged_problem, problem) != 0;
    if (*problem) {
        uint64_t now = monotonic_milliseconds();
        bool is_due = log_is_due(&self->problem_reported, now);
        if (!is_new && !is_due)
            return;
        self->problem_reported = now;
    } else if (!is_new) {
        return;
    }
    memcpy(self->logged_problem, problem, strlen(problem) + 1);
    struct log_line line = *problem ? start_line(self, LOG_ERROR, "cannot maintain the certificates")
                                    : start_line(self, LOG_INFO, "the certificates are maintained again");
    if (*problem)
        log_add_string(&line, "reason", problem);
    end_line(self, &line);
}

static void log_pair(struct self_certificate *self, const struct validity *validity)
{
    int64_t left = validity->not_after - calendar_seconds();
    struct log_line line = start_line(self, LOG_INFO, "serving a new certificate");
    log_add_number(&line, "secondsLeft", left > 0 ? (uint64_t)left : 0);
    end_line(self, &line);
}

/*
 * Turns
 */

static void take_pair(struct self_certificate *self, struct issuer_turn *turn)
{
    struct error error = {0};
    struct validity validity = turn->pair.validity;
    if (tls_take_pair(self->tls, &turn->pair, &error) != 0) {
        issuer_pair_not_served(self->issuer, turn, &error);
        return;
    }
    atomic_fetch_add_explicit(&self->pairs, 1, memory_order_relaxed);
    log_pair(self, &validity);
}

/*
 * A call that the server's stop aborted is not a failure, and it does not prove that the certificates are
 * well.
 */
static void note_problem(struct self_certificate *self, const char *problem)
{
    bool is_well = !*problem;
    if (!is_well && api_worker_is_stopping(self->worker))
        return;
    log_problem(self, problem);
    atomic_store_explicit(&self->is_well, is_well, memory_order_relaxed);
    if (!is_well)
        atomic_fetch_add_explicit(&self->failures, 1, memory_order_relaxed);
}

/* Returns the milliseconds until the next check. */
static uint64_t look(struct self_certificate *self)
{
    struct issuer_turn turn;
    issuer_take_turn(self->issuer, calendar_seconds(), &turn);
    log_unusable(self, &turn);
    log_step(self, turn.step);
    if (turn.has_pair)
        take_pair(self, &turn);
    log_published(self, turn.published);
    atomic_store_explicit(&self->clock_ahead, turn.clock_ahead, memory_order_relaxed);
    log_clock(self, turn.clock_ahead);
    note_problem(self, turn.problem.message);
    if (turn.is_trusted)
        atomic_store_explicit(&self->is_ready, true, memory_order_release);
    return turn.again_in_ms;
}

static uint64_t take_turn(void *data)
{
    struct self_certificate *self = data;
    uint64_t now = monotonic_milliseconds();
    if (now < self->next_look)
        return self->next_look - now;
    uint64_t pause = look(self);
    self->next_look = monotonic_milliseconds() + pause;
    return pause;
}

/*
 * Begin and end
 */

static int call(
    void *worker, const struct kube_request *request, struct kube_response *response, struct error *error)
{
    return api_worker_call(worker, request, response, error);
}

static int prepare(struct self_certificate *self, struct error *error)
{
    const struct issuer_api api = {self->worker, call};
    if (getrandom(&self->settings.random, sizeof(self->settings.random), 0) < 0)
        return error_set(error, "the system has no random numbers");
    self->arena = arena_create();
    self->issuer = self->arena ? issuer_create(&self->settings, &api, error) : NULL;
    return self->issuer ? 0 : error_set_out_of_memory(error);
}

struct self_certificate *self_certificate_create(
    struct api_worker *worker, const struct issuer_settings *settings, struct tls *tls, struct log *log,
    struct error *error)
{
    struct self_certificate *self = calloc(1, sizeof(*self));
    if (!self) {
        error_set_out_of_memory(error);
        return NULL;
    }
    self->worker = worker;
    self->settings = *settings;
    self->tls = tls;
    self->log = log;
    if (prepare(self, error) != 0) {
        self_certificate_free(self);
        return NULL;
    }
    api_worker_add(worker, take_turn, self);
    return self;
}

void self_certificate_free(struct self_certificate *self)
{
    if (!self)
        return;
    issuer_free(self->issuer);
    arena_destroy(self->arena);
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
