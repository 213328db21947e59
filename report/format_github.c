/*
 * The format github: a workflow command for each finding, which GitHub Actions shows at the line of the
 * change.
 *
 *   ::warning file=web.yaml,line=12,col=3,title=explicit-strategy::Deployment default/web: …
 *
 * GitHub shows ten errors and ten warnings of a step; the log has all of them.
 */
#include "report/file_name.h"
#include "report/report_state.h"
#include "report/summary.h"

static const char *command_of(enum action action)
{
    return action == ACTION_DENY ? "error" : action == ACTION_WARN ? "warning" : "notice";
}

static const char *escape_of(char byte, bool is_property)
{
    switch (byte) {
    case '%':
        return "%25";
    case '\r':
        return "%0D";
    case '\n':
        return "%0A";
    case ':':
        return is_property ? "%3A" : NULL;
    case ',':
        return is_property ? "%2C" : NULL;
    default:
        return NULL;
    }
}

/*
 * Escapes text like escapeData and escapeProperty of GitHub Actions' toolkit (actions/toolkit, command.ts).
 */
static void append_escaped(struct text *text, struct slice value, bool is_property)
{
    struct slice printable = text_printable(text->arena, value);
    for (size_t i = 0; i < printable.length; i++) {
        const char *escape = escape_of(printable.bytes[i], is_property);
        text_append(text, escape ? slice_of(escape) : (struct slice){printable.bytes + i, 1});
    }
}

/* Appends ,KEY=NUMBER if the number is known. */
static void append_number(struct text *text, const char *key, unsigned number)
{
    if (!number)
        return;
    text_append_all(text, key, number);
}

static void append_place(struct text *text, struct slice file, unsigned line, unsigned column)
{
    text_append_string(text, " file=");
    append_escaped(text, file_name_plain(file), true);
    append_number(text, ",line=", line);
    append_number(text, ",col=", line ? column : 0);
}

static void append_finding(
    struct text *text, const struct report_item *item, const struct report_finding *finding)
{
    text_append_all(text, "::", command_of(finding->action));
    append_place(text, item->file, report_line(item, finding), finding->line ? finding->column : 0);
    if (finding->end_line > finding->line && finding->line)
        append_number(text, ",endLine=", finding->end_line);
    text_append_all(text, ",title=", rules[finding->rule].name, "::");
    append_escaped(text, finding->message, false);
    text_append_string(text, "\n");
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    (void)report;
    for (size_t i = 0; i < item->finding_count; i++) {
        if (!item->findings[i].is_waived)
            append_finding(text, item, &item->findings[i]);
    }
}

static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    (void)report;
    text_append_string(text, "::error");
    append_place(text, problem->file, problem->line, problem->column);
    text_append_string(text, "::");
    append_escaped(text, problem->sentence, false);
    text_append_string(text, "\n");
}

const struct report_writer report_github = {
    .add = add, .problem = add_problem, .end = summary_end, .is_log = true};
