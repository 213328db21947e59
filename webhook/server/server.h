/*
 * server.h: runs the webhook's server from start to exit.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SERVER_H
#define APPLYGUARD_WEBHOOK_SERVER_SERVER_H

#include "base/error.h"
#include "webhook/server/settings.h"

#include <stdbool.h>

/*
 * Sets up the process' memory: malloc, and OpenSSL's allocations, which are limited and overwritten. Call it
 * before any function of OpenSSL, so also before names of certificates are listed. Returns false if it is
 * called too late.
 */
bool server_set_up_memory(void);

/*
 * Serves until SIGTERM or SIGINT, then drains. SIGHUP reloads policy and certificates. Call it after
 * server_set_up_memory, while the process has only one thread: it sets up signals and the limit of open
 * files. Returns 0 after a drain, or -1 with an error if it cannot start.
 */
int server_run(const struct settings *settings, struct error *error);

#endif
