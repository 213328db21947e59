/*
 * releases.h: the releases of Helm, and the objects of releases that other managers have changed. Private to
 * commands/scan/.
 *
 * Objects and releases come in any order. The deployed revision of each release is kept, packed. An
 * object is kept if another manager owns fields that the next upgrade may change: it is compared with the
 * manifest of its release, and judged, after the last object.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_RELEASES_H
#define APPLYGUARD_COMMANDS_SCAN_RELEASES_H

#include "base/name_table.h"
#include "policy/analysis/stored_object.h"
#include "policy/review/review.h"

/* The limit of what is kept. Releases and objects beyond it are not compared. */
#define SCAN_RELEASES_BYTES_MAX ((size_t)24 * 1024 * 1024)

/* The limit of what is unpacked of all releases. */
#define SCAN_UNPACKED_BYTES_MAX ((size_t)1024 * 1024 * 1024)

struct scan_releases {
    struct arena *arena;
    struct name_table revisions; /* by namespace and name of the release */
    struct name_table objects;   /* struct scan_released */
    size_t bytes;                /* that are kept */
    uint64_t unread;             /* releases and objects that are not compared */
};

/* An object of a release. */
struct scan_released {
    struct slice key;       /* as of scan_related */
    struct slice release;   /* its namespace and name, each with a NUL behind it */
    struct slice json;      /* scan_released_json */
    struct slice applier;   /* the name of the manager */
    struct slice manifest;  /* the object in the manifest of the release, as JSON; empty: not known */
    struct manager *losers; /* the managers that may lose fields */
    size_t loser_count;
    bool is_compared;
    struct stored_upgrade upgrade; /* after the comparison, but for its manifest */
};

void scan_releases_start(struct scan_releases *releases, struct arena *arena);

/* Keeps the release that the object stores, if it does. Returns false if memory runs out. */
bool scan_releases_add(struct scan_releases *releases, const struct review *review);

/*
 * Keeps the object if it is one of those to compare: then `*is_kept`, and it is judged later. Returns false
 * if memory runs out.
 */
bool scan_releases_keep(struct scan_releases *releases, const struct review *review, bool *is_kept);

/* After the last object: finds what the upgrades do. Returns false if memory runs out. */
bool scan_releases_compare(struct scan_releases *releases);

#endif
