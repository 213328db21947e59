#include "webhook/server/signals.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static sigset_t handled_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    return set;
}

void signals_configure(void)
{
    sigset_t set = handled_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int signals_wait(uint32_t milliseconds)
{
    sigset_t set = handled_signals();
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    int signal_number = sigtimedwait(&set, NULL, &time);
    return signal_number > 0 ? signal_number : 0;
}
