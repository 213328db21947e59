/*
 * server.h: runs the webhook's server from start to exit.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SERVER_H
#define APPLYGUARD_WEBHOOK_SERVER_SERVER_H

#include "base/error.h"
#include "webhook/server/settings.h"

/*
 * Serves until SIGTERM or SIGINT, then drains. SIGHUP reloads policy and certificates. Call it while the
 * process has only one thread: it sets up the process (signals, limit of open files, malloc). Returns 0 after
 * a drain, or -1 with an error if it cannot start.
 */
int server_run(const struct settings *settings, struct error *error);

#endif
