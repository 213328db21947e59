"""Managers that own fields together: two ways of applying, several appliers, and what no apply removes.

The findings' claims are tried on the API server: a field that cannot be removed is dropped and still there, and what the
message says to do about it removes it.
"""

import json

import guarded
from api import JSON_PATCH, MERGE
from stage import BOTH, HEALED, TAKEN, editor, stories, web

SERVER_SIDE = "apply --server-side"
RECREATE = {"strategy": {"type": "Recreate"}}
MIXED = "mixed-apply warn warn"
MIXED_AS_BEFORE = "mixed-apply audit"
SEVERAL = "multiple-appliers audit warn"
SEVERAL_AS_BEFORE = "multiple-appliers audit"
ORPHANED = "orphaned-fields audit warn"
ORPHANED_AS_BEFORE = "orphaned-fields audit"


def manifest(**spec):
    return web(**RECREATE, **spec)


def with_env(**variables):
    each = manifest()
    each["spec"]["template"]["spec"]["containers"][0]["env"] = [
        {"name": name, "value": value} for name, value in variables.items()]
    return each


def noted(note, **spec):
    each = manifest(**spec)
    each["metadata"]["annotations"] = {"note": note}
    return each


class Owners(guarded.Guarded):

    def flux(self, stage, each, manager="flux"):
        """A GitOps tool, which applies for itself."""
        stage.when_sent(
            lambda api: api.apply(stage.path("deployments", "web"), each, manager, force=True, user="flux"), user="flux")

    def deployment(self, stage):
        return stage.get("deployments", "web")

    def env(self, stage):
        container = self.deployment(stage)["spec"]["template"]["spec"]["containers"][0]
        return {each["name"]: each.get("value") for each in container.get("env", [])}

    def fields(self, stage, rule):
        return [field for each in stage.outcome.exchanges for finding in each.findings
                if finding["rule"] == rule for field in finding["fields"]]

    def disown(self, stage, manager):
        """Takes an entry out of managedFields by its number, which changes when a controller writes the status meanwhile."""
        def remove():
            entries = self.deployment(stage)["metadata"]["managedFields"]
            number = next(i for i, entry in enumerate(entries) if entry["manager"] == manager)
            return stage.api.request(
                "PATCH", stage.path("deployments", "web"), user="setup", content_type=JSON_PATCH, fieldManager="admin-tool",
                body=[{"op": "test", "path": f"/metadata/managedFields/{number}/manager", "value": manager},
                      {"op": "remove", "path": f"/metadata/managedFields/{number}"}]).ok
        stage.wait_for(remove, f"the removal of the entry of {manager}")


class MixedApply(Owners):

    @stories(*BOTH)
    def test_a_gitops_tool_beside_kubectl_apply(self, stage):
        stage.given("apply", manifest(minReadySeconds=5))
        # The first apply is what kubectl's own migration begins with.
        self.flux(stage, manifest(minReadySeconds=5))
        stage.then()
        self.flux(stage, manifest())
        stage.then(MIXED)
        self.assertEqual([".spec.minReadySeconds"], self.fields(stage, "mixed-apply"))
        self.assertIn("kubectl apply (client-side) still owns it", json.dumps(stage.outcome.exchanges[0].response))
        self.assertEqual(5, self.deployment(stage)["spec"]["minReadySeconds"])
        # The next apply does not report fields that were dropped then.
        self.flux(stage, manifest())
        stage.then(MIXED_AS_BEFORE)
        self.disown(stage, "kubectl-client-side-apply")
        self.flux(stage, manifest(minReadySeconds=5))
        stage.then()
        self.flux(stage, manifest())
        stage.then()
        self.assertNotIn("minReadySeconds", self.deployment(stage)["spec"])

    @stories(*BOTH)
    def test_kubectl_apply_is_reported_of_the_tool_beside_it(self, stage):
        stage.given("apply", manifest())
        stage.given(f"{SERVER_SIDE} --field-manager=flux", manifest())
        stage.given("apply", noted("a"))
        # An apply that changes no value leaves the time of its entry as it was.
        labelled = noted("a")
        labelled["metadata"]["labels"] = {"by": "flux"}
        self.assertEqual([], stage.api.apply(
            stage.path("deployments", "web"), labelled, "flux", force=True, user="setup").warnings)
        stage.when("apply", noted("a", minReadySeconds=7))
        stage.then(MIXED)
        self.assertEqual([".metadata.annotations.note"], self.fields(stage, "mixed-apply"))

    @stories(*BOTH)
    def test_migration_by_kubectl(self, stage):
        stage.given("apply", manifest(minReadySeconds=5))
        stage.when(f"{SERVER_SIDE} --dry-run=server", manifest(minReadySeconds=5))
        stage.then()
        stage.when(SERVER_SIDE, manifest())
        stage.then()
        self.assertNotIn("minReadySeconds", self.deployment(stage)["spec"])
        stage.when("apply", manifest(minReadySeconds=9))
        stage.then()
        stage.when(SERVER_SIDE, manifest(minReadySeconds=9))
        stage.then()

    @stories(*BOTH)
    def test_migration_by_kubectl_under_another_name(self, stage):
        stage.given("apply", manifest(minReadySeconds=5))
        stage.when(f"{SERVER_SIDE} --field-manager=ci", manifest())
        stage.then()
        self.assertNotIn("minReadySeconds", self.deployment(stage)["spec"])

    @stories(*BOTH)
    def test_defaults_of_client_side_apply(self, stage):
        stage.given("apply", manifest())
        for _ in range(2):
            self.flux(stage, {
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                "spec": {"progressDeadlineSeconds": 600}})
            stage.then()

    @stories(*BOTH)
    def test_an_autoscaler_beside_kubectl_apply(self, stage):
        stage.given("apply", manifest())
        scaled = stage.api.request(
            "PATCH", stage.path("deployments", "web/scale"), {"spec": {"replicas": 8}}, user="setup",
            content_type=MERGE, agent="kube-controller-manager/v1.36.3 (linux)")
        self.assertTrue(scaled.ok, scaled.body)
        stage.when("apply", noted("a", replicas=8))
        stage.then()


class MultipleAppliers(Owners):

    @stories(*BOTH)
    def test_two_tools_with_one_manifest(self, stage):
        stage.given(SERVER_SIDE, manifest(minReadySeconds=5))
        self.flux(stage, manifest(minReadySeconds=5))
        stage.then(SEVERAL)
        self.assertIn(".spec.minReadySeconds", self.fields(stage, "multiple-appliers"))
        self.flux(stage, manifest())
        stage.then(SEVERAL_AS_BEFORE)
        self.assertNotIn(".spec.minReadySeconds", self.fields(stage, "multiple-appliers"))
        self.assertEqual(5, self.deployment(stage)["spec"]["minReadySeconds"])

    @stories(*BOTH)
    def test_of_two_who_fight_only_the_fight_is_reported(self, stage):
        stage.given(f"{SERVER_SIDE} --field-manager=ci", manifest())
        self.flux(stage, web("nginx:1.22", **RECREATE), manager="kustomize-controller")
        stage.then(TAKEN)

    @stories(*BOTH)
    def test_appliers_of_different_fields(self, stage):
        stage.given(SERVER_SIDE, with_env(A="1"))
        for _ in range(2):
            self.flux(stage, {
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "labels": {"team": "a"}},
                "spec": {"template": {"spec": {"containers": [
                    {"name": "nginx", "env": [{"name": "B", "value": "2"}]}]}}}})
            stage.then()

    @stories(*BOTH)
    def test_helm_created_what_flux_applies(self, stage):
        created = stage.api.request("POST", stage.path("deployments"), manifest(), user="setup", fieldManager="helm")
        self.assertTrue(created.ok, created.body)
        self.flux(stage, manifest())
        stage.then(SEVERAL)
        self.disown(stage, "helm")
        self.flux(stage, manifest())
        stage.then()


class OrphanedFields(Owners):

    def expect_left(self, stage, *fields, finding=None):
        # restartedAt has a finding of its own, which only records.
        restarted = [ORPHANED_AS_BEFORE] if self.RESTARTED_AT in fields and len(fields) > 1 else []
        stage.then(finding or ORPHANED, *restarted)
        self.assertEqual(sorted(fields), sorted(self.fields(stage, "orphaned-fields")))

    RESTARTED_AT = ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"
    ADD_A_FIELD = editor("'s/^spec:/spec:\\n  minReadySeconds: 5/'")
    FOO = '.spec.template.spec.containers[name="nginx"].env[name="FOO"]'

    @stories(*BOTH)
    def test_restarted_and_set_by_hand_under_client_side_apply(self, stage):
        stage.given("apply", manifest())
        stage.given("rollout restart deployment/web")
        stage.given("set env deployment/web FOO=bar")
        stage.wait_for_the_next_second()
        stage.when("apply", manifest(minReadySeconds=5))
        self.expect_left(stage, self.RESTARTED_AT, self.FOO)
        self.assertEqual({"FOO": "bar"}, self.env(stage))
        # A declared field gets no finding, and goes when it is dropped.
        stage.when("apply", with_env(FOO="bar"))
        self.expect_left(stage, self.RESTARTED_AT, finding=ORPHANED_AS_BEFORE)
        stage.when("apply", with_env(BAR="1"))
        stage.then(HEALED, ORPHANED_AS_BEFORE)
        self.assertEqual({"BAR": "1"}, self.env(stage))
        stage.given("edit deployment/web", environment=editor("/restartedAt/d"))
        stage.when("apply", manifest(minReadySeconds=6))
        stage.then()

    @stories(*BOTH)
    def test_restarted_and_set_by_hand_under_server_side_apply(self, stage):
        stage.given(SERVER_SIDE, manifest())
        stage.given("rollout restart deployment/web")
        stage.given("set env deployment/web FOO=bar")
        stage.wait_for_the_next_second()
        for finding in ORPHANED, ORPHANED_AS_BEFORE:
            stage.when(SERVER_SIDE, manifest(minReadySeconds=5))
            self.expect_left(stage, self.RESTARTED_AT, self.FOO, finding=finding)
        # Declared with the same value it has two owners.
        stage.when(SERVER_SIDE, with_env(FOO="bar"))
        self.expect_left(stage, self.RESTARTED_AT, self.FOO + ".value")
        # Declared with the same value and dropped, it is still the other's, too.
        stage.when(SERVER_SIDE, manifest())
        self.expect_left(stage, self.RESTARTED_AT, self.FOO)
        self.assertEqual({"FOO": "bar"}, self.env(stage))
        stage.given("set env deployment/web FOO-")
        stage.when(SERVER_SIDE, manifest())
        self.expect_left(stage, self.RESTARTED_AT, finding=ORPHANED_AS_BEFORE)

    @stories(*BOTH)
    def test_what_the_api_server_writes_into_a_daemon_set(self, stage):
        """A writer that leaves the annotation of its generation out, as a manifest does, owns it from then on."""
        def labelled(value):
            each = manifest(replicas=None)
            del each["spec"]["strategy"]
            each["spec"]["updateStrategy"] = {"type": "RollingUpdate"}
            return {**each, "kind": "DaemonSet", "metadata": {"name": "web", "labels": {"team": value}}}

        stage.given("apply", labelled("a"))
        stage.wait_for_the_next_second()
        stage.wait_for(lambda: self.run_kubectl(
            "replace", "--save-config", "--filename=-", manifest=labelled("b"), namespace=stage.namespace,
            user="setup").returncode == 0, "the replacement")
        owned = json.dumps(stage.get("daemonsets", "web")["metadata"]["managedFields"])
        self.assertIn("deprecated.daemonset.template.generation", owned)
        stage.when("apply", labelled("c"))
        stage.then(HEALED)

    @stories(*BOTH)
    def test_what_is_taken_back_and_dropped(self, stage):
        stage.given(SERVER_SIDE, manifest())
        stage.given("set env deployment/web FOO=bar")
        stage.when(f"{SERVER_SIDE} --force-conflicts", with_env(FOO="other"))
        stage.then(HEALED)
        stage.when(SERVER_SIDE, manifest())
        # The name of the variable was never taken.
        self.expect_left(stage, self.FOO)
        self.assertEqual({"FOO": None}, self.env(stage))

    @stories(*BOTH)
    def test_what_kubectl_edit_adds_stays(self, stage):
        for apply in ("apply", SERVER_SIDE):
            stage.given(apply, manifest())
            stage.given("edit deployment/web", environment=self.ADD_A_FIELD)
            stage.when(apply, noted("a"))
            self.expect_left(stage, ".spec.minReadySeconds")
            self.assertEqual(5, self.deployment(stage)["spec"]["minReadySeconds"])
            stage.given("delete deployment/web")

    @stories(*BOTH)
    def test_what_kubectl_edit_saves_in_the_annotation_goes(self, stage):
        stage.given("apply", manifest())
        stage.given("edit deployment/web --save-config", environment=self.ADD_A_FIELD)
        stage.when("apply", noted("a"))
        self.assertEqual([], self.fields(stage, "orphaned-fields"))
        self.assertNotIn("minReadySeconds", self.deployment(stage)["spec"])

    @stories(*BOTH)
    def test_a_probe_is_one_field(self, stage):
        stage.given("apply", manifest())
        probe = [{"op": "add", "path": "/spec/template/spec/containers/0/livenessProbe", "value": {"tcpSocket": {"port": 80}}}]
        stage.given(f"patch deployment/web --type=json --patch '{json.dumps(probe)}'")
        stage.when("apply", noted("a"))
        self.expect_left(stage, '.spec.template.spec.containers[name="nginx"].livenessProbe')

    @stories(*BOTH)
    def test_what_is_not_left_behind(self, stage):
        created = manifest(minReadySeconds=5)
        stage.given("create", created)
        stage.given("scale deployment/web --replicas=5")
        stage.given("""patch deployment/web --type=merge --patch '{"metadata": {"finalizers": ["example.com/hold"]}}'""")
        stage.given("annotate deployment/web applyguard.io/waive=explicit-strategy")
        operated = stage.api.request(
            "PATCH", stage.path("deployments", "web"), {"metadata": {"labels": {"shard": "7"}}}, user="setup",
            content_type=MERGE, fieldManager="my-operator")
        self.assertTrue(operated.ok, operated.body)
        stage.when("apply", manifest(replicas=None))
        stage.then()
        stage.when(f"{SERVER_SIDE} --field-manager=ci", manifest(replicas=None))
        stage.then()
        stage.given("""patch deployment/web --type=merge --patch '{"metadata": {"finalizers": null}}'""")


if __name__ == "__main__":
    guarded.main()
