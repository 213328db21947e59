#!/usr/bin/env python3
"""`applyguard blame --history`: who changed each field, by an audit log.

    tests/cli/test_blame_history.py APPLYGUARD
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
START = "2026-11-23T10:00:{:02d}.000000Z"


def entry(manager, *names, operation="Update", subresource=None):
    return {"manager": manager, "operation": operation, "apiVersion": "apps/v1", "time": "2026-11-23T10:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {f"f:{name}": {} for name in names}},
            **({"subresource": subresource} if subresource else {})}


def deployment(version, spec, *entries, uid="u-1", generation=None, kind="Deployment", name="web", **metadata):
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {
        "name": name, "namespace": "default", "uid": uid, "resourceVersion": str(version),
        **({"generation": generation} if generation else {}), **({"managedFields": list(entries)} if entries else {}),
        **metadata}, "spec": spec}


def event(second, verb, response=None, *, user="jane", manager="kubectl-edit", agent="kubectl/v1.36.4 (linux/amd64)", code=200,
          subresource=None, query="", request=None, level="RequestResponse", stage="ResponseComplete", name="web",
          resource="deployments", **more):
    return {
        "kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": level, "auditID": f"id-{second}", "stage": stage,
        "requestURI": f"/apis/apps/v1/namespaces/default/{resource}/{name}?fieldManager={manager}{query}", "verb": verb,
        "user": {"username": user, "groups": ["devs"]}, "sourceIPs": ["10.0.0.1"], "userAgent": agent,
        "objectRef": {"resource": resource, "namespace": "default", "name": name, "apiGroup": "apps", "apiVersion": "v1",
                      **({"subresource": subresource} if subresource else {})},
        "responseStatus": {"metadata": {}, "code": code}, **({"requestObject": request} if request else {}),
        **({"responseObject": response} if response else {}), "requestReceivedTimestamp": START.format(second),
        "stageTimestamp": START.format(second), "annotations": {}, **more}


def scale(version, replicas):
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {"name": "web", "resourceVersion": str(version)},
            "spec": {"replicas": replicas}}


CREATED = event(1, "create", deployment(1, {"replicas": 3, "paused": False}, entry("kubectl-create", "replicas", "paused")),
                manager="kubectl-create", code=201)
OBJECT = deployment(9, {"replicas": 5, "paused": False}, entry("kubectl-create", "paused"), entry("argo", "replicas", operation="Apply"))


def lines(*events):
    return "".join(json.dumps(each) + "\n" for each in events)


def blame(*arguments, log="", found=OBJECT, name="audit.log"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_bytes(log if isinstance(log, bytes) else log.encode())
        done = subprocess.run([APPLYGUARD, "blame", "-f", "-", "--history", name, *arguments], input=json.dumps(found).encode(),
                              capture_output=True, timeout=120, cwd=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def histories(*events, found=OBJECT):
    status, output, errors = blame("-o", "json", log=lines(*events), found=found)
    assert (status, errors) == (0, ""), errors
    answer = json.loads(output)
    return answer["history"], {field["path"]: field["history"] for field in answer["fields"]}


def hands(history):
    return [(each["time"][17:19], each["manager"] if each["known"] else None, each["change"]) for each in history["changes"]]


class Webhooks(unittest.TestCase):
    def test_the_webhooks_that_changed_the_object(self):
        """Protects from blaming a person for what a mutating webhook did: the line of the write names it."""
        notes = {f"mutation.webhook.admission.k8s.io/round_0_index_{number}": json.dumps({"configuration": "c", "webhook": name, "mutated": mutated})
                 for number, (name, mutated) in enumerate((("seen.x", False), ("mesh.x", True), ("image.x", True)))}
        second = event(2, "patch", deployment(2, {"replicas": 5}, entry("kubectl-edit", "replicas")), annotations=notes)
        self.assertIn("patch, changed by webhook mesh.x, image.x", blame(log=lines(CREATED, second))[1])
        whole, fields = histories(CREATED, second)
        self.assertEqual(fields[".spec.replicas"]["changes"][-1]["webhooks"], "mesh.x, image.x")
        self.assertNotIn("webhooks", fields[".spec.replicas"]["changes"][0])


class Golden(unittest.TestCase):
    maxDiff = None
    LOG = lines(
        CREATED,
        event(2, "patch", scale(2, 4), manager="kubectl-scale", subresource="scale", user="joe"),
        event(3, "patch", deployment(9, {"replicas": 5, "paused": False}, entry("argo", "replicas", operation="Apply")),
              manager="argo", query="&force=true", user="system:serviceaccount:argocd:controller", agent="argocd/v3.1.0 x"),
        event(4, "patch", deployment(9, {"replicas": 7}), query="&dryRun=All"),
        event(5, "patch", code=409, query="&force=false"),
        event(6, "get", deployment(9, {"replicas": 8})))

    def test_text(self):
        status, output, errors = blame(log=self.LOG)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual("\nHISTORY" + output.partition("\nHISTORY")[2], """
HISTORY
Created 2026-11-23T10:00:01Z by kubectl-create (jane).
.spec.replicas: 3 changes
  2026-11-23T10:00:01Z  set      kubectl-create  jane                                     create         kubectl/v1.36.4
  2026-11-23T10:00:02Z  changed  kubectl-scale   joe                                      patch scale    kubectl/v1.36.4
  2026-11-23T10:00:03Z  changed  argo            system:serviceaccount:argocd:controller  patch, forced  argocd/v3.1.0
All other fields that it has are as they were created; those that it no longer has are not shown.
Left out, because they changed nothing: 1 dry run, 1 refused request
""")

    def test_json(self):
        found = dict(OBJECT, spec={"replicas": 5})
        status, output, errors = blame("-o", "json", "--manager", "argo", log=self.LOG, found=found)
        self.assertEqual((status, errors), (0, ""))
        of_jane = ('"manager":"kubectl-create","user":"jane","impersonator":"","user_agent":"kubectl/v1.36.4 (linux/amd64)",'
                   '"verb":"create","subresource":"","force":false')
        of_argo = ('"manager":"argo","user":"system:serviceaccount:argocd:controller","impersonator":"",'
                   '"user_agent":"argocd/v3.1.0 x","verb":"patch","subresource":"","force":true')
        self.assertEqual(output, (
            '{"kind":"Deployment","namespace":"default","name":"web","fields":[{"path":".spec.replicas","owners":[{"manager":"argo",'
            '"operation":"Apply","subresource":"","time":"2026-11-23T10:00:00Z","class":"applier"}],"declared":false,"stuck":false,"held":false,'
            '"history":{"count":3,"changes":['
            f'{{"time":"2026-11-23T10:00:01.000000Z",{of_jane},"change":"set","known":true,"after":""}},'
            '{"time":"2026-11-23T10:00:02.000000Z","manager":"kubectl-scale","user":"joe","impersonator":"",'
            '"user_agent":"kubectl/v1.36.4 (linux/amd64)","verb":"patch","subresource":"scale","force":false,"change":"changed",'
            '"known":true,"after":"2026-11-23T10:00:01.000000Z"},'
            f'{{"time":"2026-11-23T10:00:03.000000Z",{of_argo},"change":"changed","known":true,"after":"2026-11-23T10:00:02.000000Z"}}'
            ']}}],"history":{'
            f'"first":{{"time":"2026-11-23T10:00:01.000000Z",{of_jane}}},"created":true,'
            f'"last":{{"time":"2026-11-23T10:00:03.000000Z",{of_argo}}},"unknown":{{"count":0,"writes":[]}},"deleted":null,'
            '"recreated":false,"formerly_deleted":null,"dry_runs":1,"refused":1}}\n'))


class Evidence(unittest.TestCase):
    """A change belongs to the write that shows it, unless something says that another one came between."""

    def after(self, *events):
        return hands(histories(CREATED, *events)[1][".spec.replicas"])[1:]

    def test_a_level_without_objects(self):
        meta = event(2, "patch", level="Metadata", user="joe", manager="kubectl-patch")
        summary, fields = histories(CREATED, meta, event(3, "patch", deployment(9, {"replicas": 5})))
        self.assertEqual(hands(fields[".spec.replicas"])[1:], [("03", None, "changed")])
        [unclear] = summary["unknown"]["writes"]
        self.assertEqual((unclear["user"], unclear["reason"]),
                         ("joe", "the log does not hold the object (its level is not RequestResponse)"))

    def test_an_event_without_its_objects(self):
        """apiserver, plugin/pkg/audit/truncate: what is larger than --audit-log-truncate-max-event-size."""
        summary, _ = histories(CREATED, event(2, "patch", annotations={"audit.k8s.io/truncated": "true"}))
        self.assertEqual(summary["unknown"]["writes"][0]["reason"], "the log does not hold the object (the event was too large for it)")

    def test_a_level_without_objects_where_managed_fields_decide(self):
        meta = event(2, "patch", level="Metadata")
        owned = deployment(9, {"replicas": 5}, entry("argo", "replicas"))
        self.assertEqual(self.after(meta, event(3, "update", owned, manager="argo")), [("03", "argo", "changed")])
        both = deployment(9, {"replicas": 5}, entry("argo", "replicas", operation="Apply"), entry("joe", "replicas"))
        self.assertEqual(self.after(meta, event(3, "patch", both, manager="argo")), [("03", None, "changed")])

    def test_a_field_of_another_manager(self):
        owned = deployment(9, {"replicas": 5}, entry("somebody", "replicas"))
        self.assertEqual(self.after(event(2, "patch", owned, manager="argo")), [("02", None, "changed")])
        of_scale = deployment(9, {"replicas": 5}, entry("argo", "replicas", subresource="scale"))
        self.assertEqual(self.after(event(2, "patch", of_scale, manager="argo")), [("02", None, "changed")])

    def test_a_version_that_the_log_does_not_have(self):
        request = {"metadata": {"resourceVersion": "5"}}
        self.assertEqual(self.after(event(2, "update", deployment(9, {"replicas": 5}), request=request)), [("02", None, "changed")])
        request = {"metadata": {"resourceVersion": "1"}}
        self.assertEqual(self.after(event(2, "update", deployment(9, {"replicas": 5}), request=request)),
                         [("02", "kubectl-edit", "changed")])

    def test_a_generation_that_was_passed_over(self):
        first = event(2, "patch", deployment(2, {"replicas": 3}, generation=4))
        self.assertEqual(self.after(first, event(3, "patch", deployment(9, {"replicas": 5}, generation=6))), [("03", None, "changed")])
        self.assertEqual(self.after(first, event(3, "patch", deployment(9, {"replicas": 5}, generation=5))),
                         [("03", "kubectl-edit", "changed")])

    def test_a_log_that_begins_later(self):
        summary, fields = histories(event(1, "patch", deployment(2, {"replicas": 5, "paused": False})))
        self.assertFalse(summary["created"])
        self.assertEqual(fields[".spec.replicas"]["count"], 0)
        self.assertIn("Known since 2026-11-23T10:00:01Z", blame(log=lines(event(1, "patch", deployment(2, {"replicas": 5}))))[1])

    def test_a_log_that_ends_earlier(self):
        self.assertEqual(self.after(), [("", None, "changed")])
        self.assertIn("by a write that the log does not show", blame(log=lines(CREATED))[1])

    def test_a_log_that_goes_on(self):
        later = event(5, "patch", deployment(10, {"replicas": 6}))
        self.assertEqual(self.after(event(2, "patch", deployment(9, {"replicas": 5})), later), [("02", "kubectl-edit", "changed")])

    def test_a_late_line(self):
        summary, fields = histories(CREATED, event(3, "patch", deployment(9, {"replicas": 5})), event(4, "patch", deployment(8, {"replicas": 4})))
        self.assertEqual(fields[".spec.replicas"]["count"], 2)
        self.assertEqual(summary["unknown"]["writes"][0]["reason"], "it is logged behind a later write")

    def test_another_api_version(self):
        other = dict(deployment(8, {"replicas": 4}), apiVersion="apps/v1beta2")
        summary, _ = histories(CREATED, event(3, "patch", other))
        self.assertEqual(summary["unknown"]["writes"][0]["reason"], "the response is of another API version")

    def test_lists_that_are_far_longer_by_now(self):
        """Protects from a log of short lists that takes the time of the object for each of its lines."""
        def listing(version, count, first):
            items = {f'k:{{"name":"{i}"}}': {".": {}, "f:name": {}, "f:value": {}} for i in range(count)}
            owner = dict(entry("w"), fieldsV1={"f:spec": {"f:items": items}})
            return deployment(version, {"items": [{"name": str(i), "value": first} for i in range(count)]}, owner)
        events = [event(1, "update", listing(1, 2, 1), manager="w"), event(2, "update", listing(2, 2, 2), manager="w")]
        summary, _ = histories(*events, found=listing(9, 20000, 2))
        self.assertEqual(["its lists are too short to be compared with those of the object"],
                         [write["reason"] for write in summary["unknown"]["writes"]])
        summary, fields = histories(*events, found=listing(9, 2000, 2))
        self.assertEqual([], summary["unknown"]["writes"])
        self.assertEqual([("02", "w", "changed")], hands(fields['.spec.items[name="0"].value'])[:1])

    def test_a_scale_without_replicas_is_zero(self):
        down = scale(8, 0)
        del down["spec"]["replicas"]
        self.assertEqual(self.after(event(2, "update", down, subresource="scale", manager="hpa"))[0], ("02", "hpa", "changed"))

    def test_a_deep_object_that_is_scaled(self):
        deep = "[" * 1000000 + "]" * 1000000
        log = lines(event(1, "patch", deployment(3, {"replicas": 1, "deep": "DEEP"})),
                    event(2, "update", scale(4, 2), subresource="scale", manager="hpa")).replace('"DEEP"', deep)
        status, output, errors = blame("-o", "json", log=log)
        self.assertEqual((status, errors), (0, ""))
        fields = {field["path"]: field["history"] for field in json.loads(output)["fields"]}
        self.assertEqual(hands(fields[".spec.replicas"])[0], ("02", "hpa", "changed"))

    def test_the_owners_of_very_many_fields(self):
        """All fields of a large object change at once; the owner of each is known, unless there are thousands of entries."""
        fields = [f"k{i}" for i in range(2000)]
        for owners, known in ((10, {True}), (1000, {True, False})):
            with self.subTest(owners):
                entries = [entry(f"m{i}", fields[i], operation="Apply") for i in range(owners)] + [entry("w", *fields)]
                versions = [deployment(version, dict.fromkeys(fields, version), *entries) for version in (3, 4)]
                events = [event(version, "update", versions[version - 3], manager="w") for version in (3, 4)]
                _, found = histories(*events, found=versions[1])
                changes = [found[f".spec.{name}"]["changes"] for name in fields]
                self.assertEqual({len(each) for each in changes}, {1})
                self.assertEqual({each[0]["known"] for each in changes}, known)

    def test_another_life(self):
        """An object of this name that was deleted before leaves nothing in the history."""
        old = dict(deployment(1, {"replicas": 1}, uid="u-0"))
        removed = event(3, "delete", {"kind": "Status", "apiVersion": "v1", "status": "Success", "details": {"uid": "u-0"}}, user="joe")
        again = event(4, "create", deployment(9, {"replicas": 5, "paused": False}), code=201, manager="kubectl-create")
        summary, fields = histories(event(1, "create", old, code=201), event(2, "patch", level="Metadata"), removed, again)
        self.assertTrue(summary["recreated"] and summary["created"])
        self.assertEqual(summary["formerly_deleted"]["user"], "joe")
        self.assertEqual((summary["unknown"]["count"], hands(fields[".spec.replicas"])), (0, [("04", "kubectl-create", "set")]))
        unknown = json.loads(json.dumps(OBJECT))
        del unknown["metadata"]["uid"]
        summary, fields = histories(event(1, "create", old, code=201), removed, again, found=unknown)
        self.assertEqual((summary["recreated"], hands(fields[".spec.replicas"])), (True, [("04", "kubectl-create", "set")]))

    def test_a_delete(self):
        summary, _ = histories(CREATED, event(3, "delete", deployment(9, {"replicas": 5}), user="joe"))
        self.assertEqual(summary["deleted"]["user"], "joe")

    def test_a_dry_run_in_the_options_of_a_delete(self):
        summary, _ = histories(CREATED, event(3, "delete", request={"kind": "DeleteOptions", "dryRun": ["All"]}))
        self.assertEqual((summary["deleted"], summary["dry_runs"]), (None, 1))
        eviction = {"kind": "Eviction", "apiVersion": "policy/v1", "deleteOptions": {"dryRun": ["All"]}}
        summary, _ = histories(CREATED, event(3, "create", request=eviction, code=201, subresource="eviction"))
        self.assertEqual((summary["deleted"], summary["dry_runs"]), (None, 1))

    def test_a_delete_without_its_options(self):
        """They are in the body of the request: the log does not distinguish a dry run from a delete, and this is not a gap."""
        later = event(4, "patch", deployment(9, {"replicas": 5}), manager="m")
        for removal in (event(3, "delete", level="Metadata", user="joe"), event(3, "create", level="Metadata", subresource="eviction", user="joe")):
            summary, fields = histories(CREATED, removal, later)
            self.assertEqual((summary["deleted"], [each["user"] for each in summary["unknown"]["writes"]]), (None, ["joe"]))
            self.assertEqual(summary["unknown"]["writes"][0]["reason"], "the log does not hold its options, so it may be a dry run")
            self.assertEqual(hands(fields[".spec.replicas"])[-1], ("04", "m", "changed"))
        summary, _ = histories(CREATED, event(3, "delete", level="Request", user="joe"))
        self.assertEqual(summary["deleted"]["user"], "joe")

    def test_other_objects(self):
        other = event(3, "patch", deployment(8, {"replicas": 9}, name="api"), name="api")
        elsewhere = event(4, "patch", deployment(8, {"replicas": 9}))
        elsewhere["objectRef"]["namespace"] = "other"
        summary, fields = histories(CREATED, other, elsewhere, event(5, "create", level="Metadata", subresource="exec"))
        self.assertEqual((fields[".spec.replicas"]["count"], summary["unknown"]["count"]), (2, 0))

    def test_the_resource_of_a_kind(self):
        """A write without its object is known to be about this one, although nothing in the log names its kind."""
        for kind, resource in (("NetworkPolicy", "networkpolicies"), ("Gateway", "gateways"), ("Ingress", "ingresses"),
                               ("Endpoints", "endpoints"), ("ConfigMap", "configmaps")):
            with self.subTest(kind):
                found = deployment(9, {"replicas": 5}, entry("m", "replicas"), kind=kind)
                summary, _ = histories(event(1, "patch", level="Metadata", resource=resource), found=found)
                self.assertEqual(summary["unknown"]["count"], 1)
        found = deployment(9, {"replicas": 5}, entry("m", "replicas"), kind="Fish")
        summary, fields = histories(
            event(1, "patch", deployment(2, {"replicas": 2}, kind="Fish"), resource="fish"),
            event(2, "patch", level="Metadata", resource="fish"), event(3, "patch", level="Metadata", resource="fishs"), found=found)
        self.assertEqual((summary["unknown"]["count"], summary["first"]["verb"]), (1, "patch"))

    def test_the_last_changes_of_many(self):
        many = [event(n, "patch", deployment(n, {"replicas": n})) for n in range(2, 40)]
        _, fields = histories(CREATED, *many, found=deployment(39, {"replicas": 39}, entry("x", "replicas")))
        self.assertEqual(fields[".spec.replicas"]["count"], 39)
        self.assertEqual([time for time, *_ in hands(fields[".spec.replicas"])], [str(n) for n in range(30, 40)])

    def test_the_manager_of_a_user_agent(self):
        changed = event(2, "patch", deployment(9, {"replicas": 5}), agent="keda\x1b\u202e-op/2.1 (x)")
        changed["requestURI"] = "/apis/apps/v1/namespaces/default/deployments/web"
        self.assertEqual(self.after(changed), [("02", "keda-op", "changed")])
        changed["requestURI"] += "?dryRun=&fieldManager=c%zz&fieldManager=c;d&field%4danager=a%2fb+c&fieldManager=no&force"
        self.assertEqual(self.after(changed), [("02", "a/b c", "changed")])

    def test_a_dry_run_that_is_written_in_another_way(self):
        summary, fields = histories(CREATED, event(2, "patch", deployment(9, {"replicas": 5}), query="&dr%79Run=A%6cl"))
        self.assertEqual((summary["dry_runs"], fields[".spec.replicas"]["changes"][-1]["known"]), (1, False))


class Inputs(unittest.TestCase):
    LOG = lines(CREATED, event(3, "patch", deployment(9, {"replicas": 5})))

    def count(self, log, **more):
        status, output, errors = blame("-o", "json", log=log, **more)
        [line] = output.splitlines()
        fields = {field["path"]: field["history"] for field in json.loads(line)["fields"]}
        return status, fields[".spec.replicas"]["count"], errors

    def test_packed_lists_and_repetitions(self):
        events = [json.loads(line) for line in self.LOG.splitlines()]
        items = [{name: value for name, value in each.items() if name not in ("kind", "apiVersion")} for each in events]
        as_list = json.dumps({"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}, "items": items}) + "\n"
        first, second = (line.encode() for line in self.LOG.splitlines(keepends=True))
        packed = gzip.compress(first) + gzip.compress(second.rstrip())
        for log in (as_list, packed, self.LOG + self.LOG, "\n \n" + self.LOG.replace("\n", "\r\n"), self.LOG[:-1]):
            with self.subTest(log[:40]):
                self.assertEqual(self.count(log), (0, 2, ""))

    def test_plain_lines_behind_packed_ones(self):
        first, second = (line.encode() for line in self.LOG.splitlines(keepends=True))
        self.assertEqual(blame("-o", "json", log=gzip.compress(first) + gzip.compress(b"") + second), blame("-o", "json", log=self.LOG))

    def test_what_is_broken_is_told_and_left_out(self):
        first, second = self.LOG.splitlines(keepends=True)
        for log, problem in (
                (first + "{nonsense\n" + second, "audit.log:2:1: error: it is not JSON\n"),
                (first + "[1]\n" + second, "audit.log:2:1: error: it is not an Event of audit.k8s.io/v1\n"),
                (first + second.replace("audit.k8s.io/v1", "v1") + second, "audit.log:2:1: error: it is not an Event of audit.k8s.io/v1\n"),
                (first.encode() + b'{"kind":"\xff\xfe"}\n' + second.encode(), "audit.log:2:1: error: it is not JSON\n"),
                (first + "[" * 100000 + "\n" + second, "audit.log:2:1: error: it is not JSON\n"),
                (first + '{"a":' * 90000 + "1" + "}" * 90000 + "\n" + second, "audit.log:2:1: error: it is not an Event of audit.k8s.io/v1\n"),
                (first + "x" * (17 << 20) + "\n" + second, "audit.log:2:1: error: it is longer than 16 MiB\n"),
                (self.LOG + second[:90], "audit.log:3:1: error: the log ends within this line\n")):
            with self.subTest(problem):
                self.assertEqual(self.count(log), (2, 2, problem))

    def test_damaged_gzip(self):
        packed = gzip.compress(self.LOG.encode())
        status, _, errors = self.count(packed[:-9])
        self.assertEqual((status, errors), (2, "audit.log:2:1: error: it is packed with gzip, and its end is missing\n"))
        damaged = packed[:40] + bytes(byte ^ 0x55 for byte in packed[40:80]) + packed[80:]
        status, _, errors = self.count(damaged)
        self.assertEqual(status, 2)
        self.assertRegex(errors, r"\Aaudit.log(:\d+:1)?: error: it is packed with gzip, and damaged")

    def test_objects_that_aliases_make_large(self):
        """Some KiB in the file, and 30 MiB in memory while the history is read."""
        document = ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, managedFields: [{manager: m, operation: Update, apiVersion: v1, "
                    f"fieldsType: FieldsV1, fieldsV1: {{}}}}]}}\ndata:\n  a: &a {'x' * 30000}\n"
                    + "".join(f"  a{index}: *a\n" for index in range(1000)))
        done = subprocess.run([APPLYGUARD, "blame", "-f", "-", "--history", os.devnull, "-o", "json"],
                              input="---\n".join([document] * 40).encode(), capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        self.assertIn("ConfigMap c: out of memory: a history is kept for each object; name fewer", done.stderr.decode())

    def test_a_bomb_is_one_line_that_is_too_long(self):
        """Half a GiB of zeros takes no more memory than one line."""
        bomb = gzip.compress(bytes(1 << 29), 1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "audit.log.gz")
            path.write_bytes(gzip.compress(self.LOG.encode()) + bomb)
            found = pathlib.Path(folder, "web.json")
            found.write_text(json.dumps(OBJECT))
            process = subprocess.Popen([APPLYGUARD, "blame", "-f", found, "--history", path, "-o", "json"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            output, errors = process.stdout.read(), process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            process.stderr.close()
        self.assertEqual((process.returncode, errors.decode()), (2, f"{path}:3:1: error: it is longer than 16 MiB\n"))
        self.assertIn(b'"count":2', output)
        self.assertLess(usage.ru_maxrss, 300 * 1024)

    def test_a_file_that_is_no_log(self):
        status, _, errors = self.count("one line\n" * 1000)
        self.assertEqual((status, errors.count("\n")), (2, 11))
        self.assertTrue(errors.endswith("audit.log: error: 990 more lines are not readable events\n"), errors)

    def test_standard_input(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(OBJECT, file)
            file.flush()
            done = subprocess.run([APPLYGUARD, "blame", "-f", file.name, "--history", "-", "-o", "json"], input=self.LOG.encode(),
                                  capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b'"count":2', done.stdout)

    def test_wrong_use(self):
        for arguments, sentence in ((("--history", "-"), "-f and --history both read standard input"),
                                    (("-o", "yaml"), "works with -o text, -o json and -o html"),
                                    (("--history", "/"), "/: error: it cannot be read: Is a directory"),
                                    (("--history", "/absent"), "/absent: error: No such file or directory")):
            with self.subTest(arguments):
                status, _, errors = blame(*arguments, log=self.LOG)
                self.assertEqual(status, 2)
                self.assertIn(sentence, errors)

    def test_nothing_of_a_stranger_reaches_the_terminal(self):
        evil = "\x1b[31m\u202e\x9b\n"
        strange = event(3, "patch", deployment(9, {"replicas": 5}), user="u" + evil, manager="m%1b%5b31m%0a", agent="a" + evil,
                        impersonatedUser={"username": "i" + evil})
        meta = event(4, "patch", level="Metadata", user="u" + evil, agent=evil, subresource="x" + evil)
        strange["stageTimestamp"] += evil
        for form, escaped in (("text", "u\\x1b[31m"), ("json", "u\\u001b[31m\\u202e\\u009b")):
            _, output, errors = blame("-o", form, log=lines(CREATED, strange, meta))
            self.assertTrue(all(character == "\n" or character.isprintable() for character in output + errors), output)
            self.assertIn(escaped, output)

    def test_values_are_never_printed(self):
        def secret(version, value):
            return {"apiVersion": "v1", "kind": "Secret", "metadata": {
                "name": "web", "namespace": "default", "resourceVersion": str(version), "managedFields": [
                    {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
                     "fieldsV1": {"f:data": {"f:p": {}}}}]}, "data": {"p": value}}
        log = []
        for second, value in ((1, "FORMERVALUE"), (2, "LATERVALUE"), (3, "HIDDENVALUE")):
            each = event(second, "update", secret(second, value), resource="secrets", manager="m", request=secret(second - 1, value))
            del each["objectRef"]["apiGroup"]
            log.append(each)
        for form in ("text", "json"):
            status, output, errors = blame("-o", form, log=lines(*log), found=secret(3, "HIDDENVALUE"))
            self.assertEqual((status, errors), (0, ""))
            self.assertIn(".data.p", output)
            self.assertNotIn("VALUE", output)
            self.assertIn('"count":2' if form == "json" else ".data.p: 2 changes", output)


if __name__ == "__main__":
    unittest.main()
