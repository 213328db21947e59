/*
 * Memory that runs out while manifests are read: each allocation in turn, once and for ever after. The output
 * is then right, or says that memory ran out, and nothing leaks.
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

struct reading {
    const char *path;
    struct slice text;
    char truth[SAID_MAX];
};

/* The output before memory runs out is the beginning of the right one. */
static bool say_again(void *data, size_t number)
{
    static char said[SAID_MAX];
    const struct reading *reading = data;
    bool is_whole = say(reading->text, said);
    if (strncmp(said, reading->truth, strlen(said)) != 0 || (is_whole && strcmp(said, reading->truth) != 0))
        fail_msg("%s, allocation %zu fails: %s", reading->path, number, said);
    return is_whole;
}

static void check_file(const char *name, struct slice text)
{
    static struct reading reading;
    reading.path = name;
    reading.text = text;
    assert_true(say(reading.text, reading.truth));
    fail_each_allocation(say_again, &reading, failures_of_each(100));
}

static void what_is_said_is_the_truth(void **state)
{
    (void)state;
    for_each_input("tests/fuzz/corpus/fuzz_manifest", check_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, tell_fault_points);
}
