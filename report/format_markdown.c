/*
 * The format markdown: a comment on a pull request. The worst findings come first, and findings that do not
 * fit into a GitHub comment are counted. So lines are kept until the end, of each action no more than fit.
 *
 * All text from manifests is in code spans: Markdown, HTML, links and mentions have no effect in these.
 */
#include "report/file_name.h"
#include "report/report_state.h"
#include "report/rule_page.h"
#include "report/summary.h"

/* GitHub takes 65,536 characters; the summary and the last line need some of them. */
#define LINES_BYTES_MAX ((size_t)64 * 1000)

/* A longer text is cut, so that others fit too. */
#define SPAN_BYTES_MAX 1000

/* Problems, then the actions from deny to audit. */
#define KIND_COUNT ACTION_COUNT

struct markdown_state {
    struct text lines[KIND_COUNT];
    size_t left_out[KIND_COUNT];
};

static size_t kind_of(enum action action)
{
    return (size_t)(ACTION_DENY - action) + 1;
}

static void begin(struct report *report, struct text *text)
{
    (void)text;
    struct markdown_state *state = report->state;
    for (size_t i = 0; i < KIND_COUNT; i++)
        state->lines[i] = text_start(report->kept, 256);
}

static size_t longest_run(struct slice text, char byte)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.length; i++) {
        run = text.bytes[i] == byte ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void append_backticks(struct text *text, size_t count)
{
    while (count--)
        text_append_string(text, "`");
}

/*
 * Encloses the text in more backticks than it contains. The spaces keep backticks at either end of the text
 * apart.
 */
static void append_code(struct text *text, struct slice value)
{
    struct slice printable = text_printable(text->arena, value);
    struct slice cut = text_cut(printable, SPAN_BYTES_MAX);
    if (!cut.length)
        return;
    size_t run = longest_run(cut, '`');
    append_backticks(text, run + 1);
    text_append_all(text, run ? " " : "", cut, cut.length < printable.length ? "…" : "", run ? " " : "");
    append_backticks(text, run + 1);
}

static void append_place(struct text *text, struct slice file, unsigned line, unsigned column)
{
    struct text place = text_start(text->arena, 256);
    text_append(&place, text_cut(file_name_plain(file), SPAN_BYTES_MAX));
    if (line)
        text_append_all(&place, ":", line);
    if (line && column)
        text_append_all(&place, ":", column);
    append_code(text, text_slice(&place));
}

/* Keeps a line if it may still fit into the comment. */
static void keep(struct markdown_state *state, size_t kind, const struct text *line)
{
    struct slice bytes = text_slice(line);
    struct text *lines = &state->lines[kind];
    if (bytes.length > LINES_BYTES_MAX - lines->length || state->left_out[kind])
        state->left_out[kind]++;
    else
        text_append(lines, bytes);
}

/* - **warn** [explicit-strategy](…) `web.yaml:12:3` `Deployment default/web: …` */
static void add_finding(
    struct markdown_state *state, const char *pages, const struct report_item *item,
    const struct report_finding *finding, struct text *text)
{
    struct text line = text_start(text->arena, 512);
    text_append_all(
        &line, "- **", action_name(finding->action), *pages ? "** [" : "** ", rules[finding->rule].name);
    if (*pages) {
        text_append_string(&line, "](");
        rule_page_append(&line, pages, finding->rule);
        text_append_string(&line, ")");
    }
    text_append_string(&line, " ");
    append_place(&line, item->file, report_line(item, finding), finding->line ? finding->column : 0);
    text_append_all(&line, "<br>", as_escaped(append_code, finding->message), "\n");
    keep(state, kind_of(finding->action), &line);
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    for (size_t i = 0; i < item->finding_count; i++) {
        if (!item->findings[i].is_waived)
            add_finding(report->state, report->options.pages, item, &item->findings[i], text);
    }
}

static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    struct text line = text_start(text->arena, 512);
    text_append_string(&line, "- **error** ");
    append_place(&line, problem->file, problem->line, problem->column);
    text_append_all(&line, "<br>", as_escaped(append_code, problem->sentence), "\n");
    keep(report->state, 0, &line);
}

static size_t count_lines(struct slice lines)
{
    size_t count = 0;
    for (size_t i = 0; i < lines.length; i++)
        count += lines.bytes[i] == '\n';
    return count;
}

/* The first lines that fit. */
static struct slice lines_within(struct slice lines, size_t room)
{
    size_t length = lines.length <= room ? lines.length : room;
    while (length && lines.bytes[length - 1] != '\n')
        length--;
    return slice_until(lines, length);
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    struct markdown_state *state = report->state;
    size_t room = LINES_BYTES_MAX, left_out = 0;
    text_append_string(text, "**applyguard**: ");
    summary_append(text, summary);
    text_append_string(text, "\n\n");
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct slice lines = text_slice(&state->lines[i]);
        if (!lines.bytes) {
            text->failed = true;
            return;
        }
        struct slice shown = lines_within(lines, room);
        text_append(text, shown);
        left_out += state->left_out[i] + count_lines(slice_from(lines, shown.length));
        /* The worst findings come first: the lines that do not fit are the last ones. */
        room = shown.length < lines.length || state->left_out[i] ? 0 : room - shown.length;
    }
    if (left_out)
        text_append_all(text, "- and ", left_out, " more\n");
}

const struct report_writer report_markdown = {
    .state_size = sizeof(struct markdown_state),
    .begin = begin,
    .add = add,
    .problem = add_problem,
    .end = end,
};
