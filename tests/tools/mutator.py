"""mutator.py: what mutating webhooks change in flight: image policies, meshes and auditors. Each path is one of them:

    /pin      the digest in place of a tag, in the containers of pods and of workloads
    /inject   a sidecar, with a tag, and an annotation of the pods that says so
    /stamp    an annotation that changes with each request
"""

import base64
import copy
import hashlib
import itertools
import json
import pathlib

SIDECAR = {"name": "proxy", "image": "example.com/proxy:1", "args": ["sidecar"]}
INJECTED, STAMP = "mesh.example.com/injected", "audit.example.com/request"
REQUESTS = itertools.count(1)


def digest(image):
    """The digest of the tag."""
    return f"{image.rpartition(':')[0]}@sha256:{hashlib.sha256(image.encode()).hexdigest()}"


def pinned(thing):
    for container in _pod(thing)["spec"].get("containers", []):
        if "@" not in container["image"]:
            container["image"] = digest(container["image"])


def injected(thing):
    pod = _pod(thing)
    if SIDECAR["name"] not in {each["name"] for each in pod["spec"].get("containers", [])}:
        pod["spec"].setdefault("containers", []).append(dict(SIDECAR))
    _annotate(pod, INJECTED, "true")


def stamped(thing):
    _annotate(thing, STAMP, str(next(REQUESTS)))


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


def mutate(path, review):
    """The review's answer; its patch replaces what it changes in by the whole members at the top of the object."""
    before = review["request"]["object"]
    after = copy.deepcopy(before)
    WAYS[path[1:]](after)
    patch = [{"op": "add", "path": f"/{key}", "value": after[key]} for key in after if after[key] != before.get(key)]
    response = {"uid": review["request"]["uid"], "allowed": True}
    if patch:
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}
