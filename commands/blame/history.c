#include "commands/blame/history.h"

#include "base/json.h"
#include "commands/blame/history_compare.h"
#include "commands/blame/history_version.h"
#include "manifest/kinds.h"
#include "policy/review/review.h"

#include <stdlib.h>

struct history {
    struct blame *blame;
    struct slice api_version;
    struct slice group;
    struct slice resource;
    bool is_resource_known;
    struct slice uid;          /* empty: unknown */
    uint64_t resource_version; /* of the object to blame; 0: unknown */
    struct history_version versions[2];
    size_t current;        /* the index of the latest version */
    bool is_of_another;    /* the last request was about another object with this name */
    bool has_gap;          /* after the current version there was a write whose object is unknown */
    bool has_later_writes; /* the log contains writes that are newer than the object to blame */
    struct history_write *first;
    bool is_created;
    struct history_unclear unclear[HISTORY_CHANGES_MAX]; /* the last ones, in order */
    size_t unclear_count;
    size_t unclear_total;
    struct history_write *removal;
    bool is_removal_known; /* it is certainly not a dry run */
    bool is_recreated;
    struct history_write *former_removal;
    size_t dry_runs;
    size_t refused;
};

/*
 * Begin and end
 */

struct history *history_start(struct blame *blame)
{
    struct history *history = calloc(1, sizeof(*history));
    if (!history)
        return NULL;
    yyjson_val *object = blame->root.value;
    history->blame = blame;
    history->api_version = json_text(json_member(object, SLICE("apiVersion")));
    history->group = group_of(history->api_version);
    /* A response with the object shows the right one. */
    history->resource = kind_resource_of(blame->kind, blame->arena);
    history->uid = json_text(json_metadata(object, SLICE("uid")));
    history->resource_version = audit_resource_version(object);
    history->versions[0].arena = arena_create();
    history->versions[1].arena = arena_create();
    blame->history = history;
    if (history->versions[0].arena && history->versions[1].arena && history->resource.bytes)
        return history;
    history_free(history);
    return NULL;
}

/* Visits only fields with a history: a log may contain many objects with this name. */
static void forget_fields(struct blame *blame)
{
    for (struct blame_node *node = blame->changed, *next; node; node = next) {
        next = node->changed;
        field_history_free(node->history);
        node->history = NULL;
        node->changed = NULL;
    }
    blame->changed = NULL;
}

/* Forgets all versions and changes of the object. */
static void forget(struct history *history)
{
    forget_fields(history->blame);
    for (size_t i = 0; i < 2; i++)
        if (history->versions[i].arena)
            history_version_forget(&history->versions[i]);
    for (size_t i = 0; i < history->unclear_count; i++)
        history_write_release(history->unclear[i].write);
    history->unclear_count = history->unclear_total = 0;
    history->has_gap = history->is_created = false;
    history_write_replace(&history->first, NULL);
    history_write_replace(&history->removal, NULL);
}

void history_free(struct history *history)
{
    if (!history)
        return;
    forget(history);
    history_write_replace(&history->former_removal, NULL);
    history->blame->history = NULL;
    arena_destroy(history->versions[0].arena);
    arena_destroy(history->versions[1].arena);
    free(history);
}

/*
 * Which requests are about the object
 */

static bool is_of_kind(const struct history *history, const struct audit_event *event)
{
    return slice_equal(json_text(json_member(event->response, SLICE("kind"))), history->blame->kind);
}

/* In the audit log, a Namespace is inside itself. */
static bool is_in_namespace(const struct blame *blame, struct slice namespace)
{
    return slice_equal(namespace, blame->namespace) ||
        (slice_equal(blame->kind, SLICE("Namespace")) && slice_equal(namespace, blame->name));
}

static bool concerns(const struct history *history, const struct audit_event *event)
{
    const struct audit_object *object = &event->object;
    return slice_equal(audit_object_name(event), history->blame->name) &&
        slice_equal(object->group, history->group) && is_in_namespace(history->blame, object->namespace) &&
        (slice_equal(object->resource, history->resource) ||
         (!object->subresource.length && is_of_kind(history, event)));
}

static struct slice uid_of(const struct audit_event *event)
{
    yyjson_val *statuses[] = {event->response, event->status};
    if (event->response && !audit_is_status(event->response))
        return json_text(json_metadata(event->response, SLICE("uid")));
    for (size_t i = 0; i < 2; i++) {
        struct slice uid = json_text(json_member(json_member(statuses[i], SLICE("details")), SLICE("uid")));
        if (uid.length)
            return uid;
    }
    return event->object.uid;
}

static bool is_creation(const struct audit_event *event)
{
    return event->code == 201 && !event->object.subresource.length;
}

static bool is_removal(const struct audit_event *event)
{
    return slice_equal(event->verb, SLICE("delete")) ||
        slice_equal(event->object.subresource, SLICE("eviction"));
}

/*
 * Other objects with the same name
 */

static void note_former(struct history *history, struct history_write *removal)
{
    history->is_recreated = true;
    if (removal)
        history_write_replace(&history->former_removal, removal);
}

/* Whether the request is about the same object, as far as is known. */
static bool is_same_uid(struct history *history, const struct audit_event *event, struct history_write *write)
{
    struct slice uid = uid_of(event);
    if (history->uid.length && uid.length && !slice_equal(uid, history->uid)) {
        history->is_of_another = true;
        if (!history->first)
            note_former(history, is_removal(event) ? write : NULL);
        return false;
    }
    if (history->is_of_another && !uid.length && !is_creation(event)) {
        if (is_removal(event) && !history->first)
            note_former(history, write);
        return false;
    }
    history->is_of_another = false;
    return true;
}

static bool has_other_uid(const struct history *history, const struct audit_event *event)
{
    const struct history_version *current = &history->versions[history->current];
    struct slice old = json_text(json_metadata(current->object, SLICE("uid"))), new = uid_of(event);
    return old.length && new.length && !slice_equal(old, new);
}

static void start_new_object(struct history *history)
{
    if (history->first || history->unclear_total || history->removal)
        note_former(history, history->removal);
    forget(history);
}

/*
 * The object after a write
 */

static bool note_unclear(struct history *history, struct history_write *write, enum history_reason reason)
{
    history->has_gap |= reason != HISTORY_OPTIONS;
    history->unclear_total++;
    if (history->unclear_count == HISTORY_CHANGES_MAX) {
        history_write_release(history->unclear[0].write);
        memmove(
            history->unclear, history->unclear + 1, (HISTORY_CHANGES_MAX - 1) * sizeof(history->unclear[0]));
        history->unclear_count--;
    }
    history->unclear[history->unclear_count++] = (struct history_unclear){history_write_share(write), reason};
    return true;
}

/*
 * Whether the response is the scale of the current version, in spec.replicas; custom resources may have it
 * anywhere.
 */
static bool is_scale(const struct history *history, const struct audit_event *event)
{
    yyjson_val *object = history->versions[history->current].object;
    if (!yyjson_is_obj(json_member(object, SLICE("spec"))) ||
        !yyjson_is_obj(json_member(object, SLICE("metadata"))))
        return false;
    bool is_known = slice_equal(history->group, SLICE("apps")) ||
        slice_equal(history->resource, SLICE("replicationcontrollers"));
    return is_known && slice_equal(event->object.subresource, SLICE("scale")) &&
        slice_equal(json_text(json_member(event->response, SLICE("kind"))), SLICE("Scale"));
}

/* Whether the log lacks a write between the current version and the next one. */
static bool lacks_write(
    const struct history *history, const struct history_version *next, const struct audit_event *event)
{
    const struct history_version *current = &history->versions[history->current];
    uint64_t expected = audit_resource_version(event->request);
    if (expected && current->resource_version)
        return expected != current->resource_version;
    return history->has_gap ||
        (current->generation && next->generation && next->generation > current->generation + 1);
}

static bool compare(
    struct history *history, struct history_version *next, const struct audit_event *event,
    bool *is_cut_short)
{
    const struct history_version *current = &history->versions[history->current];
    const struct history_comparison comparison = {
        .blame = history->blame,
        .before = current->object,
        .after = next->object,
        .bytes = current->bytes + next->bytes,
        .write = next->write,
        .previous = current->write,
        .has_gap = current->object && lacks_write(history, next, event),
        .has_owners = !is_scale(history, event),
        .arena = next->arena,
    };
    return history_compare(&comparison, is_cut_short);
}

/* Follows the next version. */
static bool follow(struct history *history, struct history_version *next, const struct audit_event *event)
{
    struct history_version *current = &history->versions[history->current];
    if (!history->first) {
        history_write_replace(&history->first, next->write);
        history->is_created = is_creation(event);
    }
    bool is_cut_short = false;
    if ((current->object || history->is_created) && !compare(history, next, event, &is_cut_short))
        return false;
    if (is_cut_short)
        note_unclear(history, next->write, HISTORY_LISTS);
    history_version_forget(current);
    history->current = 1 - history->current;
    history->has_gap = false;
    return true;
}

static bool follow_response(
    struct history *history, const struct audit_event *event, struct history_write *write)
{
    struct history_version *current = &history->versions[history->current];
    struct history_version *next = &history->versions[1 - history->current];
    uint64_t resource_version = audit_resource_version(event->response);
    if (history->resource_version && resource_version > history->resource_version) {
        history->has_later_writes = true;
        return true;
    }
    if (current->object && resource_version && resource_version == current->resource_version)
        return true;
    if (current->object && resource_version && resource_version < current->resource_version)
        return note_unclear(history, write, HISTORY_LATE);
    bool is_set = is_scale(history, event) ? history_version_set_scaled(next, current, event->response, write)
                                           : history_version_set(next, event->response, write);
    return is_set && follow(history, next, event);
}

/* Clients send the options of a delete in its body: without the body, a dry run looks like a real one. */
static bool has_options(const struct audit_event *event)
{
    return event->request || event->response || event->level == AUDIT_REQUEST;
}

static bool follow_removal(
    struct history *history, const struct audit_event *event, struct history_write *write)
{
    history_write_replace(&history->removal, write);
    history->is_removal_known = has_options(event);
    return history->is_removal_known || note_unclear(history, write, HISTORY_OPTIONS);
}

static bool follow_write(
    struct history *history, const struct audit_event *event, struct history_write *write)
{
    if (is_removal(event))
        return follow_removal(history, event, write);
    if (!event->response)
        return note_unclear(
            history, write, event->level == AUDIT_REQUEST_RESPONSE ? HISTORY_TRUNCATED : HISTORY_LEVEL);
    if (is_scale(history, event))
        return follow_response(history, event, write);
    if (!is_of_kind(history, event))
        return note_unclear(history, write, HISTORY_SUBRESOURCE);
    if (!slice_equal(json_text(json_member(event->response, SLICE("apiVersion"))), history->api_version))
        return note_unclear(history, write, HISTORY_VERSION);
    return follow_response(history, event, write);
}

/* With the resource, requests without the object can be found. Returns false if memory runs out. */
static bool learn_resource(struct history *history, struct slice resource)
{
    if (slice_equal(resource, history->resource) || !resource.length)
        return true;
    history->resource = arena_copy(history->blame->arena, resource);
    return history->resource.bytes;
}

bool history_add(struct history *history, const struct audit_event *event)
{
    if (!audit_is_write(event) || !concerns(history, event))
        return true;
    if (!history->is_resource_known && !event->object.subresource.length && is_of_kind(history, event)) {
        history->is_resource_known = true;
        if (!learn_resource(history, event->object.resource))
            return false;
    }
    if (!audit_is_done(event)) {
        history->dry_runs += event->is_dry_run;
        history->refused += !event->is_dry_run;
        return true;
    }
    struct arena *spare = history->versions[1 - history->current].arena;
    const struct arena_mark mark = arena_mark(spare);
    struct history_write *write = history_write_of(event, spare);
    arena_rewind(spare, mark);
    if (!write)
        return false;
    bool is_followed = true;
    if (is_same_uid(history, event, write) && !history->has_later_writes) {
        if (is_creation(event) || has_other_uid(history, event))
            start_new_object(history);
        is_followed = follow_write(history, event, write);
    }
    history_write_release(write);
    return is_followed;
}

bool history_end(struct history *history)
{
    const struct history_version *current = &history->versions[history->current];
    struct history_version *spare = &history->versions[1 - history->current];
    yyjson_val *object = history->blame->root.value;
    if (!current->object)
        return true;
    const struct history_comparison comparison = {
        .blame = history->blame,
        .before = current->object,
        .after = object,
        .bytes = current->bytes + json_bytes(object),
        .previous = current->write,
        .arena = spare->arena,
    };
    bool is_cut_short = false;
    return history_compare(&comparison, &is_cut_short);
}

struct history_summary history_summary(const struct history *history)
{
    return (struct history_summary){
        .first = history->first,
        .last = history->versions[history->current].write,
        .is_created = history->is_created,
        .unclear = history->unclear,
        .unclear_count = history->unclear_count,
        .unclear_total = history->unclear_total,
        .removal = history->is_removal_known ? history->removal : NULL,
        .is_recreated = history->is_recreated,
        .former_removal = history->former_removal,
        .dry_runs = history->dry_runs,
        .refused = history->refused,
    };
}

const char *history_reason_text(enum history_reason reason)
{
    static const char *const texts[] = {
        [HISTORY_LEVEL] = "the log does not hold the object (its level is not RequestResponse)",
        [HISTORY_TRUNCATED] = "the log does not hold the object (the event was too large for it)",
        [HISTORY_VERSION] = "the response is of another API version",
        [HISTORY_SUBRESOURCE] = "the response is not the object",
        [HISTORY_LATE] = "it is logged behind a later write",
        [HISTORY_LISTS] = "its lists are too short to be compared with those of the object",
        [HISTORY_OPTIONS] = "the log does not hold its options, so it may be a dry run",
    };
    return texts[reason];
}
