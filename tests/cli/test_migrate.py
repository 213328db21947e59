#!/usr/bin/env python3
"""`applyguard migrate`: the patch from client-side to server-side apply, and back.

    tests/cli/test_migrate.py APPLYGUARD
"""
import copy
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import stub_kubectl

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
TESTS = pathlib.Path(__file__).resolve().parent.parent
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
CSA, SSA = "kubectl-client-side-apply", "kubectl"
PASTED = "# The webhook refuses this patch under the profile strict, unless its policy says:\n# (.*)\n"


def migrate(*arguments, an_object=None, text=None):
    if an_object is not None:
        text = json.dumps(an_object)
    done = subprocess.run([APPLYGUARD, "migrate", *(("-f", "-") if text is not None else ()), *arguments],
                          input=(text or "").encode(), capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def entry(manager, operation, fields, version="apps/v1", subresource=None, time="2026-11-20T00:00:00Z"):
    made = {"manager": manager, "operation": operation, "apiVersion": version, "time": time, "fieldsType": "FieldsV1",
            "fieldsV1": fields}
    return made | ({"subresource": subresource} if subresource else {})


def deployment(*entries, declared=None, metadata=None, **spec):
    annotations = {LAST_APPLIED: json.dumps({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}, "spec": declared})
    } if declared is not None else {}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {
        "name": "web", "namespace": "shop", "resourceVersion": "42", "annotations": annotations, **(metadata or {}),
        "managedFields": list(entries)}, "spec": spec}


def spec(*names, last_applied=False):
    fields = {"f:spec": {f"f:{name}": {} for name in names}}
    if last_applied:
        fields["f:metadata"] = {"f:annotations": {f"f:{LAST_APPLIED}": {}}}
    return fields


def patched(an_object, output):
    """The object after the patch, and its entries by their identity."""
    patch = json.loads(output)
    after = copy.deepcopy(an_object)
    if patch:
        first, second = patch
        assert (first["op"], first["path"]) == ("replace", "/metadata/managedFields")
        assert second == {"op": "replace", "path": "/metadata/resourceVersion",
                          "value": an_object["metadata"]["resourceVersion"]}
        after["metadata"]["managedFields"] = first["value"]
    return after


def entries_of(an_object):
    return {(each["manager"], each["operation"], each.get("subresource", "")): each["fieldsV1"]
            for each in an_object["metadata"]["managedFields"]}


def judged(before, after, manager, policy):
    """The findings that deny the request."""
    group, _, version = before["apiVersion"].rpartition("/")
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u", "operation": "UPDATE", "kind": {"group": group, "version": version, "kind": before["kind"]},
        "resource": {"group": group, "version": version, "resource": before["kind"].lower() + "s"},
        "name": before["metadata"].get("name"), "namespace": before["metadata"].get("namespace", ""),
        "userInfo": {"username": "kubernetes-admin"}, "object": after, "oldObject": before,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "UpdateOptions", "fieldManager": manager}}}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(policy)
        file.flush()
        done = subprocess.run([APPLYGUARD, "review", "--policy", file.name, "-o", "json", "-"], input=json.dumps(review).encode(),
                              capture_output=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return [finding["rule"] for finding in json.loads(done.stdout)["findings"] if finding["action"] == "deny"]


class Migration(unittest.TestCase):
    maxDiff = None

    def migrated(self, an_object, *arguments):
        status, output, errors = migrate(*arguments, an_object=an_object)
        self.assertEqual(status, 0, errors)
        self.assertEqual(output.count("\n"), 1)
        return patched(an_object, output), errors


class Patch(Migration):
    def test_the_update_entry_becomes_the_apply_entry(self):
        found = deployment(entry(CSA, "Update", spec("replicas", last_applied=True)), entry("hpa", "Update", spec("paused")),
                           replicas=1, paused=False, declared={"replicas": 1})
        after, _ = self.migrated(found, "--to", SSA)
        self.assertEqual(after["metadata"]["managedFields"], [
            entry(SSA, "Apply", spec("replicas", last_applied=True)), entry("hpa", "Update", spec("paused"))])

    def test_it_is_united_with_the_apply_entry_that_is_there(self):
        found = deployment(entry(SSA, "Apply", spec("replicas"), time="2026-01-01T00:00:00Z"),
                           entry(CSA, "Update", spec("paused", last_applied=True)), replicas=1, paused=False)
        after, _ = self.migrated(found, "--to", SSA)
        self.assertEqual(after["metadata"]["managedFields"], [
            entry(SSA, "Apply", spec("replicas", "paused", last_applied=True), time="2026-01-01T00:00:00Z")])

    def test_whoever_owns_the_annotation_is_moved_as_kubectl_does(self):
        found = deployment(entry("mine", "Update", spec("replicas", last_applied=True)), replicas=1)
        after, _ = self.migrated(found, "--to", SSA)
        self.assertEqual(list(entries_of(after)), [(SSA, "Apply", "")])

    def test_several_old_managers_and_a_managers_own_update(self):
        found = deployment(entry(CSA, "Update", spec("a")), entry("kubectl-edit", "Update", spec("b")),
                           entry("mine", "Update", spec("c")), entry("other", "Update", spec("d")), a=1, b=1, c=1, d=1)
        after, _ = self.migrated(found, "--to", "mine", "--from", CSA, "--from", "kubectl-edit", "--from", "mine")
        self.assertEqual(entries_of(after), {("mine", "Apply", ""): spec("a", "b", "c"), ("other", "Update", ""): spec("d")})

    def test_subresources_and_applies_of_others_stay(self):
        found = deployment(entry(CSA, "Apply", spec("a")), entry(CSA, "Update", spec("b"), subresource="scale"),
                           entry(CSA, "Update", spec("c")), a=1, b=1, c=1)
        after, _ = self.migrated(found, "--to", SSA)
        self.assertEqual(entries_of(after), {
            (CSA, "Apply", ""): spec("a"), (CSA, "Update", "scale"): spec("b"), (SSA, "Apply", ""): spec("c")})

    def test_what_is_dropped_as_client_go_drops_it_is_told(self):
        found = deployment(entry(SSA, "Apply", spec("a")), entry(CSA, "Update", spec("b"), version="apps/v1beta1"), a=1, b=1)
        after, errors = self.migrated(found, "--to", SSA)
        self.assertEqual(entries_of(after), {(SSA, "Apply", ""): spec("a")})
        self.assertRegex(errors, r"(?m)^dropped: 1 field .*\n  \.spec\.b \(kubectl-client-side-apply\)$")

    def test_the_apiVersion_of_the_object_wins(self):
        """client-go takes managers in any order; this one keeps the most."""
        found = deployment(entry("old", "Update", spec("a"), version="apps/v1beta1"), entry("new", "Update", spec("b")), a=1, b=1)
        after, _ = self.migrated(found, "--to", SSA, "--from", "old", "--from", "new")
        self.assertEqual(after["metadata"]["managedFields"], [entry(SSA, "Apply", spec("b"))])

    def test_a_manager_that_is_mistyped_is_told(self):
        found = deployment(entry("kubectl-edit", "Update", spec("a")), a=1)
        _, errors = self.migrated(found, "--to", SSA, "--from", "kubectl-edit", "--from", "kubectl-rolout")
        self.assertEqual(errors.splitlines()[:2], ["Deployment shop/web: 1 field of kubectl-edit goes to kubectl (Apply)",
                                                   "no Update entry of kubectl-rolout"])
        found = deployment(entry("kubectl-edit", "Update", spec("a")), entry("flux", "Apply", spec("b")), a=1, b=1)
        for arguments, told in (
                (("--to", SSA, "--from", "kubectl-edti"), 'no Update entry of kubectl-edti (did you mean "kubectl-edit"?)'),
                (("--to", SSA, "--from", "Flux"), "no Update entry of Flux"),
                (("--back", "--from", "Flux"), 'no Apply entry of Flux (did you mean "flux"?)'),
                (("--back", "--from", "kubectl-edti", "--from", "flx"),
                 'no Apply entry of kubectl-edti, flx (did you mean "flux"?)')):
            with self.subTest(arguments):
                status, output, errors = migrate(*arguments, an_object=found)
                self.assertEqual((status, output, errors.splitlines()[0]), (0, "[]\n", f"Deployment shop/web: nothing to migrate: {told}"))

    def test_commands_in_the_text_are_quoted(self):
        evil = "$(touch /tmp/PWN)"
        found = deployment(entry(SSA, "Apply", spec("a")), a=1, metadata={"namespace": evil})
        _, errors = self.migrated(found, "--back")
        self.assertIn(f"-f MANIFEST -n '{evil}', and only then", errors)

    def test_nothing_to_migrate(self):
        found = deployment(entry(SSA, "Apply", spec("a")), a=1)
        self.assertEqual(migrate("--to", SSA, an_object=found), (
            0, "[]\n", "Deployment shop/web: nothing to migrate: no Update entry of kubectl-client-side-apply\n"))
        self.assertEqual(migrate("--to", SSA, "-o", "command", an_object=found)[1], "")

    def test_it_is_the_patch_that_kubectl_sent(self):
        """Recorded between a kubectl and a real API server: the migration within kubectl apply --server-side."""
        request = json.loads((TESTS / "reviews/ssa-migrate-4-csaupgrade/review.json").read_text())["request"]
        after, _ = self.migrated(request["oldObject"], "--to", SSA)
        self.assertNotEqual(after, request["oldObject"])
        self.assertEqual(after["metadata"]["managedFields"], request["object"]["metadata"]["managedFields"])

    def test_back(self):
        found = deployment(entry(SSA, "Apply", spec("a")), entry("kubectl-last-applied", "Apply", {
            "f:metadata": {"f:annotations": {f"f:{LAST_APPLIED}": {}}}}), entry(CSA, "Update", spec("b")),
            entry("flux", "Apply", spec("c")), a=1, b=1, c=1, declared={"a": 1})
        after, errors = self.migrated(found, "--back")
        self.assertEqual(entries_of(after), {
            (CSA, "Update", ""): spec("a", "b", last_applied=True), ("flux", "Apply", ""): spec("c")})
        self.assertIn("kubectl apply view-last-applied", errors)
        after, errors = self.migrated(found, "--back", "--from", "flux", "--to", "mine")
        self.assertIn(("mine", "Update", ""), entries_of(after))

    def test_there_and_back(self):
        found = deployment(entry(CSA, "Update", spec("a", last_applied=True)), a=1, declared={"a": 1})
        after, _ = self.migrated(found, "--to", SSA)
        self.assertEqual(self.migrated(after, "--back")[0], found)

    def test_back_without_annotation_says_what_is_missing(self):
        _, errors = self.migrated(deployment(entry(SSA, "Apply", spec("a")), a=1), "--back")
        self.assertIn("has no last-applied annotation, without which kubectl apply removes nothing. Next, run "
                      "kubectl apply set-last-applied --create-annotation -f MANIFEST -n shop", errors)

    def test_of_several_versions_each_stays_on_the_way_back(self):
        found = deployment(entry(SSA, "Apply", spec("a")), entry("x", "Apply", spec("b"), version="apps/v1beta1"), a=1, b=1)
        after, _ = self.migrated(found, "--back", "--from", SSA, "--from", "x")
        self.assertEqual([(each["apiVersion"], each["operation"]) for each in after["metadata"]["managedFields"]],
                         [("apps/v1", "Update"), ("apps/v1beta1", "Update")])


class Readiness(unittest.TestCase):
    maxDiff = None

    def told(self, an_object, *arguments):
        status, _, errors = migrate(*arguments, an_object=an_object)
        self.assertEqual(status, 0, errors)
        return {word: re.findall(r"^  (.*)$", below, re.MULTILINE)
                for word, below in re.findall(r"^([a-z-]+): .*\n((?:  .*\n)*)", errors, re.MULTILINE) if word != "rules"}

    def test_kubectl_diff_forces_what_would_conflict(self):
        """Without force, kubectl diff shows only the conflict, and no changes."""
        mine, edited = entry(CSA, "Update", spec("paused", last_applied=True)), entry("kubectl-edit", "Update", spec("replicas"))
        for declared, entries, flag in (
                ({"paused": True}, [mine], ""), ({"replicas": 1}, [mine, edited], " --force-conflicts"),
                ({"replicas": 2}, [mine, edited], " --force-conflicts")):
            _, _, errors = migrate("--to", SSA, an_object=deployment(*entries, declared=declared, paused=True, replicas=2))
            self.assertIn(f"kubectl diff --server-side --field-manager=kubectl{flag} -f MANIFEST -n shop shows", errors)

    def test_every_kind(self):
        found = deployment(
            entry(CSA, "Update", spec("replicas", "revisionHistoryLimit", "paused", last_applied=True)),
            entry("kubectl-edit", "Update", spec("minReadySeconds", "paused", "progressDeadlineSeconds")),
            declared={"replicas": 2, "minReadySeconds": 1, "paused": True, "strategy": {"type": "Recreate"}},
            replicas=2, revisionHistoryLimit=10, minReadySeconds=5, paused=True, progressDeadlineSeconds=9,
            strategy={"type": "Recreate"})
        self.assertEqual(self.told(found, "--to", SSA), {
            "re-defaulted": [".spec.revisionHistoryLimit (kubectl-client-side-apply)"],
            "taken": [".spec.minReadySeconds (kubectl-edit)"],
            "shared": [".spec.paused (kubectl-client-side-apply, kubectl-edit)"],
            "unowned": [".spec.strategy.type"],
            "stuck": [".spec.progressDeadlineSeconds (kubectl-edit)"]})
        told = self.told(found, "--to", SSA, "--from", CSA, "--from", "kubectl-edit")
        self.assertEqual(set(told), {"re-defaulted", "unowned"})
        self.assertCountEqual(told["re-defaulted"], [
            ".spec.revisionHistoryLimit (kubectl-client-side-apply)", ".spec.progressDeadlineSeconds (kubectl-edit)"])

    def test_who_writes_a_subresource_shares_nothing(self):
        """A status, or the replicas that an autoscaler sets, in any order of entries."""
        entries = [entry(CSA, "Update", spec("replicas")), entry("hpa", "Update", spec("replicas"), subresource="scale"),
                   entry(SSA, "Apply", spec("replicas"))]
        for order in (entries, entries[::-1]):
            self.assertEqual(self.told(deployment(*order, declared={"replicas": 2}, replicas=2), "--to", SSA), {})

    def test_what_others_changed_after_the_migration(self):
        """kubectl set takes a field from kubectl's Apply entry, and kubectl scale the replicas."""
        entries = [entry(SSA, "Apply", spec("minReadySeconds", "revisionHistoryLimit")), entry("kubectl-set", "Update", spec("paused")),
                   entry(SSA, "Update", spec("replicas"), subresource="scale"),
                   entry("kubectl-last-applied", "Apply", spec(last_applied=True))]
        declared = {"replicas": 3, "paused": False, "minReadySeconds": 1, "revisionHistoryLimit": 5}
        found = deployment(*entries, declared=declared, **{**declared, "replicas": 4, "paused": True, "revisionHistoryLimit": 6})
        self.assertEqual(self.told(found, "--to", SSA), {"taken": [".spec.paused (kubectl-set)", ".spec.replicas (kubectl)"]})
        self.assertEqual(self.told(deployment(*entries, declared=declared, **declared), "--to", SSA),
                         {"shared": [".spec.paused (kubectl-set)"]})

    def test_who_applies_the_same_value_takes_nothing(self):
        found = deployment(entry(CSA, "Update", spec("replicas", last_applied=True)), entry("flux", "Apply", spec("replicas")),
                           declared={"replicas": 2}, replicas=2)
        self.assertEqual(self.told(found, "--to", SSA), {"shared": [".spec.replicas (kubectl-client-side-apply, flux)"]})

    def test_what_the_way_back_leaves_behind(self):
        found = deployment(entry(SSA, "Apply", spec("a", "b")), declared={"a": 1}, a=1, b=1)
        self.assertEqual(self.told(found, "--back"), {"stuck": [".spec.b (kubectl)"]})

    def test_long_lists_are_cut(self):
        names = [f"a{i}" for i in range(30)]
        told = self.told(deployment(entry(CSA, "Update", spec(*names)), **dict.fromkeys(names, 1)), "--to", SSA)
        self.assertEqual((len(told["re-defaulted"]), told["re-defaulted"][-1]), (11, "and 20 more"))

    def test_values_are_never_shown(self):
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {
            "name": "s", "resourceVersion": "1", "managedFields": [
                entry(CSA, "Update", {"f:data": {"f:password": {}}}, version="v1")]}, "data": {"password": "aHVudGVyMg=="}}
        status, output, errors = migrate("--to", SSA, an_object=secret)
        self.assertEqual(status, 0)
        self.assertNotIn("aHVudGVyMg", output + errors)
        self.assertIn(".data.password", errors)


class Command(unittest.TestCase):
    def command(self, an_object, *arguments):
        status, output, errors = migrate("-o", "command", *arguments, an_object=an_object)
        self.assertEqual(status, 0, errors)
        return output

    def test_the_command_is_that_patch(self):
        found = deployment(entry(CSA, "Update", spec("it's", "$x", "`y`", "\u202e")), **{"it's": 1})
        output = self.command(found, "--to", SSA, "--context", "my context", "--as", "o'hara", "--as-uid", "7")
        words = shlex.split(output)
        self.assertEqual(words[:-2], ["kubectl", "patch", "Deployment.v1.apps", "web", "-n", "shop", "--context=my context",
                                      "--as=o'hara", "--as-uid=7", "--type=json", "--field-manager=kubectl"])
        self.assertEqual(words[-2], "-p")
        self.assertEqual(words[-1] + "\n", migrate("--to", SSA, an_object=found)[1])
        self.assertEqual(list(json.loads(words[-1])[0]["value"][0]["fieldsV1"]["f:spec"]), ["f:$x", "f:`y`", "f:it's", "f:\u202e"])
        self.assertNotIn("\u202e", output)

    def test_a_shell_reads_it_as_it_is_meant(self):
        found = deployment(entry(CSA, "Update", spec("it's", "$(x)", "a\\b", "\n")), **{"it's": 1})
        output = self.command(found, "--to", SSA)
        said = subprocess.run(["sh", "-c", "kubectl() { printf '%s\\n' \"$@\"; }\n" + output], capture_output=True, text=True)
        self.assertEqual(said.stderr, "")
        self.assertEqual(said.stdout.splitlines()[-1] + "\n", migrate("--to", SSA, an_object=found)[1])

    def test_names_are_no_flags(self):
        """kubectl --server=... would send the user's credentials elsewhere."""
        entries = entry(CSA, "Update", spec("a"))
        for metadata, kind in (({"name": "--server=example"}, "Deployment"), ({"name": "-A"}, "Deployment"), ({}, "-A"),
                               ({"namespace": "--all-namespaces"}, "Deployment")):
            found = {**deployment(entries, metadata=metadata, a=1), "kind": kind}
            status, output, errors = migrate("-o", "command", "--to", SSA, an_object=found)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("kubectl would take a name that begins with a dash for a flag", errors)
            self.assertEqual(migrate("--to", SSA, an_object=found)[0], 0)

    def test_a_patch_that_is_too_long_for_an_argument(self):
        found = deployment(entry(CSA, "Update", spec(*(f"name-{i:06}" for i in range(9000)))), a=1)
        output = self.command(found, "--to", SSA)
        said = subprocess.run(["sh"], input="kubectl() { cat; }\n" + output, capture_output=True, text=True)
        self.assertGreater(len(said.stdout), 128 * 1024)
        self.assertEqual(said.stdout, migrate("--to", SSA, an_object=found)[1])
        self.assertIn("--patch-file=/dev/stdin", output)


# A cluster in a folder: an object a file. `get` prints the jsonpath of the script; `patch` checks the version as the API server does.
KUBECTL = """#!/usr/bin/env python3
import json, os, pathlib, sys
assert sys.argv[1] == "--context=a b", sys.argv
words = [word for word in sys.argv[2:] if not word.startswith("-") and not word.startswith("jsonpath=")]
verb, kind, name = words[:3]
path = pathlib.Path(os.environ["CLUSTER"], name)
found = json.loads(path.read_text())
metadata = found["metadata"]
assert kind == "Deployment.v1.apps" and f"--namespace={metadata['namespace']}" in sys.argv, sys.argv
if verb == "get":
    print(metadata["resourceVersion"], *(" ".join((each["operation"], each["manager"], each.get("subresource", "")))
                                         for each in metadata["managedFields"]), sep="\\n", end="")
else:
    assert "--field-manager=platform" in sys.argv and "--type=json" in sys.argv, sys.argv
    entries, version = json.load(open("/dev/stdin"))
    if version["value"] != metadata["resourceVersion"] or (path.parent / f"{name}.fails").exists():
        sys.exit("Error from server (Conflict): the object has been modified")
    metadata.update(managedFields=entries["value"], resourceVersion=str(int(metadata["resourceVersion"]) + 1))
    path.write_text(json.dumps(found))
    print(f"deployment.apps/{name} patched")
"""


class Script(unittest.TestCase):
    """Many objects: the readiness of all, and one script, which is run again until all are done."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.folder = pathlib.Path(self.directory.name)
        for folder in ("bin", "cluster"):
            (self.folder / folder).mkdir()
        (self.folder / "bin/kubectl").write_text(KUBECTL)
        (self.folder / "bin/kubectl").chmod(0o755)
        self.objects = [deployment(entry(CSA, "Update", spec("replicas", last_applied=True)), entry("hpa", "Update", spec("paused")),
                                   metadata={"name": name}, replicas=1, paused=True) for name in ("one", "two", "three")]
        for found in self.objects:
            self.keep(found)

    def keep(self, found):
        (self.folder / "cluster" / found["metadata"]["name"]).write_text(json.dumps(found))

    def kept(self, name):
        return json.loads((self.folder / "cluster" / name).read_text())

    def script(self, *arguments, objects=None, status=0):
        found, output, errors = migrate("--to", "platform", "--context", "a b", "-o", "command", *arguments, text="\n---\n".join(
            json.dumps(each) for each in objects or self.objects))
        self.assertEqual(found, status, errors)
        return output, errors

    def run_script(self, script, status=0):
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60, env={
            **os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "CLUSTER": str(self.folder / "cluster")})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def test_each_object_is_patched(self):
        script, errors = self.script()
        self.assertEqual(re.findall(r"(?m)^Deployment shop/(\w+): 1 field of kubectl-client-side-apply goes to platform", errors),
                         ["one", "two", "three"])
        self.run_script(script)
        for found in self.objects:
            _, alone, _ = migrate("--to", "platform", an_object=found)
            after = patched(found, alone)
            after["metadata"]["resourceVersion"] = "43"
            self.assertEqual(self.kept(found["metadata"]["name"]), after)

    def test_a_script_can_be_run_again(self):
        """Protects who runs into an error in the middle: what is done is skipped, and what has changed meanwhile is said."""
        script, _ = self.script()
        (self.folder / "cluster/two.fails").touch()
        said, errors = self.run_script(script, status=1)
        self.assertIn("has been modified", errors)
        self.assertEqual(said, "deployment.apps/one patched\ndeployment.apps/three patched\n")
        (self.folder / "cluster/two.fails").unlink()
        third = self.kept("three")
        third["metadata"]["resourceVersion"] = "50"
        self.keep(third)
        said, errors = self.run_script(script)
        self.assertEqual(said, "Deployment.v1.apps one is done already\ndeployment.apps/two patched\n"
                               "Deployment.v1.apps three is done already\n")
        self.assertEqual(errors, "")

    def test_an_object_that_has_changed(self):
        script, _ = self.script()
        second = self.kept("two")
        second["metadata"]["resourceVersion"] = "43"
        self.keep(second)
        said, errors = self.run_script(script, status=1)
        self.assertEqual(errors, "Deployment.v1.apps two has changed since: run applyguard migrate again for it\n")
        self.assertEqual(self.kept("two"), second)

    def test_the_way_back(self):
        script, _ = self.script()
        [back, *_] = re.findall(r"(?m)^# The way back: applyguard (.*) \| sh$", script)
        self.assertEqual(shlex.split(back), ["migrate", "--back", "--from", "platform", "--to", CSA, "--context=a b", "-n", "shop",
                                             "-o", "command", "Deployment.v1.apps/one"])

    def test_objects_that_need_nothing_or_cannot(self):
        done = deployment(entry("platform", "Apply", spec("replicas")), metadata={"name": "done"}, replicas=1)
        gone = deployment(entry(CSA, "Update", spec("replicas")), metadata={"name": "gone", "deletionTimestamp": "2026-11-20T00:00:00Z"})
        script, errors = self.script(objects=[done, gone, *self.objects], status=2)
        self.assertEqual(script.count("\nstep "), 3)
        self.assertIn("# By applyguard migrate: 3 objects.", script)
        self.assertIn("Deployment shop/done: nothing to migrate", errors)
        self.assertIn("Deployment shop/gone: it is being deleted", errors)

    def test_files_directories_and_lists(self):
        listed = {"apiVersion": "v1", "kind": "List", "items": self.objects}
        folder = self.folder / "objects/more"
        folder.mkdir(parents=True)
        (folder / "list.json").write_text(json.dumps(listed))
        whole, _ = self.script()
        for arguments in (("-f", folder), ("-R", "-f", folder.parent), ("-f", folder / "list.json")):
            status, output, errors = migrate("--to", "platform", "--context", "a b", "-o", "command", *map(str, arguments))
            self.assertEqual((status, output), (0, whole), errors)
        status, output, errors = migrate("--to", "platform", "-f", str(folder))
        self.assertEqual((status, output), (2, ""))

    def test_the_policys_line_is_in_front_of_its_step(self):
        found = deployment(entry("kubectl-label", "Update", spec("replicas")), metadata={"name": "four"}, replicas=1)
        script, _ = self.script("--from", "kubectl-label", objects=[found, *self.objects])
        self.assertRegex(script, r"# rules: \{managedfields-rewritten.*\n\n# The way back: .*four \| sh\nstep ")


# Answers `kubectl get --raw PATH` from a file.
API = """#!/usr/bin/env python3
import json, os, sys
answers = json.load(open(os.environ["ANSWERS"]))
if "config" in sys.argv:
    print("shop", end="")
else:
    path = next(word for word in sys.argv[1:] if word.startswith("/"))
    if path not in answers:
        sys.exit("Error from server (Forbidden): you may not list " + path)
    print(json.dumps(answers[path]))
"""


class Selected(unittest.TestCase):
    """The objects of a namespace, by labels, or of a release, a Kustomization or an Application."""

    def answers(self, suffix="", *, items=(), namespace="shop", cluster_items=()):
        def listed(kind, *found):
            return {"kind": f"{kind}List", "apiVersion": "v1", "metadata": {}, "items": [
                {key: value for key, value in each.items() if key not in ("kind", "apiVersion")} for each in found]}

        def version(name, *resources):
            return {"kind": "APIResourceList", "groupVersion": name, "resources": [
                {"name": plural, "kind": kind, "namespaced": namespaced, "verbs": ["list", "patch"]}
                for plural, kind, namespaced in resources]}
        place = f"/namespaces/{namespace}" if namespace else ""
        return {
            "/apis": {"kind": "APIGroupList", "groups": [{"name": "apps", "preferredVersion": {"groupVersion": "apps/v1", "version": "v1"},
                                                          "versions": [{"groupVersion": "apps/v1", "version": "v1"}]}]},
            "/api/v1": version("v1", ("events", "Event", True), ("configmaps", "ConfigMap", True), ("persistentvolumes", "PersistentVolume", False)),
            "/apis/apps/v1": version("apps/v1", ("deployments", "Deployment", True)),
            f"/api/v1{place}/configmaps{suffix}": listed("ConfigMap"),
            f"/api/v1/persistentvolumes{suffix}": listed("PersistentVolume", *cluster_items),
            f"/apis/apps/v1{place}/deployments{suffix}": {**listed("Deployment", *items), "apiVersion": "apps/v1"}}

    def selected(self, answers, *arguments, status=0):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            (folder / "kubectl").write_text(API)
            (folder / "kubectl").chmod(0o755)
            (folder / "answers").write_text(json.dumps(answers))
            done = subprocess.run([APPLYGUARD, "migrate", "--to", "platform", "-o", "command", *arguments], capture_output=True, text=True,
                                  timeout=60, env={**os.environ, "PATH": f"{directory}:{os.environ['PATH']}", "ANSWERS": str(folder / "answers")})
        self.assertEqual(done.returncode, status, done.stderr)
        return re.findall(r"(?m)^step (\S+) (\S+)", done.stdout), done.stderr

    @staticmethod
    def named(name, manager=CSA, **metadata):
        return deployment(entry(manager, "Update", spec("replicas", last_applied=manager == CSA)), metadata={"name": name, **metadata}, replicas=1)

    def test_a_namespace(self):
        """Without those that have nothing to migrate, or that controllers made."""
        found = [self.named("web"), self.named("other", "other"), self.named("gone", deletionTimestamp="2026-11-20T00:00:00Z"),
                 self.named("owned", ownerReferences=[{"kind": "X", "controller": True}]), {**self.named("bare"), "metadata": {"name": "bare"}}]
        steps, errors = self.selected(self.answers(items=found), "-n", "shop")
        self.assertEqual(steps, [("Deployment.v1.apps", "web")])
        self.assertEqual(errors.count("Deployment shop/"), 1)
        steps, errors = self.selected(self.answers(items=found[1:2]), "-n", "shop")
        self.assertEqual((steps, errors), ([], "applyguard migrate: none of the 1 selected objects has fields to migrate\n"))

    def test_labels_are_left_to_the_cluster(self):
        answers = self.answers("?labelSelector=app%3Dweb%2Cx", items=[self.named("web")])
        self.assertEqual(self.selected(answers, "-n", "shop", "-l", "app=web,x")[0], [("Deployment.v1.apps", "web")])

    def test_a_release(self):
        marks = {"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop"}
        found = [self.named("one", "helm", annotations=marks), self.named("two", "helm", annotations={**marks, "meta.helm.sh/release-name": "x"}),
                 self.named("three", "helm", annotations={**marks, "meta.helm.sh/release-namespace": "x"})]
        answers = self.answers("?labelSelector=app.kubernetes.io%2Fmanaged-by%3DHelm", items=found)
        for arguments in ((), ("-n", "shop")):
            self.assertEqual(self.selected(answers, "--release", "web", *arguments)[0], [("Deployment.v1.apps", "one")])

    def test_what_flux_and_argocd_apply(self):
        answers = self.answers("?labelSelector=kustomize.toolkit.fluxcd.io%2Fname%3Dweb", items=[self.named("one")], namespace="")
        self.assertEqual(self.selected(answers, "--kustomization", "web")[0], [("Deployment.v1.apps", "one")])
        found = [self.named("one", labels={"app.kubernetes.io/instance": "web"}), self.named("two"),
                 self.named("three", annotations={"argocd.argoproj.io/tracking-id": "web:apps/Deployment:shop/three", LAST_APPLIED: "{}"})]
        self.assertEqual(self.selected(self.answers(items=found, namespace=""), "--application", "web")[0], [
            ("Deployment.v1.apps", "one"), ("Deployment.v1.apps", "three")])

    def test_a_kind_that_may_not_be_listed(self):
        """Protects who may see a part only: it is said, and the rest is done."""
        answers = self.answers(items=[self.named("web")])
        del answers["/api/v1/namespaces/shop/configmaps"]
        steps, errors = self.selected(answers, "-n", "shop", status=2)
        self.assertEqual(steps, [("Deployment.v1.apps", "web")])
        self.assertIn("you may not list", errors)

    def test_wrong_use(self):
        for arguments, sentence in ((("-l", "a=b", "-o", "command", "deploy/web"), "or KIND/NAME or -f"), (("--release", "a"), "-o command is missing")):
            status, _, errors = migrate("--to", "x", *arguments)
            self.assertEqual(status, 2)
            self.assertIn(sentence, errors)


class Fields(unittest.TestCase):
    """Single fields go to a manager, so that no apply removes them when the manifest drops them."""

    def moved(self, found, *arguments, fields=(".spec.replicas",)):
        status, output, errors = migrate(*(word for field in fields for word in ("--fields", field)), *arguments, "--to", "hpa", an_object=found)
        self.assertEqual(status, 0, errors)
        first, version, *more = json.loads(output)
        self.assertEqual((first["path"], version), ("/metadata/managedFields", {
            "op": "replace", "path": "/metadata/resourceVersion", "value": "42"}))
        return {(each["manager"], each["operation"]): each["fieldsV1"] for each in first["value"]}, more, errors

    def test_from_an_apply_entry(self):
        found = deployment(entry(SSA, "Apply", spec("replicas", "paused")), entry("status", "Update", spec("replicas"), subresource="scale"),
                           replicas=3, paused=False)
        entries, more, errors = self.moved(found)
        self.assertEqual(entries, {(SSA, "Apply"): spec("paused"), ("status", "Update"): spec("replicas"), ("hpa", "Apply"): spec("replicas")})
        self.assertEqual(more, [])
        self.assertRegex(errors, r"\ADeployment shop/web: from kubectl \(Apply\) to hpa \(Apply\)\n  \.spec\.replicas\n"
                         r"Next, remove it from what kubectl \(Apply\) applies: an apply without it keeps the value,")

    def test_from_client_side_apply(self):
        """Protects from a dip: kubectl apply removes what the annotation declares and the manifest no longer does."""
        found = deployment(entry(CSA, "Update", spec("replicas", "paused", last_applied=True)), declared={"replicas": 3, "paused": False},
                           replicas=3, paused=False)
        entries, [annotation], errors = self.moved(found)
        self.assertEqual(entries, {(CSA, "Update"): spec("paused", last_applied=True), ("hpa", "Apply"): spec("replicas")})
        self.assertEqual((annotation["op"], annotation["path"]), (
            "replace", "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"))
        self.assertEqual(json.loads(annotation["value"])["spec"], {"paused": False})
        self.assertIn("removes it from the last-applied annotation", errors)
        output = migrate("--fields", ".spec.replicas", "--to", "hpa", "-o", "command", an_object=found)[1]
        self.assertIn(f"--field-manager={CSA}", output)

    def test_a_part_of_a_list_and_all_below(self):
        containers = {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"web"}': {
            ".": {}, "f:name": {}, "f:image": {}, "f:resources": {"f:limits": {"f:cpu": {}}, "f:requests": {"f:cpu": {}}}}}}}}}
        declared = {"template": {"spec": {"containers": [{"name": "x"}, {"name": "web", "image": "i", "resources": {
            "limits": {"cpu": "1"}, "requests": {"cpu": "1"}}}]}}}
        found = deployment(entry(CSA, "Update", containers), declared=declared)
        entries, [annotation], _ = self.moved(found, fields=(
            '.spec.template.spec.containers[name="web"].resources', ".spec.template.spec.containers[name=\"web\"].image"))
        item = entries["hpa", "Apply"]["f:spec"]["f:template"]["f:spec"]["f:containers"]['k:{"name":"web"}']
        self.assertEqual(item, {"f:image": {}, "f:resources": {"f:limits": {"f:cpu": {}}, "f:requests": {"f:cpu": {}}}})
        self.assertEqual(json.loads(annotation["value"])["spec"]["template"]["spec"]["containers"], [{"name": "x"}, {
            "name": "web", "resources": {"limits": {}, "requests": {}}}])

    def test_an_entry_that_is_there_and_one_that_is_left_empty(self):
        found = deployment(entry("hpa", "Apply", spec("paused")), entry(SSA, "Apply", spec("replicas")), entry("edit", "Update", spec("replicas")),
                           replicas=3, paused=False)
        entries, _, errors = self.moved(found)
        self.assertEqual(entries, {("hpa", "Apply"): spec("paused", "replicas")})
        self.assertIn("Next, keep it in what hpa applies: an apply without it removes it.", errors)
        self.assertEqual(self.moved(found, "--from", SSA)[0], {
            ("hpa", "Apply"): spec("paused", "replicas"), ("edit", "Update"): spec("replicas")})

    def test_nothing_to_hand_over(self):
        found = deployment(entry("hpa", "Apply", spec("replicas")), replicas=3)
        status, output, errors = migrate("--fields", ".spec.replicas", "--to", "hpa", an_object=found)
        self.assertEqual((status, output), (0, "[]\n"))
        self.assertIn("no other manager owns these fields", errors)

    def test_a_secret_stays_hidden(self):
        """Protects secrets: the annotation with its values is never printed."""
        found = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop", "resourceVersion": "42", "annotations": {
            LAST_APPLIED: json.dumps({"data": {"a": "aGlkZGVu", "b": "aGlkZGVu"}})}, "managedFields": [
                entry(CSA, "Update", {"f:data": {"f:a": {}, "f:b": {}}}, version="v1")]}, "data": {"a": "aGlkZGVu", "b": "aGlkZGVu"}}
        entries, more, errors = self.moved(found, fields=(".data.a",))
        self.assertEqual((more, entries["hpa", "Apply"]), ([], {"f:data": {"f:a": {}}}))
        self.assertIn("kubectl apply edit-last-applied", errors)
        self.assertNotIn("aGlkZGVu", errors)

    def test_helm_is_told(self):
        found = deployment(entry("helm", "Update", spec("replicas")), replicas=3)
        self.assertIn("Helm 3 removes what the next chart drops", self.moved(found)[2])

    def test_wrong_use(self):
        for arguments, sentence in ((("--fields", "replicas"), "no path such as .spec.replicas"), (("--fields", ".a", "--back"), "without --back")):
            status, _, errors = migrate(*arguments, "--to", "hpa", "-f", "x")
            self.assertEqual(status, 2)
            self.assertIn(sentence, errors)


class Judged(unittest.TestCase):
    def passes(self, found, to, *arguments):
        """The line, or None."""
        _, patch, beside = migrate("--to", to, *arguments, an_object=found)
        after = patched(found, patch)
        if after == found:
            return None
        output = migrate("--to", to, "-o", "command", *arguments, an_object=found)[1]
        told = re.match(PASTED, output)
        denied = judged(found, after, to, STRICT)
        if "The webhook refuses this patch under the profile strict:" in output:
            self.assertTrue(set(denied) - {"managedfields-rewritten"}, output)
            return None
        self.assertEqual(denied, ["managedfields-rewritten"] if told else [], output[:300])
        if told:
            self.assertEqual(judged(found, after, to, STRICT + told.group(1) + "\n"), [], told.group(1))
            # Beside the patch it stands, too, on standard error.
            self.assertIn(told.group(1), beside)
        return told and told.group(1)


class Webhook(Judged):
    """A patch that it prints passes under the profile strict, or the line that lets it pass is printed with it."""

    def test_what_kubectl_itself_does_needs_no_line(self):
        found = deployment(entry(CSA, "Update", spec("a", last_applied=True)), a=1)
        self.assertIsNone(self.passes(found, SSA))
        applied = deployment(entry(CSA, "Update", spec("a", last_applied=True)), entry("platform", "Apply", spec("a")), a=1)
        self.assertIsNone(self.passes(applied, "platform"))

    def test_all_else_needs_one(self):
        found = deployment(entry(CSA, "Update", spec("a", last_applied=True)), entry("kubectl-edit", "Update", spec("b")),
                           entry("kubectl-rollout", "Update", spec("c")), entry("other", "Update", spec("d")), a=1, b=1, c=1, d=1)
        self.assertEqual(self.passes(found, "platform", "--from", "kubectl-edit", "--from", CSA, "--from", "kubectl-rollout"),
                         'rules: {managedfields-rewritten: {moves: [{from: "kubectl-edit", to: "platform"}, '
                         '{from: "kubectl-client-side-apply", to: "platform"}, {from: "kubectl-rollout", to: "platform"}]}}')

    def test_an_operators_own_update_to_apply_needs_none(self):
        found = deployment(entry("my-operator", "Update", spec("a")), a=1)
        self.assertIsNone(self.passes(found, "my-operator", "--from", "my-operator"))

    def test_back(self):
        found = deployment(entry(SSA, "Apply", spec("a")), a=1)
        self.assertEqual(self.passes(found, CSA, "--back"),
                         f'rules: {{managedfields-rewritten: {{moves: [{{from: "{SSA}", to: "{CSA}"}}]}}}}')

    def test_names_are_quoted(self):
        name = 'a"b: {}, # \\ y'
        found = deployment(entry(name, "Update", spec("a")), a=1)
        self.assertIn(json.dumps(name), self.passes(found, "platform", "--from", name))

    def test_more_managers_than_a_finding_lists(self):
        names = [f"m{i}" for i in range(20)]
        found = deployment(*(entry(name, "Update", spec(name)) for name in names), **dict.fromkeys(names, 1))
        line = self.passes(found, "platform", *(word for name in names for word in ("--from", name)))
        self.assertEqual(line.count("{from: "), 20)

    def test_with_the_policy_that_has_the_line(self):
        found = deployment(entry("kubectl-edit", "Update", spec("a")), a=1)
        line = self.passes(found, "platform", "--from", "kubectl-edit")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(STRICT + line)
            file.flush()
            output = migrate("--to", "platform", "--from", "kubectl-edit", "--policy", file.name, "-o", "command", an_object=found)[1]
        self.assertTrue(output.startswith("kubectl patch "), output)


    def test_overrides_of_the_policy_see_who_sends_it(self):
        found = deployment(entry("kubectl-edit", "Update", spec("a")), a=1)
        policy = STRICT + "overrides:\n- match: {groups: [admins]}\n  rules: {managedfields-rewritten: {action: warn}}\n"
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(policy)
            file.flush()
            for groups, is_refused in (((), True), (("--as-group", "admins"), False)):
                output = migrate("--to", "platform", "--from", "kubectl-edit", "--policy", file.name, "-o", "command", "--as", "me",
                                 *groups, an_object=found)[1]
                self.assertEqual("The webhook refuses this patch" in output, is_refused, output)


class Refused(unittest.TestCase):
    """Objects that cannot be migrated: a sentence that helps, exit status 2, and nothing on standard output."""

    def refused(self, an_object, sentence, text=None):
        status, output, errors = migrate("--to", SSA, an_object=an_object, text=text)
        self.assertEqual((status, output), (2, ""), errors)
        self.assertRegex(errors, sentence)

    def setUp(self):
        self.found = deployment(entry(CSA, "Update", spec("a")), a=1)

    def test_objects(self):
        metadata = self.found["metadata"]
        changes = (
            ({"managedFields": []}, "no managedFields.*--show-managed-fields"),
            ({"managedFields": {}}, "managedFields takes a list"),
            ({"managedFields": [entry("m", "Update", {}), {}, entry("n", "Update", {}), {}]}, "managedFields entry 2 has no operation, or no"),
            ({"managedFields": [{}]}, "managedFields entry 1 has no operation, or no fieldsV1 that can be read"),
            ({"managedFields": [entry("m", "Update", {"f:a": 1})]}, "the managedFields entry of m has"),
            ({"managedFields": [entry("m", "Update", {"k:{": {}})]}, "the managedFields entry of m has"),
            ({"managedFields": [entry("m", "Update", {'k:{"a":1,"b":2}': {}, 'k:{"b":2,"a":1}': {}})]},
             "the fieldsV1 of m in its managedFields cannot be read: a path element is repeated"),
            ({"managedFields": [entry("m", "Update", {}, version="")]}, "the entry of m in its managedFields has no apiVersion"),
            ({"managedFields": [entry(f"m{i}", "Update", {}) for i in range(1001)]}, "more than 1000 entries"),
            ({"resourceVersion": ""}, "no resourceVersion, so it is a manifest and no object of a cluster"),
            ({"deletionTimestamp": "2026-11-20T00:00:00Z"}, "being deleted"))
        for change, sentence in changes:
            with self.subTest(sentence):
                self.refused({**self.found, "metadata": {**metadata, **change}}, sentence)

    def test_a_manifest(self):
        self.refused({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}, "is a manifest and no object of a cluster")

    def test_more_than_one_object(self):
        self.refused({"apiVersion": "v1", "kind": "List", "items": [self.found]}, "a List, and a patch is for one object")
        self.refused(None, "several objects", text=json.dumps(self.found) + "\n---\n" + json.dumps(self.found))
        self.refused(None, "holds no object", text="---\n")

    def test_what_is_no_object(self):
        self.refused(None, r"-:1:\d+: ", text="{")

    def test_wrong_use(self):
        for arguments, sentence in (
                (("-f", "x"), "--to is missing; name the field manager that takes over the fields; see "), (("--to", SSA), "KIND/NAME is missing"),
                (("--to", SSA, "-f", "x", "-f", "y"), "is given twice"), (("--to", "", "-f", "x"), "--to is empty"),
                (("--to", SSA, "--from", "", "-f", "x"), "--from is empty"), (("--from", "a" * 129, "-f", "x"), "128 bytes"),
                (("--to", "a" * 129, "-f", "x"), "128 bytes"), (("--to", "a\u202e", "-f", "x"), "cannot be printed"),
                (("--to", SSA, "-f", "/no/such/file"), "/no/such/file: ")):
            with self.subTest(sentence):
                status, output, errors = migrate(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(sentence, errors)


class Files(unittest.TestCase):
    """Manifests of objects that imperative commands made."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def migrate(self, live, *arguments, **manifest):
        path = "/apis/apps/v1/namespaces/shop/deployments/web"
        kinds = {"/apis/apps/v1": {"resources": [{"name": "deployments", "kind": "Deployment", "namespaced": True}]}}
        stub = stub_kubectl.Served(self.folder, {**kinds, **({path: live} if live else {})}, {})
        file = self.folder / "web.json"
        file.write_text(json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}, "spec": manifest}))
        done = subprocess.run([APPLYGUARD, "migrate", "--to", "kubectl", *arguments, file], capture_output=True, text=True, timeout=60, env=stub.environment)
        return done.returncode, done.stdout.replace(str(file), "FILE"), done.stderr

    def test_the_commands_and_what_the_first_apply_changes(self):
        live = deployment(entry("kubectl-create", "Update", spec("replicas", "minReadySeconds", "paused")),
                          entry("kubectl-rollout", "Update", spec("progressDeadlineSeconds")),
                          entry("team", "Apply", spec("paused")), replicas=2, minReadySeconds=5, paused=True, progressDeadlineSeconds=7)
        status, output, errors = self.migrate(live, replicas=3, revisionHistoryLimit=4)
        self.assertEqual(status, 0)
        *comment, patch, apply = output.splitlines()
        self.assertTrue(patch.startswith("kubectl patch Deployment.v1.apps web -n shop --type=json"))
        self.assertEqual(comment[0], "# The webhook refuses this patch under the profile strict, unless its policy says:")
        self.assertEqual([line[:2] for line in comment], ["# "] * len(comment))
        self.assertEqual(apply, "kubectl apply --server-side -f FILE")
        value = json.loads(shlex.split(patch)[-1])[0]["value"]
        self.assertEqual({(each["manager"], each["operation"]) for each in value}, {("kubectl", "Apply"), ("kubectl-rollout", "Update"), ("team", "Apply")})
        self.assertEqual(errors, "Deployment shop/web: the first apply\n  sets .spec.revisionHistoryLimit\n  changes .spec.replicas\n"
                                 "  removes, or sets to its default, .spec.minReadySeconds\n")

    def test_what_the_webhook_says_about_it(self):
        """The line that its policy needs, which then allows the patch. A profile that warns needs none."""
        live = deployment(entry("kubectl-create", "Update", spec("replicas")), replicas=2)
        policy = self.folder / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
        _, output, _ = self.migrate(live, "--policy", str(policy), replicas=2)
        *comment, patch, apply = output.splitlines()
        self.assertEqual(comment[0], "# The webhook refuses this patch, unless its policy says:")
        allowed = policy.read_text() + "".join(f"{line[2:]}\n" for line in comment[1:])
        for text in (allowed, policy.read_text().replace("strict", "baseline")):
            policy.write_text(text)
            self.assertEqual(self.migrate(live, "--policy", str(policy), replicas=2)[1].splitlines(), [patch, apply])
        self.assertEqual(self.migrate(live, "--policy", "/absent", replicas=2)[:2], (2, ""))

    def test_an_object_that_is_declarative_or_new(self):
        live = deployment(entry("kubectl", "Apply", spec("replicas")), replicas=2)
        self.assertEqual(self.migrate(live, replicas=2), (0, "kubectl apply --server-side -f FILE\n",
                                                         "Deployment shop/web: no imperative command owns its fields; the first apply changes nothing\n"))
        self.assertEqual(self.migrate(None, "--to", "ci", replicas=2)[1:], (
            "kubectl apply --server-side --field-manager=ci -f FILE\n", "Deployment shop/web: the cluster does not have it; the first apply creates it\n"))

    def test_wrong_use(self):
        for arguments in (("--back",), ("--from", "kubectl-edit"), ("--fields", ".spec")):
            status, output, errors = self.migrate(None, *arguments, replicas=2)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("FILE is for --to alone", errors)


if __name__ == "__main__":
    unittest.main()
