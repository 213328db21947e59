#include "base/array_size.h"
#include "base/ascii.h"
#include "base/split.h"
#include "base/text.h"
#include "base/words.h"
#include "policy/config/config_reader.h"

/*
 * The kinds that the API server itself serves, to distinguish a misspelt one from a custom resource. Source:
 * the groups of k8s.io/api; kinds that no admission webhook sees are left out.
 */
struct kind_group {
    const char *group;
    const char *kinds; /* a blank after each */
};

static const struct kind_group builtin_groups[] = {
    {"",
     "Binding ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod "
     "PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount "},
    {"apps", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet "},
    {"batch", "CronJob Job "},
    {"autoscaling", "HorizontalPodAutoscaler "},
    {"policy", "PodDisruptionBudget "},
    {"networking.k8s.io", "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR "},
    {"rbac.authorization.k8s.io", "ClusterRole ClusterRoleBinding Role RoleBinding "},
    {"storage.k8s.io",
     "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass "},
    {"scheduling.k8s.io", "CompositePodGroup PodGroup PriorityClass Workload "},
    {"node.k8s.io", "RuntimeClass "},
    {"discovery.k8s.io", "EndpointSlice "},
    {"coordination.k8s.io", "Lease LeaseCandidate "},
    {"events.k8s.io", "Event "},
    {"certificates.k8s.io", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest "},
    {"apiextensions.k8s.io", "CustomResourceDefinition "},
    {"apiregistration.k8s.io", "APIService "},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema PriorityLevelConfiguration "},
    {"resource.k8s.io", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice "},
};

#define GROUP_COUNT ARRAY_SIZE(builtin_groups)

/* A kind has at most 63 bytes, its group 253. */
#define KIND_BYTES_MAX 63
#define GROUP_BYTES_MAX 253

static bool is_kind_character(char byte)
{
    return ascii_is_alphanumeric(byte) || byte == '.' || byte == '-' || byte == '*' || byte == '?';
}

bool config_kind_valid(struct slice text)
{
    if (text.length == 0 || text.length > KIND_BYTES_MAX + 1 + GROUP_BYTES_MAX || text.bytes[0] == '.')
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_kind_character(text.bytes[i]))
            return false;
    }
    return true;
}

/* The kind itself, in any case, or its plural: deployments. */
static bool means(struct slice text, struct slice kind)
{
    if (slice_equal_in_any_case(text, kind))
        return true;
    struct slice singular = {text.bytes, text.length - (text.length > 0)};
    return text.length && ascii_to_lower(text.bytes[text.length - 1]) == 's' &&
        slice_equal_in_any_case(singular, kind);
}

/* Deploymnet: two slips in a word of some length. Most kinds are too long or too short to ask how far they
 * are. */
static bool is_near(struct slice text, struct slice kind)
{
    bool may_be_near = text.length <= kind.length + 2 && kind.length <= text.length + 2;
    return kind.length >= 5 && may_be_near && word_distance(text, kind) <= 2;
}

typedef bool is_meant(struct slice text, struct slice kind);

/* The kind of the group that the text means; empty: none. */
static struct slice find_kind(const struct kind_group *group, struct slice text, is_meant *is_meant)
{
    for (struct slice rest = slice_of(group->kinds); rest.length;) {
        struct slice kind = split_next(&rest, ' ');
        if (is_meant(text, kind))
            return kind;
    }
    return (struct slice){NULL, 0};
}

/* A built-in kind, in its first group but for `Event`, which is written by itself for the core group. */
struct builtin_kind {
    struct slice kind; /* length 0: absent */
    struct slice group;
};

static struct builtin_kind find_builtin(struct slice text, is_meant *is_meant)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        struct slice kind = find_kind(&builtin_groups[i], text, is_meant);
        if (kind.length)
            return (struct builtin_kind){kind, slice_of(builtin_groups[i].group)};
    }
    return (struct builtin_kind){0};
}

static const struct kind_group *find_group(struct slice name)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        if (slice_equal(name, slice_of(builtin_groups[i].group)))
            return &builtin_groups[i];
    }
    return NULL;
}

/* "Deployment.apps", NUL-terminated. */
static const char *kind_text(struct arena *arena, struct slice kind, struct slice group)
{
    const char *text =
        text_join_string(arena, as_printable(kind), group.length ? "." : "", as_printable(group));
    return text ? text : "KIND.GROUP";
}

static bool has_wildcard(struct slice text)
{
    return slice_contains(text, '*') || slice_contains(text, '?');
}

/* v1, v1beta1 */
static bool is_version(struct slice text)
{
    if (text.length < 2 || text.bytes[0] != 'v' || text.bytes[1] < '1' || text.bytes[1] > '9')
        return false;
    for (size_t i = 1; i < text.length; i++) {
        if (!ascii_is_lower_alphanumeric(text.bytes[i]))
            return false;
    }
    return true;
}

/* Without a group only kinds of the core group can be meant: groups of custom resources are never empty. */
static void check_core_kind(const struct config_value *value, struct slice text)
{
    struct builtin_kind meant = find_builtin(text, means);
    const char *found = yaml_excerpt(value->reader->arena, text);
    if (!meant.kind.length)
        meant = find_builtin(text, is_near);
    if (meant.kind.length && !meant.group.length && slice_equal(meant.kind, text))
        return;
    if (meant.kind.length)
        config_report(
            value, POLICY_NO_EFFECT, "never matches \"%s\"; did you mean \"%s\"?", found,
            kind_text(value->reader->arena, meant.kind, meant.group));
    else
        config_report(
            value, POLICY_NO_EFFECT,
            "never matches \"%s\": it is no kind of the core group; add its group, as in %s.example.com",
            found, found);
}

/* A newer Kubernetes may have more kinds in the group, so this is only a note. */
static void note_near_kind(const struct config_value *value, struct slice kind, struct slice group)
{
    if (kind.length)
        config_report(
            value, POLICY_NOTE, "has \"%s\", which is no known kind; did you mean \"%s\"?",
            config_excerpt(value), kind_text(value->reader->arena, kind, group));
}

void config_check_kind(const struct config_value *value)
{
    struct arena *arena = value->reader->arena;
    struct slice text = value->node->text;
    if (has_wildcard(text) || value->reader->problems->least > POLICY_NO_EFFECT)
        return;
    struct slice kind = {text.bytes, slice_find(text, '.')};
    if (kind.length == text.length) {
        check_core_kind(value, text);
        return;
    }
    struct slice group = slice_from(text, kind.length + 1);
    struct slice first = {group.bytes, slice_find(group, '.')};
    struct slice rest = slice_from(group, first.length + (first.length < group.length));
    const struct kind_group *builtin = group.length ? find_group(group) : NULL;
    struct builtin_kind meant = find_builtin(kind, means);
    const char *suggestion = NULL;
    if (builtin) {
        struct slice exact = find_kind(builtin, kind, means);
        if (exact.length && !slice_equal(exact, kind))
            suggestion = kind_text(arena, exact, group);
        else if (!exact.length)
            note_near_kind(value, find_kind(builtin, kind, is_near), group);
    } else if (is_version(first) && rest.length && find_group(rest)) {
        suggestion = kind_text(arena, kind, rest);
    } else if (meant.kind.length && first.length == group.length) {
        suggestion = kind_text(arena, meant.kind, meant.group);
    }
    if (suggestion)
        config_report(
            value, POLICY_NO_EFFECT, "never matches \"%s\"; did you mean \"%s\"?", yaml_excerpt(arena, text),
            suggestion);
}

/* apps/Deployment, apps/v1/Deployment, Deployment.apps/v1: the intended form is clear. */
static const char *without_slashes(struct arena *arena, struct slice text)
{
    struct slice kind = {0}, group = {0};
    for (struct slice rest = text; rest.length;) {
        struct slice part = split_next(&rest, '/');
        if (is_version(part))
            continue;
        if (kind.length && group.length)
            return NULL;
        group = kind;
        kind = part;
    }
    struct slice dot = slice_from(kind, slice_find(kind, '.'));
    if (!kind.length || (dot.length && group.length) || has_wildcard(text) || !config_kind_valid(kind) ||
        (group.length && !config_kind_valid(group)))
        return NULL;
    return kind_text(arena, kind, group);
}

int config_refuse_kind(const struct config_value *value)
{
    struct arena *arena = value->reader->arena;
    const char *found = yaml_excerpt(arena, value->node->text);
    const char *meant = without_slashes(arena, value->node->text);
    if (slice_contains(value->node->text, '{') || slice_contains(value->node->text, '['))
        return config_refuse(
            value,
            "must be KIND.GROUP, not \"%s\": patterns know * and ? only, so write an item for each kind",
            found);
    if (meant)
        return config_refuse(value, "must be KIND.GROUP, not \"%s\"; did you mean \"%s\"?", found, meant);
    return config_refuse(
        value, "must be KIND.GROUP, such as Deployment.apps, or ConfigMap, not \"%s\"", found);
}

int config_read_kind(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    if (!config_kind_valid(value->node->text))
        return config_refuse_kind(value);
    config_check_kind(value);
    return 0;
}
