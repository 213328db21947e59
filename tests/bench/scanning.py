#!/usr/bin/env python3
"""The memory of `applyguard scan`: 100,000 objects from a stub of the list API, through a program named kubectl.

    tests/bench/scanning.py APPLYGUARD [OBJECTS]

Each object has a finding, as little is kept of others: next conflicts of releases, leaked Secrets, members of lost ApplySets. The
exit status is 1 if a scan takes more than 96 MiB.
"""
import json
import os
import pathlib
import sys
import tempfile

MIB_MAX = 96
# Which share of the objects each kind has.
KINDS = {"ConfigMap": ("v1", "configmaps", 0.5), "Secret": ("v1", "secrets", 0.2), "Deployment": ("apps/v1", "deployments", 0.3)}
PART_OF = "applyset.kubernetes.io/part-of"
SET = "applyset-FzxrwoaIPTCEj0WYvvKYzh_1_3tCFpkt2KWr_V1lRL4-v1"


def entry(manager, operation, version, fields):
    return {"manager": manager, "operation": operation, "apiVersion": version, "time": "2026-01-10T08:00:00Z", "fieldsType": "FieldsV1",
            "fieldsV1": fields}


def config_map(metadata):
    metadata["labels"] = {PART_OF: SET}
    metadata["managedFields"] = [entry("kubectl", "Apply", "v1", {
        "f:metadata": {"f:labels": {f"f:{PART_OF}": {}}}, "f:data": {"f:mode": {}, "f:level": {}}})]
    return {"data": {"mode": "fast", "level": "9"}}


def secret(metadata):
    applied = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
               "stringData": {"password": "never-shown"}}
    metadata["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(applied)}
    metadata["managedFields"] = [entry("kubectl-client-side-apply", "Update", "v1", {
        "f:metadata": {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}}}, "f:data": {".": {}, "f:password": {}},
        "f:type": {}})]
    return {"data": {"password": "bmV2ZXItc2hvd24="}, "type": "Opaque"}


def deployment(metadata):
    name = metadata["name"]
    container = 'k:{"name":"web"}'
    metadata["managedFields"] = [
        entry("helm", "Apply", "apps/v1", {"f:spec": {
            "f:replicas": {}, "f:selector": {}, "f:strategy": {"f:type": {}}, "f:template": {
                "f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:containers": {container: {
                    ".": {}, "f:name": {}, "f:resources": {"f:requests": {"f:cpu": {}, "f:memory": {}}}}}}}}}),
        entry("kubectl-set", "Update", "apps/v1", {"f:spec": {"f:template": {"f:spec": {"f:containers": {container: {"f:image": {}}}}}}}),
        {**entry("kube-controller-manager", "Update", "apps/v1", {"f:status": {"f:observedGeneration": {}, "f:replicas": {}}}),
         "subresource": "status"}]
    return {"spec": {"replicas": 2, "selector": {"matchLabels": {"app": name}}, "strategy": {"type": "RollingUpdate"}, "template": {
        "metadata": {"labels": {"app": name}}, "spec": {"containers": [{
            "name": "web", "image": "example.com/web:2", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}]}}},
        "status": {"observedGeneration": 1, "replicas": 2}}


MAKERS = {"ConfigMap": config_map, "Secret": secret, "Deployment": deployment}


def item(kind, number):
    metadata = {"name": f"{kind.lower()}-{number:06}-of-the-platform", "namespace": f"team-{number % 200:03}",
                "uid": f"4b7a3c1e-1111-4222-8333-{number:012}", "resourceVersion": str(number), "creationTimestamp": "2026-01-10T08:00:00Z"}
    return {"metadata": metadata, **MAKERS[kind](metadata)}


def answer(path, objects):
    """That of the API server, with a token in which the next object's number is."""
    address, _, query = path.partition("?")
    options = dict(part.split("=", 1) for part in query.split("&") if part)
    discovery = {"/api/v1": "v1", "/apis/apps/v1": "apps/v1"}
    if address in discovery:
        return {"kind": "APIResourceList", "groupVersion": discovery[address], "resources": [
            {"name": plural, "singularName": kind.lower(), "kind": kind, "namespaced": True, "verbs": ["get", "list"]}
            for kind, (version, plural, _) in KINDS.items() if version == discovery[address]]}
    if address == "/apis":
        version = {"groupVersion": "apps/v1", "version": "v1"}
        return {"kind": "APIGroupList", "groups": [{"name": "apps", "versions": [version], "preferredVersion": version}]}
    kind, (version, _, share) = next(each for each in KINDS.items() if address.endswith(f"/{each[1][1]}"))
    start, count = int(options.get("continue", "0")), int(objects * share)
    end = min(start + int(options["limit"]), count)
    return {"kind": f"{kind}List", "apiVersion": version, "metadata": {"resourceVersion": "7", **({"continue": str(end)} if end < count else {})},
            "items": [item(kind, number) for number in range(start, end)]}


def scan(program, objects, *arguments):
    """The exit status, CPU seconds, and the peak of resident memory in MiB. The stub's processes are smaller."""
    with tempfile.TemporaryDirectory() as folder:
        kubectl = pathlib.Path(folder) / "kubectl"
        kubectl.write_text(f"#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).resolve()} --answer {objects} \"$@\"\n")
        kubectl.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        pid = os.posix_spawn(program, [program, "scan", *arguments], environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, f"{folder}/output", os.O_WRONLY | os.O_CREAT, 0o600)])
        _, status, usage = os.wait4(pid, 0)
        output = (pathlib.Path(folder) / "output").read_text()
        return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def main():
    if sys.argv[1:2] == ["--answer"]:
        print(json.dumps(answer(sys.argv[sys.argv.index("--raw") + 1], int(sys.argv[2])), separators=(",", ":")))
        return
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return
    objects, failed = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000, False
    for form in ("text", "json"):
        status, seconds, memory, output = scan(sys.argv[1], objects, "-o", form)
        is_whole = f"{objects} objects of 3 kinds" in output if form == "text" else output.count("\n") == objects + 1
        failed |= status != 0 or memory > MIB_MAX or not is_whole
        print(f"-o {form}: {objects} objects, each with a finding: {memory:.0f} MiB, {seconds:.1f} s of CPU with the stub's"
              f"{'' if is_whole else '; they were not all read'}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
