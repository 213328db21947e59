/*
 * broken_pipe.h: keeps libcurl from raising SIGPIPE.
 *
 * libcurl may write to a connection that the peer has closed. The resulting signal goes to the writing
 * thread, so it is blocked there and then consumed. The program's own signal handling does not change.
 */
#ifndef APPLYGUARD_KUBE_BROKEN_PIPE_H
#define APPLYGUARD_KUBE_BROKEN_PIPE_H

#include <signal.h>
#include <stdbool.h>

struct held_signal {
    sigset_t before;
    bool was_pending;
};

/* Blocks SIGPIPE in this thread until broken_pipe_release. */
struct held_signal broken_pipe_hold(void);

void broken_pipe_release(const struct held_signal *held);

#endif
