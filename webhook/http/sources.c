#include "webhook/http/sources.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

/* One address may have 1/SHARES of the places. Fewer than SHARES addresses can have more than that. */
#define SHARES 4

bool sources_open(struct sources *sources, size_t connections)
{
    size_t buckets = 4;
    while (buckets < connections)
        buckets *= 2;
    sources->mask = buckets - 1;
    sources->share = connections > SHARES ? connections / SHARES : 1;
    h2o_linklist_init_anchor(&sources->large);
    if (getrandom(&sources->seed, sizeof(sources->seed), 0) != sizeof(sources->seed))
        return false;
    sources->buckets = calloc(buckets, sizeof(struct source *));
    return sources->buckets != NULL;
}

void sources_close(struct sources *sources)
{
    free(sources->buckets);
    sources->buckets = NULL;
}

static struct source_address of_ipv4(const struct in_addr *address)
{
    return (struct source_address){{0, (uint64_t)0xffff << 32 | ntohl(address->s_addr)}};
}

static struct source_address of_ipv6(const struct in6_addr *address)
{
    struct source_address half = {{0}};
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        struct in_addr mapped;
        memcpy(&mapped, &address->s6_addr[12], sizeof(mapped));
        return of_ipv4(&mapped);
    }
    memcpy(&half.words[0], address->s6_addr, sizeof(half.words[0]));
    return half;
}

struct source_address source_address_of(int socket)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof(address);
    if (getpeername(socket, (struct sockaddr *)&address, &length) == 0) {
        if (address.ss_family == AF_INET)
            return of_ipv4(&((const struct sockaddr_in *)&address)->sin_addr);
        if (address.ss_family == AF_INET6)
            return of_ipv6(&((const struct sockaddr_in6 *)&address)->sin6_addr);
    }
    return (struct source_address){{0}};
}

static struct source **bucket_of(const struct sources *sources, const struct source_address *address)
{
    struct slice bytes = {(const char *)address->words, sizeof(address->words)};
    return &sources->buckets[siphash(bytes, sources->seed) & sources->mask];
}

static struct source *add(struct source **bucket, struct source_address address)
{
    struct source *source = calloc(1, sizeof(*source));
    if (!source)
        return NULL;
    source->address = address;
    source->next = *bucket;
    h2o_linklist_init_anchor(&source->idle);
    *bucket = source;
    return source;
}

struct source *source_enter(struct sources *sources, struct source_address address)
{
    struct source **bucket = bucket_of(sources, &address), *source = *bucket;
    while (source && memcmp(&source->address, &address, sizeof(address)) != 0)
        source = source->next;
    if (!source)
        source = add(bucket, address);
    if (source && ++source->count == sources->share + 1)
        h2o_linklist_insert(&sources->large, &source->large);
    return source;
}

void source_leave(struct sources *sources, struct source *source)
{
    if (!source)
        return;
    if (source->count-- == sources->share + 1)
        h2o_linklist_unlink(&source->large);
    if (source->count)
        return;
    struct source **link = bucket_of(sources, &source->address);
    while (*link != source)
        link = &(*link)->next;
    *link = source->next;
    free(source);
}

bool source_is_large(struct source *source)
{
    return source && h2o_linklist_is_linked(&source->large);
}
