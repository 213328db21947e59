"""`applyguard migrate` on a real API server: it takes the patch, nothing but managedFields changes, and the next apply removes
what the manifest drops. The same as kubectl's own migration, and the way back.
"""

import copy
import json
import re
import shlex
import subprocess

import guarded
import harness
from stage import stories, web

APPLY = "application/apply-patch+yaml"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns", "labels": {"keep": "a", "drop": "b"}},
           "spec": {"selector": {"app": "dns"}, "ports": [{"name": "tcp", "port": 53, "protocol": "TCP"},
                                                          {"name": "udp", "port": 53, "protocol": "UDP"}]}}
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "labels": {"keep": "a", "drop": "b"}},
          "data": {"a": "b", "c": "d"}}
POLICY = {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy",
          "metadata": {"name": "web", "labels": {"keep": "a", "drop": "b"}}, "spec": {
              "podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Ingress"],
              "ingress": [{"from": [{"namespaceSelector": {}}], "ports": [{"port": 80, "protocol": "TCP"}]}]}}
AUTOSCALER = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
              "metadata": {"name": "idle", "labels": {"keep": "a", "drop": "b"}}, "spec": {
                  "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "none"}, "minReplicas": 4, "maxReplicas": 9}}


def deployment(name="web", **spec):
    made = web(**spec)
    made["metadata"]["name"] = name
    made["metadata"]["labels"] = {"keep": "a", "drop": "b"}
    return made


def without_label(manifest):
    made = copy.deepcopy(manifest)
    del made["metadata"]["labels"]["drop"]
    return made


def entries(found):
    """By identity; times come from the run."""
    return {(each["manager"], each["operation"], each["apiVersion"], each.get("subresource", "")): each["fieldsV1"]
            for each in found["metadata"]["managedFields"]}


def but_entries(found):
    """All of the object but who owns it; controllers write the status meanwhile."""
    rest = copy.deepcopy(found)
    rest.pop("status", None)
    for name in ("managedFields", "resourceVersion"):
        del rest["metadata"][name]
    # The one of Deployments that controllers write.
    rest["metadata"].get("annotations", {}).pop("deployment.kubernetes.io/revision", None)
    return rest


class Migrate(guarded.WithPlane):
    def setUp(self):
        self.namespace = self.make_namespace("migrate-" + self.id().rpartition(".test_")[2].replace("_", "-")[:40].strip("-"))

    def run_kubectl(self, *arguments, manifest=None, environment=None):
        return subprocess.run(
            self.plane.kubectl_command(*arguments, "--context=admin", f"--namespace={self.namespace}"),
            input=json.dumps(manifest) if manifest else None, capture_output=True, text=True, timeout=120,
            env={**self.plane.kubectl_environment(), **(environment or {})})

    def kubectl(self, *arguments, **options):
        done = self.run_kubectl(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def get(self, kind, name):
        return json.loads(self.kubectl("get", kind, name, "-o", "json", "--show-managed-fields"))

    def migrate(self, *arguments, found):
        done = harness.run(harness.Program.path, "migrate", "-f", "-", *arguments, input=json.dumps(found).encode())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def migrated(self, kind, name, to, *arguments):
        """The object after `kubectl patch` took the printed command. Status writers may come in between: then it is refused."""
        for _ in range(10):
            before = self.get(kind, name)
            command, told = self.migrate("-o", "command", "--to", to, *arguments, found=before)
            words = shlex.split(command, comments=True)
            self.assertEqual(words[:2], ["kubectl", "patch"], told)
            patched = self.run_kubectl(*[word for word in words[1:] if word not in ("-n", self.namespace)])
            if patched.returncode == 0:
                after = self.get(kind, name)
                self.assertEqual(but_entries(after), but_entries(before))
                # Except for status writers, the entries match the patch.
                planned = {**before, "metadata": {**before["metadata"], "managedFields": json.loads(words[-1])[0]["value"]}}
                self.assertEqual({key: value for key, value in entries(after).items() if not key[3]},
                                 {key: value for key, value in entries(planned).items() if not key[3]})
                return after
            self.assertIn("the object has been modified", patched.stderr)
        self.fail("somebody writes all the time")

    def apply(self, manifest, manager):
        """A server-side apply without any help of kubectl."""
        found = self.get(manifest["kind"], manifest["metadata"]["name"])
        group = {"Deployment": "apis/apps/v1", "Service": "api/v1", "ConfigMap": "api/v1",
                 "NetworkPolicy": "apis/networking.k8s.io/v1", "HorizontalPodAutoscaler": "apis/autoscaling/v2"}[found["kind"]]
        plural = {"NetworkPolicy": "networkpolicies"}.get(found["kind"], found["kind"].lower() + "s")
        answer = self.api.request(
            "PATCH", f"/{group}/namespaces/{self.namespace}/{plural}/{found['metadata']['name']}", manifest, content_type=APPLY,
            fieldManager=manager)
        self.assertTrue(answer.ok, answer.body)
        return self.get(manifest["kind"], manifest["metadata"]["name"])

    def test_what_the_manifest_drops_goes(self):
        for manifest in (deployment(), SERVICE, CONFIG, POLICY, AUTOSCALER):
            kind, name = manifest["kind"], manifest["metadata"]["name"]
            with self.subTest(kind):
                self.kubectl("apply", "-f", "-", manifest=manifest)
                # Its purpose: without it the old entry keeps the label for ever.
                left = self.apply(without_label(manifest), "other")
                self.assertEqual(left["metadata"]["labels"].get("drop"), "b")
                self.migrated(kind, name, "platform")
                # The difference is known before the apply.
                differs = self.run_kubectl("diff", "--server-side", "--field-manager=platform", "-f", "-",
                                           manifest=without_label(manifest))
                self.assertEqual(differs.returncode, 1, differs.stderr)
                self.assertRegex(differs.stdout, r"(?m)^-    drop: b$")
                applied = self.apply(without_label(manifest), "platform")
                self.assertNotIn("drop", applied["metadata"]["labels"])
                self.assertEqual(applied["metadata"]["labels"]["keep"], "a")
                self.assertNotIn("kubectl-client-side-apply", [key[0] for key in entries(applied)])
                self.assertNotIn(LAST_APPLIED, applied["metadata"].get("annotations", {}))
                again, told = self.migrate("--to", "platform", found=applied)
                self.assertEqual(again, "[]\n", told)

    def test_the_same_manifest_changes_no_value(self):
        """Fields that are re-defaulted get the value that they had."""
        for manifest in (deployment(), SERVICE, CONFIG, POLICY, AUTOSCALER):
            with self.subTest(manifest["kind"]):
                self.kubectl("apply", "-f", "-", manifest=manifest)
                before = self.migrated(manifest["kind"], manifest["metadata"]["name"], "platform")
                after = self.apply(manifest, "platform")
                del before["metadata"]["annotations"][LAST_APPLIED]
                before, after = but_entries(before), but_entries(after)
                for each in (before, after):
                    # A change of a Deployment's annotations is a generation of its own.
                    each["metadata"].pop("generation", None)
                    if not each["metadata"].get("annotations"):
                        each["metadata"].pop("annotations", None)
                self.assertEqual(after, before)

    def test_kubectl_itself_comes_to_the_same(self):
        """One object by kubectl's own migration, one by this; the dry run of kubectl is not a third one (kubernetes#125607)."""
        for made, name in ((deployment("theirs"), "theirs"), (deployment("ours"), "ours")):
            self.kubectl("apply", "-f", "-", manifest=made)
            if name == "ours":
                self.migrated("Deployment", name, "kubectl")
            self.kubectl("apply", "--server-side", "-f", "-", manifest=without_label(made))
        theirs, ours = self.get("Deployment", "theirs"), self.get("Deployment", "ours")
        for found in (theirs, ours):
            self.assertEqual(found["metadata"]["labels"], {"keep": "a"})
            self.assertNotIn("kubectl-client-side-apply", [key[0] for key in entries(found)])
        # kubectl keeps the annotation, by an entry of its own, because it saves it before it migrates.
        self.assertIn(("kubectl-last-applied", "Apply", "apps/v1", ""), entries(theirs))
        kubectls = ("kubectl", "Apply", "apps/v1", "")
        self.assertEqual(entries(ours)[kubectls], entries(theirs)[kubectls])
        self.assertEqual(ours["spec"], theirs["spec"])
        self.assertEqual(self.migrate("--to", "kubectl", found=theirs)[0], "[]\n")

    def test_edits_and_restarts(self):
        self.kubectl("apply", "--server-side", "--field-manager=platform", "-f", "-", manifest=deployment())
        self.kubectl("rollout", "restart", "deployment/web")
        self.kubectl("edit", "deployment/web", environment={"KUBE_EDITOR": "sed -i s/drop:.b/edited:\\ b/"})
        stuck = self.apply(deployment(), "platform")
        self.assertEqual(stuck["metadata"]["labels"]["edited"], "b")
        after = self.migrated("deployment", "web", "platform", "--from", "kubectl-edit", "--from", "kubectl-rollout")
        self.assertEqual([key for key in entries(after) if not key[3] and key[0] != "kube-controller-manager"],
                         [("platform", "Apply", "apps/v1", "")])
        mended = self.apply(deployment(), "platform")
        self.assertEqual(mended["metadata"]["labels"], {"keep": "a", "drop": "b"})
        self.assertNotIn("kubectl.kubernetes.io/restartedAt",
                         mended["spec"]["template"]["metadata"].get("annotations", {}))

    def test_back(self):
        for manifest in (deployment(), SERVICE, CONFIG, POLICY, AUTOSCALER):
            kind, name = manifest["kind"], manifest["metadata"]["name"]
            with self.subTest(kind):
                self.kubectl("apply", "--server-side", "-f", "-", manifest=manifest)
                _, told = self.migrate("--back", found=self.get(kind, name))
                self.assertIn("kubectl apply set-last-applied --create-annotation -f MANIFEST", told)
                self.migrated(kind, name, "kubectl-client-side-apply", "--back")
                self.kubectl("apply", "set-last-applied", "--create-annotation", "-f", "-", manifest=manifest)
                self.kubectl("apply", "-f", "-", manifest=without_label(manifest))
                found = self.get(kind, name)
                self.assertEqual(found["metadata"]["labels"], {"keep": "a"})
                self.assertEqual([key for key in entries(found) if key[1] == "Apply"], [])

    def test_there_and_back(self):
        self.kubectl("apply", "-f", "-", manifest=CONFIG)
        before = self.get("configmap", "web")
        self.migrated("configmap", "web", "kubectl")
        after = self.migrated("configmap", "web", "kubectl-client-side-apply", "--back")
        self.assertEqual(entries(after), entries(before))
        self.assertEqual(but_entries(after), but_entries(before))
        self.kubectl("apply", "-f", "-", manifest=without_label(CONFIG))
        self.assertEqual(self.get("configmap", "web")["metadata"]["labels"], {"keep": "a"})

    def test_a_write_in_between_is_a_conflict(self):
        self.kubectl("apply", "-f", "-", manifest=CONFIG)
        patch, _ = self.migrate("--to", "platform", found=self.get("configmap", "web"))
        self.kubectl("label", "configmap", "web", "more=1")
        between = self.get("configmap", "web")
        done = self.run_kubectl("patch", "configmap", "web", "--type=json", "--field-manager=platform", "-p", patch)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the object has been modified", done.stderr)
        self.assertEqual(self.get("configmap", "web"), between)

    def test_a_live_object_by_its_name(self):
        self.kubectl("apply", "-f", "-", manifest=CONFIG)
        environment = self.plane.kubectl_environment()
        done = subprocess.run(
            [harness.Program.path, "migrate", "--to", "platform", "--context=admin", "-n", self.namespace, "cm/web"],
            capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.migrate("--to", "platform", found=self.get("configmap", "web"))[0])
        done = subprocess.run(
            [harness.Program.path, "migrate", "--to", "platform", "--context=admin", "-n", self.namespace, "cm/none"],
            capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('"none" not found', done.stderr)

    def script(self, *arguments):
        """The script for objects of the cluster."""
        done = subprocess.run(
            [harness.Program.path, "migrate", "-o", "command", "--context=admin", "-n", self.namespace, *arguments],
            capture_output=True, text=True, timeout=120, env=self.plane.kubectl_environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_script(self, script):
        return subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=120, env=self.plane.kubectl_environment())

    def until_done(self, *arguments):
        """Controllers write meanwhile, so a script may have to be printed and run again."""
        for _ in range(10):
            done = self.run_script(self.script(*arguments))
            if done.returncode == 0:
                return
        self.fail(done.stderr)

    def test_many_objects_by_one_script(self):
        manifests = (SERVICE, CONFIG, POLICY, AUTOSCALER)
        for manifest in manifests:
            self.kubectl("apply", "-f", "-", manifest=manifest)
        names = [f"{each['kind']}/{each['metadata']['name']}" for each in manifests]
        before = [self.get(*name.split("/")) for name in names]
        script = self.script("--to", "platform", *names)
        self.kubectl("label", "configmap", "web", "more=1")
        done = self.run_script(script)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "ConfigMap web has changed since: run applyguard migrate again for it\n")
        again = self.run_script(script)
        self.assertEqual((again.returncode, again.stdout.count("is done already")), (1, 3))
        self.kubectl("label", "configmap", "web", "more-")
        self.until_done("--to", "platform", *names)
        for name, manifest, found in zip(names, manifests, before):
            after = self.get(*name.split("/"))
            self.assertEqual(but_entries(after), but_entries(found))
            self.assertNotIn("kubectl-client-side-apply", [key[0] for key in entries(after)])
            self.assertNotIn("drop", self.apply(without_label(manifest), "platform")["metadata"]["labels"])
        for back in [line.partition(": ")[2] for line in script.splitlines() if line.startswith("# The way back")][:1]:
            self.kubectl("apply", "-f", "-", manifest=SERVICE)
            self.assertEqual(self.run_script(back.replace("applyguard", str(harness.Program.path), 1)).returncode, 0)
        self.assertEqual([key for key in entries(self.get("service", "dns")) if key[1] == "Apply"], [])

    def test_all_objects_of_a_namespace(self):
        for manifest in (SERVICE, CONFIG, POLICY, AUTOSCALER, deployment()):
            self.kubectl("apply", "-f", "-", manifest=manifest)
        self.kubectl("label", "service", "dns", "mine=1")
        self.until_done("--to", "platform", "-l", "mine=1")
        self.assertEqual(sorted(re.findall(r"(?m)^step (\S+) ", self.script("--to", "platform"))), [
            "ConfigMap", "Deployment.v1.apps", "HorizontalPodAutoscaler.v2.autoscaling", "NetworkPolicy.v1.networking.k8s.io"])

    def test_the_objects_of_a_tool(self):
        """By the labels and annotations with which Helm, Flux and Argo CD mark what is theirs."""
        marks = {
            "--release": {"labels": {"app.kubernetes.io/managed-by": "Helm"}, "annotations": {
                "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": self.namespace}},
            "--kustomization": {"labels": {"kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}},
            "--application": {"annotations": {"argocd.argoproj.io/tracking-id": "shop:/ConfigMap:x/y"}}}
        for flag, metadata in marks.items():
            for name in ("one", "two"):
                other = {"annotations": {key: value.replace("shop", "other") for key, value in metadata.get("annotations", {}).items()},
                         "labels": {key: value.replace("shop", "other") for key, value in metadata.get("labels", {}).items()}}
                made = copy.deepcopy(CONFIG)
                made["metadata"] = {"name": f"{flag.strip('-')}-{name}", **(metadata if name == "one" else other)}
                self.kubectl("create", "-f", "-", "--field-manager=helm", manifest=made)
        # Each asks the API server for all kinds; tests/cli/test_migrate.py tests the flags, too.
        for flag in guarded.amount(["--release"], marks):
            script = self.script("--to", "helm", *(() if flag == "--release" else ("--from", "helm")), flag, "shop")
            self.assertEqual(re.findall(r"(?m)^step ConfigMap (\S+) ", script), [f"{flag.strip('-')}-one"])
            self.assertEqual(self.run_script(script).returncode, 0)
        self.assertEqual([key[:2] for key in entries(self.get("configmap", "release-one"))], [("helm", "Apply")])

    def check_hand_over(self, *apply):
        """The autoscaler takes over without a dip: the value is never that of the default."""
        self.kubectl(*apply, "-f", "-", manifest=deployment(replicas=3))
        self.until_done("--fields", ".spec.replicas", "--to", "hand-over", "deployment/web")
        owners = [key[:2] for key, fields in entries(self.get("deployment", "web")).items() if "f:replicas" in fields.get("f:spec", {})]
        self.assertEqual(owners, [("hand-over", "Apply")])
        generation = self.get("deployment", "web")["metadata"]["generation"]
        self.kubectl(*apply, "-f", "-", manifest=deployment(replicas=None))
        left = self.get("deployment", "web")
        self.assertEqual((left["spec"]["replicas"], left["metadata"]["generation"]), (3, generation))
        self.kubectl("scale", "deployment/web", "--replicas=5")
        self.kubectl(*apply, "-f", "-", manifest=deployment(replicas=None))
        self.assertEqual(self.get("deployment", "web")["spec"]["replicas"], 5)

    def test_an_autoscaler_takes_over_from_client_side_apply(self):
        self.check_hand_over("apply")

    def test_an_autoscaler_takes_over_from_server_side_apply(self):
        self.check_hand_over("apply", "--server-side", "--field-manager=platform")

    def test_without_a_hand_over_there_is_a_dip(self):
        self.kubectl("apply", "-f", "-", manifest=deployment(replicas=3))
        self.kubectl("apply", "-f", "-", manifest=deployment(replicas=None))
        self.assertEqual(self.get("deployment", "web")["spec"]["replicas"], 1)


STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
LINE = 'rules: {managedfields-rewritten: {moves: [{from: "kubectl-label", to: "platform"}]}}\n'


class Webhook(guarded.Guarded):
    """The webhook does what the output says of it: refused under strict, and let pass by the printed line."""

    policies = {"moving": STRICT + LINE}

    def send(self, stage, *arguments):
        """The printed command, with the policy's line before it; and what became of it."""
        for _ in range(10):
            found = stage.given("get deployment web -o json --show-managed-fields")
            printed = harness.run(harness.Program.path, "migrate", "-f", "-", "--to", "platform", "-o", "command", *arguments,
                                  input=found.encode()).stdout.decode()
            words = shlex.split(printed, comments=True)[1:]
            del words[words.index("-n"):words.index("-n") + 2]
            stage.when(shlex.join(words))
            if "the object has been modified" not in stage.outcome.errors:
                return printed
        self.fail("somebody writes all the time")

    @stories("strict", "moving")
    def test_the_line_lets_it_pass(self, stage):
        stage.given("apply", web(strategy={"type": "Recreate"}))
        stage.given("label deployment/web team=a")
        printed = self.send(stage, "--from", "kubectl-label")
        self.assertIn(f"# {LINE}", printed)
        if stage.policy == "strict":
            self.assertEqual(stage.outcome.status, 1)
            self.assertIn("managedfields-rewritten", stage.outcome.errors)
        else:
            self.assertEqual(stage.outcome.status, 0, stage.outcome.errors)

    @stories("strict", "baseline")
    def test_a_move_to_a_manager_that_never_applied_is_refused(self, stage):
        stage.given("apply", web(strategy={"type": "Recreate"}))
        printed = self.send(stage)
        self.assertIn("# rules: {managedfields-rewritten", printed)
        stage.then("managedfields-rewritten warn deny")


if __name__ == "__main__":
    guarded.main()
