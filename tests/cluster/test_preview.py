"""`applyguard preview` is what the API server makes of an apply: the object equals that of a dry run, and the conflicts are the
list of the 409. Manifests that overlap are applied again and again, by changing managers and by hand.

STEPS in the environment is how many applies of each kind are compared in each way (12), SEED which.
"""

import json
import os
import random
import secrets

import documented_applies
import guarded
import kubernetes
from api import MERGE, STRATEGIC
from drawn_schemas import Schemas
from manifests import Generator
from preview_oracle import APPLIERS, SEED, STEPS, WRITERS, Oracle

# Objects that live side by side: one kubectl and one preview are for all of them.
OBJECTS = 12


class Lives(Oracle):
    def apply_server_side(self, manifests, live):
        """How many were compared, and how many of them conflict."""
        for each in APPLIERS:
            self.check_last_apply(live, each)
        manager = self.generator.pick(*APPLIERS)
        compared, conflicting = self.compare_server_side(manifests, live, manager)
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            if name in compared and self.generator.chance(0.5):
                self.api.apply(self.path(manifest), manifest, manager, force=True)
        return len(compared), conflicting

    def apply_client_side(self, manifests, live):
        compared = self.compare_client_side(manifests, live)
        self.store(compared, live)
        return len(compared), 0

    def live(self, make):
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
                    self.write(manifest, self.path(manifest))
                continue
            way = self.generator.pick(*ways)
            compared, conflicting = way(manifests, self.read(manifests))
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
        self.live("config_map")

    def test_deployments(self):
        self.live("deployment")

    def test_services(self):
        self.live("service")

    def test_custom_resources(self):
        self.live("widget")


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
            answer = self.api.apply(self.path(manifest), manifest, "team-b", dryRun="All")
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
                answer = self.api.request("POST", self.discovery.collection(named, self.namespace), named, dryRun="All")
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
                answer = self.api.request("PATCH", self.path(first), patch, content_type=STRATEGIC,
                                          fieldManager="kubectl-edit")
                self.assertTrue(answer.ok, answer.body)
        live = self.read(then)
        names = [name for name, *_ in cases]
        self.assertEqual(sorted(self.compare_client_side(then, live)), sorted(names))
        for manager in ("kubectl", "team-b"):
            compared, conflicting = self.compare_server_side(then, live, manager)
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
            live = self.read(self.manifests).get("server-side")
            applied = self.api.apply(self.path(manifest), manifest, "team-b", force=True)
            self.assertTrue(applied.ok, applied.body)
            self.check("server-side", live, applied.body, "--applier", "kubectl-server", "--field-manager", "team-b")

    def test_client_side(self):
        for step in self.STEPS:
            self.manifest("client-side", step)
            live = self.read(self.manifests).get("client-side")
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
            path = self.path(manifest(name))
            self.assertTrue(self.api.apply(path, manifest(name, "c"), "team-b").ok)
            manifests = [manifest(name, "a", "d")]
            live = self.read(manifests)
            told = self.preview(manifests, live, "--applier", "kubectl-server", "--field-manager", manager, "-o", "json")[name]
            self.assertEqual((told["removed"], told["conflicts"]), ([], []))
            self.kubectl("apply", "--server-side", f"--field-manager={manager}", manifests=manifests)
            left = self.read(manifests)[name]
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
            live = self.read(self.manifests)
            self.assertEqual(list(self.compare_client_side(self.manifests[:1], live)), ["client-side"])
            self.assertEqual(self.compare_server_side(self.manifests[1:], live, "team-b")[0], ["server-side"])
            self.kubectl("apply", manifests=self.manifests[:1])
            self.api.apply(self.path(self.manifests[1]), self.manifests[1], "team-b", force=True)

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

    def check(self, first, patch, then):
        self.manifests = [then]
        name = then["metadata"]["name"]
        self.assertEqual(list(self.kubectl("apply", manifests=[first])), [name])
        answer = self.api.request("PATCH", self.path(then), patch, content_type=STRATEGIC, fieldManager="kubectl-edit")
        self.assertTrue(answer.ok, answer.body)
        live = self.read([then])
        self.assertEqual(list(self.compare_client_side([then], live)), [name])
        merged = self.preview([then], live, "--applier", "kubectl", "-o", "object")[name]
        self.assertEqual(sorted(merged["metadata"]["finalizers"]), ["example.com/by-hand", "example.com/kept", "example.com/new"])
        for manager in ("kubectl", "team-b"):
            compared, conflicting = self.compare_server_side([then], live, manager)
            self.assertEqual((compared, conflicting), ([name], 1))

    def test_definitions_of_custom_resources(self):
        self.check(
            resource_definition("books", ["a", "b"], finalizers("kept", "gone"), shortNames=["bk"], categories=["all"]),
            {"metadata": finalizers("by-hand"), "spec": {"names": {"shortNames": ["bo"]}, "preserveUnknownFields": False}},
            resource_definition("books", ["b", "c"], finalizers("kept", "new"), shortNames=["bk", "bks"]))

    def test_api_services(self):
        self.check(
            api_service({**finalizers("kept", "gone"), "labels": {"a": "1"}}, groupPriorityMinimum=10),
            {"metadata": finalizers("by-hand"), "spec": {"groupPriorityMinimum": 20}},
            api_service(finalizers("kept", "new"), groupPriorityMinimum=30))


class CustomValues(Oracle):
    """Values that the schema of a CustomResourceDefinition restricts in every way that it can, but for CEL. SCHEMAS in the
    environment is how many schemas are drawn (60)."""
    GROUP = "values.applyguard.test"

    def define(self, properties):
        """The definition of a kind with these fields, once the API server serves it."""
        plural = f"values{secrets.token_hex(4)}"
        definition = {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{self.GROUP}"},
            "spec": {"group": self.GROUP, "scope": "Namespaced", "names": {"plural": plural, "kind": plural.title()}, "versions": [{
                "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": properties}}}}}]}}
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        answer = self.api.request("POST", definitions, definition)
        self.assertTrue(answer.ok, answer.body)
        self.addCleanup(self.api.request, "DELETE", f"{definitions}/{plural}.{self.GROUP}")
        collection = f"/apis/{self.GROUP}/v1/namespaces/{self.namespace}/{plural}"
        guarded.wait_until(lambda: self.api.request("GET", collection).ok, timeout=30, what="the custom resources")
        self.crd = self.file("values.json", [definition])
        return plural.title(), collection

    def test_each_is_refused_or_taken_as_the_api_server_does(self):
        schemas = Schemas(random.Random(f"{SEED} values"))
        count = int(os.environ.get("SCHEMAS", "60"))
        properties = {f"field{index}": schemas.schema() for index in range(count)}
        # Kubernetes 1.34 is the first to know these formats.
        if kubernetes.chosen_minor() == "1.33":
            properties = {name: json.loads(json.dumps(schema).replace('"k8s-', '"no-')) for name, schema in properties.items()}
        kind, collection = self.define(properties)
        manifests = [
            {"apiVersion": f"{self.GROUP}/v1", "kind": kind, "metadata": {"name": f"value-{index}-{turn}", "namespace": self.namespace},
             "spec": {f"field{index}": schemas.value(properties[f"field{index}"])}} for index in range(count) for turn in range(6)]
        told = self.preview(manifests, {}, "--applier", "kubectl-server", "-o", "json")
        answers = {"refused": 0, "taken": 0, "left to the API server": 0}
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            refused = told[name]["refused"]
            is_unknown = any("only the API server checks it" in note for note in told[name].get("notes", ()))
            answer = self.api.apply(f"{collection}/{name}", manifest, "team-b", dryRun="All")
            answers["left to the API server" if is_unknown and not refused else "taken" if answer.ok else "refused"] += 1
            schema = properties[next(iter(manifest["spec"]))]
            with self.subTest(schema=json.dumps(schema), spec=json.dumps(manifest["spec"]), said=answer.body.get("message")):
                self.assertTrue(not refused or not answer.ok, refused)
                self.assertTrue(refused or is_unknown or answer.ok)
        print(f"values: {answers}")
        self.assertGreater(answers["refused"], count / 2)
        self.assertGreater(answers["taken"], count / 2)


if __name__ == "__main__":
    guarded.main()
