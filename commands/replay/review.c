#include "commands/replay/review.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/json_each.h"
#include "base/text.h"
#include "manifest/kinds.h"

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
    if (!items)
        return false;
    json_each_item(group, groups)
        items[json_position(group)] = json_text(group);
    *list = (struct slice_list){items, yyjson_arr_size(groups)};
    return true;
}

static struct review_head head_of(const struct replay_write *write)
{
    const struct audit_event *event = write->event;
    const struct replay_shown *shown = &write->shown;
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

/*
 * One write
 */

static bool has_owners(yyjson_val *object)
{
    return yyjson_arr_size(json_metadata(object, SLICE("managedFields"))) > 0;
}

/* The audit profile only records. */
static enum action index_action(const struct policy *policy)
{
    return policy->profile == PROFILE_AUDIT ? ACTION_AUDIT : ACTION_WARN;
}

static bool find_index_patch(const struct replay_judge *judge, struct replay_write *write)
{
    struct replay_index_patch found;
    if (!yyjson_is_arr(write->event->request) || !write->shown.before || !write->verdict)
        return true;
    yyjson_val *seen = audit_objects_seen(judge->objects, write->event, judge->arena);
    if (!seen || !replay_index_patch_find(write->event->request, seen, write->shown.before, &found))
        return !arena_has_failed(judge->arena);
    struct replay_index_patch *kept = arena_allocate(judge->arena, sizeof(*kept));
    write->index_message = replay_index_patch_message(
        &found, write->kind, write->event->object.namespace, write->name, judge->arena);
    if (!kept || !write->index_message.bytes)
        return false;
    *kept = found;
    write->index_patch = kept;
    write->index_action = index_action(judge->policy);
    return true;
}

static bool judge_shown(const struct replay_judge *judge, struct replay_write *write)
{
    const struct audit_event *event = write->event;
    struct review_head head = head_of(write);
    const struct replay_shown *shown = &write->shown;
    bool is_whole =
        shown->scaled.length || (has_owners(shown->after) && (!shown->before || has_owners(shown->before)));
    write->tier = is_whole ? REPLAY_FULL : REPLAY_PARTIAL;
    write->reason = is_whole ? REPLAY_NO_REASON : REPLAY_MANAGED_FIELDS;
    if (event->lacks_options)
        return replay_judge_heads(judge, write, &head);
    return read_groups(event->groups, judge->arena, &head.groups) && replay_judge_head(judge, write, &head);
}

/* The log most likely has each write to the object: then these are the fields that this one takes. */
static bool judge_doubtful(const struct replay_judge *judge, struct replay_write *write)
{
    if (!judge_shown(judge, write))
        return false;
    if (write->verdict)
        replay_remember_possible(judge, write, REPLAY_GAP);
    replay_leave_unjudged(write, REPLAY_GAP);
    return true;
}

/* The Scale of the object before, as the API server shows it to webhooks. NULL: out of memory. */
static yyjson_val *scale_before(yyjson_val *object, yyjson_val *scale, struct arena *arena)
{
    yyjson_val *replicas = json_member(json_member(object, SLICE("spec")), SLICE("replicas"));
    struct text text = text_start(arena, 512);
    text_append_string(&text, "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{");
    json_append_exact(&text, "name", json_text(json_metadata(object, SLICE("name"))));
    json_append_exact(&text, "namespace", json_text(json_metadata(object, SLICE("namespace"))));
    json_append_exact(&text, "uid", json_text(json_metadata(scale, SLICE("uid"))));
    json_append_exact(&text, "resourceVersion", json_text(json_metadata(object, SLICE("resourceVersion"))));
    text_append_all(&text, "},\"spec\":{\"replicas\":", yyjson_get_uint(replicas), "}}");
    return json_parse(text_slice(&text), arena);
}

/* The kind as a review of the scaled object has it. */
static void name_scaled(struct replay_write *write, yyjson_val *object, struct arena *arena)
{
    write->kind =
        text_join(arena, json_text(json_member(object, SLICE("kind"))), ".", write->event->object.group);
}

static bool judge_scale(const struct replay_judge *judge, struct replay_write *write)
{
    const struct audit_event *event = write->event;
    yyjson_val *object = NULL;
    if (!slice_equal(json_text(json_member(event->response, SLICE("kind"))), SLICE("Scale"))) {
        write->reason = REPLAY_PARTIAL_OBJECT;
        return true;
    }
    enum audit_before before =
        audit_objects_before_scale(judge->objects, event, judge->arena, &object, &write->shown.scaled);
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
    write->shown.before = scale_before(object, event->response, judge->arena);
    return write->shown.before && judge_shown(judge, write);
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
    write->shown = (struct replay_shown){.operation = OPERATION_UPDATE, .after = event->response};
    if (event->object.subresource.length)
        return judge_scale(judge, write);
    if (!audit_is_whole(event)) {
        write->reason = audit_is_partial(event) ? REPLAY_PARTIAL_OBJECT : reason_without_answer(event);
        return true;
    }
    enum audit_before before =
        audit_objects_before(judge->objects, event, judge->arena, &write->shown.before);
    if (before == AUDIT_BEFORE_DOUBTFUL)
        return judge_doubtful(judge, write);
    if (before == AUDIT_BEFORE_NONE)
        write->shown.operation = OPERATION_CREATE;
    else if (before != AUDIT_BEFORE_KNOWN) {
        write->reason = reason_of(before);
        write->lacks_former = before == AUDIT_BEFORE_GAP;
        return before != AUDIT_BEFORE_NO_MEMORY;
    }
    return judge_shown(judge, write) && find_index_patch(judge, write);
}
