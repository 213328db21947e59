#include "commands/replay/merge.h"

#include "base/array_size.h"
#include "base/digits.h"
#include "base/json.h"
#include "base/json_each.h"
#include "commands/replay/fights.h"

/* The start of the last member of a shard's line. */
#define NUMBER ",\"event\":"

static uint64_t number_in(yyjson_val *object, const char *name)
{
    return yyjson_get_uint(json_member(object, slice_of(name)));
}

/*
 * Writes
 */

/* The digits before the end of the line, and NUMBER before them. */
static bool read_number(struct slice json, uint64_t *number, struct slice *line)
{
    size_t end = json.length ? json.length - 1 : 0, start = end, value = 0;
    while (start && ascii_is_digit(json.bytes[start - 1]))
        start--;
    size_t head = sizeof(NUMBER) - 1;
    if (end == 0 || json.bytes[end] != '}' || start < head ||
        memcmp(json.bytes + start - head, NUMBER, head) != 0 ||
        !digits_parse((struct slice){json.bytes + start, end - start}, &value))
        return false;
    *number = value;
    *line = slice_until(json, start - head);
    return true;
}

/*
 * Sums
 */

static void add_refused(struct replay_summary *summary, yyjson_val *refused)
{
    size_t code;
    json_each_key(key, refused) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        if (digits_parse(json_text(key), &code) && code < ARRAY_SIZE(summary->refused))
            summary->refused[code] += yyjson_get_uint(value);
    }
}

static void add_judged(struct replay_summary *summary, yyjson_val *judged, yyjson_val *unjudged)
{
    for (int tier = 0; tier < REPLAY_TIER_COUNT; tier++)
        summary->judged[tier] += number_in(judged, replay_tier_name((enum replay_tier)tier));
    for (int reason = REPLAY_NO_REASON + 1; reason < REPLAY_REASON_COUNT; reason++)
        summary->unjudged[reason] += number_in(unjudged, replay_reason_name((enum replay_reason)reason));
}

static void add_rule(uint64_t counts[ACTION_COUNT], yyjson_val *findings, const char *name)
{
    yyjson_val *added = json_member(findings, slice_of(name));
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++)
        counts[action] += number_in(added, action_name((enum action)action));
}

static void add_findings(struct replay_summary *summary, yyjson_val *findings)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        add_rule(summary->findings[rule], findings, rules[rule].name);
    add_rule(summary->index_patches, findings, REPLAY_INDEX_PATCH);
}

/* Names with a number each, or with one for warn and one for deny. */
static bool add_names(struct name_table *counts, yyjson_val *names)
{
    bool is_added = true;
    json_each_key(key, names) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        struct slice name = json_text(key);
        if (yyjson_is_uint(value))
            is_added &= replay_counts_add(counts, name, 0, yyjson_get_uint(value));
        else
            is_added &= replay_counts_add(counts, name, REPLAY_WARNED, number_in(value, "warn")) &&
                replay_counts_add(counts, name, REPLAY_DENIED, number_in(value, "deny"));
    }
    return is_added;
}

static void add_comparison(struct replay_summary *summary, yyjson_val *compare)
{
    summary->has_other |= compare != NULL;
    summary->newly_denied += number_in(compare, "newly_denied");
    summary->no_longer_denied += number_in(compare, "no_longer_denied");
    summary->newly_warned += number_in(compare, "newly_warned");
    summary->no_longer_warned += number_in(compare, "no_longer_warned");
}

/* Several numbers a name. */
static bool add_columns(
    struct name_table *counts, yyjson_val *names, const char *const columns[REPLAY_COLUMNS])
{
    bool is_added = true;
    json_each_key(key, names) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        for (size_t column = 0; column < REPLAY_COLUMNS; column++) {
            if (columns[column])
                is_added &=
                    replay_counts_add(counts, json_text(key), column, number_in(value, columns[column]));
        }
    }
    return is_added;
}

static bool add_rivals(struct name_table *rivals, yyjson_val *conflicts, struct arena *arena)
{
    json_each_item(conflict, conflicts) {
        const struct slice parts[REPLAY_RIVALS_PARTS] = {
            json_text(json_member(conflict, SLICE("writer"))),
            json_text(json_member(conflict, SLICE("owner")))};
        bool is_rest = slice_equal(parts[0], SLICE(REPLAY_OTHER_NAMES)) && !parts[1].length;
        struct replay_count *row =
            replay_counts_row_of_parts(rivals, parts, is_rest ? 1 : ARRAY_SIZE(parts), arena);
        if (!row)
            return false;
        row->values[REPLAY_REFUSED] += number_in(conflict, "refused");
        row->values[REPLAY_WON] += number_in(conflict, "forced");
    }
    return true;
}

static bool add_fields(struct name_table *fields, yyjson_val *slow, struct arena *arena)
{
    static const char *const names[] = {"kind", "namespace", "name", "path"};
    json_each_item(field, slow) {
        yyjson_val *managers = json_member(field, SLICE("managers"));
        struct slice parts[REPLAY_FIELD_PARTS];
        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
            parts[i] = json_text(json_member(field, slice_of(names[i])));
        parts[REPLAY_PART_MANAGER] = json_text(yyjson_arr_get_first(managers));
        parts[REPLAY_PART_OTHER_MANAGER] = json_text(yyjson_arr_get_last(managers));
        struct replay_count *row = replay_counts_row_of_parts(fields, parts, ARRAY_SIZE(parts), arena);
        if (!row)
            return false;
        row->values[REPLAY_CHANGES] += number_in(field, "changes");
        row->values[REPLAY_DAYS] += number_in(field, "days");
    }
    return true;
}

static bool add_fights(struct replay_summary *summary, yyjson_val *sums, struct arena *arena)
{
    static const char *const unknown[REPLAY_COLUMNS] = {
        [REPLAY_BY_PEOPLE] = "people", [REPLAY_BY_SERVICES] = "services", [REPLAY_TAKEN_BACK] = "taken_back"};
    static const char *const actions[REPLAY_COLUMNS] = {
        [ACTION_AUDIT] = "audit", [ACTION_WARN] = "warn", [ACTION_DENY] = "deny"};
    yyjson_val *fights = json_member(sums, SLICE("fights"));
    return add_columns(&summary->unknown, json_member(sums, SLICE("unknown")), unknown) &&
        add_columns(&summary->messages, json_member(sums, SLICE("by_message")), actions) &&
        add_rivals(&summary->rivals, json_member(fights, SLICE("conflicts")), arena) &&
        add_fields(&summary->fields, json_member(fights, SLICE("fields")), arena);
}

static bool add_tables(struct replay_summary *summary, yyjson_val *sums)
{
    const struct {
        const char *name;
        struct name_table *counts;
    } tables[] = {
        {"by_user", &summary->by_user},     {"by_namespace", &summary->by_namespace},
        {"by_kind", &summary->by_kind},     {"by_manager", &summary->by_manager},
        {"forced", &summary->forced},       {"imperative", &summary->imperative},
        {"conflicts", &summary->conflicts}, {"by_object", &summary->objects},
        {"by_hour", &summary->hours},       {"mutated_by", &summary->webhooks},
        {"unlogged", &summary->unlogged},
    };
    bool is_added = true;
    for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
        is_added &= add_names(tables[i].counts, json_member(sums, slice_of(tables[i].name)));
    return is_added;
}

static bool add_summary(struct replay_summary *summary, yyjson_val *sums, struct arena *arena)
{
    replay_summary_add_time(summary, json_text(json_member(sums, SLICE("first"))));
    replay_summary_add_time(summary, json_text(json_member(sums, SLICE("last"))));
    summary->events += number_in(sums, "events");
    summary->writes += number_in(sums, "writes");
    summary->dry_runs += number_in(sums, "dry_runs");
    summary->not_sent += number_in(sums, "not_sent");
    summary->would_warn += number_in(sums, "would_warn");
    summary->would_deny += number_in(sums, "would_deny");
    add_refused(summary, json_member(sums, SLICE("refused")));
    add_judged(summary, json_member(sums, SLICE("judged")), json_member(sums, SLICE("unjudged")));
    add_findings(summary, json_member(sums, SLICE("findings")));
    add_comparison(summary, json_member(sums, SLICE("compare")));
    return add_tables(summary, sums) && add_fights(summary, sums, arena);
}

enum replay_merged replay_merge_line(
    struct slice json, struct replay_summary *summary, uint64_t *number, struct slice *line,
    struct arena *arena, struct error *error)
{
    if (read_number(json, number, line))
        return REPLAY_MERGED_WRITE;
    yyjson_val *sums = json_member(json_parse(json, arena), SLICE("summary"));
    if (!yyjson_is_obj(sums)) {
        error_set(error, REPLAY_MERGE_NO_RESULT);
        return REPLAY_MERGED_OTHER;
    }
    if (add_summary(summary, sums, arena))
        return REPLAY_MERGED_SUMMARY;
    error_set_out_of_memory(error);
    return REPLAY_MERGED_OTHER;
}
