#!/usr/bin/env python3
"""`applyguard explain -f` of what applyguard itself warned of or denied, and of Terraform's and Pulumi's texts.

    tests/cli/test_explain_own.py APPLYGUARD
"""
import json
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
MESSAGE = "Deployment shop/web: kubectl edit changes replicas, but Flux undoes this at its next reconcile; change it in Git"
LINE = MESSAGE + " [ownership-conflict]"
SECOND = "Deployment shop/web: .spec.strategy.type is not declared, so an edit to Recreate would stay; add it [explicit-strategy]"
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
                self.assertEqual(one["advice"], "change it in Git")

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

    def test_who_wrote_what_and_who_holds_it(self):
        for message, who, holder, then in (
                ("Flux overwrites replicas, which an autoscaler controls; remove replicas", "Flux", "an autoscaler", "which an autoscaler controls"),
                ("k9s changes replicas, which kubectl apply --server-side manages: the next apply fails or undoes this; change the manifest", "k9s",
                 "kubectl apply --server-side", "the next apply fails or undoes this"),
                ("Helm changes web's image, but the next helm upgrade undoes this; change the chart", "Helm", "", "the next helm upgrade undoes this")):
            with self.subTest(message):
                one, = explained(f"Warning: applyguard: Deployment shop/web: {message} [ownership-conflict]\n")
                self.assertEqual((one["who"], one["holder"], one["next"]), (who, holder, then))

    def test_the_four_resolutions_are_those_of_the_writer(self):
        def ways(message, before="Warning: applyguard: ", rule="ownership-conflict"):
            one, = explained(f"{before}Deployment shop/web: {message} [{rule}]\n")
            return {way["way"]: way["command"] for way in one["ways"]}
        by_hand = ways(MESSAGE.partition(": ")[2])
        self.assertEqual(by_hand["drop"], "kubectl edit deployment web -n shop  # set replicas back")
        self.assertEqual(by_hand["force"], "flux suspend kustomization NAME")
        self.assertTrue(by_hand["hand-over"].startswith("applyguard migrate --to MANAGER deployment web -n shop -o command"))
        self.assertEqual(by_hand["match"], "kubectl get deployment web -n shop -o yaml  # then set replicas in MANIFEST to what this shows, and apply again")
        helm = ways("Helm overwrites nginx's image and 1 more field, which team-b also sets; keep it in one manifest", DENIED)
        self.assertEqual(helm["drop"], "helm upgrade --install RELEASE CHART  # first remove nginx's image and 1 more field from the chart")
        self.assertIn("the policy refused it", helm["force"])
        orphaned = ways("annotation note (kubectl annotate) is in no manifest; add it to Git", rule="orphaned-fields")
        self.assertEqual(orphaned["drop"], "kubectl edit deployment web -n shop  # remove annotation note")
        self.assertNotIn("drop", ways("the manifest has no .spec.selector; set it", rule="explicit-selector"))

    def test_another_object_is_not_this_one(self):
        live = json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "managedFields": [{"manager": "a", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}}]}})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            for text, said in ((live, ""), (live.replace('"web"', '"api"'), "no object of --live is the one of this message")):
                file.seek(0)
                file.truncate()
                file.write(text)
                file.flush()
                status, _, errors = explain(f"Warning: applyguard: {LINE}\n", "--live", file.name)
                self.assertEqual(status, 0)
                self.assertIn(said, errors)
                self.assertEqual(bool(said), bool(errors))

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
