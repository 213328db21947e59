#include "commands/scan/scan.h"

/* A series a manager would be too many: names are clients' own, so these are by class. */
static void head(struct text *text, const char *name, const char *type, const char *help)
{
    text_append_all(
        text, "# HELP applyguard_scan_", name, " ", help, "\n# TYPE applyguard_scan_", name, " ", type, "\n");
}

/* `labels` may be NULL. */
static void sample(struct text *text, const char *name, const char *labels, uint64_t value)
{
    text_append_all(text, "applyguard_scan_", name);
    if (labels)
        text_append_all(text, "{", labels, "}");
    text_append_all(text, " ", value, "\n");
}

static void gauge(struct text *text, const char *name, const char *help, uint64_t value)
{
    head(text, name, "gauge", help);
    sample(text, name, NULL, value);
}

/* NAME{label="value"} */
static void labelled(
    struct text *text, const char *name, const char *label, const char *value, uint64_t number)
{
    const char *labels = text_join_string(text->arena, label, "=\"", value, "\"");
    if (labels)
        sample(text, name, labels, number);
}

static void append_findings(struct text *text, const struct scan_summary *summary)
{
    head(
        text, "findings", "gauge",
        "Findings of the last scan, by rule and by what the policy alone would do.");
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        for (int action = ACTION_AUDIT; action < ACTION_COUNT; action++) {
            const char *value = text_join_string(
                text->arena, rules[rule].name, "\",action=\"", action_name((enum action)action));
            if (summary->findings[rule][action] && value)
                labelled(text, "findings", "rule", value, summary->findings[rule][action]);
        }
    }
}

static void append_managers(struct text *text, const struct scan_summary *summary)
{
    uint64_t managers[SCAN_CLASSES] = {0}, fields[SCAN_CLASSES] = {0};
    for (size_t i = 0; i < summary->managers.count; i++) {
        const struct scan_manager *manager = name_table_item(&summary->managers, i);
        managers[scan_manager_class(manager)]++;
        fields[scan_manager_class(manager)] += manager->fields;
    }
    head(text, "managers", "gauge", "Field managers, by class.");
    for (int class = 0; class < SCAN_CLASSES; class ++)
        labelled(text, "managers", "class", manager_class_name((enum manager_class) class), managers[class]);
    head(text, "owned_fields", "gauge", "Fields that field managers own, by class.");
    for (int class = 0; class < SCAN_CLASSES; class ++)
        labelled(
            text, "owned_fields", "class", manager_class_name((enum manager_class) class), fields[class]);
}

static void append_budget(struct text *text, const struct scan_budget *budget)
{
    head(text, "bytes", "gauge", "Bytes of the objects as JSON, and of parts of them.");
    labelled(text, "bytes", "part", "objects", budget->objects);
    labelled(text, "bytes", "part", "managedFields", budget->managed_fields);
    labelled(text, "bytes", "part", "annotations", budget->annotations);
    labelled(text, "bytes", "part", "last-applied", budget->last_applied);
}

void scan_append_metrics(struct text *text, const struct scan_summary *summary, int64_t now, uint64_t seconds)
{
    gauge(text, "objects", "Objects that the last scan read.", summary->objects);
    gauge(text, "objects_with_findings", "Objects with findings.", summary->with_findings);
    append_findings(text, summary);
    append_managers(text, summary);
    append_budget(text, &summary->budget);
    head(
        text, "readiness", "gauge", "Objects that tools apply, by how ready they are for server-side apply.");
    for (int readiness = SCAN_READY; readiness < SCAN_READINESS_COUNT; readiness++)
        labelled(
            text, "readiness", "state", scan_readiness_name((enum scan_readiness)readiness),
            summary->readiness[readiness]);
    gauge(text, "forbidden_kinds", "Kinds that the scan may not list.", summary->forbidden.count);
    gauge(text, "partial", "1 if something could not be read.", summary->is_partial);
    gauge(text, "duration_seconds", "How long the scan took.", seconds);
    gauge(text, "last_run_timestamp_seconds", "When the scan ended.", (uint64_t)now);
}
