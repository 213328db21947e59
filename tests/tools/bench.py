"""bench.py: a real tool on a real API server, with applyguard registered for all kinds of objects.

A test class lives through a tool's phases; what the API server asked applyguard in each is recorded. At the end the
command line judges these reviews under both profiles, and what is found must be what golden/TOOL.txt says.

applyguard itself answers under a policy that never denies, so that the rules' findings do not change the tool's life; a class
may enforce it instead, as test_day.py does.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / folder) for folder in ("cluster", "chart", "server")]

import corpus
import day
import golden
import guarded
import harness
import helm
import rates
import registration
import verdicts
from api import MERGE, Api
from harness import main, temporary_directory, wait_until
from recorder import Recorder

__all__ = ["MERGE", "Bench", "main", "temporary_directory", "wait_until"]

EVERYTHING = [{"apiGroups": ["*"], "resources": ["*"]}]
# Kinds that show nothing about owners, and are written as often as the machine is slow.
NOISE = {"name": "no-noise", "expression": (
    "!(request.resource.group in ['coordination.k8s.io', 'events.k8s.io', 'authentication.k8s.io', 'authorization.k8s.io', "
    "'discovery.k8s.io'] || request.resource.resource in ['events', 'endpoints'])")}
QUIET_SECONDS = 0.8
# The objects of the stories: {kind: its version}.
KINDS = {
    "clusterrole": "rbac.authorization.k8s.io/v1", "configmap": "v1", "controllerrevision": "apps/v1",
    "customresourcedefinition": "apiextensions.k8s.io/v1", "deployment": "apps/v1",
    "horizontalpodautoscaler": "autoscaling/v2", "pod": "v1", "replicaset": "apps/v1", "secret": "v1",
    "service": "v1", "statefulset": "apps/v1"}
CLUSTER_SCOPED = ("clusterrole", "customresourcedefinition")


class Bench(unittest.TestCase):
    """The life of one tool.

    tool: the name of its golden table and of its folder of reviews.
    mode: of the policy under which applyguard answers; exceptions: the rest of it, under any profile.
    """

    maxDiff = None
    tool = None
    mode = "warn"
    exceptions = ""
    plane_options = {}

    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls, own=True, **cls.plane_options)
        cls.api = Api(cls.plane)
        cls.addClassCleanup(cls.api.close)
        certificate = harness.Certificate()
        cls.policy = temporary_directory() / "policy.yaml"
        cls.policy.write_text(cls.policy_text())
        guard = harness.Server(policy=cls.policy, certificate=certificate)
        cls.addClassCleanup(guard.stop)
        cls.recorder = Recorder({"bench": guard}, certificate)
        cls.addClassCleanup(cls.recorder.close)
        cls.chart_rules = cls._rules_of_the_chart()
        registration.register(cls.plane, registration.render(
            "bench", f"https://127.0.0.1:{cls.recorder.port}/bench", certificate, defaultMode="enforce", rules=EVERYTHING,
            clusterScoped={"mode": "enforce", "rules": EVERYTHING}, namespaceSelector={},
            matchConditions=[registration.NOT_PREPARED, NOISE]))
        wait_until(cls._is_asked, timeout=60, what="the first review")
        cls.phases, cls.seen, cls.logs = [], 0, []

    @classmethod
    def policy_text(cls):
        return verdicts.policy("strict", cls.exceptions, cls.mode)

    @classmethod
    def _rules_of_the_chart(cls):
        """The (group, resource) pairs that the chart judges by default, once cluster-scoped kinds are switched on."""
        rendered = helm.render(4, "--set=server.enabled=false,webhook.clusterScoped.mode=enforce,webhook.url=https://a",
                               "--show-only=templates/validatingwebhookconfiguration.yaml")
        shown = cls.kubectl("create", "--dry-run=client", "--output=json", "--filename=-", input=rendered.stdout, user="setup")
        rules = [rule for hook in json.loads(shown)["webhooks"] for rule in hook["rules"]]
        return {(group, resource) for rule in rules for group in rule["apiGroups"] for resource in rule["resources"]}

    @classmethod
    def _is_asked(cls):
        cls.api.request("POST", "/api/v1/namespaces/default/configmaps", dryRun="All",
                        body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "probe"}})
        return cls.recorder.count()

    @classmethod
    def _asked(cls):
        """How many reviews there are, once no more come."""
        count, since = cls.recorder.count(), time.monotonic()
        while time.monotonic() < since + QUIET_SECONDS:
            time.sleep(0.05)
            if cls.recorder.count() != count:
                count, since = cls.recorder.count(), time.monotonic()
        return count

    # The story

    def setUp(self):
        """Requests after the last phase of another test, which may have failed, do not belong to this one."""
        type(self).seen = self._asked()

    @contextlib.contextmanager
    def phase(self, name, fight=False):
        """This phase has all requests from the last phase until the cluster has come to rest."""
        yield
        self.phases.append(corpus.Phase(name, fight, [self.kept(each) for each in self.exchanges_of_the_phase()]))

    def exchanges_of_the_phase(self):
        """Those since the last phase, once the cluster has come to rest."""
        first, type(self).seen = self.seen, self._asked()
        exchanges = self.recorder.since(first)[:self.seen - first]
        for each in exchanges:
            self.assertEqual(200, each.status, each.answer)
        return exchanges

    def kept(self, exchange):
        return corpus.Review(exchange.review, self._in_chart(exchange))

    def fight(self, name):
        return self.phase(name, fight=True)

    def _in_chart(self, exchange):
        asked = exchange.request["resource"]
        return (asked["group"], asked["resource"]) in self.chart_rules

    # Acting

    @classmethod
    def kubectl(cls, *arguments, namespace="default", user="admin", environment=None, input=None):
        """kubectl, which must succeed; what it printed."""
        command = cls.plane.kubectl_command(*map(str, arguments), f"--context={user}", f"--namespace={namespace}")
        return cls.run_command(command, input=input, env={**cls.plane.kubectl_environment(), **(environment or {})})

    @classmethod
    def define(cls, *files):
        """Creates definitions of custom resources, and returns when the API server shows all of them."""
        cls.kubectl("create", *(f"--filename={file}" for file in files), user="setup")
        definitions = cls.api.request("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions").body["items"]
        kinds = {(each["spec"]["group"], version["name"], each["spec"]["names"]["plural"])
                 for each in definitions for version in each["spec"]["versions"] if version["served"]}

        def are_shown():
            shown = {path: cls.api.request("GET", f"/apis/{path}").body.get("resources", [])
                     for path in {f"{group}/{version}" for group, version, _ in kinds}}
            return all(any(each["name"] == plural for each in shown[f"{group}/{version}"]) for group, version, plural in kinds)
        wait_until(are_shown, timeout=60, what="the custom resources")

    @classmethod
    def helm(cls, major, *arguments, namespace, user="admin"):
        return cls.run_command(
            [helm.helm_program(major), *arguments, f"--kube-context={user}", f"--namespace={namespace}"],
            env=helm.helm_environment(cls.plane))

    @staticmethod
    def run_command(command, **options):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, **options)
        if done.returncode:
            raise AssertionError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done.stdout

    @classmethod
    def start(cls, *command, user="admin", environment=None, answers=False):
        """A program that runs until the class is done, with a kubeconfig whose current user is this one; its process.

        `answers`: what it prints is not its log, but the answer to what it is sent.
        """
        kubeconfig = temporary_directory() / "kubeconfig"
        config = json.loads(cls.plane.kubeconfig.read_text())
        kubeconfig.write_text(json.dumps({**config, "current-context": user}))
        log = open(temporary_directory() / f"{pathlib.Path(command[0]).name}.log", "wb")
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE if answers else log, stderr=log,
            env={**os.environ, "KUBECONFIG": str(kubeconfig), **(environment or {})})
        process.log = pathlib.Path(log.name)
        cls.logs.append(process.log)

        def stop():
            process.terminate()
            process.communicate(timeout=30)
            log.close()
        cls.addClassCleanup(stop)
        return process

    def namespace(self, name):
        self.kubectl("create", "namespace", name, user="setup")
        return name

    def edit(self, thing, script, namespace, user="alice"):
        self.kubectl("edit", thing, namespace=namespace, user=user, environment={"KUBE_EDITOR": f"sed -i {script}"})

    @classmethod
    def wait_for(cls, condition, what, timeout=90):
        try:
            return wait_until(condition, timeout=timeout, what=what)
        except AssertionError as error:
            raise AssertionError("\n".join([str(error), *(log.read_text(errors="replace")[-3000:] for log in cls.logs)])) from None

    def get(self, thing, namespace="default"):
        """KIND/NAME as the API server has it, None if it is absent; or all objects of the KIND."""
        kind, _, name = thing.partition("/")
        version = KINDS[kind]
        path = f"/apis/{version}" if "/" in version else f"/api/{version}"
        path += f"/{kind}s" if kind in CLUSTER_SCOPED else f"/namespaces/{namespace}/{kind}s"
        # A connection that was idle for long may be closed by now.
        self.api.close()
        answer = self.api.request("GET", f"{path}/{name}" if name else path, user="setup")
        self.assertIn(answer.status, (200, 404), answer.body)
        if answer.ok:
            return answer.body if name else answer.body["items"]
        return None

    # Judging

    @classmethod
    def tearDownClass(cls):
        """The command line answers as the webhook did, and keeps to the golden table."""
        corpus.write(corpus.DEFAULT, cls.tool, cls.phases, cls.exceptions)
        guarded.check_answers(cls.recorder.since(0), cls.policy, "enforce")
        complaints = examine(harness.Program.path, corpus.DEFAULT, [cls.tool])
        if complaints:
            raise AssertionError("\n".join(complaints))


def examine(program, folder, tools, update=False):
    """Judges the kept reviews of the tools, prints the rates, and reports differences from the golden tables."""
    complaints, counts = [], {}
    for tool in tools:
        phases = corpus.read(folder, tool)
        judged = verdicts.judge(program, phases, corpus.exceptions(folder, tool))
        found = golden.table_of(phases, judged)
        if update:
            golden.write(tool, found)
        complaints += golden.problems(tool, found)
        counts[tool] = rates.of(judged)
        if tool == day.TOOL:
            complaints += _examine_the_day(judged, update)
    print(rates.printed(counts, {tool: golden.wrong(tool) for tool in tools}), flush=True)
    return complaints + golden.stale_remarks()


def _examine_the_day(judged, update):
    table = day.table_of(judged)
    if update:
        day.write(table)
    print("\n".join(table), flush=True)
    return day.problems(table)
