"""The life of a Deployment that is applied client-side: the texts at the terminal and in the audit log."""

import json

import guarded
from stage import ALL, BOTH, HEALED, STILL_NO_STRATEGY, STRATEGY, TAKEN, editor, stories, web

AMBIGUOUS = "ambiguous-merge-key warn warn"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class ClientSideApply(guarded.Guarded):

    @stories(*ALL)
    def test_create(self, stage):
        stage.when("apply", web())
        stage.then(STRATEGY, requests=1)

    @stories(*BOTH)
    def test_another_image(self, stage):
        stage.given("apply", web())
        stage.when("apply", web("nginx:1.16.1"))
        stage.then(STILL_NO_STRATEGY)

    @stories(*BOTH)
    def test_scale(self, stage):
        stage.given("apply", web())
        stage.when("scale deployment/web --replicas=5")
        stage.then(requests=0)

    @stories(*BOTH)
    def test_apply_takes_replicas_back_after_scale(self, stage):
        stage.given("apply", web())
        stage.given("scale deployment/web --replicas=5")
        stage.when("apply", web())
        # An unchanged manifest is not sent again, so its declarations stay unknown.
        stage.then(HEALED)

    @stories(*BOTH)
    def test_apply_without_replicas_after_scale_brings_the_default_back(self, stage):
        stage.given("apply", web())
        stage.given("scale deployment/web --replicas=5")
        stage.when("apply", web(replicas=None))
        stage.then(STILL_NO_STRATEGY, "dropped-replicas warn deny")
        denied = stage.profile == "strict"
        self.assertEqual(5 if denied else 1, stage.get("deployments", "web")["spec"]["replicas"])

    @stories(*BOTH)
    def test_rollout_restart(self, stage):
        stage.given("apply", web())
        stage.when("rollout restart deployment/web")
        stage.then()

    @stories(*BOTH)
    def test_controllers_write_status_and_replica_sets_without_a_call(self, stage):
        before = self.recorder.count()
        stage.given("apply", web())

        def is_settled(replicas):
            sets = stage.api.request("GET", stage.path("replicasets")).body["items"]
            return (stage.get("deployments", "web")["status"].get("unavailableReplicas") == replicas
                    and [each["status"].get("replicas") for each in sets] == [replicas])
        stage.wait_for(lambda: is_settled(3), "the controllers' writes")
        stage.given("scale deployment/web --replicas=5")
        stage.wait_for(lambda: is_settled(5), "the controllers' writes")
        self.assertEqual([], [
            each.request for each in self.recorder.since(before)
            if each.request["namespace"] == stage.namespace and each.request["kind"]["group"] == "apps"])

    @stories(*ALL)
    def test_edit(self, stage):
        stage.given("apply", web())
        stage.when("edit deployment/web", environment=editor("s/nginx:1.14.2/nginx:1.15/"))
        stage.then(TAKEN)

    @stories(*BOTH)
    def test_apply_heals_an_edit(self, stage):
        stage.given("apply", web())
        stage.given("edit deployment/web", environment=editor("s/nginx:1.14.2/nginx:1.15/"))
        stage.when("apply", web())
        stage.then(STILL_NO_STRATEGY, HEALED)

    @stories(*ALL)
    def test_set_image(self, stage):
        stage.given("apply", web())
        stage.when("set image deployment/web nginx=nginx:1.21")
        stage.then(TAKEN)
        denied = stage.policy == "strict"
        image = stage.get("deployments", "web")["spec"]["template"]["spec"]["containers"][0]["image"]
        self.assertEqual("nginx:1.14.2" if denied else "nginx:1.21", image)

    @stories(*BOTH)
    def test_patch_of_a_declared_field(self, stage):
        stage.given("apply", web(minReadySeconds=5))
        stage.when("""patch deployment/web --patch '{"spec": {"minReadySeconds": 9}}'""")
        stage.then(TAKEN)

    @stories(*BOTH)
    def test_patch_of_a_field_that_nobody_declares(self, stage):
        stage.given("apply", web())
        stage.when("""patch deployment/web --patch '{"spec": {"minReadySeconds": 9}}'""")
        stage.then()

    @stories(*BOTH)
    def test_json_patch_adds_a_probe(self, stage):
        stage.given("apply", web())
        probe = [{"op": "add", "path": "/spec/template/spec/containers/0/livenessProbe", "value": {"tcpSocket": {"port": 80}}}]
        stage.when(f"patch deployment/web --type=json --patch '{json.dumps(probe)}'")
        stage.then()

    @stories(*BOTH)
    def test_annotate_and_label(self, stage):
        stage.given("apply", web())
        stage.when("annotate deployment/web note=hi")
        stage.then()
        stage.when("label deployment/web team=a")
        stage.then()

    @stories(*BOTH)
    def test_apply_after_all_kinds_of_edits(self, stage):
        stage.given("apply", web(minReadySeconds=5))
        stage.given("set image deployment/web nginx=nginx:1.21")
        stage.given("set env deployment/web FOO=bar")
        stage.given("""patch deployment/web --patch '{"spec": {"minReadySeconds": 9}}'""")
        stage.when("apply", web(minReadySeconds=5))
        stage.then(HEALED, HEALED)
        container = stage.get("deployments", "web")["spec"]["template"]["spec"]["containers"][0]
        self.assertEqual([{"name": "FOO", "value": "bar"}], container["env"])

    @stories(*BOTH)
    def test_a_strategy_is_declared_and_dropped(self, stage):
        stage.given("apply", web())
        stage.when("apply", web(strategy={"type": "Recreate", "rollingUpdate": None}))
        stage.then()
        stage.when("apply", web())
        stage.then(STRATEGY)

    @stories(*BOTH)
    def test_dry_run_on_the_server(self, stage):
        stage.given("apply", web())
        outcome = stage.when("apply --dry-run=server", web("nginx:1.16.1"))
        stage.then(STILL_NO_STRATEGY)
        self.assertTrue(outcome.exchanges[0].request["dryRun"])

    @stories(*BOTH)
    def test_delete(self, stage):
        stage.given("apply", web())
        stage.when("delete deployment/web --wait=false")
        stage.then(requests=0)

    @stories(*BOTH)
    def test_an_object_that_is_being_deleted_is_left_alone(self, stage):
        manifest = web()
        manifest["metadata"]["finalizers"] = ["example.com/hold"]
        stage.given("apply", manifest)
        stage.given("delete deployment/web --wait=false")
        stage.when("set image deployment/web nginx=nginx:1.21")
        stage.then("ownership-conflict audit audit")
        stage.when("""patch deployment/web --type=merge --patch '{"metadata": {"finalizers": null}}'""")
        stage.then("ownership-conflict audit audit")

    @stories(*BOTH)
    def test_a_missing_selector_is_reported_before_the_server_fills_it_in(self, stage):
        # extensions/v1beta1 filled selectors in; ReplicationControllers still do.
        stage.when("apply", {
            "apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "old"},
            "spec": {"replicas": 0, "template": {
                "metadata": {"labels": {"app": "old"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}}})
        stage.then("explicit-selector warn deny")

    # The last-applied annotation

    @stories(*BOTH)
    def test_set_last_applied(self, stage):
        stage.given("apply", web())
        stage.when("apply set-last-applied", web("nginx:1.18"))
        stage.then()

    @stories(*ALL)
    def test_last_applied_that_is_no_json(self, stage):
        stage.given("apply", web())
        stage.when(f"annotate deployment/web --overwrite {LAST_APPLIED}=nonsense")
        stage.then("last-applied-invalid warn deny")

    @stories(*ALL)
    def test_last_applied_is_removed(self, stage):
        stage.given("apply", web())
        stage.when(f"annotate deployment/web {LAST_APPLIED}-")
        stage.then("last-applied-missing warn deny")

    @stories(*BOTH)
    def test_apply_after_last_applied_was_lost(self, stage):
        stage.given("apply", web())
        stage.given(f"annotate deployment/web {LAST_APPLIED}-")
        stage.when("apply", web("nginx:1.16.1"))
        stage.then(STRATEGY, "last-applied-missing warn warn")

    @stories(*BOTH)
    def test_a_copy_that_carries_the_originals_last_applied(self, stage):
        stage.given("apply", web())
        original = stage.get("deployments", "web")
        copied = {
            "apiVersion": "apps/v1", "kind": "Deployment", "spec": original["spec"],
            "metadata": {"name": "copy", "annotations": {LAST_APPLIED: original["metadata"]["annotations"][LAST_APPLIED]}}}
        stage.when_sent(lambda api: api.request("POST", stage.path("deployments"), copied, agent="backup-tool/v1"))
        stage.then("last-applied-invalid warn deny")

    @stories(*BOTH)
    def test_a_large_config_map(self, stage):
        manifest = {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "big"}, "data": {"text": "x" * 225_000}}
        stage.when("apply", manifest)
        stage.then("oversized-annotations warn warn")
        manifest["data"]["text"] = "y" * 245_000
        stage.when("apply", manifest)
        stage.then("oversized-annotations warn deny")

    @stories(*BOTH)
    def test_a_secret_with_string_data(self, stage):
        stage.when("apply", {
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "token"}, "stringData": {"password": "hunter2"}})
        stage.then("last-applied-secret warn deny")
        for text in (stage.outcome.errors, json.dumps(stage.outcome.events), stage.outcome.exchanges[0].answer.decode()):
            self.assertNotIn("hunter2", text)

    @stories(*BOTH)
    def test_an_exported_object_is_applied(self, stage):
        stage.given("apply", web())
        stage.given("rollout restart deployment/web")
        exported = json.loads(stage.given("get deployment/web -o json").replace("nginx:1.14.2", "nginx:1.20"))
        del exported["metadata"]["resourceVersion"]
        stage.when("apply", exported)
        stage.then("last-applied-runtime-fields warn warn")

    # Other kinds and other clients

    @stories(*BOTH)
    def test_create_says_nothing_of_what_was_declared(self, stage):
        stage.when("create", web())
        stage.then()

    @stories(*BOTH)
    def test_services_stateful_sets_daemon_sets_and_jobs(self, stage):
        ports = [{"name": name, "port": 53, "protocol": protocol} for name, protocol in (("u", "UDP"), ("t", "TCP"))]
        stage.when("apply", {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"},
            "spec": {"selector": {"app": "dns"}, "ports": ports}})
        stage.then(AMBIGUOUS)
        workload = {"selector": {"matchLabels": {"app": "a"}}, "template": {
            "metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}}
        stage.when("apply", {
            "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"},
            "spec": {"serviceName": "db", **workload}})
        stage.then(STRATEGY)
        workload["template"]["spec"]["containers"][0].update({
            "env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}],
            "ports": [{"containerPort": 5432, "protocol": protocol} for protocol in ("TCP", "UDP")]})
        stage.when("apply", {
            "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "twice"},
            "spec": {"serviceName": "db", **workload}})
        stage.then(STRATEGY, AMBIGUOUS, "duplicate-list-key warn deny")
        stage.when("apply", {
            "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"},
            "spec": {"updateStrategy": {"type": "OnDelete"}, **workload}})
        stage.then(AMBIGUOUS, "duplicate-list-key warn deny")
        stage.when("create", {
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "once-"}, "spec": {
                "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a"}]}}}})
        stage.then()
        self.assertRegex(stage.outcome.exchanges[0].request["name"], "^once-.")

    @stories(*BOTH)
    def test_config_maps_are_created_and_deleted_together(self, stage):
        stage.when("create configmap one --from-literal=a=1")
        stage.then()
        stage.when("delete configmap --all")
        stage.then(requests=0)

    @stories(*BOTH)
    def test_namespaces_and_pods_are_not_looked_at(self, stage):
        stage.when(f"create namespace {stage.namespace}-more")
        self.namespaces.append(f"{stage.namespace}-more")
        stage.then(requests=0)
        stage.when("run shell --image=busybox")
        stage.then(requests=0)

    @stories(*BOTH)
    def test_autoscale(self, stage):
        stage.given("apply", web())
        stage.when("autoscale deployment/web --max=5")
        stage.then()

    @stories(*BOTH)
    def test_apply_set(self, stage):
        stage.when("apply --prune --applyset=myset", {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "member"}},
            environment={"KUBECTL_APPLYSET": "true"})
        stage.then()

    @stories(*BOTH)
    def test_a_put_that_names_no_manager(self, stage):
        stage.given("apply", web())

        def put(api):
            current = stage.get("deployments", "web")
            current["spec"]["replicas"] = 7
            return api.request("PUT", stage.path("deployments", "web"), current, user="alice", agent="k9s/v0.32 (linux)")
        stage.until_it_arrives(lambda: stage.when_sent(put, user="alice"))
        stage.then(TAKEN)


if __name__ == "__main__":
    guarded.main()
