"""The reviews that the benchmark sends, made from recorded ones.

    python3 tests/bench/bodies.py FOLDER

writes them to the folder, for other tools to send or to judge.
"""
import copy
import json
import pathlib
import sys

REVIEWS = pathlib.Path(__file__).resolve().parent.parent / "reviews"


def recorded(story):
    return json.loads((REVIEWS / story / "review.json").read_text())


def encode(review):
    return json.dumps(review, separators=(",", ":"), ensure_ascii=False).encode()


LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def edit_last_applied(request_object, edit):
    """Lets `edit` change what the annotation declares."""
    annotations = request_object["metadata"]["annotations"]
    applied = json.loads(annotations[LAST_APPLIED])
    edit(applied)
    annotations[LAST_APPLIED] = json.dumps(applied, separators=(",", ":"), sort_keys=True) + "\n"


def deployment():
    """8 KB: kubectl apply with a new image, of a manifest that declares its strategy: nothing is found."""
    review = recorded("csa-image")
    for side in ("object", "oldObject"):
        edit_last_applied(
            review["request"][side], lambda applied: applied["spec"].update(strategy={"type": "RollingUpdate"}))
    return encode(review)


def warned_deployment():
    """The same, but the manifest no longer declares its strategy: a warning, audit annotations and a log line."""
    review = recorded("csa-image")
    edit_last_applied(
        review["request"]["oldObject"], lambda applied: applied["spec"].update(strategy={"type": "RollingUpdate"}))
    return encode(review)


def containers(count):
    return [
        {
            "name": f"worker-{index}",
            "image": f"registry.example.com/team/worker-{index}:1.4.{index}",
            "env": [{"name": f"SETTING_{n}", "value": f"value-{n}"} for n in range(22)],
            "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
        }
        for index in range(count)
    ]


def owned_container(container):
    owned = {".": {}, "f:name": {}, "f:image": {}, "f:resources": {
        "f:requests": {"f:cpu": {}, "f:memory": {}}, "f:limits": {"f:memory": {}}}}
    owned["f:env"] = {
        'k:{"name":"%s"}' % variable["name"]: {".": {}, "f:name": {}, "f:value": {}} for variable in container["env"]}
    return owned


def shared_deployment():
    """60 KB: ten appliers, each with a container of its own; one changes its image, nothing is lost."""
    review = recorded("ssa-force-heals-edit")
    request = review["request"]
    for side in ("object", "oldObject"):
        spec = request[side]["spec"]["template"]["spec"]
        made = containers(10)
        spec["containers"] = copy.deepcopy(made)
        request[side]["metadata"]["managedFields"] = [
            {
                "manager": f"team-{index}", "operation": "Apply", "apiVersion": "apps/v1",
                "time": "2026-11-21T05:02:54Z", "fieldsType": "FieldsV1",
                "fieldsV1": {"f:spec": {"f:template": {"f:spec": {"f:containers": {
                    'k:{"name":"%s"}' % container["name"]: owned_container(container)}}}}},
            }
            for index, container in enumerate(made)
        ]
        whole = request[side]["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]
        whole.update({"f:selector": {}, "f:strategy": {"f:type": {}}})
        whole["f:template"]["f:metadata"] = {"f:labels": {"f:app": {}}}
    changed = request["object"]
    changed["spec"]["template"]["spec"]["containers"][3]["image"] += "-new"
    changed["metadata"]["managedFields"][3]["time"] = "2026-11-21T05:03:54Z"
    request["options"]["fieldManager"] = "team-3"
    return encode(review)


def config_map():
    """900 KB: an update of a ConfigMap whose last-applied annotation is just under the limit."""
    review = recorded("configmap-last-applied-222k")
    request = review["request"]
    request["operation"] = "UPDATE"
    request["oldObject"] = copy.deepcopy(request["object"])
    request["options"]["kind"] = "UpdateOptions"
    changed = request["object"]
    data = changed["data"]
    name = next(iter(data))
    data[name] = "y" + data[name][1:]
    edit_last_applied(changed, lambda applied: applied.update(data=data))
    changed["metadata"]["managedFields"][0]["time"] = "2026-11-21T05:17:02Z"
    return encode(review)


BODIES = {
    "deployment": deployment, "warned-deployment": warned_deployment,
    "shared-deployment": shared_deployment, "config-map": config_map,
}


def write_all(folder):
    """The files by name."""
    files = {name: folder / name for name in BODIES}
    for name, make in BODIES.items():
        files[name].write_bytes(make())
    return files


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write_all(target)
