/* The notes about values that kubectl reads in a way that people may not expect. */
#include "base/array_size.h"
#include "tests/unit/manifest/manifest_fixture.h"
#include "tests/unit/parse.h"

static void scalars_that_are_something_else(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        enum manifest_ambiguity_kind kind;
        const char *read_as;
    } cases[] = {
        {"y", MANIFEST_BOOLEAN_WORD, "true"},
        {"Off", MANIFEST_BOOLEAN_WORD, "false"},
        {"0777", MANIFEST_OCTAL, "511"},
        {"0o17", MANIFEST_OCTAL, "15"},
        {"-0x1F", MANIFEST_OTHER_BASE, "-31"},
        {"0b11", MANIFEST_OTHER_BASE, "3"},
        {"08", MANIFEST_LEADING_ZERO, "8"},
        {"1e3", MANIFEST_EXPONENT, "1000"},
        {"-1E3", MANIFEST_EXPONENT, "-1000"},
        {"1e-05", MANIFEST_SIGNED_EXPONENT, "0.00001"},
        {"1.5e+06", MANIFEST_SIGNED_EXPONENT, "1500000"},
        {"1_000", MANIFEST_UNDERSCORES, "1000"},
        {"1.10", MANIFEST_TRAILING_ZERO, "1.1"},
        {"12345678901234567890", MANIFEST_LOST_DIGITS, "12345678901234567000"},
        {"0.12345678901234567890", MANIFEST_LOST_DIGITS, "0.12345678901234568"},
        {"22:30", MANIFEST_SEXAGESIMAL, "\"22:30\""},
        {"-1:30:15.5", MANIFEST_SEXAGESIMAL, "\"-1:30:15.5\""},
        {"2001-01-01", MANIFEST_TIMESTAMP, "\"2001-01-01\""},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char bytes[128];
        snprintf(bytes, sizeof(bytes), "apiVersion: v1\nkind: A\nx: %s\n", cases[i].written);
        struct slice text = slice_of(bytes);
        struct manifest_object object;
        struct manifest_reader *reader = read_object(&text, &object);
        assert_int_equal(object.ambiguity_count, 1);
        assert_int_equal(object.ambiguities[0].kind, cases[i].kind);
        assert_text(object.ambiguities[0].written, cases[i].written);
        assert_text(object.ambiguities[0].read_as, cases[i].read_as);
        assert_int_equal(object.ambiguities[0].place.line, 3);
        assert_int_equal(object.ambiguities[0].place.column, 4);
        assert_false(object.ambiguities[0].is_key);
        manifest_close(reader);
    }
}

static void what_everybody_reads_the_same_is_silent(void **state)
{
    (void)state;
    static const char *const silent[] = {
        "true",
        "False",
        "null",
        "~",
        "1",
        "-7",
        "0",
        "0.5",
        "12.5",
        "abc",
        "\"y\"",
        "'0777'",
        "\"1e3\"",
        "!!str y",
        "80:80a",
        "nginx:1.2",
        "22:61",
        "a:b",
        "1.2.3",
        "v1.10",
        "|\n  on",
        "2001:2::1",
        "10.0.0.1",
        "12:345",
        "0.1",
        "1234567.5",
        "100000000",
        "\"22:30\"",
        "9007199254740993",
    };
    for (size_t i = 0; i < ARRAY_SIZE(silent); i++) {
        char bytes[128];
        snprintf(bytes, sizeof(bytes), "apiVersion: v1\nkind: A\nx: %s\n", silent[i]);
        struct slice text = slice_of(bytes);
        struct manifest_object object;
        struct manifest_reader *reader = read_object(&text, &object);
        if (object.ambiguity_count)
            fail_msg("%s: kind %d", silent[i], (int)object.ambiguities[0].kind);
        manifest_close(reader);
    }
}

/* Each ambiguity as KIND@LINE:COLUMN, with the other place behind a slash. */
static void assert_told(const char *yaml, const char *expected)
{
    char told[512] = "";
    struct slice text = slice_of(yaml);
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    for (size_t i = 0; i < object.ambiguity_count; i++) {
        const struct manifest_ambiguity *one = &object.ambiguities[i];
        snprintf(
            told + strlen(told), sizeof(told) - strlen(told), "%d%s@%u:%u/%u ", (int)one->kind,
            one->is_key ? "k" : "", one->place.line, one->place.column, one->other.line);
    }
    manifest_close(reader);
    assert_string_equal(told, expected);
}

static void keys_and_structure(void **state)
{
    (void)state;
    char expected[128];
    snprintf(expected, sizeof(expected), "%dk@3:1/0 ", MANIFEST_BOOLEAN_WORD);
    assert_told("apiVersion: v1\nkind: A\non: push\n", expected);
    assert_told("apiVersion: v1\nkind: A\n80: push\n", "");
    snprintf(expected, sizeof(expected), "%dk@4:1/3 ", MANIFEST_DUPLICATE_KEY);
    assert_told("apiVersion: v1\nkind: A\na: 1\na: 2\n", expected);
    assert_told("apiVersion: v1\nkind: A\n1: a\n\"1\": b\n", expected);
    assert_told("{\"apiVersion\":\"v1\",\"kind\":\"A\",\n\n\"a\":1,\n\"a\":2}", expected);
    snprintf(expected, sizeof(expected), "%dk@4:7/3 ", MANIFEST_MERGE_OVERRIDES);
    assert_told("apiVersion: v1\nkind: A\none: &m {k: 1}\ntwo: {k: 2, <<: *m}\n", expected);
    assert_told("apiVersion: v1\nkind: A\none: &m {k: 1}\ntwo: {k: 2, <<: [*m, {k: 2}]}\n", expected);
    assert_told(
        "apiVersion: v1\nkind: A\none: &m {k: {l: [1, a, null, 0.5]}}\ntwo: {k: {l: [1, a, ~, .5]}, <<: "
        "*m}\n",
        "");
    assert_told("apiVersion: v1\nkind: A\none: &m {k: 1}\ntwo: {<<: *m, k: 2}\n", "");
    snprintf(expected, sizeof(expected), "%d@4:1/0 ", MANIFEST_IGNORED_CONTENT);
    assert_told("apiVersion: v1\nkind: A\n...\nb: 1\n", expected);
    assert_told("apiVersion: v1\nkind: A\n...\n# nothing\n...\n", "");
    snprintf(expected, sizeof(expected), "%d@3:4/0 ", MANIFEST_NOT_UTF8);
    assert_told("apiVersion: v1\nkind: A\nx: \xff\n", expected);
    assert_told("apiVersion: v1\nkind: A\nx: \xef\xbf\xbd\n---\napiVersion: v1\nkind: A\nx: \xff\n", "");
}

/* How many each object has. */
static void assert_counts(const char *text, const char *expected)
{
    char counts[64] = "";
    struct slice rest = slice_of(text);
    struct manifest_object object;
    struct error error;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    while (manifest_next(reader, &object, &error) == MANIFEST_OBJECT)
        snprintf(counts + strlen(counts), sizeof(counts) - strlen(counts), "%zu ", object.ambiguity_count);
    manifest_close(reader);
    assert_string_equal(counts, expected);
}

static void items_on_one_line_have_their_own(void **state)
{
    (void)state;
    assert_counts(
        "{kind: List, apiVersion: v1, items: [{apiVersion: v1, kind: A}, {apiVersion: v1, kind: B, x: 08}, "
        "{apiVersion: v1, kind: C}], x: 08}",
        "0 1 0 ");
    assert_counts(
        "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"A\"},"
        "{\"apiVersion\":\"v1\",\"kind\":\"B\",\"a\":1,\"a\":1},{\"apiVersion\":\"v1\",\"kind\":\"C\"}],"
        "\"kind\":\"List\"}",
        "0 1 0 ");
    assert_counts(
        "kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: A, x: &x {k: 08}}\n"
        "- apiVersion: v1\n  kind: B\n  k: *x\n  x: |\n    08\n\n- <<: {apiVersion: v1, kind: C,\n    x: "
        "08}\nx: 08\n",
        "1 0 1 ");
}

static void items_of_a_list_have_their_own(void **state)
{
    (void)state;
    struct slice text = SLICE("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, x: y}\n"
                              "- apiVersion: v1\n  kind: B\n- apiVersion: v1\n  kind: C\n  x: 0777\n");
    struct manifest_object object;
    struct error error;
    struct manifest_reader *reader = read_object(&text, &object);
    assert_int_equal(object.ambiguity_count, 1);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_OBJECT);
    assert_int_equal(object.ambiguity_count, 0);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_OBJECT);
    assert_int_equal(object.ambiguity_count, 1);
    assert_int_equal(object.ambiguities[0].place.line, 9);
    manifest_close(reader);
}

static void kustomize_tells_the_origin(void **state)
{
    (void)state;
    struct slice text = SLICE("apiVersion: v1\nkind: A\nmetadata:\n  annotations:\n    "
                              "config.kubernetes.io/origin: |\n      path: base/a.yaml\n      repo: example\n"
                              "      configuredIn: kustomization.yaml\n");
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    assert_text(object.origin.path, "base/a.yaml");
    assert_text(object.origin.repository, "example");
    assert_text(object.origin.configured_in, "kustomization.yaml");
    assert_int_equal(object.origin.line, 5);
    manifest_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_that_are_something_else),
        cmocka_unit_test(what_everybody_reads_the_same_is_silent),
        cmocka_unit_test(keys_and_structure),
        cmocka_unit_test(items_on_one_line_have_their_own),
        cmocka_unit_test(items_of_a_list_have_their_own),
        cmocka_unit_test(kustomize_tells_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
