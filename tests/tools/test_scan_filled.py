#!/usr/bin/env python3
"""A large cluster, filled by real tools and with generated objects, is scanned: what was planted is found, and nothing else; what the
report says first is done; the costs are printed, next to those of kubectl with jq and of popeye.

    OBJECTS=20000 SEED=1 python3 tests/tools/test_scan_filled.py build/applyguard

applyguard judges no request here. tests/cluster/test_scan_filled.py is the same in small, without the tools.
"""

import json
import os

import bench
import costs
import filled
import flux
import guarded
import installers
import people
import programs
import scanning
from api import Api
from application import application

OBJECTS = int(os.environ.get("OBJECTS", "20000"))
SEED = os.environ.get("SEED", "1")


class ScanFilled(scanning.Scanning, bench.Bench):
    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls, own=True, audit_policy=costs.AUDIT_POLICY)
        cls.api, cls.logs = Api(cls.plane), []
        cls.addClassCleanup(cls.api.close)
        filling = filled.Filling(cls.plane, OBJECTS, SEED)
        cls.expected = filling.expected
        cls.use_tools()
        filling.fill()

    @classmethod
    def tearDownClass(cls):
        """No review was recorded."""

    def setUp(self):
        """Nor is one awaited."""

    # The tools, and what people did to what these installed

    @classmethod
    def use_tools(cls):
        for name, install in (
                ("helm-3", lambda *where: installers.helm(*where, 3, "install")),
                ("helm-4", lambda *where: installers.helm(*where, 4, "install")),
                ("kubectl", installers.kubectl),
                ("kubectl-server-side", lambda *where: installers.kubectl(*where, "--server-side"))):
            cls.installed(name, lambda name, install=install: install(cls, name, application()))
        controller = flux.KustomizeController(flux.Sources(cls, "kustomize-controller"))

        def follow(name):
            controller.deliver(name, application())
            controller.follow(name)
            controller.reconcile(name)
        cls.installed("flux", follow)
        argocd = installers.ArgoCD(cls)
        for way in ("client-side", "server-side"):
            cls.installed(f"argocd-{way}", lambda name, way=way: argocd.sync(name, name, application(), way))
        cls.leave_faults()

    @classmethod
    def installed(cls, namespace, install):
        """What was installed is ready for server-side apply, or is not, by the tool."""
        cls.kubectl("create", "namespace", namespace, user="setup")
        install(namespace)
        state = "migrate" if namespace in ("helm-3", "kubectl", "argocd-client-side") else "ready"
        for manifest in application():
            group, slash, _ = manifest["apiVersion"].partition("/")
            # Of this one only the name is applied, so it has no owners.
            if manifest["kind"] != "ServiceAccount" or namespace != "kubectl-server-side":
                kind = f"{manifest['kind']}.{group}" if slash else manifest["kind"]
                cls.expected.readiness[state].add((kind, namespace, manifest["metadata"]["name"]))

    @classmethod
    def leave_faults(cls):
        found = cls.expected.findings
        for namespace in ("kubectl", "argocd-client-side"):
            found[("Secret", namespace, "login", "last-applied-secret", ())] += 1
        image, web = '.spec.template.spec.containers[name="web"].image', "Deployment.apps"
        for namespace in ("helm-3", "helm-4", "flux"):
            cls.kubectl("set", "image", "deployment/web", "web=example.com/web:hotfix", namespace=namespace, user="alice")
        found[(web, "helm-3", "web", "undone-change", (image,))] += 1
        found[(web, "helm-4", "web", "next-conflict", (image,))] += 1
        found[(web, "flux", "web", "undone-change", (image,))] += 1
        for namespace in ("argocd-server-side", "kubectl-server-side"):
            cls.kubectl("label", "deployment/web", "by=hand", namespace=namespace, user="alice")
            found[(web, namespace, "web", "orphaned-fields", (".metadata.labels.by",))] += 1
            cls.expected.readiness["ready"].remove((web, namespace, "web"))
            cls.expected.readiness["stuck"].add((web, namespace, "web"))
        # Both scale the Deployment that declares its replicas.
        for namespace in ("helm-4", "kubectl"):
            cls.kubectl("create", "--filename=-", input=json.dumps(people.autoscaler("web", 2)), namespace=namespace, user="alice")
            found[(web, namespace, "web", "autoscaled-replicas", (".spec.replicas",))] += 1

    # What a scan says of them

    def test_1_what_was_planted_is_found_and_nothing_else(self):
        lines, summary = self.check_what_was_planted()
        print("rule                          planted  found", *filled.table(self.expected, lines), sep="\n", flush=True)
        self.assertGreaterEqual(summary["objects"], OBJECTS)

    def test_2_costs(self):
        """The figures are printed; the machine decides about most of them."""
        print(*costs.report(self.plane, self.environment(), programs.program("popeye")), sep="\n", flush=True)

    def test_3_what_to_do_first_can_be_done(self):
        self.do_the_first_five()


if __name__ == "__main__":
    bench.main()
