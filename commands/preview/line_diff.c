#include "commands/preview/line_diff.h"

#include "base/terminal.h"

#include <stdint.h>

#define CONTEXT 3

struct differ {
    struct slice_list before, after;
    bool *is_removed; /* for the lines before */
    bool *is_added;   /* for the lines after */
    struct arena *arena;
};

/* The parts between the common beginning and the common end. */
struct middle {
    size_t start;
    size_t before_count, after_count;
};

static struct middle middle_of(struct slice_list before, struct slice_list after)
{
    size_t start = 0, end = 0;
    size_t least = before.count < after.count ? before.count : after.count;
    while (start < least && slice_equal(before.items[start], after.items[start]))
        start++;
    while (end < least - start &&
           slice_equal(before.items[before.count - 1 - end], after.items[after.count - 1 - end]))
        end++;
    return (struct middle){start, before.count - start - end, after.count - start - end};
}

static void mark_all(const struct differ *differ, const struct middle *middle)
{
    for (size_t i = 0; i < middle->before_count; i++)
        differ->is_removed[middle->start + i] = true;
    for (size_t i = 0; i < middle->after_count; i++)
        differ->is_added[middle->start + i] = true;
}

/*
 * The row furthest[d] is about paths with d differences: furthest[d][k + d] is the number of lines before
 * that the longest one on diagonal k (the number of lines before minus that of lines after) contains.
 *
 * Whether the last difference of that path is an added line, not a removed one.
 */
static bool is_down(int32_t *const *furthest, int32_t d, int32_t k)
{
    return k == -d || (k != d && furthest[d - 1][k - 1 + d - 1] < furthest[d - 1][k + 1 + d - 1]);
}

/* How far the path gets right after its last difference. */
static int32_t reach(int32_t *const *furthest, int32_t d, int32_t k)
{
    if (d == 0)
        return 0;
    return is_down(furthest, d, k) ? furthest[d - 1][k + 1 + d - 1] : furthest[d - 1][k - 1 + d - 1] + 1;
}

static bool is_same_line(const struct differ *differ, const struct middle *middle, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && (size_t)x < middle->before_count && (size_t)y < middle->after_count &&
        slice_equal(
               differ->before.items[middle->start + (size_t)x],
               differ->after.items[middle->start + (size_t)y]);
}

/*
 * Fills the table up to the path that reaches the end of both texts. Returns the number of its differences;
 * -1: too many.
 */
static int32_t search(const struct differ *differ, const struct middle *middle, int32_t **furthest)
{
    for (int32_t d = 0; d <= LINE_DIFF_MAX; d++) {
        furthest[d] = arena_allocate_array(differ->arena, 2 * (size_t)d + 1, sizeof(int32_t));
        if (!furthest[d])
            return -1;
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t x = reach(furthest, d, k);
            while (is_same_line(differ, middle, x, x - k))
                x++;
            furthest[d][k + d] = x;
            if (x >= (int32_t)middle->before_count && x - k >= (int32_t)middle->after_count)
                return d;
        }
    }
    return -1;
}

/* Goes from the end back to the beginning. */
static void mark_path(
    const struct differ *differ, const struct middle *middle, int32_t *const *furthest, int32_t d)
{
    int32_t k = (int32_t)middle->before_count - (int32_t)middle->after_count;
    for (; d > 0; d--) {
        int32_t x = reach(furthest, d, k);
        if (is_down(furthest, d, k)) {
            differ->is_added[middle->start + (size_t)(x - k - 1)] = true;
            k++;
        } else {
            differ->is_removed[middle->start + (size_t)(x - 1)] = true;
            k--;
        }
    }
}

static void find_differences(const struct differ *differ)
{
    struct middle middle = middle_of(differ->before, differ->after);
    int32_t **furthest = arena_allocate_array(differ->arena, LINE_DIFF_MAX + 1, sizeof(*furthest));
    /* Texts of different lengths must have marks: without them a walk through both would not end. */
    if (!furthest || middle.before_count >= INT32_MAX / 4 || middle.after_count >= INT32_MAX / 4 ||
        !middle.before_count || !middle.after_count) {
        mark_all(differ, &middle);
        return;
    }
    int32_t differences = search(differ, &middle, furthest);
    if (differences < 0)
        mark_all(differ, &middle);
    else
        mark_path(differ, &middle, furthest, differences);
}

/*
 * Hunks
 */

struct place {
    size_t before, after;
};

static bool is_end(const struct differ *differ, struct place at)
{
    return at.before == differ->before.count && at.after == differ->after.count;
}

static bool is_change(const struct differ *differ, struct place at)
{
    return (at.before < differ->before.count && differ->is_removed[at.before]) ||
        (at.after < differ->after.count && differ->is_added[at.after]);
}

/* Removed lines come before added ones. */
static struct place next_line(const struct differ *differ, struct place at)
{
    if (at.before < differ->before.count && differ->is_removed[at.before])
        at.before++;
    else if (at.after < differ->after.count && differ->is_added[at.after])
        at.after++;
    else
        at = (struct place){at.before + 1, at.after + 1};
    return at;
}

static void append_line(
    struct text *text, const struct differ *differ, struct place at, struct place next, bool has_colour)
{
    bool is_removed = next.after == at.after, is_added = next.before == at.before;
    text_append_all(
        text,
        !has_colour      ? ""
            : is_removed ? TERMINAL_DENY
            : is_added   ? TERMINAL_GOOD
                         : "",
        is_removed     ? "-"
            : is_added ? "+"
                       : " ",
        is_added ? differ->after.items[at.after] : differ->before.items[at.before],
        has_colour && (is_removed || is_added) ? TERMINAL_RESET "\n" : "\n");
}

/* An empty range counts as following the line before it. */
static void append_range(struct text *text, const char *sign, size_t start, size_t end)
{
    text_append_all(text, sign, end > start ? start + 1 : start);
    if (end - start == 1)
        return;
    text_append_all(text, ",", end - start);
}

/* Changes with at most twice the context between them are in one hunk. `at` is the first one. */
static struct place end_of_hunk(const struct differ *differ, struct place at)
{
    struct place end = at;
    for (size_t same = 0; !is_end(differ, at) && same <= (size_t)2 * CONTEXT;) {
        same = is_change(differ, at) ? 0 : same + 1;
        at = next_line(differ, at);
        if (same <= CONTEXT)
            end = at;
    }
    return end;
}

static struct place append_hunk(
    struct text *text, const struct differ *differ, struct place start, struct place end, bool has_colour)
{
    text_append_string(text, has_colour ? TERMINAL_DETAIL "@@" : "@@");
    append_range(text, " -", start.before, end.before);
    append_range(text, " +", start.after, end.after);
    text_append_string(text, has_colour ? " @@" TERMINAL_RESET "\n" : " @@\n");
    while (start.before != end.before || start.after != end.after) {
        struct place next = next_line(differ, start);
        append_line(text, differ, start, next, has_colour);
        start = next;
    }
    return end;
}

void line_diff_append(struct text *text, struct slice_list before, struct slice_list after, bool has_colour)
{
    struct differ differ = {
        .before = before,
        .after = after,
        .is_removed = arena_allocate_array(text->arena, before.count + 1, sizeof(bool)),
        .is_added = arena_allocate_array(text->arena, after.count + 1, sizeof(bool)),
        .arena = text->arena,
    };
    if (!differ.is_removed || !differ.is_added)
        return;
    find_differences(&differ);
    struct place at = {0, 0};
    for (size_t same = 0; !is_end(&differ, at);) {
        if (!is_change(&differ, at)) {
            at = next_line(&differ, at);
            same++;
            continue;
        }
        size_t context = same < CONTEXT ? same : CONTEXT;
        struct place start = {at.before - context, at.after - context};
        at = append_hunk(text, &differ, start, end_of_hunk(&differ, at), has_colour);
        same = 0;
    }
}
