#!/usr/bin/env python3
"""Flux's kustomize-controller, the real one; what its source controller does is done here."""

import bench
import flux
import people
from application import application


class Flux(bench.Bench):
    tool = "flux"
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flux = flux.KustomizeController(flux.Sources(cls, "kustomize-controller"))

    def test_1_normal_life(self):
        shop = self.namespace("shop")
        self.flux.deliver(shop, application(cluster_roles="shop"))
        self.flux.follow(shop)
        with self.phase("install"):
            self.flux.reconcile(shop)
        for _ in range(3):
            with self.phase("resync"):
                self.flux.reconcile(shop)
        self.deliver_in_phase("upgrade", shop, application(2, cluster_roles="shop"))
        with self.phase("resync"):
            self.flux.reconcile(shop)
        for fight, act in {"kubectl edit": people.edit, **people.ADDITIONS}.items():
            with self.fight(fight):
                act(self, shop)
            with self.phase(f"heal after {fight}"):
                self.flux.reconcile(shop)
        self.deliver_in_phase("prune", shop, application(2, without=("ConfigMap/leftover", "Service/web")))
        self.assertIsNone(self.get("service/web", shop))

    def deliver_in_phase(self, phase, name, objects):
        with self.phase(phase):
            self.flux.deliver(name, objects)
            self.flux.reconcile(name)

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            with self.phase(f"installed by {former}"):
                install(self, name, application())
            self.flux.deliver(name, application())
            self.flux.follow(name)
            with self.phase(f"adopt from {former}"):
                self.flux.reconcile(name)
            with self.phase(f"resync what {former} installed"):
                self.flux.reconcile(name)
            self.deliver_in_phase(f"upgrade what {former} installed", name, application(2))

    def test_3_autoscaler(self):
        for name, replicas in (("with-replicas", 2), ("without-replicas", None)):
            self.namespace(name)
            self.flux.deliver(name, [*application(replicas=replicas), people.autoscaler("web", 4)])
            self.flux.follow(name)
            with self.phase(f"install {name}"):
                self.flux.reconcile(name)
                self.wait_for(lambda: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
            with self.fight("the autoscaler") if replicas else self.phase("resync beside the autoscaler"):
                self.flux.reconcile(name)

    def test_4_a_restored_backup(self):
        name = self.namespace("restored")
        self.flux.deliver(name, application())
        self.flux.follow(name)
        with self.phase("install, to be restored"):
            self.flux.reconcile(name)
        with self.phase("velero restores"):
            people.lose_and_restore(self, name)
        with self.phase("resync what velero restored"):
            self.flux.reconcile(name)
        self.deliver_in_phase("upgrade what velero restored", name, application(2))


if __name__ == "__main__":
    bench.main()
