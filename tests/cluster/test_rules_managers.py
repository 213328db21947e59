"""The writer: names of field managers that say nothing or belong to others, and managedFields that are tampered with."""

import json

import guarded
from api import JSON_PATCH, MERGE
from stage import BOTH, stories, web

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"
RECREATE = {"strategy": {"type": "Recreate"}}
SERVER_SIDE = "apply --server-side"
REWRITTEN = "managedfields-rewritten warn deny"
UNHEALTHY = "managedfields-health audit warn"
GENERIC = "generic-manager audit warn"


def config_map(**data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": data}


def entries(stage, resource="deployments", name="web", group="apps/v1"):
    return stage.get(resource, name, group)["metadata"].get("managedFields", [])


def managers(stage, *where):
    return {(entry["manager"], entry["operation"]) for entry in entries(stage, *where)}


def renamed(entries, old, new, operation=None):
    """The entries with one manager under another name."""
    return [{**entry, "manager": new, "operation": operation or entry["operation"]} if entry["manager"] == old else entry
            for entry in entries]


class ManagedFieldsRewritten(guarded.Guarded):
    """Erasing and moving ownership is reported; what the API server and migrating tools do is not."""

    def replace_entries(self, stage, changed, user="admin", **options):
        """A JSON patch of managedFields, as csaupgrade and Flux send it: guarded by the resourceVersion."""
        def send(api):
            live = stage.get("deployments", "web")["metadata"]
            patch = [{"op": "replace", "path": "/metadata/managedFields", "value": changed(live["managedFields"])},
                     {"op": "replace", "path": "/metadata/resourceVersion", "value": live["resourceVersion"]}]
            return api.request("PATCH", stage.path("deployments", "web"), patch, user=user, content_type=JSON_PATCH, **options)
        stage.until_it_arrives(lambda: stage.when_sent(send, user=user))

    @stories("baseline", "strict", "strict-warn", "strict-audit")
    def test_stripping_with_an_empty_entry(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("label deployment/web team=a")
        stage.when("""patch deployment/web --type=merge --patch '{"metadata": {"managedFields": [{}]}}'""")
        stage.then(REWRITTEN)
        self.assertEqual(stage.policy == "strict", bool(entries(stage)))

    @stories(*BOTH)
    def test_stripping_with_an_empty_list_and_a_change(self, stage):
        stage.given(SERVER_SIDE, config_map(a="1"))

        def put(api):
            live = stage.get("configmaps", "settings", "v1")
            live["metadata"]["managedFields"] = []
            live["data"]["b"] = "2"
            return api.request("PUT", stage.path("configmaps", "settings", "v1"), live, fieldManager="tidy")
        stage.when_sent(put)
        stage.then(REWRITTEN)

    @stories(*BOTH)
    def test_a_put_without_managed_fields_keeps_them(self, stage):
        stage.given(SERVER_SIDE, web(minReadySeconds=5, **RECREATE))

        def put(api):
            live = stage.get("deployments", "web")
            del live["metadata"]["managedFields"]
            live["spec"]["revisionHistoryLimit"] = 3
            return api.request("PUT", stage.path("deployments", "web"), live, fieldManager="cached-controller")
        stage.until_it_arrives(lambda: stage.when_sent(put))
        stage.then()
        self.assertIn(("kubectl", "Apply"), managers(stage))

    @stories(*BOTH)
    def test_a_put_of_the_whole_object_as_it_was_read(self, stage):
        stage.given(SERVER_SIDE, web(minReadySeconds=5, **RECREATE))
        stage.given("label deployment/web team=a")

        def put(api):
            live = stage.get("deployments", "web")
            live["spec"]["revisionHistoryLimit"] = 3
            return api.request("PUT", stage.path("deployments", "web"), live, fieldManager="operator")
        stage.until_it_arrives(lambda: stage.when_sent(put))
        stage.then()

    @stories(*BOTH)
    def test_a_service_keeps_what_was_allocated(self, stage):
        """Its owners lose what a writer leaves out, although the API server puts it back."""
        def service(**port):
            return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {
                "type": "NodePort", "ports": [{"port": 80, **port}]}}

        stage.given(SERVER_SIDE, service())
        spec = stage.get("services", "web", "v1")["spec"]
        declared = service(nodePort=spec["ports"][0]["nodePort"])
        declared["spec"]["clusterIP"] = spec["clusterIP"]
        stage.given(SERVER_SIDE, declared)
        remove = json.dumps([{"op": "remove", "path": "/spec/ports/0/nodePort"}])
        stage.when(f"patch service/web --type=json --patch '{remove}'")
        stage.then()
        stage.when("replace", service())
        stage.then()
        kept = stage.get("services", "web", "v1")
        self.assertEqual(spec, kept["spec"])
        owned = json.dumps(kept["metadata"]["managedFields"])
        self.assertNotIn("f:clusterIP", owned)
        self.assertNotIn("f:nodePort", owned)

    @stories(*BOTH)
    def test_an_old_copy_is_put_back(self, stage):
        """kubectl replace -f with an exported object: its managedFields know nothing of who came later."""
        stage.given(SERVER_SIDE, config_map(a="1"))
        exported = json.loads(stage.given("get configmap settings -o json --show-managed-fields"))
        stage.given("label configmap/settings team=a")
        del exported["metadata"]["resourceVersion"]
        exported["metadata"]["labels"] = {"team": "a"}
        stage.when("replace", exported)
        stage.then(REWRITTEN)
        self.assertEqual([".metadata.labels.team"], stage.outcome.exchanges[-1].findings[0]["fields"])

    @stories(*BOTH)
    def test_one_gitops_tool_is_made_another(self, stage):
        stage.given(f"{SERVER_SIDE} --field-manager=flux", web(**RECREATE))
        self.replace_entries(
            stage, lambda live: renamed(live, "flux", "argocd-controller"), fieldManager="kubectl-patch")
        stage.then(REWRITTEN)

    @stories(*BOTH)
    def test_an_editor_is_renamed_by_a_script(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.given("label deployment/web team=a")
        self.replace_entries(stage, lambda live: renamed(live, "kubectl-label", "somebody"), agent="script/1.0")
        stage.then(REWRITTEN)
        self.assertNotIn("taker", stage.outcome.exchanges[-1].findings[0])

    # Migrations

    @stories(*BOTH)
    def test_kubectl_migrates_to_server_side_apply(self, stage):
        stage.given("apply", web(**RECREATE))
        stage.when(SERVER_SIDE, web(**RECREATE))
        stage.then()
        self.assertNotIn(("kubectl-client-side-apply", "Update"), managers(stage))

    @stories(*BOTH)
    def test_kubectl_migrates_under_another_name(self, stage):
        stage.given("apply", web(**RECREATE))
        stage.when(f"{SERVER_SIDE} --field-manager=team-a", web(**RECREATE))
        stage.then()

    @stories(*BOTH)
    def test_flux_takes_over_from_kubectl(self, stage):
        """Flux makes every entry of kubectl and kubectl-* its own Apply entry, in one patch under its own name."""
        stage.given("apply", web(**RECREATE))
        stage.given("label deployment/web team=a")
        self.replace_entries(
            stage, lambda live: merged(live, "kubectl", "kustomize-controller"), user="flux",
            fieldManager="kustomize-controller")
        stage.then()
        self.assertEqual({("kustomize-controller", "Apply")},
                         {each for each in managers(stage) if each[0] != "kube-controller-manager"})

    @stories(*BOTH)
    def test_a_tool_migrates_without_naming_itself(self, stage):
        """client-go's csaupgrade, as Terraform providers call it: the patch gives no field manager."""
        stage.given("apply", web(**RECREATE))
        applied = stage.api.apply(
            stage.path("deployments", "web"), {**web(), "spec": {"minReadySeconds": 5}}, "Terraform", user="setup")
        self.assertTrue(applied.ok, applied.body)
        self.replace_entries(
            stage, lambda live: merged(live, "kubectl-client-side-apply", "Terraform"), agent="terraform-provider/2")
        stage.then()

    # Similar requests without the fault

    @stories(*BOTH)
    def test_an_applier_lets_go(self, stage):
        stage.given(SERVER_SIDE, web(minReadySeconds=5, **RECREATE))
        stage.given(f"{SERVER_SIDE} --field-manager=flux", web(minReadySeconds=5, **RECREATE))
        stage.when(SERVER_SIDE, web(replicas=None, **RECREATE))
        stage.then("multiple-appliers audit warn")

    @stories(*BOTH)
    def test_forced_with_the_same_values(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when(f"{SERVER_SIDE} --field-manager=argocd --force-conflicts", web(**RECREATE))
        self.assertEqual([], [each for each in stage.outcome.rules if "managedfields" in each])

    @stories(*BOTH)
    def test_forced_with_another_form_of_the_same_values(self, stage):
        """The API server adds an apiGroup, so that the manifest conflicts with what it has become."""
        binding = {
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "readers"},
            "roleRef": {"kind": "ClusterRole", "name": "view"}, "subjects": [{"kind": "User", "name": "alice"}]}
        stage.given(f"{SERVER_SIDE} --field-manager=kustomize-controller", binding)
        stage.when(f"{SERVER_SIDE} --field-manager=team --force-conflicts", binding)
        stage.then("managedfields-rewritten warn warn")

    @stories(*BOTH)
    def test_replaced_with_another_form_of_the_same_values(self, stage):
        metric = {"metric": {"name": "load"}, "target": {"type": "AverageValue", "averageValue": "1000m"}}
        scaler = {
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"}, "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 3,
                "metrics": [{"type": "Pods", "pods": metric}]}}
        stage.given(f"{SERVER_SIDE} --field-manager=kustomize-controller", scaler)
        stage.when("replace", scaler)
        stage.then()

    @stories(*BOTH)
    def test_an_apply_of_nothing_to_an_object_without_owners(self, stage):
        """An object that is created without fields has no owners, whatever is patched into it, until it is applied."""
        stage.given("create serviceaccount bot")
        stage.given("""patch serviceaccount bot --patch='{"imagePullSecrets": [{"name": "registry"}]}'""")
        stage.when(f"{SERVER_SIDE} --field-manager=kustomize-controller", {
            "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "bot"}})
        stage.then()
        self.assertEqual({("before-first-apply", "Update")}, managers(stage, "serviceaccounts", "bot", "v1"))


def merged(entries, old, new):
    """Makes the fields of managers whose names begin with `old` the Apply entry of `new`, as Flux and csaupgrade do."""
    old_entries = [entry for entry in entries if entry["manager"].startswith(old) and "subresource" not in entry]
    own = [entry for entry in entries if entry["manager"] == new]
    fields = {}
    for entry in old_entries + own:
        union(fields, entry["fieldsV1"])
    rest = [entry for entry in entries if entry not in old_entries + own]
    return [*rest, {**old_entries[0], "manager": new, "operation": "Apply", "fieldsV1": fields}]


def union(into, fields):
    for key, below in fields.items():
        union(into.setdefault(key, {}), below)


class ManagedFieldsHealth(guarded.Guarded):
    """The cap on entries, and managedFields that outgrow the object."""

    def write(self, stage, number):
        return stage.api.request(
            "PATCH", stage.path("configmaps", "settings", "v1"), {"data": {f"key{number}": "x"}}, user="setup",
            content_type=MERGE, fieldManager=f"tool-{number}")

    @stories(*BOTH)
    def test_the_cap_on_field_managers(self, stage):
        stage.given("create", config_map(a="1"))
        for number in range(8):
            self.assertTrue(self.write(stage, number).ok)
        stage.when("label configmap/settings ninth=no")
        stage.then(UNHEALTHY)
        stage.when("annotate configmap/settings note=hi")
        stage.then(UNHEALTHY)
        self.assertIn(("ancient-changes", "Update"), managers(stage, "configmaps", "settings", "v1"))
        # Another who writes finds it so, and has not brought it about.
        stage.when("patch configmap settings --patch '{\"data\": {\"b\": \"2\"}}'")
        stage.then()
        # An applier gets a warning, and is not refused.
        stage.when(f"{SERVER_SIDE} --field-manager=flux", config_map(a="1"))
        self.assertIn("managedfields-health", " ".join(stage.outcome.rules))
        self.assertEqual(0, stage.outcome.status)

    @stories(*BOTH)
    def test_managed_fields_outgrow_the_object(self, stage):
        keys = {f"key-with-a-rather-long-name-{number:04}": "" for number in range(500)}
        stage.when(SERVER_SIDE, config_map(**keys))
        stage.then()
        stage.when(f"{SERVER_SIDE} --field-manager=flux", config_map(**keys))
        self.assertEqual(["managedfields-health"], [
            finding["rule"] for each in stage.outcome.exchanges for finding in each.findings
            if finding["rule"].startswith("managedfields")])

    @stories(*BOTH)
    def test_an_object_too_large_for_its_managed_fields(self, stage):
        """The API server drops managedFields where etcd does not take the object with them; it asks again then."""
        stage.given("create", config_map(**long_keys(2000)))

        def put(api):
            live = stage.get("configmaps", "settings", "v1")
            live["data"] = long_keys(4000)
            return api.request("PUT", stage.path("configmaps", "settings", "v1"), live, fieldManager="importer")
        stage.when_sent(put)
        self.assertEqual([], entries(stage, "configmaps", "settings", "v1"))
        [exchange] = stage.outcome.exchanges
        self.assertEqual(["managedfields-health"], [finding["rule"] for finding in exchange.findings])


def long_keys(count):
    return {f"{'k' * 220}{number:04}": "" for number in range(count)}


class GenericManager(guarded.Guarded):
    """Writes whose author cannot be identified."""

    def patch(self, stage, agent, **query):
        stage.when_sent(lambda api: api.request(
            "PATCH", stage.path("deployments", "web"), {"spec": {"minReadySeconds": 9}}, content_type=MERGE, agent=agent,
            **query))

    @stories("baseline", "strict", "strict-audit")
    def test_names_that_name_nobody(self, stage):
        stage.given("create", web(**RECREATE))
        for number, (agent, manager) in enumerate((
                ("curl/8.0", None), ("Mozilla/5.0 (X11)", None), ("manager/v0.0.0 (linux/amd64)", None),
                ("python-requests/2.31", None), ("my-tool/1", "manager"))):
            stage.when_sent(lambda api: api.request(
                "PATCH", stage.path("deployments", "web"), {"metadata": {"labels": {"number": str(number)}}},
                content_type=MERGE, agent=agent, fieldManager=manager))
            self.assertIn(GENERIC.split()[0], " ".join(stage.outcome.rules), agent)

    @stories(*BOTH)
    def test_the_finding(self, stage):
        stage.given("create", web(**RECREATE))
        self.patch(stage, "curl/8.0")
        stage.then(GENERIC)

    @stories(*BOTH)
    def test_names_that_tell(self, stage):
        stage.given("create", web(**RECREATE))
        for agent, manager in (("k9s/v0.32 (linux)", None), ("cert-manager-controller/v1", None), ("curl/8.0", "my-tool")):
            self.patch(stage, agent, fieldManager=manager)
            stage.then()

    @stories(*BOTH)
    def test_a_request_that_changes_nothing(self, stage):
        stage.given("create", web(minReadySeconds=9, **RECREATE))
        self.patch(stage, "curl/8.0")
        stage.then()

    @stories(*BOTH)
    def test_people_with_kubectl(self, stage):
        stage.given("create", web(**RECREATE))
        for command in ("label deployment/web team=a", "annotate deployment/web note=hi", "rollout pause deployment/web"):
            stage.when(command)
            stage.then()


class ManagerIdentity(guarded.Guarded):
    """A policy that binds names of field managers to who may use them."""

    policies = {"bound": HEAD + """\
rules:
  manager-identity:
    action: deny
    bindings:
    - {manager: "kustomize-*", serviceAccounts: ["flux-system/*"]}
    - {manager: team-a, users: [bob]}
    - {manager: team-a, groups: [devs]}
"""}

    def apply(self, stage, manager, user, image="nginx:1.20", **query):
        stage.when_sent(
            lambda api: api.apply(stage.path("deployments", "web"), web(image, **RECREATE), manager, user=user, **query),
            user=user)

    @stories("bound", "bound-warn", "bound-audit")
    def test_somebody_else_uses_the_name(self, stage):
        self.apply(stage, "kustomize-controller", "alice")
        stage.then("manager-identity deny")

    @stories("bound")
    def test_a_dry_run_too(self, stage):
        self.apply(stage, "kustomize-controller", "alice", dryRun="All")
        stage.then("manager-identity deny")

    @stories("bound")
    def test_the_user_agent_gives_the_name(self, stage):
        stage.given("create", web(**RECREATE))
        stage.when_sent(lambda api: api.request(
            "PATCH", stage.path("deployments", "web"), {"metadata": {"labels": {"a": "b"}}}, content_type=MERGE,
            user="alice", agent="kustomize-controller/v1"), user="alice")
        stage.then("manager-identity deny")

    @stories("bound")
    def test_whoever_is_bound_and_names_that_are_free(self, stage):
        self.apply(stage, "kustomize-controller", "flux")
        stage.then()
        self.apply(stage, "team-a", "alice", "nginx:1.20", force=True)
        stage.then("multiple-appliers audit")
        self.apply(stage, "team-b", "alice", "nginx:1.20")
        stage.then("multiple-appliers audit")


class ManagerScope(guarded.Guarded):
    """A policy that says which fields a manager may own."""

    policies = {"scoped": HEAD + """\
rules:
  manager-scope:
    action: deny
    scopes:
    - {manager: "scaler*", kinds: [Deployment.apps], allow: [.spec.replicas]}
    - {manager: "image-*", allow: [".spec.template.spec.containers[*].image"]}
    - {manager: "*", deny: [.metadata.finalizers]}
"""}

    def apply(self, stage, manager, **manifest):
        body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, **manifest}
        stage.when_sent(lambda api: api.apply(stage.path("deployments", "web"), body, manager, force=True))

    def gained(self, stage):
        return [field for each in stage.outcome.exchanges for finding in each.findings
                if finding["rule"] == "manager-scope" for field in finding["fields"]]

    @stories("scoped", "scoped-warn")
    def test_fields_outside_of_what_is_allowed(self, stage):
        stage.given("create", web(**RECREATE))
        self.apply(stage, "scaler", spec={"replicas": 3, "minReadySeconds": 3})
        stage.then("manager-scope deny")
        self.assertEqual([".spec.minReadySeconds"], self.gained(stage))

    @stories("scoped")
    def test_fields_that_are_allowed(self, stage):
        stage.given("create", web(**RECREATE))
        self.apply(stage, "scaler", spec={"replicas": 3})
        stage.then()
        containers = [{"name": "nginx", "image": "nginx:1.14.2"}]
        self.apply(stage, "image-bot", spec={"template": {"spec": {"containers": containers}}})
        self.assertEqual([], self.gained(stage))

    @stories("scoped")
    def test_a_field_that_is_denied_to_all(self, stage):
        stage.given("create", web(**RECREATE))
        stage.when("""patch deployment/web --patch '{"metadata": {"finalizers": ["example.com/hold"]}}'""")
        stage.then("manager-scope deny")
        self.assertEqual(['.metadata.finalizers[="example.com/hold"]'], self.gained(stage))

    @stories("scoped")
    def test_a_whole_item_is_named_once(self, stage):
        stage.given("create", web(**RECREATE))
        sidecar = [{"name": "sidecar", "image": "envoy:1", "args": ["-v"], "env": [{"name": "A", "value": "b"}]}]
        self.apply(stage, "scaler", spec={"template": {"spec": {"containers": sidecar}}})
        stage.then("manager-scope deny")
        self.assertEqual(['.spec.template.spec.containers[name="sidecar"]'], self.gained(stage))


if __name__ == "__main__":
    guarded.main()
