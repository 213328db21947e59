#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/split.h"
#include "manifest/variable.h"

/*
 * The fields that validation requires, and the values of some (kubernetes, pkg/apis/GROUP/validation), as a
 * tree of each object. `below` is of the value of a field, or of each item if that is a list.
 * An object without a spec is unfinished, and everything would be missing: nothing is reported.
 * tests/cluster/test_refused_combinations.py asks a real API server.
 */
struct field {
    const char *name;
    enum {
        FIELD_REQUIRED, /* it may be neither absent nor empty nor 0 */
        FIELD_IMPLIED,  /* the fields below are required even if it is absent */
        FIELD_OPTIONAL, /* what is below is required only if it is there */
    } presence;
    const struct field *below;
    const char *values;   /* of a text, separated by spaces; NULL: any */
    const char *sentence; /* about another value */
};

#define REQUIRED(name, below)                                                                                \
    {                                                                                                        \
        name, FIELD_REQUIRED, below, NULL, NULL                                                              \
    }
#define IMPLIED(name, below)                                                                                 \
    {                                                                                                        \
        name, FIELD_IMPLIED, below, NULL, NULL                                                               \
    }
#define OPTIONAL(name, below)                                                                                \
    {                                                                                                        \
        name, FIELD_OPTIONAL, below, NULL, NULL                                                              \
    }
#define ONE_OF(name, values, words)                                                                          \
    {                                                                                                        \
        name, FIELD_OPTIONAL, NULL, values, "it must be " words                                              \
    }
#define END                                                                                                  \
    {                                                                                                        \
        NULL, FIELD_OPTIONAL, NULL, NULL, NULL                                                               \
    }

/*
 * Pods
 */

static const struct field of_port[] = {REQUIRED("port", NULL), END};
static const struct field of_name[] = {REQUIRED("name", NULL), END};
static const struct field of_path[] = {REQUIRED("path", NULL), END};
static const struct field of_exec[] = {REQUIRED("command", NULL), END};
static const struct field of_handler[] = {
    OPTIONAL("exec", of_exec),
    OPTIONAL("httpGet", of_port),
    OPTIONAL("tcpSocket", of_port),
    OPTIONAL("grpc", of_port),
    END,
};
static const struct field of_lifecycle[] = {
    OPTIONAL("postStart", of_handler),
    OPTIONAL("preStop", of_handler),
    END,
};
static const struct field of_key[] = {REQUIRED("name", NULL), REQUIRED("key", NULL), END};
static const struct field of_field[] = {REQUIRED("fieldPath", NULL), END};
static const struct field of_resource[] = {REQUIRED("resource", NULL), END};
static const struct field of_value[] = {
    OPTIONAL("configMapKeyRef", of_key),
    OPTIONAL("secretKeyRef", of_key),
    OPTIONAL("fieldRef", of_field),
    OPTIONAL("resourceFieldRef", of_resource),
    END,
};
static const struct field of_env[] = {REQUIRED("name", NULL), OPTIONAL("valueFrom", of_value), END};
static const struct field of_env_from[] = {
    OPTIONAL("configMapRef", of_name),
    OPTIONAL("secretRef", of_name),
    END,
};
static const struct field of_mount[] = {REQUIRED("name", NULL), REQUIRED("mountPath", NULL), END};
static const struct field of_device[] = {REQUIRED("name", NULL), REQUIRED("devicePath", NULL), END};
static const struct field of_container_port[] = {
    REQUIRED("containerPort", NULL),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field of_container[] = {
    REQUIRED("name", NULL),
    REQUIRED("image", NULL),
    ONE_OF("imagePullPolicy", "Always IfNotPresent Never", "Always, IfNotPresent or Never"),
    OPTIONAL("ports", of_container_port),
    OPTIONAL("env", of_env),
    OPTIONAL("envFrom", of_env_from),
    OPTIONAL("volumeMounts", of_mount),
    OPTIONAL("volumeDevices", of_device),
    OPTIONAL("livenessProbe", of_handler),
    OPTIONAL("readinessProbe", of_handler),
    OPTIONAL("startupProbe", of_handler),
    OPTIONAL("lifecycle", of_lifecycle),
    END,
};
static const struct field of_item[] = {REQUIRED("key", NULL), REQUIRED("path", NULL), END};
static const struct field of_downward_item[] = {
    REQUIRED("path", NULL),
    OPTIONAL("fieldRef", of_field),
    OPTIONAL("resourceFieldRef", of_resource),
    END,
};
static const struct field of_downward[] = {OPTIONAL("items", of_downward_item), END};
static const struct field of_named_items[] = {REQUIRED("name", NULL), OPTIONAL("items", of_item), END};
static const struct field of_secret[] = {REQUIRED("secretName", NULL), OPTIONAL("items", of_item), END};
static const struct field of_claim_reference[] = {REQUIRED("claimName", NULL), END};
static const struct field of_nfs[] = {REQUIRED("server", NULL), REQUIRED("path", NULL), END};
static const struct field of_driver[] = {REQUIRED("driver", NULL), END};
static const struct field of_source[] = {
    OPTIONAL("configMap", of_named_items),
    OPTIONAL("secret", of_named_items),
    OPTIONAL("downwardAPI", of_downward),
    OPTIONAL("serviceAccountToken", of_path),
    END,
};
static const struct field of_projected[] = {OPTIONAL("sources", of_source), END};
static const struct field of_volume[] = {
    REQUIRED("name", NULL),
    OPTIONAL("configMap", of_named_items),
    OPTIONAL("secret", of_secret),
    OPTIONAL("persistentVolumeClaim", of_claim_reference),
    OPTIONAL("hostPath", of_path),
    OPTIONAL("nfs", of_nfs),
    OPTIONAL("csi", of_driver),
    OPTIONAL("downwardAPI", of_downward),
    OPTIONAL("projected", of_projected),
    END,
};
static const struct field of_spread[] = {
    REQUIRED("maxSkew", NULL),
    REQUIRED("topologyKey", NULL),
    REQUIRED("whenUnsatisfiable", NULL),
    END,
};
static const struct field of_pod_term[] = {REQUIRED("topologyKey", NULL), END};
static const struct field of_weighted_pod_term[] = {
    REQUIRED("weight", NULL),
    IMPLIED("podAffinityTerm", of_pod_term),
    END,
};
static const struct field of_pod_affinity[] = {
    OPTIONAL("requiredDuringSchedulingIgnoredDuringExecution", of_pod_term),
    OPTIONAL("preferredDuringSchedulingIgnoredDuringExecution", of_weighted_pod_term),
    END,
};
static const struct field of_node_terms[] = {REQUIRED("nodeSelectorTerms", NULL), END};
static const struct field of_weight[] = {REQUIRED("weight", NULL), END};
static const struct field of_node_affinity[] = {
    OPTIONAL("requiredDuringSchedulingIgnoredDuringExecution", of_node_terms),
    OPTIONAL("preferredDuringSchedulingIgnoredDuringExecution", of_weight),
    END,
};
static const struct field of_affinity[] = {
    OPTIONAL("nodeAffinity", of_node_affinity),
    OPTIONAL("podAffinity", of_pod_affinity),
    OPTIONAL("podAntiAffinity", of_pod_affinity),
    END,
};
static const struct field of_alias[] = {REQUIRED("ip", NULL), END};
static const struct field of_pod[] = {
    ONE_OF(
        "dnsPolicy", "ClusterFirst ClusterFirstWithHostNet Default None",
        "ClusterFirst, ClusterFirstWithHostNet, Default or None"),
    ONE_OF("restartPolicy", "Always Never OnFailure", "Always, OnFailure or Never"),
    REQUIRED("containers", of_container),
    OPTIONAL("initContainers", of_container),
    OPTIONAL("volumes", of_volume),
    OPTIONAL("topologySpreadConstraints", of_spread),
    OPTIONAL("affinity", of_affinity),
    OPTIONAL("hostAliases", of_alias),
    END,
};
static const struct field pod[] = {OPTIONAL("spec", of_pod), END};

/*
 * Workloads
 */

static const struct field of_strategy[] = {
    ONE_OF("type", "Recreate RollingUpdate", "RollingUpdate or Recreate"), END};
static const struct field of_update_strategy[] = {
    ONE_OF("type", "OnDelete RollingUpdate", "RollingUpdate or OnDelete"),
    END,
};
static const struct field of_workload[] = {
    OPTIONAL("template", pod),
    OPTIONAL("strategy", of_strategy),
    OPTIONAL("updateStrategy", of_update_strategy),
    ONE_OF("podManagementPolicy", "OrderedReady Parallel", "OrderedReady or Parallel"),
    ONE_OF("completionMode", "Indexed NonIndexed", "NonIndexed or Indexed"),
    END,
};
static const struct field workload[] = {OPTIONAL("spec", of_workload), END};
static const struct field of_cron_job[] = {
    REQUIRED("schedule", NULL),
    ONE_OF("concurrencyPolicy", "Allow Forbid Replace", "Allow, Forbid or Replace"),
    OPTIONAL("jobTemplate", workload),
    END,
};
static const struct field cron_job[] = {OPTIONAL("spec", of_cron_job), END};
static const struct field pod_template[] = {OPTIONAL("template", pod), END};

static const struct field of_object_reference[] = {REQUIRED("kind", NULL), REQUIRED("name", NULL), END};
static const struct field of_target[] = {REQUIRED("type", NULL), END};
static const struct field of_resource_metric[] = {
    REQUIRED("name", NULL),
    IMPLIED("target", of_target),
    END,
};
static const struct field of_pods_metric[] = {
    IMPLIED("metric", of_name),
    IMPLIED("target", of_target),
    END,
};
static const struct field of_object_metric[] = {
    IMPLIED("describedObject", of_object_reference),
    IMPLIED("metric", of_name),
    IMPLIED("target", of_target),
    END,
};
static const struct field of_container_metric[] = {
    REQUIRED("container", NULL),
    REQUIRED("name", NULL),
    IMPLIED("target", of_target),
    END,
};
static const struct field of_metric[] = {
    REQUIRED("type", NULL),
    OPTIONAL("resource", of_resource_metric),
    OPTIONAL("containerResource", of_container_metric),
    OPTIONAL("pods", of_pods_metric),
    OPTIONAL("external", of_pods_metric),
    OPTIONAL("object", of_object_metric),
    END,
};
static const struct field of_scaling_policy[] = {
    REQUIRED("type", NULL),
    REQUIRED("value", NULL),
    REQUIRED("periodSeconds", NULL),
    END,
};
static const struct field of_scaling[] = {OPTIONAL("policies", of_scaling_policy), END};
static const struct field of_behavior[] = {
    OPTIONAL("scaleUp", of_scaling),
    OPTIONAL("scaleDown", of_scaling),
    END,
};
static const struct field of_autoscaler[] = {
    IMPLIED("scaleTargetRef", of_object_reference),
    REQUIRED("maxReplicas", NULL),
    OPTIONAL("metrics", of_metric),
    OPTIONAL("behavior", of_behavior),
    END,
};
static const struct field autoscaler[] = {OPTIONAL("spec", of_autoscaler), END};

/*
 * Networks
 */

static const struct field of_service_port[] = {
    REQUIRED("port", NULL),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field of_service[] = {
    OPTIONAL("ports", of_service_port),
    ONE_OF(
        "type", "ClusterIP ExternalName LoadBalancer NodePort",
        "ClusterIP, NodePort, LoadBalancer or ExternalName"),
    ONE_OF("sessionAffinity", "ClientIP None", "None or ClientIP"),
    ONE_OF("externalTrafficPolicy", "Cluster Local", "Cluster or Local"),
    END,
};
static const struct field service[] = {OPTIONAL("spec", of_service), END};
static const struct field of_backend[] = {OPTIONAL("service", of_name), END};
static const struct field of_http_path[] = {
    {"pathType", FIELD_REQUIRED, NULL, "Exact ImplementationSpecific Prefix",
     "it must be Prefix, Exact or ImplementationSpecific"},
    REQUIRED("backend", of_backend),
    END,
};
static const struct field of_http[] = {REQUIRED("paths", of_http_path), END};
static const struct field of_ingress_rule[] = {OPTIONAL("http", of_http), END};
static const struct field of_ingress[] = {
    OPTIONAL("defaultBackend", of_backend),
    OPTIONAL("rules", of_ingress_rule),
    END,
};
static const struct field ingress[] = {OPTIONAL("spec", of_ingress), END};
static const struct field of_ingress_class[] = {OPTIONAL("parameters", of_object_reference), END};
static const struct field ingress_class[] = {OPTIONAL("spec", of_ingress_class), END};
static const struct field of_block[] = {REQUIRED("cidr", NULL), END};
static const struct field of_peer[] = {OPTIONAL("ipBlock", of_block), END};
static const struct field of_peers[] = {OPTIONAL("from", of_peer), OPTIONAL("to", of_peer), END};
static const struct field of_network_policy[] = {
    OPTIONAL("ingress", of_peers),
    OPTIONAL("egress", of_peers),
    END,
};
static const struct field network_policy[] = {OPTIONAL("spec", of_network_policy), END};
static const struct field of_endpoint[] = {REQUIRED("addresses", NULL), END};
static const struct field endpoint_slice[] = {
    REQUIRED("addressType", NULL),
    OPTIONAL("endpoints", of_endpoint),
    END,
};

/*
 * Storage
 */

static const struct field of_amounts[] = {REQUIRED("storage", NULL), END};
static const struct field of_resources[] = {IMPLIED("requests", of_amounts), END};
static const struct field of_claim[] = {
    ONE_OF("volumeMode", "Block Filesystem", "Filesystem or Block"),
    REQUIRED("accessModes", NULL),
    IMPLIED("resources", of_resources),
    END,
};
static const struct field claim[] = {OPTIONAL("spec", of_claim), END};
static const struct field of_persistent_volume[] = {
    ONE_OF("persistentVolumeReclaimPolicy", "Delete Recycle Retain", "Retain, Delete or Recycle"),
    ONE_OF("volumeMode", "Block Filesystem", "Filesystem or Block"),
    IMPLIED("capacity", of_amounts),
    REQUIRED("accessModes", NULL),
    END,
};
static const struct field persistent_volume[] = {OPTIONAL("spec", of_persistent_volume), END};
static const struct field storage_class[] = {
    REQUIRED("provisioner", NULL),
    ONE_OF("reclaimPolicy", "Delete Retain", "Delete or Retain"),
    ONE_OF("volumeBindingMode", "Immediate WaitForFirstConsumer", "Immediate or WaitForFirstConsumer"),
    END,
};

/*
 * Rights and rules
 */

static const struct field of_rule[] = {REQUIRED("verbs", NULL), END};
static const struct field role[] = {OPTIONAL("rules", of_rule), END};
static const struct field binding[] = {
    OPTIONAL("roleRef", of_object_reference),
    OPTIONAL("subjects", of_object_reference),
    END,
};
static const struct field of_limit[] = {REQUIRED("type", NULL), END};
static const struct field of_limit_range[] = {OPTIONAL("limits", of_limit), END};
static const struct field limit_range[] = {OPTIONAL("spec", of_limit_range), END};
static const struct field of_rule_of_requests[] = {
    REQUIRED("apiGroups", NULL),
    REQUIRED("apiVersions", NULL),
    REQUIRED("operations", NULL),
    REQUIRED("resources", NULL),
    END,
};
static const struct field of_webhook_service[] = {REQUIRED("namespace", NULL), REQUIRED("name", NULL), END};
static const struct field of_client[] = {OPTIONAL("service", of_webhook_service), END};
static const struct field of_webhook[] = {
    REQUIRED("name", NULL),
    REQUIRED("sideEffects", NULL),
    REQUIRED("admissionReviewVersions", NULL),
    REQUIRED("clientConfig", of_client),
    OPTIONAL("rules", of_rule_of_requests),
    END,
};
static const struct field webhooks[] = {OPTIONAL("webhooks", of_webhook), END};
static const struct field of_matches[] = {REQUIRED("resourceRules", of_rule_of_requests), END};
static const struct field of_validation[] = {REQUIRED("expression", NULL), END};
static const struct field of_admission_policy[] = {
    IMPLIED("matchConstraints", of_matches),
    OPTIONAL("validations", of_validation),
    END,
};
static const struct field admission_policy[] = {OPTIONAL("spec", of_admission_policy), END};
static const struct field of_policy_binding[] = {
    REQUIRED("policyName", NULL),
    REQUIRED("validationActions", NULL),
    END,
};
static const struct field policy_binding[] = {OPTIONAL("spec", of_policy_binding), END};

/*
 * Definitions
 */

static const struct field of_names[] = {REQUIRED("kind", NULL), REQUIRED("plural", NULL), END};
static const struct field of_root_schema[] = {REQUIRED("type", NULL), END};
static const struct field of_schema[] = {IMPLIED("openAPIV3Schema", of_root_schema), END};
static const struct field of_version[] = {REQUIRED("name", NULL), IMPLIED("schema", of_schema), END};
static const struct field of_definition[] = {
    REQUIRED("group", NULL),
    REQUIRED("scope", NULL),
    IMPLIED("names", of_names),
    REQUIRED("versions", of_version),
    END,
};
static const struct field definition[] = {OPTIONAL("spec", of_definition), END};
static const struct field of_api_service[] = {
    OPTIONAL("service", of_webhook_service),
    REQUIRED("groupPriorityMinimum", NULL),
    REQUIRED("versionPriority", NULL),
    END,
};
static const struct field api_service[] = {OPTIONAL("spec", of_api_service), END};

static const struct {
    const char *group_kind;
    const struct field *fields;
} kinds[] = {
    {"Pod", pod},
    {"PodTemplate", pod_template},
    {"ReplicationController", workload},
    {"Deployment.apps", workload},
    {"ReplicaSet.apps", workload},
    {"StatefulSet.apps", workload},
    {"DaemonSet.apps", workload},
    {"Job.batch", workload},
    {"CronJob.batch", cron_job},
    {"HorizontalPodAutoscaler.autoscaling", autoscaler},
    {"Service", service},
    {"Ingress.networking.k8s.io", ingress},
    {"IngressClass.networking.k8s.io", ingress_class},
    {"NetworkPolicy.networking.k8s.io", network_policy},
    {"EndpointSlice.discovery.k8s.io", endpoint_slice},
    {"PersistentVolumeClaim", claim},
    {"PersistentVolume", persistent_volume},
    {"StorageClass.storage.k8s.io", storage_class},
    {"Role.rbac.authorization.k8s.io", role},
    {"ClusterRole.rbac.authorization.k8s.io", role},
    {"RoleBinding.rbac.authorization.k8s.io", binding},
    {"ClusterRoleBinding.rbac.authorization.k8s.io", binding},
    {"LimitRange", limit_range},
    {"ValidatingWebhookConfiguration.admissionregistration.k8s.io", webhooks},
    {"MutatingWebhookConfiguration.admissionregistration.k8s.io", webhooks},
    {"ValidatingAdmissionPolicy.admissionregistration.k8s.io", admission_policy},
    {"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", policy_binding},
    {"CustomResourceDefinition.apiextensions.k8s.io", definition},
    {"APIService.apiregistration.k8s.io", api_service},
};

/*
 * The search
 */

static bool is_empty(yyjson_val *value)
{
    return is_nothing(value) || (yyjson_is_str(value) && !yyjson_get_len(value)) ||
        (yyjson_is_int(value) && !yyjson_get_uint(value));
}

static void check_fields(
    const struct combinations *of, yyjson_val *object, const struct path *place, const struct field *fields);

static void check_items(
    const struct combinations *of, yyjson_val *list, const struct path *place, const struct field *fields)
{
    yyjson_arr_iter items;
    if (!yyjson_arr_iter_init(list, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        struct indexed_item indexed;
        combinations_index(&indexed, place, items.idx - 1);
        if (yyjson_is_obj(item))
            check_fields(of, item, &indexed.path, fields);
    }
}

/* OpenShift fills in the images that this annotation names. */
static bool is_filled_in(const struct combinations *of, const struct field *field)
{
    return slice_equal(slice_of(field->name), SLICE("image")) &&
        json_member(
               json_metadata(of->declared->object, SLICE("annotations")),
               SLICE("image.openshift.io/triggers"));
}

/* A text that something replaces may become any. */
static bool has_other_value(yyjson_val *value, const struct field *field)
{
    struct slice text = json_text(value);
    return field->values && text.length && !split_has(slice_of(field->values), ' ', text) &&
        !variable_or_template_is_in(text);
}

static void check_field(
    const struct combinations *of, yyjson_val *value, const struct path *place, const struct field *field)
{
    if (field->presence == FIELD_REQUIRED && is_empty(value) && !is_filled_in(of, field))
        combinations_refuse(of, place, "", "it is required");
    else if (has_other_value(value, field))
        combinations_refuse(of, place, "", field->sentence);
    else if (field->below && yyjson_is_arr(value))
        check_items(of, value, place, field->below);
    else if (field->below && (yyjson_is_obj(value) || (!value && field->presence == FIELD_IMPLIED)))
        check_fields(of, value, place, field->below);
}

static void check_fields(
    const struct combinations *of, yyjson_val *object, const struct path *place, const struct field *fields)
{
    for (const struct field *field = fields; field->name; field++) {
        const struct path path = field_of(place, field->name);
        check_field(of, member(object, field->name), &path, field);
    }
}

/* Other versions require other fields. */
static bool is_known(const struct declared_spec *declared)
{
    return slice_equal(declared->version, SLICE("v1")) ||
        (slice_equal(declared->version, SLICE("v2")) &&
         slice_equal(declared->group_kind, SLICE("HorizontalPodAutoscaler.autoscaling")));
}

void combinations_check_required(const struct combinations *of)
{
    const struct declared_spec *declared = of->declared;
    if (declared->is_partial || !is_known(declared))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(declared->group_kind, slice_of(kinds[i].group_kind)))
            check_fields(of, declared->object, NULL, kinds[i].fields);
}
