#include "kube/broken_pipe.h"

#include <stddef.h>
#include <time.h>

static sigset_t broken_pipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

struct held_signal broken_pipe_hold(void)
{
    struct held_signal held;
    sigset_t set = broken_pipe(), pending;
    sigpending(&pending);
    held.was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &set, &held.before);
    return held;
}

void broken_pipe_release(const struct held_signal *held)
{
    sigset_t set = broken_pipe();
    struct timespec now = {0};
    if (!held->was_pending)
        sigtimedwait(&set, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}
