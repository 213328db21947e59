/*
 * The regular expressions of other tools that are understood, as Go's MatchString has them. An expression
 * that matches too much waives other findings than intended.
 */
#include "base/array_size.h"
#include "policy/verdict/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool matches(const char *expression, const char *text)
{
    struct arena *arena = arena_create();
    bool matched = expression_matches(slice_of(expression), slice_of(text), arena);
    arena_destroy(arena);
    return matched;
}

static void expressions_match_as_in_go(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *text;
        bool matches;
    } cases[] = {
        {"helm", "helm", true},
        {"h", "helm", true},
        {"helm", "my-helm-2", true},
        {"helm", "hel", false},
        {"^helm", "my-helm", false},
        {"helm$", "helm-2", false},
        {"^helm$", "helm", true},
        {"^helm$", "helm2", false},
        {"^kube.*manager$", "kube-controller-manager", true},
        {"^kube.*manager$", "kube-controller-managers", false},
        {"^kubectl-.+$", "kubectl-edit", true},
        {"^kubectl-.+$", "kubectl-", false},
        {"^a.c$", "abc", true},
        {"^a.c$", "ac", false},
        {"^a\\.c$", "a.c", true},
        {"^a\\.c$", "abc", false},
        {"^a$|^b$", "b", true},
        {"^a$|^b$", "ab", false},
        {"a|b", "xbx", true},
        {"^cost\\$", "cost$5", true},
        {".*", "", true},
        {"^$", "", true},
        {"^$", "x", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        if (matches(cases[i].expression, cases[i].text) != cases[i].matches)
            fail_msg("%s, %s", cases[i].expression, cases[i].text);
    }
}

/* An expression that is not understood matches nothing, not even itself. */
static void others_match_nothing(void **state)
{
    (void)state;
    static const char *const expressions[] = {
        "",      "(helm)", "hel?m", "hel+m", "hel*m", "[h]elm", "h{1}", "\\w+",     "helm\\",    "he^lm",
        "he$lm", "*",      "?",     "a\\*",  "a\\?",  "(?i)x",  "+",    "helm|(a)", "^.*[a-z]$",
    };
    for (size_t i = 0; i < ARRAY_SIZE(expressions); i++) {
        if (matches(expressions[i], "helm") || matches(expressions[i], expressions[i]))
            fail_msg("%s", expressions[i]);
    }
}

/* An annotation may hold any byte. */
static void a_nul_is_a_byte_like_others(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_true(expression_matches(SLICE("^a\0b$"), SLICE("a\0b"), arena));
    assert_false(expression_matches(SLICE("^a\0b$"), SLICE("a\0c"), arena));
    assert_false(expression_matches(SLICE("^a\\\0b$"), SLICE("a\0b"), arena));
    arena_destroy(arena);
}

/* A long one is an attempt to keep the judge busy. */
static void long_expressions_match_nothing(void **state)
{
    (void)state;
    char expression[EXPRESSION_BYTES_MAX + 2] = {0};
    memset(expression, 'a', EXPRESSION_BYTES_MAX);
    assert_true(matches(expression, expression));
    memset(expression, 'a', EXPRESSION_BYTES_MAX + 1);
    assert_false(matches(expression, expression));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_match_as_in_go),
        cmocka_unit_test(others_match_nothing),
        cmocka_unit_test(a_nul_is_a_byte_like_others),
        cmocka_unit_test(long_expressions_match_nothing),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
