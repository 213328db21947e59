#!/usr/bin/env python3
"""The chart installed for real, with Helm 3 and Helm 4: what it does to a cluster, whom it guards, what stays behind."""

import json
import os
import re
import subprocess
import threading

from chart import CHART, FULL_NAME, NAMESPACE, RELEASE, helm_program, run
from harness import Program, Server, main, temporary_directory, wait_until
from helm import IMAGE
from installed import BASELINE, Installed, OWN_CERTIFICATE, STRICT, policy_file
from kubelet import Kubelet

# Denies the manifests below.
DENYING = BASELINE + """\
rules:
  explicit-strategy: {action: "off"}
  explicit-fields:
    action: deny
    fields: {Deployment.apps: [.spec.strategy.type], ReplicaSet.apps: [.spec.minReadySeconds]}
"""
MONITORED = "--set=" + ",".join(f"metrics.{what}.enabled=true" for what in ("serviceMonitor", "prometheusRule", "dashboard"))
DEPLOYMENT = {
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
    "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {
        "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "nginx", "image": "nginx:1"}]}}}}


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


class Guarding(Installed):
    """The release calls an applyguard on loopback: its effect on the users who write to the cluster."""

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
        """Protects our word: applyguard has no finding in its own chart, however it is applied."""
        self.guard(4)
        namespace = self.namespace("enforce")
        manifests = run([helm_program(4), "template", "own", CHART, IMAGE, "--namespace", namespace]).stdout
        self.assertIn("kind: Deployment", manifests)
        for how in (), ("--server-side",):
            done = self.kubectl("apply", *how, "--dry-run=server", "--filename=-", f"--namespace={namespace}", input=manifests)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_notes_can_be_followed(self):
        """Protects newcomers: the commands in the notes work, and get the warnings that the notes announce."""
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
        """The standard error of commands for a shell, each of which succeeds."""
        path = f"{self.plane.programs}:{os.environ['PATH']}"
        script = "\n".join(["set -euo pipefail", *commands])
        done = run(["bash", "-c", script], env={**self.plane.kubectl_environment(), "PATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_the_label_of_the_namespace_chooses_the_mode(self):
        """Protects namespaces from another's mode, for each default; a word that is not a mode counts as no label."""
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
        """Protects against a group name that would be read as CEL: it is text, with any content."""
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
