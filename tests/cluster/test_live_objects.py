"""Objects are found in a cluster as kubectl finds them: by each kind of credential, and by every name of their kind.

`applyguard blame KIND/NAME` stands for all commands that read a live object.
"""

import base64
import http.server
import json
import os
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import guarded
import harness
from api import Api
from control_plane import TOKENS, free_ports
from manifests import define_widgets
from stage import web

PLUGIN = """\
#!/bin/sh
printf '%s' "$KUBERNETES_EXEC_INFO" > "$0.info"
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' "$(cat "$0.token")"
"""


class OldApiServer(http.server.BaseHTTPRequestHandler):
    """Hands requests on, but knows only the form of discovery that came before the aggregated one."""

    def do_GET(self):
        request = urllib.request.Request(
            self.server.behind + self.path,
            headers={"Authorization": f"Bearer {TOKENS['admin']}", "Accept": "application/json"})
        self.server.paths.append(self.path)
        try:
            with urllib.request.urlopen(request, context=self.server.tls) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy(http.server.BaseHTTPRequestHandler):
    """A forwarding proxy that only remembers whom it was asked for."""

    def do_CONNECT(self):
        self.server.asked.append(self.path)
        self.send_error(502)

    def log_message(self, *_):
        pass


class LiveObjects(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls)
        cls.api = Api(cls.plane)
        cls.addClassCleanup(cls.api.close)
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
        home = {"HOME": str(self.folder), "KUBECONFIG": str(kubeconfig or "")}
        inherited = {name: value for name, value in os.environ.items() if not name.upper().endswith("_PROXY")}
        done = subprocess.run([harness.Program.path, "blame", "-o", "json", *arguments], capture_output=True, text=True,
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
        self.assertIn("401 Unauthorized", errors)

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

    def test_an_exec_plugin_that_is_told_of_the_cluster(self):
        plugin = self.folder / "plugin"
        plugin.write_text(PLUGIN)
        plugin.chmod(0o755)
        (self.folder / "plugin.token").write_text(TOKENS["admin"])
        user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin", "interactiveMode": "Never",
                         "provideClusterInfo": True}}
        cluster = {"extensions": [{"name": "client.authentication.k8s.io/exec", "extension": {
            "audience": "06e3", "region": {"zones": ["a", 1, True, None]}}}]}
        self.assert_found("deploy/web", kubeconfig=self.kubeconfig(user, cluster))
        ours = json.loads((self.folder / "plugin.info").read_text())
        done = subprocess.run(
            [*self.plane.kubectl_command("get", "deploy"), f"--kubeconfig={self.folder / 'config'}"], capture_output=True, text=True,
            env={**os.environ, "HOME": str(self.folder)}, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(ours, json.loads((self.folder / "plugin.info").read_text()), "kubectl tells it something else")

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
        for flag in ("--as-group", "--as-uid"):
            self.assertIn("needs a user", self.blame("deploy/web", flag, "devs", kubeconfig=config)[2])

    # Where the cluster is

    def test_several_kubeconfigs_and_contexts(self):
        self.admin(name="clusters", contexts=[])
        (self.folder / "contexts").write_text(json.dumps({
            "current-context": "there", "contexts": [{"name": "there", "context": {"cluster": "gone", "user": "me"}},
                                                     {"name": "here", "context": {"cluster": "here", "user": "me"}}]}))
        files = f"{self.folder}/absent:{self.folder}/contexts:{self.folder}/clusters"
        self.assert_found("deploy/web", "--context", "here", "-n", self.namespace, kubeconfig=files)
        self.assertIn('no cluster "gone"', self.blame("deploy/web", "--context", "there", kubeconfig=files)[2])
        self.assert_found("deploy/web", "-n", self.namespace, "--kubeconfig", str(self.folder / "one"), kubeconfig=self.admin(name="one"))
        (self.folder / ".kube").mkdir()
        self.admin(name=".kube/config")
        self.assert_found("deploy/web")

    def test_a_proxy_of_the_environment(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        proxy = f"http://127.0.0.1:{server.server_port}"
        config = self.kubeconfig({"token": TOKENS["admin"]}, {"server": "https://cluster.example:6443"})
        self.assertEqual(self.blame("deploy/web", kubeconfig=config, HTTPS_PROXY=proxy)[0], 2)
        self.assertIn("cluster.example:6443", server.asked)
        self.assert_found("deploy/web", kubeconfig=self.admin(), HTTPS_PROXY=proxy)  # loopback is direct, as in client-go

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

    def test_an_api_server_without_aggregated_discovery(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OldApiServer)
        server.behind, server.tls, server.paths = self.plane.server(), self.plane.tls(), []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        config = self.kubeconfig({}, {
            "server": f"http://127.0.0.1:{server.server_port}", "certificate-authority-data": ""})
        for name in ("deploy", "Deployment.apps", "deployment.v1.apps"):
            with self.subTest(name):
                self.assert_found(f"{name}/web", kubeconfig=config)
        self.assertIn("/apis/apps/v1", server.paths)
        self.assert_found("ns/live", kind="Namespace", name="live", kubeconfig=config)

    def test_what_is_not_there(self):
        config = self.admin()
        for argument, sentence in (("deploy/absent", 'deploy/absent: 404 NotFound: deployments.apps "absent" not found'),
                                   ("deplyo/web", 'deplyo/web: the API server has no kind "deplyo"'),
                                   ("deployments.batch/web", 'has no kind "deployments.batch"'),
                                   ("web", "web: this is not KIND/NAME"), ("deploy/..", "deploy/..: this is no name")):
            with self.subTest(argument):
                status, output, errors = self.blame(argument, kubeconfig=config)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(sentence, errors)
        nowhere = self.kubeconfig({"token": "x"}, {"server": f"https://127.0.0.1:{free_ports(1)[0]}"})
        self.assertIn("no answer from https://127.0.0.1", self.blame("deploy/web", kubeconfig=nowhere)[2])


if __name__ == "__main__":
    guarded.main()
