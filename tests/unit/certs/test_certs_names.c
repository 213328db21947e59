/* Names that a certificate may have, and names that it may not. */
#include "base/array_size.h"
#include "tests/unit/certs/certs_fixture.h"

#include <string.h>

typedef int add_name(GENERAL_NAMES *, const char *, struct error *);

static void takes(add_name *add, const char *name, bool expected)
{
    struct error error = {0};
    GENERAL_NAMES *names = names_create(&error);
    if ((add(names, name, &error) == 0) != expected)
        fail_msg("\"%s\" is %s", name, expected ? error.message : "taken");
    assert_int_equal(sk_GENERAL_NAME_num(names), expected ? 1 : 0);
    assert_true(expected || *error.message);
    GENERAL_NAMES_free(names);
}

/* DNS names as Kubernetes writes them; nothing that could mean another name to another reader. */
static void dns_names(void **state)
{
    (void)state;
    char label[65], name[300] = "";
    memset(label, 'a', 64);
    label[63] = '\0';
    takes(names_add_dns, label, true);
    label[63] = 'a';
    label[64] = '\0';
    takes(names_add_dns, label, false);
    for (int i = 0; i < 127; i++)
        strcat(name, "a.");
    takes(names_add_dns, name, false);
    strcpy(name + 252, "a");
    takes(names_add_dns, name, true);
    strcpy(name + 252, "aa");
    takes(names_add_dns, name, false);
    static const char *const good[] = {"a",   "localhost",     "a-b.c9.d",
                                       "9.a", "*.example.com", "xn--bcher-kva.example"};
    static const char *const bad[] = {"",    ".",         "a.",  ".a",      "a..b", "A.b",   "a_b",
                                      "-a",  "a-",        "a b", "*",       "*.",   "a.*.b", "*a.b",
                                      "a\n", "b\xc3\xbc", "a/b", "a,DNS:b", "a:b",  "DNS:a", "1.2.3.4\n"};
    for (size_t i = 0; i < ARRAY_SIZE(good); i++)
        takes(names_add_dns, good[i], true);
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        takes(names_add_dns, bad[i], false);
}

static void addresses(void **state)
{
    (void)state;
    static const char *const good[] = {"127.0.0.1", "::1", "2001:db8::7", "::ffff:192.0.2.1"};
    static const char *const bad[] = {"",          "1",     "1.2.3",  "1.2.3.4.5",
                                      "256.1.1.1", "[::1]", "::1%lo", "localhost"};
    for (size_t i = 0; i < ARRAY_SIZE(good); i++)
        takes(names_add_ip, good[i], true);
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        takes(names_add_ip, bad[i], false);
}

/* A Service gives the name that the API server asks for, and the long one; each name is there once. */
static void a_service(void **state)
{
    (void)state;
    struct error error = {0};
    GENERAL_NAMES *names = names_create(&error);
    assert_int_equal(names_add_service(names, "guard", "prod", &error), 0);
    assert_int_equal(names_add_dns(names, "guard.prod.svc", &error), 0);
    assert_int_equal(names_add_service(names, "guard", "prod", &error), 0);
    assert_int_equal(sk_GENERAL_NAME_num(names), 2);
    const ASN1_STRING *first = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, 0), NULL);
    assert_int_equal(ASN1_STRING_length(first), strlen("guard.prod.svc"));
    assert_memory_equal(ASN1_STRING_get0_data(first), "guard.prod.svc", strlen("guard.prod.svc"));
    assert_int_equal(names_add_service(names, "a.b", "prod", &error), -1);
    assert_int_equal(names_add_service(names, "guard", "", &error), -1);
    assert_int_equal(names_add_service(names, "guard", "*", &error), -1);
    assert_int_equal(sk_GENERAL_NAME_num(names), 2);
    GENERAL_NAMES_free(names);
}

/* A list that grows without end is refused at a bound. */
static void too_many(void **state)
{
    (void)state;
    struct error error = {0};
    GENERAL_NAMES *names = names_create(&error);
    for (int i = 0; i < NAMES_MAX; i++) {
        char name[16];
        snprintf(name, sizeof(name), "n%d", i);
        assert_int_equal(names_add_dns(names, name, &error), 0);
    }
    assert_int_equal(names_add_dns(names, "more", &error), -1);
    assert_non_null(strstr(error.message, "100 names"));
    GENERAL_NAMES_free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dns_names),
        cmocka_unit_test(addresses),
        cmocka_unit_test(a_service),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests_name("certs names", tests, NULL, NULL);
}
