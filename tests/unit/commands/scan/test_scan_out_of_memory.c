/* Memory runs out while objects are scanned: the report is whole, or an error says why it is missing. */
#include "commands/scan/reports.h"
#include "policy/judge.h"
#include "tests/torture/block_arena.h"
#include "tests/unit/commands/scan/scan_objects.h"
#include "tests/unit/failing_calls.h"

#include <string.h>

struct story {
    struct policy *policy;
    char printed[65536]; /* what was printed before; empty: nothing was */
};

static bool add_object(struct scan *scan, const char *json, struct text *text, struct error *error)
{
    struct arena *arena = arena_create();
    const struct verdict *verdict = NULL;
    yyjson_doc *document = arena ? json_read(slice_of(json), 0, arena, NULL) : NULL;
    yyjson_val *value = document ? yyjson_doc_get_root(document) : NULL;
    const struct scan_object object = scan_object_of(value);
    bool is_added = value && scan_add(scan, &object, arena, &verdict, error) == 0;
    /* A verdict that is missing comes later. */
    if (is_added && verdict) {
        struct text line = text_start(arena, 64);
        scan_append_line(&line, verdict, SLICE("c"));
        struct scan_reports reports;
        scan_reports_start(&reports, arena, 1800000000);
        is_added = scan_reports_add(&reports, verdict);
        scan_reports_append(&reports, SLICE("openreports.io/v1alpha1"), SLICE("Report"), &line);
        is_added = is_added && text_slice(&line).bytes;
        text_append(text, text_slice(&line));
    }
    arena_destroy(arena);
    return is_added;
}

typedef int next_object(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error);

static bool add_each(struct scan *scan, next_object *next, struct text *text, struct error *error)
{
    const struct verdict *verdict = NULL;
    size_t index = 0;
    int result = 1;
    while (result > 0) {
        struct arena *arena = arena_create();
        result = arena ? next(scan, &index, arena, &verdict, error) : -1;
        if (result > 0) {
            struct text line = text_start(arena, 64);
            scan_append_line(&line, verdict, SLICE(""));
            if (!text_slice(&line).bytes)
                result = -1;
            text_append(text, text_slice(&line));
        }
        arena_destroy(arena);
    }
    return result == 0;
}

static bool report(const struct story *story, struct text *text, struct error *error)
{
    const struct scan_options options = {
        .policy = story->policy, .weaker = story->policy, .now = 1800000000, .keeps_all = true};
    struct scan *scan = scan_create(&options);
    bool is_whole = scan && scan_note_served(scan, SLICE("v1")) && scan_note_forbidden(scan, SLICE("Lease"));
    for (size_t i = 0; is_whole && i < SCAN_OBJECTS; i++)
        is_whole = add_object(scan, scan_objects[i], text, error);
    is_whole = is_whole && scan_compare_releases(scan) && add_each(scan, scan_next_released, text, error) &&
        add_each(scan, scan_next_related, text, error) && scan_find_overlaps(scan, SLICE("c"));
    if (is_whole) {
        const struct scan_summary *summary = scan_end(scan);
        scan_append_summary(text, summary);
        scan_append_text(text, summary, &(struct scan_text){.now = 1800000000});
        scan_append_metrics(text, summary, 1800000000, 1);
        scan_append_html(text, summary);
        scan_append_suggestion(text, summary);
    }
    scan_free(scan);
    return is_whole;
}

static bool tell(struct story *story, struct arena *arena, struct error *error)
{
    struct text text = text_start(arena, 64);
    bool is_whole = report(story, &text, error);
    struct slice all = text_slice(&text);
    if (!is_whole || !all.bytes)
        return false;
    assert_true(all.length < sizeof(story->printed));
    assert_true(!story->printed[0] || slice_equal(all, slice_of(story->printed)));
    memcpy(story->printed, all.bytes, all.length);
    return true;
}

static bool attempt_scan(void *data, struct error *error)
{
    struct arena *arena = arena_create();
    bool is_told = arena && tell(data, arena, error);
    arena_destroy(arena);
    if (!is_told && !error->message[0])
        error_set(error, "there is no memory");
    return is_told;
}

static void all_or_an_error(void **state)
{
    static struct story story;
    static const char *const words[] = {
        "\"next-conflict\"",
        "changed .data.a, which its release declares",
        "\"last-applied-secret\"",
        "\"autoscaled-replicas\"",
        "\"forbidden\":[\"Lease\"]",
        "Do these first",
        "applyguard_scan_objects 8",
        "--to kubectl -o command",
        "\"policy\":\"next-conflict\"",
        "By applyguard scan: of 8 stored objects",
        "select each other's pods"};
    (void)state;
    story.policy = policy_default();
    assert_true(fail_at_each_place(attempt_scan, &story) > 40);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strstr(story.printed, words[i]))
            fail_msg("%s is not in %s", words[i], story.printed);
    policy_free(story.policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_or_an_error),
    };
    return cmocka_run_group_tests_name("scans without memory", tests, NULL, NULL);
}
