/* Base64 as Secrets and kubeconfigs have it comes back byte for byte, and what is not base64 is refused. */
#include "base/array_size.h"
#include "certs/secret_base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_decodes(const char *text, const char *content)
{
    struct secret decoded;
    assert_true(secret_base64_decode(slice_of(text), &decoded));
    assert_true(slice_equal(secret_slice(&decoded), slice_of(content)));
    secret_free(&decoded);
}

/* RFC 4648, section 10. */
static void the_rfc_s_examples(void **state)
{
    static const char *const examples[][2] = {
        {"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
        struct secret text;
        assert_true(secret_base64_encode(slice_of(examples[i][0]), &text));
        assert_string_equal(text.bytes, examples[i][1]);
        assert_int_equal(text.length, strlen(examples[i][1]));
        secret_free(&text);
        assert_decodes(examples[i][1], examples[i][0]);
    }
}

/* Every byte, so every letter, at every length up to that. */
static void a_round_trip(void **state)
{
    char bytes[256];
    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(255 - i);
    for (size_t length = 1; length <= sizeof(bytes); length++) {
        struct secret text, content;
        assert_true(secret_base64_encode((struct slice){bytes, length}, &text));
        assert_true(secret_base64_decode(secret_slice(&text), &content));
        assert_true(slice_equal(secret_slice(&content), (struct slice){bytes, length}));
        secret_free(&text);
        secret_free(&content);
    }
}

/* As `base64` wraps it, and as YAML folds it. */
static void line_breaks(void **state)
{
    (void)state;
    assert_decodes("Zm9v\r\nYmFy\n", "foobar");
    assert_decodes(" Zm9v Yg= = ", "foob");
}

static void refused(void **state)
{
    static const char *const texts[] = {
        "",     " \n\r", "Z",    "Zm9vY", "Zg=",  "Zg===", "Zm9v====", "=Zm9v",  "Zg=v",       "Zm_v",
        "Zm-v", "Zm9.",  "Zm9@", "Zm9[",  "Zm9`", "Zm9{",  "Zm9:",     "Zm\t9v", "-----BEGIN",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct secret content;
        assert_false(secret_base64_decode(slice_of(texts[i]), &content));
        assert_null(content.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rfc_s_examples),
        cmocka_unit_test(a_round_trip),
        cmocka_unit_test(line_breaks),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("certs base64", tests, NULL, NULL);
}
