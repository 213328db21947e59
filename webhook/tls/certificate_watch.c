#include "webhook/tls/certificate_watch.h"

#include "system/clock.h"

/* How often a certificate that nobody renews is reported, from when it has so little left. */
#define CERTIFICATE_REPORT_INTERVAL_MS ((uint64_t)3600 * 1000)
#define CERTIFICATE_REPORT_SECONDS ((int64_t)7 * 86400)

/* The last sixth of a short life: whoever renews does so at two thirds. */
static int64_t seconds_to_report(struct validity validity)
{
    int64_t part = (validity.not_after - validity.not_before) / 6;
    return part < CERTIFICATE_REPORT_SECONDS ? part : CERTIFICATE_REPORT_SECONDS;
}

static int64_t seconds_left(const struct certificate_watch *watch)
{
    int64_t left = tls_validity(watch->tls).not_after - calendar_seconds();
    return left > 0 ? left : 0;
}

static void end_line(const struct certificate_watch *watch, struct log_line *line)
{
    log_end(line);
    arena_reset(watch->arena);
}

static void report_expiry(struct certificate_watch *watch)
{
    int64_t left = seconds_left(watch);
    watch->certificate_reported = monotonic_milliseconds();
    if (!watch->settings->cert_path) /* whoever makes it tells what keeps it from that */
        return;
    if (left > 0 && left > seconds_to_report(tls_validity(watch->tls)))
        return;
    const char *message = left ? "the certificate is about to expire" : "the certificate has expired";
    struct log_line line = log_start(watch->log, watch->arena, left ? LOG_WARNING : LOG_ERROR, message);
    log_add_string(&line, "file", watch->settings->cert_path);
    log_add_number(&line, "secondsLeft", (uint64_t)left);
    end_line(watch, &line);
}

static void report_reloaded(struct certificate_watch *watch)
{
    const struct tls_settings *settings = watch->settings;
    struct log_line line = log_start(
        watch->log, watch->arena, LOG_INFO,
        settings->cert_path ? "certificate reloaded" : "client authorities reloaded");
    log_add_string(&line, "file", settings->cert_path ? settings->cert_path : settings->client_ca_path);
    if (settings->cert_path)
        log_add_number(&line, "secondsLeft", (uint64_t)seconds_left(watch));
    end_line(watch, &line);
    report_expiry(watch);
}

static void report_kept(struct certificate_watch *watch, const char *reason)
{
    struct log_line line = log_start(
        watch->log, watch->arena, LOG_ERROR,
        watch->settings->cert_path ? "certificate not reloaded, the old one stays"
                                   : "client authorities not reloaded, the old ones stay");
    log_add_string(&line, "reason", reason);
    end_line(watch, &line);
}

/* One line a minute, however often clients that may not ask go on trying. */
static void report_refused(struct certificate_watch *watch, uint64_t now)
{
    const char *reason;
    watch->refused_unreported += tls_take_refused(watch->tls, &reason);
    if (!watch->refused_unreported || !log_is_due(&watch->refused_reported, now))
        return;
    struct log_line line = log_start(watch->log, watch->arena, LOG_WARNING, "handshakes refused");
    log_add_number(&line, "count", watch->refused_unreported);
    log_add_string(&line, "lastReason", reason);
    end_line(watch, &line);
    watch->refused_unreported = 0;
}

struct certificate_watch certificate_watch_start(
    struct tls *tls, const struct tls_settings *settings, struct log *log, struct arena *arena)
{
    struct certificate_watch watch = {.tls = tls, .settings = settings, .log = log, .arena = arena};
    report_expiry(&watch);
    return watch;
}

enum credentials_result certificate_watch_look(struct certificate_watch *watch, bool is_forced)
{
    struct error error = {0};
    uint64_t now = monotonic_milliseconds();
    enum credentials_result result = tls_reload(watch->tls, is_forced, &error);
    switch (result) {
    case CREDENTIALS_UNCHANGED:
        break;
    case CREDENTIALS_NEW:
        report_reloaded(watch);
        break;
    case CREDENTIALS_FAILED:
        report_kept(watch, error.message);
        break;
    }
    if (now - watch->certificate_reported >= CERTIFICATE_REPORT_INTERVAL_MS)
        report_expiry(watch);
    report_refused(watch, now);
    return result;
}
