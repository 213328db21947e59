"""What a watched namespace's users never see can be found: by the very commands of webhook/README.md."""

import json
import pathlib
import re
import shlex
import subprocess

import account
import guarded
import harness
from stage import web

README = pathlib.Path(__file__).resolve().parents[2] / "webhook" / "README.md"
PLACES = ("kubectl -n applyguard logs", "kubectl get events", "jq", "curl")


def commands():
    """The section's commands, by what they begin with."""
    [section] = re.findall(r"^## Finding what was found$(.*?)^## ", README.read_text(), re.MULTILINE | re.DOTALL)
    found = re.findall(r"^\$ (.*)$", section, re.MULTILINE)
    return {place: [command for command in found if command.startswith(place)] for place in PLACES}, len(found)


def config_map(name, value):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"key": value}}


class AuditTrail(guarded.Guarded):
    """A conflict in a namespace that is only watched: it passes in silence. Events are recorded with the rights that the
    chart gives for it, and no others."""

    webhook = {"events": True}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.watched = cls.namespace("strict-audit")
        for arguments in ("apply", "--server-side", "--filename=-"), ("set", "image", "deployment/web", "*=nginx:9"):
            done = cls.run_kubectl(*arguments, namespace=cls.watched, manifest=web(), user="alice")
            if (done.returncode, done.stderr) != (0, ""):
                raise AssertionError(done.stderr)
        guarded.wait_until(lambda: cls.watched in cls.plane.audit_log.read_text(), what="the audit log")

    @classmethod
    def flags(cls, guard):
        if guard != "strict":
            return ()
        account.create(cls.plane, "recorder", "events.enabled=true", "events")
        return "--events", "--kubeconfig", account.kubeconfig(cls.plane, cls.api, "recorder")

    def events(self, namespace, name):
        """The Events about what has this name, by their reasons."""
        listed = self.api.request("GET", f"/api/v1/namespaces/{namespace}/events", fieldSelector=f"involvedObject.name={name}")
        return {each["reason"]: each for each in listed.body["items"] if each["reportingComponent"] == "applyguard.io"}

    def wait_for_event(self, namespace, name, reason, count=1):
        def find():
            event = self.events(namespace, name).get(reason)
            return event and event["count"] >= count and event
        return guarded.wait_until(find, timeout=30, what=f"{count} of {reason}")

    def apply(self, namespace, manager, manifest, **query):
        """Applied server-side over whatever others have; what is stored then."""
        kind = {"ConfigMap": "api/v1", "Deployment": "apis/apps/v1"}[manifest["kind"]]
        path = f"/{kind}/namespaces/{namespace}/{manifest['kind'].lower()}s/{manifest['metadata']['name']}"
        applied = self.api.apply(path, manifest, manager, force=True, **query)
        self.assertTrue(applied.ok, applied.body)
        self.assertEqual(applied.warnings, [])
        return applied.body

    def output(self, place):
        """What the README's command says, with this server's log and port in the place of a cluster's."""
        found, count = commands()
        self.assertEqual(count, len(PLACES), "a command that no test runs")
        [command] = found[place]
        guard = self.guards["strict"]
        (self.plane.directory / "webhook.log").write_bytes(guard.output)
        command = command.replace(":9090/", f":{guard.metrics_port}/")
        kubectl = shlex.join(self.plane.kubectl_command())
        script = (f'set -euo pipefail; kubectl() {{ case $1 in get) {kubectl} "$@" ;; *) cat webhook.log ;; esac; }}; {command}')
        done = subprocess.run(["bash", "-c", script], cwd=self.plane.directory, capture_output=True, text=True, timeout=60,
                              env=self.plane.kubectl_environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_in_the_webhook_s_log(self):
        """Protects who has no access to the API server's own log: one line tells object, writer and rule."""
        lines = [line.split() for line in self.output("kubectl -n applyguard logs").splitlines() if self.watched in line]
        conflicts = [line for line in lines if "ownership-conflict" in line]
        self.assertEqual(len(conflicts), 1, lines)
        # The API server asks again when a controller wrote in between: uniq says once or twice.
        self.assertRegex(conflicts[0][0], "^[1-9]$")
        self.assertEqual(conflicts[0][1:7], ["audit", self.watched, "Deployment.apps", "web", "kubectl-set", "alice"])

    def test_in_the_audit_log(self):
        """Protects who wants the whole finding: fields and managers are in the annotation."""
        found = [json.loads(line) for line in self.output("jq").splitlines()]
        [conflict] = [(each, finding) for each in found if each["object"].get("namespace") == self.watched
                      for finding in each["findings"] if finding.get("rule") == "ownership-conflict"]
        self.assertEqual((conflict[0]["user"], conflict[0]["object"]["name"]), ("alice", "web"))
        self.assertEqual(conflict[1]["action"], "audit")
        self.assertIn(".image", json.dumps(conflict[1]))

    def test_in_the_events(self):
        """Protects who looks at the namespace alone: an Event of the object says who takes what from whom."""
        self.wait_for_event(self.watched, "web", "OwnershipConflict")
        [line] = [line.split(maxsplit=5) for line in self.output("kubectl get events").splitlines()
                  if self.watched in line and "OwnershipConflict" in line]
        self.assertEqual((line[0], line[2:5]), (self.watched, ["Warning", "OwnershipConflict", "deployment/web"]))
        self.assertRegex(line[5], r"^kubectl-set takes \.spec.*\.image from kubectl \(Apply\)")

    def test_repetitions_are_one_event(self):
        """Protects `kubectl describe` from a line for each round of a fight, and dry runs from leaving anything behind."""
        namespace = self.namespace("strict-audit")
        self.apply(namespace, "one", config_map("tried", "1"))
        self.apply(namespace, "two", config_map("tried", "2"), dryRun="All")
        for number, manager in enumerate(("one", "two", "one", "two")):
            stored = self.apply(namespace, manager, config_map("fought-over", str(number)))
        event = self.wait_for_event(namespace, "fought-over", "OwnershipConflict", count=3)
        self.assertEqual(event["involvedObject"], {
            "apiVersion": "v1", "kind": "ConfigMap", "namespace": namespace, "name": "fought-over", "uid": stored["metadata"]["uid"]})
        self.assertRegex(event["message"], r"^two \(Apply\) takes \.data\.key from one \(Apply\)")
        self.assertEqual(self.events(namespace, "tried"), {})
        described = self.run_kubectl("describe", "configmap", "fought-over", namespace=namespace).stdout
        self.assertRegex(described, r"Warning +OwnershipConflict .*\(x\d+ over .*applyguard\.io +two \(Apply\) takes")

    def test_what_is_made_has_the_uid_of_its_event(self):
        """Protects `kubectl describe` of what was just made: the API server knows its uid before it asks."""
        namespace = self.namespace("strict-audit")
        made = self.apply(namespace, "one", web())
        event = self.wait_for_event(namespace, "web", "ExplicitStrategy")
        self.assertEqual(event["involvedObject"]["uid"], made["metadata"]["uid"])

    def test_what_is_in_no_namespace_has_events_too(self):
        """Protects Events of what is cluster-wide: the API server takes them, in `default`."""
        name = f"seen-{self.run_id}"
        review = json.loads(harness.review("edit-ssa"))
        review["request"].update(kind={"group": "rbac.authorization.k8s.io", "version": "v1", "kind": "ClusterRole"}, name=name)
        del review["request"]["namespace"]
        self.guards["strict"].review(json.dumps(review).encode(), "/validate/audit")
        event = self.wait_for_event("default", name, "OwnershipConflict")
        self.assertNotIn("namespace", event["involvedObject"])

    def test_in_the_metrics(self):
        """Protects who looks at numbers first: what was only recorded counts as well."""
        self.assertRegex(
            self.output("curl"),
            r'applyguard_findings_total\{rule="ownership-conflict",action="audit",policy_action="deny",unattended="false",taker="adhoc",loser="applier"\} [1-9]')


if __name__ == "__main__":
    guarded.main()
