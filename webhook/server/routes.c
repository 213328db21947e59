#include "webhook/server/routes.h"

#include "base/array_size.h"
#include "policy/action.h"
#include "webhook/review/health.h"
#include "webhook/review/policy_guard.h"
#include "webhook/review/request.h"
#include "webhook/server/metrics.h"

static const enum mode enforce = MODE_ENFORCE, warn = MODE_WARN, audit = MODE_AUDIT;

#define REVIEW(path, ceiling)                                                                                \
    {                                                                                                        \
        SLICE_LITERAL(path), "POST", handle_review, &ceiling                                                 \
    }
#define PROBE(path, handle)                                                                                  \
    {                                                                                                        \
        SLICE_LITERAL(path), "GET, HEAD", handle, NULL                                                       \
    }

const struct route webhook_routes[] = {
    REVIEW("/validate", enforce),     REVIEW("/validate/warn", warn),
    REVIEW("/validate/audit", audit), PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),  {SLICE_LITERAL("/policy"), "POST", handle_policy, NULL},
};
const size_t webhook_route_count = ARRAY_SIZE(webhook_routes);

const struct route plain_routes[] = {
    PROBE("/healthz", handle_healthz),
    PROBE("/readyz", handle_readyz),
    PROBE("/metrics", handle_metrics),
};
const size_t plain_route_count = ARRAY_SIZE(plain_routes);
