#include "audit/objects_signs.h"

#include "audit/explained.h"
#include "audit/moved.h"
#include "audit/written.h"
#include "base/json.h"
#include "base/json_each.h"

static void expect(enum expected_version *expected, struct slice version, uint64_t known)
{
    uint64_t number = audit_version_number(version);
    if (number && *expected != EXPECTED_OTHER)
        *expected = number == known ? EXPECTED_THIS : EXPECTED_OTHER;
}

enum expected_version expected_version_of(const struct audit_event *event, uint64_t known)
{
    enum expected_version expected = EXPECTED_ANY;
    expect(&expected, event->object.resource_version, known);
    if (yyjson_is_obj(event->request))
        expect(&expected, json_text(json_metadata(event->request, SLICE("resourceVersion"))), known);
    json_each_item(operation, event->request) {
        if (slice_equal(json_text(json_member(operation, SLICE("path"))), SLICE("/metadata/resourceVersion")))
            expect(&expected, json_text(json_member(operation, SLICE("value"))), known);
    }
    return expected;
}

/* In groups of Kubernetes itself, a status has its own subresource. */
static bool may_write_status(const struct audit_event *event)
{
    return event->object.subresource.length ||
        (!audit_is_of_kubernetes(event->object.group) &&
         audit_touches(event->request, SLICE("/status"), json_member(event->request, SLICE("status"))));
}

static bool changes_status(const struct audit_event *event, yyjson_val *before, struct arena *arena)
{
    yyjson_val *old = json_member(before, SLICE("status")),
               *new = json_member(event->response, SLICE("status"));
    return !may_write_status(event) && !json_equal(old, new, arena);
}

/* The length of a time up to its seconds. */
#define SECONDS_LENGTH (sizeof("2026-01-31T08:00:00") - 1)

/*
 * Whether the entry is older than the request, and not older than the former object: a write of the same
 * manager came between, and this one did not change anything.
 */
static bool is_by_earlier_request(
    const struct audit_entry *entry, const struct audit_event *event, struct slice left)
{
    struct slice time = slice_until(entry->time, SECONDS_LENGTH);
    return time.length == SECONDS_LENGTH && left.length >= SECONDS_LENGTH &&
        slice_compare(time, slice_until(left, SECONDS_LENGTH)) >= 0 &&
        slice_compare(time, slice_until(event->started, SECONDS_LENGTH)) < 0;
}

/* Whether a write by this request can have written the entry. */
static bool may_be_written(
    const struct audit_entry *entry, const struct audit_event *event, struct slice left)
{
    bool is_of_writer = event->lacks_options || slice_equal(entry->manager, event->manager);
    return is_of_writer && slice_equal(entry->subresource, event->object.subresource) &&
        !is_by_earlier_request(entry, event, left);
}

/* A write makes one entry new or newer: the writer's own. */
static bool shows_other_owner(
    const struct audit_event *event, yyjson_val *before, const struct audit_entries *entries,
    struct slice left, struct arena *arena)
{
    const struct audit_entry *first = NULL;
    if (audit_rewrites_owners(event))
        return false;
    size_t written = audit_written(entries, &first);
    bool may_rewrite = event->lacks_options && !event->request;
    return written > 1 || (written && !may_be_written(first, event, left)) ||
        audit_loses_more(event, before, entries, arena) ||
        (!may_rewrite && audit_moves_unchanged(event, before, entries, arena));
}

/* A generation counts the changes of the spec, and a write makes at most one. */
static bool skips_generation(yyjson_val *before, yyjson_val *after)
{
    uint64_t old = audit_generation(before), new = audit_generation(after);
    return old && new && (new < old || new - old > 1);
}

bool shows_other_write(
    const struct audit_event *event, yyjson_val *before, struct slice left, struct arena *arena)
{
    struct audit_entries entries;
    bool is_deleted = json_metadata(event->response, SLICE("deletionTimestamp")) &&
        !json_metadata(before, SLICE("deletionTimestamp"));
    if (skips_generation(before, event->response) || is_deleted)
        return true;
    if (!audit_entries_read(before, event->response, arena, &entries))
        return false;
    return changes_status(event, before, arena) || shows_other_owner(event, before, &entries, left, arena) ||
        audit_has_unexplained_change(event, before, arena) ||
        (!event->is_dry_run && audit_changes_nothing(event, before, &entries, arena));
}
