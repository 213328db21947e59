/*
 * signals.h: the signals that tell the server what to do, for one thread that waits for them.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SIGNALS_H
#define APPLYGUARD_WEBHOOK_SERVER_SIGNALS_H

#include <stdint.h>

/* Blocks SIGTERM, SIGINT and SIGHUP, and ignores SIGPIPE: before any thread starts, so that all do. */
void signals_configure(void);

/* The one of the three that came within the time, or 0. */
int signals_wait(uint32_t milliseconds);

#endif
