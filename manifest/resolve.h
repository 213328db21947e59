/* resolve.h: the value of a scalar in kubectl, by its text and tag (go.yaml.in/yaml/v2, resolve.go). */
#ifndef APPLYGUARD_MANIFEST_RESOLVE_H
#define APPLYGUARD_MANIFEST_RESOLVE_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum resolved_kind {
    RESOLVED_NULL,
    RESOLVED_BOOL,
    RESOLVED_INT,
    RESOLVED_NATURAL,   /* an integer beyond INT64_MAX */
    RESOLVED_REAL,      /* may be infinite or NaN */
    RESOLVED_TIMESTAMP, /* kept as its text */
    RESOLVED_TEXT
};

struct resolved {
    enum resolved_kind kind;
    union {
        bool boolean;
        int64_t integer;
        uint64_t natural;
        double real;
    };
    struct slice text; /* RESOLVED_TEXT and RESOLVED_TIMESTAMP */
};

/*
 * `tag` is empty, or resolved by libyaml: tag:yaml.org,2002:int or !mine. `is_plain` is libyaml's
 * plain_implicit: without quotes, and without a tag except "!". On failure returns false, and sets `problem`
 * to a sentence; returns NULL if memory ran out.
 */
bool resolve_scalar(
    struct slice tag, bool is_plain, struct slice text, struct arena *arena, struct resolved *resolved,
    const char **problem);

#endif
