#include "webhook/review/routes.h"

#include "base/count.h"

#define REVIEW(path, ceiling)                                                                                \
    {                                                                                                        \
        SLICE_LITERAL(path), "POST", handle_review, ceiling                                                  \
    }
#define PROBE(path, handle)                                                                                  \
    {                                                                                                        \
        SLICE_LITERAL(path), "GET, HEAD", handle, MODE_AUDIT                                                 \
    }

const struct route webhook_routes[] = {
    REVIEW("/validate", MODE_ENFORCE),     REVIEW("/validate/warn", MODE_WARN),
    REVIEW("/validate/audit", MODE_AUDIT), PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),
};
const size_t webhook_route_count = COUNT(webhook_routes);

const struct route plain_routes[] = {
    PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),
    PROBE("/metrics", handle_metrics),
};
const size_t plain_route_count = COUNT(plain_routes);
