"""Findings that a watched namespace's users never see can be found, and requests that enforcing would break: by the very
commands of webhook/README.md and of the chart's."""

import json
import pathlib
import re
import shlex
import subprocess

import account
import guarded
import harness
from stage import web

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOUND = (ROOT / "webhook/README.md", "## Where findings are recorded")
BREAKS = (ROOT / "charts/applyguard/README.md", "### What would enforcing break?")
LOG, EVENTS, AUDIT_LOG, METRICS = "kubectl -n applyguard logs", "kubectl get events", "jq", "curl"
PLACES = {FOUND: {LOG, EVENTS, AUDIT_LOG, METRICS}, BREAKS: {LOG, EVENTS, AUDIT_LOG}}


def commands(section):
    """The commands of a section, by the place that they look at: one each, and none that no test runs."""
    readme, heading = section
    [text] = re.findall(rf"^{re.escape(heading)}$(.*?)^##", readme.read_text(), re.MULTILINE | re.DOTALL)
    # tests/server/test_shadow.py covers the commands of the shadow policy.
    found = [command for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE) if "hadow" not in command]
    by_place = {place: command for command in found for place in PLACES[section] if command.startswith(place)}
    assert (set(by_place), len(by_place)) == (PLACES[section], len(found)), found
    return by_place


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
        cls.wait_for_audit(cls.watched)

    @classmethod
    def audit_log(cls):
        """Its whole lines: the API server writes on, and the last may be half there."""
        return guarded.whole_lines(cls.plane.audit_log, 0)

    @classmethod
    def wait_for_audit(cls, namespace):
        """Until the audit log holds the conflict in this namespace: it is written after the answer is sent."""
        guarded.wait_until(lambda: any(namespace.encode() in line and b"ownership-conflict" in line for line in cls.audit_log()),
                           what="the audit log")

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
        """Applied server-side over other managers' fields; what is stored then."""
        kind = {"ConfigMap": "api/v1", "Deployment": "apis/apps/v1"}[manifest["kind"]]
        path = f"/{kind}/namespaces/{namespace}/{manifest['kind'].lower()}s/{manifest['metadata']['name']}"
        applied = self.api.apply(path, manifest, manager, force=True, **query)
        self.assertTrue(applied.ok, applied.body)
        self.assertEqual(applied.warnings, [])
        return applied.body

    def output(self, place, section=FOUND):
        """The output of the README's command, with this server's log and port in place of a cluster's."""
        command = commands(section)[place]
        guard = self.guards["strict"]
        logs = self.plane.directory / "logs"
        logs.mkdir(exist_ok=True)
        (logs / "webhook.log").write_bytes(guard.output)
        (logs / "audit.log").write_bytes(b"".join(line + b"\n" for line in self.audit_log()))
        command = command.replace(":9090/", f":{guard.metrics_port}/")
        kubectl = shlex.join(self.plane.kubectl_command())
        script = (f'set -euo pipefail; kubectl() {{ case $1 in get) {kubectl} "$@" ;; *) cat webhook.log ;; esac; }}; {command}')
        done = subprocess.run(["bash", "-c", script], cwd=logs, capture_output=True, text=True, timeout=60,
                              env=self.plane.kubectl_environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_in_the_webhook_s_log(self):
        """Protects who has no access to the API server's own log: one line has object, writer and rule."""
        lines = [line.split() for line in self.output(LOG).splitlines() if self.watched in line]
        conflicts = [line for line in lines if "ownership-conflict" in line]
        self.assertEqual(len(conflicts), 1, lines)
        # The API server asks again when a controller wrote in between: uniq says once or twice.
        self.assertRegex(conflicts[0][0], "^[1-9]$")
        self.assertEqual(conflicts[0][1:7], ["audit", self.watched, "Deployment.apps", "web", "kubectl-set", "alice"])

    def test_in_the_audit_log(self):
        """Protects who wants the whole finding: fields and managers are in the annotation."""
        found = [json.loads(line) for line in self.output(AUDIT_LOG).splitlines()]
        [conflict] = [(each, finding) for each in found if each["object"].get("namespace") == self.watched
                      for finding in each["findings"] if finding.get("rule") == "ownership-conflict"]
        self.assertEqual((conflict[0]["user"], conflict[0]["object"]["name"]), ("alice", "web"))
        self.assertEqual(conflict[1]["action"], "audit")
        self.assertIn(".image", json.dumps(conflict[1]))

    def test_in_the_events(self):
        """Protects who looks at the namespace alone: an Event of the object says who takes what from whom."""
        self.wait_for_event(self.watched, "web", "OwnershipConflict")
        [line] = [line.split(maxsplit=5) for line in self.output(EVENTS).splitlines()
                  if self.watched in line and "OwnershipConflict" in line]
        self.assertEqual((line[0], line[2:5]), (self.watched, ["Warning", "OwnershipConflict", "deployment/web"]))
        self.assertRegex(line[5], rf"^would be refused if enforced: Deployment {self.watched}/web: kubectl set changes .*image, "
                                  "which kubectl apply --server-side manages")

    def set_image(self, namespace):
        """Alice's edit of an applied object; her warning."""
        for arguments in ("apply", "--server-side", "--filename=-"), ("set", "image", "deployment/web", "*=nginx:9"):
            done = self.run_kubectl(*arguments, namespace=namespace, manifest=web(), user="alice")
        return done

    def test_what_enforcing_would_break(self):
        """Protects who is about to enforce: what passes in `audit` and in `warn` and enforcing denies is listed by
        namespace, from both logs alike, and what is denied already, or not by this policy, is not."""
        warned, enforced, mild = self.namespace("strict-warn"), self.namespace("strict"), self.namespace("baseline-warn")
        self.assertRegex(self.set_image(warned).stderr, "^Warning: applyguard: ")
        self.assertIn("denied the request", self.set_image(enforced).stderr)
        self.assertEqual(self.set_image(mild).returncode, 0)
        for namespace in warned, enforced, mild:
            self.wait_for_audit(namespace)
        by_place = {}
        for place in LOG, AUDIT_LOG:
            rows = [line.split() for line in self.output(place, BREAKS).splitlines()]
            self.assertEqual([int(row[0]) for row in rows], sorted((int(row[0]) for row in rows), reverse=True))
            by_place[place] = {tuple(row[1:3]): row[3:] for row in rows if row[1] in self.namespaces}
        for listed in by_place.values():
            self.assertLessEqual({(self.watched, "ownership-conflict"), (warned, "ownership-conflict")}, set(listed))
            self.assertFalse({enforced, mild} & {namespace for namespace, _ in listed}, listed)
        self.assertEqual(set(by_place[LOG]), set(by_place[AUDIT_LOG]))
        self.assertEqual(by_place[LOG][warned, "ownership-conflict"], ["Deployment.apps", "web", "kubectl-set"])
        self.assertEqual(by_place[AUDIT_LOG][warned, "ownership-conflict"], ["deployments", "web", "alice"])

    def test_what_controllers_are_warned_of(self):
        """Protects admins from warnings that only a controller is given, which never reads them: the chart's command
        lists their Events."""
        namespace = self.namespace("strict-audit")
        self.apply(namespace, "one", config_map("fought-over", "1"))
        changed = self.api.request(
            "PATCH", f"/api/v1/namespaces/{namespace}/configmaps/fought-over", {"data": {"key": "2"}}, user="operator",
            fieldManager="keda", content_type="application/merge-patch+json")
        self.assertTrue(changed.ok, changed.body)
        self.wait_for_event(namespace, "fought-over", "OwnershipConflict")
        [line] = [line for line in self.output(EVENTS, BREAKS).splitlines() if namespace in line]
        self.assertRegex(line, r"OwnershipConflict +configmap/fought-over ")
        self.assertNotIn(self.watched, self.output(EVENTS, BREAKS))

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
        self.assertRegex(event["message"], rf"ConfigMap {namespace}/fought-over: two overwrites \.data\.key, which one also sets")
        self.assertEqual(self.events(namespace, "tried"), {})
        described = self.run_kubectl("describe", "configmap", "fought-over", namespace=namespace).stdout
        self.assertRegex(described, r"Warning +OwnershipConflict .*\(x\d+ over .*applyguard\.io +.*: two overwrites")

    def test_what_is_made_has_the_uid_of_its_event(self):
        """Protects `kubectl describe` of a new object: the API server knows its uid before it asks."""
        namespace = self.namespace("strict-audit")
        made = self.apply(namespace, "one", web())
        event = self.wait_for_event(namespace, "web", "ExplicitStrategy")
        self.assertEqual(event["involvedObject"]["uid"], made["metadata"]["uid"])

    def test_what_is_in_no_namespace_has_events_too(self):
        """Protects Events of cluster-wide objects: the API server takes them, in `default`."""
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
            self.output(METRICS),
            r'applyguard_findings_total\{rule="ownership-conflict",action="audit",policy_action="deny",unattended="false",taker="adhoc",loser="applier"\} [1-9]')


if __name__ == "__main__":
    guarded.main()
