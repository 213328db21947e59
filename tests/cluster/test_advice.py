"""The advice of messages is taken on a real API server, and then the same write has no finding any more.

Commands are taken out of the messages, and out of what `applyguard explain -f` prints for them, and run as they stand, with the
reader's own names in the place of the words in capitals. An advice in words has a function here that does it. A message whose
advice nobody here knows fails.
"""

import copy
import json
import os
import re
import subprocess
import sys

import guarded
import harness
from guarded import Guarded
from stage import Stage, web

# Who applies the object, each with kubectl's command and the user.
SERVER_SIDE = "apply --server-side --force-conflicts"
APPLIERS = {
    "kubectl": ("apply", "admin"),
    "kubectl-server": (SERVER_SIDE, "admin"),
    "platform": (f"{SERVER_SIDE} --field-manager=platform", "admin"),
    "flux": ("kustomize-controller", "flux"),
    "argocd": ("argocd-controller", "argocd"),
    "replace": ("replace", "admin"),
}
CONTROLLERS = ("flux", "argocd")  # they apply through the API, as this manager: kubectl would move what kubectl owns
EDITOR = """\
import json, sys
text = open(sys.argv[2]).read()
edited = json.loads("".join(line for line in text.splitlines(True) if not line.startswith("#")))
place = edited
*parents, last = json.loads(sys.argv[1])[0]
for name in parents:
    place = place.setdefault(name, {}) if isinstance(name, str) else place[name]
place[last] = json.loads(sys.argv[1])[1]
json.dump(edited, open(sys.argv[2], "w"))
"""
CONTAINER = ("spec", "template", "spec", "containers", 0)


def deployment():
    return web(strategy={"type": "RollingUpdate"}, minReadySeconds=5)


def settings():
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "labels": {"team": "a"}, "annotations": {"note": "a"}},
            "data": {"a": "1", "b": "1"}}


def secret():
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "web"}, "data": {"a": "MQ==", "b": "MQ=="}}


def service():
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {
        "selector": {"app": "web"}, "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}]}}


def put(manifest, place, value):
    """The manifest with this value in this place; None: without the place."""
    manifest = copy.deepcopy(manifest)
    *parents, last = place
    node = manifest
    for name in parents:
        node = node.setdefault(name, {}) if isinstance(name, str) else node[name]
    if value is None:
        node.pop(last, None)
    else:
        node[last] = value
    return manifest


def value_at(manifest, place):
    for name in place:
        manifest = manifest[name]
    return manifest


class Change:
    """What a writer wants: a value in a place of an object; `command` is kubectl's own for it."""

    def __init__(self, base, place, value, command=None):
        self.base, self.place, self.value, self.command = base(), place, value, command
        self.wanted = put(self.base, place, value)
        named = {**{name: self.base[name] for name in ("apiVersion", "kind")}, "metadata": {"name": "web"}}
        self.alone = put(named, place, value) if 0 not in place else None  # a manifest that has nothing else


CHANGES = {
    "image": Change(deployment, (*CONTAINER, "image"), "nginx:2", "set image deployment/web nginx=nginx:2"),
    "seconds": Change(deployment, ("spec", "minReadySeconds"), 9),
    "variable": Change(deployment, (*CONTAINER, "env"), [{"name": "LOG", "value": "1"}], "set env deployment/web LOG=1"),
    "pause": Change(deployment, ("spec", "paused"), True, "rollout pause deployment/web"),
    "selector": Change(deployment, ("spec", "template", "spec", "nodeSelector"), {"disk": "ssd"}),
    "data": Change(settings, ("data", "a"), "2"),
    "less data": Change(settings, ("data", "b"), None),
    "label": Change(settings, ("metadata", "labels", "team"), "b", "label configmap/web team=b --overwrite"),
    "new label": Change(settings, ("metadata", "labels", "example.com/tier"), "b", "label configmap/web example.com/tier=b"),
    "note": Change(settings, ("metadata", "annotations", "note"), "b", "annotate configmap/web note=b --overwrite"),
    "new note": Change(settings, ("metadata", "annotations", "example.com/x.y"), "b", "annotate configmap/web example.com/x.y=b"),
    "port": Change(service, ("spec", "ports", 0, "name"), "web"),
    "password": Change(secret, ("data", "a"), "Mg=="),
}


class Scene(Stage):
    """An object that an applier has applied, and a writer that changes it."""

    def __init__(self, test, policy, applier, writer, change):
        super().__init__(test, policy)
        self.applier, self.writer, self.change = applier, writer, copy.copy(CHANGES[change])
        self.flags, self.result = "", self.change.value
        self.resource = f"{self.change.base['kind'].lower()}/web"
        self.manifests = {applier: self.change.base}
        if {applier, writer} <= APPLIERS.keys() - {"kubectl", "kubectl-server", "replace"}:
            self.change.wanted = self.change.alone
        self.must(self.apply(applier, user="setup"))

    def apply(self, who, user=None):
        """Applies the manifest of this applier again; the lines that applyguard said."""
        return self.apply_as(who, self.manifests[who], user)

    def apply_as(self, who, manifest, user=None):
        command, own_user = APPLIERS[who]
        if who not in CONTROLLERS:
            return self.act(f"{command} {self.flags}", manifest, user=user or own_user)
        path = self.path(f"{manifest['kind'].lower()}s", "web", manifest["apiVersion"])
        answer = self.api.apply(path, manifest, command, force=True, user=user or own_user)
        self.said = "".join(f"Warning: {warning}\n" for warning in answer.warnings) + ("" if answer.ok else answer.body["message"])
        return int(not answer.ok)

    def write(self, user=None):
        """The writer's change: an apply, kubectl's command for it, or the like."""
        if self.writer in APPLIERS:
            return self.apply_as(self.writer, self.change.wanted, user)
        user = user or "admin"
        if self.writer == "command":
            return self.act(f"{self.change.command} {self.flags}", user=user)
        if self.writer == "edit":
            return self.act(f"edit {self.resource} -o json {self.flags}", user=user, environment=self.editor())
        patch = json.dumps({name: self.change.wanted[name] for name in ("metadata", "data", "spec") if name in self.change.wanted})
        return self.act(f"patch {self.resource} --type=strategic --patch-file=/dev/stdin {self.flags}", patch, user=user)

    def editor(self):
        editor = guarded.temporary_directory() / "editor.py"
        editor.write_text(EDITOR)
        return {"KUBE_EDITOR": f"{sys.executable} {editor} '{json.dumps([self.change.place, self.change.value])}'"}

    def act(self, command, manifest=None, **options):
        done = self.test.run_kubectl(*command.split(), *(("--filename=-",) if isinstance(manifest, dict) else ()),
                                     namespace=self.namespace, manifest=manifest, **options)
        self.said = done.stdout + done.stderr
        return done.returncode

    def must(self, status):
        self.test.assertEqual(status, 0, self.said)

    def shell(self, command, status=0, **names):
        """A command as it is printed, with the reader's own names in the place of the capitals."""
        for name in sorted(names, key=len, reverse=True):
            command = re.sub(rf"\b{name}\b", str(names[name]), command)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                              env={**os.environ, **self.test.plane.kubectl_environment(), "PATH": self.test.path})
        self.said = done.stdout + done.stderr
        self.test.assertEqual(done.returncode, status, f"{command}\n{self.said}")
        return done.stdout

    def messages(self):
        """{rule: message} of what was said last, but for rules that are about any manifest."""
        found = re.findall(r"^(?:.*applyguard: |.*denied the request: )?(\w+ \S+/web: .*) \[([a-z-]+)\]$", self.said, re.MULTILINE)
        return {rule: message for message, rule in found if rule != "explicit-strategy"}

    def is_quiet(self, status=0):
        """The last command was let through, and applyguard said nothing."""
        self.test.assertEqual((status, self.messages()), (0, {}), self.said)


# Advice in words. Each function does what the message says.

def change_the_manifest(scene):
    scene.manifests[scene.applier] = scene.change.wanted
    scene.is_quiet(scene.apply(scene.applier))


def keep_it_in_one_manifest(scene):
    """The writer leaves it to the other."""
    base = scene.change.base
    scene.result = value_at(base, scene.change.place)
    scene.change.wanted = {**{name: base[name] for name in ("apiVersion", "kind")}, "metadata": {"name": "web"}}


def add_server_side(scene):
    scene.writer = "kubectl-server"


def use_kubectl_apply(scene):
    scene.writer = "kubectl"


def use_the_name(scene):
    scene.flags = re.search(r"--field-manager=\S+", scene.message).group()


def force_the_next_change(scene):
    scene.manifests[scene.applier] = put(scene.change.wanted, scene.change.place, 12)
    scene.is_quiet(scene.apply(scene.applier))


def run_the_command(scene):
    """The last words of the message; what `applyguard migrate` prints is run as well."""
    command = re.search(r"; [^;]*?: ((?:kubectl|applyguard) .*)$", scene.message).group(1)
    scene.shell(command if "-o command" not in command else f"{command} | sh")
    scene.test.assertNotIn(" denied the request", scene.said)


ADVICE = [
    (r"; [^;]*: (kubectl|applyguard) [^;]*$", run_the_command),
    (r"; add --force-conflicts when you change it$", force_the_next_change),
    (r"; keep to one way: add --server-side$", add_server_side),
    (r"; use kubectl apply --server-side, which keeps (it|them)$", add_server_side),
    (r"; use kubectl apply$", use_kubectl_apply),
    (r"use --field-manager=flux-client-side-apply$", use_the_name),
    (r"; (change the manifest|change it in Git)$", change_the_manifest),
    (r"; keep (it|each) in one manifest$", keep_it_in_one_manifest),
]


class Advice(Guarded):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        programs = guarded.temporary_directory()
        (programs / "applyguard").symlink_to(harness.Program.path)
        cls.path = f"{programs}:{cls.plane.programs}:{os.environ['PATH']}"

    def take(self, scene, rule):
        """Takes the advice of the message of this rule."""
        self.assertIn(rule, scene.messages(), scene.said)
        scene.message = scene.messages()[rule]
        follow = next((follow for words, follow in ADVICE if re.search(words, scene.message)), None)
        self.assertIsNotNone(follow, f"an advice that nobody here takes: {scene.message}")
        follow(scene)

    def test_a_change_that_was_refused(self):
        for applier, writer, change in (
                ("kubectl", "command", "image"), ("platform", "flux", "data"), ("flux", "patch", "password"), ("kubectl-server", "kubectl", "data"),
                ("kubectl", "replace", "port"), ("kubectl-server", "edit", "seconds"), ("platform", "edit", "data"), ("flux", "command", "label"),
                ("argocd", "edit", "port"), ("kubectl", "command", "note"), ("flux", "platform", "label"), ("platform", "argocd", "note"),
                ("kubectl", "patch", "seconds")):
            with self.subTest(applier=applier, writer=writer, change=change):
                scene = Scene(self, "strict", applier, writer, change)
                scene.write()
                self.take(scene, "ownership-conflict")
                if scene.writer == "replace":  # which is also told to use kubectl apply, because it drops the annotation
                    scene.writer = "kubectl"
                scene.is_quiet(scene.write())
                kind, version = (scene.change.base[name] for name in ("kind", "apiVersion"))
                live = scene.get(f"{kind.lower()}s", "web", version)
                self.assertEqual(value_at(live, scene.change.place), scene.result)

    def test_an_addition_that_flux_undoes(self):
        for writer, change in (("command", "new label"), ("edit", "new note"), ("patch", "selector")):
            with self.subTest(writer=writer, change=change):
                scene = Scene(self, "strict", "flux", writer, change)
                scene.write()
                self.take(scene, "undone-change")
                scene.is_quiet(scene.write())
                self.assertEqual(scene.apply("flux"), 0)

    def next_apply(self, scene):
        """The applier's next apply, which changes something else."""
        scene.manifests[scene.applier] = put(scene.manifests[scene.applier], ("metadata", "labels", "next"), str(len(scene.said)))
        return scene.apply(scene.applier)

    def test_what_people_leave_behind(self):
        for applier, change in (
                ("kubectl-server", "new note"), ("platform", "variable"), ("argocd", "new label"), ("kubectl", "pause"), ("argocd", "variable")):
            with self.subTest(applier=applier, change=change):
                scene = Scene(self, "strict", applier, "command", change)
                scene.must(scene.write(user="setup"))
                self.next_apply(scene)
                self.take(scene, "orphaned-fields")
                scene.is_quiet(self.next_apply(scene))

    def test_a_field_that_an_edit_owns_beside_the_applier(self):
        scene = Scene(self, "strict", "platform", "patch", "seconds")
        scene.must(scene.write(user="setup"))
        scene.manifests["platform"] = scene.change.wanted
        scene.apply("platform")
        self.take(scene, "orphaned-fields")
        scene.is_quiet(self.next_apply(scene))

    def test_what_an_old_client_side_apply_leaves_behind(self):
        """Its annotation, and its fields that the next applier drops."""
        for change, first, rule in (("less data", "1", "mixed-apply"), ("data", "3", "last-applied-drift")):
            with self.subTest(change=change):
                scene = Scene(self, "strict", "kubectl", "argocd", change)
                scene.manifests["argocd"] = put(scene.change.base, ("data", "a"), first)
                scene.must(scene.apply("argocd", user="setup"))
                scene.wait_for_the_next_second()
                scene.write()
                self.take(scene, rule)
                scene.is_quiet(scene.write())

    def test_values_of_a_secret_in_the_annotation(self):
        scene = Scene(self, "strict", "kubectl", "kubectl-server", "password")
        scene.write()
        self.take(scene, "last-applied-secret")
        scene.is_quiet(scene.write())
        self.assertNotIn("annotations", scene.get("secrets", "web", "v1")["metadata"])

    # explain

    def ways(self, scene):
        """What `applyguard explain` makes of the last output: {way: command}, of the only finding."""
        said = guarded.temporary_directory() / "said.txt"
        said.write_text("\n".join(line for line in scene.said.splitlines() if not line.endswith("[explicit-strategy]")))
        explained, = (json.loads(line) for line in scene.shell(f"applyguard explain -o json -f {said}").splitlines())
        return {way["way"]: way["command"] for way in explained["ways"]}

    def manifest(self, content):
        file = guarded.temporary_directory() / "manifest.json"
        file.write_text(json.dumps(content))
        return file

    def test_the_commands_that_explain_prints(self):
        for policy, applier, writer, change in (
                ("strict", "platform", "flux", "data"), ("strict-warn", "flux", "edit", "label"), ("strict", "kubectl", "command", "image"),
                ("strict-warn", "kubectl", "patch", "seconds"), ("strict", "kubectl-server", "edit", "seconds"), ("strict", "argocd", "command", "note"),
                ("strict", "platform", "argocd", "note"), ("strict-warn", "argocd", "kubectl", "port")):
            with self.subTest(policy=policy, applier=applier, writer=writer, change=change):
                scene = Scene(self, policy, applier, writer, change)
                scene.write()
                ways = self.ways(scene)
                file = self.manifest(scene.change.wanted)
                for way in ("owners", "waived", "waive", "unwaive"):
                    scene.shell(ways[way])
                scene.shell(f"{ways['preview']} --fail-on audit >/dev/null || [ $? = 1 ]", MANIFEST=file)
                if "hand-over" in ways:
                    self.hand_over(scene, ways["hand-over"])
                self.change_back(scene, ways.get("drop"))

    def hand_over(self, scene, command):
        """The webhook takes the patch, if the policy need not say anything about it; then the writer's apply takes nothing."""
        manager = {"flux": "kustomize-controller", "argocd": "argocd-controller", "platform": "platform"}[scene.writer]
        printed = scene.shell(command, MANAGER=manager)
        self.assertIn("kubectl patch ", printed)
        scene.shell(printed, status=int("# The webhook refuses this patch" in printed))
        if "# The webhook refuses" not in printed:
            scene.is_quiet(scene.write())

    def change_back(self, scene, command):
        """An edit that sets the field back leaves nothing for the applier to take back."""
        if not command or "# set " not in command:
            return
        scene.change.value = value_at(scene.change.base, scene.change.place)
        scene.writer = "edit"
        self.assertTrue(command.startswith("kubectl edit "), command)
        scene.act(command.partition("  # ")[0].removeprefix("kubectl ") + " -o json", environment=scene.editor())
        scene.is_quiet(scene.apply(scene.applier))


if __name__ == "__main__":
    guarded.main()
