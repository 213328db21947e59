#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "manifest/variable.h"

static yyjson_val *spec_of(const struct combinations *of)
{
    return member(of->declared->object, "spec");
}

/*
 * Volumes
 */

static void check_access_modes(const struct combinations *of, const struct path *place)
{
    yyjson_val *modes = member(spec_of(of), "accessModes");
    if (yyjson_arr_size(modes) > 1 && combinations_has_text(modes, SLICE("ReadWriteOncePod")))
        combinations_refuse(of, place, ".accessModes", "ReadWriteOncePod must be the only one");
}

static void check_claim(const struct combinations *of)
{
    const struct path place = field_of(NULL, "spec");
    check_access_modes(of, &place);
}

/* Every other member of the spec is a source. The API server does not count flexVolume together with others.
 */
static void check_persistent_volume(const struct combinations *of)
{
    static const char *const others[] = {
        "capacity",     "accessModes", "claimRef",     "persistentVolumeReclaimPolicy", "storageClassName",
        "mountOptions", "volumeMode",  "nodeAffinity", "volumeAttributesClassName",
    };
    yyjson_val *spec = spec_of(of);
    const struct path place = field_of(NULL, "spec");
    size_t count = 0;
    bool is_flexible = member(spec, "flexVolume");
    if (!yyjson_is_obj(spec))
        return;
    json_each_key(key, spec)
        count += !yyjson_is_null(yyjson_obj_iter_get_val(key)) &&
            !slice_is_one_of(json_text(key), others, ARRAY_SIZE(others));
    if (count > 1 + (size_t)is_flexible)
        combinations_refuse(of, &place, "", "a volume may have one source, not several");
    else if (!count && !of->declared->is_partial)
        combinations_refuse(of, &place, "", "it has no source, such as csi or nfs");
    check_access_modes(of, &place);
    if (member(spec, "local") && !member(spec, "nodeAffinity") && !of->declared->is_partial)
        combinations_refuse(of, &place, ".nodeAffinity", "a local volume needs it");
}

/*
 * Rights
 */

static void check_rule(const struct combinations *of, yyjson_val *rule, const struct path *place)
{
    bool is_of_urls = !is_nothing(member(rule, "nonResourceURLs"));
    if (is_of_urls && slice_equal(of->declared->group_kind, SLICE("Role.rbac.authorization.k8s.io")))
        combinations_refuse(of, place, ".nonResourceURLs", "only a ClusterRole may have them");
    if (is_of_urls &&
        (!is_nothing(member(rule, "apiGroups")) || !is_nothing(member(rule, "resources")) ||
         !is_nothing(member(rule, "resourceNames"))))
        combinations_refuse(
            of, place, ".nonResourceURLs", "they need a rule of their own, without apiGroups and resources");
    if (is_of_urls || of->declared->is_partial)
        return;
    if (is_nothing(member(rule, "apiGroups")))
        combinations_refuse(of, place, ".apiGroups", "it is required; [\"\"] is the core group");
    if (is_nothing(member(rule, "resources")))
        combinations_refuse(of, place, ".resources", "it is required");
}

static void check_role(const struct combinations *of)
{
    const struct path rules = field_of(NULL, "rules");
    combinations_each_item(of, member(of->declared->object, "rules"), &rules, check_rule);
}

static void check_subject(const struct combinations *of, yyjson_val *subject, const struct path *place)
{
    yyjson_val *kind = member(subject, "kind");
    struct slice group = json_text(member(subject, "apiGroup"));
    bool is_account = is_text(kind, "ServiceAccount");
    if (!group.length || variable_or_template_is_in(group))
        return;
    if (is_account)
        combinations_refuse(of, place, ".apiGroup", "a ServiceAccount has none");
    else if (
        (is_text(kind, "User") || is_text(kind, "Group")) &&
        !slice_equal(group, SLICE("rbac.authorization.k8s.io")))
        combinations_refuse(of, place, ".apiGroup", "it must be rbac.authorization.k8s.io");
}

static void check_binding(const struct combinations *of)
{
    const struct path subjects = field_of(NULL, "subjects");
    combinations_each_item(of, member(of->declared->object, "subjects"), &subjects, check_subject);
}

/* A RoleBinding has a namespace, which its accounts get. */
static void check_account(const struct combinations *of, yyjson_val *subject, const struct path *place)
{
    if (is_text(member(subject, "kind"), "ServiceAccount") &&
        !json_text(member(subject, "namespace")).length && !of->declared->kustomize_sets_namespaces)
        combinations_refuse(of, place, ".namespace", "a ServiceAccount needs it in a ClusterRoleBinding");
}

static void check_cluster_binding(const struct combinations *of)
{
    const struct path place = field_of(NULL, "roleRef"), subjects = field_of(NULL, "subjects");
    check_binding(of);
    if (!of->declared->is_partial)
        combinations_each_item(of, member(of->declared->object, "subjects"), &subjects, check_account);
    if (is_text(member(member(of->declared->object, "roleRef"), "kind"), "Role"))
        combinations_refuse(of, &place, ".kind", "a ClusterRoleBinding needs a ClusterRole");
}

/*
 * Priorities
 */

#define PRIORITY_MAX 1000000000

/* The API server itself creates those that begin with system-. */
static void check_priority_class(const struct combinations *of)
{
    struct slice name = json_text(json_metadata(of->declared->object, SLICE("name")));
    yyjson_val *value = member(of->declared->object, "value");
    if (slice_starts_with(name, SLICE("system-")))
        return;
    if (yyjson_is_uint(value) && yyjson_get_uint(value) > PRIORITY_MAX)
        combinations_refuse(of, NULL, ".value", "it may be at most 1000000000");
}

/*
 * Definitions
 */

static void check_name(const struct combinations *of, struct slice first, struct slice second)
{
    struct slice name = json_text(json_metadata(of->declared->object, SLICE("name")));
    const struct path place = field_of(NULL, "metadata");
    struct text wanted = text_start(of->arena, 96);
    text_append_all(&wanted, first, ".", second);
    if (first.length && second.length && name.length && !slice_contains(name, '$') && !wanted.failed &&
        !slice_equal(name, text_slice(&wanted)))
        combinations_refuse(
            of, &place, ".name",
            slice_equal(of->declared->group_kind, SLICE("APIService.apiregistration.k8s.io"))
                ? "it must be spec.version, a dot and spec.group"
                : "it must be spec.names.plural, a dot and spec.group");
}

/* Each one is looked for among the versions. No real definition has nearly as many. */
#define STORED_VERSIONS_MAX 100

/* Each version that has been stored stays until someone removes it from the status. */
static void check_stored_versions(
    const struct combinations *of, yyjson_val *versions, const struct path *place)
{
    yyjson_val *stored = member(member(of->declared->old_object, "status"), "storedVersions");
    if (yyjson_arr_size(stored) > STORED_VERSIONS_MAX)
        return;
    json_each_item(item, stored) {
        if (!combinations_has_named(versions, json_text(item)))
            combinations_refuse(
                of, place, "", "it lacks a version of status.storedVersions, in which objects may be stored");
    }
}

static void check_definition(const struct combinations *of)
{
    yyjson_val *spec = spec_of(of), *versions = member(spec, "versions");
    const struct path parent = field_of(NULL, "spec"), place = field_of(&parent, "versions");
    size_t storages = 0;
    check_name(of, json_text(member(member(spec, "names"), "plural")), json_text(member(spec, "group")));
    if (!yyjson_is_arr(versions))
        return;
    json_each_item(item, versions)
        storages += yyjson_is_true(member(item, "storage"));
    if (storages > 1 || (!storages && yyjson_arr_size(versions) && !of->declared->is_partial))
        combinations_refuse(of, &place, "", "exactly one version needs storage: true");
    combinations_check_unique(
        of, versions, &place, combinations_name_of, ".name",
        "another version has this name; each needs its own");
    check_stored_versions(of, versions, &place);
}

static void check_api_service(const struct combinations *of)
{
    yyjson_val *spec = spec_of(of);
    const struct path place = field_of(NULL, "spec");
    check_name(of, json_text(member(spec, "version")), json_text(member(spec, "group")));
    if (yyjson_is_true(member(spec, "insecureSkipTLSVerify")) && json_text(member(spec, "caBundle")).length)
        combinations_refuse(of, &place, ".insecureSkipTLSVerify", "it may not be true beside caBundle");
}

static const struct {
    struct slice group_kind;
    void (*check)(const struct combinations *of);
} kinds[] = {
    {SLICE_LITERAL("Ingress.networking.k8s.io"), combinations_check_ingress},
    {SLICE_LITERAL("NetworkPolicy.networking.k8s.io"), combinations_check_network_policy},
    {SLICE_LITERAL("PersistentVolume"), check_persistent_volume},
    {SLICE_LITERAL("PersistentVolumeClaim"), check_claim},
    {SLICE_LITERAL("Role.rbac.authorization.k8s.io"), check_role},
    {SLICE_LITERAL("ClusterRole.rbac.authorization.k8s.io"), check_role},
    {SLICE_LITERAL("ClusterRoleBinding.rbac.authorization.k8s.io"), check_cluster_binding},
    {SLICE_LITERAL("CustomResourceDefinition.apiextensions.k8s.io"), check_definition},
    {SLICE_LITERAL("APIService.apiregistration.k8s.io"), check_api_service},
    {SLICE_LITERAL("EndpointSlice.discovery.k8s.io"), combinations_check_endpoints},
    {SLICE_LITERAL("LimitRange"), combinations_check_limit_range},
    {SLICE_LITERAL("ResourceQuota"), combinations_check_quota},
    {SLICE_LITERAL("RoleBinding.rbac.authorization.k8s.io"), check_binding},
    {SLICE_LITERAL("PriorityClass.scheduling.k8s.io"), check_priority_class},
    {SLICE_LITERAL("ValidatingWebhookConfiguration.admissionregistration.k8s.io"),
     combinations_check_webhooks},
    {SLICE_LITERAL("MutatingWebhookConfiguration.admissionregistration.k8s.io"), combinations_check_webhooks},
};

void combinations_check_object(const struct combinations *of)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(of->declared->group_kind, kinds[i].group_kind))
            kinds[i].check(of);
}
