#!/usr/bin/env python3
"""Ansible's kubernetes.core: its plain patches, its client-side apply, and its server-side apply."""

import bench
import installers
import people
from application import application


class Ansible(bench.Bench):
    tool = "ansible"

    def test_1_normal_life(self):
        for way in installers.ANSIBLE:
            name = self.namespace(way)

            def play(phase, objects, way=way, name=name, **options):
                with self.phase(f"{way}: {phase}"):
                    installers.ansible(self, name, objects, way, **options)
            play("install", _few())
            for _ in range(3):
                play("play the same", _few())
            play("upgrade", _few(2))
            with self.fight(f"{way}: kubectl edit"):
                people.edit(self, name)
            play("heal after kubectl edit", _few(2))
            for what, act in people.ADDITIONS.items():
                with self.phase(f"{way}: {what}"):
                    act(self, name)
            play("play after all that", _few(2))
            play("prune", [each for each in _few(2) if each["metadata"]["name"] == "leftover"], state="absent")

    def test_2_adoption(self):
        for way in installers.ANSIBLE:
            name = self.namespace(f"{way}-from-kubectl")
            with self.phase(f"installed by kubectl, for {way}"):
                people.FORMER["kubectl"](self, name, _few())
            for phase, version in (("adopt", 1), ("upgrade", 2)):
                with self.phase(f"{way}: {phase} what kubectl installed"):
                    installers.ansible(self, name, _few(version), way)


def _few(version=1):
    """Each object is a task, and a task takes seconds."""
    kinds = ("ConfigMap", "CronJob", "Deployment", "Role", "Secret", "Service", "StatefulSet")
    return [each for each in application(version, without=("Service/db",)) if each["kind"] in kinds]


if __name__ == "__main__":
    bench.main()
