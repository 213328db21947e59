/*
 * lost_values.h: where lost fields are in the old object and in the object.
 *
 * A lost field is found by its value, and not by its printed path: without printing the paths that are asked
 * for, and however many fields are lost.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_LOST_VALUES_H
#define APPLYGUARD_POLICY_ANALYSIS_LOST_VALUES_H

#include "policy/analysis/lost_fields.h"

/* A value with all that it holds: they are one after another in memory. */
struct value_range {
    const yyjson_val *start, *end;
};

/* Values that hold each other are one range. */
struct value_ranges {
    struct value_range *items; /* ascending */
    size_t count;
};

struct lost_values {
    struct value_ranges before, after;
};

/*
 * Finds the values of the fields that are reported with at least that action, or that their tool puts back.
 * Returns false if memory runs out.
 */
bool lost_values_find(
    const struct lost_fields *lost, enum action action, struct arena *arena, struct lost_values *values);

/*
 * Whether a lost field is, or holds, the field with these values in the old object and in the object. Either
 * may be NULL: absent.
 */
bool lost_values_cover(
    const struct lost_values *values, const yyjson_val *old_value, const yyjson_val *value);

/* Whether a lost field is in this value of the old object. */
bool lost_values_are_in(const struct lost_values *values, const yyjson_val *old_value);

#endif
