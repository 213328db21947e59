"""Each command that `applyguard explain -f` prints for a conflict, run on a real API server: it does what it says.

Another manager holds a field; kubectl (or Helm 4) is refused, and what it printed is explained. Each of the four ways is
gone on an object of its own.
"""

import copy
import json
import os
import pathlib
import secrets
import subprocess
import sys

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("server", "chart", "tools")]

import guarded
import harness
import helm
import oracle
from api import MERGE, Api
from application import write_chart
from stage import web

TEXTS = pathlib.Path(__file__).resolve().parents[1] / "conflicts"
IMAGE = '.spec.template.spec.containers[name="nginx"].image'
PORT_NAME = '.spec.template.spec.containers[name="nginx"].ports[containerPort=80,protocol="TCP"].name'
NOTE = ".metadata.annotations.example.com/a.b"


def container(manifest):
    return manifest["spec"]["template"]["spec"]["containers"][0]


class Field:
    """A field in conflict: where it is in a manifest, and what its applier wants in it."""

    def __init__(self, path, place, wanted):
        self.path, self.place, self.wanted = path, place, wanted

    def get(self, manifest):
        parent, key = self.place(manifest)
        return parent.get(key)

    def set(self, manifest, value):
        parent, key = self.place(manifest)
        parent[key] = value

    def remove(self, manifest):
        parent, key = self.place(manifest)
        parent.pop(key, None)


FIELDS = {
    "image": Field(IMAGE, lambda each: (container(each), "image"), "nginx:2"),
    "replicas": Field(".spec.replicas", lambda each: (each["spec"], "replicas"), 2),
    "pause": Field(".spec.minReadySeconds", lambda each: (each["spec"], "minReadySeconds"), 7),
    "note": Field(NOTE, lambda each: (each["metadata"].setdefault("annotations", {}), "example.com/a.b"), "ours"),
    "port": Field(PORT_NAME, lambda each: (container(each)["ports"][0], "name"), "ours"),
}


def by_team(test, field, value):
    """Another applier, server-side."""
    manifest = test.base()
    FIELDS[field].set(manifest, value)
    test.must_apply(manifest, "platform-team")


def by_setup_team(test, field):
    """The object, before another manager changes the field. The API server tracks a scale only where replicas has an owner."""
    manifest = test.base()
    if field == "replicas":
        FIELDS[field].set(manifest, 3)
    test.must_apply(manifest, "setup-team")


def by_hand(command):
    def act(test, field, _value):
        by_setup_team(test, field)
        test.run_shell(f"kubectl {command} -n {test.namespace}")
    return act


def by_autoscaler(test, field, value):
    by_setup_team(test, field)
    answer = test.api.request("PATCH", test.path + "/scale", {"spec": {"replicas": value}}, user="setup", content_type=MERGE,
                              agent="kube-controller-manager/v1.36.3 (linux)")
    test.assertTrue(answer.ok, answer.body)


# {what: (field, its value, who set it, the class of its manager)}
HOLDERS = {
    "another applier": ("image", "nginx:1", by_team, "applier"),
    "an optional field of another applier": ("pause", 5, by_team, "applier"),
    "a field of an item with two keys": ("port", "theirs", by_team, "applier"),
    "kubectl scale": ("replicas", 9, by_hand("scale deployment/web --replicas=9"), "adhoc"),
    "an autoscaler": ("replicas", 4, by_autoscaler, "controller"),
    "kubectl set image": ("image", "nginx:9", by_hand("set image deployment/web nginx=nginx:9"), "adhoc"),
    "kubectl annotate": ("note", "theirs", by_hand("annotate deployment/web example.com/a.b=theirs"), "adhoc"),
}


class Explain(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Entries change places when a controller writes the status between explain and the command that it prints: the
        # patch of a hand-over then does nothing, as it should.
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        cls.folder = guarded.temporary_directory()
        programs = guarded.temporary_directory()
        for name, program in (("kubectl", cls.plane.programs / "kubectl"), ("helm", helm.helm_program(4)),
                              ("applyguard", harness.Program.path)):
            (programs / name).symlink_to(program)
        cls.environment = {**helm.helm_environment(cls.plane), "PATH": f"{programs}:{os.environ['PATH']}"}

    # Acting

    def fresh(self):
        """A namespace of its own for what follows."""
        self.namespace = f"explain-{secrets.token_hex(4)}"
        self.path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web"
        self.run_shell(f"kubectl create namespace {self.namespace}")

    def base(self):
        """The rest of a manifest, without the field in conflict."""
        manifest = web("nginx:1", replicas=None)
        manifest["metadata"]["namespace"] = self.namespace
        return manifest

    def manifest(self, field):
        """The manifest of the refused applier."""
        manifest = self.base()
        if field != "image":
            FIELDS["image"].remove(manifest)
        FIELDS[field].set(manifest, FIELDS[field].wanted)
        return manifest

    def must_apply(self, manifest, manager):
        answer = self.api.apply(self.path, manifest, manager, user="setup")
        self.assertTrue(answer.ok, answer.body)

    def run_shell(self, command, manifest=None, status=0, **names):
        """A command as it is printed, with the reader's own names in the place of the capitals."""
        if manifest is not None:
            names["MANIFEST"] = self.folder / "manifest.json"
            names["MANIFEST"].write_text(json.dumps(manifest))
        for name in sorted(names, key=len, reverse=True):
            command = command.replace(name, str(names[name]))
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120, env=self.environment)
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout if status == 0 else done.stdout + done.stderr

    def live(self):
        return self.api.request("GET", self.path, user="setup").body

    def explain(self, text, live=True):
        """The ways of the only conflict, {way: command}, and the conflict."""
        refused = self.folder / "conflict.txt"
        refused.write_text(text)
        more = ""
        if live:
            more = f" --live {self.folder}/live.yaml"
            self.run_shell(f"kubectl get deployment web -n {self.namespace} -o yaml --show-managed-fields > {self.folder}/live.yaml")
        report = json.loads(self.run_shell(f"applyguard explain -o json -f {refused}{more}"))
        self.assertEqual(len(report["conflicts"]), 1, report)
        if live:
            asked = self.run_shell(f"applyguard explain -o json -f {refused} --live deployment/web -n {self.namespace}")
            self.assertEqual(json.loads(asked), report)
        conflict = report["conflicts"][0]
        return {way["way"]: way["command"] for way in conflict["ways"]}, conflict

    def owners(self, path):
        """{(manager, operation)} of the entries that own the field."""
        live = self.live()
        return {(entry["manager"], entry["operation"]) for entry in live["metadata"]["managedFields"]
                if any(printed == path for printed, *_ in oracle._walk(entry["fieldsV1"], "", live, live))}

    # The ways

    def refused(self, what):
        """A new object with the conflict: its field, the refused manifest, and what is printed about it."""
        name, value, act, kind = HOLDERS[what]
        self.fresh()
        act(self, name, value)
        field, manifest = FIELDS[name], self.manifest(name)
        self.assertEqual(field.get(self.live()), value)
        text = self.run_shell("kubectl apply --server-side -f MANIFEST", manifest, status=1)
        ways, conflict = self.explain(text)
        self.assertEqual((conflict["path"], conflict["class"]), (field.path, kind))
        holder = (conflict["manager"], conflict["operation"])
        self.assertIn(holder, self.owners(field.path))
        return field, value, manifest, ways, holder

    def each(self, go):
        for what in HOLDERS:
            with self.subTest(what):
                go(*self.refused(what))

    def test_dropped_from_the_manifest_the_other_keeps_it(self):
        def go(field, value, manifest, ways, holder):
            field.remove(manifest)
            self.run_shell(ways["drop"], manifest)
            self.assertEqual(field.get(self.live()), value)
            self.assertIn(holder, self.owners(field.path))
            self.assertNotIn(("kubectl", "Apply"), self.owners(field.path))
        self.each(go)

    def test_by_force_it_is_taken(self):
        def go(field, _, manifest, ways, holder):
            self.run_shell(ways["force"], manifest)
            self.assertEqual(field.get(self.live()), field.wanted)
            self.assertEqual(self.owners(field.path), {("kubectl", "Apply")}, holder)
        self.each(go)

    def test_handed_over_it_keeps_its_value_until_the_apply(self):
        def go(field, value, manifest, ways, holder):
            before = self.live()
            self.run_shell(ways["hand-over"])
            self.assertEqual(field.get(self.live()), value)
            self.assertNotIn(holder, self.owners(field.path))
            self.assertEqual(before["spec"], self.live()["spec"])
            self.run_shell("kubectl apply --server-side -f MANIFEST", manifest)
            self.assertEqual(field.get(self.live()), field.wanted)
        self.each(go)

    def test_matched_both_own_it(self):
        def go(field, value, manifest, ways, holder):
            shown = self.run_shell(ways["match"])
            self.assertEqual(shown, str(value))
            field.set(manifest, type(value)(shown))
            self.run_shell("kubectl apply --server-side -f MANIFEST", manifest)
            self.assertEqual(field.get(self.live()), value)
            self.assertLessEqual({holder, ("kubectl", "Apply")}, self.owners(field.path))
        self.each(go)

    def test_a_patch_for_an_entry_that_has_moved_does_nothing(self):
        """Protects who runs a command of yesterday: it takes nothing from another manager."""
        field, _, _, ways, holder = self.refused("kubectl set image")
        self.run_shell(ways["hand-over"])
        before = self.live()["metadata"]["managedFields"]
        self.run_shell(ways["hand-over"], status=1)
        self.assertEqual(self.live()["metadata"]["managedFields"], before)
        self.assertNotIn(holder, self.owners(field.path))

    # Without the live object

    def test_an_applier_hands_over_by_its_own_apply(self):
        self.fresh()
        by_team(self, "pause", 5)
        manifest = self.manifest("pause")
        ways, _ = self.explain(self.run_shell("kubectl apply --server-side -f MANIFEST", manifest, status=1), live=False)
        theirs = self.folder / "theirs.json"
        theirs.write_text(json.dumps(self.base()))
        self.run_shell(ways["hand-over"].replace("ITS-MANIFEST", str(theirs)))
        self.assertIsNone(self.live()["spec"].get("minReadySeconds"))
        self.run_shell("kubectl apply --server-side -f MANIFEST", manifest)
        self.assertEqual(self.live()["spec"]["minReadySeconds"], 7)

    # Other tools

    def test_the_ways_of_helm(self):
        """Helm names the object, so no live one is needed to see its value, or to ask for the patch."""
        for way in ("drop", "force", "hand-over", "match"):
            with self.subTest(way):
                self.fresh()
                by_hand("set image deployment/web nginx=nginx:9")(self, "image", None)
                manifest = self.manifest("image")
                chart = lambda manifest: write_chart([manifest], self.folder / "charts" / self.namespace)
                names = {"RELEASE": "shop", "CHART": f"{chart(manifest)} -n {self.namespace} --take-ownership"}
                again = "helm upgrade --install RELEASE CHART"
                ways, conflict = self.explain(self.run_shell(again, status=1, **names), live=False)
                self.assertEqual((conflict["path"], conflict["class"]), (IMAGE, "adhoc"))
                if way == "drop":
                    manifest = copy.deepcopy(manifest)
                    FIELDS["image"].remove(manifest)
                    chart(manifest)
                printed = self.run_shell(ways[way], CONFLICT=self.folder / "conflict.txt", **names)
                if way == "match":
                    self.assertEqual(printed, "nginx:9")
                    FIELDS["image"].set(manifest, printed)
                    chart(manifest)
                    self.run_shell(again, **names)
                if way == "hand-over":
                    patch, = (line.split(None, 2)[2] for line in printed.splitlines() if line.startswith("    hand over"))
                    self.run_shell(patch)
                    self.run_shell(again, **names)
                image = FIELDS["image"].get(self.live())
                self.assertEqual(image, "nginx:9" if way in ("drop", "match") else "nginx:2")
                owners = {manager for manager, _ in self.owners(IMAGE)}
                self.assertEqual("kubectl-set" in owners, way in ("drop", "match"))
                self.assertEqual("helm" in owners, way != "drop")

    def test_the_commands_for_flux_and_argo_cd(self):
        """Their recorded output, about an object in this cluster."""
        for name, manager in (("flux-condition-web.txt", "kustomize-controller"), ("argocd-sync-web.txt", "argocd-controller")):
            with self.subTest(name):
                self.fresh()
                by_team(self, "image", "nginx:1")
                text = (TEXTS / name).read_text().replace("shop/web", f"{self.namespace}/web")
                ways, _ = self.explain(text)
                self.assertEqual(self.run_shell(ways["match"]), "nginx:1")
                manifest = self.manifest("image")
                self.run_shell(ways["drop"], {**manifest, "spec": {**manifest["spec"], "template": self._without_image(manifest)}})
                self.assertEqual(self.owners(IMAGE), {("platform-team", "Apply")})
                self.run_shell(ways["force"], manifest)
                self.assertEqual(self.owners(IMAGE), {(manager, "Apply")})

    @staticmethod
    def _without_image(manifest):
        copied = copy.deepcopy(manifest)
        FIELDS["image"].remove(copied)
        return copied["spec"]["template"]


if __name__ == "__main__":
    guarded.main()
