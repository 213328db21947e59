/*
 * lookup_outcome.h: the outcomes of look-ups of scaled objects.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_LOOKUP_OUTCOME_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_LOOKUP_OUTCOME_H

enum lookup_outcome {
    LOOKUP_FETCHED,
    LOOKUP_KEPT,       /* fetched for another review of the same version */
    LOOKUP_FAILED,     /* `error` says why */
    LOOKUP_LATE,       /* not done in time, because of other look-ups */
    LOOKUP_OVERLOADED, /* too many wait: not begun */
};
#define LOOKUP_OUTCOME_COUNT 5

/* "fetched", "kept", "failed", "late", "overloaded". */
const char *lookup_outcome_name(enum lookup_outcome outcome);

#endif
