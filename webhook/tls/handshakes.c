#include "webhook/tls/handshakes.h"

static const struct {
    int description;
    const char *name;
} alerts[ALERT_COUNT] = {
#define ALERT(number, name) [ALERT_##name] = {number, #name},
#include "webhook/tls/alerts.def"
#undef ALERT
    [ALERT_OTHER] = {-1, "other"},
};

enum alert alert_of(int description)
{
    enum alert alert = 0;
    while (alert < ALERT_OTHER && alerts[alert].description != description)
        alert++;
    return alert;
}

/* Ignores warnings: each connection that ends well sends close_notify. */
void handshakes_note(struct handshakes *handshakes, int where, int value)
{
    if (!(where & SSL_CB_ALERT) || value >> 8 != SSL3_AL_FATAL)
        return;
    bool received = (where & SSL_CB_READ) != 0;
    atomic_fetch_add_explicit(&handshakes->alerts[received][alert_of(value & 0xff)], 1, memory_order_relaxed);
}

uint64_t handshakes_started(const struct handshakes *handshakes)
{
    return (uint64_t)SSL_CTX_sess_accept(handshakes->context);
}

uint64_t handshakes_completed(const struct handshakes *handshakes)
{
    return (uint64_t)SSL_CTX_sess_accept_good(handshakes->context);
}

const char *alert_name(enum alert alert)
{
    return alerts[alert].name;
}
