#include "webhook/review/routes.h"

#define REVIEW(path, ceiling)                                                                                \
    {                                                                                                        \
        SLICE_OF(path), "POST", handle_review, ceiling                                                       \
    }
#define PROBE(path, handle)                                                                                  \
    {                                                                                                        \
        SLICE_OF(path), "GET, HEAD", handle, MODE_AUDIT                                                      \
    }

/* SLICE() as an initialiser that may stand in a table. */
#define SLICE_OF(literal)                                                                                    \
    {                                                                                                        \
        "" literal, sizeof(literal) - 1                                                                      \
    }

const struct route webhook_routes[] = {
    REVIEW("/validate", MODE_ENFORCE),     REVIEW("/validate/warn", MODE_WARN),
    REVIEW("/validate/audit", MODE_AUDIT), PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),
};
const size_t webhook_route_count = sizeof(webhook_routes) / sizeof(webhook_routes[0]);

const struct route plain_routes[] = {
    PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),
    PROBE("/metrics", handle_metrics),
};
const size_t plain_route_count = sizeof(plain_routes) / sizeof(plain_routes[0]);
