"""applyguard as a webhook that the API server reads from a file (docs/control-plane.md), with the documented files."""

import json
import subprocess
import unittest

import guarded
import harness
import kubernetes
from control_plane import DOCUMENTED, ControlPlane

NAME = "applyguard.static.k8s.io"
DEPLOYMENT = {
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
    "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {
        "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "nginx:1"}]}}}}
DENYING = ("apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n"
           "  explicit-strategy: {action: \"off\"}\n"
           "  explicit-fields: {action: deny, fields: {Deployment.apps: [.spec.strategy.type]}}\n")


def knows_static_manifests():
    program = kubernetes.programs() / "kube-apiserver"
    return b"ManifestBasedAdmissionControlConfig" in subprocess.run([program, "--help"], capture_output=True).stdout


class StaticAdmission(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not knows_static_manifests():
            raise unittest.SkipTest("this Kubernetes reads no webhooks from files")
        cls.folder = guarded.temporary_directory()
        certificates = cls.folder / "certificates"
        cls.run_applyguard("certs", "create", "--out", certificates, "--service", "applyguard", "--namespace", "kube-system", "--ip", "127.0.0.1")
        policy = cls.folder / "policy.yaml"
        policy.write_text(DENYING)
        cls.server = harness.Server(policy=policy, certificate=harness.UnknownCertificate(["--tls-cert", certificates / "tls.crt", "--tls-key", certificates / "tls.key"]))
        cls.addClassCleanup(cls.server.stop)
        cls.manifests = cls.folder / "manifests"
        cls.manifests.mkdir()
        cls.write_manifest((DOCUMENTED / "webhook.yaml").read_text(), certificates / "ca.crt")
        cls.plane = ControlPlane(cls.folder / "plane", static_webhooks=cls.manifests)
        cls.addClassCleanup(cls.plane.stop)
        cls.plane.start()

    @classmethod
    def run_applyguard(cls, *arguments):
        return subprocess.run([harness.Program.path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    @classmethod
    def write_manifest(cls, documented, authority):
        manifest = cls.folder / "webhook.yaml"
        manifest.write_text(documented.replace("127.0.0.1:8443", f"127.0.0.1:{cls.server.port}"))
        (cls.manifests / "applyguard.yaml").write_text(cls.run_applyguard("certs", "inject", "--ca", authority, manifest))

    def kubectl(self, *arguments, **options):
        command = self.plane.kubectl_command("--context=admin", *arguments)
        return subprocess.run(command, env=self.plane.kubectl_environment(), capture_output=True, text=True, timeout=120, **options)

    def apply(self, mode):
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": mode, "labels": {"applyguard.io/mode": mode}}}
        self.plane.call("POST", "/api/v1/namespaces", namespace)
        return self.kubectl("apply", "--server-side", "--filename=-", "--namespace", mode, input=json.dumps(DEPLOYMENT))

    def test_the_first_write_is_judged_in_the_mode_of_its_namespace(self):
        denied, warned, unseen = (self.apply(mode) for mode in ("enforce", "warn", "off"))
        self.assertNotEqual(denied.returncode, 0)
        self.assertRegex(denied.stderr, r'"enforce\.applyguard\.io" denied the request: .*\[explicit-fields\]')
        self.assertEqual(warned.returncode, 0, warned.stderr)
        self.assertIn("[explicit-fields]", warned.stderr)
        self.assertEqual((unseen.returncode, unseen.stderr), (0, ""))

    def test_it_is_no_object_of_the_cluster(self):
        """The page's claim: it cannot be deleted through the API, nor made there."""
        self.assertIn("NotFound", self.kubectl("delete", "validatingwebhookconfiguration", NAME).stderr)
        made = self.kubectl("create", "--filename=-", input=json.dumps({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": NAME}}))
        self.assertNotEqual(made.returncode, 0, "the name is reserved")


if __name__ == "__main__":
    guarded.main()
