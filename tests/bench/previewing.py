"""The time of a preview, compared with reading its objects, measured with preview.c: at 8 KB, and how it grows."""
import json
import pathlib
import re

import alone
import bodies
import growth

# The entries of the live object: its containers, each worth some 3.6 KB with what says who owns it.
CONTAINERS = (2, 16, 128)
# Sixteen and 128 times as much take 16 and 128 times the memory, within a quarter.
GROWTH_MAX = 1.25


def yaml(value, indent=""):
    """Block style, as people and templates write it. An empty container, and each scalar, is JSON."""
    if isinstance(value, dict) and value:
        return "".join(f"\n{indent}{json.dumps(key)[1:-1]}:{yaml(child, indent + '  ')}" for key, child in value.items())
    if isinstance(value, list) and value:
        return "".join(f"\n{indent}- {yaml(child, indent + '  ').strip()}" for child in value)
    return f" {json.dumps(value)}"


def live(containers):
    """A Deployment that was applied client-side, whose first image flux took over."""
    found = growth.deployment_of(containers, [
        growth.applied_by("kubectl-client-side-apply", growth.owned(containers), "Update"),
        growth.applied_by("kustomize-controller", {'k:{"name":"worker-0"}': {".": {}, "f:name": {}, "f:image": {}}}),
    ])["request"]["oldObject"]
    found["metadata"].setdefault("annotations", {})[bodies.LAST_APPLIED] = json.dumps(manifest(found)) + "\n"
    return found


def manifest(found):
    """The declared part of it."""
    return {"apiVersion": found["apiVersion"], "kind": found["kind"],
            "metadata": {key: found["metadata"][key] for key in ("name", "namespace")},
            "spec": {key: found["spec"][key] for key in ("selector", "template")}}


def write(folder, count):
    """Both files: the apply changes an image, sets the replicas and drops a variable."""
    found = live(bodies.containers(count))
    applied = json.loads(json.dumps(manifest(found)))
    applied["spec"]["replicas"] = 7
    containers = applied["spec"]["template"]["spec"]["containers"]
    containers[0]["image"] += "-new"
    containers[-1]["env"].pop()
    files = folder / f"manifest-{count}.yaml", folder / f"live-{count}.json"
    files[0].write_text(yaml(applied).lstrip() + "\n")
    files[1].write_text(json.dumps(found, separators=(",", ":")))
    return files


def measure(folder, quick):
    folder = pathlib.Path(folder)
    files = [path for count in CONTAINERS for path in write(folder, count)]
    text, reached = alone.run(alone.build("preview-bench"), {path.name: path for path in files}, quick)
    memory = [float(found) for found in re.findall(r"memory ([0-9.]+) of their bytes", text)]
    growth_max = max(many / few for many, few in zip(memory[2:], memory[:2] * len(CONTAINERS)))
    verdict = "reached" if growth_max <= GROWTH_MAX else "NOT REACHED"
    told = f"memory of a byte, of larger objects to 8 KB, at worst {growth_max:.2f}, at most {GROWTH_MAX:.2f}: {verdict}\n"
    return text + told, reached and growth_max <= GROWTH_MAX
