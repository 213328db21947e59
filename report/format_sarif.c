/*
 * The format sarif: SARIF 2.1.0 (OASIS), a log of one run. Results are written at once; problems are kept for
 * the end of the run, where `invocations` are.
 *
 * `partialFingerprints` has applyguard/v1, and primaryLocationLineHash, by which GitHub's code scanning
 * follows an alert from commit to commit: both identify the finding, and not its line.
 */
#include "base/json_append.h"
#include "report/file_name.h"
#include "report/occurrences.h"
#include "report/report_state.h"
#include "report/rule_page.h"
#include "report/summary.h"

#include <stdio.h>

/* Problems beyond this number are only counted. */
#define NOTIFICATIONS_MAX 1000

struct sarif_state {
    struct occurrences occurrences;
    struct text notifications;
    size_t notification_count;
    bool has_results;
};

static const char *level_of(enum action action)
{
    return action == ACTION_DENY ? "error" : action == ACTION_WARN ? "warning" : "note";
}

/* "KEY":{"text":"…"} */
static void append_message(struct text *text, const char *key, struct slice message)
{
    json_append_open(text, key, "{");
    json_append_key(text, "text");
    json_append_string(text, message);
    text_append_string(text, "}");
}

static void append_help(struct text *text, const char *pages, enum rule_id rule)
{
    struct text address = text_start(text->arena, 128);
    rule_page_append(&address, pages, rule);
    if (*pages)
        json_append_member_if_any(text, "helpUri", text_slice(&address));
    append_message(text, "help", text_join(text->arena, "applyguard explain ", rules[rule].name));
}

static void append_rule(struct text *text, const char *pages, enum rule_id id)
{
    enum action action = rules[id].actions[PROFILE_BASELINE];
    text_append_string(text, id ? ",\n{" : "\n{");
    json_append_member_if_any(text, "id", slice_of(rules[id].name));
    append_message(text, "shortDescription", slice_of(rules[id].summary));
    append_message(text, "fullDescription", slice_of(rules[id].summary));
    append_help(text, pages, id);
    json_append_open(text, "defaultConfiguration", "{");
    if (action == ACTION_OFF)
        text_append_string(text, "\"enabled\":false}}");
    else
        json_append_member_if_any(text, "level", slice_of(level_of(action)));
    text_append_string(text, action == ACTION_OFF ? "" : "}}");
}

static void begin(struct report *report, struct text *text)
{
    struct sarif_state *state = report->state;
    state->occurrences.arena = report->file;
    state->notifications = text_start(report->kept, 256);
    text_append_string(
        text,
        "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":"
        "\"applyguard\"");
    json_append_member_if_any(text, "version", slice_of(report->options.version));
    if (*report->options.pages)
        json_append_member_if_any(text, "informationUri", slice_of(report->options.pages));
    json_append_open(text, "rules", "[");
    for (int id = 0; id < RULE_COUNT; id++)
        append_rule(text, report->options.pages, (enum rule_id)id);
    text_append_string(text, "]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
}

/* "physicalLocation":{…} */
static void append_location(
    struct text *text, struct slice file, unsigned line, unsigned column, unsigned end_line)
{
    text_append_string(text, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
    file_name_append_uri(text, file);
    bool is_relative = !file.length || file.bytes[0] != '/';
    text_append_string(text, is_relative ? "\",\"uriBaseId\":\"%SRCROOT%\"}" : "\"}");
    if (line) {
        json_append_open(text, "region", "{");
        json_append_number_if_any(text, "startLine", line);
        json_append_number_if_any(text, "startColumn", column);
        if (end_line > line)
            json_append_number_if_any(text, "endLine", end_line);
        text_append_string(text, "}");
    }
    text_append_string(text, "}");
}

/* The object: Deployment.apps default/web. */
static void append_object(struct text *text, const struct report_item *item)
{
    if (!item->name.length)
        return;
    struct text name = text_start(text->arena, 256);
    text_append_all(&name, item->kind, " ", as_qualified(text_append, item->namespace, item->name));
    json_append_open(text, "logicalLocations", "[{");
    json_append_member_if_any(text, "name", item->name);
    json_append_member_if_any(text, "fullyQualifiedName", text_slice(&name));
    json_append_member_if_any(text, "kind", SLICE("resource"));
    text_append_string(text, "}]");
}

static void append_fingerprints(struct text *text, struct occurrence occurrence)
{
    char hash[64];
    snprintf(
        hash, sizeof(hash), "%016llx:%zu", (unsigned long long)occurrence.fingerprint, occurrence.number);
    json_append_open(text, "partialFingerprints", "{");
    json_append_member_if_any(text, "applyguard/v1", slice_of(hash));
    json_append_member_if_any(text, "primaryLocationLineHash", slice_of(hash));
    text_append_string(text, "}");
}

static void append_suppression(struct text *text, const struct report_finding *finding)
{
    text_append_string(text, ",\"suppressions\":[{\"kind\":\"inSource\"");
    json_append_member_if_any(text, "justification", finding->waived_reason);
    text_append_string(text, "}]");
}

static void append_result(
    struct text *text, const struct report_item *item, const struct report_finding *finding,
    struct occurrence occurrence)
{
    json_append_member_if_any(text, "ruleId", slice_of(rules[finding->rule].name));
    json_append_key(text, "ruleIndex");
    text_append_number(text, finding->rule);
    json_append_member_if_any(text, "level", slice_of(level_of(finding->action)));
    append_message(text, "message", finding->message);
    json_append_open(text, "locations", "[{");
    append_location(
        text, item->file, report_line(item, finding), finding->line ? finding->column : 0, finding->end_line);
    append_object(text, item);
    text_append_string(text, "}]");
    if (finding->related) {
        json_append_open(text, "relatedLocations", "[{");
        append_location(text, finding->related->file, finding->related->line, 0, 0);
        text_append_string(text, "}]");
    }
    append_fingerprints(text, occurrence);
    if (finding->is_waived)
        append_suppression(text, finding);
    if (finding->field_count) {
        json_append_open(text, "properties", "{");
        json_append_list(text, "fields", (struct slice_list){finding->fields, finding->field_count});
        text_append_string(text, "}");
    }
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    struct sarif_state *state = report->state;
    for (size_t i = 0; i < item->finding_count; i++) {
        text_append_string(text, state->has_results ? ",\n{" : "\n{");
        state->has_results = true;
        append_result(
            text, item, &item->findings[i],
            occurrences_add(&state->occurrences, item, &item->findings[i], text));
        text_append_string(text, "}");
    }
}

static void append_notification(struct text *text, const char *level, const struct report_problem *problem)
{
    text_append_string(text, text->length ? ",\n{" : "\n{");
    json_append_member_if_any(text, "level", slice_of(level));
    append_message(text, "message", problem->sentence);
    if (problem->file.length) {
        json_append_open(text, "locations", "[{");
        append_location(text, problem->file, problem->line, problem->column, 0);
        text_append_string(text, "}]");
    }
    text_append_string(text, "}");
}

static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    (void)text;
    struct sarif_state *state = report->state;
    if (++state->notification_count <= NOTIFICATIONS_MAX)
        append_notification(&state->notifications, "error", problem);
}

/* Notifications with the numbers of problems and findings that are not listed. */
static void append_rest(struct report *report, const struct report_summary *summary)
{
    struct sarif_state *state = report->state;
    struct text more = text_start(report->kept, 64), findings = text_start(report->kept, 64);
    if (state->notification_count > NOTIFICATIONS_MAX) {
        text_append_all(&more, "and ", state->notification_count - NOTIFICATIONS_MAX, " more problems");
        append_notification(
            &state->notifications, "error", &(struct report_problem){.sentence = text_slice(&more)});
    }
    if (summary->dropped) {
        summary_append_not_listed(&findings, summary->dropped);
        append_notification(
            &state->notifications, "note", &(struct report_problem){.sentence = text_slice(&findings)});
    }
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    struct sarif_state *state = report->state;
    append_rest(report, summary);
    struct slice notifications = text_slice(&state->notifications);
    text_append_all(
        text, "],\"invocations\":[{\"executionSuccessful\":", state->notification_count ? "false" : "true",
        ",\"toolExecutionNotifications\":[", notifications, "]}]}]}\n");
    text->failed |= !notifications.bytes;
}

const struct report_writer report_sarif = {
    .state_size = sizeof(struct sarif_state),
    .begin = begin,
    .add = add,
    .problem = add_problem,
    .end = end,
};
