#!/usr/bin/env python3
"""`applyguard explain -f` of what applyguard itself warned of or denied, and of Terraform's and Pulumi's texts.

    tests/cli/test_explain_own.py APPLYGUARD
"""
import json
import subprocess
import sys
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
MESSAGE = "Deployment shop/web: kubectl edit changes replicas, but Flux undoes this at its next reconcile; change this in Git"
LINE = MESSAGE + " [ownership-conflict]"
SECOND = "Deployment shop/web: .spec.strategy.type is not in the manifest, so an edit to Recreate would stay; add it [explicit-strategy]"
DENIED = 'admission webhook "enforce.applyguard.io" denied the request: '
BOX = """╷
│ \x1b[1mError: \x1b[0mThere was a field manager conflict when trying to apply the manifest for "shop/pool"
│ 
│ The API returned the following conflict: "Apply failed with 2 conflicts:
│ conflicts with \\"before-first-apply\\" using example.org/v1:\\n-
│ .metadata.labels.one\\n-
│ .metadata.labels.two"
╵
"""
TERRAFORM_KUBECTL = 'Error: shop/accounts failed to run apply: Apply failed with 1 conflict: conflict with "eks" using v1: .data.roles\n'
PULUMI = ('* the Kubernetes API server reported that "shop/accounts" failed to become live: Server-Side Apply field conflict '
          'detected: Apply failed with 1 conflict: conflict with "eks" using v1: .data.roles\n')


def explain(text, *arguments):
    done = subprocess.run([APPLYGUARD, "explain", *arguments, "-f", "-"], input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def explained(text):
    status, output, errors = explain(text, "-o", "json")
    assert status == 0, errors
    return [json.loads(line) for line in output.splitlines()]


class Own(unittest.TestCase):
    def test_warnings_are_found_in_the_words_of_each_client(self):
        for text in (f"Warning: applyguard: {LINE}\ndeployment.apps/web edited\n",
                     f'W0311 09:30:12.401233   17 warnings.go:70] applyguard: {LINE}\n',
                     f'{{"level":"info","msg":"Warning: applyguard: {LINE}"}}\n'):
            with self.subTest(text=text):
                one, = explained(text)
                self.assertEqual((one["rule"], one["refused"], one["object"]["name"]), ("ownership-conflict", False, "web"))
                self.assertEqual(one["what"], "kubectl edit changes replicas")
                self.assertEqual(one["next"], "Flux undoes this at its next reconcile")
                self.assertEqual(one["advice"], "change this in Git")

    def test_denials_have_a_line_for_each_finding(self):
        for text in (f'error: deployments.apps "web" could not be patched: {DENIED}{LINE}\n{SECOND}\n',
                     f'Error: UPGRADE FAILED: {DENIED}{LINE}\n{SECOND}\n',
                     f'{{"error":"{DENIED}{LINE}\\n{SECOND}"}}'.replace('"enforce.applyguard.io"', '\\"enforce.applyguard.io\\"')):
            with self.subTest(text=text):
                self.assertEqual([(one["rule"], one["refused"]) for one in explained(text)],
                                 [("ownership-conflict", True), ("explicit-strategy", True)])

    def test_another_webhooks_denial_is_not_ours(self):
        status, output, errors = explain(f'admission webhook "validate.kyverno.svc" denied the request: {LINE}\n')
        self.assertEqual((status, output), (2, ""))
        self.assertIn("it holds no conflict", errors)

    def test_several_are_explained_once_each(self):
        text = f"Warning: applyguard: {LINE}\nWarning: applyguard: {SECOND}\nWarning: applyguard: {LINE}\n"
        self.assertEqual(len(explained(text)), 2)

    def test_resolutions_are_commands_for_the_object(self):
        status, output, _ = explain(f"Warning: applyguard: {LINE}\n")
        self.assertEqual(status, 0)
        self.assertIn("applyguard blame deployment web -n shop\n", output)
        self.assertIn("kubectl annotate deployment web -n shop applyguard.io/waive=ownership-conflict", output)
        self.assertIn("applyguard explain ownership-conflict\n", output)

    def test_a_cut_name_is_no_name_for_a_command(self):
        output = explain("Warning: applyguard: " + LINE.replace("shop/web", "shop/a-long-…-name") + "\n")[1]
        self.assertIn("applyguard blame KIND NAME\n", output)

    def test_nothing_of_it_reaches_the_terminal_raw(self):
        output = explain("Warning: applyguard: " + LINE.replace("replicas", "repl\x1b[2Jicas") + "\n")[1]
        self.assertNotIn("\x1b", output)


class Others(unittest.TestCase):
    def ways(self, text):
        report, = explained(text)
        return report, {way["way"]: way["command"] for way in report["conflicts"][0]["ways"]}

    def test_terraforms_box(self):
        report, ways = self.ways(BOX)
        self.assertEqual([conflict["path"] for conflict in report["conflicts"]], [".metadata.labels.one", ".metadata.labels.two"])
        self.assertEqual(ways["force"], "terraform apply  # first set force_conflicts = true in the block field_manager of the resource")

    def test_terraforms_kubectl_provider(self):
        self.assertEqual(self.ways(TERRAFORM_KUBECTL)[1]["force"], "terraform apply  # first set force_conflicts = true in the resource")

    def test_pulumi(self):
        self.assertEqual(self.ways(PULUMI)[1]["force"],
                         'pulumi up  # first set the annotation pulumi.com/patchForce: "true" on the resource')


if __name__ == "__main__":
    unittest.main()
