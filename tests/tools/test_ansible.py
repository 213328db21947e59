#!/usr/bin/env python3
"""Ansible's kubernetes.core: its plain patches, its client-side apply, and its server-side apply."""

import json
import os

import bench
import people
import programs
from application import application

WAYS = {
    "patch": {},
    "apply": {"apply": True},
    "server-side": {"apply": True, "server_side_apply": {"field_manager": "ansible", "force_conflicts": True}},
}


class Ansible(bench.Bench):
    tool = "ansible"

    def play(self, namespace, objects, way, state="present"):
        playbook = self.plane.directory / f"{namespace}.yaml"
        tasks = [{"kubernetes.core.k8s": {
            "state": state, "namespace": namespace, "definition": each, "context": "admin",
            "kubeconfig": str(self.plane.kubeconfig), **(WAYS[way] if state == "present" else {})}} for each in objects]
        playbook.write_text(json.dumps([{
            "hosts": "localhost", "connection": "local", "gather_facts": False,
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}, "tasks": tasks}]))
        self.run_command([programs.python("ansible"), "-m", "ansible", "playbook", "-i", "localhost,", playbook],
                         env={**os.environ, "ANSIBLE_HOME": str(self.plane.directory / "ansible"), "LC_ALL": "C.UTF-8"})

    def test_1_normal_life(self):
        for way in WAYS:
            name = self.namespace(way)

            def play(phase, objects, way=way, name=name, **options):
                with self.phase(f"{way}: {phase}"):
                    self.play(name, objects, way, **options)
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
        for way in WAYS:
            name = self.namespace(f"{way}-from-kubectl")
            with self.phase(f"installed by kubectl, for {way}"):
                people.FORMER["kubectl"](self, name, _few())
            for phase, version in (("adopt", 1), ("upgrade", 2)):
                with self.phase(f"{way}: {phase} what kubectl installed"):
                    self.play(name, _few(version), way)


def _few(version=1):
    """Each object is a task, and a task takes seconds."""
    kinds = ("ConfigMap", "CronJob", "Deployment", "Role", "Secret", "Service", "StatefulSet")
    return [each for each in application(version, without=("Service/db",)) if each["kind"] in kinds]


if __name__ == "__main__":
    bench.main()
