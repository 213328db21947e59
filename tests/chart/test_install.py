#!/usr/bin/env python3
"""The chart installed for real, with Helm 3 and Helm 4: what it does to a cluster, what upgrades keep, what stays behind."""

import json
import os
import re
import subprocess
import threading

from chart import CHART, ClusterTest, FULL_NAME, NAMESPACE, RELEASE, helm_program, run
from harness import Program, Server, main, temporary_directory, wait_until
from kubelet import Kubelet
from node import Node
from helm import chart_values, chart_with_values

STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
BASELINE = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: baseline\n"
# Denies the manifests below.
DENYING = BASELINE + """\
rules:
  explicit-strategy: {action: "off"}
  explicit-fields:
    action: deny
    fields: {Deployment.apps: [.spec.strategy.type], ReplicaSet.apps: [.spec.minReadySeconds]}
"""
EVERY_KIND = (
    "deployments,replicasets,pods,services,serviceaccounts,configmaps,secrets,poddisruptionbudgets,networkpolicies,"
    "roles,rolebindings,certificates,issuers,servicemonitors,prometheusrules")
MONITORED = "--set=" + ",".join(f"metrics.{what}.enabled=true" for what in ("serviceMonitor", "prometheusRule", "dashboard"))
CLUSTER_KINDS = (
    "validatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings,clusterroles,"
    "clusterrolebindings")
# A certificate that is served elsewhere: the release's own makes none.
OWN_CERTIFICATE = "--set=certs.mode=secret"
DEPLOYMENT = {
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
    "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {
        "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "nginx", "image": "nginx:1"}]}}}}


def policy_file(text):
    file = temporary_directory() / "policy.yaml"
    file.write_text(text)
    return file


class Installed(ClusterTest):
    """Helpers for tests that install the release, each from nothing."""

    def setUp(self):
        self.addCleanup(self.clean)

    def clean(self):
        """Uninstalls what a test has left."""
        if self.helm(4, "uninstall", RELEASE).returncode == 0:
            self.wait_until_nothing_is_there()

    def wait_until_nothing_is_there(self):
        wait_until(lambda: not self.what_is_there(), timeout=30, what="an empty namespace")
        # The API server goes by a guard for a moment after it was deleted.
        label = ("label", "namespace", "default", "applyguard.io/mode=off", "--dry-run=server")
        wait_until(lambda: self.kubectl(*label).returncode == 0, timeout=30, what="the end of the guard")

    def what_is_there(self):
        """All that carries the release's label, anywhere, and what the namespace holds besides its own furniture."""
        label = f"--selector=app.kubernetes.io/instance={RELEASE}"
        names = self.must("get", f"{EVERY_KIND}", "--namespace", NAMESPACE, "--output=name").split()
        return [name for name in names if name not in ("configmap/kube-root-ca.crt", "serviceaccount/default")] + self.must(
            "get", CLUSTER_KINDS, label, "--output=name").split()

    def helm_does(self, major, *arguments, **options):
        """Helm where nothing may go wrong, and where nothing may be warned of."""
        done = self.helm(major, *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("warning", done.stderr.lower())
        return done.stdout

    def install(self, major, *arguments, chart=CHART, **options):
        """Installs, in place of what an earlier part of the test may have left when it failed."""
        self.clean()
        return self.helm_does(major, "install", RELEASE, chart, *arguments, **options)

    def upgrade(self, major, *arguments, **options):
        return self.helm_does(major, "upgrade", RELEASE, CHART, *arguments, **options)

    def uninstall(self, major):
        self.helm_does(major, "uninstall", RELEASE)
        self.wait_until_nothing_is_there()

    def configuration(self):
        return self.get("validatingwebhookconfiguration", FULL_NAME)

    def in_release(self, kind, name=FULL_NAME):
        return self.get(kind, name, "--namespace", NAMESPACE)


class Lifecycle(Installed):
    def test_install_upgrade_rollback_uninstall(self):
        """Protects the whole life of a release, with each Helm: it ends where it began."""
        for major in (3, 4):
            with self.subTest(helm=major):
                notes = self.install(major)
                self.assertIn("kubectl", notes)
                self.assertEqual(self.in_release("deployment")["spec"]["replicas"], 2)
                wait_until(lambda: self.pods() == 2, timeout=30, what="two pods that the restricted namespace admits")
                first = self.configuration()["webhooks"]
                self.upgrade(major, "--set=replicas=3,webhook.timeoutSeconds=7,modeGuard.enabled=true", MONITORED)
                self.assertEqual(self.in_release("deployment")["spec"]["replicas"], 3)
                self.assertEqual([each["timeoutSeconds"] for each in self.configuration()["webhooks"]], [7, 7, 7])
                self.must("get", "validatingadmissionpolicy", f"{FULL_NAME}-mode-guard")
                monitoring = [f"servicemonitors.monitoring.coreos.com/{FULL_NAME}", f"prometheusrules.monitoring.coreos.com/{FULL_NAME}",
                              f"configmaps/{FULL_NAME}-dashboard"]
                self.must("get", *monitoring, "--namespace", NAMESPACE)
                self.helm_does(major, "rollback", RELEASE, "1")
                self.assertEqual(self.in_release("deployment")["spec"]["replicas"], 2)
                self.assertEqual(self.configuration()["webhooks"], first)
                self.assertNotEqual(self.kubectl("get", "validatingadmissionpolicy", f"{FULL_NAME}-mode-guard").returncode, 0)
                self.assertEqual(self.must("get", *monitoring, "--namespace", NAMESPACE, "--ignore-not-found"), "")
                self.uninstall(major)

    def pods(self):
        return len(self.get("pods", "--namespace", NAMESPACE)["items"])

    def test_from_helm_3_to_helm_4(self):
        """Protects who changes over: Helm 4 takes a release of Helm 3 on, whose fields have another manager."""
        self.install(3)
        self.upgrade(4, "--set=replicas=4")
        self.assertEqual(self.in_release("deployment")["spec"]["replicas"], 4)

    def test_a_changed_policy_replaces_no_pod(self):
        """Protects the reload: the policy changes in its ConfigMap alone."""
        for major in (3, 4):
            with self.subTest(helm=major):
                self.install(major)
                before = self.in_release("deployment")["metadata"]["generation"]
                self.upgrade(major, "--set-file", f"policy={policy_file(STRICT)}")
                self.assertEqual(self.in_release("configmap", f"{FULL_NAME}-policy")["data"]["policy.yaml"], STRICT)
                self.assertEqual(self.in_release("deployment")["metadata"]["generation"], before)
                self.uninstall(major)

    def test_helm_test_runs_the_image_on_the_policy(self):
        """Protects `helm test`: its pod succeeds with a policy that loads, and fails with one that does not."""
        for major in (3, 4):
            for policy, succeeds in (BASELINE, True), (BASELINE + "profle: strict\n", False):
                with self.subTest(helm=major, succeeds=succeeds):
                    self.install(major, "--set-file", f"policy={policy_file(policy)}")
                    done = self.helm_test(major)
                    self.assertEqual(done.returncode == 0, succeeds, done.stdout + done.stderr)
                    self.kubectl("delete", "pod", f"{FULL_NAME}-test-policy", "--namespace", NAMESPACE, "--force")
                    self.uninstall(major)

    def helm_test(self, major):
        """helm test, with this test in the kubelet's place."""
        results = []
        tester = threading.Thread(target=lambda: results.append(self.helm(major, "test", RELEASE, "--timeout=30s")))
        tester.start()
        name = f"{FULL_NAME}-test-policy"
        wait_until(lambda: self.kubectl("get", "pod", name, "--namespace", NAMESPACE).returncode == 0, timeout=20, what="the pod")
        phase = "Succeeded" if self.run_as_kubelet(self.in_release("pod", name)) == 0 else "Failed"
        self.must("patch", "pod", name, "--namespace", NAMESPACE, "--subresource=status", "--type=merge",
                  f"--patch={json.dumps({'status': {'phase': phase}})}")
        tester.join()
        return results[0]

    def run_as_kubelet(self, pod):
        """Runs the pod's container as its spec says; its exit status."""
        args = Kubelet(self, NAMESPACE, temporary_directory()).arguments(pod["spec"])
        return subprocess.run([Program.path, *args], capture_output=True, timeout=20).returncode


class OlderChart(Installed):
    def test_reuse_values_takes_the_defaults_of_what_is_new(self):
        """Protects upgrades from a chart that had fewer values: Helm then goes by the old chart's, and by no new ones."""
        older = chart_with_values({key: value for key, value in chart_values().items()
                                   if key not in ("events", "hostNetwork", "podSecurityContext", "policyCheck")})
        for major in (3, 4):
            for how in "--reuse-values", "--reset-then-reuse-values":
                with self.subTest(helm=major, how=how):
                    self.install(major, "--set=replicas=3")
                    expected = self.in_release("deployment")["spec"]
                    self.install(major, "--set=replicas=3", chart=older)
                    self.upgrade(major, how)
                    self.assertEqual(self.in_release("deployment")["spec"], expected)
                    self.uninstall(major)


class PolicyChecked(Installed):
    """Upgrades with the Job that checks the policy, on a node that runs it."""

    def clean(self):
        """One that failed is no part of the release, and stays."""
        self.must("delete", "jobs", "--all", "--namespace", NAMESPACE)
        super().clean()

    def test_a_policy_that_does_not_load_is_refused(self):
        """Protects the policy in force: Helm shows what is wrong with the next one, where, and changes nothing."""
        broken = policy_file(BASELINE + "rules:\n  explicit-fields: {action: dony}\n")
        for major in (3, 4):
            with self.subTest(helm=major), Node(self, NAMESPACE):
                self.install(major, "--timeout=120s", checks_policy=True)
                self.assertEqual(self.jobs(), "")
                before = self.state()
                done = self.helm(major, "upgrade", RELEASE, CHART, "--set-file", f"policy={broken}", "--set=replicas=4",
                                 "--timeout=120s", checks_policy=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stdout + done.stderr, r"/policy\.yaml:5:29: .*dony")
                self.assertEqual(self.state(), before)
                self.assertEqual(self.jobs(), f"job.batch/{FULL_NAME}-policy-check\n")
                self.upgrade(major, "--set-file", f"policy={policy_file(STRICT)}", "--timeout=120s", checks_policy=True)
                self.assertEqual(self.in_release("configmap", f"{FULL_NAME}-policy")["data"]["policy.yaml"], STRICT)
                self.assertEqual(self.jobs(), "")
                self.uninstall(major)

    def test_nothing_is_installed_with_a_policy_that_does_not_load(self):
        """Protects the first install: pods that cannot start are not left behind."""
        with Node(self, NAMESPACE):
            done = self.helm(4, "install", RELEASE, CHART, "--set-file", f"policy={policy_file(BASELINE + 'profle: strict')}",
                             "--timeout=120s", checks_policy=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stdout + done.stderr, r"/policy\.yaml:4:1: .*profle")
            self.assertEqual([each for each in self.what_is_there() if not each.startswith(("pod/", "secret/"))], [])

    def jobs(self):
        return self.must("get", "jobs", "--namespace", NAMESPACE, "--output=name")

    def state(self):
        """What an upgrade would have changed."""
        return [self.in_release("deployment")["metadata"]["generation"], self.in_release("configmap", f"{FULL_NAME}-policy")["data"],
                self.configuration()["metadata"]["generation"]]


class OtherOwners(Installed):
    """Fields of the release that something else writes: they survive, and Helm 4's server-side apply does not trip over them."""

    def inject_by_apply(self, text):
        """As cert-manager's injector does where it applies server-side."""
        webhooks = [{"name": each["name"], "clientConfig": {"caBundle": text}} for each in self.configuration()["webhooks"]]
        patch = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
                 "metadata": {"name": FULL_NAME}, "webhooks": webhooks}
        self.must("apply", "--server-side", "--field-manager=cert-manager-cainjector", "--filename=-", input=json.dumps(patch))

    def bundles(self):
        return [each["clientConfig"].get("caBundle") for each in self.configuration()["webhooks"]]

    def inject_by_update(self, text):
        """As injectors do that write the whole object."""
        configuration = self.configuration()
        for each in configuration["webhooks"]:
            each["clientConfig"]["caBundle"] = text
        self.must("replace", "--field-manager=some-injector", "--filename=-", input=json.dumps(configuration))

    def test_upgrades_keep_an_injected_ca(self):
        """Protects TLS: a CA that cert-manager, or anything else, has written survives upgrades and rollbacks, with each
        Helm and from one to the other, without a conflict."""
        for mode, inject in ("certManager", self.inject_by_apply), ("secret", self.inject_by_update):
            for helms in (3, 3), (4, 4), (3, 4):
                with self.subTest(mode=mode, inject=inject.__name__, helms=helms):
                    self.keeps_an_injected_ca(mode, inject, *helms)

    def keeps_an_injected_ca(self, mode, inject, first, then):
        certificates = f"--set=certs.mode={mode}"
        self.install(first, certificates)
        self.assertEqual(self.bundles(), [None] * 3)
        inject("Zmlyc3Q=")
        self.upgrade(then, certificates, "--set=webhook.timeoutSeconds=6")
        self.assertEqual(self.bundles(), ["Zmlyc3Q="] * 3)
        inject("c2Vjb25k")
        self.upgrade(then, certificates, "--set=webhook.timeoutSeconds=8,webhook.defaultMode=audit")
        self.assertEqual(self.bundles(), ["c2Vjb25k"] * 3)
        self.assertEqual([each["timeoutSeconds"] for each in self.configuration()["webhooks"]], [8] * 3)
        self.helm_does(then, "rollback", RELEASE, "1")
        self.assertEqual(self.bundles(), ["c2Vjb25k"] * 3)
        self.uninstall(then)

    def test_a_rendered_ca_would_conflict(self):
        """Protects the test above: were the field rendered, Helm 4 would refuse to take it from its owner."""
        self.install(4, OWN_CERTIFICATE)
        self.inject_by_apply("Zmlyc3Q=")
        done = self.helm(4, "upgrade", RELEASE, CHART, OWN_CERTIFICATE, "--set=webhook.caBundle=-----BEGIN CERTIFICATE-----")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("conflict", done.stderr)

    def test_upgrades_leave_the_certificate_alone(self):
        """Protects the Secret that the admin or cert-manager wrote: the chart has no part in it."""
        for major in (3, 4):
            with self.subTest(helm=major):
                self.install(major, OWN_CERTIFICATE)
                self.must("create", "secret", "generic", f"{FULL_NAME}-tls", "--namespace", NAMESPACE, "--from-literal=tls.crt=x")
                before = self.in_release("secret", f"{FULL_NAME}-tls")
                self.upgrade(major, OWN_CERTIFICATE, "--set=replicas=3")
                self.helm_does(major, "uninstall", RELEASE)
                self.assertEqual(self.in_release("secret", f"{FULL_NAME}-tls"), before)
                self.must("delete", "secret", f"{FULL_NAME}-tls", "--namespace", NAMESPACE)


class Guarding(Installed):
    """The release calls an applyguard on loopback: what it comes to for whoever writes to the cluster."""

    count = 0

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server(policy=policy_file(DENYING))
        cls.addClassCleanup(cls.server.stop)

    def flags(self, *more):
        return (OWN_CERTIFICATE, f"--set=webhook.url=https://127.0.0.1:{self.server.port}", "--set-file",
                f"webhook.caBundle={self.server.certificate.certificate}", *more)

    def guard(self, major, *more):
        self.install(major, *self.flags(*more))
        self.wait_for_calls()

    def wait_for_calls(self):
        """A new configuration is not yet in force when the API server has stored it."""
        namespace = self.namespace("enforce")
        wait_until(lambda: self.apply(namespace).returncode, timeout=30, what="the first denial")

    def namespace(self, mode=None):
        Guarding.count += 1
        name = f"trial-{Guarding.count}"
        self.create_namespace(name, **({"applyguard.io/mode": mode} if mode else {}))
        return name

    def apply(self, namespace, manifest=None, **options):
        return self.kubectl("apply", "--server-side", "--dry-run=server", "--filename=-", f"--namespace={namespace}",
                            input=json.dumps(manifest or DEPLOYMENT), **options)

    def was_seen(self, namespace):
        """Whether applyguard was asked. The log is written behind the answers: once a later review is in it, so is this one."""
        later = self.namespace("enforce")
        self.apply(later)
        wait_until(lambda: self.is_logged(later), what="the review that was asked for afterwards")
        return self.is_logged(namespace)

    def is_logged(self, namespace):
        return any(line.get("namespace") == namespace for line in self.server.log("review"))

    def assert_outcome(self, namespace, outcome):
        done = self.apply(namespace)
        self.assertEqual(done.returncode, 1 if outcome == "denied" else 0, done.stderr)
        self.assertEqual("Warning: applyguard: " in done.stderr, outcome == "warned", done.stderr)
        if outcome in ("denied", "warned"):
            self.assertIn("[explicit-fields]", done.stderr)
        self.assertEqual(self.was_seen(namespace), outcome != "unseen")

    def test_kubectl_shows_the_warning(self):
        """Protects the first thing an admin tries: an install, an apply, and the warning on the terminal; each Helm."""
        for major in (3, 4):
            with self.subTest(helm=major):
                self.guard(major)
                done = self.kubectl("apply", "--filename=-", f"--namespace={self.namespace()}", input=json.dumps(DEPLOYMENT))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r"Warning: applyguard: .*\[explicit-fields\]")
                self.uninstall(major)

    def test_the_chart_keeps_its_own_rules(self):
        """Protects our word: applyguard has nothing to say of its own chart, however it is applied."""
        self.guard(4)
        namespace = self.namespace("enforce")
        manifests = run([helm_program(4), "template", "own", CHART, "--namespace", namespace]).stdout
        self.assertIn("kind: Deployment", manifests)
        for how in (), ("--server-side",):
            done = self.kubectl("apply", *how, "--dry-run=server", "--filename=-", f"--namespace={namespace}", input=manifests)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_notes_can_be_followed(self):
        """Protects newcomers: what the notes tell them to type works, and is warned of as they say."""
        with Server(policy=policy_file(BASELINE)) as baseline:
            notes = self.install(4, OWN_CERTIFICATE, f"--set=webhook.url=https://127.0.0.1:{baseline.port}", "--set-file",
                                 f"webhook.caBundle={baseline.certificate.certificate}")
            commands = re.findall(r"^ +(kubectl .*applyguard-trial.*)$", notes, re.MULTILINE)
            self.assertEqual(len(commands), 4, notes)
            self.follow(commands[:3])
            set_image = commands[3]
            wait_until(lambda: "[ownership-conflict]" in self.follow([f"{set_image} --dry-run=server"]), timeout=30, what="a warning")
            self.assertIn("[ownership-conflict]", self.follow([set_image]))

    def follow(self, commands):
        """What commands for a shell say on standard error, where each succeeds."""
        path = f"{self.plane.programs}:{os.environ['PATH']}"
        script = "\n".join(["set -euo pipefail", *commands])
        done = run(["bash", "-c", script], env={**self.plane.kubectl_environment(), "PATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_the_label_of_the_namespace_chooses_the_mode(self):
        """Protects namespaces from another's mode, for each default; a word that is no mode is as no label."""
        outcomes = {"enforce": "denied", "warn": "warned", "audit": "recorded", "off": "unseen"}
        for default, unlabelled in outcomes.items():
            with self.subTest(default=default):
                self.guard(4, "--set-string", f"webhook.defaultMode={default}")
                for mode, outcome in {**outcomes, None: unlabelled, "enforced": unlabelled, "": unlabelled}.items():
                    self.assert_outcome(self.namespace(mode), outcome)
                self.uninstall(4)

    def test_nobody_waits_for_applyguard_where_it_must_not_be(self):
        """Protects the cluster's own namespaces, and applyguard's: they are not even labelled into it."""
        self.guard(4, "--set=webhook.defaultMode=enforce", "--set=webhook.excludedNamespaces={sandbox}")
        self.create_namespace("sandbox")
        for namespace in "kube-system", "kube-public", "kube-node-lease", NAMESPACE, "sandbox":
            self.must("label", "namespace", namespace, "applyguard.io/mode=enforce", "--overwrite")
            manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "probe"}}
            outcome = self.apply(namespace, manifest if namespace == NAMESPACE else DEPLOYMENT)
            self.assertEqual((outcome.returncode, outcome.stderr), (0, ""), namespace)
            self.assertFalse(self.was_seen(namespace), namespace)

    def test_what_the_cluster_itself_writes_is_spared(self):
        """Protects the API server from calls that cannot matter, and the judging of all others."""
        self.guard(4, "--set=webhook.defaultMode=enforce")
        replica_set = {**DEPLOYMENT, "kind": "ReplicaSet"}
        controller = "system:serviceaccount:kube-system:deployment-controller"
        for user, group, manifest, is_called in (
                ("system:node:a", "system:nodes", DEPLOYMENT, False),
                ("system:apiserver", "system:masters", DEPLOYMENT, False),
                ("bob", "devs", DEPLOYMENT, True),
                ("bob", "devs", replica_set, True),
                (controller, "system:serviceaccounts", DEPLOYMENT, True),
                (controller, "system:serviceaccounts", replica_set, False),
                ("system:kube-controller-manager", "system:masters", replica_set, False)):
            namespace = self.namespace()
            with self.subTest(user=user, group=group, kind=manifest["kind"]):
                # Listed in system:masters besides, so that it is not for a lack of rights that nothing is seen.
                done = self.kubectl(
                    "apply", "--server-side", "--dry-run=server", "--filename=-", f"--namespace={namespace}", f"--as={user}",
                    f"--as-group={group}", "--as-group=system:masters", input=json.dumps(manifest))
                self.assertEqual(done.returncode, int(is_called), done.stderr)
                self.assertEqual(self.was_seen(namespace), is_called)

    def test_fail_blocks_enforced_namespaces_only(self):
        """Protects both promises while no applyguard answers: enforced writes wait for it, all others pass."""
        for policy, blocked in ("Ignore", False), ("Fail", True):
            with self.subTest(policy):
                self.guard(4, f"--set=webhook.failurePolicy={policy}")
                # Nothing listens on port 1.
                self.upgrade(4, *self.flags(f"--set=webhook.failurePolicy={policy},webhook.url=https://127.0.0.1:1"))
                enforced = self.namespace("enforce")
                wait_until(lambda: "[explicit-fields]" not in self.apply(enforced).stderr, timeout=30, what="the new URL")
                done = self.apply(enforced)
                self.assertEqual(done.returncode, int(blocked), done.stderr)
                if blocked:
                    self.assertIn('failed calling webhook "enforce.applyguard.io"', done.stderr)
                for mode in "warn", "audit", "off", None:
                    done = self.apply(self.namespace(mode))
                    self.assertEqual(done.returncode, 0, done.stderr)
                self.uninstall(4)

    def test_the_api_server_counts_what_the_alerts_look_at(self):
        """Protects alerts that are about the API server's own numbers: it has these metrics, with these labels."""
        self.guard(4)
        nobody = self.flags("--set=webhook.url=https://127.0.0.1:1")
        self.upgrade(4, *nobody)
        enforced = self.namespace("enforce")
        wait_until(lambda: "[explicit-fields]" not in self.apply(enforced).stderr, timeout=30, what="the new URL")
        self.upgrade(4, *nobody, "--set=webhook.failurePolicy=Fail")
        wait_until(lambda: "failed calling webhook" in self.apply(enforced).stderr, timeout=30, what="the new policy")
        served = self.must("get", "--raw", "/metrics").splitlines()
        looked_at = re.findall(r"\b(apiserver_\w+)\{([^}]*)\}", (CHART / "monitoring/alerts.yaml").read_text())
        self.assertEqual(len({metric for metric, _ in looked_at}), 3)
        for metric, selector in looked_at:
            ours = [line for line in served if line.startswith(f"{metric}{{") and 'name="enforce.applyguard.io"' in line]
            self.assertTrue(ours, metric)
            for label in re.findall(r"(\w+)(?:!=|=~|=)", selector):
                self.assertIn(f'{label}="', ours[0])
        self.assertIn('error_type="calling_webhook_error"', "".join(served))

    def test_only_listed_groups_may_change_the_mode(self):
        """Protects the modes: who may write namespaces, but is in no listed group, cannot touch the label in any way."""
        self.install(4, "--set=modeGuard.enabled=true")
        namespace = self.namespace("enforce")
        self.wait_for_the_guard(namespace)
        merge = ["patch", "namespace", namespace, "--type=merge", '--patch={"metadata":{"labels":{"applyguard.io/mode":"off"}}}']
        created = json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": "by-alice", "labels": {"applyguard.io/mode": "off"}}})
        attempts = {
            "change": lambda user: self.label_as(user, namespace, "applyguard.io/mode=audit", "--overwrite"),
            "change through the status": lambda user: self.kubectl(*merge, "--subresource=status", user=user),
            "remove": lambda user: self.label_as(user, namespace, "applyguard.io/mode-"),
            "set": lambda user: self.label_as(user, namespace, "applyguard.io/mode=enforce"),
            "create with it": lambda user: self.kubectl("create", "--filename=-", user=user, input=created)}
        for how, attempt in attempts.items():
            refused, allowed = attempt("alice"), attempt("admin")
            self.assertNotEqual(refused.returncode, 0, how)
            self.assertIn("only members of these groups may set, change or remove the label", refused.stderr)
            self.assertEqual(allowed.returncode, 0, allowed.stderr)
        self.assertEqual(self.label_as("alice", namespace, "team=a").returncode, 0)
        done = self.kubectl("create", "namespace", "of-alice", user="alice")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.kubectl("delete", "namespace", namespace, "--timeout=30s", user="alice")
        self.assertEqual(done.returncode, 0, done.stderr)

    def wait_for_the_guard(self, namespace):
        label = "applyguard.io/mode=off", "--overwrite", "--dry-run=server"
        wait_until(lambda: self.label_as("alice", namespace, *label).returncode, timeout=30, what="the guard")

    def label_as(self, user, namespace, *arguments):
        return self.kubectl("label", "namespace", namespace, *arguments, user=user)

    def test_groups_of_the_guard_are_taken_as_they_are(self):
        """Protects against a group name that would be read as CEL: it is text, whatever it holds."""
        namespace = self.namespace("enforce")
        self.install(4, "--set=modeGuard.enabled=true", "--set-json", 'modeGuard.groups=["nobody","x\\" || true || \\"","de<v\'s\\\\"]')
        self.wait_for_the_guard(namespace)
        refused = self.label_as("admin", namespace, "applyguard.io/mode=off", "--overwrite")
        self.assertIn("only members of these groups", refused.stderr)
        done = self.kubectl("label", "namespace", namespace, "applyguard.io/mode=off", "--as=carol", "--as-group=de<v's\\",
                            "--as-group=devs", "--overwrite")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
