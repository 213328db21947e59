#include "webhook/server/settings.h"

#include "certs/certificate.h"

#include <unistd.h>

void settings_default(struct settings *settings)
{
    *settings = (struct settings){
        .listen = DEFAULT_LISTEN,
        .metrics_listen = DEFAULT_METRICS_LISTEN,
        .metrics_labels_max = DEFAULT_METRICS_LABELS_MAX,
        .max_body_bytes = DEFAULT_MAX_BODY_BYTES,
        .max_connections = DEFAULT_MAX_CONNECTIONS,
        .drain_delay_ms = DEFAULT_DRAIN_DELAY_MS,
        .grace_period_ms = DEFAULT_GRACE_PERIOD_MS,
        .version = "unknown",
        .issuer =
            {
                .authority_name = "applyguard-ca",
                .authority_seconds = AUTHORITY_SECONDS,
                .leaf_seconds = LEAF_SECONDS,
                .soak_seconds = ISSUER_SOAK_SECONDS,
            },
        .log_format = isatty(STDERR_FILENO) ? LOG_TEXT : LOG_JSON,
    };
}
