#!/usr/bin/env python3
"""Custom resources of two served versions with a conversion webhook: teams apply in one, an operator writes in the other.

v1beta1 has .spec.size where v1, which is stored, has .spec.replicas; the rest is the same in both.
"""

import base64
import copy
import json
import pathlib

import bench
import harness
from loopback import Loopback

GROUP = "example.com"
SCHEMA = {
    "v1beta1": {"size": {"type": "integer"}, "image": {"type": "string"}},
    "v1": {"replicas": {"type": "integer"}, "image": {"type": "string"}}}
SHARED = {
    "endpoint": {"type": "string"}, "settings": {"type": "object", "additionalProperties": {"type": "string"}},
    "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {
        "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "port": {"type": "integer"}}}}}


class Conversion(bench.Bench):
    tool = "conversion"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        certificate = harness.Certificate()
        webhook = Loopback(certificate, convert)
        cls.addClassCleanup(webhook.close)
        cls.kubectl("create", "--filename=-", input=json.dumps(definition(webhook.port, certificate)), user="setup")
        bench.wait_until(lambda: cls.api.request("GET", f"/apis/{GROUP}/v1beta1/namespaces/default/caches").ok, timeout=60,
                         what="the kind")

    def test_1_a_team_applies_the_old_version_and_an_operator_writes_the_new_one(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(way)

            def apply(phase, version, image, size=2, name=name, way=way, flags=flags, **settings):
                with self.phase(f"{way}: {phase}"):
                    self.kubectl("apply", *flags, "--filename=-", input=json.dumps(cache(version, image, size, **settings)),
                                 namespace=name, user="alice")
            apply("install in v1beta1", "v1beta1", "one")
            self.operate(name, way)
            for _ in range(2):
                apply("apply the same in v1beta1", "v1beta1", "one")
            apply("upgrade in v1beta1", "v1beta1", "two", size=3, mode="fast")
            self.operate(name, way)
            apply("remove a field in v1beta1", "v1beta1", "two", size=3)
            # The steps of teams when the old version is removed.
            for _ in range(2):
                apply("the same in v1", "v1", "two", size=3)
            apply("upgrade in v1", "v1", "three", size=4)
            self.operate(name, way)
            apply("apply the same in v1", "v1", "three", size=4)
            with self.fight(f"{way}: kubectl patch of what is applied in v1"):
                self.patch(name, "v1", {"spec": {"replicas": 9}})
            with self.fight(f"{way}: kubectl patch in v1beta1 of what is applied in v1"):
                self.patch(name, "v1beta1", {"spec": {"image": "hotfix"}})

    def test_2_a_fight_across_versions(self):
        for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
            name = self.namespace(f"fight-{way}")
            with self.phase(f"{way}: install in v1beta1, to be fought over"):
                self.kubectl("apply", *flags, "--filename=-", input=json.dumps(cache("v1beta1", "one", 2)), namespace=name,
                             user="alice")
            with self.fight(f"{way}: kubectl patch in v1 of a field of both versions"):
                self.patch(name, "v1", {"spec": {"image": "hotfix"}})
            with self.fight(f"{way}: kubectl patch in v1 of a field of another name"):
                self.patch(name, "v1", {"spec": {"replicas": 9}})

    def patch(self, namespace, version, patch):
        self.kubectl("patch", f"caches.{version}.{GROUP}/main", "--type=merge", "--patch", json.dumps(patch),
                     namespace=namespace, user="alice")

    def operate(self, namespace, way):
        """A finalizer and the status by updates of the whole object, an address by server-side apply."""
        path = f"/apis/{GROUP}/v1/namespaces/{namespace}/caches/main"
        for phase, act in (("adds its finalizer", self.finalize), ("reports", self.report), ("applies the address", self.address)):
            with self.phase(f"{way}: an operator {phase} in v1"):
                answer = act(path)
                self.assertTrue(answer.ok, answer.body)

    def finalize(self, path):
        live = self.api.request("GET", path).body
        live["metadata"]["finalizers"] = ["example.com/cache"]
        return self.replace(path, live)

    def report(self, path):
        live = self.api.request("GET", path).body
        live["status"] = {"ready": live["spec"]["replicas"]}
        return self.replace(f"{path}/status", live)

    def address(self, path):
        return self.api.apply(path, {"apiVersion": f"{GROUP}/v1", "kind": "Cache", "metadata": {"name": "main"},
                                     "spec": {"endpoint": "10.0.0.1"}}, "cache-operator", force=True, user="operator")

    def replace(self, path, body):
        return self.api.request("PUT", path, body, user="operator", agent="cache-operator/v1")


def cache(version, image, size, **settings):
    return {"apiVersion": f"{GROUP}/{version}", "kind": "Cache", "metadata": {"name": "main"}, "spec": {
        "size" if version == "v1beta1" else "replicas": size, "image": image, "ports": [{"name": "main", "port": 6379}],
        "settings": {"policy": "lru", **settings}}}


def convert(_, review):
    """The webhook's answer."""
    wanted = review["request"]["desiredAPIVersion"]
    converted = [converted_to(wanted, each) for each in review["request"]["objects"]]
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": {
        "uid": review["request"]["uid"], "convertedObjects": converted, "result": {"status": "Success"}}}


def converted_to(version, thing):
    thing = copy.deepcopy(thing)
    before, after = ("size", "replicas") if version.endswith("/v1") else ("replicas", "size")
    if before in thing.get("spec", {}):
        thing["spec"][after] = thing["spec"].pop(before)
    return {**thing, "apiVersion": version}


def definition(port, certificate):
    bundle = base64.b64encode(pathlib.Path(certificate.certificate).read_bytes()).decode()
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"caches.{GROUP}"},
        "spec": {
            "group": GROUP, "scope": "Namespaced", "names": {"kind": "Cache", "plural": "caches", "singular": "cache"},
            "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
                "url": f"https://127.0.0.1:{port}/convert", "caBundle": bundle}}},
            "versions": [{
                "name": version, "served": True, "storage": version == "v1", "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {**SCHEMA[version], **SHARED}},
                    "status": {"type": "object", "properties": {"ready": {"type": "integer"}}}}}}} for version in SCHEMA]}}


if __name__ == "__main__":
    bench.main()
