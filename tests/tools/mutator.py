"""mutator.py: a mutating webhook on loopback, as image policies, meshes and auditors install them.

Each path is one of them:

    /pin      what a tag stands for, by its digest, in the containers of pods and of workloads
    /inject   a sidecar, with a tag, and an annotation of the pods that says so
    /stamp    an annotation that is another one after each request
"""

import base64
import copy
import functools
import hashlib
import http.server
import itertools
import json
import pathlib
import ssl
import threading

SIDECAR = {"name": "proxy", "image": "example.com/proxy:1", "args": ["sidecar"]}
INJECTED, STAMP = "mesh.example.com/injected", "audit.example.com/request"


def digest(image):
    """What the tag stands for."""
    return f"{image.rpartition(':')[0]}@sha256:{hashlib.sha256(image.encode()).hexdigest()}"


def pinned(thing, _):
    for container in _pod(thing)["spec"].get("containers", []):
        if "@" not in container["image"]:
            container["image"] = digest(container["image"])


def injected(thing, _):
    pod = _pod(thing)
    if SIDECAR["name"] not in {each["name"] for each in pod["spec"].get("containers", [])}:
        pod["spec"].setdefault("containers", []).append(dict(SIDECAR))
    _annotate(pod, INJECTED, "true")


def stamped(thing, number):
    _annotate(thing, STAMP, str(number))


WAYS = {"pin": pinned, "inject": injected, "stamp": stamped}


def _pod(thing):
    return thing if thing["kind"] == "Pod" else thing["spec"]["template"]


def _annotate(thing, key, value):
    metadata = thing.setdefault("metadata", {})
    metadata["annotations"] = {**(metadata.get("annotations") or {}), key: value}


def configuration(port, certificate, selector):
    """All three are asked in the namespaces of these labels, /pin once more after a later one changed the object."""
    rules = {
        "pin": [("apps", "deployments"), ("", "pods")], "inject": [("apps", "deployments"), ("", "pods")],
        "stamp": [("", "configmaps"), ("apps", "deployments")]}
    bundle = base64.b64encode(pathlib.Path(certificate.certificate).read_bytes()).decode()
    return {
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "mutator"}, "webhooks": [{
            "name": f"{way}.example.com", "admissionReviewVersions": ["v1"], "sideEffects": "None",
            "clientConfig": {"url": f"https://127.0.0.1:{port}/{way}", "caBundle": bundle}, "failurePolicy": "Fail",
            "namespaceSelector": {"matchLabels": selector}, "reinvocationPolicy": "IfNeeded" if way == "pin" else "Never",
            "rules": [{"apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": [resource]}
                      for group, resource in rules[way]]} for way in WAYS]}


class Mutator:
    """Serves until it is closed."""

    def __init__(self, certificate):
        self.numbers = itertools.count(1)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate.certificate, certificate.key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Answering, self))
        self.server.daemon_threads = True
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, way, review):
        """The review's answer; its patch replaces what it changes in by the whole members at the top of the object."""
        request = review["request"]
        before, after = request["object"], copy.deepcopy(request["object"])
        WAYS[way](after, next(self.numbers))
        patch = [{"op": "add", "path": f"/{key}", "value": after[key]} for key in after if after[key] != before.get(key)]
        response = {"uid": request["uid"], "allowed": True}
        if patch:
            response |= {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
        return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}


class _Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, mutator, *arguments):
        self.mutator = mutator
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(self.mutator.answer(self.path.partition("?")[0][1:], review)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
