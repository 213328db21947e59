/* timestamp.h: which texts Go's YAML reads as a time; kubectl keeps them as strings. */
#ifndef APPLYGUARD_MANIFEST_TIMESTAMP_H
#define APPLYGUARD_MANIFEST_TIMESTAMP_H

#include "base/slice.h"

#include <stdbool.h>

/* go.yaml.in/yaml/v2, parseTimestamp: a date, or a date and a time. */
bool timestamp_is_yaml(struct slice text);

/* 2006-01-02 */
bool timestamp_is_date(struct slice text);

/* The format that metav1.Time reads: RFC 3339. */
bool timestamp_is_rfc3339(struct slice text);

#endif
