/*
 * accept.h: accepts connections and distributes them over the loops.
 *
 * All loops wait on one socket, and the first to wake would take all of an API server's few connections. So
 * the loop that accepts a connection passes it to the loop with the fewest. A loop at its limit, or out of
 * file descriptors, stops listening, because the kernel would wake it again at once.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_ACCEPT_H
#define APPLYGUARD_WEBHOOK_HTTP_ACCEPT_H

struct loop;

/* Starts listening on `socket`, which the loop then owns. */
void accept_start(struct loop *loop, int socket);

/* Listens again if there is room now. */
void accept_resume(struct loop *loop);

/* Does the same after some time: a connection may now be old enough to make room for another. */
void accept_retry(struct loop *loop);

/*
 * Stops listening. First accepts the connections that already wait, because closing the socket would reset
 * them.
 */
void accept_stop(struct loop *loop);

#endif
