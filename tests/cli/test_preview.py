#!/usr/bin/env python3
"""`applyguard preview`: what an apply would do.

    tests/cli/test_preview.py APPLYGUARD
"""
import copy
import json
import os
import pathlib
import pty
import random
import subprocess
import sys
import tempfile
import unittest

import stub_kubectl

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
TESTS = pathlib.Path(__file__).resolve().parent.parent
WEB = TESTS / "previews" / "web.yaml"
STRICT = TESTS / "reviews" / "strict.yaml"
LIVE_WEB = TESTS / "conflicts" / "live-web.yaml"
IMAGE = '.spec.template.spec.containers[name="nginx"].image'
KEYS = ["kind", "namespace", "name", "set", "changed", "removed", "kept", "conflicts", "reverted_by", "refused", "verdict"]
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def run(*arguments, text="", environment=None):
    """Server-side by the manager kubectl, if the arguments name no applier."""
    applier = () if "--applier" in arguments else ("--applier", "kubectl-server")
    done = subprocess.run([APPLYGUARD, "preview", *map(str, arguments), *applier], input=text.encode(), capture_output=True,
                          timeout=120, env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def config_map(*entries, metadata=None, **values):
    """Each of the entries is MANAGER, OPERATION, FIELDSV1."""
    return {"apiVersion": "v1", "kind": "ConfigMap", **values, "metadata": {"name": "c", "namespace": "default", **(metadata or {}), **(
        {"managedFields": [{"manager": manager, "operation": operation, "apiVersion": "v1", "time": "2026-11-20T00:00:00Z",
                            "fieldsType": "FieldsV1", "fieldsV1": fields} for manager, operation, fields in entries]} if entries else {})}}


def deployment(*entries, metadata=None, **spec):
    return {**config_map(*entries, metadata={"name": "web", **(metadata or {})}), "apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}


def data(*keys):
    return {"f:data": {f"f:{key}": {} for key in keys}}


class Preview(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, *objects):
        path = self.folder / name
        path.write_text("\n".join(json.dumps(each) for each in objects) + "\n")
        return path

    @staticmethod
    def contested():
        """With two appliers, and with fields that an edit left behind."""
        return config_map(("kubectl", "Apply", data("a")), ("kubectl-edit", "Update", data("b")), ("flux", "Apply", data("a")),
                          data={"a": "1", "b": "1"}, metadata={"creationTimestamp": "2026-11-19T00:00:00Z"})

    def preview(self, manifest, live, *arguments):
        """The status, the preview, and what was said."""
        lives = live if isinstance(live, list) else [live]
        status, output, errors = run("-f", self.file("manifest.json", manifest), "--live", self.file("live.json", *lives),
                                     "-o", "json", *arguments)
        return status, json.loads(output) if output else None, errors


class Fields(Preview):
    def test_what_is_not_there_is_created(self):
        status, shown, errors = self.preview(config_map(data={"a": "1"}, metadata={"labels": {"l": "m"}}), [])
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(list(shown), KEYS)
        self.assertEqual((shown["set"], shown["changed"], shown["conflicts"]), ([".data.a", ".metadata.labels.l"], [], []))
        self.assertEqual(shown["verdict"]["operation"], "CREATE")

    def test_fields_are_set_changed_and_removed(self):
        live = config_map(("kubectl", "Apply", data("a", "gone")), data={"a": "1", "gone": "2"})
        status, shown, _ = self.preview(config_map(data={"a": "3", "new": "4"}), live)
        self.assertEqual((status, shown["set"], shown["changed"], shown["removed"]), (0, [".data.new"], [".data.a"], [".data.gone"]))
        self.assertEqual((shown["kept"], shown["conflicts"], shown["refused"]), ([], [], []))
        self.assertEqual(shown["verdict"]["operation"], "UPDATE")

    def test_replicas_that_fall_to_their_default(self):
        """The API server would set it; the verdict of the policy is still printed."""
        owned = {"f:spec": {"f:replicas": {}, "f:paused": {}}}
        _, shown, _ = self.preview(deployment(paused=True), deployment(("kubectl", "Apply", owned), replicas=3, paused=True))
        self.assertEqual((shown["changed"], shown["removed"]), ([".spec.replicas"], []))
        self.assertEqual([finding["rule"] for finding in shown["verdict"]["findings"]], ["dropped-replicas"])

    def test_people_see_each_of_several(self):
        live = config_map(("kubectl", "Apply", data("a", "b", "x", "y")), data={"a": "1", "b": "2", "x": "3", "y": "4"})
        manifest = config_map(data={"a": "5", "b": "6", "n": "7", "m": "8"})
        _, output, _ = run("-f", self.file("m.json", manifest), "--live", self.file("l.json", live))
        lines = [tuple(line.split()) for line in output.splitlines() if line.startswith("  ")]
        for each in (("set", "m", "n"), ("changed", "a", "b"), ("removed", "x", "y")):
            word, *names = each
            self.assertEqual([line for line in lines if line[0] == word], [(word, f".data.{name}") for name in names], output)

    def test_people_see_each_finding(self):
        _, output, _ = run("-f", self.file("m.json", config_map(data={"a": "2"})), "--live", self.file("l.json", self.contested()),
                           "--policy", STRICT, "--force-conflicts")
        shown = [tuple(line.split()[:2]) for line in output.splitlines()]
        self.assertEqual(shown[-2:], [("deny", "ownership-conflict:"), ("warn", "orphaned-fields:")], output)

    def test_names_that_are_no_part_of_a_path_are_refused(self):
        """Also of kinds whose names have no other rule."""
        for name in (".", "..", "a/b", "a%b"):
            role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": name, "namespace": "default"}}
            status, shown, _ = self.preview(role, [])
            self.assertEqual((status, len(shown["refused"])), (1, 1), name)
            self.assertIn("must not contain / or %", shown["refused"][0])

    def test_kinds_whose_names_have_no_form(self):
        """Whatever else a path may have is a name of a Role; for a custom resource it is unknown, and an existing object has
        its name already."""
        widget = {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget"}
        for kind in ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"):
            role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": "system:A_b", "namespace": "default"}}
            self.assertEqual(self.preview(role, [])[1]["refused"], [], kind)
        for made, lives, refused in ((widget, [], 0), (config_map(), [], 1), (config_map(), [config_map(metadata={"name": "A_b"})], 0)):
            self.assertEqual(len(self.preview({**made, "metadata": {**made["metadata"], "name": "A_b"}}, lives)[1]["refused"]), refused)
        crd = self.file("crd.json", CustomResources.crd)
        widget["metadata"]["name"] = "A_b"
        self.assertEqual(len(self.preview(widget, [], "--crd", crd)[1]["refused"]), 1)
        self.assertEqual(len(self.preview({**widget, "kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "a.b"}}, [])[1]["refused"]), 1)

    def test_the_longest_names(self):
        """A CronJob appends to its name what its Jobs' names must have room for."""
        for version, kind, longest in (("batch/v1", "CronJob", 52), ("batch/v1", "Job", 253), ("v1", "ConfigMap", 253), ("v1", "Service", 63)):
            for length in (longest, longest + 1):
                named = {"apiVersion": version, "kind": kind, "metadata": {"name": "a" * length, "namespace": "default"}}
                _, shown, _ = self.preview(named, [])
                told = [each for each in shown["refused"] if "metadata.name" in each]
                self.assertEqual([f"at most {longest} characters" in each for each in told], [True] * (length - longest), (kind, length))

    def test_the_entry_of_who_applies_may_be_any(self):
        entries = [("other", "Apply", data("a")), ("kubectl", "Update", data("c")), ("kubectl", "Apply", data("a", "b"))]
        for count in range(3):
            live = config_map(*entries[count:], *entries[:count], data=dict.fromkeys("abc", "1"))
            _, shown, _ = self.preview(config_map(data={"a": "1"}), live)
            self.assertEqual((shown["removed"], shown["conflicts"]), ([".data.b"], []))

    def test_an_apply_that_changes_a_value_is_told_of_what_others_left(self):
        """The same fields with another value are an apply of now; applying the same again is not one."""
        made = {"creationTimestamp": "2026-11-19T00:00:00Z"}
        for value, action in (("2", "warn"), ("1", "audit")):
            live = config_map(("kubectl", "Apply", data("a")), ("kubectl-edit", "Update", data("b")), data={"a": "1", "b": "1"}, metadata=made)
            _, shown, _ = self.preview(config_map(data={"a": value}), live, "--policy", STRICT)
            self.assertEqual([(each["rule"], each["action"]) for each in shown["verdict"]["findings"]], [("orphaned-fields", action)])

    def test_people_see_at_once_what_becomes_of_an_object(self):
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"})
        for manifest, lives, said in ((config_map(data={"a": "1"}), [], "ConfigMap default/c: is created"),
                                      (config_map(data={"a": "2"}), [live], "ConfigMap default/c: changes"),
                                      (config_map(data={"a": "2"}, metadata={"uid": "u"}), [live], "ConfigMap default/c: the API server refuses it, nothing is applied"),
                                      ({**config_map(), "kind": "Namespace", "metadata": {"name": "n"}}, [], "Namespace n: is created")):
            output = run("-f", self.file("m.json", manifest), "--live", self.file("l.json", *lives))[1]
            self.assertEqual(output.splitlines()[0], said)

    def test_what_another_one_owns_too_stays(self):
        live = config_map(("kubectl", "Apply", data("a", "b")), ("other", "Update", data("b")), data={"a": "1", "b": "2"})
        _, shown, _ = self.preview(config_map(data={"a": "1"}), live)
        self.assertEqual((shown["removed"], shown["kept"]), ([], [{"path": ".data.b", "managers": ["other"]}]))

    def test_each_field_that_stays_has_all_its_other_owners(self):
        live = config_map(("kubectl", "Apply", data("a", "b", "c", "d")), ("other", "Update", data("a", "b", "d")), ("other", "Apply", data("d")),
                          ("third", "Update", data("d", "e")), data=dict.fromkeys("abcde", "1"))
        files = ("-f", self.file("m.json", config_map(data={"a": "1"})), "--live", self.file("l.json", live))
        shown = json.loads(run(*files, "-o", "json")[1])
        self.assertEqual((shown["removed"], shown["kept"]), (
            [".data.c"], [{"path": ".data.b", "managers": ["other"]}, {"path": ".data.d", "managers": ["other", "third"]}]))
        self.assertEqual([line for line in run(*files)[1].splitlines() if line.startswith("  stays")],
                         ["  stays     .data.b: other keeps it", "  stays     .data.d: other, third keep it"])

    def test_one_owner_keeps_several_fields(self):
        live = config_map(("kubectl", "Apply", data("a", "b", "c", "d")), ("other", "Update", data("b", "c", "d")), data=dict.fromkeys("abcd", "1"))
        _, shown, _ = self.preview(config_map(data={"a": "1"}), live)
        self.assertEqual(shown["kept"], [{"path": f".data.{key}", "managers": ["other"]} for key in "bcd"])

    def test_what_the_api_server_makes_is_no_difference(self):
        made = {"uid": "u", "resourceVersion": "7", "generation": 3, "creationTimestamp": "2026-11-20T00:00:00Z"}
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"}, metadata=made)
        live["status"] = {"x": 1}
        _, shown, _ = self.preview(config_map(data={"a": "1"}, metadata={"creationTimestamp": None}), live)
        self.assertEqual((shown["set"], shown["changed"], shown["removed"], shown["refused"]), ([], [], [], []))

    def test_keyed_items_are_found_by_their_keys(self):
        status, output, _ = run("-f", WEB, "--live", LIVE_WEB, "--force-conflicts", "-o", "json")
        shown = json.loads(output)
        self.assertEqual((status, shown["set"], shown["changed"]), (0, [".spec.minReadySeconds"], [IMAGE]))

    def test_an_apply_again_changes_nothing(self):
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"})
        status, output, _ = run("-f", self.file("m.json", config_map(data={"a": "1"})), "--live", self.file("l.json", live))
        self.assertEqual(status, 0)
        self.assertTrue(output.startswith("ConfigMap default/c: no field changes\n"), output)


ANNOTATION = f".metadata.annotations.{LAST_APPLIED}"


def declared(values, annotation=None, applier="kubectl-client-side-apply", others=(), **more):
    """A live object that was applied client-side with these data."""
    last_applied = json.dumps(config_map(data=values, metadata={"annotations": {}})) if annotation is None else annotation
    fields = data(*values) | {"f:metadata": {"f:annotations": {".": {}, f"f:{LAST_APPLIED}": {}}}}
    return config_map((applier, "Update", fields), *others, data={**values, **more},
                      metadata={"annotations": {LAST_APPLIED: last_applied + "\n"}})


class ClientSide(Preview):
    def client_side(self, manifest, live, *arguments, applier="kubectl"):
        return self.preview(manifest, live, "--applier", applier, *arguments)

    def test_it_is_what_an_apply_is_if_nothing_else_is_said(self):
        manifest = config_map(data={"a": "1"})
        live = self.file("live.json", declared({"a": "0"}))
        done = subprocess.run([APPLYGUARD, "preview", "-f", self.file("m.json", manifest), "--live", live, "-o", "json"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(json.loads(done.stdout), self.client_side(manifest, declared({"a": "0"}))[1])

    def test_what_is_not_there_is_created_with_its_annotation(self):
        status, shown, _ = self.client_side(config_map(data={"a": "1"}), [])
        self.assertEqual((status, shown["set"], shown["verdict"]["operation"]), (0, [".data.a", ANNOTATION], "CREATE"))

    def test_three_ways(self):
        """Dropped fields go, others' stay, and the annotation follows."""
        live = declared({"a": "1", "gone": "2"}, theirs="3", others=[("they", "Update", data("theirs"))])
        status, shown, _ = self.client_side(config_map(data={"a": "4", "new": "5"}), live)
        self.assertEqual((status, shown["set"], shown["changed"], shown["removed"], shown["kept"], shown["conflicts"]),
                         (0, [".data.new"], [".data.a", ANNOTATION], [".data.gone"], [], []))
        taker = shown["verdict"]["findings"][0]["taker"] if shown["verdict"]["findings"] else None
        self.assertIn(taker, (None, {"manager": "kubectl-client-side-apply", "operation": "Update"}))

    def test_what_it_takes_is_told_as_no_409_does(self):
        live = declared({"a": "1"}, others=[("they", "Apply", data("b"))], b="2")
        status, shown, _ = self.client_side(config_map(data={"a": "1", "b": "3"}), live)
        self.assertEqual((shown["conflicts"], shown["reverted_by"]), (
            [{"path": ".data.b", "manager": "they", "operation": "Apply", "taken": True, "ways": []}], [{"path": ".data.b", "manager": "they"}]))
        self.assertEqual([finding["rule"] for finding in shown["verdict"]["findings"]], ["ownership-conflict"])
        self.assertEqual(status, 0)

    def test_of_two_entries_of_a_manager_the_last_counts(self):
        """kubectl scale to the number that an object has leaves two: the API server forgets the first."""
        live = declared({"a": "1"}, b="1")
        live["metadata"]["managedFields"].insert(0, {
            "manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
            "fieldsV1": data("b")})
        for applier in ("kubectl", "kubectl-server"):
            _, shown, _ = self.client_side(config_map(data={"a": "2", "b": "2"}), live, applier=applier)
            self.assertEqual((shown["conflicts"], shown["reverted_by"]), ([], []), applier)

    def test_the_same_again_changes_nothing(self):
        manifest = config_map(data={"a": "1"})
        live = declared({"a": "1"})
        live["metadata"]["annotations"][LAST_APPLIED] = json.dumps(
            config_map(data={"a": "1"}, metadata={"annotations": {}}), separators=(",", ":"), sort_keys=True) + "\n"
        _, shown, _ = self.client_side(manifest, live)
        self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [], []))

    def test_what_kubectl_create_writes_for_the_api_server_is_no_difference(self):
        """`kubectl create --dry-run=client -o yaml` prints `status: {}`, and did print `creationTimestamp: null`: both are in the
        annotation, and neither changes what the API server has there."""
        made = {"uid": "u", "resourceVersion": "7", "generation": 3, "creationTimestamp": "2026-11-20T00:00:00Z"}
        manifest = {**deployment(metadata={"creationTimestamp": None}, replicas=1), "status": {}}
        sent = {**deployment(metadata={"annotations": {}, "creationTimestamp": None}, replicas=1), "status": {}}
        live = deployment(
            ("kubectl-client-side-apply", "Update", {"f:spec": {"f:replicas": {}}}), ("kube-controller-manager", "Update", {"f:status": {"f:replicas": {}}}),
            metadata={**made, "annotations": {LAST_APPLIED: json.dumps(sent, separators=(",", ":"), sort_keys=True) + "\n"}}, replicas=1)
        live["status"] = {"replicas": 1}
        for applier in ("kubectl", "kubectl-server"):
            _, shown, _ = self.client_side(manifest, live, applier=applier)
            self.assertEqual([shown[part] for part in ("set", "changed", "removed", "kept", "conflicts")], [[]] * 5 if applier == "kubectl" else
                             [[], [ANNOTATION], [], [], []], applier)
        _, shown, _ = self.client_side(deployment(replicas=2), live)
        self.assertEqual((shown["changed"], shown["removed"], shown["kept"]), ([ANNOTATION, ".spec.replicas"], [], []))

    def test_what_changes_nothing_is_not_sent_so_the_policy_has_no_say(self):
        """kubectl compares first; server-side the API server does, and asks the webhook."""
        live = declared({"a": "1"}, b="2", others=[("kubectl-edit", "Update", data("b"))])
        live["metadata"]["annotations"][LAST_APPLIED] = json.dumps(
            config_map(data={"a": "1"}, metadata={"annotations": {}}), separators=(",", ":"), sort_keys=True) + "\n"
        policy = self.folder / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
        status, shown, _ = self.client_side(config_map(data={"a": "1"}), live, "--policy", policy, "--fail-on", "audit")
        self.assertEqual((status, shown["verdict"]), (0, None))
        _, shown, _ = self.client_side(config_map(data={"a": "2"}), live, "--policy", policy)
        self.assertEqual(shown["verdict"]["operation"], "UPDATE")
        server_side = config_map(("kubectl", "Apply", data("a")), data={"a": "1"})
        self.assertEqual(self.preview(config_map(data={"a": "1"}), server_side)[1]["verdict"]["operation"], "UPDATE")

    def test_the_defaults_of_a_strategy_come_again(self):
        """kubectl drops them each time where the manifest names the type alone, and the API server sets them again."""
        def live(**rolling_update):
            annotation = json.dumps(deployment(strategy={"type": "RollingUpdate"}, metadata={"annotations": {}}),
                                    separators=(",", ":"), sort_keys=True) + "\n"
            return deployment(("kubectl-client-side-apply", "Update", {"f:spec": {"f:strategy": {"f:type": {}}}}),
                              strategy={"type": "RollingUpdate", "rollingUpdate": rolling_update},
                              metadata={"annotations": {LAST_APPLIED: annotation}})
        manifest = deployment(strategy={"type": "RollingUpdate"})
        _, shown, _ = self.client_side(manifest, live(maxSurge="25%", maxUnavailable="25%"))
        self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [], []))
        _, shown, _ = self.client_side(manifest, live(maxSurge="50%", maxUnavailable="25%"))
        self.assertEqual((shown["changed"], shown["removed"]), ([".spec.strategy.rollingUpdate.maxSurge"], []))
        _, shown, _ = self.client_side(deployment(strategy={"type": "Recreate"}), live(maxSurge="25%", maxUnavailable="25%"))
        self.assertEqual(shown["removed"], [".spec.strategy.rollingUpdate.maxSurge", ".spec.strategy.rollingUpdate.maxUnavailable"])

    def test_argo_cd_applies_so_under_its_own_name(self):
        live = declared({"a": "1"}, applier="argocd-controller", others=[("they", "Apply", data("b"))], b="2")
        _, shown, _ = self.client_side(config_map(data={"a": "3", "b": "4"}), live, applier="argocd")
        self.assertEqual(shown["verdict"]["findings"][0]["taker"], {"manager": "argocd-controller", "operation": "Update"})

    def test_an_annotation_that_kubectl_cannot_read_is_a_refusal(self):
        for annotation in ("{", "[]", "7"):
            status, shown, _ = self.client_side(config_map(data={"a": "1"}), declared({"a": "0"}, annotation=annotation))
            self.assertEqual((status, shown["verdict"]), (1, None))
            self.assertIn("last-applied annotation", shown["refused"][0])

    def test_an_annotation_without_a_text_declares_nothing(self):
        live = declared({"a": "0"})
        live["metadata"]["annotations"][LAST_APPLIED] = ""
        _, shown, _ = self.client_side(config_map(data={"b": "1"}), live)
        self.assertEqual((shown["refused"], shown["removed"], shown["set"]), ([], [], [".data.b"]))

    def test_other_strategies_have_no_defaults(self):
        """A Deployment that has no rollingUpdate gets none, nor does another group's."""
        strategy = {"type": "RollingUpdate"}
        fields = ("kubectl-client-side-apply", "Update", {"f:spec": {"f:strategy": {"f:type": {}}}})
        _, shown, _ = self.client_side(deployment(strategy=strategy, paused=True), deployment(fields, strategy=strategy))
        self.assertEqual([path for path in shown["set"] if path != ANNOTATION], [".spec.paused"])
        both = {**strategy, "rollingUpdate": {"maxSurge": "25%"}}
        other = {"apiVersion": "example.com/v1"}
        live = {**deployment(fields, strategy=both, metadata={"annotations": {LAST_APPLIED: json.dumps({**deployment(strategy=both), **other})}}), **other}
        _, shown, _ = self.client_side({**deployment(strategy=strategy), **other}, live)
        self.assertEqual(shown["removed"], [".spec.strategy.rollingUpdate.maxSurge"])

    def test_items_are_merged_by_kubectls_keys(self):
        """kubectl knows ports by their number alone (patchMergeKey), where the API server knows the protocol, too."""
        ports = [{"name": "tcp", "port": 53, "protocol": "TCP"}, {"name": "udp", "port": 53, "protocol": "UDP"}]
        service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns", "namespace": "default"}, "spec": {"ports": ports}}
        fields = {"f:spec": {"f:ports": {f'k:{{"port":53,"protocol":"{protocol}"}}': {".": {}, "f:name": {}, "f:port": {}, "f:protocol": {}}
                                         for protocol in ("TCP", "UDP")}}}
        live = json.loads(json.dumps(service))
        live["metadata"]["managedFields"] = [{"manager": "kubectl", "operation": "Update", "apiVersion": "v1",
                                              "fieldsType": "FieldsV1", "fieldsV1": fields}]
        live["metadata"]["annotations"] = {LAST_APPLIED: json.dumps(service) + "\n"}
        service["spec"]["ports"] = ports[:1]
        _, shown, _ = self.client_side(service, live)
        self.assertNotEqual(shown["removed"], ['.spec.ports[port=53,protocol="UDP"]'])


class ArgoAndFlux(Preview):
    APPLY = {"f:data": {"f:a": {}, "f:b": {}}}

    def test_argo_cd_applies_as_it_applied_before(self):
        live = config_map(("argocd-controller", "Apply", self.APPLY), data={"a": "1", "b": "2"})
        status, shown, errors = self.preview(config_map(data={"a": "2"}), live, "--applier", "argocd")
        self.assertEqual((status, errors, shown["set"], shown["changed"], shown["removed"]), (0, "", [], [".data.a"], [".data.b"]))
        self.assertEqual(shown["conflicts"], [])
        # With an Update entry alone, and new objects: client-side.
        live = config_map(("argocd-controller", "Update", self.APPLY), data={"a": "1", "b": "2"})
        self.assertIn(f".metadata.annotations.{LAST_APPLIED}", self.preview(config_map(data={"a": "2"}), live, "--applier", "argocd")[1]["set"])
        self.assertIn(f".metadata.annotations.{LAST_APPLIED}", self.preview(config_map(data={"a": "2"}), [], "--applier", "argocd")[1]["set"])

    def test_an_annotation_makes_argo_cd_apply_server_side(self):
        for options, is_client_side in (("Prune=false, ServerSideApply=true", False), ("ServerSideApply=false", True), ("Replace=true", True)):
            manifest = config_map(data={"a": "1"}, metadata={"annotations": {"argocd.argoproj.io/sync-options": options}})
            _, shown, _ = self.preview(manifest, [], "--applier", "argocd")
            self.assertEqual(f".metadata.annotations.{LAST_APPLIED}" in shown["set"], is_client_side, options)

    def test_argo_cd_takes_what_conflicts(self):
        live = config_map(("argocd-controller", "Apply", data("a")), ("helm", "Apply", data("c")), data={"a": "1", "c": "1"})
        status, shown, _ = self.preview(config_map(data={"a": "1", "c": "2"}), live, "--applier", "argocd", "--policy", str(STRICT))
        self.assertEqual([(each["path"], each["taken"]) for each in shown["conflicts"]], [(".data.c", True)])

    def test_marks_of_the_tools_stay(self):
        flux = {"kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}
        helm = {"helm.toolkit.fluxcd.io/name": "shop", "app.kubernetes.io/managed-by": "Helm"}
        for applier, manager, part, marks in (
                ("flux", "kustomize-controller", "labels", flux), ("helm", "helm", "labels", helm),
                ("argocd", "argocd-controller", "annotations", {"argocd.argoproj.io/tracking-id": "shop:/ConfigMap:default/c"}),
                ("argocd", "argocd-controller", "labels", {"app.kubernetes.io/instance": "shop"})):
            owned = {**data("a"), "f:metadata": {f"f:{part}": {f"f:{key}": {} for key in marks}}}
            live = config_map((manager, "Apply", owned), data={"a": "1"}, metadata={part: marks})
            status, shown, _ = self.preview(config_map(data={"a": "1"}), live, "--applier", applier)
            self.assertEqual((status, shown["set"], shown["changed"], shown["removed"]), (0, [], [], []), applier)

    def test_argo_cd_with_its_annotation_needs_no_label(self):
        metadata = {"annotations": {"argocd.argoproj.io/tracking-id": "t"}, "labels": {"app.kubernetes.io/instance": "shop"}}
        owned = {"f:metadata": {"f:annotations": {"f:argocd.argoproj.io/tracking-id": {}}, "f:labels": {"f:app.kubernetes.io/instance": {}}}}
        live = config_map(("argocd-controller", "Apply", owned), metadata=metadata)
        _, shown, _ = self.preview(config_map(), live, "--applier", "argocd")
        self.assertEqual(shown["removed"], [".metadata.labels.app.kubernetes.io/instance"])


class FluxIgnore(Preview):
    """spec.ignore of the Kustomization (fluxcd/pkg, ssa: applyDriftResult)."""

    def ignoring(self, *rules, applier="flux"):
        labels = {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}
        live = config_map(("kustomize-controller", "Apply", {**data("a", "b")}), data={"a": "live", "b": "live"}, metadata={"labels": labels})
        kustomization = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": "apps", "namespace": "flux-system"},
                         "spec": {"ignore": list(rules)}}
        status, output, errors = run("--applier", applier, "-o", "json", "-f", self.file("m.json", config_map(data={"a": "git", "b": "git"}, metadata={"annotations": {"c/d": "git"}})),
                                     "--live", self.file("l.json", live, kustomization))
        self.assertEqual((status, errors), (0, ""))
        shown = json.loads(output)
        return sorted(shown["changed"] + shown["set"])

    def test_ignored_fields_stay_as_they_are(self):
        a, b, c = ".data.a", ".data.b", ".metadata.annotations.c/d"
        self.assertEqual(self.ignoring(), [a, b, c])
        self.assertEqual(self.ignoring({"paths": ["/data/a"]}), [b, c])
        self.assertEqual(self.ignoring({"paths": ["/data/a", "/metadata/annotations/c~1d"]}, {"paths": ["/data/b", "/data/x", "", "data", "/"]}), [])
        self.assertEqual(self.ignoring({"paths": ["/data"]}), [c])
        self.assertIn(a, self.ignoring({"paths": ["/data/a"]}, applier="argocd"))

    def test_only_of_the_targets(self):
        labels = "kustomize.toolkit.fluxcd.io/name"
        for target, is_ignored in (({"kind": "ConfigMap"}, True), ({"kind": "Config"}, False), ({"kind": "Config.*", "version": "v1", "name": "c|d"}, True),
                                   ({"group": "apps"}, False), ({"namespace": "other"}, False), ({"name": "("}, False),
                                   ({"labelSelector": f"{labels}=apps"}, True), ({"labelSelector": f"{labels}!=apps"}, False),
                                   ({"labelSelector": "a in (b)"}, False), ({"annotationSelector": "a"}, False)):
            with self.subTest(target):
                self.assertEqual(".data.a" not in self.ignoring({"paths": ["/data/a"], "target": target}), is_ignored)


class Prune(Preview):
    def prune(self, live, *arguments, manifests=None):
        status, output, errors = run("-f", self.file("m.json", *(manifests or [self.object("a")])), "--live", self.file("l.json", *live),
                                     "-o", "json", "--prune", *arguments)
        lines = [json.loads(line) for line in output.splitlines()]
        return status, errors, {line["name"]: (line["dropped"], line["reason"]) for line in lines if "dropped" in line}

    @staticmethod
    def object(name, kind="ConfigMap", **metadata):
        version = {"ConfigMap": "v1", "Secret": "v1", "Role": "rbac.authorization.k8s.io/v1"}[kind]
        return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "default", **metadata}}

    def test_kubectl_by_a_selector(self):
        """It deletes what it matches and what kubectl applied client-side, of the kinds that it looks at."""
        applied = {"annotations": {LAST_APPLIED: "{}"}, "labels": {"app": "shop"}}
        live = [self.object("a", **applied), self.object("gone", **applied), self.object("other", annotations={LAST_APPLIED: "{}"}),
                self.object("by-hand", labels={"app": "shop"}), self.object("role", "Role", **applied)]
        status, errors, found = self.prune(live, "--applier", "kubectl", "-l", "app=shop")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted", "by-hand": "left", "role": "left"})
        self.assertIn("last-applied", found["by-hand"][1])
        self.assertIn("--prune-allowlist", found["role"][1])
        for selector, names in (("app!=shop", {"other"}), ("app", {"gone", "by-hand", "role"}), ("!app", {"other"}), ("app==shop,tier=x", set())):
            self.assertEqual(set(self.prune(live, "--applier", "kubectl", "--selector", selector)[2]), names, selector)

    def test_kubectl_by_an_apply_set(self):
        """By its ID, or by the name of its Secret."""
        part = "applyset-wHf5Gity0G0nPN34KuNBIBBEOu2H9ED2KqsblMPFygM-v1"
        live = [self.object("a"), self.object("gone", labels={"applyset.kubernetes.io/part-of": part}), self.object("other")]
        self.assertEqual(self.prune(live, "--applyset", part)[2].keys(), {"gone"})
        self.assertEqual(self.prune(live, "--applyset", "another")[2], {})

    def test_former_manifests(self):
        """Helm deletes what is gone from them, and kubectl does not without a selector or an ApplySet."""
        kept = self.object("kept", annotations={"helm.sh/resource-policy": "keep"})
        live = [self.object("a"), self.object("gone"), kept, self.object("other")]
        former = self.file("f.json", self.object("a"), self.object("gone"), kept, self.object("lost"))
        for applier, dropped in (("helm", {"gone": "deleted", "kept": "left"}), ("kubectl", {"gone": "left", "kept": "left"}),
                                 ("kubectl-server", {"gone": "left", "kept": "left"})):
            status, errors, found = self.prune(live, "--applier", applier, "--previous", former)
            self.assertEqual((status, errors), (0, ""), applier)
            self.assertEqual({name: word for name, (word, _) in found.items()}, dropped, applier)
            self.assertIn("Helm deletes" if applier == "helm" else "stays: kubectl deletes only", found["gone"][1])

    def test_flux(self):
        """Of the Kustomization of the manifests alone."""
        def labels(name):
            return {"kustomize.toolkit.fluxcd.io/name": name, "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}
        live = [self.object("a", labels=labels("shop")), self.object("gone", labels=labels("shop")), self.object("of-others", labels=labels("x")),
                self.object("kept", labels=labels("shop"), annotations={"kustomize.toolkit.fluxcd.io/prune": "disabled"}), self.object("alone")]
        found = self.prune(live, "--applier", "flux")[2]
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted", "kept": "left"})

    def test_argo_cd(self):
        def tracked(name, application="shop", **metadata):
            annotations = {"argocd.argoproj.io/tracking-id": f"{application}:/ConfigMap:default/{name}", **metadata.pop("annotations", {})}
            return self.object(name, annotations=annotations, **metadata)
        options = "argocd.argoproj.io/sync-options"
        owner = [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u"}]
        live = [tracked("a"), tracked("gone"), tracked("kept", annotations={options: "Prune=false"}), tracked("of-others", "x"),
                tracked("asked", annotations={options: "Validate=false,Prune=confirm"}), tracked("owned", ownerReferences=owner)]
        found = self.prune(live, "--applier", "argocd")[2]
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted", "kept": "left", "asked": "left"})

    def test_the_former_manifests(self):
        former = self.file("p.json", self.object("a"), self.object("gone"), self.object("missing"))
        found = self.prune([self.object("a"), self.object("gone"), self.object("new")], "--applier", "flux", "--previous", former)[2]
        self.assertEqual({name: dropped for name, (dropped, _) in found.items()}, {"gone": "deleted"})

    def test_people_see_why(self):
        arguments = ("-f", self.file("m.json", self.object("a")), "--live", self.file("l.json", self.object("a"), self.object(
            "gone", labels={"app": "shop"}, annotations={LAST_APPLIED: "{}"})), "--prune", "-l", "app=shop")
        self.assertIn("ConfigMap default/gone: kubectl deletes it: the selector matches it, and no manifest has it\n", run(*arguments)[1])
        status, output, _ = run(*arguments, "-o", "diff")
        self.assertEqual(status, 1)
        self.assertIn("+++ merged/v1.ConfigMap.default.gone", output)

    def test_a_cluster_that_is_not_reached_is_asked_once(self):
        """Each question may wait for a minute. An answer of the API server concerns one object."""
        text = "---\n".join(json.dumps(config_map(metadata={"name": name})) + "\n" for name in "abc")
        for message, asked in (("Unable to connect to the server: dial tcp 192.0.2.1:443: i/o timeout", False), ("error: You must be logged in to the server (Unauthorized)", False),
                               ("The connection to the server a was refused", False), ('Error from server (Forbidden): configmaps "c" is forbidden', True)):
            with self.subTest(message):
                environment = stub_kubectl.script(self.folder, f"#!/bin/sh\necho '{message}' >&2\nexit 1\n")
                status, output, errors = run("-f", "-", text=text, environment=environment)
                self.assertEqual((status, output, errors.count(message.removeprefix("error: "))), (2, "", 3 if asked else 1))
                self.assertEqual("the cluster: error: not reached, so 2 more objects are not previewed\n" in errors, not asked)

    def test_directories_of_other_tools(self):
        """They hold what kustomize and Helm read, and no manifests."""
        self.file("l")
        for name, words in (("kustomization.yaml", "pipe what kubectl kustomize prints into"), ("Chart.yaml", "pipe what helm template prints into")):
            (self.folder / "tool").mkdir(exist_ok=True)
            (self.folder / "tool" / name).write_text("name: a\n")
            status, _, errors = run("-f", self.folder / "tool", "--live", self.file("l"))
            self.assertEqual(status, 2)
            self.assertIn(f"{name}:1:1: error: this is a ", errors)
            self.assertIn(words, errors)
            (self.folder / "tool" / name).unlink()

    def test_wrong_use(self):
        files = ("-f", self.file("m.json", self.object("a")), "--live", self.file("l.json", self.object("a")))
        for arguments, word in (
                ((*files, "--prune"), "--selector, --applyset or --previous"), ((*files, "-l", "a=b"), "--prune is missing"),
                ((*files, "--prune", "-l", "a in (b)"), "not sets of values"), ((*files, "--prune", "-l", "=b"), "without a key"),
                ((*files, "--prune", "-l", "a=b", "--applyset", "c"), "not both"),
                ((*files, "--prune", "--applier", "helm"), "needs --previous for Helm"),
                ((*files, "--prune", "--applier", "flux", "-l", "a=b"), "kubectl only")):
            status, output, errors = run(*arguments)
            self.assertEqual((status, output), (2, ""), arguments)
            self.assertIn(word, errors)


class Helm(Preview):
    """The oracle is Helm itself: tests/cluster/test_preview_helm.py."""
    RELEASE = {"meta.helm.sh/release-name": "r", "meta.helm.sh/release-namespace": "default"}
    MARKS = {"f:annotations": {f"f:{name}": {} for name in RELEASE}, "f:labels": {"f:app.kubernetes.io/managed-by": {}}}

    def released(self, operation, values, *others, **more):
        """A live object that Helm applied with these data."""
        return config_map(("helm", operation, {**data(*values), "f:metadata": self.MARKS}), *others, data={**values, **more},
                          metadata={"labels": {"app.kubernetes.io/managed-by": "Helm"}, "annotations": self.RELEASE})

    def upgrade(self, values, live, *arguments, previous=None):
        if previous is not None:
            arguments += ("--previous", self.file("previous.json", *([config_map(data=previous)] if previous else [])))
        return self.preview(config_map(data=values), live, "--applier", "helm", *arguments)[:2]

    def test_what_helm_writes_into_each_object_is_no_difference(self):
        """Client-side and server-side: helm template does not print its label and annotations."""
        for operation in ("Apply", "Update"):
            status, shown = self.upgrade({"a": "1"}, self.released(operation, {"a": "1"}), previous={"a": "1"})
            self.assertEqual((status, shown["set"], shown["changed"], shown["removed"]), (0, [], [], []))
            self.assertNotIn("notes", shown)

    def test_an_object_is_upgraded_as_it_was_applied(self):
        """A conflict is refused server-side and taken client-side, and the policy judges that request."""
        live = [self.released(operation, {"a": "1"}, ("edit", "Update", data("b")), b="2") for operation in ("Apply", "Update")]
        for object, expected, taken in zip(live, (1, 0), (False, True)):
            status, shown = self.upgrade({"a": "1", "b": "3"}, object, previous={"a": "1"})
            conflicts = [(each["path"], each["manager"], each["operation"], each["taken"]) for each in shown["conflicts"]]
            self.assertEqual((status, conflicts), (expected, [(".data.b", "edit", "Update", taken)]))
        self.assertEqual(shown["verdict"]["findings"][0]["taker"], {"manager": "helm", "operation": "Update"})
        both = live[0]
        both["metadata"]["managedFields"] += live[1]["metadata"]["managedFields"][:1]
        self.assertEqual(self.upgrade({"a": "1", "b": "3"}, both)[0], 1)

    def test_what_helm_writes_of_a_status_is_no_upgrade(self):
        live = self.released("Update", {"a": "1"}, ("edit", "Update", data("b")), b="2")
        live["metadata"]["managedFields"].append({**live["metadata"]["managedFields"][0], "operation": "Apply", "subresource": "status"})
        _, shown = self.upgrade({"a": "1", "b": "3"}, live, previous={"a": "1"})
        self.assertEqual([each["taken"] for each in shown["conflicts"]], [True])

    def test_a_secret_that_the_chart_no_longer_has_keeps_its_values(self):
        """To itself: what is deleted is shown without them."""
        secret = {**config_map(metadata={"name": "gone"}, data={"p": "aHVudGVyMg=="}), "kind": "Secret"}
        live = {**secret, "metadata": {**config_map(("helm", "Apply", data("p")), metadata={"name": "gone"})["metadata"]}}
        arguments = ("-f", self.file("m.json", config_map()), "--live", self.file("live.json", live), "--applier", "helm",
                     "--previous", self.file("p.json", secret))
        for form in ("text", "json", "diff", "object"):
            output = run(*arguments, "-o", form)[1]
            self.assertNotIn("aHVudGVyMg", output)
            self.assertEqual("gone" in output, form != "object")

    def test_what_the_previous_manifest_declared_is_removed(self):
        live = self.released("Update", {"a": "1", "gone": "1"}, by_hand="1")
        _, shown = self.upgrade({"a": "2"}, live, previous={"a": "1", "gone": "1"})
        self.assertEqual((shown["changed"], shown["removed"]), ([".data.a"], [".data.gone"]))
        self.assertNotIn(ANNOTATION, shown["set"])

    def test_without_it_that_is_unknown(self):
        live = self.released("Update", {"a": "1", "gone": "1"})
        _, shown = self.upgrade({"a": "2"}, live)
        self.assertEqual((shown["changed"], shown["removed"]), ([".data.a"], []))
        self.assertIn("use --previous FILE", shown["notes"][0])
        self.assertNotIn("notes", self.upgrade({"a": "2"}, self.released("Apply", {"a": "1"}))[1])

    def test_what_the_chart_no_longer_has(self):
        former = [config_map(metadata={"name": name}, data={"a": "1"}) for name in ("gone", "kept", "missing")]
        kept = {**self.released("Apply", {"a": "1"}), "metadata": {"name": "kept", "namespace": "default", "annotations": {
            "helm.sh/resource-policy": "keep"}}}
        arguments = ("-f", self.file("m.json", config_map(data={"a": "1"})), "--live", self.file("live.json", *(
            {**self.released("Apply", {"a": "1"}), "metadata": {**self.released("Apply", {"a": "1"})["metadata"], "name": name}}
            for name in ("gone", "c")), kept), "--applier", "helm", "--previous", self.file("p.json", *former, config_map(data={"a": "1"})))
        status, output, errors = run(*arguments)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, "ConfigMap default/c: no field changes\n\n"
                         "ConfigMap default/gone: Helm deletes it: the chart no longer has it\n\n"
                         "ConfigMap default/kept: stays, by helm.sh/resource-policy: the chart no longer has it\n")
        lines = [json.loads(line) for line in run(*arguments, "-o", "json")[1].splitlines()]
        self.assertEqual([(line["name"], line.get("dropped")) for line in lines],
                         [("c", None), ("gone", "deleted"), ("kept", "left")])
        self.assertEqual(list(lines[1]), [*KEYS, "dropped", "reason"])
        status, output, _ = run(*arguments, "-o", "diff")
        self.assertEqual(status, 1)
        self.assertTrue(output.startswith("--- live/v1.ConfigMap.default.gone\n+++ merged/v1.ConfigMap.default.gone\n@@ -1,"), output)
        self.assertEqual({line[0] for line in output.splitlines()[3:]}, {"-"})
        names = [json.loads(line)["metadata"]["name"] for line in run(*arguments, "-o", "object")[1].splitlines()]
        self.assertEqual(names, ["c", "kept"])
        # Unknown if a manifest could not be read, or was not asked for.
        for more in (("-f", self.file("broken.json", {"kind": "ConfigMap"})), ("cm/c",)):
            self.assertNotIn("gone", run(*arguments, *more)[1])

    def test_what_the_previous_manifest_does_not_have_loses_nothing(self):
        _, shown = self.upgrade({"a": "2"}, self.released("Update", {"a": "1", "b": "1"}), previous={})
        self.assertEqual((shown["changed"], shown["removed"]), ([".data.a"], []))
        self.assertNotIn("notes", shown)

    def test_of_custom_resources_the_manifests_are_compared(self):
        """Fields that were changed by hand stay where the two are the same."""
        def widget(**spec):
            return {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": spec}
        live = {**self.released("Update", {}), **{key: value for key, value in widget(a=9, b=9, gone=1).items() if key != "metadata"}}
        _, shown, _ = self.preview(widget(a=1, b=2), live, "--applier", "helm", "--previous", self.file("p", widget(a=1, b=1, gone=1)))
        self.assertEqual((shown["changed"], shown["removed"]), ([".spec.b"], [".spec.gone"]))

    def test_of_kinds_of_other_servers_helm_knows_definitions(self):
        """It merges a CustomResourceDefinition three ways, and compares the manifests of an APIService, of which it has no type."""
        for version, kind, expected in (("apiextensions.k8s.io/v1", "CustomResourceDefinition", [".spec.a", ".spec.b"]),
                                        ("apiregistration.k8s.io/v1", "APIService", [".spec.b"])):
            def of_kind(**spec):
                return {**config_map(), "apiVersion": version, "kind": kind, "spec": spec}
            live = {**self.released("Update", {}), **{key: value for key, value in of_kind(a=9, b=9).items() if key != "metadata"}}
            with self.subTest(kind):
                _, shown, _ = self.preview(of_kind(a=1, b=2), live, "--applier", "helm", "--previous", self.file("p", of_kind(a=1, b=1)))
                self.assertEqual(shown["changed"], expected)

    def test_force_is_none_of_a_client_side_upgrade(self):
        _, shown = self.upgrade({"a": "2"}, self.released("Update", {"a": "1"}), "--force-conflicts", previous={"a": "1"})
        self.assertIn("Helm 4 refuses --force-conflicts", shown["notes"][0])

    def test_a_previous_manifest_that_cannot_be_read(self):
        absent = self.folder / "absent"
        status, output, errors = run("-f", self.file("m", config_map()), "--applier", "helm", "--previous", absent)
        self.assertEqual((status, output), (2, ""))
        self.assertIn("absent: error: No such file", errors)


class Conflicts(Preview):
    live = config_map(("them", "Apply", data("a")), ("edit", "Update", data("b")), data={"a": "1", "b": "2"})
    manifest = config_map(data={"a": "3", "b": "4", "own": "5"})

    def test_they_are_those_of_the_409_and_nothing_reaches_the_policy(self):
        status, shown, _ = self.preview(self.manifest, self.live)
        self.assertEqual((status, shown["verdict"], shown["reverted_by"]), (1, None, []))
        self.assertEqual([{name: value for name, value in each.items() if name != "ways"} for each in shown["conflicts"]], [
            {"path": ".data.a", "manager": "them", "operation": "Apply", "taken": False},
            {"path": ".data.b", "manager": "edit", "operation": "Update", "taken": False}])

    def explained(self, conflicts, live):
        """The ways out as explain prints them of the API server's 409."""
        told = [f'conflict with "{each["manager"]}"' + (" using v1" if each["operation"] == "Update" else "") + f': {each["path"]}'
                for each in conflicts]
        text = "".join(f"Apply failed with 1 conflict: {each}\n" for each in told)
        done = subprocess.run([APPLYGUARD, "explain", "-o", "json", "-f", "-", "--live", self.file("live.json", live)],
                              input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [each["ways"] for line in done.stdout.splitlines() for each in json.loads(line)["conflicts"]]

    def test_the_ways_out_are_those_of_explain(self):
        _, shown, _ = self.preview(self.manifest, self.live)
        ways = [each["ways"] for each in shown["conflicts"]]
        self.assertEqual(ways, self.explained(shown["conflicts"], self.live))
        self.assertEqual([[each["way"] for each in way] for way in ways], [["drop", "force", "hand-over", "match"]] * 2)

    def test_the_ways_out_are_commands_of_who_applies(self):
        for arguments, start in ((("--field-manager", "ci bot"), "kubectl apply --server-side --field-manager='ci bot' -f MANIFEST"),
                                 (("--applier", "helm"), "helm upgrade --install RELEASE CHART")):
            _, shown, _ = self.preview(self.manifest, self.live, *arguments)
            self.assertTrue(shown["conflicts"][0]["ways"][0]["command"].startswith(start), shown["conflicts"][0])

    def test_people_see_the_ways_out_of_a_few_conflicts(self):
        fields = [f"f{number}" for number in range(6)]
        live = config_map(("them", "Apply", data(*fields)), data=dict.fromkeys(fields, "1"))
        for count, more in ((1, ""), (3, ""), (4, "of 1 more conflict: see -o json"), (6, "of 3 more conflicts: see -o json")):
            manifest = self.file("m.json", config_map(data=dict.fromkeys(fields[:count], "2")))
            output = run("-f", manifest, "--live", self.file("l.json", live))[1]
            shown = output[output.index("  ways out"):].splitlines()
            self.assertEqual(sum(line.startswith("            force it  kubectl apply --server-side --force-conflicts -f MANIFEST") for line in shown),
                             min(count, 3))
            self.assertEqual(shown[-1] if more else "", f"  ways out  {more}" if more else "")
        self.assertIn("  ways out  .data.f0\n            drop it   kubectl apply --server-side -f MANIFEST  # first remove .data.f0 from MANIFEST\n", output)

    def test_what_is_taken_needs_no_way_out(self):
        _, shown, _ = self.preview(self.manifest, self.live, "--force-conflicts")
        self.assertEqual([each["ways"] for each in shown["conflicts"]], [[], []])
        self.assertNotIn("ways out", run("-f", self.file("m", self.manifest), "--live", self.file("l", self.live), "--force-conflicts")[1])

    def test_force_takes_them_and_appliers_put_theirs_back(self):
        status, shown, _ = self.preview(self.manifest, self.live, "--force-conflicts", "--fail-on", "deny")
        self.assertEqual([each["taken"] for each in shown["conflicts"]], [True, True])
        self.assertEqual(shown["reverted_by"], [{"path": ".data.a", "manager": "them"}])
        self.assertEqual(shown["verdict"]["findings"][0]["rule"], "ownership-conflict")
        self.assertEqual(status, 0)

    def scaled(self, manager, subresource="scale", lines=""):
        """Which tool puts replicas back that an apply takes from this manager: in JSON and for people."""
        live = deployment((manager, "Update", {"f:spec": {"f:replicas": {}}}), replicas=7)
        live["metadata"]["managedFields"][0]["subresource"] = subresource
        policy = self.folder / "policy.yaml"
        policy.write_text(f"apiVersion: applyguard.io/v1\nkind: Policy\nmanagers: [{lines}]\n")
        files = ("-f", self.file("m.json", deployment(replicas=2)), "--live", self.file("l.json", live), "--force-conflicts", "--policy", policy)
        told = json.loads(run(*files, "-o", "json")[1])["reverted_by"]
        return told, "".join(line for line in run(*files)[1].splitlines(True) if line.startswith("  put back"))

    def test_an_autoscaler_may_set_replicas_back(self):
        for manager in ("kube-controller-manager", "keda-operator"):
            self.assertEqual(self.scaled(manager), ([{"path": ".spec.replicas", "manager": manager}], (
                f"  put back  .spec.replicas: {manager} scales it, and may set it back at any time\n")))

    def test_who_is_not_known_to_come_back_is_not_told(self):
        """A person who scales, the policy's word that it is one, and a name that may be anybody's."""
        for arguments in (("kubectl",), ("python-requests",), ("ci", "scale", "{name: ci, class: adhoc}"), ("my-operator", ""),
                          ("kubectl-edit", "")):
            self.assertEqual(self.scaled(*arguments), ([], ""), arguments)

    def test_a_controller_by_the_policys_word_may_set_its_fields_back(self):
        told, line = self.scaled("my-operator", "", "{name: my-*, operation: Update, class: controller}")
        self.assertEqual(told, [{"path": ".spec.replicas", "manager": "my-operator"}])
        self.assertEqual(line, "  put back  .spec.replicas: my-operator controls it, and may set it back at any time\n")

    def test_a_client_side_apply_that_drops_replicas_meets_the_autoscaler(self):
        last_applied = json.dumps(deployment(replicas=2, paused=False))
        live = deployment(("kube-controller-manager", "Update", {"f:spec": {"f:replicas": {}}}), replicas=7, paused=False,
                          metadata={"annotations": {LAST_APPLIED: last_applied}})
        live["metadata"]["managedFields"][0]["subresource"] = "scale"
        _, shown, _ = self.preview(deployment(paused=False), live, "--applier", "kubectl")
        self.assertEqual((shown["changed"][1:], shown["reverted_by"]), (
            [".spec.replicas"], [{"path": ".spec.replicas", "manager": "kube-controller-manager"}]))

    def test_the_policy_decides_the_exit_status(self):
        for fail_on, expected in (("deny", 0), ("warn", 1), ("audit", 1)):
            self.assertEqual(self.preview(self.manifest, self.live, "--force-conflicts", "--fail-on", fail_on)[0], expected)

    def test_overrides_match_who_would_apply(self):
        """A policy that allows a user or group something does not allow it to an unknown user."""
        policy = self.folder / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n"
                          "- match: {users: [alice]}\n  rules: {ownership-conflict: {action: off}}\n"
                          "- match: {groups: [sre]}\n  rules: {ownership-conflict: {action: off}}\n")
        common = ("--force-conflicts", "--fail-on", "warn", "--policy", policy)
        for who, expected, said in (
                ((), 1, "2 overrides of the policy match users or groups and are not applied"), (("--user", "alice"), 0, "1 override"),
                (("--group", "dev", "--group", "sre"), 0, "1 override"), (("--user", "bob", "--group", "dev"), 1, "")):
            with self.subTest(who):
                status, _, errors = self.preview(self.manifest, self.live, *common, *who)
                self.assertEqual(status, expected)
                self.assertTrue(said in errors if said else not errors, errors)

    def test_flux_always_takes(self):
        _, shown, _ = self.preview(self.manifest, self.live, "--applier", "flux")
        self.assertEqual(shown["verdict"]["findings"][0]["taker"]["manager"], "kustomize-controller")

    @staticmethod
    def edited(*entries, **metadata):
        """Fields that Flux applies, and fields that others added."""
        return config_map(*entries, ("kubectl-edit", "Update", data("b")), ("kubectl", "Apply", data("c")),
                          ("my-operator", "Update", data("d")), data={"a": "1", "b": "1", "c": "1", "d": "1"}, metadata=metadata)

    def test_flux_removes_what_kubectl_added(self):
        """Protects an edit that undone-change warned of: the preview says that it goes, too."""
        own = ("kustomize-controller", "Apply", data("a"))
        for live, removed in ((self.edited(own), [".data.b", ".data.c"]),
                              (self.edited(own, ("kustomize-controller", "Update", data("d"))), [".data.b", ".data.c"]),
                              (self.edited(("before-first-apply", "Update", data("a"))), [".data.b", ".data.c"]),
                              (config_map(("x", "Apply", data("b")), data={"b": "1"}), [])):
            with self.subTest(live=live):
                status, shown, _ = self.preview(config_map(data={"a": "1"}), live, "--applier", "flux", "--policy", STRICT)
                self.assertEqual((status, shown["removed"], shown["conflicts"], shown["verdict"]["findings"]), (0, removed, [], []))
        _, shown, _ = self.preview(config_map(data={"a": "1", "b": "2"}), self.edited(own), "--applier", "flux")
        self.assertEqual((shown["changed"], shown["removed"], shown["conflicts"]), ([".data.b"], [".data.c"], []))

    def test_a_map_that_the_manifest_has_does_not_stay(self):
        """An Update entry owns the map that it made, an Apply entry what is in it."""
        made = {"f:data": {".": {}, "f:a": {}, "f:b": {}}}
        live = config_map(("kubectl-client-side-apply", "Update", made), ("x", "Apply", data("b")), data={"a": "1", "b": "1"})
        _, shown, _ = self.preview(config_map(data={"a": "1"}), live, "--applier", "flux")
        self.assertEqual([each["path"] for each in shown["kept"]], [".data.b"])

    def test_flux_leaves_alone_what_says_so(self):
        own, fluxcd = ("kustomize-controller", "Apply", data("a")), "kustomize.toolkit.fluxcd.io"
        for option in ({"annotations": {f"{fluxcd}/ssa": "merge"}}, {"labels": {f"{fluxcd}/ssa": "Ignore"}},
                       {"annotations": {f"{fluxcd}/ssa": "IfNotPresent"}}, {"labels": {f"{fluxcd}/reconcile": "disabled"}}):
            for live, manifest in ((option, {}), ({}, option)):
                with self.subTest(live=live, manifest=manifest):
                    _, shown, _ = self.preview(
                        config_map(data={"a": "1"}, metadata=manifest), self.edited(own, **live), "--applier", "flux")
                    self.assertEqual(shown["removed"], [])

    def test_flux_without_its_manifest(self):
        """It is unknown which fields others took from Flux, so none of them is shown as removed."""
        live = self.file("l", self.edited(("kustomize-controller", "Apply", data("a"))))
        _, output, _ = run("cm/c", "--live", live, "--applier", "flux", "-o", "json")
        self.assertEqual(json.loads(output)["removed"], [])

    def test_helm_is_refused_by_its_own_name(self):
        status, shown, _ = self.preview(self.manifest, self.live, "--applier", "helm")
        self.assertEqual((status, len(shown["conflicts"])), (1, 2))

    def test_a_field_manager_that_the_api_server_refuses(self):
        for name, words in (("", "--field-manager is empty; name a field manager"), ("a" * 200, "128 bytes"), ("a\u202e", "cannot be printed")):
            with self.subTest(words):
                status, _, errors = self.preview(self.manifest, self.live, "--field-manager", name)
                self.assertEqual(status, 2)
                self.assertIn(words, errors)

    def test_the_field_manager_may_be_another_one(self):
        _, shown, _ = self.preview(self.manifest, self.live, "--field-manager", "them")
        self.assertEqual([each["path"] for each in shown["conflicts"]], [".data.b"])

    def test_an_equal_value_is_shared(self):
        _, shown, _ = self.preview(config_map(data={"a": "1"}), self.live)
        self.assertEqual(shown["conflicts"], [])

    def test_kubectl_takes_what_it_applied_client_side(self):
        """As the API server lets the manager kubectl, and no other."""
        declared = config_map(data={"a": "1"})
        live = config_map(("kubectl-client-side-apply", "Update", data("a")), data={"a": "1"},
                          metadata={"annotations": {LAST_APPLIED: json.dumps(declared)}})
        status, shown, _ = self.preview(config_map(data={"a": "2"}), live)
        self.assertEqual((status, shown["conflicts"]), (0, []))
        status, shown, _ = self.preview(config_map(data={"a": "2"}), live, "--field-manager", "ci")
        self.assertEqual((status, len(shown["conflicts"])), (1, 1))
        live["data"]["a"] = "edited"
        self.assertEqual(self.preview(config_map(data={"a": "2"}), live)[0], 1)

    def test_what_kubectl_did_not_apply_client_side_it_does_not_take(self):
        """Beside what it did; and an annotation of another version of the object takes from no manager."""
        annotation = {LAST_APPLIED: json.dumps(config_map(data={"a": "1"}))}
        live = config_map(("kubectl-client-side-apply", "Update", data("a", "b")), ("them", "Apply", data("c")),
                          data=dict.fromkeys("abc", "1"), metadata={"annotations": annotation})
        for values, paths in ({"a": "2", "b": "1"}, []), ({"a": "2", "b": "2"}, [".data.b"]), ({"a": "2", "c": "2"}, [".data.c"]):
            status, shown, _ = self.preview(config_map(data=values), live)
            self.assertEqual((status, [each["path"] for each in shown["conflicts"]]), (1 if paths else 0, paths))
        annotation[LAST_APPLIED] = json.dumps({**config_map(data={"a": "1"}), "apiVersion": "example.com/v1"})
        self.assertEqual([each["path"] for each in self.preview(config_map(data={"a": "2"}), live)[1]["conflicts"]], [".data.a"])


    def test_what_kubectl_takes_over_from_itself_nobody_puts_back(self):
        """Another tool whose entry it takes over may well apply again, and so may kubectl itself where it takes over nothing."""
        manifest = config_map(data={"a": "2"})
        for manager, fields, arguments, told in (
                ("kubectl-client-side-apply", {}, (), False), ("argocd-controller", {}, ("--force-conflicts",), True),
                ("kubectl-client-side-apply", {"fieldsV1": data("a")}, ("--force-conflicts",), True),
                ("kubectl-client-side-apply", {}, ("--applier", "helm", "--force-conflicts"), True)):
            live = declared({"a": "1"}, applier=manager)
            live["metadata"]["managedFields"][0].update(fields)
            _, shown, _ = self.preview(manifest, live, *arguments)
            self.assertEqual([(each["path"], each["manager"]) for each in shown["reverted_by"]], [(".data.a", manager)] if told else [],
                             (manager, arguments))

    def test_what_kubectl_does_not_take_over_it_does_not_remove(self):
        """For a subresource, another version of the object, a server-side apply, and without the annotation."""
        for change in {"subresource": "status"}, {"apiVersion": "v2"}, {"operation": "Apply"}, {"fieldsV1": data("a", "b")}:
            live = declared({"a": "1", "b": "1"})
            live["metadata"]["managedFields"][0].update(change)
            self.assertNotIn("notes", self.preview(config_map(data={"a": "1"}), live)[1], change)


    def test_what_kubectl_removes_when_it_applies_again(self):
        """It takes over what it applied client-side, once it has applied server-side, and nothing that others have, too."""
        live = declared(dict.fromkeys("abc", "1"), others=[("them", "Apply", data("c"))])
        status, shown, _ = self.preview(config_map(data={"a": "2"}), live)
        again = "kubectl removes it, too, when it has taken over what kubectl-client-side-apply owns, and applies again"
        verdict = "what the policy says of kubectl's second apply: the verdict is of the first one"
        self.assertEqual((status, shown["removed"], shown["notes"]), (0, [], [f".data.b: {again}", verdict]))
        # Under another name it does not keep the annotation.
        _, shown, _ = self.preview(config_map(data={"a": "1"}), live, "--field-manager", "ci")
        self.assertEqual(shown["notes"], [f".data.b: {again}", f"{ANNOTATION}: {again}", verdict])
        for arguments, objects in ((("--applier", "helm", "--field-manager", "ci"), live), ((), declared({"a": "1"}))):
            self.assertNotIn("notes", self.preview(config_map(data={"a": "1"}), objects, *arguments)[1])


class Refusals(Preview):
    def refused(self, manifest, live, *arguments):
        status, shown, errors = self.preview(manifest, live, *arguments)
        self.assertEqual((status, errors, shown["verdict"]), (1, "", None))
        return " ".join(shown["refused"])

    def test_an_immutable_field(self):
        fields = {"f:spec": {"f:selector": {}}}
        live = {**config_map(("kubectl", "Apply", fields)), "apiVersion": "apps/v1", "kind": "Deployment",
                "spec": {"selector": {"matchLabels": {"app": "a"}}, "template": {"metadata": {"labels": {"app": "a", "next": "b"}}}}}
        manifest = copy.deepcopy(live)
        del manifest["metadata"]["managedFields"]
        manifest["spec"]["selector"]["matchLabels"] = {"next": "b"}
        self.assertEqual(self.refused(manifest, live), ".spec.selector changes, and it may not")
        del manifest["spec"]
        self.assertIn(".spec.selector goes away", self.refused(manifest, live))

    def test_each_immutable_field(self):
        """None may change, or go away unless its default is the same. tests/cluster asks a real API server."""
        bound = ("v1", "PersistentVolumeClaim")
        stateful, storage, role = ("apps/v1", "StatefulSet"), ("storage.k8s.io/v1", "StorageClass"), {"kind": "Role", "name": "r"}
        rows = [
            (*bound, "spec.accessModes", ["ReadWriteOnce"], ["ReadOnlyMany"]), (*bound, "spec.storageClassName", "a", "b"),
            (*bound, "spec.volumeMode", "Block", "Filesystem"), (*stateful, "spec.podManagementPolicy", "Parallel", "OrderedReady"),
            (*stateful, "spec.serviceName", "a", "b"), (*storage, "parameters", {"a": "1"}, {"a": "2"}),
            (*storage, "reclaimPolicy", "Retain", "Delete"), (*storage, "volumeBindingMode", "WaitForFirstConsumer", "Immediate"),
            (*storage, "provisioner", "a", "b"), ("v1", "Secret", "type", "a/b", "c/d"),
            (*bound, "spec.dataSourceRef", {"kind": "a"}, {"kind": "b"}), ("v1", "ResourceQuota", "spec.scopes", ["Terminating"], ["BestEffort"]),
            ("v1", "Node", "spec.providerID", "a", "b"), ("events.k8s.io/v1", "Event", "reason", "a", "b"),
            ("networking.k8s.io/v1", "ServiceCIDR", "spec.cidrs", ["10.1.0.0/24"], ["10.2.0.0/24"]),
            ("batch/v1", "Job", "spec.completionMode", "Indexed", "NonIndexed"),
            ("scheduling.k8s.io/v1", "PriorityClass", "value", 1, 2), ("node.k8s.io/v1", "RuntimeClass", "handler", "a", "b"),
            ("rbac.authorization.k8s.io/v1", "RoleBinding", "roleRef", role, {**role, "name": "s"}),
            ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "roleRef", role, {**role, "kind": "ClusterRole"})]
        for version, kind, field, value, other in rows:
            def make(*entries, **holds):
                *outer, name = field.split(".")
                holds = {name: holds["value"]} if holds else {}
                return {**config_map(*entries), "apiVersion": version, "kind": kind, **({outer[0]: holds} if outer else holds)}
            *outer, name = field.split(".")
            owned = {f"f:{name}": {f"f:{key}": {} for key in value} if isinstance(value, dict) else {}}
            live = make(("kubectl", "Apply", {f"f:{outer[0]}": owned} if outer else owned), value=value)
            with self.subTest(f"{kind} {field}"):
                self.assertEqual(self.preview(make(value=value), live)[1]["refused"], [])
                self.assertRegex(self.refused(make(value=other), live), rf"^\.{field} changes, and it may not")
                self.assertRegex(self.refused(make(), live), rf"^\.{field} (changes, and it may not|goes away, and it may not change)")

    def test_what_of_a_pod_may_change(self):
        def pod(*entries, **spec):
            return {**config_map(*entries), "apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", "image": "i", **spec.pop("c", {})}], **spec}}
        fields = {"f:spec": {f"f:{name}": {} for name in ("tolerations", "activeDeadlineSeconds", "terminationGracePeriodSeconds", "schedulingGates", "priority")}}
        taint, added = {"key": "k", "operator": "Exists"}, {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
        gate = {"name": "e.com/g"}
        for before, after, is_refused in (
                ({"tolerations": [taint, added]}, {"tolerations": [taint]}, False), ({"tolerations": [taint]}, {"tolerations": [{**taint, "tolerationSeconds": 3}]}, False),
                ({"tolerations": [taint]}, {"tolerations": [taint, {"key": "l", "operator": "Exists"}]}, False), ({"tolerations": [taint]}, {}, True),
                ({"tolerations": [taint]}, {"tolerations": [{**taint, "effect": "NoSchedule"}]}, True),
                ({"activeDeadlineSeconds": 9}, {"activeDeadlineSeconds": 8}, False), ({"activeDeadlineSeconds": 9}, {"activeDeadlineSeconds": 10}, True),
                ({"activeDeadlineSeconds": 9}, {}, True), ({}, {"activeDeadlineSeconds": 9}, False),
                ({"terminationGracePeriodSeconds": 30}, {"terminationGracePeriodSeconds": 31}, True), ({"terminationGracePeriodSeconds": 30}, {}, False),
                ({"schedulingGates": [gate]}, {}, False), ({"schedulingGates": [gate]}, {"schedulingGates": [gate, {"name": "e.com/h"}]}, True),
                ({}, {"schedulingGates": [gate]}, True), ({"priority": 0}, {}, False), ({"priority": 0}, {"priority": 5}, True),
                ({"schedulingGates": [gate], "nodeSelector": {"a": "b"}}, {"schedulingGates": [gate], "nodeSelector": {"a": "b", "c": "d"}}, False),
                ({"schedulingGates": [gate], "nodeSelector": {"a": "b"}}, {"schedulingGates": [gate], "nodeSelector": {"a": "c"}}, True),
                ({"c": {"resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}}}, {"c": {"resources": {"limits": {"cpu": "1"}}}}, False)):
            with self.subTest(before=before, after=after):
                live = pod(("kubectl", "Apply", fields), **copy.deepcopy(before))
                shown = self.preview(pod(**copy.deepcopy(after)), live, "--applier", "kubectl-server", "--force-conflicts")[1]
                self.assertEqual(bool(shown["refused"]), is_refused, shown["refused"])

    def test_the_size_of_a_claim(self):
        def claim(size, *entries, **status):
            return {**config_map(*entries), "apiVersion": "v1", "kind": "PersistentVolumeClaim", "status": status, "spec": {
                "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}}
        entry = ("kubectl", "Apply", {"f:spec": {"f:resources": {"f:requests": {"f:storage": {}}}}})
        bound = {"phase": "Bound", "capacity": {"storage": "1Gi"}}
        for before, after, status, is_refused in (
                ("1Gi", "2Gi", bound, False), ("3Gi", "2Gi", bound, False), ("3Gi", "1024Mi", bound, True), ("1Gi", "512Mi", bound, True),
                ("1Gi", "1024Mi", bound, False), ("1Gi", "2Gi", {"phase": "Pending"}, True)):
            with self.subTest(before=before, after=after):
                shown = self.preview(claim(after), claim(before, entry, **status), "--applier", "kubectl-server")[1]
                self.assertEqual(bool(shown["refused"]), is_refused, shown["refused"])

    def test_a_default_that_is_the_same_is_no_change(self):
        live = {**config_map(("kubectl", "Apply", {"f:reclaimPolicy": {}})), "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
                "reclaimPolicy": "Delete"}
        status, shown, _ = self.preview({**live, "metadata": {"name": "c"}, "reclaimPolicy": None}, live)
        self.assertEqual((status, shown["refused"], shown["changed"], shown["removed"]), (0, [], [], []))

    def test_parts_that_may_change(self):
        """Orders and second items, what a binding or a driver sets, and drivers that come and go."""
        def make(version, kind, spec, **status):
            return {**config_map(), "apiVersion": version, "kind": kind, "spec": spec, **({"status": status} if status else {})}
        claim = {"resources": {"requests": {"storage": "1Gi"}}}
        larger = {"resources": {"requests": {"storage": "2Gi"}}}
        address = {"type": "ClusterIP", "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
        balanced = {"type": "LoadBalancer", "loadBalancerClass": "a"}
        driver, other = {"name": "a", "nodeID": "n"}, {"name": "b", "nodeID": "n"}
        for version, kind, before, after, status, refused in (
                ("v1", "ResourceQuota", {"scopes": ["Terminating", "BestEffort"]}, {"scopes": ["BestEffort", "Terminating"]}, {}, False),
                ("v1", "PersistentVolumeClaim", claim, larger, {"phase": "Bound"}, False), ("v1", "PersistentVolumeClaim", claim, larger, {}, False),
                ("v1", "PersistentVolumeClaim", claim, larger, {"phase": "Pending"}, True),
                ("v1", "PersistentVolumeClaim", {}, {"volumeAttributesClassName": "a"}, {"phase": "Pending"}, False),
                ("v1", "PersistentVolumeClaim", {"volumeAttributesClassName": "a"}, {"volumeAttributesClassName": "b"}, {"phase": "Pending"}, True),
                ("v1", "PersistentVolumeClaim", {"volumeAttributesClassName": "a"}, {"volumeAttributesClassName": "b"}, {"phase": "Bound"}, False),
                ("v1", "PersistentVolume", {}, {"nodeAffinity": {"required": {"nodeSelectorTerms": [{}]}}}, {}, False),
                ("v1", "PersistentVolume", {"volumeAttributesClassName": "a"}, {"volumeAttributesClassName": "b"}, {}, False),
                ("v1", "Node", {}, {"providerID": "p"}, {}, False),
                ("v1", "Service", address, {**address, "clusterIPs": ["10.0.0.1", "2001:db8::1"]}, {}, False),
                ("v1", "Service", address, {**address, "clusterIPs": ["10.0.0.2"]}, {}, True),
                ("v1", "Service", balanced, {**balanced, "loadBalancerClass": "b"}, {}, True),
                ("v1", "Service", balanced, {"type": "ClusterIP"}, {}, False),
                ("networking.k8s.io/v1", "ServiceCIDR", {"cidrs": ["10.1.0.0/24"]}, {"cidrs": ["10.1.0.0/24", "2001:db8::/112"]}, {}, False),
                ("storage.k8s.io/v1", "CSINode", {"drivers": [driver]}, {"drivers": [other]}, {}, False),
                ("storage.k8s.io/v1", "CSINode", {"drivers": [driver]}, {"drivers": [{**driver, "allocatable": {"count": 1}}, other]}, {}, False),
                ("storage.k8s.io/v1", "CSINode", {"drivers": [driver, other]}, {"drivers": [other, {**driver, "nodeID": "m"}]}, {}, True)):
            with self.subTest(kind=kind, before=before, after=after):
                _, shown, _ = self.preview(make(version, kind, after), make(version, kind, before, **status), "--applier", "argocd")
                self.assertEqual(bool(shown["refused"]), refused, shown["refused"])

    def test_what_of_a_job_may_change(self):
        def job(image="i", *entries, **spec):
            template = {"metadata": {"labels": {"a": "b"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": image}]}}
            return {**config_map(*entries), "apiVersion": "batch/v1", "kind": "Job", "spec": {"template": template, "parallelism": 1, **spec}}
        for manifest, live, refused in (
                (job("j"), job(), True), (job("i", parallelism=2), job(), False), (job("i", activeDeadlineSeconds=5), job(), False),
                (job("j", suspend=True), job(suspend=True), True)):
            _, shown, _ = self.preview(manifest, live, "--applier", "kubectl")
            self.assertEqual(["template" in each for each in shown["refused"]], [True] * refused, manifest)
        suspended, other = job(suspend=True), job(suspend=True)
        other["spec"]["template"]["spec"]["nodeSelector"] = {"zone": "a"}
        self.assertEqual(self.preview(other, suspended, "--applier", "kubectl")[1]["refused"], [])
        # A CronJob makes new Jobs.
        cron = {**config_map(), "apiVersion": "batch/v1", "kind": "CronJob", "spec": {"jobTemplate": {"spec": job()["spec"]}}}
        changed = {**cron, "spec": {"jobTemplate": {"spec": job("j")["spec"]}}}
        self.assertEqual(self.preview(changed, cron, "--applier", "kubectl")[1]["refused"], [])

    def test_what_of_a_pod_may_change(self):
        def pod(**container):
            return {**config_map(), "kind": "Pod", "spec": {"containers": [{"name": "c", "image": "i", **container}]}}
        self.assertEqual(self.preview(pod(image="j"), pod(), "--applier", "kubectl")[1]["refused"], [])
        self.assertIn(".spec.containers changes", self.refused(pod(args=["a"]), pod(), "--applier", "kubectl"))

    def test_fields_of_a_pod_that_may_change_in_one_direction(self):
        def pod(*entries, **spec):
            return {**config_map(*entries), "kind": "Pod", "spec": {"containers": [{"name": "c", "image": "i"}], **spec}}
        one, other = {"key": "a", "operator": "Exists"}, {"key": "b", "value": "c"}
        plugins = {"key": "e.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
        gates = [{"name": "e.com/g"}, {"name": "e.com/h"}]
        for field, before, after, refused in (
                ("activeDeadlineSeconds", None, 60, False), ("activeDeadlineSeconds", 60, 30, False), ("activeDeadlineSeconds", 60, 90, True),
                ("activeDeadlineSeconds", 60, None, True), ("terminationGracePeriodSeconds", 60, 30, True), ("terminationGracePeriodSeconds", -1, 1, False),
                ("tolerations", [one], [other, one], False), ("tolerations", [one, other], [other], True), ("tolerations", [one], [], True),
                ("tolerations", [one], [{**one, "tolerationSeconds": 5, "effect": "NoExecute"}], True), ("tolerations", [plugins], [], False),
                ("tolerations", [{**one, "tolerationSeconds": 5}], [{**one, "tolerationSeconds": 6}], False),
                ("schedulingGates", gates, gates[:1], False), ("schedulingGates", gates[:1], gates, True), ("schedulingGates", None, gates, True)):
            with self.subTest(field, before=before, after=after):
                owned = {f'k:{{"name":"{each["name"]}"}}': {".": {}} for each in gates} if field == "schedulingGates" else {}
                live = pod(("kubectl", "Apply", {"f:spec": {f"f:{field}": owned}}), **({field: before} if before else {}))
                _, shown, _ = self.preview(pod(**({field: after} if after is not None else {})), live)
                self.assertEqual([each.partition(" ")[0] for each in shown["refused"]], [f".spec.{field}"] * refused)

    def test_the_address_of_a_service(self):
        """It stays if the manifest no longer has it, and may change to and from ExternalName."""
        fields = {"f:spec": {"f:clusterIP": {}, "f:type": {}}}
        def service(*entries, **spec):
            return {**config_map(*entries), "kind": "Service", "spec": spec}
        live = service(("kubectl", "Apply", fields), type="ClusterIP", clusterIP="10.0.0.1", clusterIPs=["10.0.0.1"])
        self.assertEqual(self.refused(service(type="ClusterIP", clusterIP="10.0.0.2"), live), ".spec.clusterIP changes, and it may not")
        self.assertIn(".spec.clusterIP", self.refused(service(type="ClusterIP", clusterIP="None"), live))
        _, shown, _ = self.preview(service(type="ClusterIP"), live)
        self.assertEqual((shown["refused"], shown["changed"], shown["removed"]), ([], [], []))
        self.assertEqual(self.preview(service(type="ExternalName", externalName="e.com"), live)[1]["refused"], [])

    def test_labels_annotations_and_finalizers(self):
        long = "x" * 64
        for metadata, word in (
                ({"labels": {"a b": "c"}}, ".metadata.labels.a b: it is not a valid key"), ({"labels": {"a": "b c"}}, ".metadata.labels.a: a label has"),
                ({"labels": {"a": long}}, ".metadata.labels.a: a label has"), ({"annotations": {"a/b/c": "d"}}, "not a valid key of an annotation"),
                ({"annotations": {"a": "x" * 262144}}, ".metadata.annotations are too long"),
                ({"finalizers": ["a b"]}, ".metadata.finalizers[0]: it is not a valid finalizer")):
            self.assertIn(word, self.refused(config_map(metadata=metadata), []))
        fine = {"labels": {"e.com/A_b.c": "", "a": "B_c.d"}, "annotations": {"E.com/a": "b c"}, "finalizers": ["e.com/f"]}
        self.assertEqual(self.preview(config_map(metadata=fine), [])[1]["refused"], [])
        deleted = config_map(("kubectl", "Apply", data("a")), data={"a": "1"}, metadata={
            "deletionTimestamp": "2026-11-20T00:00:00Z", "finalizers": ["e.com/f"]})
        manifest = config_map(data={"a": "1"}, metadata={"finalizers": ["e.com/f", "e.com/g"]})
        self.assertIn(".metadata.finalizers.e.com/g is new", self.refused(manifest, deleted))
        self.assertIn(".spec.template.metadata.labels.a", self.refused(deployment(template={"metadata": {"labels": {"a": "-"}}}), []))

    def test_annotations_with_what_kubectl_writes(self):
        big = config_map(data={"a": "x" * 262000})
        self.assertIn("too long", self.refused(big, [], "--applier", "kubectl"))
        for applier in ("kubectl-server", "flux", "helm"):
            self.assertEqual(self.preview(big, [], "--applier", applier)[1]["refused"], [])

    def test_what_is_not_base64(self):
        for kind, field in (("Secret", "data"), ("ConfigMap", "binaryData")):
            for text, valid in (("cGxhaW4=", True), ("cGxh\naW4=", True), ("", True), ("plain text", False), ("cGxhaW4", False), ("=cGx", False)):
                _, shown, _ = self.preview({**config_map(), "kind": kind, field: {"k": text}}, [])
                self.assertEqual(shown["refused"] == [], valid, text)
                self.assertNotIn("plain text is", " ".join(shown["refused"]))

    def test_fields_that_exclude_each_other(self):
        """The merged object counts: the fields that another manager keeps stay, in addition to the manifest's."""
        live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default", "managedFields": [
                    {"manager": "kubectl-create", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
                     "fieldsV1": {"f:spec": {"f:strategy": {"f:type": {}, "f:rollingUpdate": {".": {}, "f:maxSurge": {}}}}}}]},
                "spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}}
        manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"strategy": {"type": "Recreate"}}}
        self.assertIn(".spec.strategy.rollingUpdate: it may not be there", self.refused(manifest, live, "--force-conflicts"))
        # kubectl's patch removes it: the strategy retains only the keys of the manifest.
        self.assertEqual(self.preview(manifest, live, "--applier", "kubectl")[1]["refused"], [])

    def test_items_that_kubectl_cannot_merge(self):
        """Without the key by which it merges them."""
        def pods(*containers):
            return deployment(template={"spec": {"containers": list(containers)}})
        live = pods({"name": "b", "image": "i"})
        live["metadata"]["annotations"] = {LAST_APPLIED: "{}"}
        status, shown, _ = self.preview(pods({"image": "i"}), live, "--applier", "kubectl")
        self.assertEqual((status, shown["refused"]), (1, ["an item of a list that merges by name has no name"]))

    def test_conditions_in_the_manifest(self):
        """
        If uid or resourceVersion differ from the live object's, the API server refuses the apply. An object that is not there
        may have any resourceVersion, as from kubectl get of another cluster, and client-side any uid, too.
        """
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"}, metadata={"uid": "u", "resourceVersion": "7"})
        other, absent = ["has another"], ["is not there"]
        for name, value, objects, server_side, client_side in (
                ("uid", "u", [live], [], []), ("uid", "8", [live], other, other), ("uid", "u", [], absent, []),
                ("resourceVersion", "7", [live], [], []), ("resourceVersion", "8", [live], other, other),
                ("resourceVersion", "7", [], [], []), ("resourceVersion", "0", [live], [], [])):
            for applier, words in (("kubectl-server", server_side), ("kubectl", client_side)):
                manifest = config_map(data={"a": "2"}, metadata={name: value})
                _, shown, _ = self.preview(manifest, objects, "--applier", applier)
                self.assertEqual([f"metadata.{name}" in each and words[0] in each for each in shown["refused"]], [True] * len(words),
                                 (name, value, applier))

    def test_an_immutable_object(self):
        live = config_map(("kubectl", "Apply", {**data("a"), "f:immutable": {}}), data={"a": "1"}, immutable=True)
        self.assertIn(".data changes, and it may not: the object is immutable", self.refused(config_map(data={"a": "2"}, immutable=True), live))

    def test_each_part_of_an_immutable_object(self):
        for kind, name, value, other, refused in (
                ("ConfigMap", "binaryData", {"a": "MQ=="}, {"a": "Mg=="}, ".binaryData changes, and it may not: the object is immutable"),
                ("Secret", "data", {"a": "MQ=="}, {"a": "Mg=="}, ".data changes, and it may not: the object is immutable"),
                ("ConfigMap", "immutable", True, False, ".immutable changes, and it may not: the object is immutable"), ("Widget", "data", {"a": "1"}, {"a": "2"}, ""),
                ("ConfigMap", "metadata", {}, {"labels": {"a": "b"}}, "")):
            def make(*entries, immutable=True, **holds):
                made = {**config_map(*entries), "kind": kind, "immutable": immutable, **({"apiVersion": "e.com/v1"} if kind == "Widget" else {})}
                return {**made, **holds, "metadata": {**made["metadata"], **holds.get("metadata", {})}}
            live = make(("kubectl", "Apply", {}), **{name: value})
            _, shown, _ = self.preview(make(**{name: other}), live, "--force-conflicts")
            self.assertEqual(refused in " ".join(shown["refused"]), True, kind)
            self.assertEqual(bool(shown["refused"]), bool(refused), kind)
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"}, immutable=False)
        self.assertEqual(self.preview(config_map(data={"a": "2"}), live)[1]["refused"], [])

    def test_duplicate_keys_of_a_list(self):
        ports = [{"port": 80, "protocol": "TCP"}, {"port": 80, "protocol": "TCP"}]
        manifest = {**config_map(), "kind": "Service", "spec": {"ports": ports}}
        self.assertTrue(self.refused(manifest, []))

    def test_values_of_other_types(self):
        """Each of them is reported, for each applier; what may be of several types is not."""
        container = {"name": "web", "image": "i", "command": "sleep", "ports": {"containerPort": 80}, "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
                     "livenessProbe": {"httpGet": {"port": 80}}, "args": None}
        manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {
            "replicas": "3", "paused": 1, "selector": [], "template": {"spec": {"containers": [container]}}}}
        for applier in ("kubectl", "kubectl-server", "helm", "flux"):
            self.assertEqual(self.refused(manifest, [], "--applier", applier), " ".join((
                ".spec.paused is a number and must be a boolean",
                ".spec.replicas is a string and must be a number",
                ".spec.selector is a list and must be a map",
                ".spec.template.spec.containers[0].command is a string and must be a list",
                ".spec.template.spec.containers[0].ports is a map and must be a list")), applier)

    def test_fields_that_are_required(self):
        """If the live object lacks one, too, it was enough for the API server."""
        template = ".spec.template.spec.containers[0]."
        whole = deployment(template={"spec": {"containers": [{"name": "c", "image": "i", "env": [{"name": "A"}]}]}})
        bare = deployment(template={"spec": {"containers": [{"name": "c", "image": "", "env": [{"value": "a"}]}]}})
        self.assertEqual(self.refused(bare, []), f"{template}image: it is required {template}env[0].name: it is required")
        self.assertEqual(self.refused(bare, whole, "--applier", "kubectl-server", "--force-conflicts"),
                         f"{template}image: it is required {template}env[1].name: it is required")
        self.assertEqual(self.preview(bare, bare, "--applier", "kubectl-server")[1]["refused"], [])

    def test_stored_versions(self):
        """The API server keeps each version of a CustomResourceDefinition in which objects may be stored."""
        def definition(*versions, **members):
            return {**config_map(metadata={"name": "ws.example.com"}), "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                    "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "W", "plural": "ws"}, "versions": [
                        {"name": name, "served": True, "storage": name == versions[0], "schema": {"openAPIV3Schema": {"type": "object"}}}
                        for name in versions]}, **members}
        live = definition("v1", "v1alpha1", status={"storedVersions": ["v1alpha1", "v1"]})
        live["metadata"]["managedFields"] = config_map(("kubectl", "Apply", {}))["metadata"]["managedFields"]
        self.assertIn("status.storedVersions", self.refused(definition("v1"), live, "--applier", "kubectl"))
        self.assertEqual(self.preview(definition("v1", "v1alpha1"), live, "--applier", "kubectl")[1]["refused"], [])

    def test_conditions_and_managed_fields_in_the_manifest(self):
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"}, metadata={"uid": "u", "resourceVersion": "7"})
        for metadata, word in (({"resourceVersion": "6"}, "metadata.resourceVersion"), ({"uid": "v"}, "metadata.uid")):
            self.assertIn(word, self.refused(config_map(data={"a": "1"}, metadata=metadata), live))
        self.assertIn("managedFields", self.refused(copy.deepcopy(live), live))
        # An empty list is a list, null is not, and kubectl's patch has the lists of the live object.
        self.assertIn("managedFields", self.refused(config_map(data={"a": "1"}, metadata={"managedFields": []}), live))
        self.assertEqual(self.preview(config_map(data={"a": "1"}, metadata={"managedFields": None}), live)[1]["refused"], [])
        self.assertEqual(self.preview(copy.deepcopy(live), live, "--applier", "kubectl")[1]["refused"], [])


class Stored(Preview):
    """The form in which the API server stores an object."""
    APPLIERS = "kubectl", "kubectl-server"

    def secret(self, *entries, **values):
        return {**config_map(*entries, **values), "kind": "Secret"}

    def test_the_string_data_of_a_secret(self):
        for applier in self.APPLIERS:
            manifest = self.secret(stringData={"a": "hello", "b": "x", "c": "new"}, data={"a": "b2xk"})
            live = self.secret(data={"a": "aGVsbG8=", "b": "eQ=="})
            _, shown, _ = self.preview(manifest, live, "--applier", applier)
            self.assertEqual(([path for path in shown["set"] if path != ANNOTATION], shown["changed"]), ([".data.c"], [".data.b"]))
            _, created, _ = run("-f", self.folder / "manifest.json", "--live", os.devnull, "-o", "object", "--applier", applier)
            self.assertEqual(json.loads(created)["data"], {"a": "***", "b": "***", "c": "***"})
            self.assertNotIn("stringData", json.loads(created))

    def test_the_string_data_that_is_dropped_stays_as_data(self):
        declared_twice = {"f:stringData": {"f:a": {}, "f:gone": {}, "f:moved": {}}}
        live = self.secret(("kubectl", "Apply", declared_twice), data={"a": "MQ==", "gone": "Mg==", "moved": "Mw=="})
        _, shown, _ = self.preview(self.secret(stringData={"a": "1"}, data={"moved": "Mw=="}), live)
        self.assertEqual((shown["removed"], shown["kept"]), ([], [{"path": ".data.gone", "managers": []}]))
        last_applied = json.dumps(self.secret(stringData={"a": "1", "gone": "2"}, metadata={"annotations": {}})) + "\n"
        live = self.secret(data={"a": "MQ==", "gone": "Mg=="}, metadata={"annotations": {LAST_APPLIED: last_applied}})
        live["metadata"]["managedFields"] = self.secret(("kubectl-client-side-apply", "Update", data("a", "gone")))["metadata"]["managedFields"]
        _, shown, _ = self.preview(self.secret(stringData={"a": "1"}), live, "--applier", "kubectl")
        self.assertEqual([each["path"] for each in shown["kept"]], [".data.gone"])

    def test_the_string_data_of_the_last_apply(self):
        """managedFields has the name in the manifest, and the object the stored one."""
        live = self.secret(("kubectl", "Apply", {"f:stringData": {"f:a": {}}}), data={"a": "MQ==", "b": "Mg=="})
        _, output, _ = run("secret/c", "--live", self.file("live.json", live), "-o", "json")
        shown = json.loads(output)
        self.assertEqual([shown[part] for part in ("set", "changed", "removed", "kept", "conflicts")], [[]] * 5)

    def test_memory_does_not_grow_with_the_square_of_string_data(self):
        manifest = self.file("m.json", self.secret(stringData={f"k{number}": "v" for number in range(5000)}))
        with subprocess.Popen([APPLYGUARD, "preview", "-f", manifest, "--live", os.devnull], stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss, 400 * 1024)

    def test_what_is_no_secret_has_no_string_data(self):
        """Nor the type of one: what another group calls a Secret, and what else has a type."""
        widget = {**config_map(stringData={"a": "1"}), "apiVersion": "example.com/v1", "kind": "Secret"}
        self.assertIn("stringData", self.stored(widget))
        service = {**config_map(spec={"ports": [{"port": 80}]}, type=""), "kind": "ConfigMap"}
        self.assertNotIn("Opaque", json.dumps(self.stored(service, applier="argocd")))
        self.assertEqual(self.preview(self.secret(stringData=["a"]), [])[1]["refused"], [".stringData is a list and must be a map"])

    def test_people_see_that_nobody_owns_what_stays(self):
        live = self.secret(("kubectl", "Apply", {"f:stringData": {"f:a": {}}}), data={"a": "MQ=="})
        self.assertIn("  stays     .data.a: no manager owns it\n", run("-f", self.file("m.json", self.secret()), "--live", self.file("l.json", live))[1])

    def test_an_empty_list_where_null_is_stays_null(self):
        """Fields of Kubernetes' own types; another value changes it, and a custom resource is stored as it is."""
        entry = {"manager": "m", "operation": "Update", "apiVersion": "rbac.authorization.k8s.io/v1", "fieldsType": "FieldsV1", "fieldsV1": {}}

        def role(rules, kind="Role", group="rbac.authorization.k8s.io", **metadata):
            return {"apiVersion": f"{group}/v1", "kind": kind, "metadata": {"name": "r", "namespace": "default", **metadata}, "rules": rules}
        for applier in self.APPLIERS:
            for rules, kind, changed in (([], {}, []), ([{"verbs": ["get"]}], {}, [".rules"]),
                                         ([], {"kind": "Widget", "group": "example.com"}, [".rules"])):
                live = role(None, managedFields=[{**entry, "apiVersion": f"{kind.get('group', 'rbac.authorization.k8s.io')}/v1"}], **kind)
                _, shown, _ = self.preview(role(rules, **kind), live, "--applier", applier)
                self.assertEqual(shown["changed"], changed, (applier, rules, kind))

    def test_a_secret_without_a_type_is_opaque(self):
        for applier in self.APPLIERS:
            live = self.secret(("m", "Update", {}), type="Opaque")
            _, shown, _ = self.preview(self.secret(type=""), live, "--applier", applier)
            self.assertEqual((shown["changed"], shown["refused"]), ([], []))
            live["type"] = "kubernetes.io/tls"
            self.assertEqual(self.preview(self.secret(type=""), live, "--applier", applier)[1]["refused"], [".type changes, and it may not"])

    def pods(self, *entries, **spec):
        return deployment(*entries, template={"spec": spec})

    def test_a_service_account_has_two_names(self):
        place = ".spec.template.spec."
        fields = {"f:spec": {"f:template": {"f:spec": {"f:serviceAccountName": {}}}}}
        live = self.pods(("kubectl", "Apply", fields), serviceAccountName="a", serviceAccount="a")
        _, shown, _ = self.preview(self.pods(serviceAccountName="b"), live)
        self.assertEqual(shown["changed"], [place + "serviceAccount", place + "serviceAccountName"])
        # The value of the older name comes back.
        _, shown, _ = self.preview(self.pods(), live)
        self.assertEqual((shown["changed"], shown["removed"]), ([], []))
        self.assertEqual(shown["kept"], [{"path": place + "serviceAccountName", "managers": []}])

    def test_one_amount_has_one_form(self):
        def container(**limits):
            return {"name": "nginx", "resources": {"limits": limits}}
        fields = {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"nginx"}': {
            ".": {}, "f:name": {}, "f:resources": {"f:limits": {"f:cpu": {}, "f:memory": {}}}}}}}}}
        volume = {"name": "v", "emptyDir": {"sizeLimit": "1Gi"}}
        for manager in ("kubectl", "they"):
            live = self.pods((manager, "Apply", fields), containers=[container(cpu="1", memory="1Gi")], volumes=[volume])
            written = {"name": "v", "emptyDir": {"sizeLimit": "1024Mi"}}
            manifest = self.pods(containers=[container(cpu=1, memory="1024Mi")], volumes=[written])
            _, shown, _ = self.preview(manifest, live, "--applier", "kubectl-server")
            self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [], []))
            # Conflicts are found before that, in what was sent.
            self.assertEqual(len(shown["conflicts"]), 2 if manager == "they" else 0)

    def test_what_is_no_amount_stays(self):
        container = {"name": "c", "image": "i", "resources": {"limits": {"cpu": "much", "memory": "1024Ki"}}}
        status, output, _ = run("-f", self.file("m.json", self.pods(containers=[container])), "--live", os.devnull, "-o", "object")
        limits = json.loads(output)["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
        self.assertEqual((status, limits), (1, {"cpu": "much", "memory": "1Mi"}))
        self.assertIn("limits.cpu: it must be an amount", self.preview(self.pods(containers=[container]), [])[1]["refused"][0])

    def test_an_empty_struct_is_stored(self):
        """It says which of several it is, as `emptyDir: {}` of a volume does."""
        spec = {"volumes": [{"name": "v", "emptyDir": {}}], "containers": [{"name": "c", "image": "i", "args": [], "securityContext": {}}], "nodeSelector": {}}
        stored = self.stored(self.pods(**spec))["spec"]["template"]["spec"]
        self.assertEqual(stored, {"volumes": spec["volumes"], "containers": [{"name": "c", "image": "i", "securityContext": {}}]})

    def test_the_annotation_that_kubectl_keeps_does_not_hold_itself(self):
        """Also where the manifest has it, as one that kubectl get printed."""
        live = declared({"a": "1"})
        manifest = config_map(data={"a": "2"}, metadata={"annotations": {LAST_APPLIED: "{}", "b": "c"}})
        written = json.loads(self.stored(manifest, live, arguments=["--force-conflicts"])["metadata"]["annotations"][LAST_APPLIED])
        self.assertEqual((written["metadata"]["annotations"], written["data"]), ({"b": "c"}, {"a": "2"}))

    def test_amounts_of_limit_ranges(self):
        bounds = ("default", "defaultRequest", "max", "maxLimitRequestRatio", "min")
        limits = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "web"},
                  "spec": {"limits": [{"type": "Container", **{bound: {"cpu": "2000m"} for bound in bounds}}]}}
        _, output, _ = run("-f", self.file("m.json", limits), "--live", os.devnull, "-o", "object")
        stored = json.loads(output)["spec"]["limits"][0]
        self.assertEqual([stored[bound] for bound in bounds], [{"cpu": "2"}] * len(bounds))

    def test_a_default_of_a_definition_is_no_amount(self):
        """A LimitRange has amounts under that name; a CustomResourceDefinition any JSON."""
        schema = {"type": "object", "properties": {"spec": {"type": "object", "default": {"replicas": 1}}}}
        definition = {**config_map(metadata={"name": "widgets.example.com"}), "apiVersion": "apiextensions.k8s.io/v1",
                      "kind": "CustomResourceDefinition", "spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}}
        live = {**definition, "metadata": config_map(("kubectl", "Apply", {}), metadata={"name": "widgets.example.com"})["metadata"]}
        self.assertEqual(self.preview(definition, live)[1]["changed"], [])

    def test_names_like_amounts_elsewhere(self):
        values = {"sizeLimit": "1000m", "limits": "1000m"}
        manifest = config_map(data=values, metadata={"labels": values})
        _, output, _ = run("-f", self.file("m.json", manifest), "--live", os.devnull, "-o", "object")
        self.assertEqual((json.loads(output)["data"], json.loads(output)["metadata"]["labels"]), (values, values))

    def test_what_is_left_out(self):
        """Empty lists and maps, nulls, and zeros, where Go leaves them out."""
        container = {"name": "c", "env": [{"name": "A", "value": ""}], "args": [], "resources": {}}
        manifest = self.pods(hostNetwork=False, nodeSelector={}, tolerations=None, securityContext={}, containers=[container])
        manifest["metadata"]["labels"] = {}
        last_applied = copy.deepcopy(manifest)
        last_applied["metadata"]["annotations"] = {}
        annotation = {LAST_APPLIED: json.dumps(last_applied) + "\n"}
        fields = {"f:spec": {"f:template": {"f:spec": {"f:hostNetwork": {}, "f:nodeSelector": {}, "f:containers": {
            'k:{"name":"c"}': {".": {}, "f:name": {}, "f:env": {'k:{"name":"A"}': {".": {}, "f:name": {}, "f:value": {}}}}}}}}}
        stored = {"securityContext": {}, "containers": [{"name": "c", "env": [{"name": "A"}], "resources": {}}]}
        for applier, entries, metadata in (("kubectl-server", [("kubectl", "Apply", fields)], {}),
                                           ("kubectl", [("m", "Update", {})], {"annotations": annotation})):
            live = self.pods(*entries, **stored)
            live["metadata"].update(metadata)
            _, shown, _ = self.preview(manifest, live, "--applier", applier)
            # kubectl leaves nulls out of the annotation that it writes.
            self.assertEqual((shown["set"], [path for path in shown["changed"] if path != ANNOTATION], shown["removed"]), ([], [], []), applier)
            live["spec"]["template"]["spec"]["hostNetwork"] = True
            _, shown, _ = self.preview(manifest, live, "--applier", applier)
            self.assertEqual(shown["removed"], [".spec.template.spec.hostNetwork"])
        # A value other than zero is never left out.
        owned = {"f:spec": {"f:template": {"f:spec": {"f:hostNetwork": {}, "f:priority": {}, "f:nodeName": {}}}}}
        _, shown, _ = self.preview(self.pods(hostNetwork=True, priority=1, nodeName="n"), self.pods(("kubectl", "Apply", owned)))
        self.assertEqual([path.rpartition(".")[2] for path in shown["set"]], ["hostNetwork", "nodeName", "priority"])
        # Some fields may be false or missing.
        _, shown, _ = self.preview(self.pods(automountServiceAccountToken=False, hostPID=False), self.pods(("m", "Update", {})))
        self.assertEqual(shown["set"], [".spec.template.spec.automountServiceAccountToken"])

    def test_what_is_left_out_of_lists_that_are_one_value(self):
        for applier in self.APPLIERS:
            for lives in [], [{**config_map(("m", "Update", {})), "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "spec": {
                    "podSelector": {}, "ingress": [{}]}}]:
                policy = {**config_map(), "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "spec": {"podSelector": {"matchExpressions": []}, "ingress": [
                    {"from": [{"ipBlock": {"cidr": "192.0.2.0/24", "except": []}}], "ports": []}]}}
                self.assertEqual(self.stored(policy, *lives, applier=applier)["spec"], {
                    "podSelector": {}, "ingress": [{"from": [{"ipBlock": {"cidr": "192.0.2.0/24"}}]}]})

    def test_what_is_left_out_of_the_metadata_of_a_custom_resource(self):
        metadata = {"labels": {}, "finalizers": [], "annotations": {"a": None}}
        widget = {**config_map(metadata=metadata), "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"labels": {}}}
        stored = self.stored(widget)
        self.assertEqual((stored["metadata"].keys() & metadata.keys(), stored["metadata"]["annotations"]["a"], stored["spec"]), ({"annotations"}, "", {"labels": {}}))

    def test_a_zero_that_is_left_out_is_no_change_of_an_immutable_field(self):
        container = {"name": "c", "image": "i"}
        pod = {**config_map(), "kind": "Pod", "spec": {"hostNetwork": False, "hostIPC": False, "containers": [{**container, "stdin": False, "workingDir": ""}]}}
        live = {**config_map(("m", "Update", {})), "kind": "Pod", "spec": {"containers": [container]}}
        for applier in self.APPLIERS:
            _, shown, _ = self.preview(pod, live, "--applier", applier)
            self.assertEqual(([path for path in shown["set"] if path != ANNOTATION], shown["refused"]), ([], []), applier)

    def test_a_list_that_is_never_left_out_is_null(self):
        role = {**config_map(), "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "rules": []}
        live = {**role, "rules": [{"verbs": ["get"]}], "metadata": config_map(("kubectl", "Apply", {"f:rules": {}}))["metadata"]}
        for lives in [], [live]:
            self.assertIsNone(self.stored(role, *lives)["rules"])

    def stored(self, manifest, *lives, arguments=(), applier="kubectl-server"):
        """The object after the apply."""
        status, output, errors = run("-f", self.file("m.json", manifest), "--live", self.file("l.json", *lives), "-o", "object", "--applier", applier,
                                     *arguments)
        self.assertEqual((status, errors), (0, ""))
        return json.loads(output)

    def test_what_is_any_json_stays_as_it_is(self):
        """Nulls and numbers in a default of a CustomResourceDefinition, which go through no type of Go."""
        def definition(value, *entries, **metadata):
            schema = {"type": "object", "properties": {"spec": {"type": "object", "default": value}}}
            return {**config_map(*entries, metadata={"name": "widgets.example.com", **metadata}), "apiVersion": "apiextensions.k8s.io/v1",
                    "kind": "CustomResourceDefinition", "spec": {
                        "group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
                        "versions": [{"name": "v1", "storage": True, "schema": {"openAPIV3Schema": schema}}]}}
        value, other = {"a": None, "n": 1, "l": [None, {"b": None}]}, {"a": None, "n": 2}
        for applier, manager, operation in ("kubectl", "kubectl-client-side-apply", "Update"), ("kubectl-server", "kubectl", "Apply"):
            live = definition(other, (manager, operation, {"f:spec": {"f:versions": {}}}), annotations={LAST_APPLIED: json.dumps(definition(other))})
            for lives in [], [live]:
                after = self.stored(definition(value), *lives, applier=applier)
                schema = after["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
                self.assertEqual(schema, {"type": "object", "default": value}, (applier, lives))

    def test_no_text_and_no_amount_of_a_map_or_list_is_null(self):
        """Go has "" and 0 instead, so that the same apply again changes nothing."""
        container = {"name": "c", "image": "i", "args": [None], "resources": {"limits": {"cpu": None}}}
        manifest = self.pods(containers=[container], nodeSelector={"a": None})
        manifest["metadata"].update(labels={"a": None}, annotations={"a": None})
        stored = {"containers": [{**container, "args": [""], "resources": {"limits": {"cpu": "0"}}}], "nodeSelector": {"a": ""}}
        for applier in self.APPLIERS:
            after = self.stored(manifest, applier=applier)
            self.assertEqual((after["spec"]["template"]["spec"], after["metadata"]["labels"], after["metadata"]["annotations"]["a"]),
                             (stored, {"a": ""}, ""))
        after["metadata"].update(self.pods(("kubectl", "Apply", {}))["metadata"])
        _, shown, _ = self.preview(manifest, after)
        self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [], []))
        # An API server drops, or keeps, a null of a custom resource by its schema.
        widget = {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"a": {"b": None}, "c": [None]}}
        self.assertEqual(self.stored(widget)["spec"], widget["spec"])

    def test_nulls_of_the_live_object_stay(self):
        """Older API servers write a pod template's creationTimestamp so; no apply removes it."""
        def live(**metadata):
            return deployment(("kubectl-client-side-apply", "Update", {}), replicas=1, template={"metadata": {**metadata, "creationTimestamp": None}})
        for labels in {"a": "b"}, {"a": "c"}:
            for applier in "kubectl", "kubectl-server", "helm":
                _, shown, _ = self.preview(deployment(replicas=1, template={"metadata": {"labels": labels}}), live(labels={"a": "b"}), "--applier", applier)
                self.assertEqual(shown["removed"], [], applier)

    def test_a_null_that_its_owner_drops_is_there_again(self):
        """The API server writes null for a Role without rules."""
        def role(*entries, **rules):
            return {**config_map(*entries), "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", **rules}
        _, shown, _ = self.preview(role(), role(("kubectl", "Apply", {"f:rules": {}}), rules=None))
        self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [], []))

    def test_nulls_in_items_that_are_one_value_are_left_out(self):
        """Also where the client-side patch replaces the list."""
        def role(*entries, **rule):
            return {**config_map(*entries), "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "rules": [{"apiGroups": [""], "verbs": ["get"], **rule}]}
        for applier in self.APPLIERS:
            for lives in [], [role(("kubectl-client-side-apply", "Update", {}), resources=["pods"])]:
                after = self.stored(role(resources=["secrets"], resourceNames=None), *lives, applier=applier)
                self.assertEqual(after["rules"], [{"apiGroups": [""], "verbs": ["get"], "resources": ["secrets"]}])

    def test_fields_that_the_schema_does_not_have(self):
        """kubectl asks for strict validation, and the API server refuses each server-side apply of such fields."""
        manifest = self.pods(containers=[{"name": "nginx", "imag": "i", "image": "i"}])
        manifest["spec"]["replica"] = 3
        paths = [".spec.replica", '.spec.template.spec.containers[name="nginx"].imag']
        refused = [f"{path}: the schema has no such field" for path in paths]
        for applier in (*self.APPLIERS, "argocd"):
            status, shown, _ = self.preview(manifest, [], "--applier", applier)
            if applier == "argocd":
                self.assertEqual((shown["notes"], shown["refused"], status), (
                    [f"{each}, so the API server refuses the apply or drops the field" for each in refused], [], 0))
            else:
                self.assertEqual((shown["refused"], shown.get("notes"), status), (refused, None, 1), applier)
            self.assertEqual([path for path in shown["set"] if path.endswith((".replica", ".imag"))], [])
            # An API server that has the field knows it.
            known = {**deployment(("other", "Update", {"f:spec": {"f:replica": {}}}), replica=2), "status": {"new": 1}}
            _, shown, _ = self.preview(deployment(replica=3), known, "--applier", applier)
            self.assertEqual(([path for path in shown["changed"] if path != ANNOTATION], shown.get("notes"), shown["refused"]),
                             ([".spec.replica"], None, []))

    def test_an_api_server_may_be_newer_than_the_schema(self):
        """A policy says so as it does for `applyguard check`. The definition of a custom resource is that of the API server."""
        policy = self.file("newer.yaml", {
            "apiVersion": "applyguard.io/v1", "kind": "Policy", "rules": {"schema": {"action": "warn"}}})
        _, shown, _ = self.preview(deployment(replica=3), [], "--policy", policy)
        self.assertEqual((shown["refused"], len(shown["notes"])), ([], 1))
        widget = {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"parts": [{"id": "a", "m": 1}]}}
        _, shown, _ = self.preview(widget, [], "--policy", policy, "--crd", self.file("crd.json", CustomResources.crd))
        self.assertEqual(len(shown["refused"]), 1)

    def test_of_many_fields_that_the_schema_does_not_have_some_are_told(self):
        for count, last in (16, ".spec.x15: "), (17, "and 1 more"), (40, "and 24 more"):
            manifest = deployment(**{f"x{number:02}": 1 for number in range(count)})
            _, shown, _ = self.preview(manifest, [])
            self.assertEqual(len(shown["refused"]), min(count, 17))
            self.assertTrue(shown["refused"][-1].startswith(last), shown["refused"][-1])

    def test_fields_that_the_schema_does_not_have_in_one_value(self):
        """In lists that are one value, items with such fields go by their positions."""
        old_backend = {"serviceName": "web", "servicePort": 80}
        rules = [{"host": "a"}, {"host": "b", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": old_backend}]}}]
        ingress = {**config_map(), "apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "spec": {"rules": rules}}
        service = {**config_map(), "kind": "Pod", "spec": {"affinity": {"nodeAffinity": {"x": 1}}}}
        for manifest, paths in ((ingress, [f".spec.rules[1].http.paths[0].backend.{name}" for name in old_backend]),
                                (service, [".spec.affinity.nodeAffinity.x"]),
                                (deployment(selector={"matchLabel": {"app": "web"}}), [".spec.selector.matchLabel"])):
            for applier in self.APPLIERS:
                _, shown, _ = self.preview(manifest, [], "--applier", applier)
                found = [each.partition(":")[0] for each in shown["refused"] if each.endswith("no such field")]
                self.assertEqual(found, paths, applier)
            _, output, _ = run("-f", self.folder / "manifest.json", "--live", os.devnull, "-o", "object")
            self.assertNotIn("servicePort", output)

    def test_fields_that_a_custom_resource_does_not_have(self):
        widget = {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"parts": [{"id": "a", "m": 1}]}}
        _, shown, _ = self.preview(widget, [], "--crd", self.file("crd.json", CustomResources.crd))
        self.assertEqual((shown["set"], shown["refused"]), (
            ['.spec.parts[id="a"].id'], ['.spec.parts[id="a"].m: the schema has no such field']))


class Defaults(Preview):
    """A default takes the place of what a manifest leaves out, also within lists and maps that are one value."""
    def parts(self, manifest, live, *arguments):
        status, shown, errors = self.preview(manifest, live, *arguments)
        self.assertEqual(errors, "")
        return shown["set"], shown["changed"], shown["removed"]

    @staticmethod
    def policy(protocol=None, port=80):
        fields = {"f:spec": {"f:ingress": {}, "f:podSelector": {}}}
        ports = [{"port": port, **({"protocol": protocol} if protocol else {})}]
        return {**config_map(*([("kubectl", "Apply", fields)] if protocol else [])), "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy",
                "spec": {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"ports": ports}]}}

    def test_in_a_list_that_is_one_value(self):
        self.assertEqual(self.parts(self.policy(), self.policy("TCP")), ([], [], []))
        self.assertEqual(self.parts(self.policy(), self.policy("UDP")), ([], [".spec.ingress"], []))
        done = run("-f", self.file("m.json", self.policy(port=81)), "--live", self.file("l.json", self.policy("TCP")), "-o", "diff")
        self.assertEqual([line for line in done[1].splitlines() if line[0] in "+-"][2:], ["-    - port: 80", "+    - port: 81"])

    def test_in_claim_templates_and_field_references(self):
        claim = {"metadata": {"name": "v"}, "spec": {"accessModes": ["ReadWriteOnce"]}}
        stored = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **claim, "spec": {**claim["spec"], "volumeMode": "Filesystem"},
                  "status": {"phase": "Pending"}}
        def stateful(templates, field, *entries):
            env = [{"name": "POD", "valueFrom": {"fieldRef": field}}]
            pod = {"containers": [{"name": "c", "image": "i", "env": env}]}
            return {**deployment(*entries, volumeClaimTemplates=templates, template={"spec": pod}), "kind": "StatefulSet"}
        owned = {"f:spec": {"f:volumeClaimTemplates": {}, "f:template": {"f:spec": {"f:containers": {'k:{"name":"c"}': {
            ".": {}, "f:name": {}, "f:image": {}, "f:env": {'k:{"name":"POD"}': {".": {}, "f:name": {}, "f:valueFrom": {"f:fieldRef": {}}}}}}}}}}
        live = stateful([stored], {"apiVersion": "v1", "fieldPath": "metadata.name"}, ("kubectl", "Apply", owned))
        self.assertEqual(self.parts(stateful([claim], {"fieldPath": "metadata.name"}), live), ([], [], []))

    def test_nulls_that_older_api_servers_write(self):
        """The template of a claim has `creationTimestamp: null` before Kubernetes 1.34."""
        def stateful(claim, *entries):
            return {**deployment(*entries, volumeClaimTemplates=[claim]), "kind": "StatefulSet"}
        stored = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "v", "creationTimestamp": None},
                  "spec": {"volumeMode": "Filesystem", "resources": {}}, "status": {"phase": "Pending"}}
        live = stateful(stored, ("kubectl", "Apply", {"f:spec": {"f:volumeClaimTemplates": {}}}))
        self.assertEqual(self.parts(stateful({"metadata": {"name": "v"}}), live), ([], [], []))

    def test_a_field_that_is_dropped(self):
        owned = {"f:spec": {"f:revisionHistoryLimit": {}, "f:paused": {}, "f:minReadySeconds": {}}}
        def web(*entries, **spec):
            return deployment(*entries, paused=True, **spec)
        live = web(("kubectl", "Apply", owned), revisionHistoryLimit=3, minReadySeconds=5)
        self.assertEqual(self.parts(web(), live), ([], [".spec.revisionHistoryLimit"], [".spec.minReadySeconds"]))
        self.assertEqual(self.parts(web(), web(("kubectl", "Apply", owned), revisionHistoryLimit=10)), ([], [], []))

    def test_the_default_of_an_image_goes_by_its_tag(self):
        def pods(image, *entries, **container):
            return deployment(*entries, template={"spec": {"containers": [{"name": "c", "image": image, **container}]}})
        owned = {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"c"}': {
            ".": {}, "f:name": {}, "f:image": {}, "f:imagePullPolicy": {}}}}}}}
        for image, policy in (("i:1", "IfNotPresent"), ("i", "Always"), ("i:latest", "Always"), ("e.com:5000/i", "Always"),
                              ("i@sha256:" + "0" * 64, "IfNotPresent")):
            self.assertEqual(self.parts(pods(image), pods(image, ("kubectl", "Apply", owned), imagePullPolicy=policy)), ([], [], []), image)

    def test_amounts_are_copied(self):
        def limits(*entries, **limit):
            return {**config_map(*entries), "kind": "LimitRange", "spec": {"limits": [{"type": "Container", **limit}]}}
        live = limits(("kubectl", "Apply", {"f:spec": {"f:limits": {}}}), max={"cpu": "2"}, default={"cpu": "2"}, defaultRequest={"cpu": "2"})
        self.assertEqual(self.parts(limits(max={"cpu": "2"}), live), ([], [], []))

    def test_those_of_a_definition(self):
        """At any depth; conflicts are found before them."""
        item = {"type": "object", "properties": {"name": {"type": "string"}, "weight": {"type": "integer", "default": 1}, "path": {
            "type": "object", "default": {}, "properties": {"type": {"type": "string", "default": "Prefix"}}}}}
        crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "routes.e.com"}, "spec": {
            "group": "e.com", "names": {"kind": "Route", "plural": "routes"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "mode": {"type": "string", "default": "a"}, "rules": {"type": "array", "items": item}}}}}}}]}}
        def route(rules, *entries, **spec):
            return {**config_map(*entries), "apiVersion": "e.com/v1", "kind": "Route", "spec": {"rules": rules, **spec}}
        live = route([{"name": "a", "weight": 1, "path": {"type": "Prefix"}}], ("kubectl", "Apply", {"f:spec": {"f:rules": {}, "f:mode": {}}}), mode="b")
        definition = "--crd", self.file("crd.json", crd)
        self.assertEqual(self.parts(route([{"name": "a"}], mode="b"), live, *definition), ([], [], []))
        self.assertEqual(self.parts(route([{"name": "a"}]), live, *definition), ([], [".spec.mode"], []))
        _, shown, _ = self.preview(route([{"name": "a"}], mode="b"), live, *definition, "--field-manager", "other")
        self.assertEqual([each["path"] for each in shown["conflicts"]], [".spec.rules"])

    def test_new_objects_have_none(self):
        _, shown, _ = self.preview(deployment(paused=True), [])
        self.assertEqual(shown["set"], [".spec.paused"])


class ServerSet(Preview):
    """Fields that the API server itself keeps, drops or sets in each update."""
    def after(self, manifest, live, *arguments):
        _, shown, _ = self.preview(manifest, live, *arguments)
        _, output, _ = run("-f", self.folder / "manifest.json", "--live", self.folder / "live.json", "-o", "object", *arguments)
        return json.loads(output), shown

    @staticmethod
    def service(*entries, **spec):
        return {**config_map(*entries), "kind": "Service", "spec": spec}

    def live_service(self, **spec):
        fields = {"f:spec": {f"f:{name}": {} for name in spec if name != "ports"}}
        return self.service(("kubectl", "Apply", fields), sessionAffinity="None", clusterIP="10.0.0.1", clusterIPs=["10.0.0.1"], ipFamilies=["IPv4"],
                            ipFamilyPolicy="SingleStack", internalTrafficPolicy="Cluster", **spec)

    def test_a_service_loses_what_its_new_type_does_not_have(self):
        port = {"name": "a", "port": 80, "protocol": "TCP"}
        live = self.live_service(type="LoadBalancer", ports=[{**port, "nodePort": 30001}], externalTrafficPolicy="Cluster", allocateLoadBalancerNodePorts=True,
                                 loadBalancerClass="e.com/a")
        del live["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:loadBalancerClass"]
        object_after, shown = self.after(self.service(type="ClusterIP", ports=[port]), live, "--force-conflicts")
        self.assertEqual(shown["refused"], [])
        self.assertEqual(object_after["spec"], {
            "type": "ClusterIP", "ports": [port], "sessionAffinity": "None", "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"], "ipFamilies": ["IPv4"],
            "ipFamilyPolicy": "SingleStack", "internalTrafficPolicy": "Cluster"})
        object_after, shown = self.after(self.service(type="ExternalName", externalName="e.com"), live, "--force-conflicts")
        self.assertEqual(set(object_after["spec"]) & set(live["spec"]), {"type", "ports", "sessionAffinity"})
        # A number that the manifest gives stays, and the API server refuses it.
        object_after, _ = self.after(self.service(type="ClusterIP", ports=[{**port, "nodePort": 30002}]), live, "--force-conflicts")
        self.assertEqual(object_after["spec"]["ports"], [{**port, "nodePort": 30002}])

    def test_a_service_that_is_reached_from_outside_has_a_traffic_policy(self):
        """By its type, or by addresses, which the table of defaults does not know."""
        ports = [{"name": "a", "port": 80, "protocol": "TCP"}]
        live = self.live_service(type="LoadBalancer", ports=ports, externalTrafficPolicy="Local", externalIPs=["192.0.2.1"])
        for spec, policy in (({"type": "ClusterIP", "externalIPs": ["192.0.2.1"]}, "Cluster"), ({"type": "NodePort"}, "Cluster"),
                             ({"type": "ClusterIP"}, None)):
            with self.subTest(spec):
                object_after, shown = self.after(self.service(ports=ports, **spec), live)
                self.assertEqual(object_after["spec"].get("externalTrafficPolicy"), policy)
                self.assertIn(".spec.externalTrafficPolicy", shown["changed" if policy else "removed"])

    def test_a_service_keeps_its_numbers(self):
        """Also if the manifest drops them."""
        port = {"name": "a", "port": 80, "protocol": "TCP"}
        live = self.live_service(type="LoadBalancer", ports=[{**port, "nodePort": 30001}], externalTrafficPolicy="Local", healthCheckNodePort=30002)
        live["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:ports"] = {'k:{"port":80,"protocol":"TCP"}': {"f:name": {}, "f:nodePort": {}}}
        object_after, shown = self.after(self.service(type="LoadBalancer", ports=[port], externalTrafficPolicy="Local"), live)
        self.assertEqual((object_after["spec"], shown["refused"]), (live["spec"], []))

    def test_a_session_that_another_manager_holds_gets_the_default_timeout(self):
        """Its owner gives up the timeout, and somebody has edited what is around it."""
        ports = [{"name": "a", "port": 80, "protocol": "TCP"}]
        spec = {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}}, "clusterIP": "10.0.0.1"}
        live = self.service(
            ("kubectl", "Apply", {"f:spec": {"f:sessionAffinityConfig": {"f:clientIP": {"f:timeoutSeconds": {}}}}}),
            ("kubectl-edit", "Update", {"f:spec": {"f:sessionAffinity": {}, "f:sessionAffinityConfig": {".": {}, "f:clientIP": {}}}}), ports=ports, **spec)
        object_after, shown = self.after(self.service(ports=ports), live)
        self.assertEqual(object_after["spec"]["sessionAffinityConfig"], {"clientIP": {"timeoutSeconds": 10800}})
        self.assertEqual(shown["changed"], [".spec.sessionAffinityConfig.clientIP.timeoutSeconds"])

    def test_a_session_that_nothing_holds_has_no_timeout(self):
        config = {"clientIP": {"timeoutSeconds": 60}}
        live = self.live_service(type="ClusterIP", ports=[{"port": 80, "protocol": "TCP"}])
        live["spec"].update(sessionAffinity="ClientIP", sessionAffinityConfig=config)
        object_after, _ = self.after(self.service(type="ClusterIP", sessionAffinity="None"), live, "--force-conflicts")
        self.assertNotIn("sessionAffinityConfig", object_after["spec"])

    def test_scaling_rules_have_defaults_by_their_direction(self):
        def autoscaler(*entries, **behavior):
            return {**config_map(*entries), "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
                    "spec": {"maxReplicas": 3, "minReplicas": 1, "scaleTargetRef": {"kind": "Deployment", "name": "a"}, "behavior": behavior}}
        percent = {"type": "Percent", "value": 100, "periodSeconds": 15}
        own = {"policies": [{"type": "Pods", "value": 2, "periodSeconds": 60}], "selectPolicy": "Max", "stabilizationWindowSeconds": 9}
        live = autoscaler(("kubectl", "Apply", {"f:spec": {"f:behavior": {
            f"f:{name}": {"f:policies": {}, "f:stabilizationWindowSeconds": {}} for name in ("scaleUp", "scaleDown")}}}), scaleUp=own, scaleDown=own)
        object_after, shown = self.after(autoscaler(scaleUp={}, scaleDown={}), live)
        self.assertEqual(object_after["spec"]["behavior"], {
            "scaleDown": {"policies": [percent], "selectPolicy": "Max"},
            "scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, percent], "selectPolicy": "Max", "stabilizationWindowSeconds": 0}})
        self.assertEqual(shown["removed"], [".spec.behavior.scaleDown.stabilizationWindowSeconds"])

    def test_names_of_a_definition(self):
        def definition(*entries, **names):
            return {**config_map(*entries, metadata={"name": "things.e.com"}), "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                    "spec": {"group": "e.com", "names": {"kind": "Thing", "plural": "things", **names}}}
        fields = {"f:spec": {"f:names": {"f:kind": {}, "f:plural": {}, "f:singular": {}, "f:listKind": {}}}}
        live = definition(("kubectl", "Apply", fields), singular="thing", listKind="ThingList")
        _, shown = self.after(definition(), live)
        self.assertEqual((shown["changed"], shown["removed"]), ([], []))
        live["spec"]["names"]["listKind"] = "Things"
        self.assertEqual(self.after(definition(), live)[0]["spec"]["names"]["listKind"], "ThingList")

    def test_the_source_of_a_claim_has_two_names(self):
        source = {"kind": "PersistentVolumeClaim", "name": "other"}
        def claim(*entries, **spec):
            return {**config_map(*entries), "kind": "PersistentVolumeClaim", "spec": spec}
        live = claim(("kubectl", "Apply", {"f:spec": {"f:dataSource": {}}}), dataSource=source, dataSourceRef=source)
        self.assertEqual(self.after(claim(dataSourceRef=source), live)[1]["removed"], [])
        live = claim(("kubectl", "Apply", {"f:spec": {"f:dataSourceRef": {}}}), dataSource=source, dataSourceRef=source)
        self.assertEqual(self.after(claim(dataSource=source), live)[1]["removed"], [])

    def test_the_network_of_a_node_has_two_names(self):
        def node(*entries, **spec):
            return {**config_map(*entries), "kind": "Node", "spec": spec}
        live = node(("kubectl", "Apply", {"f:spec": {"f:podCIDR": {}}}), podCIDR="10.1.0.0/24", podCIDRs=["10.1.0.0/24"])
        object_after, shown = self.after(node(), live)
        self.assertEqual((object_after["spec"], shown["refused"]), (live["spec"], []))
        _, shown = self.after(node(podCIDR="10.2.0.0/24"), live)
        self.assertEqual(shown["refused"], [".spec.podCIDR changes, and it may not", ".spec.podCIDRs changes, and it may not"])

    def test_labels_that_come_from_the_template(self):
        fields = {"f:metadata": {"f:labels": {"f:a": {}}}, "f:spec": {"f:selector": {}}}
        for version, kind, selector in ("v1", "ReplicationController", {"selector": {"a": "b"}}), ("batch/v1", "Job", {}):
            def make(*entries, labels=None, **spec):
                return {**config_map(*entries, metadata={"labels": labels} if labels else {}), "apiVersion": version, "kind": kind, "spec": {
                    "template": {"metadata": {"labels": {"a": "b"}}}, **spec}}
            live = make(("kubectl", "Apply", fields), labels={"a": "b"}, **selector)
            _, shown = self.after(make(), live)
            self.assertEqual((shown["changed"], shown["removed"]), ([], []), kind)

    def test_a_signing_request_stays(self):
        def request(name, *entries):
            return {**config_map(*entries), "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "spec": {
                "signerName": name, "request": "MQ==", "usages": ["client auth"]}}
        _, shown = self.after(request("e.com/b"), request("e.com/a", ("kubectl", "Apply", {"f:spec": {"f:signerName": {}}})), "--force-conflicts")
        self.assertEqual((shown["changed"], shown["refused"]), ([], []))


class Orders(Preview):
    """Items in another order are stored so, although no field has another value."""

    def order(self, live, manifest, *arguments):
        fields = {"f:spec": {"f:template": {"f:spec": {"f:containers": {
            f'k:{{"name":"{name}"}}': {".": {}, "f:name": {}} for name in live}}}}}

        def pods(*entries, names):
            return deployment(*entries, template={"spec": {"containers": [{"name": name} for name in names]}})
        before = pods(("kubectl", "Apply", fields), names=live)
        _, shown, _ = self.preview(pods(names=manifest), before, *arguments)
        status, _, _ = run("-f", self.folder / "manifest.json", "--live", self.folder / "live.json", "-o", "diff", *arguments)
        _, output, _ = run("-f", self.folder / "manifest.json", "--live", self.folder / "live.json", "-o", "object", *arguments)
        stored = [each["name"] for each in json.loads(output)["spec"]["template"]["spec"]["containers"]]
        changes = [path for part in ("set", "changed", "removed") for path in shown[part]]
        self.assertEqual(status, int(bool(changes)))
        return stored, [path.removeprefix(".spec.template.spec.containers") for path in shown["changed"] if path != ANNOTATION]

    def test_items_with_keys(self):
        for live, manifest, stored, changed in (("ab", "ab", "ab", []), ("ab", "ba", "ba", [""]), ("abc", "cab", "cab", [""]),
                                                ("ab", "xab", "xab", []), ("ab", "bxa", "bxa", [""])):
            for applier in ("kubectl-server", "kubectl"):
                self.assertEqual(self.order(live, manifest, "--applier", applier), ([*stored], changed), (live, manifest))

    def test_what_only_the_live_object_has_keeps_its_place(self):
        """Items of another manager, which applies no list of its own."""
        self.assertEqual(self.order("abc", "ca", "--field-manager", "other"), ([*"bca"], [""]))
        self.assertEqual(self.order("abc", "ac", "--field-manager", "other"), ([*"abc"], []))

    def test_sets_and_lists_that_are_one_value(self):
        finalizers = ["example.com/a", "example.com/b"]
        live = config_map(("kubectl", "Apply", {"f:metadata": {"f:finalizers": {f'v:"{each}"': {} for each in finalizers}}}),
                          metadata={"finalizers": finalizers})
        _, shown, _ = self.preview(config_map(metadata={"finalizers": finalizers[::-1]}), live)
        self.assertEqual((shown["set"], shown["changed"], shown["removed"]), ([], [".metadata.finalizers"], []))
        container = ".spec.template.spec.containers[name=\"c\"]"
        manifests = [deployment(template={"spec": {"containers": [{"name": "c", "args": args}]}}) for args in (["x", "y"], ["y", "x"])]
        _, shown, _ = self.preview(manifests[1], {**manifests[0], "metadata": deployment(("kubectl", "Apply", {}))["metadata"]},
                                   "--force-conflicts")
        self.assertEqual(shown["changed"], [container + ".args"])


class Diff(Preview):
    def diff(self, manifest, live, *arguments):
        return run("-f", self.file("m.json", manifest), "--live", self.file("l.json", *live), "-o", "diff", *arguments)

    def test_its_exit_status_is_that_of_kubectl_diff(self):
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"})
        self.assertEqual(self.diff(config_map(data={"a": "1"}), [live]), (0, "", ""))
        status, output, errors = self.diff(config_map(data={"a": "2"}), [live])
        self.assertEqual((status, errors), (1, ""))
        self.assertEqual(output, "--- live/v1.ConfigMap.default.c\n+++ merged/v1.ConfigMap.default.c\n@@ -1,6 +1,6 @@\n apiVersion: v1\n"
                                 " data:\n-  a: \"1\"\n+  a: \"2\"\n kind: ConfigMap\n metadata:\n   name: c\n")
        self.assertEqual(self.diff({"kind": "ConfigMap"}, [live])[0], 2)

    def test_lists_stand_in_their_keys_and_maps_in_them(self):
        spec = {"empty": [], "lists": [[1, "a"], [], [[True]]], "maps": [{"a": 1, "b": ["x"]}, {}, {"c": {"d": None}}], "none": {}}
        _, output, _ = self.diff({**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": spec}, [])
        shown = [line[1:] for line in output.splitlines() if line.startswith("+")]
        self.assertEqual(shown[shown.index("spec:") + 1:], [
            "  empty: []", "  lists:", "  - - 1", "    - a", "  - []", "  - - - true", "  maps:", "  - a: 1", "    b:", "    - x", "  - {}",
            "  - c:", "      d: null", "  none: {}"])

    def test_text_of_several_lines_stays_so(self):
        texts = {"a": "x\n\n  y\n", "b": "x\ny", "c": "x\n\n", "d": " x\ny\n"}
        _, output, _ = self.diff(config_map(data=texts), [])
        shown = [line[1:] for line in output.splitlines() if line.startswith("+")]
        start = shown.index("data:")
        self.assertEqual(shown[start + 1:shown.index("kind: ConfigMap")], [
            "  a: |", "    x", "", "      y", "  b: |-", "    x", "    y", "  c: |+", "    x", "", '  d: " x\\ny\\n"'])

    def test_patch_turns_one_into_the_other(self):
        """Any two objects: hunks are where they say, and lose no line."""
        dice = random.Random(7)

        def some(least):
            return {f"k{dice.randrange(40)}": str(dice.randrange(3)) for _ in range(dice.randrange(least, 40))}

        pairs = [(some(0) or {"k": "v"}, some(1)) for _ in range(40)]
        names = [{"name": f"c{number}"} for number in range(len(pairs))]
        befores, afters = ([config_map(metadata=name, data=pair[side]) for name, pair in zip(names, pairs)] for side in (0, 1))
        lives = [config_map(("kubectl", "Apply", data(*before)), metadata=name, data=before)
                 for name, (before, _) in zip(names, pairs)]
        originals, expected = (self.diffs(manifests, []) for manifests in (befores, afters))
        patches = self.diffs(afters, lives)
        self.assertGreater(len(patches), 30)
        for name in (each["name"] for each in names):
            original, wanted = ("".join(line[1:] for line in made[name][3:]) for made in (originals, expected))
            file = self.folder / "original"
            file.write_text(original)
            if name in patches:
                subprocess.run(["patch", "-s", str(file)], input="".join(patches[name]).encode(), check=True, timeout=60)
            self.assertEqual(file.read_text(), wanted)

    def diffs(self, manifests, lives):
        """The lines of the diff of each object, by its name."""
        _, output, _ = run("-f", self.file("m.json", *manifests), "--live", self.file("l.json", *lives), "-o", "diff")
        diffs = {}
        for line in output.splitlines(keepends=True):
            if line.startswith("--- live/"):
                of = diffs.setdefault(line.rstrip().rsplit(".", 1)[1], [])
            of.append(line)
        return diffs

    def test_values_of_secrets_are_masked(self):
        live = config_map(("kubectl", "Apply", data("a", "b", "gone")), data={"a": "b25l", "b": "c2FtZQ==", "gone": "Z29uZQ=="},
                          metadata={"annotations": {LAST_APPLIED: '{"data":{"a":"b25l"}}'}})
        manifest = config_map(data={"a": "dHdv", "b": "c2FtZQ=="}, stringData={"s": "hunter2"})
        live["kind"] = manifest["kind"] = "Secret"
        status, output, _ = self.diff(manifest, [live])
        self.assertEqual(status, 1)
        for mask in ("-  a: '*** (before)'", "+  a: '*** (after)'", "   b: '***'", "-  gone: '***'", "+  s: '***'"):
            self.assertIn(mask.replace("'", '"'), output.replace("'", '"'))
        for value in ("b25l", "dHdv", "c2FtZQ", "Z29uZQ", "hunter2"):
            self.assertNotIn(value, output)
            for form in ("text", "json"):
                self.assertNotIn(value, run("-f", self.folder / "m.json", "--live", self.folder / "l.json", "-o", form)[1])

    def test_manifests_without_an_object_are_the_fault_and_not_the_live_object(self):
        file = self.folder / "m.yaml"
        (self.folder / "l.json").write_text(json.dumps(config_map(("kubectl", "Apply", data("a")), data={"a": "b"})))
        for text in ("", "---\n", "null\n"):
            file.write_text(text)
            self.assertEqual(run("-f", file, "--live", self.folder / "l.json"), (2, "", f"{file}: error: it holds no object\n"))

    def test_nothing_else_of_a_secret_may_hold_a_value(self):
        """Other tools have an annotation like kubectl's, and a misspelled field holds what was meant for another."""
        copy = {"metacontroller.k8s.io/last-applied-configuration": '{"data":{"p":"SFVOVEVSbGE="}}', "note": "SFVOVEVSbGE="}
        live = config_map(("kubectl", "Apply", data("p")), data={"p": "SFVOVEVSbGE="}, metadata={"annotations": copy, "labels": {"l": "shown"}})
        manifest = config_map(data={"p": "SFVOVEVSbGE="}, stringdata={"s": "SFVOVEVSbGE="}, password=["SFVOVEVSbGE="],
                              metadata={"annotations": {"note": "other"}})
        live["kind"] = manifest["kind"] = "Secret"
        for form in ("diff", "object", "text", "json"):
            for given in (manifest, {**manifest, "apiVersion": "example.com/v1"}):
                with self.subTest(form, given=given["apiVersion"]):
                    (self.folder / "m.json").write_text(json.dumps(given))
                    (self.folder / "l.json").write_text(json.dumps({**live, "apiVersion": given["apiVersion"]}))
                    output = run("-f", self.folder / "m.json", "--live", self.folder / "l.json", "-o", form)[1]
                    self.assertNotIn("SFVOVEVSbGE", output)
                    self.assertEqual("shown" in output, form in ("diff", "object"), output)


class CustomResources(Preview):
    def widget(self, *parts, fields=None):
        entries = (("kubectl", "Apply", fields),) if fields else ()
        return {**config_map(*entries), "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"parts": list(parts)}}

    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
           "spec": {"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                    "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
                        "type": "object", "properties": {"parts": {
                            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"],
                            "items": {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}}}}}}}}}]}}

    VALUES = {
        "required": ["must"],
        "properties": {
            "must": {"type": "boolean"}, "preset": {"type": "string", "default": "x"}, "text": {"type": "string", "minLength": 1, "maxLength": 3},
            "open": {"type": "string", "nullable": True}, "choice": {"type": "string", "enum": ["a", "b"]},
            "openChoice": {"type": "string", "enum": ["a"], "nullable": True},
            "number": {"type": "integer", "minimum": 1, "maximum": 5}, "ratio": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            "either": {"x-kubernetes-int-or-string": True}, "any": {"x-kubernetes-preserve-unknown-fields": True},
            "items": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["a", "b", "c"]}},
            "presets": {"type": "array", "items": {"type": "string", "default": "z"}},
            "map": {"type": "object", "maxProperties": 1, "additionalProperties": {"type": "string"}},
            "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            "name": {"type": "string", "pattern": "^[a-z]+$"}, "folded": {"type": "string", "pattern": "(?i)^[a-z]+$"},
            "address": {"type": "string", "format": "ipv4"}, "mail": {"type": "string", "format": "email"}, "own": {"type": "string", "format": "own"},
            "small": {"type": "integer", "format": "int32"}, "even": {"type": "integer", "multipleOf": 2},
            "port": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}], "allOf": [{"maximum": 9}, {"pattern": "^[a-z]"}]},
            "source": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "string"}, "c": {"type": "string"}},
                       "oneOf": [{"required": ["b"]}, {"required": ["c"]}], "not": {"required": ["b"], "properties": {"b": {"pattern": "^no"}}}},
            "oneOrOther": {"type": "string", "anyOf": [{"pattern": "\\p{L}"}, {"maxLength": 1}]},
            "object": {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {
                "metadata": {"type": "object"}, "spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}}

    def valued(self, live=None, applier="kubectl-server", **spec):
        """The refusals, and the spec that is stored."""
        crd = json.loads(json.dumps(self.crd))
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = {"type": "object", **self.VALUES}
        def widget(spec):
            return {**config_map(), "apiVersion": "example.com/v1", "kind": "Widget", "spec": spec}
        arguments = ("--crd", self.file("values.json", crd), "--applier", applier)
        lives = [widget(live)] if live else []
        _, shown, _ = self.preview(widget(spec), lives, *arguments)
        self.notes = shown.get("notes", [])
        _, output, _ = run("-f", self.folder / "manifest.json", "--live", self.folder / "live.json", "-o", "object", *arguments)
        return shown["refused"], json.loads(output)["spec"]

    def test_values_that_a_definition_does_not_allow(self):
        """As kube-apiserver 1.37 refuses them."""
        null, choice = " is null, which the schema does not allow", " is not one of the values that the schema allows"
        for spec, refused in (
                ({"text": None}, ".text" + null), ({"either": None}, ".either" + null), ({"items": [None]}, ".items[0]" + null),
                ({"map": {"a": None}}, ".map.a" + null), ({"choice": "z"}, ".choice" + choice), ({"items": ["a", "z"]}, ".items[1]" + choice),
                ({"openChoice": None}, ".openChoice" + choice), ({"number": 0}, ".number is less than the schema allows"),
                ({"number": 6}, ".number is more than the schema allows"), ({"number": 1.5}, ".number is not a whole number"),
                ({"ratio": 0}, ".ratio is less than the schema allows"), ({"text": ""}, ".text is shorter than the schema allows"),
                ({"text": "äöüß"}, ".text is longer than the schema allows"), ({"items": ["a", "b", "c"]}, ".items is longer than the schema allows"),
                ({"map": {"a": "1", "b": "1"}}, ".map is longer than the schema allows"),
                ({"name": "A"}, ".name does not match the pattern ^[a-z]+$"), ({"name": "ä"}, ".name does not match the pattern ^[a-z]+$"),
                ({"address": "1.2.3"}, ".address does not have the format ipv4"), ({"mail": "a"}, ".mail does not have the format email"),
                ({"small": 1 << 31}, ".small is too large for its format"), ({"even": 3}, ".even is not a multiple that the schema allows"),
                ({"port": 1.5}, ".port is not of the type integer or string"), ({"port": True}, ".port is not of the type integer or string"),
                ({"port": 10}, ".port is more than the schema allows"), ({"port": "1"}, ".port does not match the pattern ^[a-z]"),
                ({"source": {}}, ".source fits no schema of oneOf"), ({"source": {"b": "1", "c": "1"}}, ".source fits several schemas of oneOf"),
                ({"source": {"b": "none"}}, ".source fits the schema of not"),
                ({"object": {"apiVersion": "v1", "metadata": {"name": "a"}}}, ".object.kind is required"),
                ({"object": {"apiVersion": "v1", "kind": "A", "metadata": {"nam": "a"}}}, ".object.metadata.nam: the schema has no such field")):
            self.assertEqual(self.valued(must=True, **spec)[0], [".spec" + refused])
        self.assertEqual(self.valued()[0], [".spec.must is required"])
        self.assertEqual(self.valued(must=True, set=["a", "a"], applier="kubectl")[0], [".spec.set has an item twice"])

    def test_values_that_only_the_api_server_checks(self):
        """They are noted, and do not count as refused."""
        checked = " of its schema: only the API server checks it"
        for spec, note in (
                ({"folded": "1"}, ".folded may not match the pattern (?i)^[a-z]+$"), ({"mail": "a b@c"}, ".mail may not have the format email"),
                ({"oneOrOther": "ab"}, ".oneOrOther may not fit anyOf")):
            self.assertEqual(self.valued(must=True, **spec)[0], [])
            self.assertEqual(self.notes, [".spec" + note + checked])
        self.valued(must=True, oneOrOther="a", own="any")
        self.assertEqual(self.notes, [])
        self.valued(must=True, folded="1", live={"must": True, "folded": "1"})
        self.assertFalse([note for note in self.notes if checked in note])

    def test_values_that_a_definition_allows(self):
        allowed = {
            "name": "web", "address": "1.2.3.4", "mail": "a@b.c", "own": "1", "small": -5, "even": 4, "port": "http", "source": {"b": "1"},
            "must": True, "open": None, "text": "äöü", "choice": "b", "number": 5, "ratio": 0.1, "either": "1", "items": ["a", "b"], "map": {"a": ""},
            "object": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "a", "labels": {"a": "b"}, "finalizers": ["x"]}, "spec": {"a": "b"}}}
        for applier in "kubectl", "kubectl-server":
            self.assertEqual(self.valued(**allowed, applier=applier)[0], [])
        # The API server takes what was there before the definition forbade it.
        wrong = {"must": True, "text": "too long", "items": ["z"], "number": 9}
        for applier in "kubectl", "kubectl-server":
            self.assertEqual(self.valued(live=wrong, **{**wrong, "choice": "a"}, applier=applier)[0], [])
            self.assertEqual(self.valued(live=wrong, **{**wrong, "items": ["z", "a"]}, applier=applier)[0],
                             [".spec.items[0] is not one of the values that the schema allows"])

    def test_alternatives_look_at_what_is_unchanged_too(self):
        """As kube-apiserver 1.37: a part that was wrong before may stay, but not where alternatives look at it."""
        live = {"must": True, "source": {"b": "no", "a": "1"}}
        self.assertEqual(self.valued(live=live, **live)[0], [])
        self.assertEqual(self.valued(live=live, **{**live, "source": {"b": "no", "a": "2"}})[0], [".spec.source fits the schema of not"])
        live["source"] = {"b": "1", "a": "1"}
        self.assertEqual(self.valued(live=live, **{**live, "source": {"b": "1", "a": "2"}})[0], [])

    def test_defaults_take_the_place_of_nulls(self):
        refused, spec = self.valued(must=True, preset=None, presets=[None, "a"])
        self.assertEqual((refused, spec), ([], {"must": True, "preset": "x", "presets": ["z", "a"]}))
        # kubectl sends no nulls of maps.
        refused, spec = self.valued(must=True, preset=None, text=None, open=None, map={"a": None}, applier="kubectl")
        self.assertEqual((refused, spec), ([], {"must": True, "map": {}}))

    def test_a_definition_tells_the_keys_of_lists(self):
        crd = self.file("crd.json", self.crd)
        live = self.widget({"id": "a", "n": 1}, {"id": "b", "n": 1}, fields={"f:spec": {"f:parts": {}}})
        _, shown, errors = self.preview(self.widget({"id": "b", "n": 2}), live, "--crd", crd)
        self.assertEqual(errors, "")
        self.assertIn('.spec.parts[id="b"].n', shown["changed"])
        self.assertNotIn("notes", shown)

    def test_names_that_mean_something_in_pods_do_not_here(self):
        """A custom resource may have such fields, too; the API server leaves them as they are."""
        crd = copy.deepcopy(self.crd)
        properties = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        properties.update({name: {"type": "string"} for name in ("serviceAccount", "serviceAccountName", "sizeLimit")})
        manifest = {**self.widget(), "spec": {"serviceAccountName": "a", "sizeLimit": "1024Mi"}}
        _, output, _ = run("-f", self.file("m.json", manifest), "--live", os.devnull, "--crd", self.file("crd.json", crd), "-o", "object")
        self.assertEqual(json.loads(output)["spec"], manifest["spec"])

    def test_the_namespace_of_a_kind_that_is_not_known_is_that_of_the_live_object(self):
        manifest = self.widget({"id": "a"})
        del manifest["metadata"]["namespace"]
        self.assertEqual(self.preview(manifest, self.widget({"id": "a"}))[1]["namespace"], "default")
        self.assertEqual(self.preview(manifest, [])[1]["namespace"], "")

    def test_without_one_the_owners_tell_and_it_is_said(self):
        fields = {"f:spec": {"f:parts": {'k:{"id":"b"}': {".": {}, "f:id": {}, "f:n": {}}}}}
        live = self.widget({"id": "a", "n": 1}, {"id": "b", "n": 1}, fields=fields)
        _, shown, _ = self.preview(self.widget({"id": "b", "n": 2}), live)
        self.assertEqual((shown["changed"], shown["removed"]), (['.spec.parts[id="b"].n'], []))
        self.assertIn("schema of this custom resource is unknown", shown["notes"][0])
        atomic = self.widget({"id": "a"}, {"id": "b"}, fields={"f:spec": {"f:parts": {}}})
        self.assertEqual(self.preview(self.widget({"id": "b"}), atomic)[1]["changed"], [".spec.parts"])

    def test_the_owners_tell_of_several_lists(self):
        items = {'k:{"id":"a"}': {".": {}, "f:id": {}, "f:n": {}}}
        fields = {"f:metadata": {"f:labels": {"f:l": {}}}, "f:spec": {"f:more": {"f:parts": items}, "f:n": {}, "f:parts": items}}
        live = self.widget({"id": "a", "n": 1}, fields=fields)
        live["metadata"]["labels"] = {"l": "m"}
        live["spec"].update(more={"parts": [{"id": "a", "n": 1}]}, n=1)
        manifest = {**self.widget({"id": "a", "n": 2}), "metadata": config_map(metadata={"labels": {"l": "m"}})["metadata"]}
        manifest["spec"].update(more={"parts": [{"id": "a", "n": 2}]}, n=1)
        _, shown, _ = self.preview(manifest, live)
        self.assertEqual(shown["changed"], ['.spec.more.parts[id="a"].n', '.spec.parts[id="a"].n'])

    def test_definitions_are_of_a_group_a_version_and_a_kind(self):
        """Other definitions, and versions without a schema, do not help."""
        others = []
        for change in {"group": "other.com"}, {"names": {"kind": "Other", "plural": "widgets"}}:
            crd = copy.deepcopy(self.crd)
            crd["spec"].update(change)
            crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = {}
            others.append(crd)
        crd = copy.deepcopy(self.crd)
        other = copy.deepcopy(others[0]["spec"]["versions"][0])
        crd["spec"]["versions"] = [{"name": "v1alpha1"}, *crd["spec"]["versions"], {**other, "name": "v2"}]
        for definitions in [*others, crd], [crd, *others]:
            _, shown, _ = self.preview(self.widget({"id": "a", "n": 1}), [], "--crd", self.file("crd.json", *definitions))
            self.assertEqual((shown["set"], shown.get("notes")), (['.spec.parts[id="a"].id', '.spec.parts[id="a"].n'], None))
        _, shown, _ = self.preview(self.widget(), [], "--crd", self.file("crd.json", *others))
        self.assertIn("schema of this custom resource is unknown", shown["notes"][0])

    def test_the_owners_tell_a_set(self):
        fields = [{"f:spec": {"f:names": {f'v:"{name}"': {}}}} for name in "ab"]
        live = {**self.widget(), "metadata": config_map(("kubectl", "Apply", fields[0]), ("other", "Apply", fields[1]))["metadata"],
                "spec": {"names": ["a", "b"]}}
        manifest = {**self.widget(), "spec": {"names": ["c"]}}
        _, shown, _ = self.preview(manifest, live)
        self.assertEqual((shown["set"], shown["changed"], shown["removed"], shown["conflicts"]),
                         (['.spec.names[="c"]'], [], ['.spec.names[="a"]'], []))

    def test_an_item_that_leaves_a_key_out_does_not_hide_it(self):
        """The keys of the list are the keys of all items; if one item has fewer, others can still be distinguished."""
        fields = {"f:spec": {"f:parts": {'k:{"id":"a"}': {".": {}, "f:id": {}}, 'k:{"id":"b","n":1}': {".": {}, "f:id": {}, "f:n": {}}}}}
        live = self.widget({"id": "a"}, {"id": "b", "n": 1}, fields=fields)
        _, shown, _ = self.preview(self.widget({"id": "a"}, {"id": "b", "n": 1}, {"id": "b", "n": 2}), live)
        self.assertEqual((shown["refused"], shown["changed"], shown["removed"]), ([], [], []))
        self.assertEqual(shown["set"], ['.spec.parts[id="b",n=2].id', '.spec.parts[id="b",n=2].n'])

    def test_a_file_without_definitions(self):
        status, _, errors = self.preview(self.widget(), [], "--crd", self.file("none.json", config_map()))
        self.assertEqual(status, 2)
        self.assertIn("none.json: error: it holds no CustomResourceDefinition", errors)
        for spec in {}, {"versions": {"name": "v1"}}:
            formless = {**self.crd, "spec": spec}
            self.assertIn("it holds no CustomResourceDefinition", self.preview(self.widget(), [], "--crd", self.file("none.json", formless))[2])
        broken = self.folder / "broken.yaml"
        broken.write_text("a: [}\n")
        status, _, errors = self.preview(self.widget(), [], "--crd", broken)
        self.assertEqual((status, errors.count("\n")), (2, 1), errors)
        self.assertNotIn("CustomResourceDefinition", errors)

    def test_a_directory_with_definitions(self):
        folder = self.folder / "definitions"
        folder.mkdir()
        status, _, errors = self.preview(self.widget(), [], "--crd", folder)
        self.assertEqual((status, errors), (2, f"{folder}: error: it holds no object\n"))
        (folder / "below").mkdir()
        (folder / "below" / "crd.json").write_text(json.dumps(self.crd))
        status, _, errors = self.preview(self.widget(), [], "--crd", folder)
        self.assertEqual((status, errors), (2, f"{folder}: error: it holds no object; --recursive looks into its directories, too\n"))
        self.assertEqual(self.preview(self.widget(), [], "--crd", folder, "-R")[2], "")
        (folder / "crd.json").write_text(json.dumps(self.crd))
        (folder / "other.json").write_text(json.dumps(config_map()))
        status, shown, errors = self.preview(self.widget(), [], "--crd", folder)
        self.assertEqual((status, errors), (0, ""))
        self.assertNotIn("notes", shown)


class Operands(Preview):
    """KIND/NAME: of the manifests only this one, or what was applied last, once more."""

    def last_apply(self, live, operand="cm/c", *arguments):
        status, output, errors = run(operand, "--live", self.file("live.json", live), "-o", "json", *arguments)
        return status, json.loads(output) if output else None, errors

    def test_only_the_named_manifests(self):
        names = ("a", "b", "c")
        manifests = self.file("m.json", *(config_map(metadata={"name": name}, data={"x": "1"}) for name in names), deployment(replicas=1),
                              {**deployment(), "apiVersion": "example.com/v1", "kind": "Policy"})
        for operands, found in ((("cm/b",), ["b"]), (("configmaps/c", "ConfigMap/a"), ["a", "c"]), (("deploy.apps/web",), ["web"]),
                                (("deployments.v1.apps/web",), ["web"]), (("policies/web",), ["web"]), (("CONFIGMAP/a",), ["a"])):
            status, output, errors = run("-f", manifests, *operands, "--live", self.file("l"), "-o", "json")
            self.assertEqual((status, [json.loads(line)["name"] for line in output.splitlines()], errors), (0, found, ""), operands)
        for operand in ("cm/d", "deploy.example.com/web", "deploy.v2.apps/web", "svc/a", "c/a"):
            status, output, errors = run("-f", manifests, operand, "--live", self.file("l"))
            self.assertEqual((status, output), (2, ""))
            self.assertIn(f"{operand}: error: no manifest matches it", errors)

    def test_a_namespace_tells_them_apart(self):
        manifests = self.file("m.json", *(config_map(metadata={"namespace": name}, data={"x": "1"}) for name in ("one", "two")))
        for arguments, found in (((), ["one", "two"]), (("-n", "two"), ["two"])):
            _, output, _ = run("-f", manifests, "cm/c", *arguments, "--live", self.file("l"), "-o", "json")
            self.assertEqual([json.loads(line)["namespace"] for line in output.splitlines()], found)

    def test_of_several_live_objects_one_must_be_named(self):
        lives = [declared({"a": "1"}) for _ in range(2)]
        lives[1]["metadata"]["namespace"] = "two"
        for objects, arguments, said in ((lives, (), "several such objects, of several namespaces: name one with -n"),
                                         (lives, ("-n", "two"), ""), (lives, ("-n", "three"), "--live has no such object"),
                                         (lives[:1] * 2, (), "--live has several such objects")):
            status, output, errors = run("cm/c", "--live", self.file("live.json", *objects), "-o", "json", *arguments)
            self.assertEqual((status, bool(output)), (2, False) if said else (0, True))
            self.assertEqual(bool(errors), bool(said))
            self.assertIn(said, errors)

    def test_the_last_client_side_apply_sets_back_what_changed_since(self):
        live = declared({"a": "1", "b": "2"}, others=[("kubectl-edit", "Update", data("a"))], theirs="3")
        live["metadata"]["managedFields"][0]["fieldsV1"] = data("b")
        live["data"]["a"] = "edited"
        for applier in ("kubectl", "argocd"):
            status, shown, errors = self.last_apply(live, "cm/c", "--applier", applier)
            self.assertEqual((status, errors, shown["set"], shown["removed"]), (0, "", [], []))
            self.assertIn(".data.a", shown["changed"])
            self.assertEqual([(each["path"], each["manager"]) for each in shown["conflicts"]], [(".data.a", "kubectl-edit")])

    def test_kubectl_applies_the_same_manifest_server_side(self):
        """As far as the annotation goes, which kubectl keeps up to date."""
        live = declared({"a": "1"}, others=[("kubectl-edit", "Update", data("a"))])
        live["metadata"]["managedFields"][0]["fieldsV1"] = data("b")
        live["data"] = {"a": "edited"}
        status, shown, _ = self.last_apply(live)
        self.assertEqual((status, [each["path"] for each in shown["conflicts"]]), (1, [".data.a"]))
        self.assertNotIn("notes", shown)

    def test_who_applies_server_side_has_what_it_owns(self):
        """Keyed items, defaulted keys left out, empty containers, and nothing of others; applied again it changes nothing."""
        ports = {"f:ports": {'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}}}
        fields = {"f:metadata": {"f:labels": {"f:l": {}, "f:app.kubernetes.io/managed-by": {}}}, "f:spec": {"f:replicas": {}, "f:selector": {}, "f:template": {"f:spec": {
            "f:containers": {'k:{"name":"web"}': {".": {}, "f:name": {}, "f:resources": {}, **ports}}, "f:volumes": {}}}}}
        containers = [{"name": "side", "image": "s"}, {"name": "web", "image": "theirs", "resources": {},
                                                      "ports": [{"containerPort": 80, "protocol": "TCP"}]}]
        live = deployment(("them", "Update", {"f:spec": {"f:paused": {}}}), ("helm", "Apply", fields),
                          metadata={"labels": {"l": "1", "m": "2", "app.kubernetes.io/managed-by": "Helm"}}, replicas=2, paused=True, selector={"matchLabels": {"a": "b"}},
                          template={"metadata": {"labels": {"a": "b"}}, "spec": {"containers": containers, "dnsPolicy": "Default"}})
        status, shown, errors = self.last_apply(live, "deploy/web", "--applier", "helm")
        self.assertEqual((status, errors), (0, ""))
        for part in ("set", "changed", "removed", "kept", "conflicts", "refused"):
            self.assertEqual(shown[part], [], part)
        self.assertIn("fields that others have taken from this manager", shown["notes"][0])
        owned = json.loads(json.dumps(shown["verdict"]))
        self.assertEqual(owned["operation"], "UPDATE")

    def test_another_manager_than_kubectl_has_what_it_owns(self):
        """The annotation is not its own; and Helm, client-side, has none."""
        live = declared({"a": "1"}, others=[("them", "Apply", data("b"))], b="2")
        status, shown, errors = self.last_apply(live, "cm/c", "--field-manager", "them")
        self.assertEqual((status, errors, shown["set"], shown["changed"], shown["removed"]), (0, "", [], [], []))
        live["metadata"]["managedFields"][0]["manager"] = "helm"
        self.assertIn("helm has not applied it server-side", self.last_apply(live, "cm/c", "--applier", "helm")[2])

    def test_an_annotation_of_another_object(self):
        for change in {"kind": "Secret"}, {"apiVersion": "example.com/v1"}, {"metadata": {"name": "d"}}:
            live = declared({"a": "1"}, annotation=json.dumps({**config_map(data={"a": "1"}), **change}))
            self.assertIn("does not contain its manifest", self.last_apply(live, "cm/c", "--applier", "kubectl")[2], change)

    def test_objects_that_show_no_manifest(self):
        plain = config_map(("them", "Apply", data("a")), data={"a": "1"})
        copied = declared({"a": "1"})
        copied["metadata"]["name"] = "copy"
        broken = declared({"a": "1"}, annotation="{")
        for live, operand, applier, words in (
                (plain, "cm/c", "kubectl", "it has no last-applied annotation"), (plain, "cm/c", "kubectl-server", "kubectl has not applied it"),
                (plain, "cm/c", "flux", "kustomize-controller has not applied it server-side"),
                (config_map(data={"a": "1"}), "cm/c", "helm", "--show-managed-fields"), (copied, "cm/copy", "kubectl", "does not contain its manifest"), (broken, "cm/c", "kubectl", "does not contain its manifest"),
                (plain, "cm/d", "kubectl", "--live has no such object"), (plain, "svc/c", "kubectl", "--live has no such object")):
            status, shown, errors = self.last_apply(live, operand, "--applier", applier)
            self.assertEqual((status, shown), (2, None))
            self.assertIn(f"{operand}: ", errors)
            self.assertIn(words, errors)

    def test_values_of_secrets_stay_hidden(self):
        secret = {**config_map(("kubectl", "Apply", data("p")), data={"p": "aHVudGVyMg=="}), "kind": "Secret"}
        for form in ("text", "json", "diff", "object"):
            status, output, errors = run("secret/c", "--live", self.file("l", secret), "-o", form)
            self.assertEqual((status, errors), (0, ""))
            self.assertNotIn("aHVudGVyMg", output)


class Problems(Preview):
    def test_a_live_object_without_managed_fields(self):
        status, shown, _ = self.preview(config_map(data={"a": "2"}), config_map(data={"a": "1"}))
        self.assertEqual((status, shown["kept"], shown["conflicts"], shown["reverted_by"], shown["verdict"]), (0, None, None, None, None))
        self.assertIn("--show-managed-fields", shown["notes"][0])
        self.assertEqual(shown["changed"], [".data.a"])

    def test_broken_managed_fields(self):
        for entries, words in (([{"manager": "m"}], "entry 1 has no operation"), 
                               ([{"manager": "m", "operation": "Apply", "fieldsV1": {"zzz": {}}}], "malformed"),
                               ([{"manager": "m", "operation": "Apply", "fieldsV1": 5}], "not a map")):
            live = config_map(data={"a": "1"})
            live["metadata"]["managedFields"] = entries
            status, shown, errors = self.preview(config_map(data={"a": "2"}), live)
            self.assertEqual((status, shown), (2, None), entries)
            self.assertIn("its managedFields are broken", errors)
            self.assertIn(words, errors)

    def test_managed_fields_of_another_form(self):
        live = config_map(data={"a": "1"})
        entry = {"manager": "m", "operation": "Apply", "apiVersion": "v1"}
        for entries, words in (([entry] * 1001, "more than 1000 managedFields entries"), (None, ""), ([entry] * 1000, "")):
            live["metadata"]["managedFields"] = entries
            status, shown, errors = self.preview(config_map(data={"a": "2"}), live)
            self.assertEqual((status, bool(shown)), (2, False) if words else (0, True))
            self.assertIn(words, errors)
            self.assertEqual(bool(errors), bool(words))
            self.assertEqual(bool(shown) and "notes" in shown, entries is None)

    def test_what_belongs_to_the_cluster_has_no_namespace(self):
        """Whatever its manifest says, and -n: of a custom resource the live object shows it."""
        def made(api_version, kind, **metadata):
            return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "r", **metadata}}
        for kind in (("rbac.authorization.k8s.io/v1", "ClusterRole"), ("example.com/v1", "Widget")):
            entry = {"manager": "x", "operation": "Update", "apiVersion": kind[0], "fieldsType": "FieldsV1", "fieldsV1": {}}
            manifest = self.file("m.json", made(*kind, namespace="shop", labels={"a": "b"}))
            live = self.file("l.json", made(*kind, managedFields=[entry]))
            for applier in ("kubectl", "kubectl-server", "helm", "flux", "argocd"):
                space = ("-n", "other") if kind[1] == "ClusterRole" else ()
                status, output, errors = run("-f", manifest, "--live", live, "--applier", applier, "-o", "object", *space)
                self.assertEqual((status, errors), (0, ""))
                self.assertNotIn('namespace":"', output.replace("release-namespace", ""), applier)
                self.assertNotIn("shop", output, applier)

    def test_an_empty_namespace_is_none_as_for_kubectl(self):
        manifest = self.file("m.json", config_map(data={"a": "1"}, metadata={"namespace": "shop"}))
        status, output, errors = run("-f", manifest, "--live", os.devnull, "--applier", "kubectl", "-o", "json", "-n", "")
        self.assertEqual((status, json.loads(output or "{}").get("namespace"), errors), (0, "shop", ""))

    def test_kubectl_takes_no_other_namespace_than_the_manifests(self):
        manifest = self.file("m.json", config_map(data={"a": "1"}, metadata={"namespace": "shop"}))
        for applier in ("kubectl", "kubectl-server", "helm"):
            arguments = ("-f", manifest, "--live", os.devnull, "--applier", applier, "-o", "json", "-n")
            self.assertEqual((run(*arguments, "shop")[0], json.loads(run(*arguments, "shop")[1])["namespace"]), (0, "shop"))
            status, output, errors = run(*arguments, "other")
            if applier == "helm":
                self.assertEqual((status, json.loads(output)["namespace"]), (0, "shop"))
            else:
                said = f"{manifest}:1:1: error: ConfigMap shop/c: kubectl refuses -n for a manifest with another namespace\n"
                self.assertEqual((status, output, errors), (2, "", said))

    def test_what_is_wrong_with_a_live_object_names_its_file(self):
        """And its place there, not that of the manifest."""
        broken = config_map(data={"a": "1"}, metadata={"managedFields": [{"manager": "m"}]})
        other = config_map(metadata={"name": "other"})
        live = self.file("live.json", other, broken)
        manifest = self.file("manifest.json", other, other, config_map(data={"a": "2"}))
        status, _, errors = run("-f", manifest, "--live", live)
        self.assertEqual(status, 2)
        self.assertTrue(errors.startswith(f"{live}:2:1: error: ConfigMap default/c: its managedFields are broken"), errors)
        status, _, errors = run("-f", self.file("new.json", other), "--previous", manifest, "--live", live, "--applier", "helm")
        self.assertEqual(status, 2)
        self.assertTrue(errors.startswith(f"{live}:2:1: error: ConfigMap default/c: its managedFields are broken"), errors)

    def test_another_object_than_the_manifest(self):
        for change in ({"kind": "Secret"}, {"metadata": {"name": "d"}}, {"metadata": {"name": "c", "namespace": "elsewhere"}}):
            status, _, errors = self.preview(config_map(), {**config_map(), **change})
            self.assertEqual(status, 2)
            self.assertIn("no manifest matches its objects, for example ", errors)

    def test_another_version_of_the_object(self):
        live = {**config_map(), "apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler"}
        status, _, errors = self.preview({**live, "apiVersion": "autoscaling/v2"}, live)
        self.assertEqual(status, 2)
        self.assertIn("the live object is of autoscaling/v1 and the manifest of autoscaling/v2", errors)

    def test_an_object_that_is_being_deleted(self):
        live = config_map(("kubectl", "Apply", data("a")), data={"a": "1"},
                          metadata={"deletionTimestamp": "2026-11-20T00:00:00Z", "finalizers": ["x/y"]})
        self.assertIn("is being deleted", self.preview(config_map(data={"a": "1"}), live)[1]["notes"][0])

    def test_an_endless_input_ends(self):
        for arguments in (("-f", "/dev/zero", "--live", LIVE_WEB), ("-f", WEB, "--live", "/dev/zero"),
                          ("-f", WEB, "--live", LIVE_WEB, "--crd", "/dev/zero"),
                          ("-f", WEB, "--live", LIVE_WEB, "--applier", "helm", "--previous", "/dev/zero")):
            with self.subTest(arguments=arguments):
                status, _, errors = run(*arguments)
                self.assertEqual(status, 2, errors)
                self.assertIn("/dev/zero:1:1: error: the document that begins here is larger than 33554432 bytes; split it\n", errors)

    def test_live_objects_that_aliases_make_large(self):
        """A part of a MiB in the file, and a part of a GiB in memory."""
        document = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  a: &a {'x' * 30000}\n" + "".join(
            f"  a{index}: *a\n" for index in range(1000))
        live = self.folder / "live.yaml"
        live.write_text("---\n".join([document] * 10))
        status, output, errors = run("-f", WEB, "--live", live)
        self.assertEqual((status, output, errors), (2, "", f"{live}: error: its objects are larger than 268435456 bytes\n"))

    def test_the_others_are_still_done(self):
        status, output, errors = run("-f", self.folder / "absent", "-f", "-", "--live", self.file("l"), "-o", "json",
                                     text="kind: [\n---\n" + json.dumps(config_map(data={"a": "1"})))
        self.assertEqual((status, len(output.splitlines())), (2, 1))
        self.assertIn("absent: error: No such file", errors)
        self.assertIn("-:", errors)

    def test_lists_and_directories(self):
        inner = self.folder / "d" / "e"
        inner.mkdir(parents=True)
        items = [config_map(metadata={"name": name}, data={"a": "1"}) for name in ("a", "b")]
        (self.folder / "d" / "list.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        (inner / "c.json").write_text(json.dumps(config_map(data={"a": "1"})))
        for flags, count in (((), 2), (("-R",), 3)):
            status, output, errors = run("-f", self.folder / "d", *flags, "--live", self.file("l"), "-o", "json")
            self.assertEqual((status, len(output.splitlines()), errors), (0, count, ""))

    def test_wrong_use(self):
        for arguments, words in (((), "--filename is missing"), (("web.yaml",), "web.yaml is not KIND/NAME"), (("-f", "x", "a/b/c"), "a/b/c is not KIND/NAME"),
                                 (("-f", "x", "--applier", "y"), "is not one of kubectl"),
                                 (("-f", "x", "--applier", "argocd", "--force-conflicts"), "--force-conflicts is for a server-side apply"), (("-f", "x", "-o", "y"), "is not one of text"),
                                 (("-f", "x", "--previous", "y"), "--previous is for --applier helm")):
            status, output, errors = run(*arguments)
            self.assertEqual((status, output), (2, ""), arguments)
            self.assertIn(words, errors)

    def test_no_control_characters_are_printed(self):
        live = config_map(("evil\x1b[31m", "Apply", data("a\x1b]0;x")), data={"a\x1b]0;x": "1"})
        for form in ("text", "json", "diff"):
            _, output, errors = run("-f", self.file("m", config_map(data={"a\x1b]0;x": "2"})), "--live", self.file("l", live), "-o", form)
            self.assertNotIn("\x1b", output + errors)
            self.assertTrue(output)

    def test_a_reader_that_goes_away_is_no_error(self):
        done = subprocess.run(["bash", "-c", f"'{APPLYGUARD}' preview -f '{WEB}' --live '{LIVE_WEB}' --applier kubectl-server --force-conflicts | true; echo ${{PIPESTATUS[0]}}"],
                              capture_output=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), (b"0\n", b""))

    @staticmethod
    def on_terminal(arguments, variables):
        leader, follower = pty.openpty()
        environment = {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, "TERM": "xterm", "PAGER": "cat", **variables}
        subprocess.run([APPLYGUARD, "preview", *map(str, arguments)], stdout=follower, timeout=60, env=environment)
        os.close(follower)
        shown = os.read(leader, 65536).decode()
        os.close(leader)
        return shown

    def test_colours_are_for_terminals(self):
        for form in ("text", "diff"):
            arguments = ["-f", str(WEB), "--live", str(LIVE_WEB), "-o", form]
            self.assertNotIn("\x1b[", run(*arguments)[1])
            for variables, is_there in (({}, True), ({"NO_COLOR": "1"}, False)):
                self.assertEqual("\x1b[" in self.on_terminal(arguments, variables), is_there)

    def test_findings_have_the_colours_of_their_actions(self):
        arguments = ("-f", self.file("m.json", config_map(data={"a": "2"})), "--live", self.file("l.json", self.contested()), "--policy", STRICT,
                     "--applier", "kubectl-server", "--force-conflicts")
        shown = self.on_terminal(arguments, {})
        for colour, action in (("1;31", "deny"), ("35", "warn")):
            self.assertRegex(shown, rf"\x1b\[{colour}m{action}\b")


CONFIG_MAP = "/api/v1/namespaces/shop/configmaps/c"


class Cluster(Preview):
    """A cluster with one ConfigMap and one Widget."""

    def setUp(self):
        super().setUp()
        def kinds(version, *resources):
            return {"kind": "APIResourceList", "groupVersion": version, "resources": [
                {"name": plural, "singularName": kind.lower(), "shortNames": shorts, "namespaced": True, "kind": kind, "verbs": ["get"]}
                for plural, kind, *shorts in resources]}
        self.cluster = stub_kubectl.Served(self.folder, {
            "/api/v1": kinds("v1", ("configmaps", "ConfigMap", "cm")), "/apis/example.com/v1": kinds("example.com/v1", ("widgets", "Widget")),
            CONFIG_MAP: config_map(("them", "Apply", data("a")), data={"a": "1"}, metadata={"namespace": "shop"}),
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com": CustomResources.crd,
            "/apis/example.com/v1/namespaces/shop/widgets/w": {
                "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"parts": [{"id": "a", "n": 1}]}, "metadata": {
                    "name": "w", "namespace": "shop", "managedFields": [
                        {"manager": "m", "operation": "Update", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}}]}}}, {
            "cm/c": CONFIG_MAP, "configmap/c": CONFIG_MAP, "widget/w": "/apis/example.com/v1/namespaces/shop/widgets/w"})

    def serve(self, path, found):
        self.cluster.objects[path] = found
        self.cluster.write()

    def call(self, *arguments):
        return run(*arguments, environment=self.cluster.environment)

    def ask(self, manifest):
        status, output, errors = self.call("-f", self.file("m", manifest), "-o", "json")
        self.assertEqual(errors, "")
        return status, json.loads(output)

    def test_the_live_object_is_the_clusters(self):
        manifest = config_map(data={"a": "2"})
        del manifest["metadata"]["namespace"]
        status, shown = self.ask(manifest)
        self.assertEqual((status, shown["namespace"], shown["conflicts"][0]["manager"]), (1, "shop", "them"))
        manifest["metadata"]["name"] = "absent"
        status, shown = self.ask(manifest)
        self.assertEqual((status, shown["verdict"]["operation"]), (0, "CREATE"))

    def test_what_is_wrong_with_a_live_object_is_the_clusters(self):
        self.cluster.objects[CONFIG_MAP]["metadata"]["managedFields"] = [{"manager": "m"}]
        self.cluster.write()
        manifest = config_map(data={"a": "2"}, metadata={"namespace": "shop"})
        status, _, errors = self.call("-f", self.file("m", manifest))
        self.assertEqual(status, 2)
        self.assertTrue(errors.startswith("the cluster: error: ConfigMap shop/c: its managedFields are broken"), errors)

    def test_another_object_than_was_asked_for(self):
        """A cluster that answers so has a proxy, or a fault; nothing is printed about an object that was not asked for."""
        manifest = config_map(data={"a": "2"}, metadata={"namespace": "shop"})
        for change in {"kind": "Secret"}, {"apiVersion": "example.com/v1"}, {"metadata": {"name": "d", "namespace": "shop"}}:
            self.serve(CONFIG_MAP, {**manifest, **change})
            status, output, errors = self.call("-f", self.file("m", manifest))
            self.assertEqual((status, output), (2, ""), change)
            self.assertIn("the live object is another one than the manifest's", errors)

    def test_an_empty_answer(self):
        self.serve(CONFIG_MAP, "")
        manifest = self.file("m", config_map(data={"a": "2"}, metadata={"namespace": "shop"}))
        for arguments, place in ((("-f", manifest), f"{manifest}:1:1: error: ConfigMap shop/c"), (("cm/c",), "cm/c: error")):
            status, output, errors = self.call(*arguments)
            self.assertEqual((status, output, errors), (2, "", f"{place}: kubectl printed nothing\n"))

    def last_apply(self, *arguments):
        status, output, errors = self.call(*arguments, "-o", "json")
        return status, [json.loads(line) for line in output.splitlines()], errors

    def test_a_live_object_has_its_last_apply(self):
        """Found by a short name, in the namespace of the context, and read in the version of its manifest."""
        status, shown, errors = self.last_apply("cm/c", "--field-manager", "them")
        self.assertEqual((status, errors, shown[0]["namespace"], shown[0]["changed"]), (0, "", "shop", []))
        live = declared({"a": "1"}, others=[("kubectl-edit", "Update", data("a"))])
        live["data"]["a"] = "edited"
        live["metadata"]["namespace"] = "shop"
        live["metadata"]["annotations"][LAST_APPLIED] = json.dumps(config_map(data={"a": "1"}, metadata={"namespace": "shop"}))
        self.serve(CONFIG_MAP, live)
        status, shown, errors = self.last_apply("configmap/c", "--applier", "kubectl")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(".data.a", shown[0]["changed"])

    def test_live_objects_that_are_not_there(self):
        status, shown, errors = self.last_apply("cm/absent", "nonsense/c", "cm/c", "--field-manager", "them")
        self.assertEqual((status, len(shown)), (2, 1))
        self.assertIn("cm/absent: ", errors)
        self.assertIn("nonsense/c: ", errors)

    def test_custom_resources_have_their_last_apply_by_their_schema(self):
        self.cluster.objects["/apis/example.com/v1/namespaces/shop/widgets/w"]["metadata"]["managedFields"][0].update(
            operation="Apply", fieldsV1={"f:spec": {"f:parts": {'k:{"id":"a"}': {".": {}, "f:id": {}}}}})
        self.cluster.write()
        status, shown, errors = self.last_apply("widget/w", "--field-manager", "m")
        self.assertEqual((status, errors, shown[0]["changed"], shown[0]["removed"], shown[0]["kept"]), (0, "", [], [], []))
        self.assertEqual(len(shown[0]["notes"]), 1)

    def test_the_schema_of_custom_resources_is_the_clusters(self):
        _, shown = self.ask({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"},
                             "spec": {"parts": [{"id": "b", "n": 2}]}})
        self.assertIn('.spec.parts[id="b"].n', shown["set"])
        self.assertNotIn("notes", shown)

    def widgets(self, *names, version="v1"):
        return self.file("m", *({"apiVersion": f"example.com/{version}", "kind": "Widget", "metadata": {"name": name}, "spec": {}}
                                for name in names))

    def test_kinds_and_their_schemas_are_asked_for_once(self):
        definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com"
        for found in (CustomResources.crd, None):
            self.serve(definition, found)
            status, output, errors = self.call("-f", self.widgets("a", "b", "c"), "-o", "json")
            self.assertEqual((status, len(output.splitlines()), errors), (0, 3, ""))
            self.assertEqual([path for path in self.cluster.paths() if "/widgets/" not in path],
                             ["/apis/example.com/v1", definition])

    def test_a_definition_that_the_cluster_does_not_have_yet(self):
        crd = copy.deepcopy(CustomResources.crd)
        crd["spec"]["versions"][0]["name"] = "v2"
        manifest = self.widgets("a", version="v2")
        status, output, errors = self.call("-f", manifest, "-o", "json")
        self.assertEqual((status, output), (2, ""))
        self.assertIn('the cluster has no kind Widget of example.com/v2; give a definition that is not applied yet with --crd', errors)
        status, _, errors = self.call("-f", self.file("other", {**config_map(), "kind": "Deploymnt", "apiVersion": "apps/v1"}))
        self.assertEqual(status, 2)
        self.assertRegex(errors, r'the cluster has no kind Deploymnt of apps/v1\n')
        status, output, errors = self.call("-f", manifest, "-o", "json", "--crd", self.file("crd.json", crd))
        self.assertEqual((status, errors, json.loads(output)["verdict"]["operation"]), (0, "", "CREATE"))


if __name__ == "__main__":
    unittest.main()
