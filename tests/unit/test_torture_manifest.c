/*
 * Memory that runs out while manifests are read: each allocation in turn, once and for ever after. What is
 * said then is the truth, or that there is no memory, and nothing leaks.
 *
 * Run from the top folder, where the fuzzer's corpus is.
 */
#include "tests/torture/failing_memory.h"

#include "manifest/manifest.h"

#define SAID_MAX ((size_t)256 * 1024)

/* The objects and errors of an input, a line each, cut at the first that memory ran out for. */
static bool say(struct slice text, char *said)
{
    struct manifest_object object;
    struct error error;
    enum manifest_result result;
    size_t length = 0;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct arena *arena = arena_create();
    bool is_whole = reader && arena;
    while (is_whole && (result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        struct slice json =
            result == MANIFEST_OBJECT ? manifest_json(object.root, arena) : (struct slice){NULL, 0};
        is_whole = result == MANIFEST_OBJECT ? json.bytes != NULL : !strstr(error.message, "out of memory");
        if (json.bytes)
            length +=
                (size_t)snprintf(said + length, SAID_MAX - length, "%.*s\n", (int)json.length, json.bytes);
        else if (is_whole)
            length +=
                (size_t)snprintf(said + length, SAID_MAX - length, "%u: %s\n", error.line, error.message);
    }
    arena_destroy(arena);
    said[length] = '\0';
    manifest_close(reader);
    return is_whole;
}

static void check_file(const char *path)
{
    static char truth[SAID_MAX], said[SAID_MAX];
    struct slice text = read_file(path);
    blocks.calls = 0;
    assert_true(say(text, truth));
    size_t stride = 1 + blocks.calls / failures_of_each(400);
    for (int once = 0; once < 2; once++) {
        bool has_failed = true;
        for (size_t number = 1; has_failed; number += stride) {
            size_t live = blocks.live;
            fail_at(number, once);
            bool is_whole = say(text, said);
            has_failed = blocks.calls >= number;
            fault_points += has_failed;
            if (strncmp(said, truth, strlen(said)) != 0 || (is_whole && strcmp(said, truth) != 0))
                fail_msg("%s, allocation %zu fails: %s", path, number, said);
            assert_true(is_whole || has_failed);
            assert_int_equal(blocks.live, live);
        }
    }
    fail_at(0, false);
}

static void what_is_said_is_the_truth(void **state)
{
    (void)state;
    for_each_file("tests/fuzz/corpus/fuzz_manifest/*", check_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, tell_fault_points);
}
