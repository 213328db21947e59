#!/usr/bin/env python3
"""A MutatingAdmissionPolicy that changes in flight what tools apply."""

import json
import unittest

import bench
import people
from application import application

# It replaces a tag by its digest, as image policies do.
PIN = "example.com/web@sha256:" + "0" * 64
POLICY = [
    {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "pin"}, "spec": {
        "matchConstraints": {"resourceRules": [{
            "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["deployments"]}]},
        "failurePolicy": "Fail", "reinvocationPolicy": "Never",
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression":
            f'[JSONPatch{{op: "replace", path: "/spec/template/spec/containers/0/image", value: "{PIN}"}}]'}}]}},
    {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": "pin"},
     "spec": {"policyName": "pin", "matchResources": {"namespaceSelector": {"matchLabels": {"pinned": "true"}}}}}]


class MutatingPolicy(bench.Bench):
    tool = "mutating-policy"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        served = cls.api.request("GET", "/apis/admissionregistration.k8s.io/v1").body["resources"]
        if "mutatingadmissionpolicies" not in {each["name"] for each in served}:
            raise unittest.SkipTest("this Kubernetes serves no MutatingAdmissionPolicy of v1")

    def test_a_mutating_admission_policy(self):
        self.kubectl("create", "--filename=-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": POLICY}), user="setup")
        for way in ("kubectl", "kubectl-server-side"):
            name = self.namespace(f"pinned-{way}")
            install, annotate = people.FORMER[way], ("annotate", "deployment/web", "--overwrite")
            with self.phase(f"{way}: install, before the policy"):
                install(self, name, few())
            self.kubectl("label", "namespace", name, "pinned=true", user="setup")

            def is_pinned(name=name, annotate=annotate):
                return PIN in self.kubectl(
                    *annotate, "probe=1", "--dry-run=server", "--output=json", namespace=name, user="setup")
            self.wait_for(is_pinned, "the policy")
            with self.phase(f"{way}: kubectl annotate, and the policy pins"):
                self.kubectl(*annotate, "note=1", namespace=name, user="alice")
            with self.phase(f"{way}: kubectl annotate, with nothing left to pin"):
                self.kubectl(*annotate, "note=2", namespace=name, user="alice")
            for phase, version in (("apply the same", 1), ("apply the same", 1), ("upgrade", 2)):
                with self.phase(f"{way}: {phase}, and the policy pins"):
                    install(self, name, few(version))
            created = self.namespace(f"created-{way}")
            self.kubectl("label", "namespace", created, "pinned=true", user="setup")
            for phase in ("install", "apply the same"):
                with self.phase(f"{way}: {phase} under the policy"):
                    install(self, created, few())


def few(version=1):
    return [each for each in application(version) if each["metadata"]["name"] in ("web", "settings")]


if __name__ == "__main__":
    bench.main()
