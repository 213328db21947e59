"""One client writes to its own objects, of each kind and in several ways, and passes `strict`: no finding says that it takes, loses or
undoes something, because no other client writes there.

The objects are drawn by the patterns of drawn_kinds.py, and change a little or much from one write to the next. ROUNDS in the
environment is how often each is written in each way, SEED which objects.
"""

import collections
import copy
import json
import os
import random

import guarded
from api import MERGE
from discovery import Discovery
from drawn_lives import certificates, lives, next_manifest
from guarded import DOMAIN

ROUNDS = int(os.environ.get("ROUNDS") or guarded.amount(3, 6))
SEED = int(os.environ.get("SEED", "1"))
# The shares of an object's choices that are made again for the next write.
CHANGES = (0, 0.02, 0.05, 0.2, 0.4)
# The rules that advise about a manifest and do not depend on its writer.
ADVICE = {"ambiguous-merge-key", "explicit-strategy", "last-applied-secret"}
FLUX = ("apply", "--server-side", "--force-conflicts", "--field-manager=kustomize-controller")
EVERYTHING = [{"apiGroups": ["*"], "resources": ["*"]}]


class OneOwner(guarded.Guarded):
    webhook = {"extraRules": EVERYTHING, "clusterScoped": {"rules": EVERYTHING}}
    cluster_scoped_guard = "strict"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.discovery = Discovery(cls.api)
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)

    def setUp(self):
        self.space = self.namespace("strict-warn")
        self.dice = random.Random(f"{SEED} {self._testMethodName}")
        number = self.dice.randrange(2, 250)
        self.lives = lives(self.discovery, self.space, certificates(), number, SEED, self._testMethodName)

    def draw(self):
        """The next manifest of each object. Finalizers stay, and there are no owners, whom a garbage collector would miss."""
        for life in self.lives:
            manifest = next_manifest(life, self.dice.choice(CHANGES), self.discovery)
            manifest["metadata"].setdefault("labels", {})[f"{DOMAIN}/run"] = self.run_id
            manifest["metadata"].pop("ownerReferences", None)
            yield manifest

    def path(self, manifest):
        return self.discovery.path(manifest, self.space)

    def send(self, manifests, *command):
        """kubectl COMMAND of the manifests, some of which the API server refuses."""
        text = "\n".join(f"---\n{json.dumps(each)}" for each in manifests)
        self.run_kubectl(*command, "-f", "-", namespace=self.space, manifest=text)

    def live(self, manifests):
        """Each with its live object, or with None."""
        for manifest in manifests:
            answer = self.api.request("GET", self.path(manifest))
            yield manifest, answer.body if answer.ok else None

    def accused(self, exchanges):
        """Each finding that is more than advice, with an example that is kept."""
        found = {}
        for each in exchanges:
            for finding in each.findings:
                if finding["action"] != "audit" and finding["rule"] not in ADVICE:
                    key = f"{finding['rule']} {each.request['kind']['kind']}"
                    found[key] = found.get(key) or self.save(each, key.replace(" ", "-"))
        return found

    def check(self, write):
        """Writes all objects in turn, ROUNDS times."""
        start = self.recorder.count()
        for turn in range(ROUNDS):
            write(list(self.draw()), turn)
        exchanges = self.recorder.since(start)
        kinds = collections.Counter(each.request["kind"]["kind"] for each in exchanges if each.request["operation"] == "UPDATE")
        self.assertGreater(len(kinds), len(self.lives) / 2, "so few kinds were written again")
        self.assertEqual(self.accused(exchanges), {})

    def test_client_side_apply(self):
        self.check(lambda manifests, _: self.send(manifests, "apply"))

    def test_server_side_apply(self):
        self.check(lambda manifests, _: self.send(manifests, "apply", "--server-side"))

    def test_server_side_apply_of_what_was_applied_client_side(self):
        self.check(lambda manifests, turn: self.send(manifests, "apply", *["--server-side"] * (turn >= ROUNDS // 2)))

    def test_apply_by_force(self):
        self.check(lambda manifests, _: self.send(manifests, *FLUX))

    def test_replace(self):
        def write(manifests, _):
            known = list(self.live(manifests))
            self.send([manifest for manifest, live in known if not live], "create")
            self.send([manifest for manifest, live in known if live], "replace")
        self.check(write)

    def test_apply_of_what_was_created(self):
        self.check(lambda manifests, turn: self.send(manifests, "apply" if turn else "create"))

    def test_patches_by_hand(self):
        def write(manifests, turn):
            if not turn:
                self.send(manifests, "create")
            for manifest in manifests if turn else ():
                patch = {name: value for name, value in manifest.items() if name not in ("apiVersion", "kind")}
                self.api.request("PATCH", self.path(manifest), patch, content_type=MERGE, fieldManager="kubectl-edit")
        self.check(write)

    def test_updates_of_live_objects(self):
        """As clients of client-go update: they send what they have read, with managedFields."""
        def write(manifests, _):
            for manifest, live in self.live(manifests):
                if not live:
                    self.api.request("POST", self.discovery.collection(manifest, self.space), manifest, fieldManager="my-operator")
                    continue
                changed = {**live, **{name: value for name, value in manifest.items() if name != "metadata"}}
                changed["metadata"]["labels"] = manifest["metadata"]["labels"]
                self.api.request("PUT", self.path(manifest), changed, fieldManager="my-operator")
        self.check(write)

    def test_two_that_share_nothing(self):
        def write(manifests, _):
            metadata = copy.deepcopy([{name: each[name] for name in ("apiVersion", "kind", "metadata")} for each in manifests])
            for manifest, of_team_b in zip(manifests, metadata):
                of_this_run = {f"{DOMAIN}/run": of_team_b["metadata"]["labels"].pop(f"{DOMAIN}/run")}
                manifest["metadata"] = {name: value for name, value in manifest["metadata"].items() if name in ("name", "namespace")}
                manifest["metadata"]["labels"] = of_this_run
            self.send(manifests, "apply", "--server-side", "--field-manager=team-a")
            self.send(metadata, "apply", "--server-side", "--field-manager=team-b")
        self.check(write)


if __name__ == "__main__":
    guarded.main()
