/*
 * SHA-256: the published function, since kubectl computes the same identifiers.
 */
#include "base/array_size.h"
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_digest(struct slice bytes, const char *expected)
{
    unsigned char digest[SHA256_BYTES];
    sha256_digest(bytes, digest);
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        char hex[3] = {expected[2 * i], expected[2 * i + 1], 0};
        assert_int_equal(digest[i], strtoul(hex, NULL, 16));
    }
}

static void the_examples_of_the_standard(void **state)
{
    (void)state;
    assert_digest(
        (struct slice){NULL, 0}, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest(SLICE("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest(
        SLICE("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static char many[1000000];
    memset(many, 'a', sizeof(many));
    assert_digest(
        (struct slice){many, sizeof(many)},
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* A digest of the digests of the first 0 to 199 bytes of 0, 7, 14, …, as Python's hashlib computes it. */
static void every_length_of_the_padding(void **state)
{
    (void)state;
    char bytes[200];
    static unsigned char digests[ARRAY_SIZE(bytes)][SHA256_BYTES];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(uint8_t)(i * 7);
    for (size_t i = 0; i < sizeof(bytes); i++)
        sha256_digest((struct slice){bytes, i}, digests[i]);
    assert_digest(
        (struct slice){(char *)digests, sizeof(digests)},
        "0a716dcd52ebb45d547cf893c2616d1641ae3c122398e759ddeb1d0698a65c1a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_standard),
        cmocka_unit_test(every_length_of_the_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
