#include "base/json.h"
#include "base/json_each.h"
#include "policy/review/applied.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/*
 * Fields that only the API server and kubectl rollout write: in a manifest it shows that a live object was
 * exported.
 */
enum runtime_field {
    UID,
    RESOURCE_VERSION,
    GENERATION,
    CREATION_TIMESTAMP,
    MANAGED_FIELDS,
    REVISION,
    RESTARTED_AT,
    STATUS,
    RUNTIME_FIELD_COUNT,
};

static const char *const runtime_fields[RUNTIME_FIELD_COUNT] = {
    [UID] = ".metadata.uid",
    [RESOURCE_VERSION] = ".metadata.resourceVersion",
    [GENERATION] = ".metadata.generation",
    [CREATION_TIMESTAMP] = ".metadata.creationTimestamp",
    [MANAGED_FIELDS] = ".metadata.managedFields",
    [REVISION] = ".metadata.annotations.deployment.kubernetes.io/revision",
    [RESTARTED_AT] = ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt",
    [STATUS] = ".status",
};

/* kubectl create --dry-run and code generators print null, {}, zeros and "" in these places. */
static bool says_something(yyjson_val *value, unsigned depth)
{
    if (!yyjson_is_ctn(value))
        return value && !yyjson_is_null(value) && !json_is_zero(value);
    if (!depth)
        return false;
    json_each_key(key, value)
        if (says_something(yyjson_obj_iter_get_val(key), depth - 1))
            return true;
    json_each_item(item, value)
        if (says_something(item, depth - 1))
            return true;
    return false;
}

static yyjson_val *restarted_at(const struct object_parts *object)
{
    yyjson_val *template = json_member(object->spec, SLICE("template"));
    return json_member(
        json_metadata(template, SLICE("annotations")), SLICE("kubectl.kubernetes.io/restartedAt"));
}

/* A bit for each of the runtime fields that the configuration has. */
static unsigned fields_in(const struct object_parts *configuration)
{
    const struct metadata *metadata = &configuration->metadata;
    yyjson_val *values[RUNTIME_FIELD_COUNT] = {
        [UID] = metadata->uid,
        [RESOURCE_VERSION] = metadata->resource_version,
        [GENERATION] = metadata->generation,
        [CREATION_TIMESTAMP] = metadata->creation_timestamp,
        [MANAGED_FIELDS] = metadata->managed_fields,
        [REVISION] = json_member(metadata->annotations, SLICE("deployment.kubernetes.io/revision")),
        [RESTARTED_AT] = restarted_at(configuration),
        [STATUS] = configuration->status,
    };
    unsigned fields = 0;
    for (size_t i = 0; i < RUNTIME_FIELD_COUNT; i++) {
        if (says_something(values[i], JSON_DEPTH_MAX))
            fields |= 1u << i;
    }
    return fields;
}

static unsigned fields_before(const struct review *review)
{
    struct object_parts before;
    object_parts_read(&before, last_applied_configuration_before(&review->last_applied));
    return fields_in(&before);
}

/*
 * The manifest has the restart that the object has had already: no apply restarts the pods again.
 */
static bool adopts_restart(const struct review *review)
{
    yyjson_val *declared = restarted_at(applied_annotation_parts(review));
    yyjson_val *before = restarted_at(&review->old_parts);
    return before && json_equal(declared, before, review->arena);
}

static struct slice describe(
    const struct review *review, const struct slice *fields, size_t count, bool is_restart)
{
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, "the manifest has ");
    if (is_restart) {
        text_append_string(
            &text,
            "restartedAt, and each apply of another time restarts the pods; leave it to kubectl rollout "
            "restart");
        return text_slice(&text);
    }
    text_append_all(
        &text, message_fields(fields, count), ", which only the cluster sets; delete ",
        message_for(count, "it", "them"));
    return text_slice(&text);
}

static void report(const struct review *review, struct verdict *verdict, unsigned found)
{
    if (!found)
        return;
    struct slice *fields = arena_allocate_array(review->arena, RUNTIME_FIELD_COUNT, sizeof(*fields));
    if (!fields)
        return;
    size_t count = 0;
    for (size_t i = 0; i < RUNTIME_FIELD_COUNT; i++) {
        if (found & 1u << i)
            fields[count++] = slice_of(runtime_fields[i]);
    }
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_runtime_fields,
            .action = ACTION_DENY,
            .message = describe(review, fields, count, found == 1u << RESTARTED_AT),
            .fields = fields,
            .field_count = count,
            .field_total = count,
        });
}

/* To delete restartedAt restarts the pods: that is not advised along with the others. */
static void report_apart(const struct review *review, struct verdict *verdict, unsigned found)
{
    const unsigned restart = 1u << RESTARTED_AT;
    report(review, verdict, found & ~restart);
    if (found & restart && !adopts_restart(review))
        report(review, verdict, restart);
}

/*
 * Earlier content of the annotation is reported to appliers only: theirs is the manifest. kubectl's
 * bookkeeping says again what the apply before it said.
 */
static void judge(const struct review *review, struct verdict *verdict)
{
    enum manager_class class = review->ownership.writer.class;
    if (!review->last_applied.written || class == CLASS_BOOKKEEPING)
        return;
    unsigned found = fields_in(applied_annotation_parts(review));
    if (found && class != CLASS_APPLIER)
        found &= ~fields_before(review);
    if (found)
        report_apart(review, verdict, found);
}

const struct rule_definition rule_last_applied_runtime_fields = {.judge = judge, .judges_objects = true};
