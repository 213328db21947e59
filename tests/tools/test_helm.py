#!/usr/bin/env python3
"""Helm 3, which patches client-side, and Helm 4, which applies server-side."""

import bench
import installers
import people
from application import application


class Helm(bench.Bench):
    tool = "helm"
    plane_options = {"autoscaler_seconds": 1}

    def test_1_normal_life(self):
        for major in (3, 4):
            name = self.namespace(f"helm-{major}")
            forced = ("--force-conflicts",) if major == 4 else ()
            roles = {"cluster_roles": name, "empty_rules": major == 3}

            def upgrade(phase, objects, *flags, major=major, name=name):
                with self.phase(f"helm {major}: {phase}"):
                    installers.helm(self, name, objects, major, "upgrade", *flags)
            with self.phase(f"helm {major}: install"):
                installers.helm(self, name, application(**roles), major, "install")
            for _ in range(3):
                upgrade("upgrade to the same", application(**roles))
            upgrade("upgrade", application(2, **roles))
            with self.phase(f"helm {major}: rollback"):
                self.helm(major, "rollback", "shop", "4", namespace=name)
            upgrade("upgrade again", application(2, **roles))
            with self.fight(f"helm {major}: kubectl edit"):
                people.edit(self, name)
            upgrade("heal after kubectl edit", application(2, **roles), *forced)
            for what, act in people.ADDITIONS.items():
                with self.phase(f"helm {major}: {what}"):
                    act(self, name)
                upgrade(f"upgrade after {what}", application(2, **roles))
            upgrade("prune", application(2, without=("ConfigMap/leftover", "Service/web"), **roles))
            self.assertIsNone(self.get("service/web", name))

    def test_2_adoption(self):
        for major in (3, 4):
            for former in ("kubectl", "kubectl-server-side"):
                name = self.namespace(f"helm-{major}-from-{former}")
                with self.phase(f"installed by {former}, for helm {major}"):
                    people.FORMER[former](self, name, application())
                # Helm 4 stops at a conflict with kubectl's server-side apply unless a flag lets it take over.
                forced = ("--force-conflicts",) if major == 4 else ()
                with self.phase(f"helm {major}: adopt what {former} installed"):
                    installers.helm(self, name, application(), major, "install", "--take-ownership", *forced)
                for phase, version in (("upgrade to the same", 1), ("upgrade", 2)):
                    with self.phase(f"helm {major}: {phase} of what {former} installed"):
                        installers.helm(self, name, application(version), major, "upgrade", *forced)

    def test_3_helm_4_takes_over_from_helm_3(self):
        name = self.namespace("helm-3-to-4")
        with self.phase("helm 3: install, to be taken over"):
            installers.helm(self, name, application(), 3, "install")
        for phase, version in (("take over", 1), ("upgrade what helm 3 installed", 2)):
            with self.phase(f"helm 4: {phase}"):
                installers.helm(self, name, application(version), 4, "upgrade", "--server-side=true")

    def test_4_autoscaler(self):
        for major in (3, 4):
            for replicas in (2, None):
                name = self.namespace(f"helm-{major}-{'with' if replicas else 'without'}-replicas")
                with self.phase(f"install {name}"):
                    installers.helm(self, name, _scaled(1, replicas), major, "install")
                    self.wait_for(lambda name=name: self.get("deployment/web", name)["spec"]["replicas"] == 4, "the autoscaler")
                forced = ("--force-conflicts",) if major == 4 and replicas else ()
                with self.phase(f"upgrade {name} beside an autoscaler", fight=bool(replicas)):
                    installers.helm(self, name, _scaled(2, replicas), major, "upgrade", *forced)


def _scaled(version, replicas):
    return [*application(version, replicas=replicas), people.autoscaler("web", 4)]


if __name__ == "__main__":
    bench.main()
