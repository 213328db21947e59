/*
 * fingerprint.h: what tells one finding from another when lines have moved.
 */
#ifndef APPLYGUARD_REPORT_FINGERPRINT_H
#define APPLYGUARD_REPORT_FINGERPRINT_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdint.h>

/* No line, column or message: these change when something else in the file does, or the wording. */
struct fingerprint_parts {
    struct slice rule, file, kind, namespace, name;
    const struct slice *fields;
    size_t field_count;
};

/*
 * A hash of the parts as they are printed, so that it is the same for what was read back from a report. The
 * same on every machine and in every version. 0 if there is no memory. It is no secret and no signature: who
 * may write the manifests can write others with the same one.
 */
uint64_t fingerprint(const struct fingerprint_parts *parts, struct arena *arena);

#endif
