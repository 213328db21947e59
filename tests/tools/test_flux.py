#!/usr/bin/env python3
"""Flux's kustomize-controller, the real one; what its source controller does is done here."""

import bench
import flux
import people
from application import application, write


class Flux(flux.FluxBench):
    tool = "flux"
    controller = "kustomize-controller"
    user = "flux"
    resources = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations"

    # What Flux is told

    def deliver(self, name, objects):
        """A new revision of the repository."""
        artifact = self.repository.publish(write(objects, self.plane.directory / "repositories" / name))
        self.source("GitRepository", name, {"url": "https://example.com/shop"}, artifact)

    def follow(self, name):
        """A Kustomization that follows the repository of this name into the namespace of this name."""
        self.send("POST", self.resources, {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": name}, "spec": {
                "interval": "1h", "prune": True, "path": "./", "targetNamespace": name,
                "sourceRef": {"kind": "GitRepository", "name": name}}}, (201,))

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


if __name__ == "__main__":
    bench.main()
