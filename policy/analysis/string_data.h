/*
 * string_data.h: values that an applier of a Secret declares plain.
 *
 * The API server stores stringData as data, and leaves the manifest's name in the Apply entry. Changing data
 * takes nothing from that entry, and the next apply writes the declared values again.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_STRING_DATA_H
#define APPLYGUARD_POLICY_ANALYSIS_STRING_DATA_H

#include "policy/review/review.h"

#include <stdbool.h>

/* The fields of stringData that an Apply entry owns; NULL: it owns none, or the object is not a Secret. */
yyjson_val *string_data_of(const struct review *review, const struct managed_fields_entry *entry);

/* Whether an entry of the old object owns some. */
bool string_data_is_applied(const struct review *review);

#endif
