"""stage.py: where stories are acted: a new namespace under each policy, with real kubectl.

`given` prepares without applyguard being asked, `when` does what the story is about, and `then` says what must follow:
each finding as "RULE BASELINE STRICT", the actions under the two profiles, or as "RULE ACTION" under any policy. The client's
output and the audit log follow from these actions and the namespace's mode.
"""

import functools
import json
import pathlib
import shlex
import time
import zlib

import guarded
from guarded import Outcome, audited, guard_and_mode

APPLICATION = pathlib.Path(__file__).resolve().parent / "application"
STRENGTH = ["off", "audit", "warn", "deny"]
BOTH = ("baseline", "strict")
MILD = ("strict-warn", "strict-audit")
ALL = (*BOTH, *MILD)
MORE_WARNINGS = (" more warning", " more warnings")
STRATEGY = "explicit-strategy warn warn"
STILL_NO_STRATEGY = "explicit-strategy audit audit"  # as at the apply before
# An edit of an applied object, and the apply that heals it.
TAKEN = "ownership-conflict warn deny"
HEALED = "ownership-conflict audit audit"
CEILING = {"enforce": "deny", "warn": "warn", "audit": "audit"}


def chosen(method, policies):
    """The policies under which a story is acted: one of the two profiles, and one of the modes that do not deny. The story's name
    picks them, so that about as many stories have each. All policies if everything is asked for (guarded.py)."""
    if guarded.IS_EVERYTHING_ASKED:
        return policies
    left_out = {pair[zlib.crc32(method.__name__.encode()) % 2] for pair in (BOTH, MILD) if set(pair) <= set(policies)}
    return [policy for policy in policies if policy not in left_out]


def stories(*policies):
    """Decorates a test method that takes a stage: it is acted under the policies that are `chosen` of these."""
    def decorate(method):
        @functools.wraps(method)
        def act(self):
            for policy in chosen(method, policies):
                with self.subTest(policy=policy):
                    method(self, Stage(self, policy))
        return act
    return decorate


class Stage:
    """One namespace, and the last command that was run in it."""

    def __init__(self, test, policy):
        self.test = test
        self.api = test.api
        self.policy = policy
        self.profile, self.mode = guard_and_mode(policy)
        self.namespace = test.namespace(policy)
        self.outcome = None

    # Acting

    def given(self, command, manifest=None, **options):
        """kubectl COMMAND, as a user who is not judged; it must succeed."""
        done = self.test.run_kubectl(
            *shlex.split(command), *_file(manifest), namespace=self.namespace, manifest=manifest, user="setup", **options)
        self.test.assertEqual(done.returncode, 0, f"kubectl {command}: {done.stderr}")
        return done.stdout

    def when(self, command, manifest=None, **options):
        """kubectl COMMAND: what the story is about."""
        def run():
            self.outcome = self.test.kubectl(
                *shlex.split(command), *_file(manifest), namespace=self.namespace, manifest=manifest, **options)
            return self.outcome
        return self.until_it_arrives(run) if command == "replace" else run()

    def given_helm(self, major, command, **values):
        """helm COMMAND, as a user who is not judged; it must succeed."""
        done = self.test.run_helm(major, *_helm(command, values), namespace=self.namespace, user="setup")
        self.test.assertEqual(done.returncode, 0, f"helm {command}: {done.stderr}")

    def when_helm(self, major, command, **values):
        """helm COMMAND: what the story is about. Installs and upgrades are of the chart in application/."""
        self.outcome = self.test.observe(
            lambda: self.test.run_helm(major, *_helm(command, values), namespace=self.namespace, user="admin"),
            self.namespace, "admin")
        return self.outcome

    def when_sent(self, send, user="admin"):
        """The same for one raw request: `send(api)` gives its answer."""
        reviews, log = self.test.recorder.count(), self.test.plane.audit_log.stat().st_size
        answer = send(self.api)
        exchanges, superseded = self.test.exchanges(reviews, user, self.namespace)
        errors = "".join(f"Warning: {warning}\n" for warning in answer.warnings)
        if not answer.ok:
            errors += answer.body["message"]
        events = self.test.events(log, user, self.namespace, len(exchanges))
        self.outcome = Outcome(int(not answer.ok), json.dumps(answer.body), errors, exchanges, events, superseded)
        return self.outcome

    def until_it_arrives(self, act):
        """Repeats what names the version of the object that it has read, as `kubectl replace` does: controllers write the
        status meanwhile, and then that version is out of date."""
        self.wait_for(lambda: "the object has been modified" not in act().errors, "the write")
        return self.outcome

    def wait_for_the_next_second(self):
        """managedFields has times of whole seconds: what is written after this is newer than what was before."""
        time.sleep(1.05 - time.time() % 1)

    def path(self, resource, name=None, group="apps/v1"):
        root = f"/apis/{group}" if "/" in group else f"/api/{group}"
        return f"{root}/namespaces/{self.namespace}/{resource}" + (f"/{name}" if name else "")

    def get(self, resource, name, group="apps/v1"):
        return self.api.request("GET", self.path(resource, name, group)).body

    def wait_for(self, condition, what):
        return guarded.wait_until(condition, timeout=30, what=what)

    # Judging

    def then(self, *findings, requests=None):
        """The result of the last command; `requests` is how many of its requests were judged, if that is the point.

        No review comes for requests for which the chart spares the API server the call: subresources, deletions, what
        controllers write.
        """
        expected = sorted(self._at_this_policy(finding) for finding in findings)
        expected = [(rule, action) for rule, action in expected if action != "off"]
        outcome, test = self.outcome, self.test
        exchanges = outcome.exchanges
        said = [(finding["rule"], finding["action"]) for each in exchanges for finding in each.findings]
        test.assertEqual(expected, sorted(said), self._story())
        if requests is None:
            test.assertTrue(exchanges, f"no request was judged: {self._story()}")
        else:
            test.assertEqual(requests, len(exchanges), self._story())
        self._client_saw(expected)
        self._audit_log_holds(expected)

    def _at_this_policy(self, finding):
        rule, *actions = finding.split()
        action = actions[-1] if self.profile == "strict" else actions[0]
        return rule, min(action, CEILING[self.mode], key=STRENGTH.index)

    def _client_saw(self, expected):
        denials = [rule for rule, action in expected if action == "deny"]
        self._warnings_are([rule for rule, action in expected if action == "warn"])
        self.test.assertEqual(1 if denials else 0, self.outcome.status, self._story())
        if denials:
            opening = f'admission webhook "{self.mode}.applyguard.io" denied the request: '
            self.test.assertEqual(1, self.outcome.errors.count(opening), self._story())
            lines = self.outcome.errors.split(opening)[1].splitlines()
            self.test.assertEqual(denials, sorted(_rule_at_end(line) for line in lines[:len(denials)]), self._story())

    def _warnings_are(self, rules):
        """A line for each, or at most five an answer, the last of which counts the rest."""
        lines = [line for line in self.outcome.warnings if line.startswith("applyguard: ")]
        counts = [int(line.split()[1]) for line in lines if line.endswith(MORE_WARNINGS)]
        warned = [_rule_at_end(line) for line in lines if not line.endswith(MORE_WARNINGS)]
        if not counts:
            self.test.assertEqual(rules, sorted(warned), self._story())
        self.test.assertEqual(len(rules), len(warned) + sum(counts), self._story())
        self.test.assertLessEqual(set(warned), set(rules), self._story())
        self.test.assertLessEqual(len(lines), 5 * len(self.outcome.exchanges), self._story())

    def _audit_log_holds(self, expected):
        logged = []
        for event in self.outcome.events:
            rules = audited(event, "rules")
            if not rules:
                continue
            findings = json.loads(audited(event, "findings"))
            logged += [(finding["rule"], finding["action"]) for finding in findings]
            self.test.assertEqual(set(rules.split(",")), {finding["rule"] for finding in findings})
            self.test.assertEqual(self.mode, audited(event, "mode"))
            denied = any(finding["action"] == "deny" for finding in findings)
            self.test.assertEqual(denied, event["responseStatus"]["code"] == 403, event)
        # An event keeps what was said of a stale copy, which the API server then asked about again.
        stale = [(finding["rule"], finding["action"]) for each in self.outcome.superseded for finding in each.findings]
        if stale:
            self.test.assertLessEqual(set(logged), {*expected, *stale}, self._story())
        else:
            self.test.assertEqual(expected, sorted(logged), self._story())

    def _story(self):
        files = [str(guarded.save(each, "story")) for each in self.outcome.exchanges]
        return f"\nkubectl said {self.outcome.output}{self.outcome.errors}\nthe reviews are in {' '.join(files)}"


def _file(manifest):
    return () if manifest is None else ("--filename=-",)


def _helm(command, values):
    verb, *others = shlex.split(command)
    chart = [APPLICATION] if verb in ("install", "upgrade") else []
    return [verb, *others, *chart, *(f"--set={key}={value}" for key, value in values.items())]


def _rule_at_end(line):
    return line.rpartition("[")[2].removesuffix("]")


def web(image="nginx:1.14.2", replicas=3, **spec):
    return {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": {
            **({} if replicas is None else {"replicas": replicas}), "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "nginx", "image": image, "ports": [{"containerPort": 80}]}]}},
            **spec}}


def editor(script):
    return {"KUBE_EDITOR": f"sed -i {script}"}
