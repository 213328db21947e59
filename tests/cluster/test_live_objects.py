"""Live objects are read through kubectl: with what its user has set up, and by every name that it knows.

`applyguard blame KIND/NAME` represents all commands that read a live object by its name.
"""

import base64
import json
import os
import subprocess
import tempfile
from pathlib import Path

import guarded
import harness
from control_plane import TOKENS, free_ports
from manifests import define_widgets
from stage import web

PLUGIN = """\
#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' "$(cat "$0.token")"
"""


class LiveObjects(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.namespace = "live"
        cls.api.request("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": cls.namespace}})
        made = cls.api.apply(f"/apis/apps/v1/namespaces/{cls.namespace}/deployments/web", web(), "platform")
        assert made.ok, made.body

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=guarded.temporary_directory()))

    def kubeconfig(self, user, cluster=None, name="config", namespace=True, **more):
        authority = base64.b64encode(self.plane.authority.read_bytes()).decode()
        path = self.folder / name
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "here",
            "contexts": [{"name": "here", "context": {
                "cluster": "here", "user": "me", **({"namespace": self.namespace} if namespace else {})}}],
            "clusters": [{"name": "here", "cluster": {
                "server": self.plane.server(), "certificate-authority-data": authority, **(cluster or {})}}],
            "users": [{"name": "me", "user": user}], **more}))
        return path

    def blame(self, *arguments, kubeconfig=None, **variables):
        return self.run_program("blame", "-o", "json", *arguments, kubeconfig=kubeconfig, **variables)

    def run_program(self, *arguments, kubeconfig=None, input=None, **variables):
        home = {"HOME": str(self.folder), "KUBECONFIG": str(kubeconfig or "")}
        inherited = {name: value for name, value in os.environ.items() if not name.upper().endswith("_PROXY")}
        done = subprocess.run([harness.Program.path, *arguments], capture_output=True, text=True, input=input,
                              timeout=60, env={**inherited, **home, **variables}, cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def assert_found(self, *arguments, name="web", kind="Deployment", **options):
        status, output, errors = self.blame(*arguments, **options)
        self.assertEqual((status, errors), (0, ""))
        found = json.loads(output)
        self.assertEqual((found["kind"], found["name"]), (kind, name))
        return found

    def admin(self, **options):
        return self.kubeconfig({"token": TOKENS["admin"]}, **options)

    # Credentials

    def test_a_token(self):
        found = self.assert_found("deploy/web", kubeconfig=self.admin())
        self.assertEqual({owner["manager"] for field in found["fields"] for owner in field["owners"]} - {"kube-controller-manager"},
                         {"platform"})
        status, output, errors = self.blame("deploy/web", kubeconfig=self.kubeconfig({"token": "wrong"}))
        self.assertEqual((status, output), (2, ""))
        self.assertIn("You must be logged in to the server", errors)

    def test_a_token_file(self):
        (self.folder / "token").write_text(TOKENS["admin"] + "\n")
        self.assert_found("deploy/web", kubeconfig=self.kubeconfig({"tokenFile": "token"}))

    def test_a_certificate(self):
        key, request, certificate = (self.folder / f"me.{end}" for end in ("key", "csr", "crt"))
        authority = self.plane.client_authority
        for arguments in (
                ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=jane/O=system:masters",
                 "-keyout", key, "-out", request),
                ("x509", "-req", "-in", request, "-days", "1", "-CA", authority, "-CAkey", authority.with_suffix(".key"),
                 "-CAcreateserial", "-out", certificate)):
            subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
        self.assert_found("deploy/web", kubeconfig=self.kubeconfig({"client-certificate": "me.crt", "client-key": "me.key"}))
        data = {f"client-{name}-data": base64.b64encode(path.read_bytes()).decode() for name, path in
                (("certificate", certificate), ("key", key))}
        self.assert_found("deploy/web", kubeconfig=self.kubeconfig(data))

    def test_an_exec_plugin(self):
        plugin = self.folder / "plugin"
        plugin.write_text(PLUGIN)
        plugin.chmod(0o755)
        (self.folder / "plugin.token").write_text(TOKENS["admin"])
        user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin", "interactiveMode": "Never"}}
        self.assert_found("deploy/web", kubeconfig=self.kubeconfig(user))

    def test_acting_as_another(self):
        config = self.admin()
        status, _, errors = self.blame("deploy/web", "--as", "nobody", kubeconfig=config)
        self.assertEqual(status, 2)
        self.assertIn('User "nobody" cannot get resource "deployments"', errors)
        self.assert_found("deploy/web", "--as", "nobody", "--as-group", "devs", "--as-group", "system:authenticated", kubeconfig=config)
        status, _, errors = self.blame("deploy/web", kubeconfig=self.kubeconfig({"token": TOKENS["admin"], "as": "jane"}))
        self.assertEqual(status, 2)
        self.assertIn('User "jane" cannot', errors)
        self.assert_found("deploy/web", "--as", "jane", "--as-uid", "7", "--as-group", "system:masters", kubeconfig=config)

    # Where the cluster is

    def test_several_kubeconfigs_and_contexts(self):
        self.admin(name="clusters", contexts=[])
        (self.folder / "contexts").write_text(json.dumps({
            "current-context": "there", "contexts": [{"name": "there", "context": {"cluster": "gone", "user": "me"}},
                                                     {"name": "here", "context": {"cluster": "here", "user": "me"}}]}))
        files = f"{self.folder}/absent:{self.folder}/contexts:{self.folder}/clusters"
        self.assert_found("deploy/web", "--context", "here", "-n", self.namespace, kubeconfig=files)
        self.assertIn("is there a kubeconfig with this cluster?", self.blame("deploy/web", "--context", "there", kubeconfig=files)[2])
        self.assert_found("deploy/web", "-n", self.namespace, "--kubeconfig", str(self.folder / "one"), kubeconfig=self.admin(name="one"))
        (self.folder / ".kube").mkdir(exist_ok=True)
        self.admin(name=".kube/config")
        self.assert_found("deploy/web")

    def test_flags_in_place_of_a_kubeconfig(self):
        self.assert_found("deploy/web", "-n", self.namespace, "-s", self.plane.server(), "--token", TOKENS["admin"],
                          "--certificate-authority", str(self.plane.authority), "--request-timeout=30s")

    # Names

    def test_every_name_of_a_kind(self):
        config = self.admin()
        for name in ("deploy", "deployment", "deployments", "Deployment", "deployments.apps", "deployment.v1.apps", "Deployment.apps"):
            with self.subTest(name):
                self.assert_found(f"{name}/web", kubeconfig=config)
        self.assert_found("ns/live", kind="Namespace", name="live", kubeconfig=config)
        self.assert_found("clusterrole/system:node", kind="ClusterRole", name="system:node", kubeconfig=config)
        self.assert_found("svc/kubernetes", "-n", "default", kind="Service", name="kubernetes", kubeconfig=config)

    def test_a_custom_resource(self):
        define_widgets(type(self), {})
        path = f"/apis/cluster.applyguard.test/v1/namespaces/{self.namespace}/widgets/w"
        widget = {"apiVersion": "cluster.applyguard.test/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {}}
        guarded.wait_until(lambda: self.api.apply(path, widget, "platform").ok, timeout=30, what="the widget")
        for name in ("widget", "Widget", "widgets.cluster.applyguard.test", "widgets.v1.cluster.applyguard.test"):
            with self.subTest(name):
                self.assert_found(f"{name}/w", kind="Widget", name="w", kubeconfig=self.admin())

    def test_what_is_not_there(self):
        config = self.admin()
        for argument, sentence in (
                ("deploy/absent", 'deploy/absent: error: kubectl: Error from server (NotFound): deployments.apps "absent" not found'),
                ("deplyo/web", 'deplyo/web: error: kubectl: the server doesn\'t have a resource type "deplyo"'),
                ("deployments.batch/web", "the server doesn't have a resource type"),
                ("web", "web: error: this is not KIND/NAME"), ("deploy/..", 'deploy/..: error: kubectl: invalid resource name ".."')):
            with self.subTest(argument):
                status, output, errors = self.blame(argument, kubeconfig=config)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(sentence, errors)
        nowhere = self.kubeconfig({"token": "x"}, {"server": f"https://127.0.0.1:{free_ports(1)[0]}"})
        self.assertIn("deploy/web: error: kubectl: The connection to the server 127.0.0.1", self.blame("deploy/web", kubeconfig=nowhere)[2])

    # Manifests

    def preview(self, *objects, **options):
        status, output, errors = self.run_program(
            "preview", "-o", "json", "-f", "-", "--applier", "kubectl-server", "--field-manager", "platform",
            input="".join(json.dumps(each) + "\n" for each in objects), **options)
        return status, [json.loads(line) for line in output.splitlines()], errors

    def test_the_objects_of_manifests(self):
        """In the namespace of the context, and in the version of the manifest; what is not there is created."""
        absent = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "absent"}, "data": {"a": "b"}}
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace, "labels": {"a": "b"}}}
        status, shown, errors = self.preview(web(), absent, space, kubeconfig=self.admin())
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([(each["name"], each.get("namespace"), each["verdict"]["operation"]) for each in shown],
                         [("web", self.namespace, "UPDATE"), ("absent", self.namespace, "CREATE"), (self.namespace, "", "UPDATE")])
        self.assertEqual((shown[0]["set"], shown[0]["changed"]), ([], []))
        self.assertEqual(shown[2]["set"], [".metadata.labels.a"])

    def test_a_kind_that_is_not_there(self):
        status, shown, errors = self.preview({"apiVersion": "absent.test/v1", "kind": "Thing", "metadata": {"name": "a"}},
                                             kubeconfig=self.admin())
        self.assertEqual((status, shown), (2, []))
        self.assertIn("the cluster has no kind Thing of absent.test/v1; give a definition", errors)

    def test_what_may_not_be_read(self):
        status, shown, errors = self.run_program("preview", "-f", "-", "--as", "nobody", kubeconfig=self.admin(), input=json.dumps(web()))
        self.assertEqual((status, shown), (2, ""))
        self.assertIn('kubectl: Error from server (Forbidden)', errors)
        self.assertIn('User "nobody" cannot get resource "deployments"', errors)


if __name__ == "__main__":
    guarded.main()
