/*
 * Patterns of schemas that are matched, that mean something else to the C library, and that would take it
 * long.
 */
#include "apply/merge/custom_pattern.h"

#include "base/array_size.h"
#include "tests/unit/parse.h"

static enum search_answer matches(const char *pattern, struct slice text)
{
    struct custom_patterns patterns = {.arena = arena_create()};
    assert_non_null(patterns.arena);
    enum search_answer answer = custom_pattern_matches(&patterns, slice_of(pattern), text);
    custom_patterns_free(&patterns);
    arena_destroy(patterns.arena);
    return answer;
}

static void assert_answer(const char *pattern, const char *text, enum search_answer answer)
{
    if (matches(pattern, slice_of(text)) != answer)
        fail_msg("%s and %s: %d", pattern, text, matches(pattern, slice_of(text)));
}

static void patterns_match_anywhere_unless_they_are_anchored(void **state)
{
    (void)state;
    assert_answer("b", "abc", ANSWER_YES);
    assert_answer("^b", "abc", ANSWER_NO);
    assert_answer("\\Aa.*c\\z", "abc", ANSWER_YES);
    assert_answer("^$|^[a-z]+$", "", ANSWER_YES);
    assert_answer("^(|a|bb)$", "b", ANSWER_NO);
}

static void brackets_and_escapes_mean_what_they_mean_in_go(void **state)
{
    (void)state;
    assert_answer("^[\\w.-]+$", "a_0.-", ANSWER_YES);
    assert_answer("^[]a]$", "]", ANSWER_YES);
    assert_answer("^[\\^-]$", "^", ANSWER_YES);
    assert_answer("^[\\^-]$", "\\", ANSWER_NO);
    assert_answer("^[^^]$", "^", ANSWER_NO);
    assert_answer("^[a\\]b]+$", "a]b", ANSWER_YES);
    assert_answer("^\\d+\\.\\d$", "10x5", ANSWER_NO);
    assert_answer("^a{,2}$", "a{,2}", ANSWER_YES);
    assert_answer("^(?:a|b){2}?$", "ab", ANSWER_YES);
    assert_answer("^.$", "\n", ANSWER_NO);
    assert_answer("^[^a]$", "\n", ANSWER_YES);
    assert_answer("^[a-z]+$", "a\n", ANSWER_NO);
}

static void a_text_beyond_ascii_is_known_where_no_set_may_have_its_characters(void **state)
{
    (void)state;
    assert_answer("^[a-z]+$", "\xc3\xa4", ANSWER_NO);
    assert_answer(
        "a",
        "\xc3\xa4"
        "a",
        ANSWER_YES);
    assert_answer("^.$", "\xc3\xa4", ANSWER_UNKNOWN);
    assert_answer("^[^a]$", "\xc3\xa4", ANSWER_UNKNOWN);
    assert_answer("^\\W$", "\xc3\xa4", ANSWER_UNKNOWN);
}

static void what_posix_cannot_say_is_unknown(void **state)
{
    static const char *const unknown[] = {"(?i)a",    "\\bfoo",  "\\p{L}", "[[:alpha:]]", "(?P<n>a)",
                                          "\xc3\xa4", "a**",     "(",      "[b-a]",       "\\8",
                                          "^*",       "(^a){2}", "a{0}",   "a{256}"};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
        assert_answer(unknown[i], "a", ANSWER_UNKNOWN);
    assert_int_equal(matches("^a", (struct slice){"a\0b", 3}), ANSWER_UNKNOWN);
    assert_answer("a$[^b]", "a\n", ANSWER_UNKNOWN);
}

static void what_takes_long_is_unknown(void **state)
{
    static char text[8192], deep[64];
    (void)state;
    memset(text, 'a', sizeof(text));
    memset(deep, '(', sizeof(deep) - 1);
    assert_answer("((a{100}){100}){100}", "a", ANSWER_UNKNOWN);
    assert_answer("a{250}b{250}c{250}", "a", ANSWER_UNKNOWN);
    assert_answer(deep, "a", ANSWER_UNKNOWN);
    assert_int_equal(matches("^a*$", (struct slice){text, 4096}), ANSWER_YES);
    assert_int_equal(matches("^a*$", (struct slice){text, 4097}), ANSWER_UNKNOWN);
    assert_int_equal(matches("^(a{0,250}){2}$", (struct slice){text, 250}), ANSWER_UNKNOWN);
    assert_int_equal(matches("^a{0,253}$", (struct slice){text, 253}), ANSWER_YES);
}

/* As many patterns as a hostile definition may have, and as many values. */
static void the_effort_for_an_object_is_bounded(void **state)
{
    static char text[256], many[2000];
    struct custom_patterns patterns = {.arena = arena_create()};
    enum search_answer answer = ANSWER_YES;
    size_t count = 0;
    (void)state;
    assert_non_null(patterns.arena);
    memset(text, 'a', sizeof(text));
    memset(many, 'a', sizeof(many));
    for (; answer != ANSWER_UNKNOWN && count < 1000; count++)
        answer = custom_pattern_matches(&patterns, (struct slice){many + count, 2}, SLICE("a"));
    assert_in_range(count, 100, 300);
    custom_patterns_free(&patterns);
    patterns = (struct custom_patterns){.arena = patterns.arena};
    for (answer = ANSWER_YES, count = 0; answer != ANSWER_UNKNOWN && count < 100000; count++)
        answer = custom_pattern_matches(&patterns, SLICE("^a{0,253}$"), (struct slice){text, 200});
    assert_in_range(count, 10, 1000);
    custom_patterns_free(&patterns);
    arena_destroy(patterns.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_anywhere_unless_they_are_anchored),
        cmocka_unit_test(brackets_and_escapes_mean_what_they_mean_in_go),
        cmocka_unit_test(a_text_beyond_ascii_is_known_where_no_set_may_have_its_characters),
        cmocka_unit_test(what_posix_cannot_say_is_unknown),
        cmocka_unit_test(what_takes_long_is_unknown),
        cmocka_unit_test(the_effort_for_an_object_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
