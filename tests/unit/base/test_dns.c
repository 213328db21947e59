/*
 * Names as DNS has them: the names that Kubernetes takes, and no others.
 */
#include "base/array_size.h"
#include "base/dns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names_are_labels_or_subdomains(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_label, is_subdomain;
    } cases[] = {
        {"a", true, true},        {"0", true, true},          {"a-b", true, true},  {"a.b", false, true},
        {"a-b.c-d", false, true}, {"", false, false},         {".", false, false},  {"a.", false, false},
        {".a", false, false},     {"a..b", false, false},     {"-a", false, false}, {"a-", false, false},
        {"a-.b", false, false},   {"a.-b", false, false},     {"A", false, false},  {"a_b", false, false},
        {"a b", false, false},    {"\xc3\xa9", false, false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        assert_int_equal(dns_is_label(slice_of(cases[i].name)), cases[i].is_label);
        assert_int_equal(dns_is_subdomain(slice_of(cases[i].name)), cases[i].is_subdomain);
    }
}

/* A part of a subdomain may be longer than a label: the API server counts the whole alone. */
static void long_names_are_refused(void **state)
{
    (void)state;
    char name[DNS_SUBDOMAIN_BYTES_MAX + 1];
    memset(name, 'a', sizeof(name));
    assert_true(dns_is_label((struct slice){name, DNS_LABEL_BYTES_MAX}));
    assert_false(dns_is_label((struct slice){name, DNS_LABEL_BYTES_MAX + 1}));
    assert_true(dns_is_subdomain((struct slice){name, DNS_SUBDOMAIN_BYTES_MAX}));
    assert_false(dns_is_subdomain((struct slice){name, DNS_SUBDOMAIN_BYTES_MAX + 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_labels_or_subdomains),
        cmocka_unit_test(long_names_are_refused),
    };
    return cmocka_run_group_tests_name("dns", tests, NULL, NULL);
}
