/*
 * self_certificate.h: issues this server's certificates with an authority that is stored in a Secret
 * (issuer/).
 *
 * It checks the cluster regularly. While its turn waits for the API server, the worker gives the others their
 * turns. Its own computations, an elliptic-curve key and a few signatures, take some milliseconds.
 */
#ifndef APPLYGUARD_WEBHOOK_API_SELF_CERTIFICATE_H
#define APPLYGUARD_WEBHOOK_API_SELF_CERTIFICATE_H

#include "base/error.h"
#include "issuer/issuer.h"
#include "system/log.h"
#include "webhook/api/api_worker.h"
#include "webhook/tls/tls.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct self_certificate;

/*
 * Everything that is passed, except `settings` itself, must live until self_certificate_free. Returns NULL
 * and sets the error if memory runs out.
 */
struct self_certificate *self_certificate_create(
    struct api_worker *worker, const struct issuer_settings *settings, struct tls *tls, struct log *log,
    struct error *error);

/* Call it after the worker has stopped, when nothing can read its state any more. Accepts NULL. */
void self_certificate_free(struct self_certificate *self);

/*
 * Whether the server has a certificate that the API server trusts. Once true it stays true: if the caBundle
 * is removed, this component restores it, and an unready server would not speed that up. Thread-safe.
 */
const atomic_bool *self_certificate_readiness(const struct self_certificate *self);

struct self_certificate_counts {
    uint64_t pairs;      /* issued certificates */
    uint64_t failures;   /* failed checks of the cluster */
    bool is_well;        /* the last check succeeded */
    int64_t clock_ahead; /* seconds by which this clock is ahead of the API server's */
};

/* Thread-safe. */
struct self_certificate_counts self_certificate_count(const struct self_certificate *self);

#endif
