#!/usr/bin/env python3
"""Flux's kustomize-controller, the real one; what its source controller does is done here."""

import itertools

import bench
import people
import programs
from application import application, write
from control_plane import free_ports
from repository import Repository

KUSTOMIZATIONS = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations"
REPOSITORIES = "/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories"


class Flux(bench.Bench):
    tool = "flux"
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.define(*map(_custom_resources, ("source-controller", "kustomize-controller")))
        cls.kubectl("create", "namespace", "flux-system", user="setup")
        cls.repository = Repository(bench.temporary_directory())
        cls.addClassCleanup(cls.repository.close)
        metrics, health = free_ports(2)
        cls.start(
            programs.program("kustomize-controller"), f"--metrics-addr=127.0.0.1:{metrics}",
            f"--health-addr=127.0.0.1:{health}", "--watch-all-namespaces", "--log-level=debug",
            user="flux", environment={"RUNTIME_NAMESPACE": "flux-system"})
        cls.numbers = itertools.count(1)

    # What Flux is told

    def deliver(self, name, objects):
        """A new revision of the repository."""
        folder = write(objects, self.plane.directory / "repositories" / name)
        artifact = self.repository.publish(folder)
        repository = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": name}}
        self.send("POST", REPOSITORIES, {
            **repository, "spec": {"url": "https://example.com/shop", "interval": "1h"}}, (201, 409))
        self.send("PATCH", f"{REPOSITORIES}/{name}/status", {"status": {
            "artifact": artifact, "observedGeneration": 1, "conditions": [{
                "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})

    def follow(self, name):
        """A Kustomization that follows the repository of this name into the namespace of this name."""
        self.send("POST", KUSTOMIZATIONS, {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": name}, "spec": {
                "interval": "1h", "prune": True, "path": "./", "targetNamespace": name,
                "sourceRef": {"kind": "GitRepository", "name": name}}}, (201,))

    def reconcile(self, name):
        """As `flux reconcile kustomization` asks, and waits."""
        wanted = f"request-{next(self.numbers)}"
        self.send("PATCH", f"{KUSTOMIZATIONS}/{name}", {
            "metadata": {"annotations": {"reconcile.fluxcd.io/requestedAt": wanted}}}, fieldManager="flux")

        def is_done():
            status = self.api.request("GET", f"{KUSTOMIZATIONS}/{name}").body.get("status", {})
            ready = [each for each in status.get("conditions", []) if each["type"] == "Ready"]
            done = status.get("lastHandledReconcileAt") == wanted and ready and ready[0]["status"] != "Unknown"
            if done:
                self.assertEqual("True", ready[0]["status"], ready[0]["message"])
            return done
        self.wait_for(is_done, f"the reconciliation of {name}")

    def send(self, method, path, body, expected=(200,), **query):
        patch = {"content_type": bench.MERGE} if method == "PATCH" else {}
        answer = self.api.request(method, path, body, user="setup", **patch, **query)
        self.assertIn(answer.status, expected, answer.body)

    # Its life

    def test_1_normal_life(self):
        shop = self.namespace("shop")
        self.deliver(shop, application(cluster_roles="shop"))
        self.follow(shop)
        with self.phase("install"):
            self.reconcile(shop)
        for _ in range(3):
            with self.phase("resync"):
                self.reconcile(shop)
        self.deliver_in_phase("upgrade", shop, application(2, cluster_roles="shop"))
        with self.phase("resync"):
            self.reconcile(shop)
        for fight, act in {"kubectl edit": people.edit, **people.ADDITIONS}.items():
            with self.fight(fight):
                act(self, shop)
            with self.phase(f"heal after {fight}"):
                self.reconcile(shop)
        self.deliver_in_phase("prune", shop, application(2, without=("ConfigMap/leftover", "Service/web")))
        self.assertIsNone(self.get("service/web", shop))

    def deliver_in_phase(self, phase, name, objects):
        with self.phase(phase):
            self.deliver(name, objects)
            self.reconcile(name)

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            with self.phase(f"installed by {former}"):
                install(self, name, application())
            self.deliver(name, application())
            self.follow(name)
            with self.phase(f"adopt from {former}"):
                self.reconcile(name)
            with self.phase(f"resync what {former} installed"):
                self.reconcile(name)
            self.deliver_in_phase(f"upgrade what {former} installed", name, application(2))

    def test_3_autoscaler(self):
        for name, replicas in (("with-replicas", 2), ("without-replicas", None)):
            self.namespace(name)
            self.deliver(name, [*application(replicas=replicas), people.autoscaler("web", 4)])
            self.follow(name)
            with self.phase(f"install {name}"):
                self.reconcile(name)
                self.wait_for(lambda: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
            with self.fight("the autoscaler") if replicas else self.phase("resync beside the autoscaler"):
                self.reconcile(name)

    def test_4_a_restored_backup(self):
        name = self.namespace("restored")
        self.deliver(name, application())
        self.follow(name)
        with self.phase("install, to be restored"):
            self.reconcile(name)
        with self.phase("velero restores"):
            people.lose_and_restore(self, name)
        with self.phase("resync what velero restored"):
            self.reconcile(name)
        self.deliver_in_phase("upgrade what velero restored", name, application(2))


def _custom_resources(controller):
    return programs.sources(controller, f"github.com/fluxcd/{controller}") / "config" / "crd" / "bases"


if __name__ == "__main__":
    bench.main()
