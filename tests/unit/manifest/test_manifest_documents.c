/* How an input falls into documents and objects, and where they are. */
#include "base/array_size.h"
#include "tests/unit/manifest/manifest_fixture.h"

#define HEAD "apiVersion: v1\nkind: A\n"
#define SAID "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n"

static void documents_are_split_at_three_dashes(void **state)
{
    (void)state;
    assert_reads("", "");
    assert_reads("---\n---\n# nothing\n---\nnull\n", "");
    assert_reads(HEAD "---\n" HEAD "--- # more\n" HEAD, SAID SAID SAID);
    assert_reads("---\n" HEAD "---", SAID);
    assert_reads("apiVersion: v1\r\nkind: A\r\n---\r\n" HEAD, SAID SAID);
    assert_reads(
        HEAD "--- !!map\n" HEAD, "3:4: kubectl allows only a comment after ---; begin a new line\n" SAID);
}

static void what_comes_after_an_error_is_read(void **state)
{
    (void)state;
    assert_reads(
        HEAD "---\na: b: c\n---\n" HEAD,
        SAID "4:5: a colon makes no key here; check the indentation, and quote text that holds a colon and a "
             "space\n" SAID);
    assert_reads(
        "just text\n---\n" HEAD,
        "1:1: the document is not an object: it should be a map with apiVersion and kind\n" SAID);
    assert_reads("kind: A\n---\n" HEAD, "1:1: kubectl refuses this: the object has no apiVersion\n" SAID);
}

static void json_is_read_as_such(void **state)
{
    (void)state;
    const char *json = "{\"kind\":\"A\", \"apiVersion\":\"v1\"}";
    char text[512];
    snprintf(text, sizeof(text), "%s\n%s %s", json, json, json);
    assert_reads(text, SAID SAID SAID);
    snprintf(text, sizeof(text), "%s\n---\n%s", json, HEAD);
    assert_reads(text, SAID SAID);
    assert_reads("{kind: A, apiVersion: v1}\n---\n" HEAD, SAID SAID);
}

/*
 * They count as one error, until a value can be read again; longer ones than are looked at before the first
 * value, too.
 */
static void lines_that_are_no_json_are_passed_over(void **state)
{
    (void)state;
    const char *json = "{\"kind\":\"A\",\"apiVersion\":\"v1\"}";
    char text[16384];
    snprintf(
        text, sizeof(text), "%s\n%s\n\xc2\x85%5000s\xe2\x80\x83\n }%5000s%s\n]\n%s\n", json, json, "", "",
        json, json);
    assert_reads(text, SAID SAID "3:1: this does not begin a JSON value\n" SAID);
    snprintf(text, sizeof(text), "%s\n%s\n}%5000s", json, json, json);
    assert_reads(text, SAID SAID "3:1: this does not begin a JSON value\n");
}

/* Text within a broken object does not begin another one: that stands at the beginning of a line. */
static void a_broken_object_is_one_error(void **state)
{
    (void)state;
    const char *json = "{\"kind\":\"A\",\"apiVersion\":\"v1\"}";
    char text[1024];
    snprintf(
        text, sizeof(text),
        "%s\n%s\n{\n  \"a\": {\n    \"b\": \"c\"\n    \"d\": {\n      \"e\": 1\n    }\n  }\n}\n%s\n", json,
        json, json);
    assert_reads(text, SAID SAID "6:5: a comma or } is missing here\n" SAID);
}

/* Also for findings that are left out, because too much was searched already. */
static void of_many_broken_objects_those_behind_are_read(void **state)
{
    (void)state;
    const struct manifest_limits limits = {50, MANIFEST_NODES_MAX, MANIFEST_TEXT_BYTES_MAX};
    const char *json = "{\"kind\":\"A\",\"apiVersion\":\"v1\"}", *broken = "{\"a\":\n{\"b\":1 2}}";
    char text[1024];
    snprintf(
        text, sizeof(text), "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n", json, json, broken, json, broken, broken,
        broken, json);
    char *said = read_all(slice_of(text), &limits);
    assert_string_equal(
        said,
        SAID SAID "4:8: a comma or } is missing here\n" SAID "7:8: a comma or } is missing here\n" SAID);
    free(said);
}

static size_t bytes_at_a_time;

static ptrdiff_t read_some(void *text, void *bytes, size_t size)
{
    return manifest_read_slice(text, bytes, size < bytes_at_a_time ? size : bytes_at_a_time);
}

/* Behind a value that is too large goes on what comes next, however much of it is read with the value. */
static void what_follows_a_large_value_is_read(void **state)
{
    (void)state;
    const struct manifest_limits limits = {50, MANIFEST_NODES_MAX, MANIFEST_TEXT_BYTES_MAX};
    const char *json = "{\"kind\":\"A\",\"apiVersion\":\"v1\"}";
    char large[64], text[8192];
    memset(large, '1', sizeof(large));
    /* The first part, which is read at once, decides whether the text is JSON or YAML. */
    snprintf(
        text, sizeof(text), "%s%5000s\n{\"a\":%.60s}\n%s%s[\"%.60s\"]%s%.60s%s", json, "", large, json, json,
        large, json, large, json);
    for (bytes_at_a_time = 1; bytes_at_a_time < strlen(text); bytes_at_a_time++) {
        char *said = read_with(read_some, slice_of(text), &limits);
        assert_string_equal(
            said,
            SAID "2:1: the document that begins here is larger than 50 bytes; split it\n" SAID SAID
                 "3:1: the document that begins here is larger than 50 bytes; split it\n" SAID
                 "3:1: the document that begins here is larger than 50 bytes; split it\n" SAID);
        free(said);
        bytes_at_a_time += bytes_at_a_time / 100;
    }
}

/* Wherever it breaks off, it says what it may be; a brace in another line does not decide it. */
static void templates_are_told_from_mistakes(void **state)
{
    (void)state;
    const char *const hint = "; if this is a Helm template, check what helm template prints\n";
    char expected[512];
    snprintf(expected, sizeof(expected), "3:1: this key has no colon after it; add one%s", hint);
    assert_reads(HEAD "{{- if .x }}\ny: 1\n{{- end }}\n", expected);
    snprintf(expected, sizeof(expected), "3:1: this key has no colon after it; add one%s" SAID, hint);
    assert_reads("apiVersion: v1\nkind: A\n{{ include \"x\" . }}\ny: 1\n---\n" HEAD, expected);
    snprintf(expected, sizeof(expected), SAID "6:5: a key must be a string%s", hint);
    assert_reads(HEAD "---\n" HEAD "x: {{ .x }}\n", expected);
    assert_reads(HEAD "x: '{{ .x }}'\ny: [1\n", "4:6: a comma or ] is missing here\n");
}

static void lists_are_flattened(void **state)
{
    (void)state;
    assert_reads(
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A}\n- {apiVersion: v1}\n"
        "- {apiVersion: v1, kind: A}\n",
        SAID "5:3: kubectl refuses this: the object has no kind\n" SAID);
    assert_reads("apiVersion: v1\nkind: AList\nitems: [{}, null]\n", SAID SAID);
    assert_reads("apiVersion: v1\nkind: List\nitems: null\n", "");
}

/* Quotes make a text of a value that YAML reads as something else, and not a list, map, number or time. */
static void quotes_are_advised_where_they_help(void **state)
{
    (void)state;
    static const struct {
        const char *metadata, *said;
    } cases[] = {
        {"name: 5", "name takes a string, and this is read as a number; put it in quotes"},
        {"labels: {a: on}", "labels.a takes a string, and this is read as true or false; put it in quotes"},
        {"name: [a]", "name takes a string, and this is read as a list"},
        {"annotations: true", "annotations takes a map of strings, and this is read as true or false"},
        {"finalizers: 5", "finalizers takes a list, and this is read as a number"},
        {"managedFields: [5]", "managedFields takes a list of maps, and this is read as a number"},
        {"generation: 1.5", "generation takes a whole number, and this is read as a number"},
        {"creationTimestamp: 5",
         "creationTimestamp takes a time such as 2026-01-31T12:00:00Z, and this is read as a number"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[256], expected[256];
        snprintf(text, sizeof(text), HEAD "metadata: {%s}\n", cases[i].metadata);
        char *said = read_all(slice_of(text), NULL);
        snprintf(expected, sizeof(expected), "kubectl refuses this: metadata.%s\n", cases[i].said);
        const char *sentence = strstr(said, "kubectl");
        assert_string_equal(sentence ? sentence : said, expected);
        free(said);
    }
}

static void encodings_are_read(void **state)
{
    (void)state;
    assert_reads("\xef\xbb\xbf" HEAD, SAID);
    assert_reads(
        HEAD "x: \xff\xe2\x82\n",
        "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"x\":\"\xef\xbf\xbd\xef\xbf\xbd\"}\n");
    static const char wide[] =
        "\xff\xfek\0i\0n\0d\0:\0 \0A\0\n\0a\0p\0i\0V\0e\0r\0s\0i\0o\0n\0:\0 \0v\0001\0\n";
    char *said = read_all((struct slice){wide, sizeof(wide)}, NULL);
    assert_string_equal(said, SAID);
    free(said);
}

static void fields_are_found_with_their_places(void **state)
{
    (void)state;
    struct slice text = SLICE("# c\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n"
                              "    a.b/c: |\n      one\n      two\n\nspec:\n  containers:\n  - name: main\n"
                              "  - name: side\n    image: i\n");
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    struct manifest_found found = manifest_find(object.root, SLICE(".spec.containers[name=\"side\"].image"));
    assert_non_null(found.node);
    assert_int_equal(found.place.line, 15);
    assert_int_equal(found.place.column, 5);
    assert_int_equal(found.node->place.column, 12);
    found = manifest_find(object.root, SLICE(".metadata.annotations.a.b/c"));
    assert_int_equal(found.place.line, 7);
    assert_int_equal(found.node->place.end_line, 9);
    found = manifest_find(object.root, SLICE(".spec.containers[name=\"side\"].command"));
    assert_null(found.node);
    assert_int_equal(found.nearest_place.line, 14);
    manifest_close(reader);
}

/* The API server names the protocol that an item leaves out, as it names the protocol of the other item. */
static void items_are_found_by_the_keys_that_they_have(void **state)
{
    (void)state;
    struct slice text = SLICE("apiVersion: v1\nkind: Service\nspec:\n  ports:\n  - port: 53\n    name: a\n"
                              "  - port: 53\n    name: b\n    protocol: UDP\n    nodePort: 1\n");
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    struct manifest_found found =
        manifest_find(object.root, SLICE(".spec.ports[port=53,protocol=\"UDP\"].name"));
    assert_int_equal(found.place.line, 8);
    found = manifest_find(object.root, SLICE(".spec.ports[port=53,protocol=\"TCP\"].name"));
    assert_int_equal(found.place.line, 6);
    found = manifest_find(object.root, SLICE(".spec.ports[port=53,protocol=\"TCP\"].nodePort"));
    assert_null(found.node);
    assert_int_equal(found.nearest_place.line, 5);
    manifest_close(reader);
}

static void comments_waive_and_tell_the_origin(void **state)
{
    (void)state;
    struct slice text = SLICE("---\n# Source: chart/templates/a.yaml\napiVersion: v1\nkind: A\n"
                              "# applyguard:waive one because of this\n\nx: 1 # applyguard:waive two\n"
                              "y: \"# applyguard:waive three\"\n");
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    assert_true(slice_equal(object.origin.path, SLICE("chart/templates/a.yaml")));
    assert_int_equal(object.document->waiver_count, 2);
    const struct manifest_waiver *waiver = manifest_find_waiver(object.document, SLICE("one"), 7);
    assert_non_null(waiver);
    assert_int_equal(waiver->line, 5);
    assert_true(slice_equal(waiver->reason, SLICE("because of this")));
    waiver = manifest_find_waiver(object.document, SLICE("two"), 7);
    assert_non_null(waiver);
    assert_int_equal(waiver->column, 6);
    assert_null(manifest_find_waiver(object.document, SLICE("three"), 8));
    manifest_close(reader);
}

/* The text of a block begins in the next line, also behind an anchor and a tag. */
static void comments_beside_a_block_waive(void **state)
{
    (void)state;
    struct slice text = SLICE("apiVersion: v1\nkind: A\nx: &x !!str | # applyguard:waive one\n"
                              "  # applyguard:waive two\ny: &y \"# applyguard:waive three\"\n");
    struct manifest_object object;
    struct manifest_reader *reader = read_object(&text, &object);
    assert_int_equal(object.document->waiver_count, 1);
    assert_non_null(manifest_find_waiver(object.document, SLICE("one"), 3));
    manifest_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_split_at_three_dashes),
        cmocka_unit_test(what_comes_after_an_error_is_read),
        cmocka_unit_test(json_is_read_as_such),
        cmocka_unit_test(lines_that_are_no_json_are_passed_over),
        cmocka_unit_test(a_broken_object_is_one_error),
        cmocka_unit_test(of_many_broken_objects_those_behind_are_read),
        cmocka_unit_test(what_follows_a_large_value_is_read),
        cmocka_unit_test(templates_are_told_from_mistakes),
        cmocka_unit_test(lists_are_flattened),
        cmocka_unit_test(quotes_are_advised_where_they_help),
        cmocka_unit_test(encodings_are_read),
        cmocka_unit_test(fields_are_found_with_their_places),
        cmocka_unit_test(items_are_found_by_the_keys_that_they_have),
        cmocka_unit_test(comments_waive_and_tell_the_origin),
        cmocka_unit_test(comments_beside_a_block_waive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
