/*
 * Quoted text of tools, with its escapes undone: nothing of it becomes what is not UTF-8.
 */
#include "commands/explain/unquote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_unquoted(const char *quoted, const char *text)
{
    struct arena *arena = arena_create();
    size_t taken;
    struct slice found = unquote(slice_of(quoted), '"', arena, &taken);
    assert_true(slice_equal(found, slice_of(text)));
    arena_destroy(arena);
}

static void escapes_are_undone(void **state)
{
    (void)state;
    assert_unquoted("a\\tb\\\"c\\\\d\" and more", "a\tb\"c\\d");
    assert_unquoted(
        "\\u00fc\\U0001f600\\x41",
        "\xc3\xbc\xf0\x9f\x98\x80"
        "A");
    assert_unquoted("\\u12", "u12");
}

static void two_escapes_are_one_character(void **state)
{
    (void)state;
    assert_unquoted("\\ud83d\\ude00!", "\xf0\x9f\x98\x80!");
    assert_unquoted("\\ud83d", "\xef\xbf\xbd");
    assert_unquoted("\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd");
    assert_unquoted(
        "\\ud83d\\u0041",
        "\xef\xbf\xbd"
        "A");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_are_undone),
        cmocka_unit_test(two_escapes_are_one_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
