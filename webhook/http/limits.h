/*
 * limits.h: the limits of connections and requests, each with its reason. They are the same for everybody,
 * because they follow from how the API server's client behaves and not from where applyguard runs.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LIMITS_H
#define APPLYGUARD_WEBHOOK_HTTP_LIMITS_H

#include <stdint.h>

/*
 * What the kernel holds for a connection that is not read just now, at most: a loop that comes back to it
 * takes as much at once. It is room for 10 MB/s over a link of 20 ms, and more over shorter ones.
 */
#define RECEIVE_BUFFER_BYTES (256 << 10)

/*
 * The API server's client keeps idle connections for 90 s and does not send a POST again if we closed the
 * connection under it, so an idle connection must live clearly longer here.
 */
#define IDLE_LIMIT_MS 120000u

/* The client's own limit for a TLS handshake; nobody waits for a slower one. */
#define HANDSHAKE_LIMIT_MS 10000u

/* A request's headers are a few hundred bytes: they come at once or something is wrong. */
#define HEADERS_LIMIT_MS 10000u

/*
 * Bodies and answers may take 10 s and then a second for each 512 KiB: 8 MiB take 26 s at most, within the 30
 * s that is the longest timeout a webhook may have.
 */
#define TRANSFER_LIMIT_MS 10000u
#define TRANSFER_BYTES_PER_MS 512u

/* What TLS has left to say on a connection that is done is one packet, but a refused body may be long. */
#define CLOSING_LIMIT_MS 10000u

/*
 * When there is room for no more connections, one that was silent for so long, and never asked anything, goes
 * in favour of the next: or whoever opens them keeps the API server out.
 */
#define SILENT_LIMIT_MS 2000u

/*
 * Requests of one connection in one iteration of its loop. Others wait at most for so many of each, however
 * many come in one piece.
 */
#define REQUESTS_OF_A_TURN 8u

/*
 * New connections in one iteration. In a burst an iteration is long, because all that are there already have
 * something to do in it; with one in each, the last of a hundred would wait for a hundred iterations.
 */
#define ACCEPTS_OF_A_TURN 64u

/* How often connections are looked over, so how late a limit may be noticed. */
#define SWEEP_INTERVAL_MS 1000u

/* While draining, an exit that waits for a timer wastes the grace period. */
#define DRAIN_SWEEP_INTERVAL_MS 50u

#endif
