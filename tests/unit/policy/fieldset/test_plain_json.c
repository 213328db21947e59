/* The JSON in keys of FieldsV1: read as yyjson reads it, or left to yyjson. */
#include "base/array_size.h"
#include "base/json.h"
#include "policy/fieldset/plain_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* On the heap and with nothing behind, so that the sanitizer sees who reads on. */
static char *exact_copy(struct slice text)
{
    char *copy = malloc(text.length ? text.length : 1);
    assert_non_null(copy);
    memcpy(copy, text.bytes, text.length);
    return copy;
}

/* Whether it is plain; then it must be what yyjson makes of it. */
static bool read_and_compare(struct slice text)
{
    struct plain_json plain;
    char *copy = exact_copy(text);
    bool is_plain = plain_json_read((struct slice){copy, text.length}, &plain);
    yyjson_doc *document = yyjson_read(copy, text.length, 0);
    if (is_plain) {
        if (!document || plain.count != yyjson_doc_get_val_count(document) ||
            !json_identical(plain.values, yyjson_doc_get_root(document)))
            fail_msg("%.*s is read as something else", (int)text.length, text.bytes);
    }
    yyjson_doc_free(document);
    free(copy);
    return is_plain;
}

/* The plain reader reads what API servers write: else each key would be parsed again and again. */
static void keys_of_api_servers_are_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"containerPort\":80,\"protocol\":\"TCP\"}",
        "{\"name\":\"nginx\"}",
        "{\"ip\":\"10.0.0.1\"}",
        "{\"uid\":\"7b0a1d52-6c1a-4a6e-9d7e-0d4e8b1f2a3c\"}",
        "{\"topologyKey\":\"kubernetes.io/hostname\",\"whenUnsatisfiable\":\"DoNotSchedule\"}",
        "{\"a\":0,\"b\":-1,\"c\":999999999999999999,\"d\":-999999999999999999}",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1}",
        "{\"\":\"\"}",
        "{}",
        "\"foregroundDeletion\"",
        "\"\"",
        "0",
        "-7",
    };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        if (!read_and_compare(slice_of(texts[i])))
            fail_msg("%s is not plain", texts[i]);
    }
}

/* Values with another spelling, larger values, and broken JSON: yyjson says which. */
static void the_rest_is_left_to_yyjson(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "}",
        "{\"",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{\"a\":1}}",
        "{\"a\":1} ",
        " {\"a\":1}",
        "{ }",
        "{,}",
        "{\"a\" :1}",
        "{\"a\": 1}",
        "{a:1}",
        "{\"a\":1 }",
        "{\"a\":\"\\u0061\"}",
        "{\"a\":\"\xc3\xa4\"}",
        "{\"a\":\"\x7f\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":[]}",
        "{\"a\":{}}",
        "{\"a\":true}",
        "{\"a\":null}",
        "{\"a\":1.0}",
        "{\"a\":1e3}",
        "{\"a\":01}",
        "{\"a\":-0}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":1000000000000000000}",
        "{\"a\":18446744073709551616}",
        "1.5",
        "-",
        "-0",
        "00",
        "1x",
        "1 ",
        "\"",
        "\"a",
        "\"a\"\"",
        "\"a\\\"",
        "true",
        "[]",
        "nothing",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        if (read_and_compare(slice_of(texts[i])))
            fail_msg("%s is plain", texts[i]);
    }
    assert_false(read_and_compare(SLICE("\"a\0b\"")));
}

/* Names in the order in which an API server writes them, each once: then there is one way to spell it. */
static void order_is_reported(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_sorted;
    } cases[] = {
        {"{}", true},
        {"{\"a\":1}", true},
        {"{\"a\":2,\"b\":1}", true},
        {"{\"a\":1,\"ab\":1,\"b\":1}", true},
        {"{\"b\":1,\"a\":2}", false},
        {"{\"a\":1,\"a\":1}", false},
        {"{\"a\":1,\"c\":1,\"b\":1}", false},
        {"{\"ab\":1,\"a\":1}", false},
        {"\"a\"", true},
        {"1", true},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct plain_json plain;
        assert_true(plain_json_read(slice_of(cases[i].text), &plain));
        if (plain.is_sorted != cases[i].is_sorted)
            fail_msg("%s", cases[i].text);
    }
}

/* Random texts of the reader's special characters are read as yyjson reads them, or not at all. */
static void any_text_is_read_as_yyjson_reads_it(void **state)
{
    (void)state;
    static const char *const parts[] = {"{", "}", "\"", "a", "b",  ":", ",",   "0",
                                        "1", "-", "9",  ".", "\\", " ", "\xc3"};
    uint32_t random = 7;
    size_t plain = 0;
    for (int round = 0; round < 200000; round++) {
        char text[32] = "{\"a\":";
        size_t length = round % 2 ? strlen(text) : 0;
        for (unsigned left = random % 9; left; left--) {
            random = random * 1664525 + 1013904223;
            text[length++] = parts[(random >> 16) % ARRAY_SIZE(parts)][0];
        }
        random = random * 1664525 + 1013904223;
        if (round % 2 && random >> 30)
            text[length++] = '}';
        plain += read_and_compare((struct slice){text, length});
    }
    assert_true(plain > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_api_servers_are_plain),
        cmocka_unit_test(the_rest_is_left_to_yyjson),
        cmocka_unit_test(order_is_reported),
        cmocka_unit_test(any_text_is_read_as_yyjson_reads_it),
    };
    return cmocka_run_group_tests_name("plain_json", tests, NULL, NULL);
}
