/* Globs decide whom a policy's lines and overrides are for. */
#include "base/array_size.h"
#include "base/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct glob_case {
    const char *pattern;
    const char *text;
    bool matches;
};

static void check_cases(const struct glob_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (glob_match(slice_of(cases[i].pattern), slice_of(cases[i].text)) != cases[i].matches)
            fail_msg(
                "\"%s\" %s \"%s\"", cases[i].pattern, cases[i].matches ? "misses" : "matches", cases[i].text);
    }
}

/* A pattern without wildcards is an exact name, and every pattern is for the whole text. */
static void matches_whole_texts_only(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"kubectl", "kubectl", true},
        {"kubectl", "k", false},
        {"k", "kubectl", false},
        {"ctl", "kubectl", false},
        {"A", "a", false},
    };
    check_cases(cases, ARRAY_SIZE(cases));
}

/* A star is any run of bytes, none included, slashes and dots too. */
static void star_matches_any_run(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"*", "", true},
        {"*", "a/b.c", true},
        {"**", "", true},
        {"ci-*", "ci-", true},
        {"ci-*", "ci-bot", true},
        {"ci-*", "my-ci-bot", false},
        {"*-bot", "ci-bot", true},
        {"*-bot", "ci-bot-2", false},
        {"a*b*c", "abc", true},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXcXb", false},
        {"*ab", "aab", true},
        {"*aab", "aaaab", true},
        {"*.example.com", "Widget.example.com", true},
        {"*.example.com", "example.com", false},
        {"a*", "b", false},
    };
    check_cases(cases, ARRAY_SIZE(cases));
}

/* A question mark is one character as people count them. */
static void question_mark_matches_one_character(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"?", "", false},    {"?", "a", true},    {"?", "ab", false},       {"a?c", "abc", true},
        {"??", "é", false},  {"?", "é", true},    {"gr??e", "größe", true}, {"*?", "é", true},
        {"*??", "é", false}, {"?*", "a", true},   {"?*?", "a", false},      {"?", "😀", true},
        {"?", "\xff", true}, {"?", "\x80", true},
    };
    check_cases(cases, ARRAY_SIZE(cases));
}

/* Brackets, backslashes and braces mean themselves. */
static void other_characters_are_plain(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"[a]", "[a]", true}, {"[a]", "a", false},   {"\\*", "\\x", true},
        {"\\*", "*", false},  {"{a,b}", "a", false}, {"system:*", "system:node:a", true},
    };
    check_cases(cases, ARRAY_SIZE(cases));
    assert_true(glob_match((struct slice){"a*\0b", 4}, (struct slice){"ax\0\0b", 5}));
    assert_false(glob_match((struct slice){"a\0b", 3}, (struct slice){"a\0c", 3}));
}

/* Names come from the sender of a request: many stars over a long text must not take exponential time. */
static void many_stars_stay_fast(void **state)
{
    (void)state;
    enum { STARS = 60, LENGTH = 20000 };
    char pattern[2 * STARS + 1];
    for (size_t i = 0; i < STARS; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    pattern[2 * STARS] = 'b';
    char *text = malloc(LENGTH);
    assert_non_null(text);
    memset(text, 'a', LENGTH);
    assert_false(glob_match((struct slice){pattern, sizeof(pattern)}, (struct slice){text, LENGTH}));
    text[LENGTH - 1] = 'b';
    assert_true(glob_match((struct slice){pattern, sizeof(pattern)}, (struct slice){text, LENGTH}));
    free(text);
}

/* A star takes what comes where it stands: what stood before it is not matched twice. */
static void star_does_not_reach_back(void **state)
{
    (void)state;
    static const struct glob_case cases[] = {
        {"ab*bX", "abX", false}, {"ab*bX", "abbX", true}, {"?b*b?", "aba", false},
        {"ab*ab", "abab", true}, {"ab*ab", "ab", false},
    };
    check_cases(cases, ARRAY_SIZE(cases));
}

/* A list that ends is not read on: the bytes behind it are not part of it. */
static void any_asks_the_patterns_of_the_list_alone(void **state)
{
    (void)state;
    static const struct slice patterns[] = {{"flux", 4}, {"helm*", 5}, {"*", 1}};
    assert_true(glob_match_any(patterns, 2, SLICE("flux")));
    assert_true(glob_match_any(patterns, 2, SLICE("helm-3")));
    assert_false(glob_match_any(patterns, 2, SLICE("kubectl")));
    assert_false(glob_match_any(patterns, 0, SLICE("flux")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_whole_texts_only),
        cmocka_unit_test(star_matches_any_run),
        cmocka_unit_test(question_mark_matches_one_character),
        cmocka_unit_test(other_characters_are_plain),
        cmocka_unit_test(many_stars_stay_fast),
        cmocka_unit_test(star_does_not_reach_back),
        cmocka_unit_test(any_asks_the_patterns_of_the_list_alone),
    };
    return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
