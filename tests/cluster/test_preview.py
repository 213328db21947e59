"""`applyguard preview` is what the API server makes of an apply: the object equals that of a dry run, and the conflicts are the
list of the 409. Manifests that overlap are applied again and again, by changing managers and by hand.

STEPS in the environment is how many applies of each kind are compared in each way (12), SEED which.
"""

import json
import os
import random
import secrets
import subprocess
import unittest

import documented_applies
import guarded
import harness
from api import MERGE, STRATEGIC, Api
from compared import declared, differences
from manifests import Generator, define_widgets, widget_definition
from oracle import refused

STEPS = int(os.environ.get("STEPS", "12"))
SEED = int(os.environ.get("SEED", "1"))
# Objects that live side by side: one kubectl and one preview are for all of them.
OBJECTS = 12
APPLIERS = ["kubectl", "argocd-controller", "kustomize-controller", "team-b", "helm"]
WRITERS = ["kubectl-edit", "k9s", "my-operator", "team-b"]


class Oracle(unittest.TestCase):
    """Both ways to apply, previewed and asked of the API server."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls)
        cls.api = Api(cls.plane)
        cls.addClassCleanup(cls.api.close)
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        define_widgets(cls, {})
        cls.folder = guarded.temporary_directory()
        cls.crd = cls.folder / "crd.json"
        cls.crd.write_text(json.dumps(widget_definition({})))

    def setUp(self):
        self.namespace = f"preview-{secrets.token_hex(4)}"
        answer = self.api.request("POST", "/api/v1/namespaces", {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})
        self.assertTrue(answer.ok, answer.body)

    def file(self, name, objects):
        path = self.folder / name
        path.write_text("\n".join(json.dumps(each) for each in objects))
        return path

    def preview(self, manifests, live, *arguments):
        """The output for each manifest, by name."""
        done = harness.run(
            harness.Program.path, "preview", "-f", self.file("manifests.json", manifests), "-n", self.namespace, "--live",
            self.file("live.json", live.values()), "--crd", self.crd, *arguments)
        # A manifest that kubectl refuses to merge is reported instead.
        self.assertEqual(bool(done.stderr), done.returncode == 2, done.stderr)
        self.said = done.stderr.decode()
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line.get("name") or line["metadata"]["name"]: line for line in lines}

    def check_told(self, told, ours, theirs, live):
        """Each difference is shown, also one of order, and no others. A field that the API server leaves out is not set."""
        if live:
            if declared(theirs) == declared(live):
                self.assertEqual(told["set"], [], f"{json.dumps(ours)}\nlive {json.dumps(live)}")
            is_told = any(told[part] for part in ("set", "changed", "removed"))
            self.assertEqual(is_told, declared(ours) != declared(live), f"{json.dumps(ours)}\nlive {json.dumps(live)}")

    def check_object(self, name, ours, theirs, live):
        found = list(differences(declared(ours), declared(theirs), live and declared(live)))
        manifest = next(each for each in self.manifests if each["metadata"]["name"] == name)
        self.assertEqual(found, [], f"{json.dumps(manifest)}\nlive {json.dumps(live)}")

    # The two ways

    def path(self, manifest, plural, *name):
        version = manifest["apiVersion"]
        return "/".join(["", "api" if version == "v1" else "apis", version, "namespaces", self.namespace, plural, *name])

    def read(self, manifests, plural):
        """The live objects, by name."""
        names = {each["metadata"]["name"]: each for each in manifests}
        answers = {name: self.api.request("GET", self.path(each, plural, name)) for name, each in names.items()}
        return {name: answer.body for name, answer in answers.items() if answer.ok}

    def compare_server_side(self, manifests, live, plural, manager):
        """The names of the manifests that the API server takes, and how many of them conflict."""
        common = ("--applier", "kubectl-server", "--field-manager", manager)
        told = self.told = self.preview(manifests, live, *common, "-o", "json")
        merged = self.preview(manifests, live, *common, "--force-conflicts", "-o", "object")
        compared, conflicting = [], 0
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            where = self.path(manifest, plural, name)
            tried = self.api.apply(where, manifest, manager, dryRun="All")
            forced = self.api.apply(where, manifest, manager, force=True, dryRun="All")
            if not forced.ok:
                continue
            self.assertEqual(told[name]["refused"], [], f"{json.dumps(manifest)}\nlive {json.dumps(live.get(name))}")
            causes = {each[:3] for each in refused(tried)} if tried.status == 409 else set()
            conflicts = told[name]["conflicts"]
            # kubectl get prints none unless it is asked to, so a file without them shows nothing.
            if conflicts is None:
                self.assertNotIn("managedFields", live[name]["metadata"])
            else:
                self.assertEqual(
                    {(each["path"], each["manager"], each["operation"]) for each in conflicts}, causes,
                    f"{manager}: {json.dumps(manifest)}\nlive {json.dumps(live.get(name))}")
            self.check_object(name, merged[name], forced.body, live.get(name))
            self.check_told(told[name], merged[name], forced.body, live.get(name))
            compared.append(name)
            conflicting += bool(causes)
        return compared, conflicting

    def check_last_apply(self, live, manager):
        """KIND/NAME alone: what the manager owns is taken for its manifest, which applies again and changes nothing."""
        owned = {name: found for name, found in live.items() if any(
            (each["manager"], each["operation"]) == (manager, "Apply") for each in found["metadata"].get("managedFields", ()))}
        if not owned or manager == "kubectl":
            return
        done = harness.run(
            harness.Program.path, "preview", *(f"{found['kind']}/{name}" for name, found in owned.items()), "-n", self.namespace,
            "--live", self.file("live.json", live.values()), "--crd", self.crd, "--applier", "kubectl-server", "--field-manager", manager,
            "-o", "json")
        for line in done.stdout.splitlines():
            told = json.loads(line)
            self.assertEqual([told[part] for part in ("set", "changed", "removed", "kept", "conflicts")], [[]] * 5,
                             f"{manager}: {json.dumps(live[told['name']])}")
        self.assertEqual(len(done.stdout.splitlines()), len(owned), done.stderr)
        self.applied_again += len(owned)

    def compare_client_side(self, manifests, live):
        """The names of the manifests that kubectl applies."""
        told = self.preview(manifests, live, "--applier", "kubectl", "-o", "json")
        merged = self.preview(manifests, live, "--applier", "kubectl", "-o", "object")
        applied = self.kubectl("apply", "--dry-run=server", manifests=manifests)
        for name, theirs in applied.items():
            self.assertIn(name, merged, self.said)
            self.assertEqual(told[name]["refused"], [], json.dumps(live.get(name)))
            self.check_object(name, merged[name], theirs, live.get(name))
            self.check_told(told[name], merged[name], theirs, live.get(name))
        return list(applied)

    def kubectl(self, *arguments, manifests):
        """The objects that it prints, by name."""
        done = subprocess.run(
            self.plane.kubectl_command(*arguments, "-o", "json", "-f", str(self.file("applied.json", manifests)), "--context=admin",
                                       f"--namespace={self.namespace}"),
            capture_output=True, text=True, timeout=120, env=self.plane.kubectl_environment())
        if done.returncode and len(manifests) > 1:
            # Where one is refused, it prints none.
            alone = [self.kubectl(*arguments, manifests=[each]) for each in manifests]
            return {name: found for each in alone for name, found in each.items()}
        printed = json.loads(done.stdout) if done.stdout else {"items": []}
        return {each["metadata"]["name"]: each for each in printed.get("items", [printed])}


class Lives(Oracle):
    def apply_server_side(self, manifests, live, plural):
        """How many were compared, and how many of them conflict."""
        for each in APPLIERS:
            self.check_last_apply(live, each)
        manager = self.generator.pick(*APPLIERS)
        compared, conflicting = self.compare_server_side(manifests, live, plural, manager)
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            if name in compared and self.generator.chance(0.5):
                self.api.apply(self.path(manifest, plural, name), manifest, manager, force=True)
        return len(compared), conflicting

    def apply_client_side(self, manifests, live, _):
        compared = self.compare_client_side(manifests, live)
        self.kubectl("apply", manifests=manifests)
        return len(compared), 0

    def live(self, make, plural):
        self.applied_again = 0
        self.generator = Generator(random.Random(f"{SEED} {make}"))
        ways = {self.apply_server_side: [0, 0], self.apply_client_side: [0, 0]}
        for _ in range(5 * STEPS):
            if min(count for count, _ in ways.values()) >= STEPS:
                break
            manifests = self.manifests = [getattr(self.generator, make)(f"object-{index}") for index in range(OBJECTS)]
            for manifest in manifests:
                manifest["metadata"]["namespace"] = self.namespace
            if self.generator.chance(0.3):
                for manifest in manifests:
                    self.write(manifest, self.path(manifest, plural, manifest["metadata"]["name"]))
                continue
            way = self.generator.pick(*ways)
            compared, conflicting = way(manifests, self.read(manifests, plural), plural)
            ways[way][0] += compared
            ways[way][1] += conflicting
        for way, (compared, conflicting) in ways.items():
            print(f"{make}, {way.__name__}: {compared} applies compared, {conflicting} with conflicts")
            self.assertGreaterEqual(compared, STEPS)
        self.assertGreater(ways[self.apply_server_side][1], 0, "the manifests do not overlap")
        print(f"{make}: {self.applied_again} last applies compared")

    def write(self, manifest, path):
        """A write that is not an apply."""
        patch = {key: manifest[key] for key in ("spec", "data") if key in manifest}
        self.api.request("PATCH", path, patch, content_type=MERGE, fieldManager=self.generator.pick(*WRITERS))

    def test_config_maps(self):
        self.live("config_map", "configmaps")

    def test_deployments(self):
        self.live("deployment", "deployments")

    def test_services(self):
        self.live("service", "services")

    def test_custom_resources(self):
        self.live("widget", "widgets")


class Mistyped(Oracle):
    def test_each_is_refused(self):
        """Values that are not of their fields' types: the API server takes none of them, however they are applied."""
        bare = {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {
            "containers": [{"name": "web", "image": "web"}]}}}
        specs = [{"replicas": "3"}, {"paused": 1}, {"paused": "true"}, {"selector": ["app"]}, {"minReadySeconds": {}}, {"strategy": "Recreate"},
                 {"template": {"spec": {"containers": {"name": "web"}}}}, {"template": {"metadata": {"labels": ["app"]}}}]
        manifests = [{"apiVersion": "apps/v1", "kind": "Deployment", "spec": {**bare, **spec},
                      "metadata": {"name": f"mistyped-{index}", "namespace": self.namespace}} for index, spec in enumerate(specs)]
        self.assertEqual(self.kubectl("apply", "--dry-run=server", manifests=manifests), {})
        for applier in ("kubectl", "kubectl-server"):
            told = self.preview(manifests, {}, "--applier", applier, "-o", "json")
            self.assertEqual([name for name, each in told.items() if not each["refused"]], [])
        for manifest in manifests:
            answer = self.api.apply(self.path(manifest, "deployments", manifest["metadata"]["name"]), manifest, "team-b", dryRun="All")
            self.assertFalse(answer.ok, json.dumps(manifest))
        # So it is without these values.
        valid = [{**manifests[0], "spec": bare}]
        self.assertEqual(len(self.kubectl("apply", "--dry-run=server", manifests=valid)), 1)
        self.assertEqual(self.preview(valid, {}, "-o", "json")["mistyped-0"]["refused"], [])


class Misnamed(Oracle):
    def test_each_is_refused(self):
        """Previews refuse the same names as the API server at creation: no more and no less is refused."""
        names = ["web", "-x", "x-", "X", "x_y", "x.y", "x..y", ".x", "x-.y", "x:y", "x/y", "x%y", ".", "..", "1", "x" * 53, "x" * 63,
                 "x" * 64, "x" * 253, "x" * 254, "é"]
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"}
        pod = {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"}
        kinds = {
            "configmaps": {"apiVersion": "v1", "kind": "ConfigMap"},
            "services": {"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"port": 80}]}},
            "serviceaccounts": {"apiVersion": "v1", "kind": "ServiceAccount"},
            "rolebindings": {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "roleRef": role},
            "roles": {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role"},
            "cronjobs": {"apiVersion": "batch/v1", "kind": "CronJob",
                         "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": pod}}}}},
            "leases": {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease"},
            "widgets": {"apiVersion": "cluster.applyguard.test/v1", "kind": "Widget"},
        }
        for resource, manifest in kinds.items():
            manifests = [{**manifest, "metadata": {"name": name, "namespace": self.namespace}} for name in names]
            told = self.preview(manifests, {}, "-o", "json")
            for name, named in zip(names, manifests):
                # Whether a Service may begin with a digit depends on the version.
                if (resource, name) == ("services", "1"):
                    continue
                answer = self.api.request("POST", self.path(named, resource), named, dryRun="All")
                self.assertEqual(any("metadata.name" in each for each in told[name]["refused"]), not answer.ok,
                                 f"{resource} {name}: {answer.body}")


class Documented(Oracle):
    def test_each_row(self):
        """The rows of Kubernetes' documentation about `kubectl apply`; the same manifests server-side, by kubectl and by
        another."""
        cases = documented_applies.cases(self.namespace)
        then = self.manifests = [manifest for *_, manifest in cases]
        self.assertEqual(len(self.kubectl("apply", manifests=[first for _, first, *_ in cases])), len(cases))
        for name, first, patch, _ in cases:
            if patch:
                answer = self.api.request("PATCH", self.path(first, "deployments", name), patch, content_type=STRATEGIC,
                                          fieldManager="kubectl-edit")
                self.assertTrue(answer.ok, answer.body)
        live = self.read(then, "deployments")
        names = [name for name, *_ in cases]
        self.assertEqual(sorted(self.compare_client_side(then, live)), sorted(names))
        for manager in ("kubectl", "team-b"):
            compared, conflicting = self.compare_server_side(then, live, "deployments", manager)
            # If fields exclude each other, the one that another owner keeps stays.
            self.assertEqual([name for name in names if not self.told[name]["refused"]], compared)
            self.assertEqual(set(names) - set(compared), documented_applies.REFUSED_SERVER_SIDE)
            self.assertGreater(conflicting, 0)


class Secrets(Oracle):
    """stringData is stored as data. Their values are not printed, so the lists of fields are compared."""
    STEPS = ({"stringData": {"a": "1", "b": "2"}}, {"stringData": {"a": "1", "b": "3"}, "data": {"c": "NA=="}},
             {"stringData": {"a": "5"}, "data": {"a": "Ng==", "c": "NA=="}, "type": ""}, {"data": {"a": "Nw=="}},
             {"stringData": {"a": "7"}}, {"stringData": {"a": "7"}})

    def check(self, name, live, theirs, *arguments):
        told = self.preview(self.manifests, {name: live} if live else {}, *arguments, "-o", "json")[name]
        before, after = (found.get("data", {}) if found else {} for found in (live, theirs))
        parts = {"set": after.keys() - before.keys(), "removed": before.keys() - after.keys(),
                 "changed": {key for key in before.keys() & after.keys() if before[key] != after[key]}}
        for part, keys in parts.items():
            paths = {path for path in told[part] if not path.startswith((".metadata", ".type"))}
            self.assertEqual(paths, {f".data.{key}" for key in keys}, f"{part} {self.manifests}\nlive {json.dumps(live)}")

    def manifest(self, name, step):
        self.manifests = [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": self.namespace}, **step}]
        return self.manifests[0]

    def test_server_side(self):
        for step in self.STEPS:
            manifest = self.manifest("server-side", step)
            live = self.read(self.manifests, "secrets").get("server-side")
            applied = self.api.apply(self.path(manifest, "secrets", "server-side"), manifest, "team-b", force=True)
            self.assertTrue(applied.ok, applied.body)
            self.check("server-side", live, applied.body, "--applier", "kubectl-server", "--field-manager", "team-b")

    def test_client_side(self):
        for step in self.STEPS:
            self.manifest("client-side", step)
            live = self.read(self.manifests, "secrets").get("client-side")
            applied = self.kubectl("apply", manifests=self.manifests)["client-side"]
            self.check("client-side", live, applied, "--applier", "kubectl")


class SecondApply(Oracle):
    """Fields that kubectl removes when it applies server-side after client-side applies: it takes that over, and applies
    again."""

    def test_it_is_what_the_preview_notes(self):
        def manifest(name, *keys):
            return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": self.namespace},
                    "data": dict.fromkeys(keys, "1")}
        for manager in ("kubectl", "ci"):
            name = f"by-{manager}"
            self.kubectl("apply", manifests=[manifest(name, "a", "b", "c", "d")])
            path = self.path(manifest(name), "configmaps", name)
            self.assertTrue(self.api.apply(path, manifest(name, "c"), "team-b").ok)
            manifests = [manifest(name, "a", "d")]
            live = self.read(manifests, "configmaps")
            told = self.preview(manifests, live, "--applier", "kubectl-server", "--field-manager", manager, "-o", "json")[name]
            self.assertEqual((told["removed"], told["conflicts"]), ([], []))
            self.kubectl("apply", "--server-side", f"--field-manager={manager}", manifests=manifests)
            left = self.read(manifests, "configmaps")[name]
            gone = {f".data.{key}" for key in live[name]["data"].keys() - left["data"].keys()}
            if "annotations" not in left["metadata"]:
                gone.add(".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration")
            self.assertIn(".data.b", gone)
            self.assertEqual({note.partition(": ")[0] for note in told["notes"] if note.startswith(".")}, gone)


class Pods(Oracle):
    """Fields of pods that are stored in another form, applied one after another, and the last ones twice."""
    VOID = {"hostNetwork": False, "nodeSelector": {}, "volumes": [], "priorityClassName": "", "tolerations": None,
            "containers": [{"name": "c", "image": "i", "env": [{"name": "A", "value": ""}], "args": [], "stdin": False, "resources": {}}]}

    def apply_all(self, *pods):
        for pod in pods:
            self.manifests = [{
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": where, "namespace": self.namespace},
                "spec": {"paused": True, "selector": {"matchLabels": {"a": "b"}}, "template": {
                    "metadata": {"labels": {"a": "b"}, "creationTimestamp": None},
                    "spec": {"containers": [{"name": "c", "image": "i"}], **pod}}}}
                for where in ("client-side", "server-side")]
            live = self.read(self.manifests, "deployments")
            self.assertEqual(self.compare_client_side(self.manifests[:1], live), ["client-side"])
            self.assertEqual(self.compare_server_side(self.manifests[1:], live, "deployments", "team-b")[0], ["server-side"])
            self.kubectl("apply", manifests=self.manifests[:1])
            self.api.apply(self.path(self.manifests[1], "deployments", "server-side"), self.manifests[1], "team-b", force=True)

    def test_both_names_of_the_service_account(self):
        self.apply_all(*({"serviceAccountName": name} if name else {} for name in ("one", "two", None, "one")))

    def test_what_is_left_out(self):
        self.apply_all(self.VOID, self.VOID, {}, self.VOID, {**self.VOID, "hostNetwork": True}, self.VOID, self.VOID)


def resource_definition(name, properties, metadata, **names):
    group = "other.applyguard.test"
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{name}.{group}", **metadata},
        "spec": {"group": group, "scope": "Namespaced", "names": {"plural": name, "kind": name.title(), **names}, "versions": [{
            "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                name: {"type": "string"} for name in properties}}}}]}}


def api_service(metadata, **spec):
    return {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v9.other.applyguard.test", **metadata},
            "spec": {"group": "other.applyguard.test", "version": "v9", "versionPriority": 10, **spec}}


def finalizers(*names):
    return {"finalizers": [f"example.com/{name}" for name in names]}


class OtherServers(Oracle):
    """Kinds of the API servers behind the main one. kubectl merges them as it merges the kinds of Kubernetes itself: lists of
    metadata by their items, and the others as a whole."""

    def path(self, manifest, plural, *name):
        return "/".join(["", "apis", manifest["apiVersion"], plural, *name])

    def check(self, plural, first, patch, then):
        self.manifests = [then]
        name = then["metadata"]["name"]
        self.assertEqual(list(self.kubectl("apply", manifests=[first])), [name])
        answer = self.api.request("PATCH", self.path(then, plural, name), patch, content_type=STRATEGIC, fieldManager="kubectl-edit")
        self.assertTrue(answer.ok, answer.body)
        live = self.read([then], plural)
        self.assertEqual(self.compare_client_side([then], live), [name])
        merged = self.preview([then], live, "--applier", "kubectl", "-o", "object")[name]
        self.assertEqual(sorted(merged["metadata"]["finalizers"]), ["example.com/by-hand", "example.com/kept", "example.com/new"])
        for manager in ("kubectl", "team-b"):
            compared, conflicting = self.compare_server_side([then], live, plural, manager)
            self.assertEqual((compared, conflicting), ([name], 1))

    def test_definitions_of_custom_resources(self):
        self.check(
            "customresourcedefinitions",
            resource_definition("books", ["a", "b"], finalizers("kept", "gone"), shortNames=["bk"], categories=["all"]),
            {"metadata": finalizers("by-hand"), "spec": {"names": {"shortNames": ["bo"]}, "preserveUnknownFields": False}},
            resource_definition("books", ["b", "c"], finalizers("kept", "new"), shortNames=["bk", "bks"]))

    def test_api_services(self):
        self.check(
            "apiservices", api_service({**finalizers("kept", "gone"), "labels": {"a": "1"}}, groupPriorityMinimum=10),
            {"metadata": finalizers("by-hand"), "spec": {"groupPriorityMinimum": 20}},
            api_service(finalizers("kept", "new"), groupPriorityMinimum=30))


if __name__ == "__main__":
    guarded.main()
