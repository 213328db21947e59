#include "webhook/server/settings.h"

#include "base/array_size.h"
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

size_t settings_idle_flags(const struct settings *settings, struct idle_flag flags[IDLE_FLAGS_MAX])
{
    const struct issuer_settings *issuer = &settings->issuer;
    bool issues = issuer->secret, calls = issues || settings->looks_up || settings->records_events;
    bool labels = settings->metrics_labels.kind || settings->metrics_labels.namespace;
    const struct {
        bool is_idle;
        struct idle_flag flag;
    } all[IDLE_FLAGS_MAX] = {
        {!issues && issuer->key_kind != KEY_EC_P256, {"--certs-key", "--certs-secret"}},
        {!issues && issuer->authority_seconds != AUTHORITY_SECONDS,
         {"--certs-ca-validity", "--certs-secret"}},
        {!issues && issuer->leaf_seconds != LEAF_SECONDS, {"--certs-leaf-validity", "--certs-secret"}},
        {!issues && issuer->soak_seconds != ISSUER_SOAK_SECONDS, {"--certs-soak", "--certs-secret"}},
        {!calls && settings->kubeconfig_path, {"--kubeconfig", "--certs-secret, --lookup or --events"}},
        {labels && !*settings->metrics_listen, {"--metrics-labels", "--metrics-listen"}},
        {!labels && settings->metrics_labels_max != DEFAULT_METRICS_LABELS_MAX,
         {"--metrics-labels-max", "--metrics-labels"}},
    };
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        if (all[i].is_idle)
            flags[count++] = all[i].flag;
    return count;
}
