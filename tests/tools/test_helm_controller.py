#!/usr/bin/env python3
"""Flux's helm-controller, the real one, which detects drift and corrects it; what its source controller does is done here."""

import pathlib

import bench
import flux
import people
from application import application, write_chart

SERVER_SIDE, CLIENT_SIDE = "server-side", "client-side"


class HelmController(flux.FluxBench):
    tool = "helm-controller"
    controller = "helm-controller"
    user = "helm-controller"
    resources = "/apis/helm.toolkit.fluxcd.io/v2/namespaces/flux-system/helmreleases"

    # What Flux is told

    def deliver(self, name, objects):
        """A new chart, and the digest by which the controller knows it."""
        chart = write_chart(objects, self.plane.directory / "repositories" / name)
        artifact = self.repository.publish(chart, pathlib.PurePath("shop"))
        self.source("OCIRepository", name, {"url": "oci://example.com/shop"}, {
            **artifact, "revision": f"1.0.0@{artifact['digest']}"})
        self.digests[name] = artifact["digest"]

    def follow(self, name, mode=SERVER_SIDE):
        """A HelmRelease of this name's chart in the namespace of this name. No pod ever runs here, so it waits for none."""
        client_side = mode == CLIENT_SIDE
        self.send("POST", self.resources, {
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": name}, "spec": {
                "interval": "1h", "releaseName": "shop", "targetNamespace": name, "storageNamespace": name,
                "chartRef": {"kind": "OCIRepository", "name": name}, "driftDetection": {"mode": "enabled"},
                "install": {"disableWait": True, **({"serverSideApply": False} if client_side else {})},
                "upgrade": {"disableWait": True, **({"serverSideApply": "disabled"} if client_side else {})},
                "rollback": {"disableWait": True}, "uninstall": {"disableWait": True}}}, (201,))

    def settle(self, name, ready="True"):
        self.reconcile(name, ready, lastAttemptedRevisionDigest=self.digests[name])

    def settle_in_phase(self, phase, name, objects=None, ready="True"):
        """Settles what is delivered in the phase, or what was before."""
        with self.phase(phase):
            if objects is not None:
                self.deliver(name, objects)
            self.settle(name, ready)

    def image(self, name):
        return self.get("deployment/web", name)["spec"]["template"]["spec"]["containers"][0]["image"]

    # Its life

    def setUp(self):
        super().setUp()
        self.digests = {}

    def test_1_normal_life(self):
        for mode in (SERVER_SIDE, CLIENT_SIDE):
            name = self.namespace(f"shop-{mode}")
            roles = {"cluster_roles": name, "empty_rules": False}
            self.deliver(name, application(**roles))
            self.follow(name, mode)
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
        # What its chart does not say is no drift.
        for what, act in people.ADDITIONS.items():
            with self.phase(f"{mode}: {what}"):
                act(self, name)
            self.settle_in_phase(f"{mode}: resync after {what}", name)
        self.assertTrue(self.get("service/web", name)["spec"]["ports"][1:])
        self.kubectl("delete", "statefulset/db", namespace=name, user="setup")
        self.settle_in_phase(f"{mode}: heal after kubectl delete", name)

    def fail_an_upgrade(self, mode, name, objects):
        """It waits for pods, which never run, gives up and rolls back. Until all is there it is suspended, or it would compare
        the objects once more, in this phase or before it."""
        waits = {"timeout": "5s", "upgrade": {"disableWait": False, "remediation": {"remediateLastFailure": True}}}
        before = self.image(name)
        self.send("PATCH", f"{self.resources}/{name}", {"spec": {**waits, "suspend": True}})
        with self.phase(f"{mode}: upgrade fails and is rolled back"):
            self.deliver(name, objects)
            self.send("PATCH", f"{self.resources}/{name}", {"spec": {"suspend": False}})
            self.settle(name, ready="False")
        self.assertEqual(before, self.image(name))
        self.send("PATCH", f"{self.resources}/{name}", {"spec": {"upgrade": {"disableWait": True}}})

    def uninstall(self, mode, name):
        with self.phase(f"{mode}: uninstall"):
            self.send("DELETE", f"{self.resources}/{name}")
            self.wait_for(lambda: self.api.request("GET", f"{self.resources}/{name}").status == 404, "the uninstallation")
        self.assertIsNone(self.get("deployment/web", name))

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            with self.phase(f"installed by {former}"):
                install(self, name, application())
            self.deliver(name, application())
            self.follow(name)
            self.settle_in_phase(f"adopt from {former}", name)
            self.settle_in_phase(f"resync what {former} installed", name)
            self.settle_in_phase(f"upgrade what {former} installed", name, application(2))

    def test_3_autoscaler(self):
        for mode in (SERVER_SIDE, CLIENT_SIDE):
            for what, replicas in (("with-replicas", 2), ("without-replicas", None)):
                name = self.namespace(f"{mode}-{what}")
                self.deliver(name, application(replicas=replicas))
                self.follow(name, mode)
                self.settle_in_phase(f"{mode}: install {what}", name)
                self.scale(name)
                with self.phase(f"{mode}: resync {what} beside an autoscaler", fight=bool(replicas)):
                    self.settle(name)

    def scale(self, name):
        """The controller has come to rest: what it does beside the autoscaler is of the next phase."""
        self.send("POST", f"/apis/autoscaling/v2/namespaces/{name}/horizontalpodautoscalers", people.autoscaler("web", 4), (201,))
        self.wait_for(lambda: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
        type(self).seen = self._asked()


if __name__ == "__main__":
    bench.main()
