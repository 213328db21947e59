"""Ownership conflicts are exactly the ones for which the API server itself refuses an unforced apply."""

import os
import random

import guarded
from api import JSON_PATCH, MERGE
from manifests import Generator, define_widgets
from oracle import judge
from stage import web

STEPS = int(os.environ.get("STEPS") or guarded.amount(60, 120))
SEED = int(os.environ.get("SEED", "1"))
APPLIERS = ["argocd-controller", "kustomize-controller", "team-b", "helm", "ünï \"quoted\" (x)"]
WRITERS = ["kubectl-edit", "k9s", "my-operator", "team-b", "kube-controller-manager"]


class GeneratedManifests(guarded.Guarded):
    """Objects that live through a series of applies and other writes by changing managers."""

    webhook = {"extraRules": [{"apiGroups": ["cluster.applyguard.test"], "resources": ["widgets"]}]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        define_widgets(cls, {})

    def live(self, make, paths):
        """Applies manifests of one kind; every so often to a new object, so that each starts with few owners."""
        generator = Generator(random.Random(f"{SEED} {make}"))
        namespace = self.namespace("baseline")
        judged = conflicts = invalid = 0
        name = "none"
        failures = []
        while judged < STEPS:
            if generator.chance(0.12) or name == "none":
                name = f"object-{judged}"
            manifest = getattr(generator, make)(name)
            path = f"{paths(manifest, namespace)}/{name}"
            if generator.chance(0.25):
                self.write(generator, manifest, path)
                continue
            try:
                result = judge(self, path, manifest, generator.pick(*APPLIERS))
            except AssertionError as failure:
                failures.append(str(failure))
                result = None
            if not result:
                invalid += 1
                self.assertLess(invalid, 5 * STEPS, "hardly any manifest is valid")
                continue
            judged += 1
            conflicts += bool(result[1])
        print(f"{make}: {judged} applies, {conflicts} with conflicts, {invalid} not judged")
        self.assertFalse(failures, "\n".join(failures))
        # None of these requests touches managedFields itself.
        rewritten = [guarded.save(each, "rewritten") for each in self.recorder.since(0)
                     if "managedfields-rewritten" in each.rules]
        self.assertEqual([], rewritten)
        self.assertGreater(conflicts, STEPS // 5, "the manifests do not overlap")

    def write(self, generator, manifest, path):
        """A write that is not a server-side apply."""
        patch = {key: manifest[key] for key in ("spec", "data") if key in manifest}
        patch["metadata"] = {key: manifest["metadata"][key] for key in ("labels", "annotations") if key in manifest["metadata"]}
        self.api.request("PATCH", path, patch, content_type=MERGE, fieldManager=generator.pick(*WRITERS))

    def test_deployments(self):
        self.live("deployment", lambda _, namespace: f"/apis/apps/v1/namespaces/{namespace}/deployments")

    def test_services(self):
        self.live("service", lambda _, namespace: f"/api/v1/namespaces/{namespace}/services")

    def test_config_maps(self):
        self.live("config_map", lambda _, namespace: f"/api/v1/namespaces/{namespace}/configmaps")

    def test_custom_resources_in_two_versions(self):
        self.live("widget", lambda manifest, namespace:
                  f"/apis/{manifest['apiVersion']}/namespaces/{namespace}/widgets")


class HandWrittenManifests(guarded.Guarded):
    """Owners that the generated manifests never have."""

    def setUp(self):
        self.here = self.namespace("baseline")
        self.path = f"/apis/apps/v1/namespaces/{self.here}/deployments/web"

    def prepare(self, *command, manifest=None):
        file = () if manifest is None else ("--filename=-",)
        done = self.run_kubectl(*command, *file, namespace=self.here, manifest=manifest, user="setup")
        self.assertEqual(0, done.returncode, done.stderr)

    def expect(self, manifest, *conflicts, manager="flux"):
        _, judged = judge(self, self.path, manifest, manager)
        self.assertEqual(set(conflicts), judged)

    IMAGE = '.spec.template.spec.containers[name="nginx"].image'

    def test_client_side_applied(self):
        self.prepare("apply", manifest=web())
        self.expect(web("nginx:2"), (self.IMAGE, "kubectl-client-side-apply", "Update", ""))

    def test_edited_and_scaled(self):
        self.prepare("apply", "--server-side", manifest=web())
        self.prepare("scale", "deployment/web", "--replicas=9")
        self.prepare("set", "image", "deployment/web", "nginx=nginx:9")
        self.expect(
            web(), (".spec.replicas", "kubectl", "Update", "scale"), (self.IMAGE, "kubectl-set", "Update", ""))

    def test_several_owners_of_one_field(self):
        self.prepare("apply", "--server-side", manifest=web())
        self.prepare("apply", "--server-side", "--field-manager=argocd", manifest=web())
        self.expect(
            web("nginx:2", 4), *((field, manager, "Apply", "") for field in (self.IMAGE, ".spec.replicas")
                                 for manager in ("kubectl", "argocd")))

    def test_the_same_manager_under_another_operation(self):
        self.prepare("apply", "--server-side", manifest=web())
        patched = self.api.request(
            "PATCH", self.path, {"spec": {"replicas": 8}}, content_type=MERGE, user="setup", fieldManager="flux")
        self.assertTrue(patched.ok, patched.body)
        self.expect(web())

    def test_quantities_that_are_equal_in_the_end(self):
        manifest = web()
        resources = manifest["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "1"}}
        self.prepare("apply", "--server-side", manifest=manifest)
        resources["limits"]["cpu"] = "1000m"
        self.expect(manifest)
        resources["limits"]["cpu"] = "1500m"
        self.expect(
            manifest, ('.spec.template.spec.containers[name="nginx"].resources.limits.cpu', "flux", "Apply", ""),
            manager="argocd")

    def test_ownership_that_was_reset(self):
        self.prepare("apply", "--server-side", manifest=web())
        reset = self.api.request(
            "PATCH", self.path, [{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}],
            content_type=JSON_PATCH, user="setup")
        self.assertTrue(reset.ok, reset.body)
        self.expect(web("nginx:2"))
        self.expect(web("nginx:3"), (self.IMAGE, "flux", "Apply", ""), manager="argocd")

    def test_names_that_must_be_quoted(self):
        manifest = web()
        manifest["metadata"]["annotations"] = {"a.b/c.d": "1"}
        container = manifest["spec"]["template"]["spec"]["containers"][0]
        container["env"] = [{"name": "A.B-c", "value": "1"}]
        odd = 'odd "quoted\\" \u00fc (Apply), x'
        self.assertTrue(self.api.apply(self.path, manifest, odd, user="setup").ok)
        manifest["metadata"]["annotations"]["a.b/c.d"] = "2"
        container["env"][0]["value"] = "2"
        self.expect(
            manifest, (".metadata.annotations.a.b/c.d", odd, "Apply", ""),
            ('.spec.template.spec.containers[name="nginx"].env[name="A.B-c"].value', odd, "Apply", ""))


if __name__ == "__main__":
    guarded.main()
