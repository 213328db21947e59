#!/usr/bin/env python3
"""kapp, which keeps what it applied in an annotation of its own and patches client-side."""

import bench
import installers
import people
from application import application


class Kapp(bench.Bench):
    tool = "kapp"
    plane_options = {"autoscaler_seconds": 1}

    def test_1_normal_life(self):
        name = self.namespace("shop")

        def deploy(phase, objects, *flags):
            with self.phase(phase):
                installers.kapp(self, name, objects, *flags)
        deploy("install", application(cluster_roles=name))
        for _ in range(3):
            deploy("resync", application(cluster_roles=name))
        deploy("upgrade", application(2, cluster_roles=name))
        deploy("resync", application(2, cluster_roles=name))
        # kapp puts what it declares where others wrote, and what they added is gone.
        for what, act in {"kubectl edit": people.edit, **people.ADDITIONS}.items():
            with self.fight(what):
                act(self, name)
            deploy(f"heal after {what}", application(2, cluster_roles=name))
        deploy("prune", application(2, without=("ConfigMap/leftover", "Service/web"), cluster_roles=name))
        self.assertIsNone(self.get("service/web", name))

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            # The API server refuses kapp's update of a StatefulSet's claims, which leaves out their defaults.
            adopted = {"without": ("StatefulSet/db",)}
            with self.phase(f"installed by {former}"):
                install(self, name, application(**adopted))
            for phase, version in (("adopt", 1), ("resync", 1), ("upgrade", 2)):
                with self.phase(f"{phase} what {former} installed"):
                    installers.kapp(
                        self, name, application(version, **adopted), "--dangerous-override-ownership-of-existing-resources",
                        "--default-label-scoping-rules=false")

    def test_3_autoscaler(self):
        for name, replicas in (("with-replicas", 2), ("without-replicas", None)):
            self.namespace(name)
            objects = [*application(replicas=replicas), people.autoscaler("web", 4)]
            with self.phase(f"install {name}"):
                installers.kapp(self, name, objects)
                self.wait_for(lambda name=name: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
            with self.phase(f"resync {name} beside an autoscaler", fight=bool(replicas)):
                installers.kapp(self, name, objects)


if __name__ == "__main__":
    bench.main()
