/*
 * progress.h: when a connection is too slow.
 *
 * A sweep sees each connection as it stands: nothing buffered, half a request, an answer that is not away
 * yet. From one sweep to the next this keeps since when a connection has been in that state, and says when
 * that has taken longer than an honest client needs. All times are of the monotonic clock.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_PROGRESS_H
#define APPLYGUARD_WEBHOOK_HTTP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase {
    PHASE_HANDSHAKE, /* TLS is not up yet */
    PHASE_IDLE,      /* between requests, nothing of the next one has come */
    PHASE_HEADERS,   /* a request has begun */
    PHASE_BODY,      /* its headers are complete, its body is not */
    PHASE_ANSWER,    /* an answer is being written */
    PHASE_CLOSING,   /* HTTP is done with it: TLS says goodbye, or a refused body comes to its end */
};

#define PHASE_COUNT 6

/* What a sweep sees of a connection. */
struct observation {
    bool is_http;    /* the handshake is over and HTTP has the connection */
    bool is_refused; /* without a request; what still comes is thrown away */
    bool is_writing;
    bool headers_complete;
    size_t received;  /* bytes of the current request */
    uint64_t written; /* bytes of all answers so far */
};

struct progress {
    enum phase phase;
    bool was_http;
    uint64_t since; /* milliseconds; the phase began then, or a little before */
    uint64_t written;
    uint64_t answer_bytes; /* of the answer being written */
};

/* The state of a connection accepted at `now`. */
struct progress progress_start(uint64_t now);

/* Takes a new observation in. An answer that began since the last one means that a new request is what
 * follows. */
void progress_observe(struct progress *progress, const struct observation *seen, uint64_t now);

/* Does not count `lost` milliseconds before `now` against the connection. */
void progress_excuse(struct progress *progress, uint64_t lost, uint64_t now);

/* Whether the phase has lasted too long. */
bool progress_is_over_limit(const struct progress *progress, size_t received, uint64_t now);

/* "handshake", "idle", "headers", "body", "answer", "closing". */
const char *phase_name(enum phase phase);

#endif
