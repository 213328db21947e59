/*
 * Values written otherwise than they are stored: the same amount or the same bytes are no drift, and nothing
 * else is taken for them.
 */
#include "base/array_size.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct pair {
    const char *a;
    const char *b;
};

/* Protects people who put a quantity back from a false report of drift. */
static void same_amounts_are_equal(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"1000m", "1"},
        {"0.1", "100m"},
        {"1Gi", "1024Mi"},
        {"1Ti", "1024Gi"},
        {"1Pi", "1024Ti"},
        {"1Ei", "1024Pi"},
        {"1e12", "1T"},
        {"1e-09", "1n"},
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
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
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
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        if (quantities_equal(slice_of(pairs[i].a), slice_of(pairs[i].b)))
            fail_msg("%s and %s are not the same amount", pairs[i].a, pairs[i].b);
    }
}

/* A manifest's number, all digits of it: 1 PiB has more than a fraction is printed with. */
static void numbers_declare_quantities(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"1125899906842624", "1Pi"},
        {"-1125899906842624", "-1Pi"},
        {"9223372036854775807", "9223372036854775807"},
        {"18446744073709551615", "18446744073709551615"},
        {"0.1", "100m"},
        {"1e3", "1k"},
        {"\"1.5\"", "1500m"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        yyjson_doc *document = json_read(slice_of(pairs[i].a), YYJSON_READ_NOFLAG, arena, NULL);
        if (!quantity_is_declared(yyjson_doc_get_root(document), slice_of(pairs[i].b)) ||
            quantity_is_declared(yyjson_doc_get_root(document), SLICE("1125899906842623")))
            fail_msg("%s declares %s", pairs[i].a, pairs[i].b);
    }
    arena_destroy(arena);
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
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(pairs); j++) {
            if (base64_is_of(slice_of(pairs[i].b), slice_of(pairs[j].a)) != (i == j))
                fail_msg("%s as the base64 of %s", pairs[i].b, pairs[j].a);
        }
    }
}

/* As Kubernetes' resource.Quantity writes what it has read; an empty one: it is not certain. */
static void quantities_have_one_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {"1000m", "1"},
        {"1024Mi", "1Gi"},
        {"1", "1"},
        {"0.5", "500m"},
        {"0.1", "100m"},
        {"1.5", "1500m"},
        {"100m", "100m"},
        {"1Gi", "1Gi"},
        {"1024", "1024"},
        {"1024Ki", "1Mi"},
        {"1000Ki", "1000Ki"},
        {"1023Ki", "1023Ki"},
        {"512Ki", "512Ki"},
        {"0.5Ki", "512"},
        {"0.5Gi", "512Mi"},
        {"1.5Gi", "1536Mi"},
        {"1536Mi", "1536Mi"},
        {"2048", "2048"},
        {"1e3", "1e3"},
        {"1E3", ""},
        {"1e4", "10e3"},
        {"12e5", "1200e3"},
        {"1k", "1k"},
        {"1000k", "1M"},
        {"0", "0"},
        {"0m", "0"},
        {"00", "0"},
        {"-1000m", "-1"},
        {"+1", ""},
        {"100000000", "100M"},
        {"1500000", "1500k"},
        {"1500", "1500"},
        {"1e-3", "1e-3"},
        {"1e9", "1e9"},
        {"1000000000", "1G"},
        {"64Mi", "64Mi"},
        {"65536Ki", "64Mi"},
        {"1.0", "1"},
        {"1234567890123456789", "1234567890123456789"},
        {"12345678901234567891", ""},
        {"0.250", "250m"},
        {"250m", "250m"},
        {"0.2500", "250m"},
        {"1u", "1u"},
        {"1n", "1n"},
        {"0.0000000001", "1n"},
        {"1Ti", "1Ti"},
        {"1025Mi", "1025Mi"},
        {"1T", "1T"},
        {"9223372036854775807", "9223372036854775807"},
        {"9Ei", "9223372036854775807"},
        {"1E", "1E"},
        {"1000E", ""},
        {"10000E", ""},
        {"128974848", "128974848"},
        {"129e6", "129e6"},
        {"129M", "129M"},
        {"128974848000m", "128974848"},
        {"123Mi", "123Mi"},
        {"-0.5Gi", "-512Mi"},
        {"-1Ki", "-1Ki"},
        {"0.001Ki", ""},
        {"1500Mi", "1500Mi"},
        {"1Mi", "1Mi"},
        {"1048576", "1048576"},
        {"3000000Ki", "3000000Ki"},
        {"", ""},
        {"m", ""},
        {"1 Gi", ""},
        {"1gi", ""},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char canonical[QUANTITY_TEXT_BYTES] = "";
        size_t length = quantity_canonical(slice_of(cases[i].text), canonical);
        if (!slice_equal((struct slice){canonical, length}, slice_of(cases[i].canonical)))
            fail_msg("%s is written %.*s", cases[i].text, (int)length, canonical);
    }
}

static void quantities_have_an_order(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b; /* as JSON */
        int order;
    } cases[] = {
        {"\"500m\"", "\"250m\"", 1},
        {"\"64Mi\"", "\"64M\"", 1},
        {"1", "\"1000m\"", 0},
        {"\"1\"", "0.5", 1},
        {"\"1e3\"", "\"1k\"", 0},
        {"\"0\"", "\"1n\"", -1},
        {"\"-1\"", "\"1m\"", -1},
        {"\"-2\"", "\"-1\"", -1},
        {"\"1023Mi\"", "\"1Gi\"", -1},
        {"\"999999\"", "\"1M\"", -1},
        {"\"1000001\"", "\"1M\"", 1},
        {"\"0.1\"", "\"0.09\"", 1},
        {"\"0\"", "0", 0},
        {"\"12345678901\"", "\"1\"", 1},
        {"\"1\"", "\"10\"", -1},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        yyjson_doc *a = yyjson_read(cases[i].a, strlen(cases[i].a), 0);
        yyjson_doc *b = yyjson_read(cases[i].b, strlen(cases[i].b), 0);
        int order = 0;
        assert_true(quantity_compare(yyjson_doc_get_root(a), yyjson_doc_get_root(b), &order));
        if ((order > 0) - (order < 0) != cases[i].order)
            fail_msg("%s and %s: %d", cases[i].a, cases[i].b, order);
        assert_false(quantity_compare(yyjson_doc_get_root(a), NULL, &order));
        yyjson_doc_free(a);
        yyjson_doc_free(b);
    }
}

/* Protects what is unpacked from Secrets: Go's decoder takes line breaks, and no other bytes. */
/* Asked of a real API server, with each as a limit of memory. */
static void texts_that_are_quantities(void **state)
{
    static const char *const valid[] = {"0.5", ".5", "5.", "1e3", "1E3", "1E", "1Ei",
                                        "+1",  "-1", "1k", "1n",  ".",   "+"};
    static const char *const invalid[] = {"",     "1GB", "100 m", "1.5.1", "1,5",  "1g",   "1mi", "1KB",
                                          "1Gib", "1K",  "1_000", "0x10",  "1Mi ", "100%", "1e",  "inf"};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(valid); i++)
        assert_true(quantity_is_valid(slice_of(valid[i])));
    for (size_t i = 0; i < ARRAY_SIZE(invalid); i++)
        assert_false(quantity_is_valid(slice_of(invalid[i])));
}

static void base64_is_decoded_as_go_does(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"", ""},
        {"YQ==", "a"},
        {"YWI=", "ab"},
        {"YWJj", "abc"},
        {"YW\nJj\r\nZGVm", "abcdef"},
        {"+/+/", "\xfb\xff\xbf"},
    };
    static const char *const broken[] = {"Y", "YQ", "YQ=", "YQ==YQ==", "Y Q=", "YQ==="};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        struct slice plain = base64_decode(slice_of(pairs[i].a), arena);
        assert_non_null(plain.bytes);
        assert_true(slice_equal(plain, slice_of(pairs[i].b)));
    }
    for (size_t i = 0; i < ARRAY_SIZE(broken); i++)
        assert_null(base64_decode(slice_of(broken[i]), arena).bytes);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_is_decoded_as_go_does),
        cmocka_unit_test(quantities_have_one_form),
        cmocka_unit_test(same_amounts_are_equal),
        cmocka_unit_test(other_amounts_and_other_text_are_not),
        cmocka_unit_test(numbers_declare_quantities),
        cmocka_unit_test(quantities_have_an_order),
        cmocka_unit_test(texts_that_are_quantities),
        cmocka_unit_test(base64_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
