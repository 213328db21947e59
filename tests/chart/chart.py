"""chart.py: an API server to install the chart on.

The API server is real; there is no kubelet, so the webhook that it calls is a program on loopback, given by webhook.url.
"""

import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "server"), str(HERE.parent / "cluster")]

from control_plane import ControlPlane
from harness import temporary_directory, wait_until
from helm import CHART, NAMESPACE, RELEASE, helm_environment, helm_program, render, run

__all__ = ["CHART", "HERE", "NAMESPACE", "RELEASE", "ClusterTest", "FULL_NAME", "helm_program", "render", "run"]

FULL_NAME = "guard-applyguard"
RESTRICTED = {f"pod-security.kubernetes.io/{what}": "restricted" for what in ("enforce", "warn", "audit")}


def cert_manager_definitions():
    """cert-manager's own CRDs."""
    module = run(["go", "mod", "download", "-json", "github.com/cert-manager/cert-manager"], cwd=HERE / "tools/cert-manager")
    folder = pathlib.Path(json.loads(module.stdout)["Dir"]) / "deploy/crds"
    return [folder / f"cert-manager.io_{kind}.yaml" for kind in ("certificates", "issuers")]


class ClusterTest(unittest.TestCase):
    """Tests that share one control plane, with cert-manager's CRDs and a restricted namespace for the release."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = ControlPlane(temporary_directory())
        cls.addClassCleanup(cls.plane.stop)
        cls.plane.start()
        cls.create_namespace(NAMESPACE, **RESTRICTED)
        for file in cert_manager_definitions():
            cls.must("create", "--filename", file)
        wait_until(lambda: all(map(cls.is_known, ("certificates", "issuers"))), timeout=60, what="cert-manager's kinds")

    @classmethod
    def is_known(cls, kind):
        return cls.kubectl("get", f"{kind}.cert-manager.io", "--all-namespaces").returncode == 0

    @classmethod
    def kubectl(cls, *arguments, user="admin", **options):
        """kubectl as a user; what it did, whatever that was."""
        command = cls.plane.kubectl_command(f"--context={user}", *arguments)
        return run(command, env=cls.plane.kubectl_environment(), **options)

    @classmethod
    def must(cls, *arguments, **options):
        """kubectl where nothing may go wrong; its output."""
        done = cls.kubectl(*arguments, **options)
        if done.returncode:
            raise AssertionError(f"kubectl {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    @classmethod
    def get(cls, *arguments):
        return json.loads(cls.must("get", *arguments, "--output=json", "--show-managed-fields"))

    @classmethod
    def create_namespace(cls, name, **labels):
        cls.must("create", "--filename=-", input=json.dumps({
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}))

    def helm(self, major, *arguments):
        return run([helm_program(major), *arguments, "--namespace", NAMESPACE], env=helm_environment(self.plane))
