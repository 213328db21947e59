#include "policy/analysis/lost_fields.h"

#include "base/min.h"
#include "policy/analysis/adoption.h"
#include "policy/analysis/string_data.h"
#include "policy/analysis/takeover_history.h"
#include "policy/analysis/takeover_keys.h"
#include "policy/config/config.h"

#include <stdlib.h>

/* A day, which is also the longest window of contested-field. */
#define REMEMBERED_SECONDS ((int64_t)24 * 3600)

static bool was_taken(
    const struct review *review, const struct verdict *verdict, const struct manager *previous_owner,
    struct slice field)
{
    struct text text = text_start(review->arena, 256);
    takeover_append_object(&text, review);
    text_append(&text, takeover_field(field));
    struct slice key = text_slice(&text), writer = takeover_manager_key(previous_owner, review->arena);
    return key.bytes && writer.bytes &&
        takeover_history_was_taken(verdict->takeover_history, key, writer, verdict->now, REMEMBERED_SECONDS);
}

/*
 * This server has seen the previous owner take the fields: the tool that puts them back is in the right.
 * If no tool has the name of the previous owner, it may have taken the fields from a third manager.
 */
static enum action action_of(
    const struct review *review, const struct verdict *verdict, const struct conflict_group *group)
{
    bool may_heal =
        group->previous_owner_count == 1 && adoption_may_heal(&review->ownership, group->previous_owners[0]);
    if ((!group->heals && !may_heal) || !verdict->takeover_history || group->field_count > FINDING_FIELDS_MAX)
        return group->action;
    for (size_t i = 0; i < group->field_count; i++) {
        if (!was_taken(review, verdict, &group->previous_owners[0]->manager, group->fields[i]))
            return group->action;
    }
    return action_min(group->action, group->heals ? ACTION_AUDIT : ACTION_WARN);
}

/* Returns NULL if memory runs out. */
static const struct manager *list_owners(
    const struct conflict_group *group, size_t count, struct arena *arena)
{
    struct manager *owners = arena_allocate_array(arena, count, sizeof(*owners));
    for (size_t i = 0; owners && i < count; i++)
        owners[i] = group->previous_owners[i]->manager;
    return owners;
}

/* Returns false if memory runs out. */
static bool fill(
    const struct review *review, const struct verdict *verdict, const struct conflict_group *conflicts,
    struct lost_fields_group *group)
{
    struct slice waived_by;
    size_t listed = min_u64(conflicts->previous_owner_count, FINDING_PREVIOUS_OWNERS_MAX);
    group->conflicts = conflicts;
    group->finding = (struct finding){
        .rule = RULE_ownership_conflict,
        .action = action_of(review, verdict, conflicts),
        .fields = conflicts->fields,
        .field_count = min_u64(conflicts->field_count, FINDING_FIELDS_MAX),
        .field_total = conflicts->field_count,
        .field_known = conflicts->at_least ? 0 : conflicts->field_count,
        FINDING_WRITER(review->ownership.writer),
        .previous_owners = list_owners(conflicts, listed, review->arena),
        .previous_owner_count = listed,
        .previous_owner_total = conflicts->previous_owner_count,
    };
    if (!group->finding.previous_owners)
        return false;
    group->finding.policy_action = verdict_policy_action(verdict, &group->finding, &waived_by);
    return true;
}

/* Adds nothing if memory runs out. */
static void collect(const struct review *review, const struct verdict *verdict, struct lost_fields *lost)
{
    size_t count = 0;
    lost->conflicts = conflicts_collect(
        review, verdict->policy->settings[RULE_ownership_conflict],
        verdict->policy_actions[RULE_dropped_replicas] != ACTION_OFF);
    if (!lost->conflicts.count)
        return;
    const struct conflict_group *conflicts = conflicts_group(&lost->conflicts, review->arena, &count);
    struct lost_fields_group *groups = arena_allocate_array(review->arena, count, sizeof(*groups));
    if (!conflicts || !groups)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!fill(review, verdict, &conflicts[i], &groups[i]))
            return;
    }
    lost->groups = groups;
    lost->count = count;
}

static bool may_lose(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    return review->old_object && ownership->writer.class != CLASS_BOOKKEEPING &&
        (ownership->others_changed || string_data_is_applied(review));
}

const struct lost_fields *lost_fields_find(const struct review *review, const struct verdict *verdict)
{
    static const struct lost_fields none = {0};
    if (!may_lose(review) || verdict->policy_actions[RULE_ownership_conflict] == ACTION_OFF)
        return &none;
    if (review->cache->lost_fields)
        return review->cache->lost_fields;
    struct lost_fields *lost = arena_allocate_array(review->arena, 1, sizeof(*lost));
    if (!lost)
        return &none;
    collect(review, verdict, lost);
    review->cache->lost_fields = lost;
    return lost;
}

bool lost_fields_have(const struct lost_fields_group *group, struct slice field)
{
    const struct conflict_group *conflicts = group->conflicts;
    return bsearch(&field, conflicts->fields, conflicts->field_count, sizeof(field), slice_compare_items);
}
