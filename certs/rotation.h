/*
 * rotation.h: when the authority changes, and in which steps, so that no client ever meets a leaf that it
 * cannot check.
 *
 * Clients trust a bundle of authorities, and learn of a new bundle some time after it is published. So the
 * next authority is staged first (it is in the bundle and signs nothing), then after a soak it is promoted
 * and signs, and the previous one stays in the bundle until the last leaf that it signed has expired. Times
 * and validities alone decide, so any replica may take a step, and all come to the same one.
 */
#ifndef APPLYGUARD_CERTS_ROTATION_H
#define APPLYGUARD_CERTS_ROTATION_H

#include "certs/validity.h"

#include <stdbool.h>
#include <stdint.h>

enum rotation_step {
    ROTATION_NONE,    /* all is well until `again_at` */
    ROTATION_CREATE,  /* nothing valid signs: make a current authority, whatever there was goes */
    ROTATION_STAGE,   /* make the next authority and put it into the bundle */
    ROTATION_PROMOTE, /* the next becomes the current, the current the previous */
    ROTATION_DROP,    /* the previous leaves the bundle */
    ROTATION_UNSTAGE, /* the next will never sign: it leaves the bundle */
};

/* An authority with not_after 0 is not there. */
struct rotation_state {
    struct validity current;
    struct validity next;
    struct validity previous;
    int64_t staged_at;   /* when `next` came into the bundle */
    int64_t promoted_at; /* when `current` began to sign */
};

struct rotation_plan {
    int64_t soak_seconds; /* from publishing a bundle until every client goes by it, amply */
    int64_t leaf_seconds; /* the longest life of a leaf */
};

struct rotation_decision {
    enum rotation_step step;
    int64_t again_at; /* when the next step is due, if none is now */
};

/* The step to take at `now`. `random` spreads renewals as in validity_renewal. */
struct rotation_decision rotation_decide(
    const struct rotation_state *state, const struct rotation_plan *plan, int64_t now, uint32_t random);

/* What taking the step at `now` makes of the state; `made` is the authority that a step makes. */
struct rotation_state rotation_take(
    const struct rotation_state *state, enum rotation_step step, struct validity made, int64_t now);

#endif
