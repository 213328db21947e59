"""A clean first apply of manifests from the real world gives no finding but what the manifest itself leaves out or holds.

The manifests are all those in Kubernetes' own source tree that the API server accepts: add-ons, examples, test data. What
`applyguard check` says of each must be what the webhook says when it is applied, and the annotation that kubectl writes must
have the very size that check foresees.
"""

import collections
import json
import re

import guarded
import harness
import kubernetes

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
ABOUT_THE_MANIFEST = {"explicit-selector", "explicit-strategy", "oversized-annotations"}
# Every other finding, and why it is right.
EXPLAINED = {
    "last-applied-secret": {
        "Secret tls-secret": "its data is in the manifest, so in the annotation",
        "Secret test-secret": "its data is in the manifest, so in the annotation",
        "Secret test-set-env-secret": "its data is in the manifest, so in the annotation",
    },
    "last-applied-runtime-fields": {
        "Deployment nginx-2": "the manifest has resourceVersion 99 of an object that once lived",
        "Pod sorted-pod1": "the manifest has a creationTimestamp, for a test that sorts by it",
        "Pod sorted-pod2": "the manifest has a creationTimestamp, for a test that sorts by it",
        "Pod sorted-pod3": "the manifest has a creationTimestamp, for a test that sorts by it",
        "Node node-with-taint": "the manifest is a template for fake nodes and has their status",
        "Node scheduler-perf-node": "the manifest is a template for fake nodes and has their status",
        "Node unschedulable-node": "the manifest is a template for fake nodes and has their status",
    },
}


SIZE = re.compile(r"annotation of (\d+) bytes")
# The rules of manifests, which no webhook knows, are off but for one that tells how large the annotation will be.
CHECKED_BY = """apiVersion: applyguard.io/v1
kind: Policy
profile: strict
rules:
  duplicate-object: {action: "off"}
  autoscaled-replicas: {action: "off"}
  refused-combination: {action: "off"}
  yaml-ambiguity: {action: "off"}
  last-applied-size: {action: audit, warnBytes: 1, denyBytes: 1}
"""


class RealManifests(guarded.Guarded):
    # All kinds, so that there are as many manifests as can be.
    webhook = {
        "extraRules": [{"apiGroups": ["*"], "resources": ["*"]}],
        "clusterScoped": {"rules": [{"apiGroups": ["*"], "resources": ["*"]}]}}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        minor = kubernetes.chosen_minor()
        cls.sources = kubernetes.module_cache_folder(minor, "k8s.io/kubernetes")
        cls.namespaced = cls.kinds_in_namespaces()
        cls.objects = cls.read_objects()

    @classmethod
    def kinds_in_namespaces(cls):
        kinds = set()
        groups = cls.api.request("GET", "/apis").body["groups"]
        paths = ["/api/v1", *(f"/apis/{version['groupVersion']}" for group in groups for version in group["versions"])]
        for path in paths:
            listed = cls.api.request("GET", path).body
            kinds |= {(listed["groupVersion"], each["kind"]) for each in listed["resources"] if each["namespaced"]}
        return kinds

    @classmethod
    def read_objects(cls):
        """What kubectl can read of the manifests, with names of their own."""
        folder = guarded.temporary_directory()
        documents = (
            document for file in sorted([*cls.sources.rglob("*.yaml"), *cls.sources.rglob("*.yaml.in")])
            for document in re.split(r"(?m)^---.*$", file.read_text(errors="replace")))
        for number, document in enumerate(documents):
            if re.search(r"(?m)^apiVersion: *\S", document) and "{{" not in document:
                (folder / f"{number}.yaml").write_text(document)
        read = cls.run_kubectl(
            "create", "--dry-run=client", "--validate=false", "--output=json", "--recursive", f"--filename={folder}",
            namespace="default").stdout
        return list(cls.with_own_names(_json_stream(read)))

    @classmethod
    def with_own_names(cls, objects):
        used = collections.Counter()
        for each in objects:
            metadata = each.get("metadata") or {}
            metadata.pop("namespace", None)
            metadata["labels"] = {**(metadata.get("labels") or {}), f"{guarded.DOMAIN}/run": cls.run_id}
            name = metadata.get("name")
            used[each["kind"], name] += 1
            if used[each["kind"], name] == 1 and name:
                yield each
            elif name and cls.is_namespaced(each) and LAST_APPLIED not in (metadata.get("annotations") or {}):
                metadata["name"] = f"{name}-{used[each['kind'], name]}"
                yield each

    @classmethod
    def is_namespaced(cls, each):
        return (each["apiVersion"], each["kind"]) in cls.namespaced

    def apply(self, objects, namespace, *flags):
        """Applies all of them; the exchanges. Those that the API server refuses are refused."""
        if not objects:
            return []
        folder = self.written(objects)
        outcome = self.kubectl("apply", f"--filename={folder}", *flags, namespace=namespace)
        self.assertTrue(outcome.exchanges, outcome.errors[:3000])
        return outcome.exchanges

    @staticmethod
    def written(objects):
        folder = guarded.temporary_directory()
        for number, each in enumerate(objects):
            (folder / f"{number:04}.json").write_text(json.dumps(each))
        return folder

    def checked(self, namespace, way):
        """What check says of each object, by kind and name: its findings, and the size of the annotation."""
        policy = guarded.temporary_directory() / "policy.yaml"
        policy.write_text(CHECKED_BY)
        done = harness.run(
            harness.Program.path, "check", "--policy", str(policy), "--apply", way, "--namespace", namespace, "--output", "json",
            str(self.written(self.objects)))
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        said = {}
        for line in done.stdout.decode().splitlines():
            item = json.loads(line)
            sizes = [SIZE.search(each["message"]) for each in item["findings"] if each["rule"] == "last-applied-size"]
            findings = [each for each in item["findings"] if each["rule"] != "last-applied-size"]
            said[item["kind"], item["name"]] = findings, int(sizes[0].group(1)) if sizes else 0
        return said

    def check_against(self, exchanges, said):
        """What the webhook said of each first apply is what check says of its manifest."""
        for each in exchanges:
            request = each.request
            kind = ".".join(filter(None, (request["kind"]["kind"], request["kind"]["group"])))
            findings, size = said[kind, request["name"]]
            with self.subTest(kind=kind, name=request["name"]):
                annotation = (request["object"]["metadata"].get("annotations") or {}).get(LAST_APPLIED, "")
                expected = sorted((each["rule"], each["policyAction"], tuple(each.get("fields", ()))) for each in each.findings)
                self.assertEqual(
                    sorted((each["rule"], each["action"], tuple(each.get("fields", ()))) for each in findings), expected)
                self.assertEqual(size, len(annotation.encode()))
        print(f"check agrees with the webhook on {len(exchanges)} first applies")

    def check(self, *flags):
        namespace = self.namespace("strict-warn")
        inside = [each for each in self.objects if self.is_namespaced(each)]
        outside = [each for each in self.objects if not self.is_namespaced(each)]
        exchanges = self.apply(inside, namespace, *flags)
        # What belongs to the whole cluster is not kept: it might be a webhook, or a quota for all.
        exchanges += self.apply(outside, namespace, *flags, "--dry-run=server")
        # Some roles come with the API server: to apply those is to take them from it.
        exchanges = [each for each in exchanges if each.request["operation"] == "CREATE"]
        again = self.apply(inside, namespace, *flags)
        kinds = collections.Counter(each.request["kind"]["kind"] for each in exchanges)
        print(f"{len(exchanges)} first applies, {len(again)} requests to apply again: {dict(kinds)}")
        rules = collections.Counter(finding["rule"] for each in exchanges for finding in each.findings)
        print(f"findings of the first applies: {dict(rules)}")
        self.assertGreater(len(exchanges), 200)
        self.check_findings(exchanges + again)
        self.check_against(exchanges, self.checked(namespace, "server" if "--server-side" in flags else "client"))

    def check_findings(self, exchanges):
        others = []
        for each in exchanges:
            name = f"{each.request['kind']['kind']} {each.request['name']}"
            for finding in each.findings:
                reason = EXPLAINED.get(finding["rule"], {}).get(name)
                if reason:
                    print(f"{finding['rule']} of {name}: {reason}")
                elif finding["rule"] not in ABOUT_THE_MANIFEST:
                    others.append(f"{name}: {finding} in {guarded.save(each, 'manifest')}")
        self.assertEqual([], others)

    def test_client_side(self):
        self.check()

    def test_server_side(self):
        self.check("--server-side", "--field-manager=gitops")


def _json_stream(text):
    decoder, position = json.JSONDecoder(), 0
    while (start := text.find("{", position)) >= 0:
        each, position = decoder.raw_decode(text, start)
        yield from each["items"] if each["kind"] == "List" else [each]


if __name__ == "__main__":
    guarded.main()
