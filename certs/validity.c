#include "certs/validity.h"

#define JITTER_PART 15

bool validity_covers(struct validity validity, int64_t now)
{
    return validity.not_before <= now && now <= validity.not_after;
}

int64_t validity_renewal(struct validity validity, uint32_t random)
{
    int64_t made = validity.not_before + BACKDATE_SECONDS;
    if (made >= validity.not_after) /* not one of ours */
        made = validity.not_before;
    int64_t life = validity.not_after - made;
    int64_t most = life / JITTER_PART;
    int64_t jitter = most > 0 ? (int64_t)random % most : 0;
    return made + life * 2 / 3 - jitter;
}

bool validity_is_due(struct validity validity, uint32_t random, int64_t now)
{
    return !validity_covers(validity, now) || now >= validity_renewal(validity, random);
}
