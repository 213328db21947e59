/*
 * annotation_limits.h: from how many bytes of annotations on a rule warns and denies.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_ANNOTATION_LIMITS_H
#define APPLYGUARD_POLICY_ANALYSIS_ANNOTATION_LIMITS_H

#include "policy/rule_definition.h"

/* The API server's limit on all annotations together (apimachinery, validation.TotalAnnotationSizeLimitB). */
#define ANNOTATIONS_BYTES_LIMIT 262144

struct annotation_limits {
    size_t warn_bytes;
    size_t deny_bytes;
};

/* The settings of such a rule, their defaults, and what is wrong with them. */
extern const struct setting annotation_limit_settings[2];
extern const struct annotation_limits annotation_limit_defaults;
const char *annotation_limits_check(const void *settings, bool is_on);

#endif
