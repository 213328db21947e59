/* Scalars and keys that are written as YAML are read back as they were, by the reader that reads as kubectl
 * does. */
#include "base/array_size.h"
#include "base/json.h"
#include "manifest/write_yaml.h"
#include "tests/unit/manifest/manifest_fixture.h"

static const struct slice texts[] = {
    SLICE_LITERAL(""),
    SLICE_LITERAL(" "),
    SLICE_LITERAL("plain text with words"),
    SLICE_LITERAL(" leading"),
    SLICE_LITERAL("trailing "),
    SLICE_LITERAL("nginx:1.25"),
    SLICE_LITERAL("a: b"),
    SLICE_LITERAL("a:"),
    SLICE_LITERAL("a #b"),
    SLICE_LITERAL("a#b"),
    SLICE_LITERAL("y"),
    SLICE_LITERAL("N"),
    SLICE_LITERAL("No"),
    SLICE_LITERAL("oN"),
    SLICE_LITERAL("TRUE"),
    SLICE_LITERAL("null"),
    SLICE_LITERAL("~"),
    SLICE_LITERAL("NaN"),
    SLICE_LITERAL(".inf"),
    SLICE_LITERAL("-.Inf"),
    SLICE_LITERAL("0777"),
    SLICE_LITERAL("0o17"),
    SLICE_LITERAL("0x1F"),
    SLICE_LITERAL("0b11"),
    SLICE_LITERAL("1_000"),
    SLICE_LITERAL("1e3"),
    SLICE_LITERAL("12e03"),
    SLICE_LITERAL("22:30"),
    SLICE_LITERAL("190:20:30.15"),
    SLICE_LITERAL("2001-01-01"),
    SLICE_LITERAL("2001-01-01T00:00:00Z"),
    SLICE_LITERAL("2001-1-1 1:1:1 +1"),
    SLICE_LITERAL("12345678901234567890"),
    SLICE_LITERAL("10.0.0.1"),
    SLICE_LITERAL("-"),
    SLICE_LITERAL("--flag=x"),
    SLICE_LITERAL("-x"),
    SLICE_LITERAL("---"),
    SLICE_LITERAL("--- a"),
    SLICE_LITERAL("..."),
    SLICE_LITERAL("<<"),
    SLICE_LITERAL("="),
    SLICE_LITERAL("!x"),
    SLICE_LITERAL("&x"),
    SLICE_LITERAL("*x"),
    SLICE_LITERAL("%x"),
    SLICE_LITERAL("@x"),
    SLICE_LITERAL("`x"),
    SLICE_LITERAL("? x"),
    SLICE_LITERAL("| x"),
    SLICE_LITERAL("> x"),
    SLICE_LITERAL("'x'"),
    SLICE_LITERAL("\"x\""),
    SLICE_LITERAL("[x]"),
    SLICE_LITERAL("{x}"),
    SLICE_LITERAL("x, y"),
    SLICE_LITERAL("$(VAR)"),
    SLICE_LITERAL("a\\b"),
    SLICE_LITERAL("tab\tin"),
    SLICE_LITERAL("\x01\x1b[31m\x7f"),
    SLICE_LITERAL("\xc2\x85\u00a0\u2028\u2029\u202e\ufeff\ufffe\U0001f600"),
    SLICE_LITERAL("日本語"),
    SLICE_LITERAL("a\n"),
    SLICE_LITERAL("a\nb"),
    SLICE_LITERAL("a\n\n"),
    SLICE_LITERAL("a\n\n\n b\n"),
    SLICE_LITERAL("\na\n"),
    SLICE_LITERAL("\n a\n"),
    SLICE_LITERAL(" a\n"),
    SLICE_LITERAL("a\n   \n"),
    SLICE_LITERAL("a\n   "),
    SLICE_LITERAL("a  \nb  \n"),
    SLICE_LITERAL("\n"),
    SLICE_LITERAL("\n\n"),
    SLICE_LITERAL("a\r\nb"),
    SLICE_LITERAL("---\na\n"),
    SLICE_LITERAL("a\n---\n...\nb: c\n# d\n"),
    SLICE_LITERAL("{\"a\":1}\n"),
    SLICE_LITERAL("a##vso[b]\n##[c]\n"),
    SLICE_LITERAL("a\n\u00a0 ::b::\n"),
};

static void append_value(struct text *yaml, struct slice string)
{
    if (!yaml_is_block(string)) {
        yaml_append_string(yaml, string);
        text_append_string(yaml, "\n");
        return;
    }
    struct slice rest = string, line;
    text_append_string(yaml, yaml_block_header(string));
    text_append_string(yaml, "\n");
    while (yaml_block_line(&rest, &line)) {
        text_append_string(yaml, line.length ? "  " : "");
        text_append(yaml, line);
        text_append_string(yaml, "\n");
    }
}

/* As a value between others, and as a key. */
static void assert_round_trip(struct slice string, struct arena *arena)
{
    struct text yaml = text_start(arena, 64), json = text_start(arena, 64);
    struct manifest_object object;
    text_append_string(&yaml, "apiVersion: v1\nkind: A\nx: ");
    append_value(&yaml, string);
    text_append_string(&yaml, "xx:\n  ");
    yaml_append_string(&yaml, string);
    text_append_string(&yaml, ": 1\nz: end\n");
    struct slice text = text_slice(&yaml);
    text_append_string(&json, "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"x\":");
    manifest_append_string(&json, string);
    text_append_string(&json, ",\"xx\":{");
    manifest_append_string(&json, string);
    text_append_string(&json, ":1},\"z\":\"end\"}");
    struct manifest_reader *reader = read_object(&text, &object);
    struct slice expected = text_slice(&json), read = manifest_json(object.root, arena);
    if (!slice_equal(read, expected))
        fail_msg("%.*s\nis read as %.*s", (int)yaml.length, yaml.bytes, (int)read.length, read.bytes);
    manifest_close(reader);
}

static void texts_are_read_back_as_they_were(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        assert_round_trip(texts[i], arena);
    arena_destroy(arena);
}

/* Texts of the characters that mean something to YAML, in any order. */
static void made_texts_are_read_back_as_they_were(void **state)
{
    static const char characters[] = " \n\n:#-?,[]{}&*!|>'\"%@`~=<.0123456789abefnotuxyTZ_\\\t\r\x01\x7f";
    struct arena *arena = arena_create();
    unsigned seed = 1;
    (void)state;
    for (size_t i = 0; i < 20000; i++) {
        char text[12];
        size_t length = 0;
        do {
            seed = seed * 1103515245 + 12345;
            text[length++] = characters[(seed >> 16) % (sizeof(characters) - 1)];
        } while (length < sizeof(text) && (seed >> 8) % 6);
        assert_round_trip((struct slice){text, length}, arena);
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* A log of GitHub Actions, Azure Pipelines or TeamCity that shows it runs nothing. */
static void no_text_is_a_command_to_a_ci_system(void **state)
{
    static const char *const commands[] = {"##[a]", "##vso[a]", "x ##teamcity[a]", "a\n##[b]\n", "a\n::b\n"};
    static const char *const others[] = {"a\n# [b]\n", "a\n## b\n", "a\nb::c\n", "a\n###\n"};
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        struct text yaml = text_start(arena, 64);
        assert_false(yaml_is_block(slice_of(commands[i])));
        yaml_append_string(&yaml, slice_of(commands[i]));
        for (size_t at = 0; at < yaml.length; at++)
            assert_false(text_is_command(text_slice(&yaml), at));
    }
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        assert_true(yaml_is_block(slice_of(others[i])));
    arena_destroy(arena);
}

static void other_scalars_are_read_back_as_they_were(void **state)
{
    static const char *const numbers[] = {
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "1.5",
        "1e21",
        "0.0001",
        "1e-7",
        "true",
        "false",
        "null",
        "{}",
        "[]",
        "1.2345678901234568e+29"};
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
        struct text yaml = text_start(arena, 64), json = text_start(arena, 64);
        yyjson_doc *document = json_read(slice_of(numbers[i]), 0, arena, NULL);
        yaml_append_scalar(&yaml, yyjson_doc_get_root(document));
        text_append(&yaml, (struct slice){"", 1});
        text_append_string(&json, numbers[i]);
        text_append(&json, (struct slice){"", 1});
        char again[128];
        snprintf(again, sizeof(again), "apiVersion: v1\nkind: A\nx: %s\n", text_slice(&yaml).bytes);
        char *read = read_all(slice_of(again), NULL);
        char *plain = NULL;
        snprintf(again, sizeof(again), "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"x\":%s}", numbers[i]);
        plain = read_all(slice_of(again), NULL);
        assert_string_equal(read, plain);
        free(read);
        free(plain);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_back_as_they_were),
        cmocka_unit_test(no_text_is_a_command_to_a_ci_system),
        cmocka_unit_test(made_texts_are_read_back_as_they_were),
        cmocka_unit_test(other_scalars_are_read_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
