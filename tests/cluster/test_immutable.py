"""What `applyguard preview` says may not change, the API server refuses to change, and takes what the preview takes; and the
same manifest again changes nothing, with any defaults of the API server, for each kind and each way to apply.

`kinds.py` has an object of each kind. CHANGES are by the rows of commands/preview/immutable.def, of which none may be missing.
"""

import copy
import json
import pathlib
import re
import secrets

import guarded
import harness
from api import MERGE
from kinds import CLAIM, KINDS, pod_spec, template

TABLE = pathlib.Path(__file__).resolve().parents[2] / "commands" / "preview" / "immutable.def"
GONE = None

# The changes, by kind and row: members by their paths, GONE if they go away.
OTHER_CONTAINER = {"spec.containers": [{**pod_spec()["containers"][0], "args": ["a"]}]}
CHANGES = {
    "ClusterRoleBinding .roleRef": [{"roleRef": {"kind": "ClusterRole", "name": "y"}}],
    "ConfigMap .binaryData": [{"binaryData": {"b": "Mg=="}}, {"binaryData": GONE}],
    "ConfigMap .data": [{"data": {"a": "2"}}, {"data": GONE}],
    "ConfigMap .immutable": [{"immutable": False}, {"immutable": GONE}],
    "ControllerRevision .data": [{"data": {"a": "c"}}],
    "CSIDriver .spec.attachRequired": [{"spec.attachRequired": False}],
    "CSIDriver .spec.volumeLifecycleModes": [{"spec.volumeLifecycleModes": ["Ephemeral"]}],
    "CSINode .spec.drivers": [{"spec.drivers": [{"name": "e.com", "nodeID": "m"}]}, {"spec.drivers": [{"name": "e.com", "nodeID": "n", "topologyKeys": ["a"]}]}],
    "CSIStorageCapacity .nodeTopology": [{"nodeTopology": {"matchLabels": {"a": "c"}}}, {"nodeTopology": GONE}],
    "CSIStorageCapacity .storageClassName": [{"storageClassName": "t"}],
    "CustomResourceDefinition .spec.group": [{"spec.group": "y.example.com"}],
    "CustomResourceDefinition .spec.names.kind": [{"spec.names": {"kind": "Y", "plural": "xs"}}],
    "CustomResourceDefinition .spec.names.plural": [{"spec.names": {"kind": "X", "plural": "ys"}}],
    "CustomResourceDefinition .spec.scope": [{"spec.scope": "Cluster"}],
    "DaemonSet .spec.selector": [{"spec.selector": {"matchLabels": {"a": "c"}}, "spec.template.metadata.labels": {"a": "c"}}],
    "Deployment .spec.selector": [{"spec.selector": {"matchLabels": {"a": "c"}}, "spec.template.metadata.labels": {"a": "c"}}],
    "EndpointSlice .addressType": [{"addressType": "IPv6", "endpoints": [{"addresses": ["2001:db8::1"]}]}],
    "Event .*": [{"reason": "S"}, {"note": "m"}, {"regarding": GONE}, {"deprecatedCount": 2}],
    "IngressClass .spec.controller": [{"spec.controller": "e.com/d"}],
    "IPAddress .spec.parentRef": [{"spec.parentRef": {"resource": "services", "name": "t", "namespace": "n"}}],
    "Job .spec.backoffLimitPerIndex": [{"spec.completionMode": "Indexed", "spec.backoffLimitPerIndex": 1}],
    "Job .spec.completionMode": [{"spec.completionMode": "Indexed"}],
    "Job .spec.completions": [{"spec.completions": 2}],
    "Job .spec.managedBy": [{"spec.managedBy": "e.com/m"}],
    "Job .spec.podFailurePolicy": [{"spec.podFailurePolicy": GONE}],
    "Job .spec.selector": [{"spec.selector": {"matchLabels": {"a": "c"}}}],
    "Job .spec.successPolicy": [{"spec.completionMode": "Indexed", "spec.successPolicy": {"rules": [{"succeededCount": 1}]}}],
    "Job .spec.template": [{"spec.template": template(restartPolicy="Never", hostNetwork=True)}],
    "Node .spec.externalID": [{"spec.externalID": "e"}],
    "Node .spec.podCIDR": [{"spec.podCIDR": "10.2.0.0/24"}, {"spec.podCIDR": "10.2.0.0/24", "spec.podCIDRs": GONE}],
    "Node .spec.podCIDRs": [{"spec.podCIDR": "10.2.0.0/24", "spec.podCIDRs": ["10.2.0.0/24"]}, {"spec.podCIDR": GONE, "spec.podCIDRs": GONE}],
    "Node .spec.providerID": [{"spec.providerID": "q"}, {"spec.providerID": GONE}],
    "PersistentVolume .spec.*": [{"spec.nodeAffinity": GONE}, {"spec.hostPath": {"path": "/y"}}, {"spec.hostPath": GONE, "spec.nfs": {"server": "s", "path": "/"}},
                                 {"spec.volumeMode": "Block"}],
    "PersistentVolumeClaim .spec.resources.requests.storage": [{"spec.resources": {"requests": {"storage": "512Mi"}}}],
    "PersistentVolumeClaim .spec.*": [{"spec.accessModes": ["ReadWriteMany"]}, {"spec.volumeMode": "Block"}, {"spec.selector": {"matchLabels": {"a": "b"}}},
                                      {"spec.dataSource": {"kind": "PersistentVolumeClaim", "name": "y"}},
                                      {"spec.resources": {"requests": {"storage": "2Gi"}}}],
    "Pod .spec.*": [{"spec.hostNetwork": True}, {"spec.volumes": [*pod_spec()["volumes"], {"name": "other"}]}],
    "Pod .spec.preemptionPolicy": [{"spec.preemptionPolicy": "Never"}],
    "Pod .spec.priority": [{"spec.priority": 5}],
    "Pod .spec.containers": [OTHER_CONTAINER],
    "Pod .spec.initContainers": [{"spec.initContainers": [{"name": "i", "image": "example.com/i", "args": ["a"]}]}],
    "Pod .spec.affinity": [{"spec.affinity": GONE}],
    "Pod .spec.nodeSelector": [{"spec.nodeSelector": {"a": "b"}}],
    "Pod .spec.activeDeadlineSeconds": [{"spec.activeDeadlineSeconds": 90}, {"spec.activeDeadlineSeconds": GONE}],
    "Pod .spec.schedulingGates": [{"spec.schedulingGates": [{"name": "e.com/g"}]}],
    "Pod .spec.terminationGracePeriodSeconds": [{"spec.terminationGracePeriodSeconds": 60}],
    "Pod .spec.tolerations": [{"spec.tolerations": pod_spec()["tolerations"][:1]}, {"spec.tolerations": GONE}],
    "PriorityClass .preemptionPolicy": [{"preemptionPolicy": "Never"}],
    "PriorityClass .value": [{"value": 2}],
    "ReplicaSet .spec.selector": [{"spec.selector": {"matchLabels": {"a": "c"}}, "spec.template.metadata.labels": {"a": "c"}}],
    "ResourceClaim .spec": [{"spec.devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "d"}}]}}],
    "ResourceClaimTemplate .spec": [{"spec.spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "d"}}]}}}],
    "ResourceQuota .spec.scopes": [{"spec.scopes": ["Terminating"]}, {"spec.scopes": GONE}],
    "ResourceSlice .spec.driver": [{"spec.driver": "f.com"}],
    "ResourceSlice .spec.nodeName": [{"spec.nodeName": "m"}],
    "ResourceSlice .spec.pool.name": [{"spec.pool": {"name": "q", "generation": 1, "resourceSliceCount": 1}}],
    "RoleBinding .roleRef": [{"roleRef": {"kind": "Role", "name": "y"}}],
    "RuntimeClass .handler": [{"handler": "i"}],
    "Secret .data": [{"data": {"b": "Mg=="}}],
    "Secret .immutable": [{"immutable": False}],
    "Secret .type": [{"type": "a/b"}],
    "Service .spec.clusterIP": [{"spec.clusterIP": "10.0.0.250"}, {"spec.clusterIP": "None"}],
    "Service .spec.clusterIPs": [{"spec.clusterIPs": ["10.0.0.250"]}],
    "Service .spec.healthCheckNodePort": [{"spec.healthCheckNodePort": 30999}],
    "Service .spec.ipFamilies": [{"spec.ipFamilies": ["IPv6"]}],
    "Service .spec.loadBalancerClass": [{"spec.loadBalancerClass": "e.com/b"}, {"spec.loadBalancerClass": GONE}],
    "ServiceCIDR .spec.cidrs": [{"spec.cidrs": ["10.78.0.0/24"]}],
    "StatefulSet .spec.*": [{"spec.serviceName": "t"}, {"spec.podManagementPolicy": "Parallel"}, {"spec.volumeClaimTemplates": GONE},
                            {"spec.volumeClaimTemplates": [{"metadata": {"name": "v"}, "spec": {**CLAIM, "volumeMode": "Block"}}]}],
    "StorageClass .parameters": [{"parameters": {"a": "c"}}, {"parameters": GONE}],
    "StorageClass .provisioner": [{"provisioner": "e.com/q"}],
    "StorageClass .reclaimPolicy": [{"reclaimPolicy": "Retain"}],
    "StorageClass .volumeBindingMode": [{"volumeBindingMode": "WaitForFirstConsumer"}],
    "StorageVersionMigration .spec": [{"spec.resource": {"group": "example.com", "resource": "bs"}}],
    "VolumeAttachment .spec": [{"spec.nodeName": "m"}],
    "VolumeAttributesClass .driverName": [{"driverName": "f.com"}],
    "VolumeAttributesClass .parameters": [{"parameters": {"a": "c"}}],
}
# Other fields of these kinds, which may change.
ALLOWED = {
    "Job": [{"spec.parallelism": 2}, {"spec.activeDeadlineSeconds": 9}, {"spec.template": template(restartPolicy="Never", nodeSelector={"a": "b"})}],
    "CronJob": [{"spec.jobTemplate": {"spec": {"template": template(restartPolicy="Never", hostNetwork=True)}}}],
    "Pod": [{"spec.containers": [{**pod_spec()["containers"][0], "image": "example.com/i:2"}]}, {"spec.activeDeadlineSeconds": 9},
            {"spec.tolerations": [{"key": "n", "operator": "Exists"}, *reversed(pod_spec()["tolerations"])]}],
    "StatefulSet": [{"spec.replicas": 1}, {"spec.template": template(hostNetwork=True)}, {"spec.minReadySeconds": 1}, {"spec.replicas": GONE}],
    "Service": [{"spec.type": "NodePort"}, {"spec.type": "ExternalName", "spec.externalName": "e.com"}, {"spec.selector": {"a": "c"}}],
    "PersistentVolume": [{"spec.capacity": {"storage": "2Gi"}}, {"spec.persistentVolumeReclaimPolicy": "Delete"}, {"spec.mountOptions": ["ro"]}],
    "PersistentVolumeClaim": [{"metadata.labels": {"a": "b"}}], "ConfigMap": [{"data": {"a": "2"}}], "Secret": [{"data": {"b": "Mg=="}}],
    "ReplicationController": [{"spec.selector": {"a": "b", "c": "d"}, "spec.template.metadata.labels": {"a": "b", "c": "d"}}],
    "PriorityClass": [{"description": "d"}], "StorageClass": [{"allowVolumeExpansion": True}], "RoleBinding": [{"subjects": [{"kind": "User", "name": "v"}]}],
    "CSINode": [{"spec.drivers": []}, {"spec.drivers": [{"name": "e.com", "nodeID": "n", "topologyKeys": ["a", "b"]}, {"name": "f.com", "nodeID": "m"}]}],
    "Event": [{"series": {"count": 3, "lastObservedTime": "2026-01-01T00:00:00.000000Z"}}],
    "Node": [{"spec.podCIDR": GONE}, {"spec.unschedulable": True}, {"spec.taints": [{"key": "k", "effect": "NoSchedule"}]}],
    "ResourceQuota": [{"spec.scopes": ["BestEffort", "NotTerminating"]}, {"spec.hard": {"pods": 2}}],
    "ServiceCIDR": [{"spec.cidrs": ["10.77.0.0/24", "2001:db8::/112"]}],
    "LimitRange": [{"spec.limits": [{"type": "Container", "max": {"cpu": 3}}]}],
}
# The object of a row, if it is not the first one of its kind.
OBJECTS = {"Pod .spec.activeDeadlineSeconds": "limited", "Service .spec.healthCheckNodePort": "balanced", "Service .spec.loadBalancerClass": "balanced"}
# The status of the object of a row, which a controller would write.
STATUS = {"PersistentVolumeClaim .spec.resources.requests.storage": {"phase": "Bound", "capacity": {"storage": "1Gi"}}}
# Of certificates, which test_preview_kinds.py makes.
UNASKED = {"ClusterTrustBundle .spec.signerName", "PodCertificateRequest .spec"}


def rows():
    return [f"{kind.partition('.')[0]} {path}" for kind, path in re.findall(r'^IMMUTABLE\("([^"]+)", "([^"]+)"', TABLE.read_text(), re.MULTILINE)]


class Kinds(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        cls.folder = guarded.temporary_directory()
        cls.namespace = cls.make_namespace(f"kinds-{secrets.token_hex(4)}")
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
        cls.api.request("POST", f"/api/v1/namespaces/{cls.namespace}/serviceaccounts", account)

    def object(self, manifest, name=None):
        found = json.loads(json.dumps(manifest).replace("{ns}", self.namespace))
        if name:
            found["metadata"]["name"] = name
        return found

    def path(self, plural, manifest):
        version, namespace = manifest["apiVersion"], manifest["metadata"].get("namespace")
        root = f"/apis/{version}" if "/" in version else f"/api/{version}"
        return "/".join([root, *(["namespaces", namespace] if namespace else []), plural, manifest["metadata"]["name"]])

    def apply(self, plural, manifest, **query):
        return self.api.apply(self.path(plural, manifest), manifest, "kubectl", force=True, **query)

    def preview(self, manifest, live, *arguments):
        paths = [self.folder / "manifest.json", self.folder / "live.json"]
        for path, found in zip(paths, (manifest, live)):
            path.write_text(json.dumps(found))
        return harness.run(harness.Program.path, "preview", "-f", paths[0], "--live", paths[1], *arguments)

    def live(self, plural, manifest):
        """The object as it is applied for the first time; None: this API server has no such kind."""
        answer = self.apply(plural, manifest)
        if answer.status == 404:
            return None
        self.assertTrue(answer.ok, answer.body)
        if manifest["kind"] == "CustomResourceDefinition":
            guarded.wait_until(
                lambda: self.is_established(self.read(plural, manifest)), timeout=30, what="an established definition")
        return self.read(plural, manifest)

    def read(self, plural, manifest):
        return self.api.request("GET", self.path(plural, manifest)).body

    @staticmethod
    def is_established(definition):
        conditions = definition.get("status", {}).get("conditions") or []
        return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


class Immutable(Kinds):
    def changed(self, manifest, change):
        changed = copy.deepcopy(manifest)
        for path, value in change.items():
            *outer, name = path.split(".")
            at = changed
            for each in outer:
                at = at[each]
            at.pop(name, None)
            if value is not GONE:
                at[name] = value
        return changed

    def compare(self, plural, manifest, live, change):
        """Whether the API server refuses it; the preview says the same."""
        changed = self.object(self.changed(manifest, change))
        changed["metadata"]["name"] = live["metadata"]["name"]
        answer = self.apply(plural, changed, dryRun="All")
        done = self.preview(changed, live, "--applier", "kubectl-server", "--force-conflicts", "-o", "json")
        refused = json.loads(done.stdout)["refused"]
        self.assertEqual(bool(refused), not answer.ok, f"{change}: {refused} {answer.body if not answer.ok else ''}")
        return refused

    def test_each_row(self):
        self.assertEqual(set(rows()), set(CHANGES) | UNASKED)
        for row, changes in sorted(CHANGES.items()):
            kind, path = row.split(" ")
            plural, manifest = next((plural, each) for plural, each in KINDS if each["kind"] == kind
                                    and OBJECTS.get(row, each["metadata"]["name"]) == each["metadata"]["name"])
            if kind in ("ConfigMap", "Secret"):
                manifest = {**manifest, "immutable": True}
                manifest.pop("stringData", None)
            named = self.object(manifest, "row" if kind in ("ConfigMap", "Secret") or row in STATUS else None)
            live = self.live(plural, named)
            if row in STATUS:
                self.api.request("PATCH", self.path(plural, named) + "/status", {"status": STATUS[row]}, content_type=MERGE)
                live = self.read(plural, named)
            for change in changes if live else ():
                with self.subTest(row, change=change):
                    refused = self.compare(plural, manifest, live, change)
                    self.assertTrue(any(each.startswith(path.rstrip("*")) for each in refused), refused)

    def test_what_may_change(self):
        for kind, changes in ALLOWED.items():
            plural, manifest = next((plural, each) for plural, each in KINDS if each["kind"] == kind)
            live = self.live(plural, self.object(manifest))
            for change in changes:
                with self.subTest(kind, change=change):
                    self.assertEqual(self.compare(plural, manifest, live, change), [])


class Unchanged(Kinds):
    def test_the_same_manifest_again(self):
        asked = 0
        for plural, manifest in KINDS:
            for applier in ("kubectl-server", "flux"):
                with self.subTest(f"{manifest['kind']} {applier}"):
                    found = self.object(manifest)
                    live = self.live(plural, found)
                    if not live:
                        continue
                    asked += 1
                    manager = ("--field-manager", "kubectl") if applier == "flux" else ()
                    done = self.preview(found, live, "--applier", applier, *manager, "-o", "diff")
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertGreater(asked, len(KINDS))


if __name__ == "__main__":
    guarded.main()
