/*
 * pace.h: decides whether a client is to blame for a request or an answer that takes too long.
 *
 * It judges connections whose place others want; progress.h has the limits for all connections. A client may
 * take `patience_ms`, and the time that its bytes take at 16 KB/s. A few bytes now and then do not help. The
 * kernel counts received and acknowledged bytes, also while the loop is busy: unread data is the loop's
 * fault, and so is the time in which a client waits for the server's part of the TLS handshake, or for the
 * loop to read, because the window is full.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_PACE_H
#define APPLYGUARD_WEBHOOK_HTTP_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel's counters of a TCP connection. */
struct traffic {
    uint64_t received;     /* bytes, including unread ones */
    uint64_t acknowledged; /* bytes that were sent and that the client has acknowledged */
    uint32_t pieces;       /* received segments with data; the count may wrap */
    uint32_t received_ago; /* milliseconds since data last came, or since the start */
    uint32_t sent_ago;     /* milliseconds since data was last sent, or since the start */
    uint64_t
        read_ago;    /* milliseconds since the server last read from it, which may be long after data came */
    bool has_unread; /* the server has not read all received data */
    bool has_unsent; /* the client has not acknowledged all sent data */
};

/* The state at the beginning of a transfer: the handshake and the first request, a request, or an answer. */
struct pace {
    uint64_t begin; /* monotonic milliseconds */
    uint64_t received;
    uint64_t acknowledged;
    uint32_t pieces;
};

/*
 * The counters of an open socket, from which the server last read `read_ago` milliseconds ago. Takes two
 * system calls.
 */
struct traffic traffic_of(int socket, uint64_t read_ago);

/* A transfer has begun at `now`, or was found in progress. */
struct pace pace_start(const struct traffic *traffic, uint64_t now);

/* Excludes the last `lost` milliseconds before `now`, in which the loop did not run. */
void pace_excuse(struct pace *pace, uint64_t lost, uint64_t now);

bool pace_is_slow_to_send(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms);

bool pace_is_slow_to_read(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms);

#endif
