"""chart.py: an API server to install the chart on.

The API server is real; without a kubelet, the webhook that it calls is a program on loopback, given by webhook.url.
"""

import functools
import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "server"), str(HERE.parent / "cluster")]

from control_plane import ControlPlane
from harness import temporary_directory, wait_until
from helm import CHART, IMAGE, NAMESPACE, RELEASE, helm_environment, helm_program, render, run

__all__ = ["CHART", "HERE", "NAMESPACE", "RELEASE", "ClusterTest", "FULL_NAME", "helm_program", "render", "run"]

FULL_NAME = "guard-applyguard"
KINDS = ("certificates.cert-manager.io", "issuers.cert-manager.io", "servicemonitors.monitoring.coreos.com",
         "prometheusrules.monitoring.coreos.com")
RESTRICTED = {f"pod-security.kubernetes.io/{what}": "restricted" for what in ("enforce", "warn", "audit")}


def files_of_module(name, *paths):
    """Files of a Go module that is pinned in tools/, by the last part of its name."""
    done = run(["go", "mod", "download", "-json", f"github.com/{name}"], cwd=HERE / "tools" / name.rsplit("/", 1)[1])
    if done.returncode:
        raise AssertionError(f"{name}: {done.stdout}{done.stderr}")
    return [pathlib.Path(json.loads(done.stdout)["Dir"]) / path for path in paths]


def definitions():
    """cert-manager's own CRDs, and the Prometheus Operator's."""
    return files_of_module(
        "cert-manager/cert-manager", *(f"deploy/crds/cert-manager.io_{kind}.yaml" for kind in ("certificates", "issuers"))
    ) + files_of_module(
        "prometheus-operator/prometheus-operator",
        *(f"example/prometheus-operator-crd/monitoring.coreos.com_{kind}.yaml" for kind in ("servicemonitors", "prometheusrules")))


@functools.cache
def plane_of_the_file():
    """One for all test classes of a file: a control plane costs more than most of the tests on it."""
    plane = ControlPlane(temporary_directory())
    unittest.addModuleCleanup(plane.stop)
    plane.start()
    ClusterTest.plane = plane
    ClusterTest.create_namespace(NAMESPACE, **RESTRICTED)
    for file in definitions():
        ClusterTest.must("create", "--filename", file)
    wait_until(lambda: all(map(ClusterTest.is_known, KINDS)), timeout=60, what="the kinds of others")
    return plane


class ClusterTest(unittest.TestCase):
    """Tests that share one control plane, with the kinds of cert-manager and of the Prometheus Operator, and a restricted
    namespace for the release."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = plane_of_the_file()

    @classmethod
    def is_known(cls, kind):
        return cls.kubectl("get", kind, "--all-namespaces").returncode == 0

    @classmethod
    def kubectl(cls, *arguments, user="admin", **options):
        """kubectl as a user; its undo, for any change."""
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
        cls.plane.call("POST", "/api/v1/namespaces", {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})

    def helm(self, major, *arguments, checks_policy=False):
        """Helm on the release's namespace. Without a node nothing runs the Job that checks the policy."""
        if arguments[0] in ("install", "upgrade"):
            arguments = *arguments, IMAGE, *(() if checks_policy else ("--set=policyCheck.enabled=false",))
        return run([helm_program(major), *arguments, "--namespace", NAMESPACE], env=helm_environment(self.plane))
