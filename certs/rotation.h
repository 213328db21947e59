/*
 * rotation.h: when and in which steps to replace the authority, so that every client can always verify the
 * served leaf.
 *
 * Clients trust a bundle of authorities, and load a new bundle some time after it is published. So the next
 * authority is first staged: it is in the bundle but does not sign. After a soak time it is promoted and
 * signs. The previous one stays in the bundle until the last leaf that it signed has expired. The decision
 * depends only on times and validities, so any replica may take a step, and all replicas decide the same.
 */
#ifndef APPLYGUARD_CERTS_ROTATION_H
#define APPLYGUARD_CERTS_ROTATION_H

#include "certs/validity.h"

#include <stdbool.h>
#include <stdint.h>

enum rotation_step {
    ROTATION_NONE,    /* nothing to do until `again_at` */
    ROTATION_CREATE,  /* no signer is valid: create a current authority, and drop all others */
    ROTATION_STAGE,   /* create the next authority and add it to the bundle */
    ROTATION_PROMOTE, /* the next becomes current, the current becomes previous */
    ROTATION_DROP,    /* remove the previous from the bundle */
    ROTATION_UNSTAGE, /* the next will never sign: remove it from the bundle */
};

/* not_after is 0 if the authority does not exist. */
struct rotation_state {
    struct validity current;
    struct validity next;
    struct validity previous;
    int64_t staged_at;   /* when `next` was added to the bundle */
    int64_t promoted_at; /* when `current` began to sign */
};

struct rotation_plan {
    int64_t soak_seconds; /* from publishing a bundle until every client uses it, with reserve */
    int64_t leaf_seconds; /* the longest lifetime of a leaf */
};

struct rotation_decision {
    enum rotation_step step;
    int64_t again_at; /* when the next step is due, if none is now */
};

/* The step to take at `now`. `random` spreads renewals as in validity_renewal. */
struct rotation_decision rotation_decide(
    const struct rotation_state *state, const struct rotation_plan *plan, int64_t now, uint32_t random);

#endif
