/*
 * ownership_gains.h: fields that managedFields entries own after a request, and that it did not write.
 *
 * The API server gives a field to the writer alone, and by an update only if its value changes.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_GAINS_H
#define APPLYGUARD_POLICY_ANALYSIS_OWNERSHIP_GAINS_H

#include "policy/analysis/rewritten_fields.h"
#include "policy/fieldset/fields_element.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/rule_definition.h"

struct ownership_gains {
    struct rewritten_fields of_others;
    const struct manager *gainers; /* who did not write */
    size_t gainer_count;           /* at most FINDING_PREVIOUS_OWNERS_MAX */
    size_t gainer_total;
    struct rewritten_fields of_writer; /* by an update, with values that stay */
    const struct manager *versions;    /* whose entries have another apiVersion */
    size_t version_count;              /* at most FINDING_PREVIOUS_OWNERS_MAX */
    size_t version_total;
    enum fields_result unread;
};

/* Whether there may be any: most requests change no entry but that of an apply. */
bool ownership_gains_may_be(const struct review *review);

struct ownership_gains ownership_gains_find(const struct review *review, const struct manager_moves *moves);

#endif
