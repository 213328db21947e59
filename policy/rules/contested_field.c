#include "base/durations.h"
#include "base/json.h"
#include "base/min.h"
#include "policy/analysis/lost_fields.h"
#include "policy/analysis/takeover_history.h"
#include "policy/analysis/takeover_keys.h"
#include "policy/config/config.h"
#include "policy/rules/definitions.h"
#include "policy/unnamed.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* The limit of fields of one review, taken from their owners, that are compared with other reviews. */
#define FIELDS_MAX 64

/* Previous owners of one field whose last writes are compared: there is mostly one. */
#define PREVIOUS_OWNERS_MAX 4

/* A day. */
#define WINDOW_SECONDS_MAX ((size_t)24 * 3600)

/*
 * Two time spans: tools that watch fight within seconds, tools that apply at an interval fight within hours.
 */
struct contested_field_settings {
    size_t changes;
    size_t window; /* seconds */
    size_t slow_changes;
    size_t slow_window;
};

/* Flux comes every ten minutes, as people use it. */
static const struct contested_field_settings defaults = {
    .changes = 4, .window = 600, .slow_changes = 6, .slow_window = 7200};

static const struct setting settings[] = {
    {"changes", SETTING_COUNT, offsetof(struct contested_field_settings, changes),
     "how often a field may change hands"},
    {"window", SETTING_DURATION, offsetof(struct contested_field_settings, window), "within which time"},
    {"slowChanges", SETTING_COUNT, offsetof(struct contested_field_settings, slow_changes),
     "how often within the longer time, for tools that come back at an interval"},
    {"slowWindow", SETTING_DURATION, offsetof(struct contested_field_settings, slow_window),
     "the longer time"},
};

static const char *check(const void *checked, bool is_on)
{
    (void)is_on;
    const struct contested_field_settings *set = checked;
    if (set->changes < 1 || set->changes >= TAKEOVERS_MAX)
        return "changes must be from 1 to 31";
    if (set->window < 1 || set->window > WINDOW_SECONDS_MAX)
        return "window must be from 1s to 24h";
    if (set->slow_changes < 1 || set->slow_changes >= TAKEOVERS_MAX)
        return "slowChanges must be from 1 to 31";
    if (set->slow_window < 1 || set->slow_window > WINDOW_SECONDS_MAX)
        return "slowWindow must be from 1s to 24h";
    return NULL;
}

/*
 * When the entry's manager wrote last. The API server gives the entries of the subresource scale no time: for
 * these it uses the generation, which counts the changes of an object's spec.
 */
static void append_last_write(
    struct text *text, const struct review *review, const struct managed_fields_entry *entry)
{
    takeover_append_part(text, entry->time);
    if (entry->time.length)
        return;
    text_append_number(text, yyjson_get_uint(review->old_parts.metadata.generation));
    takeover_append_part(text, SLICE(""));
}

/* The writer and the previous owners, with the times of their last writes. */
static struct slice parties_of(const struct review *review, const struct finding *conflict)
{
    struct text text = text_start(review->arena, 128);
    const struct managed_fields *before = &review->ownership.before;
    takeover_append_manager(&text, &conflict->writer);
    for (size_t i = 0; i < conflict->previous_owner_count && i < PREVIOUS_OWNERS_MAX; i++) {
        takeover_append_manager(&text, &conflict->previous_owners[i]);
        for (size_t j = 0; j < before->count; j++) {
            if (manager_equal(&before->entries[j].manager, &conflict->previous_owners[i]))
                append_last_write(&text, review, &before->entries[j]);
        }
    }
    return text_slice(&text);
}

/* An owner that may have dropped the field itself, and sets it again, is not in a fight. */
static bool is_conflict(const struct lost_fields_group *group)
{
    const struct finding *finding = &group->finding;
    return finding->policy_action != ACTION_OFF &&
        (finding->has_writer || !unnamed_may_be_of(&finding->previous_owners[0]));
}

/*
 * A field that an applier and a person lose is in two groups, since these have different actions. It changes
 * hands once: the first of them counts for all.
 */
static const struct lost_fields_group *first_conflict_over(const struct lost_fields *lost, struct slice field)
{
    const struct lost_fields_group *group = lost->groups;
    while (!is_conflict(group) || !lost_fields_have(group, field))
        group++;
    return group;
}

/* The changes of hands in one group of lost fields, one after another. */
struct changes {
    const struct review *review;
    const struct lost_fields *lost;
    const struct conflict_group *conflicts;
    const struct lost_fields_group *first; /* the one with the parties in `change`; NULL: none yet */
    size_t field;                          /* of the group: the next one */
    struct text text;
    size_t object_length;
    struct takeover change;
};

static struct changes changes_of(
    const struct review *review, const struct lost_fields *lost, const struct lost_fields_group *group)
{
    struct changes changes = {
        .review = review,
        .lost = lost,
        .conflicts = group->conflicts,
        .text = text_start(review->arena, 256),
    };
    takeover_append_object(&changes.text, review);
    changes.object_length = changes.text.length;
    changes.change.version = json_text(review->old_parts.metadata.resource_version);
    return changes;
}

/* NULL: there are no more, or memory runs out. */
static const struct takeover *next_change(struct changes *changes)
{
    if (changes->field == changes->conflicts->field_count)
        return NULL;
    struct slice field = changes->conflicts->fields[changes->field++];
    const struct lost_fields_group *first = first_conflict_over(changes->lost, field);
    if (first != changes->first) {
        changes->change.parties = parties_of(changes->review, &first->finding);
        changes->change.writer = takeover_manager_key(&first->finding.writer, changes->review->arena);
    }
    changes->first = first;
    changes->text.length = changes->object_length;
    text_append(&changes->text, takeover_field(field));
    changes->change.field = text_slice(&changes->text);
    return changes->change.field.bytes && changes->change.parties.bytes ? &changes->change : NULL;
}

static struct slice describe(
    const struct review *review, const struct finding *conflict, const struct slice *fields,
    size_t field_count, bool are_all, size_t count, size_t window)
{
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, are_all ? message_fields(fields, field_count) : message_fields_at_least(fields, field_count),
        " changed hands ", count == TAKEOVERS_MAX ? "at least " : "", count, " times within ");
    duration_append_seconds(&text, window);
    text_append_all(
        &text, ", now from ",
        message_managers(
            conflict->previous_owners, conflict->previous_owner_count, conflict->previous_owner_total),
        " to ", message_manager(&conflict->writer), "; let only one of them set ",
        message_for(are_all ? field_count : 2, "it", "them"));
    return text_slice(&text);
}

/* How often the field changed hands within the window in which that is too often; 0: in neither. */
static size_t too_many_changes(const struct verdict *verdict, const struct takeover *change, size_t *window)
{
    const struct contested_field_settings *set = verdict->policy->settings[RULE_contested_field];
    *window = set->window;
    size_t count =
        takeover_history_count(verdict->takeover_history, change, verdict->now, (int64_t)set->window);
    if (count > set->changes)
        return count;
    *window = set->slow_window;
    count =
        takeover_history_count(verdict->takeover_history, change, verdict->now, (int64_t)set->slow_window);
    return count > set->slow_changes ? count : 0;
}

/* Fields are in order, and fields of one list follow each other. */
static void add_once(struct slice *fields, size_t *count, struct slice field)
{
    if (!*count || !slice_equal(fields[*count - 1], field))
        fields[(*count)++] = field;
}

static void judge_conflict(
    const struct review *review, struct verdict *verdict, const struct lost_fields *lost,
    const struct lost_fields_group *group, size_t *budget)
{
    const struct finding *conflict = &group->finding;
    struct slice *contested = arena_allocate_array(review->arena, FIELDS_MAX, sizeof(*contested));
    struct changes changes = changes_of(review, lost, group);
    size_t contested_count = 0, most = 0, window_of_most = 0;
    const struct takeover *change;
    while (contested && *budget && (change = next_change(&changes))) {
        --*budget;
        size_t window, count = too_many_changes(verdict, change, &window);
        if (!count)
            continue;
        add_once(contested, &contested_count, takeover_field(group->conflicts->fields[changes.field - 1]));
        if (count > most) {
            most = count;
            window_of_most = window;
        }
    }
    if (!contested_count)
        return;
    bool are_all = changes.field == conflict->field_total;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_contested_field,
            .action = ACTION_DENY,
            .message = describe(review, conflict, contested, contested_count, are_all, most, window_of_most),
            .fields = contested,
            .field_count = min_u64(contested_count, FINDING_FIELDS_MAX),
            .field_total = contested_count,
            .field_known = contested_count,
            .has_writer = conflict->has_writer,
            .writer = conflict->writer,
            .previous_owners = conflict->previous_owners,
            .previous_owner_count = conflict->previous_owner_count,
            .previous_owner_total = conflict->previous_owner_total,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    /* The API server fills what it is asked to fill: the manager that declares it gets the finding. */
    bool is_servers = conflicts_are_aggregation(review) && review->ownership.writer.class == CLASS_CONTROLLER;
    if (!verdict->takeover_history || is_servers)
        return;
    const struct lost_fields *lost = lost_fields_find(review, verdict);
    size_t budget = FIELDS_MAX;
    for (size_t i = 0; i < lost->count && budget; i++) {
        if (is_conflict(&lost->groups[i]))
            judge_conflict(review, verdict, lost, &lost->groups[i], &budget);
    }
}

static void remember(const struct review *review, const struct verdict *verdict)
{
    const struct lost_fields *lost = lost_fields_find(review, verdict);
    size_t budget = FIELDS_MAX;
    for (size_t i = 0; i < lost->count && budget; i++) {
        if (!is_conflict(&lost->groups[i]))
            continue;
        struct changes changes = changes_of(review, lost, &lost->groups[i]);
        const struct takeover *change;
        while (budget && (change = next_change(&changes))) {
            budget--;
            takeover_history_note(verdict->takeover_history, change, verdict->now);
        }
    }
}

const struct rule_definition rule_contested_field = {
    .judge = judge,
    .remember = remember,
    RULE_SETTINGS(settings, defaults),
    .check = check,
};
