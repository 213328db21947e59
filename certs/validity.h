/*
 * validity.h: the validity of a certificate, in seconds since 1970, and when to renew it.
 */
#ifndef APPLYGUARD_CERTS_VALIDITY_H
#define APPLYGUARD_CERTS_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A certificate's validity begins this long before its creation, because clocks of other machines may be
 * behind.
 */
#define BACKDATE_SECONDS 3600

struct validity {
    int64_t not_before;
    int64_t not_after;
};

bool validity_covers(struct validity validity, int64_t now);

/*
 * When to renew: two thirds of the lifetime after creation, or up to a fifteenth of the lifetime earlier.
 * `random` (any number) determines how much earlier, so that replicas do not all renew in the same second.
 */
int64_t validity_renewal(struct validity validity, uint32_t random);

/*
 * Whether to renew at `now`: after the renewal time, and also if the certificate is not yet valid by our
 * clock.
 */
bool validity_is_due(struct validity validity, uint32_t random, int64_t now);

#endif
