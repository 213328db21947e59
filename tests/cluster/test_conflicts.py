"""Ownership conflicts are exactly those that the API server itself refuses an unforced apply for."""

import os
import random

import guarded
from api import APPLY, JSON_PATCH, MERGE
from manifests import WIDGETS, Generator, widget_definition
from oracle import found, judge, own_exchange

STEPS = int(os.environ.get("STEPS", "120"))
SEED = int(os.environ.get("SEED", "1"))
APPLIERS = ["argocd-controller", "kustomize-controller", "team-b", "helm", "ünï \"quoted\" (x)"]
WRITERS = ["kubectl-edit", "k9s", "my-operator", "team-b", "kube-controller-manager"]


class GeneratedManifests(guarded.Guarded):
    """Objects that live through a series of applies and other writes by changing managers."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        # A control plane that is used again may still be deleting the last one.
        guarded.wait_until(
            lambda: cls.api.request("POST", definitions, widget_definition({})).ok, timeout=60, what="the CRD's creation")
        cls.addClassCleanup(cls.api.request, "DELETE", f"{definitions}/{WIDGETS}")
        guarded.wait_until(
            lambda: all(cls.api.request("GET", f"/apis/cluster.applyguard.test/{version}/widgets").ok
                        for version in ("v1", "v2")), timeout=30, what="the CRD")

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
        self.assertGreater(conflicts, STEPS // 5, "the manifests do not overlap")

    def write(self, generator, manifest, path):
        """A write that is no server-side apply."""
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


guarded.main()
