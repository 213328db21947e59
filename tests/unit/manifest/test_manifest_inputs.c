/* Which files -f and -R name; an unreadable one does not end the search. */
#include "manifest/inputs.h"
#include "tests/unit/manifest/manifest_fixture.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/applyguard-inputs-XXXXXX";

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    const char *const files[] = {"d/b.yaml",    "d/a.json", "d/c.yml",     "d/x.txt",     "d/.h.yaml",
                                 "d/e/z.yaml",  "d/e",      "d/fifo.yaml", "d/link.yaml", "d/dir.yaml",
                                 "d/gone.yaml", "d",        "to-d"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        remove(files[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void touch(const char *path)
{
    int descriptor = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(descriptor >= 0);
    close(descriptor);
}

/* Writes each path, behind a ! where there is an error. */
static bool note(void *context, const char *path, const struct error *error)
{
    char *seen = context;
    assert_true(!error || error->message[0]);
    snprintf(seen + strlen(seen), 1024 - strlen(seen), "%s%s ", error ? "!" : "", path);
    return true;
}

static void assert_walk(const char *path, bool is_recursive, const char *expected)
{
    char seen[1024] = "";
    assert_true(inputs_walk(path, is_recursive, note, seen));
    assert_string_equal(seen, expected);
}

static void files_are_found_in_order(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0700) | mkdir("d/e", 0700), 0);
    const char *const files[] = {"d/b.yaml", "d/a.json", "d/c.yml", "d/x.txt", "d/.h.yaml", "d/e/z.yaml"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        touch(files[i]);
    assert_walk("d", false, "d/.h.yaml d/a.json d/b.yaml d/c.yml ");
    assert_walk("d/", true, "d/.h.yaml d/a.json d/b.yaml d/c.yml d/e/z.yaml ");
    assert_walk("d/x.txt", false, "d/x.txt ");
    assert_walk("-", false, "- ");
    assert_walk("none", false, "!none ");
}

static void what_is_no_file_is_told(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("d/fifo.yaml", 0600), 0);
    assert_int_equal(symlink("b.yaml", "d/link.yaml") | symlink("e", "d/dir.yaml"), 0);
    assert_int_equal(symlink("nowhere", "d/gone.yaml") | symlink("d", "to-d"), 0);
    assert_walk(
        "d", false, "d/.h.yaml d/a.json d/b.yaml d/c.yml !d/dir.yaml !d/fifo.yaml !d/gone.yaml d/link.yaml ");
    assert_walk("to-d", true, "!to-d ");
    assert_walk("d/fifo.yaml", false, "d/fifo.yaml ");
    assert_walk("", true, "!'' ");
}

/* A folder behind it is not searched: that must not pass silently. */
static void a_path_that_is_too_long_is_told(void **state)
{
    (void)state;
    char name[201] = "", seen[1024] = "";
    memset(name, 'x', sizeof(name) - 1);
    const int levels = PATH_MAX / (int)sizeof(name) + 1;
    for (int i = 0; i < levels; i++)
        assert_int_equal(mkdir(name, 0700) | chdir(name), 0);
    assert_int_equal(chdir(folder), 0);
    assert_true(inputs_walk(name, true, note, seen));
    assert_int_equal(seen[0], '!');
    assert_walk(name, false, "");
    for (int i = 1; i < levels; i++)
        assert_int_equal(chdir(name), 0);
    for (int i = 1; i < levels; i++)
        assert_int_equal(rmdir(name) | chdir(".."), 0);
    assert_int_equal(rmdir(name), 0);
}

static bool stop(void *context, const char *path, const struct error *error)
{
    (void)path;
    (void)error;
    return ++*(int *)context < 2;
}

static void a_search_can_end(void **state)
{
    (void)state;
    int count = 0;
    assert_false(inputs_walk("d", true, stop, &count));
    assert_int_equal(count, 2);
}

static void a_directory_is_no_input(void **state)
{
    (void)state;
    struct manifest_object object;
    struct error error;
    int descriptor = inputs_open("d", &error);
    assert_true(descriptor > 0);
    struct manifest_reader *reader = manifest_open(manifest_read_file, &descriptor, NULL);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_ERROR);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_END);
    manifest_close(reader);
    close(descriptor);
    assert_int_equal(inputs_open("none", &error), -1);
    assert_int_equal(inputs_open("-", &error), 0);
}

static void a_pipe_is_read_as_it_comes(void **state)
{
    (void)state;
    int ends[2];
    const char text[] = "apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n";
    struct manifest_object object;
    struct error error;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof(text) - 1), sizeof(text) - 1);
    close(ends[1]);
    struct manifest_reader *reader = manifest_open(manifest_read_file, &ends[0], NULL);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_OBJECT);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_OBJECT);
    assert_true(slice_equal(object.kind, SLICE("B")));
    assert_int_equal(object.document->first_line, 4);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_END);
    manifest_close(reader);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_found_in_order),        cmocka_unit_test(what_is_no_file_is_told),
        cmocka_unit_test(a_path_that_is_too_long_is_told), cmocka_unit_test(a_search_can_end),
        cmocka_unit_test(a_directory_is_no_input),         cmocka_unit_test(a_pipe_is_read_as_it_comes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
