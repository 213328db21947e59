/*
 * Memory runs out while a command prints: it prints all, or says that it did not, and its exit status is 2.
 *
 * Run from the top folder, where the recorded reviews are.
 */
#include "base/count.h"
#include "tests/torture/block_arena.h"

#include "cli/command_line.h"
#include "cli/commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define REVIEW "tests/reviews/edit-ssa/review.json"
#define TEST "tests/cli/small"
#define POLICY "tests/policies/good/overrides-expired.yaml"

struct ran {
    int status;
    char *out, *err;
    size_t out_length, err_length;
};

/* With the allocation of this number failing, and all after it unless only `once`; 0: none fails. */
static struct ran run(const struct command *command, char **arguments, size_t number, bool once)
{
    struct ran ran = {0};
    int count = 0;
    while (arguments[count])
        count++;
    FILE *out = stdout, *err = stderr;
    stdout = open_memstream(&ran.out, &ran.out_length);
    stderr = open_memstream(&ran.err, &ran.err_length);
    blocks.calls = 0;
    blocks.fail_from = number;
    blocks.fail_once = once;
    ran.status = command_run(command, count, arguments);
    blocks.fail_from = 0;
    fclose(stdout);
    fclose(stderr);
    stdout = out;
    stderr = err;
    return ran;
}

static void release(struct ran *ran)
{
    free(ran->out);
    free(ran->err);
}

/* `named`: what the complaint names. */
static void run_with_each_failing(
    const struct command *command, char **arguments, const char *named, bool once)
{
    struct ran whole = run(command, arguments, 0, false);
    assert_int_not_equal(whole.status, EXIT_UNREADABLE);
    assert_true(whole.out_length > 0 && whole.err_length == 0);
    bool has_failed = true;
    for (size_t number = 1; has_failed; number++) {
        size_t live = blocks.live;
        struct ran ran = run(command, arguments, number, once);
        has_failed = blocks.calls >= number;
        bool is_whole = ran.out_length == whole.out_length && strcmp(ran.out, whole.out) == 0;
        bool complains = ran.status == EXIT_UNREADABLE && strstr(ran.err, named);
        if (is_whole ? ran.status != whole.status && !complains : !complains)
            fail_msg("allocation %zu: status %d, \"%s\", \"%s\"", number, ran.status, ran.out, ran.err);
        assert_true(has_failed || (is_whole && ran.status == whole.status));
        assert_int_equal(blocks.live, live);
        release(&ran);
    }
    release(&whole);
}

static void check(const struct command *command, char **arguments, const char *named)
{
    run_with_each_failing(command, arguments, named, true);
    run_with_each_failing(command, arguments, named, false);
}

/* Nothing on standard output and status 0 would be taken for an empty policy. */
static void show_prints_all_or_complains(void **state)
{
    (void)state;
    check(&command_policy, (char *[]){"policy", "show", NULL}, "memory");
}

/* A check that forgets to say what has expired says that all is well. */
static void check_notes_all_or_complains(void **state)
{
    (void)state;
    check(&command_policy, (char *[]){"policy", "check", POLICY, NULL}, "memory");
}

/* Which of many files was not judged is what somebody has to know. */
static void review_reports_all_or_names_the_file(void **state)
{
    (void)state;
    static const char *const formats[] = {"text", "json", "response"};
    for (size_t i = 0; i < COUNT(formats); i++) {
        char *format = (char *)(uintptr_t)formats[i];
        check(&command_review, (char *[]){"review", "--output", format, REVIEW, NULL}, "memory");
    }
}

/* A case that was not run is no case that passed. */
static void test_prints_all_or_complains(void **state)
{
    (void)state;
    static const char *const formats[] = {"text", "json", "junit"};
    for (size_t i = 0; i < COUNT(formats); i++) {
        char *format = (char *)(uintptr_t)formats[i];
        check(&command_policy, (char *[]){"policy", "test", "--output", format, TEST, NULL}, "memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(show_prints_all_or_complains),
        cmocka_unit_test(check_notes_all_or_complains),
        cmocka_unit_test(review_reports_all_or_names_the_file),
        cmocka_unit_test(test_prints_all_or_complains),
    };
    return cmocka_run_group_tests_name("memory of commands", tests, NULL, NULL);
}
