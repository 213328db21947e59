/*
 * certificate_watch.h: reloads the certificate when its files change, and logs what operators should know
 * about it.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_CERTIFICATE_WATCH_H
#define APPLYGUARD_WEBHOOK_TLS_CERTIFICATE_WATCH_H

#include "system/log.h"
#include "webhook/tls/tls.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the certificate is valid now, and for long enough that no warning is needed. */
enum certificate_time {
    CERTIFICATE_IN_TIME,
    CERTIFICATE_ENDING,
    CERTIFICATE_EXPIRED,
    CERTIFICATE_TOO_EARLY,
};

struct certificate_watch {
    struct tls *tls;
    const struct tls_settings *settings;
    struct log *log;
    struct arena *arena;        /* for the log lines */
    enum certificate_time time; /* as last reported */
    uint64_t time_reported;     /* monotonic milliseconds, as below */
    uint64_t refused_reported;
    uint64_t refused_unreported;
};

/* Logs a message if the server's first certificate is not valid now, or will expire soon. */
struct certificate_watch certificate_watch_start(
    struct tls *tls, const struct tls_settings *settings, struct log *log, struct arena *arena);

/* Checks the files and writes due log lines. Call it about every second. Returns the result of the check. */
enum credentials_result certificate_watch_look(struct certificate_watch *watch, bool is_forced);

#endif
