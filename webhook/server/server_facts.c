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
static void add_self_certificate(struct server_facts *server_facts, const struct self_certificate *self)
{
    struct self_certificate_counts counts = self_certificate_count(self);
    server_facts->certificate_loads += counts.pairs;
    server_facts->certificate_failures += counts.failures;
    server_facts->certificate_is_current &= counts.is_well;
    server_facts->clock_ahead = counts.clock_ahead;
}

void server_facts_publish(struct server *server)
{
    int64_t now = calendar_seconds();
    server->server_facts.overrides_expired = expired_overrides(server->policy->policy, now);
    struct validity validity = tls_validity(server->tls);
    server->server_facts.certificate_not_before = validity.not_before;
    server->server_facts.certificate_not_after = validity.not_after;
    server->server_facts.certificate_is_current = tls_is_current(server->tls);
    struct server_facts server_facts = server->server_facts;
    if (server->self_certificate)
        add_self_certificate(&server_facts, server->self_certificate);
    server_fact_board_publish(&server->server_fact_board, &server_facts);
}
