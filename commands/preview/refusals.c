#include "commands/preview/refusals.h"

#include "apply/merge/typed.h"
#include "base/count.h"
#include "base/json.h"
#include "policy/analysis/combinations.h"

#include <stdio.h>

/* Fields that the API server's validation lets nobody change (pkg/apis/.../validation), without defaults in
 * them. */
struct immutable {
    const char *group_kind;
    const char *field;
    bool has_default; /* which stands in for it where it is gone */
};

static const struct immutable immutables[] = {
    {"ClusterRoleBinding.rbac.authorization.k8s.io", ".roleRef.kind", false},
    {"ClusterRoleBinding.rbac.authorization.k8s.io", ".roleRef.name", false},
    {"DaemonSet.apps", ".spec.selector", false},
    {"Deployment.apps", ".spec.selector", false},
    {"Job.batch", ".spec.completionMode", true},
    {"Job.batch", ".spec.selector", true},
    {"PersistentVolumeClaim", ".spec.accessModes", true},
    {"PersistentVolumeClaim", ".spec.storageClassName", true},
    {"PersistentVolumeClaim", ".spec.volumeMode", true},
    {"PriorityClass.scheduling.k8s.io", ".value", true},
    {"ReplicaSet.apps", ".spec.selector", false},
    {"RoleBinding.rbac.authorization.k8s.io", ".roleRef.kind", false},
    {"RoleBinding.rbac.authorization.k8s.io", ".roleRef.name", false},
    {"RuntimeClass.node.k8s.io", ".handler", false},
    {"Secret", ".type", true},
    {"StatefulSet.apps", ".spec.podManagementPolicy", true},
    {"StatefulSet.apps", ".spec.selector", false},
    {"StatefulSet.apps", ".spec.serviceName", true},
    {"StorageClass.storage.k8s.io", ".parameters", true},
    {"StorageClass.storage.k8s.io", ".provisioner", false},
    {"StorageClass.storage.k8s.io", ".reclaimPolicy", true},
    {"StorageClass.storage.k8s.io", ".volumeBindingMode", true},
};

static const struct value *find(const struct value *object, const char *field)
{
    struct slice rest = slice_of(field);
    while (rest.length && object) {
        struct slice name = slice_from(rest, 1);
        name = slice_until(name, slice_find(name, '.'));
        object = value_member(object, name);
        rest = slice_from(rest, name.length + 1);
    }
    return object;
}

static bool is_same(const struct value *a, const struct value *b)
{
    return value_is_empty(a) || value_is_empty(b) ? value_is_empty(a) && value_is_empty(b)
                                                  : value_equal(a, b);
}

static void say(refusal_visit *visit, void *context, const char *before, const char *field, const char *after)
{
    char sentence[256];
    int length = snprintf(sentence, sizeof(sentence), "%s%s%s", before, field, after);
    if (length > 0 && (size_t)length < sizeof(sentence))
        visit(context, (struct slice){sentence, (size_t)length});
}

static void check_field(
    const struct outcome *outcome, const struct immutable *immutable, refusal_visit *visit, void *context)
{
    const struct value *before = find(outcome->before, immutable->field);
    const struct value *after = find(outcome->after, immutable->field);
    bool is_gone = value_is_empty(after);
    if (value_is_empty(before) || is_same(before, after) || (is_gone && immutable->has_default))
        return;
    say(visit, context, "", immutable->field,
        is_gone ? " goes away, and it may not change" : " changes, and it may not");
}

static bool is_true(const struct value *value)
{
    return value && value->kind == VALUE_SCALAR && yyjson_is_true(value->scalar);
}

/* A ConfigMap or Secret that says of itself that it never changes. */
static void check_immutable(
    const struct outcome *outcome, struct slice group_kind, refusal_visit *visit, void *context)
{
    static const char *const fields[] = {".data", ".binaryData", ".immutable"};
    bool has_it = slice_equal(group_kind, SLICE("ConfigMap")) || slice_equal(group_kind, SLICE("Secret"));
    if (!has_it || !is_true(value_member(outcome->before, SLICE("immutable"))))
        return;
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (!is_same(find(outcome->before, fields[i]), find(outcome->after, fields[i])))
            say(visit, context, "the object is immutable, and ", fields[i], " changes");
    }
}

void refusals_of_change(
    const struct outcome *outcome, struct slice group_kind, refusal_visit *visit, void *context)
{
    for (size_t i = 0; i < COUNT(immutables); i++)
        if (slice_equal(group_kind, slice_of(immutables[i].group_kind)))
            check_field(outcome, &immutables[i], visit, context);
    check_immutable(outcome, group_kind, visit, context);
}

struct telling {
    struct arena *arena;
    refusal_visit *visit;
    void *context;
};

static void tell(void *context, struct slice field, const char *sentence)
{
    const struct telling *telling = context;
    struct text text = text_start(telling->arena, 160);
    text_append_printable(&text, field);
    text_append_string(&text, ": ");
    text_append_string(&text, sentence);
    telling->visit(telling->context, text_slice(&text));
}

static void tell_type(void *context, const struct path *path, const char *is, const char *must_be)
{
    const struct telling *telling = context;
    struct text text = text_start(telling->arena, 160);
    path_append(&text, path);
    text_append_string(&text, " is a ");
    text_append_string(&text, is);
    text_append_string(&text, " and must be a ");
    text_append_string(&text, must_be);
    telling->visit(telling->context, text_slice(&text));
}

void refusals_of_types(
    const struct value *manifest, struct schema_ref type, struct arena *arena, refusal_visit *visit,
    void *context)
{
    struct telling telling = {arena, visit, context};
    typed_check(type, manifest, tell_type, &telling);
}

void refusals_of_object(
    const struct value *object, struct slice group_kind, struct arena *arena, refusal_visit *visit,
    void *context)
{
    struct telling telling = {arena, visit, context};
    const struct value *spec = value_member(object, SLICE("spec"));
    if (!spec)
        return;
    const struct declared_spec declared = {.group_kind = group_kind, .spec = value_json(spec, arena)};
    combinations_find(&declared, arena, tell, &telling);
}

/* A uid or resourceVersion in the manifest is a condition of the request that changes an object. */
static void check_condition(
    const struct value *live, const char *name, struct slice wanted, refusal_visit *visit, void *context)
{
    if (wanted.length && live && !slice_equal(wanted, preview_live_metadata(live, slice_of(name))))
        say(visit, context, "the manifest has another metadata.", name,
            " than the live object; remove it from the manifest");
}

void refusals_of_manifest(
    const struct value *live, const struct manifest_node *manifest, bool is_apply, refusal_visit *visit,
    void *context)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *entries = manifest_member(metadata, SLICE("managedFields"));
    struct slice uid = manifest_text(manifest_member(metadata, SLICE("uid")));
    struct slice version = manifest_text(manifest_member(metadata, SLICE("resourceVersion")));
    if (is_apply && entries && entries->kind == MANIFEST_LIST)
        visit(context, SLICE("the manifest has metadata.managedFields; remove them from it"));
    if (is_apply && uid.length && !live)
        visit(context, SLICE("the manifest has metadata.uid, and the object is not there"));
    check_condition(live, "uid", uid, visit, context);
    /* 0 is any. */
    if (!slice_equal(version, SLICE("0")))
        check_condition(live, "resourceVersion", version, visit, context);
}
