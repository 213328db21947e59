/*
 * issuer.h: certificates without anything beside applyguard: an authority in a Secret of the cluster, a
 * short-lived leaf of this process in memory alone, and the authority's certificate in the caBundle of the
 * webhook configurations.
 *
 * Any number of replicas do this side by side and none leads: each looks at what is stored, takes the next
 * step of rotation.h if one is due, and writes it only if nobody wrote meanwhile. Nothing here reads a clock,
 * opens a connection or waits; the caller takes turns.
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

/* How long after a bundle is published every API server goes by it, amply. */
#define ISSUER_SOAK_SECONDS ((int64_t)600)

/* All pointers are the caller's and must stay. */
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
    uint32_t random; /* any number of this replica's own: it spreads renewals */
};

/* How the API is asked: as kube_call does. What waits for the answer may do other things meanwhile, but take
 * no turn of this issuer. */
struct issuer_api {
    void *client;
    int (*call)(
        void *client, const struct kube_request *request, struct kube_response *response,
        struct error *error);
};

struct issuer;

/* NULL and an error if there is no memory. Freed with issuer_free. */
struct issuer *issuer_create(
    const struct issuer_settings *settings, const struct issuer_api *api, struct error *error);

/* Accepts NULL. */
void issuer_free(struct issuer *issuer);

/* What came of a turn. */
struct issuer_turn {
    bool has_pair;           /* `pair` is to be served from now on; the caller takes it over */
    struct pair pair;        /* empty unless has_pair */
    enum rotation_step step; /* that this replica took */
    bool was_restored;       /* the Secret was lost or unusable, and what this replica knew was written */
    size_t published;        /* configurations that were given the bundle */
    bool is_trusted;         /* the configurations were found to trust what is served */
    int64_t clock_ahead;     /* seconds by which the caller's clock is ahead of the API server's, if many */
    uint64_t again_in_ms;    /* when to take the next turn, at the latest */
    struct error problem;    /* the first thing that did not work; an empty message: all did */
    struct error unusable;   /* why the Secret that was found could not be used; empty: it could */
};

/*
 * Looks at the cluster once, and does what is due. `now` is the caller's clock, in seconds since 1970. Where
 * the API server's differs by more than clocks do, its clock counts: it is who checks the certificates.
 */
void issuer_take_turn(struct issuer *issuer, int64_t now, struct issuer_turn *turn);

#endif
