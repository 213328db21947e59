/* A changed policy file is seen however it is changed, and one that is broken changes nothing. */
#include "webhook/server/reload.h"

#include "tests/unit/files.h"

#include <stdlib.h>
#include <unistd.h>

#define HEAD "apiVersion: applyguard.io/v1\nkind: Policy\n"
static const char baseline[] = HEAD "profile: baseline\n";
static const char strict[] = HEAD "profile: strict\n";
static const char strict_as_long[] = HEAD "profile:   strict\n";
static const char broken[] = HEAD "profle: strict\n";

struct fixture {
    char directory[64];
    struct policy_file file;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    assert_non_null(fixture);
    snprintf(fixture->directory, sizeof(fixture->directory), "/tmp/applyguard-reload-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    assert_int_equal(chdir(fixture->directory), 0);
    policy_file_init(&fixture->file, "policy.yaml", "--policy");
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    char command[128];
    policy_file_release(&fixture->file);
    snprintf(command, sizeof(command), "rm -r %s", fixture->directory);
    int status = chdir("/") || system(command);
    free(fixture);
    return status;
}

/* The profile that a reload brings, or what else came of it. */
static const char *reload(struct policy_file *file, bool is_forced, struct error *error)
{
    struct policy *policy = NULL;
    switch (policy_file_reload(file, is_forced, &policy, error)) {
    case RELOAD_UNCHANGED:
        return "unchanged";
    case RELOAD_FAILED:
        return "failed";
    case RELOAD_NEW:
        break;
    }
    const char *profile = policy->profile == PROFILE_STRICT ? "strict" : "baseline";
    policy_free(policy);
    return profile;
}

/* A file that does not change is loaded once, and loaded again when asked for. */
static void an_untouched_file_is_loaded_once(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    write_text("policy.yaml", strict);
    assert_string_equal(reload(file, true, &error), "strict");
    assert_string_equal(reload(file, false, &error), "unchanged");
    age("policy.yaml");
    assert_string_equal(reload(file, false, &error), "unchanged");
    assert_string_equal(reload(file, true, &error), "strict");
}

/* Written in place, renamed into place, and through a ConfigMap's ..data link, which is not the file itself.
 */
static void every_way_of_changing_is_seen(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    write_text("policy.yaml", baseline);
    assert_string_equal(reload(file, true, &error), "baseline");
    write_text("policy.yaml", strict);
    assert_string_equal(reload(file, false, &error), "strict");
    write_text("other.yaml", baseline);
    assert_int_equal(rename("other.yaml", "policy.yaml"), 0);
    assert_string_equal(reload(file, false, &error), "baseline");
    assert_int_equal(unlink("policy.yaml"), 0);
    assert_int_equal(mkdir("..1", 0700) | mkdir("..2", 0700), 0);
    write_text("..1/policy.yaml", strict_as_long);
    write_text("..2/policy.yaml", baseline);
    age("..1/policy.yaml");
    age("..2/policy.yaml");
    assert_int_equal(symlink("..1", "..data") | symlink("..data/policy.yaml", "policy.yaml"), 0);
    assert_string_equal(reload(file, false, &error), "strict");
    assert_string_equal(reload(file, false, &error), "unchanged");
    assert_int_equal(symlink("..2", "..new") | rename("..new", "..data"), 0);
    assert_string_equal(reload(file, false, &error), "baseline");
}

/*
 * Two changes within a tick of the file system's clock leave the same times: what was written shortly before
 * is not trusted to be the last word.
 */
static void changes_in_quick_succession_are_seen(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    assert_int_equal(sizeof(strict_as_long), sizeof(baseline));
    write_text("policy.yaml", baseline);
    assert_string_equal(reload(file, true, &error), "baseline");
    write_text("policy.yaml", strict_as_long);
    assert_int_equal(stat("policy.yaml", &file->file.status), 0);
    assert_string_equal(reload(file, false, &error), "strict");
}

/* A policy that loaded and could not be put in force is loaded again, though the file stays as it is. */
static void what_was_not_put_in_force_is_loaded_again(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    write_text("policy.yaml", strict);
    age("policy.yaml");
    assert_string_equal(reload(file, true, &error), "strict");
    policy_file_forget(file);
    assert_string_equal(reload(file, false, &error), "strict");
    assert_string_equal(reload(file, false, &error), "unchanged");
}

/* A broken file is reported with its place, once; then again only when asked. Its repair is news. */
static void a_broken_file_is_reported_once(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    write_text("policy.yaml", broken);
    assert_string_equal(reload(file, true, &error), "failed");
    assert_non_null(strstr(error.message, "policy.yaml:3:1: "));
    assert_string_equal(reload(file, false, &error), "unchanged");
    assert_string_equal(reload(file, true, &error), "failed");
    write_text("policy.yaml", strict);
    assert_string_equal(reload(file, false, &error), "strict");
}

/* So is a path that is gone, or is not a file. */
static void a_missing_file_is_reported_once(void **state)
{
    struct policy_file *file = &((struct fixture *)*state)->file;
    struct error error = {0};
    write_text("policy.yaml", strict);
    assert_string_equal(reload(file, true, &error), "strict");
    assert_int_equal(unlink("policy.yaml"), 0);
    assert_string_equal(reload(file, false, &error), "failed");
    assert_non_null(strstr(error.message, "policy.yaml (--policy): No such file"));
    assert_string_equal(reload(file, false, &error), "unchanged");
    assert_int_equal(mkdir("policy.yaml", 0700), 0);
    assert_string_equal(reload(file, true, &error), "failed");
    assert_non_null(strstr(error.message, "directory"));
    assert_int_equal(rmdir("policy.yaml"), 0);
    write_text("policy.yaml", strict);
    assert_string_equal(reload(file, false, &error), "strict");
}

/* A file that never ends, or a pipe, does not fill the memory or hold the server up. */
static void an_endless_file_is_refused(void **state)
{
    (void)state;
    struct policy_file file;
    struct error error = {0};
    policy_file_init(&file, "/dev/zero", "--policy");
    assert_string_equal(reload(&file, true, &error), "failed");
    assert_non_null(strstr(error.message, "larger"));
    policy_file_release(&file);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    policy_file_init(&file, "fifo", "--policy");
    assert_string_equal(reload(&file, true, &error), "failed");
    policy_file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_untouched_file_is_loaded_once, setup, teardown),
        cmocka_unit_test_setup_teardown(every_way_of_changing_is_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(changes_in_quick_succession_are_seen, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_not_put_in_force_is_loaded_again, setup, teardown),
        cmocka_unit_test_setup_teardown(a_broken_file_is_reported_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_missing_file_is_reported_once, setup, teardown),
        cmocka_unit_test_setup_teardown(an_endless_file_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("webhook reload", tests, NULL, NULL);
}
