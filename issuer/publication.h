/*
 * publication.h: checks and sets the caBundle of a ValidatingWebhookConfiguration.
 *
 * A server-side apply sets only this field, so applyguard owns no other field of the configuration, and
 * upgrades of a chart do not conflict with it.
 */
#ifndef APPLYGUARD_ISSUER_PUBLICATION_H
#define APPLYGUARD_ISSUER_PUBLICATION_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/* The field manager of all writes. */
#define ISSUER_FIELD_MANAGER "applyguard"

enum publication {
    PUBLICATION_DONE,  /* each webhook has exactly this bundle */
    PUBLICATION_DUE,   /* a webhook has another bundle, or none */
    PUBLICATION_WRONG, /* the answer is not a configuration with webhooks */
};

/* Compares the configuration's JSON with the bundle, in base64. */
enum publication publication_check(struct slice json, struct slice bundle);

/* Whether each webhook's caBundle contains the authority's certificate. */
bool publication_trusts(struct slice json, const X509 *authority);

/*
 * The newest certificate in the first webhook's caBundle that is valid at `now`: most likely the authority of
 * the served leafs. Free it with X509_free. NULL if it is absent.
 */
X509 *publication_newest(struct slice json, int64_t now);

/*
 * The body of the apply that sets the bundle. It has the object's uid, so that it never recreates an object
 * that was deleted meanwhile. Free it with secret_free. -1 if memory runs out.
 */
int publication_write(struct slice json, struct slice bundle, struct secret *apply, struct error *error);

#endif
