/*
 * Sets of printed paths against a comparison of each with each. last-applied-drift does not repeat a
 * conflict's report about a path or its parent: a path that is missed is warned of twice, one too many not at
 * all.
 */
#include "tests/unit/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATHS_MAX 8
#define ROUNDS 4000

static uint32_t state_of_random = 5;

/* Names that begin each other, with bytes that come before and after a dot and a bracket. */
static struct slice make_path(char *text)
{
    static const char *const elements[] = {".a",       ".b",  ".a-b", ".aZ",   "[0]",
                                           "[=\"a\"]", ".a!", ".a/b", ".a\xc3"};
    text[0] = '\0';
    for (unsigned left = 1 + random_below(&state_of_random, 3); left; left--)
        strcat(text, elements[random_below(&state_of_random, ARRAY_SIZE(elements))]);
    return slice_of(text);
}

static bool is_covered(const struct slice *paths, size_t count, struct slice printed)
{
    bool covers = false;
    for (size_t i = 0; i < count; i++)
        covers |= path_printed_covers(paths[i], printed);
    return covers;
}

/* No path covers another. */
static void expect_no_more_than_needed(const struct printed_paths *sorted)
{
    for (size_t i = 0; i < sorted->count; i++) {
        for (size_t j = 0; j < sorted->count; j++)
            assert_true(i == j || !path_printed_covers(sorted->items[i], sorted->items[j]));
    }
}

static void sets_answer_as_each_path_does(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char texts[PATHS_MAX][48], asked_text[48];
        struct slice paths[PATHS_MAX], sorted_paths[PATHS_MAX];
        size_t count = random_below(&state_of_random, PATHS_MAX + 1);
        for (size_t i = 0; i < count; i++)
            sorted_paths[i] = paths[i] = make_path(texts[i]);
        struct printed_paths sorted = printed_paths_sort(sorted_paths, count);
        expect_no_more_than_needed(&sorted);
        for (int question = 0; question < 6; question++) {
            struct slice asked = make_path(asked_text);
            bool covers = is_covered(paths, count, asked);
            if (printed_paths_cover(&sorted, asked) != covers)
                fail_msg("%s is %scovered", asked_text, covers ? "" : "not ");
        }
    }
}

static void no_paths_cover_nothing(void **state)
{
    (void)state;
    struct printed_paths none = printed_paths_sort(NULL, 0);
    assert_false(printed_paths_cover(&none, SLICE(".a")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_answer_as_each_path_does),
        cmocka_unit_test(no_paths_cover_nothing),
    };
    return cmocka_run_group_tests_name("path_sets", tests, NULL, NULL);
}
