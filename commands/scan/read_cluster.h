/*
 * read_cluster.h: lists the objects of a cluster.
 *
 * Each kind is listed in pages. While the objects of one kind are judged, the first pages of the next kinds
 * come, each through a connection of its own; objects are judged in the order of the kinds, not in the order
 * in which they come.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_READ_CLUSTER_H
#define APPLYGUARD_COMMANDS_SCAN_READ_CLUSTER_H

#include "base/names.h"
#include "commands/scan/session.h"
#include "kubectl/cluster.h"

/* Objects of a page. */
#define SCAN_PAGE 500

/* Lists at a time. */
#define SCAN_LISTS 4

/* The time between the starts of two requests: at most 20 in a second. */
#define SCAN_PAUSE_MS 50

struct scan_cluster {
    /* Opens one more access to the cluster. Returns NULL and sets the error. */
    struct cluster *(*open)(const void *context, struct error *error);
    const void *context;
    const char *namespace; /* NULL: all, and the objects without one */
    struct names kinds; /* each may be several, with commas; none: all except kinds whose objects are copies
                           of others, or come and go by themselves */
    bool has_progress;  /* shown on standard error */
};

/* Complains about kinds that cannot be read, and reads the rest. */
void scan_read_cluster(struct scan_session *session, const struct scan_cluster *options);

#endif
