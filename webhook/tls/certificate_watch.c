#include "webhook/tls/certificate_watch.h"

#include "system/clock.h"

/*
 * A certificate that is not renewed is reported at this interval, once its remaining validity is below this.
 */
#define CERTIFICATE_REPORT_INTERVAL_MS ((uint64_t)3600 * 1000)
#define CERTIFICATE_REPORT_SECONDS ((int64_t)7 * 86400)

/* The last sixth of a short validity: renewal is usual after two thirds. */
static int64_t seconds_to_report(struct validity validity)
{
    int64_t part = (validity.not_after - validity.not_before) / 6;
    return part < CERTIFICATE_REPORT_SECONDS ? part : CERTIFICATE_REPORT_SECONDS;
}

static uint64_t seconds_until(int64_t moment)
{
    int64_t left = moment - calendar_seconds();
    return left > 0 ? (uint64_t)left : 0;
}

static void end_line(const struct certificate_watch *watch, struct log_line *line)
{
    log_end(line);
    arena_reset(watch->arena);
}

/* A self-managed certificate reports its own problems. */
static enum certificate_time time_of(const struct certificate_watch *watch)
{
    if (!watch->settings->cert_path)
        return CERTIFICATE_IN_TIME;
    struct validity validity = tls_validity(watch->tls);
    int64_t now = calendar_seconds();
    if (now > validity.not_after)
        return CERTIFICATE_EXPIRED;
    if (now < validity.not_before)
        return CERTIFICATE_TOO_EARLY;
    return validity.not_after - now <= seconds_to_report(validity) ? CERTIFICATE_ENDING : CERTIFICATE_IN_TIME;
}

static void report_time(struct certificate_watch *watch)
{
    static const char *const messages[] = {
        [CERTIFICATE_ENDING] = "the certificate is about to expire",
        [CERTIFICATE_EXPIRED] = "the certificate has expired",
        [CERTIFICATE_TOO_EARLY] = "the certificate is not yet valid",
    };
    enum certificate_time time = time_of(watch);
    struct validity validity = tls_validity(watch->tls);
    watch->time = time;
    watch->time_reported = monotonic_milliseconds();
    if (time == CERTIFICATE_IN_TIME)
        return;
    struct log_line line = log_start(
        watch->log, watch->arena, time == CERTIFICATE_ENDING ? LOG_WARNING : LOG_ERROR, messages[time]);
    log_add_string(&line, "file", watch->settings->cert_path);
    if (time == CERTIFICATE_TOO_EARLY)
        log_add_number(&line, "secondsUntilValid", seconds_until(validity.not_before));
    else
        log_add_number(&line, "secondsLeft", seconds_until(validity.not_after));
    end_line(watch, &line);
}

/* Whether the certificate's state has changed, or is bad and was not reported for a while. */
static bool time_is_to_be_reported(const struct certificate_watch *watch, uint64_t now)
{
    return time_of(watch) != watch->time || now - watch->time_reported >= CERTIFICATE_REPORT_INTERVAL_MS;
}

static void report_reloaded(struct certificate_watch *watch)
{
    const struct tls_settings *settings = watch->settings;
    struct log_line line = log_start(
        watch->log, watch->arena, LOG_INFO,
        settings->cert_path ? "certificate reloaded" : "client authorities reloaded");
    log_add_string(&line, "file", settings->cert_path ? settings->cert_path : settings->client_ca_path);
    if (settings->cert_path)
        log_add_number(&line, "secondsLeft", seconds_until(tls_validity(watch->tls).not_after));
    end_line(watch, &line);
    report_time(watch);
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

/* One line a minute, even if clients that are not allowed keep trying. */
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
    report_time(&watch);
    return watch;
}

enum credentials_result certificate_watch_look(struct certificate_watch *watch, bool is_forced)
{
    struct error error = {0};
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
    uint64_t now = monotonic_milliseconds(); /* must come after the reload's report */
    if (time_is_to_be_reported(watch, now))
        report_time(watch);
    report_refused(watch, now);
    return result;
}
