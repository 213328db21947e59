#include "commands/replay/row.h"

#include "audit/mutation.h"
#include "base/json.h"
#include "base/json_each.h"

/* Adds to the findings, for which there is memory. */
static void add_finding(struct replay_row_verdict *verdict, const struct replay_row_finding *finding)
{
    verdict->findings[verdict->count++] = *finding;
    if (finding->action > verdict->strongest)
        verdict->strongest = finding->action;
}

/*
 * The row of a write
 */

static size_t count_findings(const struct replay_write *write, const struct verdict *verdict)
{
    size_t count = write->index_patch != NULL;
    for (const struct finding *finding = NULL; (finding = replay_next_finding(write, verdict, finding));)
        count++;
    return count;
}

/* Returns false if memory runs out, as the functions below do. */
static bool copy_verdict(
    struct replay_row_verdict *to, const struct replay_write *write, const struct verdict *verdict,
    struct arena *arena)
{
    to->findings = arena_allocate_array(arena, count_findings(write, verdict) + 1, sizeof(*to->findings));
    if (!verdict || !to->findings)
        return to->findings;
    for (const struct finding *finding = NULL; (finding = replay_next_finding(write, verdict, finding));)
        add_finding(
            to,
            &(struct replay_row_finding){
                finding->policy_action, finding->message, slice_of(rules[finding->rule].name)});
    if (write->index_patch)
        add_finding(
            to,
            &(struct replay_row_finding){
                write->index_action, write->index_message, SLICE(REPLAY_INDEX_PATCH)});
    return true;
}

static bool copy_webhooks(struct replay_row *row, const struct replay_write *write, struct arena *arena)
{
    struct audit_mutations mutations = audit_mutations_of(write->event);
    struct audit_mutation mutation;
    struct slice *items = NULL;
    size_t count = 0, capacity = 0;
    while (audit_next_mutation(&mutations, arena, &mutation)) {
        items = arena_grow(arena, items, count, &capacity, sizeof(*items));
        if (!items)
            return false;
        items[count++] = mutation.webhook;
    }
    row->webhooks = (struct slice_list){items, count};
    return !arena_has_failed(arena);
}

bool replay_row_of_write(struct replay_row *row, const struct replay_write *write, struct arena *arena)
{
    const struct audit_event *event = write->event;
    *row = (struct replay_row){
        .time = write->time,
        .verb = event->verb,
        .kind = replay_kind_or_resource(write),
        .subresource = event->object.subresource,
        .namespace = event->object.namespace,
        .name = write->name,
        .user = event->user,
        .manager = write->manager,
        .is_dry_run = event->is_dry_run,
        .is_compared = write->other != NULL,
    };
    return copy_verdict(&row->verdict, write, write->verdict, arena) &&
        copy_verdict(&row->other, write, write->other, arena) && copy_webhooks(row, write, arena);
}

/*
 * The row of a line of JSON
 */

static struct slice member(yyjson_val *object, const char *name)
{
    return json_text(json_member(object, slice_of(name)));
}

static bool read_verdict(struct replay_row_verdict *verdict, yyjson_val *json, struct arena *arena)
{
    yyjson_val *findings = json_member(json, SLICE("findings"));
    verdict->findings =
        arena_allocate_array(arena, yyjson_arr_size(findings) + 1, sizeof(*verdict->findings));
    if (!verdict->findings)
        return false;
    json_each_item(finding, findings) {
        struct replay_row_finding read = {
            .message = member(finding, "message"), .rule = member(finding, "rule")};
        action_parse(member(finding, "policyAction"), &read.action);
        add_finding(verdict, &read);
    }
    return true;
}

static bool read_webhooks(struct replay_row *row, yyjson_val *mutations, struct arena *arena)
{
    struct slice *items = arena_allocate_array(arena, yyjson_arr_size(mutations) + 1, sizeof(*items));
    if (!items)
        return false;
    json_each_item(mutation, mutations)
        items[json_position(mutation)] = member(mutation, "webhook");
    row->webhooks = (struct slice_list){items, yyjson_arr_size(mutations)};
    return true;
}

bool replay_row_read(struct replay_row *row, yyjson_val *line, struct arena *arena)
{
    yyjson_val *other = json_member(line, SLICE("compare"));
    struct slice kind = member(line, "kind");
    *row = (struct replay_row){
        .time = member(line, "time"),
        .verb = member(line, "verb"),
        .kind = kind.length ? kind : member(line, "resource"),
        .subresource = member(line, "subresource"),
        .namespace = member(line, "namespace"),
        .name = member(line, "name"),
        .user = member(line, "user"),
        .manager = member(line, "manager"),
        .is_dry_run = yyjson_get_bool(json_member(line, SLICE("dryRun"))),
        .is_compared = other != NULL,
    };
    return read_verdict(&row->verdict, line, arena) && read_verdict(&row->other, other, arena) &&
        read_webhooks(row, json_member(line, SLICE("mutatedBy")), arena);
}
