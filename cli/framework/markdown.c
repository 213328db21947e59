#include "cli/framework/markdown.h"

#include "base/split.h"
#include "base/terminal.h"
#include "base/terminal_columns.h"
#include "base/terminal_wrap.h"
#include "base/text.h"

#include <ctype.h>

#define COLUMNS_MAX 8

static bool begins_with(struct slice text, const char *prefix)
{
    return slice_starts_with(text, slice_of(prefix));
}

/* The index of the string in the text; the text's length if it does not occur. */
static size_t find(struct slice text, const char *string)
{
    for (size_t i = 0; i < text.length; i++)
        if (begins_with(slice_from(text, i), string))
            return i;
    return text.length;
}

static struct slice first_line(struct slice page)
{
    return split_next(&page, '\n');
}

/* Files of applyguard's repository are of no use to a reader who only has the program. */
static void append_address(struct text *text, struct slice address)
{
    if (!begins_with(address, "https://"))
        return;
    text_append_all(text, " <", address, ">");
}

/* Appends text without its links and asterisks; `code` is unchanged. */
static void append_inline(struct text *text, struct slice rest)
{
    while (rest.length) {
        size_t plain = 0;
        while (plain < rest.length && !strchr("`[*", rest.bytes[plain]))
            plain++;
        text_append(text, slice_until(rest, plain));
        rest = slice_from(rest, plain);
        size_t middle = find(rest, "](");
        if (begins_with(rest, "`")) {
            size_t end = slice_find(slice_from(rest, 1), '`') + 2;
            text_append(text, slice_until(rest, end));
            rest = slice_from(rest, end);
        } else if (begins_with(rest, "[") && middle < rest.length) {
            append_inline(text, slice_from(slice_until(rest, middle), 1));
            rest = slice_from(rest, middle + 2);
            append_address(text, split_next(&rest, ')'));
        } else if (begins_with(rest, "[")) {
            text_append_string(text, "[");
            rest = slice_from(rest, 1);
        } else {
            rest = slice_from(rest, rest.length ? 1 : 0);
        }
    }
}

static struct slice render(struct arena *arena, struct slice source)
{
    struct text text = text_start(arena, source.length + 1);
    append_inline(&text, source);
    return text_slice(&text);
}

static void print_heading(struct slice line, bool has_colour, FILE *out)
{
    bool is_title = !begins_with(line, "##");
    fputs(has_colour ? TERMINAL_HEADING : "", out);
    for (size_t i = slice_find(line, ' ') + 1; i < line.length; i++)
        fputc(is_title ? line.bytes[i] : toupper((unsigned char)line.bytes[i]), out);
    fputs(has_colour ? TERMINAL_RESET "\n" : "\n", out);
}

/* Removes a fenced block from the front of `page`. */
static void print_fenced(struct slice *page, bool has_colour, FILE *out)
{
    split_next(page, '\n');
    while (page->length && !begins_with(*page, "```")) {
        struct slice line = split_next(page, '\n');
        bool is_coloured = has_colour && line.length;
        fprintf(
            out, "%s%s%.*s%s\n", line.length ? "    " : "", is_coloured ? TERMINAL_DETAIL : "",
            (int)line.length, line.bytes, is_coloured ? TERMINAL_RESET : "");
    }
    split_next(page, '\n');
}

/* Splits "| a | b |" at the bars outside of `code`. Returns the number of cells. */
static size_t split_row(struct slice line, struct arena *arena, struct slice cells[COLUMNS_MAX])
{
    size_t count = 0, start = 1;
    bool is_code = false;
    for (size_t i = 1; i < line.length && count < COLUMNS_MAX; i++) {
        is_code ^= line.bytes[i] == '`';
        if (line.bytes[i] == '|' && !is_code) {
            cells[count++] = render(arena, slice_trim(slice_from(slice_until(line, i), start)));
            start = i + 1;
        }
    }
    return count;
}

/* Removes a table from the front of `page`. All columns but the last have the width of their widest cell. */
static void print_table(struct slice *page, struct arena *arena, FILE *out)
{
    size_t widths[COLUMNS_MAX] = {0};
    struct slice cells[COLUMNS_MAX];
    for (struct slice rest = *page; begins_with(rest, "|");) {
        size_t count = split_row(split_next(&rest, '\n'), arena, cells);
        for (size_t i = 0; i < count; i++)
            widths[i] =
                terminal_text_columns(cells[i]) > widths[i] ? terminal_text_columns(cells[i]) : widths[i];
    }
    while (begins_with(*page, "|")) {
        struct slice line = split_next(page, '\n');
        size_t column = 0, count = split_row(line, arena, cells);
        if (begins_with(line, "| ---"))
            continue;
        for (size_t i = 0; i + 1 < count; i++) {
            int space = (int)(widths[i] - terminal_text_columns(cells[i])) + 2;
            fprintf(out, "%.*s%*s", (int)cells[i].length, cells[i].bytes ? cells[i].bytes : "", space, "");
            column += widths[i] + 2;
        }
        terminal_wrap(count ? cells[count - 1] : line, column, column, out);
    }
}

static bool begins_block(struct slice page)
{
    return !first_line(page).length || begins_with(page, "#") || begins_with(page, "|") ||
        begins_with(page, "```") || begins_with(page, "- ");
}

/* Removes a paragraph or an item of a list from the front of `page`. */
static void print_paragraph(struct slice *page, struct arena *arena, FILE *out)
{
    bool is_item = begins_with(*page, "- ");
    struct slice rest = *page;
    do
        split_next(&rest, '\n');
    while (rest.length && !begins_block(rest));
    struct slice source = slice_from(slice_until(*page, page->length - rest.length), is_item ? 2 : 0);
    fputs(is_item ? "- " : "", out);
    terminal_wrap(render(arena, source), is_item ? 2 : 0, is_item ? 2 : 0, out);
    *page = rest;
}

int markdown_print(struct slice page, bool has_colour, struct arena *arena, FILE *out)
{
    while (page.length) {
        if (!first_line(page).length) {
            split_next(&page, '\n');
            fputc('\n', out);
        } else if (begins_with(page, "#")) {
            print_heading(split_next(&page, '\n'), has_colour, out);
        } else if (begins_with(page, "```")) {
            print_fenced(&page, has_colour, out);
        } else if (begins_with(page, "|")) {
            print_table(&page, arena, out);
        } else {
            print_paragraph(&page, arena, out);
        }
    }
    return arena_has_failed(arena) ? -1 : 0;
}
