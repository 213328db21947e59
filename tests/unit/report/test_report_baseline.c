/* A baseline: what a former report had is known, wherever it stands now; all else is new. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/report/report_fixture.h"

#include "base/text.h"
#include "report/baseline.h"
#include "report/tally.h"

static struct baseline *baseline_of(const struct report_item *items, size_t count)
{
    struct printed printed;
    printed_begin(&printed, OUTPUT_JSON, false);
    for (size_t i = 0; i < count; i++)
        report_add(printed.report, &items[i]);
    printed_end(&printed, &(struct report_summary){0});
    struct error error = {0};
    struct baseline *baseline = baseline_read((struct slice){printed.out, printed.out_length}, &error);
    if (!baseline)
        fail_msg("%u: %s", error.line, error.message);
    printed_release(&printed);
    return baseline;
}

static void findings_are_known_wherever_they_stand(void **state)
{
    (void)state;
    const struct report_finding finding = sample_finding();
    const struct report_item item = sample_item(&finding, 1);
    struct baseline *baseline = baseline_of(&item, 1);
    struct report_finding moved = finding;
    struct report_item dotted = item;
    moved.line = 900;
    moved.column = 1;
    moved.action = ACTION_DENY;
    moved.message = SLICE("Deployment default/web: in other words");
    dotted.line = 800;
    dotted.file = SLICE("./web.yaml");
    assert_true(baseline_take(baseline, &dotted, &moved));
    assert_false(baseline_take(baseline, &item, &finding)); /* there was one */
    baseline_destroy(baseline);
    struct error error = {0};
    /* Byte order marks, of two files that were joined. */
    baseline = baseline_read(SLICE("\xef\xbb\xbf\r\n\xef\xbb\xbf\r\n"), &error);
    assert_non_null(baseline);
    baseline_destroy(baseline);
}

static void anything_else_is_new(void **state)
{
    (void)state;
    const struct report_finding finding = sample_finding();
    const struct report_item item = sample_item(&finding, 1);
    struct baseline *baseline = baseline_of(&item, 1);
    struct report_item others[] = {item, item, item, item};
    others[0].file = SLICE("other.yaml");
    others[1].kind = SLICE("Deployment.extensions");
    others[2].namespace = SLICE("");
    others[3].name = SLICE("we");
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        assert_false(baseline_take(baseline, &others[i], &finding));
    struct report_finding other = finding;
    other.rule = RULE_explicit_selector;
    assert_false(baseline_take(baseline, &item, &other));
    other = finding;
    other.field_count = 0;
    assert_false(baseline_take(baseline, &item, &other));
    assert_true(baseline_take(baseline, &item, &finding));
    baseline_destroy(baseline);
}

/* Hostile names are escaped in the report, and are found again. */
static void names_of_any_bytes_are_found(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    const struct slice fields[] = {SLICE(".metadata.annotations[\"\x1b\"]"), SLICE("\xff\"\\")};
    finding.fields = fields;
    finding.field_count = ARRAY_SIZE(fields);
    struct report_item item = sample_item(&finding, 1);
    item.file = SLICE("a\nb\xff\"\\.yaml");
    item.name = SLICE("\xe2\x80\xae\\n");
    struct baseline *baseline = baseline_of(&item, 1);
    assert_true(baseline_take(baseline, &item, &finding));
    baseline_destroy(baseline);
}

static void each_makes_one_known(void **state)
{
    (void)state;
    const struct report_finding findings[] = {sample_finding(), sample_finding()};
    const struct report_item items[] = {sample_item(findings, 2), sample_item(findings, 1)};
    struct baseline *baseline = baseline_of(items, ARRAY_SIZE(items));
    for (size_t i = 0; i < 3; i++)
        assert_true(baseline_take(baseline, &items[0], &findings[0]));
    assert_false(baseline_take(baseline, &items[0], &findings[0]));
    baseline_destroy(baseline);
}

/* When one is mended, one that was not listed takes its place: it is not new, and one more of another object
 * is. */
static void what_was_not_listed_is_known_by_its_number(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    struct report_item item = sample_item(&finding, 1);
    item.dropped[finding.action] = 2;
    struct baseline *baseline = baseline_of(&item, 1);
    struct report_item other = item;
    struct report_finding unlisted = finding, stronger = finding;
    other.name = SLICE("another");
    unlisted.field_count = 0;
    stronger.field_count = 0;
    stronger.action = ACTION_DENY;
    assert_int_not_equal(finding.action, ACTION_DENY);
    assert_false(baseline_take(baseline, &other, &unlisted));
    assert_false(baseline_take(baseline, &item, &stronger));
    assert_true(baseline_take(baseline, &item, &finding));
    assert_true(baseline_take(baseline, &item, &unlisted));
    assert_true(baseline_take(baseline, &item, &unlisted));
    assert_false(baseline_take(baseline, &item, &unlisted));
    baseline_destroy(baseline);
}

/* If an object has more findings than before, some are new, although it is unknown which; the action counts.
 */
static void more_than_were_not_listed_are_new(void **state)
{
    (void)state;
    const struct report_finding finding = sample_finding();
    struct report_item item = sample_item(&finding, 1);
    item.dropped[finding.action] = 2;
    for (size_t dropped = 1; dropped <= 4; dropped++) {
        struct baseline *baseline = baseline_of(&item, 1);
        struct report_item now = item;
        now.dropped[finding.action] = dropped;
        now.dropped[ACTION_DENY] = 1;
        assert_true(baseline_take(baseline, &now, &finding));
        assert_false(baseline_take_dropped(baseline, &now, ACTION_DENY));
        assert_int_equal(baseline_take_dropped(baseline, &now, finding.action), dropped <= 2);
        baseline_destroy(baseline);
    }
    /* One that was listed and is not any more may be among them. */
    struct baseline *baseline = baseline_of(&item, 1);
    item.dropped[finding.action] = 3;
    assert_true(baseline_take_dropped(baseline, &item, finding.action));
    assert_false(baseline_take_dropped(baseline, &item, finding.action));
    baseline_destroy(baseline);
}

static void waived_findings_are_no_part_of_it(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    const struct report_item item = sample_item(&finding, 1);
    finding.is_waived = true;
    struct baseline *baseline = baseline_of(&item, 1);
    finding.is_waived = false;
    assert_false(baseline_take(baseline, &item, &finding));
    baseline_destroy(baseline);
    baseline = baseline_of(&item, 1);
    finding.is_waived = true;
    assert_false(baseline_take(baseline, &item, &finding));
    finding.is_waived = false;
    assert_true(baseline_take(baseline, &item, &finding));
    baseline_destroy(baseline);
}

static void errors_have_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line; /* 0: it is read */
    } cases[] = {
        {"", 0},
        {"\n \r\n\n", 0},
        {"{\"file\":\"a\",\"findings\":[]}", 0},
        {"{\"file\":\"a\",\"findings\":[{\"rule\":\"of-a-later-version\",\"x\":1}],\"y\":2}\n", 0},
        {"{\"file\":\"a\",\"findings\":[{\"rule\":\"r\",\"fields\":7}]}", 0},
        {"{\"file\":\"a\",\"findings\":[{\"rule\":\"r\",\"fields\":[7,null,\"x\"]}]}", 0},
        {"{\"file\":\"a\",\"findings\":[]}\n\n{\"file\":", 3},
        {"[]", 1},
        {"7", 1},
        {"\n{}", 2},
        {"{\"file\":\"a\"}", 1},
        {"{\"findings\":[]}", 1},
        {"{\"file\":\"a\",\"findings\":{}}", 1},
        {"{\"file\":\"a\",\"findings\":[7]}", 1},
        {"{\"file\":\"a\",\"findings\":[{}]}", 1},
        {"{\"file\":\"a\",\"findings\":[],\"dropped\":{\"warn\":18446744073709551615}}\n"
         "{\"file\":\"a\",\"findings\":[],\"dropped\":{\"warn\":9,\"deny\":-1,\"audit\":\"x\"}}",
         0},
        {"{\"file\":\"a\",\"findings\":[],\"dropped\":[7]}", 0},
        {"{\"file\":\"\xff\",\"findings\":[]}", 1},
        {"file a", 1},
        {"{\"version\":\"2.1.0\",\"runs\":[]}", 1},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct error error = {0};
        struct baseline *baseline = baseline_read(slice_of(cases[i].text), &error);
        if (!baseline != (cases[i].line != 0) || error.line != cases[i].line)
            fail_msg("%s: line %u: %s", cases[i].text, error.line, error.message);
        baseline_destroy(baseline);
    }
}

/* A baseline of half a report would call old findings new, or fail without a word. */
static void without_memory_it_is_not_read(void **state)
{
    (void)state;
    static const char line[] = "{\"file\":\"a\",\"findings\":[{\"rule\":\"r\",\"fields\":[\"x\"]},{\"rule\":"
                               "\"s\"}],\"dropped\":{\"warn\":1}}\n";
    bool is_read = false;
    for (size_t number = 1; !is_read; number++) {
        struct error error = {0};
        counted.calls = 0;
        counted.fail_call = number;
        struct baseline *baseline = baseline_read(slice_of(line), &error);
        counted.fail_call = 0;
        is_read = baseline != NULL;
        assert_true(is_read || strstr(error.message, "memory"));
        baseline_destroy(baseline);
        assert_int_equal(counted.live_blocks, 0);
    }
}

/* Fingerprints that differ in few bits, as an attacker may choose them. */
static void tallies_keep_likes_apart(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct tally tally = {0};
    assert_false(tally_take(&tally, 0, 1));
    for (size_t round = 1; round <= 2; round++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            assert_int_equal(tally_add(&tally, (uint64_t)1 << bit, arena), round);
            assert_int_equal(tally_add(&tally, ~((uint64_t)1 << bit), arena), round);
        }
        assert_int_equal(tally_add(&tally, 0, arena), round);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        for (size_t i = 0; i < 2; i++)
            assert_true(tally_take(&tally, (uint64_t)1 << bit, 1));
        assert_false(tally_take(&tally, (uint64_t)1 << bit, 1));
        assert_true(tally_take(&tally, ~((uint64_t)1 << bit), 1));
    }
    assert_true(tally_take(&tally, 0, 1) && tally_take(&tally, 0, 1));
    assert_false(tally_take(&tally, 0, 1));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_known_wherever_they_stand),
        cmocka_unit_test(anything_else_is_new),
        cmocka_unit_test(names_of_any_bytes_are_found),
        cmocka_unit_test(each_makes_one_known),
        cmocka_unit_test(what_was_not_listed_is_known_by_its_number),
        cmocka_unit_test(more_than_were_not_listed_are_new),
        cmocka_unit_test(waived_findings_are_no_part_of_it),
        cmocka_unit_test(errors_have_their_line),
        cmocka_unit_test(without_memory_it_is_not_read),
        cmocka_unit_test(tallies_keep_likes_apart),
    };
    return cmocka_run_group_tests_name("baselines", tests, NULL, NULL);
}
