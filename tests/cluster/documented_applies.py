"""documented_applies.py: the cases of Kubernetes' page "Declarative Management of Kubernetes Objects Using Configuration Files", how
`kubectl apply` calculates its changes: what was applied first, what is written then by hand, and what is applied next.

Primitive fields, fields of maps, items of lists with keys and of lists of primitives, each in every row of its table; then
fields with defaults, and the page's rows about fields that exclude each other.
"""
import copy


def web(namespace, name, metadata=None, spec=None, pod=None, container=None):
    containers = [{"name": "nginx", "image": "nginx:1.27", **(container or {})}]
    return {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": namespace, **(metadata or {})},
        "spec": {
            "paused": True, "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": containers, **(pod or {})}}, **(spec or {})}}


def finalizers(*names):
    return {"metadata": {"finalizers": [f"example.com/{name}" for name in names]}}


def of_spec(**fields):
    return {"spec": fields}


def of_pod(**fields):
    return {"pod": fields}


def of_container(**fields):
    return {"container": fields}


def env(**values):
    return of_container(env=[{"name": name, "value": value} for name, value in values.items()])


NOTHING = {}

# The earlier manifest, the changes by hand, and the manifest now. Each is a part of web(), by hand as a patch.
ROWS = {
    # A field is in the file or not, in the live object or not, in last-applied or not.
    "primitive-set-over-live": (of_spec(minReadySeconds=1), of_spec(minReadySeconds=2), of_spec(minReadySeconds=3)),
    "primitive-same-over-live": (of_spec(minReadySeconds=1), of_spec(minReadySeconds=2), of_spec(minReadySeconds=1)),
    "primitive-set": (NOTHING, NOTHING, of_spec(minReadySeconds=3)),
    "primitive-set-not-applied": (NOTHING, of_spec(minReadySeconds=2), of_spec(minReadySeconds=3)),
    "primitive-same-not-applied": (NOTHING, of_spec(minReadySeconds=2), of_spec(minReadySeconds=2)),
    "primitive-removed": (of_spec(minReadySeconds=1), NOTHING, NOTHING),
    "primitive-removed-changed": (of_spec(minReadySeconds=1), of_spec(minReadySeconds=2), NOTHING),
    "primitive-removed-gone": (of_spec(minReadySeconds=1), of_spec(minReadySeconds=None), NOTHING),
    "primitive-kept": (NOTHING, of_spec(minReadySeconds=2), NOTHING),
    "primitive-defaulted": (of_spec(replicas=3), of_spec(replicas=5), NOTHING),
    "primitive-null": (of_spec(minReadySeconds=1), NOTHING, of_spec(minReadySeconds=None)),
    "primitive-null-not-applied": (NOTHING, of_spec(minReadySeconds=2), of_spec(minReadySeconds=None)),
    # Maps: each field by itself.
    "map-added": (of_pod(nodeSelector={"a": "1"}), NOTHING, of_pod(nodeSelector={"a": "1", "b": "2"})),
    "map-changed": (of_pod(nodeSelector={"a": "1"}), of_pod(nodeSelector={"a": "2"}), of_pod(nodeSelector={"a": "3"})),
    "map-beside": (of_pod(nodeSelector={"a": "1"}), of_pod(nodeSelector={"b": "2"}), of_pod(nodeSelector={"a": "2"})),
    "map-field-removed": (of_pod(nodeSelector={"a": "1", "b": "2"}), of_pod(nodeSelector={"c": "3"}), of_pod(nodeSelector={"a": "1"})),
    "map-removed": (of_pod(nodeSelector={"a": "1"}), of_pod(nodeSelector={"b": "2"}), NOTHING),
    "map-kept": (NOTHING, of_pod(nodeSelector={"b": "2"}), NOTHING),
    "map-empty": (of_pod(nodeSelector={"a": "1"}), of_pod(nodeSelector={"b": "2"}), of_pod(nodeSelector={})),
    # Lists with keys: each item by itself.
    "item-added": (env(A="1"), NOTHING, env(A="1", B="2")),
    "item-changed": (env(A="1"), env(A="2"), env(A="3")),
    "item-beside": (env(A="1"), env(B="2"), env(A="2")),
    "item-removed": (env(A="1", B="2"), env(C="3"), env(A="1")),
    "item-removed-changed": (env(A="1", B="2"), env(B="3"), env(A="1")),
    "items-in-order": (env(A="1", B="2"), env(C="3"), env(B="2", A="1")),
    "items-removed": (env(A="1"), env(B="2"), NOTHING),
    "items-kept": (NOTHING, env(B="2"), NOTHING),
    "item-value-from": (env(A="1"), NOTHING, of_container(env=[{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}])),
    "ports-of-one-number": (
        of_container(ports=[{"containerPort": 53, "protocol": "UDP"}]), NOTHING,
        of_container(ports=[{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}])),
    # Lists of primitives, and lists without keys: the whole list.
    "list-replaced": (of_container(args=["a"]), of_container(args=["b"]), of_container(args=["c", "d"])),
    "list-same": (of_container(args=["a"]), of_container(args=["b"]), of_container(args=["a"])),
    "list-removed": (of_container(args=["a"]), of_container(args=["b"]), NOTHING),
    "list-kept": (NOTHING, of_container(args=["b"]), NOTHING),
    "list-of-maps-replaced": (
        of_pod(tolerations=[{"key": "a", "operator": "Exists"}]), of_pod(tolerations=[{"key": "b", "operator": "Exists"}]),
        of_pod(tolerations=[{"key": "c", "operator": "Exists"}])),
    # Lists of primitives that are merged.
    "merged-added": (finalizers("a"), NOTHING, finalizers("a", "b")),
    "merged-beside": (finalizers("a"), finalizers("b"), finalizers("a", "c")),
    "merged-removed": (finalizers("a", "b"), finalizers("c"), finalizers("a")),
    "merged-all-removed": (finalizers("a"), finalizers("b"), NOTHING),
    # Fields that exclude each other.
    "strategy-of-another-type": (
        of_spec(strategy={"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}), NOTHING, of_spec(strategy={"type": "Recreate"})),
    "strategy-of-defaults": (NOTHING, NOTHING, of_spec(strategy={"type": "Recreate"})),
    "volume-of-another-kind": (
        of_pod(volumes=[{"name": "data", "emptyDir": {}}]), NOTHING,
        of_pod(volumes=[{"name": "data", "configMap": {"name": "settings"}}])),
    "volume-beside": (
        of_pod(volumes=[{"name": "data", "emptyDir": {}}]), of_pod(volumes=[{"name": "more", "emptyDir": {}}]),
        of_pod(volumes=[{"name": "data", "emptyDir": {"medium": "Memory"}}])),
}

REFUSED_SERVER_SIDE = {"item-value-from", "strategy-of-another-type", "strategy-of-defaults", "volume-of-another-kind"}


def by_hand(part):
    """A strategic merge patch; None if nothing is written."""
    if not part:
        return None
    patch = {"metadata": part.get("metadata", {}), "spec": copy.deepcopy(part.get("spec", {}))}
    pod = {**part.get("pod", {})}
    if "container" in part:
        pod["containers"] = [{"name": "nginx", **part["container"]}]
    if pod:
        patch["spec"]["template"] = {"spec": pod}
    return patch


def cases(namespace):
    """The name of each, the manifest applied first, the patch, and the manifest applied next."""
    return [(name, web(namespace, name, **first), by_hand(edited), web(namespace, name, **then))
            for name, (first, edited, then) in ROWS.items()]
