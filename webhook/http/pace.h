/*
 * pace.h: whether a client is to blame for a request, or for an answer that it reads, that takes too long.
 *
 * For connections whose place others want; progress.h has the limits of all. A client may take `patience_ms`,
 * and the time that its bytes take at 16 KB/s. A few bytes now and then are no excuse. The kernel counts what
 * comes and what is acknowledged, whatever the loop does meanwhile: what waits to be read is the loop's
 * fault, and so is the time in which a client waits for the server's part of the TLS handshake, or for the
 * loop to read, because the window is full.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_PACE_H
#define APPLYGUARD_WEBHOOK_HTTP_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel knows of a TCP connection. */
struct traffic {
    uint64_t received;     /* bytes, with those that are unread */
    uint64_t acknowledged; /* bytes that were sent, and that the client has */
    uint32_t pieces;       /* segments with data that have come; the count may wrap */
    uint32_t received_ago; /* milliseconds since the last data came, or since the start */
    uint32_t sent_ago;     /* milliseconds since the last data went, or since the start */
    uint64_t read_ago;     /* milliseconds since the server read of it, which may be long after data came */
    bool has_unread;       /* the server has not read all that has come */
    bool has_unsent;       /* the client has not acknowledged all that was sent */
};

/* Of what is under way: the handshake and the first request, a request, or an answer. */
struct pace {
    uint64_t begin; /* monotonic milliseconds */
    uint64_t received;
    uint64_t acknowledged;
    uint32_t pieces;
};

/* Of an open socket, from which the server last read `read_ago` milliseconds ago. Takes two system calls. */
struct traffic traffic_of(int socket, uint64_t read_ago);

/* Something has begun at `now`, or is seen to be under way. */
struct pace pace_start(const struct traffic *traffic, uint64_t now);

/* Excludes the last `lost` milliseconds before `now`, in which the loop did not run. */
void pace_excuse(struct pace *pace, uint64_t lost, uint64_t now);

bool pace_is_slow_to_send(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms);

bool pace_is_slow_to_read(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms);

#endif
