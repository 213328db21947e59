/* Where memory runs out, no half certificate, key or list of names is made or taken. */
#include "certs/memory.h"
#include "certs/pair.h"
#include "certs/secret_base64.h"
#include "tests/unit/certs/certs_fixture.h"
#include "tests/unit/failing_calls.h"

#include <errno.h>
#include <fcntl.h>

struct texts {
    struct pem_text certificates;
    struct secret key;
};

static bool make_names(GENERAL_NAMES **names, struct error *error)
{
    *names = names_create(error);
    return *names && names_add_service(*names, "guard", "prod", error) == 0 &&
        names_add_ip(*names, "192.0.2.7", error) == 0 &&
        names_add_dns(*names, "guard.example.org", error) == 0;
}

static bool make_texts(
    const struct authority *authority, EVP_PKEY *key, X509 *leaf, struct texts *texts, struct error *error)
{
    STACK_OF(X509) *both = sk_X509_new_null();
    bool done = both && sk_X509_push(both, leaf) > 0 && sk_X509_push(both, authority->certificate) > 0;
    if (!done)
        error_set(error, "this test's own list");
    done = done && bundle_print(both, &texts->certificates, error) == 0 &&
        key_print(key, &texts->key, error) == 0;
    sk_X509_free(both);
    return done;
}

/* All names are in the leaf, or no leaf is made. */
static void expect_all_names(const X509 *leaf)
{
    GENERAL_NAMES *names = names_of(leaf);
    if (names)
        assert_int_equal(sk_GENERAL_NAME_num(names), 4);
    GENERAL_NAMES_free(names);
}

static bool make(void *data, struct error *error)
{
    struct texts *texts = data, own = {0};
    struct authority authority = {.key = key_generate(KEY_EC_P256, error)};
    if (authority.key)
        authority.certificate =
            authority_issue(authority.key, "applyguard", MIDSUMMER_2026, AUTHORITY_SECONDS, error);
    GENERAL_NAMES *names = NULL;
    EVP_PKEY *key =
        authority.certificate && make_names(&names, error) ? key_generate(KEY_EC_P256, error) : NULL;
    X509 *leaf = key ? leaf_issue(&authority, key, names, MIDSUMMER_2026, LEAF_SECONDS, error) : NULL;
    if (leaf)
        expect_all_names(leaf);
    bool done = leaf && make_texts(&authority, key, leaf, &own, error);
    if (done && texts) {
        *texts = own;
        own = (struct texts){0};
    }
    free(own.certificates.bytes);
    secret_free(&own.key);
    X509_free(leaf);
    EVP_PKEY_free(key);
    GENERAL_NAMES_free(names);
    authority_release(&authority);
    return done;
}

static void certificates_are_made_whole_or_not(void **state)
{
    (void)state;
    assert_true(fail_at_each_place(make, NULL) > 20);
}

static bool take(void *data, struct error *error)
{
    const struct texts *texts = data;
    struct pair pair, copy;
    struct slice certificates = {texts->certificates.bytes, texts->certificates.length};
    if (pair_parse(&pair, certificates, "tls.crt", secret_slice(&texts->key), "tls.key", error) != 0) {
        assert_null(pair.leaf);
        assert_null(pair.key);
        return false;
    }
    assert_int_equal(sk_X509_num(pair.chain), 1);
    int result = pair_share(&copy, &pair, error);
    if (result == 0)
        assert_int_equal(sk_X509_num(copy.chain), 1);
    pair_release(&copy);
    pair_release(&pair);
    return result == 0;
}

static void pairs_are_taken_whole_or_not(void **state)
{
    (void)state;
    struct error error = {0};
    struct texts texts = {0};
    assert_true(make(&texts, &error));
    assert_true(fail_at_each_place(take, &texts) > 5);
    free(texts.certificates.bytes);
    secret_free(&texts.key);
}

static bool carry(void *data, struct error *error)
{
    (void)data;
    struct secret text = {0}, content = {0};
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int reason = secret_read(file, 1, &content);
    assert_true(reason == EFBIG || reason == ENOMEM);
    assert_null(content.bytes);
    close(file);
    bool done = secret_base64_encode(SLICE("certificate"), &text) &&
        secret_base64_decode(secret_slice(&text), &content);
    if (done)
        assert_true(slice_equal(secret_slice(&content), SLICE("certificate")));
    secret_free(&text);
    secret_free(&content);
    return (done && reason == EFBIG) || error_set(error, "out of memory") == 0;
}

static void secrets_are_carried_whole_or_not(void **state)
{
    (void)state;
    assert_true(fail_at_each_place(carry, NULL) > 3);
}

int main(void)
{
    if (!memory_protect())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_are_made_whole_or_not),
        cmocka_unit_test(pairs_are_taken_whole_or_not),
        cmocka_unit_test(secrets_are_carried_whole_or_not),
    };
    return cmocka_run_group_tests_name("certs out of memory", tests, NULL, NULL);
}
