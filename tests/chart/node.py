"""node.py: a node for the pods of Jobs. It runs the program that is tested in the place of their containers, reports how they
ended, and shows their logs through the API server."""

import http.server
import json
import ssl
import subprocess
import threading

from harness import Certificate, Program, temporary_directory
from kubelet import Kubelet

NAME = "node"
LOOK_SECONDS = 0.2


class Node:
    """For the Jobs of one namespace, from its beginning to its end as a context. `cluster` is as in kubelet.py, with `plane`."""

    def __init__(self, cluster, namespace):
        self.cluster, self.namespace = cluster, namespace
        self.logs, self.failure, self.ended = {}, None, threading.Event()

    def __enter__(self):
        self.server = self._log_server()
        self._register(self.server.server_address[1])
        self.threads = [threading.Thread(target=task) for task in (self.server.serve_forever, self._run_pods)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        for thread in self.threads:
            thread.join()
        self.server.server_close()
        self._call("DELETE", f"/api/v1/nodes/{NAME}")
        if self.failure:
            raise self.failure

    def _call(self, method, path, body=None):
        return self.cluster.plane.call(method, path, body)

    def _register(self, port):
        self._call("POST", "/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NAME}, "status": {
            "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}], "daemonEndpoints": {"kubeletEndpoint": {"Port": port}}}})

    def _log_server(self):
        logs = self.logs

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(logs.get(self.path.split("?")[0], b""))

            def log_message(self, *_):
                pass

        certificate = Certificate()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate.certificate, certificate.key)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        return server

    def _run_pods(self):
        try:
            while not self.ended.wait(LOOK_SECONDS):
                pods = self.cluster.get("pods", "--namespace", self.namespace, "--selector=job-name")["items"]
                for pod in pods:
                    if not pod["spec"].get("nodeName"):
                        self._run(pod)
        except BaseException as error:
            self.failure = error

    def _run(self, pod):
        name, [container] = pod["metadata"]["name"], pod["spec"]["containers"]
        path = f"/api/v1/namespaces/{self.namespace}/pods/{name}"
        self._call("POST", f"{path}/binding", {
            "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name}, "target": {"kind": "Node", "name": NAME}})
        arguments = Kubelet(self.cluster, self.namespace, temporary_directory()).arguments(
            pod["spec"], pod["metadata"].get("annotations"))
        done = subprocess.run([Program.path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        self.logs[f"/containerLogs/{self.namespace}/{name}/{container['name']}"] = done.stdout
        self._tell(name, container, done.returncode)

    def _tell(self, name, container, status):
        self.cluster.must("patch", "pod", name, "--namespace", self.namespace, "--subresource=status", "--type=merge", "--patch", json.dumps({
            "status": {"phase": "Failed" if status else "Succeeded", "containerStatuses": [{
                "name": container["name"], "image": container["image"], "imageID": "", "ready": False, "restartCount": 0,
                "state": {"terminated": {"exitCode": status}}}]}}))
