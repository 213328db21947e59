/*
 * progress.h: when a connection is too slow.
 *
 * A sweep sees only the current state of a connection: nothing buffered, a part of a request, or an answer
 * that is not yet sent. This module remembers between sweeps when the state began, and reports a state that
 * lasts longer than an honest client needs. All times are monotonic.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_PROGRESS_H
#define APPLYGUARD_WEBHOOK_HTTP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase {
    PHASE_HANDSHAKE, /* the TLS handshake is not complete */
    PHASE_IDLE,      /* between requests */
    PHASE_HEADERS,   /* a request has begun */
    PHASE_BODY,      /* the headers are complete, the body is not */
    PHASE_ANSWER,    /* an answer is being written */
    PHASE_CLOSING,   /* HTTP is done: TLS is closing, or a refused body is still arriving */
};

#define PHASE_COUNT 6

/* A connection's state at a sweep. */
struct observation {
    bool is_http;    /* the handshake is complete */
    bool is_refused; /* refused by the gate: data that still arrives is discarded */
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

/* Processes a new observation. If an answer has begun since the last one, the next request is a new one. */
void progress_observe(struct progress *progress, const struct observation *seen, uint64_t now);

/* Excludes the last `lost` milliseconds before `now`, which the loop itself caused. */
void progress_excuse(struct progress *progress, uint64_t lost, uint64_t now);

/* Whether the phase has lasted too long. */
bool progress_is_over_limit(const struct progress *progress, size_t received, uint64_t now);

/* "handshake", "idle", "headers", "body", "answer", "closing". */
const char *phase_name(enum phase phase);

#endif
