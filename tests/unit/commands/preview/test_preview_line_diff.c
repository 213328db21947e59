/*
 * The difference that `preview --diff` shows: applied to the old lines it gives the new ones, and no smaller
 * difference does.
 */
#include "tests/unit/parse.h"

#include "commands/preview/line_diff.h"

#define LINES_MAX 24

/* As in a unified diff of others. */
#define CONTEXT 3

struct lines {
    struct slice items[LINES_MAX];
    size_t count;
};

/* Few different lines: many are the same by chance. */
static struct lines random_lines(uint32_t *state)
{
    static const char *const letters[] = {"a", "b", "c"};
    struct lines lines = {.count = random_below(state, LINES_MAX + 1)};
    for (size_t i = 0; i < lines.count; i++)
        lines.items[i] = slice_of(letters[random_below(state, ARRAY_SIZE(letters))]);
    return lines;
}

/* The lines with a few removed and added: what an edit leaves. */
static struct lines edited(const struct lines *lines, uint32_t *state)
{
    struct lines result = {.count = 0};
    for (size_t i = 0; i < lines->count; i++) {
        uint32_t what = random_below(state, 8);
        if (what != 0)
            result.items[result.count++] = lines->items[i];
        if (what == 1 && result.count < LINES_MAX - lines->count + i)
            result.items[result.count++] = slice_of("new");
    }
    return result;
}

/* From the ends of both texts to their beginnings. */
static size_t least_changes(const struct lines *before, const struct lines *after)
{
    size_t least[LINES_MAX + 1][LINES_MAX + 1];
    for (size_t i = before->count + 1; i-- > 0;) {
        for (size_t j = after->count + 1; j-- > 0;) {
            if (i == before->count || j == after->count)
                least[i][j] = before->count - i + after->count - j;
            else if (slice_equal(before->items[i], after->items[j]))
                least[i][j] = least[i + 1][j + 1];
            else
                least[i][j] = 1 + (least[i + 1][j] < least[i][j + 1] ? least[i + 1][j] : least[i][j + 1]);
        }
    }
    return least[0][0];
}

/* A reader of a diff. */
struct patch {
    const struct lines *before, *after;
    size_t i, j;         /* the next line of each */
    size_t end_i, end_j; /* of the hunk */
    size_t context, changes;
};

static size_t take_number(const char **at)
{
    char *end = NULL;
    size_t number = strtoul(*at, &end, 10);
    assert_true(end > *at);
    *at = end;
    return number;
}

/* The range's first line, from 0, and in `count` how many there are. */
static size_t take_range(const char **at, const char *sign, size_t *count)
{
    assert_memory_equal(*at, sign, strlen(sign));
    *at += strlen(sign);
    size_t start = take_number(at);
    *count = 1;
    if (**at == ',') {
        (*at)++;
        *count = take_number(at);
    }
    return *count ? start - 1 : start;
}

static void pass_same(struct patch *patch, size_t count)
{
    for (; count > 0; count--)
        assert_true(slice_equal(patch->before->items[patch->i++], patch->after->items[patch->j++]));
}

static void read_hunk_head(struct patch *patch, const char *line)
{
    size_t before_count = 0, after_count = 0;
    assert_true(patch->i == patch->end_i && patch->j == patch->end_j);
    size_t before = take_range(&line, "@@ -", &before_count), after = take_range(&line, " +", &after_count);
    assert_string_equal(line, " @@");
    assert_true(before >= patch->i && before - patch->i == after - patch->j);
    /* Hunks that touch are one. */
    assert_true(before > patch->i || patch->changes == 0);
    pass_same(patch, before - patch->i);
    patch->end_i = patch->i + before_count;
    patch->end_j = patch->j + after_count;
    assert_true(patch->end_i <= patch->before->count && patch->end_j <= patch->after->count);
    patch->context = 0;
}

static void read_line(struct patch *patch, const char *line)
{
    if (line[0] == '@') {
        read_hunk_head(patch, line);
        return;
    }
    struct slice rest = slice_of(line + 1);
    if (line[0] != '+')
        assert_true(slice_equal(patch->before->items[patch->i++], rest));
    if (line[0] != '-')
        assert_true(slice_equal(patch->after->items[patch->j++], rest));
    assert_true(patch->i <= patch->end_i && patch->j <= patch->end_j);
    patch->context = line[0] == ' ' ? patch->context + 1 : 0;
    patch->changes += line[0] != ' ';
    assert_true(patch->context <= (size_t)2 * CONTEXT);
    /* The text may end before. */
    if (patch->i == patch->end_i && patch->j == patch->end_j)
        assert_true(
            patch->context == CONTEXT || (patch->context < CONTEXT && patch->i == patch->before->count));
}

static void check(const struct lines *before, const struct lines *after)
{
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 64);
    struct patch patch = {.before = before, .after = after};
    line_diff_append(
        &text, (struct slice_list){before->items, before->count},
        (struct slice_list){after->items, after->count}, false);
    text_append(&text, (struct slice){"", 1});
    char *rest = text.bytes;
    assert_false(text.failed);
    for (char *line = NULL; (line = strsep(&rest, "\n")) && *line;)
        read_line(&patch, line);
    assert_true(patch.i == patch.end_i && patch.j == patch.end_j);
    assert_true(before->count - patch.i == after->count - patch.j);
    pass_same(&patch, before->count - patch.i);
    assert_int_equal(patch.changes, least_changes(before, after));
    arena_destroy(arena);
}

static void it_turns_the_old_lines_into_the_new_with_the_fewest_changes(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++) {
        struct lines before = random_lines(&random);
        struct lines after = i % 2 ? random_lines(&random) : edited(&before, &random);
        check(&before, &after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_turns_the_old_lines_into_the_new_with_the_fewest_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
