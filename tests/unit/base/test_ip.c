/*
 * IP addresses and their ranges, as the API server reads them.
 */
#include "base/array_size.h"
#include "base/ip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void addresses_are_read(void **state)
{
    (void)state;
    static const char *const valid[] = {
        "0.0.0.0",
        "255.255.255.255",
        "010.001.0.9",
        "::",
        "::1",
        "1::",
        "fd00::1:2",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "::ffff:10.0.0.1",
        "1:2:3:4:5:6:1.2.3.4",
        "FD00::A",
    };
    static const char *const invalid[] = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4 ",
        "a.b.c.d",
        "-1.2.3.4",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "12345::",
        "g::",
        "::1.2.3",
        "1.2.3.4::",
        "fe80::1%eth0",
        "1:2:3:4:5:6:7:1.2.3.4",
        "99999999999999999999.1.1.1",
    };
    struct ip ip;
    for (size_t i = 0; i < ARRAY_SIZE(valid); i++)
        assert_true(ip_parse(slice_of(valid[i]), &ip));
    for (size_t i = 0; i < ARRAY_SIZE(invalid); i++)
        assert_false(ip_parse(slice_of(invalid[i]), &ip));
}

static void bytes_are_in_their_order(void **state)
{
    (void)state;
    static const unsigned char wanted[] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 10, 0, 0, 255};
    struct ip ip;
    assert_true(ip_parse(SLICE("fd00::1:10.0.0.255"), &ip));
    assert_int_equal(ip.length, IP_V6_BYTES);
    assert_memory_equal(ip.bytes, wanted, sizeof(wanted));
    assert_false(ip_is_mapped(&ip));
    assert_true(ip_parse(SLICE("::ffff:10.0.0.1"), &ip));
    assert_true(ip_is_mapped(&ip));
    assert_true(ip_parse(SLICE("10.0.0.1"), &ip));
    assert_false(ip_is_mapped(&ip));
}

static void ranges_have_a_prefix(void **state)
{
    (void)state;
    static const struct {
        const char *range;
        bool is_valid;
        unsigned bits;
    } cases[] = {
        {"10.0.0.0/8", true, 8},  {"10.0.0.1/08", true, 8},  {"0.0.0.0/0", true, 0},
        {"1.2.3.4/32", true, 32}, {"fd00::/128", true, 128}, {"1.2.3.4/33", false, 0},
        {"fd00::/129", false, 0}, {"1.2.3.4", false, 0},     {"1.2.3.4/", false, 0},
        {"1.2.3.4/a", false, 0},  {"/8", false, 0},          {"1.2.3.4/8/8", false, 0},
        {"1.2.3.4/-1", false, 0}, {"1.2.3/8", false, 0},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct ip ip;
        unsigned bits = 0;
        assert_int_equal(ip_range_parse(slice_of(cases[i].range), &ip, &bits), cases[i].is_valid);
        if (cases[i].is_valid)
            assert_int_equal(bits, cases[i].bits);
    }
}

static void addresses_are_in_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *address, *range;
        bool is_in;
    } cases[] = {
        {"10.1.2.3", "10.0.0.0/8", true},
        {"11.1.2.3", "10.0.0.0/8", false},
        {"10.1.2.3", "0.0.0.0/0", true},
        {"10.1.2.3", "10.1.2.3/32", true},
        {"10.1.2.4", "10.1.2.3/32", false},
        {"172.31.0.1", "172.16.0.0/12", true},
        {"172.32.0.1", "172.16.0.0/12", false},
        {"fd00::1", "fd00::/9", true},
        {"fd80::1", "fd00::/9", false},
        {"::1", "0.0.0.0/0", false},
        {"10.1.2.3", "::/0", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct ip ip, prefix;
        unsigned bits;
        assert_true(ip_parse(slice_of(cases[i].address), &ip));
        assert_true(ip_range_parse(slice_of(cases[i].range), &prefix, &bits));
        assert_int_equal(ip_has_prefix(&ip, &prefix, bits), cases[i].is_in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read),
        cmocka_unit_test(bytes_are_in_their_order),
        cmocka_unit_test(ranges_have_a_prefix),
        cmocka_unit_test(addresses_are_in_ranges),
    };
    return cmocka_run_group_tests_name("ip", tests, NULL, NULL);
}
