"""As much of an API server as `applyguard serve` talks to: it keeps the objects it is given."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "server"))

import harness
from api_server import ApiServer

CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/applyguard"


class Cluster(ApiServer):
    """Serves on loopback until it is stopped; its files are in the folder."""

    def __init__(self, folder):
        harness.Program.directory = folder
        self.kept = {CONFIGURATION: {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": "applyguard", "uid": "0"},
            "webhooks": [{"name": "validate.applyguard.io", "clientConfig": {}}]}}
        super().__init__()

    def answer(self, method, path, body):
        place = path.partition("?")[0]
        if method == "GET":
            kept = self.kept.get(place)
            return (200, kept) if kept else (404, {"kind": "Status", "message": "not found"})
        if method == "POST":
            place = f"{place}/{body['metadata']['name']}"
        body["metadata"].update(uid="1", resourceVersion=str(len(self.kept)))
        self.kept[place] = body
        return 200, body
