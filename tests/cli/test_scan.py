#!/usr/bin/env python3
"""`applyguard scan`: from files, from backups, and from a cluster through kubectl.

    tests/cli/test_scan.py APPLYGUARD
"""
import base64
import copy
import gzip
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from stub_list_api import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
OBJECTS = ROOT / "tests" / "objects"


def scan(*arguments, stdin=None, environment=None, folder=None):
    done = subprocess.run([APPLYGUARD, "scan", *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(environment or {})}, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def lines_of(output):
    *lines, last = [json.loads(line) for line in output.splitlines()]
    return lines, last["summary"]


def found(lines):
    return {(line["kind"], line["namespace"], line["name"], finding["rule"]) for line in lines for finding in line["findings"]}


def story(name):
    return json.loads((OBJECTS / name / "objects.json").read_text())["items"]


def secret(number, leaks=False):
    """A Secret; one in which kubectl apply left the data."""
    name = f"secret-{number:05}"
    made = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": f"team-{number % 7}", "annotations": {}, "managedFields": [
        {"manager": "kustomize-controller", "operation": "Apply", "apiVersion": "v1", "time": "2026-01-11T08:00:00Z", "fieldsType": "FieldsV1",
         "fieldsV1": {"f:data": {"f:password": {}}}}]}, "data": {"password": base64.b64encode(b"hunter2-never-shown").decode()}}
    if leaks:
        configuration = {"apiVersion": "v1", "kind": "Secret", "metadata": {"annotations": {}, "name": name, "namespace": f"team-{number % 7}"},
                         "stringData": {"password": "hunter2-never-shown"}}
        made["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] = json.dumps(configuration)
    return made


class FromFiles(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def test_the_same_objects_give_the_same_lines_in_each_form(self):
        items = story("next-conflict") + story("last-applied-secret") + story("applyset")
        (self.folder / "list.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        (self.folder / "many").mkdir()
        (self.folder / "many/all.yaml").write_text("\n---\n".join(json.dumps(item, indent=1) for item in items))
        _, wanted, _ = scan("-o", "json", "-f", self.folder / "list.json")
        self.assertEqual(len(lines_of(wanted)[0]), 6)
        self.assertEqual(scan("-o", "json", "-f", self.folder / "many")[1], wanted)
        self.assertEqual(scan("-o", "json", "-f", "-", stdin=(self.folder / "list.json").read_text())[1], wanted)
        (self.folder / "list.json.gz").write_bytes(gzip.compress((self.folder / "list.json").read_bytes()))
        self.assertEqual(scan("-o", "json", "-f", self.folder / "list.json.gz")[1], wanted)
        for mode, name in (("w", "backup.tar"), ("w:gz", "backup.tar.gz")):
            with tarfile.open(self.folder / name, mode, format=tarfile.GNU_FORMAT if mode == "w" else tarfile.PAX_FORMAT) as backup:
                for number, item in enumerate(items):
                    text = json.dumps(item).encode()
                    long = "x" * (120 if number == 0 else 0)
                    for path in (f"resources/{item['kind'].lower()}/namespaces/shop/{number}{long}.json",
                                 f"resources/{item['kind'].lower()}/v1-preferredversion/namespaces/shop/{number}{long}.json",
                                 f"metadata/{number}"):
                        member = tarfile.TarInfo(path)
                        member.size = len(text)
                        backup.addfile(member, io.BytesIO(text))
            self.assertEqual(scan("-o", "json", "-f", self.folder / name)[1], wanted, name)

    def test_a_broken_archive_is_an_error_and_the_rest_is_read(self):
        (self.folder / "a.tar").write_bytes(b"x" * 2000)
        (self.folder / "b.tar.gz").write_bytes(gzip.compress(random.Random(1).randbytes(3000))[:1000])
        (self.folder / "list.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": story("next-conflict")}))
        code, output, errors = scan("-o", "json", "-f", self.folder / "a.tar", "-f", self.folder / "b.tar.gz", "-f", self.folder / "list.json",
                                    "-f", self.folder / "absent")
        self.assertEqual((code, len(lines_of(output)[0])), (2, 1))
        for name in ("a.tar", "b.tar.gz", "absent"):
            self.assertIn(name, errors)

    def test_an_object_has_one_line_with_what_others_show_about_it(self):
        items = story("autoscaled-replicas")
        items[1]["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"].pop("f:strategy")
        _, output, _ = scan("-o", "json", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        [line] = lines_of(output)[0]
        self.assertEqual([finding["rule"] for finding in line["findings"]], ["explicit-strategy", "autoscaled-replicas"])

    def test_values_of_secrets_are_never_shown(self):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [secret(1, leaks=True), secret(2)]})
        for form in ("text", "json", "html", "metrics"):
            code, output, errors = scan("-o", form, "--all", "-f", "-", stdin=text)
            self.assertEqual((code, errors), (0, ""))
            self.assertNotIn("hunter2", output)
            self.assertNotIn(base64.b64encode(b"hunter2-never-shown").decode(), output)

    def test_dropped_managed_fields_are_not_the_absence_of_owners(self):
        with_owners, without = secret(1), secret(2)
        del without["metadata"]["managedFields"]
        both = json.dumps({"apiVersion": "v1", "kind": "List", "items": [with_owners, without]})
        alone = json.dumps({"apiVersion": "v1", "kind": "List", "items": [without]})
        for text, dropped, unowned in ((both, 0, 1), (alone, 1, 0)):
            summary = lines_of(scan("-o", "json", "-f", "-", stdin=text)[1])[1]
            self.assertEqual((summary["withoutManagedFields"], summary["unowned"]), (dropped, unowned))
        self.assertIn("1 object comes without managedFields, which the client left out: use kubectl get --show-managed-fields",
                      scan("-f", "-", stdin=alone)[1])

    def test_an_object_of_a_name_alone_lacks_no_owner(self):
        """The API server keeps no managedFields for it, as for the ServiceAccount default of each namespace."""
        bare = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {
            "name": "default", "namespace": "shop", "uid": "4b7a3c1e-1111-4222-8333-444455550006", "resourceVersion": "9",
            "creationTimestamp": "2026-01-10T08:00:00Z"}}
        labelled = {**bare, "metadata": {**bare["metadata"], "labels": {"app": "web"}}}
        for item, unowned in ((bare, 0), (labelled, 1), ({**bare, "imagePullSecrets": []}, 1)):
            text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [secret(1), item]})
            summary = lines_of(scan("-o", "json", "-f", "-", stdin=text)[1])[1]
            self.assertEqual((summary["withoutManagedFields"], summary["unowned"]), (0, unowned), item)

    def test_what_to_do_first(self):
        """The worst of each rule, with whole names, and with the command on a line of its own."""
        items = story("next-conflict") + story("last-applied-secret") + story("orphaned-fields")
        name = "kube-prometheus-stack-grafana-dashboards-of-the-platform-team"
        items[0]["metadata"]["name"] = name
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        part = scan("-f", "-", stdin=text)[1].partition("Do these first\n")[2].partition("\n\n")[0].splitlines()
        self.assertEqual([line[-25:].partition("[")[2] for line in part if line[2].isdigit()], [
            "last-applied-secret]", "next-conflict]", "last-applied-invalid]", "undone-change]", "orphaned-fields]"])
        self.assertEqual(part[2:4], [
            f"  2. Deployment shop/{name}: kubectl edit holds nginx's image, so the next helm upgrade fails with a conflict; hand it over "
            "[next-conflict]",
            f"     applyguard migrate deployment.apps/{name} -n shop --from kubectl-edit --to helm -o command"])
        self.assertIn("     applyguard migrate deployment.apps/worker -n shop --from kubectl-label --to helm -o command", part)
        page = scan("-o", "html", "-f", "-", stdin=text)[1].partition("<h2>Do these first</h2>")[2].partition("</ol>")[0]
        self.assertEqual(page.count("<li>"), 5)
        self.assertIn(f"<br><code>applyguard migrate deployment.apps/{name} -n shop --from kubectl-edit --to helm -o command</code></li>", page)

    def test_exit_status(self):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": story("next-conflict")})
        self.assertEqual([scan("--fail-on", action, "-f", "-", stdin=text)[0] for action in ("deny", "warn", "audit")], [0, 1, 1])
        self.assertEqual(scan("-f", "-", stdin=text + "{")[0], 2)
        for wrong in (("-n", "shop", "-f", "x"), ("-A", "-n", "shop"), ("--shard", "5/4"), ("x",)):
            self.assertEqual(scan(*wrong)[0], 2, wrong)

    def test_a_report_in_a_directory(self):
        """Whole files, also over those of an earlier scan; findings do not change the exit status."""
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": story("next-conflict")})
        for _ in range(2):
            code, output, errors = scan("--report-dir", self.folder, "--fail-on", "warn", "-f", "-", stdin=text)
            self.assertEqual((code, errors), (0, ""))
            self.assertEqual({path.name for path in self.folder.iterdir()}, {"report.txt", "summary.json", "metrics.prom"})
            self.assertEqual((self.folder / "report.txt").read_text(), output)
            self.assertEqual(json.loads((self.folder / "summary.json").read_text())["summary"]["objects"], 1)
            self.assertIn("applyguard_scan_objects 1\n", (self.folder / "metrics.prom").read_text())
        code, output, errors = scan("--report-dir", self.folder / "absent", "-f", "-", stdin=text)
        self.assertEqual(code, 2)
        self.assertIn("absent/report.txt.new: No such file or directory", errors)

    def test_shards_find_what_one_run_finds(self):
        items = [secret(number, leaks=number % 3 == 0) for number in range(60)]
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        whole, parts = scan("-o", "json", "-f", "-", stdin=text)[1], []
        for number in range(1, 4):
            lines, summary = lines_of(scan("-o", "json", "--shard", f"{number}/3", "-f", "-", stdin=text)[1])
            parts.append((lines, summary["objects"]))
        self.assertEqual(found(line for part in parts for line in part[0]), found(lines_of(whole)[0]))
        self.assertEqual(sum(part[1] for part in parts), 60)

    def test_merged_shards_are_one_scan(self):
        items = [secret(number, leaks=number % 3 == 0) for number in range(40)] + story("next-conflict")
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        whole = scan("-o", "json", "-f", "-", stdin=text)[1]
        files = []
        for number in range(1, 4):
            file = self.folder / f"{number}.json"
            file.write_text(scan("-o", "json", "--shard", f"{number}/3", "-f", "-", stdin=text)[1])
            files += ["-f", file]
        code, output, errors = scan("--merge", "-o", "json", *files)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(lines_of(output)[1], lines_of(whole)[1])
        key = lambda line: json.dumps(line, sort_keys=True)
        self.assertEqual(sorted(lines_of(output)[0], key=key), sorted(lines_of(whole)[0], key=key))
        self.assertEqual(scan("--merge", "--fail-on", "warn", *files)[0], 1)
        self.assertIn("Do these first", scan("--merge", *files)[1])
        (self.folder / "1.json").write_text("{}\n")
        for flag in ("--shard=1/2", "--diff=x", "--policy=x", "--expect=x", "--report-dir=x"):
            self.assertEqual(scan("--merge", flag, *files)[0], 2)
        code, _, errors = scan("--merge", *files)
        self.assertEqual(code, 2)
        self.assertIn("1.json:1", errors)
        self.assertIn("its shard did not end", errors)

    def test_what_has_changed_since_an_earlier_scan(self):
        items = [secret(number, leaks=number < 3) for number in range(4)] + story("next-conflict")
        old = self.folder / "old.json"
        old.write_text(scan("-o", "json", "-f", "-", stdin="\n".join(map(json.dumps, items)))[1])
        self.assertEqual(scan("--diff", old, "--fail-on", "audit", "-f", "-", stdin="\n".join(map(json.dumps, items))),
                         (0, "0 better, 0 worse, 0 new\n", ""))
        items[0] = secret(0)                       # mended
        items[3] = secret(3, leaks=True)           # new
        items[4]["metadata"]["labels"] = {"by": "hand"}  # worse: it had another finding
        items[4]["metadata"]["managedFields"].append({
            "manager": "kubectl-label", "operation": "Update", "apiVersion": "apps/v1", "time": "2026-12-01T08:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:labels": {"f:by": {}}}}})
        text = "\n".join(map(json.dumps, items))
        code, output, errors = scan("--diff", old, "--fail-on", "warn", "-f", "-", stdin=text)
        self.assertEqual((code, errors), (1, ""))
        words = [line.split()[0] for line in output.splitlines()]
        self.assertEqual(words, ["new", "worse", "better", "1"])
        self.assertIn("better  Secret team-0/secret-00000 [last-applied-secret]\n1 better, 1 worse, 1 new\n", output)
        _, output, _ = scan("--diff", old, "-o", "json", "-f", "-", stdin=text)
        lines = [json.loads(line) for line in output.splitlines()]
        self.assertEqual(lines[-1], {"diff": {"better": 1, "worse": 1, "new": 1}})
        self.assertEqual([line["name"] for line in lines[:-1]], ["secret-00003", "web"])
        whole = scan("-o", "json", "-f", "-", stdin=text)[1]
        for content, said in (("no JSON\n", "1: error: it is not a line"), (json.dumps(items[0]) + "\n", "1: error: it is not a line"),
                              ("", "it has no line with the sums"), ("".join(whole.splitlines(True)[:-1]), "it has no line with the sums")):
            old.write_text(content)
            code, output, errors = scan("--diff", old, "-f", "-", stdin=text)
            self.assertEqual((code, output), (2, ""))
            self.assertIn(said, errors)

    def test_answers_that_hold_no_objects(self):
        """Protects who reads what kubectl printed: a refusal is not a cluster without findings."""
        for answer in ({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403},
                       {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": []},
                       {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "items": [
                           {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "a"}}]}):
            code, output, errors = scan("-o", "json", "-f", "-", stdin=json.dumps(answer))
            self.assertEqual((code, output), (2, ""), answer)
            self.assertIn("an answer such as a Status or a Table", errors)

    def test_expected_owners(self):
        file = self.folder / "expect.yaml"
        text = "\n".join(map(json.dumps, story("next-conflict") + story("orphaned-fields")))
        head = "apiVersion: applyguard.io/v1\nkind: Ownership\nexpect:\n"
        file.write_text(head + "- {fields: ['.spec.template.spec.containers[*].image', .metadata.labels.team], managers: ['helm*', kustomize-controller], kinds: [Deployment.apps]}\n")
        code, output, errors = scan("-o", "json", "--expect", file, "-f", "-", stdin=text)
        self.assertEqual((code, errors), (1, ""))
        told = {finding["message"] for line in lines_of(output)[0] for finding in line["findings"] if finding["rule"] == "manager-scope"}
        self.assertEqual(told, {
            "Deployment shop/web: kubectl edit owns nginx's image, which helm* or kustomize-controller should own",
            "Deployment shop/worker: kubectl label owns label team, which helm* or kustomize-controller should own",
            "Deployment shop/absorbed: kubectl label owns label team, which helm* or kustomize-controller should own"})
        file.write_text(head + "- {fields: [.spec.replicas], managers: [helm, kustomize-controller]}\n"
                        "- {fields: [.metadata.labels], managers: ['*']}\n- {fields: [.metadata], managers: [x], namespaces: [other]}\n")
        self.assertEqual(scan("--expect", file, "-f", "-", stdin=text)[0], 0)
        file.write_text(head + "- {fields: [spec], managrs: [x]}\n")
        code, output, errors = scan("--expect", file, "-f", "-", stdin=text)
        self.assertEqual((code, output), (2, ""))
        self.assertIn(f"{file}:4:", errors)

    def test_the_page(self):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [secret(1, leaks=True), *story("next-conflict"), *story("orphaned-fields"), {
            "apiVersion": "v1", "kind": "<script>", "metadata": {"name": "<b>", "managedFields": [{
                "manager": "<i>&\"", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:a": {}}}]}}]})
        code, output, errors = scan("-o", "html", "-f", "-", stdin=text)
        self.assertEqual((code, errors), (0, ""))
        self.assertTrue(output.startswith("<!DOCTYPE html>"))
        for part in ("default-src 'none'", "Who owns what", "Budget", "next-conflict", "&lt;i&gt;&amp;&quot;", "&lt;script&gt;"):
            self.assertIn(part, output)
        self.assertEqual(output.count("<script>"), 1)
        self.assertNotIn("hunter2", output)

    def test_each_object_that_is_not_ready(self):
        """The command is the one that moves the fields; what another tool still applies is not given away."""
        client_side = story("next-conflict")[0]
        client_side["metadata"]["name"] = "client-side"
        client_side["metadata"]["managedFields"] = [entry for entry in client_side["metadata"]["managedFields"] if entry["manager"] == "helm"]
        both = copy.deepcopy(client_side)
        client_side["metadata"]["managedFields"][0].update(manager="kubectl-client-side-apply", operation="Update")
        both["metadata"]["name"] = "both"
        both["metadata"]["managedFields"].append({**copy.deepcopy(both["metadata"]["managedFields"][0]), "manager": "kubectl-client-side-apply",
                                                  "operation": "Update"})
        odd = copy.deepcopy(client_side)
        odd["metadata"]["name"] = "it's"
        items = [client_side, both, odd, *story("multiple-appliers-named")[:1], *story("orphaned-fields")]
        text = "\n".join(map(json.dumps, items))
        code, output, errors = scan("--all", "-f", "-", stdin=text)
        self.assertEqual((code, errors), (0, ""))
        namespace = client_side["metadata"]["namespace"]
        for line in (f"migrate  Deployment.apps {namespace}/client-side: applyguard migrate deployment.apps/client-side -n {namespace} --to kubectl -o command",
                     f"migrate  Deployment.apps {namespace}/both: applyguard migrate deployment.apps/both -n {namespace} --to helm -o command",
                     f"migrate  Deployment.apps {namespace}/it's: its name needs quotes; see applyguard migrate --help",
                     "migrate  Deployment.apps shop/flux-and-helm: several tools apply it; first decide which one does",
                     "stuck    Deployment.apps shop/worker: .metadata.labels.team"):
            self.assertIn("\n  " + line, output)
        self.assertNotIn("both", scan("-f", "-", stdin=text)[1].split("Server-side apply")[1].split("Budget")[0])
        page = scan("-o", "html", "-f", "-", stdin=text)[1]
        self.assertIn(f"<code>applyguard migrate deployment.apps/both -n {namespace} --to helm -o command</code>", page)
        self.assertIn("<td>stuck</td><td><code>.metadata.labels.team</code></td>", page)
        client_side["metadata"]["resourceVersion"] = "1"
        done = subprocess.run([APPLYGUARD, "migrate", "-f", "-", "--to", "kubectl"], input=json.dumps(client_side), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"manager":"kubectl","operation":"Apply"', done.stdout.replace(" ", ""))

    def test_a_policy_to_start_with(self):
        """`policy check` takes it, also with its proposals, and nothing that is stored is denied under it."""
        entry = lambda manager, **more: {"manager": manager, "operation": "Update", "apiVersion": "v1", "time": "2026-01-11T08:00:00Z",
                                         "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}}, **more}
        unknown = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"map-{number}", "namespace": "shop", "managedFields": entries},
                    "data": {"a": "b"}}
                   for number, entries in enumerate([[entry("tuner-manager")], [entry("tuner-manager", subresource="status")],
                                                     [entry('a"\n: \u202e\x1b')]])]
        for leaks, profile in ((False, "strict"), (True, "baseline")):
            text = "\n".join(map(json.dumps, [secret(1, leaks=leaks), *unknown]))
            code, policy, errors = scan("--suggest", "-f", "-", stdin=text)
            self.assertEqual((code, errors), (0, ""))
            self.assertIn(f"\nprofile: {profile}\n", policy)
            self.assertEqual("# strict would deny: last-applied-secret 1\n" in policy, leaks)
            self.assertIn('# - {name: "tuner-manager", operation: Update, class: controller} # writes status or scale of some objects; '
                          "owns 2 fields of 2 objects, last write 2026-01-11\n", policy)
            self.assertIn("class: adhoc} # a guess; owns 1 field of 1 object", policy)
            self.assertNotRegex(policy, r"[\x1b\u202e]")
            file = self.folder / "suggested.yaml"
            for content in (policy, policy.replace("# managers:", "managers:").replace("# - {name", "- {name")):
                file.write_text(content)
                checked = subprocess.run([APPLYGUARD, "policy", "check", file], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
                self.assertEqual(scan("--policy", file, "--fail-on", "deny", "-f", "-", stdin=text)[0], 0)
        for wrong in (("--policy", file), ("--diff", file), ("-o", "json"), ("--merge",), ("--shard", "1/2"), ("--expect", file)):
            code, output, errors = scan("--suggest", *wrong, "-f", "-", stdin=text)
            self.assertEqual((code, output), (2, ""), wrong)
            self.assertIn("--suggest", errors)

    def test_overlapping_selectors(self):
        def workload(kind, name, selector, labels, namespace="shop", **metadata):
            return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": namespace, **metadata},
                    "spec": {"selector": selector, "template": {"metadata": {"labels": labels}, "spec": {}}}}

        web, owned = {"matchLabels": {"app": "web"}}, [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "1", "controller": True}]
        expressions = lambda *items: {"matchExpressions": list(items)}
        overlapping = [
            workload("Deployment", "web", web, {"app": "web"}),
            workload("StatefulSet", "canary", {"matchLabels": {"app": "web", "track": "canary"}}, {"app": "web", "track": "canary"}),
            workload("DaemonSet", "left", expressions({"key": "app", "operator": "In", "values": ["agent"]}), {"app": "agent"}),
            workload("ReplicaSet", "right", {"matchLabels": {"app": "agent"}}, {"app": "agent"}),
        ]
        silent = [
            workload("Deployment", "elsewhere", web, {"app": "web"}, namespace="other"),
            workload("ReplicaSet", "web-1", web, {"app": "web"}, ownerReferences=owned),
            workload("Deployment", "going", web, {"app": "web"}, deletionTimestamp="2026-01-01T00:00:00Z"),
            workload("Deployment", "several", expressions({"key": "app", "operator": "In", "values": ["agent", "x"]}), {"app": "x"}),
            workload("Deployment", "not-in", {**web, **expressions({"key": "track", "operator": "NotIn", "values": ["canary"]})}, {"app": "y"}),
            workload("Deployment", "all", {}, {"app": "z"}), workload("Deployment", "broken", {"matchLabels": []}, {"app": 1}),
            {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "namespace": "shop"}, "spec": {"selector": {"app": "web"}}},
        ]
        text = "\n".join(map(json.dumps, overlapping + silent + overlapping[:1]))
        code, output, errors = scan("-f", "-", stdin=text)
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("\nOverlapping selectors\n  Deployment shop/web selects the pods of StatefulSet shop/canary\n"
                      "  DaemonSet shop/left and ReplicaSet shop/right select each other's pods\n\n", output)
        summary = lines_of(scan("-o", "json", "-f", "-", stdin=text)[1])[1]
        self.assertEqual([(row["name"], row["otherName"], row["mutual"]) for row in summary["overlappingSelectors"]],
                         [("web", "canary", False), ("left", "right", True)])
        self.assertIn("<li>Deployment shop/web selects the pods of StatefulSet shop/canary</li>", scan("-o", "html", "-f", "-", stdin=text)[1])
        self.assertNotIn("Overlapping", scan("-f", "-", stdin="\n".join(map(json.dumps, silent)))[1])
        shards = [self.folder / f"{number}.json" for number in (1, 2)]
        shards[0].write_text(scan("-o", "json", "-f", "-", stdin=text)[1])
        shards[1].write_text(scan("-o", "json", "-f", "-", stdin=json.dumps(silent[0]))[1])
        self.assertIn("DaemonSet shop/left and ReplicaSet", scan("--merge", "-f", shards[0], "-f", shards[1])[1])

    def test_many_workloads_with_one_label_end(self):
        """Half of the workloads have one label of each selector, and half the other: no pair matches, and none is compared with all."""
        make = lambda number, labels: {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"w{number}", "namespace": "shop"}, "spec": {
            "selector": {"matchLabels": {"a": "1", "b": "1"}}, "template": {"metadata": {"labels": labels}}}}
        text = "\n".join(json.dumps(make(number, {"ab"[number % 2]: "1"})) for number in range(20000))
        self.assertEqual(lines_of(scan("-o", "json", "-f", "-", stdin=text)[1])[1]["overlappingSelectors"], [])

    def test_the_largest_objects_of_each_kind(self):
        sizes = {"a": 100, "b": 4000, "c": 2000, "d": 3000, "e": 50}
        items = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "shop"}, "data": {"x": "y" * size}}
                 for name, size in sizes.items()] + [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n" * 400}}]
        text = "\n".join(map(json.dumps, items))
        _, output, _ = scan("--all", "-f", "-", stdin=text)
        self.assertIn("\n  largest ConfigMap: shop/b 4.0 KiB, shop/d 3.0 KiB, shop/c 2.0 KiB\n", output)
        self.assertIn("\n  largest Namespace: " + "n" * 253 + " 461 bytes\n", output)
        self.assertNotIn("largest ConfigMap", scan("-f", "-", stdin=text)[1])
        page = scan("-o", "html", "-f", "-", stdin=text)[1]
        self.assertRegex(page, r"<td>shop/b \d+<br>shop/d \d+<br>shop/c \d+</td>")
        self.assertIn("Server-side apply would free the last-applied annotations: 0 bytes.", page)

    def test_hostile_objects_end(self):
        deep = "[" * 3000 + "]" * 3000
        name = "\\u001b[31mevil\\n"
        texts = [
            '{"apiVersion":"v1","kind":"List","items":[' + deep + "]}",
            '{"apiVersion":"v1","kind":"X\\u001b","metadata":{"name":"' + name + '","managedFields":[{"manager":"\\u001b[2J","operation":"Apply",'
            '"apiVersion":"v1","fieldsType":"FieldsV1","time":"\\u001b\\u001b\\u001b\\u001b","fieldsV1":{"f:a":{},"k:{}":{},"x":{}}}]}}',
            '{"apiVersion":"v1","kind":"X","metadata":{"name":"a","managedFields":{},"annotations":[]}}',
            '{"apiVersion":"v1","kind":"HorizontalPodAutoscaler","spec":{"scaleTargetRef":[]}}',
            '{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a"},"spec":{"scaleTargetRef":{"name":{}}}}',
        ]
        for text in texts:
            for form in ("text", "json", "html", "metrics"):
                code, output, errors = scan("--all", "-o", form, "-f", "-", stdin=text)
                self.assertIn(code, (0, 2))
                self.assertNotIn("\x1b", output + errors)


def release(manifest, number=1, status="deployed", packed=None, **more):
    """A revision of the release `web` in the namespace `shop`, as Helm stores it."""
    content = json.dumps({"name": "web", "namespace": "shop", "version": number, "manifest": manifest, **more}).encode()
    data = base64.b64encode(gzip.compress(content)) if packed is None else packed
    return {"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": {
        "name": f"sh.helm.release.v1.web.v{number}", "namespace": "shop",
        "labels": {"owner": "helm", "name": "web", "status": status, "version": str(number)}, "managedFields": [
            {"manager": "helm", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:release": {}}}}]},
        "data": {"release": base64.b64encode(data).decode()}}


class Releases(unittest.TestCase):
    """Protects who upgrades a release: the manifest says what will conflict, and what is silent."""
    NAMES = {"ConfigMap", "Deployment.apps"}

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def fields(self, items, *arguments):
        code, output, errors = scan("-o", "json", *arguments, "-f", "-", stdin="\n".join(map(json.dumps, items)))
        self.assertEqual((code, errors), (0, ""))
        self.assertNotIn("never-shown", output)
        lines, summary = lines_of(output)
        return {field for line in lines if line["kind"] in self.NAMES for finding in line["findings"]
                if finding["rule"] in ("next-conflict", "undone-change") for field in finding["fields"]}, summary

    def settings(self, **data):
        [item] = [item for item in story("next-conflict-release") if item["kind"] == "ConfigMap"]
        item["data"].update(data)
        return item

    def manifest(self, **data):
        return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": data})

    def test_the_order_of_objects_does_not_matter(self):
        items = story("next-conflict-release")
        wanted = {".data.color", ".spec.minReadySeconds", ".spec.replicas", '.spec.template.spec.containers[name="nginx"].image'}
        for turn in range(len(items)):
            found_fields, summary = self.fields(items[turn:] + items[:turn])
            self.assertEqual((found_fields, summary["objects"], summary["unreadReleases"]), (wanted, 4, 0))

    def test_the_newest_deployed_revision_counts(self):
        blue, red = self.manifest(color="blue"), self.manifest(color="red")
        for revisions, wanted in (([release(blue, 9), release(red, 10)], set()), ([release(red, 10), release(blue, 9)], set()),
                                  ([release(red, 1), release(blue, 2)], {".data.color"}),
                                  ([release(blue, 1), release(red, 2, "failed"), release(red, 3, "pending-upgrade")], {".data.color"})):
            self.assertEqual(self.fields([*revisions, self.settings()])[0], wanted)

    def test_a_release_in_a_config_map(self):
        stored = release(self.manifest(color="blue"))
        stored.update(kind="ConfigMap", data={"release": base64.b64decode(stored["data"]["release"]).decode()})
        del stored["type"]
        self.assertEqual(self.fields([stored, self.settings()])[0], {".data.color"})

    def test_another_release_or_another_object(self):
        other = self.settings()
        other["metadata"]["annotations"]["meta.helm.sh/release-name"] = "other"
        self.assertEqual(self.fields([release(self.manifest(color="blue")), other])[0], set())
        for change in ({"kind": "Widget"}, {"metadata": {"name": "web", "namespace": "elsewhere"}}, {"metadata": {"name": "api"}}):
            manifest = json.dumps({**json.loads(self.manifest(color="blue")), **change})
            self.assertEqual(self.fields([release(manifest), self.settings()])[0], set())

    def test_what_is_stored_otherwise_is_counted(self):
        bomb = base64.b64encode(gzip.compress(b'{"manifest":"' + b" " * (33 << 20) + b'"}'))
        whole = gzip.compress(json.dumps({"manifest": self.manifest(color="never-shown")}).encode())
        for packed in (bomb, b"never-shown", base64.b64encode(b"never-shown"), base64.b64encode(whole[:-12]), base64.b64encode(gzip.compress(b"[]")),
                       base64.b64encode(gzip.compress(b'{"manifest":{}}')), b""):
            items = [release("", packed=packed), self.settings(color="never-shown")]
            fields, summary = self.fields(items)
            self.assertEqual((fields, summary["objects"], summary["unreadReleases"]), (set(), 2, 1), packed[:20])
            self.assertIn("\n  1 Helm release, or object of one, is not compared: damaged, or too large\n",
                          scan("-f", "-", stdin="\n".join(map(json.dumps, items)))[1])

    def test_a_manifest_that_repeats_an_object_is_compared_once(self):
        """Protects from a release that takes hours: 200,000 documents for one large object of an unknown kind."""
        made = self.settings()
        made.update(apiVersion="example.com/v1", kind="Widget", data={f"key-{number}": "x" * 100 for number in range(4000)})
        for entry in made["metadata"]["managedFields"]:
            entry["apiVersion"] = "example.com/v1"
        manifest = "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web}\n" * 200000
        _, summary = self.fields([release(manifest), made])
        self.assertEqual(summary["objects"], 2)

    def test_values_of_manifests_are_never_shown(self):
        items = [release(self.manifest(color="never-shown")), self.settings(color="never-shown-either")]
        self.assertEqual(self.fields(items, "--all")[0], {".data.color"})
        for form in ("text", "html", "metrics"):
            self.assertNotIn("never-shown", scan("--all", "-o", form, "-f", "-", stdin="\n".join(map(json.dumps, items)))[1])

    def test_from_the_cluster(self):
        """Items of lists name no kind; without the right to list Secrets, only the object itself counts."""
        items = story("next-conflict-release")
        cluster = Cluster(self.folder)
        for kind, plural, version in (("ConfigMap", "configmaps", "v1"), ("Secret", "secrets", "v1"), ("Deployment", "deployments", "apps/v1")):
            cluster.add(version, kind, plural, [item for item in items if item["kind"] == kind])
        cluster.write()
        lines, summary = lines_of(scan("-o", "json", environment=cluster.environment)[1])
        self.assertEqual({(line["kind"], finding["rule"]) for line in lines for finding in line["findings"]}, {
            ("ConfigMap", "next-conflict"), ("ConfigMap", "orphaned-fields"), ("Deployment.apps", "next-conflict")})
        self.assertEqual(summary["objects"], 4)
        cluster.set("secrets", forbidden=True).write()
        lines, _ = lines_of(scan("-o", "json", environment=cluster.environment)[1])
        self.assertEqual({(line["kind"], finding["rule"]) for line in lines for finding in line["findings"] if finding["rule"] == "next-conflict"},
                         {("Deployment.apps", "next-conflict")})


def planted(count, seed):
    """Objects of an orderly cluster, in some of which a fault is planted: the faults as (kind, namespace, name, rule)."""
    chance, objects, faults = random.Random(seed), [], set()
    base = story("next-conflict")[0]
    for entry in base["metadata"]["managedFields"]:
        if entry["manager"] == "helm":
            entry["fieldsV1"]["f:spec"]["f:strategy"] = {"f:type": {}}
    orderly = copy.deepcopy(base)
    orderly["metadata"]["managedFields"] = [entry for entry in orderly["metadata"]["managedFields"] if entry["manager"] != "kubectl-edit"]
    for entry in orderly["metadata"]["managedFields"]:
        if entry["manager"] == "helm":
            entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:containers"]['k:{"name":"nginx"}']["f:image"] = {}
    for number in range(count):
        fault = chance.choice(["next-conflict", "last-applied-secret", "orphaned-fields"]) if chance.random() < .03 else None
        is_secret = fault == "last-applied-secret" or (fault is None and number % 2)
        if is_secret:
            made = secret(number, leaks=fault is not None)
        else:
            made = copy.deepcopy(base if fault == "next-conflict" else orderly)
            made["metadata"].update(name=f"web-{number:05}", namespace=f"team-{number % 7}")
            if fault == "orphaned-fields":
                made["metadata"]["labels"] = {"by": "hand"}
                made["metadata"]["managedFields"].append({
                    "manager": "kubectl-label", "operation": "Update", "apiVersion": "apps/v1", "time": "2026-12-01T08:00:00Z",
                    "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:labels": {"f:by": {}}}}})
        objects.append(made)
        if fault:
            kind = "Secret" if is_secret else "Deployment.apps"
            faults.add((kind, made["metadata"]["namespace"], made["metadata"]["name"], fault))
    return objects, faults


class Planted(unittest.TestCase):
    def test_every_planted_fault_is_found_and_none_is_invented(self):
        for seed in range(3):
            objects, faults = planted(600, seed)
            _, output, errors = scan("-o", "json", "-f", "-", stdin="\n".join(map(json.dumps, objects)))
            self.assertEqual((found(lines_of(output)[0]), errors), (faults, ""), f"seed {seed}")
            self.assertGreater(len(faults), 5)


class FromTheCluster(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def cluster(self, **options):
        return Cluster(self.folder, **options).add("v1", "Secret", "secrets", [secret(number, number % 100 == 0) for number in range(1203)])

    def scan(self, cluster, *arguments):
        return scan("-o", "json", *arguments, environment=cluster.environment)

    def test_reports(self):
        """One report a namespace, of failures alone; an older one without failures is deleted, and others are let alone."""
        label = {"app.kubernetes.io/managed-by": "applyguard-scan"}
        old = [{"metadata": {"name": "applyguard-scan", "namespace": space, "labels": label}} for space in ("team-1", "gone")]
        old.append({"metadata": {"name": "other", "namespace": "gone", "labels": label}})
        leaks = [secret(7 * number + 1, leaks=True) for number in range(510)] + [secret(2), secret(3, leaks=True)]
        for group, kind, plural in (("openreports.io/v1alpha1", "Report", "reports"), ("wgpolicyk8s.io/v1alpha2", "PolicyReport", "policyreports")):
            with self.subTest(group):
                self.setUp()
                cluster = Cluster(self.folder).add("v1", "Secret", "secrets", leaks).add(group, kind, plural, old, verbs=("get",)).write()
                strict = self.folder / "strict.yaml"
                strict.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
                code, output, errors = scan("-o", "policyreport", "--write", "--policy", strict, environment=cluster.environment)
                self.assertEqual((code, output, errors), (1, f"{kind} of {group}: 2 written, 1 deleted\n", ""))
                (words, made), (deleted, _) = cluster.commands()
                # A file without a name: nothing is left of it if the scan is interrupted.
                self.assertEqual(words, ["apply", "--server-side", "--field-manager=applyguard-scan", "-f", "/dev/fd/3"])
                self.assertEqual(deleted, ["delete", f"{plural}.{group.split('/')[0]}", "applyguard-scan", "--ignore-not-found", "--namespace=gone"])
                first, second = made["items"]
                self.assertEqual((first["apiVersion"], first["kind"], first["metadata"]),
                                 (group, kind, {"name": "applyguard-scan", "namespace": "team-1", "labels": label}))
                self.assertEqual((first["summary"], len(first["results"])), ({"pass": 0, "fail": 510, "warn": 0, "error": 0, "skip": 0}, 500))
                self.assertEqual(second["metadata"]["namespace"], "team-3")
                result = second["results"][0]
                self.assertEqual((result["policy"], result["result"], result["resources"]), ("last-applied-secret", "fail", [
                    {"apiVersion": "v1", "kind": "Secret", "namespace": "team-3", "name": "secret-00003"}]))
                self.assertNotIn("hunter2", json.dumps(made))
                for how, words in (("", "not you"), ("1.3", "not you"), ("silently", "kubectl failed with exit status 3")):  # after 1.3 seconds
                    (self.folder / "refuse").write_text(how)
                    code, output, errors = scan("-o", "policyreport", "--write", environment=cluster.environment)
                    self.assertEqual((code, output), (2, ""))
                    self.assertIn(words, errors)

    def test_reports_that_are_not_written(self):
        cluster = self.cluster().write()
        code, output, errors = scan("-o", "policyreport", "--write", environment=cluster.environment)
        self.assertEqual((code, output), (2, ""))
        self.assertIn("the cluster serves neither openreports.io/v1alpha1 nor wgpolicyk8s.io/v1alpha2", errors)
        for wrong, words in (((), "--write"), (("--write", "--kinds", "secrets"), "--kinds"), (("--write", "-f", "x"), "-f")):
            code, _, errors = scan("-o", "policyreport", *wrong, environment=cluster.environment)
            self.assertEqual(code, 2)
            self.assertIn(words, errors)
        self.assertEqual(scan("--write", environment=cluster.environment)[0], 2)
        cluster = self.cluster().add("openreports.io/v1alpha1", "Report", "reports").add("v1", "ConfigMap", "configmaps").set("configmaps", broken=True).write()
        code, _, errors = scan("-o", "policyreport", "--write", environment=cluster.environment)
        self.assertEqual((code, cluster.commands()), (2, []))
        self.assertIn("no report is written", errors)

    @staticmethod
    def limits(cluster, plural):
        """The sizes of the pages that were asked for."""
        return [int(re.search(r"limit=(\d+)", path).group(1)) for _, path in cluster.asked() if f"/{plural}?" in path]

    def test_pages_of_large_objects_are_small(self):
        """Helm keeps a release of up to 1 MiB in a Secret: pages of 500 would take hundreds of MiB."""
        items = [{"metadata": {"name": f"sh.helm.release.v1.{number}", "namespace": "shop"}, "data": {"release": "x" * 300_000}}
                 for number in range(90)]
        cluster = Cluster(self.folder).add("v1", "Secret", "secrets", items).write()
        code, output, errors = self.scan(cluster)
        self.assertEqual((code, errors, lines_of(output)[1]["objects"]), (0, "", 90))
        self.assertEqual(self.limits(cluster, "secrets"), [50, 27, 27])

    def test_pages(self):
        cluster = self.cluster().write()
        code, output, errors = self.scan(cluster)
        lines, summary = lines_of(output)
        self.assertEqual((code, errors, summary["objects"], len(lines)), (0, "", 1203, 13))
        self.assertEqual(self.limits(cluster, "secrets"), [50, 500, 500, 500])
        self.assertEqual(lines[0]["name"], "secret-00000")

    def test_shards_list_only_what_is_theirs(self):
        """Four shards find what one run finds, with about as many requests: each large kind is listed in the shard's namespaces."""
        large = [secret(number, number % 100 == 0) for number in range(3503)]
        spaces = [{"metadata": {"name": name, "managedFields": []}} for name in ["shop", *(f"team-{number}" for number in range(7))]]
        cluster = Cluster(self.folder).add("v1", "Namespace", "namespaces", spaces, namespaced=False).add("v1", "Secret", "secrets", large)
        cluster.add("apps/v1", "Deployment", "deployments", story("next-conflict-shared"))
        for number in range(8):
            cluster.add(f"g{number}.example.com/v1", f"K{number}", f"k{number}s", [{"metadata": {"name": "a", "managedFields": []}}], namespaced=False)
        cluster.write()
        code, whole, errors = self.scan(cluster)
        self.assertEqual((code, errors), (0, ""))
        lists = lambda: [path for _, path in cluster.asked() if "limit=" in path]
        once = len(lists())
        for namespaces in (True, False):
            cluster.set("namespaces", forbidden=not namespaces).write()
            files, asked = [], []
            for number in range(4):
                file = self.folder / f"{number}.json"
                code, output, errors = self.scan(cluster, "--shard", f"{number}/4")
                self.assertEqual((code, errors), (0, ""))
                file.write_text(output)
                files += ["-f", file]
                asked.append(len(lists()))
                cluster.write()
            lines, summary = lines_of(scan("--merge", "-o", "json", *files)[1])
            wanted_lines, wanted = lines_of(whole)
            if not namespaces:
                self.assertEqual((summary["objects"], summary["forbidden"]), (wanted["objects"] - len(spaces), ["Namespace"]))
                continue
            self.assertEqual(summary, wanted)
            self.assertEqual(sorted(map(json.dumps, lines)), sorted(map(json.dumps, wanted_lines)))
            self.assertLess(sum(asked), once * 2)
            self.assertLess(max(asked), once)

    def test_a_shard_with_some_namespaces_lists_all_objects(self):
        """If the list of namespaces ends early, a shard does not take the first ones for all of them."""
        objects = [secret(number, False) for number in range(3500)]
        for number, item in enumerate(objects):
            item["metadata"]["namespace"] = f"team-{number % 700:03}"
        spaces = [{"metadata": {"name": f"team-{number:03}", "managedFields": []}} for number in range(700)]
        cluster = Cluster(self.folder).add("v1", "Namespace", "namespaces", spaces, namespaced=False).add("v1", "Secret", "secrets", objects)
        counts = []
        for ends in (False, True):
            cluster.set("namespaces", ends=ends).write()
            code, output, errors = self.scan(cluster, "--shard", "0/100", "--kinds", "secrets", "--rate", "1000")
            self.assertEqual((code, errors), (0, ""))
            counts.append(lines_of(output)[1]["objects"])
        self.assertGreater(counts[0], 0)
        self.assertEqual(counts[1], counts[0])

    def test_rate_and_lists(self):
        cluster = self.cluster().write()
        for arguments in (("--rate", "1000"), ("--lists", "1"), ("--rate=1", "--lists=16", "--kinds", "secrets", "-n", "team-1")):
            code, output, errors = self.scan(cluster, *arguments)
            self.assertEqual((code, errors, lines_of(output)[1]["objects"]), (0, "", 172 if "-n" in arguments else 1203))
        for wrong, words in ((("--rate", "0"), "is not a number from 1 to 1000"), (("--rate", "1001"), "is not a number from 1 to 1000"),
                             (("--lists", "17"), "is not a number from 1 to 16"), (("--lists", "x"), "is not a number from 1 to 16")):
            code, _, errors = self.scan(cluster, *wrong)
            self.assertEqual(code, 2)
            self.assertIn(words, errors)

    def test_expired_tokens_are_renewed(self):
        cluster = self.cluster().set("secrets", expires=True).write()
        code, output, errors = self.scan(cluster)
        self.assertEqual((code, errors, lines_of(output)[1]["objects"]), (0, "", 1203))

    def test_a_busy_server_is_asked_again(self):
        cluster = self.cluster().set("secrets", busy=2).write()
        code, output, errors = self.scan(cluster)
        self.assertEqual((code, errors, lines_of(output)[1]["objects"]), (0, "", 1203))

    def test_forbidden_kinds_are_named_once_at_the_end(self):
        cluster = self.cluster().set("secrets", forbidden=True).add("apps/v1", "Deployment", "deployments", story("next-conflict")).write()
        code, output, errors = self.scan(cluster)
        lines, summary = lines_of(output)
        self.assertEqual((code, errors, summary["forbidden"], found(lines)),
                         (0, "", ["Secret"], {("Deployment.apps", "shop", "web", "next-conflict"), ("Deployment.apps", "shop", "web", "explicit-strategy")}))
        self.assertIn("  you may not list: Secret\n", scan(environment=cluster.environment)[1])

    def test_the_order_is_that_of_the_kinds(self):
        cluster = self.cluster()
        for number in range(9):
            cluster.add(f"g{number}.example.com/v1", f"K{number}", f"k{number}s", [
                {"metadata": {"name": f"a{index}", "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "x"}, "managedFields": [
                    {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:a": {}}}]}}
                for index in range(3)])
        cluster.write()
        outputs = {self.scan(cluster)[1] for _ in range(3)}
        self.assertEqual(len(outputs), 1)
        kinds = [line["kind"] for line in lines_of(outputs.pop())[0]]
        self.assertEqual(kinds, ["Secret"] * 13 + [f"K{number}.g{number}.example.com" for number in range(9) for _ in range(3)])

    def test_what_is_selected(self):
        cluster = self.cluster().add("apps/v1", "Deployment", "deployments", story("next-conflict"), short=["deploy"])
        cluster.add("v1", "Namespace", "namespaces", [{"metadata": {"name": "a", "managedFields": []}}], namespaced=False)
        cluster.add("v1", "Event", "events", [{"metadata": {"name": "a"}}]).add("v1", "Binding", "bindings", verbs=["create"]).write()
        for arguments, wanted in (((), {"secrets", "deployments", "namespaces"}), (("-n", "team-1"), {"secrets", "deployments"}),
                                  (("--kinds", "deploy"), {"deployments"}), (("--kinds", "Deployment.apps,secret"), {"deployments", "secrets"}),
                                  (("--kinds", "events"), {"events"})):
            cluster.write()
            code, output, errors = self.scan(cluster, *arguments)
            self.assertEqual((code, errors), (0, ""), arguments)
            listed = {path.split("?")[0].rsplit("/", 1)[1] for _, path in cluster.asked() if "limit=" in path}
            self.assertEqual(listed, wanted, arguments)
        self.assertTrue(all("/namespaces/team-1/" in path for _, path in cluster.asked() if "limit=" in path) is False)
        code, _, errors = self.scan(cluster, "--kinds", "widgets")
        self.assertEqual((code, errors), (2, "widgets: error: the cluster has no such kind that can be listed\n"))

    def test_several_contexts(self):
        cluster = self.cluster(contexts=("a", "b")).write()
        code, output, errors = self.scan(cluster, "--context", "a", "--context", "b")
        lines, summary = lines_of(output)
        self.assertEqual((code, errors, summary["objects"]), (0, "", 2406))
        self.assertEqual([line["context"] for line in lines], ["a"] * 13 + ["b"] * 13)
        self.assertEqual({context for context, _ in cluster.asked()}, {"a", "b"})

    def test_a_member_without_a_parent_is_certain_only_in_a_whole_cluster(self):
        members = [item for item in story("applyset") if item["metadata"]["name"] == "orphan"]
        cluster = Cluster(self.folder).add("v1", "ConfigMap", "configmaps", members).add("v1", "Secret", "secrets").write()
        self.assertEqual(found(lines_of(self.scan(cluster)[1])[0]), {("ConfigMap", "shop", "orphan", "applyset")})
        self.assertEqual(lines_of(self.scan(cluster, "-n", "shop")[1])[0], [])
        self.assertIn("0 field managers\nNo object was found: compare the namespace and the kinds with those of kubectl get.\n", self.scan(cluster, "-n", "misspelt", "-o", "text")[1])
        cluster.set("secrets", forbidden=True).write()
        self.assertEqual(lines_of(self.scan(cluster)[1])[0], [])

    def test_versions_that_are_not_served(self):
        old = secret(1)
        old["metadata"]["managedFields"][0]["apiVersion"] = "v1alpha9"
        cluster = Cluster(self.folder).add("v1", "Secret", "secrets", [old, secret(2)]).write()
        self.assertEqual(lines_of(self.scan(cluster)[1])[1]["oldVersions"], {"v1alpha9": 1})
        self.assertIn("managedFields in versions that the cluster no longer serves, and drops at the next write: v1alpha9 (1 entry)\n",
                      scan(environment=cluster.environment)[1])

    def test_what_cannot_be_read_is_said_and_the_rest_is_done(self):
        cluster = self.cluster().set("secrets", broken=True).add("apps/v1", "Deployment", "deployments", story("next-conflict")).write()
        code, output, errors = self.scan(cluster)
        self.assertEqual((code, errors, lines_of(output)[1]["objects"]), (2, "secrets: error: the answer is not a list\n", 1))
        code, output, errors = scan("-o", "json", environment={"PATH": str(self.folder / "nothing")})
        self.assertEqual(code, 2)
        self.assertIn("kubectl is not in PATH", errors)


if __name__ == "__main__":
    APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
    unittest.main()
