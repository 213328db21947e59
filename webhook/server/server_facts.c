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

/* A self-managed certificate adds to the files, which may hold the CAs of clients. */
static void add_self_certificate(struct facts *facts, const struct self_certificate *self)
{
    struct self_certificate_counts counts = self_certificate_count(self);
    facts->certificate_loads += counts.pairs;
    facts->certificate_failures += counts.failures;
    facts->certificate_is_current &= counts.is_well;
    facts->clock_ahead = counts.clock_ahead;
}

void server_facts_publish(struct server *server)
{
    int64_t now = calendar_seconds();
    server->facts.overrides_expired = expired_overrides(server->policy->policy, now);
    struct validity validity = tls_validity(server->tls);
    server->facts.certificate_not_before = validity.not_before;
    server->facts.certificate_not_after = validity.not_after;
    server->facts.certificate_is_current = tls_is_current(server->tls);
    struct facts facts = server->facts;
    if (server->self_certificate)
        add_self_certificate(&facts, server->self_certificate);
    facts_publish(&server->fact_board, &facts);
}
