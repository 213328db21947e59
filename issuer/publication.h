/*
 * publication.h: the caBundle of a ValidatingWebhookConfiguration, as it is and as it should be.
 *
 * It is applied server-side with nothing beside it, so that of the whole configuration applyguard owns these
 * fields alone and no upgrade of a chart conflicts with it.
 */
#ifndef APPLYGUARD_ISSUER_PUBLICATION_H
#define APPLYGUARD_ISSUER_PUBLICATION_H

#include "base/error.h"
#include "base/slice.h"
#include "certs/key.h"

#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/* The field manager under which all is written. */
#define ISSUER_FIELD_MANAGER "applyguard"

enum publication {
    PUBLICATION_DONE,  /* each webhook has this very bundle */
    PUBLICATION_DUE,   /* one has another, or none */
    PUBLICATION_WRONG, /* the answer is no configuration with webhooks */
};

/* Compares the configuration's JSON with the bundle, in base64. */
enum publication publication_check(struct slice json, struct slice bundle);

/* Whether each webhook's caBundle, whatever else is in it, holds the authority's certificate. */
bool publication_trusts(struct slice json, const X509 *authority);

/*
 * The newest certificate in the first webhook's caBundle that is valid at `now`: whose leafs are being
 * served, most likely. Freed with X509_free; NULL if there is none.
 */
X509 *publication_newest(struct slice json, int64_t now);

/*
 * The apply that puts the bundle there. It names the object's uid, so that it never makes one anew that was
 * deleted meanwhile. Freed with secret_free. -1 if there is no memory.
 */
int publication_write(struct slice json, struct slice bundle, struct secret *apply, struct error *error);

#endif
