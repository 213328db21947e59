#!/usr/bin/env python3
"""A day of many tools in one cluster in which profile `strict` is enforced: installs, resyncs, upgrades, autoscalers, rollbacks,
healing, adoption, a restored backup, deletion; and what people do in haste or in bad faith meanwhile.

A tool that is denied in normal life fails the day. golden/day.md has what became of all requests.
"""

import concurrent.futures
import dataclasses
import json
import threading
import typing

import bench
import corpus
import flux
import installers
import offences
import people
from api import MERGE
from application import application

# On-call users may change fields that tools keep, and get a warning. Flux's waivers count if Flux applied them. The day runs in a
# hundredth of a day's time, so contested-field would count changes as one fight that are hours apart in a cluster.
EXCEPTIONS = """\
rules:
  contested-field: {changes: 31, slowChanges: 31}
overrides:
- match: {groups: [sre-oncall]}
  rules: {ownership-conflict: {action: warn}, last-applied-drift: {action: warn}}
  reason: break-glass
waivers: {honour: [flux]}
"""
ON_CALL = ("--as=bob", "--as-group=sre-oncall", "--as-group=devs")
AT_ONCE = 3
# kubectl and Helm stop at a conflict and ask for this flag; reconcilers take their fields back unasked.
FORCE = "--force-conflicts"
# Client-side apply would copy a Secret's data into an annotation, which is denied.
NO_SECRET = ("Secret/login",)
# kapp writes whole objects, so its configuration names the field that an autoscaler keeps.
KEEP_REPLICAS = {
    "apiVersion": "kapp.k14s.io/v1alpha1", "kind": "Config", "metadata": {"name": "kapp"}, "rebaseRules": [{
        "path": ["spec", "replicas"], "type": "copy", "sources": ["existing", "new"], "resourceMatchers": [
            {"apiVersionKindMatcher": {"apiVersion": "apps/v1", "kind": "Deployment"}}]}]}
IGNORE_REPLICAS = [{"paths": ["/spec/replicas"], "target": {"kind": "Deployment"}}]


@dataclasses.dataclass
class Tool:
    """put: (DAY, NAMESPACE, OBJECTS, first=…, forced=…); `first` installs, `forced` takes back what others own.

    options: of the application that it installs. extra: objects beside it. adopts: the tools whose objects it adopts.
    """

    put: typing.Callable
    options: dict = dataclasses.field(default_factory=dict)
    adopts: tuple = ()
    extra: tuple = ()


def _kubectl(*flags):
    def put(day, namespace, objects, first=False, forced=False):
        installers.kubectl(day, namespace, objects, *flags, *((FORCE,) if forced and "--server-side" in flags else ()))
    return put


def _helm(major):
    def put(day, namespace, objects, first=False, forced=False, adopt=False):
        flags = (*(("--take-ownership",) if adopt else ()), *((FORCE,) if forced and major == 4 else ()))
        installers.helm(day, namespace, objects, major, "install" if first else "upgrade", *flags)
    return put


def _flux(day, namespace, objects, first=False, forced=False):
    day.kustomize.deliver(namespace, objects)
    if first:
        day.kustomize.follow(namespace, ignore=IGNORE_REPLICAS)
    day.kustomize.reconcile(namespace)


def _helm_controller(day, namespace, objects, first=False, forced=False):
    day.releases.deliver(namespace, objects)
    if first:
        day.releases.follow(namespace)
    day.releases.settle(namespace)


def _argocd(way):
    def put(day, namespace, objects, first=False, forced=False):
        with day.argocd_lock:
            day.argocd.sync(namespace, namespace, objects, way)
    return put


def _kapp(day, namespace, objects, first=False, forced=False):
    installers.kapp(day, namespace, objects)


def _timoni(day, namespace, objects, first=False, forced=False):
    installers.timoni(day, namespace, objects)


def _ansible(day, namespace, objects, first=False, forced=False):
    kinds = ("ConfigMap", "Deployment", "Service")
    installers.ansible(day, namespace, [each for each in objects if each["kind"] in kinds], "server-side")


TOOLS = {
    "kubectl-client": Tool(_kubectl(), {"without": NO_SECRET}),
    "kubectl-server": Tool(_kubectl("--server-side"), adopts=("kubectl",)),
    "kubectl-applyset": Tool(_kubectl("--server-side", "--prune", "--applyset=shop")),
    "helm-3": Tool(_helm(3), adopts=("kubectl",)),
    "helm-4": Tool(_helm(4), adopts=("kubectl",)),
    "flux": Tool(_flux, {"replicas": 2}, adopts=("kubectl", "helm-3")),
    "helm-controller": Tool(_helm_controller, adopts=("helm-3",)),
    "argocd-client": Tool(_argocd("client-side"), {"without": NO_SECRET}, adopts=("helm-3",)),
    "argocd-server": Tool(_argocd("server-side"), adopts=("kubectl", "helm-3")),
    "kapp": Tool(_kapp, extra=(KEEP_REPLICAS,)),
    # Timoni's driver here cannot wait for cluster-scoped objects, which Timoni applies first.
    "timoni": Tool(_timoni, {"cluster_roles": None}, adopts=("kubectl", "helm-3")),
    "ansible": Tool(_ansible),
}


# kubectl's own apply is not an offence; and kapp adds a label to selectors, which cannot change: the API server refuses the
# apply.
UNFIT = {"kubectl apply": ("kubectl-client",), "a forced apply of another team": ("kapp",)}


class Day(bench.Bench):
    tool = "day"
    mode = "enforce"
    exceptions = EXCEPTIONS
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        sources = flux.Sources(cls, "kustomize-controller", "helm-controller")
        cls.kustomize, cls.releases = flux.KustomizeController(sources), flux.HelmController(sources)
        cls.argocd = installers.ArgoCD(cls)
        for name in TOOLS:
            cls.kubectl("create", "namespace", name, user="setup")
        cls.last, cls.argocd_lock = {}, threading.Lock()
        cls._asked()

    # Events at the same time

    def hour(self, event, acts, fight=False):
        """The work of each tool, a few at once, and its consequences. acts: {tool: a function}."""
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            done = {tool: pool.submit(self.closing, act) for tool, act in acts.items()}
        written = {tool: [] for tool in acts}
        for exchange in self.exchanges_of_the_phase():
            owner = self.owner(exchange.request)
            # Later changes of controllers to a tool's objects belong to the tool's last step.
            place = written.get(owner, self.last.get(owner))
            if place is not None:
                place.append(self.kept(exchange))
        for tool, reviews in written.items():
            self.phases.append(corpus.Phase(f"{tool}: {event}", fight, reviews))
            self.last[tool] = reviews
        return {tool: str(each.exception()) for tool, each in done.items() if each.exception()}

    def closing(self, act):
        """Each thread has a connection of its own."""
        try:
            act()
        finally:
            self.api.close()

    def normal(self, event, acts, fight=False):
        """Every act must succeed; tearDown reports the failing ones."""
        for tool, error in self.hour(event, acts, fight).items():
            self.failed.append(f"{tool}: {event}: ... {error[-1500:]}")

    def owner(self, request):
        """The namespace's owner; objects of Flux and of the cluster are named after it."""
        made = (request["object"] or {}).get("metadata", {})
        names = [name for name in (request.get("name"), request.get("namespace"), made.get("name")) if name]
        owners = [tool for tool in TOOLS for name in names if name == tool or name.startswith(f"{tool}-")]
        return max(owners, key=len, default=None)

    def setUp(self):
        super().setUp()
        self.failed = []

    def tearDown(self):
        self.assertFalse(self.failed, "\n\n".join(self.failed))

    # The work of tools

    def objects(self, tool, namespace, version, **options):
        options = {"replicas": None, "cluster_roles": namespace, "empty_rules": False, **TOOLS[tool].options, **options}
        return [*application(version, **options), *TOOLS[tool].extra]

    def put(self, tool, version, namespace=None, **how):
        namespace = namespace or tool
        TOOLS[tool].put(self, namespace, self.objects(tool, namespace, version), **how)

    def all_put(self, version, **how):
        return {tool: lambda tool=tool: self.put(tool, version, **how) for tool in TOOLS}

    # The day

    def test_01_installs(self):
        self.normal("install", self.all_put(1, first=True))
        for _ in range(2):
            self.normal("resync", self.all_put(1))
        self.normal("upgrade", self.all_put(2))
        self.normal("resync", self.all_put(2))

    def test_02_offences(self):
        for what, act in offences.EVERYWHERE.items():
            self.offend(what, act, [tool for tool in TOOLS if tool not in UNFIT.get(what, ())])
        for what, act in offences.CLIENT_SIDE.items():
            self.offend(what, act, ["kubectl-client", "argocd-client"])
        self.normal("resync after all that", self.all_put(2))

    def offend(self, what, act, tools):
        before = {tool: live for tool in tools if (live := self.get("deployment/web", tool))}
        self.hour(what, {tool: lambda tool=tool: act(self, tool) for tool in before}, fight=True)
        for tool, saved in before.items():
            self.undo(tool, saved)

    def undo(self, namespace, saved):
        """The Deployment is what it was, owners and all, where an act was let through."""
        live = self.get("deployment/web", namespace)
        changeable = ("annotations", "labels", "managedFields", "generation")
        if all(live["metadata"].get(key) == saved["metadata"].get(key) for key in changeable):
            return
        wanted = {key: saved[key] for key in ("apiVersion", "kind", "spec")} | {"metadata": {
            key: saved["metadata"][key] for key in ("name", "namespace", "annotations", "labels") if key in saved["metadata"]}}
        path = f"/apis/apps/v1/namespaces/{namespace}/deployments/web"
        self.api.request("PUT", path, wanted, user="setup")
        self.api.request("PATCH", path, {"metadata": {"managedFields": saved["metadata"]["managedFields"]}}, user="setup",
                         content_type=MERGE)

    def test_03_a_secret_in_an_annotation(self):
        secret = [each for each in application() if each["kind"] == "Secret"]
        self.hour("a Secret is applied client-side", {
            "kubectl-client": lambda: installers.kubectl(self, "kubectl-client", secret)}, fight=True)
        self.kubectl("delete", "secret/login", "--ignore-not-found", namespace="kubectl-client", user="setup")

    def test_04_break_glass(self):
        """An on-call user changes an image; the tools put back what they declare."""
        self.normal("kubectl edit by who is on call", {
            tool: lambda tool=tool: self.edit_on_call(tool) for tool in TOOLS}, fight=True)
        self.heal("heal after kubectl edit")
        # kubectl and Ansible do not reconcile: strict denies them to overwrite another apply.
        reconcilers = [tool for tool in TOOLS if not tool.startswith(("kubectl", "ansible"))]
        self.normal("kubectl apply by who is on call", {
            tool: lambda tool=tool: self.apply_on_call(tool) for tool in reconcilers}, fight=True)
        self.heal("heal after kubectl apply")

    def edit_on_call(self, namespace):
        self.kubectl("edit", "deployment/web", *ON_CALL, namespace=namespace,
                     environment={"KUBE_EDITOR": "sed -i s,example.com/web:[0-9],example.com/web:hotfix,"})

    def apply_on_call(self, namespace):
        self.kubectl("apply", "--filename=-", *ON_CALL, namespace=namespace, input=offences.hotfix())

    def heal(self, event):
        self.normal(event, self.all_put(2, forced=True))
        images = {tool: self.image(tool) for tool in TOOLS}
        if set(images.values()) != {"example.com/web:2"}:
            self.failed.append(f"{event}: {images}")

    def image(self, namespace):
        return self.get("deployment/web", namespace)["spec"]["template"]["spec"]["containers"][0]["image"]

    def test_05_what_was_written_before_enforcement(self):
        """By people, under names that say nothing of them."""
        for tool, name in zip(TOOLS, ["foo", "agent", "dashboard-api", "fabric8-kubernetes-client"] * 3):
            self.kubectl("set", "image", "deployment/web", "web=example.com/web:9", f"--field-manager={name}", namespace=tool,
                         user="setup")
        self.heal("heal what was written before")
        self.normal("resync", self.all_put(2))

    def test_06_autoscalers(self):
        self.normal("an autoscaler", {tool: lambda tool=tool: self.autoscale(tool) for tool in TOOLS})
        self.normal("resync beside an autoscaler", self.all_put(2))
        self.normal("upgrade beside an autoscaler", self.all_put(3))
        replicas = {tool: self.get("deployment/web", tool)["spec"]["replicas"] for tool in TOOLS}
        self.assertEqual({4}, set(replicas.values()), replicas)
        self.offend("kubectl apply with replicas", offences.apply_replicas, ["kubectl-client"])

    def autoscale(self, namespace):
        self.kubectl("apply", "--server-side", "--field-manager=team-scaling", "--filename=-", namespace=namespace, user="alice",
                     input=json.dumps(people.autoscaler("web", 4)))
        self.wait_for(lambda: self.get("deployment/web", namespace)["spec"]["replicas"] == 4, "the autoscaler")

    def test_07_rollbacks(self):
        acts = self.all_put(2)
        for major in (3, 4):
            acts[f"helm-{major}"] = lambda major=major: self.helm(major, "rollback", "shop", namespace=f"helm-{major}")
        acts["helm-controller"] = lambda: self.releases.fail_an_upgrade(
            "helm-controller", self.objects("helm-controller", "helm-controller", 4))
        self.normal("roll back", acts)
        self.normal("upgrade again", self.all_put(5))

    def test_08_adoption(self):
        for former in ("kubectl", "helm-3"):
            adopters = {tool: f"{tool}-adopts-from-{former}" for tool in TOOLS if former in TOOLS[tool].adopts}
            for name in adopters.values():
                self.namespace(name)
            self.normal(f"{former} installs", {
                tool: lambda tool=tool, name=name: people.FORMER[former](self, name, self.objects(tool, name, 1, without=NO_SECRET))
                for tool, name in adopters.items()})
            for event, version in (("adopt", 1), ("resync", 1), ("upgrade", 2), ("upgrade again", 3)):
                self.normal(f"{event} what {former} installed", {
                    tool: lambda tool=tool, name=name: self.adopt(tool, name, version, event == "adopt")
                    for tool, name in adopters.items()})

    def adopt(self, tool, namespace, version, first):
        takes = {"adopt": True} if first and tool in ("helm-3", "helm-4") else {}
        objects = self.objects(tool, namespace, version, without=NO_SECRET)
        TOOLS[tool].put(self, namespace, objects, first=first, forced=True, **takes)

    def test_09_a_restored_backup(self):
        restored = ("flux", "argocd-client", "argocd-server")
        self.normal("velero restores", {tool: lambda tool=tool: people.lose_and_restore(self, tool) for tool in restored})
        self.normal("resync what velero restored", {tool: lambda tool=tool: self.put(tool, 5) for tool in restored})

    def test_10_deletion(self):
        self.normal("prune", {tool: lambda tool=tool: TOOLS[tool].put(
            self, tool, self.objects(tool, tool, 5, without=("ConfigMap/leftover", "Service/db", *NO_SECRET))) for tool in TOOLS})
        self.normal("delete", {
            **{tool: lambda tool=tool: self.delete(tool) for tool in TOOLS},
            "helm-3": lambda: self.helm(3, "uninstall", "shop", namespace="helm-3"),
            "helm-4": lambda: self.helm(4, "uninstall", "shop", namespace="helm-4")})

    def delete(self, namespace):
        self.kubectl("delete", "namespace", namespace, user="alice")


if __name__ == "__main__":
    bench.main()
