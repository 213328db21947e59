#!/usr/bin/env python3
"""Records what tools print when the API server refuses a server-side apply: the texts beside this file.

    tests/conflicts/record.py

Nothing in these texts is written by hand: real tools print them about a real API server. kubectl is that of each version
that is pinned. Flux's kustomize-controller and Argo CD's engine always apply with force, so no server of theirs refuses
them; they are recorded behind a gateway that takes `force=true` out of their requests, as an organization's may.
"""
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / folder) for folder in ("cluster", "chart", "server", "tools")]

import helm
import kubernetes
import programs
from api import MERGE, Api
from application import write, write_chart
from control_plane import TOKENS, ControlPlane, free_ports
from harness import temporary_directory
from repository import Repository
from stage import web

NAMESPACE = "shop"
ROOT = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments"


class Gateway(http.server.ThreadingHTTPServer):
    """Passes a user's requests on to the API server, without force."""

    daemon_threads = True

    def __init__(self, plane, user):
        self.plane, self.user = plane, user
        super().__init__(("127.0.0.1", 0), Pass)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Pass(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        upstream = urllib.parse.urlsplit(self.server.plane.server())
        connection = http.client.HTTPSConnection(
            upstream.hostname, upstream.port, context=self.server.plane.tls(), timeout=600)
        headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "connection", "accept-encoding")}
        headers["Authorization"] = f"Bearer {TOKENS[self.server.user]}"  # clients send none without TLS
        connection.request(self.command, self.path.replace("force=true", "force=false"), body or None, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for key, value in answer.getheaders():
            if key.lower() in ("content-type", "warning", "retry-after"):
                self.send_header(key, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        # Watches end with their client, or with the API server.
        with contextlib.suppress(OSError, http.client.HTTPException):
            while chunk := answer.read1(65536):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any


class Recording:
    def __init__(self, plane):
        self.plane, self.api = plane, Api(plane)

    def keep(self, name, text):
        text = text.replace(str(self.plane.directory), "/srv").replace(str(self.plane.server()), "https://kubernetes:6443")
        (HERE / name).write_text(text if text.endswith("\n") else text + "\n")
        print(name, flush=True)

    def kubectl(self, *arguments, manifest=None, program=None, namespace=NAMESPACE, status=0):
        command = [program or self.plane.programs / "kubectl", *arguments, "--context=setup", f"--namespace={namespace}"]
        done = subprocess.run(
            [str(part) for part in command], input=None if manifest is None else json.dumps(manifest), capture_output=True,
            text=True, timeout=120, env=self.plane.kubectl_environment())
        if status is not None and done.returncode != status:
            raise RuntimeError(f"{command}: {done.returncode} {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def apply(self, manifest, manager, force=False):
        answer = self.api.apply(f"{ROOT}/{manifest['metadata']['name']}", manifest, manager, user="setup", force=force)
        if not answer.ok:
            raise RuntimeError(answer.body)

    def prepare(self):
        """One field that is another applier's; and an object that everybody has a hand in."""
        self.kubectl("create", "namespace", NAMESPACE)
        self.apply(web(), "platform-team")
        self.apply({**web(), "metadata": {"name": "api", "annotations": {"example.com/owner.team": "a"}}}, "platform-team")
        self.kubectl("scale", "deployment/api", "--replicas=5")
        self.kubectl("set", "image", "deployment/api", "nginx=nginx:9")
        self.kubectl("annotate", "deployment/api", "example.com/owner.team=b", "--overwrite")
        self.apply({**bare("api"), "spec": {"template": {"spec": {"containers": [{"name": "nginx", "ports": [
            {"containerPort": 80, "name": "http"}]}]}}}}, 'odd "name"')
        for name in ("web", "api"):
            self.keep(f"live-{name}.yaml", self.kubectl("get", "deployment", name, "--output=yaml", "--show-managed-fields"))

    # Each tool

    def with_kubectl(self):
        for minor in kubernetes.pinned_minors():
            program = kubernetes.cache_of(kubernetes.version_of(minor)) / "kubectl"
            for name, manifest, more in (
                    ("one", wanted("web"), ()), ("many", wanted("api"), ()),
                    ("two-objects", {"apiVersion": "v1", "kind": "List", "items": [wanted("web"), wanted("api")]}, ()),
                    ("verbose", wanted("api"), ("-v=8",)), ("dry-run", wanted("web"), ("--dry-run=server",))):
                self.keep(f"kubectl-{minor}-{name}.txt", self.kubectl(
                    "apply", "--server-side", "--filename=-", *more, manifest=manifest, program=program, status=1))
            self.keep(f"kubectl-{minor}-diff.txt", self.kubectl(
                "diff", "--server-side", "--filename=-", manifest=wanted("api"), program=program, status=None))

    def with_the_api(self):
        answer = self.api.apply(f"{ROOT}/web", wanted("web"), "team-b", user="setup")
        self.keep("status-one.json", json.dumps(answer.body))
        answer = self.api.apply(f"{ROOT}/api", wanted("api"), "team-b", user="setup")
        self.keep("status-many.json", json.dumps(answer.body, indent=2))
        kubeconfig = json.loads(self.plane.kubeconfig.read_text())
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--include", "--cacert", kubeconfig["clusters"][0]["cluster"]["certificate-authority"],
             "--header", f"Authorization: Bearer {TOKENS['setup']}", "--header", "Content-Type: application/apply-patch+yaml",
             "--request", "PATCH", "--data-binary", json.dumps(wanted("api")), f"{self.plane.server()}{ROOT}/api?fieldManager=team-b"],
            capture_output=True, text=True, check=True)
        self.keep("curl.txt", done.stdout)
        time.sleep(1)
        events = [line for line in self.plane.audit_log.read_text().splitlines() if '"code":409' in line and "team-b" in line]
        self.keep("audit.log", "\n".join(events[:2]))

    def with_helm(self):
        program = helm.helm_program(4)
        chart = write_chart([wanted("web"), wanted("api")], self.plane.directory / "charts" / "shop")
        for name, more in (("install", ()), ("debug", ("--debug",))):
            done = helm.run([program, "install", "shop", chart, "--take-ownership", *more, "--kube-context=setup",
                             f"--namespace={NAMESPACE}"], env=helm.helm_environment(self.plane))
            self.keep(f"helm-4-{name}.txt", done.stdout + done.stderr)
            # Helm keeps its failed release in one, and would install no other of the name.
            self.api.request("DELETE", f"/api/v1/namespaces/{NAMESPACE}/secrets", user="setup")

    def with_argocd(self, gateway):
        log = self.plane.directory / "argocd.txt"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [programs.program("argocd")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
                env={**os.environ, "KUBECONFIG": str(self.kubeconfig(gateway))})
            for name in ("web", "api"):
                folder = write([wanted(name)], self.plane.directory / "repositories" / f"argocd-{name}")
                order = {"app": name, "directory": str(folder), "namespace": NAMESPACE, "serverSide": True, "replace": False}
                process.stdin.write(json.dumps(order) + "\n")
                process.stdin.flush()
                self.keep(f"argocd-sync-{name}.txt", process.stdout.readline())
            process.stdin.close()
            process.wait(30)
        lines = [line for line in log.read_text().splitlines() if "Apply failed" in line]
        self.keep("argocd-log.txt", "\n".join(line for line in lines if "Adding resource result" in line))

    def with_flux(self, gateway):
        for controller in ("source-controller", "kustomize-controller"):
            folder = programs.sources(controller, f"github.com/fluxcd/{controller}") / "config" / "crd" / "bases"
            self.kubectl("create", f"--filename={folder}")
        self.kubectl("create", "namespace", "flux-system")
        time.sleep(3)
        repository = Repository(temporary_directory())
        metrics, health = free_ports(2)
        log = self.plane.directory / "flux.txt"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [programs.program("kustomize-controller"), f"--metrics-addr=127.0.0.1:{metrics}",
                 f"--health-addr=127.0.0.1:{health}", "--watch-all-namespaces", "--events-addr="], stdout=errors, stderr=errors,
                env={**os.environ, "KUBECONFIG": str(self.kubeconfig(gateway)), "RUNTIME_NAMESPACE": "flux-system"})
            try:
                for name in ("web", "api"):
                    self._follow(repository, name)
                for name in ("web", "api"):
                    self._keep_what_flux_says(name)
            finally:
                process.terminate()
                process.wait(30)
                repository.close()
        lines = [line for line in log.read_text().splitlines() if "Apply failed" in line]
        self.keep("flux-log.txt", "\n".join(lines[:4]))

    def _follow(self, repository, name):
        artifact = repository.publish(write([wanted(name)], self.plane.directory / "repositories" / name))
        flux = "/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories"
        self._send("POST", flux, {
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": name},
            "spec": {"url": "https://example.com/shop", "interval": "1h"}})
        self._send("PATCH", f"{flux}/{name}/status", {"status": {
            "artifact": artifact, "observedGeneration": 1, "conditions": [{
                "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}, content_type=MERGE)
        self._send("POST", "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations", {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": name}, "spec": {
                "interval": "1h", "retryInterval": "5s", "prune": False, "path": "./", "targetNamespace": NAMESPACE,
                "sourceRef": {"kind": "GitRepository", "name": name}}})

    def _keep_what_flux_says(self, name):
        jsonpath = '{.status.conditions[?(@.type=="Ready")].message}'
        for _ in range(60):
            said = self.kubectl("get", "kustomization", name, f"--output=jsonpath={jsonpath}", namespace="flux-system")
            if "Apply failed" in said:
                break
            time.sleep(1)
        else:
            raise RuntimeError(said)
        self.keep(f"flux-condition-{name}.txt", said)
        self.keep(f"flux-kustomization-{name}.yaml", self.kubectl("get", "kustomization", name, "--output=yaml", namespace="flux-system"))
        self.keep(f"flux-get-{name}.txt", self.kubectl("get", "kustomization", name, namespace="flux-system"))
        events = self.kubectl("get", "events", f"--field-selector=involvedObject.name={name}", namespace="flux-system")
        self.keep(f"flux-events-{name}.txt", "\n".join(line for line in events.splitlines() if "Apply failed" in line))

    def _send(self, method, path, body, **options):
        answer = self.api.request(method, path, body, user="setup", **options)
        if not answer.ok and answer.status != 409:
            raise RuntimeError(answer.body)

    def kubeconfig(self, gateway):
        config = json.loads(self.plane.kubeconfig.read_text())
        config["current-context"] = gateway.user
        config["clusters"][0]["cluster"] = {"server": f"http://127.0.0.1:{gateway.server_port}"}
        file = self.plane.directory / f"{gateway.user}.kubeconfig"
        file.write_text(json.dumps(config))
        return file


def bare(name):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}}


def wanted(name):
    """What the applier that is refused has in its manifest."""
    if name == "web":
        return {**web("nginx:2"), "metadata": {"name": "web", "namespace": NAMESPACE}}
    manifest = web("nginx:2", replicas=2)
    manifest["metadata"] = {"name": "api", "namespace": NAMESPACE, "annotations": {"example.com/owner.team": "c"}}
    manifest["spec"]["template"]["spec"]["containers"][0]["ports"][0]["name"] = "web"
    return manifest


def main():
    plane = ControlPlane(temporary_directory())
    try:
        plane.start()
        recording = Recording(plane)
        recording.prepare()
        recording.with_kubectl()
        recording.with_the_api()
        recording.with_helm()
        recording.with_argocd(Gateway(plane, "argocd"))
        recording.with_flux(Gateway(plane, "flux"))
    finally:
        plane.stop()


if __name__ == "__main__":
    main()
