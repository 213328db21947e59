/*
 * issuer.h: issues certificates without any other tool. The authority is in a Secret of the cluster, each
 * process has a short-lived leaf only in memory, and the webhook configurations have the authority's
 * certificate in caBundle.
 *
 * Any number of replicas do this concurrently without a leader. Each reads the stored state, takes the next
 * step of rotation.h if one is due, and writes the result only if no other replica has written meanwhile.
 * Nothing here reads a clock, opens a connection or waits: the caller calls issuer_take_turn regularly.
 */
#ifndef APPLYGUARD_ISSUER_ISSUER_H
#define APPLYGUARD_ISSUER_ISSUER_H

#include "base/error.h"
#include "certs/key.h"
#include "certs/pair.h"
#include "certs/rotation.h"
#include "kube/client.h"

#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ISSUER_CONFIGURATIONS_MAX 8

/* The time after which every API server certainly uses a published bundle. */
#define ISSUER_SOAK_SECONDS ((int64_t)600)

/* The caller owns all pointers, which must stay valid. */
struct issuer_settings {
    const char *namespace;
    const char *secret;
    const char *configurations[ISSUER_CONFIGURATIONS_MAX]; /* ValidatingWebhookConfigurations */
    size_t configuration_count;
    const char *authority_name; /* what the authorities' names begin with */
    GENERAL_NAMES *names;       /* of the leafs */
    enum key_kind key_kind;
    int64_t authority_seconds;
    int64_t leaf_seconds;
    int64_t soak_seconds;
    uint32_t random; /* any number, different for each replica: it spreads renewals */
};

/* How the API is asked: as kube_call does. The caller may do other things until the answer comes, but must
 * not take another turn of this issuer. */
struct issuer_api {
    void *client;
    int (*call)(
        void *client, const struct kube_request *request, struct kube_response *response,
        struct error *error);
};

struct issuer;

/* NULL and an error if memory runs out. Freed with issuer_free. */
struct issuer *issuer_create(
    const struct issuer_settings *settings, const struct issuer_api *api, struct error *error);

/* Accepts NULL. */
void issuer_free(struct issuer *issuer);

/* The outcome of a turn. */
struct issuer_turn {
    bool has_pair;           /* serve `pair` from now on; the caller owns it */
    struct pair pair;        /* empty unless has_pair */
    enum rotation_step step; /* the step that this replica took */
    bool was_restored;       /* the Secret was lost or unusable, and this replica restored it from memory */
    size_t published;        /* how many configurations were given the bundle */
    bool is_trusted;         /* the configurations trust what is served */
    int64_t
        clock_ahead; /* seconds by which the caller's clock is ahead of the API server's, if that is much */
    uint64_t again_in_ms;  /* when to take the next turn, at the latest */
    struct error problem;  /* the first failure; an empty message: none */
    struct error unusable; /* why the stored Secret could not be used; empty: it could */
};

/*
 * Checks the cluster once and does what is due. `now` is the caller's clock, in seconds since 1970. If the
 * API server's clock differs much, its clock is used, because it verifies the certificates.
 */
void issuer_take_turn(struct issuer *issuer, int64_t now, struct issuer_turn *turn);

/*
 * The caller could not serve the turn's pair, so this turn proves nothing about what is served; the next one
 * makes another pair. `problem` becomes the turn's problem.
 */
void issuer_pair_not_served(struct issuer *issuer, struct issuer_turn *turn, const struct error *problem);

#endif
