#!/usr/bin/env python3
"""`applyguard explain -f`: what real tools printed about a conflict, and what hostile text does not do.

    tests/cli/test_explain_conflict.py APPLYGUARD

The texts are in tests/conflicts; the causes in the API server's own Status show which conflicts are in them.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXTS = ROOT / "tests" / "conflicts"
# How a table of kubectl cuts a message of several lines.
CUT = {"flux-get-api.txt", "flux-events-api.txt"}
WAYS = ["drop", "force", "hand-over", "match"]


def explain(*arguments, stdin=b""):
    done = subprocess.run([APPLYGUARD, "explain", *map(str, arguments)], input=stdin, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def explained(*arguments, **options):
    status, output, errors = explain("-o", "json", *arguments, **options)
    assert status == 0, errors
    return [json.loads(line) for line in output.splitlines()]


def causes(name):
    """{(path, manager, operation, subresource)} by the Status's details, which applyguard does not read."""
    found = set()
    for cause in json.loads((TEXTS / f"status-{name}.json").read_text())["details"]["causes"]:
        manager, subresource, version = re.fullmatch(
            r'conflict with ("(?:[^"\\]|\\.)*")(?: with subresource ("[^"]*"))?( using \S+)?', cause["message"]).groups()
        found.add((cause["field"], json.loads(manager), "Update" if version else "Apply", json.loads(subresource or '""')))
    return found


def conflicts(report):
    return {tuple(each[key] for key in ("path", "manager", "operation", "subresource")) for each in report["conflicts"]}


ONE, MANY = causes("one"), causes("many")
OBJECTS = {"Deployment shop/web": ONE, "Deployment shop/api": MANY}


def recorded():
    return sorted(path for path in TEXTS.iterdir()
                  if path.suffix in (".txt", ".json", ".log", ".yaml") and not path.name.startswith("live-"))


class RealTexts(unittest.TestCase):
    def test_there_are_texts_of_each_tool(self):
        names = [path.name for path in recorded()]
        for tool in ("kubectl-1.33", "kubectl-1.36", "helm-4", "flux", "argocd", "status", "curl", "audit"):
            self.assertTrue(any(name.startswith(tool) for name in names), tool)
        self.assertEqual((len(ONE), len(MANY)), (1, 4))

    def test_each_conflict_is_found_once(self):
        for path in recorded():
            if path.name in CUT:
                continue
            with self.subTest(path.name):
                reports = explained("-f", path)
                found = [frozenset(conflicts(report)) for report in reports]
                self.assertEqual(len(found), len(set(found)))
                self.assertLessEqual(set(found), {frozenset(ONE), frozenset(MANY)})
                if re.search("many|verbose|diff|curl|-api", path.name):
                    self.assertEqual(found, [MANY])
                if re.search("two-objects|helm|audit|-log", path.name):
                    self.assertEqual(len(found), 2)

    def test_objects_are_those_that_the_tool_names(self):
        for path in recorded():
            if path.name in CUT:
                continue
            with self.subTest(path.name):
                for report in explained("-f", path):
                    if path.name.startswith(("helm", "flux", "argocd-sync")):
                        self.assertEqual(conflicts(report), OBJECTS[report["object"]])
                    else:
                        self.assertIsNone(report["object"])

    def test_a_message_that_was_cut_is_said_to_be(self):
        for name in CUT:
            status, output, errors = explain("-f", TEXTS / name)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("it was cut", errors)
        status, output, errors = explain("-f", "-", stdin=(TEXTS / "kubectl-1.36-many.txt").read_bytes()[:250])
        self.assertEqual((status, output.count("held by")), (0, 2))
        self.assertIn("2 more conflicts are counted and not listed", errors)
        one_of_two = b'error: Apply failed with 2 conflicts: conflicts with "helm":\n- .spec.replicas\n'
        self.assertIn("1 more conflict is counted and not listed", explain("-f", "-", stdin=one_of_two)[2])

    def test_json_is_as_contracted(self):
        report, = explained("-f", TEXTS / "kubectl-1.36-many.txt", "--live", TEXTS / "live-api.yaml")
        self.assertEqual(list(report), ["object", "conflicts"])
        for conflict in report["conflicts"]:
            self.assertEqual(list(conflict), ["path", "manager", "operation", "subresource", "since", "class", "ways"])
            self.assertEqual([way["way"] for way in conflict["ways"]], WAYS)
            for way in conflict["ways"]:
                self.assertEqual(list(way), ["way", "command"])

    def test_classes_are_those_of_the_policy(self):
        def classes(*arguments):
            report, = explained("-f", TEXTS / "kubectl-1.36-many.txt", *arguments)
            return {each["manager"]: each["class"] for each in report["conflicts"]}
        self.assertEqual(classes(), {
            "kubectl": "adhoc", "kubectl-annotate": "adhoc", "kubectl-set": "adhoc", 'odd "name"': "applier"})
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as policy:
            policy.write("apiVersion: applyguard.io/v1\nkind: Policy\nmanagers: [{name: kubectl-set, class: controller}]\n")
            policy.flush()
            self.assertEqual(classes("--policy", policy.name)["kubectl-set"], "controller")
            self.assertEqual(classes("--policy", policy.name, "--live", TEXTS / "live-api.yaml")["kubectl-set"], "controller")

    def test_resolutions_that_the_policy_denies_are_named(self):
        """A person's, by the takeover of the rule; Flux and Argo CD are warned at most."""
        def refused(text, live, policy):
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write("apiVersion: applyguard.io/v1\nkind: Policy\n" + policy)
                file.flush()
                return [{way["way"]: way["refused_by"] for way in conflict["ways"] if "refused_by" in way}
                        for report in explained("--policy", file.name, "-f", TEXTS / text, *live) for conflict in report["conflicts"]]
        live = ("--live", TEXTS / "live-web.yaml")
        both = {"force": "ownership-conflict", "hand-over": "managedfields-rewritten"}
        self.assertEqual(refused("kubectl-1.36-one.txt", live, "profile: strict\n"), [both])
        self.assertEqual(refused("kubectl-1.36-one.txt", (), "profile: strict\n"), [{"force": "ownership-conflict"}])
        self.assertEqual(refused("kubectl-1.36-one.txt", live, "profile: strict\nmode: warn\n"), [{}])
        self.assertEqual(refused("kubectl-1.36-one.txt", live, "profile: baseline\n"), [{}])
        moves = "profile: strict\nrules: {ownership-conflict: {action: warn}, managedfields-rewritten: {moves: [{from: a, to: b}]}}\n"
        self.assertEqual(refused("kubectl-1.36-one.txt", live, moves), [{}])
        self.assertNotIn("force", refused("flux-log.txt", (), "profile: strict\n")[0])


class Live(unittest.TestCase):
    def live(self):
        text = (TEXTS / "live-api.yaml").read_text()
        return text, re.search(r'manager: kubectl-set\n    operation: Update\n    time: "(\S+)"', text).group(1)

    def test_since_is_the_time_of_the_entry(self):
        _, time = self.live()
        report, = explained("-f", TEXTS / "kubectl-1.36-many.txt", "--live", TEXTS / "live-api.yaml")
        since = {each["manager"]: each["since"] for each in report["conflicts"]}
        self.assertEqual((report["object"], since["kubectl-set"]), ("Deployment shop/api", time))
        self.assertIsNone(since["kubectl"])  # an entry of a scale has none
        report, = explained("-f", TEXTS / "kubectl-1.36-many.txt")
        self.assertEqual({each["since"] for each in report["conflicts"]}, {None})

    def test_of_several_objects_each_conflict_has_its_own(self):
        both = (TEXTS / "live-web.yaml").read_text() + "---\n" + (TEXTS / "live-api.yaml").read_text()
        for name in ("kubectl-1.36-two-objects.txt", "helm-4-install.txt"):
            reports = explained("-f", TEXTS / name, "--live", "-", stdin=both.encode())
            self.assertEqual({report["object"]: conflicts(report) for report in reports}, OBJECTS)

    def test_another_object_is_not_taken_for_it(self):
        status, output, errors = explain("-f", TEXTS / "flux-condition-web.txt", "--live", TEXTS / "live-api.yaml")
        self.assertEqual(status, 0)
        self.assertIn("Deployment shop/web: 1 conflict\n", output)
        self.assertIn("no object of --live is the one of this conflict", errors)

    def test_an_object_of_another_group_is_not_taken_for_it(self):
        """kubectl does not name the object, but the conflict has the API version that the manager wrote."""
        text = 'Apply failed with 1 conflict: conflict with "{}" using {}: .spec.maxReplicas\n'
        for manager, version, other in (("kubectl-autoscale", "autoscaling/v2", True), ("gone", "apps/v1beta1", False),
                                        ("kubectl-autoscale", "v1", True)):
            with self.subTest(manager=manager, version=version):
                status, output, errors = explain("-f", "-", "--live", TEXTS / "live-web.yaml",
                                                 stdin=text.format(manager, version).encode())
                self.assertEqual((status, output.startswith("Deployment shop/web: ")), (0, not other))
                self.assertEqual("no object of --live is the one of this conflict" in errors, other)

    def test_an_object_without_managed_fields_is_refused(self):
        text = re.sub(r"  managedFields:\n(?:  - .*\n|    .*\n)*", "", self.live()[0])
        status, output, errors = explain("-f", TEXTS / "kubectl-1.36-many.txt", "--live", "-", stdin=text.encode())
        self.assertEqual((status, output), (2, ""))
        self.assertIn("--show-managed-fields", errors)

    def test_who_declares_the_field_is_told(self):
        output = explain("-f", TEXTS / "kubectl-1.36-one.txt", "--live", TEXTS / "live-web.yaml")[1]
        self.assertIn("declared by platform-team\n", output)

    def test_nobody_sets_back_what_was_made_from_a_template(self):
        review = json.loads((ROOT / "tests/reviews/claim-grown/review.json").read_text())
        output = explain("-f", "-", "--live", self.file(json.dumps(review["request"]["oldObject"])),
                         stdin=b'Apply failed with 1 conflict: conflict with "kube-controller-manager" using v1: '
                               b'.spec.resources.requests.storage\n')[1]
        self.assertIn("What was set with kube-controller-manager is overwritten; nothing sets it back.", output)

    def file(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".json")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def test_values_are_never_printed(self):
        for arguments in ((), ("-o", "json")):
            output = explain("-f", TEXTS / "kubectl-1.36-many.txt", "--live", TEXTS / "live-api.yaml", *arguments)[1]
            self.assertNotIn("nginx:9", output)
            self.assertNotIn("nginx:2", output)


class Mistakes(unittest.TestCase):
    def test_what_copying_changed_is_undone(self):
        """Chats and mail print other quotation marks, web pages have entities, PowerShell writes UTF-16."""
        text = 'Apply failed with 1 conflict: conflict with "team\'s ci" using apps/v1: .spec.c[name="a"].image\n'
        expected, = explained("-f", "-", stdin=text.encode())
        for changed in (text.replace(' "', " \u201c").replace('" ', "\u201d ").replace('="', "=\u201c").replace('"]', "\u201d]").replace("'", "\u2019"),
                        text.replace('"', "&quot;").replace("'", "&#39;"), text.replace('"', "&#34;").replace("'", "&apos;")):
            self.assertEqual(explained("-f", "-", stdin=changed.encode()), [expected])
        for order in ("utf-16-le", "utf-16-be"):
            self.assertEqual(explained("-f", "-", stdin=("\ufeff" + text.replace("\n", "\r\n")).encode(order)), [expected])

    def test_what_holds_no_conflict_is_told_with_what_was_looked_for(self):
        for text in (b"", b"error: the server could not find the requested resource", b"\0\xff\x1b[2J" * 1000):
            status, output, errors = explain("-f", "-", stdin=text)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("no warning of applyguard and no conflict in it; paste the whole line, with its [rule]", errors)
            self.assertNotIn("\033", errors)

    def test_files_that_cannot_be_read_are_named(self):
        for arguments in (("-f", "/absent"), ("-f", TEXTS / "curl.txt", "--live", "/absent"),
                          ("-f", TEXTS / "curl.txt", "--policy", "/absent")):
            status, output, errors = explain(*arguments)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("/absent: error: No such file or directory", errors)
        for arguments in (("-f", ""), ("-f", TEXTS / "curl.txt", "--live", "")):
            self.assertEqual(explain(*arguments), (2, "", "'': error: No such file or directory\n"))

    def test_a_reader_that_went_away_is_no_error(self):
        shell = f"{os.path.abspath(APPLYGUARD)} explain -f {TEXTS}/kubectl-1.36-many.txt | head -1"
        done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Many(unittest.TestCase):
    """Reports of one text: memory is for one of them, and the live object is searched once for all."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def reports(self, count):
        path = self.folder / f"{count}.txt"
        path.write_text("".join(f'Apply failed with 1 conflict: conflict with "m" using v1: .data.k{number}\n' for number in range(count)))
        return path

    def test_memory_does_not_grow_with_them(self):
        peaks = []
        for count in (1000, 10000):
            with subprocess.Popen([APPLYGUARD, "explain", "-f", self.reports(count)], stdout=subprocess.DEVNULL) as run:
                _, status, usage = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(run.returncode, 0)
            peaks.append(usage.ru_maxrss)
        # The text, and what is read of it, are 15 MiB larger.
        self.assertLess(peaks[1] - peaks[0], 50 * 1024)

    def test_time_does_not_grow_with_their_product_with_the_fields(self):
        fields = {"f:data": {f"f:k{number}": {} for number in range(60000)}}
        live = self.folder / "live.json"
        live.write_text(json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "managedFields": [
            {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields}]}}))
        done = subprocess.run([APPLYGUARD, "explain", "-o", "json", "-f", self.reports(10000), "--live", live], capture_output=True, timeout=20)
        lines = done.stdout.decode().splitlines()
        self.assertEqual((done.returncode, len(lines)), (0, 10000))
        for number in (0, 9999):
            conflict = json.loads(lines[number])["conflicts"][0]
            self.assertIn(f"f:k{number}", conflict["ways"][2]["command"])


class Page(unittest.TestCase):
    def test_the_page_shows_what_is_printed(self):
        page = (ROOT / "docs" / "conflicts.md").read_text()
        shown = re.findall(r"^\$ applyguard (explain .*)\n((?:.*\n)+?)```$", page, re.MULTILINE)
        self.assertGreaterEqual(len(shown), 1)
        for arguments, output in shown:
            done = subprocess.run([os.path.abspath(APPLYGUARD), *arguments.split()], capture_output=True, text=True, cwd=ROOT)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, output, ""))


if __name__ == "__main__":
    unittest.main()
