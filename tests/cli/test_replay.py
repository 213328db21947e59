#!/usr/bin/env python3
"""`applyguard replay`: a policy against audit logs, in every form in which people get them.

    tests/cli/test_replay.py APPLYGUARD
"""
import datetime
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
RECORDED = pathlib.Path(__file__).resolve().parents[1] / "replays"
sys.path.append(str(RECORDED))

import forms
import recount

EVENTS = [json.loads(line) for line in (RECORDED / "audit.log").read_text().splitlines()]
REVIEWS = [json.loads(line) for line in (RECORDED / "reviews.jsonl").read_text().splitlines()]
LENIENT = "apiVersion: applyguard.io/v1\nkind: Policy\nmode: enforce\nprofile: audit\n"
STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"


def deployment(version, image="nginx:1", *, replicas=1, generation=1, uid="u-1", managers=("helm",), **metadata):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {
        "name": "web", "namespace": "shop", "uid": uid, "resourceVersion": str(version), "generation": generation,
        "managedFields": [{
            "manager": manager, "operation": "Update", "apiVersion": "apps/v1", "time": "2026-11-23T10:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}, "f:paused": {}}}} for manager in managers], **metadata},
        "spec": {"replicas": replicas, "template": {"spec": {"containers": [{"name": "web", "image": image}]}}}}


def event(second, verb, response, *, code=200, user="jane", manager="helm", query="", request=None, name="web", subresource=None,
          resource="deployments", group="apps", level="RequestResponse", **more):
    return {
        "kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": level, "auditID": f"id-{second}", "stage": "ResponseComplete",
        "requestURI": f"/apis/{group}/v1/namespaces/shop/{resource}/{name}?fieldManager={manager}{query}", "verb": verb,
        "user": {"username": user, "groups": ["devs"]}, "userAgent": "helm/v3",
        "objectRef": {"resource": resource, "namespace": "shop", "name": name, "apiGroup": group, "apiVersion": "v1",
                      **({"subresource": subresource} if subresource else {}), **more.pop("reference", {})},
        "responseStatus": {"code": code}, **({"requestObject": request} if request else {}),
        **({"responseObject": response} if response else {}),
        "requestReceivedTimestamp": f"2026-11-23T10:00:{second:02d}.000000Z",
        "stageTimestamp": f"2026-11-23T10:00:{second:02d}.500000Z", **more}


class Replay(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.directory.name) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_replay(self, *arguments, input=None):
        done = subprocess.run([APPLYGUARD, "replay", *arguments], capture_output=True, input=input, cwd=self.directory.name, timeout=60)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def replay(self, content, *arguments, status=0, errors=""):
        """The lines by audit ID, and the summary."""
        self.file("audit.log", content if isinstance(content, (bytes, str)) else forms.lines(content))
        found, output, said = self.run_replay("audit.log", "-o", "json", *arguments)
        self.assertEqual((found, said), (status, errors))
        *lines, last = map(json.loads, output.splitlines())
        return {line["auditID"]: line for line in lines}, last["summary"]

    def unjudged(self, events, number=-1):
        lines, _ = self.replay(events)
        return lines.get(events[number]["auditID"], {}).get("unjudged")


class Verdicts(Replay):
    def truth(self):
        """The findings of the reviews that the API server sent, by audit ID."""
        file = self.file("reviews.json", "".join(json.dumps(each["review"]) + "\n" for each in REVIEWS))
        done = subprocess.run([APPLYGUARD, "review", "-o", "json", file], capture_output=True, cwd=self.directory.name)
        verdicts = map(json.loads, done.stdout.splitlines())
        return {each["auditID"]: verdict["findings"] for each, verdict in zip(REVIEWS, verdicts, strict=True)}

    def check(self, content, *, least=0):
        """Each write has the verdict of its review, or a reason."""
        truth = self.truth()
        lines, summary = self.replay(content)
        compared = 0
        for identity, findings in truth.items():
            line = lines.get(identity, {})
            if "unjudged" in line:
                continue
            self.assertEqual(line.get("findings", []), findings, identity)
            compared += 1
        self.assertGreaterEqual(compared, least)
        self.assertEqual(sum(summary["judged"].values()), summary["writes"])
        return summary

    def test_as_the_webhook_would(self):
        """Protects who decides by it what to enforce: the verdicts are those on the true reviews."""
        summary = self.check(EVENTS, least=len(REVIEWS))
        self.assertEqual(summary["unjudged"], {})
        self.assertEqual(summary["judged"]["full"], summary["writes"])

    def test_of_google(self):
        """Protects the same if the log does not name the field manager: no verdict is a guess."""
        for text in (forms.google_sink(EVENTS), forms.google_read(EVENTS)):
            summary = self.check(text, least=len(REVIEWS) // 2)
            self.assertLessEqual(set(summary["unjudged"]), {"manager"})

    def test_more_managers_than_are_tried(self):
        """Protects the same: a write that any of very many managers may have made gets no verdict."""
        for count, expected in ((8, None), (40, ["manager"])):
            managers = [f"m-{number}" for number in range(count)]
            events = [event(1, "create", deployment(1, managers=managers), code=201),
                      event(2, "update", deployment(2, "nginx:2", generation=2, managers=managers))]
            lines, _ = self.replay(forms.google_sink(events))
            self.assertEqual(lines.get("id-2", {}).get("unjudged"), expected)

    def test_without_the_objects(self):
        """Protects who has a poor log: nothing is judged, and the facts are there."""
        for events, reason in ((forms.at_metadata(EVENTS), "level"), (forms.truncated(EVENTS), "truncated")):
            lines, summary = self.replay(events)
            self.assertEqual((summary["findings"], summary["would_deny"]), ({}, 0))
            self.assertEqual(set(summary["unjudged"]), {reason})
            self.assertEqual(summary["forced"], self.check(EVENTS)["forced"])
            self.assertEqual({line["tier"] for line in lines.values()}, {"metadata"})

    def test_without_owners(self):
        """Protects who logs with omitManagedFields: only the rules that need no owners judge."""
        lines, summary = self.replay(forms.without_owners(EVENTS))
        self.assertEqual(set(summary["unjudged"]), {"managed-fields"})
        self.assertLessEqual(set(summary["findings"]), {"last-applied-invalid", "last-applied-runtime-fields", "oversized-annotations"})
        self.assertEqual(summary["judged"], {"full": 0, "partial": summary["writes"], "metadata": 0})


class Forms(Replay):
    def test_each_form_tells_the_same(self):
        """Protects who has the log of a cloud: the bytes come from the API server's own log."""
        self.file("plain.log", forms.lines(EVENTS))
        _, expected, _ = self.run_replay("plain.log", "-o", "json")
        self.assertGreater(len(expected.splitlines()), 3)
        texts = {
            "lists": forms.event_lists(EVENTS), "subscription": forms.cloudwatch_subscription(EVENTS),
            "filter": forms.cloudwatch_filter(EVENTS), "hub": forms.azure_event_hub(EVENTS),
            "storage": forms.azure_storage(EVENTS)}
        for name, text in texts.items():
            for packing in (str.encode, forms.packed, forms.packed_with_zstd):
                content = packing(text)
                if content is None:
                    continue
                with self.subTest(form=name, packing=packing.__name__):
                    self.file("form.log", content)
                    self.assertEqual(self.run_replay("form.log", "-o", "json"), (0, expected, ""))
                    self.assertEqual(self.run_replay("-", "-o", "json", input=content), (0, expected, ""))

    def test_requests_that_end_in_another_order(self):
        """Protects who has a busy API server: it logs requests a little out of order, in each form."""
        self.file("plain.log", forms.lines(EVENTS))
        _, expected, _ = self.run_replay("plain.log", "-o", "json")
        swapped = [event for pair in zip(EVENTS[1::2], EVENTS[::2]) for event in pair] + EVENTS[len(EVENTS) // 2 * 2:]
        def array(events):
            return json.dumps(events, indent=1)
        def newest_first(events):
            return array(events[::-1])
        for make in (forms.lines, forms.event_lists, forms.cloudwatch_subscription, forms.cloudwatch_filter, forms.azure_event_hub,
                     forms.azure_storage, array, newest_first):
            with self.subTest(form=make.__name__):
                self.file("form.log", make(swapped))
                self.assertEqual(self.run_replay("form.log", "-o", "json"), (0, expected, ""))
        self.file("sink.log", forms.google_sink(EVENTS))
        self.file("read.log", forms.google_read(swapped))
        self.assertEqual(self.run_replay("read.log", "-o", "json"), self.run_replay("sink.log", "-o", "json"))

    def test_forms_of_other_tools(self):
        """Protects who has a log that another program has written anew: what is clear is read."""
        self.file("plain.log", forms.lines(EVENTS))
        _, expected, _ = self.run_replay("plain.log", "-o", "json")
        found = list(forms.cloudwatch_events(EVENTS))
        times = [event["stageTimestamp"] for event in EVENTS]
        documents = [json.loads(line) for line in forms.cloudwatch_subscription(EVENTS).splitlines()]
        texts = {
            "on lines": "\n".join(json.dumps(event, indent=2) for event in EVENTS),
            "without line ends": "".join(map(forms.compact, EVENTS)),
            "texts": json.dumps([each["message"] for each in found], indent=1),
            "a time in front": "".join(f"{time} {each['message']}\n" for time, each in zip(times, found)),
            "a time and a stream": "".join(f"{time[:-1]}+00:00 kube-apiserver-audit-1 {each['message']}\n" for time, each in zip(times, found)),
            "output of a container": "".join(f"{time} stdout F {each['message']}\n" for time, each in zip(times, found)),
            "kept by Docker": forms.lines({"log": each["message"] + "\n", "stream": "stdout", "time": time} for time, each in zip(times, found)),
            "other streams": "".join(f"{time} {each['message']}\n{time} I0101 klog\n" for time, each in zip(times, found)),
            "tokens": json.dumps({"nextForwardToken": "f", "nextBackwardToken": "b", "ResponseMetadata": {}, "events": found}, indent=1),
            "account level": "".join(forms.compact({"policyLevel": "ACCOUNT_LEVEL_POLICY", **each}) for each in documents),
            "documents in an array": json.dumps(documents),
            "AzureDiagnostics": json.dumps([{"TimeGenerated": time, "Category": "kube-audit", "log_s": each["message"]}
                                            for time, each in zip(times, found)]),
            "an event in place of its text": forms.lines(
                {**forms.azure_record(each), "properties": {"log": each}} for each in EVENTS)}
        rows = [{"@timestamp": time[:23].replace("T", " "), "@message": each["message"]} for time, each in zip(times, found)]
        cells = [[{"field": name, "value": value} for name, value in row.items()] for row in rows]
        for order, step in (("newest last", 1), ("newest first", -1)):
            texts[f"Logs Insights, {order}"] = json.dumps(
                {"queryLanguage": "CWLI", "results": cells[::step], "statistics": {"recordsMatched": 1.0}, "status": "Complete"}, indent=4)
            texts[f"Logs Insights of the console, {order}"] = json.dumps(rows[::step])
            texts[f"Logs Insights of the console with JSON, {order}"] = json.dumps(
                [{**row, "@message": each} for row, each in zip(rows, EVENTS)][::step])
        for name, text in texts.items():
            with self.subTest(form=name):
                self.file("form.log", text)
                self.assertEqual(self.run_replay("form.log", "-o", "json"), (0, expected, ""))
        message = found[0]["message"]
        cut = message[:message.index('responseObject') + 99] + forms.MARK
        cells[0][1]["value"] = cut
        for text in (f"{times[0]} {cut}\n", json.dumps({"results": cells[:1]})):
            self.file("cut.log", text)
            status, output, errors = self.run_replay("cut.log", "-o", "json")
            self.assertEqual((status, json.loads(output.splitlines()[0])["unjudged"], errors), (0, ["truncated"], ""))
            self.assertEqual(json.loads(output.splitlines()[0])["time"][:19], times[0][:19])

    def test_packed_parts(self):
        """Protects who has logs of other packers: zeros behind the last part, and frames that hold no data of the log."""
        text = forms.lines(EVENTS)
        self.file("plain.log", text)
        _, expected, _ = self.run_replay("plain.log", "-o", "json")
        skipped = b"\x50\x2a\x4d\x18\x04\0\0\0size"
        parts = [forms.packed(text[:5000]), forms.packed(text[5000:])]
        framed = [forms.packed_with_zstd(text[:5000]), forms.packed_with_zstd(text[5000:])]
        cases = {"zeros": parts[0] + parts[1] + bytes(700), "between": parts[0] + bytes(3) + parts[1]}
        if framed[0]:
            cases["skipped"] = skipped + framed[0] + skipped + framed[1] + skipped
        for name, content in cases.items():
            with self.subTest(name):
                self.file("packed", content)
                self.assertEqual(self.run_replay("packed", "-o", "json"), (0, expected, ""))

    def test_rotated_and_of_several_servers(self):
        """Protects who has many files: in any order, packed or not, the same one twice."""
        self.file("plain.log", forms.lines(EVENTS))
        _, expected, _ = self.run_replay("plain.log", "-o", "json")
        half = len(EVENTS) // 2
        self.file("a.log.gz", forms.packed(forms.lines(EVENTS[:half])))
        self.file("b.log", forms.lines(EVENTS[half:]))
        self.file("even.log", forms.lines(EVENTS[::2]))
        self.file("odd.log", forms.lines(EVENTS[1::2]))
        for files in (("b.log", "a.log.gz"), ("odd.log", "even.log"), ("plain.log", "plain.log", "b.log")):
            self.assertEqual(self.run_replay(*files, "-o", "json"), (0, expected, ""))

    def test_events_that_are_cut(self):
        """Protects from a wrong verdict behind an event that is cut: the write counts, and what it left is unknown."""
        whole, summary = self.replay(EVENTS)
        for text in (forms.cloudwatch_subscription(EVENTS, cut=2000), forms.azure_storage(EVENTS, cut=2000)):
            file = self.file("cut.log", text)
            status, output, errors = self.run_replay(file, "-o", "json")
            *lines, last = map(json.loads, output.splitlines())
            self.assertEqual((errors, last["summary"]["writes"]), ("", summary["writes"]))
            self.assertIn("truncated", last["summary"]["unjudged"])
            for line in lines:
                if "unjudged" not in line:
                    self.assertEqual(line.get("findings"), whole[line["auditID"]].get("findings"))


class Signs(Replay):
    """Signs that the object before differs from the one in the log."""

    FIRST = event(1, "create", deployment(1), code=201)

    def test_what_is_known(self):
        self.assertEqual(self.unjudged([self.FIRST]), None)
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", deployment(2, "nginx:2", generation=2))]), None)
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", deployment(1))]), None)
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", deployment(1, "nginx:9"), query="&dryRun=All")]), None)

    def test_first_seen(self):
        self.assertEqual(self.unjudged([event(2, "patch", deployment(2))]), ["first-seen"])
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", deployment(2, uid="u-2"))]), ["first-seen"])

    def test_an_apply_that_creates(self):
        self.assertEqual(self.unjudged([event(1, "patch", deployment(1), code=201, query="&force=true")]), None)

    def test_gaps(self):
        status = {"status": {"replicas": 1}}
        cases = {
            "expected version": event(2, "update", deployment(3), reference={"resourceVersion": "2"}),
            "version in the body": event(2, "update", deployment(3), request=deployment(2)),
            "version in a JSON patch": event(2, "patch", deployment(3), request=[
                {"op": "test", "path": "/metadata/resourceVersion", "value": "2"}]),
            "older answer": event(2, "patch", deployment(0)),
            "same version, another object": event(2, "patch", deployment(1, "nginx:2")),
            "generation": event(2, "patch", deployment(3, "nginx:2", generation=3)),
            "status": event(2, "patch", {**deployment(3, "nginx:2"), **status}),
            "deleted meanwhile": event(2, "patch", deployment(3, deletionTimestamp="2026-11-23T10:00:02Z")),
            "another owner": event(2, "patch", deployment(3, managers=("helm", "kubectl-edit"))),
            "not in the patch": event(2, "patch", deployment(3, labels={"a": "1"}), request={"metadata": {"labels": {"b": "1"}}}),
            "not in the JSON patch": event(2, "patch", deployment(3, labels={"a/b": "1", "c": "1"}), request=[
                {"op": "add", "path": "/metadata/labels/c", "value": "1"}]),
            "a value in a list": event(2, "patch", deployment(3, "nginx:2", replicas=2, generation=2), request={"spec": {"replicas": 2}}),
            "a new version of the same": event(2, "patch", deployment(3)),
        }
        for name, second in cases.items():
            with self.subTest(name):
                self.assertEqual(self.unjudged([self.FIRST, second]), ["gap"])

    def test_what_a_patch_explains(self):
        """Protects the share of requests that are judged: the patch names what changes, or it is a default."""
        labels = {"a/b": "1", "c": "1"}
        for request in ({"metadata": {"labels": labels}}, {"metadata": {"$patch": "replace"}},
                        [{"op": "add", "path": "/metadata/labels", "value": labels}],
                        [{"op": "add", "path": f"/metadata/labels/{name}", "value": "1"} for name in ("a~1b", "c")]):
            self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", deployment(3, labels=labels), request=request)]), None)
        changed = deployment(3, replicas=2, generation=2)
        changed["spec"]["strategy"] = {"type": "RollingUpdate"}
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", changed, request={"spec": {"replicas": 2}})]), None)
        secret = {**deployment(1), "apiVersion": "v1", "kind": "Secret", "data": {}}
        written = {**secret, "metadata": {**secret["metadata"], "resourceVersion": "2"}, "data": {"a": "Yg=="}}
        core = {"resource": "secrets", "group": ""}
        self.assertEqual(self.unjudged([event(1, "create", secret, code=201, **core), event(
            2, "patch", written, request={"stringData": {"a": "b"}}, **core)]), None)
        mutated = {"mutation.webhook.admission.k8s.io/round_0_index_0": '{"configuration":"c","webhook":"w","mutated":true}'}
        injected = event(2, "patch", deployment(3, labels=labels), request={"metadata": {}}, annotations=mutated)
        self.assertEqual(self.unjudged([self.FIRST, injected]), None)

    def test_owners_that_change_with_no_value(self):
        """Protects from a false finding: the API server moves a field to another manager only if its value changes."""
        def entry(manager, operation, *fields):
            return {"manager": manager, "operation": operation, "apiVersion": "apps/v1", "time": "2026-11-23T10:00:00Z",
                    "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {f"f:{field}": {} for field in fields}}}

        def left(version, *entries, **more):
            found = deployment(version, **more)
            found["metadata"]["managedFields"] = list(entries)
            return found
        first = event(1, "create", left(1, entry("helm", "Update", "replicas")), code=201)
        for name, entries in (("taken", [entry("kubectl-edit", "Update", "replicas")]),
                              ("had none", [entry("before-first-apply", "Update", "replicas"), entry("kubectl-edit", "Apply", "paused")])):
            with self.subTest(name):
                second = event(2, "patch", left(2, *entries, labels={"a": "1"}), manager="kubectl-edit",
                               request={"metadata": {"labels": {"a": "1"}}, "spec": {"replicas": 1, "paused": None}})
                self.assertEqual(self.unjudged([first, second]), ["gap"])
        second = event(2, "patch", left(2, entry("kubectl-edit", "Update", "replicas"), replicas=2, generation=2),
                       manager="kubectl-edit", request={"spec": {"replicas": 2}})
        self.assertEqual(self.unjudged([first, second]), None)

        # A server-side apply removes no field that another manager owns: that was a write between.
        first["responseObject"] = left(1, entry("helm", "Update", "replicas"), entry("kubectl-edit", "Update", "paused"))
        first["responseObject"]["spec"]["paused"] = True
        after = left(2, entry("helm", "Update", "replicas"), entry("flux", "Apply", "minReadySeconds"), generation=2)
        after["spec"]["minReadySeconds"] = 5
        for query, found in (("&force=true", ["gap"]), ("", None)):
            second = event(2, "patch", after, manager="flux", query=query, request={"spec": {"minReadySeconds": 5, "paused": None}})
            self.assertEqual(self.unjudged([first, second]), found)

    def test_owners_of_what_is_gone(self):
        """Protects the share of requests that are judged: who replaces an item of a list takes nothing of the former item."""
        def left(version, ports, *entries, api_version="apps/v1", **more):
            found = deployment(version, generation=version, **more)
            found["spec"]["ports"] = [{"port": port, "protocol": "TCP"} for port in ports]
            found["metadata"]["managedFields"] = [
                {"manager": manager, "operation": "Apply", "apiVersion": api_version, "time": "2026-11-23T10:00:00Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {
                     "f:metadata": {"f:finalizers": {f'v:"{name}"': {} for name in finalizers}},
                     "f:spec": {"f:ports": {f'k:{{"port":{port}}}': {".": {}, "f:port": {}, "f:protocol": {}} for port in owned}}}}
                for manager, owned, finalizers in entries]
            return found
        owner, finalizers = ("flux", [80], ["a/b"]), {"finalizers": ["a/b"]}
        first = event(1, "create", left(1, [80, 81], owner, **finalizers), code=201)
        request = {"metadata": {"finalizers": []}, "spec": {"ports": [{"port": 81}, {"port": 82}]}}
        for name, after, found in (
                ("a port", left(2, [81, 82], ("flux", [], ["a/b"]), ("helm", [82], []), **finalizers), None),
                ("a finalizer", left(2, [80, 81], ("flux", [80], []), ("helm", [], ["c/d"]), finalizers=["c/d"]), None),
                ("a port that is there", left(2, [80, 82], ("flux", [], ["a/b"]), ("helm", [82], []), **finalizers), ["gap"]),
                ("a finalizer that is there", left(2, [80, 82], ("flux", [80], []), ("helm", [82], []), **finalizers), ["gap"])):
            with self.subTest(name):
                self.assertEqual(self.unjudged([first, event(2, "patch", after, request=request)]), found)

        # Fields of another version of the API may have other names.
        first = event(1, "create", left(1, [80], owner, api_version="apps/v1beta1"), code=201)
        after = left(2, [80], ("flux", [], []), api_version="apps/v1beta1")
        after["metadata"]["managedFields"].append({**after["metadata"]["managedFields"][0], "manager": "helm", "apiVersion": "apps/v1"})
        self.assertEqual(self.unjudged([first, event(2, "patch", after, query="&force=true", request=request)]), None)

    def test_a_write_that_hides_the_one_before(self):
        """Protects from a wrong verdict: an update that expects no version shows nothing of a write that the log lacks."""
        def update(version):
            return event(3, "update", deployment(version, "nginx:2", generation=2), request=deployment(None, "nginx:2"))
        other = event(2, "patch", deployment(2, uid="u-2"), name="other", request={})
        gone = event(2, "delete", {"kind": "Status", "apiVersion": "v1", "metadata": {}}, name="other")
        self.assertEqual(self.unjudged([self.FIRST, update(2)]), None)
        self.assertEqual(self.unjudged([self.FIRST, update(3)]), ["gap"])
        self.assertEqual(self.unjudged([self.FIRST, other, update(3)]), None)
        self.assertEqual(self.unjudged([self.FIRST, gone, update(3)]), None)
        whole = [{"op": "add", "path": "/metadata/labels", "value": {"b": "1"}}]
        labelled = event(1, "create", deployment(1, labels={"a": "1"}), code=201)
        replaced = event(3, "patch", deployment(3, labels={"b": "1"}), request=whole)
        self.assertEqual(self.unjudged([labelled, replaced]), ["gap"])

    def test_the_same_manager_wrote_the_same_before(self):
        """Protects from a finding about a write that the log does not have: its entry is older than the request."""
        def written(second, version, at):
            found = deployment(version, replicas=2, generation=2)
            found["metadata"]["managedFields"][0]["time"] = f"2026-11-23T10:00:{at:02}Z"
            return event(second, "patch", found, request={"spec": {"replicas": 2}})
        self.assertEqual(self.unjudged([self.FIRST, written(4, 2, 2)]), ["gap"])
        self.assertEqual(self.unjudged([self.FIRST, written(4, 2, 4)]), None)

    def test_a_dry_run_shows_what_no_write_does(self):
        tried = event(2, "patch", deployment(5, "nginx:9"), query="&dryRun=All")
        self.assertEqual(self.unjudged([self.FIRST, tried, event(3, "patch", deployment(6, "nginx:2", generation=2))]), ["gap"])

    def test_a_version_that_is_expected_proves_it(self):
        """Protects the share of requests that are judged: the API server would have refused another version."""
        second = event(2, "update", {**deployment(3, generation=2), "status": {}}, reference={"resourceVersion": "1"})
        self.assertEqual(self.unjudged([self.FIRST, second]), None)

    def test_behind_a_write_without_its_object(self):
        for between in (
                event(2, "patch", None, level="Metadata"), event(2, "patch", None, annotations={"audit.k8s.io/truncated": "true"}),
                event(2, "patch", {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"uid": "u-1"}})):
            self.assertEqual(self.unjudged([self.FIRST, between, event(3, "patch", deployment(3))]), ["gap"])
        gone = event(2, "delete", {"kind": "Status", "apiVersion": "v1", "metadata": {}})
        self.assertEqual(self.unjudged([self.FIRST, gone, event(3, "patch", deployment(3))]), ["first-seen"])
        waits = event(2, "delete", deployment(2, deletionTimestamp="2026-11-23T10:00:02Z"))
        third = event(3, "patch", deployment(3, "nginx:2", generation=2, deletionTimestamp="2026-11-23T10:00:02Z"))
        self.assertEqual(self.unjudged([self.FIRST, waits, third]), None)

    def test_refused_and_dry_runs_leave_nothing(self):
        refused = event(2, "patch", {"kind": "Status", "apiVersion": "v1", "metadata": {}, "code": 403}, code=403)
        tried = event(3, "patch", deployment(1, "nginx:9", managers=("helm",)), query="&dryRun=All")
        third = event(4, "patch", deployment(2, "nginx:2", generation=2))
        lines, summary = self.replay([self.FIRST, refused, tried, third])
        self.assertEqual((summary["unjudged"], summary["refused"], summary["dry_runs"]), ({}, {"403": 1}, 1))
        self.assertEqual((summary["writes"], summary["judged"]["full"]), (3, 3))

    def test_another_version_of_the_api(self):
        second = event(2, "patch", {**deployment(2, generation=2), "apiVersion": "apps/v1beta2"})
        self.assertEqual(self.unjudged([self.FIRST, second]), ["version"])

    def test_a_status_is_the_object_before(self):
        second = event(2, "update", {**deployment(2), "status": {"replicas": 1}}, subresource="status")
        third = event(3, "patch", {**deployment(3, "nginx:2", generation=2), "status": {"replicas": 1}})
        self.assertEqual(self.unjudged([self.FIRST, second, third]), None)

    def test_a_read_shows_what_no_write_does(self):
        read = event(1, "get", deployment(5))
        self.assertEqual(self.unjudged([read, event(2, "patch", deployment(6, "nginx:2", generation=2))]), None)
        # The write that made it may come behind the read.
        self.assertEqual(self.unjudged([read, event(2, "patch", deployment(5))]), ["gap"])

    def overlapping(self, second, response, *, ended, request=None, verb="patch", **more):
        """A request that begins in one second and ends in another."""
        return event(second, verb, response, request=request, stageTimestamp=f"2026-11-23T10:00:{ended:02d}.500000Z", **more)

    def test_writes_that_end_in_another_order(self):
        """Protects the share of writes that are judged: a controller may have reacted to a write before the write ends."""
        def owned(by):
            return {"manager": by, "operation": "Apply" if by == "flux" else "Update", "apiVersion": "apps/v1",
                    "time": "2026-11-23T10:00:01Z" if by == "flux" else "2026-11-23T10:00:02Z", "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:spec": {"f:replicas": {}}}}

        made = deployment(2, replicas=2, generation=2, managedFields=[owned("kubectl-patch")])
        first = {**self.FIRST, "responseObject": deployment(1, managedFields=[owned("flux")])}
        status = self.overlapping(3, {**made, "metadata": {**made["metadata"], "resourceVersion": "3"}, "status": {"replicas": 2}},
                                  ended=4, verb="update", subresource="status", user="controller", manager="controller")
        late = self.overlapping(2, made, ended=5, request={"spec": {"replicas": 2}}, manager="kubectl-patch")
        alone, _ = self.replay([first, late])
        self.assertEqual([finding["rule"] for finding in alone["id-2"]["findings"]], ["ownership-conflict"])
        found, _ = self.replay([first, status, late])
        self.assertEqual(found["id-2"], alone["id-2"])
        # Each of two such writes is compared with the one before it.
        second = self.overlapping(1, deployment(3, replicas=3, generation=3), ended=6, request={"spec": {"replicas": 3}},
                                  auditID="id-second")
        status["responseObject"] = {**deployment(4, replicas=3, generation=3), "status": {"replicas": 3}}
        late["responseObject"] = deployment(2, replicas=2, generation=2)
        self.assertEqual(self.unjudged([self.FIRST, status, late, second]), None)
        self.assertEqual(self.unjudged([self.FIRST, status, second]), ["gap"])

    def test_a_scale_that_ends_later(self):
        """Protects the share of writes that are judged: behind a scale the object is known if a later write has shown it."""
        scale = {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {
            "name": "web", "namespace": "shop", "uid": "u-1", "resourceVersion": "2"}, "spec": {"replicas": 2}}
        late = self.overlapping(2, scale, ended=5, subresource="scale", manager="kubectl-scale", user="joe")
        scaled = deployment(3, replicas=2, generation=2)
        status = self.overlapping(3, {**scaled, "status": {"replicas": 2}}, ended=4, verb="update", subresource="status")
        after = event(6, "patch", {**deployment(4, "nginx:2", replicas=2, generation=3), "status": {"replicas": 2}})
        lines, _ = self.replay([self.FIRST, status, late, after])
        self.assertEqual(([each["rule"] for each in lines["id-2"]["findings"]], "id-6" in lines), (["ownership-conflict"], False))
        self.assertEqual(self.unjudged([self.FIRST, late, after]), ["scale"])

    def test_reads_and_dry_runs_while_a_write_ends(self):
        """Protects the same: another request may show the object of a write first."""
        made = deployment(2, replicas=2, generation=2)
        late = self.overlapping(2, made, ended=5, request={"spec": {"replicas": 2}})
        self.assertEqual(self.unjudged([self.FIRST, event(3, "get", made), late]), None)
        dry = self.overlapping(1, deployment(1, "nginx:9"), ended=6, query="&dryRun=All")
        self.assertEqual(self.unjudged([self.FIRST, late, dry]), None)

    def test_an_older_answer_that_does_not_overlap(self):
        """Protects from a wrong verdict: nothing shows why an older object comes after a later one."""
        status = event(3, "update", deployment(3, replicas=2, generation=2), subresource="status")
        self.assertEqual(self.unjudged([self.FIRST, status, event(4, "patch", deployment(2, replicas=2, generation=2))]), ["gap"])

    def test_scales(self):
        def scale(replicas, version):
            return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {
                "name": "web", "namespace": "shop", "uid": "u-1", "resourceVersion": str(version)}, "spec": {"replicas": replicas}}
        second = event(2, "patch", scale(3, 2), subresource="scale", manager="kubectl-scale", user="joe")
        self.assertEqual(self.unjudged([second]), ["scale"])
        lines, _ = self.replay([self.FIRST, second])
        [finding] = lines["id-2"]["findings"]
        self.assertEqual((finding["rule"], finding["fields"], lines["id-2"]["kind"]),
                         ("ownership-conflict", [".spec.replicas"], "Deployment.apps"))
        third = event(3, "patch", deployment(3, replicas=3, generation=3))
        self.assertEqual(self.unjudged([self.FIRST, second, third]), ["scale"])
        self.assertEqual(self.unjudged([self.FIRST, second, event(3, "patch", scale(4, 3), subresource="scale")]), ["scale"])
        # A write whose object is missing, too: the log does not show why.
        self.assertEqual(self.unjudged([self.FIRST, event(2, "patch", None, level="Metadata"), second, third]), ["gap"])

    def test_what_the_chart_does_not_send(self):
        """Protects from findings that no webhook would have had."""
        for more in ({"user": "system:apiserver"}, {"resource": "leases", "group": "coordination.k8s.io"},
                     {"subresource": "status"}):
            lines, summary = self.replay([self.FIRST, event(2, "patch", deployment(9, "nginx:2"), **more)])
            self.assertNotIn("id-2", lines)
            self.assertEqual(summary["judged"], {"full": 1, "partial": 0, "metadata": 1})

    def test_forgotten(self):
        """Protects the machine: with more objects than fit, the oldest are forgotten, and the summary says so."""
        filler = "x" * 1000000
        many = [event(2, "create", {**deployment(1, uid=f"u{i}"), "metadata": {
            **deployment(1)["metadata"], "name": f"n{i}", "uid": f"u{i}", "labels": {"a": filler}}}, code=201, name=f"n{i}")
            for i in range(80)]
        lines, summary = self.replay(
            [self.FIRST, *many, event(3, "patch", deployment(2, "nginx:2", generation=2))], "--memory", "128Mi")
        self.assertEqual(summary["unjudged"], {"forgotten": 1})


class IndexPatch(Replay):
    def containers(self, version, *names, **more):
        found = deployment(version, **more)
        found["spec"]["template"]["spec"]["containers"] = [{"name": name, "image": "i:1"} for name in names]
        return found

    def story(self, patch, *, reads=(), name="proxy", left=(), **more):
        """jane has written, somebody puts a container in front of hers, and she patches the first."""
        first = event(1, "create", self.containers(1, "web"), code=201)
        other = event(3, "update", self.containers(2, name, "web", generation=2), user="joe", reference={"resourceVersion": "1"})
        after = self.containers(3, *(left or (name, "web")), generation=3, **more)
        after["spec"]["template"]["spec"]["containers"][0]["image"] = "i:2"
        third = event(6, "patch", after, request=patch)
        lines, summary = self.replay([first, *reads, other, third])
        found = [each for each in lines.get("id-6", {}).get("findings", []) if each["rule"] == "index-patch"]
        self.assertEqual(summary["findings"].get("index-patch"), {"warn": 1} if found else None)
        return found

    PATH = "/spec/template/spec/containers/0"
    PATCH = [{"op": "replace", "path": f"{PATH}/image", "value": "i:2"}]

    def test_another_item_than_the_writer_saw(self):
        """Protects who patches by place: the image went to the container that somebody put in front."""
        [finding] = self.story(self.PATCH)
        self.assertEqual((finding["fields"], finding["policyAction"]), ([self.PATH], "warn"))
        self.assertIn('where the writer saw "web" and now "proxy" is', finding["message"])
        self.assertTrue(self.story([{"op": "remove", "path": self.PATH}], left=("web",)))

    def test_silence(self):
        """Protects from a false warning: of patches that test, of writers that have read, and of the same item."""
        replicas = {"op": "replace", "path": "/spec/replicas", "value": 2}
        self.assertEqual(self.story([replicas, {**self.PATCH[0], "path": "/spec/template/spec/containers/1/image"}], replicas=2), [])
        for patch in ([{"op": "test", "path": f"{self.PATH}/name", "value": "web"}, *self.PATCH],
                      [{"op": "test", "path": "/metadata/resourceVersion", "value": "2"}, *self.PATCH],
                      [{"op": "add", "path": self.PATH, "value": {}}],
                      {"spec": {"template": {"spec": {"containers": [{"name": "proxy", "image": "i:2"}]}}}}):
            self.assertEqual(self.story(patch), [], patch)
        self.assertEqual(self.story(self.PATCH, name="web"), [])
        self.assertEqual(self.story(self.PATCH, reads=[event(4, "get", None, level="Metadata")]), [])


class Selection(Replay):
    def test_times_namespaces_and_kinds(self):
        first, second = EVENTS[0]["requestReceivedTimestamp"], EVENTS[4]["requestReceivedTimestamp"]
        _, everything = self.replay(EVENTS)
        lines, before = self.replay(EVENTS, "--until", second)
        later, after = self.replay(EVENTS, "--since", second)
        self.assertEqual(before["writes"] + after["writes"], everything["writes"])
        self.assertEqual((before["first"], after["first"], after["unjudged"]), (first, second, {}))
        self.assertEqual(self.replay(EVENTS, "-n", "sh*", "--kind", "configmap")[1]["writes"], everything["writes"])
        self.assertEqual(self.replay(EVENTS, "-n", "other")[1]["writes"], 0)
        self.assertEqual(self.replay(EVENTS, "--kind", "Deployment.apps")[1]["writes"], 0)
        for kind in ("cm", "CM", "configmaps"):
            self.assertEqual(self.replay(EVENTS, "--kind", kind)[1]["writes"], everything["writes"])
            self.assertEqual(self.replay(forms.at_metadata(EVENTS), "--kind", kind)[1]["writes"], everything["writes"])

    def test_forms_of_a_time(self):
        """Protects --since: a time in a zone, with a fraction or as a duration selects what it says."""
        now = datetime.datetime.now(datetime.timezone.utc)
        events = []
        for number, minutes in enumerate((300, 90, 30)):
            time = (now - datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            events.append({**event(number + 1, "patch", None, level="Metadata"), "requestReceivedTimestamp": time,
                           "stageTimestamp": time})
        hour_ago = now - datetime.timedelta(hours=1)
        in_a_zone = hour_ago.astimezone(datetime.timezone(datetime.timedelta(hours=-9, minutes=-30)))
        for since, writes in (("2h", 2), ("1h30m30s", 2), ("60m", 1), ("1s", 0), (f"{hour_ago:%Y-%m-%dT%H:%M:%SZ}", 1),
                              (in_a_zone.isoformat(timespec="seconds"), 1), (in_a_zone.isoformat(), 1),
                              (f"{now:%Y-%m-%d}T00:00:00+14:00", 3), ("1999-12-31", 3), ("1d", 3), ("0d", 0)):
            self.assertEqual(self.replay(events, "--since", since)[1]["writes"], writes, since)
        for wrong in ("2026-13-01", "2026-01-31T25:00:00Z", "2026-01-31T08:00:00+2:00", "2026-01-31T08:00", "-2h", "2h ago", "Z", "d", "-1d", "1d12h",
                      "99999999h", "2026-01-31T08:00:00+99:00", "2026-01-31T08:00:00.Z"):
            status, _, errors = self.run_replay(f"--since={wrong}", "x")
            self.assertEqual(status, 2)
            self.assertIn(f"--since {wrong} is no time such as", errors)

    def test_kinds_that_the_log_does_not_show(self):
        """Protects who has a log without objects: a kind selects its resource, too."""
        for kind, group, resource in (("ConfigMap", "", "configmaps"), ("Ingress", "networking.k8s.io", "ingresses"),
                                      ("NetworkPolicy", "networking.k8s.io", "networkpolicies"), ("Deployment", "apps", "deployments"),
                                      ("Gateway", "gateway.networking.k8s.io", "gateways")):
            log = [event(1, "patch", None, level="Metadata", resource=resource, group=group)]
            names = (kind, kind.lower(), *([f"{kind}.{group}"] if group else []))
            for name in names:
                self.assertEqual(self.replay(log, "--kind", name)[1]["writes"], 1, name)
            for name in ("Service", f"{kind}.example.com", kind[:-1]):
                self.assertEqual(self.replay(log, "--kind", name)[1]["writes"], 0, name)

    def test_two_policies(self):
        strict, lenient = self.file("strict.yaml", STRICT), self.file("lenient.yaml", LENIENT)
        lines, summary = self.replay(EVENTS, "--policy", lenient, "--compare", strict)
        _, alone = self.replay(EVENTS, "--policy", strict, status=1)
        self.assertEqual(summary["compare"]["newly_denied"], alone["would_deny"])
        self.assertEqual(summary["compare"]["newly_warned"], alone["would_warn"])
        self.assertEqual(summary["compare"]["no_longer_denied"], 0)
        self.assertTrue(lines)
        self.assertTrue(all("compare" in line for line in lines.values()))
        self.assertEqual(self.replay(EVENTS, "--policy", strict, "--compare", strict, status=1)[0], {})
        status, output, _ = self.run_replay("audit.log", "--policy", lenient, "--compare", strict)
        self.assertRegex(output, r"audit -> deny  patch ConfigMap shop/settings by \S+: ownership-conflict audit -> deny")
        self.assertNotRegex(output, r"(\w+) -> \1[,\n]")

    def test_fail_on(self):
        self.file("audit.log", forms.lines(EVENTS))
        lenient = self.file("lenient.yaml", LENIENT)
        strict = self.file("strict.yaml", STRICT)
        for arguments, status in (((), 0), (("--fail-on", "warn"), 1), (("--policy", lenient, "--fail-on", "warn"), 0),
                                  (("--policy", strict), 1)):
            self.assertEqual(self.run_replay("audit.log", *arguments)[0], status, arguments)

    def test_facts(self):
        conflict = event(2, "patch", None, code=409, manager="flux", query="&force=false", level="Metadata", responseStatus={
            "code": 409, "details": {"causes": [
                {"reason": "FieldManagerConflict", "message": 'conflict with "a\\"b" using v1', "field": ".spec.replicas"},
                {"reason": "FieldManagerConflict", "message": 'conflict with "argo"', "field": ".spec.paused"}]}})
        mutated = {"mutation.webhook.admission.k8s.io/round_0_index_0": '{"configuration":"c","webhook":"no","mutated":false}',
                   "mutation.webhook.admission.k8s.io/round_0_index_1": '{"configuration":"c","webhook":"w","mutated":true}'}
        forced = event(3, "patch", None, level="Metadata", query="&force=true", impersonatedUser={"username": "joe"}, annotations=mutated)
        lines, summary = self.replay([conflict, forced])
        self.assertEqual(lines["id-2"]["conflicts"], [
            {"path": ".spec.replicas", "manager": 'a"b', "operation": "Update"},
            {"path": ".spec.paused", "manager": "argo", "operation": "Apply"}])
        self.assertEqual(lines["id-3"]["mutatedBy"], [{"configuration": "c", "webhook": "w"}])
        self.assertEqual((lines["id-3"]["user"], lines["id-3"]["impersonator"], lines["id-3"]["force"]), ("joe", "jane", True))
        self.assertEqual((summary["conflicts"], summary["forced"], summary["refused"]), ({"flux": 1}, {"helm": 1}, {"409": 1}))

    def test_which_requests_are_writes(self):
        """Protects the numbers: what Kubernetes only answers is no write, whatever a custom resource is called."""
        def count(resource, group="", **more):
            return self.replay([event(1, "create", None, code=201, level="Metadata", resource=resource, group=group, **more)])[1]
        for resource, group in (("subjectaccessreviews", "authorization.k8s.io"), ("tokenreviews", "authentication.k8s.io"),
                                ("resourceaccessreviews", "authorization.openshift.io"), ("bindings", "")):
            self.assertEqual(count(resource, group)["writes"], 0)
        for resource in ("codereviews", "bindings", "events", "leases"):
            summary = count(resource, "example.com")
            self.assertEqual((summary["writes"], summary["unjudged"], summary["not_sent"]), (1, {"level": 1}, 0))
        for resource, group in (("events", "events.k8s.io"), ("leases", "coordination.k8s.io"), ("pods", "")):
            self.assertEqual(count(resource, group)["not_sent"], 1)
        # Such a request has no other end.
        panic = self.replay([event(1, "create", None, code=500, stage="Panic"), event(2, "create", None, stage="ResponseStarted")])[1]
        self.assertEqual((panic["events"], panic["writes"], panic["refused"]), (1, 0, {"500": 1}))

    def test_text(self):
        self.file("audit.log", forms.lines(EVENTS))
        status, output, errors = self.run_replay("audit.log")
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"\A2026-\S+ to 2026-\S+: \d+ requests, \d+ writes\njudged \d+ writes; the policy would have denied \d")
        for title in ("by rule", "by namespace", "by kind", "by manager", "by user", "by object", "finding"):
            self.assertIn(title, output)
        mutation = {"mutation.webhook.admission.k8s.io/round_0_index_0": '{"configuration":"c","webhook":"w.x","mutated":true}'}
        self.file("audit.log", forms.lines([{**event, "annotations": mutation} for event in EVENTS]))
        self.assertRegex(self.run_replay("audit.log")[1], r"changed by mutating webhooks\n +\d+  w\.x\n")
        self.file("audit.log", forms.lines(forms.at_metadata(EVENTS)))
        self.assertIn("level: RequestResponse", self.run_replay("audit.log")[1])


class Fighting(Replay):
    @staticmethod
    def on_day(day, found):
        return {**found, **{name: found[name].replace("-23T", f"-{day}T") for name in ("requestReceivedTimestamp", "stageTimestamp")}}

    def change(self, day, version, replicas, *, manager="tuner", user="system:serviceaccount:a:tuner"):
        left = deployment(version, replicas=replicas, generation=version, managers=(manager,))
        left["metadata"]["managedFields"][0]["fieldsV1"] = {"f:spec": {"f:replicas": {}}}
        return self.on_day(day, event(day, "patch", left, manager=manager, user=user, request={"spec": {"replicas": replicas}}))

    def story(self):
        first = event(1, "create", deployment(1, managers=("tuner",)), code=201, manager="tuner", user="system:serviceaccount:a:tuner")
        first["responseObject"]["metadata"]["managedFields"][0]["fieldsV1"] = {"f:spec": {"f:replicas": {}}}
        return [first, self.change(24, 2, 2, manager="kubectl-edit", user="jane"), self.change(25, 3, 1),
                self.change(26, 4, 3, manager="kubectl-edit", user="jane"), self.change(27, 5, 1)]

    def conflicts(self):
        causes = {"code": 409, "details": {"causes": [
            {"reason": "FieldManagerConflict", "message": f'conflict with "{owner}" using apps/v1', "field": field}
            for field, owner in ((".spec.a", "argo"), (".spec.b", "argo"), (".spec.c", "keda"))]}}
        refused = [event(second, "patch", None, code=409, manager=manager, query="&force=false", level="Metadata", responseStatus=causes)
                   for second, manager in ((1, "flux"), (2, "flux"), (3, "helm"))]
        done = [event(4, "patch", None, level="Metadata", manager="flux", query="&force=true"),
                event(5, "patch", None, level="Metadata", manager="helm", query="&force=false")]
        return [*refused, *done]


class Fights(Fighting):
    """Conflicts and what came of them, fields that change hands over days, and managers that take a field back."""

    def test_conflicts_and_who_won(self):
        self.file("audit.log", forms.lines(self.conflicts()))
        output = self.run_replay("audit.log")[1]
        self.assertIn("\nthe API server refused 3 writes: 3 with 409\n", output)
        self.assertRegex(output, r"(?m)^ +2 +2  flux against argo\n +2 +2  flux against keda\n +1 +0  helm against argo\n")
        self.assertIn("flux against argo", self.run_replay("audit.log", "-o", "html")[1])
        self.assertEqual(self.fights()["conflicts"], [
            {"writer": "flux", "owner": "argo", "refused": 2, "forced": 2}, {"writer": "flux", "owner": "keda", "refused": 2, "forced": 2},
            {"writer": "helm", "owner": "argo", "refused": 1, "forced": 0}, {"writer": "helm", "owner": "keda", "refused": 1, "forced": 0}])

        # GKE's log does not have the manager of a refused apply.
        first = self.conflicts()[0]
        self.file("audit.log", forms.google_sink([{**first, "responseObject": {"kind": "Status", **first["responseStatus"]}}]))
        self.assertRegex(self.run_replay("audit.log")[1], r"(?m)^ +1 +0  \(none\) against argo\n")

    def fights(self):
        return json.loads(self.run_replay("audit.log", "-o", "json")[1].splitlines()[-1])["summary"]["fights"]

    def test_a_field_that_changes_hands_over_days(self):
        self.file("audit.log", forms.lines(self.story()))
        output = self.run_replay("audit.log")[1]
        self.assertRegex(output, r"(?m)^ +4 +4  Deployment.apps shop/web .spec.replicas: kubectl-edit and tuner$")
        self.assertEqual(self.fights()["fields"], [{
            "kind": "Deployment.apps", "namespace": "shop", "name": "web", "path": ".spec.replicas",
            "managers": ["kubectl-edit", "tuner"], "days": 4, "changes": 4}])
        self.file("audit.log", forms.lines(self.story()[:2]))
        self.assertNotIn("changed hands", self.run_replay("audit.log")[1])
        self.assertEqual(self.fights(), {"conflicts": [], "fields": []})

    def test_behind_a_write_whose_groups_matter(self):
        """Protects who has GKE's log: whether a write takes a field back depends on the one before, whose groups are unknown."""
        log = forms.google_sink([
            event(1, "create", deployment(1, replicas=4), code=201), self.change(24, 2, 2, manager="kubectl-edit", user="jane"),
            json.loads(json.dumps(self.change(25, 3, 4, manager="helm", user="joe")).replace("-25T", "-24T"))])
        lines, _ = self.replay(log, "--policy", self.file("strict.yaml", STRICT), status=1)
        self.assertEqual([[finding["rule"] for finding in lines[each]["findings"]] for each in ("id-24", "id-25")],
                         [["ownership-conflict"]] * 2)
        groups = STRICT + "overrides:\n- match: {groups: [devs], users: [jane]}\n  mode: warn\n  reason: r\n"
        lines, _ = self.replay(log, "--policy", self.file("groups.yaml", groups))
        self.assertEqual([lines[each].get("unjudged") for each in ("id-24", "id-25")], [["groups"], None])
        lines, _ = self.replay(log, "--policy", self.file("groups.yaml", groups + "rules: {contested-field: {changes: 1}}\n"))
        self.assertEqual([lines[each].get("unjudged") for each in ("id-24", "id-25")], [["groups"], ["groups"]])

    def test_behind_writes_that_are_not_judged(self):
        """Protects from a missing finding: whether fields are contested depends on writes whose object the log does not have."""
        def at(second, found):
            return {**found, **{name: f"2026-11-23T10:00:{second}.000000Z" for name in ("requestReceivedTimestamp", "stageTimestamp")}}
        def edit(second, version):
            return at(second, self.change(second, version, version, manager="kubectl-edit", user="jane"))
        def tune(second, version):
            return at(second, self.change(second, version, version))
        events = [self.story()[0], edit(24, 2), tune(25, 3), edit(26, 4)]
        contested = self.file("contested.yaml", STRICT + "rules: {contested-field: {changes: 2}}\n")
        lines, _ = self.replay(events, "--policy", contested)
        self.assertIn("contested-field", [finding["rule"] for finding in lines["id-26"]["findings"]])
        for missing in (forms.truncated(events[1:2]), forms.at_metadata(events[1:2]), []):
            with self.subTest(missing=len(missing)):
                lines, _ = self.replay([events[0], *missing, *events[2:]], "--policy", contested)
                self.assertEqual((lines["id-25"]["unjudged"], lines["id-26"].get("unjudged")), (["gap"], ["gap"]))
                # With more changes, it does not matter whether these count.
                lines, _ = self.replay([events[0], *missing, *events[2:]], "--policy", self.file("strict.yaml", STRICT))
                self.assertEqual([finding["rule"] for finding in lines["id-26"]["findings"]], ["ownership-conflict"])

    def test_behind_a_write_that_may_hide_another(self):
        """Protects from a false finding: only what such a write takes is in doubt."""
        first = self.story()[0]
        hiding = self.change(24, 3, 2, manager="kubectl-edit", user="jane")
        hiding = {**hiding, "verb": "update", "requestObject": deployment(None, replicas=2)}
        hiding["responseObject"]["metadata"]["generation"] = 2
        third = json.loads(json.dumps(self.change(25, 4, 1, manager="helm")).replace("-25T", "-24T"))
        third["responseObject"]["metadata"]["generation"] = 3
        for policy, found in ((STRICT, None), (STRICT + "rules: {contested-field: {changes: 1}}\n", ["gap"])):
            lines, _ = self.replay([first, hiding, third], "--policy", self.file("policy.yaml", policy))
            self.assertEqual((lines["id-24"]["unjudged"], lines["id-25"].get("unjudged")), (["gap"], found))

    def test_managers_of_unknown_class(self):
        """Protects who writes the policy: it proposes a class by what the log shows, and leaves the decision to a person."""
        self.file("audit.log", forms.lines(self.story()))
        self.assertRegex(self.run_replay("audit.log")[1], r"(?m)^ +2 +3 +0  tuner$")
        _, summary = self.replay(self.story())
        self.assertEqual(summary["unknown"], {"tuner": {"taken_back": 2, "services": 3, "people": 0}})
        policy = self.run_replay("audit.log", "--suggest")[1]
        self.assertIn('# - {name: "tuner", operation: Update, class: controller} # writes by service accounts 3, by people 0; '
                      'fields taken back 2', policy)
        self.file("suggested.yaml", policy.replace("# managers:", "managers:").replace("# - {name", "- {name"))
        checked = subprocess.run([APPLYGUARD, "policy", "check", "suggested.yaml"], cwd=self.directory.name, capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertNotIn("tuner", self.run_replay("audit.log", "--policy", "suggested.yaml")[1].partition("unknown class")[2])
        # Of a manager that applies, the class is known.
        role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "rules": []}
        apply = event(1, "patch", None, level="Request", manager="clusterrole-aggregation-controller", query="&force=true", request=role,
                      resource="clusterroles", group="rbac.authorization.k8s.io", user="system:serviceaccount:kube-system:a")
        self.assertEqual(self.replay([apply])[1]["unknown"], {})


class ADay(Replay):
    """The recorded day of kubectl, Helm, Flux and Argo CD."""

    def setUp(self):
        super().setUp()
        log = subprocess.run(["zstdcat", RECORDED / "day.log.zst"], check=True, capture_output=True).stdout
        self.events = [json.loads(line) for line in log.splitlines()]
        self.lines, self.summary = self.replay(log, "--policy", self.file("strict.yaml", STRICT), status=1)

    def test_strict_denies_people_alone(self):
        """Protects who enforces strict: controllers and tools go on working."""
        denied = {user for user, counts in self.summary["by_user"].items() if counts["deny"]}
        self.assertEqual(denied, {"alice", "bob", "setup"})

    def test_the_numbers(self):
        """Protects who reports them: counted again from the log, they are the same."""
        self.assertEqual(recount.picked(self.summary), recount.recount(self.events))
        self.assertEqual(sum(self.summary["judged"].values()), self.summary["writes"])

    def test_what_is_judged(self):
        """Protects who needs an answer: of the writes that the webhook would judge, at most one in 20 is unjudged for a doubt."""
        doubts = sum(self.summary["unjudged"].get(reason, 0) for reason in ("gap", "manager", "groups", "version", "first-seen"))
        self.assertLessEqual(doubts * 20, self.summary["judged"]["full"])


class Suggestions(Replay):
    def test_a_policy_to_start_with(self):
        """Protects who enforces it: `policy check` takes it, it exempts those alone that were denied, and denies nothing."""
        strict = self.file("strict.yaml", STRICT)
        _, before = self.replay(EVENTS, "--policy", strict, status=1)
        status, policy, errors = self.run_replay("audit.log", "--suggest")
        self.assertEqual((status, errors), (0, ""))
        self.file("suggested.yaml", policy)
        checked = subprocess.run([APPLYGUARD, "policy", "check", "suggested.yaml"], cwd=self.directory.name, capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        _, after = self.replay(EVENTS, "--policy", "suggested.yaml")
        self.assertEqual((after["would_deny"], after["would_warn"] >= before["would_warn"]), (0, True))
        denied = {user for user, counts in before["by_user"].items() if counts["deny"]}
        self.assertEqual({user for user in before["by_user"] if f'users: ["{user}"]' in policy}, denied)

    def test_an_empty_log(self):
        """Protects a pipeline: what a failed pipe leaves is not a log without findings."""
        said = "audit.log: error: it is empty; it must be an audit log of the API server\n"
        for content in ("", "\n"):
            self.file("audit.log", content)
            self.assertTrue(self.run_replay("audit.log")[1].startswith("no request that ended was found\njudged 0 writes"))
            self.assertEqual(self.replay(content, status=2, errors=said)[1]["events"], 0)
            self.assertEqual(self.run_replay("audit.log", "--suggest")[0], 2)
        self.assertEqual(self.run_replay("-", input=b"")[0], 2)
        self.file("rotated.log", forms.lines(EVENTS[:1]))
        self.assertEqual(self.run_replay("audit.log", "rotated.log")[::2], (0, ""))
        self.assertEqual(self.replay('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[]}\n')[1]["events"], 0)

    def test_nothing_to_exempt(self):
        self.file("audit.log", forms.lines(EVENTS[:1]))
        _, policy, _ = self.run_replay("audit.log", "--suggest")
        self.assertIn("profile: strict\n", policy)
        self.assertNotIn("overrides", policy)

    def test_a_user_of_another_world(self):
        """Protects who reads the policy: what clients choose breaks neither YAML nor the terminal."""
        user = 'a"\n: \u202e\x1b'
        self.file("audit.log", forms.lines([{**event, "user": {"username": user}} for event in EVENTS]))
        _, policy, _ = self.run_replay("audit.log", "--suggest")
        self.assertFalse([character for character in policy if character != "\n" and not character.isprintable()])
        self.file("suggested.yaml", policy)
        status, output, errors = self.run_replay("audit.log", "--policy", "suggested.yaml", "-o", "json")
        self.assertEqual((status, errors), (0, ""))


class Shards(Fighting):
    def many(self):
        """A log with all that a report has: findings, conflicts, slow fights, mutating webhooks, and names in bad faith."""
        mutated = {"mutation.webhook.admission.k8s.io/round_0_index_0": '{"configuration":"c","webhook":"w.x","mutated":true}'}
        bad = {"user": {"username": "\u202eeve <b>"}, "annotations": mutated}
        texts = [*(json.dumps({**each, **bad} if index % 3 == 0 else each) for index, each in enumerate(EVENTS)),
                 *map(json.dumps, self.story()), *map(json.dumps, self.conflicts())]
        found = [json.loads(text.replace("settings", f"settings-{number}").replace('"web"', f'"web-{number}"').replace("u-1", f"u-{number}")
                            .replace("-4", f"-{number}").replace('"id-', f'"{index}-id-{number}'))
                 for index, text in enumerate(texts) for number in range(9)]
        return sorted(found, key=lambda each: each["stageTimestamp"])

    def test_four_are_one(self):
        """Protects who uses several machines: the merged results equal the results of one run, byte for byte."""
        self.file("audit.log", forms.lines(self.many()))
        for policy in (("--policy", self.file("strict.yaml", STRICT)), ("--compare", "strict.yaml")):
            expected = {form: self.run_replay("audit.log", "-o", form, *policy) for form in ("json", "text", "html")}
            files = []
            for index in range(4):
                status, output, errors = self.run_replay("audit.log", "-o", "json", "--shard", f"{index}/4", *policy)
                self.assertEqual(errors, "")
                files.append(self.file(f"{index}.json", output))
            for form in ("json", "text", "html") if policy[0] == "--policy" else ("json", "text"):
                with self.subTest(form=form, policy=policy):
                    self.assertEqual(self.run_replay("--merge", "-o", form, *files), expected[form])
        for part in ("eve", "settings-3", "w.x", "flux against argo", ".spec.replicas: kubectl-edit and tuner"):
            self.assertIn(part, self.run_replay("audit.log", "-o", "html", "--policy", "strict.yaml")[1])

    def test_numbers_that_another_program_counts(self):
        """Protects who reports them: what needs no judge is counted again from the raw log."""
        many = self.many()
        _, summary = self.replay(many)
        self.assertEqual(recount.picked(summary), recount.recount(many))
        self.assertEqual((summary["conflicts"], summary["forced"]["flux"]), ({"flux": 18, "helm": 9}, 9))

    def test_what_cannot_be_merged(self):
        self.file("audit.log", forms.lines(EVENTS))
        _, output, _ = self.run_replay("audit.log", "-o", "json", "--shard", "1/1")
        self.file("cut.json", "".join(line + "\n" for line in output.splitlines()[:-1]))
        self.file("other.json", "{}\n")
        status, _, errors = self.run_replay("--merge", "-o", "json", "cut.json", "other.json", "missing.json")
        self.assertEqual(status, 2)
        for part in ("cut.json: error: its last line is missing", "other.json:1:1: error: it is no result", "missing.json: error: No such file"):
            self.assertIn(part, errors)
        self.file("torn.json", '{"torn":"line,"event":1}\n{"summary":{}}\n')
        self.assertIn("torn.json:1:1: error: it is no result", self.run_replay("--merge", "torn.json")[2])
        for flag in ("--shard=1/2", "--compare=x", "--since=2026-01-01", "--until=2026-01-01", "-nshop", "--kind=pods"):
            status, _, errors = self.run_replay("--merge", flag, "torn.json")
            self.assertEqual(status, 2)
            self.assertIn("as they are: use it without", errors)


class Page(html.parser.HTMLParser):
    """The content of a page: the text of its elements, and everything that it might load."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.loads = {}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)
        self.found.setdefault(tag, []).append("")
        self.loads += [value for name, value in attributes if name in ("src", "href", "action", "data", "srcset")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        for tag in self.open:
            self.found[tag][-1] += data


class Html(Replay):
    def test_a_page(self):
        """Protects who opens it in a browser: it is whole, loads nothing, and has each write that was denied or warned of."""
        mutation = {"mutation.webhook.admission.k8s.io/round_0_index_1": '{"configuration":"c","webhook":"w.x","mutated":true}'}
        events = [{**event, "user": {"username": "<script>alert(1)</script>"}, "annotations": mutation} for event in EVENTS]
        self.file("audit.log", forms.lines(events))
        strict = self.file("strict.yaml", STRICT)
        status, text, errors = self.run_replay("audit.log", "-o", "html", "--policy", strict)
        _, summary = self.replay(events, "--policy", strict, status=1)
        self.assertEqual((status, errors), (1, ""))
        page = Page(text)
        self.assertEqual((page.open, page.loads, len(page.found["script"])), ([], [], 1))
        self.assertNotIn("@import", text)
        self.assertNotIn("url(", text)
        rows = [row for row in page.found["tr"] if "changed by the webhook w.x" in row]
        self.assertEqual(len(rows), summary["would_deny"] + summary["would_warn"])
        self.assertEqual(len(page.found["caption"]), len(page.found["table"]))


class Problems(Replay):
    def test_what_cannot_be_read(self):
        """Protects who names many files: what is wrong is said with its place, and the rest is done."""
        text = forms.lines(EVENTS)
        _, whole = self.replay(text)
        self.file("good.log", text)
        cases = {
            "torn.log": ('{"kind":"Ev', "torn.log:1:1: error: the log ends within this line\n"),
            "other.log": ("{}\n", "other.log:1:1: error: it is not an Event of audit.k8s.io/v1\n"),
            "long.log": ("x" * (17 << 20), "long.log:1:1: error: it is longer than 16 MiB\n"),
            "bomb.log.gz": (forms.packed("\0" * (64 << 20)), "bomb.log.gz:1:1: error: it is longer than 16 MiB\n"),
            "cut.log.gz": (forms.packed(text)[:-9], None),
        }
        for name, (content, error) in cases.items():
            with self.subTest(name):
                self.file(name, content)
                status, output, errors = self.run_replay("good.log", name, "-o", "json")
                self.assertEqual(status, 2)
                self.assertEqual(json.loads(output.splitlines()[-1])["summary"], whole)
                if error:
                    self.assertEqual(errors, error)
        status, output, errors = self.run_replay("missing.log", "good.log", "-o", "json")
        self.assertEqual((status, errors), (2, "missing.log: error: No such file or directory\n"))
        self.assertEqual(json.loads(output.splitlines()[-1])["summary"], whole)

    def test_times_that_run_backwards(self):
        """Protects from an error where only the order is unknown: the status stays, and what is unclear is not judged."""
        _, summary = self.replay(list(reversed(EVENTS)))
        self.assertLessEqual(set(summary["unjudged"]), {"gap", "first-seen"})

    def test_a_version_that_is_shown_before_it_is_made(self):
        """Protects from a wrong verdict: a later request that changed nothing is logged before the one that made its object."""
        made = deployment(2, "nginx:2", generation=2)
        events = [event(1, "create", deployment(1), code=201), event(5, "patch", made, request={}),
                  *(event(second, "get", None, level="Metadata", name="other") for second in range(6, 50)),
                  event(4, "patch", made, request={"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "nginx:2"}]}}}})]
        lines, _ = self.replay(events)
        self.assertEqual(lines["id-4"]["unjudged"], ["gap"])

    def test_use(self):
        status, _, errors = self.run_replay()
        self.assertEqual(status, 2)
        self.assertIn("LOG is missing", errors)
        for arguments in (("--since", "yesterday"), ("--kind", ""), ("--since", "2h", "--until", "3h"), ("--memory", "1Mi"), ("-o", "xml")):
            self.assertEqual(self.run_replay(*arguments, "x")[0], 2)

    def test_names_from_outside(self):
        """Protects terminals: what clients choose is printed without control characters."""
        events = [event(1, "patch", None, level="Metadata", user="a\x1b[31m\u202e", manager="%1b%0a", query="&force=true")]
        self.file("audit.log", forms.lines(events))
        for format in ("text", "json"):
            output = self.run_replay("audit.log", "-o", format)[1]
            self.assertFalse([character for character in output if character != "\n" and not character.isprintable()])


if __name__ == "__main__":
    unittest.main()
