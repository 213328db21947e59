"""`applyguard preview --applier helm` is what Helm's own upgrade does: the object equals the one after it, the conflicts match
Helm 4's output, and the verdict is the webhook's on Helm's request.

Each release is changed by hand and by others before it is upgraded: Helm 3 and Helm 4 client-side, as Helm 3 installed it, and
Helm 4 server-side. The preview is made of `helm template` and `helm get manifest`, as users have them.
"""

import json
import re

import guarded
import harness
from api import MERGE
from compared import declared, differences
from discovery import Discovery
from manifests import define_widgets, widget_definition
from stage import Stage, editor

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: objects\nversion: 1.0.0\n",
    "templates/objects.yaml": "{{- range .Values.objects }}\n---\n{{ toYaml . }}\n{{- end }}\n"}
# How the releases of Helm come about: the version that installs, and the one that upgrades.
CLIENT_SIDE = [(3, 3), (3, 4)]
SERVER_SIDE = [(4, 4)]
PATHS = {"Deployment": "/apis/apps/v1/namespaces/{}/deployments", "Service": "/api/v1/namespaces/{}/services",
         "ConfigMap": "/api/v1/namespaces/{}/configmaps", "Widget": "/apis/cluster.applyguard.test/v1/namespaces/{}/widgets"}
REFUSED = re.compile(r"applying object \S+?/(\S+) \S*?,? ?Kind=(\w+): Apply failed with \d+ conflicts?: (.*)", re.DOTALL)
MANAGER = re.compile(r'conflicts? with "([^"]+)"(?: with subresource "\w+")?( using \S+?)?:\s')


def deployment(containers, pod=None, **spec):
    return {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "labels": {"tier": "front"}},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "strategy": {"type": "RollingUpdate"}, **spec, "template": {
            "metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers, **(pod or {})}}}}


def nginx(image, env, **more):
    return {"name": "nginx", "image": image, "env": [{"name": name, "value": value} for name, value in env.items()], **more}


def service(*ports):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {
        "selector": {"app": "web"}, "ports": [{"name": f"p{port}", "port": port} for port in ports]}}


def config_map(name, values, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": values}


def widget(**spec):
    return {"apiVersion": "cluster.applyguard.test/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}


BEFORE = [
    deployment([nginx("nginx:1", {"A": "1", "B": "1", "GONE": "1"}, args=["-v", "-x"], ports=[{"containerPort": 80}]),
                {"name": "sidecar", "image": "sidecar:1"}],
               {"nodeSelector": {"disk": "ssd"}, "volumes": [{"name": "tmp", "emptyDir": {}}]}, replicas=3, minReadySeconds=5),
    service(80, 81), config_map("c", {"same": "1", "changed": "1", "gone": "1"}, annotations={"note": "old"}),
    widget(size=1, on=True, plain=["a", "b"], colours=["red", "blue"], doors=[{"name": "front", "colour": "red"}, {"name": "back"}],
           rooms={"one": {"beds": 1}, "two": {"beds": 2}})]
# Fields are set, changed and removed, and items of lists.
AFTER = [
    deployment([nginx("nginx:2", {"A": "2", "B": "1", "NEW": "1"}, args=["-v"], ports=[{"containerPort": 80}, {"containerPort": 443}])],
               {"nodeSelector": {"zone": "a"}, "terminationGracePeriodSeconds": 5}, revisionHistoryLimit=3),
    service(80, 82), config_map("c", {"same": "1", "changed": "2", "set": "1"}),
    widget(size=2, on=True, plain=["a"], colours=["blue", "green"], doors=[{"name": "back", "colour": "blue"}], rooms={"two": {"beds": 3}}),
    config_map("new", {"a": "1"})]


class Release:
    """The release `r` of one namespace."""

    def __init__(self, test, majors):
        self.test = test
        self.installs, self.upgrades = majors
        self.stage = Stage(test, "baseline")
        self.folder = guarded.temporary_directory()
        (self.folder / "templates").mkdir()
        for name, text in CHART.items():
            (self.folder / name).write_text(text)

    def helm(self, major, *command):
        return self.test.run_helm(major, *command, namespace=self.stage.namespace, user="admin")

    def done(self, major, *command):
        done = self.helm(major, *command)
        self.test.assertEqual(done.returncode, 0, f"helm {command}: {done.stderr}")
        return done.stdout

    def chart(self, objects):
        (self.folder / "values.yaml").write_text(json.dumps({"objects": objects}))
        return self.folder

    def install(self, objects):
        self.done(self.installs, "install", "r", self.chart(objects))

    def path(self, kind, name=""):
        return f"{PATHS[kind].format(self.stage.namespace)}/{name}"

    def write(self, kind, name, patch, manager):
        answer = self.test.api.request("PATCH", self.path(kind, name), patch, content_type=MERGE, fieldManager=manager, user="setup")
        self.test.assertTrue(answer.ok, answer.body)

    def live(self, objects):
        """By kind and name; the existing objects."""
        found = {(each["kind"], each["metadata"]["name"]): None for each in objects}
        answers = {key: self.test.api.request("GET", self.path(*key)) for key in found}
        return {key: answer.body for key, answer in answers.items() if answer.ok}

    def preview(self, objects, live, *arguments, previous=True):
        """Each manifest's JSON with the object after it, by kind and name, before the upgrade; of one that Helm deletes, None."""
        files = {"manifest": self.done(self.upgrades, "template", "r", self.chart(objects)), "live": json.dumps(
            {"apiVersion": "v1", "kind": "List", "items": list(live.values())}), "crd": json.dumps(widget_definition({}))}
        if previous:
            files["previous"] = self.done(self.upgrades, "get", "manifest", "r")
        paths = {name: self.folder / f"{name}.txt" for name in files}
        for name, text in files.items():
            paths[name].write_text(text)
        common = [
            harness.Program.path, "preview", "--applier", "helm", "-f", paths["manifest"], "-n", self.stage.namespace, "--live",
            paths["live"], "--crd", paths["crd"], "--policy", self.test.policy_files["baseline"], *arguments,
            *(["--previous", paths["previous"]] if previous else [])]
        told, made = (harness.run(*common, "-o", form) for form in ("json", "object"))
        self.test.assertEqual((told.stderr, made.stderr), (b"", b""))
        told, made = ([json.loads(line) for line in done.stdout.splitlines()] for done in (told, made))
        made = {(each["kind"], each["metadata"]["name"]): each for each in made}
        return {(each["kind"], each["name"]): (each, made.get((each["kind"], each["name"]))) for each in told}

    def upgrade(self, objects, *flags):
        """The objects after Helm, and the webhook's findings in its requests, by kind and name."""
        before = self.test.recorder.count()
        done = self.helm(self.upgrades, "upgrade", "r", self.chart(objects), *flags)
        asked = [each for each in self.test.recorder.since(before) if each.request.get("namespace") == self.stage.namespace]
        return done, {(each.request["kind"]["kind"], each.request["name"]): each for each in asked}


def conflicts_of(errors):
    """{(kind, name, path, manager, operation)} in Helm 4's output."""
    found = set()
    for part in errors[errors.index("Error: UPGRADE FAILED"):].split(" && "):
        name, kind, text = REFUSED.search(part).groups()
        pieces = MANAGER.split(text)
        for manager, using, paths in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            for path in paths.strip().splitlines():
                found.add((kind, name, path.removeprefix("- ").strip(), manager, "Update" if using else "Apply"))
    return found


class PreviewOfHelm(guarded.Guarded):
    webhook = {"extraRules": [{"apiGroups": ["cluster.applyguard.test"], "resources": ["widgets"]}]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        define_widgets(cls, {})
        cls.discovery = Discovery(cls.api)

    def differences(self, ours, theirs, live):
        schema = self.discovery.schema(theirs["apiVersion"], theirs["kind"])
        return list(differences(schema, declared(ours), theirs, live and declared(live)))

    def check(self, release, previews, live, upgraded):
        """The objects after an upgrade that went well are those foreseen, and so are the verdicts."""
        done, reviews = upgraded
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(reviews)
        after = release.live([each for _, each in previews.values()])
        for key, (told, made) in previews.items():
            with self.subTest(object=key):
                before = live.get(key)
                theirs = declared(after[key])
                if key not in live:
                    # No object shows yet to which release it belongs.
                    del theirs["metadata"]["annotations"]
                found = self.differences(made, theirs, before)
                self.assertEqual(found, [], f"live {json.dumps(before)}")
                if key in reviews:
                    self.assertEqual(self.findings(told["verdict"]["findings"]), self.findings(reviews[key].findings))
        return after

    @staticmethod
    def findings(listed):
        return sorted((each["rule"], sorted(each.get("fields", []))) for each in listed)

    def disturb(self, release):
        """By hand, by an operator, by another team that applies, and client-side, which leaves kubectl's annotation."""
        stage = release.stage
        stage.given("apply", config_map("c", {"same": "1", "changed": "1"}))
        stage.given("set image deployment/web nginx=nginx:9")
        stage.given("scale deployment/web --replicas=7")
        stage.given("edit deployment/web", environment=editor("s/minReadySeconds:.5/minReadySeconds:\\ 6/"))
        stage.given("label deployment/web tier=back extra=1 --overwrite")
        stage.given("apply --server-side --force-conflicts --field-manager=team-b", deployment(
            [{"name": "nginx", "image": "nginx:9", "env": [{"name": "A", "value": "9"}, {"name": "THEIRS", "value": "1"}]},
             {"name": "proxy", "image": "proxy:1"}]))
        stage.given("apply --server-side --field-manager=team-b", config_map("c", {"theirs": "1"}))
        release.write("ConfigMap", "c", {"data": {"changed": "9", "edited": "1", "gone": "9"}}, "kubectl-edit")
        release.write("Widget", "w", {"spec": {"size": 9, "on": False, "intOrText": "x", "rooms": {"three": {"beds": 9}}}}, "my-operator")

    def test_client_side(self):
        """Helm 3 merges three ways, and custom resources by the manifests alone; Helm 4 does so where Helm 3 installed."""
        for majors in CLIENT_SIDE:
            release = Release(self, majors)
            release.install(BEFORE)
            self.disturb(release)
            live = release.live(AFTER)
            previews = release.preview(AFTER, live)
            self.assertTrue(previews["Deployment", "web"][0]["verdict"]["findings"])
            taken = [each for told, _ in previews.values() for each in told["conflicts"]]
            self.assertIn("my-operator", {each["manager"] for each in taken})
            self.assertEqual({each["taken"] for each in taken}, {True})
            after = self.check(release, previews, live, release.upgrade(AFTER))
            # Changes by hand stay in a custom resource if the chart did not change there.
            self.assertIs(after["Widget", "w"]["spec"]["on"], False)

    def test_client_side_without_the_previous_manifest(self):
        """Without removals it needs none, if nothing was changed by hand in custom resources; otherwise it is said."""
        release = Release(self, (3, 3))
        release.install(BEFORE)
        release.stage.given("set image deployment/web nginx=nginx:9")
        more = json.loads(json.dumps(BEFORE))
        more[0]["spec"]["template"]["spec"]["containers"][0]["env"].append({"name": "NEW", "value": "1"})
        more[2]["data"]["new"] = "1"
        more[3]["spec"]["size"] = 5
        live = release.live(more)
        previews = release.preview(more, live, previous=False)
        for told, _ in previews.values():
            self.assertIn("use --previous FILE", told["notes"][0])
        self.check(release, previews, live, release.upgrade(more))

    def test_what_the_chart_no_longer_has(self):
        """Helm deletes it, but for what the live object says; what is not there any more it passes over."""
        keeps = {"helm.sh/resource-policy": "keep"}
        for majors in CLIENT_SIDE + SERVER_SIDE:
            release = Release(self, majors)
            former = [config_map("gone", {"a": "1"}), config_map("kept", {"a": "1"}, annotations=keeps), config_map("missing", {"a": "1"}),
                      config_map("saved", {"a": "1"})]
            release.install([*BEFORE[2:3], *former])
            release.write("ConfigMap", "saved", {"metadata": {"annotations": keeps}}, "kubectl-edit")
            release.stage.given("delete configmap missing")
            live = release.live([*BEFORE[2:3], *former])
            previews = release.preview(BEFORE[2:3], live)
            self.assertEqual({name: told.get("dropped") for (_, name), (told, _) in previews.items()},
                             {"c": None, "gone": "deleted", "kept": "left", "saved": "left"})
            self.assertIsNone(previews["ConfigMap", "gone"][1])
            done, _ = release.upgrade(BEFORE[2:3])
            self.assertEqual(done.returncode, 0, done.stderr)
            after = release.live([*BEFORE[2:3], *former])
            self.assertEqual({name for _, name in after}, {"c", "kept", "saved"})
            for name in ("kept", "saved"):
                self.assertEqual(self.differences(previews["ConfigMap", name][1], declared(after["ConfigMap", name]), None), [])

    def test_an_object_that_the_release_did_not_have(self):
        """Helm takes it over as if its release had declared the same: nothing is removed, and custom resources stay as they are."""
        for majors in CLIENT_SIDE:
            release = Release(self, majors)
            release.install(BEFORE[2:3])
            release.stage.given("apply --server-side", json.dumps({"apiVersion": "v1", "kind": "List", "items": [
                config_map("taken", {"a": "1", "theirs": "2"}), widget(size=1, plain=["a"])]}))
            for kind, name in (("ConfigMap", "taken"), ("Widget", "w")):
                release.write(kind, name, {"metadata": {
                    "labels": {"app.kubernetes.io/managed-by": "Helm", "l": "1"}, "annotations": {
                        "meta.helm.sh/release-name": "r", "meta.helm.sh/release-namespace": release.stage.namespace, "a": "1"}}}, "helm")
            objects = [*BEFORE[2:3], config_map("taken", {"a": "2"}), widget(size=2)]
            live = release.live(objects)
            previews = release.preview(objects, live)
            after = self.check(release, previews, live, release.upgrade(objects))
            self.assertEqual(after["ConfigMap", "taken"]["data"], {"a": "2", "theirs": "2"})
            self.assertEqual(after["Widget", "w"]["spec"], {"size": 1, "plain": ["a"]})
        self.check_that_helm_4_refuses_force(release, objects)

    def check_that_helm_4_refuses_force(self, release, objects):
        """For a release that it upgrades client-side, and the preview says so."""
        told, _ = release.preview(objects, release.live(objects), "--force-conflicts")["ConfigMap", "c"]
        self.assertIn("Helm 4 refuses --force-conflicts", told["notes"][0])
        done, _ = release.upgrade(objects, "--force-conflicts")
        self.assertEqual(done.returncode, 1)
        self.assertIn("forceConflicts", done.stderr)

    def test_server_side(self):
        """Helm 4 is refused as the preview says, object by object, and with force takes what it says."""
        for majors in SERVER_SIDE:
            release = Release(self, majors)
            release.install(BEFORE)
            self.disturb(release)
            live = release.live(AFTER)
            told = {(*key, each["path"], each["manager"], each["operation"])
                    for key, (line, _) in release.preview(AFTER, live).items() for each in line["conflicts"]}
            refused, _ = release.upgrade(AFTER)
            self.assertEqual(refused.returncode, 1)
            self.assertEqual(told, conflicts_of(refused.stderr))
            self.assertGreater(len(told), 5)
            # Objects without conflicts were upgraded.
            live = release.live(AFTER)
            previews = release.preview(AFTER, live, "--force-conflicts")
            self.check(release, previews, live, release.upgrade(AFTER, "--force-conflicts"))


if __name__ == "__main__":
    guarded.main()
