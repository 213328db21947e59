#!/usr/bin/env python3
"""Tools that are not built here: the requests that their sources send, in order, by the names that they go by.

Crossplane: internal/ssa/managed_fields.go. Cluster API: internal/util/ssa/managedfields.go. werf and Nelm:
pkg/plan/resource_info.go of Nelm. Velero: people.py. And what no tool does.
"""

import copy

import bench
import people
from api import JSON_PATCH, MERGE
from application import application

WEB = next(each for each in application() if each["kind"] == "Deployment")


class FromSource(bench.Bench):
    tool = "from-source"

    def send(self, method, namespace, body, name="/web", **options):
        answer = self.api.request(
            method, f"/apis/apps/v1/namespaces/{namespace}/deployments{name}", body, user="operator", **options)
        self.assertTrue(answer.ok, answer.body)
        return answer.body

    def apply(self, namespace, manager, agent, body=WEB):
        answer = self.api.apply(
            f"/apis/apps/v1/namespaces/{namespace}/deployments/web", body, manager, force=True, user="operator", agent=agent)
        self.assertTrue(answer.ok, answer.body)

    def live(self, namespace):
        return self.get("deployment/web", namespace)

    def unless_written(self, namespace):
        """A test that lets a JSON patch fail if the object changed in between."""
        version = self.live(namespace)["metadata"]["resourceVersion"]
        return {"op": "replace", "path": "/metadata/resourceVersion", "value": version}

    def own(self, namespace, entries, **options):
        """Writes managedFields again, unless the object changed in between."""
        version = self.live(namespace)["metadata"]["resourceVersion"]
        self.send("PATCH", namespace, {"metadata": {"managedFields": entries, "resourceVersion": version}},
                  content_type=MERGE, **options)

    def test_1_crossplane(self):
        """It clears all managers of its client-side objects, applies, and removes the entry that the API server makes."""
        name = self.namespace("crossplane")
        own, agent = "apiextensions.crossplane.io/composed/0123456789abcdef", "crossplane/v2.1"
        with self.phase("crossplane: compose client-side"):
            self.send("POST", name, WEB, "", agent=agent)
        with self.phase("crossplane: clear the managers"):
            self.send("PATCH", name, [
                {"op": "replace", "path": "/metadata/managedFields", "value": [{}]},
                self.unless_written(name)],
                content_type=JSON_PATCH, agent=agent)
        with self.phase("crossplane: apply"):
            self.apply(name, own, agent)
        entries = self.live(name)["metadata"]["managedFields"]
        position = [each["manager"] for each in entries].index("before-first-apply")
        with self.phase("crossplane: remove before-first-apply"):
            self.send("PATCH", name, [
                {"op": "remove", "path": f"/metadata/managedFields/{position}"},
                self.unless_written(name)],
                content_type=JSON_PATCH, agent=agent)
        for phase, version in (("resync", 1), ("upgrade", 2)):
            with self.phase(f"crossplane: {phase}"):
                self.apply(name, own, agent, next(each for each in application(version) if each["kind"] == "Deployment"))

    def test_2_cluster_api(self):
        """It creates with all fields, drops labels and annotations from its entry, and applies these under a second name."""
        name = self.namespace("cluster-api")
        own, metadata, agent = "capi-kubeadmcontrolplane", "capi-kubeadmcontrolplane-metadata", "manager/v1.14"
        labelled = copy.deepcopy(WEB)
        labelled["metadata"]["labels"] = {"cluster.x-k8s.io/cluster-name": "one"}
        labelled["metadata"]["annotations"] = {"note": "1"}
        with self.phase("cluster api: create"):
            self.apply(name, own, agent, labelled)
        with self.phase("cluster api: drop labels and annotations"):
            entries = self.live(name)["metadata"]["managedFields"]
            for each in entries:
                if each["manager"] == own:
                    del each["fieldsV1"]["f:metadata"]
            self.own(name, entries, agent=agent)
        identity = {key: WEB[key] for key in ("apiVersion", "kind")}
        for phase, value in (("take them under the second name", "1"), ("change them", "2")):
            with self.phase(f"cluster api: {phase}"):
                self.apply(name, metadata, agent, {**identity, "metadata": {
                    "name": "web", "labels": labelled["metadata"]["labels"], "annotations": {"note": value}}})
        migrated = self.namespace("cluster-api-migrated")
        with self.phase("cluster api: created by an older one"):
            self.apply(migrated, own, agent, labelled)
            self.send("PATCH", migrated, {"metadata": {"annotations": {"older": "1"}}}, content_type=MERGE, agent=agent)
        with self.phase("cluster api: migrate its own entries"):
            self.own(migrated, [{
                "manager": metadata, "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
                "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:metadata": {"f:name": {}}}}], agent=agent)
        with self.phase("cluster api: apply after the migration"):
            self.apply(migrated, metadata, agent, {**identity, "metadata": {
                "name": "web", "labels": labelled["metadata"]["labels"], "annotations": {"note": "2"}}})

    def test_3_nelm(self):
        """It folds kubectl edit's fields, and werf's fields, into Helm's entry, and drops its fields from others."""
        name = self.namespace("nelm")
        with self.phase("nelm: install"):
            self.apply(name, "helm", "nelm/v1")
        with self.fight("nelm: kubectl edit"):
            people.edit(self, name)
        with self.phase("nelm: fold in what was edited"):
            entries = self.live(name)["metadata"]["managedFields"]
            own = next(each for each in entries if each["manager"] == "helm")
            for each in entries:
                if each["manager"] == "kubectl-edit":
                    _merge(own["fieldsV1"], each["fieldsV1"])
            self.own(name, [own, *(each for each in entries if each["manager"] not in ("helm", "kubectl-edit"))],
                     fieldManager="helm", agent="nelm/v1")
        with self.phase("nelm: apply"):
            self.apply(name, "helm", "nelm/v1")
        shared = self.namespace("nelm-shared")
        with self.phase("nelm: installed by kubectl server-side"):
            people.with_kubectl_server_side(self, shared, [WEB])
        with self.phase("nelm: adopt"):
            self.apply(shared, "helm", "nelm/v1")
            entries = self.live(shared)["metadata"]["managedFields"]
            self.own(shared, [each for each in entries if each["manager"] == "helm"], fieldManager="helm", agent="nelm/v1")
        with self.phase("nelm: upgrade"):
            self.apply(shared, "helm", "nelm/v1", next(each for each in application(2) if each["kind"] == "Deployment"))

    def test_4_velero(self):
        """It creates the saved objects with their saved managedFields, and their appliers go on."""
        for way, install in (("kubectl", people.with_kubectl), ("kubectl-server-side", people.with_kubectl_server_side),
                             ("helm-3", people.with_helm_3)):
            name = self.namespace(f"velero-{way}")
            if way == "helm-3":
                def apply(version, name=name):
                    chart = people.write_chart(_web(version), self.plane.directory / "former" / name)
                    self.helm(3, "upgrade", "shop", chart, namespace=name)
            else:
                def apply(version, install=install, name=name):
                    install(self, name, _web(version))
            with self.phase(f"velero: installed by {way}"):
                install(self, name, _web(1))
            with self.phase(f"velero: restore what {way} installed"):
                people.lose_and_restore(self, name)
            for phase, version in (("resync", 1), ("upgrade", 2)):
                with self.phase(f"velero: {phase} what {way} installed"):
                    apply(version)

    def test_5_what_no_tool_does(self):
        name = self.namespace("robbed")
        with self.phase("robbery: installed by kubectl server-side"):
            people.with_kubectl_server_side(self, name, [WEB])
        with self.fight("robbery: an Apply entry is renamed, under the new name"):
            entries = self.live(name)["metadata"]["managedFields"]
            for each in entries:
                if each["manager"] == "kubectl":
                    each["manager"] = "my-operator"
            self.send("PATCH", name, [{"op": "replace", "path": "/metadata/managedFields", "value": entries}],
                      content_type=JSON_PATCH, fieldManager="my-operator", agent="my-operator/v1")
        wiped = self.namespace("wiped")
        with self.phase("wiping: installed by kubectl server-side"):
            people.with_kubectl_server_side(self, wiped, [WEB])
        with self.fight("wiping: managedFields of nothing"):
            self.send("PATCH", wiped, {"metadata": {"managedFields": [{}]}}, content_type=MERGE, agent="my-operator/v1")


def _web(version):
    return [each for each in application(version) if each["metadata"]["name"] in ("web", "settings")]


def _merge(into, fields):
    for key, value in fields.items():
        _merge(into.setdefault(key, {}), value)


if __name__ == "__main__":
    bench.main()
