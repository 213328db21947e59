#!/usr/bin/env python3
"""`policy test`: cases that pass and fail, what is said of them, and what cannot be read.

    tests/cli/test_policy_test.py APPLYGUARD

Protects users who let a test decide whether a policy may be rolled out, and the requests that are made of two objects: they
must be judged like the requests of a real API server.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REVIEWS = ROOT / "tests" / "reviews"
STRICT = REVIEWS / "strict.yaml"
EDIT = REVIEWS / "edit-ssa" / "review.json"      # one warning, denied under strict
CLEAN = REVIEWS / "annotate" / "review.json"     # nothing found
IMAGE = '.spec.template.spec.containers[name="nginx"].image'
DENIED = {"rule": "ownership-conflict", "action": "deny", "fields": [IMAGE], "taker": "kubectl-edit",
          "losers": ["kubectl"]}

WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  strategy: {type: RollingUpdate}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
"""


def run(*arguments, stdin=b"", env=None, cwd=None):
    done = subprocess.run([APPLYGUARD, *map(str, arguments)], input=stdin, capture_output=True, timeout=60,
                          env={**os.environ, **(env or {})}, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "policy.yaml").write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def write_test(self, *cases, name="a.test.yaml", policy="policy.yaml"):
        return self.write(name, json.dumps(
            {"apiVersion": "applyguard.io/v1", "kind": "PolicyTest", "policy": policy, "cases": cases}))

    def run_json(self, *cases, **more):
        self.write_test(*cases, **more)
        status, out, err = run("policy", "test", "-o", "json", self.folder)
        return status, [json.loads(line) for line in out.splitlines()], err

    def judge(self, **case):
        """The findings of a case, in the form of a test."""
        _, lines, err = self.run_json({"name": "a", "expect": [], **case})
        self.assertEqual(err, "")
        return lines[0]["unexpected"]


class Cases(Folder):
    def test_a_case_that_passes(self):
        status, out, err = run("policy", "test", self.write_test(
            {"name": "an edit", "review": str(EDIT), "expect": [DENIED], "allowed": False},
            {"name": "a note", "review": str(CLEAN), "expect": [], "allowed": True}))
        self.assertEqual((status, err), (0, ""))
        self.assertIn("ok    ", out)
        self.assertTrue(out.endswith("2 cases in 1 file: 2 passed, 0 failed\n"))

    def test_what_is_piped(self):
        """A test may come from a program: files that it names are then found in the current folder."""
        text = self.write_test({"name": "an edit", "review": str(EDIT), "expect": [DENIED]}).read_bytes()
        status, out, err = run("policy", "test", "-", stdin=text, cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.endswith("1 case in 1 file: 1 passed, 0 failed\n"))
        status, _, err = run("policy", "test", "-", "-", stdin=text, cwd=self.folder)
        self.assertEqual(status, 2)
        self.assertIn("standard input is read once", err)

    def test_a_case_that_fails_shows_the_difference(self):
        path = self.write_test({"name": "an edit", "review": str(EDIT), "allowed": True,
                                "expect": [{"rule": "ownership-conflict", "action": "warn"}, {"rule": "mixed-apply"}]})
        status, out, err = run("policy", "test", path)
        self.assertEqual((status, err), (1, ""))
        lines = [line.strip() for line in out.splitlines()]
        self.assertEqual(lines[0], f"FAIL  {path}:1: an edit")
        self.assertEqual(lines[1:4], ["- allowed: true", "+ allowed: false",
                                      '- {"rule":"ownership-conflict","action":"warn"}'])
        self.assertEqual(json.loads(lines[4].removeprefix("+ ")), DENIED)
        self.assertTrue(lines[5].startswith("Deployment default/web: kubectl edit changes"))
        self.assertEqual(lines[6:], ['- {"rule":"mixed-apply"}', "1 case in 1 file: 0 passed, 1 failed"])

    def test_what_came_can_be_pasted(self):
        """The findings after + are those that the case must expect to pass."""
        findings = self.judge(review=str(EDIT))
        self.assertEqual(self.run_json({"name": "a", "review": str(EDIT), "expect": findings})[0], 0)

    def test_at_least(self):
        case = {"name": "a", "review": str(EDIT)}
        self.assertEqual(self.run_json({**case, "expect": {"atLeast": []}})[0], 0)
        self.assertEqual(self.run_json({**case, "expect": {"atLeast": [DENIED]}})[0], 0)
        self.assertEqual(self.run_json({**case, "expect": {"atLeast": [DENIED, DENIED]}})[0], 1)
        self.assertEqual(self.run_json({**case, "expect": []})[0], 1)

    def test_each_key_of_a_finding_counts(self):
        for key, other in {"rule": "mixed-apply", "action": "warn", "policyAction": "warn", "fields": [".spec.replicas"],
                           "taker": "helm", "losers": ["helm"]}.items():
            expected = {**DENIED, key: other}
            status, lines, _ = self.run_json({"name": "a", "review": str(EDIT), "expect": [expected]})
            self.assertEqual((status, lines[0]["missing"]), (1, [expected]), key)
        for fields in ([], [IMAGE, ".spec.replicas"]):
            self.assertEqual(self.run_json(
                {"name": "a", "review": str(EDIT), "expect": [{**DENIED, "fields": fields}]})[0], 1)

    def test_findings_are_paired_as_well_as_can_be(self):
        """A vague expectation does not take the finding that only an exact one fits."""
        review = REVIEWS / "orphaned-edits" / "review.json"
        findings = self.judge(review=str(review))
        vague = [{"rule": finding["rule"]} for finding in findings]
        self.assertEqual(self.run_json({"name": "a", "review": str(review), "expect": vague[::-1]})[0], 0)
        self.assertEqual(self.run_json({"name": "a", "review": str(EDIT), "expect": [
            {"rule": "ownership-conflict"}, DENIED]})[1][0]["missing"], [DENIED])

    def test_mode_is_that_of_the_path(self):
        case = {"name": "a", "review": str(EDIT), "mode": "audit", "allowed": True}
        expected = {**DENIED, "action": "audit", "policyAction": "deny"}
        self.assertEqual(self.run_json({**case, "expect": [expected]})[0], 0)

    def test_date_is_when_overrides_expire(self):
        self.write("policy.yaml", "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\noverrides:\n"
                   "- {match: {}, mode: audit, expires: 2020-01-31, reason: a move}\n")
        case = {"name": "a", "review": str(EDIT)}
        self.assertEqual(self.run_json({**case, "date": "2020-01-31", "allowed": True}, {**case, "allowed": False},
                                       {**case, "date": "2020-02-01", "allowed": False})[0], 0)

    def test_another_policy_in_place_of_the_named_one(self):
        path = self.write_test({"name": "a", "review": str(EDIT), "allowed": False}, policy="missing.yaml")
        self.assertEqual(run("policy", "test", path)[0], 2)
        self.assertEqual(run("policy", "test", "--policy", STRICT, path)[0], 0)
        self.assertEqual(run("policy", "test", "--policy", REVIEWS / "baseline.yaml", path)[0], 1)


class Pairs(Folder):
    def test_a_first_apply_is_what_check_judges(self):
        """Protects one answer for one manifest, from each command."""
        web = WEB.replace("  strategy: {type: RollingUpdate}\n", "")
        path = self.write("web.yaml", web)
        for operation, way in (("ClientSideApply", "client"), ("Apply", "server")):
            found = json.loads(run("check", "-o", "json", "--apply", way, "--policy", self.folder / "policy.yaml",
                                   path)[1])["findings"]
            manager = {"manager": "kubectl"} if operation == "Apply" else {}
            came = self.judge(after="web.yaml", operation=operation, **manager)
            self.assertEqual([f["rule"] for f in came], [f["rule"] for f in found], operation)
            self.assertTrue(found, operation)

    def edit(self, operation, owner, **case):
        self.write("before.yaml", WEB)
        self.write("after.yaml", WEB.replace("replicas: 3", "replicas: 5"))
        return self.judge(before="before.yaml", after="after.yaml", operation=operation, owners=owner, **case)

    def test_an_update_takes_what_it_changes(self):
        came = self.edit("Update", [{"manager": "kustomize-controller", "operation": "Apply"}], manager="kubectl-edit")
        self.assertEqual(came, [{"rule": "ownership-conflict", "action": "deny", "fields": [".spec.replicas"],
                                 "taker": "kubectl-edit", "losers": ["kustomize-controller"]}])

    def test_who_owns_nothing_of_it_loses_nothing(self):
        came = self.edit("Update", [{"manager": "kustomize-controller", "operation": "Apply"},
                                    {"manager": "image-bot", "operation": "Update", "fields": [".spec.replicas"]}],
                         manager="image-bot")
        self.assertEqual(came, [])

    def test_an_apply_declares_its_fields(self):
        owners = [{"manager": "kustomize-controller", "operation": "Apply"},
                  {"manager": "kube-controller-manager", "operation": "Update", "subresource": "scale",
                   "fields": [".spec.replicas"]}]
        came = self.edit("Apply", owners, manager="kustomize-controller")
        self.assertEqual([(f["rule"], f["fields"]) for f in came], [("ownership-conflict", [".spec.replicas"])])
        came = self.edit("Apply", owners, manager="argocd-controller", fields=[".spec.replicas"])
        self.assertIn(("ownership-conflict", [".spec.replicas"]), [(f["rule"], f["fields"]) for f in came])

    def test_a_client_side_apply_writes_what_it_applied(self):
        self.write("before.yaml", WEB)
        self.write("after.yaml", WEB.replace("  strategy: {type: RollingUpdate}\n", ""))
        came = self.judge(before="before.yaml", after="after.yaml", operation="ClientSideApply",
                          owners=[{"manager": "kubectl-client-side-apply", "operation": "ClientSideApply"}])
        self.assertEqual([f["rule"] for f in came], ["explicit-strategy"])

    def test_before_as_kubectl_prints_it(self):
        """The owners come from managedFields, if the object has them."""
        old = json.loads(EDIT.read_text())["request"]["oldObject"]
        self.write("before.json", json.dumps(old))
        self.write("after.json", json.dumps(old).replace("nginx:1.14.2", "nginx:1.17.0"))
        came = self.judge(before="before.json", after="after.json", operation="Update", manager="kubectl-edit")
        self.assertEqual(came, [DENIED])

    def test_who_sends_it(self):
        self.write("policy.yaml", "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\noverrides:\n"
                   "- {match: {users: [alice], groups: [sre], namespaces: [shop]}, mode: audit}\n")
        owner = [{"manager": "kustomize-controller", "operation": "Apply"}]
        who = {"user": "alice", "groups": ["sre"], "namespace": "shop"}
        actions = [self.edit("Update", owner, manager="kubectl-edit", **case)[0]["action"]
                   for case in (who, {**who, "user": "bob"}, {**who, "groups": []}, {**who, "namespace": "x"})]
        self.assertEqual(actions, ["audit", "deny", "deny", "deny"])


class Unreadable(Folder):
    def problems(self, text):
        path = self.write("a.test.yaml", text)
        status, _, err = run("policy", "test", path)
        self.assertEqual(status, 2, err)
        return [line.removeprefix(str(path) + ":") for line in err.splitlines()]

    def test_all_errors_of_a_file_are_told_at_once(self):
        said = self.problems("""apiVersion: applyguard.io/v2
kind: PolicyTests
polcy: policy.yaml
cases:
- nam: first
  review: a.json
  manager: helm
  allowed: yes
  expect: [{rule: ownership-conflct, action: denied, fields: spec}]
- name: second
  after: b.yaml
  operation: Aply
  date: 2026-02-30
  mode: enforced
  expect: {atLeast: [{rule: yaml-ambiguity}, {rule: contested-field}, {rule: waiver, action: "off"}]}
- name: third
- name: fourth
  after: b.yaml
  manager: helm
  operation: Update
  owners: [{manager: kubectl}]
  fields: [spec.replicas, .spec]
  expect: []
""")
        wanted = [
            ("1:13:", 'must be applyguard.io/v1, not "applyguard.io/v2"'),
            ("2:7:", 'must be PolicyTest, not "PolicyTests"'),
            ("3:1:", 'unknown key "polcy" in the test\'s file; did you mean "policy"?'),
            ("5:3:", 'unknown key "nam" in cases[0]; did you mean "name"?'),
            ("7:3:", 'has a review, which says all of the request; remove "manager"'),
            ("8:12:", "must be true or false"),
            ("9:19:", 'unknown rule "ownership-conflct" in cases[0].expect[0].rule; did you mean "ownership-conflict"?'),
            ("9:46:", 'must be off, audit, warn or deny, not "denied"'),
            ("9:62:", "must be a list"),
            ("10:3:", 'lacks the key "manager"; add it'),
            ("12:14:", 'must be Apply, Update or ClientSideApply, not "Aply"; did you mean "Apply"?'),
            ("13:9:", "must be a day YYYY-MM-DD"),
            ("14:9:", 'did you mean "enforce"?'),
            ("15:29:", "only `applyguard check` judges by yaml-ambiguity"),
            ("15:53:", "contested-field counts several"),
            ("15:71:", "expects the action off, which no finding has"),
            ("16:3:", 'lacks the keys "review" or "after" and "expect" or "allowed"'),
            ("21:11:", 'has owners, but no object "before"'),
            ("21:12:", 'lacks the key "operation"'),
            ("22:12:", "is no path of a field"),
        ]
        for place, sentence in wanted:
            self.assertTrue([line for line in said if line.startswith(place) and sentence in line],
                            (place, sentence, said))
        self.assertEqual(said, sorted(said, key=lambda line: [int(n) for n in line.split(":")[:2]]))

    def test_no_error_hides_the_other_cases_and_files(self):
        self.write_test({"name": "a", "review": "missing.json", "expect": []},
                        {"name": "b", "review": str(CLEAN), "expect": []},
                        {"name": "c", "review": str(EDIT), "expect": []})
        self.write("b/b.test.yaml", "cases: [\n")
        self.write_test({"name": "d", "review": str(CLEAN), "expect": []}, name="c.test.yaml")
        status, out, err = run("policy", "test", self.folder)
        self.assertEqual(status, 2)
        self.assertIn("a.test.yaml:1:", err)
        self.assertIn("missing.json: No such file or directory", err)
        self.assertIn("b.test.yaml:2:1", err)
        self.assertIn("c.test.yaml (1 case)", out)
        self.assertTrue(out.endswith("3 cases in 3 files: 2 passed, 1 failed; 2 problems\n"), out)

    def test_a_broken_policy_is_told_with_its_places(self):
        self.write("policy.yaml", "apiVersion: applyguard.io/v1\nkind: Policy\nprofil: strict\nmode: warm\n")
        status, _, err = run("policy", "test", self.write_test({"name": "a", "review": str(CLEAN), "expect": []}))
        self.assertEqual(status, 2)
        self.assertIn('policy.yaml:3:1: error: unknown key "profil"', err)
        self.assertIn("policy.yaml:4:7: error: ", err)

    def test_inputs_that_do_not_fit(self):
        self.write("two.yaml", WEB + "---\n" + WEB)
        self.write("other.yaml", WEB.replace("name: web}", "name: api}", 1))
        self.write("web.yaml", WEB)
        self.write("broken.yaml", "kind: [\n")
        self.write("list.json", "[]")
        os.mkfifo(self.folder / "pipe.yaml")
        owners = [{"manager": "helm", "operation": "Update"}]
        update = {"after": "web.yaml", "operation": "Update", "manager": "helm"}
        for case, sentence in (
                ({"review": "list.json"}, "list.json: "),
                ({"review": "."}, "Is a directory"),
                ({"review": "pipe.yaml"}, "it is no regular file"),
                ({**update, "after": "two.yaml"}, "it holds several objects"),
                ({**update, "after": "broken.yaml"}, "broken.yaml:1:8"),
                ({**update, "before": "web.yaml"}, 'has no managedFields; add "owners"'),
                ({**update, "before": "other.yaml", "owners": owners}, "is another object than"),
                ({**update, "before": "web.yaml", "owners": [{**owners[0], "fields": [".spec.paused"]}]},
                 "names fields, of which the object has none")):
            path = self.write_test({"name": "a", "expect": [], **case})
            status, _, err = run("policy", "test", path)
            self.assertEqual(status, 2, case)
            self.assertIn(sentence, err)
            self.assertRegex(err, r"a\.test\.yaml:1:\d+: error: ")

    def test_folders_without_tests_and_what_is_not_there(self):
        for path, sentence in ((self.folder, "there is no *.test.yaml in it"), (self.folder / "x", "No such file")):
            status, _, err = run("policy", "test", path)
            self.assertEqual(status, 2)
            self.assertIn(sentence, err)

    def test_hostile_files(self):
        """A bomb of aliases, deep nesting and a million cases are refused, soon and with a place."""
        bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(10))
        for text in (bomb, "cases: " + "[" * 100000, "cases:\n" + "- {}\n" * 60000, "x" * (2 << 20), "\0", "\x1b[31m: 1"):
            path = self.write("a.test.yaml", text)
            status, out, err = run("policy", "test", path)
            self.assertEqual(status, 2)
            self.assertNotIn("\x1b", out + err)

    def test_hostile_inputs(self):
        """Bombs, deep nesting and what is too large are refused with their place; the other cases are run."""
        bomb = "apiVersion: v1\nkind: A\na: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(9))
        inputs = {"bomb.yaml": bomb, "deep.yaml": "a: " + "[" * 10000, "deep.json": "[" * 100000, "nul.yaml": "\0",
                  "large.yaml": "#" * (17 << 20), "cut.json": EDIT.read_text()[:-2], "twice.json": EDIT.read_text() * 2}
        cases = [{"name": "good", "review": str(CLEAN), "expect": []}]
        for name, text in inputs.items():
            self.write(name, text)
            request = {"after": name, "manager": "helm", "operation": "Update"} if name.endswith("yaml") else {"review": name}
            cases.append({"name": name, **request, "expect": []})
        status, lines, err = self.run_json(*cases)
        self.assertEqual(status, 2)
        self.assertEqual([line["result"] for line in lines], ["pass"] + ["error"] * len(inputs))
        for name in inputs:
            self.assertRegex(err, rf"a\.test\.yaml:1:\d+: error: {name}(:\d+:\d+)?: \w")

    def test_names_do_not_write_to_the_terminal(self):
        case = {"name": "\x1b[31mred\u202e ##[error]x", "review": str(EDIT), "expect": [], "allowed": True}
        path = self.write_test(case)
        for form in ("text", "json", "junit"):
            out = run("policy", "test", "-o", form, path)[1]
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)
        self.assertNotIn("##[error]", run("policy", "test", path)[1])


class Formats(Folder):
    def cases(self):
        return ({"name": "a <b> & \"c\"", "review": str(CLEAN), "expect": []},
                {"name": "d", "review": str(EDIT), "expect": [{"rule": "mixed-apply"}]},
                {"name": "e", "review": "missing.json", "expect": []})

    def test_json_is_a_line_a_case(self):
        status, lines, _ = self.run_json(*self.cases())
        self.assertEqual(status, 2)
        self.assertEqual([line["result"] for line in lines], ["pass", "fail", "error"])
        self.assertEqual(list(lines[1]), ["file", "line", "name", "policy", "result", "allowed", "missing", "unexpected",
                                          "findings"])
        self.assertEqual(lines[1]["missing"], [{"rule": "mixed-apply"}])
        self.assertEqual(lines[1]["unexpected"], [DENIED])
        judged = json.loads(run("review", "-o", "json", "--policy", STRICT, EDIT)[1])
        self.assertEqual(lines[1]["findings"], judged["findings"])
        self.assertEqual(list(lines[2]), ["file", "line", "name", "policy", "result", "error"])
        self.assertEqual(list(lines[2]["error"]), ["line", "column", "message"])

    def test_junit_counts_what_fails(self):
        self.write_test(*self.cases())
        status, out, _ = run("policy", "test", "-o", "junit", self.folder, self.folder / "nothing")
        self.assertEqual(status, 2)
        suites = xml.fromstring(out)
        self.assertEqual([suite.attrib["errors"] for suite in suites], ["1", "1"])
        suite = suites[0]
        self.assertEqual([suite.attrib[key] for key in ("tests", "failures", "errors")], ["3", "1", "1"])
        self.assertEqual([case.attrib["name"] for case in suite], ['a <b> & "c"', "d", "e"])
        self.assertEqual([[child.tag for child in case] for case in suite], [[], ["failure"], ["error"]])
        self.assertIn('- {"rule":"mixed-apply"}\n', suite[1][0].text)

    def test_a_reader_that_went_away_is_no_error(self):
        path = self.write_test(*[self.cases()[1]] * 500)
        with subprocess.Popen([APPLYGUARD, "policy", "test", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
            done.stdout.readline()
            done.stdout.close()
            self.assertEqual(done.stderr.read(), b"")
        self.assertEqual(done.returncode, 1)


# Causes that two objects cannot show: the request or the API server itself changed managedFields, another client changed the
# object on the way, what was applied is not stored (stringData, an empty map that others fill), the API server repeats a
# value under an old name (serviceAccount), it allocates one (nodePort), it splits an entry (scale) or removes it with its
# last field, a list of a custom resource is a set, a tool only compared by a dry run, or managedFields are not in the form
# of the API.
NOT_OF_A_PAIR = {"csa-after-scale-to-the-same", "csa-removes-an-operators-item", "label-after-scale-to-the-same",
                 "secret-string-data-applied-again", "secret-string-data-forced", "ssa-drops-its-last-field",
                 "ssa-drops-its-last-field-of-the-default", "managedfields-eleventh-manager", "managedfields-old-copy",
                 "managedfields-renamed", "managedfields-reset", "managedfields-stripped-by-put", "merged-with-others",
                 "pinned-in-flight", "flux-service-becomes-node-port",
                 "secret-csa-to-ssa", "ssa-after-set-serviceaccount", "ssa-empty-resources", "waiver-flux-forged",
                 "flux-heals-unknown-dry-run", "flux-ignore-dry-run", "forged-depth-beside-an-edit", "forged-own-entry",
                 "forged-own-entry-part", "forged-rival-entry", "made-entry-twice", "made-unreadable-before",
                 "made-update-without-old-object", "ssa-takes-a-role-binding-by-force"}


def paths_of(fields, at=""):
    """The fields of a recorded FieldsV1, as the API server prints them."""
    for key, below in fields.items():
        if key == ".":
            continue
        kind, rest = key[:2], key[2:]
        here = {"f:": f"{at}.{rest}", "v:": f"{at}[={rest}]"}.get(kind)
        if kind == "k:":
            here = at + "[" + ",".join(f"{name}={json.dumps(value)}" for name, value in json.loads(rest).items()) + "]"
        yield from paths_of(below, here) if set(below) - {"."} else [here]


class Recorded(Folder):
    """Recorded requests of a real API server, made again from their two objects: the same findings."""

    def case(self, name, request, verdict):
        new, old = request["object"], request.get("oldObject")
        manager = request["options"]["fieldManager"]
        applies = [[entry for entry in (side or {}).get("metadata", {}).get("managedFields", [])
                    if (entry["manager"], entry["operation"], entry.get("subresource")) == (manager, "Apply", None)]
                   for side in (old, new)]
        is_apply = applies[1] and applies[0] != applies[1]
        case = {"name": name, "manager": manager, "operation": "Apply" if is_apply else "Update",
                "user": request["userInfo"]["username"], "groups": request["userInfo"].get("groups", []),
                "after": f"{name}.after.json"}
        if request.get("namespace"):
            case["namespace"] = request["namespace"]
        if is_apply:
            case["fields"] = list(paths_of(applies[1][0]["fieldsV1"]))
        self.write(f"{name}.after.json", json.dumps(new))
        if old:
            case["before"] = f"{name}.before.json"
            self.write(f"{name}.before.json", json.dumps(old))
        case["allowed"] = verdict["allowed"]
        case["expect"] = [self.expected(finding) for finding in verdict["findings"]]
        return case

    @staticmethod
    def expected(finding):
        expected = {key: finding[key] for key in ("rule", "action", "fields") if key in finding}
        if finding.get("taker", {}).get("manager"):
            expected["taker"] = finding["taker"]["manager"]
        if "losers" in finding:
            expected["losers"] = [loser["manager"] for loser in finding["losers"]]
        return expected

    maxDiff = None

    def test_pairs_are_judged_as_the_requests_that_they_were(self):
        cases, paths = [], sorted(REVIEWS.glob("*/review.json"))
        verdicts = {line["file"]: line for line in map(
            json.loads, run("review", "-o", "json", "--policy", STRICT, *paths)[1].splitlines())}
        for path in paths:
            request = json.loads(path.read_text())["request"]
            is_known = (request.get("oldObject") or {"metadata": {"managedFields": [0]}})["metadata"].get("managedFields")
            if request["operation"] in ("CREATE", "UPDATE") and not request.get("subResource") and is_known and \
                    (request.get("options") or {}).get("fieldManager"):
                cases.append(self.case(path.parent.name, request, verdicts[str(path)]))
        self.assertGreater(len(cases) - len(NOT_OF_A_PAIR), 100)
        self.write("policy.yaml", STRICT.read_text())
        _, lines, err = self.run_json(*cases)
        self.assertEqual({line["name"]: line for line in lines
                          if (line["result"] != "pass") != (line["name"] in NOT_OF_A_PAIR)}, {}, err)


class Examples(unittest.TestCase):
    """docs/policies/, which people copy, and the page that says how a test is written."""

    POLICIES = ROOT / "docs" / "policies"
    PAGE = (ROOT / "docs" / "policy-test.md").read_text()

    def folders(self):
        return sorted(path for path in self.POLICIES.iterdir() if path.is_dir())

    def test_every_case_passes(self):
        status, out, err = run("policy", "test", "-o", "json", self.POLICIES)
        self.assertEqual((status, err), (0, ""))
        found = {}
        for line in map(json.loads, out.splitlines()):
            found.setdefault(pathlib.Path(line["policy"]).parent, []).append(bool(line["findings"]))
        self.assertEqual(sorted(found), self.folders())
        for folder, fires in found.items():
            self.assertEqual(set(fires), {True, False}, f"{folder} shows where the policy fires and where it is silent")

    def test_every_policy_has_nothing_to_refuse_or_note(self):
        for folder in self.folders():
            status, out, err = run("policy", "check", folder / "policy.yaml")
            self.assertEqual((status, err, out.count("\n")), (0, "", 1), out)
            self.assertTrue((folder / "README.md").is_file())

    def test_every_file_is_used(self):
        for folder in self.folders():
            text = (folder / f"{folder.name}.test.yaml").read_text()
            names = {path.name for path in folder.iterdir()} - {"README.md", f"{folder.name}.test.yaml"}
            self.assertEqual({name for name in names if name not in text}, set(), folder)

    def test_the_index_lists_every_folder_and_shows_what_is_printed(self):
        index = (self.POLICIES / "README.md").read_text()
        self.assertEqual(sorted(re.findall(r"^\| \[`(.*)/`\]", index, re.MULTILINE)), [path.name for path in self.folders()])
        shown = re.search(r"```console\n(.*?)```", index, re.DOTALL).group(1)
        printed = "".join(f"$ {line[2:]}\n" + run(*line.split()[2:], cwd=ROOT)[1]
                          for line in shown.splitlines() if line.startswith("$ "))
        self.assertEqual(shown, printed)

    def test_the_page_has_every_key(self):
        source = "".join((ROOT / "commands" / "policytest" / name).read_text() for name in ("test_file.c", "expected.c"))
        keys = set(re.findall(r'\.name = "(\w+)"', source)) - {"atLeast"}
        rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", self.PAGE.split("## Output")[0], re.MULTILINE)
        self.assertEqual({key for row in rows for key in re.findall(r"`(\w+)`", row)} - {"Apply", "Update", "ClientSideApply"},
                         keys)


if __name__ == "__main__":
    unittest.main(argv=[__file__])
