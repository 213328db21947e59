/* One line of JSON for each object: the contract with scripts, and what --baseline reads. */
#include "tests/unit/report/report_fixture.h"

#include <signal.h>
#include <unistd.h>

static char *print(const struct report_item *items, size_t count)
{
    struct printed printed;
    printed_begin(&printed, OUTPUT_JSON, false);
    for (size_t i = 0; i < count; i++)
        report_add(printed.report, &items[i]);
    printed_end(&printed, &(struct report_summary){0});
    assert_int_equal(printed.result, 0);
    free(printed.err);
    return printed.out;
}

static void keys_are_in_order_and_absent_where_they_do_not_apply(void **state)
{
    (void)state;
    struct report_finding findings[3] = {sample_finding(), sample_finding(), {0}};
    findings[0].end_line = 14;
    findings[1].end_line = 12; /* the same line: not worth a key */
    findings[1].is_waived = true;
    findings[1].waived_reason = SLICE("OPS-1");
    findings[2] = (struct report_finding){
        .rule = RULE_unjudged, .action = ACTION_AUDIT, .message = SLICE("m"), .column = 3};
    const struct report_item items[] = {
        sample_item(findings, 3),
        sample_item(NULL, 0),
        {.file = SLICE("-")},
    };
    char *out = print(items, ARRAY_SIZE(items));
    assert_string_equal(
        out,
        "{\"file\":\"web.yaml\",\"line\":1,\"kind\":\"Deployment.apps\",\"namespace\":\"default\",\"name\":"
        "\"web\","
        "\"findings\":["
        "{\"rule\":\"explicit-strategy\",\"action\":\"warn\","
        "\"message\":\"Deployment default/web: the strategy is not set\",\"fields\":[\".spec.replicas\"],"
        "\"line\":12,\"column\":3,\"end_line\":14},"
        "{\"rule\":\"explicit-strategy\",\"action\":\"warn\","
        "\"message\":\"Deployment default/web: the strategy is not set\",\"fields\":[\".spec.replicas\"],"
        "\"line\":12,\"column\":3,\"waived\":\"OPS-1\"},"
        "{\"rule\":\"unjudged\",\"action\":\"audit\",\"message\":\"m\"}]}\n"
        "{\"file\":\"web.yaml\",\"line\":1,\"kind\":\"Deployment.apps\",\"namespace\":\"default\",\"name\":"
        "\"web\","
        "\"findings\":[]}\n"
        "{\"file\":\"-\",\"findings\":[]}\n");
    free(out);
}

static void names_are_printed_without_control_characters(void **state)
{
    (void)state;
    const struct report_item item = {.file = SLICE("a\n\"\\\xff.yaml"), .name = SLICE("\x1b[2J\xe2\x80\xae")};
    char *out = print(&item, 1);
    assert_string_equal(
        out, "{\"file\":\"a\\\\n\\\"\\\\\\\\xff.yaml\",\"name\":\"\\\\x1b[2J\\\\u202e\",\"findings\":[]}\n");
    free(out);
}

/* A pipe into `head` must not look like a failure. */
static void a_reader_that_went_away_is_no_error(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    FILE *out = fdopen(ends[1], "w");
    struct report *report =
        report_begin(&(struct report_options){.format = OUTPUT_JSON, .out = out, .err = stderr});
    const struct report_item item = sample_item(NULL, 0);
    for (size_t i = 0; i < 1000; i++)
        report_add(report, &item);
    assert_int_equal(report_end(report, &(struct report_summary){0}), 0);
    fclose(out);
}

/* A full disk must. */
static void a_write_that_failed_is_an_error(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 1000}; /* written at the end, or before */
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        FILE *out = fopen("/dev/full", "w");
        if (!out)
            skip();
        struct report *report =
            report_begin(&(struct report_options){.format = OUTPUT_JSON, .out = out, .err = stderr});
        const struct report_item item = sample_item(NULL, 0);
        for (size_t added = 0; added < counts[i]; added++)
            report_add(report, &item);
        assert_int_equal(report_end(report, &(struct report_summary){0}), -1);
        fclose(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_in_order_and_absent_where_they_do_not_apply),
        cmocka_unit_test(names_are_printed_without_control_characters),
        cmocka_unit_test(a_reader_that_went_away_is_no_error),
        cmocka_unit_test(a_write_that_failed_is_an_error),
    };
    return cmocka_run_group_tests_name("reports as JSON", tests, NULL, NULL);
}
