/* Bundles are read whole, or refused with the reason. */
#include "tests/unit/certs/certs_fixture.h"

#include <string.h>

/* So many times the same certificate as PEM. The caller frees the bytes. */
static struct slice repeated(size_t count)
{
    struct error error = {0};
    struct pem_text one;
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, DAY);
    STACK_OF(X509) *certificates = sk_X509_new_null();
    assert_true(sk_X509_push(certificates, authority.certificate) == 1);
    assert_int_equal(bundle_print(certificates, &one, &error), 0);
    sk_X509_free(certificates);
    authority_release(&authority);
    char *bytes = malloc(count * one.length);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + i * one.length, one.bytes, one.length);
    free(one.bytes);
    return (struct slice){bytes, count * one.length};
}

/* Systems trust 150 authorities, and a kubeconfig may name their file. */
static void the_authorities_of_a_system(void **state)
{
    (void)state;
    struct error error = {0};
    struct slice pem = repeated(300);
    STACK_OF(X509) *certificates = bundle_parse(pem, &error);
    assert_int_equal(sk_X509_num(certificates), 300);
    bundle_free(certificates);
    free((char *)(uintptr_t)pem.bytes);
}

static void too_many(void **state)
{
    (void)state;
    struct error error = {0};
    struct slice pem = repeated(BUNDLE_MAX + 1);
    assert_null(bundle_parse(pem, &error));
    assert_string_equal(error.message, "it holds more than 1000 certificates");
    free((char *)(uintptr_t)pem.bytes);
}

static void broken_ones(void **state)
{
    (void)state;
    struct error error = {0};
    struct slice pem = repeated(3);
    assert_null(bundle_parse(slice_until(pem, pem.length - 100), &error));
    assert_string_equal(error.message, "it holds no whole certificate in PEM form");
    assert_null(bundle_parse(SLICE("-----BEGIN CERTIFICATE-----\n"), &error));
    assert_string_equal(error.message, "it holds no whole certificate in PEM form");
    free((char *)(uintptr_t)pem.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_authorities_of_a_system),
        cmocka_unit_test(too_many),
        cmocka_unit_test(broken_ones),
    };
    return cmocka_run_group_tests_name("certs bundle", tests, NULL, NULL);
}
