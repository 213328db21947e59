#include "commands/replay/summary.h"

#include "audit/mutation.h"
#include "base/array_size.h"
#include "base/min.h"
#include "base/text.h"
#include "policy/verdict/difference.h"

/* The length of a time up to its hour. */
#define HOUR_LENGTH (sizeof("2026-01-31T08") - 1)

/* All tables of names. */
static void list_tables(struct replay_summary *summary, struct name_table *tables[REPLAY_TABLES])
{
    struct name_table *const all[REPLAY_TABLES] = {
        &summary->by_user,  &summary->by_namespace, &summary->by_kind,   &summary->by_manager,
        &summary->forced,   &summary->imperative,   &summary->conflicts, &summary->objects,
        &summary->messages, &summary->hours,        &summary->webhooks,  &summary->rivals,
        &summary->fields,   &summary->unknown,      &summary->unlogged};
    memcpy(tables, all, sizeof(all));
}

void replay_summary_start(struct replay_summary *summary, struct arena *arena)
{
    struct name_table *tables[REPLAY_TABLES];
    *summary = (struct replay_summary){0};
    list_tables(summary, tables);
    for (size_t i = 0; i < REPLAY_TABLES; i++)
        *tables[i] = replay_counts_start(arena);
}

static void copy_time(struct replay_time *to, struct slice time)
{
    to->length = min_u64(time.length, REPLAY_TIME_BYTES_MAX);
    memcpy(to->bytes, time.bytes, to->length);
}

struct slice replay_time(const struct replay_time *time)
{
    return (struct slice){time->bytes, time->length};
}

void replay_summary_add_time(struct replay_summary *summary, struct slice time)
{
    if (!time.length)
        return;
    if (!summary->first.length || slice_compare(time, replay_time(&summary->first)) < 0)
        copy_time(&summary->first, time);
    if (slice_compare(time, replay_time(&summary->last)) > 0)
        copy_time(&summary->last, time);
}

void replay_summary_add_event(struct replay_summary *summary, const struct audit_event *event)
{
    summary->events++;
    replay_summary_add_time(summary, audit_time(event));
}

/* Names as they are printed, so that the results of shards have the same order. */
static bool count(struct name_table *counts, struct slice name, size_t column, struct arena *arena)
{
    struct slice printed = text_printable(arena, name);
    return printed.bytes && replay_counts_add(counts, printed, column, 1);
}

/* MESSAGE [RULE] */
static bool add_finding(
    struct replay_summary *summary, const struct replay_write *write, const struct finding *finding)
{
    struct arena *arena = write->verdict->arena;
    struct slice message = text_join(arena, finding->message, " [", rules[finding->rule].name, "]");
    summary->findings[finding->rule][finding->policy_action]++;
    return count(&summary->messages, message, finding->policy_action, arena);
}

static bool add_index_patch(struct replay_summary *summary, const struct replay_write *write)
{
    struct arena *arena = write->verdict->arena;
    struct slice message = text_join(arena, write->index_message, " [" REPLAY_INDEX_PATCH "]");
    summary->index_patches[write->index_action]++;
    return count(&summary->messages, message, write->index_action, arena);
}

/* A webhook that changed the object may be the cause of a finding. */
static bool add_webhooks(struct replay_summary *summary, const struct replay_write *write)
{
    struct audit_mutations mutations = audit_mutations_of(write->event);
    struct audit_mutation mutation;
    bool is_added = true;
    while (is_added && audit_next_mutation(&mutations, write->verdict->arena, &mutation))
        is_added = count(&summary->webhooks, mutation.webhook, 0, write->verdict->arena);
    return is_added && !arena_has_failed(write->verdict->arena);
}

static bool add_findings(struct replay_summary *summary, const struct replay_write *write)
{
    for (const struct finding *finding = NULL;
         (finding = replay_next_finding(write, write->verdict, finding));)
        if (!add_finding(summary, write, finding))
            return false;
    return !write->index_patch || add_index_patch(summary, write);
}

static bool add_verdict(
    struct replay_summary *summary, const struct replay_write *write, enum action strongest,
    struct arena *arena)
{
    const struct audit_event *event = write->event;
    size_t column = strongest == ACTION_DENY ? REPLAY_DENIED : REPLAY_WARNED;
    if (strongest < ACTION_WARN)
        return true;
    summary->would_deny += column == REPLAY_DENIED;
    summary->would_warn += column == REPLAY_WARNED;
    return count(&summary->objects, replay_object(write, arena), column, arena) &&
        count(&summary->hours, slice_until(write->time, HOUR_LENGTH), column, arena) &&
        count(&summary->by_user, event->user, column, arena) &&
        count(&summary->by_namespace, event->object.namespace, column, arena) &&
        count(&summary->by_kind, replay_kind_or_resource(write), column, arena) &&
        count(&summary->by_manager, write->manager, column, arena);
}

static void compare(struct replay_summary *summary, enum action now, enum action then)
{
    enum verdict_difference difference = action_difference(now, then);
    summary->newly_denied += difference == DIFFERENCE_NEWLY_DENIED;
    summary->no_longer_denied += difference == DIFFERENCE_NO_LONGER_DENIED;
    summary->newly_warned += difference == DIFFERENCE_NEWLY_WARNED;
    summary->no_longer_warned += difference == DIFFERENCE_NO_LONGER_WARNED;
}

static bool add_refused(struct replay_summary *summary, const struct replay_write *write, struct arena *arena)
{
    const struct audit_event *event = write->event;
    if (event->is_dry_run)
        return true;
    summary->refused[event->code]++;
    return !write->causes || count(&summary->conflicts, write->manager, 0, arena);
}

bool replay_summary_add(struct replay_summary *summary, const struct replay_write *write, struct arena *arena)
{
    const struct audit_event *event = write->event;
    if (write->is_refused)
        return add_refused(summary, write, arena);
    summary->writes++;
    summary->judged[write->tier]++;
    summary->dry_runs += event->is_dry_run;
    if (event->is_dry_run)
        return true;
    summary->unjudged[write->reason]++;
    summary->not_sent += write->tier == REPLAY_METADATA && write->reason == REPLAY_NO_REASON;
    enum action strongest = replay_strongest(write, write->verdict);
    if (write->other)
        compare(summary, strongest, replay_strongest(write, write->other));
    bool is_unlogged = write->reason == REPLAY_LEVEL;
    bool is_imperative = write->has_class && write->class == CLASS_AD_HOC;
    if (strongest > ACTION_OFF && !add_webhooks(summary, write))
        return false;
    return add_findings(summary, write) && add_verdict(summary, write, strongest, arena) &&
        (!is_unlogged || count(&summary->unlogged, write->resource, 0, arena)) &&
        (!event->is_forced || count(&summary->forced, write->manager, 0, arena)) &&
        (!is_imperative || count(&summary->imperative, write->manager, 0, arena));
}

void replay_append_refused(
    struct text *text, const char *before, const struct replay_summary *summary, const char *after)
{
    const unsigned codes = ARRAY_SIZE(summary->refused);
    uint64_t all = 0;
    for (unsigned code = 0; code < codes; code++)
        all += summary->refused[code];
    const char *separator = all == 1 ? " write: " : " writes: ";
    if (!all)
        return;
    text_append_all(text, before, all);
    for (unsigned code = 0; code < codes; code++) {
        if (!summary->refused[code])
            continue;
        text_append_string(text, separator);
        separator = ", ";
        text_append_all(text, summary->refused[code], " with ", code);
    }
    text_append_string(text, after);
}

void replay_summary_end(struct replay_summary *summary)
{
    struct name_table *tables[REPLAY_TABLES];
    list_tables(summary, tables);
    for (size_t i = 0; i < REPLAY_TABLES; i++)
        replay_counts_sort(tables[i]);
}
