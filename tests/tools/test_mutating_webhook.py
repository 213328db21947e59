#!/usr/bin/env python3
"""Mutating webhooks that pin images, inject a sidecar and stamp what tools and controllers write."""

import json

import bench
import harness
import people
from application import application, write, write_chart
from loopback import Loopback
from mutator import INJECTED, STAMP, configuration, digest, mutate

LABEL = {"mutated": "true"}
WAYS = ("kubectl", "kubectl-server-side", "helm-3", "helm-4")


class MutatingWebhook(bench.Bench):
    tool = "mutating-webhook"
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        certificate = harness.Certificate()
        webhook = Loopback(certificate, mutate)
        cls.addClassCleanup(webhook.close)
        cls.kubectl("create", "--filename=-", input=json.dumps(configuration(webhook.port, certificate, LABEL)), user="setup")

    # Installs and upgrades

    def kubectl_apply(self, namespace, version, *flags):
        folder = write(few(version), self.plane.directory / "repositories" / namespace)
        self.kubectl("apply", "--filename", folder, *flags, namespace=namespace, user="alice")

    def release(self, major, namespace, version, *flags):
        chart = write_chart(few(version), self.plane.directory / "charts" / namespace)
        self.helm(major, "upgrade", "--install", "shop", chart, *flags, namespace=namespace)

    def install(self, way, namespace, version, *, forced=False):
        """`forced`: what server-side apply does not take from others unasked."""
        flags = ("--force-conflicts",) if forced and way in ("kubectl-server-side", "helm-4") else ()
        if way.startswith("helm"):
            self.release(int(way[-1]), namespace, version, *flags)
        else:
            self.kubectl_apply(namespace, version, *(("--server-side",) if way == "kubectl-server-side" else ()), *flags)

    # The webhooks' changes

    def mutate(self, namespace):
        """From now on they are asked about what is in the namespace."""
        self.kubectl("label", "namespace", namespace, "mutated=true", user="setup")
        probe = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "probe"}})

        def are_asked():
            return STAMP in self.kubectl("create", "--dry-run=server", "--output=json", "--filename=-", input=probe,
                                         namespace=namespace, user="setup")
        self.wait_for(are_asked, "the webhooks")

    def images(self, namespace):
        pod = self.get("deployment/web", namespace)["spec"]["template"]
        self.assertEqual("true", pod["metadata"]["annotations"][INJECTED])
        return [container["image"] for container in pod["spec"]["containers"]]

    def test_1_what_was_installed_before(self):
        for way in WAYS:
            name = self.namespace(f"mutated-{way}")
            with self.phase(f"{way}: install, before the webhooks"):
                self.install(way, name, 1)
            self.mutate(name)
            with self.phase(f"{way}: kubectl annotate, and the webhooks mutate"):
                self.annotate(name, "note=1")
            # Only who is asked once more pins the tag of the sidecar, which came after it.
            self.assertEqual([digest("example.com/web:1"), digest("example.com/proxy:1")], self.images(name))
            with self.phase(f"{way}: kubectl annotate, with nothing left to mutate"):
                self.annotate(name, "note=2")
            for phase, version in (("apply the same", 1), ("apply the same", 1), ("upgrade", 2), ("apply the same", 2)):
                with self.phase(f"{way}: {phase}, and the webhooks mutate"):
                    self.install(way, name, version)
            self.assertEqual(digest("example.com/web:2"), self.images(name)[0])
            with self.fight(f"{way}: kubectl set image"):
                self.kubectl("set", "image", "deployment/web", "web=example.com/web:hotfix", namespace=name, user="alice")
            self.assertEqual(digest("example.com/web:hotfix"), self.images(name)[0])
            with self.phase(f"{way}: heal after kubectl set image, and the webhooks mutate"):
                self.install(way, name, 2, forced=True)
            self.assertEqual(digest("example.com/web:2"), self.images(name)[0])

    def test_2_what_is_installed_under_them(self):
        for way in WAYS:
            name = self.namespace(f"created-{way}")
            self.mutate(name)
            for phase, version in (("install", 1), ("apply the same", 1), ("apply the same", 1), ("upgrade", 2)):
                with self.phase(f"{way}: {phase} under the webhooks"):
                    self.install(way, name, version)
            with self.phase(f"{way}: kubectl rollout restart under the webhooks"):
                people.restart(self, name)
            with self.phase(f"{way}: apply the same after kubectl rollout restart"):
                self.install(way, name, 2)

    def test_3_controllers(self):
        """An operator that writes back all that it read, an autoscaler, and the creators of pods."""
        name = self.namespace("controllers")
        with self.phase("controllers: install, before the webhooks"):
            folder = write([*few(replicas=None), people.autoscaler("web", 3)], self.plane.directory / "repositories" / name)
            self.kubectl("apply", "--filename", folder, namespace=name, user="alice")
            self.wait_for(lambda: len(self.get("pod", name)) == 3, "the pods")
        self.mutate(name)
        for note in ("1", "1", "2"):
            with self.phase("controllers: an operator updates"):
                self.update(name, note)
                self.wait_for(lambda: self.has_sidecars(name), "pods with a sidecar")
        with self.phase("controllers: a StatefulSet makes a pod"):
            self.kubectl("apply", "--filename=-", input=json.dumps(stateful_set()), namespace=name, user="alice")
            self.wait_for(lambda: self.get("pod/db-0", name), "the StatefulSet's pod")
        self.assertEqual([digest("example.com/db:1"), digest("example.com/proxy:1")], [
            container["image"] for container in self.get("pod/db-0", name)["spec"]["containers"]])
        with self.phase("controllers: an autoscaler scales"):
            self.kubectl("patch", "hpa/web", "--patch", '{"spec": {"minReplicas": 4}}', namespace=name, user="setup")
            self.wait_for(lambda: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
        for phase in ("apply the same", "apply the same"):
            with self.phase(f"controllers: {phase}"):
                self.kubectl("apply", "--filename", folder / "deployment-web.yaml", namespace=name, user="alice")

    def annotate(self, namespace, note):
        self.kubectl("annotate", "deployment/web", "configmap/settings", note, "--overwrite", namespace=namespace, user="alice")

    def update(self, namespace, note):
        path = f"/apis/apps/v1/namespaces/{namespace}/deployments/web"

        def is_updated():
            live = self.get("deployment/web", namespace)
            live["metadata"].setdefault("annotations", {})["platform.example.com/note"] = note
            answer = self.api.request("PUT", path, live, user="operator", agent="platform-operator/v1")
            self.assertIn(answer.status, (200, 409), answer.body)
            return answer.ok
        self.wait_for(is_updated, "the operator's update")

    def has_sidecars(self, namespace):
        return any(len(pod["spec"]["containers"]) == 2 for pod in self.get("pod", namespace))


def few(version=1, **options):
    return [each for each in application(version, **options) if each["kind"] in ("ConfigMap", "Deployment")]


def stateful_set():
    return next(each for each in application() if each["kind"] == "StatefulSet")


if __name__ == "__main__":
    bench.main()
