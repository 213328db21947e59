"""offences.py: what people do in haste, or in bad faith, to the Deployment that a tool keeps: (BENCH, NAMESPACE) -> None.

Each is one act of alice, a developer. It may be refused: then it has done nothing.
"""

import json

import people
from api import JSON_PATCH, MERGE
from application import application

WAIVE = "applyguard.io/waive"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
CURL = "curl/8.5.0"


def edit(bench, namespace):
    people.edit(bench, namespace)


def set_image_as_foo(bench, namespace):
    bench.kubectl("set", "image", "deployment/web", "web=example.com/web:hotfix", "--field-manager=foo", namespace=namespace,
                  user="alice")


def apply_client_side(bench, namespace):
    _apply(bench, namespace)


def apply_as_another_team(bench, namespace):
    _apply(bench, namespace, "--server-side", "--force-conflicts", "--field-manager=team-b")


def _apply(bench, namespace, *flags):
    bench.kubectl("apply", "--filename=-", *flags, namespace=namespace, user="alice", input=hotfix())


def hotfix():
    """The manifest of the Deployment with another image."""
    web = next(each for each in application(2, replicas=None) if each["kind"] == "Deployment")
    web["spec"]["template"]["spec"]["containers"][0]["image"] = "example.com/web:hotfix"
    return json.dumps(web)


def remove_without_a_name(bench, namespace):
    _remove(bench, namespace)


def remove_as_last_applied(bench, namespace):
    _remove(bench, namespace, fieldManager="kubectl-last-applied")


def _remove(bench, namespace, **name):
    path = "/spec/template/spec/containers/0/resources/requests/memory"
    _patch(bench, namespace, [{"op": "remove", "path": path}], JSON_PATCH, **name)


def erase_owners(bench, namespace):
    _own(bench, namespace, [{}])


def forge_a_rival(bench, namespace):
    """Another team's entry has all that the tool's has: from then on each change of the tool would be a conflict."""
    live = bench.get("deployment/web", namespace)
    _own(bench, namespace, [*_entries(live), {**_tools_entry(live), "manager": "team-b", "operation": "Apply"}])


def take_the_whole_entry(bench, namespace):
    """The tool's fields belong to the writer itself; the next request could change it, and no owner would lose anything."""
    live = bench.get("deployment/web", namespace)
    owner = _tools_entry(live)
    others = [each for each in _entries(live) if each != owner]
    _own(bench, namespace, [*others, {**owner, "manager": "curl", "operation": "Update"}])


def bury_the_owner(bench, namespace):
    """The tool's fields are ancient history, as if the API server had merged its entry with others."""
    live = bench.get("deployment/web", namespace)
    owner = _tools_entry(live)
    others = [each for each in _entries(live) if each != owner]
    _own(bench, namespace, [*others, {**owner, "manager": "ancient-changes", "operation": "Update"}])


def forge_a_waiver(bench, namespace):
    """Flux's annotation that lets others change the object, owned by the tool's entry as if the repository had it."""
    key = "kustomize.toolkit.fluxcd.io/ssa"
    _patch(bench, namespace, {"metadata": {"annotations": {key: "IfNotPresent"}}}, MERGE)
    live = bench.get("deployment/web", namespace)
    owner = _tools_entry(live)
    others = [each for each in _entries(live) if each != owner and each["manager"] != "curl"]
    metadata = owner["fieldsV1"].setdefault("f:metadata", {})
    metadata.setdefault("f:annotations", {})[f"f:{key}"] = {}
    _own(bench, namespace, [*others, owner])


def waive(bench, namespace):
    bench.kubectl("annotate", "deployment/web", f"{WAIVE}=ownership-conflict", namespace=namespace, user="alice")


def drop_last_applied(bench, namespace):
    bench.kubectl("annotate", "deployment/web", f"{LAST_APPLIED}-", namespace=namespace, user="alice")


def empty_last_applied(bench, namespace):
    """The next apply would remove nothing any more."""
    live = bench.get("deployment/web", namespace)
    declared = {**json.loads(live["metadata"]["annotations"][LAST_APPLIED]), "spec": {}}
    _patch(bench, namespace, {"metadata": {"annotations": {LAST_APPLIED: json.dumps(declared)}}}, MERGE,
           fieldManager="kubectl-patch")


def apply_replicas(bench, namespace):
    """Beside an autoscaler, which has set others."""
    web = next(each for each in application(2, replicas=2) if each["kind"] == "Deployment")
    bench.kubectl("apply", "--filename=-", namespace=namespace, user="alice", input=json.dumps(web))


# {what: the act}; offences for every tool, and offences for the tools of the name.
EVERYWHERE = {
    "kubectl edit": edit,
    "kubectl set image as foo": set_image_as_foo,
    "kubectl apply": apply_client_side,
    "a forced apply of another team": apply_as_another_team,
    "a nameless removal": remove_without_a_name,
    "a removal as kubectl-last-applied": remove_as_last_applied,
    "managedFields are erased": erase_owners,
    "a forged rival": forge_a_rival,
    "the tool's entry is taken": take_the_whole_entry,
    "the tool's entry is buried": bury_the_owner,
    "a waiver": waive,
    "a forged waiver": forge_a_waiver,
}
CLIENT_SIDE = {"last-applied is removed": drop_last_applied, "last-applied is emptied": empty_last_applied}


def _patch(bench, namespace, body, content_type, **name):
    bench.api.request("PATCH", f"/apis/apps/v1/namespaces/{namespace}/deployments/web", body, user="alice",
                      content_type=content_type, agent=CURL, **name)


def _own(bench, namespace, entries):
    _patch(bench, namespace, {"metadata": {"managedFields": entries}}, MERGE)


def _entries(live):
    return live["metadata"]["managedFields"]


def _tools_entry(live):
    """The entry that owns most."""
    return max((each for each in _entries(live) if not each.get("subresource")), key=lambda each: len(json.dumps(each["fieldsV1"])))
