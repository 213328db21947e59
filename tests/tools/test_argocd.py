#!/usr/bin/env python3
"""Argo CD's engine with its controller's options, in the three ways in which it can sync."""

import bench
import installers
import people
from application import application


class ArgoCD(bench.Bench):
    tool = "argocd"
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.argocd = installers.ArgoCD(cls)

    def test_1_normal_life(self):
        for way in installers.ARGOCD:
            name = self.namespace(way)

            def sync(phase, objects, way=way, name=name):
                with self.phase(f"{way}: {phase}"):
                    self.argocd.sync(name, name, objects, way)
            sync("install", application(cluster_roles=name))
            for _ in range(3):
                sync("resync", application(cluster_roles=name))
            sync("upgrade", application(2, cluster_roles=name))
            sync("resync", application(2, cluster_roles=name))
            with self.fight(f"{way}: kubectl edit"):
                people.edit(self, name)
            sync("heal after kubectl edit", application(2, cluster_roles=name))
            # Fields that others add stay, unless the object is replaced.
            for what, act in people.ADDITIONS.items():
                with self.phase(f"{way}: {what}", fight=way == "replace"):
                    act(self, name)
                sync(f"sync after {what}", application(2, cluster_roles=name))
            sync("prune", application(2, without=("ConfigMap/leftover", "Service/web"), cluster_roles=name))
            self.wait_for(lambda name=name: not self.get("service/web", name), "the pruning")

    def test_2_adoption(self):
        for way in ("client-side", "server-side"):
            for former, install in people.FORMER.items():
                name = self.namespace(f"{way}-from-{former}")
                with self.phase(f"installed by {former}, for {way}"):
                    install(self, name, application())
                for phase, version in (("adopt", 1), ("resync", 1), ("upgrade", 2)):
                    with self.phase(f"{way}: {phase} what {former} installed"):
                        self.argocd.sync(name, name, application(version), way)

    def test_3_a_change_of_ways(self):
        """From client-side to server-side: Argo CD moves its own fields."""
        name = self.namespace("moving")
        with self.phase("client-side: install, to be moved"):
            self.argocd.sync(name, name, application(), "client-side")
        for phase, version in (("to server-side", 1), ("resync after the move", 1), ("upgrade after the move", 2)):
            with self.phase(phase):
                self.argocd.sync(name, name, application(version), "server-side")

    def test_4_autoscaler(self):
        for way in installers.ARGOCD:
            for replicas in (2, None):
                name = self.namespace(f"{way}-{'with' if replicas else 'without'}-replicas")
                objects = [*application(replicas=replicas), people.autoscaler("web", 4)]
                with self.phase(f"install {name}"):
                    self.argocd.sync(name, name, objects, way)
                    self.wait_for(lambda name=name: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
                # A replace sets to the default what no manifest has.
                is_fight = replicas or way == "replace"
                with self.phase(f"sync {name} beside an autoscaler", fight=is_fight):
                    self.argocd.sync(name, name, objects, way)

    def test_5_a_restored_backup(self):
        for way in ("client-side", "server-side"):
            name = self.namespace(f"{way}-restored")
            with self.phase(f"{way}: install, to be restored"):
                self.argocd.sync(name, name, application(), way)
            with self.phase(f"{way}: velero restores"):
                people.lose_and_restore(self, name)
            for phase, version in (("resync", 1), ("upgrade", 2)):
                with self.phase(f"{way}: {phase} what velero restored"):
                    self.argocd.sync(name, name, application(version), way)


if __name__ == "__main__":
    bench.main()
