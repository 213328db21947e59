"""`applyguard preview` of objects of each kind that the API server serves: the object equals that of a dry run, the conflicts are
the list of the 409, and a change that the API server never takes is refused.

The objects are drawn by the patterns of drawn_kinds.py, and applied again and again with small and large changes, in both ways,
by changing managers and by hand. ROUNDS in the environment is how often all of them are applied in each way (2, or 3 with APPLYGUARD_STORIES=all), SEED
which objects. ROUNDS=25 compares more than 2,000 applies on each version.
"""

import collections
import os
import random
import re

import guarded
import kubernetes
from api import MERGE
from drawn_kinds import DRAWN
from drawn_lives import certificates, lives, next_manifest
from preview_oracle import APPLIERS, SEED, WRITERS, Oracle

ROUNDS = int(os.environ.get("ROUNDS") or guarded.amount(2, 3))
# The shares of an object's choices that are made again for the next manifest.
CHANGES = (0, 0.02, 0.05, 0.2, 0.6)
# How the API server says that a field may not change, or not in this way.
FIXED = re.compile(r"immutable|may not (change|add or remove)|may not be (changed|updated)|can not be modified|must not update|previous value|"
                   "only deletion is allowed|updates to .* are forbidden")
# The kinds of which Kubernetes before 1.34 takes or refuses other changes: any template of a StatefulSet, and no change of the drivers
# of a CSINode.
OTHERWISE = ("StatefulSet", "CSINode") if kubernetes.chosen_minor() == "1.33" else ()
# Groups of the tests' own kinds.
OF_TESTS = ("applyguard.test", "example.com", "example.org")


class EveryKind(Oracle):
    def setUp(self):
        super().setUp()
        self.dice = random.Random(f"{SEED} rounds")
        self.applied_again = 0
        self.refusals = collections.Counter()
        self.lives = self.make_lives()
        self.addCleanup(self.delete)

    def served(self):
        """The kinds that are created and updated, with their versions. None is left out."""
        return {
            (version, kind) for version in self.discovery.versions() if not version.partition("/")[0].endswith(OF_TESTS)
            for kind, resource in self.discovery.resources(version).items() if {"create", "update", "patch"} <= set(resource["verbs"])}

    def make_lives(self):
        """Two for each kind: the manifests of its object come of either."""
        self.assertEqual(self.served() - {(pattern["apiVersion"], pattern["kind"]) for pattern in DRAWN}, set(), "these kinds need patterns")
        words = certificates()
        return list(zip(*(lives(self.discovery, self.namespace, words, 77, SEED, which) for which in range(2))))

    def delete(self):
        """Leaves nothing outside of the namespace for the next tests on the same API server."""
        for life, _ in self.lives if "APPLYGUARD_CLUSTER" in os.environ else ():
            path = self.path(life.draw())
            self.api.request("PATCH", path, {"metadata": {"finalizers": None}}, content_type=MERGE)
            self.api.request("DELETE", path)

    def draw(self, lives_of_kind):
        return next_manifest(self.dice.choice(lives_of_kind), self.dice.choice(CHANGES), self.discovery)

    def write(self, manifest):
        """A write that is not an apply."""
        patch = {name: value for name, value in manifest.items() if name not in ("apiVersion", "kind", "metadata")}
        patch["metadata"] = {"labels": manifest["metadata"].get("labels", {})}
        self.api.request("PATCH", self.path(manifest), patch, content_type=MERGE, fieldManager=self.dice.choice(WRITERS))

    def server_side(self, live):
        for each in APPLIERS:
            self.check_last_apply(live, each)
        manager = self.dice.choice(APPLIERS)
        compared, conflicting = self.compare_server_side(self.manifests, live, manager)
        self.refusals["conflicts"] += conflicting
        for manifest in self.manifests:
            if manifest["metadata"]["name"] in compared and self.dice.random() < 0.6:
                self.api.apply(self.path(manifest), manifest, manager, force=True)
        return compared

    def client_side(self, live):
        """kubectl begins again without the manifests that are refused, and most of these are refused in the other way, too."""
        self.manifests = [each for each in self.manifests if self.api.apply(self.path(each), each, "kubectl", force=True, dryRun="All").ok]
        compared = self.compare_client_side(self.manifests, live)
        self.store(compared, live)
        return compared

    def check_taken(self, told, ours, theirs, live):
        super().check_taken({**told, "refused": []} if theirs["kind"] in OTHERWISE else told, ours, theirs, live)

    def check_refused(self, manifest, answer, told, live):
        """Previews refuse each change that may never be."""
        causes = [each["message"] for each in answer.body.get("details", {}).get("causes", ())] or [answer.body["message"]]
        self.refusals["foreseen" if told["refused"] else "not foreseen"] += 1
        if manifest["kind"] not in OTHERWISE:
            self.assertTrue(told["refused"] or not any(map(FIXED.search, causes)), causes)

    def round(self, way, drawn):
        """Applies an object of each life; the kinds that were compared."""
        self.manifests = [self.draw(each) for each in drawn]
        kinds = {each["metadata"]["name"]: (each["apiVersion"], each["kind"]) for each in self.manifests}
        return [kinds[name] for name in way(self.read(self.manifests))]

    def test_each(self):
        counts = {self.server_side: collections.Counter(), self.client_side: collections.Counter()}
        ways = [*counts] * ROUNDS
        self.dice.shuffle(ways)
        for way in ways:
            if self.dice.random() < 0.3:
                for each in self.lives:
                    self.write(self.draw(each))
            counts[way].update(self.round(way, self.lives))
        # The API server may refuse all objects of a kind that were drawn.
        for _ in range(20):
            compared = set().union(*counts.values())
            left = [each for each in self.lives if (each[0].pattern["apiVersion"], each[0].pattern["kind"]) not in compared]
            if left:
                counts[self.server_side].update(self.round(self.server_side, left))
        for way, count in counts.items():
            print(f"{way.__name__}: {count.total()} applies compared of {len(count)} kinds")
        print(f"{self.applied_again} last applies compared; {dict(self.refusals)}")
        self.assertEqual(self.served() - set().union(*counts.values()), set(), "these were never compared")


if __name__ == "__main__":
    guarded.main()
