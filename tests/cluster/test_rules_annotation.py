"""Content that a manifest leaves in the last-applied annotation: Secrets, exported objects, items that cannot be distinguished.

The findings' predictions are tried on the API server: ports and variables get lost, and the way out is open.
"""

import json

import guarded
from api import JSON_PATCH
from stage import ALL, BOTH, stories, web

RECREATE = {"strategy": {"type": "Recreate"}}


def secret(**content):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, **content}


def service(*ports):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": {"ports": list(ports)}}


UDP, TCP = {"name": "udp", "port": 53, "protocol": "UDP"}, {"name": "tcp", "port": 53}
DNS = service(UDP, TCP)
REMOVE_ANNOTATION = "annotate secret/db kubectl.kubernetes.io/last-applied-configuration-"


def workload(pod=None, **container):
    manifest = web(**RECREATE)
    spec = manifest["spec"]["template"]["spec"]
    spec["containers"][0].update(container)
    spec.update(pod or {})
    return manifest


def spread(when_unsatisfiable):
    return {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": when_unsatisfiable,
            "labelSelector": {"matchLabels": {"app": "web"}}}


class Annotation(guarded.Guarded):

    @stories(*ALL)
    def test_a_secret_is_applied(self, stage):
        outcome = stage.when("apply", secret(stringData={"password": "hunter2"}))
        stage.then("last-applied-secret warn deny")
        said = outcome.output + outcome.errors + json.dumps(outcome.events) + outcome.exchanges[0].answer.decode()
        self.assertNotIn("hunter2", said.replace('\\"password\\":\\"hunter2\\"', ""))

    @stories(*BOTH)
    def test_a_secret_is_applied_server_side_or_without_content(self, stage):
        stage.when("apply --server-side", secret(stringData={"password": "hunter2"}))
        stage.then()
        stage.when("delete secret/db")
        stage.when("apply", secret(type="Opaque"))
        stage.then()

    @stories(*BOTH)
    def test_a_label_on_an_applied_secret(self, stage):
        stage.given("apply", secret(data={"password": "aHVudGVyMg=="}))
        stage.when("label secret/db team=a")
        stage.then()

    @stories(*BOTH)
    def test_the_way_out_of_a_secret_in_the_annotation(self, stage):
        stage.given("apply", secret(data={"password": "aHVudGVyMg=="}))
        stage.when("apply --server-side", secret(data={"password": "aHVudGVyMg=="}))
        # kubectl sends the apply twice around its migration; the first is the one that is warned of.
        self.assertEqual(0, stage.outcome.status, stage.outcome.errors)
        self.assertEqual(["last-applied-secret"], stage.outcome.rules)
        self.assertEqual(1, stage.outcome.errors.count("[last-applied-secret]"))
        stage.when(REMOVE_ANNOTATION)
        stage.then()
        stage.when("apply --server-side", secret(data={"password": "aHVudGVyMw=="}))
        stage.then()
        self.assertNotIn("annotations", stage.get("secrets", "db", "v1")["metadata"])

    @stories(*BOTH)
    def test_a_secret_whose_values_others_fill_in(self, stage):
        stage.when("apply", secret(data={"password": ""}))
        stage.then()

    @stories(*BOTH)
    def test_an_exported_object_is_applied(self, stage):
        stage.given("apply", web(**RECREATE))
        exported = stage.get("deployments", "web")
        exported["metadata"]["annotations"].clear()
        exported["metadata"].pop("managedFields")
        # A controller writes the status meanwhile: with an old version the apply would fail by itself.
        exported["metadata"].pop("resourceVersion")
        exported["spec"]["minReadySeconds"] = 5
        stage.when("apply", exported)
        stage.then("last-applied-runtime-fields warn warn")

    @stories(*BOTH)
    def test_what_a_generator_prints_is_applied(self, stage):
        generated = web(**RECREATE)
        generated["metadata"]["creationTimestamp"] = None
        generated["status"] = {}
        stage.when("apply", generated)
        stage.then()

    @stories(*BOTH)
    def test_what_kubectl_create_prints_is_applied(self, stage):
        for command in (
                "service clusterip web --tcp=80", "deployment web --image=nginx", "job web --image=nginx",
                "serviceaccount web"):
            printed = stage.given(f"create {command} --dry-run=client --output=yaml")
            stage.when("apply", printed)
            rules = {finding["rule"] for each in stage.outcome.exchanges for finding in each.findings}
            self.assertNotIn("last-applied-runtime-fields", rules, printed)
            self.assertEqual(1, len(stage.outcome.exchanges), stage.outcome.errors)

    @stories(*ALL)
    def test_one_port_over_two_protocols(self, stage):
        stage.when("apply", DNS)
        stage.then("ambiguous-merge-key warn warn")

    @stories(*BOTH)
    def test_one_port_over_two_protocols_server_side(self, stage):
        stage.when("apply --server-side", DNS)
        stage.then()

    @stories(*BOTH)
    def test_the_way_out_of_one_port_over_two_protocols(self, stage):
        stage.given("apply", DNS)
        stage.when("apply --server-side", DNS)
        stage.then()
        stage.when("apply --server-side", service(UDP, {**TCP, "targetPort": 5353}))
        stage.then()
        self.assertEqual({"UDP": 53, "TCP": 5353}, self.targets(stage))

    @stories("baseline")
    def test_a_port_is_lost_beside_another_protocol(self, stage):
        stage.given("apply", service(TCP))
        stage.when("apply", DNS)
        stage.then("ambiguous-merge-key warn warn")
        self.assertEqual({"UDP": 53}, self.targets(stage))

    @stories(*BOTH)
    def test_somebody_puts_a_protocol_beside_an_applied_one(self, stage):
        stage.given("apply", service(TCP))
        self.patch(stage, [{"op": "add", "path": "/spec/ports/-", "value": UDP}])
        stage.then("ambiguous-merge-key warn warn")
        if stage.profile == "strict":
            return
        # A later writer causes nothing, and the applier gets the finding.
        self.patch(stage, [{"op": "add", "path": "/spec/publishNotReadyAddresses", "value": True}])
        stage.then()
        stage.when("apply", service({**TCP, "targetPort": 5353}))
        stage.then("ambiguous-merge-key warn warn", "orphaned-fields audit warn")

    @stories(*BOTH)
    def test_somebody_adds_another_port(self, stage):
        stage.given("apply", service(TCP))
        self.patch(stage, [{"op": "add", "path": "/spec/ports/-", "value": {**UDP, "port": 54}}])
        stage.then()

    @stories(*BOTH)
    def test_pods_with_items_of_one_merge_key(self, stage):
        protocols = [{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP"}]
        stage.when("apply", workload({
            "initContainers": [{"name": "init", "image": "nginx", "ports": protocols}],
            "topologySpreadConstraints": [spread("DoNotSchedule"), spread("ScheduleAnyway")]}, ports=protocols))
        stage.then("ambiguous-merge-key warn warn")
        self.assertEqual([
            '.spec.template.spec.containers[name="nginx"].ports[containerPort=53]',
            '.spec.template.spec.initContainers[name="init"].ports[containerPort=53]',
            '.spec.template.spec.topologySpreadConstraints[topologyKey="zone"]'],
            sorted(stage.outcome.exchanges[0].findings[0]["fields"]))

    @stories(*BOTH)
    def test_two_ports(self, stage):
        stage.when("apply", service({"name": "a", "port": 80}, {"name": "b", "port": 81, "protocol": "UDP"}))
        stage.then()

    @stories(*BOTH)
    def test_a_variable_is_declared_twice(self, stage):
        manifest = web(**RECREATE)
        container = manifest["spec"]["template"]["spec"]["containers"][0]
        container["env"] = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
        stage.when("apply", manifest)
        stage.then("duplicate-list-key warn deny")
        container["env"].pop()
        stage.when("apply", manifest)
        stage.then("duplicate-list-key warn off")  # strict has refused the object with both

    @stories(*BOTH)
    def test_both_variables_are_lost(self, stage):
        variables = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
        stage.given("apply", workload(env=variables))
        stage.when("apply", workload(env=variables[1:]))
        stage.then("duplicate-list-key warn deny")
        if stage.profile == "baseline":
            self.assertNotIn("env", self.container(stage))
        stage.when("apply --server-side --force-conflicts", workload(env=variables[1:]))
        self.assertEqual(variables[1:], self.container(stage)["env"])

    @staticmethod
    def container(stage):
        return stage.get("deployments", "web")["spec"]["template"]["spec"]["containers"][0]

    @stories(*BOTH)
    def test_a_variable_was_declared_twice_before(self, stage):
        stage.given("apply", workload(env=[{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]))
        stage.when("apply", workload(env=[{"name": "A", "value": "1"}, {"name": "A", "value": "3"}]))
        stage.then("duplicate-list-key audit audit")

    @stories(*BOTH)
    def test_a_list_is_reported_by_one_rule(self, stage):
        stage.when("apply", workload(ports=[
            {"containerPort": 80}, {"containerPort": 80, "protocol": "TCP"}, {"containerPort": 53},
            {"containerPort": 53, "protocol": "UDP"}]))
        stage.then("duplicate-list-key warn deny")

    @stories(*BOTH)
    def test_server_side_apply_refuses_duplicates_itself(self, stage):
        refused = stage.when("apply --server-side", workload(env=[{"name": "A"}, {"name": "A"}]))
        self.assertEqual((1, []), (refused.status, refused.exchanges))
        self.assertIn('duplicate entries for key [name="A"]', refused.errors)

    def patch(self, stage, operations):
        stage.when_sent(lambda api: api.request(
            "PATCH", stage.path("services", "dns", "v1"), operations, content_type=JSON_PATCH, fieldManager="kubectl-patch"))

    def targets(self, stage):
        ports = stage.get("services", "dns", "v1")["spec"]["ports"]
        return {port["protocol"]: port["targetPort"] for port in ports}


if __name__ == "__main__":
    guarded.main()
