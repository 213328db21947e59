/*
 * issuer_state.h: what an issuer knows between turns, and the parts of a turn.
 */
#ifndef APPLYGUARD_ISSUER_ISSUER_STATE_H
#define APPLYGUARD_ISSUER_ISSUER_STATE_H

#include "issuer/authorities.h"
#include "issuer/issuer.h"

/* Paths of the API, with names as long as they may be, and sentences about them. */
#define ISSUER_PATH_BYTES 640
#define ISSUER_CONFIGURATION_PATH "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/%s"

struct issuer {
    const struct issuer_settings *settings;
    struct issuer_api api;
    struct authorities known; /* as last stored; nothing before the first turn that worked */
    struct secret read;       /* the Secret of which `known` was read; empty: `known` was not read */
    struct secret bundle;     /* of `known`, as caBundle holds it */
    int64_t trusted_since; /* the configurations were found to have `bundle` ever since; 0: they have not */
    X509 *signer;          /* of the leaf that is served; NULL: none is */
    struct validity served;
    int64_t clock_ahead; /* of the API server's clock, when it last told its time */
    bool is_trusted;     /* the configurations were last found to trust the signer */
    bool has_published;  /* it put a bundle into a configuration, or found its own there */
};

/* What one look at the cluster showed. A response of status 0 is one that did not come. */
struct look {
    struct kube_response configurations[ISSUER_CONFIGURATIONS_MAX];
    struct kube_response secret;
};

/* Sets the turn's problem if it is the first. */
void turn_note(struct issuer_turn *turn, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Calls the API. False, and the turn's problem set, where no answer came, or one of another status than the
 * `expected` (0: of none but those of success). `what` begins the problem's sentence.
 */
bool issuer_call(
    struct issuer *issuer, const struct kube_request *request, long expected, const char *what,
    struct kube_response *response, struct issuer_turn *turn);

/* For how long the configurations have had the bundle. */
bool issuer_is_trusted_for(const struct issuer *issuer, int64_t seconds, int64_t now);

/* The authority of leafs that are served which is to be stored, too, and is not. Freed with X509_free; NULL
 * if there is none. */
X509 *issuer_left_out(
    const struct issuer *issuer, const struct look *look, const struct authorities *stored, int64_t now);

/* Reads the Secret that was found, takes the step that is due, and stores it. */
void issuer_keep_authorities(
    struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn);

/* Whether what is served is trusted by the configurations as they were found. */
void issuer_find_trust(struct issuer *issuer, const struct look *look);

/* Puts the bundle where it is missing. */
void issuer_publish(struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn);

/* Signs a leaf if one is due. */
void issuer_renew_leaf(struct issuer *issuer, int64_t now, struct issuer_turn *turn);

#endif
