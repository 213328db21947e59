#!/usr/bin/env python3
"""The Prometheus Operator, which makes a StatefulSet, Secrets and a Service of each Prometheus."""

import bench
import programs
from application import write
from control_plane import free_ports


class PrometheusOperator(bench.Bench):
    tool = "prometheus-operator"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        sources = programs.sources("prometheus-operator", "github.com/prometheus-operator/prometheus-operator")
        cls.define(sources / "example" / "prometheus-operator-crd")
        cls.start(programs.program("prometheus-operator"), f"--web.listen-address=127.0.0.1:{free_ports(1)[0]}",
                  "--kubelet-endpoints=false", user="operator")

    def apply(self, namespace, objects, *flags):
        folder = write(objects, self.plane.directory / "repositories" / namespace)
        self.kubectl("apply", "--filename", folder, *flags, namespace=namespace, user="alice")

    def replicas(self, namespace):
        found = self.get("statefulset/prometheus-main", namespace)
        return found and found["spec"]["replicas"]

    def test_normal_life(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(way)

            def apply(phase, replicas, name=name, way=way, flags=flags):
                with self.phase(f"{way}: {phase}"):
                    self.apply(name, prometheus(name, replicas), *flags)
                    self.wait_for(lambda: self.replicas(name) == replicas, "the StatefulSet")
            apply("install", 1)
            for _ in range(3):
                apply("apply the same", 1)
            apply("upgrade", 2)
            with self.fight(f"{way}: kubectl edit of the StatefulSet"):
                self.kubectl("patch", "statefulset/prometheus-main", "--patch", '{"spec": {"replicas": 5}}',
                             namespace=name, user="alice")
                self.wait_for(lambda name=name: self.replicas(name) == 2, "the operator's answer")


def prometheus(namespace, replicas):
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "prometheus"}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "Prometheus", "metadata": {"name": "main"}, "spec": {
            "replicas": replicas, "serviceAccountName": "prometheus", "serviceMonitorSelector": {}, "ruleSelector": {},
            "resources": {"requests": {"memory": "400Mi"}}}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor", "metadata": {"name": "web"}, "spec": {
            "selector": {"matchLabels": {"app": "web"}}, "endpoints": [{"port": "http"}]}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": {"name": "web"}, "spec": {
            "groups": [{"name": "web", "rules": [{"alert": "Down", "expr": f'up{{namespace="{namespace}"}} == 0'}]}]}}]


if __name__ == "__main__":
    bench.main()
