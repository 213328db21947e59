"""preview_oracle.py: both ways to apply, previewed and asked of the API server."""

import json
import os
import secrets
import subprocess

import guarded
import harness
from compared import declared, differences
from discovery import Discovery
from manifests import define_widgets, widget_definition
from oracle import refused

STEPS = int(os.environ.get("STEPS", "12"))
SEED = int(os.environ.get("SEED", "1"))
APPLIERS = ["kubectl", "argocd-controller", "kustomize-controller", "team-b", "helm"]
WRITERS = ["kubectl-edit", "k9s", "my-operator", "team-b"]


def shown(found):
    """Without the values that a preview hides."""
    if found["kind"] == "Secret":
        for holder in (found, found["metadata"]):
            for name in ("data", "annotations"):
                if name in holder:
                    holder[name] = dict.fromkeys(holder[name], "***")
    return found


class Oracle(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.discovery = Discovery(cls.api)
        guarded.halt_controllers(cls.plane, cls.addClassCleanup)
        define_widgets(cls, {})
        cls.folder = guarded.temporary_directory()
        cls.crd = cls.folder / "crd.json"
        cls.crd.write_text(json.dumps(widget_definition({})))

    def setUp(self):
        self.namespace = self.make_namespace(f"preview-{secrets.token_hex(4)}")

    def file(self, name, objects):
        path = self.folder / name
        path.write_text("\n".join(json.dumps(each) for each in objects))
        return path

    def preview(self, manifests, live, *arguments):
        """The output for each manifest, by name."""
        done = harness.run(
            harness.Program.path, "preview", "-f", self.file("manifests.json", manifests), "-n", self.namespace, "--live",
            self.file("live.json", live.values()), "--crd", self.crd, *arguments)
        # A manifest that kubectl refuses to merge is reported instead.
        self.assertEqual(bool(done.stderr), done.returncode == 2, done.stderr)
        self.said = done.stderr.decode()
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {line.get("name") or line["metadata"]["name"]: line for line in lines}

    def check_taken(self, told, ours, theirs, live):
        """The API server takes it: the object is the same, and each difference is shown, also one of order, and no others."""
        self.assertEqual(told["refused"], [])
        schema = self.discovery.schema(theirs["apiVersion"], theirs["kind"])
        sides = [each and shown(declared(each)) for each in (ours, theirs, live)]
        self.assertFalse(list(differences(schema, *sides)))
        if live:
            parts = [told[part] for part in ("set", "changed", "removed")]
            self.assertEqual(any(parts), declared(theirs) != declared(live), parts)

    # The two ways

    def path(self, manifest):
        return self.discovery.path(manifest, self.namespace)

    def read(self, manifests):
        """The live objects, by name."""
        answers = {each["metadata"]["name"]: self.api.request("GET", self.path(each)) for each in manifests}
        return {name: answer.body for name, answer in answers.items() if answer.ok}

    def compare_server_side(self, manifests, live, manager):
        """The names of the manifests that the API server takes, and how many of them conflict."""
        common = ("--applier", "kubectl-server", "--field-manager", manager)
        told = self.told = self.preview(manifests, live, *common, "-o", "json")
        merged = self.preview(manifests, live, *common, "--force-conflicts", "-o", "object")
        compared, conflicting = [], 0
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            tried = self.api.apply(self.path(manifest), manifest, manager, dryRun="All")
            forced = self.api.apply(self.path(manifest), manifest, manager, force=True, dryRun="All")
            with self.subTest(manager=manager, manifest=json.dumps(manifest), live=json.dumps(live.get(name))):
                if not forced.ok:
                    self.check_refused(manifest, forced, told[name], live.get(name))
                    continue
                causes = {each[:3] for each in refused(tried)} if tried.status == 409 else set()
                self.check_taken(told[name], merged[name], forced.body, live.get(name))
                self.check_conflicts(told[name]["conflicts"], causes, live.get(name))
                compared.append(name)
                conflicting += bool(causes)
        return compared, conflicting

    def check_refused(self, manifest, answer, told, live):
        """The API server refuses it, perhaps for a reason that no preview can know."""

    def check_conflicts(self, conflicts, causes, live):
        # kubectl get prints none unless it is asked to, so a file without them shows nothing.
        if conflicts is None:
            self.assertNotIn("managedFields", live["metadata"])
        else:
            self.assertEqual({(each["path"], each["manager"], each["operation"]) for each in conflicts}, causes)

    def check_last_apply(self, live, manager):
        """KIND/NAME alone: what the manager owns is taken for its manifest, which applies again and changes nothing."""
        owned = {name: found for name, found in live.items() if any(
            (each["manager"], each["operation"]) == (manager, "Apply") for each in found["metadata"].get("managedFields", ()))}
        if not owned or manager == "kubectl":
            return
        done = harness.run(
            harness.Program.path, "preview", *(f"{found['kind']}/{name}" for name, found in owned.items()), "-n", self.namespace,
            "--live", self.file("live.json", live.values()), "--crd", self.crd, "--applier", "kubectl-server", "--field-manager", manager,
            "-o", "json")
        for line in done.stdout.splitlines():
            told = json.loads(line)
            self.assertEqual([told[part] for part in ("set", "changed", "removed", "kept", "conflicts")], [[]] * 5,
                             f"{manager}: {json.dumps(live[told['name']])}")
        self.assertEqual(len(done.stdout.splitlines()), len(owned), done.stderr)
        self.applied_again += len(owned)

    def compare_client_side(self, manifests, live):
        """The objects that kubectl applies, by name."""
        told = self.preview(manifests, live, "--applier", "kubectl", "-o", "json")
        merged = self.preview(manifests, live, "--applier", "kubectl", "-o", "object")
        applied = self.kubectl("apply", "--dry-run=server", manifests=manifests)
        for manifest in manifests:
            name = manifest["metadata"]["name"]
            if name in applied:
                with self.subTest(manifest=json.dumps(manifest), live=json.dumps(live.get(name))):
                    self.assertIn(name, merged, self.said)
                    self.check_taken(told[name], merged[name], applied[name], live.get(name))
        return applied

    def store(self, applied, live):
        """Stores what a dry run of kubectl printed, by one request each. A dry run allocates no addresses and ports for Services:
        kubectl applies what the API server refuses with those. A quota that was stored just before may refuse a Pod."""
        left = []
        for name, found in applied.items():
            method = "PUT" if name in live else "POST"
            path = self.path(found) if name in live else self.discovery.collection(found, self.namespace)
            made = ("resourceVersion", "uid", "managedFields")
            metadata = {member: value for member, value in found["metadata"].items() if name in live or member not in made}
            if not self.api.request(method, path, {**found, "metadata": metadata}, fieldManager="kubectl-client-side-apply").ok:
                left.append(name)
        manifests = [each for each in self.manifests if each["metadata"]["name"] in left]
        if manifests:
            self.kubectl("apply", manifests=manifests)

    def kubectl(self, *arguments, manifests):
        """The objects that it prints, by name."""
        done = subprocess.run(
            self.plane.kubectl_command(*arguments, "-o", "json", "-f", str(self.file("applied.json", manifests)), "--context=admin",
                                       f"--namespace={self.namespace}"),
            capture_output=True, text=True, timeout=120, env=self.plane.kubectl_environment())
        if done.returncode and len(manifests) > 1:
            # If any is refused, it prints none, and names most of those that are.
            others = [each for each in manifests if f'"{each["metadata"]["name"]}"' not in done.stderr]
            parts = [others] if len(others) < len(manifests) else [[each] for each in manifests]
            printed = [self.kubectl(*arguments, manifests=part) for part in parts if part]
            return {name: found for each in printed for name, found in each.items()}
        printed = json.loads(done.stdout) if done.stdout else {"items": []}
        return {each["metadata"]["name"]: each for each in printed.get("items", [printed])}
