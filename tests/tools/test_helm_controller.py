#!/usr/bin/env python3
"""Flux's helm-controller, the real one, which detects drift and corrects it; what its source controller does is done here."""

import bench
import flux
import people
from application import application

SERVER_SIDE, CLIENT_SIDE = "server-side", "client-side"


class HelmController(bench.Bench):
    tool = "helm-controller"
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flux = flux.HelmController(flux.Sources(cls, "helm-controller"))

    def settle_in_phase(self, phase, name, objects=None, ready="True"):
        """Settles what is delivered in the phase, or what was before."""
        with self.phase(phase):
            if objects is not None:
                self.flux.deliver(name, objects)
            self.flux.settle(name, ready)

    def image(self, name):
        return self.get("deployment/web", name)["spec"]["template"]["spec"]["containers"][0]["image"]

    # Its life

    def test_1_normal_life(self):
        for mode in (SERVER_SIDE, CLIENT_SIDE):
            name = self.namespace(f"shop-{mode}")
            roles = {"cluster_roles": name, "empty_rules": False}
            self.flux.deliver(name, application(**roles))
            self.flux.follow(name, mode == CLIENT_SIDE)
            for phase in ("install", *["resync"] * 3):
                self.settle_in_phase(f"{mode}: {phase}", name)
            self.settle_in_phase(f"{mode}: upgrade", name, application(2, replicas=3, **roles))
            self.assertEqual(3, self.get("deployment/web", name)["spec"]["replicas"])
            self.settle_in_phase(f"{mode}: resync", name)
            self.live_beside_people(mode, name)
            self.settle_in_phase(f"{mode}: upgrade what was healed", name, application(3, **roles))
            self.fail_an_upgrade(mode, name, application(4, **roles))
            self.settle_in_phase(f"{mode}: upgrade what was rolled back", name, application(5, **roles))
            self.settle_in_phase(
                f"{mode}: prune", name, application(5, without=("ConfigMap/leftover", "Service/web"), **roles))
            self.assertIsNone(self.get("service/web", name))
            self.uninstall(mode, name)

    def live_beside_people(self, mode, name):
        with self.fight(f"{mode}: kubectl edit"):
            people.edit(self, name)
        self.settle_in_phase(f"{mode}: heal after kubectl edit", name)
        self.assertEqual("example.com/web:2", self.image(name))
        # A field outside of its chart does not count as drift.
        for what, act in people.ADDITIONS.items():
            with self.phase(f"{mode}: {what}"):
                act(self, name)
            self.settle_in_phase(f"{mode}: resync after {what}", name)
        self.assertTrue(self.get("service/web", name)["spec"]["ports"][1:])
        self.kubectl("delete", "statefulset/db", namespace=name, user="setup")
        self.settle_in_phase(f"{mode}: heal after kubectl delete", name)

    def fail_an_upgrade(self, mode, name, objects):
        before = self.image(name)
        with self.phase(f"{mode}: upgrade fails and is rolled back"):
            self.flux.fail_an_upgrade(name, objects)
        self.assertEqual(before, self.image(name))

    def uninstall(self, mode, name):
        with self.phase(f"{mode}: uninstall"):
            self.flux.send("DELETE", f"{self.flux.resources}/{name}")
            self.wait_for(lambda: self.api.request("GET", f"{self.flux.resources}/{name}").status == 404, "the uninstallation")
        self.assertIsNone(self.get("deployment/web", name))

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            with self.phase(f"installed by {former}"):
                install(self, name, application())
            self.flux.deliver(name, application())
            self.flux.follow(name)
            self.settle_in_phase(f"adopt from {former}", name)
            self.settle_in_phase(f"resync what {former} installed", name)
            self.settle_in_phase(f"upgrade what {former} installed", name, application(2))

    def test_3_autoscaler(self):
        for mode in (SERVER_SIDE, CLIENT_SIDE):
            for what, replicas in (("with-replicas", 2), ("without-replicas", None)):
                name = self.namespace(f"{mode}-{what}")
                self.flux.deliver(name, application(replicas=replicas))
                self.flux.follow(name, mode == CLIENT_SIDE)
                self.settle_in_phase(f"{mode}: install {what}", name)
                self.scale(name)
                with self.phase(f"{mode}: resync {what} beside an autoscaler", fight=bool(replicas)):
                    self.flux.settle(name)

    def scale(self, name):
        """The controller has come to rest: its work together with the autoscaler belongs to the next phase."""
        self.flux.send(
            "POST", f"/apis/autoscaling/v2/namespaces/{name}/horizontalpodautoscalers", people.autoscaler("web", 4), (201,))
        self.wait_for(lambda: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
        type(self).seen = self._asked()


if __name__ == "__main__":
    bench.main()
