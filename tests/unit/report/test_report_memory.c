/* Memory runs out while a report is written: it is whole, or it says that it is not. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/report/report_fixture.h"

#define ITEMS 40

static void print(struct printed *printed)
{
    struct report_finding findings[] = {sample_finding(), sample_finding()};
    findings[1].is_waived = true;
    findings[1].waived_reason = SLICE("OPS-1");
    struct report_item item = sample_item(findings, ARRAY_SIZE(findings));
    static const struct slice files[] = {
        SLICE_LITERAL("a.yaml"), SLICE_LITERAL("b.yaml"), SLICE_LITERAL("c.yaml")};
    for (size_t i = 0; i < ITEMS; i++) {
        item.file = files[i * ARRAY_SIZE(files) / ITEMS];
        report_add(printed->report, &item);
        report_problem(printed->report, item.file, 3, 0, "it is not YAML");
    }
    printed_end(printed, &(struct report_summary){.items = ITEMS});
}

/* Returns false if memory was enough. */
static bool print_with_failing(size_t number, enum output_format format, const struct printed *whole)
{
    struct printed printed = {0};
    struct report_options options = {
        .format = format, .version = "1.2.3", .pages = "https://example.com/docs/rules/"};
    options.out = printed.out_file = open_memstream(&printed.out, &printed.out_length);
    options.err = printed.err_file = open_memstream(&printed.err, &printed.err_length);
    counted.calls = 0;
    counted.fail_call = number;
    printed.report = report_begin(&options);
    if (printed.report) {
        print(&printed);
        bool is_whole = strcmp(printed.out, whole->out) == 0 && strcmp(printed.err, whole->err) == 0;
        if (!is_whole && printed.result == 0)
            fail_msg("format %d, allocation %zu: %s", (int)format, number, printed.out);
    } else {
        fclose(printed.out_file);
        fclose(printed.err_file);
    }
    counted.fail_call = 0;
    assert_int_equal(counted.live_blocks, 0);
    printed_release(&printed);
    return counted.calls >= number;
}

static void it_is_whole_or_says_that_it_is_not(void **state)
{
    (void)state;
    static const enum output_format formats[] = {OUTPUT_TEXT,     OUTPUT_JSON,   OUTPUT_SARIF,
                                                 OUTPUT_JUNIT,    OUTPUT_GITHUB, OUTPUT_CODECLIMATE,
                                                 OUTPUT_MARKDOWN, OUTPUT_HTML};
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
        struct printed whole;
        printed_begin(&whole, formats[i], false);
        print(&whole);
        assert_int_equal(whole.result, 0);
        assert_true(whole.out_length > 0);
        size_t number = 1;
        while (print_with_failing(number, formats[i], &whole))
            number++;
        assert_true(number > 3);
        printed_release(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_whole_or_says_that_it_is_not),
    };
    return cmocka_run_group_tests_name("reports without memory", tests, NULL, NULL);
}
