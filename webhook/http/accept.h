/*
 * accept.h: taking connections, and sharing them out.
 *
 * All loops wait on one socket, and whichever wakes first would take all of an API server's few connections.
 * So the loop that accepts one gives it to the loop with the fewest. A loop at its limit, or out of files,
 * does not listen: the kernel would wake it at once, for ever.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_ACCEPT_H
#define APPLYGUARD_WEBHOOK_HTTP_ACCEPT_H

struct loop;

/* Begins to listen on `socket`, which the loop owns from here on. */
void accept_start(struct loop *loop, int socket);

/* Listens again if there is room now. */
void accept_resume(struct loop *loop);

/* The same after some time has passed: there may be a connection now that can go in favour of another. */
void accept_retry(struct loop *loop);

/* Takes the connections that wait already (closing the socket would reset them), and no more. */
void accept_stop(struct loop *loop);

#endif
