#!/usr/bin/env python3
"""KEDA's operator, which makes an autoscaler of each ScaledObject."""

import shutil

import bench
import harness
import programs
from application import application, write
from control_plane import free_ports


class Keda(bench.Bench):
    tool = "keda"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.define(programs.sources("keda", "github.com/kedacore/keda/v2") / "config" / "crd" / "bases")
        cls.kubectl("create", "namespace", "keda", user="setup")
        made, folder = harness.Certificate(), bench.temporary_directory()
        for source, name in ((made.certificate, "ca.crt"), (made.certificate, "tls.crt"), (made.key, "tls.key")):
            shutil.copy(source, folder / name)
        metrics, health, service = free_ports(3)
        cls.start(
            programs.program("keda"), f"--metrics-bind-address=127.0.0.1:{metrics}", f"--cert-dir={folder}",
            f"--health-probe-bind-address=127.0.0.1:{health}", f"--metrics-service-bind-address=127.0.0.1:{service}",
            user="operator",
            environment={"WATCH_NAMESPACE": "", "KEDA_CLUSTER_OBJECT_NAMESPACE": "keda", "POD_NAMESPACE": "keda"})

    def apply(self, namespace, objects, *flags):
        folder = write(objects, self.plane.directory / "repositories" / namespace)
        self.kubectl("apply", "--filename", folder, *flags, namespace=namespace, user="alice")

    def most(self, namespace):
        """The upper bound of the autoscaler; None while there is none."""
        found = self.get("horizontalpodautoscaler/keda-hpa-web", namespace)
        return found and found["spec"]["maxReplicas"]

    def test_normal_life(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(way)
            shop = application(replicas=None)

            def apply(phase, most, name=name, way=way, flags=flags, shop=shop):
                with self.phase(f"{way}: {phase}"):
                    self.apply(name, [*shop, scaled_object(most)], *flags)
                    self.wait_for(lambda: self.most(name) == most, "KEDA's autoscaler")
            apply("install", 5)
            for _ in range(3):
                apply("apply the same", 5)
            apply("upgrade", 7)
            with self.fight(f"{way}: kubectl edit of KEDA's autoscaler"):
                self.kubectl("patch", "hpa/keda-hpa-web", "--patch", '{"spec": {"maxReplicas": 9}}', namespace=name,
                             user="alice")
                self.wait_for(lambda name=name: self.most(name) == 7, "KEDA's answer")
            with self.phase(f"{way}: pause"):
                self.kubectl("annotate", "scaledobject/web", "autoscaling.keda.sh/paused-replicas=1", namespace=name,
                             user="alice")
                self.wait_for(lambda name=name: self.most(name) is None, "KEDA's pause")
            with self.phase(f"{way}: go on"):
                self.kubectl("annotate", "scaledobject/web", "autoscaling.keda.sh/paused-replicas-", namespace=name,
                             user="alice")
                self.wait_for(lambda name=name: self.most(name) == 7, "KEDA's autoscaler")
            with self.phase(f"{way}: delete"):
                self.kubectl("delete", "scaledobject/web", namespace=name, user="alice")
                self.wait_for(lambda name=name: self.most(name) is None, "the end of KEDA's autoscaler")


def scaled_object(most):
    return {
        "apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {
            "scaleTargetRef": {"name": "web"}, "minReplicaCount": 1, "maxReplicaCount": most, "triggers": [{
                "type": "kubernetes-workload", "metadata": {"podSelector": "app=db", "value": "1"}}]}}


if __name__ == "__main__":
    bench.main()
