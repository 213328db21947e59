/* A server takes a certificate and key that belong together and are valid, and says what is wrong with
 * others. */
#include "base/array_size.h"
#include "certs/pair.h"

#include "tests/unit/certs/certs_fixture.h"

#include <string.h>

struct texts {
    struct pem_text authority;
    struct pem_text timeless; /* the authority's too */
    struct pem_text leaf;
    struct secret key;
    struct secret other_key;
};

static int make_texts(void **state)
{
    struct texts *texts = calloc(1, sizeof(*texts));
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, KEY_EC_P256, MIDSUMMER_2026, LEAF_SECONDS, &key);
    X509 *timeless = make_timeless(&authority);
    texts->authority = pem_of(authority.certificate);
    texts->timeless = pem_of(timeless);
    texts->leaf = pem_of(leaf);
    assert_int_equal(key_print(key, &texts->key, NULL), 0);
    assert_int_equal(key_print(authority.key, &texts->other_key, NULL), 0);
    X509_free(timeless);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
    *state = texts;
    return 0;
}

static int free_texts(void **state)
{
    struct texts *texts = *state;
    free(texts->authority.bytes);
    free(texts->timeless.bytes);
    free(texts->leaf.bytes);
    secret_free(&texts->key);
    secret_free(&texts->other_key);
    free(texts);
    return 0;
}

static struct slice text_of(const struct pem_text *pem)
{
    return (struct slice){pem->bytes, pem->length};
}

static struct slice key_of(const struct secret *secret)
{
    return (struct slice){secret->bytes, secret->length};
}

static int parse(struct pair *pair, struct slice certificates, struct slice key, struct error *error)
{
    return pair_parse(pair, certificates, "tls.crt", key, "tls.key", error);
}

/* The leaf first, its chain after it, with the time that the leaf is good for. */
static void a_pair_with_its_chain(void **state)
{
    const struct texts *texts = *state;
    struct error error = {0};
    struct pair pair;
    char chain[8192];
    snprintf(
        chain, sizeof(chain), "a word before\n%.*s\nand between\n%.*s", (int)texts->leaf.length,
        texts->leaf.bytes, (int)texts->authority.length, texts->authority.bytes);
    assert_int_equal(parse(&pair, slice_of(chain), key_of(&texts->key), &error), 0);
    assert_int_equal(sk_X509_num(pair.chain), 1);
    assert_true(pair.validity.not_after == MIDSUMMER_2026 + LEAF_SECONDS);
    pair_release(&pair);
    assert_int_equal(parse(&pair, text_of(&texts->leaf), key_of(&texts->key), &error), 0);
    assert_int_equal(sk_X509_num(pair.chain), 0);
    pair_release(&pair);
}

/* Each fault is refused with the file that has it, and nothing stays behind. */
static void faults_are_named(void **state)
{
    const struct texts *texts = *state;
    struct slice leaf = text_of(&texts->leaf), key = key_of(&texts->key);
    struct slice half = {leaf.bytes, leaf.length / 2};
    const struct {
        struct slice certificates, key;
        const char *says;
    } cases[] = {
        {leaf, key_of(&texts->other_key), "the key in tls.key is not the key of the certificate in tls.crt"},
        {text_of(&texts->authority), key, "is not the key of"},
        {half, key, "tls.crt holds no whole certificate"},
        {SLICE(""), key, "tls.crt holds no whole certificate"},
        {key, key, "tls.crt holds no whole certificate"},
        {leaf, leaf, "tls.key holds no private key"},
        {leaf, {key.bytes, key.length / 2}, "tls.key holds no private key"},
        {leaf, SLICE("\0\0\0"), "tls.key holds no private key"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct error error = {0};
        struct pair pair;
        assert_int_equal(parse(&pair, cases[i].certificates, cases[i].key, &error), -1);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu says: %s", i, error.message);
        assert_null(pair.leaf);
        assert_null(pair.key);
    }
}

/* A whole certificate and a broken one after it are not a whole chain. */
static void a_broken_chain(void **state)
{
    const struct texts *texts = *state;
    struct error error = {0};
    struct pair pair;
    char chain[8192];
    snprintf(
        chain, sizeof(chain), "%.*s%.*s", (int)texts->leaf.length, texts->leaf.bytes,
        (int)texts->authority.length / 2, texts->authority.bytes);
    assert_int_equal(parse(&pair, slice_of(chain), key_of(&texts->key), &error), -1);
}

/* Each handshake sends the chain, so it must not hold the authorities of a whole system. */
static void a_chain_without_an_end(void **state)
{
    const struct texts *texts = *state;
    for (size_t count = 64; count <= 65; count++) {
        struct error error = {0};
        struct pair pair;
        struct slice leaf = text_of(&texts->leaf);
        char *chain = malloc(count * leaf.length);
        assert_non_null(chain);
        for (size_t i = 0; i < count; i++)
            memcpy(chain + i * leaf.length, leaf.bytes, leaf.length);
        int result = parse(&pair, (struct slice){chain, count * leaf.length}, key_of(&texts->key), &error);
        free(chain);
        assert_int_equal(result, count == 64 ? 0 : -1);
        if (count == 64)
            pair_release(&pair);
        else
            assert_non_null(strstr(error.message, "tls.crt holds more than 64 certificates"));
    }
}

/* Not yet and not any more, with the time in it. */
static void times(void **state)
{
    const struct texts *texts = *state;
    struct error error = {0};
    struct pair pair;
    assert_int_equal(parse(&pair, text_of(&texts->leaf), key_of(&texts->key), &error), 0);
    assert_int_equal(pair_check_time(&pair, "tls.crt", MIDSUMMER_2026, &error), 0);
    assert_int_equal(pair_check_time(&pair, "tls.crt", MIDSUMMER_2026 - 2 * BACKDATE_SECONDS, &error), -1);
    assert_string_equal(
        error.message, "the certificate in tls.crt is not valid before 2026-06-21 11:00:00 UTC");
    assert_int_equal(pair_check_time(&pair, "tls.crt", MIDSUMMER_2026 + 8 * DAY, &error), -1);
    assert_string_equal(error.message, "the certificate in tls.crt expired on 2026-06-28 12:00:00 UTC");
    pair_release(&pair);
}

/* A certificate may be well-formed and signed, and its end no time. */
static void no_time(void **state)
{
    const struct texts *texts = *state;
    struct error error = {0};
    struct pair pair;
    assert_int_equal(parse(&pair, text_of(&texts->timeless), key_of(&texts->other_key), &error), -1);
    assert_string_equal(error.message, "tls.crt holds a certificate without proper times");
}

/* A second owner has what the first has: a chain or none, and nothing of an empty one. */
static void shared(void **state)
{
    const struct texts *texts = *state;
    struct error error = {0};
    struct pair pair, copy, nothing = {0};
    assert_int_equal(parse(&pair, text_of(&texts->leaf), key_of(&texts->key), &error), 0);
    assert_int_equal(pair_share(&copy, &pair, &error), 0);
    pair_release(&pair);
    assert_int_equal(X509_check_private_key(copy.leaf, copy.key), 1);
    pair_release(&copy);
    assert_int_equal(pair_share(&copy, &nothing, &error), 0);
    assert_null(copy.leaf);
    assert_null(copy.chain);
    assert_null(copy.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pair_with_its_chain, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(faults_are_named, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(a_broken_chain, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(a_chain_without_an_end, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(times, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(no_time, make_texts, free_texts),
        cmocka_unit_test_setup_teardown(shared, make_texts, free_texts),
    };
    return cmocka_run_group_tests_name("certs pair", tests, NULL, NULL);
}
