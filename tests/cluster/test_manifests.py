"""A clean first apply of manifests from the real world gives no finding but what the manifest itself leaves out or holds.

The manifests are all those in Kubernetes' own source tree that the API server accepts: add-ons, examples, test data. What
`applyguard check` says of each must be what the webhook says when it is applied, and the annotation that kubectl writes must
be, byte for byte, the one that check foresees.

tests/tools/test_real_manifests.py does the same with all that other projects' modules hold.
"""

import collections
import json
import pathlib
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


# kubectl is given so many at a time that it is done within its timeout.
AT_ONCE = 400
SIZE = re.compile(r"annotation of (\d+) bytes")
# The rules of manifests, which no webhook knows, are off, except for one that reports how large the annotation will be.
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

    explained = EXPLAINED
    # The share of the manifests that is applied, one in so many; and how many are first applies at least.
    one_in = guarded.amount(3, 1)
    least = guarded.amount(70, 200)

    @classmethod
    def setUpClass(cls):
        # Next to the program as it was built, not next to the copy that the tests run.
        cls.print_last_applied = pathlib.Path(harness.Program.path).resolve().parent / "tests" / "print_last_applied"
        super().setUpClass()
        cls.prepare()
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
    def prepare(cls):
        """The objects that the cluster needs before manifests are read."""

    @classmethod
    def sources(cls):
        """The folders with the manifests."""
        return [kubernetes.module_cache_folder(kubernetes.chosen_minor(), "k8s.io/kubernetes")]

    @classmethod
    def documents(cls):
        """The texts of possible objects."""
        files = (file for folder in cls.sources() for end in ("yaml", "yml", "yaml.in") for file in folder.rglob(f"*.{end}"))
        for file in sorted(files):
            if file.is_file():
                for document in re.split(r"(?m)^---.*$", file.read_text(errors="replace")):
                    if re.search(r"(?m)^apiVersion: *\S", document) and "{{" not in document:
                        yield document

    @classmethod
    def read(cls, documents):
        """The objects that kubectl reads in the texts."""
        folder = guarded.temporary_directory()
        for number, document in enumerate(documents):
            (folder / f"{number}.yaml").write_text(document)
        return list(_json_stream(cls.run_kubectl(
            "create", "--dry-run=client", "--validate=false", "--output=json", "--recursive", f"--filename={folder}",
            namespace="default").stdout))

    @classmethod
    def read_objects(cls):
        return list(cls.with_own_names(cls.read(cls.documents())))[::cls.one_in]

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
        exchanges = []
        for first in range(0, len(objects), AT_ONCE):
            folder = self.written(objects[first:first + AT_ONCE])
            outcome = self.kubectl("apply", f"--filename={folder}", *flags, namespace=namespace)
            self.assertTrue(outcome.exchanges, outcome.errors[:3000])
            exchanges += outcome.exchanges
        return exchanges

    @staticmethod
    def written(objects):
        folder = guarded.temporary_directory()
        for number, each in enumerate(objects):
            (folder / f"{number:04}.json").write_text(json.dumps(each))
        return folder

    def checked(self, namespace, way):
        """The findings of check in each object, by kind and name: its findings, the size of the annotation, the namespace."""
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
            # The message on an annotation that the API server refuses has another form: no review shows such an object.
            size = int(sizes[0].group(1)) if sizes and sizes[0] else 0
            said[item["kind"], item["name"]] = findings, size, item.get("namespace", "")
        return said

    def foreseen(self, namespace):
        """The annotation of each object, by kind and name, as check makes it."""
        folder = self.written(self.objects)
        done = harness.run(str(self.print_last_applied), namespace, *map(str, sorted(folder.iterdir())))
        self.assertEqual(0, done.returncode, done.stderr.decode())
        lines = map(json.loads, done.stdout.decode().splitlines())
        return {(each["kind"], each["name"]): each["lastApplied"] for each in lines}

    def check_against(self, exchanges, said, foreseen):
        """The webhook's findings at each first apply equal check's in its manifest."""
        for each in exchanges:
            request = {"namespace": "", **each.request}
            kind = ".".join(filter(None, (request["kind"]["kind"], request["kind"]["group"])))
            findings, size, namespace = said[kind, request["name"]]
            with self.subTest(kind=kind, name=request["name"]):
                annotation = (request["object"]["metadata"].get("annotations") or {}).get(LAST_APPLIED, "")
                expected = sorted((each["rule"], each["policyAction"], tuple(each.get("fields", ()))) for each in each.findings)
                self.assertEqual(
                    sorted((each["rule"], each["action"], tuple(each.get("fields", ()))) for each in findings), expected)
                made = foreseen.get((kind, request["name"]), "")
                # Whether a custom resource has a namespace its definition says, which check does not see.
                if bool(request["namespace"]) != bool(namespace):
                    member = f',"namespace":{json.dumps(request["namespace"] or namespace)}'
                    annotation, made = annotation.replace(member, "", 1), made.replace(member, "", 1)
                    size -= len(member) if namespace and annotation else 0
                # If oversized-annotations reports the annotation, last-applied-size is silent.
                if not any(rule == "oversized-annotations" for rule, *_ in expected):
                    self.assertEqual(size, len(annotation.encode()))
                self.assertEqual(made, annotation)
        print(f"check agrees with the webhook on {len(exchanges)} first applies")

    def check(self, *flags):
        namespace = self.namespace("strict-warn")
        inside = [each for each in self.objects if self.is_namespaced(each)]
        outside = [each for each in self.objects if not self.is_namespaced(each)]
        exchanges = self.apply(inside, namespace, *flags)
        # Cluster-wide objects are not kept: it might be a webhook, or a quota for all.
        exchanges += self.apply(outside, namespace, *flags, "--dry-run=server")
        # Some roles come with the API server: to apply those is to take them from it.
        exchanges = [each for each in exchanges if each.request["operation"] == "CREATE"]
        again = self.apply(inside, namespace, *flags)
        kinds = collections.Counter(each.request["kind"]["kind"] for each in exchanges)
        print(f"{len(exchanges)} first applies, {len(again)} requests to apply again: {dict(kinds)}")
        rules = collections.Counter(finding["rule"] for each in exchanges for finding in each.findings)
        print(f"findings of the first applies: {dict(rules)}")
        self.assertGreaterEqual(len(exchanges), self.least)
        self.check_findings(exchanges + again)
        self.compare(exchanges, namespace, is_client_side="--server-side" not in flags)

    def compare(self, exchanges, namespace, is_client_side):
        said = self.checked(namespace, "client" if is_client_side else "server")
        self.check_against(exchanges, said, self.foreseen(namespace) if is_client_side else {})

    def check_findings(self, exchanges):
        others = []
        for each in exchanges:
            name = f"{each.request['kind']['kind']} {each.request['name']}"
            for finding in each.findings:
                reason = self.explained.get(finding["rule"], {}).get(name)
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
