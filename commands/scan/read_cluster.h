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

/* Requests in a second, and lists at a time. */
#define SCAN_RATE 20
#define SCAN_RATE_MAX 1000
#define SCAN_LISTS 4
#define SCAN_LISTS_MAX 16

struct scan_cluster {
    /* Opens one more access to the cluster. Returns NULL and sets the error. */
    struct cluster *(*open)(const void *context, struct error *error);
    const void *context;
    const char *namespace; /* NULL: all, and the objects without one */
    struct names kinds; /* each may be several, with commas; none: all except kinds whose objects are copies
                           of others, or come and go by themselves */
    unsigned rate;      /* 1 to SCAN_RATE_MAX */
    unsigned lists;     /* 1 to SCAN_LISTS_MAX */
    bool has_progress;  /* shown on standard error */
};

/* Complains about kinds that cannot be read, and reads the rest. */
void scan_read_cluster(struct scan_session *session, const struct scan_cluster *options);

#endif
