/*
 * self_certificate.h: the thread that makes this server's certificates itself, with an authority that the
 * cluster's Secret keeps (issuer/).
 *
 * It is a thread of its own because it waits for the API server, which no review may have to.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_SELF_CERTIFICATE_H
#define APPLYGUARD_WEBHOOK_TLS_SELF_CERTIFICATE_H

#include "base/error.h"
#include "issuer/issuer.h"
#include "system/log.h"
#include "webhook/tls/tls.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct self_certificate;

/*
 * Starts the thread, before any other of the program that calls the API. NULL and an error for what can never
 * work, such as a kubeconfig that cannot be read. All that is given must stay until self_certificate_free.
 */
struct self_certificate *self_certificate_start(
    const struct issuer_settings *settings, const char *kubeconfig_path, struct tls *tls, struct log *log,
    struct error *error);

/* Ends a call under way, and joins the thread. Accepts NULL. */
void self_certificate_stop(struct self_certificate *self);

/* Once it was stopped, and nobody is left who may ask for its state. Accepts NULL. */
void self_certificate_free(struct self_certificate *self);

/*
 * From any thread: whether a certificate has been served that the API server was told to trust. Once true it
 * stays so: a caBundle that somebody wipes is put back, and not sooner by taking this server out of service.
 */
const atomic_bool *self_certificate_readiness(const struct self_certificate *self);

struct self_certificate_counts {
    uint64_t pairs;      /* that were made */
    uint64_t failures;   /* looks at the cluster that did not work */
    bool is_well;        /* the last one worked */
    int64_t clock_ahead; /* seconds by which this clock is ahead of the API server's */
};

/* From any thread. */
struct self_certificate_counts self_certificate_count(const struct self_certificate *self);

#endif
