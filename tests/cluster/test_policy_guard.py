"""The chart's policy guard on a real API server: a policy that does not load is refused, and while no applyguard answers none is."""

import json
import pathlib
import subprocess
import unittest

import guarded
import harness
import helm

RELEASE, NAMESPACE = "hygiene", "applyguard-system"
HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"


def rendered(server):
    """The chart's webhook configuration for the server, as if it ran in the release's namespace."""
    values = {"fullnameOverride": RELEASE, "policyGuard": {"enabled": True}, "certs": {"mode": "secret"}, "webhook": {
        "url": f"https://127.0.0.1:{server.port}", "caBundle": pathlib.Path(server.certificate.certificate).read_text()}}
    done = helm.render(4, "--values=-", "--show-only=templates/validatingwebhookconfiguration.yaml", release=RELEASE,
                       input=json.dumps(values))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


class PolicyGuard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls, own=True)

    def kubectl(self, *arguments, **options):
        return subprocess.run(self.plane.kubectl_command(*arguments), env=self.plane.kubectl_environment(), capture_output=True,
                              text=True, timeout=120, **options)

    def apply(self, policy, name=f"{RELEASE}-policy", namespace=NAMESPACE):
        return self.kubectl("apply", "--filename=-", input=json.dumps({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace},
            "data": {"policy.yaml": policy}}))

    def is_refused(self):
        done = self.apply(HEAD + "profile: strickt\n")
        return "policy.yaml:3:10: profile must be audit, baseline or strict, not \"strickt\"" in done.stderr and done.returncode != 0

    def test_a_policy_that_does_not_load(self):
        """Protects who edits the policy in the cluster, and who must mend it when all pods are down."""
        self.assertEqual(self.kubectl("create", "namespace", NAMESPACE).returncode, 0)
        with harness.Server() as server:
            done = self.kubectl("apply", "--filename=-", input=rendered(server))
            self.assertEqual(done.returncode, 0, done.stderr)
            harness.wait_until(self.is_refused, what="a refusal")
            self.assertEqual(self.apply(HEAD + "profile: strict\n").returncode, 0)
            self.assertTrue(self.is_refused())
            for others in {"name": "other"}, {"namespace": "default"}:
                self.assertEqual(self.apply("no policy", **others).returncode, 0)
        done = self.apply(HEAD + "profile: strickt\n")
        self.assertEqual((done.returncode, done.stdout), (0, f"configmap/{RELEASE}-policy configured\n"), done.stderr)
        self.assertEqual(self.apply(HEAD).returncode, 0)


if __name__ == "__main__":
    guarded.main()
