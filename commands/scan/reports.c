#include "commands/scan/reports.h"

#include "base/json.h"
#include "base/json_append.h"
#include "policy/review/review.h"

struct report {
    struct slice space; /* the namespace */
    struct text results;
    size_t kept;
    uint64_t fails, warns;
};

void scan_reports_start(struct scan_reports *reports, struct arena *arena, int64_t now)
{
    *reports = (struct scan_reports){
        .arena = arena,
        .items = {.arena = arena, .record_bytes = sizeof(struct report)},
        .now = now,
    };
}

static void append_object(struct text *text, const struct review *review)
{
    json_append_open(text, "resources", "[{");
    json_append_member(
        text, "apiVersion",
        text_join(text->arena, as_qualified(text_append, review->group, review->version)));
    json_append_member(text, "kind", review->kind);
    json_append_member_if_any(text, "namespace", review->namespace);
    json_append_member(text, "name", review->name);
    json_append_member_if_any(text, "uid", json_text(review->parts.metadata.uid));
    text_append_string(text, "}]");
}

static void append_result(
    const struct scan_reports *reports, struct text *text, const struct review *review,
    const struct finding *finding)
{
    bool is_failure = finding->policy_action == ACTION_DENY;
    text_append_string(text, text->length ? ",{" : "{");
    json_append_member(text, "source", SLICE("applyguard"));
    json_append_member(text, "policy", slice_of(rules[finding->rule].name));
    json_append_member(text, "category", SLICE("Apply hygiene"));
    json_append_member(text, "severity", is_failure ? SLICE("high") : SLICE("medium"));
    json_append_member(text, "result", is_failure ? SLICE("fail") : SLICE("warn"));
    json_append_member(text, "message", finding->message);
    append_object(text, review);
    json_append_key(text, "timestamp");
    text_append_all(text, "{\"seconds\":", (uint64_t)reports->now, ",\"nanos\":0}}");
}

static bool add(struct scan_reports *reports, const struct review *review, const struct finding *finding)
{
    struct report *report = name_table_add(&reports->items, review->namespace);
    if (!report)
        return false;
    if (!report->kept)
        report->results = text_start(reports->arena, 1024);
    report->fails += finding->policy_action == ACTION_DENY;
    report->warns += finding->policy_action == ACTION_WARN;
    if (report->kept++ < SCAN_RESULTS_MAX)
        append_result(reports, &report->results, review, finding);
    return !arena_has_failed(reports->arena);
}

bool scan_reports_add(struct scan_reports *reports, const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].policy_action >= ACTION_WARN &&
            !add(reports, verdict->review, &verdict->findings[i]))
            return false;
    return true;
}

bool scan_reports_have(const struct scan_reports *reports, struct slice space)
{
    return reports->items.count && name_table_find(&reports->items, space);
}

static void append_report(
    const struct report *report, struct slice api_version, struct slice kind, struct text *text)
{
    json_append_open(text, NULL, "{");
    json_append_member(text, "apiVersion", api_version);
    json_append_member(text, "kind", text_join(text->arena, report->space.length ? "" : "Cluster", kind));
    json_append_key(text, "metadata");
    text_append_string(text, "{\"name\":\"" SCAN_REPORT_NAME "\"");
    json_append_member_if_any(text, "namespace", report->space);
    text_append_string(text, ",\"labels\":{\"" SCAN_REPORT_LABEL "\":\"" SCAN_REPORT_NAME "\"}}");
    json_append_key(text, "summary");
    text_append_string(text, "{\"pass\":0");
    json_append_number(text, "fail", report->fails);
    json_append_number(text, "warn", report->warns);
    text_append_string(text, ",\"error\":0,\"skip\":0}");
    json_append_key(text, "results");
    text_append_all(text, "[", ((struct slice){report->results.bytes, report->results.length}), "]}");
}

void scan_reports_append(
    const struct scan_reports *reports, struct slice api_version, struct slice kind, struct text *text)
{
    text_append_string(text, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (size_t i = 0; i < reports->items.count; i++)
        append_report(name_table_item(&reports->items, i), api_version, kind, text);
    text_append_string(text, "]}\n");
}
