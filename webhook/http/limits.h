/*
 * limits.h: the limits of connections and requests, each with its reason. They are constants, because they
 * follow from how the API server's client behaves and not from where applyguard runs.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LIMITS_H
#define APPLYGUARD_WEBHOOK_HTTP_LIMITS_H

#include <stdint.h>

/*
 * The kernel's buffers for a connection; the kernel may use twice as much, because of its own overhead. It
 * counts as the container's memory, and clients that send without reading fill both. The receive buffer is
 * enough for 3 MB/s over a link of 20 ms, and the other one for most answers.
 */
#define RECEIVE_BUFFER_BYTES (64 << 10)
#define SEND_BUFFER_BYTES (16 << 10)

/*
 * The API server's client keeps idle connections for 90 s, and does not repeat a POST on a connection that
 * the server has closed. An idle connection must therefore stay open clearly longer here.
 */
#define IDLE_LIMIT_MS 120000u

/* The client's own limit for a TLS handshake: it gives up slower ones. */
#define HANDSHAKE_LIMIT_MS 10000u

/* A request's headers have a few hundred bytes, which arrive together unless something is wrong. */
#define HEADERS_LIMIT_MS 10000u

/*
 * Bodies and answers may take 10 s, and another second for each 512 KiB. For 8 MiB this is 26 s, within the
 * longest timeout that a webhook may have, 30 s.
 */
#define TRANSFER_LIMIT_MS 10000u
#define TRANSFER_BYTES_PER_MS 512u

/* To close, TLS sends one packet; but the rest of a refused body may take long. */
#define CLOSING_LIMIT_MS 10000u

/*
 * At the limit of connections, a new one replaces a connection whose client has taken this long to send its
 * request, or to read its answer, unless data moves (pace.h). Otherwise such clients would keep the API
 * server out.
 */
#define SILENT_LIMIT_MS 2000u

/*
 * How many requests of one connection are judged in one iteration of its loop. Pipelined requests beyond that
 * wait, so that other connections do not.
 */
#define REQUESTS_PER_ITERATION 8u

/*
 * How many connections are accepted in one iteration. In a burst an iteration is long, because every accepted
 * connection has work to do: with one per iteration, the hundredth connection would wait for a hundred
 * iterations.
 */
#define ACCEPTS_PER_ITERATION 64u

/* How often connections are checked, and so the delay with which a limit is noticed. */
#define SWEEP_INTERVAL_MS 1000u

/* The interval while draining, when each wait uses up the grace period. */
#define DRAIN_SWEEP_INTERVAL_MS 50u

#endif
