/*
 * custom_format.h: whether a text has a format of a schema.
 *
 * The API server checks the formats that it knows (apiextensions-apiserver,
 * pkg/apiserver/validation/formats.go) and ignores others; dashes in their names do not count.
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_FORMAT_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_FORMAT_H

#include "apply/merge/custom_pattern.h"

/* Whether the API server checks texts of that format. */
bool custom_format_is_known(struct slice format);

/* A text has every unknown format. */
enum search_answer custom_format_fits(
    struct custom_patterns *patterns, struct slice format, struct slice text);

#endif
