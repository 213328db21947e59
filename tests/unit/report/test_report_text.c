/* Findings for people: where an editor jumps to, and a caret that stands under what is meant. */
#include "tests/unit/report/report_fixture.h"

#include "base/terminal_columns.h"
#include "base/text.h"
#include "report/excerpt.h"

static void prints_as_compilers_do(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    const struct report_item item = sample_item(&finding, 1);
    struct printed printed;
    printed_begin(&printed, OUTPUT_TEXT, false);
    report_add(printed.report, &item);
    finding.line = 0; /* then it is the object's line, without a column and without a source */
    finding.rule = RULE_autoscaled_replicas;
    report_add(printed.report, &item);
    finding.is_waived = true;
    report_add(printed.report, &item);
    const struct report_summary summary = {
        .files = 1, .items = 3, .by_action[ACTION_WARN] = 2, .waived = 1, .known = 4, .problems = 1};
    printed_end(&printed, &summary);
    assert_string_equal(
        printed.out,
        "web.yaml:12:3: warn explicit-strategy: Deployment default/web: the strategy is not set\n"
        "   12 |   replicas: 3\n"
        "      |   ^\n"
        "web.yaml:1: warn autoscaled-replicas: Deployment default/web: the strategy is not set\n"
        "3 objects in 1 file: 2 warn; 1 waived, 4 known, 1 problem\n");
    assert_int_equal(printed.result, 0);
    assert_int_equal(printed.err_length, 0);
    printed_release(&printed);
}

/* The five findings of a rule are its denials first, also one about a sample that comes after warnings. */
static void denials_about_samples_come_before_warnings(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    struct report_item item = sample_item(&finding, 1);
    struct printed printed;
    printed_begin(&printed, OUTPUT_TEXT, false);
    finding.line = 0;
    finding.rule = RULE_duplicate_list_key;
    for (int i = 0; i < 5; i++)
        report_add(printed.report, &item);
    finding.action = ACTION_DENY;
    item.is_sample = true;
    report_add(printed.report, &item);
    const struct report_summary summary = {
        .files = 1, .items = 6, .by_action = {[ACTION_WARN] = 5, [ACTION_DENY] = 1}};
    printed_end(&printed, &summary);
#define LINE(action)                                                                                         \
    "web.yaml:1: " action " duplicate-list-key: Deployment default/web: the strategy is not set\n"
    assert_string_equal(
        printed.out,
        LINE("deny") LINE("warn") LINE("warn") LINE("warn")
            LINE("warn") "duplicate-list-key: 1 more finding; --all lists them\n"
                         "6 objects in 1 file: 1 deny, 5 warn\n");
    printed_release(&printed);
}

static void summary_counts(void **state)
{
    (void)state;
    static const struct {
        struct report_summary summary;
        const char *line;
    } cases[] = {
        {{0}, "0 objects in 0 files: no findings\n"},
        {{.files = 2, .items = 1, .waived = 2}, "1 object in 2 files: no findings; 2 waived\n"},
        {{.files = 1, .items = 9, .by_action = {0, 4, 2, 1}, .problems = 2},
         "9 objects in 1 file: 1 deny, 2 warn, 4 audit; 2 problems\n"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct printed printed;
        printed_begin(&printed, OUTPUT_TEXT, false);
        printed_end(&printed, &cases[i].summary);
        assert_string_equal(printed.out, cases[i].line);
        printed_release(&printed);
    }
}

/* Editors and CI systems find problems as they find a compiler's errors. */
static void problems_go_to_standard_error(void **state)
{
    (void)state;
    struct printed printed;
    printed_begin(&printed, OUTPUT_TEXT, false);
    report_problem(printed.report, SLICE("a.yaml"), 3, 7, "it is not YAML");
    report_problem(printed.report, SLICE("b.yaml"), 3, 0, "it is not YAML");
    report_problem(printed.report, SLICE("c\n\x1b[2J.yaml"), 0, 7, "no such file\n");
    printed_end(&printed, &(struct report_summary){.problems = 3});
    assert_string_equal(
        printed.err,
        "a.yaml:3:7: error: it is not YAML\n"
        "b.yaml:3: error: it is not YAML\n"
        "c\\n\\x1b[2J.yaml: error: no such file\\n\n");
    assert_string_equal(printed.out, "0 objects in 0 files: no findings; 3 problems\n");
    printed_release(&printed);
}

/* Without a terminal no escape sequence is printed, and with one only ours are. */
static void colour_is_for_terminals(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    finding.message = SLICE("Deployment default/\x1b[31mweb");
    const struct report_item item = sample_item(&finding, 1);
    struct printed printed;
    printed_begin(&printed, OUTPUT_TEXT, true);
    report_add(printed.report, &item);
    printed_end(&printed, &(struct report_summary){0});
    assert_string_equal(
        printed.out,
        "\033[1mweb.yaml:12:3:\033[0m \033[35mwarn\033[0m explicit-strategy: "
        "Deployment default/\\x1b[31mweb\n"
        "   12 |   replicas: 3\n"
        "      |   \033[38;5;28m^\033[0m\n"
        "0 objects in 0 files: no findings\n");
    printed_release(&printed);
}

/* GitHub Actions, Azure Pipelines and TeamCity read commands in a log: none comes from a name in a manifest.
 */
static void names_give_no_commands_to_ci_systems(void **state)
{
    (void)state;
    struct report_finding finding = sample_finding();
    finding.message = SLICE("Deployment ##vso[task.setvariable]/###[group]##a b[c##teamcity[x##");
    finding.source_line = SLICE("::add-mask::a ##[debug]b");
    finding.column = 19;
    struct report_item item = sample_item(&finding, 1);
    item.file = SLICE("::add-mask::x.yaml");
    struct printed printed;
    printed_begin(&printed, OUTPUT_TEXT, false);
    report_add(printed.report, &item);
    report_problem(printed.report, SLICE("\xc2\xa0::error::x"), 0, 0, "no ##[such] file");
    printed_end(&printed, &(struct report_summary){0});
    assert_string_equal(
        printed.out,
        "./::add-mask::x.yaml:12:19: warn explicit-strategy: "
        "Deployment #\\x23vso[task.setvariable]/##\\x23[group]##a b[c#\\x23teamcity[x##\n"
        "   12 | ::add-mask::a #\\x23[debug]b\n"
        "      |                      ^\n"
        "0 objects in 0 files: no findings\n");
    assert_string_equal(printed.err, "./\xc2\xa0::error::x: error: no #\\x23[such] file\n");
    printed_release(&printed);
}

static void check_excerpt(struct slice source, unsigned column, const char *expected)
{
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    excerpt_append(&text, source, 7, column, false);
    text_append(&text, (struct slice){"", 1});
    assert_string_equal(text_slice(&text).bytes, expected);
    arena_destroy(arena);
}

static void the_caret_stands_under_what_is_meant(void **state)
{
    (void)state;
    check_excerpt(SLICE("a: b"), 4, "    7 | a: b\n      |    ^\n");
    check_excerpt(SLICE("a: b"), 0, "    7 | a: b\n");
    check_excerpt(SLICE("a: b"), 5, "    7 | a: b\n");
    check_excerpt(SLICE("a: b"), 4000000000, "    7 | a: b\n");
    check_excerpt(SLICE(""), 1, "");
    /* Tabs end where a terminal's do. */
    check_excerpt(SLICE("\tab\tc"), 5, "    7 |         ab      c\n      |                 ^\n");
    /* Two columns each, and none for a combining mark. */
    check_excerpt(SLICE("日本: c"), 5, "    7 | 日本: c\n      |       ^\n");
    check_excerpt(SLICE("e\xcc\x81: c"), 5, "    7 | e\xcc\x81: c\n      |    ^\n");
    /* Escapes are as wide as they are printed. */
    check_excerpt(SLICE("\x1b: c"), 4, "    7 | \\x1b: c\n      |       ^\n");
    check_excerpt(SLICE("\xff: c"), 4, "    7 | \\xff: c\n      |       ^\n");
    check_excerpt(SLICE("\xe2\x80\xae: c"), 4, "    7 | \\u202e: c\n      |         ^\n");
}

/* The part of a long line around the caret. The caret is under the x, and no more than a screen's width is
 * printed. */
static void long_lines_are_cut_around_the_caret(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const char *const fillings[] = {"-", "\t", "日", "\x01"};
    for (size_t filling = 0; filling < ARRAY_SIZE(fillings); filling++) {
        for (size_t before = 0; before < 220; before++) {
            struct text source = text_start(arena, 0);
            for (size_t i = 0; i < before; i++)
                text_append_string(&source, fillings[filling]);
            text_append_string(&source, "x");
            for (size_t i = 0; i < 60; i++)
                text_append_string(&source, fillings[filling]);
            struct text text = text_start(arena, 0);
            excerpt_append(&text, text_slice(&source), 1, (unsigned)before + 1, false);
            struct slice lines = text_slice(&text);
            assert_non_null(lines.bytes);
            size_t end = slice_find(lines, '\n'), columns = 0, at_x = 0;
            for (size_t i = 0, length; i < end; i += length) {
                int32_t character = text_character(slice_from(lines, i), &length);
                if (character == 'x' && lines.bytes[i - 1] != '\\')
                    at_x = columns;
                columns += terminal_character_columns(character);
            }
            assert_in_range(columns, 1, EXCERPT_COLUMNS_MAX + 10);
            size_t caret = slice_find(slice_from(lines, end + 1), '^');
            if (caret != at_x)
                fail_msg(
                    "%zu of %s before: the caret is at %zu, not %zu", before, fillings[filling], caret, at_x);
            arena_reset(arena);
        }
    }
    arena_destroy(arena);
}

static void lines_that_nobody_wrote_are_not_shown(void **state)
{
    (void)state;
    static char line[EXCERPT_SOURCE_BYTES_MAX + 1];
    memset(line, 'a', sizeof(line));
    check_excerpt((struct slice){line, sizeof(line)}, 3, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_compilers_do),
        cmocka_unit_test(denials_about_samples_come_before_warnings),
        cmocka_unit_test(summary_counts),
        cmocka_unit_test(problems_go_to_standard_error),
        cmocka_unit_test(colour_is_for_terminals),
        cmocka_unit_test(names_give_no_commands_to_ci_systems),
        cmocka_unit_test(the_caret_stands_under_what_is_meant),
        cmocka_unit_test(long_lines_are_cut_around_the_caret),
        cmocka_unit_test(lines_that_nobody_wrote_are_not_shown),
    };
    return cmocka_run_group_tests_name("reports as text", tests, NULL, NULL);
}
