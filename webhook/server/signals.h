/* signals.h: one thread waits for the signals that control the server. */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SIGNALS_H
#define APPLYGUARD_WEBHOOK_SERVER_SIGNALS_H

#include <stdint.h>

/*
 * Blocks SIGTERM, SIGINT and SIGHUP, and ignores SIGPIPE: call it before any thread starts, so that all
 * threads inherit this.
 */
void signals_configure(void);

/* The signal that came within the time, or 0. */
int signals_wait(uint32_t milliseconds);

#endif
