"""drawn_kinds.py: for each of Kubernetes' own kinds the pattern of its objects (drawn.py).

They have each form of a field that merges differently: lists and maps that are one value, sets, lists with keys, quantities,
numbers or texts, and fields that get defaults; and seldom one that the API server refuses.
"""

from drawn import OneOf, Seldom, Some

ADMISSION, RBAC, STORAGE, NETWORKING = (
    f"{group}.k8s.io/v1" for group in ("admissionregistration", "rbac.authorization", "storage", "networking"))
RESOURCE, FLOWCONTROL = "resource.k8s.io/v1", "flowcontrol.apiserver.k8s.io/v1"

METADATA = {
    "name": "{name}",
    "labels?": {"team?": OneOf("1", "b"), "example.com/owner?": OneOf("x", ""), "a.b.c/d-e_f?": "true"},
    "annotations?": {"team?": OneOf("", "text"), "example.com/note?": OneOf('q"uote', "ünï\n")},
    "finalizers?": Some("example.com/one", "example.com/two"),
    "ownerReferences?": Some(*({
        "apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": f"00000000-0000-0000-0000-00000000000{number}",
        "blockOwnerDeletion?": OneOf(True, False)} for number, name in enumerate(("one", "two")))),
}


def of(version, kind, name="{name}", **members):
    return {"apiVersion": version, "kind": kind, "metadata": {**METADATA, "name": name}, **members}


# Parts that several kinds have.

EXPRESSIONS = Some(
    {"key": "a", "operator": OneOf("In", "NotIn"), "values": Some("x", "y", "z", least=1)},
    {"key": "b", "operator": OneOf("Exists", "DoesNotExist")}, {"key": "c", "operator": "Exists"})
LABELS = {"app?": OneOf("a", "b"), "tier?": "web", "example.com/x?": OneOf("1", "")}
SELECTOR = {"matchLabels?": LABELS, "matchExpressions?": EXPRESSIONS}
FIXED_SELECTOR = Seldom({"matchLabels": {"app": "{name}"}}, {"matchLabels": {"app": "other"}})
TOLERATIONS = Some(
    {"key": "k", "operator": "Exists", "effect?": OneOf("NoSchedule", "PreferNoSchedule")},
    {"key": "l", "operator?": "Equal", "value": OneOf("m", "n")},
    {"key": "gpu", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds?": OneOf(0, 60)}, {"operator": "Exists"})
CPU, MEMORY = OneOf("1", "1000m", "1.0", 1), OneOf("1Gi", "1024Mi", "1073741824")
AMOUNTS = {"cpu?": CPU, "memory?": MEMORY, "example.com/gpu?": OneOf("2", 2)}
NUMBER_OR_NAME = OneOf(80, "http")
KEY_REFERENCE = {"name": OneOf("one", "two"), "key": OneOf("k", "l"), "optional?": OneOf(True, False)}
FIELD = {"fieldPath": OneOf("metadata.name", "metadata.labels"), "apiVersion?": "v1"}
FIELDS = Some({"path": "f", "fieldRef": FIELD}, {"path": "g", "fieldRef": FIELD, "mode?": OneOf(256, 420)}, {
    "path": "r", "resourceFieldRef": {"resource": "limits.cpu", "containerName": "main", "divisor?": OneOf("1", "1000m", "1m")}}, least=1)
ITEMS = Some({"key": "k", "path": "p"}, {"key": "l", "path": "q", "mode?": OneOf(256, 420)})
TERM = {"matchExpressions": EXPRESSIONS, "matchFields?": Some({"key": "metadata.name", "operator": OneOf("In", "NotIn"), "values": [OneOf("n", "m")]})}
TERMS = Some({"matchExpressions": Some({"key": "a", "operator": "Exists"}, {"key": "b", "operator": "In", "values": Some("x", "y", least=1)}, least=1)},
             {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [OneOf("n", "m")]}]}, least=1)
POD_TERM = {
    "topologyKey": OneOf("zone", "host"), "labelSelector?": SELECTOR, "namespaces?": Some("a", "b"), "namespaceSelector?": SELECTOR,
    "matchLabelKeys?": Some("x", "y")}
POD_TERMS = {
    "requiredDuringSchedulingIgnoredDuringExecution?": Some(POD_TERM, {"topologyKey": "rack"}),
    "preferredDuringSchedulingIgnoredDuringExecution?": Some({"weight": OneOf(1, 2), "podAffinityTerm": POD_TERM}, {
        "weight": 3, "podAffinityTerm": {"topologyKey": "rack"}})}
AFFINITY = {
    "nodeAffinity?": {
        "requiredDuringSchedulingIgnoredDuringExecution?": {"nodeSelectorTerms": TERMS},
        "preferredDuringSchedulingIgnoredDuringExecution?": Some({"weight": OneOf(1, 2), "preference": TERM}, {
            "weight": 5, "preference": {"matchExpressions": [{"key": "b", "operator": "Gt", "values": [OneOf("1", "2")]}]}})},
    "podAffinity?": POD_TERMS, "podAntiAffinity?": POD_TERMS}
HTTP = {"port": NUMBER_OR_NAME, "path?": OneOf("/", "/ready"), "scheme?": OneOf("HTTP", "HTTPS"), "host?": "h", "httpHeaders?": Some(
    {"name": "A", "value": OneOf("", "1")}, {"name": "B", "value": "2"})}
HANDLER = OneOf({"httpGet": HTTP}, {"tcpSocket": {"port": NUMBER_OR_NAME}}, {"exec": {"command": Some("a", "-b", "c", least=1)}})
PERIODS = {"periodSeconds?": OneOf(5, 10), "timeoutSeconds?": OneOf(1, 2), "failureThreshold?": OneOf(3, 4), "initialDelaySeconds?": OneOf(0, 1)}
PROBE = OneOf({"httpGet": HTTP, **PERIODS}, {"tcpSocket": {"port": NUMBER_OR_NAME}, **PERIODS}, {
    "exec": {"command": Some("a", "-b", "c", least=1)}, **PERIODS}, {"grpc": {"port": 80, "service?": OneOf("", "s")}, **PERIODS})


def container(name, **members):
    return {
        "name": name, "image": OneOf("example.com/i:1", "example.com/i:2", "example.com/i", "example.com/i@sha256:" + "0" * 64),
        "args?": Some("-v", "--all", "x", ""), "command?": Some("run", "-c", "x"), "workingDir?": OneOf("/", ""),
        "env?": Some(
            {"name": "A", "value?": OneOf("", "1", "two")}, {"name": "B", "value": "$(A)"},
            {"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": OneOf("metadata.name", "metadata.uid"), "apiVersion?": "v1"}}},
            {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor?": OneOf("1", "1m", "0")}}},
            {"name": "KEY", "valueFrom": OneOf({"secretKeyRef": KEY_REFERENCE}, {"configMapKeyRef": KEY_REFERENCE})}),
        "envFrom?": Some({"configMapRef": {"name": OneOf("one", "two"), "optional?": OneOf(True, False)}}, {
            "prefix?": OneOf("P_", ""), "secretRef": {"name": "s"}}),
        "ports?": Some(
            {"containerPort": 80, "name?": "http"}, {"containerPort": 53, "protocol": "UDP", "name?": "dns"},
            {"containerPort": 53, "protocol": "TCP"}, {"containerPort": 443, "protocol?": "TCP", "hostPort?": OneOf(0, 443)}),
        "resources?": {"limits?": AMOUNTS, "requests?": {"cpu?": OneOf("100m", "0.1"), "memory?": "64Mi"}},
        "imagePullPolicy?": OneOf("Always", "IfNotPresent"), "terminationMessagePolicy?": OneOf("File", "FallbackToLogsOnError"),
        "terminationMessagePath?": OneOf("/dev/termination-log", "/t"), "tty?": OneOf(True, False), "stdin?": OneOf(True, False),
        "securityContext?": {
            "runAsNonRoot?": OneOf(True, False), "privileged?": False, "readOnlyRootFilesystem?": OneOf(True, False),
            "capabilities?": {"add?": Some("CHOWN", "KILL"), "drop?": Some("ALL", "NET_RAW", "MKNOD")},
            "seccompProfile?": OneOf({"type": "RuntimeDefault"}, {"type": "Localhost", "localhostProfile": "p"})},
        "volumeMounts?": Some(
            {"mountPath": "/data", "name": "data", "readOnly?": OneOf(True, False)}, {"mountPath": "/more", "name": "data", "subPath?": OneOf("s", "t")}),
        **members}


def lasting(name):
    return container(name, **{
        "livenessProbe?": PROBE, "readinessProbe?": PROBE, "startupProbe?": PROBE, "lifecycle?": {
            "postStart?": HANDLER, "preStop?": OneOf(HANDLER, {"sleep": {"seconds": 1}})},
        "resizePolicy?": Some({"resourceName": "cpu", "restartPolicy": OneOf("NotRequired", "RestartContainer")}, {
            "resourceName": "memory", "restartPolicy": "NotRequired"})})


CLAIM = {
    "accessModes": Seldom(["ReadWriteOnce"], ["ReadWriteMany"]), "resources": {"requests": {"storage": Seldom("1Gi", "1024Mi", "2Gi")}},
    "storageClassName?": Seldom("s", "t"), "volumeMode?": Seldom("Filesystem", "Block"), "selector?": Seldom({"matchLabels": {"a": "b"}}, SELECTOR),
    "dataSource?": Seldom({"kind": "PersistentVolumeClaim", "name": "other"}, {"kind": "PersistentVolumeClaim", "name": "another"})}
LOOSE_CLAIM = {
    "accessModes": Some("ReadWriteOnce", "ReadOnlyMany", least=1), "resources": {"requests": {"storage": OneOf("1Gi", "1024Mi", "2Gi")}},
    "storageClassName?": "s", "volumeMode?": OneOf("Filesystem", "Block"), "selector?": SELECTOR}
VOLUMES = OneOf(*(Some({"name": "data", "emptyDir": {}}, *others, least=1 + len(others)) for others in (
    ({"name": "config", "configMap": {"name": "a", "items?": ITEMS, "defaultMode?": OneOf(256, 420), "optional?": OneOf(True, False)}},
     {"name": "down", "downwardAPI": {"items": FIELDS, "defaultMode?": OneOf(256, 420)}}),
    ({"name": "secret", "secret": {"secretName": "s", "items?": ITEMS, "defaultMode?": OneOf(256, 420)}},
     {"name": "all", "projected": {"defaultMode?": OneOf(256, 420), "sources": Some(
         {"serviceAccountToken": {"path": "t", "audience?": "a", "expirationSeconds?": OneOf(3600, 7200)}},
         {"configMap": {"name": "a", "items?": ITEMS, "optional?": OneOf(True, False)}}, {"secret": {"name": "s", "items?": ITEMS}},
         {"downwardAPI": {"items": FIELDS}}, least=1)}}),
    ({"name": "host", "hostPath": {"path": "/x", "type?": OneOf("", "Directory")}},
     {"name": "own", "ephemeral": {"volumeClaimTemplate": {"metadata?": {"labels?": LABELS}, "spec": LOOSE_CLAIM}}}),
    ({"name": "claim", "persistentVolumeClaim": {"claimName": OneOf("a", "b"), "readOnly?": OneOf(True, False)}},
     {"name": "csi", "csi": {"driver": "e.com", "volumeAttributes?": {"a?": "1", "b?": "2"}, "nodePublishSecretRef?": {"name": OneOf("s", "t")}}}),
    ({"name": "iscsi", "iscsi": {"targetPortal": "192.0.2.1", "iqn": "iqn.2001-04.com.example:a", "lun": 0, "portals?": Some("a", "b"),
                                 "secretRef?": {"name": "s"}, "iscsiInterface?": "i"}},
     {"name": "rbd", "rbd": {"monitors": Some("a", "b", least=1), "image": "i", "pool?": OneOf("rbd", "p"), "user?": "u", "secretRef?": {"name": "s"}}},
     {"name": "disk", "azureDisk": {"diskName": "d", "diskURI": "https://blob/d", "fsType?": "ext4", "kind?": "Shared", "readOnly?": OneOf(True, False)}},
     {"name": "io", "scaleIO": {"gateway": "g", "system": "s", "volumeName": "v", "secretRef": {"name": "s"}, "fsType?": "ext4"}},
     {"name": "fc", "fc": {"targetWWNs": Some("a", "b", least=1), "lun": 1}},
     {"name": "ceph", "cephfs": {"monitors": Some("a", "b", least=1), "secretRef?": {"name": "s"}}}))))


def pod(**members):
    return {
        "containers": Some(lasting("main"), lasting("sidecar"), least=2), "initContainers?": Some(
            container("init"), container("wait", **{"restartPolicy?": "Always"})),
        "volumes": VOLUMES, "nodeSelector?": {"disk?": OneOf("ssd", "hdd"), "zone?": "a"}, "tolerations?": TOLERATIONS, "affinity?": AFFINITY,
        "topologySpreadConstraints?": Some(*({
            "topologyKey": "zone", "whenUnsatisfiable": when, "maxSkew": OneOf(1, 2), "labelSelector?": SELECTOR,
            "nodeAffinityPolicy?": "Ignore"} for when in ("DoNotSchedule", "ScheduleAnyway"))),
        "imagePullSecrets?": Some({"name": "one"}, {"name": "two"}), "hostAliases?": Some(*(
            {"ip": ip, "hostnames": Some("a", "b", least=1)} for ip in ("192.0.2.1", "192.0.2.2"))),
        "dnsConfig?": {"nameservers?": Some("192.0.2.1", "192.0.2.2"), "searches?": Some("a.b", "c.d"), "options?": Some(
            {"name": "ndots", "value?": OneOf("2", "5")}, {"name": "debug"})},
        "securityContext?": {
            "runAsUser?": OneOf(0, 1000), "fsGroup?": 2000, "fsGroupChangePolicy?": "Always", "supplementalGroups?": Some(1, 2, 3), "sysctls?": Some(
                {"name": "a.b", "value": OneOf("1", "2")}, {"name": "c.d", "value": "3"})},
        "readinessGates?": Some({"conditionType": "a"}, {"conditionType": "b"}), "terminationGracePeriodSeconds?": OneOf(30, 60, 0),
        "serviceAccountName?": OneOf("default", "one"), "dnsPolicy?": OneOf("ClusterFirst", "Default"), "schedulerName?": OneOf("default-scheduler", "s"),
        "hostPID?": OneOf(True, False), "enableServiceLinks?": OneOf(True, False), "setHostnameAsFQDN?": OneOf(True, False),
        "hostname?": "h", "subdomain?": "s", "automountServiceAccountToken?": OneOf(True, False), **members}


def template(**members):
    return {"metadata": {"labels": {"app": "{name}", "tier?": OneOf("web", "db")}, "annotations?": {"a?": OneOf("1", "2")}}, "spec": pod(**members)}


def workload(kind, **members):
    return of("apps/v1", kind, spec={"selector": FIXED_SELECTOR, "template": template(), **members})


PERCENT = OneOf(1, "25%", "50%")
ROLLING = OneOf({"type": "RollingUpdate"}, {"rollingUpdate": {"maxUnavailable?": PERCENT}}, {"type": "RollingUpdate", "rollingUpdate": {
    "maxSurge?": OneOf(0, 0, "0%"), "maxUnavailable": PERCENT}}, {"type": "OnDelete"}, {})
JOB = {
    "template": template(restartPolicy=OneOf("Never", "OnFailure")), "parallelism?": OneOf(1, 2, 0), "completions?": Seldom(1, 2), "backoffLimit?": OneOf(6, 3),
    "activeDeadlineSeconds?": OneOf(60, 90), "ttlSecondsAfterFinished?": OneOf(0, 60), "suspend?": OneOf(True, False),
    "podReplacementPolicy?": "TerminatingOrFailed"}
FAILURES = Some(
    {"action": "Ignore", "onPodConditions": Some({"type": "DisruptionTarget", "status?": OneOf("True", "False")}, {"type": "Other"}, least=1)},
    {"action": OneOf("Count", "FailJob"), "onExitCodes": {"operator": OneOf("In", "NotIn"), "values": Some(1, 2, 3, least=1), "containerName?": "main"}}, least=1)
TARGET = {"kind": OneOf("Deployment", "StatefulSet"), "name": OneOf("a", "b"), "apiVersion": "apps/v1"}
VALUE = OneOf({"type": "AverageValue", "averageValue": CPU}, {"type": "Value", "value": MEMORY})
PLAIN_METRICS = (
    {"type": "Resource", "resource": {"name": "cpu", "target": OneOf({"type": "Utilization", "averageUtilization": OneOf(50, 80)}, {
        "type": "AverageValue", "averageValue": OneOf("500m", "0.5")})}},
    {"type": "Pods", "pods": {"metric": {"name": "m", "selector?": SELECTOR}, "target": {"type": "AverageValue", "averageValue": CPU}}},
    {"type": "External", "external": {"metric": {"name": "e", "selector?": SELECTOR}, "target": VALUE}},
    {"type": "Object", "object": {"metric": {"name": "o"}, "describedObject": TARGET, "target": VALUE}},
    {"type": "ContainerResource", "containerResource": {"name": "memory", "container": "c", "target": {"type": "Utilization", "averageUtilization": 60}}})
SCALING = {
    "stabilizationWindowSeconds?": OneOf(0, 300), "selectPolicy?": OneOf("Max", "Min", "Disabled"), "policies?": Some(
        {"type": "Pods", "value": OneOf(4, 2), "periodSeconds": OneOf(15, 60)}, {"type": "Percent", "value": 100, "periodSeconds": 15}, least=1)}
PORT = {"protocol?": OneOf("TCP", "UDP"), "port?": OneOf(53, 8080)}
PEERS = Some({"podSelector": SELECTOR}, {"namespaceSelector": SELECTOR, "podSelector?": SELECTOR}, {
    "ipBlock": {"cidr": OneOf("192.0.2.0/24", "198.51.100.0/24"), "except?": Some()}}, {"ipBlock": {
        "cidr": "10.0.0.0/8", "except?": Some("10.1.0.0/16", "10.2.0.0/16")}})
PEER_PORTS = Some(PORT, {"port": "http"}, {"port": 8000, "endPort": OneOf(8010, 8020), "protocol?": "TCP"})
BACKEND = OneOf({"service": {"name": OneOf("a", "b"), "port": OneOf({"number": OneOf(80, 81)}, {"name": "http"})}}, {
    "resource": {"apiGroup": "e.com", "kind": "K", "name": "n"}})
PATHS = Some(
    {"path": "/", "pathType": OneOf("Prefix", "Exact"), "backend": BACKEND}, {"path": "/api", "pathType": "ImplementationSpecific", "backend": BACKEND},
    {"pathType": "ImplementationSpecific", "backend": BACKEND}, least=1)
RULES = Some(
    {"apiGroups": Some("", "apps", least=1), "resources": Some("pods", "services", least=1), "verbs": Some("get", "list", "watch", least=1),
     "resourceNames?": Some("a", "b")},
    {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["*"]})
PATHS_RULE = {"nonResourceURLs": Some("/x", "/y", least=1), "verbs": Some("get", "head", least=1)}
SUBJECTS = Some(
    {"kind": "User", "name": OneOf("u", "v"), "apiGroup?": "rbac.authorization.k8s.io"}, {"kind": "Group", "name": "g"},
    {"kind": "ServiceAccount", "name": "s", "namespace": OneOf("n", "m"), "apiGroup?": ""})
OPERATIONS = Some("CREATE", "UPDATE", "DELETE", least=1)
WEBHOOK_RULES = Some(
    {"apiGroups": Some("e.com", "f.com", least=1), "apiVersions": Some("v1", "v2", least=1), "operations": OPERATIONS,
     "resources": Some("things", "others", least=1), "scope?": OneOf("*", "Namespaced")},
    {"apiGroups": ["g.com"], "apiVersions": ["*"], "operations": ["*"], "resources": ["things/status"]})
CONDITIONS = Some({"name": "a", "expression": OneOf("true", "1 == 1")}, {"name": "b", "expression": "false"})


def webhook(name, **members):
    return {
        "name": f"{name}.e.com", "admissionReviewVersions": Some("v1", "v1beta1", least=2), "sideEffects": OneOf("None", "NoneOnDryRun"),
        "clientConfig": OneOf({"service": {"name": "s", "namespace": "n", "path?": OneOf("/", "/p"), "port?": OneOf(443, 8443)}}, {
            "url": "https://192.0.2.1/x"}),
        "rules?": WEBHOOK_RULES, "failurePolicy?": OneOf("Fail", "Ignore"), "matchPolicy?": OneOf("Exact", "Equivalent"),
        "timeoutSeconds?": OneOf(10, 5), "namespaceSelector?": SELECTOR, "objectSelector?": SELECTOR, "matchConditions?": CONDITIONS, **members}


MATCH = {
    "resourceRules": Some({"resourceNames?": Some("a", "b"), "apiGroups": Some("e.com", "f.com", least=1), "apiVersions": ["v1"], "operations": OPERATIONS,
                           "resources": Some("things", "others", least=1), "scope?": OneOf("*", "Namespaced")}, {
                               "apiGroups": ["g.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["things"]}, least=1),
    "excludeResourceRules?": Some({"apiGroups": ["h.com"], "apiVersions": Some("v1", "v2", least=1), "operations": OPERATIONS, "resources": ["*"]}),
    "namespaceSelector?": SELECTOR, "objectSelector?": SELECTOR, "matchPolicy?": OneOf("Exact", "Equivalent")}
PARAMETERS = {"apiVersion": "v1", "kind": OneOf("ConfigMap", "Secret")}
PARAMETER_REFERENCE = OneOf({"name": OneOf("p", "q"), "namespace?": "n", "parameterNotFoundAction": "Allow"}, {
    "selector": SELECTOR, "parameterNotFoundAction": OneOf("Deny", "Allow")})
VARIABLES = Some({"name": "one", "expression": OneOf("1", "2")}, {"name": "two", "expression": "'x'"})
SELECTORS = Some({"cel": {"expression": OneOf("true", "false")}}, {"cel": {"expression": "1 == 1"}})
DEVICE_TOLERATIONS = Some({"key": "k", "operator": "Exists", "effect?": "NoSchedule"}, {"key": "l", "operator?": "Equal", "value": OneOf("m", "n")})
REQUESTS = Some(
    {"name": "r", "exactly": {"deviceClassName": Seldom("c", "d"), "selectors?": SELECTORS, "tolerations?": DEVICE_TOLERATIONS,
                              "allocationMode?": "ExactCount", "count?": OneOf(1, 2), "adminAccess?": False}},
    {"name": "s", "firstAvailable": Some({"name": "x", "deviceClassName": "c", "selectors?": SELECTORS, "tolerations?": DEVICE_TOLERATIONS}, {
        "name": "y", "deviceClassName": "d", "count?": 2}, least=1)}, least=2)
DEVICES = {
    "requests": REQUESTS, "constraints?": Some({"requests?": Some("r", "s"), "matchAttribute": "e.com/a"}),
    "config?": Some({"requests?": Some("r", "s"), "opaque": {"driver": "e.com", "parameters": {"a": OneOf(1, "x", [], {"b": None})}}})}
FIXED_DEVICES = Seldom({"requests": [
    {"name": "r", "exactly": {"deviceClassName": "c", "tolerations": [{"key": "k", "value": "v"}]}},
    {"name": "s", "firstAvailable": [{"name": "x", "deviceClassName": "c"}]}]}, DEVICES)
ZONE = OneOf({"hints?": {"forZones?": Some({"name": "a"}, {"name": "b"})}}, {"zone?": "z"})
SCHEMA = {
    "type": "object", "description?": OneOf("", "text"), "required?": Some("a", "b"), "properties?": {
        "a?": {"type": "string", "enum?": Some("x", "y", least=1), "default?": "x", "nullable?": OneOf(True, False)},
        "b?": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type?": OneOf("set", "atomic")},
        "c?": OneOf({"x-kubernetes-int-or-string": True}, {"x-kubernetes-preserve-unknown-fields": True, "type": "object"}),
        "d?": {"type": "object", "additionalProperties": {"type": "integer", "minimum?": OneOf(0, 1), "maximum?": 10}},
        "e?": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {
            "type": "object", "required": ["k"], "properties": {"k": {"type": "string"}, "v": {"type": "number", "default?": OneOf(0, 1.5)}}}}}}
COLUMNS = Some({"name": "A", "type": "string", "jsonPath": ".spec.a", "priority?": OneOf(0, 1)}, {"name": "B", "type": "date", "jsonPath": ".spec.b"})


def custom_version(name, storage):
    return {"name": name, "served": True, "storage": storage, "additionalPrinterColumns?": COLUMNS, "deprecated?": OneOf(True, False),
            "subresources?": {"status?": {}, "scale?": {"specReplicasPath": ".spec.d", "statusReplicasPath": ".status.d", "labelSelectorPath?": ".status.l"}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties?": {"spec?": SCHEMA}}}}


SERVICE = {
    "ports": Some({"name": "http", "port": 80, "targetPort?": NUMBER_OR_NAME, "appProtocol?": OneOf("h2c", "http")},
                  {"name": "dns", "port": 53, "protocol": "UDP"}, {"name": "dns-tcp", "port": 53, "protocol?": "TCP", "targetPort?": OneOf(53, "dns")}, least=1),
    "selector?": {"app?": OneOf("a", "b"), "tier?": "web"}, "externalIPs?": Some("192.0.2.1", "192.0.2.2"), "ipFamilyPolicy?": "SingleStack",
    "publishNotReadyAddresses?": OneOf(True, False), "type?": "ClusterIP"}

DRAWN = [
    of("v1", "ConfigMap", **{"data?": {"a?": OneOf("", "1", "l\nl"), "b.yaml?": "null"}, "binaryData?": {"bin?": OneOf("AAE=", ""), "blob?": "AA=="}}),
    of("v1", "Endpoints", subsets=Some(
        {"addresses": Some({"ip": "192.0.2.1", "hostname?": "h"}, {"ip": "192.0.2.2", "nodeName?": "n", "targetRef?": {"kind": "Pod", "name": OneOf("a", "b")}}, least=1),
         "notReadyAddresses?": Some({"ip": "192.0.2.3"}, {"ip": "192.0.2.4"}),
         "ports?": Some({"name": "a", "port": 80, "protocol?": "TCP"}, {"name": "b", "port": 53, "protocol": OneOf("UDP", "TCP")})},
        {"addresses": [{"ip": "192.0.2.5"}], "ports": [{"port": OneOf(80, 81)}]})),
    of("v1", "Event", **{"involvedObject": {"kind": "Pod", "name": OneOf("a", "b"), "namespace": "{namespace}"}, "reason?": "R", "message?": OneOf("m", ""),
                         "type?": OneOf("Normal", "Warning"), "count?": OneOf(1, 2), "source?": {"component?": "c", "host?": "h"}}),
    of("v1", "LimitRange", spec={"limits": Some(
        {"type": "Container", "max?": {"cpu": "2", "memory": "2Gi"}, "default?": AMOUNTS, "defaultRequest?": {"cpu": "100m"}, "min?": {"cpu": "10m"}},
        {"type": "Pod", "max": {"cpu": OneOf("4", 4)}}, {"type": "PersistentVolumeClaim", "min": {"storage": OneOf("1Gi", "1024Mi")}})}),
    of("v1", "Namespace", **{"spec?": {"finalizers?": Some("kubernetes", "example.com/f")}}),
    of("v1", "Node", **{"spec?": {"taints?": Some(
        {"key": "a", "value?": OneOf("", "x"), "effect": "NoSchedule"}, {"key": "a", "effect": "NoExecute"}, {"key": "b", "effect": "PreferNoSchedule"}),
        "unschedulable?": OneOf(True, False), "podCIDR?": Seldom("10.1.0.0/24", "10.2.0.0/24"), "providerID?": Seldom("p", "q")}}),
    of("v1", "PersistentVolumeClaim", spec=CLAIM),
    of("v1", "PersistentVolume", spec={
        "capacity": {"storage": OneOf("1Gi", "1024Mi", "2Gi")}, "accessModes": Some("ReadWriteOnce", "ReadOnlyMany", least=1), "storageClassName?": OneOf("s", "t"),
        "persistentVolumeReclaimPolicy?": OneOf("Retain", "Delete"), "mountOptions?": Some("ro", "hard"), "volumeMode?": Seldom("Filesystem", "Block"),
        "nodeAffinity?": {"required": {"nodeSelectorTerms": Seldom([{"matchExpressions": [{"key": "a", "operator": "Exists"}]}], TERMS)}},
        "claimRef?": {"name": OneOf("a", "b"), "namespace": "n"}, "csi": {
            "driver": "e.com", "volumeHandle": "h", "volumeAttributes?": Seldom({"a": "1"}, {"a?": "1", "b?": "2"}),
            "nodePublishSecretRef?": Seldom({"name": "s", "namespace": "n"}, {"name": "t", "namespace": "n"})}}),
    of("v1", "Pod", spec={
        "containers": [{
            "name": "main", "image": OneOf("example.com/i:1", "example.com/i:2"), "args?": Seldom(["a"], ["b"]), "ports?": Seldom([{"containerPort": 80}], [{
                "containerPort": 81}]), "env?": Seldom([{"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}], [])}],
        "initContainers?": Seldom([{"name": "i", "image": OneOf("example.com/i:1", "example.com/i:2")}], []),
        "tolerations?": Some({"key": "k", "operator": "Exists"}, {"key": "l", "value": "m"}), "activeDeadlineSeconds?": OneOf(90, 60),
        "nodeSelector?": Seldom({"a": "b"}, {"a": "c"}), "schedulingGates?": Some({"name": "e.com/a"}, {"name": "e.com/b"}),
        "volumes?": Seldom([{"name": "data", "configMap": {"name": "a", "items": [{"key": "k", "path": "p"}]}}], []),
        "terminationGracePeriodSeconds?": Seldom(30, 60), "hostNetwork?": Seldom(False, True)}),
    of("v1", "PodTemplate", template=template()),
    of("v1", "ReplicationController", spec={"selector": {"app": "{name}", "tier?": Seldom("web", "db")}, "replicas?": OneOf(0, 1), "minReadySeconds?": OneOf(0, 5),
                                            "template": template()}),
    of("v1", "ResourceQuota", spec={
        "hard?": {"cpu?": CPU, "requests.memory?": MEMORY, "pods?": OneOf("4", 4), "count/deployments.apps?": "2"}, "scopes?": Seldom(
            ["NotTerminating"], ["Terminating"]), "scopeSelector?": {"matchExpressions": Some(
                {"scopeName": "PriorityClass", "operator": "In", "values": Some("a", "b", least=1)}, {"scopeName": "PriorityClass", "operator": "Exists"})}}),
    of("v1", "Secret", **{"type?": Seldom("Opaque", "a/b"), "data?": {"a?": OneOf("MQ==", "Mg=="), "b?": "AA=="}, "stringData?": {"a?": OneOf("1", ""), "c?": "3"}}),
    of("v1", "ServiceAccount", **{"imagePullSecrets?": Some({"name": "a"}, {"name": "b"}), "secrets?": Some({"name": "a"}, {"name": "b"}),
                                  "automountServiceAccountToken?": OneOf(True, False)}),
    # The API server does not show the internalTrafficPolicy of an ExternalName, and yet it is there.
    of("v1", "Service", spec={**SERVICE, "internalTrafficPolicy?": OneOf("Cluster", "Local")}),
    of("v1", "Service", spec=OneOf(
        SERVICE, {**SERVICE, "type": "NodePort", "externalTrafficPolicy?": OneOf("Cluster", "Local")},
        {**SERVICE, "type": "LoadBalancer", "externalTrafficPolicy?": OneOf("Cluster", "Local"), "allocateLoadBalancerNodePorts?": OneOf(True, False),
         "loadBalancerClass?": Seldom("e.com/a", "e.com/b"), "loadBalancerSourceRanges?": Some("192.0.2.0/24", "198.51.100.0/24")},
        {**SERVICE, "sessionAffinity": "ClientIP", "sessionAffinityConfig?": {"clientIP": {"timeoutSeconds": OneOf(60, 10800)}}},
        {"type": "ExternalName", "externalName": OneOf("a.com", "b.com"), "ports?": SERVICE["ports"]})),
    of("apps/v1", "ControllerRevision", revision=OneOf(1, 2), data=Seldom({"a": [1, {"b": None}], "c": {}}, {"a": 2})),
    workload("DaemonSet", **{"updateStrategy?": ROLLING, "minReadySeconds?": OneOf(0, 5), "revisionHistoryLimit?": OneOf(10, 3)}),
    workload("Deployment", **{"replicas?": OneOf(0, 1, 3), "strategy?": OneOf({"type": "Recreate"}, {"type": "RollingUpdate"}, {"rollingUpdate": {
        "maxSurge?": PERCENT, "maxUnavailable?": PERCENT}}, {}), "paused?": OneOf(True, False), "progressDeadlineSeconds?": OneOf(600, 60),
        "minReadySeconds?": OneOf(0, 5)}),
    workload("ReplicaSet", **{"replicas?": OneOf(0, 1), "minReadySeconds?": OneOf(0, 5)}),
    workload("StatefulSet", **{
        "serviceName?": Seldom("s", "t"), "replicas?": OneOf(0, 1), "podManagementPolicy?": Seldom("OrderedReady", "Parallel"), "updateStrategy?": OneOf(
            {"type": "RollingUpdate"}, {"type": "OnDelete"}, {"rollingUpdate": {"partition?": OneOf(0, 1)}}, {}),
        "persistentVolumeClaimRetentionPolicy?": {"whenDeleted?": OneOf("Retain", "Delete"), "whenScaled?": "Delete"}, "ordinals?": {"start?": OneOf(0, 1)},
        "volumeClaimTemplates?": Seldom([{"metadata": {"name": "v"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": OneOf("1Gi", "1024Mi")}}}}], Some(
                {"metadata": {"name": "v"}, "spec": LOOSE_CLAIM}, {"metadata": {"name": "w", "labels?": LABELS}, "spec": LOOSE_CLAIM}))}),
    of("autoscaling/v1", "HorizontalPodAutoscaler", spec={
        "scaleTargetRef": TARGET, "maxReplicas": OneOf(3, 5), "minReplicas?": OneOf(1, 2), "targetCPUUtilizationPercentage?": OneOf(50, 80)}),
    of("autoscaling/v2", "HorizontalPodAutoscaler", spec={
        "scaleTargetRef": TARGET, "maxReplicas": OneOf(3, 5), "minReplicas?": OneOf(1, 2), "metrics?": Some(*PLAIN_METRICS), "behavior?": {
            "scaleUp?": SCALING, "scaleDown?": SCALING}}),
    of("batch/v1", "CronJob", spec={
        "schedule": OneOf("0 0 * * *", "@daily"), "concurrencyPolicy?": OneOf("Allow", "Forbid"), "suspend?": OneOf(True, False), "timeZone?": "Etc/UTC",
        "startingDeadlineSeconds?": OneOf(60, 90), "successfulJobsHistoryLimit?": OneOf(3, 1), "failedJobsHistoryLimit?": OneOf(1, 0), "jobTemplate": {
            "metadata?": {"labels?": LABELS, "annotations?": {"a?": "1"}}, "spec": OneOf(JOB, {
                "template": template(restartPolicy="Never"), "podFailurePolicy": {"rules": FAILURES}, "backoffLimit?": 6}, {
                    "template": template(restartPolicy="Never"), "completionMode": "Indexed", "completions": 3, "parallelism?": 2, "backoffLimitPerIndex?": 1,
                    "successPolicy?": {"rules": Some({"succeededIndexes": OneOf("0", "0-1")}, {"succeededCount": 1}, least=1)}})}}),
    of("batch/v1", "Job", spec=Seldom({
        "template": {"metadata?": {"labels?": {"a?": "b"}}, "spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": Seldom("i:1", "i:2"), "args?": Seldom(["a"], ["b"]), "env": [
                {"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}], "tolerations?": Seldom([{"key": "k", "operator": "Exists"}], [])}},
        "suspend?": OneOf(True, False), "parallelism?": OneOf(1, 2), "backoffLimit?": OneOf(6, 3), "completions?": Seldom(1, 2),
        "activeDeadlineSeconds?": OneOf(60, 90), "podFailurePolicy": {"rules": Seldom(
            [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}], FAILURES)}}, JOB)),
    of("certificates.k8s.io/v1", "CertificateSigningRequest", spec={
        "request": "{request}", "signerName": Seldom("e.com/s", "e.com/t"), "usages": Seldom(["client auth", "digital signature"], ["client auth"]),
        "expirationSeconds?": Seldom(3600, 7200)}),
    of("certificates.k8s.io/v1", "ClusterTrustBundle", spec={"trustBundle": OneOf("{root}", "{other}", "{root}{other}")}),
    of("certificates.k8s.io/v1", "PodCertificateRequest", spec={
        "signerName": Seldom("e.com/s", "e.com/t"), "podName": Seldom("p", "q"), "podUID": "1", "serviceAccountName": "a", "serviceAccountUID": "2",
        "nodeName": "n", "nodeUID": "3", "maxExpirationSeconds?": Seldom(86400, 7200), "stubPKCS10Request": "{stub}"}),
    of("coordination.k8s.io/v1", "Lease", spec={"holderIdentity?": OneOf("h", "i"), "leaseDurationSeconds?": OneOf(10, 20), "leaseTransitions?": OneOf(0, 1),
                                                "acquireTime?": OneOf("2026-01-01T00:00:00.000000Z", "2026-01-02T00:00:00.500000Z")}),
    of("discovery.k8s.io/v1", "EndpointSlice", addressType="IPv4", endpoints=Some(
        {"addresses": [OneOf("192.0.2.1", "192.0.2.2")], "conditions?": {"ready?": OneOf(True, False), "serving?": True}, "zone?": "z", "hostname?": "h",
         "hints?": {"forZones": Some({"name": "a"}, {"name": "b"})}, "targetRef?": {"kind": "Pod", "name": OneOf("a", "b"), "namespace": "n"}},
        {"addresses": ["192.0.2.3"], "nodeName?": "n", "deprecatedTopology?": {}}), **{"ports?": Some(
            {"name": "a", "port": 80, "protocol?": "TCP"}, {"name": "b", "port": 53, "protocol": OneOf("UDP", "TCP"), "appProtocol?": "x"}, {"port": 81})}),
    of("events.k8s.io/v1", "Event", **{
        "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "e.com/c", "reportingInstance": "i", "action": "A", "reason": "R", "type": Seldom("Normal", "Warning"),
        "regarding": Seldom({"kind": "Pod", "name": "a", "namespace": "{namespace}"}, {"kind": "Pod", "name": "b", "namespace": "{namespace}"}),
        "note?": Seldom("n", "m"), "series?": {"count": OneOf(2, 3), "lastObservedTime": "2026-01-01T00:00:00.000000Z"}}),
    of(NETWORKING, "IngressClass", spec={"controller": Seldom("e.com/c", "e.com/d"), "parameters?": {
        "kind": "P", "name": OneOf("p", "q"), "apiGroup?": "e.com", "scope?": "Cluster"}}),
    of(NETWORKING, "Ingress", spec={
        "ingressClassName?": OneOf("a", "b"), "defaultBackend": BACKEND, "tls?": Some({"hosts?": Some("a.com", "b.com"), "secretName?": OneOf("s", "t")}, {
            "secretName": "u"}), "rules?": Some({"host": OneOf("a.com", "*.b.com"), "http": {"paths": PATHS}}, {"http": {"paths": PATHS}}, {"host?": "c.com"})}),
    of(NETWORKING, "IPAddress", "{address}", spec={"parentRef": Seldom({"resource": "services", "name": "s", "namespace": "n"}, {
        "resource": "services", "name": "t", "namespace": "n"})}),
    of(NETWORKING, "NetworkPolicy", spec={
        "podSelector": SELECTOR, "policyTypes?": Some("Ingress", "Egress", least=1), "ingress?": Some({"from?": PEERS, "ports?": PEER_PORTS}, {
            "ports": [{"port": 80}]}, {}), "egress?": Some({"to?": PEERS, "ports?": PEER_PORTS}, {"to": [{"podSelector": {}}]})}),
    of(NETWORKING, "ServiceCIDR", spec={"cidrs": Seldom(["{network}/24"], ["{network}/25"])}),
    of("node.k8s.io/v1", "RuntimeClass", **{"handler": Seldom("h", "i"), "overhead?": {"podFixed?": {"cpu?": CPU, "memory?": MEMORY}}, "scheduling?": {
        "nodeSelector?": {"a?": OneOf("b", "c"), "d?": "e"}, "tolerations?": TOLERATIONS}}),
    of("policy/v1", "PodDisruptionBudget", spec=OneOf(
        {"minAvailable?": PERCENT, "selector?": SELECTOR, "unhealthyPodEvictionPolicy?": "AlwaysAllow"}, {"maxUnavailable": PERCENT, "selector?": SELECTOR})),
    of(RBAC, "Role", **{"rules?": RULES}),
    of(RBAC, "ClusterRole", **{"rules?": OneOf(RULES, Some(*RULES.items, PATHS_RULE)), "aggregationRule?": {
        "clusterRoleSelectors": Some({"matchLabels": {"applyguard.test/a": OneOf("b", "c")}}, {"matchExpressions": [{
            "key": "applyguard.test/b", "operator": "In", "values": Some("x", "y", least=1)}]}, least=1)}}),
    of(RBAC, "RoleBinding", **{"roleRef": {"kind": Seldom("Role", "ClusterRole"), "name": Seldom("x", "y"), "apiGroup?": "rbac.authorization.k8s.io"}, "subjects?": SUBJECTS}),
    of(RBAC, "ClusterRoleBinding", **{"roleRef": {"kind": "ClusterRole", "name": Seldom("x", "y"), "apiGroup?": "rbac.authorization.k8s.io"}, "subjects?": SUBJECTS}),
    of("scheduling.k8s.io/v1", "PriorityClass", **{"value": Seldom(1, 2), "description?": OneOf("d", ""), "preemptionPolicy?": Seldom("PreemptLowerPriority", "Never"),
                                                   "globalDefault?": False}),
    of(STORAGE, "CSIDriver", spec={
        "tokenRequests?": Some({"audience": "a", "expirationSeconds?": OneOf(3600, 7200)}, {"audience": "b"}), "podInfoOnMount?": OneOf(True, False),
        "attachRequired?": Seldom(True, False), "volumeLifecycleModes?": Seldom(["Persistent"], Some("Persistent", "Ephemeral")), "fsGroupPolicy?": OneOf("File", "None"),
        "storageCapacity?": OneOf(True, False), "requiresRepublish?": OneOf(True, False), "seLinuxMount?": OneOf(True, False)}),
    of(STORAGE, "CSINode", spec={"drivers": Some(*({
        "name": f"{name}.com", "nodeID": Seldom("n", "m"), "topologyKeys?": Seldom(["a", "b"], ["b", "a"], ["a"]), "allocatable?": {"count?": OneOf(1, 2)}} for name in "ef"), least=1)}),
    of(STORAGE, "CSIStorageCapacity", **{
        "storageClassName": Seldom("s", "t"), "nodeTopology?": Seldom({"matchLabels": {"a": "b"}}, SELECTOR), "capacity?": OneOf("1Gi", "1024Mi"),
        "maximumVolumeSize?": OneOf("1Gi", "1024Mi")}),
    of(STORAGE, "StorageClass", **{
        "provisioner": Seldom("e.com/p", "e.com/q"), "parameters?": Seldom({"a": "b"}, {"a": "c"}), "reclaimPolicy?": Seldom("Delete", "Retain"),
        "volumeBindingMode?": Seldom("Immediate", "WaitForFirstConsumer"), "allowVolumeExpansion?": OneOf(True, False), "mountOptions?": Some("ro", "hard"),
        "allowedTopologies?": Some({"matchLabelExpressions": Some({"key": "zone", "values": Some("a", "b", least=1)}, {"key": "rack", "values": ["r"]}, least=1)})}),
    of(STORAGE, "VolumeAttachment", spec={"attacher": Seldom("e.com", "f.com"), "nodeName": Seldom("n", "m"), "source": {"persistentVolumeName": "v"}}),
    of(STORAGE, "VolumeAttributesClass", **{"driverName": Seldom("e.com", "f.com"), "parameters": Seldom({"a": "b"}, {"a": "c"})}),
    of("storagemigration.k8s.io/v1", "StorageVersionMigration", spec={"resource": Seldom(
        {"group": "example.com", "resource": "as"}, {"group": "example.com", "resource": "bs"})}),
    of(ADMISSION, "MutatingWebhookConfiguration", **{"webhooks?": Some(*(webhook(name, **{"reinvocationPolicy?": OneOf("Never", "IfNeeded")}) for name in "ab"))}),
    of(ADMISSION, "ValidatingWebhookConfiguration", **{"webhooks?": Some(*(webhook(name) for name in "ab"))}),
    of(ADMISSION, "MutatingAdmissionPolicy", spec={
        "matchConstraints": MATCH, "failurePolicy?": OneOf("Fail", "Ignore"), "reinvocationPolicy": OneOf("Never", "IfNeeded"), "variables?": VARIABLES,
        "paramKind?": PARAMETERS, "matchConditions?": CONDITIONS, "mutations": Some(*({"patchType": "ApplyConfiguration", "applyConfiguration": {
            "expression": f"Object{{metadata: Object.metadata{{labels: {{'{name}': 'x'}}}}}}"}} for name in "ab"), least=1)}),
    of(ADMISSION, "MutatingAdmissionPolicyBinding", spec={"policyName": OneOf("p", "q"), "matchResources?": MATCH, "paramRef?": PARAMETER_REFERENCE}),
    of(ADMISSION, "ValidatingAdmissionPolicy", spec={
        "matchConstraints": MATCH, "failurePolicy?": OneOf("Fail", "Ignore"), "variables?": VARIABLES, "paramKind?": PARAMETERS, "matchConditions?": CONDITIONS,
        "validations": Some({"expression": OneOf("true", "false"), "message?": OneOf("m", "n"), "reason?": "Invalid"}, {"expression": "1 == 1", "messageExpression?": "'x'"}, least=1),
        "auditAnnotations?": Some({"key": "a", "valueExpression": OneOf("'x'", "'y'")}, {"key": "b", "valueExpression": "'z'"})}),
    of(ADMISSION, "ValidatingAdmissionPolicyBinding", spec={
        "policyName": OneOf("p", "q"), "validationActions": Some("Audit", OneOf("Deny", "Warn"), least=1), "matchResources?": MATCH, "paramRef?": PARAMETER_REFERENCE}),
    of(FLOWCONTROL, "FlowSchema", spec={
        "priorityLevelConfiguration": {"name": OneOf("exempt", "global-default")}, "matchingPrecedence?": OneOf(1000, 500), "distinguisherMethod?": {"type": "ByUser"},
        "rules?": Some(*({
            "subjects": Some({"kind": "User", "user": {"name": OneOf("u", "v")}}, {"kind": "Group", "group": {"name": "applyguard"}}, {
                "kind": "ServiceAccount", "serviceAccount": {"name": "s", "namespace": "n"}}, least=1),
            "resourceRules?": Some({"verbs": Some("get", "list", least=1), "apiGroups": Some("", "apps", least=1), "resources": ["pods"], "namespaces": Some("n", "m", least=1)}, {
                "verbs": ["*"], "apiGroups": ["e.com"], "resources": ["*"], "clusterScope": True}, least=1),
            "nonResourceRules?": Some({"verbs": ["get"], "nonResourceURLs": Some("/x", "/y", least=1)}, least=1)} for _ in range(2)))}),
    of(FLOWCONTROL, "PriorityLevelConfiguration", spec={"type": "Limited", "limited": {
        "nominalConcurrencyShares?": OneOf(1, 2), "lendablePercent?": OneOf(0, 10), "borrowingLimitPercent?": 10, "limitResponse": Seldom(
            {"type": "Queue", "queuing": {"queues?": OneOf(64, 32), "handSize?": OneOf(6, 2), "queueLengthLimit?": OneOf(50, 5)}}, {"type": "Reject"})}}),
    of(RESOURCE, "DeviceClass", spec={"selectors?": SELECTORS, "config?": Some({"opaque": {"driver": "e.com", "parameters": {"a": OneOf(1, [], {"b": None})}}}),
                                      "extendedResourceName?": "e.com/{name}"}),
    of(RESOURCE, "DeviceTaintRule", spec={"deviceSelector?": {"driver?": OneOf("e.com", "f.com"), "pool?": "p"}, "taint": {
        "key": OneOf("applyguard.test/a", "applyguard.test/b"), "value?": OneOf("x", "y"), "effect": "NoSchedule",
        "timeAdded": "2026-01-01T00:00:00Z"}}),
    of(RESOURCE, "ResourceClaim", spec={"devices": FIXED_DEVICES}),
    of(RESOURCE, "ResourceClaimTemplate", spec={"metadata?": {"labels": {"a": "b"}}, "spec": {"devices": FIXED_DEVICES}}),
    of(RESOURCE, "ResourceSlice", spec={
        "driver": "e.com", "nodeName": Seldom("n", "m"), "pool": {"name": Seldom("{name}", "other"), "generation": OneOf(1, 2), "resourceSliceCount": OneOf(1, 2)},
        "devices": Some({"name": "d", "attributes?": {"a?": {"string": OneOf("x", "y")}, "b?": {"int": OneOf(0, 1)}, "c?": {"bool": False}, "e.com/d?": {"version": "1.0.0"}},
                         "capacity?": {"memory?": {"value": MEMORY}}, "taints?": Some({"key": "k", "effect": "NoSchedule", "value?": OneOf("", "v"), "timeAdded": "2026-01-01T00:00:00Z"})},
                        {"name": "e"})}),
    of("apiextensions.k8s.io/v1", "CustomResourceDefinition", "things.{name}.example.com", spec={
        "group": "{name}.example.com", "scope": Seldom("Namespaced", "Cluster"), "names": {
            "kind": "Thing", "plural": "things", "singular?": "thing", "listKind?": "ThingList", "shortNames?": Some("th", "tg"), "categories?": Some("all", "some")},
        "versions": Some(custom_version("v1", True), custom_version("v2", False), least=2), "conversion?": {"strategy": "None"},
        "preserveUnknownFields?": False}),
    of("apiregistration.k8s.io/v1", "APIService", "v1.{name}.example.org", spec={
        "group": "{name}.example.org", "version": "v1", "groupPriorityMinimum": OneOf(10, 20), "versionPriority": OneOf(10, 20), "insecureSkipTLSVerify?": False}),
]
