/* Certificates are what RFC 5280, the API server and openssl(1) want them to be. */
#include "tests/unit/certs/certs_fixture.h"

#include <string.h>

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void verifies(const char *leaf, const char *authority, int64_t time, bool expected)
{
    char command[256], output[4096];
    snprintf(
        command, sizeof(command),
        "openssl verify -x509_strict -purpose sslserver -verify_hostname guard.prod.svc -attime %lld -CAfile "
        "%s %s 2>&1",
        (long long)time, authority, leaf);
    int status = run_command(command, output, sizeof(output));
    if ((status == 0) != expected)
        fail_msg("%s\n%s", command, output);
}

/* openssl verify takes the leaf from an hour before it was made to its end, strictly, by the Service's name;
 * not before, not after, and not with another authority. */
static void openssl_verifies_a_leaf(enum key_kind authority_kind, enum key_kind leaf_kind)
{
    int64_t now = MIDSUMMER_2026;
    struct authority authority = make_authority(authority_kind, now, AUTHORITY_SECONDS);
    struct authority other = make_authority(authority_kind, now, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, leaf_kind, now, LEAF_SECONDS, &key);
    write_certificate("ca.crt", authority.certificate);
    write_certificate("other.crt", other.certificate);
    write_certificate("tls.crt", leaf);
    verifies("tls.crt", "ca.crt", now, true);
    verifies("tls.crt", "ca.crt", now - BACKDATE_SECONDS, true);
    verifies("tls.crt", "ca.crt", now - BACKDATE_SECONDS - 1, false);
    verifies("tls.crt", "ca.crt", now + LEAF_SECONDS - 1, true);
    verifies("tls.crt", "ca.crt", now + LEAF_SECONDS + 1, false);
    verifies("tls.crt", "other.crt", now, false);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
    authority_release(&other);
}

static void openssl_verifies_elliptic_curves(void **state)
{
    (void)state;
    openssl_verifies_a_leaf(KEY_EC_P256, KEY_EC_P256);
}

static void openssl_verifies_rsa(void **state)
{
    (void)state;
    openssl_verifies_a_leaf(KEY_RSA_2048, KEY_RSA_2048);
}

static void openssl_verifies_rsa_under_elliptic_curves(void **state)
{
    (void)state;
    openssl_verifies_a_leaf(KEY_EC_P256, KEY_RSA_2048);
}

/* The extensions that clients go by, as openssl x509 reads them. */
static void the_extensions_are_as_they_should_be(void **state)
{
    (void)state;
    char output[8192];
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, KEY_EC_P256, MIDSUMMER_2026, LEAF_SECONDS, &key);
    write_certificate("ca.crt", authority.certificate);
    write_certificate("tls.crt", leaf);

    assert_int_equal(run_command("openssl x509 -in ca.crt -noout -text", output, sizeof(output)), 0);
    expect_in(output, "Version: 3");
    expect_in(output, "ecdsa-with-SHA256");
    expect_in(output, "NIST CURVE: P-256");
    expect_in(output, "X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0");
    expect_in(output, "X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign\n");
    expect_in(output, "X509v3 Subject Key Identifier");
    expect_in(output, "X509v3 Authority Key Identifier");
    expect_in(output, "Not Before: Jun 21 11:00:00 2026 GMT");
    expect_in(output, "Not After : Jun 21 12:00:00 2027 GMT");

    assert_int_equal(run_command("openssl x509 -in tls.crt -noout -text", output, sizeof(output)), 0);
    expect_in(output, "X509v3 Basic Constraints: critical\n                CA:FALSE");
    expect_in(output, "X509v3 Key Usage: critical\n                Digital Signature\n");
    expect_in(output, "X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n");
    expect_in(
        output,
        "X509v3 Subject Alternative Name: critical\n"
        "                DNS:guard.prod.svc, DNS:guard.prod.svc.cluster.local\n");
    expect_in(output, "Not After : Jun 28 12:00:00 2026 GMT");

    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
}

/* The leaf's authority key identifier is the authority's subject key identifier: that is how clients find the
 * right one of two. */
static void the_leaf_names_its_authority(void **state)
{
    (void)state;
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, KEY_EC_P256, MIDSUMMER_2026, LEAF_SECONDS, &key);
    const ASN1_OCTET_STRING *subject = X509_get0_subject_key_id(authority.certificate);
    assert_non_null(subject);
    assert_int_equal(ASN1_OCTET_STRING_cmp(X509_get0_authority_key_id(authority.certificate), subject), 0);
    assert_int_equal(ASN1_OCTET_STRING_cmp(X509_get0_authority_key_id(leaf), subject), 0);
    assert_int_not_equal(ASN1_OCTET_STRING_cmp(X509_get0_subject_key_id(leaf), subject), 0);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
}

/* Serials are positive, at most 20 bytes, and like subjects never the same, also within one second. */
static void serials_and_subjects_are_unique(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    struct authority authorities[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        authorities[i] = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
        const X509 *certificate = authorities[i].certificate;
        const ASN1_INTEGER *serial = X509_get0_serialNumber(certificate);
        assert_int_equal(ASN1_STRING_type(serial), V_ASN1_INTEGER);
        assert_in_range(ASN1_STRING_length(serial), 16, 20);
        assert_int_equal(ASN1_STRING_get0_data(serial)[0] & 0x80, 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(
                ASN1_INTEGER_cmp(serial, X509_get0_serialNumber(authorities[j].certificate)), 0);
            assert_int_not_equal(X509_subject_name_cmp(certificate, authorities[j].certificate), 0);
        }
    }
    for (size_t i = 0; i < COUNT; i++)
        authority_release(&authorities[i]);
}

/* With a name of any length, the common name keeps to X.509's limit, and its distinguishing part is whole. */
static void long_names_are_cut(void **state)
{
    (void)state;
    struct error error = {0};
    char name[300];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    EVP_PKEY *key = key_generate(KEY_EC_P256, &error);
    X509 *certificate = authority_issue(key, name, MIDSUMMER_2026, DAY, &error);
    assert_non_null(certificate);
    char text[200];
    assert_int_equal(
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text, sizeof(text)),
        32 + 1 + 10 + 1 + 8);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

/* A leaf ends with its authority at the latest, and an authority that is over signs nothing. */
static void a_leaf_does_not_outlive_its_authority(void **state)
{
    (void)state;
    struct error error = {0};
    int64_t end = MIDSUMMER_2026 + AUTHORITY_SECONDS;
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, KEY_EC_P256, end - DAY, LEAF_SECONDS, &key);
    struct validity validity;
    assert_true(validity_of(leaf, &validity));
    assert_true(validity.not_after == end);
    GENERAL_NAMES *names = names_of(leaf);
    assert_null(leaf_issue(&authority, key, names, end + 1, LEAF_SECONDS, &error));
    assert_non_null(strstr(error.message, "not valid now"));
    GENERAL_NAMES_free(names);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
}

/* Times beyond 2050, where X.509 writes them another way, come back as they went in. */
static void times_beyond_2050_survive(void **state)
{
    (void)state;
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, LIFETIME_SECONDS_MAX);
    struct validity validity;
    assert_true(validity_of(authority.certificate, &validity));
    assert_true(validity.not_before == MIDSUMMER_2026 - BACKDATE_SECONDS);
    assert_true(validity.not_after == MIDSUMMER_2026 + LIFETIME_SECONDS_MAX);
    authority_release(&authority);
}

/* A certificate with invalid times is never valid, and signs nothing. */
static void broken_times_are_no_times(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct error error = {0};
        struct validity validity;
        struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, DAY);
        ASN1_TIME *time =
            i ? X509_getm_notAfter(authority.certificate) : X509_getm_notBefore(authority.certificate);
        assert_int_equal(ASN1_STRING_set(time, "never", 5), 1);
        assert_false(validity_of(authority.certificate, &validity));
        GENERAL_NAMES *names = names_create(&error);
        assert_null(leaf_issue(&authority, authority.key, names, MIDSUMMER_2026, DAY, &error));
        assert_string_equal(error.message, "the certificate authority is not valid now; make another");
        GENERAL_NAMES_free(names);
        authority_release(&authority);
    }
}

/* Renewal is due at two thirds of life, at most a fifteenth earlier, and at once where the clock is outside.
 */
static void renewal_is_at_two_thirds_with_jitter(void **state)
{
    (void)state;
    struct validity week = {-BACKDATE_SECONDS, 7 * DAY}; /* made at 0 */
    int64_t latest = week.not_after / 3 * 2;
    bool differs = false;
    for (uint32_t random = 0; random < 4000000000u; random += 39999999u) {
        int64_t renewal = validity_renewal(week, random);
        assert_true(renewal <= latest && renewal >= latest - week.not_after / 15);
        differs = differs || renewal != validity_renewal(week, 0);
        assert_false(validity_is_due(week, random, renewal - 1));
        assert_true(validity_is_due(week, random, renewal));
    }
    assert_true(differs);
    assert_true(validity_is_due(week, 0, -BACKDATE_SECONDS - 1));
    assert_true(validity_is_due(week, 0, 100 * DAY));
    struct validity instant = {5, 5};
    assert_true(validity_renewal(instant, 77) == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(openssl_verifies_elliptic_curves, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(openssl_verifies_rsa, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(
            openssl_verifies_rsa_under_elliptic_curves, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(
            the_extensions_are_as_they_should_be, enter_directory, leave_directory),
        cmocka_unit_test(the_leaf_names_its_authority),
        cmocka_unit_test(serials_and_subjects_are_unique),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(a_leaf_does_not_outlive_its_authority),
        cmocka_unit_test(times_beyond_2050_survive),
        cmocka_unit_test(broken_times_are_no_times),
        cmocka_unit_test(renewal_is_at_two_thirds_with_jitter),
    };
    return cmocka_run_group_tests_name("certs certificate", tests, NULL, NULL);
}
