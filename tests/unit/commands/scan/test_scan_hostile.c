/*
 * Any object that can be parsed is scanned to its end, and what is printed is printable: broken objects come
 * from the good ones by one changed byte.
 */
#include "commands/scan/diff.h"
#include "policy/judge.h"
#include "tests/unit/commands/scan/scan_objects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_printable(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        assert_true(text.bytes[i] == '\n' || (unsigned char)text.bytes[i] >= 0x20);
}

struct run {
    struct scan *scan;
    struct scan_diff diff;
    size_t judged;
};

static void scan_text(struct run *run, const char *json, size_t length)
{
    struct arena *arena = arena_create();
    yyjson_doc *document = json_read((struct slice){json, length}, 0, arena, NULL);
    yyjson_val *value = document ? yyjson_doc_get_root(document) : NULL;
    const struct scan_object object = scan_object_of(value);
    const struct verdict *verdict = NULL;
    struct error error = {0};
    bool is_added = yyjson_is_obj(value) && scan_add(run->scan, &object, arena, &verdict, &error) == 0;
    if (is_added && verdict) {
        struct text line = text_start(arena, 1024), difference = text_start(arena, 1024);
        scan_append_line(&line, verdict, SLICE(""));
        expect_printable(text_slice(&line));
        assert_int_equal(scan_diff_compare(&run->diff, text_slice(&line), &difference, &error), 0);
        run->judged++;
    } else {
        assert_true(is_added || !yyjson_is_obj(value) || error.message[0]);
    }
    arena_destroy(arena);
}

static void change_each_byte(struct run *run, const char *json)
{
    static const char bytes[] = {'"', '{', '[', '}', '0', '\\', 'n', '\x7f'};
    size_t length = strlen(json);
    char *copy = malloc(length);
    assert_non_null(copy);
    for (size_t i = 0; i < length * sizeof(bytes); i++) {
        memcpy(copy, json, length);
        copy[i / sizeof(bytes)] = bytes[i % sizeof(bytes)];
        scan_text(run, copy, length);
    }
    free(copy);
}

static void report(struct run *run)
{
    const struct verdict *verdict = NULL;
    struct error error = {0};
    struct arena *arena = arena_create();
    size_t index = 0;
    int result;
    assert_true(scan_compare_releases(run->scan));
    while ((result = scan_next_released(run->scan, &index, arena, &verdict, &error)) > 0)
        ;
    assert_int_equal(result, 0);
    index = 0;
    while ((result = scan_next_related(run->scan, &index, arena, &verdict, &error)) > 0)
        ;
    assert_int_equal(result, 0);
    const struct scan_summary *summary = scan_end(run->scan);
    struct text text = text_start(arena, 4096);
    scan_append_text(&text, summary, &(struct scan_text){.now = 1800000000});
    scan_append_summary(&text, summary);
    scan_append_metrics(&text, summary, 1800000000, 1);
    scan_append_html(&text, summary);
    scan_diff_append_gone(&run->diff, &text);
    expect_printable(text_slice(&text));
    arena_destroy(arena);
}

static void broken_objects_end(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    const struct scan_options options = {.policy = policy, .now = 1800000000, .keeps_all = true};
    struct run run = {.scan = scan_create(&options)};
    struct error error = {0};
    assert_non_null(run.scan);
    assert_true(scan_diff_start(&run.diff));
    assert_int_equal(
        scan_diff_read(
            &run.diff, SLICE("{\"kind\":\"a\",\"name\":\"b\",\"findings\":[{\"rule\":\"x\\u001b\"},{}]}"),
            &error),
        0);
    for (size_t i = 0; i < SCAN_OBJECTS; i++)
        change_each_byte(&run, scan_objects[i]);
    assert_true(run.judged > 1000);
    report(&run);
    scan_free(run.scan);
    scan_diff_release(&run.diff);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_objects_end),
    };
    return cmocka_run_group_tests_name("scans of broken objects", tests, NULL, NULL);
}
