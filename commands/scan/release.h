/*
 * release.h: a revision of a release of Helm, as its Secret or ConfigMap stores it. Private to
 * commands/scan/.
 *
 * The data of both is base64 of gzip of JSON, which has the chart, its values and the rendered manifest. The
 * memory for unpacking is bounded.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_RELEASE_H
#define APPLYGUARD_COMMANDS_SCAN_RELEASE_H

#include "policy/review/review.h"

#include <stdint.h>

/* The limit of a release's JSON. Its Secret has at most 1 MiB. */
#define SCAN_RELEASE_BYTES_MAX ((size_t)32 * 1024 * 1024)

struct scan_revision {
    struct slice namespace, name; /* of the release */
    uint64_t number;
};

/* Whether the object stores the deployed revision of a release. */
bool scan_revision_find(const struct review *review, struct scan_revision *revision);

/*
 * The JSON of the revision, still packed with gzip, in memory of the review's arena. `bytes` is NULL if it is
 * not stored as Helm does, or memory runs out.
 */
struct slice scan_revision_packed(const struct review *review);

struct scan_manifest {
    char *bytes; /* the caller frees them */
    struct slice text;
    size_t unpacked; /* bytes, also of a release that is refused */
};

/* Unpacks the manifest. Returns 1; 0 if it cannot be read or is too large, or -1 if memory runs out. */
int scan_manifest_unpack(struct slice packed, struct arena *arena, struct scan_manifest *manifest);

#endif
