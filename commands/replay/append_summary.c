#include "base/array_size.h"
#include "base/json_append.h"
#include "commands/replay/fights.h"
#include "commands/replay/replay.h"

static void append_name(struct text *text, struct slice name)
{
    json_append_comma(text);
    json_append_string(text, name);
    text_append_string(text, ":");
}

static void append_refused(struct text *text, const struct replay_summary *summary)
{
    json_append_open(text, "refused", "{");
    for (unsigned code = 0; code < 1000; code++) {
        if (!summary->refused[code])
            continue;
        json_append_comma(text);
        text_append_all(text, "\"", code, "\":", summary->refused[code]);
    }
    text_append_string(text, "}");
}

static void append_judged(struct text *text, const struct replay_summary *summary)
{
    json_append_open(text, "judged", "{");
    for (int tier = 0; tier < REPLAY_TIER_COUNT; tier++)
        json_append_number(text, replay_tier_name((enum replay_tier)tier), summary->judged[tier]);
    text_append_string(text, "}");
    json_append_open(text, "unjudged", "{");
    for (int reason = REPLAY_NO_REASON + 1; reason < REPLAY_REASON_COUNT; reason++) {
        if (summary->unjudged[reason])
            json_append_number(
                text, replay_reason_name((enum replay_reason)reason), summary->unjudged[reason]);
    }
    text_append_string(text, "}");
}

static void append_actions(struct text *text, const uint64_t counts[ACTION_COUNT])
{
    text_append_string(text, "{");
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        if (counts[action])
            json_append_number(text, action_name((enum action)action), counts[action]);
    }
    text_append_string(text, "}");
}

static void append_rule(struct text *text, const char *name, const uint64_t counts[ACTION_COUNT])
{
    if (!counts[ACTION_AUDIT] && !counts[ACTION_WARN] && !counts[ACTION_DENY])
        return;
    json_append_key(text, name);
    append_actions(text, counts);
}

static void append_findings(struct text *text, const struct replay_summary *summary)
{
    json_append_open(text, "findings", "{");
    for (int rule = 0; rule < RULE_COUNT; rule++)
        append_rule(text, rules[rule].name, summary->findings[rule]);
    append_rule(text, REPLAY_INDEX_PATCH, summary->index_patches);
    text_append_string(text, "}");
}

static void append_verdicts(struct text *text, const char *name, const struct name_table *counts)
{
    json_append_open(text, name, "{");
    for (size_t i = 0; i < counts->count; i++) {
        const struct replay_count *count = replay_counts_item(counts, i);
        append_name(text, count->name);
        text_append_string(text, "{");
        json_append_number(text, "warn", count->values[REPLAY_WARNED]);
        json_append_number(text, "deny", count->values[REPLAY_DENIED]);
        text_append_string(text, "}");
    }
    text_append_string(text, "}");
}

static void append_counts(struct text *text, const char *name, const struct name_table *counts)
{
    json_append_open(text, name, "{");
    for (size_t i = 0; i < counts->count; i++) {
        const struct replay_count *count = replay_counts_item(counts, i);
        append_name(text, count->name);
        text_append_number(text, count->values[0]);
    }
    text_append_string(text, "}");
}

static void append_comparison(struct text *text, const struct replay_summary *summary)
{
    json_append_open(text, "compare", "{");
    json_append_number(text, "newly_denied", summary->newly_denied);
    json_append_number(text, "no_longer_denied", summary->no_longer_denied);
    json_append_number(text, "newly_warned", summary->newly_warned);
    json_append_number(text, "no_longer_warned", summary->no_longer_warned);
    text_append_string(text, "}");
}

/*
 * Fights
 */

static void append_part(struct text *text, const char *key, const struct replay_count *row, size_t part)
{
    json_append_member(text, key, replay_counts_part(row->name, part));
}

static void append_rivals(struct text *text, const struct name_table *rivals)
{
    json_append_open(text, "conflicts", "[");
    for (size_t i = 0; i < rivals->count; i++) {
        const struct replay_count *row = replay_counts_item(rivals, i);
        json_append_open(text, NULL, "{");
        append_part(text, "writer", row, REPLAY_PART_WRITER);
        append_part(text, "owner", row, REPLAY_PART_OWNER);
        json_append_number(text, "refused", row->values[REPLAY_REFUSED]);
        json_append_number(text, "forced", row->values[REPLAY_WON]);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_field(struct text *text, const struct replay_count *row)
{
    struct slice managers[] = {
        replay_counts_part(row->name, REPLAY_PART_MANAGER),
        replay_counts_part(row->name, REPLAY_PART_OTHER_MANAGER)};
    json_append_open(text, NULL, "{");
    append_part(text, "kind", row, REPLAY_PART_KIND);
    append_part(text, "namespace", row, REPLAY_PART_NAMESPACE);
    append_part(text, "name", row, REPLAY_PART_NAME);
    append_part(text, "path", row, REPLAY_PART_FIELD);
    json_append_list(text, "managers", (struct slice_list){managers, ARRAY_SIZE(managers)});
    json_append_number(text, "days", row->values[REPLAY_DAYS]);
    json_append_number(text, "changes", row->values[REPLAY_CHANGES]);
    text_append_string(text, "}");
}

/* An object is in one shard alone, so its fields that changed hands on one day only need no row. */
static void append_fights(struct text *text, const struct replay_summary *summary)
{
    struct name_table slow = {0};
    json_append_open(text, "fights", "{");
    append_rivals(text, &summary->rivals);
    json_append_open(text, "fields", "[");
    if (replay_slow_fights(&summary->fields, text->arena, &slow)) {
        for (size_t i = 0; i < slow.count; i++)
            append_field(text, replay_counts_item(&slow, i));
    }
    text_append_string(text, "]}");
}

static void append_unknown(struct text *text, const struct name_table *unknown)
{
    json_append_open(text, "unknown", "{");
    for (size_t i = 0; i < unknown->count; i++) {
        const struct replay_count *row = replay_counts_item(unknown, i);
        append_name(text, row->name);
        text_append_string(text, "{");
        json_append_number(text, "taken_back", row->values[REPLAY_TAKEN_BACK]);
        json_append_number(text, "services", row->values[REPLAY_BY_SERVICES]);
        json_append_number(text, "people", row->values[REPLAY_BY_PEOPLE]);
        text_append_string(text, "}");
    }
    text_append_string(text, "}");
}

static void append_messages(struct text *text, const struct name_table *messages)
{
    json_append_open(text, "by_message", "{");
    for (size_t i = 0; i < messages->count; i++) {
        const struct replay_count *row = replay_counts_item(messages, i);
        append_name(text, row->name);
        append_actions(text, row->values);
    }
    text_append_string(text, "}");
}

void replay_append_summary(struct text *text, const struct replay_summary *summary)
{
    text_append_string(text, "{\"summary\":{");
    json_append_member(text, "first", replay_time(&summary->first));
    json_append_member(text, "last", replay_time(&summary->last));
    json_append_number(text, "events", summary->events);
    json_append_number(text, "writes", summary->writes);
    json_append_number(text, "dry_runs", summary->dry_runs);
    append_refused(text, summary);
    append_judged(text, summary);
    append_findings(text, summary);
    json_append_number(text, "would_warn", summary->would_warn);
    json_append_number(text, "would_deny", summary->would_deny);
    append_verdicts(text, "by_user", &summary->by_user);
    append_verdicts(text, "by_namespace", &summary->by_namespace);
    append_verdicts(text, "by_kind", &summary->by_kind);
    append_verdicts(text, "by_manager", &summary->by_manager);
    append_counts(text, "forced", &summary->forced);
    append_counts(text, "imperative", &summary->imperative);
    append_counts(text, "conflicts", &summary->conflicts);
    if (summary->has_other)
        append_comparison(text, summary);
    append_verdicts(text, "by_object", &summary->objects);
    append_verdicts(text, "by_hour", &summary->hours);
    append_messages(text, &summary->messages);
    append_counts(text, "mutated_by", &summary->webhooks);
    append_fights(text, summary);
    append_unknown(text, &summary->unknown);
    json_append_number(text, "not_sent", summary->not_sent);
    append_counts(text, "unlogged", &summary->unlogged);
    text_append_string(text, "}}\n");
}
