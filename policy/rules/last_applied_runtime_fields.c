#include "policy/applied.h"
#include "policy/json.h"
#include "policy/message.h"
#include "policy/review.h"
#include "policy/verdict.h"

/* What only the API server and kubectl rollout write: in a manifest it shows that a live object was exported.
 */
static const struct runtime_field {
    const char *names[5]; /* from the root down */
    const char *path;
} runtime_fields[] = {
    {{"metadata", "uid"}, ".metadata.uid"},
    {{"metadata", "resourceVersion"}, ".metadata.resourceVersion"},
    {{"metadata", "generation"}, ".metadata.generation"},
    {{"metadata", "creationTimestamp"}, ".metadata.creationTimestamp"},
    {{"metadata", "managedFields"}, ".metadata.managedFields"},
    {{"metadata", "annotations", "deployment.kubernetes.io/revision"},
     ".metadata.annotations.deployment.kubernetes.io/revision"},
    {{"spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"},
     ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"},
    {{"status"}, ".status"},
};

#define RUNTIME_FIELD_COUNT (sizeof(runtime_fields) / sizeof(runtime_fields[0]))
#define NAMES_MAX (sizeof(runtime_fields[0].names) / sizeof(runtime_fields[0].names[0]))

/* kubectl create --dry-run and code generators print null, {}, zeros and "" in these places. */
static bool says_something(yyjson_val *value, unsigned depth)
{
    if (!yyjson_is_ctn(value))
        return value && !yyjson_is_null(value) && !json_is_zero(value);
    yyjson_obj_iter members;
    yyjson_arr_iter items;
    yyjson_obj_iter_init(value, &members);
    yyjson_arr_iter_init(value, &items);
    bool found = false;
    for (yyjson_val *key; !found && depth && (key = yyjson_obj_iter_next(&members));)
        found = says_something(yyjson_obj_iter_get_val(key), depth - 1);
    for (yyjson_val *item; !found && depth && (item = yyjson_arr_iter_next(&items));)
        found = says_something(item, depth - 1);
    return found;
}

static bool holds(yyjson_val *configuration, const struct runtime_field *field)
{
    yyjson_val *value = configuration;
    for (size_t i = 0; i < NAMES_MAX && field->names[i]; i++)
        value = json_member(value, slice_of(field->names[i]));
    return says_something(value, JSON_DEPTH_MAX);
}

static void report(
    const struct review *review, struct verdict *verdict, const struct slice *fields, size_t count)
{
    struct text text = text_start(review->arena, 200);
    text_append_string(&text, "the manifest of ");
    message_append_object(&text, review);
    text_append_string(&text, " has ");
    message_append_fields(&text, fields, count);
    text_append_string(
        &text, count == 1 ? " of a live object; take it out" : " of a live object; take them out");
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_runtime_fields,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .fields = fields,
            .field_count = count,
            .field_total = count,
        });
}

/* What stood in the annotation before is told to appliers only: theirs is the manifest. */
static size_t collect(const struct review *review, yyjson_val *configuration, struct slice *fields)
{
    bool applies = review->ownership.taker.class == CLASS_APPLIER;
    yyjson_val *before = applies ? NULL : last_applied_configuration_before(&review->last_applied);
    size_t count = 0;
    for (size_t i = 0; i < RUNTIME_FIELD_COUNT; i++) {
        if (holds(configuration, &runtime_fields[i]) && !holds(before, &runtime_fields[i]))
            fields[count++] = slice_of(runtime_fields[i].path);
    }
    return count;
}

/* kubectl's bookkeeping says again what the apply before it said. */
static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->last_applied.written || review->ownership.taker.class == CLASS_BOOKKEEPING)
        return;
    yyjson_val *configuration = applied_annotation(review);
    if (!configuration)
        return;
    struct slice *fields = arena_allocate_array(review->arena, RUNTIME_FIELD_COUNT, sizeof(*fields));
    if (!fields) {
        verdict->out_of_memory = true;
        return;
    }
    size_t count = collect(review, configuration, fields);
    if (count)
        report(review, verdict, fields, count);
}

const struct rule_definition rule_last_applied_runtime_fields = {.judge = judge};
