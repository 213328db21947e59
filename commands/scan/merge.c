#include "commands/scan/merge.h"

#include "base/json.h"
#include "base/json_each.h"

static uint64_t number_of(yyjson_val *object, struct slice name)
{
    return yyjson_get_uint(json_member(object, name));
}

/* Adds {NAME:n}. Returns false if memory runs out. */
static bool add_counts(struct name_table *table, yyjson_val *counts)
{
    json_each_key(key, counts) {
        struct scan_count *count = name_table_add(table, json_text(key));
        if (!count)
            return false;
        count->number += yyjson_get_uint(yyjson_obj_iter_get_val(key));
    }
    return true;
}

/* Shards classify alike, so the class and the evidence count as often as there are objects. */
static bool add_manager(struct scan_summary *summary, yyjson_val *json)
{
    enum manager_operation operation = MANAGER_UPDATE;
    enum manager_class class = CLASS_UNKNOWN;
    manager_operation_parse(json_text(json_member(json, SLICE("operation"))), &operation);
    struct scan_manager *manager = scan_managers_find_or_add(
        &summary->managers, json_text(json_member(json, SLICE("manager"))), operation);
    if (!manager)
        return summary->managers.count >= SCAN_MANAGERS_MAX;
    uint64_t objects = number_of(json, SLICE("objects"));
    manager_class_parse(json_text(json_member(json, SLICE("class"))), &class);
    manager->objects += objects;
    manager->fields += number_of(json, SLICE("fields"));
    manager->classes[class] += objects;
    struct slice evidence = json_text(json_member(json, SLICE("evidence")));
    for (int i = 0; i < SCAN_EVIDENCE_COUNT; i++)
        if (slice_equal(evidence, slice_of(scan_evidence_name((enum scan_evidence)i))))
            manager->evidence[i] += objects;
    scan_manager_note_time(manager, json_text(json_member(json, SLICE("last"))));
    return add_counts(&manager->kinds, json_member(json, SLICE("kinds")));
}

static void add_findings(struct scan_summary *summary, yyjson_val *findings)
{
    json_each_key(key, findings) {
        enum rule_id rule;
        if (!rule_find(json_text(key), &rule))
            continue;
        for (int action = ACTION_AUDIT; action < ACTION_COUNT; action++)
            summary->findings[rule][action] +=
                number_of(yyjson_obj_iter_get_val(key), slice_of(action_name((enum action)action)));
    }
}

static bool add_names(struct name_table *table, yyjson_val *names)
{
    json_each_item(item, names)
        if (!name_table_add(table, json_text(item)))
            return false;
    return true;
}

static bool add_managers(struct scan_summary *summary, yyjson_val *managers)
{
    json_each_item(item, managers)
        if (!add_manager(summary, item))
            return false;
    return true;
}

static bool add_overlaps(struct scan_summary *summary, yyjson_val *overlaps)
{
    json_each_item(item, overlaps) {
        const struct scan_overlap overlap = {
            .context = json_text(json_member(item, SLICE("context"))),
            .namespace = json_text(json_member(item, SLICE("namespace"))),
            .kind = json_text(json_member(item, SLICE("kind"))),
            .name = json_text(json_member(item, SLICE("name"))),
            .other_kind = json_text(json_member(item, SLICE("otherKind"))),
            .other_name = json_text(json_member(item, SLICE("otherName"))),
            .is_mutual = yyjson_get_bool(json_member(item, SLICE("mutual"))),
        };
        if (!scan_summary_add_overlap(summary, &overlap))
            return false;
    }
    return true;
}

/* Returns false if memory runs out. */
static bool add_summary(struct scan_summary *summary, yyjson_val *json)
{
    yyjson_val *budget = json_member(json, SLICE("budget")),
               *readiness = json_member(json, SLICE("readiness"));
    summary->objects += number_of(json, SLICE("objects"));
    summary->budget.annotations += number_of(budget, SLICE("annotations"));
    summary->budget.managed_fields += number_of(budget, SLICE("managedFields"));
    summary->budget.objects += number_of(budget, SLICE("objects"));
    for (int i = SCAN_READY; i < SCAN_READINESS_COUNT; i++)
        summary->readiness[i] += number_of(readiness, slice_of(scan_readiness_name((enum scan_readiness)i)));
    summary->dropped += number_of(json, SLICE("withoutManagedFields"));
    summary->unowned += number_of(json, SLICE("unowned"));
    summary->without_last_applied += number_of(json, SLICE("withoutLastApplied"));
    summary->unread_releases += number_of(json, SLICE("unreadReleases"));
    add_findings(summary, json_member(json, SLICE("findings")));
    return add_managers(summary, json_member(json, SLICE("managers"))) &&
        add_names(&summary->forbidden, json_member(json, SLICE("forbidden"))) &&
        add_counts(&summary->old_versions, json_member(json, SLICE("oldVersions"))) &&
        add_overlaps(summary, json_member(json, SLICE("overlappingSelectors")));
}

/* Returns false if memory runs out. */
static bool keep_examples(struct scan_summary *summary, yyjson_val *findings)
{
    summary->with_findings++;
    json_each_item(item, findings) {
        enum rule_id rule;
        const struct scan_example example = {.message = json_text(json_member(item, SLICE("message")))};
        if (rule_find(json_text(json_member(item, SLICE("rule"))), &rule) &&
            !scan_summary_keep_example(summary, rule, &example))
            return false;
    }
    return true;
}

enum scan_merged scan_merge_line(struct scan_summary *summary, struct slice line, struct error *error)
{
    struct arena *arena = arena_create();
    yyjson_val *root = arena ? json_parse(line, arena) : NULL;
    yyjson_val *sums = json_member(root, SLICE("summary")), *findings = json_member(root, SLICE("findings"));
    enum scan_merged merged = sums ? SCAN_MERGED_SUMMARY : findings ? SCAN_MERGED_OBJECT : SCAN_MERGED_OTHER;
    bool has_memory = arena && !arena_has_failed(arena) && (!sums || add_summary(summary, sums)) &&
        (!findings || keep_examples(summary, findings));
    if (!has_memory)
        error_set_out_of_memory(error);
    else if (merged == SCAN_MERGED_OTHER)
        error_set(error, "it is not a line that scan -o json --shard prints");
    arena_destroy(arena);
    return has_memory ? merged : SCAN_MERGED_OTHER;
}
