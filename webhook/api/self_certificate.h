/*
 * self_certificate.h: this server's certificates, made by itself with an authority that the cluster's Secret
 * keeps (issuer/).
 *
 * It looks at the cluster again and again. Within its turn it waits for the API server, and the worker goes
 * on with the others; what it computes itself is an elliptic-curve key and a few signatures, some
 * milliseconds.
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
 * Done by the worker, which stays until self_certificate_free, as does all that is given but `settings`
 * itself. NULL and an error if there is no memory.
 */
struct self_certificate *self_certificate_create(
    struct api_worker *worker, const struct issuer_settings *settings, struct tls *tls, struct log *log,
    struct error *error);

/* Once the worker was stopped, and nobody is left who may ask for its state. Accepts NULL. */
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
