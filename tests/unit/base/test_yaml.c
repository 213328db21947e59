/* The tree under the policy file: what it keeps of YAML, and what it costs at most. */
#include "base/array_size.h"
#include "base/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = arena_create();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

static const struct yaml_node *read_good(struct arena *arena, const char *text)
{
    struct error error = {0};
    const struct yaml_node *root = yaml_read(slice_of(text), arena, &error);
    if (!root)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return root;
}

static void assert_refused(
    struct arena *arena, struct slice text, unsigned line, unsigned column, const char *because)
{
    struct error error = {0};
    assert_null(yaml_read(text, arena, &error));
    if (error.line != line || error.column != column || !strstr(error.message, because))
        fail_msg(
            "expected %u:%u: …%s…, got %u:%u: %s", line, column, because, error.line, error.column,
            error.message);
}

static const struct yaml_node *item(const struct yaml_node *list, size_t index)
{
    const struct yaml_entry *entry = list->entries;
    while (index--)
        entry = entry->next;
    return entry->value;
}

static void assert_text(const struct yaml_node *node, const char *text)
{
    assert_int_equal(node->kind, YAML_KIND_TEXT);
    assert_int_equal(node->text.length, strlen(text));
    assert_memory_equal(node->text.bytes, text, strlen(text));
}

/* Errors are only as good as the places that nodes remember. */
static void nodes_know_their_places(void **state)
{
    const struct yaml_node *root = read_good(*state, "# comment\nkey:\n  - ö: [b, 'c']\n");
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 1);
    const struct yaml_node *list = yaml_member(root, SLICE("key"));
    assert_int_equal(list->line, 3);
    assert_int_equal(list->column, 3);
    const struct yaml_node *c = item(yaml_member(item(list, 0), SLICE("ö")), 1);
    assert_int_equal(c->line, 3);
    assert_int_equal(c->column, 12);
    assert_text(c, "c");
    assert_null(yaml_member(root, SLICE("ke")));
    assert_null(yaml_member(list, SLICE("key")));
}

/* YAML 1.1 would make booleans, numbers and dates of these. */
static void scalars_stay_the_text_they_are(void **state)
{
    static const char *const words[] = {"off",  "on",   "yes",   "no",         "1.10",
                                        "0200", "0x1F", "1_000", "2027-01-31", ".inf"};
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        const struct yaml_node *node = read_good(*state, words[i]);
        assert_text(node, words[i]);
        assert_false(node->null);
        assert_false(node->quoted);
    }
}

/* `rules:` with nothing after it must not pass for an empty text. */
static void nothing_is_reported_from_empty_text(void **state)
{
    const struct yaml_node *list = read_good(*state, "[~, null, NULL, '', \"~\", !!str null, nil]\n");
    static const bool null[] = {true, true, true, false, false, false, false};
    static const bool quoted[] = {false, false, false, true, true, true, false};
    assert_int_equal(list->count, 7);
    for (size_t i = 0; i < list->count; i++) {
        assert_int_equal(item(list, i)->null, null[i]);
        assert_int_equal(item(list, i)->quoted, quoted[i]);
    }
    assert_true(yaml_member(read_good(*state, "a:\n"), SLICE("a"))->null);
}

/* An alias costs nothing but counts as the node that it repeats. */
static void aliases_share_and_count(void **state)
{
    const struct yaml_node *root = read_good(*state, "[&a [x, yy], *a, &a z, *a]\n");
    assert_ptr_equal(item(root, 0), item(root, 1));
    assert_ptr_equal(item(root, 2), item(root, 3));
    assert_int_equal(root->nodes, 1 + 3 + 3 + 1 + 1);
    assert_int_equal(root->text_bytes, 3 + 3 + 1 + 1);
    assert_int_equal(root->height, 2);
}

static struct slice nested(char *buffer, size_t depth)
{
    memset(buffer, '[', depth);
    memset(buffer + depth, ']', depth);
    return (struct slice){buffer, 2 * depth};
}

/* Readers of the tree recurse: their depth is this bound. */
static void depth_ends_at_its_bound(void **state)
{
    struct error error;
    char buffer[4 * YAML_DEPTH_MAX];
    const struct yaml_node *deepest = yaml_read(nested(buffer, YAML_DEPTH_MAX), *state, &error);
    assert_non_null(deepest);
    assert_int_equal(deepest->height, YAML_DEPTH_MAX);
    assert_refused(*state, nested(buffer, YAML_DEPTH_MAX + 1), 1, YAML_DEPTH_MAX + 1, "levels deep");
}

static char *repeat(const char *before, const char *unit, size_t count, size_t *length)
{
    size_t unit_length = strlen(unit), start = strlen(before);
    *length = start + unit_length * count;
    char *text = malloc(*length + 1);
    assert_non_null(text);
    memcpy(text, before, start);
    for (size_t i = 0; i < count; i++)
        memcpy(text + start + i * unit_length, unit, unit_length);
    return text;
}

/* The list itself is a node, and so is each item. */
static void nodes_end_at_their_bound(void **state)
{
    struct error error;
    size_t length;
    char *text = repeat("", "- a\n", YAML_NODES_MAX - 1, &length);
    assert_non_null(yaml_read((struct slice){text, length}, *state, &error));
    free(text);
    text = repeat("", "- a\n", YAML_NODES_MAX, &length);
    assert_refused(
        *state, (struct slice){text, length}, (unsigned)YAML_NODES_MAX, 3, "more than 65536 values");
    free(text);
}

/* A long text behind many aliases is small in the file and large when printed. */
static void text_behind_aliases_ends_at_its_bound(void **state)
{
    size_t length, aliases;
    char *text = repeat("- &long ", "x", 600000, &length);
    char *more = repeat("\n", "- *long\n", 6, &aliases);
    text = realloc(text, length + aliases);
    assert_non_null(text);
    memcpy(text + length, more, aliases);
    assert_refused(*state, (struct slice){text, length + aliases}, 7, 3, "4194304 bytes");
    free(text);
    free(more);
}

/* Anchors in anchors double with each line: the bound holds before anything is built of them. */
static void nested_aliases_do_not_explode(void **state)
{
    static const char laughs[] =
        "- &a [x,x,x,x,x,x,x,x,x,x]\n- &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        "- &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n- &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
        "- &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n- [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    assert_refused(*state, slice_of(laughs), 5, 22, "aliases counted");
    assert_refused(*state, SLICE("&a [*a]"), 1, 5, "is inside the value");
    assert_refused(*state, SLICE("&a {b: {c: *a}}"), 1, 12, "is inside the value");
    assert_refused(*state, SLICE("[*a, &a b]"), 1, 2, "no anchor");
}

/* Each alias is looked for among all anchors. */
static void anchors_end_at_their_bound(void **state)
{
    size_t length;
    char *text = repeat("", "- &a x\n", YAML_ANCHORS_MAX + 1, &length);
    assert_refused(*state, (struct slice){text, length}, YAML_ANCHORS_MAX + 1, 3, "more than 1024 anchors");
    free(text);
}

/* One of two equal keys would win in silence. */
static void duplicate_keys_are_found_wherever_they_stand(void **state)
{
    assert_refused(*state, SLICE("a: 1\nb: 2\n'a': 3\n"), 3, 1, "after line 1");
    assert_refused(*state, SLICE("x: {a: 1, b: 2, \"\\x61\": 3}\n"), 1, 17, "\"a\"");
    assert_refused(*state, SLICE("- {? &k a : 1, *k : 2}\n"), 1, 6, "second time");
    read_good(*state, "a: {a: {a: 1}}\nA: 1\n");
}

/* libyaml compares each %TAG line with all before it: a megabyte of them took it seconds. */
static void directives_are_refused_before_libyaml_sees_them(void **state)
{
    assert_refused(*state, SLICE("%YAML 1.1\n---\na: b\n"), 1, 1, "directive");
    assert_refused(*state, SLICE("a: b\n...\n%TAG ! x\n"), 3, 1, "directive");
    assert_refused(*state, SLICE("# c\r%TAG ! x\r---\r"), 1, 1, "directive");
    assert_refused(*state, SLICE("# c\xe2\x80\xa8%TAG ! x\n---\n"), 1, 1, "directive");
    read_good(*state, "a: 100%\nb: é%\n");
}

/* Editors of other systems leave these. */
static void byte_order_mark_and_carriage_returns_are_fine(void **state)
{
    const struct yaml_node *root = read_good(
        *state,
        "\xef\xbb\xbf"
        "a: b\r\nc: d\r\n");
    assert_int_equal(root->count, 2);
    assert_int_equal(root->column, 1);
    assert_text(yaml_member(root, SLICE("c")), "d");
    assert_refused(
        *state,
        SLICE("\xef\xbb\xbf"
              "a: \xff\n"),
        1, 4, "UTF-8");
}

/* Whatever is cut off, the answer is a tree or a sentence with a place, and no read past the end. */
static void every_beginning_is_read_or_refused(void **state)
{
    static const char whole[] = "a: &x [b, \"c\\u00e9\", {d: *x}]\n? 'e'\n: |\n  text é\n- !!str f # g\n";
    (void)state;
    for (size_t length = 0; length < sizeof(whole); length++) {
        struct arena *arena = arena_create();
        char *exact = malloc(length ? length : 1);
        assert_non_null(exact);
        memcpy(exact, whole, length);
        struct error error = {0};
        const struct yaml_node *root = yaml_read((struct slice){exact, length}, arena, &error);
        assert_true(root || (error.line && error.column && error.message[0]));
        free(exact);
        arena_destroy(arena);
    }
}

/* Excerpts go to terminals and logs: foreign text is escaped and short. */
static void excerpts_are_short_and_printable(void **state)
{
    assert_string_equal(yaml_excerpt(*state, SLICE("a\"b\\\x1b[31m\n")), "a\\\"b\\\\\\x1b[31m\\n");
    char text[200];
    memset(text, 'x', sizeof(text));
    const char *excerpt = yaml_excerpt(*state, (struct slice){text, sizeof(text)});
    assert_int_equal(strlen(excerpt), 40 + strlen("…"));
    assert_string_equal(excerpt + 40, "…");
    assert_string_equal(yaml_excerpt(*state, (struct slice){NULL, 0}), "");
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(nodes_know_their_places),
        WITH_ARENA(scalars_stay_the_text_they_are),
        WITH_ARENA(nothing_is_reported_from_empty_text),
        WITH_ARENA(aliases_share_and_count),
        WITH_ARENA(depth_ends_at_its_bound),
        WITH_ARENA(nodes_end_at_their_bound),
        WITH_ARENA(text_behind_aliases_ends_at_its_bound),
        WITH_ARENA(nested_aliases_do_not_explode),
        WITH_ARENA(anchors_end_at_their_bound),
        WITH_ARENA(duplicate_keys_are_found_wherever_they_stand),
        WITH_ARENA(directives_are_refused_before_libyaml_sees_them),
        WITH_ARENA(byte_order_mark_and_carriage_returns_are_fine),
        WITH_ARENA(every_beginning_is_read_or_refused),
        WITH_ARENA(excerpts_are_short_and_printable),
    };
    return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
