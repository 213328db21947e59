/*
 * kept_values.h: whether the value of a field is the same before and after the request.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_KEPT_VALUES_H
#define APPLYGUARD_POLICY_ANALYSIS_KEPT_VALUES_H

#include "policy/fieldset/lookup.h"
#include "policy/review/review.h"

#include <stdbool.h>

struct kept_values {
    const struct review *review;
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
};

/* Returns false if memory runs out. Paths in the order of a walk are found fastest. */
bool kept_values_start(struct kept_values *values, const struct review *review);

/*
 * ANSWER_NO if the value has changed. Unknown for what either object lacks, and for bare membership: neither
 * has a value to compare.
 */
enum search_answer kept_values_has(struct kept_values *values, const struct path *path);

/*
 * Whether the API server, or its admission, puts back what a writer leaves out, or stores what is written in
 * another form: then a writer may own the field without a change of value, and its owners lose it
 * nevertheless.
 */
bool kept_values_are_restored(const struct review *review, const struct path *path);

/* Whether the field is a quantity, by its name. */
bool kept_values_are_quantities(const struct path *path);

/*
 * Whether the value may have been written in another form than it is stored in, so that the API server takes
 * it for a change: a quantity, or a list or map that is owned as one value. Storing spells 1000m as 1, leaves
 * out an empty list such as tolerations: [] inside of an item, and adds defaults.
 */
bool kept_values_may_have_other_form(struct kept_values *values, const struct path *path);

#endif
