#!/usr/bin/env python3
"""Upgrades of the chart, with Helm 3 and Helm 4: what they keep, and what they refuse."""

import json

from chart import CHART, FULL_NAME, NAMESPACE, RELEASE, render
from harness import main
from helm import chart_values, chart_with_values
from installed import BASELINE, Installed, OWN_CERTIFICATE, STRICT, policy_file
from node import Node


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
        """A Job that failed does not belong to the release, and stays."""
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
        """The changes that an upgrade would have made."""
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

    def test_a_sync_keeps_an_injected_ca(self):
        """Protects GitOps: applying the rendered chart, in either way, leaves the CA alone and shows no difference."""
        manifests = render(4, "--no-hooks").stdout
        for how in ("--server-side=false",), ("--server-side", "--field-manager=argocd-controller", "--force-conflicts"):
            with self.subTest(how[0]):
                self.must("apply", *how, "--filename=-", input=manifests)
                self.addCleanup(self.kubectl, "delete", "--ignore-not-found", "--filename=-", input=manifests)
                self.inject_by_apply("Zmlyc3Q=")
                self.must("apply", *how, "--filename=-", input=manifests)
                self.assertEqual(self.bundles(), ["Zmlyc3Q="] * 3)
                self.assertEqual(self.must("diff", *how, "--filename=-", input=manifests), "")
                self.must("delete", "--filename=-", input=manifests)

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


if __name__ == "__main__":
    main()
