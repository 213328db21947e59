/*
 * certificate_watch.h: the certificate while the server runs: it is reloaded when its files change, and what
 * people should know of it is logged.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_CERTIFICATE_WATCH_H
#define APPLYGUARD_WEBHOOK_TLS_CERTIFICATE_WATCH_H

#include "system/log.h"
#include "webhook/tls/tls.h"

#include <stdbool.h>
#include <stdint.h>

struct certificate_watch {
    struct tls *tls;
    const struct tls_settings *settings;
    struct log *log;
    struct arena *arena;           /* for the log lines */
    uint64_t certificate_reported; /* monotonic milliseconds, as below */
    uint64_t refused_reported;
    uint64_t refused_unreported;
};

/* Says so if the certificate that a server starts with is about to expire, or has. */
struct certificate_watch certificate_watch_start(
    struct tls *tls, const struct tls_settings *settings, struct log *log, struct arena *arena);

/* Looks at the files, and reports what is due; call it every second or so. What became of the files. */
enum credentials_result certificate_watch_look(struct certificate_watch *watch, bool is_forced);

#endif
