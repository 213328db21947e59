"""installers.py: what puts manifests into a namespace, each tool as its users run it: (BENCH, NAMESPACE, OBJECTS, …) -> None."""

import json
import os

import programs
from application import write, write_chart

# The three ways in which Argo CD can sync, and those in which Ansible's kubernetes.core can write.
ARGOCD = {
    "client-side": {"serverSide": False, "replace": False},
    "server-side": {"serverSide": True, "replace": False},
    "replace": {"serverSide": False, "replace": True},
}
ANSIBLE = {
    "patch": {},
    "apply": {"apply": True},
    "server-side": {"apply": True, "server_side_apply": {"field_manager": "ansible", "force_conflicts": True}},
}


def kubectl(bench, namespace, objects, *flags):
    bench.kubectl("apply", "--filename", _repository(bench, namespace, objects), *flags, namespace=namespace, user="alice",
                  environment={"KUBECTL_APPLYSET": "true"})


def helm(bench, namespace, objects, major, verb, *flags):
    chart = write_chart(objects, bench.plane.directory / "charts" / namespace)
    bench.helm(major, verb, "shop", chart, *flags, namespace=namespace)


def kapp(bench, namespace, objects, *flags):
    bench.run_command(
        [programs.program("kapp"), "deploy", "--yes", "--wait=false", "--app=shop", f"--namespace={namespace}",
         f"--file={_repository(bench, namespace, objects)}", "--kubeconfig-context=admin", *flags],
        env=bench.plane.kubectl_environment())


def timoni(bench, namespace, objects):
    bench.run_command([programs.program("timoni"), namespace, "shop", _repository(bench, namespace, objects)],
                      env=bench.plane.kubectl_environment())


def ansible(bench, namespace, objects, way, state="present"):
    playbook = bench.plane.directory / f"{namespace}.yaml"
    tasks = [{"kubernetes.core.k8s": {
        "state": state, "namespace": namespace, "definition": each, "context": "admin",
        "kubeconfig": str(bench.plane.kubeconfig), **(ANSIBLE[way] if state == "present" else {})}} for each in objects]
    playbook.write_text(json.dumps([{
        "hosts": "localhost", "connection": "local", "gather_facts": False,
        "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}, "tasks": tasks}]))
    bench.run_command([programs.python("ansible"), "-m", "ansible", "playbook", "-i", "localhost,", playbook],
                      env={**os.environ, "ANSIBLE_HOME": str(bench.plane.directory / "ansible"), "LC_ALL": "C.UTF-8"})


class ArgoCD:
    """Its engine, which runs until the class of tests is done."""

    def __init__(self, bench):
        self.bench = bench
        self.process = bench.start(programs.program("argocd"), user="argocd", answers=True)

    def sync(self, app, namespace, objects, way):
        order = {"app": app, "directory": str(_repository(self.bench, app, objects)), "namespace": namespace, **ARGOCD[way]}
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer != b"\n":
            raise AssertionError(answer.decode() + self.process.log.read_text(errors="replace")[-2000:])


def _repository(bench, name, objects):
    return write(objects, bench.plane.directory / "repositories" / name)
