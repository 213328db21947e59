#include "commands/replay/verdicts.h"

#include "audit/entries.h"
#include "audit/written.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utc_time.h"
#include "policy/judge.h"
#include "policy/verdict/encode_finding.h"

/* Managers that may have made a request of which no manager is known. */
#define CANDIDATES_MAX 16

/* NULL: out of memory. */
static const struct verdict *judge_under(
    const struct policy *policy, struct takeover_history *history, const struct review *review,
    const struct replay_write *write)
{
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE,
        .now = utc_time_seconds(write->time),
        .scaled = write->shown.scaled,
        .takeover_history = history,
    };
    const struct verdict *verdict = NULL;
    struct error error = {0};
    return judge_review(policy, review, &options, &verdict, &error) == JUDGE_OK ? verdict : NULL;
}

void replay_leave_unjudged(struct replay_write *write, enum replay_reason reason)
{
    write->reason = reason;
    write->tier = REPLAY_METADATA;
    write->verdict = write->other = NULL;
}

/*
 * Comparing verdicts
 */

/* The findings as JSON, to compare verdicts. */
static void append_findings(
    struct text *text, const struct replay_write *write, const struct verdict *verdict)
{
    for (const struct finding *finding = NULL; (finding = replay_next_finding(write, verdict, finding));)
        encode_finding(text, finding, true);
}

static struct slice findings_of(const struct replay_write *write, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    append_findings(&text, write, write->verdict);
    text_append_string(&text, "|");
    append_findings(&text, write, write->other);
    return text_slice(&text);
}

/*
 * Verdicts
 */

/* Keeps the verdicts as ones that the write may have. Returns false if memory runs out. */
static bool add_possible(const struct replay_judge *judge, struct replay_write *write)
{
    struct replay_possible *possible = arena_allocate(judge->arena, sizeof(*possible));
    if (!possible)
        return false;
    *possible = (struct replay_possible){write->verdict, write->other, write->possible};
    write->possible = possible;
    return true;
}

/* Whether the request takes fields from their owners: only then a verdict depends on earlier requests. */
static bool takes_fields(const struct verdict *verdict)
{
    for (size_t i = 0; verdict && i < verdict->finding_count; i++) {
        if (verdict->findings[i].rule == RULE_ownership_conflict)
            return true;
    }
    return false;
}

/* Whether writes to the object that are not judged took fields is an assumption. False: out of memory. */
static bool judge_assuming(
    const struct replay_judge *judge, struct replay_write *write, const struct review *review,
    const struct replay_doubt *doubt, bool are_takes)
{
    takeover_history_assume(judge->history, doubt->writes, doubt->count, are_takes);
    write->verdict = judge_under(judge->policy, judge->history, review, write);
    if (!judge->other)
        return write->verdict;
    takeover_history_assume(judge->other_history, doubt->writes, doubt->count, are_takes);
    write->other = judge_under(judge->other, judge->other_history, review, write);
    return write->verdict && write->other;
}

static bool are_allowed(const struct replay_write *write)
{
    return write->verdict->allowed && (!write->other || write->other->allowed);
}

void replay_remember_takes(struct replay_write *write)
{
    judge_remember(write->verdict);
    if (write->other)
        judge_remember(write->other);
    write->takes_are_known = true;
}

void replay_remember_possible(
    const struct replay_judge *judge, struct replay_write *write, enum replay_reason reason)
{
    struct takeover_history *const histories[] = {judge->history, judge->other_history};
    for (size_t i = 0; i < ARRAY_SIZE(histories) && histories[i]; i++)
        takeover_history_note_possible(histories[i], true);
    replay_remember_takes(write);
    struct replay_doubt *doubt = replay_doubt_of(judge->doubts, write);
    doubt->has_possible = true;
    doubt->reason = reason;
    for (size_t i = 0; i < ARRAY_SIZE(histories) && histories[i]; i++)
        takeover_history_note_possible(histories[i], false);
}

bool replay_judge_head(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *head)
{
    struct error error = {0};
    const struct replay_doubt *doubt = replay_doubt_of(judge->doubts, write);
    const struct review *review =
        review_from_objects(head, write->shown.before, write->shown.after, judge->arena, &error);
    if (!review || !judge_assuming(judge, write, review, doubt, false))
        return false;
    if ((!doubt->count && !doubt->has_possible) ||
        (!takes_fields(write->verdict) && !takes_fields(write->other)))
        return true;
    const struct replay_possible *others = write->possible;
    struct slice without = findings_of(write, judge->arena);
    bool is_allowed = are_allowed(write);
    if (!without.bytes || !add_possible(judge, write) || !judge_assuming(judge, write, review, doubt, true) ||
        !add_possible(judge, write))
        return false;
    struct slice with = findings_of(write, judge->arena);
    if (slice_equal(with, without)) {
        write->possible = others;
        return true;
    }
    if (is_allowed && are_allowed(write) && write->event->lacks_options)
        replay_remember_possible(judge, write, doubt->reason);
    else if (is_allowed && are_allowed(write))
        replay_remember_takes(write);
    replay_leave_unjudged(write, doubt->reason);
    return with.bytes;
}

/*
 * Logs that lack the manager and the groups
 */

/*
 * Judges under several heads. Only if all of them give the same verdict, that is the verdict; else what the
 * request takes under each is possible.
 */
static bool judge_heads(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *heads,
    size_t count, enum replay_reason reason)
{
    struct slice first = {NULL, 0};
    bool is_same = true;
    for (size_t i = 0; i < count; i++) {
        if (!replay_judge_head(judge, write, &heads[i]))
            return false;
        if (!write->verdict)
            return true;
        struct slice findings = findings_of(write, judge->arena);
        if (!findings.bytes || !add_possible(judge, write))
            return false;
        if (i == 0)
            first = findings;
        is_same &= slice_equal(findings, first);
    }
    if (is_same) {
        write->possible = NULL;
        return true;
    }
    for (const struct replay_possible *each = write->possible; each; each = each->next) {
        write->verdict = each->verdict;
        write->other = each->other;
        replay_remember_possible(judge, write, reason);
    }
    replay_leave_unjudged(write, reason);
    return true;
}

struct candidates {
    struct slice managers[CANDIDATES_MAX];
    size_t count;
    bool are_too_many;
};

static void add_candidate(struct candidates *candidates, struct slice manager)
{
    for (size_t i = 0; i < candidates->count; i++) {
        if (slice_equal(candidates->managers[i], manager))
            return;
    }
    candidates->are_too_many = candidates->count == CANDIDATES_MAX;
    if (!candidates->are_too_many)
        candidates->managers[candidates->count++] = manager;
}

/*
 * The managers that the request may have named; an empty one if it may have named none. Only the writer's
 * entry is written, so its name is the manager's. A request that names none has the manager of its user
 * agent. Returns false if memory runs out.
 */
static bool find_candidates(struct replay_write *write, struct arena *arena, struct candidates *candidates)
{
    const struct audit_event *event = write->event;
    const struct audit_entry *written = NULL;
    struct audit_entries entries;
    *candidates = (struct candidates){0};
    if (!audit_entries_read(write->shown.before, write->shown.after, arena, &entries))
        return false;
    bool is_one = !write->shown.scaled.length && audit_written(&entries, &written) == 1;
    /* A JSON patch, whose body this log does not have, may have rewritten the entries. */
    if (is_one && event->request && !audit_rewrites_owners(event)) {
        write->manager = written->manager;
        add_candidate(candidates, written->manager);
        if (slice_equal(written->manager, event->manager))
            add_candidate(candidates, SLICE(""));
        return true;
    }
    add_candidate(candidates, SLICE(""));
    add_candidate(candidates, event->manager);
    for (size_t i = 0; i < entries.after.count; i++)
        add_candidate(candidates, entries.after.items[i].manager);
    candidates->are_too_many |= entries.are_too_many;
    return true;
}

/* With no groups, and with all that a policy asks for. */
static bool judge_groups(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *head)
{
    struct review_head heads[] = {*head, *head};
    heads[1].groups = judge->groups;
    return judge_heads(judge, write, heads, judge->groups.count ? 2 : 1, REPLAY_GROUPS);
}

bool replay_judge_heads(
    const struct replay_judge *judge, struct replay_write *write, const struct review_head *head)
{
    struct candidates candidates;
    struct review_head heads[CANDIDATES_MAX];
    if (!find_candidates(write, judge->arena, &candidates))
        return false;
    for (size_t i = 0; i < candidates.count; i++) {
        heads[i] = *head;
        heads[i].field_manager = candidates.managers[i];
    }
    if (candidates.are_too_many)
        replay_leave_unjudged(write, REPLAY_MANAGER);
    else if (!judge_heads(judge, write, heads, candidates.count, REPLAY_MANAGER))
        return false;
    return !write->verdict || judge_groups(judge, write, &heads[0]);
}
