"""`applyguard check` and `preview` never refuse what the API server takes: valid objects of each kind (kinds.py, drawn_kinds.py)
with one field made wrong (mutations.py), created and applied again.

It also counts what the API server refuses and they take. SEED draws other mutations, MUTATIONS is how many of each object are
made (10, or 60 if everything is asked for), and MISSED=1 lists those that they take.
"""

import collections
import concurrent.futures
import http.client
import json
import os
import random
import re
import secrets

import guarded
import harness
import kubernetes
from discovery import Discovery
from drawn import Life
from drawn_kinds import DRAWN
from kinds import KINDS
from mutations import changed, mutations
from test_immutable import Kinds
from test_preview_kinds import certificates

SEED = os.environ.get("SEED", "1")
COUNT = int(os.environ.get("MUTATIONS") or guarded.amount(10, 60))
UPDATES = max(1, COUNT // 5)
# The API server names a LimitRange itself, does not look at the ports of nodes in a dry run, and did not look at the pods of a
# StatefulSet before 1.34. It drops fields of features that are off.
TAKEN = re.compile(r"LimitRange metadata(\.name)? |Service spec\.ports\.\d+\.nodePort |"
                   r".*(clusterTrustBundle|podCertificate|stopSignal|dataSourceRef|resourceClaims|\"image\": {|bindMountOptions|evictionResponders|"
                   r"spec\.scheduling\b|defaultUser|volumes.*\.user\b|grpc\.mode|httpGet\.protocol|emptyDir\.mode)"
                   + (r"|StatefulSet spec\.template" if kubernetes.chosen_minor() == "1.33" else ""))


def shown(manifest, path, value):
    return f"{manifest['kind']} {'.'.join(map(str, path))} {'gone' if value is ... else json.dumps(value)}"


class Mutations(Kinds):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.discovery = Discovery(cls.api)
        cls.workers = concurrent.futures.ThreadPoolExecutor(4)
        cls.addClassCleanup(cls.workers.shutdown)

    def setUp(self):
        self.dice = random.Random(f"{SEED} mutations")
        self.counts = collections.Counter()

    def objects(self):
        """Of each kind that is served: those of the table, and one that is drawn."""
        served = {version: self.discovery.resources(version) for version in self.discovery.versions()}
        words, name = certificates(), f"drawn-{secrets.token_hex(4)}"
        for index, pattern in enumerate(DRAWN):
            life = Life(self.dice, pattern, name=name, namespace=self.namespace, address=f"10.254.{index}.9", network=f"10.79.{index}.0", **words)
            if pattern["kind"] in served.get(pattern["apiVersion"], ()):
                yield self.placed(life.draw())
        for _, manifest in KINDS:
            if manifest["kind"] in served.get(manifest["apiVersion"], ()):
                yield self.placed(self.object(manifest))

    def placed(self, manifest):
        if self.discovery.resources(manifest["apiVersion"])[manifest["kind"]]["namespaced"]:
            manifest["metadata"]["namespace"] = self.namespace
        return manifest

    def mutations(self, manifest, count):
        """(path, value, object) of some."""
        schema = self.discovery.schema(manifest["apiVersion"], manifest["kind"])
        every = [*mutations(schema, manifest)]
        return [(path, value, changed(manifest, path, value)) for path, value in self.dice.sample(every, min(count, len(every)))]

    def create(self, manifest):
        """Whether the API server would, and its answer. It panics at an indexed Job that has a success policy, but no completions."""
        try:
            answer = self.api.request(
                "POST", self.discovery.collection(manifest, self.namespace), manifest, dryRun="All", fieldValidation="Strict")
        except http.client.RemoteDisconnected:
            return False, "it hung up"
        return answer.ok, answer.body.get("message", "")

    def check(self, manifests):
        """The denials of each."""
        file = self.folder / "all.json"
        file.write_text("\n".join(map(json.dumps, manifests)))
        done = harness.run(harness.Program.path, "check", "--output", "json", file)
        items = {item["line"]: item for item in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(len(items), len(manifests), done.stderr)
        return [[each["message"] for each in items[line]["findings"] if each["action"] == "deny"] for line in range(1, len(manifests) + 1)]

    def compare(self, what, is_taken, answer, denied):
        self.counts["taken" if is_taken else "refused and foreseen" if denied else "refused, not foreseen"] += 1
        with self.subTest(what[:160]):
            self.assertFalse(is_taken and denied and not TAKEN.match(what), denied)
        if "MISSED" in os.environ and not is_taken and not denied:
            print(f"not foreseen: {what[:160]}: {answer[-200:]}")

    def test_created(self):
        valid = [each for each in self.objects() if self.create(each)[0]]
        made = [(manifest, *each) for manifest in valid for each in self.mutations(manifest, COUNT)]
        answers = [*self.workers.map(self.create, [each[-1] for each in made])]
        for (manifest, path, value, _), (is_taken, answer), denied in zip(made, answers, self.check([each[-1] for each in made])):
            self.compare(shown(manifest, path, value), is_taken, answer, denied)
        print(f"{len(made)} mutations of {len(valid)} objects: {dict(self.counts)}")
        self.assertGreater(len(valid), len(KINDS) - 5)

    def test_changed(self):
        for plural, manifest in KINDS:
            live = self.live(plural, self.object(manifest))
            for path, value, other in self.mutations(self.object(manifest), UPDATES) if live else ():
                if other.get("metadata", {}).get("name") != live["metadata"]["name"]:
                    continue
                answer = self.apply(plural, other, dryRun="All", fieldValidation="Strict")
                done = self.preview(other, live, "--applier", "kubectl-server", "--force-conflicts", "-o", "json")
                if done.stdout:
                    self.compare(shown(manifest, path, value), answer.ok, answer.body.get("message", ""), json.loads(done.stdout)["refused"])
        print(f"updates: {dict(self.counts)}")


if __name__ == "__main__":
    guarded.main()
