"""flux.py: one of Flux's controllers, the real one; what its source controller does is done here."""

import itertools

import bench
import programs
from control_plane import free_ports
from repository import Repository

SOURCES = "/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system"


class FluxBench(bench.Bench):
    """The life of a controller.

    controller: its name; user: whose token it has; resources: the path of what it reconciles.
    """

    controller = None
    user = None
    resources = None
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.define(*map(_custom_resources, ("source-controller", cls.controller)))
        cls.kubectl("create", "namespace", "flux-system", user="setup")
        cls.repository = Repository(bench.temporary_directory())
        cls.addClassCleanup(cls.repository.close)
        metrics, health = free_ports(2)
        cls.start(
            programs.program(cls.controller), f"--metrics-addr=127.0.0.1:{metrics}",
            f"--health-addr=127.0.0.1:{health}", "--watch-all-namespaces", "--log-level=debug",
            user=cls.user, environment={"RUNTIME_NAMESPACE": "flux-system"})
        cls.numbers = itertools.count(1)

    def source(self, kind, name, spec, artifact):
        """A source of this name has this artifact from now on."""
        path = f"{SOURCES}/{'ocirepositories' if kind == 'OCIRepository' else 'gitrepositories'}"
        self.send("POST", path, {
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind, "metadata": {"name": name},
            "spec": {"interval": "1h", **spec}}, (201, 409))
        self.send("PATCH", f"{path}/{name}/status", {"status": {
            "artifact": artifact, "observedGeneration": 1, "conditions": [{
                "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})

    def reconcile(self, name, ready="True", **wanted):
        """As `flux reconcile` asks, and waits until the status says so. `wanted`: what else it must say."""
        wanted = {**wanted, "lastHandledReconcileAt": f"request-{next(self.numbers)}"}
        self.send("PATCH", f"{self.resources}/{name}", {"metadata": {"annotations": {
            "reconcile.fluxcd.io/requestedAt": wanted["lastHandledReconcileAt"]}}}, fieldManager="flux")

        def is_done():
            status = self.api.request("GET", f"{self.resources}/{name}").body.get("status", {})
            conditions = {each["type"]: each for each in status.get("conditions", [])}
            if not wanted.items() <= status.items() or "Ready" not in conditions or "Reconciling" in conditions:
                return False
            found = conditions["Ready"]
            if found["status"] != "Unknown":
                self.assertEqual(ready, found["status"], found["message"])
            return found["status"] != "Unknown"
        self.wait_for(is_done, f"the reconciliation of {name}")

    def send(self, method, path, body=None, expected=(200,), **query):
        patch = {"content_type": bench.MERGE} if method == "PATCH" else {}
        answer = self.api.request(method, path, body, user="setup", **patch, **query)
        self.assertIn(answer.status, expected, answer.body)


def _custom_resources(controller):
    return programs.sources(controller, f"github.com/fluxcd/{controller}") / "config" / "crd" / "bases"
