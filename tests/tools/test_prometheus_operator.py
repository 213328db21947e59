#!/usr/bin/env python3
"""The Prometheus Operator, which makes a StatefulSet, Secrets and a Service of each Prometheus."""

import bench
import installers
import operators


class PrometheusOperator(bench.Bench):
    tool = "prometheus-operator"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        operators.start_prometheus_operator(cls)

    def replicas(self, namespace):
        return operators.prometheus_replicas(self, namespace)

    def test_normal_life(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(way)

            def apply(phase, replicas, name=name, way=way, flags=flags):
                with self.phase(f"{way}: {phase}"):
                    installers.kubectl(self, name, operators.prometheus(name, replicas), *flags)
                    self.wait_for(lambda: self.replicas(name) == replicas, "the StatefulSet")
            apply("install", 1)
            for _ in range(3):
                apply("apply the same", 1)
            apply("upgrade", 2)
            with self.fight(f"{way}: kubectl edit of the StatefulSet"):
                self.kubectl("patch", "statefulset/prometheus-main", "--patch", '{"spec": {"replicas": 5}}',
                             namespace=name, user="alice")
                self.wait_for(lambda name=name: self.replicas(name) == 2, "the operator's answer")


if __name__ == "__main__":
    bench.main()
