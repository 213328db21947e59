/*
 * sources.h: the addresses that the connections of one loop come from, and how many each has.
 *
 * An address may be a proxy of all API servers, so none is refused for having many. But where others wait, an
 * address that has more than its share of the places is the first to give one up.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_SOURCES_H
#define APPLYGUARD_WEBHOOK_HTTP_SOURCES_H

#include "base/siphash.h"
#include "webhook/http/h2o_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What of an address tells one from another: of IPv6 the first half, because whoever has a host has the
 * second half to choose from; IPv4 as a whole, in the form that IPv6 has for it.
 */
struct source_address {
    uint64_t words[2];
};

struct source {
    struct source *next; /* of the same bucket */
    struct source_address address;
    size_t count;
    h2o_linklist_t large; /* among sources.large while it has more than its share */
    h2o_linklist_t idle;  /* whatever its holder keeps of it, in order */
};

struct sources {
    struct source **buckets;
    size_t mask;
    size_t share;         /* connections that one has without giving any up */
    h2o_linklist_t large; /* those that have more, which are a few at most */
    struct siphash_seed seed;
};

/* For so many connections. False if there is no memory or no random number. Must not move from here on. */
bool sources_open(struct sources *sources, size_t connections);

/* After the last connection has left. Accepts one that could not be opened. */
void sources_close(struct sources *sources);

/* The address of the other end. */
struct source_address source_address_of(int socket);

/* Counts a connection from this address. NULL if there is no memory. It lives until the last has left. */
struct source *source_enter(struct sources *sources, struct source_address address);

/* Accepts NULL. */
void source_leave(struct sources *sources, struct source *source);

/* Whether it has more than its share. Accepts NULL, which has not. */
bool source_is_large(struct source *source);

#endif
