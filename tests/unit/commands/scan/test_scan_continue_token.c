/* continue_token.h: the token of a list that has expired continues at the same place. */
#include "base/base64.h"
#include "commands/scan/continue_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct slice encode(struct arena *arena, const char *json)
{
    struct text text = text_start(arena, 64);
    base64url_append(&text, slice_of(json));
    return text_slice(&text);
}

static void expect_renewed(const char *json, const char *expected)
{
    struct arena *arena = arena_create();
    struct slice renewed = continue_token_renewed(encode(arena, json), arena);
    struct text decoded = text_start(arena, 64);
    if (expected) {
        assert_non_null(renewed.bytes);
        assert_true(base64url_append_decoded(&decoded, renewed));
        assert_true(slice_equal(text_slice(&decoded), slice_of(expected)));
    } else {
        assert_null(renewed.bytes);
    }
    arena_destroy(arena);
}

static void an_expired_token_continues_with_the_newest_objects(void **state)
{
    (void)state;
    expect_renewed(
        "{\"v\":\"meta.k8s.io/v1\",\"rv\":1234,\"start\":\"shop/web\\u0000\"}",
        "{\"v\":\"meta.k8s.io/v1\",\"rv\":-1,\"start\":\"shop/web\\u0000\"}");
}

static void other_tokens_are_left_alone(void **state)
{
    static const char *const tokens[] = {
        "{\"v\":\"meta.k8s.io/v1\",\"rv\":-1,\"start\":\"a\"}",
        "{\"v\":\"meta.k8s.io/v2\",\"rv\":1,\"start\":\"a\"}",
        "{\"v\":\"meta.k8s.io/v1\",\"rv\":1}",
        "{\"v\":\"meta.k8s.io/v1\",\"rv\":1,\"start\":[]}",
        "[]",
        "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
        expect_renewed(tokens[i], NULL);
    struct arena *arena = arena_create();
    assert_null(continue_token_renewed(SLICE("a\xff!"), arena).bytes);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expired_token_continues_with_the_newest_objects),
        cmocka_unit_test(other_tokens_are_left_alone),
    };
    return cmocka_run_group_tests_name("continue tokens", tests, NULL, NULL);
}
