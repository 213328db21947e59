#include "policy/verdict/overrides.h"
#include "system/clock.h"
#include "webhook/server/server_state.h"

static uint64_t expired_overrides(const struct policy *policy, int64_t now)
{
    uint64_t count = 0;
    for (size_t i = 0; overrides_expiring(policy, INT64_MIN, now, &i); i++)
        count++;
    return count;
}

static void publish_self_certificate(struct server *server)
{
    struct self_certificate_counts counts = self_certificate_count(server->self_certificate);
    server->facts.certificate_loads = counts.pairs;
    server->facts.certificate_failures = counts.failures;
    server->facts.certificate_is_current = counts.is_well;
    server->facts.clock_ahead = counts.clock_ahead;
}

void server_facts_publish(struct server *server)
{
    int64_t now = calendar_seconds();
    server->facts.overrides_expired = expired_overrides(server->policy->policy, now);
    struct validity validity = tls_validity(server->tls);
    server->facts.certificate_not_before = validity.not_before;
    server->facts.certificate_not_after = validity.not_after;
    server->facts.certificate_is_current = tls_is_current(server->tls);
    if (server->self_certificate)
        publish_self_certificate(server);
    facts_publish(&server->fact_board, &server->facts);
}
