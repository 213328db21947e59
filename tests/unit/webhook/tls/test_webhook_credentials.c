/* Files that do not hold what is in use are a failure until they do. */
#include "tests/unit/certs/certs_fixture.h"
#include "tests/unit/files.h"
#include "webhook/tls/tls.h"

static void write_authority(const char *path)
{
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, DAY);
    write_certificate(path, authority.certificate);
    authority_release(&authority);
}

static enum credentials_result look(struct tls *tls)
{
    struct error error = {0};
    return tls_reload(tls, false, &error);
}

/* The first look at a failure may be in the middle of a replacement, but what was wrong before still is. */
static void one_failure_after_another(void **state)
{
    (void)state;
    struct error error = {0};
    const struct tls_settings settings = {.client_ca_path = "clients.crt"};
    write_authority("clients.crt");
    struct tls *tls = tls_create(&settings, &error);
    assert_non_null(tls);
    assert_true(tls_is_current(tls));
    write_text("clients.crt", "one\n");
    assert_int_equal(look(tls), CREDENTIALS_UNCHANGED);
    assert_true(tls_is_current(tls));
    assert_int_equal(look(tls), CREDENTIALS_FAILED);
    assert_false(tls_is_current(tls));
    write_text("clients.crt", "another\n");
    assert_int_equal(look(tls), CREDENTIALS_UNCHANGED);
    assert_false(tls_is_current(tls));
    assert_int_equal(look(tls), CREDENTIALS_FAILED);
    assert_false(tls_is_current(tls));
    write_authority("clients.crt");
    assert_int_equal(look(tls), CREDENTIALS_NEW);
    assert_true(tls_is_current(tls));
    tls_free(tls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_failure_after_another, enter_directory, leave_directory),
    };
    return cmocka_run_group_tests_name("webhook credentials", tests, NULL, NULL);
}
