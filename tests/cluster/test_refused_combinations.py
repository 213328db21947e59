"""What refused-combination says the API server refuses this:, it refuses, at the very fields; and what it lets pass, passes.

The manifests are the stories in tests/manifests.
"""

import json
import pathlib
import re

import guarded
import harness

# The fields that the API server names for some of ours.
ELSEWHERE = {
    ".spec.template.spec.containers[0].resources.requests.nvidia.com/gpu": "spec.template.spec.containers[0].resources.limits",
    ".spec.template.spec.tolerations[0].value": "spec.template.spec.tolerations[0].operator",
    ".spec.template.spec.tolerations[2].value": "spec.template.spec.tolerations[2].operator",
    ".spec.volumes[5].downwardAPI.items[0].path": "spec.volumes[5].downwardAPI.path",
    ".spec.volumes[5].downwardAPI.items[0].fieldRef.fieldPath": "spec.volumes[5].downwardAPI.fieldRef",
    # Up to Kubernetes 1.36.
    ".spec.template.spec.shareProcessNamespace": "spec.template.spec.securityContext.shareProcessNamespace",
    ".spec.jobTemplate.spec.template.metadata.labels.app": "spec.jobTemplate.spec.template.labels",
    ".spec.targetCPUUtilizationPercentage": "spec.metrics[0].resource.target.averageUtilization",
    ".spec.loadBalancerSourceRanges[0]": "spec.LoadBalancerSourceRanges[0]",
    ".spec.loadBalancerSourceRanges[1]": "spec.LoadBalancerSourceRanges[1]",
    # Since Kubernetes 1.37, whose autoscalers may scale to zero.
    ".spec.minReplicas": "spec.metrics",
    ".spec.taints[0].key": "metadata.taints[0].key", ".spec.taints[0].effect": "metadata.taints[0].effect",
    ".spec.template.metadata.labels.c": "spec.template.labels", ".binaryData.a": "data[a]",
    ".overhead.podFixed.cpu": "overhead.limits[cpu]", ".stringData..dockerconfigjson": "data[.dockerconfigjson]",
    ".spec.conversion.webhook.conversionReviewVersions": "spec.conversion.conversionReviewVersions",
    **{f".spec.conversion.webhook.clientConfig.service.{name}": f"spec.conversion.webhookClientConfig.service.{name}"
       for name in ("name", "namespace")},
    **{f".spec.versions[0].{ours}": f"spec.{theirs}" for ours, theirs in (
        ("additionalPrinterColumns[0].type", "additionalPrinterColumns[0].type"),
        ("additionalPrinterColumns[0].jsonPath", "additionalPrinterColumns[0].JSONPath"),
        ("subresources.scale.specReplicasPath", "subresources.scale.specReplicasPath"),
        ("subresources.scale.statusReplicasPath", "subresources.scale.statusReplicasPath"))}}
STORIES = pathlib.Path(__file__).resolve().parents[1] / "manifests"


def plain(field):
    """A field without the keys of list items, and without the dot in front."""
    return re.sub(r"\[[^]]*\]", "", field).lstrip(".")


class RefusedCombinations(guarded.Guarded):
    def documents(self, story):
        text = (STORIES / story / "all.yaml").read_text()
        for document in text.split("\n---\n"):
            if "example.com" not in document:
                yield document

    def found(self, document):
        done = harness.run(harness.Program.path, "check", "--output", "json", "-", input=document.encode())
        item = json.loads(done.stdout)
        return item, [each["fields"][0] for each in item["findings"] if each["rule"] == "refused-combination"]

    def refused(self, document, namespace):
        """The fields of the causes for which the API server refuses to create it; none: it would."""
        done = self.run_kubectl("create", "--dry-run=server", "--validate=false", "--output=json", "--filename=-",
                                namespace=namespace, manifest=document, user="setup")
        if "illegal base64" in done.stderr:
            return {"data"}, done
        if "quantities must match" in done.stderr:
            return {"spec"}, done
        if "ingress.class: Invalid" in done.stderr:
            return {"spec.ingressClassName"}, done
        if "openAPIV3Schema: Required" in done.stderr:
            return {"spec.versions[0].schema.openAPIV3Schema"}, done
        return set(re.findall(r"(?:^\* |: |\[|, )([a-zA-Z]+(?:\[[^]]*\])?(?:\.[a-zA-Z]+(?:\[[^]]*\])?)*): (?:Invalid|Forbidden|Required|Unsupported|Duplicate)",
                              done.stderr, re.MULTILINE)), done

    def test_what_is_refused(self):
        namespace = self.namespace("baseline")
        for story in ("refused-combination-many", "refused-combination", "refused-combination-required", "refused-combination-values",
                      "refused-combination-members"):
            documents = self.documents(story) if (STORIES / story / "all.yaml").exists() else [(STORIES / story / "web.yaml").read_text()]
            for document in documents:
                document = re.sub(r"(?m)^ *namespace: .*\n", "", document)
                item, found = self.found(document)
                causes, done = self.refused(document, namespace)
                with self.subTest(story, name=item["name"]):
                    self.assertTrue(found)
                    self.assertNotEqual(done.returncode, 0)
                    for field in found:
                        if item["kind"] == "Job.batch" and field == ".metadata.name":
                            field = "spec.template.labels"
                        named = [plain(name) for name in (field, ELSEWHERE.get(field, field))]
                        self.assertTrue(
                            any(plain(cause).startswith(name) or name.startswith(plain(cause)) for cause in causes for name in named),
                            f"{field} is none of {causes}: {done.stderr}")

    def test_what_is_not(self):
        namespace = self.namespace("baseline")
        for document in (*self.documents("refused-combination-near"), *self.documents("refused-combination-required-near"),
                         *self.documents("refused-combination-values-near"), *self.documents("refused-combination-members-near")):
            item, found = self.found(document)
            causes, done = self.refused(document, namespace)
            with self.subTest(item["name"]):
                self.assertEqual(found, [])
                self.assertEqual((done.returncode, causes), (0, set()), done.stderr)


if __name__ == "__main__":
    guarded.main()
