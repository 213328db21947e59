/*
 * Spans of time: read as they are meant or not at all, and said as people write them.
 */
#include "base/array_size.h"
#include "base/durations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void spans_are_read_and_said(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t seconds;
        const char *said;
    } cases[] = {
        {"0s", 0, "0s"},
        {"1s", 1, "1s"},
        {"90s", 90, "90s"},
        {"60s", 60, "1m"},
        {"10m", 600, "10m"},
        {"60m", 3600, "1h"},
        {"2h", 7200, "2h"},
        {"61m", 3660, "61m"},
        {"18446744073709551615s", SIZE_MAX, "18446744073709551615s"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        size_t seconds = 7;
        assert_true(duration_parse_seconds(slice_of(cases[i].text), &seconds));
        assert_int_equal(seconds, cases[i].seconds);
        struct text text = text_start(arena, 32);
        duration_append_seconds(&text, seconds);
        struct slice said = text_slice(&text);
        assert_int_equal(said.length, strlen(cases[i].said));
        assert_memory_equal(said.bytes, cases[i].said, said.length);
    }
    arena_destroy(arena);
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "s",
        "10",
        "10 m",
        "m10",
        "-1m",
        "+1m",
        "1.5h",
        "1h30m",
        "010m",
        "10M",
        "10ms",
        "10d",
        "0x1s",
        "18446744073709551616s",
        "5124095576030432h",
        "10m ",
        "١s",
    };
    size_t seconds = 0;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        assert_false(duration_parse_seconds(slice_of(texts[i]), &seconds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_read_and_said),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests_name("durations", tests, NULL, NULL);
}
