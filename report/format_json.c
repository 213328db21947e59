/*
 * The format json: a line for each object, with findings or without, in this order of keys; what does not
 * apply is left out. `waived` is the reason of a waiver.
 *
 *   {"file":…,"line":…,"kind":…,"namespace":…,"name":…,"findings":[
 *     {"rule":…,"action":…,"message":…,"fields":[…],"line":…,"column":…,"end_line":…,
 *      "related":[{"file":…,"line":…}],"waived":…}],
 *    "dropped":{"deny":…,"warn":…,"audit":…}}
 *
 * `dropped` counts, by action, the findings of an object that are not listed because there are too many.
 *
 * A problem of an input is a line of its own: {"file":…,"line":…,"column":…,"error":…}
 *
 * `report/baseline.h` reads both.
 */
#include "base/json_append.h"
#include "report/report_state.h"

static void append_related(struct text *text, const struct report_place *related)
{
    if (!related)
        return;
    json_append_open(text, "related", "[{");
    json_append_member_if_any(text, "file", related->file);
    json_append_number_if_any(text, "line", related->line);
    text_append_string(text, "}]");
}

static void append_finding(struct text *text, const struct report_finding *finding)
{
    text_append_string(text, "{");
    json_append_member_if_any(text, "rule", slice_of(rules[finding->rule].name));
    json_append_member_if_any(text, "action", slice_of(action_name(finding->action)));
    json_append_member_if_any(text, "message", finding->message);
    if (finding->field_count)
        json_append_list(text, "fields", (struct slice_list){finding->fields, finding->field_count});
    json_append_number_if_any(text, "line", finding->line);
    if (finding->line)
        json_append_number_if_any(text, "column", finding->column);
    if (finding->end_line > finding->line)
        json_append_number_if_any(text, "end_line", finding->end_line);
    append_related(text, finding->related);
    if (finding->is_waived) {
        json_append_key(text, "waived");
        json_append_string(text, finding->waived_reason);
    }
    text_append_string(text, "}");
}

static void append_dropped(struct text *text, const struct report_item *item)
{
    bool any = false;
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!item->dropped[action])
            continue;
        text_append_all(
            text, any ? ",\"" : ",\"dropped\":{\"", action_name((enum action)action),
            "\":", item->dropped[action]);
        any = true;
    }
    text_append_string(text, any ? "}" : "");
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    (void)report;
    text_append_string(text, "{");
    json_append_member_if_any(text, "file", item->file);
    json_append_number_if_any(text, "line", item->line);
    json_append_member_if_any(text, "kind", item->kind);
    json_append_member_if_any(text, "namespace", item->namespace);
    json_append_member_if_any(text, "name", item->name);
    json_append_open(text, "findings", "[");
    for (size_t i = 0; i < item->finding_count; i++) {
        json_append_comma(text);
        append_finding(text, &item->findings[i]);
    }
    text_append_string(text, "]");
    append_dropped(text, item);
    text_append_string(text, "}\n");
}

static void add_problem(struct report *report, const struct report_problem *problem, struct text *text)
{
    (void)report;
    text_append_string(text, "{");
    json_append_member_if_any(text, "file", problem->file);
    json_append_number_if_any(text, "line", problem->line);
    json_append_number_if_any(text, "column", problem->column);
    json_append_member_if_any(text, "error", problem->sentence);
    text_append_string(text, "}\n");
}

const struct report_writer report_json = {.add = add, .problem = add_problem};
