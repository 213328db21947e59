/*
 * broken_pipe.h: keeps SIGPIPE away from the program.
 *
 * libcurl may write to a connection that the other side has closed. The signal that this gives is for this
 * thread alone, so it is held back and then taken; the program's own way with it stays as it is.
 */
#ifndef APPLYGUARD_KUBE_BROKEN_PIPE_H
#define APPLYGUARD_KUBE_BROKEN_PIPE_H

#include <signal.h>
#include <stdbool.h>

struct held_signal {
    sigset_t before;
    bool was_pending;
};

/* For this thread, until broken_pipe_release. */
struct held_signal broken_pipe_hold(void);

void broken_pipe_release(const struct held_signal *held);

#endif
