"""place.py: writes objects into a namespace as tools, controllers and people do, and notes what a scan must find in them.

All requests go through the API server, so managedFields are its own. `Expected` is the oracle: what is noted there must be
found, and nothing else.
"""

import base64
import collections
import copy
import hashlib
import json
import threading

from api import APPLY, JSON_PATCH, MERGE, STRATEGIC

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
CLIENT_SIDE = "kubectl-client-side-apply"
# The kinds that are written: (apiVersion, plural).
KINDS = {
    "ConfigMap": ("v1", "configmaps"), "Secret": ("v1", "secrets"), "Service": ("v1", "services"),
    "ServiceAccount": ("v1", "serviceaccounts"), "ReplicationController": ("v1", "replicationcontrollers"),
    "Deployment": ("apps/v1", "deployments"), "StatefulSet": ("apps/v1", "statefulsets"), "DaemonSet": ("apps/v1", "daemonsets"),
    "CronJob": ("batch/v1", "cronjobs"), "HorizontalPodAutoscaler": ("autoscaling/v2", "horizontalpodautoscalers"),
    "Ingress": ("networking.k8s.io/v1", "ingresses"), "NetworkPolicy": ("networking.k8s.io/v1", "networkpolicies"),
    "PodDisruptionBudget": ("policy/v1", "poddisruptionbudgets"), "Role": ("rbac.authorization.k8s.io/v1", "roles"),
    "RoleBinding": ("rbac.authorization.k8s.io/v1", "rolebindings"), "ScaledObject": ("keda.sh/v1alpha1", "scaledobjects"),
    "Widget": ("example.com/v1", "widgets")}


def group_kind(kind):
    """As a scan names it: Deployment.apps."""
    group, slash, _ = KINDS[kind][0].partition("/")
    return f"{kind}.{group}" if slash else kind


class Expected:
    """What a scan must find. Several threads add to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.findings = collections.Counter()  # (kind, namespace, name, rule, fields)
        self.readiness = collections.defaultdict(set)  # {"ready", "migrate", "stuck": (kind, namespace, name)}
        self.overlaps = set()
        self.old_versions = collections.Counter()
        self.unowned = set()
        self.objects = 0

    def rules(self):
        """How many findings of each rule."""
        return collections.Counter(key[3] for key in self.findings.elements())


class Place:
    """A namespace, and a name for the objects of one life in it."""

    def __init__(self, api, expected, namespace, name, random, other_namespace):
        self.api, self.expected, self.namespace, self.name, self.random = api, expected, namespace, name, random
        self.other_namespace = other_namespace

    def named(self, suffix):
        """For an object of another name."""
        return Place(self.api, self.expected, self.namespace, f"{self.name}-{suffix}", self.random, self.other_namespace)

    def elsewhere(self):
        """The same name in another namespace."""
        return Place(self.api, self.expected, self.other_namespace, self.name, self.random, self.namespace)

    # Writing

    def object(self, kind, metadata=None, **body):
        version = KINDS[kind][0]
        return {"apiVersion": version, "kind": kind, "metadata": {"name": self.name, "namespace": self.namespace, **(metadata or {})}, **body}

    def path(self, kind, version=None):
        default, plural = KINDS[kind]
        version = version or default
        return f"/{'apis' if '/' in version else 'api'}/{version}/namespaces/{self.namespace}/{plural}"

    def send(self, method, path, body, **options):
        answer = self.api.request(method, path, body, user="setup", **options)
        assert answer.ok, f"{method} {path}: {answer.body}"
        return answer.body

    def _count(self):
        with self.expected.lock:
            self.expected.objects += 1

    def apply(self, manager, manifest, force=False, is_new=True):
        """Server-side."""
        if is_new:
            self._count()
        return self.send("PATCH", f"{self.path(manifest['kind'], manifest['apiVersion'])}/{self.name}", manifest, content_type=APPLY,
                         fieldManager=manager, force="true" if force else "false")

    def create(self, manager, manifest):
        self._count()
        return self.send("POST", self.path(manifest["kind"]), manifest, fieldManager=manager)

    def apply_client_side(self, manifest, manager=CLIENT_SIDE, configuration=None):
        """The first apply of kubectl: the object, and the manifest in its annotation. configuration: another one."""
        applied = configuration if configuration is not None else json.dumps(manifest)
        sent = copy.deepcopy(manifest)
        sent["metadata"].setdefault("annotations", {})[LAST_APPLIED] = applied
        return self.create(manager, sent)

    def patch(self, manager, kind, patch, subresource="", content_type=STRATEGIC):
        return self.send("PATCH", f"{self.path(kind)}/{self.name}{subresource}", patch, content_type=content_type, fieldManager=manager)

    def merge(self, manager, kind, patch, subresource=""):
        return self.patch(manager, kind, patch, subresource, MERGE)

    def patch_by_json(self, manager, kind, *operations):
        return self.patch(manager, kind, list(operations), content_type=JSON_PATCH)

    # Noting

    def finds(self, rule, kind, *fields):
        with self.expected.lock:
            self.expected.findings[(group_kind(kind), self.namespace, self.name, rule, fields)] += 1

    def readiness(self, state, *kinds):
        with self.expected.lock:
            for kind in kinds:
                self.expected.readiness[state].add((group_kind(kind), self.namespace, self.name))

    def ready(self, *kinds):
        self.readiness("ready", *kinds)

    def migrates(self, *kinds):
        self.readiness("migrate", *kinds)

    def stuck(self, *kinds):
        self.readiness("stuck", *kinds)

    def overlaps(self, kind, other, is_mutual):
        """The pods of the other place's workload of this kind, too."""
        with self.expected.lock:
            self.expected.overlaps.add((self.namespace, group_kind(kind), frozenset({self.name, other.name}) if is_mutual
                                        else (self.name, other.name), is_mutual))


def apply_set_id(name, namespace, kind="Secret", group=""):
    digest = hashlib.sha256(f"{name}.{namespace}.{kind}.{group}".encode()).digest()
    return f"applyset-{base64.urlsafe_b64encode(digest).decode().rstrip('=')}-v1"
