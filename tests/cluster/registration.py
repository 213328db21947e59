"""registration.py: applyguard at the API server by the chart's own webhook configuration.

A release judges only namespaces with its name in a label, so that one cluster can have several; the mode is chosen by the
chart's own label. Writes of the user `setup` are never judged.
"""

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "chart"))

import helm

DOMAIN = "applyguard.test"
# The paths that the chart calls for each mode.
PATHS = {"enforce": "/validate", "warn": "/validate/warn", "audit": "/validate/audit"}
WEBHOOK = r"(?:enforce|warn|audit|cluster)\.applyguard\.io"
CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
NOT_PREPARED = {"name": "not-prepared", "expression": "request.userInfo.username != 'setup'"}


def labels(release, mode):
    """The labels of a namespace that the release judges."""
    return {f"{DOMAIN}/release": release, "applyguard.io/mode": mode}


def render(release, url, certificate, **webhook):
    """The chart's manifests for an applyguard at the URL; without a certificate it puts the caBundle there itself.

    `webhook` has further values of that name, as do `lookup` and `events`.
    """
    lookup, events = webhook.pop("lookup", False), webhook.pop("events", False)
    bundle = pathlib.Path(certificate.certificate).read_text() if certificate else ""
    values = {"fullnameOverride": release, "server": {"enabled": False}, "lookup": lookup, "events": {"enabled": events}, "webhook": {
        "url": url, "caBundle": bundle, "failurePolicy": "Fail",
        "namespaceSelector": {"matchLabels": {f"{DOMAIN}/release": release}}, "matchConditions": [NOT_PREPARED], **webhook}}
    done = helm.render(4, "--values=-", release=release, input=json.dumps(values))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def register(plane, manifests):
    """Puts what was rendered into the cluster; the configuration has the release's name."""
    subprocess.run(
        plane.kubectl_command("create", "--context=setup", "--filename=-"), env=plane.kubectl_environment(), check=True,
        input=manifests, stdout=subprocess.DEVNULL, text=True, timeout=120)
