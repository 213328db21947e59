/*
 * sources.h: counts the connections of one loop by client address.
 *
 * An address may be a proxy of all API servers, so it is never refused for having many connections. But if
 * others wait, a connection of an address with more than its share is closed first.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_SOURCES_H
#define APPLYGUARD_WEBHOOK_HTTP_SOURCES_H

#include "base/siphash.h"
#include "webhook/http/h2o_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The part of an address that identifies a client: the first half of an IPv6 address, because a host can
 * choose the second half; the whole of an IPv4 address, mapped to IPv6.
 */
struct source_address {
    uint64_t words[2];
};

struct source {
    struct source *next; /* of the same bucket */
    struct source_address address;
    size_t count;
    h2o_linklist_t large; /* among sources.large while it has more than its share */
    h2o_linklist_t idle;  /* its idle connections, the longest idle first */
};

struct sources {
    struct source **buckets;
    size_t mask;
    size_t share;         /* the number of connections that a source may keep */
    h2o_linklist_t large; /* sources with more than that, which are few */
    struct siphash_seed seed;
};

/*
 * Makes room for `connections` connections. Returns false if memory or random numbers are not available. The
 * struct must not move afterwards.
 */
bool sources_open(struct sources *sources, size_t connections);

/* Call it after the last source_leave. Accepts one that could not be opened. */
void sources_close(struct sources *sources);

/* The address of the peer. */
struct source_address source_address_of(int socket);

/*
 * Counts a connection from this address. Returns NULL if memory runs out. The source lives until its last
 * connection leaves.
 */
struct source *source_enter(struct sources *sources, struct source_address address);

/* Accepts NULL. */
void source_leave(struct sources *sources, struct source *source);

/* Whether the source has more than its share. Returns false for NULL. */
bool source_is_large(struct source *source);

#endif
