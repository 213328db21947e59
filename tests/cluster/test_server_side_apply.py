"""Server-side apply: several managers on one object, and the way from client-side apply to it."""

import json

import guarded
from api import MERGE
from manifests import define_widgets
from stage import ALL, BOTH, HEALED, STRATEGY, TAKEN, editor, stories, web

SERVER_SIDE = "apply --server-side"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
RECREATE = {"strategy": {"type": "Recreate"}}


class ServerSideApply(guarded.Guarded):
    plane_options = {"autoscaler_seconds": 1}

    @stories(*ALL)
    def test_create(self, stage):
        stage.when(SERVER_SIDE, web())
        stage.then(STRATEGY, requests=1)

    @stories(*BOTH)
    def test_create_with_a_strategy(self, stage):
        stage.when(SERVER_SIDE, web(**RECREATE))
        stage.then(requests=1)

    @stories(*BOTH)
    def test_a_daemon_set_without_a_strategy(self, stage):
        stage.when(SERVER_SIDE, {
            "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"}, "spec": {
                "selector": {"matchLabels": {"app": "a"}}, "template": {
                    "metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}}})
        stage.then(STRATEGY)

    @stories(*BOTH)
    def test_migration_of_a_client_side_applied_object(self, stage):
        stage.given("apply", web(**RECREATE))
        stage.when(SERVER_SIDE, web(**RECREATE))
        stage.then()
        managers = {(entry["manager"], entry["operation"])
                    for entry in stage.get("deployments", "web")["metadata"]["managedFields"]}
        self.assertIn(("kubectl", "Apply"), managers)
        self.assertNotIn(("kubectl-client-side-apply", "Update"), managers)

    @stories(*ALL)
    def test_force_takes_from_another_applier(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when(f"{SERVER_SIDE} --field-manager=team-b --force-conflicts", web("nginx:1.22", **RECREATE))
        stage.then(TAKEN)

    @stories(*ALL)
    def test_flux_adopts_what_kubectl_applied(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when(f"{SERVER_SIDE} --field-manager=flux --force-conflicts", web("nginx:1.22", **RECREATE), user="flux")
        stage.then("ownership-conflict warn")

    @stories(*BOTH)
    def test_unforced_conflict_never_arrives(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        outcome = stage.when(f"{SERVER_SIDE} --field-manager=flux", web("nginx:1.22", **RECREATE))
        self.assertEqual(([], 1), (outcome.exchanges, outcome.status))
        self.assertIn('conflict with "kubectl"', outcome.errors)

    @stories(*BOTH)
    def test_shared_ownership_dropped_and_handed_over(self, stage):
        stage.given(SERVER_SIDE, web(minReadySeconds=5, **RECREATE))
        argocd = f"{SERVER_SIDE} --field-manager=argocd"
        stage.when(argocd, web(minReadySeconds=5, **RECREATE))
        stage.then("multiple-appliers audit warn")
        stage.when(argocd, web(**RECREATE))
        stage.then("multiple-appliers audit")
        stage.when(SERVER_SIDE, web(replicas=None, minReadySeconds=5, **RECREATE))
        stage.then("multiple-appliers audit warn")
        self.assertEqual(3, stage.get("deployments", "web")["spec"]["replicas"])

    @stories(*BOTH)
    def test_plain_apply_on_a_server_side_applied_object(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when("apply", web(**RECREATE))
        stage.then()
        stage.when("apply", web("nginx:1.22", **RECREATE))
        stage.then(TAKEN)

    @stories(*ALL)
    def test_edit(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when("edit deployment/web", environment=editor("s/nginx:1.14.2/nginx:1.15/"))
        stage.then(TAKEN)

    @stories(*BOTH)
    def test_rollout_restart(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when("rollout restart deployment/web")
        stage.then()

    @stories(*BOTH)
    def test_force_heals_an_edit(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("edit deployment/web", environment=editor("s/nginx:1.14.2/nginx:1.15/"))
        stage.when(f"{SERVER_SIDE} --force-conflicts", web(**RECREATE))
        stage.then(HEALED)

    @stories(*BOTH)
    def test_replace_removes_what_others_own(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("label deployment/web team=a")
        stage.given("set env deployment/web FOO=bar")
        stage.when("replace", web("nginx:1.25", **RECREATE))
        # The image of the applier; the label and the variable of two ad-hoc writers.
        stage.then(TAKEN, "ownership-conflict audit audit", "ownership-conflict audit audit")

    @stories(*BOTH)
    def test_managed_fields_are_stripped(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when("""patch deployment/web --type=merge --patch '{"metadata": {"managedFields": [{}]}}'""")
        stage.then("managedfields-rewritten warn deny")
        stage.when(f"{SERVER_SIDE} --force-conflicts", web(**RECREATE))
        stage.then()

    @stories(*BOTH)
    def test_dry_run_on_the_server(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when(f"{SERVER_SIDE} --dry-run=server --field-manager=flux --force-conflicts", web("nginx:1.22", **RECREATE))
        stage.then(TAKEN)

    # Several tools

    @stories(*BOTH)
    def test_replicas_taken_from_an_autoscaler(self, stage):
        """Protects autoscalers from manifests that declare replicas, with a real HorizontalPodAutoscaler: it keeps to its
        minimum."""
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("autoscale deployment/web --min=5 --max=9")
        stage.wait_for(lambda: stage.get("deployments", "web")["spec"]["replicas"] == 5, "the autoscaler")
        stage.when(f"{SERVER_SIDE} --force-conflicts", web(**RECREATE))
        stage.then("ownership-conflict warn deny")

    @stories(*BOTH)
    def test_replicas_left_to_an_autoscaler(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("autoscale deployment/web --min=5 --max=9")
        stage.wait_for(lambda: stage.get("deployments", "web")["spec"]["replicas"] == 5, "the autoscaler")
        stage.when(SERVER_SIDE, web(replicas=None, **RECREATE))
        stage.then()
        self.assertEqual(5, stage.get("deployments", "web")["spec"]["replicas"])

    @stories(*BOTH)
    def test_autoscaler_takes_replicas_from_a_manifest(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when_sent(lambda api: api.request(
            "PATCH", stage.path("deployments", "web/scale"), {"spec": {"replicas": 8}}, content_type=MERGE,
            agent="kube-controller-manager/v1.36.3 (linux)"))
        # A review of it would carry a Scale, which has no managedFields; the next apply gets the finding.
        stage.then(requests=0)

    @stories(*BOTH)
    def test_a_secret_declared_as_string_data(self, stage):
        """Its owner may change it, and a write of anything else takes nothing from it."""
        def login(password):
            return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"}, "stringData": {"password": password}}
        stage.given("apply --server-side", login("a"))
        stage.when("apply --server-side", login("b"))
        stage.then()
        stage.when("label secret/login team=a")
        stage.then()

    @stories(*BOTH)
    def test_the_last_field_of_an_entry(self, stage):
        """An apply that drops it changes nothing, where the default is the value."""
        replicas = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 1}}
        stage.given("apply --server-side", web(replicas=None, strategy={"type": "Recreate"}))
        stage.given("apply --server-side --force-conflicts --field-manager=scaling", replicas)
        stage.when("apply --server-side --field-manager=scaling", {**replicas, "spec": {}})
        stage.then()

    @stories(*BOTH)
    def test_two_gitops_tools_fight(self, stage):
        """Protects an object that two tools deploy, each by its own service account: every takeover is reported."""
        path = stage.path("deployments", "web")

        def apply(manager, user, image):
            stage.when_sent(lambda api: api.apply(path, web(image, **RECREATE), manager, force=True, user=user), user=user)
        apply("kustomize-controller", "flux", "nginx:1.20")
        stage.then()
        apply("argocd-controller", "argocd", "nginx:1.21")
        stage.then(TAKEN)
        apply("kustomize-controller", "flux", "nginx:1.20")
        # Under strict the second apply was denied, so the third takes nothing.
        stage.then("ownership-conflict warn off")

    @stories(*BOTH)
    def test_a_controller_writes_what_is_applied(self, stage):
        stage.given(SERVER_SIDE, web(minReadySeconds=5, **RECREATE))
        stage.when_sent(lambda api: api.request(
            "PATCH", stage.path("deployments", "web"), {"spec": {"minReadySeconds": 9}}, content_type=MERGE,
            fieldManager="my-operator", user="operator"), user="operator")
        stage.then("ownership-conflict warn warn")


class CustomResources(guarded.Guarded):
    plane_options = ServerSideApply.plane_options
    webhook = {"extraRules": [{"apiGroups": ["cluster.applyguard.test"], "resources": ["widgets"]}]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        define_widgets(cls, {f"{guarded.DOMAIN}/run": cls.run_id})

    def test_an_applied_definition_is_edited(self):
        """Protects what is in no namespace: a definition is judged like all objects, once, if the chart's values say so."""
        name = f"parts.{self.run_id}.test"
        self.addCleanup(self.api.request, "DELETE", f"{DEFINITIONS}/{name}", user="setup")
        applied = self.kubectl("apply", "--filename=-", manifest=self.definition(name), namespace="default")
        self.assertEqual((0, 1, []), (applied.status, len(applied.exchanges), applied.warnings), applied.errors)
        patch = json.dumps({"spec": {"names": {"shortNames": ["pt"]}}})
        patched = self.kubectl("patch", "customresourcedefinition", name, "--type=merge", f"--patch={patch}", namespace="default")
        self.assertEqual((0, 1), (patched.status, len(patched.exchanges)), patched.errors)
        self.assertRegex("".join(patched.warnings), r"^applyguard: .*\[ownership-conflict\]$")
        self.assertEqual(["ownership-conflict"], patched.rules)

    def definition(self, name):
        return {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": name, "labels": {f"{guarded.DOMAIN}/run": self.run_id}}, "spec": {
                "group": name.partition(".")[2], "scope": "Namespaced",
                "names": {"plural": "parts", "singular": "part", "kind": "Part", "shortNames": ["p"]}, "versions": [{
                    "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}

    def widget(self, version="v1", **spec):
        return {"apiVersion": f"cluster.applyguard.test/{version}", "kind": "Widget",
                "metadata": {"name": "w"}, "spec": spec}

    def apply(self, stage, manifest, manager, **options):
        path = stage.path("widgets", "w", manifest["apiVersion"])
        stage.when_sent(lambda api: api.apply(path, manifest, manager, force=True, **options))

    @stories(*BOTH)
    def test_sets_maps_and_atomic_lists(self, stage):
        self.apply(stage, self.widget(colours=["red"], doors=[{"name": "a", "colour": "red"}], plain=["x"]), "team-b")
        stage.then()
        self.apply(stage, self.widget(colours=["blue"], doors=[{"name": "b"}]), "team-a")
        stage.then()
        self.apply(stage, self.widget(doors=[{"name": "a", "colour": "blue"}], plain=["y"]), "team-a")
        stage.then(TAKEN)
        self.assertEqual({".spec.doors[floor=0,name=\"a\"].colour", ".spec.plain"},
                         set(stage.outcome.exchanges[0].findings[0]["fields"]))

    @stories(*BOTH)
    def test_two_versions(self, stage):
        self.apply(stage, self.widget("v1", size=1), "team-b")
        self.apply(stage, self.widget("v2", size=2), "team-a")
        stage.then(TAKEN)

    @stories(*BOTH)
    def test_status(self, stage):
        self.apply(stage, self.widget(size=1), "team-b")
        stage.when("""patch widget/w --subresource=status --type=merge --patch '{"status": {"note": "ready"}}'""")
        stage.then(requests=0)


if __name__ == "__main__":
    guarded.main()
