/*
 * The fields of pods (kubernetes, pkg/apis/core/validation: ValidatePodSpec).
 */
#include "policy/analysis/combinations_fields.h"

#include <stddef.h>

/*
 * Selectors
 */

static const struct field of_requirement[] = {
    REQUIRED_FORM("key", key),
    REQUIRED_ONE_OF("operator", "DoesNotExist Exists In NotIn", "In, NotIn, Exists or DoesNotExist"),
    FORM("values", label_value),
    END,
};
const struct field combination_fields_selector[] = {
    FORM("matchLabels", labels),
    FORM_AND("matchExpressions", requirement, of_requirement),
    END,
};
static const struct field of_node_requirement[] = {
    REQUIRED_FORM("key", key),
    REQUIRED_ONE_OF(
        "operator", "DoesNotExist Exists Gt In Lt NotIn", "In, NotIn, Exists, DoesNotExist, Gt or Lt"),
    FORM("values", label_value),
    END,
};
static const struct field of_node_name[] = {
    REQUIRED_ONE_OF("key", "metadata.name", "metadata.name"),
    REQUIRED_ONE_OF("operator", "In NotIn", "In or NotIn"),
    REQUIRED("values", NULL),
    END,
};
static const struct field of_node_term[] = {
    FORM_AND("matchExpressions", node_requirement, of_node_requirement),
    OPTIONAL("matchFields", of_node_name),
    END,
};
const struct field combination_fields_node_terms[] = {
    REQUIRED("nodeSelectorTerms", of_node_term),
    END,
};

const struct field combination_fields_amounts[] = {EACH_MEMBER(amount), END};

/*
 * Containers
 */

static const struct field of_http_get[] = {
    REQUIRED_FORM("port", port_or_name),
    ONE_OF("scheme", "HTTP HTTPS", "HTTP or HTTPS"),
    OPTIONAL("httpHeaders", FIELDS(REQUIRED_FORM("name", header))),
    END,
};
static const struct field of_grpc[] = {REQUIRED_FORM("port", port), END};
#define HANDLERS                                                                                             \
    OPTIONAL("exec", FIELDS(REQUIRED("command", NULL))), OPTIONAL("httpGet", of_http_get),                   \
        OPTIONAL("tcpSocket", FIELDS(REQUIRED_FORM("port", port_or_name)))
#define TIMES                                                                                                \
    FORM("initialDelaySeconds", count), FORM("timeoutSeconds", count), FORM("periodSeconds", count),         \
        FORM("failureThreshold", count)
static const struct field of_probe[] = {
    HANDLERS,
    OPTIONAL("grpc", of_grpc),
    TIMES,
    FORM("successThreshold", once),
    FORM("terminationGracePeriodSeconds", positive_seconds),
    END,
};
static const struct field of_readiness_probe[] = {
    HANDLERS,
    OPTIONAL("grpc", of_grpc),
    TIMES,
    FORM("successThreshold", count),
    FORM("terminationGracePeriodSeconds", absent),
    END,
};
static const struct field of_hook[] = {HANDLERS, OPTIONAL("sleep", FIELDS(FORM("seconds", seconds))), END};
static const struct field of_lifecycle[] = {
    OPTIONAL("postStart", of_hook),
    OPTIONAL("preStop", of_hook),
    END,
};
static const struct field of_key[] = {
    REQUIRED_FORM("name", subdomain),
    REQUIRED_FORM("key", data_key),
    END,
};
#define RESOURCE REQUIRED_FORM("resource", resource_field), FORM("divisor", amount)
static const struct field of_resource_of_container[] = {
    RESOURCE,
    REQUIRED("containerName", NULL),
    END,
};
static const struct field of_value[] = {
    OPTIONAL("configMapKeyRef", of_key),
    OPTIONAL("secretKeyRef", of_key),
    OPTIONAL("fieldRef", FIELDS(REQUIRED_FORM("fieldPath", variable_field))),
    OPTIONAL("resourceFieldRef", FIELDS(RESOURCE)),
    END,
};
static const struct field of_env[] = {
    REQUIRED_FORM("name", variable_name),
    OPTIONAL("valueFrom", of_value),
    END,
};
static const struct field of_named_source[] = {REQUIRED_FORM("name", subdomain), END};
static const struct field of_env_from[] = {
    OPTIONAL("configMapRef", of_named_source),
    OPTIONAL("secretRef", of_named_source),
    END,
};
static const struct field of_mount[] = {
    REQUIRED("name", NULL),
    REQUIRED("mountPath", NULL),
    FORM("subPath", relative_path),
    FORM("subPathExpr", relative_path),
    ONE_OF(
        "mountPropagation", "Bidirectional HostToContainer None", "None, HostToContainer or Bidirectional"),
    ONE_OF("recursiveReadOnly", "Disabled Enabled IfPossible", "Disabled, IfPossible or Enabled"),
    END,
};
static const struct field of_device[] = {
    REQUIRED("name", NULL),
    REQUIRED_FORM("devicePath", path_without_dots),
    END,
};
static const struct field of_container_port[] = {
    REQUIRED_FORM("containerPort", port),
    FORM("hostPort", port_or_zero),
    FORM("name", port_name),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field of_seccomp[] = {
    REQUIRED_ONE_OF("type", "Localhost RuntimeDefault Unconfined", "RuntimeDefault, Localhost or Unconfined"),
    FORM("localhostProfile", relative_path),
    END,
};
static const struct field of_armor[] = {
    REQUIRED_ONE_OF("type", "Localhost RuntimeDefault Unconfined", "RuntimeDefault, Localhost or Unconfined"),
    END,
};
#define USERS FORM("runAsUser", count), FORM("runAsGroup", count)
#define PROFILES                                                                                             \
    FORM_AND("seccompProfile", profile, of_seccomp), FORM_AND("appArmorProfile", profile, of_armor)
static const struct field of_container_security[] = {
    USERS,
    PROFILES,
    ONE_OF("procMount", "Default Unmasked", "Default or Unmasked"),
    END,
};
static const struct field of_resize[] = {
    REQUIRED_ONE_OF("resourceName", "cpu memory", "cpu or memory"),
    REQUIRED_ONE_OF("restartPolicy", "NotRequired RestartContainer", "NotRequired or RestartContainer"),
    END,
};
static const struct field of_container[] = {
    REQUIRED_FORM("name", label),
    REQUIRED_FORM("image", image),
    ONE_OF("imagePullPolicy", "Always IfNotPresent Never", "Always, IfNotPresent or Never"),
    ONE_OF("restartPolicy", "Always Never OnFailure", "Always, OnFailure or Never"),
    ONE_OF("terminationMessagePolicy", "FallbackToLogsOnError File", "File or FallbackToLogsOnError"),
    OPTIONAL("ports", of_container_port),
    OPTIONAL("resizePolicy", of_resize),
    OPTIONAL("env", of_env),
    OPTIONAL("envFrom", of_env_from),
    FORM_AND("volumeMounts", mount, of_mount),
    OPTIONAL("volumeDevices", of_device),
    OPTIONAL("livenessProbe", of_probe),
    OPTIONAL("readinessProbe", of_readiness_probe),
    OPTIONAL("startupProbe", of_probe),
    OPTIONAL("lifecycle", of_lifecycle),
    OPTIONAL("securityContext", of_container_security),
    END,
};

/*
 * Volumes
 */

static const struct field of_item[] = {
    REQUIRED("key", NULL),
    REQUIRED_FORM("path", file_path),
    FORM("mode", mode),
    END,
};
static const struct field of_downward_item[] = {
    REQUIRED_FORM("path", file_path),
    OPTIONAL("fieldRef", FIELDS(REQUIRED_FORM("fieldPath", file_field))),
    OPTIONAL("resourceFieldRef", of_resource_of_container),
    FORM("mode", mode),
    END,
};
static const struct field of_downward[] = {
    FORM_AND("items", downward_item, of_downward_item),
    FORM("defaultMode", mode),
    END,
};
static const struct field of_config_map[] = {
    REQUIRED("name", NULL),
    OPTIONAL("items", of_item),
    FORM("defaultMode", mode),
    END,
};
static const struct field of_secret[] = {
    REQUIRED("secretName", NULL),
    OPTIONAL("items", of_item),
    FORM("defaultMode", mode),
    END,
};
const struct field combination_fields_host_path[] = {
    REQUIRED_FORM("path", path_without_dots),
    ONE_OF(
        "type", "BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket",
        "Directory, DirectoryOrCreate, File, FileOrCreate, Socket, CharDevice or BlockDevice"),
    END,
};
const struct field combination_fields_nfs[] = {
    REQUIRED("server", NULL),
    REQUIRED_FORM("path", absolute_path),
    END,
};
static const struct field of_driver[] = {
    REQUIRED_FORM("driver", driver),
    OPTIONAL("nodePublishSecretRef", of_named_source),
    END,
};
static const struct field of_iscsi[] = {
    REQUIRED("targetPortal", NULL),
    REQUIRED("iqn", NULL),
    FORM("lun", byte),
    END,
};
static const struct field of_disk[] = {REQUIRED("volumeID", NULL), FORM("partition", byte), END};
static const struct field of_token[] = {
    REQUIRED_FORM("path", file_path),
    FORM("expirationSeconds", token_seconds),
    END,
};
static const struct field of_source[] = {
    OPTIONAL("configMap", of_config_map),
    OPTIONAL("secret", of_config_map),
    OPTIONAL("downwardAPI", of_downward),
    OPTIONAL("serviceAccountToken", of_token),
    END,
};
static const struct field of_projected[] = {
    OPTIONAL("sources", of_source),
    FORM("defaultMode", mode),
    END,
};
static const struct field of_resources[] = {
    IMPLIED("requests", FIELDS(REQUIRED_FORM("storage", positive_amount))),
    OPTIONAL("limits", FIELDS(EACH_MEMBER(quantity))),
    END,
};
const struct field combination_fields_claim[] = {
    ONE_OF("volumeMode", "Block Filesystem", "Filesystem or Block"),
    REQUIRED_ONE_OF("accessModes", ACCESS_MODES, ACCESS_MODES_WORDS),
    IMPLIED("resources", of_resources),
    FORM("storageClassName", subdomain),
    OPTIONAL("selector", combination_fields_selector),
    OPTIONAL("dataSourceRef", FIELDS(REQUIRED("name", NULL))),
    END,
};
static const struct field of_ephemeral[] = {
    REQUIRED("volumeClaimTemplate", FIELDS(IMPLIED("spec", combination_fields_claim))),
    END,
};
static const struct field of_volume[] = {
    REQUIRED_FORM("name", label),
    OPTIONAL("configMap", of_config_map),
    OPTIONAL("secret", of_secret),
    OPTIONAL("persistentVolumeClaim", FIELDS(REQUIRED("claimName", NULL))),
    OPTIONAL("hostPath", combination_fields_host_path),
    OPTIONAL("nfs", combination_fields_nfs),
    OPTIONAL("csi", of_driver),
    OPTIONAL("downwardAPI", of_downward),
    OPTIONAL("projected", of_projected),
    OPTIONAL("emptyDir", FIELDS(FORM("sizeLimit", amount))),
    OPTIONAL("ephemeral", of_ephemeral),
    OPTIONAL("iscsi", of_iscsi),
    OPTIONAL("cephfs", FIELDS(REQUIRED("monitors", NULL))),
    OPTIONAL("rbd", FIELDS(REQUIRED("monitors", NULL), REQUIRED("image", NULL))),
    OPTIONAL("azureFile", FIELDS(REQUIRED("secretName", NULL), REQUIRED("shareName", NULL))),
    OPTIONAL("azureDisk", FIELDS(REQUIRED("diskName", NULL), REQUIRED("diskURI", NULL))),
    OPTIONAL("awsElasticBlockStore", of_disk),
    OPTIONAL("cinder", of_disk),
    OPTIONAL("gcePersistentDisk", FIELDS(REQUIRED("pdName", NULL), FORM("partition", byte))),
    END,
};

/*
 * Scheduling
 */

static const struct field of_spread[] = {
    REQUIRED_FORM("maxSkew", positive),
    REQUIRED("topologyKey", NULL),
    REQUIRED_ONE_OF("whenUnsatisfiable", "DoNotSchedule ScheduleAnyway", "DoNotSchedule or ScheduleAnyway"),
    FORM("minDomains", positive),
    OPTIONAL("labelSelector", combination_fields_selector),
    ONE_OF("nodeAffinityPolicy", "Honor Ignore", "Honor or Ignore"),
    ONE_OF("nodeTaintsPolicy", "Honor Ignore", "Honor or Ignore"),
    FORM("matchLabelKeys", filled_key),
    END,
};
#define POD_TERM                                                                                             \
    REQUIRED_FORM("topologyKey", key), OPTIONAL("labelSelector", combination_fields_selector),               \
        OPTIONAL("namespaceSelector", combination_fields_selector), FORM("namespaces", namespace),           \
        FORM("matchLabelKeys", filled_key), FORM("mismatchLabelKeys", filled_key)
static const struct field of_pod_term[] = {POD_TERM, END};
static const struct field of_weighted_pod_term[] = {
    REQUIRED_FORM("weight", weight),
    IMPLIED("podAffinityTerm", of_pod_term),
    END,
};
static const struct field of_pod_affinity[] = {
    OPTIONAL("requiredDuringSchedulingIgnoredDuringExecution", of_pod_term),
    OPTIONAL("preferredDuringSchedulingIgnoredDuringExecution", of_weighted_pod_term),
    END,
};
static const struct field of_weighted_node_term[] = {
    REQUIRED_FORM("weight", weight),
    OPTIONAL("preference", of_node_term),
    END,
};
static const struct field of_node_affinity[] = {
    OPTIONAL("requiredDuringSchedulingIgnoredDuringExecution", combination_fields_node_terms),
    OPTIONAL("preferredDuringSchedulingIgnoredDuringExecution", of_weighted_node_term),
    END,
};
static const struct field of_affinity[] = {
    OPTIONAL("nodeAffinity", of_node_affinity),
    OPTIONAL("podAffinity", of_pod_affinity),
    OPTIONAL("podAntiAffinity", of_pod_affinity),
    END,
};
const struct field combination_fields_toleration[] = {
    FORM("key", key),
    ONE_OF("operator", "Equal Exists Gt Lt", "Equal or Exists"),
    ONE_OF("effect", "NoExecute NoSchedule PreferNoSchedule", "NoSchedule, PreferNoSchedule or NoExecute"),
    END,
};

/*
 * Pods
 */

static const struct field of_alias[] = {
    REQUIRED_FORM("ip", address),
    FORM("hostnames", host_name),
    END,
};
static const struct field of_dns[] = {
    FORM("nameservers", address),
    FORM("searches", search),
    OPTIONAL("options", FIELDS(REQUIRED("name", NULL))),
    END,
};
static const struct field of_system[] = {
    REQUIRED_ONE_OF("name", "linux windows", "linux or windows"),
    END,
};
static const struct field of_pod_security[] = {
    USERS,
    PROFILES,
    FORM("fsGroup", count),
    FORM("supplementalGroups", count),
    ONE_OF("fsGroupChangePolicy", "Always OnRootMismatch", "OnRootMismatch or Always"),
    ONE_OF("supplementalGroupsPolicy", "Merge Strict", "Merge or Strict"),
    ONE_OF("seLinuxChangePolicy", "MountOption Recursive", "Recursive or MountOption"),
    OPTIONAL("sysctls", FIELDS(REQUIRED_FORM("name", kernel_setting))),
    END,
};
static const struct field of_pod[] = {
    ONE_OF(
        "dnsPolicy", "ClusterFirst ClusterFirstWithHostNet Default None",
        "ClusterFirst, ClusterFirstWithHostNet, Default or None"),
    ONE_OF("restartPolicy", "Always Never OnFailure", "Always, OnFailure or Never"),
    ONE_OF("preemptionPolicy", "Never PreemptLowerPriority", "PreemptLowerPriority or Never"),
    REQUIRED("containers", of_container),
    OPTIONAL("initContainers", of_container),
    OPTIONAL("volumes", of_volume),
    FORM_AND("topologySpreadConstraints", spread, of_spread),
    OPTIONAL("affinity", of_affinity),
    OPTIONAL("tolerations", combination_fields_toleration),
    OPTIONAL("hostAliases", of_alias),
    OPTIONAL("dnsConfig", of_dns),
    OPTIONAL("readinessGates", FIELDS(REQUIRED_FORM("conditionType", key))),
    OPTIONAL("schedulingGates", FIELDS(REQUIRED_FORM("name", key))),
    OPTIONAL("overhead", combination_fields_amounts),
    FORM("nodeName", subdomain),
    OPTIONAL("os", of_system),
    OPTIONAL("securityContext", of_pod_security),
    FORM("activeDeadlineSeconds", positive),
    FORM("nodeSelector", labels),
    FORM("hostname", label),
    FORM("subdomain", label),
    FORM("serviceAccountName", subdomain),
    FORM("priorityClassName", subdomain),
    FORM("runtimeClassName", subdomain),
    END,
};
const struct field combination_fields_pod[] = {OPTIONAL("spec", of_pod), END};
