/*
 * Values written otherwise than they are stored: the same amount or the same bytes are no drift, and nothing
 * else is taken for them.
 */
#include "base/count.h"
#include "base/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct pair {
    const char *a;
    const char *b;
};

/* Protects people who put a quantity back from being told that they drift. */
static void same_amounts_are_equal(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"1000m", "1"},
        {"0.1", "100m"},
        {"1Gi", "1024Mi"},
        {"1k", "1000"},
        {"0", "0m"},
        {"-1", "-1000m"},
        {"1.5", "1500m"},
        {"2Ki", "2048"},
        {"1E", "1000000000G"},
        {"5", "5"},
        {"1e3", "1k"},
        {"1E3", "1000"},
        {"1e-3", "1m"},
        {"+1", "1"},
        {"1.", "1"},
        {".5", "500m"},
        {"-0", "0"},
        {"0.3", "300m"},
        {"123456789.123456789", "123456789123456789n"},
        {"00001", "1"},
        /* Below a nano is rounded up, away from zero, and binary amounts end at 2^63 - 1. */
        {"0.1n", "1n"},
        {"-0.1n", "-1n"},
        {"1e-30", "1n"},
        {"1.0000000001", "1000000001n"},
        {"8Ei", "9223372036854775807"},
        {"99Ei", "8Ei"},
        {"99999999Ei", "8Ei"},
        {"0.999999999999Ki", "1023999999999n"},
        {"9.99999999999", "10"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        if (!quantities_equal(slice_of(pairs[i].a), slice_of(pairs[i].b)) ||
            !quantities_equal(slice_of(pairs[i].b), slice_of(pairs[i].a)))
            fail_msg("%s and %s are the same amount", pairs[i].a, pairs[i].b);
    }
}

/* Protects findings from being explained away. */
static void other_amounts_and_other_text_are_not(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"1", "2"},
        {"1G", "1Gi"},
        {"100m", "100"},
        {"", ""},
        {"a", "a"},
        {"1x", "1x"},
        {"-", "-"},
        {".", "."},
        {"1", "-1"},
        {"nginx", "nginx"},
        {"1 ", "1"},
        {"1000000000000000000000000000", "1"},
        {"0", "1n"},
        {"25%", "25%"},
        /* The last digit counts, however many there are. */
        {"9007199254740993", "9007199254740992"},
        {"1000000000000000000001", "1000000000000000000000"},
        {"9223372036854775807", "9223372036854775808"},
        {"7Ei", "8Ei"},
        {"1n", "2n"},
        {"1000000000000001", "1000000000000000"},
        {"1e", "1e"},
        {"e3", "e3"},
        {"1e3m", "1e3m"},
        {"1e99999", "1e99999"},
        {"1ee3", "1000"},
        {"1Kie3", "1Kie3"},
        {"--1", "1"},
        {"m", "0"},
        {"1.1.1", "1.1.1"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        if (quantities_equal(slice_of(pairs[i].a), slice_of(pairs[i].b)))
            fail_msg("%s and %s are not the same amount", pairs[i].a, pairs[i].b);
    }
}

/* Protects Secrets declared as stringData: RFC 4648's own examples. */
static void base64_is_known(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xff\xfe\xfd", "//79"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        for (size_t j = 0; j < COUNT(pairs); j++) {
            if (is_base64_of(slice_of(pairs[i].b), slice_of(pairs[j].a)) != (i == j))
                fail_msg("%s as the base64 of %s", pairs[i].b, pairs[j].a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_amounts_are_equal),
        cmocka_unit_test(other_amounts_and_other_text_are_not),
        cmocka_unit_test(base64_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
