"""`applyguard blame --history` with the audit log of a real API server: who changed each field is who did it here."""

import gzip
import json
import re
import subprocess
import unittest

import guarded
import harness
from control_plane import USER_NAMES
from stage import web

POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, verbs: [get, list, watch]}
- {level: Metadata, namespaces: [meta], resources: [{group: apps, resources: [deployments, "deployments/*"]}]}
- {level: None, namespaces: [gap], users: [alice], resources: [{group: apps, resources: [deployments, "deployments/*"]}]}
- {level: RequestResponse, resources: [{group: apps, resources: [deployments, deployments/status, deployments/scale]}]}
- {level: None}
"""
IMAGE = '.spec.template.spec.containers[name="nginx"].image'


class History(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls, own=True, audit_policy=POLICY)

    def kubectl(self, *arguments, user, manifest=None, fails=False, environment=None):
        done = subprocess.run(
            self.plane.kubectl_command(*arguments, f"--context={user}", f"--namespace={self.namespace}"),
            input=json.dumps(manifest) if manifest else None, capture_output=True, text=True, timeout=120,
            env={**self.plane.kubectl_environment(), **(environment or {})})
        self.assertEqual(done.returncode != 0, fails, f"{arguments}: {done.stderr}")
        return done.stdout

    def begin(self, namespace):
        self.namespace = namespace
        self.kubectl("create", "namespace", namespace, user="setup")

    def settle(self):
        """The controller has seen the latest, so its own writes are behind it."""
        def is_settled():
            found = self.get()
            return found.get("status", {}).get("observedGeneration") == found["metadata"]["generation"]
        guarded.wait_until(is_settled, timeout=60, what="the deployment controller")

    def get(self):
        return json.loads(self.kubectl("get", "deployment", "web", "-o", "json", "--show-managed-fields", user="setup"))

    def blame(self, *arguments, found=None, logs=None):
        done = harness.run(
            harness.Program.path, "blame", "-f", "-", *arguments,
            *(flag for log in logs or [self.plane.audit_log] for flag in ("--history", str(log))),
            input=json.dumps(found or self.get()).encode())
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def histories(self, **options):
        [line] = self.blame("-o", "json", **options).splitlines()
        answer = json.loads(line)
        return answer["history"], {field["path"]: field["history"] for field in answer["fields"]}

    def hands(self, history):
        self.assertEqual(history["count"], len(history["changes"]))
        self.assertEqual([each for each in history["changes"] if not each["known"]], [])
        times = [each["time"] for each in history["changes"]]
        self.assertEqual(times, sorted(times))
        return [(each["change"], each["manager"], each["user"], each["verb"], each["subresource"], each["force"])
                for each in history["changes"]]

    def test_who_changed_what(self):
        """Protects who asks at night who has set the replicas: each write here is shown, with its user, and no other."""
        self.begin("history")
        self.kubectl("create", "deployment", "web", "--image=nginx:0", user="operator")
        self.settle()
        self.kubectl("delete", "deployment", "web", user="operator")
        self.kubectl("apply", "-f", "-", manifest=web(), user="alice")
        self.settle()
        self.kubectl("scale", "deployment/web", "--replicas=5", user="operator")
        self.settle()
        self.kubectl("edit", "deployment/web", user="admin", environment={"KUBE_EDITOR": "sed -i s/replicas:.5/replicas:\\ 4/"})
        self.settle()
        self.kubectl("apply", "--server-side", "--field-manager=argo", "-f", "-", manifest=web("nginx:7"), user="argocd", fails=True)
        self.kubectl("scale", "deployment/web", "--replicas=9", "--dry-run=server", user="alice")
        self.kubectl("delete", "deployment/web", "--dry-run=server", user="alice")
        self.kubectl("apply", "--server-side", "--force-conflicts", "--field-manager=flux", "-f", "-",
                     manifest=web("nginx:2", replicas=3), user="flux")
        self.settle()
        self.kubectl("label", "deployment/web", "team=a", "--as=bob", "--as-group=devs", user="admin")
        self.settle()
        summary, fields = self.histories()

        applied = ("kubectl-client-side-apply", USER_NAMES["alice"], "create", "", False)
        self.assertEqual(self.hands(fields[".spec.replicas"]), [
            ("set", *applied),
            ("changed", "kubectl", USER_NAMES["operator"], "patch", "scale", False),
            ("changed", "kubectl-edit", USER_NAMES["admin"], "patch", "", False),
            ("changed", "flux", USER_NAMES["flux"], "patch", "", True)])
        self.assertEqual(self.hands(fields[IMAGE]), [
            ("set", *applied), ("changed", "flux", USER_NAMES["flux"], "patch", "", True)])
        self.assertEqual(self.hands(fields[".metadata.labels.team"]), [
            ("set", "kubectl-label", "bob", "patch", "", False)])
        self.assertEqual(fields[".metadata.labels.team"]["changes"][0]["impersonator"], "admin")
        self.assertEqual(self.hands(fields[".spec.selector"]), [("set", *applied)])
        controller = self.hands(fields[".status.observedGeneration"])
        self.assertGreater(len(controller), 2)
        self.assertEqual({each[1:5] for each in controller},
                         {("kube-controller-manager", "system:kube-controller-manager", "update", "status")})
        self.assertRegex(fields[".spec.replicas"]["changes"][1]["user_agent"], "^kubectl/v")
        self.assertEqual(
            [(path, change) for path, field in fields.items() for change in (field or {"changes": []})["changes"]
             if not change["known"]], [])

        self.assertTrue(summary["created"] and summary["recreated"])
        self.assertEqual(summary["first"]["user"], USER_NAMES["alice"])
        self.assertEqual(summary["formerly_deleted"]["user"], USER_NAMES["operator"])
        self.assertEqual((summary["unknown"]["count"], summary["dry_runs"], summary["deleted"]), (0, 2, None))
        self.assertGreaterEqual(summary["refused"], 1)  # and conflicts of the controllers with a stale copy

        live = harness.run(harness.Program.path, "blame", "deploy/web", "-n", self.namespace, "--kubeconfig", str(self.plane.kubeconfig),
                           "-o", "json", "--history", str(self.plane.audit_log))
        self.assertEqual((live.returncode, live.stderr), (0, b""))
        told = {field["path"]: field["history"] for field in json.loads(live.stdout)["fields"]}
        self.assertEqual(told[".spec.replicas"], fields[".spec.replicas"])

        text = self.blame()
        self.assertIn("\n.spec.replicas: 4 changes\n", text)
        self.assertRegex(text, r"(?m)^  \S+Z  changed  kubectl +system:serviceaccount:platform:operator +patch scale +kubectl/v")
        self.assertRegex(text, r"(?m)^  \S+Z  changed  flux +\S+ +patch, forced +kubectl/v")
        self.logs_in_parts_are_one()

    def logs_in_parts_are_one(self):
        """Rotated and packed, in any order, and one part twice: the same history."""
        found = self.get()
        whole = self.histories(found=found)
        folder = guarded.temporary_directory()
        lines = self.plane.audit_log.read_bytes().splitlines(keepends=True)
        third = len(lines) // 3
        (folder / "audit.log").write_bytes(b"".join(lines[2 * third:]))
        (folder / "audit-2026-11-20T10-00-00.000.log.gz").write_bytes(gzip.compress(b"".join(lines[:third])))
        (folder / "audit-2026-11-21T10-00-00.000.log").write_bytes(b"".join(lines[third:2 * third]))
        events = b'{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":['
        (folder / "webhook.log").write_bytes(events + b",".join(line.strip() for line in lines[third:2 * third]) + b"]}\n")
        self.assertEqual(self.histories(found=found, logs=sorted(folder.iterdir())), whole)

    def test_a_write_that_is_not_logged(self):
        """Protects the next writer: a change by a user whom the log leaves out is not attributed to the next writer."""
        self.begin("gap")
        self.kubectl("apply", "-f", "-", manifest=web(), user="operator")
        self.settle()
        guarded.halt_controllers(self.plane, self.addCleanup)
        self.kubectl("patch", "deployment/web", "--patch", '{"spec": {"replicas": 5}}', user="alice")
        self.kubectl("label", "deployment/web", "team=a", user="admin")
        _, fields = self.histories()
        [_, change] = fields[".spec.replicas"]["changes"]
        self.assertFalse(change["known"])
        self.assertEqual(self.hands(fields[".metadata.labels.team"])[0][2], "admin")
        self.assertRegex(self.blame(), r"(?m)^.spec.replicas: 2 changes\n.*\n  \S+Z  changed  \(unknown\) after \S+Z, by kubectl-label \(admin\) or by a write that")

    def test_what_the_level_does_not_show(self):
        """Protects from a guess: at the level Metadata it is only known who wrote, and when."""
        self.begin("meta")
        self.kubectl("apply", "-f", "-", manifest=web(), user="alice")
        self.settle()
        self.kubectl("scale", "deployment/web", "--replicas=5", user="operator")
        self.settle()
        summary, fields = self.histories()
        self.assertIsNone(summary["first"])
        self.assertEqual({field["count"] for field in fields.values() if field}, {0})
        told = [(each["user"], each["verb"], each["subresource"]) for each in summary["unknown"]["writes"]]
        self.assertIn((USER_NAMES["alice"], "create", ""), told)
        self.assertIn((USER_NAMES["operator"], "patch", "scale"), told)
        text = self.blame()
        self.assertIn("The log has no response with this object.", text)
        self.assertTrue(re.search(r"(?m)^  \S+Z  unknown  kubectl +system:serviceaccount:platform:operator +patch scale", text), text)


if __name__ == "__main__":
    guarded.main()
