/* fingerprint.h: an identity of a finding that stays the same when lines move. */
#ifndef APPLYGUARD_REPORT_FINGERPRINT_H
#define APPLYGUARD_REPORT_FINGERPRINT_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdint.h>

/* It has no line, column or message: these change with other parts of the file, or with the wording. */
struct fingerprint_parts {
    struct slice rule, file, kind, namespace, name;
    const struct slice *fields;
    size_t field_count;
};

/*
 * A hash of the parts as they are printed, so that a finding that is read from a report has the same one. It
 * is the same on every machine and in every version. Returns 0 if memory runs out. It protects nothing:
 * authors of manifests can write other manifests with the same fingerprint.
 */
uint64_t fingerprint(const struct fingerprint_parts *parts, struct arena *arena);

#endif
