/*
 * The fields of all kinds but pods (kubernetes, pkg/apis/GROUP/validation).
 */
#include "policy/analysis/combinations_fields.h"

#include "base/array_size.h"

/*
 * Workloads
 */

static const struct field of_rolling[] = {
    FORM("maxSurge", percentage),
    FORM("maxUnavailable", share),
    END,
};
static const struct field of_strategy[] = {
    ONE_OF("type", "Recreate RollingUpdate", "RollingUpdate or Recreate"),
    OPTIONAL("rollingUpdate", of_rolling),
    END,
};
static const struct field of_deployment[] = {
    OPTIONAL("template", combination_fields_pod),
    OPTIONAL("selector", combination_fields_selector),
    OPTIONAL("strategy", of_strategy),
    FORM("replicas", count),
    FORM("minReadySeconds", count),
    FORM("revisionHistoryLimit", count),
    FORM("progressDeadlineSeconds", count),
    END,
};
static const struct field of_replica_set[] = {
    OPTIONAL("template", combination_fields_pod),
    OPTIONAL("selector", combination_fields_selector),
    FORM("replicas", count),
    FORM("minReadySeconds", count),
    END,
};
static const struct field of_controller[] = {
    OPTIONAL("template", combination_fields_pod),
    FORM("selector", labels),
    FORM("replicas", count),
    FORM("minReadySeconds", count),
    END,
};

static const struct field of_stateful_strategy[] = {
    ONE_OF("type", "OnDelete RollingUpdate", "RollingUpdate or OnDelete"),
    OPTIONAL("rollingUpdate", FIELDS(FORM("partition", count))),
    END,
};
static const struct field of_retention[] = {
    ONE_OF("whenDeleted", "Delete Retain", "Retain or Delete"),
    ONE_OF("whenScaled", "Delete Retain", "Retain or Delete"),
    END,
};
static const struct field of_quantities[] = {EACH_MEMBER(quantity), END};
static const struct field of_claim_resources[] = {
    OPTIONAL("requests", of_quantities),
    OPTIONAL("limits", of_quantities),
    END,
};
static const struct field of_stateful_set[] = {
    OPTIONAL("template", combination_fields_pod),
    OPTIONAL("selector", combination_fields_selector),
    OPTIONAL("updateStrategy", of_stateful_strategy),
    OPTIONAL("ordinals", FIELDS(FORM("start", count))),
    OPTIONAL("volumeClaimTemplates", SPEC(FIELDS(OPTIONAL("resources", of_claim_resources)))),
    OPTIONAL("persistentVolumeClaimRetentionPolicy", of_retention),
    FORM("serviceName", label),
    ONE_OF("podManagementPolicy", "OrderedReady Parallel", "OrderedReady or Parallel"),
    FORM("replicas", count),
    FORM("minReadySeconds", count),
    END,
};

static const struct field of_daemon_rolling[] = {
    FORM("maxSurge", share),
    FORM("maxUnavailable", share),
    END,
};
static const struct field of_daemon_strategy[] = {
    ONE_OF("type", "OnDelete RollingUpdate", "RollingUpdate or OnDelete"),
    OPTIONAL("rollingUpdate", of_daemon_rolling),
    END,
};
static const struct field of_daemon_set[] = {
    OPTIONAL("template", combination_fields_pod),
    OPTIONAL("selector", combination_fields_selector),
    OPTIONAL("updateStrategy", of_daemon_strategy),
    FORM("minReadySeconds", count),
    FORM("revisionHistoryLimit", count),
    END,
};

static const struct field of_exit_codes[] = {
    REQUIRED_ONE_OF("operator", "In NotIn", "In or NotIn"),
    REQUIRED("values", NULL),
    END,
};
static const struct field of_pod_condition[] = {
    REQUIRED_FORM("type", key),
    ONE_OF("status", "False True Unknown", "True, False or Unknown"),
    END,
};
static const struct field of_failure_rule[] = {
    REQUIRED_ONE_OF("action", "Count FailIndex FailJob Ignore", "FailJob, FailIndex, Ignore or Count"),
    FORM_AND("onExitCodes", exit_codes, of_exit_codes),
    OPTIONAL("onPodConditions", of_pod_condition),
    END,
};
static const struct field of_success_policy[] = {
    REQUIRED_FORM_AND("rules", success_rule, FIELDS(FORM("succeededCount", count))),
    END,
};
static const struct field of_job[] = {
    OPTIONAL("template", combination_fields_pod),
    ONE_OF("completionMode", "Indexed NonIndexed", "NonIndexed or Indexed"),
    ONE_OF("podReplacementPolicy", "Failed TerminatingOrFailed", "TerminatingOrFailed or Failed"),
    OPTIONAL("podFailurePolicy", FIELDS(OPTIONAL("rules", of_failure_rule))),
    OPTIONAL("successPolicy", of_success_policy),
    FORM("managedBy", domain_path),
    FORM("parallelism", count),
    FORM("completions", count),
    FORM("backoffLimit", count),
    FORM("backoffLimitPerIndex", count),
    FORM("maxFailedIndexes", count),
    FORM("activeDeadlineSeconds", seconds),
    FORM("ttlSecondsAfterFinished", count),
    END,
};
static const struct field of_cron_job[] = {
    REQUIRED_FORM("schedule", schedule),
    FORM("timeZone", time_zone),
    ONE_OF("concurrencyPolicy", "Allow Forbid Replace", "Allow, Forbid or Replace"),
    FORM("startingDeadlineSeconds", seconds),
    FORM("successfulJobsHistoryLimit", count),
    FORM("failedJobsHistoryLimit", count),
    REQUIRED("jobTemplate", SPEC(of_job)),
    END,
};

/*
 * Autoscalers and budgets
 */

static const struct field of_object_reference[] = {
    REQUIRED_FORM("kind", path_segment),
    REQUIRED_FORM("name", path_segment),
    END,
};
static const struct field of_name[] = {REQUIRED_FORM("name", path_segment), END};
static const struct field of_target[] = {
    REQUIRED_ONE_OF("type", "AverageValue Utilization Value", "Utilization, AverageValue or Value"),
    FORM("averageUtilization", positive),
    FORM("averageValue", positive_amount),
    FORM("value", positive_amount),
    END,
};
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
    REQUIRED_FORM("container", label),
    REQUIRED_FORM("name", resource),
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
    REQUIRED_ONE_OF("type", "Percent Pods", "Pods or Percent"),
    REQUIRED_FORM("value", positive),
    REQUIRED_FORM("periodSeconds", period),
    END,
};
static const struct field of_scaling[] = {
    OPTIONAL("policies", of_scaling_policy),
    FORM("stabilizationWindowSeconds", window),
    FORM("tolerance", quantity),
    ONE_OF("selectPolicy", "Disabled Max Min", "Max, Min or Disabled"),
    END,
};
static const struct field of_behavior[] = {
    OPTIONAL("scaleUp", of_scaling),
    OPTIONAL("scaleDown", of_scaling),
    END,
};
static const struct field of_autoscaler[] = {
    IMPLIED("scaleTargetRef", of_object_reference),
    REQUIRED_FORM("maxReplicas", positive),
    FORM("minReplicas", count),
    FORM("targetCPUUtilizationPercentage", positive),
    OPTIONAL("metrics", of_metric),
    OPTIONAL("behavior", of_behavior),
    END,
};
static const struct field of_disruption_budget[] = {
    FORM("minAvailable", share),
    FORM("maxUnavailable", share),
    OPTIONAL("selector", combination_fields_selector),
    ONE_OF("unhealthyPodEvictionPolicy", "AlwaysAllow IfHealthyBudget", "IfHealthyBudget or AlwaysAllow"),
    END,
};

/*
 * Networks
 */

static const struct field of_service_port[] = {
    REQUIRED_FORM("port", port),
    FORM("targetPort", target_port),
    FORM("nodePort", port_or_zero),
    FORM("name", label),
    FORM("appProtocol", key),
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
    ONE_OF("internalTrafficPolicy", "Cluster Local", "Cluster or Local"),
    ONE_OF(
        "trafficDistribution", "PreferClose PreferSameNode PreferSameZone",
        "PreferClose, PreferSameZone or PreferSameNode"),
    ONE_OF("ipFamilies", "IPv4 IPv6", "IPv4 or IPv6"),
    ONE_OF(
        "ipFamilyPolicy", "PreferDualStack RequireDualStack SingleStack",
        "SingleStack, PreferDualStack or RequireDualStack"),
    FORM("selector", labels),
    FORM("clusterIP", cluster_address),
    FORM("clusterIPs", cluster_address),
    FORM("externalIPs", outside_address),
    FORM("loadBalancerSourceRanges", range),
    FORM("loadBalancerClass", key),
    FORM("healthCheckNodePort", port_or_zero),
    END,
};
static const struct field of_backend_port[] = {
    FORM("number", port_or_zero),
    FORM("name", port_name),
    END,
};
static const struct field of_backend_service[] = {
    REQUIRED_FORM("name", label),
    OPTIONAL("port", of_backend_port),
    END,
};
static const struct field of_backend[] = {OPTIONAL("service", of_backend_service), END};
static const struct field of_http_path[] = {
    REQUIRED_ONE_OF(
        "pathType", "Exact ImplementationSpecific Prefix", "Prefix, Exact or ImplementationSpecific"),
    REQUIRED("backend", of_backend),
    END,
};
static const struct field of_ingress_rule[] = {
    FORM("host", host),
    OPTIONAL("http", FIELDS(REQUIRED_FORM_AND("paths", http_path, of_http_path))),
    END,
};
static const struct field of_tls[] = {
    FORM("hosts", host_of_certificate),
    FORM("secretName", subdomain),
    END,
};
static const struct field of_ingress[] = {
    FORM("ingressClassName", subdomain),
    OPTIONAL("tls", of_tls),
    OPTIONAL("defaultBackend", of_backend),
    OPTIONAL("rules", of_ingress_rule),
    END,
};
static const struct field of_parameters[] = {
    REQUIRED_FORM("kind", path_segment),
    REQUIRED_FORM("name", path_segment),
    ONE_OF("scope", "Cluster Namespace", "Cluster or Namespace"),
    FORM("apiGroup", subdomain),
    END,
};
static const struct field of_ingress_class[] = {
    REQUIRED_FORM("controller", domain_path),
    FORM_AND("parameters", parameters, of_parameters),
    END,
};
static const struct field of_block[] = {
    REQUIRED_FORM("cidr", range),
    FORM("except", range),
    END,
};
static const struct field of_peer[] = {
    OPTIONAL("ipBlock", of_block),
    OPTIONAL("podSelector", combination_fields_selector),
    OPTIONAL("namespaceSelector", combination_fields_selector),
    END,
};
static const struct field of_policy_port[] = {
    FORM("port", port_or_name),
    FORM("endPort", port),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field of_peers[] = {
    OPTIONAL("from", of_peer),
    OPTIONAL("to", of_peer),
    OPTIONAL("ports", of_policy_port),
    END,
};
static const struct field of_network_policy[] = {
    OPTIONAL("podSelector", combination_fields_selector),
    ONE_OF("policyTypes", "Egress Ingress", "Ingress or Egress"),
    OPTIONAL("ingress", of_peers),
    OPTIONAL("egress", of_peers),
    END,
};
static const struct field of_endpoint[] = {
    REQUIRED("addresses", NULL),
    FORM("hostname", label),
    FORM("nodeName", subdomain),
    END,
};
static const struct field of_endpoint_port[] = {
    FORM("name", label),
    FORM("appProtocol", key),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field endpoint_slice[] = {
    REQUIRED_ONE_OF("addressType", "FQDN IPv4 IPv6", "IPv4, IPv6 or FQDN"),
    OPTIONAL("endpoints", of_endpoint),
    OPTIONAL("ports", of_endpoint_port),
    END,
};
static const struct field of_endpoint_address[] = {
    REQUIRED_FORM("ip", outside_address),
    FORM("hostname", label),
    FORM("nodeName", subdomain),
    END,
};
static const struct field of_subset_port[] = {
    REQUIRED_FORM("port", port),
    FORM("name", label),
    FORM("appProtocol", key),
    ONE_OF("protocol", "SCTP TCP UDP", "TCP, UDP or SCTP"),
    END,
};
static const struct field of_subset[] = {
    OPTIONAL("addresses", of_endpoint_address),
    OPTIONAL("notReadyAddresses", of_endpoint_address),
    OPTIONAL("ports", of_subset_port),
    END,
};

/*
 * Storage
 */

static const struct field of_volume_affinity[] = {
    REQUIRED("required", combination_fields_node_terms),
    END,
};
static const struct field of_secret_reference[] = {
    REQUIRED_FORM("name", subdomain),
    REQUIRED_FORM("namespace", label),
    END,
};
static const struct field of_driver[] = {
    REQUIRED_FORM("driver", driver),
    REQUIRED("volumeHandle", NULL),
    OPTIONAL("controllerExpandSecretRef", of_secret_reference),
    OPTIONAL("controllerPublishSecretRef", of_secret_reference),
    OPTIONAL("nodePublishSecretRef", of_secret_reference),
    END,
};
static const struct field of_persistent_volume[] = {
    ONE_OF("persistentVolumeReclaimPolicy", "Delete Recycle Retain", "Retain, Delete or Recycle"),
    ONE_OF("volumeMode", "Block Filesystem", "Filesystem or Block"),
    IMPLIED("capacity", FIELDS(REQUIRED_FORM("storage", positive_amount))),
    REQUIRED_ONE_OF("accessModes", ACCESS_MODES, ACCESS_MODES_WORDS),
    FORM("storageClassName", subdomain),
    OPTIONAL("nodeAffinity", of_volume_affinity),
    OPTIONAL("hostPath", combination_fields_host_path),
    OPTIONAL("local", FIELDS(REQUIRED_FORM("path", path_without_dots))),
    OPTIONAL("nfs", combination_fields_nfs),
    OPTIONAL("csi", of_driver),
    END,
};
static const struct field of_topology_expression[] = {
    REQUIRED_FORM("key", key),
    REQUIRED("values", NULL),
    END,
};
static const struct field of_topology[] = {
    OPTIONAL("matchLabelExpressions", of_topology_expression),
    END,
};
static const struct field of_csi_driver[] = {
    ONE_OF("fsGroupPolicy", "File None ReadWriteOnceWithFSType", "ReadWriteOnceWithFSType, File or None"),
    ONE_OF("volumeLifecycleModes", "Ephemeral Persistent", "Persistent or Ephemeral"),
    OPTIONAL("tokenRequests", FIELDS(FORM("expirationSeconds", token_seconds))),
    END,
};
static const struct field storage_class[] = {
    REQUIRED_FORM("provisioner", provisioner),
    ONE_OF("reclaimPolicy", "Delete Retain", "Delete or Retain"),
    ONE_OF("volumeBindingMode", "Immediate WaitForFirstConsumer", "Immediate or WaitForFirstConsumer"),
    OPTIONAL("allowedTopologies", of_topology),
    END,
};

/*
 * Rights and rules
 */

static const struct field of_aggregation[] = {
    REQUIRED("clusterRoleSelectors", combination_fields_selector),
    END,
};
static const struct field role[] = {
    OPTIONAL("rules", FIELDS(REQUIRED("verbs", NULL))),
    OPTIONAL("aggregationRule", of_aggregation),
    END,
};
static const struct field of_role_reference[] = {
    REQUIRED_ONE_OF("kind", "ClusterRole Role", "Role or ClusterRole"),
    REQUIRED_FORM("name", path_segment),
    ONE_OF("apiGroup", "rbac.authorization.k8s.io", "rbac.authorization.k8s.io"),
    END,
};
static const struct field of_subject[] = {
    REQUIRED_ONE_OF("kind", "Group ServiceAccount User", "ServiceAccount, User or Group"),
    REQUIRED("name", NULL),
    END,
};
static const struct field binding[] = {
    OPTIONAL("roleRef", of_role_reference),
    OPTIONAL("subjects", of_subject),
    END,
};
static const struct field of_limit[] = {
    REQUIRED_FORM("type", limit_type),
    OPTIONAL("maxLimitRequestRatio", combination_fields_amounts),
    END,
};
static const struct field of_rule_of_requests[] = {
    REQUIRED("apiGroups", NULL),
    REQUIRED("apiVersions", NULL),
    REQUIRED_ONE_OF("operations", "* CONNECT CREATE DELETE UPDATE", "CREATE, UPDATE, DELETE, CONNECT or *"),
    ONE_OF("scope", "* Cluster Namespaced", "Namespaced, Cluster or *"),
    REQUIRED("resources", NULL),
    END,
};
static const struct field of_client_service[] = {
    REQUIRED("namespace", NULL), REQUIRED("name", NULL), FORM("port", port), FORM("path", absolute_path), END,
};
static const struct field of_client[] = {
    OPTIONAL("service", of_client_service),
    FORM("url", webhook_url),
    FORM("caBundle", base64),
    END,
};
static const struct field of_expression[] = {
    REQUIRED("name", NULL),
    REQUIRED("expression", NULL),
    END,
};
#define WEBHOOK                                                                                              \
    REQUIRED_FORM("name", webhook_name),                                                                     \
        REQUIRED_ONE_OF("sideEffects", "None NoneOnDryRun", "None or NoneOnDryRun"),                         \
        REQUIRED("admissionReviewVersions", NULL), REQUIRED("clientConfig", of_client),                      \
        OPTIONAL("rules", of_rule_of_requests), OPTIONAL("matchConditions", of_expression),                  \
        FORM("timeoutSeconds", timeout), ONE_OF("failurePolicy", "Fail Ignore", "Fail or Ignore"),           \
        ONE_OF("matchPolicy", "Equivalent Exact", "Equivalent or Exact"),                                    \
        OPTIONAL("namespaceSelector", combination_fields_selector),                                          \
        OPTIONAL("objectSelector", combination_fields_selector)
static const struct field of_mutating_webhook[] = {
    WEBHOOK,
    ONE_OF("reinvocationPolicy", "IfNeeded Never", "Never or IfNeeded"),
    END,
};
#define MATCHES                                                                                              \
    OPTIONAL("excludeResourceRules", of_rule_of_requests),                                                   \
        OPTIONAL("namespaceSelector", combination_fields_selector),                                          \
        OPTIONAL("objectSelector", combination_fields_selector),                                             \
        ONE_OF("matchPolicy", "Equivalent Exact", "Equivalent or Exact")
static const struct field of_matches[] = {
    REQUIRED("resourceRules", of_rule_of_requests),
    MATCHES,
    END,
};
static const struct field of_bound_matches[] = {
    OPTIONAL("resourceRules", of_rule_of_requests),
    MATCHES,
    END,
};
static const struct field of_validation[] = {
    REQUIRED("expression", NULL),
    ONE_OF(
        "reason", "Forbidden Invalid RequestEntityTooLarge Unauthorized",
        "Unauthorized, Forbidden, Invalid or RequestEntityTooLarge"),
    END,
};
static const struct field of_parameter_kind[] = {
    REQUIRED("apiVersion", NULL),
    REQUIRED("kind", NULL),
    END,
};
static const struct field of_admission_policy[] = {
    IMPLIED("matchConstraints", of_matches),
    OPTIONAL("validations", of_validation),
    OPTIONAL("paramKind", of_parameter_kind),
    OPTIONAL("variables", of_expression),
    OPTIONAL("matchConditions", of_expression),
    ONE_OF("failurePolicy", "Fail Ignore", "Fail or Ignore"),
    END,
};
static const struct field of_policy_binding[] = {
    REQUIRED_FORM("policyName", subdomain),
    REQUIRED_ONE_OF("validationActions", "Audit Deny Warn", "Deny, Warn or Audit"),
    OPTIONAL("matchResources", of_bound_matches),
    END,
};

#define QUOTA_SCOPES                                                                                         \
    "BestEffort CrossNamespacePodAffinity NotBestEffort NotTerminating PriorityClass Terminating "           \
    "VolumeAttributesClass"
#define QUOTA_SCOPES_WORDS                                                                                   \
    "Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass or CrossNamespacePodAffinity"

/*
 * Definitions
 */

static const struct field of_names[] = {
    REQUIRED("kind", NULL),       REQUIRED("plural", NULL),     FORM("singular", dns_word),
    FORM("shortNames", dns_word), FORM("categories", dns_word), END,
};
static const struct field of_conversion[] = {
    REQUIRED_ONE_OF("strategy", "None Webhook", "None or Webhook"),
    OPTIONAL(
        "webhook", FIELDS(OPTIONAL("clientConfig", of_client), REQUIRED("conversionReviewVersions", NULL))),
    END,
};
static const struct field of_column[] = {
    REQUIRED("name", NULL),
    REQUIRED_ONE_OF("type", "boolean date integer number string", "string, integer, number, boolean or date"),
    REQUIRED_FORM("jsonPath", simple_path),
    END,
};
static const struct field of_scale[] = {
    REQUIRED_FORM("specReplicasPath", simple_path),
    REQUIRED_FORM("statusReplicasPath", simple_path),
    FORM("labelSelectorPath", simple_path),
    END,
};
static const struct field of_schema[] = {
    IMPLIED("openAPIV3Schema", FIELDS(REQUIRED_ONE_OF("type", "object", "object"))),
    END,
};
static const struct field of_version[] = {
    REQUIRED_FORM("name", dns_word),
    IMPLIED("schema", of_schema),
    OPTIONAL("additionalPrinterColumns", of_column),
    OPTIONAL("subresources", FIELDS(OPTIONAL("scale", of_scale))),
    END,
};
static const struct field of_definition[] = {
    REQUIRED("group", NULL),
    REQUIRED_ONE_OF("scope", "Cluster Namespaced", "Namespaced or Cluster"),
    IMPLIED("names", of_names),
    REQUIRED("versions", of_version),
    OPTIONAL("conversion", of_conversion),
    FORM("preserveUnknownFields", false),
    END,
};
static const struct field of_api_service[] = {
    OPTIONAL("service", of_client_service),
    FORM("caBundle", base64),
    REQUIRED_FORM("groupPriorityMinimum", group_priority),
    REQUIRED_FORM("versionPriority", version_priority),
    END,
};

/*
 * Nodes and classes
 */

static const struct field of_taint[] = {
    REQUIRED_FORM("key", key),
    REQUIRED_ONE_OF(
        "effect", "NoExecute NoSchedule PreferNoSchedule", "NoSchedule, PreferNoSchedule or NoExecute"),
    FORM("value", label_value),
    END,
};
static const struct field of_class_scheduling[] = {
    FORM("nodeSelector", labels),
    OPTIONAL("tolerations", combination_fields_toleration),
    END,
};
static const struct field runtime_class[] = {
    REQUIRED_FORM("handler", label),
    OPTIONAL("overhead", FIELDS(OPTIONAL("podFixed", combination_fields_amounts))),
    OPTIONAL("scheduling", of_class_scheduling),
    END,
};
static const struct field priority_class[] = {
    ONE_OF("preemptionPolicy", "Never PreemptLowerPriority", "PreemptLowerPriority or Never"),
    END,
};
static const struct field of_lease[] = {
    FORM("leaseDurationSeconds", positive),
    FORM("leaseTransitions", count),
    END,
};
static const struct field of_flow_schema[] = {
    FORM("matchingPrecedence", precedence),
    IMPLIED("priorityLevelConfiguration", of_name),
    END,
};
static const struct field of_scope[] = {
    REQUIRED_ONE_OF("scopeName", QUOTA_SCOPES, QUOTA_SCOPES_WORDS),
    REQUIRED_ONE_OF("operator", "DoesNotExist Exists In NotIn", "In, NotIn, Exists or DoesNotExist"),
    END,
};
static const struct field of_scope_selector[] = {
    FORM_AND("matchExpressions", requirement, of_scope),
    END,
};
static const struct field of_quota[] = {
    ONE_OF("scopes", QUOTA_SCOPES, QUOTA_SCOPES_WORDS),
    OPTIONAL("scopeSelector", of_scope_selector),
    END,
};
static const struct field of_request[] = {
    REQUIRED("request", NULL),
    REQUIRED_FORM("signerName", domain_path),
    REQUIRED("usages", NULL),
    END,
};

static const struct {
    struct slice group_kind;
    const struct field *fields;
} kinds[] = {
    {SLICE_LITERAL("Pod"), combination_fields_pod},
    {SLICE_LITERAL("PodTemplate"), FIELDS(OPTIONAL("template", combination_fields_pod))},
    {SLICE_LITERAL("ReplicationController"), SPEC(of_controller)},
    {SLICE_LITERAL("Deployment.apps"), SPEC(of_deployment)},
    {SLICE_LITERAL("ReplicaSet.apps"), SPEC(of_replica_set)},
    {SLICE_LITERAL("StatefulSet.apps"), SPEC(of_stateful_set)},
    {SLICE_LITERAL("DaemonSet.apps"), SPEC(of_daemon_set)},
    {SLICE_LITERAL("Job.batch"), SPEC(of_job)},
    {SLICE_LITERAL("CronJob.batch"), SPEC(of_cron_job)},
    {SLICE_LITERAL("HorizontalPodAutoscaler.autoscaling"), SPEC(of_autoscaler)},
    {SLICE_LITERAL("PodDisruptionBudget.policy"), SPEC(of_disruption_budget)},
    {SLICE_LITERAL("Service"), SPEC(of_service)},
    {SLICE_LITERAL("Ingress.networking.k8s.io"), SPEC(of_ingress)},
    {SLICE_LITERAL("IngressClass.networking.k8s.io"), SPEC(of_ingress_class)},
    {SLICE_LITERAL("NetworkPolicy.networking.k8s.io"), SPEC(of_network_policy)},
    {SLICE_LITERAL("EndpointSlice.discovery.k8s.io"), endpoint_slice},
    {SLICE_LITERAL("Endpoints"), FIELDS(FORM_AND("subsets", subset, of_subset))},
    {SLICE_LITERAL("ResourceQuota"), SPEC(of_quota)},
    {SLICE_LITERAL("CSIDriver.storage.k8s.io"), SPEC(of_csi_driver)},
    {SLICE_LITERAL("CertificateSigningRequest.certificates.k8s.io"), SPEC(of_request)},
    {SLICE_LITERAL("PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io"),
     SPEC(FIELDS(REQUIRED_ONE_OF("type", "Exempt Limited", "Limited or Exempt")))},
    {SLICE_LITERAL("PersistentVolumeClaim"), SPEC(combination_fields_claim)},
    {SLICE_LITERAL("PersistentVolume"), SPEC(of_persistent_volume)},
    {SLICE_LITERAL("StorageClass.storage.k8s.io"), storage_class},
    {SLICE_LITERAL("Role.rbac.authorization.k8s.io"), role},
    {SLICE_LITERAL("ClusterRole.rbac.authorization.k8s.io"), role},
    {SLICE_LITERAL("RoleBinding.rbac.authorization.k8s.io"), binding},
    {SLICE_LITERAL("ClusterRoleBinding.rbac.authorization.k8s.io"), binding},
    {SLICE_LITERAL("LimitRange"), SPEC(FIELDS(OPTIONAL("limits", of_limit)))},
    {SLICE_LITERAL("ValidatingWebhookConfiguration.admissionregistration.k8s.io"),
     FIELDS(OPTIONAL("webhooks", FIELDS(WEBHOOK)))},
    {SLICE_LITERAL("MutatingWebhookConfiguration.admissionregistration.k8s.io"),
     FIELDS(OPTIONAL("webhooks", of_mutating_webhook))},
    {SLICE_LITERAL("ValidatingAdmissionPolicy.admissionregistration.k8s.io"), SPEC(of_admission_policy)},
    {SLICE_LITERAL("ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"), SPEC(of_policy_binding)},
    {SLICE_LITERAL("CustomResourceDefinition.apiextensions.k8s.io"), SPEC(of_definition)},
    {SLICE_LITERAL("APIService.apiregistration.k8s.io"), SPEC(of_api_service)},
    {SLICE_LITERAL("Lease.coordination.k8s.io"), SPEC(of_lease)},
    {SLICE_LITERAL("Node"), SPEC(FIELDS(OPTIONAL("taints", of_taint)))},
    {SLICE_LITERAL("RuntimeClass.node.k8s.io"), runtime_class},
    {SLICE_LITERAL("PriorityClass.scheduling.k8s.io"), priority_class},
    {SLICE_LITERAL("FlowSchema.flowcontrol.apiserver.k8s.io"), SPEC(of_flow_schema)},
};

const struct field *combination_fields_of(struct slice group_kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(group_kind, kinds[i].group_kind))
            return kinds[i].fields;
    return NULL;
}
