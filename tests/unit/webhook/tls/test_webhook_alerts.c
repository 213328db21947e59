/* Every alert that a client may send has its name in the log and the metrics: the names of the RFCs, and all
 * that OpenSSL knows. */
#include "base/array_size.h"
#include "webhook/tls/handshakes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* RFC 8446, 6 and RFC 5246, 7.2, in their order, with their numbers there. */
static const struct {
    int number;
    const char *name;
} of_the_rfcs[] = {
    {0, "close_notify"},
    {10, "unexpected_message"},
    {20, "bad_record_mac"},
    {21, "decryption_failed"},
    {22, "record_overflow"},
    {30, "decompression_failure"},
    {40, "handshake_failure"},
    {41, "no_certificate"},
    {42, "bad_certificate"},
    {43, "unsupported_certificate"},
    {44, "certificate_revoked"},
    {45, "certificate_expired"},
    {46, "certificate_unknown"},
    {47, "illegal_parameter"},
    {48, "unknown_ca"},
    {49, "access_denied"},
    {50, "decode_error"},
    {51, "decrypt_error"},
    {60, "export_restriction"},
    {70, "protocol_version"},
    {71, "insufficient_security"},
    {80, "internal_error"},
    {86, "inappropriate_fallback"},
    {90, "user_canceled"},
    {100, "no_renegotiation"},
    {109, "missing_extension"},
    {110, "unsupported_extension"},
    {112, "unrecognized_name"},
    {113, "bad_certificate_status_response"},
    {115, "unknown_psk_identity"},
    {116, "certificate_required"},
    {120, "no_application_protocol"},
};

static void each_of_the_rfcs_has_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(of_the_rfcs); i++)
        assert_string_equal(alert_name(alert_of(of_the_rfcs[i].number)), of_the_rfcs[i].name);
}

/* No alert that OpenSSL can report is "other", and an unassigned number is always "other". */
static void each_that_openssl_knows_has_one(void **state)
{
    (void)state;
    for (int number = 0; number < 256; number++)
        if (strcmp(SSL_alert_desc_string_long(number), "unknown") != 0)
            assert_int_not_equal(alert_of(number), ALERT_OTHER);
    assert_string_equal(alert_name(alert_of(255)), "other");
    assert_string_equal(alert_name(alert_of(-1)), "other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_of_the_rfcs_has_its_name),
        cmocka_unit_test(each_that_openssl_knows_has_one),
    };
    return cmocka_run_group_tests_name("webhook alerts", tests, NULL, NULL);
}
