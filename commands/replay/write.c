#include "commands/replay/write.h"

#include "audit/objects.h"
#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "manifest/kinds.h"

const char *replay_tier_name(enum replay_tier tier)
{
    static const char *const names[] = {"full", "partial", "metadata"};
    return names[tier];
}

const char *replay_reason_name(enum replay_reason reason)
{
    static const char *const names[] = {
#define REASON(symbol, name, text) name,
#include "commands/replay/reasons.def"
#undef REASON
    };
    return names[reason];
}

const char *replay_reason_text(enum replay_reason reason)
{
    static const char *const texts[] = {
#define REASON(symbol, name, text) text,
#include "commands/replay/reasons.def"
#undef REASON
    };
    return texts[reason];
}

/*
 * Which requests are writes
 */

/* Requests that are answered and not stored, such as SubjectAccessReviews. */
static bool is_question(const struct audit_object *object)
{
    bool is_known =
        audit_is_of_kubernetes(object->group) || slice_ends_with(object->group, SLICE(".openshift.io"));
    return is_known && slice_ends_with(object->resource, SLICE("reviews"));
}

static bool is_stored(const struct audit_object *object)
{
    static const char *const calls[] = {"exec", "attach", "portforward", "proxy",
                                        "log",  "token",  "eviction",    "binding"};
    bool is_binding = !object->group.length && slice_equal(object->resource, SLICE("bindings"));
    return object->resource.length && !is_question(object) && !is_binding &&
        !slice_is_one_of(object->subresource, calls, ARRAY_SIZE(calls));
}

bool replay_is_write(const struct audit_event *event)
{
    static const char *const verbs[] = {"create", "update", "patch"};
    return slice_is_one_of(event->verb, verbs, ARRAY_SIZE(verbs)) && is_stored(&event->object);
}

/* Kinds that the cluster itself writes often: the chart does not send them, and advises against it. */
static bool is_of_the_cluster(const struct audit_object *object)
{
    static const char *const core[] = {"pods", "events", "endpoints", "nodes"};
    static const char *const others[] = {"leases", "events", "endpointslices"};
    if (!object->group.length)
        return slice_is_one_of(object->resource, core, ARRAY_SIZE(core));
    return audit_is_of_kubernetes(object->group) &&
        slice_is_one_of(object->resource, others, ARRAY_SIZE(others));
}

/* The chart's rules for scales. */
static bool is_scale(const struct audit_object *object)
{
    static const char *const scaled[] = {"deployments", "replicasets", "statefulsets"};
    return slice_equal(object->subresource, SLICE("scale")) && slice_equal(object->group, SLICE("apps")) &&
        slice_is_one_of(object->resource, scaled, ARRAY_SIZE(scaled));
}

static bool is_in_group(const struct audit_event *event, struct slice group)
{
    json_each_item(item, event->groups) {
        if (slice_equal(json_text(item), group))
            return true;
    }
    return false;
}

/* The conditions of the chart's webhooks (charts/applyguard/templates/_webhook.tpl). */
static bool meets_conditions(const struct audit_event *event)
{
    static const char *const controllers[] = {
        "system:kube-controller-manager", "system:serviceaccount:kube-system:deployment-controller",
        "system:serviceaccount:kube-system:replicaset-controller"};
    const struct audit_object *object = &event->object;
    bool is_replica_set =
        slice_equal(object->group, SLICE("apps")) && slice_equal(object->resource, SLICE("replicasets"));
    bool is_node = is_in_group(event, SLICE("system:nodes")) ||
        (event->lacks_options && slice_starts_with(event->user, SLICE("system:node:")));
    bool is_release = slice_equal(object->resource, SLICE("secrets")) &&
        slice_equal(json_text(json_member(event->response, SLICE("type"))), SLICE("helm.sh/release.v1"));
    return !slice_equal(event->user, SLICE("system:apiserver")) && !is_node && !is_release &&
        !(is_replica_set && slice_is_one_of(event->user, controllers, ARRAY_SIZE(controllers)));
}

bool replay_is_followed(const struct audit_event *event)
{
    return !is_of_the_cluster(&event->object);
}

bool replay_is_sent(const struct audit_event *event)
{
    const struct audit_object *object = &event->object;
    return (!object->subresource.length || is_scale(object)) && !is_of_the_cluster(object) &&
        meets_conditions(event);
}

/*
 * Facts about a write
 */

/* NAME.GROUP; of the core group NAME. Empty if the name is. */
static struct slice qualified(struct slice name, struct slice group, struct arena *arena)
{
    if (!group.length || !name.length)
        return name;
    return text_join(arena, name, ".", group);
}

/* Only the object says so: the resource has the plural. */
static struct slice kind_of(const struct audit_event *event)
{
    bool is_sent = yyjson_is_obj(event->request) && !event->object.subresource.length &&
        slice_equal(group_of(json_text(json_member(event->request, SLICE("apiVersion")))),
                    event->object.group);
    yyjson_val *object = audit_is_whole(event) ? event->response : is_sent ? event->request : NULL;
    return json_text(json_member(object, SLICE("kind")));
}

/* The body of an apply is an object; that of other patches seldom says which. */
static bool is_apply(const struct audit_event *event)
{
    bool is_object = yyjson_is_obj(event->request) && json_member(event->request, SLICE("kind")) &&
        json_member(event->request, SLICE("apiVersion"));
    return event->has_force || (slice_equal(event->verb, SLICE("patch")) && is_object);
}

/* As review_is_of_service. */
static bool is_service(struct slice user)
{
    return slice_starts_with(user, SLICE("eks:")) ||
        (slice_starts_with(user, SLICE("system:")) && !slice_equal(user, SLICE("system:admin")) &&
         !slice_equal(user, SLICE("system:anonymous")));
}

static void classify(struct replay_write *write, const struct class_rules *class_rules)
{
    const struct audit_event *event = write->event;
    const struct manager manager = {
        write->manager, write->is_apply ? MANAGER_APPLY : MANAGER_UPDATE,
        slice_equal(event->object.subresource, SLICE("status")) ? SLICE("") : event->object.subresource};
    const struct manager_facts facts = {
        .role = is_service(event->user) ? ROLE_SERVICE : ROLE_PERSON, .group = event->object.group};
    write->has_class = write->manager.length;
    if (write->has_class)
        write->class = manager_classify(&manager, &facts, class_rules);
}

static yyjson_val *conflicts_of(const struct audit_event *event)
{
    yyjson_val *causes = json_member(json_member(event->status, SLICE("details")), SLICE("causes"));
    yyjson_val *first = yyjson_arr_get_first(causes);
    bool is_conflict = event->code == 409 &&
        slice_equal(json_text(json_member(first, SLICE("reason"))), SLICE("FieldManagerConflict"));
    return is_conflict ? causes : NULL;
}

bool replay_write_read(
    struct replay_write *write, const struct audit_event *event, const struct class_rules *class_rules,
    struct arena *arena)
{
    *write = (struct replay_write){
        .event = event,
        .time = audit_time(event),
        .kind = qualified(kind_of(event), event->object.group, arena),
        .resource = qualified(event->object.resource, event->object.group, arena),
        .name = audit_object_name(event),
        .manager = event->lacks_options ? SLICE("") : event->manager,
        .is_refused = event->code < 200 || event->code >= 300,
        .causes = conflicts_of(event),
        .tier = REPLAY_METADATA,
        .is_apply = is_apply(event),
    };
    classify(write, class_rules);
    return !arena_has_failed(arena);
}

struct slice replay_kind_or_resource(const struct replay_write *write)
{
    return write->kind.length ? write->kind : write->resource;
}

struct slice replay_object(const struct replay_write *write, struct arena *arena)
{
    return text_join(
        arena, replay_kind_or_resource(write), " ",
        as_qualified(text_append, write->event->object.namespace, write->name));
}

/*
 * Findings
 */

/* The rules whose findings are the same where managedFields are left out. */
static bool needs_no_owners(enum rule_id rule)
{
    return rule == RULE_last_applied_invalid || rule == RULE_last_applied_runtime_fields ||
        rule == RULE_oversized_annotations;
}

const struct finding *replay_next_finding(
    const struct replay_write *write, const struct verdict *verdict, const struct finding *last)
{
    const struct finding *next = !verdict ? NULL : last ? last + 1 : verdict->findings;
    for (; next && next < verdict->findings + verdict->finding_count; next++) {
        if (write->tier == REPLAY_FULL || needs_no_owners(next->rule))
            return next;
    }
    return NULL;
}

enum action replay_strongest(const struct replay_write *write, const struct verdict *verdict)
{
    enum action strongest = verdict && write->index_patch ? write->index_action : ACTION_OFF;
    for (const struct finding *finding = NULL; (finding = replay_next_finding(write, verdict, finding));)
        strongest = finding->policy_action > strongest ? finding->policy_action : strongest;
    return strongest;
}

bool replay_is_allowed(const struct replay_write *write, const struct verdict *verdict)
{
    for (const struct finding *finding = NULL; (finding = replay_next_finding(write, verdict, finding));)
        if (finding->action == ACTION_DENY)
            return false;
    return true;
}

bool replay_is_same(const struct replay_write *write)
{
    const struct finding *a = NULL, *b = NULL;
    do {
        a = replay_next_finding(write, write->verdict, a);
        b = replay_next_finding(write, write->other, b);
        if (!a != !b ||
            (a && (a->rule != b->rule || a->policy_action != b->policy_action || a->action != b->action)))
            return false;
    } while (a);
    return true;
}
