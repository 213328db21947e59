/*
 * SipHash: the published function, or it would not protect against hostile keys.
 */
#include "base/array_size.h"
#include "base/siphash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/*
 * The hashes of the bytes 00 01 … under the key 00 01 … 0f, as `openssl mac SIPHASH` prints them with size 8,
 * c-rounds 1 and d-rounds 3.
 */
static void hashes_are_those_of_openssl(void **state)
{
    (void)state;
    static const struct {
        size_t length;
        uint64_t hash;
    } cases[] = {
        {0, 0xabac0158050fc4dc}, {1, 0xc9f49bf37d57ca93},  {7, 0xd3927d989bb11140},
        {8, 0x369095118d299a8e}, {15, 0xd320d86d2a519956},
    };
    const struct siphash_seed seed = {{0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    char bytes[16];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)i;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_true(siphash((struct slice){bytes, cases[i].length}, seed) == cases[i].hash);
    assert_true(siphash((struct slice){NULL, 0}, seed) == cases[0].hash);
}

/* Bytes above 127 are bytes like others, and another seed is another hash. */
static void every_bit_counts(void **state)
{
    (void)state;
    const struct siphash_seed seed = {{1, 2}}, other = {{1, 3}};
    assert_true(siphash(SLICE("a\xff"), seed) != siphash(SLICE("a\x7f"), seed));
    assert_true(siphash(SLICE("a"), seed) != siphash(SLICE("a"), other));
    assert_true(siphash(SLICE("a"), seed) != siphash(SLICE("a\0"), seed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_openssl),
        cmocka_unit_test(every_bit_counts),
    };
    return cmocka_run_group_tests_name("SipHash", tests, NULL, NULL);
}
