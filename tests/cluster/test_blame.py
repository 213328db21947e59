"""`applyguard blame` on objects of a real API server: owners match managedFields, and a manager's manifest applies again
without changing anything.
"""

import copy
import json
import subprocess

import guarded
import harness
from api import MERGE, Api
from stage import web

DECLARED = web(minReadySeconds=5, strategy={})
DECLARED["metadata"]["labels"] = {"y": "n", "empty": ""}
POD = DECLARED["spec"]["template"]["spec"]
POD["containers"][0] |= {
    "env": [{"name": "A", "value": "0777"}, {"name": "B", "value": "two\nlines\n"}],
    "resources": {"limits": {"cpu": "1000m", "memory": "1Gi"}},
    "securityContext": {}, "args": ["--a=b", "- c", "22:30"]}
POD["volumes"] = [{"name": "v", "emptyDir": {}}, {"name": "c", "configMap": {"name": "x", "optional": True}}]
POD["nodeSelector"] = {"disk": "ssd"}
POD["tolerations"] = [{"key": "k", "operator": "Exists"}]
POD["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
    {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}}

SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns", "finalizers": ["example.com/a", "example.com/b"]},
           "spec": {"selector": {"app": "dns"}, "ports": [{"name": "tcp", "port": 53, "protocol": "TCP"},
                                                          {"name": "udp", "port": 53, "protocol": "UDP"}]}}
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {
    "a.conf": "server {\n  listen 80;\n}\n", "b": "  leading", "c": "tab\tand \u2028", "d": "", "e": "1e3", "f": "a\n\n\n"}}
POLICY = {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": {"name": "web"}, "spec": {
    "podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Ingress"],
    "ingress": [{"from": [{"namespaceSelector": {}}], "ports": [{"port": 80}]}]}}
AUTOSCALER = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"}, "spec": {
    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "minReplicas": 4, "maxReplicas": 9}}


def element(key):
    """One element of FieldsV1 in the API server's form."""
    kind, rest = key[:2], key[2:]
    if kind == "f:":
        return "." + rest
    if kind == "k:":
        return "[" + ",".join(f"{name}={json.dumps(value)}" for name, value in json.loads(rest).items()) + "]"
    return f"[={rest}]"


def members(fields, path=""):
    for key, below in fields.items():
        if key == ".":
            continue
        here = path + element(key)
        if not below or "." in below:
            yield here
        yield from members(below, here)


class Blame(guarded.WithPlane):
    plane_options = {"autoscaler_seconds": 1}

    def setUp(self):
        self.namespace = self.make_namespace("blame-" + self.id().rpartition("_")[2])

    def kubectl(self, *arguments, manifest=None, environment=None):
        text = json.dumps(manifest) if isinstance(manifest, dict) else manifest
        done = subprocess.run(
            self.plane.kubectl_command(*arguments, "--context=admin", f"--namespace={self.namespace}"), input=text,
            capture_output=True, text=True, timeout=120, env={**self.plane.kubectl_environment(), **(environment or {})})
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def get(self, kind, name):
        return json.loads(self.kubectl("get", kind, name, "-o", "json", "--show-managed-fields"))

    def blame(self, *arguments, text):
        done = harness.run(harness.Program.path, "blame", "-f", "-", *arguments, input=text.encode())
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def apply(self, manifest, manager):
        return self.kubectl("apply", "--server-side", "--force-conflicts", f"--field-manager={manager}", "-f", "-", manifest=manifest)

    def owners_are_right(self, found):
        """The owners of each field in blame are the entries whose set has it; every path of each set is shown."""
        fields = json.loads(self.blame("-o", "json", text=json.dumps(found)))["fields"]
        sets = [(entry, set(members(entry["fieldsV1"]))) for entry in found["metadata"]["managedFields"]]
        self.assertGreater(len(fields), 5)
        for field in fields:
            expected = [(entry["manager"], entry["operation"], entry.get("subresource", ""), entry.get("time", ""))
                        for entry, owned in sets if field["path"] in owned]
            got = [(owner["manager"], owner["operation"], owner["subresource"], owner["time"]) for owner in field["owners"]]
            self.assertEqual(got, expected, field["path"])
        told = {field["path"] for field in fields}
        for entry, owned in sets:
            leaves = {path for path in owned if not any(other != path and other.startswith(path) for other in owned)}
            self.assertEqual(leaves - told, set(), entry["manager"])
        return {field["path"]: field for field in fields}

    def applied_again(self, kind, name, manager):
        """The object before and after a manager's manifest was applied again, without another write in between."""
        for _ in range(10):
            before = self.get(kind, name)
            manifest = self.blame("-o", "yaml", "--manager", manager, text=json.dumps(before))
            self.kubectl("apply", "--server-side", f"--field-manager={manager}", "-f", "-", manifest=manifest)
            after = self.get(kind, name)
            if after.get("status") == before.get("status"):
                return before, after, manifest
        self.fail("a controller writes all the time")

    def manifest_changes_nothing(self, kind, name, manager):
        before, after, manifest = self.applied_again(kind, name, manager)
        self.assertEqual(after["metadata"]["resourceVersion"], before["metadata"]["resourceVersion"], manifest)

    def test_a_deployment_with_many_owners(self):
        self.apply(DECLARED, "platform")
        other = web(replicas=None)
        other["spec"]["template"]["spec"]["containers"] = [{
            "name": "nginx", "image": "nginx:1.14.2", "ports": [{"containerPort": 80}, {"containerPort": 81}]}]
        self.apply(other, "flux")
        self.apply(AUTOSCALER, "platform")
        guarded.wait_until(lambda: self.get("deployment", "web")["spec"]["replicas"] == 4, timeout=60, what="the autoscaler")
        self.kubectl("edit", "deployment/web", environment={"KUBE_EDITOR": "sed -i s/minReadySeconds:.5/minReadySeconds:\\ 6/"})
        self.kubectl("set", "env", "deployment/web", "FOO=bar")
        helm = self.api.request(
            "PATCH", f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web",
            {"metadata": {"labels": {"app.kubernetes.io/managed-by": "Helm"}}}, content_type=MERGE, fieldManager="helm")
        self.assertTrue(helm.ok, helm.body)
        found = self.get("deployment", "web")
        fields = self.owners_are_right(found)
        managers = {(owner["manager"], owner["subresource"]) for field in fields.values() for owner in field["owners"]}
        self.assertLessEqual({("platform", ""), ("flux", ""), ("kubectl-edit", ""), ("kubectl-set", ""), ("helm", ""),
                              ("kube-controller-manager", "scale"), ("kube-controller-manager", "status")}, managers)
        container = '.spec.template.spec.containers[name="nginx"]'
        self.assertCountEqual([owner["manager"] for owner in fields[f"{container}.image"]["owners"]], ["platform", "flux"])
        self.assertTrue(fields[f'{container}.env[name="FOO"]']["stuck"])
        self.assertFalse(fields[f"{container}.image"]["stuck"])
        for manager in ("platform", "flux"):
            self.manifest_changes_nothing("deployment", "web", manager)

    def test_a_client_side_applied_object(self):
        self.kubectl("apply", "-f", "-", manifest=DECLARED)
        self.kubectl("rollout", "restart", "deployment/web")
        fields = self.owners_are_right(self.get("deployment", "web"))
        self.assertTrue(fields[".spec.minReadySeconds"]["declared"])
        self.assertFalse(fields[".spec.progressDeadlineSeconds"]["declared"])
        self.assertFalse(fields[".spec.progressDeadlineSeconds"]["stuck"])
        self.assertTrue(fields[".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"]["stuck"])

    def test_manifests_of_other_kinds(self):
        for manifest in (SERVICE, CONFIG, POLICY, AUTOSCALER):
            kind, name = manifest["kind"], manifest["metadata"]["name"]
            with self.subTest(kind):
                self.apply(manifest, "platform")
                partial = copy.deepcopy(manifest)
                for key in [key for key in partial if key in ("data",)]:
                    partial[key] = {"b": partial[key]["b"]}
                self.apply(partial, "other")
                self.owners_are_right(self.get(kind, name))
                for manager in ("platform", "other"):
                    self.manifest_changes_nothing(kind, name, manager)
        self.kubectl("patch", "service/dns", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')


if __name__ == "__main__":
    guarded.main()
