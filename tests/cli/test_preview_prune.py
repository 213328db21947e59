#!/usr/bin/env python3
"""`applyguard preview --prune` with the candidates of the cluster: those that each tool itself would look at.

    tests/cli/test_preview_prune.py APPLYGUARD

Protects people who drop a manifest, and want to know before the apply what that deletes.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import stub_kubectl

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
GROUPS = {
    "/api/v1": [("configmaps", "ConfigMap", True), ("secrets", "Secret", True), ("namespaces", "Namespace", False)],
    "/apis/apps/v1": [("deployments", "Deployment", True)],
    "/apis/kustomize.toolkit.fluxcd.io/v1": [("kustomizations", "Kustomization", True)],
    "/apis/argoproj.io/v1alpha1": [("applications", "Application", True)],
}


def config_map(name, namespace="shop", **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace, **metadata}}


def path_of(each):
    metadata = each["metadata"]
    return f"/api/v1/namespaces/{metadata['namespace']}/{each['kind'].lower()}s/{metadata['name']}"


def listed(kind, *objects):
    """As the API server lists them: items have no kind of their own."""
    return {"apiVersion": "v1", "kind": f"{kind}List", "items": [{key: each[key] for key in each if key not in ("apiVersion", "kind")} for each in objects]}


class Prune(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)
        self.served = stub_kubectl.Served(self.folder, {}, {})

    def prune(self, objects, paths, *arguments, manifest=None):
        """{name: (deleted or left, why)}; or the errors."""
        discovery = {path: {"resources": [{"name": name, "kind": kind, "namespaced": scope} for name, kind, scope in kinds]}
                     for path, kinds in GROUPS.items()}
        self.served.objects = {**discovery, **{path_of(each): each for each in objects}, **paths}
        self.served.write()
        file = self.folder / "manifest.json"
        file.write_text(json.dumps(manifest or config_map("a")))
        done = subprocess.run([APPLYGUARD, "preview", "-f", file, "--prune", "-o", "json", *arguments], capture_output=True, text=True, timeout=60,
                              env=self.served.environment)
        if done.returncode:
            return done.stderr
        return {line["name"]: (line["dropped"], line["reason"]) for line in map(json.loads, done.stdout.splitlines()) if "dropped" in line}

    def test_a_selector_asks_in_the_namespaces_of_the_manifests(self):
        applied = {"annotations": {LAST_APPLIED: "{}"}, "labels": {"app": "shop"}}
        objects = [config_map(name, **applied) for name in ("a", "gone")] + [config_map("by-hand", labels={"app": "shop"})]
        path = "/api/v1/namespaces/shop/configmaps?labelSelector=app%3Dshop"
        found = self.prune(objects, {path: listed("ConfigMap", *objects)}, "-l", "app=shop")
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted", "by-hand": "left"})
        asked = [words for words in self.served.paths() if "?" in words]
        self.assertIn("/api/v1/namespaces?labelSelector=app%3Dshop", asked)
        self.assertIn("/apis/apps/v1/namespaces/shop/deployments?labelSelector=app%3Dshop", asked)
        self.assertFalse([words for words in asked if "/namespaces/default" in words])

    def test_an_apply_set_says_its_kinds_and_namespaces(self):
        identity = "applyset-1Y-vwsCNsCxJaXcv_vTBSVzhcTPCm5ImV_2xs1h28tc-v1"
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "set", "namespace": "shop", "annotations": {
            "applyset.kubernetes.io/contains-group-kinds": "ConfigMap,Deployment.apps", "applyset.kubernetes.io/additional-namespaces": "other"}}}
        self.prune([config_map("a"), secret], {"/apis/apps": {"preferredVersion": {"groupVersion": "apps/v1"}}}, "--applyset", "set", "-n", "shop")
        asked = [words for words in self.served.paths() if "?" in words]
        [selector] = {words.partition("?")[2] for words in asked}
        self.assertTrue(selector.startswith("labelSelector=applyset.kubernetes.io%2Fpart-of%3Dapplyset-"))
        self.assertEqual([words.partition("?")[0] for words in asked], [
            "/api/v1/namespaces/shop/configmaps", "/api/v1/namespaces/other/configmaps",
            "/apis/apps/v1/namespaces/shop/deployments", "/apis/apps/v1/namespaces/other/deployments"])
        label = selector.rpartition("%3D")[2]
        gone = config_map("gone", "other", labels={"applyset.kubernetes.io/part-of": label})
        found = self.prune([config_map("a"), secret, gone], {
            "/apis/apps": {"preferredVersion": {"groupVersion": "apps/v1"}},
            f"/api/v1/namespaces/other/configmaps?{selector}": listed("ConfigMap", gone)}, "--applyset", "set", "-n", "shop")
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted"})
        self.assertIn("name the Secret", self.prune([config_map("a")], {}, "--applyset", identity))
        self.assertIn("has no Secret set", self.prune([config_map("a")], {}, "--applyset", "set"))

    def test_flux_has_an_inventory(self):
        def owned(name, **metadata):
            return config_map(name, labels={"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}, **metadata)
        role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "x:y", "namespace": "shop",
                                                                                        "labels": owned("a")["metadata"]["labels"]}}
        rbac = {"/apis/rbac.authorization.k8s.io/v1": {"resources": [{"name": "roles", "kind": "Role", "namespaced": True}]},
                "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/x:y": role}
        kept = owned("kept", annotations={"kustomize.toolkit.fluxcd.io/prune": "disabled"})
        entries = [{"id": f"shop_{name}__ConfigMap", "v": "v1"} for name in ("a", "gone", "kept", "missing")]
        entries += [{"id": "shop_x__y_rbac.authorization.k8s.io_Role", "v": "v1"}, {"id": "broken", "v": "v1"}, {"id": "_a_b", "v": "v1"}]
        path = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/apps"
        for prunes, dropped in ((True, "deleted"), (False, "left")):
            parent = {"spec": {"prune": prunes}, "status": {"inventory": {"entries": entries}}}
            found = self.prune([owned("a"), owned("gone"), kept], {path: parent, **rbac}, "--applier", "flux")
            self.assertEqual({name: each for name, (each, _) in found.items()}, {"gone": dropped, "kept": "left", "x:y": dropped})
        self.assertIn("spec.prune", found["gone"][1])
        self.assertIn("to which Kustomization it belongs", self.prune([config_map("a")], {}, "--applier", "flux"))

    def test_argo_cd_has_resources(self):
        def tracked(name):
            return config_map(name, annotations={"argocd.argoproj.io/tracking-id": f"shop:/ConfigMap:shop/{name}"})
        def application(name, namespace, *names):
            resources = [{"version": "v1", "kind": "ConfigMap", "namespace": "shop", "name": each} for each in names]
            return {"metadata": {"name": name, "namespace": namespace}, "status": {"resources": resources}}
        applications = {"items": [application("shop", "argocd", "a", "gone"), application("other", "argocd", "theirs")]}
        found = self.prune([tracked("a"), tracked("gone"), tracked("theirs")], {"/apis/argoproj.io/v1alpha1/applications": applications},
                           "--applier", "argocd")
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted"})


if __name__ == "__main__":
    unittest.main()
