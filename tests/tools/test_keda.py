#!/usr/bin/env python3
"""KEDA's operator, which makes an autoscaler of each ScaledObject."""

import bench
import installers
import operators
from application import application


class Keda(bench.Bench):
    tool = "keda"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        operators.start_keda(cls)

    def most(self, namespace):
        return operators.most_replicas(self, namespace)

    def test_normal_life(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(way)
            shop = application(replicas=None)

            def apply(phase, most, name=name, way=way, flags=flags, shop=shop):
                with self.phase(f"{way}: {phase}"):
                    installers.kubectl(self, name, [*shop, operators.scaled_object(most)], *flags)
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


if __name__ == "__main__":
    bench.main()
