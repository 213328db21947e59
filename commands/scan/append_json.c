#include "commands/scan/scan.h"

#include "base/json_append.h"
#include "policy/review/review.h"
#include "policy/verdict/encode_finding.h"

void scan_append_line(struct text *text, const struct verdict *verdict, struct slice cluster)
{
    const struct review *review = verdict->review;
    text_append_string(text, "{");
    if (cluster.length)
        json_append_member(text, "context", cluster);
    json_append_member(text, "kind", review->group_kind);
    json_append_member(text, "namespace", review->namespace);
    json_append_member(text, "name", review->name);
    json_append_open(text, "findings", "[");
    for (size_t i = 0; i < verdict->finding_count; i++) {
        json_append_comma(text);
        encode_finding(text, &verdict->findings[i], true);
    }
    text_append_string(text, "]}\n");
}

/* {KIND:n} */
static void append_counts(struct text *text, const char *name, const struct name_table *counts)
{
    json_append_open(text, name, "{");
    for (size_t i = 0; i < counts->count; i++) {
        const struct scan_count *count = name_table_item(counts, i);
        json_append_comma(text);
        json_append_string(text, count->name);
        text_append_all(text, ":", count->number);
    }
    text_append_string(text, "}");
}

static void append_manager(struct text *text, const struct scan_manager *manager)
{
    json_append_open(text, NULL, "{");
    json_append_member(text, "manager", manager->name);
    json_append_member(text, "operation", slice_of(manager_operation_name(manager->operation)));
    json_append_member(text, "tool", scan_manager_tool(manager));
    json_append_member(text, "class", slice_of(manager_class_name(scan_manager_class(manager))));
    json_append_member(text, "evidence", slice_of(scan_evidence_name(scan_manager_evidence(manager))));
    json_append_number(text, "objects", manager->objects);
    json_append_number(text, "fields", manager->fields);
    append_counts(text, "kinds", &manager->kinds);
    json_append_member(text, "last", scan_time(manager->last));
    text_append_string(text, "}");
}

static void append_findings(struct text *text, const struct scan_summary *summary)
{
    json_append_open(text, "findings", "{");
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!scan_summary_findings(summary, (enum rule_id)rule))
            continue;
        json_append_open(text, rules[rule].name, "{");
        for (int action = ACTION_AUDIT; action < ACTION_COUNT; action++)
            if (summary->findings[rule][action])
                json_append_number(text, action_name((enum action)action), summary->findings[rule][action]);
        text_append_string(text, "}");
    }
    text_append_string(text, "}");
}

static void append_names(struct text *text, const char *name, const struct name_table *names)
{
    json_append_open(text, name, "[");
    for (size_t i = 0; i < names->count; i++) {
        json_append_comma(text);
        json_append_string(text, *(const struct slice *)name_table_item(names, i));
    }
    text_append_string(text, "]");
}

static void append_overlaps(struct text *text, const struct scan_summary *summary)
{
    json_append_open(text, "overlappingSelectors", "[");
    for (size_t i = 0; i < summary->overlap_count; i++) {
        const struct scan_overlap *overlap = &summary->overlaps[i];
        json_append_open(text, NULL, "{");
        json_append_member_if_any(text, "context", overlap->context);
        json_append_member(text, "namespace", overlap->namespace);
        json_append_member(text, "kind", overlap->kind);
        json_append_member(text, "name", overlap->name);
        json_append_member(text, "otherKind", overlap->other_kind);
        json_append_member(text, "otherName", overlap->other_name);
        json_append_key(text, "mutual");
        text_append_string(text, overlap->is_mutual ? "true}" : "false}");
    }
    text_append_string(text, "]");
}

void scan_append_summary(struct text *text, const struct scan_summary *summary)
{
    text_append_string(text, "{\"summary\":{");
    json_append_number(text, "objects", summary->objects);
    json_append_open(text, "managers", "[");
    for (size_t i = 0; i < summary->managers.count; i++)
        append_manager(text, name_table_item(&summary->managers, i));
    text_append_string(text, "]");
    append_findings(text, summary);
    json_append_open(text, "budget", "{");
    json_append_number(text, "annotations", summary->budget.annotations);
    json_append_number(text, "managedFields", summary->budget.managed_fields);
    json_append_number(text, "objects", summary->budget.objects);
    text_append_string(text, "}");
    json_append_open(text, "readiness", "{");
    for (int readiness = SCAN_READY; readiness < SCAN_READINESS_COUNT; readiness++)
        json_append_number(
            text, scan_readiness_name((enum scan_readiness)readiness), summary->readiness[readiness]);
    text_append_string(text, "}");
    append_names(text, "forbidden", &summary->forbidden);
    append_counts(text, "oldVersions", &summary->old_versions);
    json_append_number(text, "withoutManagedFields", summary->dropped);
    json_append_number(text, "unowned", summary->unowned);
    json_append_number(text, "withoutLastApplied", summary->without_last_applied);
    json_append_number(text, "unreadReleases", summary->unread_releases);
    append_overlaps(text, summary);
    text_append_string(text, "}}\n");
}
