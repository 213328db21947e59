/*
 * issuer_state.h: what an issuer knows between turns, and the parts of a turn.
 */
#ifndef APPLYGUARD_ISSUER_ISSUER_STATE_H
#define APPLYGUARD_ISSUER_ISSUER_STATE_H

#include "issuer/authorities.h"
#include "issuer/issuer.h"

/* The limit of a path of the API, and of a message about it: names of any valid length fit. */
#define ISSUER_PATH_BYTES 640
#define ISSUER_CONFIGURATION_PATH "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/%s"

struct issuer {
    const struct issuer_settings *settings;
    struct issuer_api api;
    struct authorities known; /* as last stored; nothing before the first turn that worked */
    struct secret read;       /* the Secret that `known` was read from; empty: none */
    struct secret bundle;     /* of `known`, as caBundle holds it */
    int64_t trusted_since;    /* since when the configurations have had `bundle`; 0: they do not have it */
    X509 *signer;             /* the authority of the leaf that is served; NULL: no leaf is served */
    struct validity served;
    size_t memory_failures; /* of this thread, when the turn began */
    int64_t clock_ahead;    /* of the API server's clock, when its time was last known */
    bool is_trusted;        /* the configurations trusted the signer in the last turn */
    bool has_published;     /* it has put its bundle into a configuration, or has found it there */
};

/* The objects that were read from the cluster. A response with status 0 did not arrive. */
struct look {
    struct kube_response configurations[ISSUER_CONFIGURATIONS_MAX];
    struct kube_response secret;
};

/* Sets the turn's problem, unless there is one already. */
void turn_note(struct issuer_turn *turn, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Calls the API. Returns true for a status of success or the `expected` one (0: none other). Otherwise
 * returns false and sets the turn's problem, a sentence that begins with `what`.
 */
bool issuer_call(
    struct issuer *issuer, const struct kube_request *request, long expected, const char *what,
    struct kube_response *response, struct issuer_turn *turn);

/*
 * Whether memory ran out in this turn: then what was read may hold more than was seen, nothing is decided by
 * it, and nothing written. It is the turn's problem.
 */
bool issuer_lacks_memory(const struct issuer *issuer, struct issuer_turn *turn);

/* Whether the configurations have had the bundle for so many seconds. */
bool issuer_is_trusted_for(const struct issuer *issuer, int64_t seconds, int64_t now);

/*
 * The authority of a leaf that is being served, if it has to be in the Secret and is not. NULL if it is
 * absent. The caller frees it with X509_free.
 */
X509 *issuer_left_out(
    const struct issuer *issuer, const struct look *look, const struct authorities *stored, int64_t now);

/* Reads the authorities from the Secret, takes the step that is due, and stores the result. */
void issuer_keep_authorities(
    struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn);

/* Checks whether the configurations, as they were read, trust the signer; sets `is_trusted`. */
void issuer_find_trust(struct issuer *issuer, const struct look *look, struct issuer_turn *turn);

/* Applies the bundle to the configurations that lack it. */
void issuer_publish(struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn);

/* Signs a leaf if one is due. */
void issuer_renew_leaf(struct issuer *issuer, int64_t now, struct issuer_turn *turn);

#endif
