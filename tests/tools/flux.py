"""flux.py: Flux's controllers, the real ones; what its source controller does is done here."""

import itertools
import pathlib

import bench
import programs
from application import write, write_chart
from control_plane import free_ports
from repository import Repository

SOURCES = "/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system"


class Sources:
    """Where the controllers of these names will find what they apply; their custom resources are defined."""

    def __init__(self, test, *controllers):
        self.test = test
        test.define(*map(_custom_resources, ("source-controller", *controllers)))
        test.kubectl("create", "namespace", "flux-system", user="setup")
        self.repository = Repository(bench.temporary_directory())
        test.addClassCleanup(self.repository.close)

    def put(self, kind, name, spec, artifact):
        """A source of this name has this artifact from now on."""
        path = f"{SOURCES}/{'ocirepositories' if kind == 'OCIRepository' else 'gitrepositories'}"
        self.send("POST", path, {
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind, "metadata": {"name": name},
            "spec": {"interval": "1h", **spec}}, (201, 409))
        self.send("PATCH", f"{path}/{name}/status", {"status": {
            "artifact": artifact, "observedGeneration": 1, "conditions": [{
                "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
                "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})

    def send(self, method, path, body=None, expected=(200,), **query):
        patch = {"content_type": bench.MERGE} if method == "PATCH" else {}
        answer = self.test.api.request(method, path, body, user="setup", **patch, **query)
        if answer.status not in expected:
            raise AssertionError(answer.body)
        return answer


class Controller:
    """One of them, which runs until the class of tests is done.

    name: its program's; user: whose token it has; resources: the path that it reconciles.
    """

    name = None
    user = None
    resources = None

    def __init__(self, sources):
        self.test, self.sources, self.send = sources.test, sources, sources.send
        metrics, health = free_ports(2)
        self.test.start(
            programs.program(self.name), f"--metrics-addr=127.0.0.1:{metrics}", f"--health-addr=127.0.0.1:{health}",
            "--watch-all-namespaces", "--log-level=debug", user=self.user,
            environment={"RUNTIME_NAMESPACE": "flux-system"})
        self.numbers = itertools.count(1)

    def reconcile(self, name, ready="True", **wanted):
        """As `flux reconcile` asks, and waits until the status says so. `wanted`: what else it must say."""
        wanted = {**wanted, "lastHandledReconcileAt": f"request-{next(self.numbers)}"}
        self.send("PATCH", f"{self.resources}/{name}", {"metadata": {"annotations": {
            "reconcile.fluxcd.io/requestedAt": wanted["lastHandledReconcileAt"]}}}, fieldManager="flux")

        def is_done():
            status = self.test.api.request("GET", f"{self.resources}/{name}").body.get("status", {})
            conditions = {each["type"]: each for each in status.get("conditions", [])}
            if not wanted.items() <= status.items() or "Ready" not in conditions:
                return False
            found, going_on = conditions["Ready"], conditions.get("Reconciling", {}).get("reason")
            # A failed step is tried again for ever.
            if found["status"] not in ("Unknown", ready) and going_on in (None, "ProgressingWithRetry"):
                raise AssertionError(found["message"])
            return found["status"] != "Unknown" and not going_on
        self.test.wait_for(is_done, f"the reconciliation of {name}")

    def _folder(self, name):
        return self.test.plane.directory / "repositories" / name


class KustomizeController(Controller):
    name = "kustomize-controller"
    user = "flux"
    resources = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations"

    def deliver(self, name, objects):
        """A new revision of the repository."""
        artifact = self.sources.repository.publish(write(objects, self._folder(name)))
        self.sources.put("GitRepository", name, {"url": "https://example.com/shop"}, artifact)

    def follow(self, name, **spec):
        """A Kustomization that follows the repository of this name into the namespace of this name."""
        self.send("POST", self.resources, {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": name}, "spec": {
                "interval": "1h", "prune": True, "path": "./", "targetNamespace": name,
                "sourceRef": {"kind": "GitRepository", "name": name}, **spec}}, (201,))


class HelmController(Controller):
    name = "helm-controller"
    user = "helm-controller"
    resources = "/apis/helm.toolkit.fluxcd.io/v2/namespaces/flux-system/helmreleases"

    def __init__(self, sources):
        super().__init__(sources)
        self.digests = {}

    def deliver(self, name, objects):
        """A new chart, and the digest by which the controller knows it."""
        chart = write_chart(objects, self._folder(name))
        artifact = self.sources.repository.publish(chart, pathlib.PurePath("shop"))
        self.sources.put("OCIRepository", name, {"url": "oci://example.com/shop"}, {
            **artifact, "revision": f"1.0.0@{artifact['digest']}"})
        self.digests[name] = artifact["digest"]

    def follow(self, name, client_side=False):
        """A HelmRelease of this name's chart in the namespace of this name. No pod ever runs here, so it waits for none."""
        self.send("POST", self.resources, {
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": name}, "spec": {
                "interval": "1h", "releaseName": "shop", "targetNamespace": name, "storageNamespace": name,
                "chartRef": {"kind": "OCIRepository", "name": name}, "driftDetection": {"mode": "enabled"},
                "install": {"disableWait": True, **({"serverSideApply": False} if client_side else {})},
                "upgrade": {"disableWait": True, **({"serverSideApply": "disabled"} if client_side else {})},
                "rollback": {"disableWait": True}, "uninstall": {"disableWait": True}}}, (201,))

    def settle(self, name, ready="True"):
        """It has installed or upgraded to what was delivered last; or failed to, where it is not to be ready."""
        self.reconcile(name, ready, lastAttemptedRevisionDigest=self.digests[name])

    def fail_an_upgrade(self, name, objects):
        """It waits for pods, which never run, gives up and rolls back. Until all is there it is suspended, or it would compare
        the objects once more, before or meanwhile."""
        waits = {"timeout": "5s", "upgrade": {"disableWait": False, "remediation": {"remediateLastFailure": True}}}
        self.send("PATCH", f"{self.resources}/{name}", {"spec": {**waits, "suspend": True}})
        self.deliver(name, objects)
        self.send("PATCH", f"{self.resources}/{name}", {"spec": {"suspend": False}})
        self.settle(name, ready="False")
        self.send("PATCH", f"{self.resources}/{name}", {"spec": {"upgrade": {"disableWait": True}}})


def _custom_resources(controller):
    return programs.sources(controller, f"github.com/fluxcd/{controller}") / "config" / "crd" / "bases"
