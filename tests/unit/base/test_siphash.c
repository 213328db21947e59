/*
 * SipHash: the published function, or it would not protect against hostile keys.
 */
#include "base/array_size.h"
#include "base/siphash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* As `openssl mac SIPHASH` of size 8 with the key 00 01 … 0f has it of the bytes 00 01 …. */
static void hashes_are_those_of_openssl(void **state)
{
    (void)state;
    static const struct {
        size_t length;
        uint64_t hash;
    } cases[] = {
        {0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd},  {7, 0xab0200f58b01d137},
        {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5},
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
