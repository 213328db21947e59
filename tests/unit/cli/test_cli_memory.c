/*
 * Memory runs out while a command prints: it prints all, or says that it did not, and its exit status is 2.
 *
 * Run from the top folder, where the recorded reviews are.
 */
#include "base/array_size.h"
#include "tests/torture/each_allocation.h"

#include "cli/commands.h"
#include "cli/framework/command_line.h"

#define REVIEW "tests/reviews/edit-ssa/review.json"
#define TEST "tests/cli/small"
#define POLICY "tests/policies/good/overrides-expired.yaml"

struct ran {
    int status;
    char *out, *err;
    size_t out_length, err_length;
};

static struct ran run(const struct command *command, char **arguments)
{
    struct ran ran = {0};
    int count = 0;
    while (arguments[count])
        count++;
    FILE *out = stdout, *err = stderr;
    stdout = open_memstream(&ran.out, &ran.out_length);
    stderr = open_memstream(&ran.err, &ran.err_length);
    ran.status = command_run(command, count, arguments);
    stop_failing();
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

struct commanding {
    const struct command *command;
    char **arguments;
    const char *named; /* what the complaint names */
    struct ran whole;
};

static bool run_again(void *data, size_t number)
{
    const struct commanding *commanding = data;
    const struct ran *whole = &commanding->whole;
    struct ran ran = run(commanding->command, commanding->arguments);
    bool all_is_told = ran.out_length == whole->out_length && strcmp(ran.out, whole->out) == 0;
    bool complains = ran.status == EXIT_UNREADABLE && strstr(ran.err, commanding->named);
    bool is_whole = all_is_told && ran.status == whole->status;
    if (!is_whole && !complains)
        fail_msg("allocation %zu: status %d, \"%s\", \"%s\"", number, ran.status, ran.out, ran.err);
    release(&ran);
    return is_whole;
}

static void check(const struct command *command, char **arguments, const char *named)
{
    struct commanding commanding = {command, arguments, named, run(command, arguments)};
    assert_int_not_equal(commanding.whole.status, EXIT_UNREADABLE);
    assert_true(commanding.whole.out_length > 0 && commanding.whole.err_length == 0);
    fail_each_allocation(run_again, &commanding, SIZE_MAX);
    release(&commanding.whole);
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

/* The user has to know which of many files was not judged. */
static void review_reports_all_or_names_the_file(void **state)
{
    (void)state;
    static const char *const formats[] = {"text", "json", "response"};
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
        char *format = (char *)(uintptr_t)formats[i];
        check(&command_review, (char *[]){"review", "--output", format, REVIEW, NULL}, "memory");
    }
}

/* A case that was not run does not count as passed. */
static void test_prints_all_or_complains(void **state)
{
    (void)state;
    static const char *const formats[] = {"text", "json", "junit"};
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
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
