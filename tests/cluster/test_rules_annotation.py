"""What a manifest leaves in the last-applied annotation: Secrets, exported objects, items that cannot be told apart."""

import json

import guarded
from stage import ALL, BOTH, stories, web

RECREATE = {"strategy": {"type": "Recreate"}}


def secret(**content):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, **content}


def service(*ports):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": {"ports": list(ports)}}


DNS = service({"name": "udp", "port": 53, "protocol": "UDP"}, {"name": "tcp", "port": 53})


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
        stage.given("apply --server-side", secret(data={"password": "aHVudGVyMg=="}))
        stage.when("annotate secret/db kubectl.kubernetes.io/last-applied-configuration-")
        stage.then()
        stage.when("apply --server-side", secret(data={"password": "aHVudGVyMw=="}))
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

    @stories(*ALL)
    def test_one_port_over_two_protocols(self, stage):
        stage.when("apply", DNS)
        stage.then("ambiguous-merge-key warn deny")

    @stories(*BOTH)
    def test_one_port_over_two_protocols_server_side(self, stage):
        stage.when("apply --server-side", DNS)
        stage.then()

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
        stage.then()


if __name__ == "__main__":
    guarded.main()
