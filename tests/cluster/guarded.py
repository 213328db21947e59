"""guarded.py: a real API server with applyguard registered at it by the chart's configuration, for the tests of one file.

Several instances of applyguard serve, one with each profile and one with each policy that the test class brings. Labels
of a namespace say which of them judges what is written there, and in which mode. Every exchange is recorded on its way,
and at the end the command line must give the same answers byte for byte.

APPLYGUARD_CLUSTER=DIRECTORY uses a control plane that runs already; otherwise one is started for the file. APPLYGUARD_STORIES=all
runs each story under all of its policies, and draws as much as has been found to be enough; otherwise a sample.
"""

import dataclasses
import functools
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("server", "chart")]

import harness
import helm
import registration
from api import Api
from control_plane import USER_NAMES, ControlPlane
from harness import main, temporary_directory, wait_until
from recorder import Recorder
from registration import DOMAIN

__all__ = ["DOMAIN", "Guarded", "Outcome", "WithPlane", "amount", "guard_and_mode", "main", "temporary_directory", "wait_until"]

IS_EVERYTHING_ASKED = os.environ.get("APPLYGUARD_STORIES") == "all"

PROFILES = {
    profile: f"apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {profile}\n" for profile in ("baseline", "strict")}


def amount(sample, everything):
    """How much is tested: a sample, or everything if that is asked for."""
    return everything if IS_EVERYTHING_ASKED else sample


def guard_and_mode(policy):
    """The policy behind a name: `strict` is enforced, `strict-warn` and `strict-audit` are the same in other modes."""
    guard, _, mode = policy.rpartition("-")
    return (guard, mode) if mode in ("warn", "audit") else (policy, "enforce")


@dataclasses.dataclass
class Outcome:
    """The result of a command: what its user saw, what applyguard was asked, and what the audit log holds of it."""

    status: int
    output: str
    errors: str
    exchanges: list
    events: list
    superseded: list = dataclasses.field(default_factory=list)  # reviews of stale copies, which were asked again

    @property
    def warnings(self):
        """Those that the user saw, but for what was said of stale copies alone."""
        lines = map(unwrapped, self.errors.splitlines())
        seen = [line.removeprefix("Warning: ") for line in lines if line.startswith("Warning: ")]
        stale = _warnings_of(self.superseded) - _warnings_of(self.exchanges)
        return [warning for warning in seen if warning not in stale]

    @property
    def rules(self):
        """The audit log's rules, one text a request that has findings."""
        return [rules for event in self.events if (rules := audited(event, "rules"))]


def _warnings_of(exchanges):
    return {warning for each in exchanges for warning in each.response.get("warnings", [])}


def unwrapped(line):
    """The text that Helm quotes, behind the time and the place in its code: I1121 11:08:52.26 1568 warnings.go:107] "text"."""
    quoted = re.fullmatch(r'[IWE]\d{4} \S+ +\d+ \S+\] (".*")', line)
    return json.loads(quoted.group(1)) if quoted else line


def whole_lines(file, offset):
    """The lines that begin at the offset or later, up to the last that is complete; a line may be half written at both."""
    with open(file, "rb") as opened:
        opened.seek(max(0, offset - 1))
        text = opened.read()
    first = text.find(b"\n") + 1 if offset else 0
    return text[first:text.rfind(b"\n") + 1].splitlines()


def audited(event, key):
    """An audit annotation of applyguard in an event of the audit log."""
    for name, value in event.get("annotations", {}).items():
        if re.fullmatch(f"{registration.WEBHOOK}/{key}", name):
            return value
    return None


def start_plane(test_class, own=False, **options):
    """The control plane for the tests of a class; its own, if the tests would disturb others. Its kubectl is first in PATH, where
    applyguard finds it."""
    if own:
        plane = started(test_class.addClassCleanup, **options)
    else:
        running = os.environ.get("APPLYGUARD_CLUSTER")
        plane = ControlPlane(running) if running else plane_of_the_file(**options)
    if not os.environ["PATH"].startswith(f"{plane.programs}:"):
        os.environ["PATH"] = f"{plane.programs}:{os.environ['PATH']}"
    return plane


@functools.cache
def plane_of_the_file(**options):
    return started(unittest.addModuleCleanup, **options)


def started(add_cleanup, **options):
    plane = ControlPlane(temporary_directory(), **options)
    add_cleanup(plane.stop)
    plane.start()
    return plane


def halt_controllers(plane, add_cleanup):
    """Until the cleanup no controller writes anything: no status, and no other object."""
    controllers = int((plane.directory / "kube-controller-manager.pid").read_text())
    os.kill(controllers, signal.SIGSTOP)
    add_cleanup(os.kill, controllers, signal.SIGCONT)


class WithPlane(unittest.TestCase):
    """Tests on a control plane.

    plane_options: of the control plane, if one is started; own_plane: the tests would disturb others.
    """

    maxDiff = None
    own_plane = False
    plane_options = {}

    @classmethod
    def setUpClass(cls):
        cls.plane = start_plane(cls, own=cls.own_plane, **cls.plane_options)
        cls.api = Api(cls.plane)
        cls.addClassCleanup(cls.api.close)

    @classmethod
    def make_namespace(cls, name):
        made = cls.api.request("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        assert made.ok, made.body
        return name


class Guarded(WithPlane):
    """Tests that share one guarded cluster.

    policies: {name: policy file} that serve in addition to the profiles, each with a release of the chart of its own:
        policies = {"bound": "apiVersion: applyguard.io/v1\\nkind: Policy\\nrules: ..."}
    and then @stories("bound", "bound-warn"), or self.namespace("bound").
    webhook: values of the chart, below `webhook`, for all releases: {"extraRules": [...]}; and `lookup` and `events`.
    cluster_scoped_guard: the policy that is enforced on objects without a namespace.
    """

    policies = {}
    webhook = {}
    cluster_scoped_guard = "baseline"

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(cls._check_answers)
        # A build meanwhile must not make the command line another program than the one that serves.
        harness.Program.path = shutil.copy(harness.Program.path, temporary_directory() / "applyguard")
        super().setUpClass()
        cls.certificate = harness.Certificate()
        cls.policy_files, cls.guards = {}, {}
        for name, text in {**PROFILES, **cls.policies}.items():
            cls.policy_files[name] = temporary_directory() / f"{name}.yaml"
            cls.policy_files[name].write_text(text)
            cls.guards[name] = harness.Server(
                *cls.flags(name), policy=cls.policy_files[name], certificate=cls.certificate)
            cls.addClassCleanup(cls.guards[name].stop)
        cls.recorder = Recorder(cls.guards, cls.certificate)
        cls.addClassCleanup(cls.recorder.close)
        cls.run_id = f"applyguard-{secrets.token_hex(4)}"
        cls.namespaces = []
        if os.environ.get("APPLYGUARD_CLUSTER"):
            cls.addClassCleanup(cls._delete_namespaces)
        for guard in cls.guards:
            cls._register(guard)
        for guard in cls.guards:
            namespace = cls.namespace(guard)
            wait_until(lambda: cls._is_called(namespace), timeout=30, what="the first review")

    @classmethod
    def flags(cls, _):
        """Values for the server with the policy of this name, in addition to the common ones."""
        return ()

    @classmethod
    def release(cls, guard):
        return f"{cls.run_id}-{guard}"

    @classmethod
    def _register(cls, guard):
        # A label marks objects without a namespace that are for one guard.
        own = f"has(request.namespace) || object.metadata.?labels[?'{DOMAIN}/run'].orValue('') == '{cls.run_id}'"
        cluster_scoped = {**cls.webhook.get("clusterScoped", {}), "mode": "enforce" if guard == cls.cluster_scoped_guard else "off"}
        release = cls.release(guard)
        registration.register(cls.plane, registration.render(
            release, f"https://127.0.0.1:{cls.recorder.port}/{guard}", cls.certificate, **{
                **cls.webhook, "clusterScoped": cluster_scoped,
                "matchConditions": [registration.NOT_PREPARED, {"name": "of-this-run", "expression": own}]}))
        cls.addClassCleanup(cls.api.request, "DELETE", f"{registration.CONFIGURATIONS}/{release}")

    @classmethod
    def _is_called(cls, namespace):
        before = cls.recorder.count()
        cls.api.request(
            "POST", f"/api/v1/namespaces/{namespace}/configmaps", dryRun="All",
            body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "probe"}})
        return any(exchange.request["namespace"] == namespace for exchange in cls.recorder.since(before))

    @classmethod
    def namespace(cls, policy, **labels):
        """A new namespace that is judged by the policy."""
        guard, mode = guard_and_mode(policy)
        name = f"{policy}-{secrets.token_hex(4)}"
        created = cls.api.request("POST", "/api/v1/namespaces", {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": {
                **registration.labels(cls.release(guard), mode), **labels}}})
        if not created.ok:
            raise RuntimeError(created.body)
        cls.namespaces.append(name)
        return name

    @classmethod
    def _delete_namespaces(cls):
        for name in cls.namespaces:
            cls.api.request("DELETE", f"/api/v1/namespaces/{name}")

    # Acting

    @classmethod
    def run_kubectl(cls, *arguments, namespace, manifest=None, user="admin", environment=None):
        command = cls.plane.kubectl_command(*arguments, f"--context={user}", f"--namespace={namespace}")
        return subprocess.run(
            command, input=json.dumps(manifest) if isinstance(manifest, dict) else manifest, capture_output=True,
            text=True, timeout=120, env={**cls.plane.kubectl_environment(), **(environment or {})})

    def kubectl(self, *arguments, namespace, user="admin", **options):
        """Runs kubectl as a user in a namespace, and gathers what everybody saw of it."""
        return self.observe(
            lambda: self.run_kubectl(*arguments, namespace=namespace, user=user, **options), namespace, user)

    @classmethod
    def run_helm(cls, major, *arguments, namespace, user):
        """Runs Helm 3 or 4."""
        return helm.run(
            [helm.helm_program(major), *arguments, f"--kube-context={user}", f"--namespace={namespace}"],
            env=helm.helm_environment(cls.plane))

    def observe(self, run, namespace, user):
        """All views of a command that this user runs in this namespace."""
        reviews, log = self.recorder.count(), self.plane.audit_log.stat().st_size
        done = run()
        exchanges, superseded = self.exchanges(reviews, user, namespace)
        events = self.events(log, user, namespace, len(exchanges))
        return Outcome(done.returncode, done.stdout, done.stderr, exchanges, events, superseded)

    def exchanges(self, start, user, namespace):
        """The exchanges over this user's requests in this namespace, one a request, and the repeated ones."""
        asked = [
            each for each in self.recorder.since(start)
            if each.request["userInfo"]["username"] == USER_NAMES[user]
            and each.request.get("namespace", namespace) == namespace]
        last = _one_a_request(asked)
        return last, [each for each in asked if not any(each is other for other in last)]

    def events(self, offset, user, namespace, expected):
        """The events of the audit log from the offset on by this user in this namespace, up to now."""
        marker = self.api.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
            "apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}).audit_id

        def read():
            events = [json.loads(line) for line in whole_lines(self.plane.audit_log, offset)]
            own = [event for event in events if event["user"].get("username") == USER_NAMES[user]
                   and event["objectRef"].get("namespace", namespace) == namespace and event["auditID"] != marker]
            complete = any(event["auditID"] == marker for event in events) and len(own) >= expected
            return complete and [own]
        return wait_until(read, timeout=10, what="the audit log")[0]

    # Oracles

    @classmethod
    def _check_answers(cls):
        """The command line judges each recorded review as the webhook did, byte for byte."""
        if not hasattr(cls, "recorder"):
            return
        for guard in cls.guards:
            for mode, path in registration.PATHS.items():
                exchanges = [each for each in cls.recorder.since(0) if (each.guard, each.path) == (guard, path)]
                check_answers(exchanges, cls.policy_files[guard], mode)

    def save(self, exchange, name):
        """Keeps a review for looking into a failure; its path."""
        return save(exchange, name)


def _one_a_request(exchanges):
    """One exchange a request: the API server asks again where it had judged a stale copy of the object."""
    last = {}
    for each in exchanges:
        request = each.request
        wanted = {key: request.get(key) for key in ("operation", "kind", "subResource", "name", "options", "dryRun")}
        # A stale copy may become another object; what is created has none, nor has it always a name.
        made = request["object"] if request["operation"] == "CREATE" else None
        last[json.dumps([wanted, made], sort_keys=True)] = each
    return list(last.values())


def check_answers(exchanges, policy, mode):
    """In one run, which remembers what changed hands as the webhook did."""
    if not exchanges:
        return
    file = temporary_directory() / "reviews.json"
    file.write_bytes(b"\n".join(exchange.review for exchange in exchanges))
    done = subprocess.run(
        [harness.Program.path, "review", "--policy", policy, "--mode", mode, "-o", "response", file],
        capture_output=True, timeout=120)
    answers = done.stdout.splitlines(keepends=True)
    if len(answers) != len(exchanges):
        raise AssertionError(f"{len(answers)} answers to {len(exchanges)} reviews: {done.stderr.decode()}")
    for exchange, answer in zip(exchanges, answers):
        if exchange.status != 200 or exchange.answer != answer:
            raise AssertionError(
                f"the webhook answered {exchange.status} {exchange.answer!r}, the command line {answer!r}; "
                f"the review is in {save(exchange, 'answer')}")


def save(exchange, name):
    directory = pathlib.Path(__file__).resolve().parents[2] / "build" / "cluster-failures"
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / f"{name}-{exchange.request['uid'][:8]}.json"
    file.write_bytes(exchange.review)
    return file
