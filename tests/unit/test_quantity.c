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
        {"1000m", "1"},   {"0.1", "100m"},  {"1Gi", "1024Mi"}, {"1k", "1000"},        {"0", "0m"},
        {"-1", "-1000m"}, {"1.5", "1500m"}, {"2Ki", "2048"},   {"1E", "1000000000G"}, {"5", "5"},
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
        {"1", "2"},  {"1G", "1Gi"},      {"100m", "100"}, {"", ""},
        {"a", "a"},  {"1x", "1x"},       {"-", "-"},      {".", "."},
        {"1", "-1"}, {"nginx", "nginx"}, {"1 ", "1"},     {"1000000000000000000000000000", "1"},
        {"0", "1n"}, {"25%", "25%"},
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
