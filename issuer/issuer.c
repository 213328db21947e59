#include "issuer/issuer.h"

#include "base/min.h"
#include "certs/memory.h"
#include "issuer/issuer_state.h"

#include <stdio.h>
#include <stdlib.h>

/* Clocks of machines that are kept right are closer together. */
#define CLOCK_TOLERANCE_SECONDS 60

/* How often to look for what others changed. */
#define TURN_MS_MAX 5000u
#define TURN_MS_MIN 100u

struct issuer *issuer_create(
    const struct issuer_settings *settings, const struct issuer_api *api, struct error *error)
{
    struct issuer *issuer = calloc(1, sizeof(*issuer));
    if (!issuer) {
        error_set_out_of_memory(error);
        return NULL;
    }
    issuer->settings = settings;
    issuer->api = *api;
    return issuer;
}

void issuer_free(struct issuer *issuer)
{
    if (!issuer)
        return;
    authorities_release(&issuer->known);
    secret_free(&issuer->read);
    secret_free(&issuer->bundle);
    X509_free(issuer->signer);
    free(issuer);
}

/*
 * The configurations first: a replica that changes authorities stores them before it publishes them, so the
 * Secret, which is read later, is never older than the configurations.
 */
static void look_at_cluster(struct issuer *issuer, struct look *look, struct issuer_turn *turn)
{
    const struct issuer_settings *settings = issuer->settings;
    char path[ISSUER_PATH_BYTES], what[ISSUER_PATH_BYTES];
    const struct kube_request get = {.method = "GET", .path = path};
    for (size_t i = 0; i < settings->configuration_count; i++) {
        const char *name = settings->configurations[i];
        snprintf(path, sizeof(path), ISSUER_CONFIGURATION_PATH, name);
        snprintf(what, sizeof(what), "cannot read ValidatingWebhookConfiguration %s", name);
        issuer_call(issuer, &get, 0, what, &look->configurations[i], turn);
    }
    snprintf(path, sizeof(path), "/api/v1/namespaces/%s/secrets/%s", settings->namespace, settings->secret);
    snprintf(what, sizeof(what), "cannot read Secret %s/%s", settings->namespace, settings->secret);
    issuer_call(issuer, &get, 404, what, &look->secret, turn);
}

/* A clock that was wrong stays so while the API server is away. */
static int64_t clock_of(struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn)
{
    int64_t ahead = look->secret.date ? now - look->secret.date : issuer->clock_ahead;
    if (ahead >= -CLOCK_TOLERANCE_SECONDS && ahead <= CLOCK_TOLERANCE_SECONDS)
        ahead = 0;
    issuer->clock_ahead = ahead;
    turn->clock_ahead = ahead;
    return now - ahead;
}

/* The next turn comes soon, to see that all changes of this one are in place. */
static uint64_t next_turn(const struct issuer_settings *settings, const struct issuer_turn *turn)
{
    uint64_t of_leaf = (uint64_t)settings->leaf_seconds * 1000 / 10;
    uint64_t of_soak = (uint64_t)settings->soak_seconds * 1000 / 5;
    uint64_t pause = min_u64(min_u64(of_leaf, of_soak), TURN_MS_MAX);
    if (turn->step != ROTATION_NONE || turn->was_restored || turn->published)
        pause /= 10;
    return pause > TURN_MS_MIN ? pause : TURN_MS_MIN;
}

static void release(struct look *look)
{
    for (size_t i = 0; i < ISSUER_CONFIGURATIONS_MAX; i++)
        kube_response_release(&look->configurations[i]);
    kube_response_release(&look->secret);
}

void issuer_take_turn(struct issuer *issuer, int64_t now, struct issuer_turn *turn)
{
    struct look look = {0};
    *turn = (struct issuer_turn){0};
    issuer->memory_failures = memory_failures();
    look_at_cluster(issuer, &look, turn);
    now = clock_of(issuer, &look, now, turn);
    issuer_keep_authorities(issuer, &look, now, turn);
    issuer_publish(issuer, &look, now, turn);
    issuer_renew_leaf(issuer, now, turn);
    issuer_find_trust(issuer, &look, turn);
    turn->is_trusted = issuer->is_trusted;
    turn->again_in_ms = next_turn(issuer->settings, turn);
    release(&look);
}

/* A certificate that is due is signed again: a leaf that covers no time is. */
void issuer_pair_not_served(struct issuer *issuer, struct issuer_turn *turn, const struct error *problem)
{
    issuer->served = (struct validity){0};
    turn->has_pair = false;
    turn->is_trusted = false;
    turn->problem = *problem;
}
