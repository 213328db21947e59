#!/usr/bin/env python3
"""The API server's own changes when the definition of custom resources changes."""

import json
import os

import bench

# Kubernetes 1.37 keeps the entries that it cannot convert, and refuses the apply of a version that is gone.
os.environ["KUBERNETES"] = "1.36"

class ApiServer(bench.Bench):
    tool = "api-server"

    def test_1_a_conversion_webhook_that_is_down(self):
        """The API server cannot track fields of another version, and drops all that it knew (kubernetes#136919)."""
        name = self.two_teams("widgets")
        with self.phase("conversion: kubectl annotate"):
            self.annotate("widgets", "1")
        self.redefine(definition("widgets", conversion={"strategy": "Webhook", "webhook": {
            "conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/convert"}}}))
        self.wait_for(lambda: "conversion webhook" in self.api.request(
            "GET", f"/apis/example.com/v1beta1/namespaces/{name}/widgets/w").body.get("message", ""), "the broken conversion")
        for phase in ("kubectl annotate while the webhook is down", "kubectl annotate once more"):
            with self.phase(f"conversion: {phase}"):
                self.annotate("widgets", phase)

    def test_2_a_version_that_is_gone(self):
        """The API server cannot read the entry of a version that the definition no longer has, and drops them all."""
        name = self.two_teams("gadgets")
        self.redefine(definition("gadgets", versions=("v1",)))
        self.wait_for(lambda: self.api.request(
            "GET", f"/apis/example.com/v1beta1/namespaces/{name}/gadgets").status == 404, "the end of the version")
        for phase in ("kubectl annotate", "kubectl annotate once more"):
            with self.phase(f"a version is gone: {phase}"):
                self.annotate("gadgets", phase)
        with self.phase("a version is gone: apply"):
            self.apply("gadgets", "v1", {"v1": "green"}, "--force-conflicts")

    def test_3_what_became_atomic(self):
        """The API server moves the ownership of a map's members to the map as a whole."""
        self.two_teams("gizmos")
        self.redefine(definition("gizmos", map_type="atomic"))
        # The new schema is served as soon as an apply of a part of the map gets the whole map.
        self.wait_for(lambda: "v1beta1" not in self.kubectl(
            "apply", "--server-side", "--force-conflicts", "--dry-run=server", "--output=json", "--filename=-",
            input=thing("gizmos", "v1", {"v1": "red"}), namespace="gizmos", user="setup").partition('"spec"')[2], "the schema")
        for phase in ("kubectl annotate", "kubectl annotate once more"):
            with self.phase(f"a map became atomic: {phase}"):
                self.annotate("gizmos", phase)
        with self.phase("a map became atomic: apply"):
            self.apply("gizmos", "v1", {"v1": "red", "v1beta1": "red"})

    def create(self, thing):
        self.kubectl("create", "--filename=-", input=json.dumps(thing), user="setup")

    def two_teams(self, kind):
        """Custom resources of this kind in a namespace of this name, to which two teams apply, each its own version."""
        self.create(definition(kind))
        self.namespace(kind)
        self.wait_for(lambda: self.api.request("GET", f"/apis/example.com/v1/namespaces/{kind}/{kind}").ok, "the kind")
        for version in ("v1beta1", "v1"):
            with self.phase(f"{kind}: a team applies {version}"):
                self.apply(kind, version, {version: "red"})
        return kind

    def apply(self, kind, version, parts, *flags):
        self.kubectl("apply", "--server-side", f"--field-manager=team-{version}", "--filename=-", *flags,
                     input=thing(kind, version, parts), namespace=kind, user="alice")

    def annotate(self, kind, note):
        self.kubectl("annotate", f"{kind}.v1.example.com/w", f"note={note}", "--overwrite", namespace=kind, user="alice")

    def redefine(self, wanted):
        live = self.get(f"customresourcedefinition/{wanted['metadata']['name']}")
        wanted["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"]
        self.kubectl("replace", "--filename=-", input=json.dumps(wanted), user="setup")


def thing(kind, version, parts):
    return json.dumps({"apiVersion": f"example.com/{version}", "kind": kind[:-1].title(), "metadata": {"name": "w"},
                       "spec": {"parts": parts}})


def definition(kind, *, conversion=None, versions=("v1", "v1beta1"), map_type="granular"):
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"parts": {
        "type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": map_type}}}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind}.example.com"}, "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": kind[:-1].title(), "plural": kind, "singular": kind[:-1]},
            "conversion": conversion or {"strategy": "None"}, "versions": [
                {"name": version, "served": True, "storage": version == "v1", "schema": schema} for version in versions]}}


if __name__ == "__main__":
    bench.main()
