/*
 * validity.h: from when to when, in seconds since 1970, and when to renew within that.
 */
#ifndef APPLYGUARD_CERTS_VALIDITY_H
#define APPLYGUARD_CERTS_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

/* Clocks of other machines may be behind ours: a certificate is good from this long before it was made. */
#define BACKDATE_SECONDS 3600

struct validity {
    int64_t not_before;
    int64_t not_after;
};

bool validity_covers(struct validity validity, int64_t now);

/*
 * When to renew: at two thirds of the life, which begins when it was made, or up to a fifteenth of it
 * earlier. `random` (any number) says how much earlier, so that many replicas do not all renew in one second.
 */
int64_t validity_renewal(struct validity validity, uint32_t random);

/* Whether to renew at `now`: from the renewal on, and also where the clock says it is not good yet. */
bool validity_is_due(struct validity validity, uint32_t random, int64_t now);

#endif
