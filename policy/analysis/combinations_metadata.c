#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/json_each.h"
#include "base/qualified_name.h"
#include "base/split.h"
#include "manifest/groups.h"
#include "manifest/kinds.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_forms.h"

/* The API server compares what nothing replaces. */
static bool is_final(yyjson_val *text)
{
    return yyjson_is_str(text) && !variable_or_template_is_in(json_text(text));
}

/* Calls `check` for each member of a map whose key is final. */
typedef void member_check(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path);

static void each_member(
    const struct combinations *of, yyjson_val *map, const struct path *place, member_check *check)
{
    json_each_key(key, map) {
        const struct path path = path_member(place, json_text(key));
        if (is_final(key))
            check(of, json_text(key), yyjson_obj_iter_get_val(key), &path);
    }
}

/*
 * Labels and annotations
 */

static void check_label(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path)
{
    if (!qualified_name_is_valid(key))
        combinations_refuse(of, path, "", "it is not a valid key of a label");
    else if (is_final(value) && !label_value_is_valid(json_text(value)))
        combinations_refuse(
            of, path, "",
            "a label has at most 63 letters, digits, -, _ and dots, and begins and ends with a letter or "
            "digit");
}

static void check_annotation(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path)
{
    (void)value;
    if (qualified_name_is_valid(key))
        return;
    struct text lower = text_start(of->arena, key.length);
    text_append_lower(&lower, key);
    if (!lower.failed && !qualified_name_is_valid(text_slice(&lower)))
        combinations_refuse(of, path, "", "it is not a valid key of an annotation");
}

static void check_map(
    const struct combinations *of, yyjson_val *metadata, const struct path *place, const char *name,
    member_check *check)
{
    const struct path path = field_of(place, name);
    each_member(of, member(metadata, name), &path, check);
}

/*
 * Finalizers and owners
 */

/* The validation of Events, of these groups, and of custom resources takes any finalizer that is a name. */
static bool takes_short_finalizers(struct slice group_kind)
{
    static const char *const groups[] = {
        "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io",
        "coordination.k8s.io",          "node.k8s.io",          "policy",
    };
    struct slice group = group_kind, kind = split_next(&group, '.');
    return !is_builtin_group(group) || slice_equal(kind, SLICE("Event")) ||
        slice_is_one_of(group, groups, ARRAY_SIZE(groups));
}

static const char *finalizer_problem(const struct combinations *of, struct slice finalizer)
{
    static const char *const standard[] = {"foregroundDeletion", "kubernetes", "orphan"};
    if (!qualified_name_is_valid(finalizer))
        return "it is not a valid finalizer";
    if (slice_contains(finalizer, '/') || slice_is_one_of(finalizer, standard, ARRAY_SIZE(standard)) ||
        takes_short_finalizers(of->declared->group_kind))
        return NULL;
    return "a finalizer has a domain and a slash in front of its name";
}

static void check_finalizers(const struct combinations *of, yyjson_val *metadata, const struct path *parent)
{
    const struct path place = field_of(parent, "finalizers");
    yyjson_val *list = member(metadata, "finalizers");
    json_each_item(item, list) {
        struct indexed_item indexed;
        const char *problem = is_final(item) ? finalizer_problem(of, json_text(item)) : NULL;
        combinations_index(&indexed, &place, json_position(item));
        if (problem)
            combinations_refuse(of, &indexed.path, "", problem);
    }
    if (combinations_has_text(list, SLICE("orphan")) &&
        combinations_has_text(list, SLICE("foregroundDeletion")))
        combinations_refuse(of, &place, "", "it may have orphan or foregroundDeletion, not both");
}

static void check_owner(const struct combinations *of, yyjson_val *owner, const struct path *place)
{
    static const char *const names[] = {"apiVersion", "kind", "name", "uid"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = field_of(place, names[i]);
        yyjson_val *value = member(owner, names[i]);
        if (!value || (yyjson_is_str(value) && !yyjson_get_len(value)))
            combinations_refuse(of, &path, "", "it is required");
    }
}

/* The API server counts equal owners once. */
static bool has_two_controllers(yyjson_val *owners)
{
    struct slice first = {NULL, 0};
    json_each_item(item, owners) {
        struct slice uid = json_text(member(item, "uid"));
        if (!yyjson_is_true(member(item, "controller")))
            continue;
        if (first.bytes && !slice_equal(first, uid))
            return true;
        first = uid;
    }
    return false;
}

static void check_owners(const struct combinations *of, yyjson_val *metadata, const struct path *parent)
{
    const struct path place = field_of(parent, "ownerReferences");
    yyjson_val *owners = member(metadata, "ownerReferences");
    if (!of->declared->is_partial)
        combinations_each_item(of, owners, &place, check_owner);
    if (has_two_controllers(owners))
        combinations_refuse(of, &place, "", "only one may have controller: true");
}

/*
 * ConfigMaps and Secrets
 */

static void check_key(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path)
{
    (void)value;
    if (!combination_is_data_key(key))
        combinations_refuse(of, path, "", "a key has letters, digits, -, _ and dots only");
}

/* Something may replace a value that has any of these marks, such as <path:vault#key> and YOUR_TOKEN. */
static bool may_be_replaced(struct slice text)
{
    static const char marks[] = "$<{[:_.";
    for (const char *mark = marks; *mark; mark++)
        if (slice_contains(text, *mark))
            return true;
    return false;
}

static void check_bytes(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path)
{
    check_key(of, key, value, path);
    if (yyjson_is_str(value) && !base64_is_valid(json_text(value)) && !may_be_replaced(json_text(value)))
        combinations_refuse(
            of, path, "",
            "it is not base64; write plain text into stringData of a Secret, or data of a ConfigMap");
}

static void check_both(
    const struct combinations *of, struct slice key, yyjson_val *value, const struct path *path)
{
    (void)value;
    if (json_member(member(of->declared->object, "data"), key))
        combinations_refuse(of, path, "", "data has this key, too; delete one");
}

static void check_config_map(const struct combinations *of)
{
    check_map(of, of->declared->object, NULL, "data", check_key);
    check_map(of, of->declared->object, NULL, "binaryData", check_bytes);
    check_map(of, of->declared->object, NULL, "binaryData", check_both);
}

static void check_secret_key(const struct combinations *of, const char *key)
{
    const struct path data = field_of(NULL, "data"), path = field_of(&data, key);
    yyjson_val *object = of->declared->object;
    if (!json_member(member(object, "data"), slice_of(key)) &&
        !json_member(member(object, "stringData"), slice_of(key)))
        combinations_refuse(of, &path, "", "a Secret of this type needs it");
}

/* Nothing is JSON if memory runs out. */
static bool is_json_map(struct slice text, struct arena *arena)
{
    yyjson_val *root = yyjson_doc_get_root(json_read(text, YYJSON_READ_ALLOW_INVALID_UNICODE, arena, NULL));
    return yyjson_is_obj(root) || yyjson_is_null(root) || arena_has_failed(arena);
}

/* stringData wins. A tool may replace any part of a text that has marks, also after it was encoded. */
static void check_registries(const struct combinations *of, const char *key)
{
    yyjson_val *plain = json_member(member(of->declared->object, "stringData"), slice_of(key));
    yyjson_val *encoded = json_member(member(of->declared->object, "data"), slice_of(key));
    const struct path map = field_of(NULL, plain ? "stringData" : "data"), path = field_of(&map, key);
    struct slice text = json_text(plain ? plain : encoded);
    if (!yyjson_is_str(plain ? plain : encoded) || may_be_replaced(text) ||
        (!plain && !base64_is_valid(text)))
        return;
    if (!plain)
        text = base64_decode(text, of->arena);
    if (!may_be_replaced(text) && !is_json_map(text, of->arena))
        combinations_refuse(of, &path, "", "it must be a map in JSON");
}

/* The token controller finds the account by it. */
static void check_account_name(const struct combinations *of)
{
    static const struct slice key = SLICE_LITERAL("kubernetes.io/service-account.name");
    const struct path metadata = field_of(NULL, "metadata"), annotations = field_of(&metadata, "annotations"),
                      place = path_member(&annotations, key);
    yyjson_val *found = json_member(json_metadata(of->declared->object, SLICE("annotations")), key);
    if (is_text(member(of->declared->object, "type"), "kubernetes.io/service-account-token") &&
        !json_text(found).length && !of->declared->is_partial)
        combinations_refuse(of, &place, "", "a Secret of this type needs it");
}

static void check_secret(const struct combinations *of)
{
    static const char *const keys[][2] = {
        {"kubernetes.io/tls", "tls.crt"},
        {"kubernetes.io/tls", "tls.key"},
        {"kubernetes.io/dockerconfigjson", ".dockerconfigjson"},
        {"kubernetes.io/dockercfg", ".dockercfg"},
        {"kubernetes.io/ssh-auth", "ssh-privatekey"},
    };
    check_map(of, of->declared->object, NULL, "data", check_bytes);
    check_map(of, of->declared->object, NULL, "stringData", check_key);
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
        if (is_text(member(of->declared->object, "type"), keys[i][0]) && !of->declared->is_partial)
            check_secret_key(of, keys[i][1]);
    if (is_text(member(of->declared->object, "type"), "kubernetes.io/dockerconfigjson"))
        check_registries(of, ".dockerconfigjson");
    if (is_text(member(of->declared->object, "type"), "kubernetes.io/dockercfg"))
        check_registries(of, ".dockercfg");
    check_account_name(of);
}

/*
 * All of it
 */

static yyjson_val *template_metadata(const struct combinations *of, bool is_cron_job)
{
    static const char *const kinds[] = {"CronJob.batch",   "DaemonSet.apps",  "Deployment.apps",
                                        "Job.batch",       "ReplicaSet.apps", "ReplicationController",
                                        "StatefulSet.apps"};
    if (!slice_is_one_of(of->declared->group_kind, kinds, ARRAY_SIZE(kinds)))
        return NULL;
    yyjson_val *spec = of->declared->spec;
    if (is_cron_job)
        spec = member(member(spec, "jobTemplate"), "spec");
    return member(member(spec, "template"), "metadata");
}

static void check_labels_and_annotations(
    const struct combinations *of, yyjson_val *metadata, const struct path *place)
{
    check_map(of, metadata, place, "labels", check_label);
    check_map(of, metadata, place, "annotations", check_annotation);
}

static void check_template(const struct combinations *of)
{
    const struct path spec = field_of(NULL, "spec"), job = field_of(&spec, "jobTemplate"),
                      of_job = field_of(&job, "spec");
    bool is_cron_job = slice_equal(of->declared->group_kind, SLICE("CronJob.batch"));
    const struct path template = field_of(is_cron_job ? &of_job : &spec, "template"),
                      place = field_of(&template, "metadata");
    check_labels_and_annotations(of, template_metadata(of, is_cron_job), &place);
}

/* A namespace is ignored in an object that has none. */
static void check_namespace(const struct combinations *of, yyjson_val *metadata, const struct path *place)
{
    struct slice group = of->declared->group_kind, kind = split_next(&group, '.');
    const char *problem = combination_form_problem(&form_namespace, member(metadata, "namespace"));
    const struct path path = field_of(place, "namespace");
    if (problem && json_text(member(metadata, "namespace")).length &&
        kind_scope_of(group, kind) == KIND_NAMESPACED && !of->declared->kustomize_sets_namespaces)
        combinations_refuse(of, &path, "", problem);
}

void combinations_check_metadata(const struct combinations *of)
{
    yyjson_val *metadata = member(of->declared->object, "metadata");
    const struct path place = field_of(NULL, "metadata");
    check_namespace(of, metadata, &place);
    check_labels_and_annotations(of, metadata, &place);
    check_finalizers(of, metadata, &place);
    check_owners(of, metadata, &place);
    check_template(of);
    if (slice_equal(of->declared->group_kind, SLICE("ConfigMap")))
        check_config_map(of);
    if (slice_equal(of->declared->group_kind, SLICE("Secret")))
        check_secret(of);
}
