#include "webhook/handshakes.h"

static const struct {
    int description;
    const char *name;
} alerts[ALERT_COUNT] = {
    [ALERT_UNEXPECTED_MESSAGE] = {SSL_AD_UNEXPECTED_MESSAGE, "unexpected_message"},
    [ALERT_BAD_RECORD_MAC] = {SSL_AD_BAD_RECORD_MAC, "bad_record_mac"},
    [ALERT_HANDSHAKE_FAILURE] = {SSL_AD_HANDSHAKE_FAILURE, "handshake_failure"},
    [ALERT_BAD_CERTIFICATE] = {SSL_AD_BAD_CERTIFICATE, "bad_certificate"},
    [ALERT_UNSUPPORTED_CERTIFICATE] = {SSL_AD_UNSUPPORTED_CERTIFICATE, "unsupported_certificate"},
    [ALERT_CERTIFICATE_REVOKED] = {SSL_AD_CERTIFICATE_REVOKED, "certificate_revoked"},
    [ALERT_CERTIFICATE_EXPIRED] = {SSL_AD_CERTIFICATE_EXPIRED, "certificate_expired"},
    [ALERT_CERTIFICATE_UNKNOWN] = {SSL_AD_CERTIFICATE_UNKNOWN, "certificate_unknown"},
    [ALERT_UNKNOWN_CA] = {SSL_AD_UNKNOWN_CA, "unknown_ca"},
    [ALERT_DECODE_ERROR] = {SSL_AD_DECODE_ERROR, "decode_error"},
    [ALERT_DECRYPT_ERROR] = {SSL_AD_DECRYPT_ERROR, "decrypt_error"},
    [ALERT_PROTOCOL_VERSION] = {SSL_AD_PROTOCOL_VERSION, "protocol_version"},
    [ALERT_CERTIFICATE_REQUIRED] = {SSL_AD_CERTIFICATE_REQUIRED, "certificate_required"},
    [ALERT_OTHER] = {-1, "other"},
};

static enum alert alert_of(int description)
{
    enum alert alert = 0;
    while (alert < ALERT_OTHER && alerts[alert].description != description)
        alert++;
    return alert;
}

/* Warnings are left out: each connection that ends well says close_notify. */
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
