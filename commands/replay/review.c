#include "commands/replay/review.h"

#include "audit/entries.h"
#include "audit/written.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/text.h"
#include "base/utc_time.h"
#include "manifest/kinds.h"
#include "policy/judge.h"
#include "policy/review/review_from_objects.h"
#include "policy/verdict/encode_finding.h"

/* Managers that may have made a request of which no manager is known. */
#define CANDIDATES_MAX 16

/* The objects that the log shows for a write. */
struct shown {
    enum operation operation;
    yyjson_val *before, *after;
    struct slice scaled; /* the object whose replicas the request sets, as JSON; empty: it sets none */
};

/*
 * Reasons
 */

static enum replay_reason reason_of(enum audit_before before)
{
    static const enum replay_reason reasons[] = {
        [AUDIT_BEFORE_FIRST_SEEN] = REPLAY_FIRST_SEEN, [AUDIT_BEFORE_GAP] = REPLAY_GAP,
        [AUDIT_BEFORE_VERSION] = REPLAY_VERSION,       [AUDIT_BEFORE_FORGOTTEN] = REPLAY_FORGOTTEN,
        [AUDIT_BEFORE_UNANSWERED] = REPLAY_GAP,        [AUDIT_BEFORE_SCALED] = REPLAY_SCALE,
        [AUDIT_BEFORE_NO_MEMORY] = REPLAY_NO_REASON,
    };
    return reasons[before];
}

static enum replay_reason reason_without_answer(const struct audit_event *event)
{
    return event->is_truncated ? REPLAY_TRUNCATED : REPLAY_LEVEL;
}

/*
 * The review
 */

static bool read_groups(yyjson_val *groups, struct arena *arena, struct slice_list *list)
{
    struct slice *items = arena_allocate_array(arena, yyjson_arr_size(groups) + 1, sizeof(*items));
    size_t index, count;
    yyjson_val *group;
    if (!items)
        return false;
    yyjson_arr_foreach(groups, index, count, group)
    {
        items[index] = json_text(group);
    }
    *list = (struct slice_list){items, yyjson_arr_size(groups)};
    return true;
}

static struct review_head head_of(const struct replay_write *write, const struct shown *shown)
{
    const struct audit_event *event = write->event;
    struct slice api_version = json_text(json_member(shown->after, SLICE("apiVersion")));
    return (struct review_head){
        .uid = "replay",
        .operation = shown->operation,
        .group = group_of(api_version),
        .version = version_of(api_version),
        .kind = json_text(json_member(shown->after, SLICE("kind"))),
        .resource = {event->object.group, event->object.version, event->object.resource},
        .subresource = event->object.subresource,
        .namespace = event->object.namespace,
        .name = event->object.name,
        .username = event->user,
        .field_manager = event->option_manager,
        .dry_run = event->is_dry_run,
    };
}

/* NULL: out of memory. */
static const struct verdict *judge_under(
    const struct policy *policy, struct takeover_history *history, const struct review *review,
    const struct replay_write *write, const struct shown *shown)
{
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE,
        .now = utc_time_seconds(write->time),
        .scaled = shown->scaled,
        .takeover_history = history,
    };
    const struct verdict *verdict = NULL;
    struct error error = {0};
    return judge_review(policy, review, &options, &verdict, &error) == JUDGE_OK ? verdict : NULL;
}

static void leave_unjudged(struct replay_write *write, enum replay_reason reason)
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
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown,
    const struct review *review, const struct replay_doubt *doubt, bool are_takes)
{
    takeover_history_assume(judge->history, doubt->writes, doubt->count, are_takes);
    write->verdict = judge_under(judge->policy, judge->history, review, write, shown);
    if (!judge->other)
        return write->verdict;
    takeover_history_assume(judge->other_history, doubt->writes, doubt->count, are_takes);
    write->other = judge_under(judge->other, judge->other_history, review, write, shown);
    return write->verdict && write->other;
}

static bool are_allowed(const struct replay_write *write)
{
    return write->verdict->allowed && (!write->other || write->other->allowed);
}

/* Which fields the request takes does not depend on earlier ones. */
static void remember_takes(struct replay_write *write)
{
    judge_remember(write->verdict);
    if (write->other)
        judge_remember(write->other);
    write->takes_are_known = true;
}

/* The same for a verdict that may be wrong, for this reason. */
static void remember_possible_takes(
    const struct replay_judge *judge, struct replay_write *write, enum replay_reason reason)
{
    struct takeover_history *const histories[] = {judge->history, judge->other_history};
    for (size_t i = 0; i < ARRAY_SIZE(histories) && histories[i]; i++)
        takeover_history_note_possible(histories[i], true);
    remember_takes(write);
    struct replay_doubt *doubt = replay_doubt_of(judge->doubts, write);
    doubt->has_possible = true;
    doubt->reason = reason;
    for (size_t i = 0; i < ARRAY_SIZE(histories) && histories[i]; i++)
        takeover_history_note_possible(histories[i], false);
}

/*
 * The verdicts on a review with this head; none, with a reason, if they depend on requests that are not
 * judged. False: out of memory.
 */
static bool judge_head(
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown,
    const struct review_head *head)
{
    struct error error = {0};
    const struct replay_doubt *doubt = replay_doubt_of(judge->doubts, write);
    const struct review *review =
        review_from_objects(head, shown->before, shown->after, judge->arena, &error);
    if (!review || !judge_assuming(judge, write, shown, review, doubt, false))
        return false;
    if ((!doubt->count && !doubt->has_possible) ||
        (!takes_fields(write->verdict) && !takes_fields(write->other)))
        return true;
    const struct replay_possible *others = write->possible;
    struct slice without = findings_of(write, judge->arena);
    bool is_allowed = are_allowed(write);
    if (!without.bytes || !add_possible(judge, write) ||
        !judge_assuming(judge, write, shown, review, doubt, true) || !add_possible(judge, write))
        return false;
    struct slice with = findings_of(write, judge->arena);
    if (slice_equal(with, without)) {
        write->possible = others;
        return true;
    }
    if (is_allowed && are_allowed(write) && write->event->lacks_options)
        remember_possible_takes(judge, write, doubt->reason);
    else if (is_allowed && are_allowed(write))
        remember_takes(write);
    leave_unjudged(write, doubt->reason);
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
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown,
    const struct review_head *heads, size_t count, enum replay_reason reason)
{
    struct slice first = {NULL, 0};
    bool is_same = true;
    for (size_t i = 0; i < count; i++) {
        if (!judge_head(judge, write, shown, &heads[i]))
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
        remember_possible_takes(judge, write, reason);
    }
    leave_unjudged(write, reason);
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
static bool find_candidates(
    struct replay_write *write, const struct shown *shown, struct arena *arena, struct candidates *candidates)
{
    const struct audit_event *event = write->event;
    const struct audit_entry *written = NULL;
    struct audit_entries entries;
    *candidates = (struct candidates){0};
    if (!audit_entries_read(shown->before, shown->after, arena, &entries))
        return false;
    bool is_one = !shown->scaled.length && audit_written(&entries, &written) == 1;
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
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown,
    const struct review_head *head)
{
    struct review_head heads[] = {*head, *head};
    heads[1].groups = judge->groups;
    return judge_heads(judge, write, shown, heads, judge->groups.count ? 2 : 1, REPLAY_GROUPS);
}

static bool judge_candidates(
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown,
    const struct review_head *head)
{
    struct candidates candidates;
    struct review_head heads[CANDIDATES_MAX];
    if (!find_candidates(write, shown, judge->arena, &candidates))
        return false;
    for (size_t i = 0; i < candidates.count; i++) {
        heads[i] = *head;
        heads[i].field_manager = candidates.managers[i];
    }
    if (candidates.are_too_many)
        leave_unjudged(write, REPLAY_MANAGER);
    else if (!judge_heads(judge, write, shown, heads, candidates.count, REPLAY_MANAGER))
        return false;
    return !write->verdict || judge_groups(judge, write, shown, &heads[0]);
}

/*
 * One write
 */

static bool has_owners(yyjson_val *object)
{
    return yyjson_arr_size(json_metadata(object, SLICE("managedFields"))) > 0;
}

/* KIND NAMESPACE/NAME: ... */
static struct slice index_message(
    const struct replay_write *write, const struct replay_index_patch *found, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    text_append_printable(&text, slice_until(write->kind, slice_find(write->kind, '.')));
    text_append_string(&text, " ");
    text_append_qualified(&text, text_append_printable, write->event->object.namespace, write->name);
    text_append_string(&text, ": the JSON patch changes ");
    text_append_printable(&text, found->path);
    text_append_string(&text, ", where the writer saw \"");
    text_append_quotable(&text, text_cut(found->seen, 64));
    text_append_string(&text, "\" and now \"");
    text_append_quotable(&text, text_cut(found->before, 64));
    text_append_string(&text, "\" is; name the item, or test it in the patch");
    return text_slice(&text);
}

/* The audit profile only records. */
static enum action index_action(const struct policy *policy)
{
    return policy->profile == PROFILE_AUDIT ? ACTION_AUDIT : ACTION_WARN;
}

static bool find_index_patch(
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown)
{
    struct replay_index_patch found;
    if (!yyjson_is_arr(write->event->request) || !shown->before || !write->verdict)
        return true;
    yyjson_val *seen = audit_objects_seen(judge->objects, write->event, judge->arena);
    if (!seen || !replay_index_patch_find(write->event->request, seen, shown->before, &found))
        return !arena_has_failed(judge->arena);
    struct replay_index_patch *kept = arena_allocate(judge->arena, sizeof(*kept));
    write->index_message = index_message(write, &found, judge->arena);
    if (!kept || !write->index_message.bytes)
        return false;
    *kept = found;
    write->index_patch = kept;
    write->index_action = index_action(judge->policy);
    return true;
}

static bool judge_shown(
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown)
{
    const struct audit_event *event = write->event;
    struct review_head head = head_of(write, shown);
    bool is_whole = shown->scaled.length
        ? true
        : has_owners(shown->after) && (!shown->before || has_owners(shown->before));
    write->tier = is_whole ? REPLAY_FULL : REPLAY_PARTIAL;
    write->reason = is_whole ? REPLAY_NO_REASON : REPLAY_MANAGED_FIELDS;
    if (event->lacks_options)
        return judge_candidates(judge, write, shown, &head);
    return read_groups(event->groups, judge->arena, &head.groups) && judge_head(judge, write, shown, &head);
}

/* The log most likely has each write to the object: then these are the fields that this one takes. */
static bool judge_doubtful(
    const struct replay_judge *judge, struct replay_write *write, const struct shown *shown)
{
    if (!judge_shown(judge, write, shown))
        return false;
    if (write->verdict)
        remember_possible_takes(judge, write, REPLAY_GAP);
    leave_unjudged(write, REPLAY_GAP);
    return true;
}

/* The Scale of the object before, as the API server shows it to webhooks. NULL: out of memory. */
static yyjson_val *scale_before(yyjson_val *object, yyjson_val *scale, struct arena *arena)
{
    yyjson_val *replicas = json_member(json_member(object, SLICE("spec")), SLICE("replicas"));
    struct text text = text_start(arena, 512);
    text_append_string(&text, "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\"");
    text_append_string(&text, ",\"metadata\":{");
    json_append_exact(&text, "name", json_text(json_metadata(object, SLICE("name"))));
    json_append_exact(&text, "namespace", json_text(json_metadata(object, SLICE("namespace"))));
    json_append_exact(&text, "uid", json_text(json_metadata(scale, SLICE("uid"))));
    json_append_exact(&text, "resourceVersion", json_text(json_metadata(object, SLICE("resourceVersion"))));
    text_append_string(&text, "},\"spec\":{\"replicas\":");
    text_append_number(&text, yyjson_get_uint(replicas));
    text_append_string(&text, "}}");
    struct slice json = text_slice(&text);
    return json.bytes ? yyjson_doc_get_root(json_read(json, YYJSON_READ_NOFLAG, arena, NULL)) : NULL;
}

/* The kind as a review of the scaled object has it. */
static void name_scaled(struct replay_write *write, yyjson_val *object, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    text_append(&text, json_text(json_member(object, SLICE("kind"))));
    text_append_string(&text, ".");
    text_append(&text, write->event->object.group);
    write->kind = text_slice(&text);
}

static bool judge_scale(const struct replay_judge *judge, struct replay_write *write)
{
    const struct audit_event *event = write->event;
    struct shown shown = {.operation = OPERATION_UPDATE, .after = event->response};
    yyjson_val *object = NULL;
    if (!slice_equal(json_text(json_member(event->response, SLICE("kind"))), SLICE("Scale"))) {
        write->reason = REPLAY_PARTIAL_OBJECT;
        return true;
    }
    enum audit_before before =
        audit_objects_before_scale(judge->objects, event, judge->arena, &object, &shown.scaled);
    if (before != AUDIT_BEFORE_KNOWN) {
        write->reason = before == AUDIT_BEFORE_FIRST_SEEN ? REPLAY_SCALE : reason_of(before);
        write->lacks_former = before == AUDIT_BEFORE_GAP;
        return before != AUDIT_BEFORE_NO_MEMORY;
    }
    name_scaled(write, object, judge->arena);
    if (!slice_equal(json_text(json_member(object, SLICE("apiVersion"))), SLICE("apps/v1"))) {
        write->reason = REPLAY_VERSION;
        return true;
    }
    if (!has_owners(object)) {
        write->reason = REPLAY_MANAGED_FIELDS;
        return true;
    }
    shown.before = scale_before(object, event->response, judge->arena);
    return shown.before && judge_shown(judge, write, &shown);
}

bool replay_judge_write(const struct replay_judge *judge, struct replay_write *write)
{
    const struct audit_event *event = write->event;
    if (!replay_is_sent(event))
        return true;
    if (!event->response) {
        write->reason = reason_without_answer(event);
        return true;
    }
    if (event->object.subresource.length)
        return judge_scale(judge, write);
    if (!audit_is_whole(event)) {
        write->reason = audit_is_partial(event) ? REPLAY_PARTIAL_OBJECT : reason_without_answer(event);
        return true;
    }
    struct shown shown = {.operation = OPERATION_UPDATE, .after = event->response};
    enum audit_before before = audit_objects_before(judge->objects, event, judge->arena, &shown.before);
    if (before == AUDIT_BEFORE_DOUBTFUL)
        return judge_doubtful(judge, write, &shown);
    if (before == AUDIT_BEFORE_NONE)
        shown.operation = OPERATION_CREATE;
    else if (before != AUDIT_BEFORE_KNOWN) {
        write->reason = reason_of(before);
        write->lacks_former = before == AUDIT_BEFORE_GAP;
        return before != AUDIT_BEFORE_NO_MEMORY;
    }
    return judge_shown(judge, write, &shown) && find_index_patch(judge, write, &shown);
}
