/*
 * server.h: the webhook's server, from start to exit.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SERVER_H
#define APPLYGUARD_WEBHOOK_SERVER_SERVER_H

#include "base/error.h"
#include "webhook/server/settings.h"

/*
 * Serves until SIGTERM or SIGINT, and then drains; SIGHUP reloads policy and certificates. Call it from the
 * process' only thread: it sets the process up for serving (signals, limit of files, malloc). Returns 0 after
 * a drain, or -1 with an error if it cannot start.
 */
int server_run(const struct settings *settings, struct error *error);

#endif
