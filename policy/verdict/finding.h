/*
 * finding.h: what one rule found of one review.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_FINDING_H
#define APPLYGUARD_POLICY_VERDICT_FINDING_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/managers.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* Fields that one finding lists; the rest are counted. */
#define FINDING_FIELDS_MAX 32

/* Losers that one finding lists; the rest are counted. */
#define FINDING_LOSERS_MAX 16

struct finding {
    enum rule_id rule;
    enum action action;         /* what comes of it */
    enum action policy_action;  /* set by verdict_add: what would come of it without a ceiling on the mode */
    struct slice message;       /* one printable line, without rule or action; the object comes first */
    const struct slice *fields; /* printable, in the API server's path form */
    size_t field_count;
    size_t field_total; /* with those not listed */
    size_t
        field_known; /* of the total, those that `fields` points to though they are not listed; 0: no more */
    bool has_taker;
    struct manager
        taker; /* name empty: the request shows none. Names are raw text: print them through text.h */
    const struct manager *losers;
    size_t loser_count;
    size_t loser_total;
    struct slice waived_by; /* set by verdict_add: the annotation that lowered the action; empty: none did */
};

#endif
