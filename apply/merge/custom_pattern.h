/*
 * custom_pattern.h: whether a text matches a pattern of a schema.
 *
 * The API server matches by Go's RE2, anywhere in the text. The C library matches here: the part of RE2 that
 * extended regular expressions of POSIX can say is rewritten for it. Whether other patterns match is unknown,
 * as for patterns and texts that would take the C library long.
 */
#ifndef APPLYGUARD_APPLY_MERGE_CUSTOM_PATTERN_H
#define APPLYGUARD_APPLY_MERGE_CUSTOM_PATTERN_H

#include "base/arena.h"
#include "base/effort.h"
#include "base/slice.h"

struct custom_expression;

/* The patterns that were compiled. At first, all but the arena is zero. */
struct custom_patterns {
    struct arena *arena;
    struct custom_expression *first;
    size_t count;
    size_t compiled; /* the sizes of all expressions */
    size_t effort;   /* the sizes of expressions times the lengths of texts */
};

/* A pattern is known by its address: it lives as long as `patterns`. */
enum search_answer custom_pattern_matches(
    struct custom_patterns *patterns, struct slice pattern, struct slice text);

/* Frees what was compiled. */
void custom_patterns_free(struct custom_patterns *patterns);

#endif
