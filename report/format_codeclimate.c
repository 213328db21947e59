/*
 * The format codeclimate: an array of issues, as GitLab's Code Quality reads them. Waived findings are left
 * out: the format cannot mark them.
 */
#include "base/json_append.h"
#include "report/file_name.h"
#include "report/fingerprint.h"
#include "report/occurrences.h"
#include "report/report_state.h"
#include "report/summary.h"

#include <stdio.h>

struct codeclimate_state {
    struct occurrences occurrences;
    bool has_issues;
};

static void begin(struct report *report, struct text *text)
{
    struct codeclimate_state *state = report->state;
    state->occurrences.arena = report->file;
    text_append_string(text, "[");
}

static const char *severity_of(enum action action)
{
    return action == ACTION_DENY ? "critical" : action == ACTION_WARN ? "major" : "info";
}

static void append_issue(
    struct codeclimate_state *state, struct text *text, const char *check, const char *severity,
    struct slice description)
{
    text_append_string(text, state->has_issues ? ",\n{" : "\n{");
    state->has_issues = true;
    json_append_member_if_any(text, "type", SLICE("issue"));
    json_append_member_if_any(text, "check_name", slice_of(check));
    json_append_key(text, "description");
    json_append_string(text, description);
    text_append_string(text, ",\"categories\":[\"Bug Risk\"]");
    json_append_member_if_any(text, "severity", slice_of(severity));
}

static void append_place(
    struct text *text, struct slice file, unsigned line, unsigned end_line, struct occurrence occurrence)
{
    char hex[48];
    snprintf(
        hex, sizeof(hex), "%016llx%08llx", (unsigned long long)occurrence.fingerprint,
        (unsigned long long)occurrence.number);
    json_append_member_if_any(text, "fingerprint", slice_of(hex));
    json_append_open(text, "location", "{");
    json_append_key(text, "path");
    json_append_string(text, file_name_plain(file));
    json_append_open(text, "lines", "{");
    json_append_number_if_any(text, "begin", line ? line : 1);
    if (end_line > line)
        json_append_number_if_any(text, "end", end_line);
    text_append_string(text, "}}}");
}

/*
 * The unlisted findings of one action become one issue, which names the action instead of a rule and fields.
 */
static void append_dropped(
    struct codeclimate_state *state, const struct report_item *item, enum action action, struct text *text)
{
    const struct slice name = slice_of(action_name(action));
    const struct fingerprint_parts parts = {
        .file = item->file,
        .kind = item->kind,
        .namespace = item->namespace,
        .name = item->name,
        .fields = &name,
        .field_count = 1,
    };
    struct text description = text_start(text->arena, 64);
    summary_append_not_listed(&description, item->dropped[action]);
    append_issue(state, text, "not-listed", severity_of(action), text_slice(&description));
    struct occurrence occurrence = {.fingerprint = fingerprint(&parts, text->arena)};
    occurrence.number =
        tally_add(&state->occurrences.tally, occurrence.fingerprint, state->occurrences.arena);
    text->failed |= !occurrence.number;
    append_place(text, item->file, item->line, 0, occurrence);
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    struct codeclimate_state *state = report->state;
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct report_finding *finding = &item->findings[i];
        if (finding->is_waived)
            continue;
        append_issue(state, text, rules[finding->rule].name, severity_of(finding->action), finding->message);
        append_place(
            text, item->file, report_line(item, finding), finding->end_line,
            occurrences_add(&state->occurrences, item, finding, text));
    }
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--)
        if (item->dropped[action])
            append_dropped(state, item, (enum action)action, text);
}

/* A problem has no rule: its fingerprint is a hash of the file and the sentence. */
static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    const struct fingerprint_parts parts = {.file = problem->file, .name = problem->sentence};
    append_issue(report->state, text, "error", "blocker", problem->sentence);
    append_place(
        text, problem->file, problem->line, 0,
        (struct occurrence){fingerprint(&parts, text->arena), problem->line});
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    (void)summary;
    struct codeclimate_state *state = report->state;
    text_append_string(text, state->has_issues ? "\n]\n" : "]\n");
}

const struct report_writer report_codeclimate = {
    .state_size = sizeof(struct codeclimate_state),
    .begin = begin,
    .add = add,
    .problem = add_problem,
    .end = end,
};
