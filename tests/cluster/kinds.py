"""kinds.py: one object of each of Kubernetes' own kinds that people apply, with lists and maps that are one value, and without defaults.

`{ns}` in a namespace or name is the test's own.
"""


def pod_spec(**spec):
    return {
        "serviceAccountName": "default",
        "containers": [{
            "name": "c", "image": "example.com/i:1", "ports": [{"containerPort": 80}, {"containerPort": 81, "protocol": "UDP"}],
            "env": [{"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                    {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
                    {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
            "resources": {"limits": {"cpu": 1, "memory": "1024Mi"}, "requests": {"cpu": "500m"}},
            "livenessProbe": {"httpGet": {"port": 80}}, "readinessProbe": {"grpc": {"port": 80}},
            "lifecycle": {"preStop": {"httpGet": {"port": 80}}},
            "volumeMounts": [{"name": name, "mountPath": f"/{name}"} for name in ("data", "config", "all", "down")]}],
        "initContainers": [{"name": "i", "image": "example.com/i"}],
        "volumes": [
            {"name": "data"}, {"name": "config", "configMap": {"name": "a", "items": [{"key": "k", "path": "p"}]}},
            {"name": "all", "projected": {"sources": [
                {"serviceAccountToken": {"path": "t"}}, {"configMap": {"name": "a"}},
                {"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}}]}},
            {"name": "down", "downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}}],
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"a": "b"}}}],
        "tolerations": [{"key": "k", "operator": "Exists"}, {"key": "l", "value": "m"}],
        "affinity": {
            "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}},
            "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}}]}},
        **spec}


def template(**spec):
    return {"metadata": {"labels": {"a": "b"}}, "spec": pod_spec(**spec)}


def named(version, kind, name="x", namespaced=True, **holds):
    metadata = {"name": name, **({"namespace": "{ns}"} if namespaced else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **holds}


def workload(kind, **spec):
    return named("apps/v1", kind, spec={"selector": {"matchLabels": {"a": "b"}}, "template": template(), **spec})


ADMISSION, RBAC, STORAGE = "admissionregistration.k8s.io/v1", "rbac.authorization.k8s.io/v1", "storage.k8s.io/v1"
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1024Mi"}}}
WEBHOOK = {"name": "w.e.com", "admissionReviewVersions": ["v1"], "sideEffects": "None", "clientConfig": {"service": {"name": "s", "namespace": "n"}},
           "rules": [{"apiGroups": ["e.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["things"]}]}
MATCH = {"resourceRules": [{"apiGroups": ["e.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["things"]}]}

# Each with the plural of its kind.
KINDS = [
    ("configmaps", named("v1", "ConfigMap", data={"a": "1"}, binaryData={"b": "MQ=="})),
    ("secrets", named("v1", "Secret", stringData={"a": "1"}, data={"b": "MQ=="})),
    ("serviceaccounts", named("v1", "ServiceAccount", imagePullSecrets=[{"name": "a"}])),
    ("services", named("v1", "Service", spec={"selector": {"a": "b"}, "ports": [{"name": "a", "port": 80}, {"name": "b", "port": 81, "protocol": "UDP"}]})),
    ("services", named("v1", "Service", "y", spec={"type": "NodePort", "selector": {"a": "b"}, "ports": [{"port": 80}], "sessionAffinity": "ClientIP"})),
    ("services", named("v1", "Service", "balanced", spec={
        "type": "LoadBalancer", "externalTrafficPolicy": "Local", "loadBalancerClass": "e.com/a", "ports": [{"port": 80}]})),
    ("endpoints", named("v1", "Endpoints", "z", subsets=[{"addresses": [{"ip": "192.0.2.1"}], "ports": [{"port": 80}]}])),
    ("nodes", named("v1", "Node", "x-{ns}", False, spec={"podCIDR": "10.1.0.0/24", "podCIDRs": ["10.1.0.0/24"], "providerID": "p"})),
    ("persistentvolumeclaims", named("v1", "PersistentVolumeClaim", spec=CLAIM)),
    ("persistentvolumes", named("v1", "PersistentVolume", "x-{ns}", False, spec={
        "capacity": {"storage": "1024Mi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}, "storageClassName": "s",
        "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}})),
    ("pods", named("v1", "Pod", spec=pod_spec())),
    ("pods", named("v1", "Pod", "limited", spec=pod_spec(activeDeadlineSeconds=60))),
    ("podtemplates", named("v1", "PodTemplate", template=template())),
    ("replicationcontrollers", named("v1", "ReplicationController", spec={"replicas": 0, "selector": {"a": "b"}, "template": template()})),
    ("resourcequotas", named("v1", "ResourceQuota", spec={"hard": {"pods": 1}, "scopes": ["NotTerminating", "BestEffort"], "scopeSelector": {"matchExpressions": [
        {"scopeName": "PriorityClass", "operator": "Exists"}]}})),
    ("limitranges", named("v1", "LimitRange", spec={"limits": [{"type": "Container", "max": {"cpu": 2}, "min": {"memory": "1024Ki"}}]})),
    ("namespaces", named("v1", "Namespace", "x-{ns}", False)),
    ("deployments", workload("Deployment", replicas=0)),
    ("statefulsets", workload("StatefulSet", replicas=0, serviceName="s", updateStrategy={"type": "RollingUpdate"}, volumeClaimTemplates=[
        {"metadata": {"name": "v"}, "spec": CLAIM}])),
    ("daemonsets", workload("DaemonSet")),
    ("replicasets", workload("ReplicaSet", replicas=0)),
    ("controllerrevisions", named("apps/v1", "ControllerRevision", revision=1, data={"a": "b"})),
    ("jobs", named("batch/v1", "Job", spec={"template": template(restartPolicy="Never"), "suspend": True, "podFailurePolicy": {"rules": [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}})),
    ("cronjobs", named("batch/v1", "CronJob", spec={"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": template(restartPolicy="Never")}}})),
    ("horizontalpodautoscalers", named("autoscaling/v2", "HorizontalPodAutoscaler", spec={
        "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
        "behavior": {"scaleDown": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}},
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
                    {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1000m"}}}]})),
    ("poddisruptionbudgets", named("policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}})),
    ("networkpolicies", named("networking.k8s.io/v1", "NetworkPolicy", spec={
        "podSelector": {}, "egress": [{"to": [{"ipBlock": {"cidr": "192.0.2.0/24"}}], "ports": [{"port": 53, "protocol": "UDP"}]}],
        "ingress": [{"from": [{"podSelector": {"matchLabels": {"a": "b"}}}], "ports": [{"port": 80}, {"port": 90, "endPort": 99}]}]})),
    ("ingresses", named("networking.k8s.io/v1", "Ingress", spec={"tls": [{"hosts": ["e.com"]}], "rules": [{"host": "e.com", "http": {"paths": [
        {"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}]})),
    ("ingressclasses", named("networking.k8s.io/v1", "IngressClass", "x-{ns}", False, spec={
        "controller": "e.com/c", "parameters": {"kind": "P", "name": "p", "apiGroup": "e.com"}})),
    ("servicecidrs", named("networking.k8s.io/v1", "ServiceCIDR", "x-{ns}", False, spec={"cidrs": ["10.77.0.0/24"]})),
    ("ipaddresses", named("networking.k8s.io/v1", "IPAddress", "10.255.0.7", False, spec={"parentRef": {"resource": "services", "name": "s", "namespace": "n"}})),
    ("roles", named(RBAC, "Role", rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}])),
    ("clusterroles", named(RBAC, "ClusterRole", "x-{ns}", False, rules=[{"nonResourceURLs": ["/x"], "verbs": ["get"]}])),
    ("rolebindings", named(RBAC, "RoleBinding", roleRef={"kind": "Role", "name": "x"}, subjects=[
        {"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "s", "namespace": "n"}])),
    ("clusterrolebindings", named(RBAC, "ClusterRoleBinding", "x-{ns}", False, roleRef={"kind": "ClusterRole", "name": "x"}, subjects=[
        {"kind": "Group", "name": "g"}])),
    ("storageclasses", named(STORAGE, "StorageClass", "x-{ns}", False, provisioner="e.com/p", parameters={"a": "b"})),
    ("storageversionmigrations", named("storagemigration.k8s.io/v1", "StorageVersionMigration", "x-{ns}", False, spec={
        "resource": {"group": "example.com", "resource": "as"}})),
    ("volumeattachments", named(STORAGE, "VolumeAttachment", "x-{ns}", False, spec={"attacher": "e.com", "nodeName": "n", "source": {"persistentVolumeName": "v"}})),
    ("volumeattributesclasses", named(STORAGE, "VolumeAttributesClass", "x-{ns}", False, driverName="e.com", parameters={"a": "b"})),
    ("csidrivers", named(STORAGE, "CSIDriver", "x-{ns}", False, spec={"tokenRequests": [{"audience": "a"}]})),
    ("csinodes", named(STORAGE, "CSINode", "x-{ns}", False, spec={"drivers": [{"name": "e.com", "nodeID": "n", "topologyKeys": ["a", "b"]}]})),
    ("csistoragecapacities", named(STORAGE, "CSIStorageCapacity", storageClassName="s", nodeTopology={"matchLabels": {"a": "b"}}, capacity="1024Mi")),
    ("priorityclasses", named("scheduling.k8s.io/v1", "PriorityClass", "x-{ns}", False, value=1)),
    ("runtimeclasses", named("node.k8s.io/v1", "RuntimeClass", "x-{ns}", False, handler="h", overhead={"podFixed": {"cpu": "1000m"}}, scheduling={
        "tolerations": [{"key": "k", "operator": "Exists"}]})),
    ("leases", named("coordination.k8s.io/v1", "Lease", spec={"holderIdentity": "h", "leaseDurationSeconds": 10})),
    ("events", named("events.k8s.io/v1", "Event", eventTime="2026-01-01T00:00:00.000000Z", reportingController="e.com/c", reportingInstance="i", action="A",
                     reason="R", type="Normal", note="n", regarding={"kind": "Pod", "name": "p", "namespace": "{ns}"}, series={
                         "count": 2, "lastObservedTime": "2026-01-01T00:00:00.000000Z"})),
    ("endpointslices", named("discovery.k8s.io/v1", "EndpointSlice", addressType="IPv4", endpoints=[{"addresses": ["192.0.2.1"]}], ports=[{"port": 80}])),
    ("validatingwebhookconfigurations", named(ADMISSION, "ValidatingWebhookConfiguration", "x-{ns}", False, webhooks=[WEBHOOK])),
    ("mutatingwebhookconfigurations", named(ADMISSION, "MutatingWebhookConfiguration", "x-{ns}", False, webhooks=[WEBHOOK])),
    ("validatingadmissionpolicies", named(ADMISSION, "ValidatingAdmissionPolicy", "x-{ns}", False, spec={
        "matchConstraints": MATCH, "validations": [{"expression": "true"}]})),
    ("validatingadmissionpolicybindings", named(ADMISSION, "ValidatingAdmissionPolicyBinding", "x-{ns}", False, spec={
        "policyName": "p", "validationActions": ["Deny"], "matchResources": MATCH})),
    ("flowschemas", named("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "x-{ns}", False, spec={
        "priorityLevelConfiguration": {"name": "exempt"}, "rules": [{
            "subjects": [{"kind": "User", "user": {"name": "u"}}],
            "resourceRules": [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"], "namespaces": ["n"]}]}]})),
    ("prioritylevelconfigurations", named("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "x-{ns}", False, spec={
        "type": "Limited", "limited": {"limitResponse": {"type": "Queue", "queuing": {}}}})),
    ("resourceclaims", named("resource.k8s.io/v1", "ResourceClaim", spec={"devices": {"requests": [{"name": "r", "exactly": {
        "deviceClassName": "c", "tolerations": [{"key": "k", "value": "v"}]}}]}})),
    ("resourceclaimtemplates", named("resource.k8s.io/v1", "ResourceClaimTemplate", spec={"spec": {"devices": {"requests": [
        {"name": "r", "exactly": {"deviceClassName": "c"}}]}}})),
    ("resourceslices", named("resource.k8s.io/v1", "ResourceSlice", "x-{ns}", False, spec={
        "driver": "e.com", "nodeName": "n", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}, "devices": [{"name": "d"}]})),
    ("deviceclasses", named("resource.k8s.io/v1", "DeviceClass", "x-{ns}", False, spec={"selectors": [{"cel": {"expression": "true"}}]})),
    ("customresourcedefinitions", named("apiextensions.k8s.io/v1", "CustomResourceDefinition", "xs.{ns}.example.com", False, spec={
        "group": "{ns}.example.com", "scope": "Namespaced", "names": {"kind": "X", "plural": "xs"}, "versions": [{
            "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}]})),
    ("apiservices", named("apiregistration.k8s.io/v1", "APIService", "v1.{ns}.example.org", False, spec={
        "group": "{ns}.example.org", "version": "v1", "groupPriorityMinimum": 10, "versionPriority": 10,
        "service": {"name": "s", "namespace": "n"}, "insecureSkipTLSVerify": True})),
]
