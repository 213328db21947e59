"""Changes that the next `kubectl apply` of an unchanged manifest reverts were reported when they were written.

The oracle is kubectl itself: a manifest is applied, a user changes the object, and the same manifest is applied again. Each
field that went there and back must have been named in a finding of the write in between.
"""

import json
import os
import random

import guarded
from api import MERGE
from manifests import Generator

WRITES = int(os.environ.get("STEPS") or guarded.amount(10, 25))
SEED = int(os.environ.get("SEED", "1"))
WRITERS = ["kubectl-edit", "k9s", "my-operator", "argocd-controller", "kubectl-patch"]
KEYS = [("containerPort", "protocol"), ("port", "protocol"), ("mountPath",), ("ip",), ("name",), ("topologyKey", "whenUnsatisfiable")]
TOLD = {"ownership-conflict", "last-applied-drift"}
ABSENT = object()


def leaves(value, printed=""):
    """{path: value} of an object; items of lists that have keys are named by them, other lists are one value."""
    if isinstance(value, dict) and value:
        return {path: leaf for key, below in value.items() for path, leaf in leaves(below, f"{printed}.{key}").items()}
    key = isinstance(value, list) and next(
        (key for key in KEYS if value and all(isinstance(item, dict) and set(key) <= set(item) for item in value)), None)
    if not key:
        return {printed: json.dumps(value, sort_keys=True)}
    return {
        path: leaf for item in value
        for path, leaf in leaves(
            item, f"{printed}[{','.join(f'{name}={json.dumps(item[name], ensure_ascii=False)}' for name in key)}]").items()}


def judged_part(body):
    kept = {key: body[key] for key in ("spec", "data", "binaryData") if key in body}
    kept["metadata"] = {key: body["metadata"].get(key, {}) for key in ("labels", "annotations")}
    return {path: value for path, value in leaves(kept).items()
            if "last-applied-configuration" not in path and "deployment.kubernetes.io" not in path}


def reverted(before, written, after):
    """Empty containers come and go with what is in them."""
    return {path for path in before.keys() | written.keys()
            if "{}" not in (before.get(path), written.get(path))
            and before.get(path, ABSENT) != written.get(path, ABSENT)
            and after.get(path, ABSENT) == before.get(path, ABSENT)}


def covers(field, path):
    return path == field or path.startswith((field + ".", field + "["))


class Reverts(guarded.Guarded):

    def act(self, make, collection):
        generator = Generator(random.Random(f"{SEED} {make}"))
        namespace = self.namespace("baseline")
        count, failures, scolded = 0, [], []
        for number in range(WRITES):
            name = f"object-{number}"
            manifest = getattr(generator, make)(name)
            path = f"{collection.format(namespace)}/{name}"
            if not self.apply(namespace, manifest):
                continue
            exchange = None
            # The second write takes from the first, so that not all changes are taken from the applier itself.
            for writer in generator.random.sample(WRITERS, 2):
                before = judged_part(self.api.request("GET", path).body)
                exchange = self.write(path, getattr(generator, make)(name), writer)
                if not exchange:
                    continue
                written = judged_part(self.api.request("GET", path).body)
            if not exchange:
                continue
            # The writers may leave an object for which kubectl's patch is not valid.
            if not self.apply(namespace, manifest):
                continue
            gone = reverted(before, written, judged_part(self.api.request("GET", path).body))
            count += len(gone)
            told = [finding for finding in exchange.findings if finding["rule"] in TOLD]
            missing = {path for path in gone
                       if not any(covers(field, path) for finding in told for field in finding.get("fields", []))}
            if missing:
                failures.append(f"{sorted(missing)} in {guarded.save(exchange, 'revert')}")
            for finding in told:
                if finding["action"] != "audit" and "kubectl-client-side-apply" in json.dumps(finding.get("losers", [])):
                    scolded += [f"{field} in {exchange.request['uid'][:8]}" for field in finding["fields"]
                                if not any(covers(field, path) for path in gone)]
        print(f"{make}: {count} fields were reverted; scolded, but not reverted: {len(scolded)}")
        self.assertEqual([], failures)
        self.assertGreater(count, 0)

    def apply(self, namespace, manifest):
        return self.run_kubectl(
            "apply", "--filename=-", namespace=namespace, manifest=manifest, user="setup").returncode == 0

    def write(self, path, manifest, writer):
        """A write by another user; its exchange, or None if the API server refuses it or it changes nothing."""
        before = self.recorder.count()
        patch = {key: manifest[key] for key in ("spec", "data") if key in manifest}
        patch["metadata"] = {key: manifest["metadata"].get(key, {}) for key in ("labels", "annotations")}
        answer = self.api.request("PATCH", path, patch, content_type=MERGE, fieldManager=writer)
        own, _ = self.exchanges(before, "admin", path.split("/namespaces/")[1].split("/")[0])
        return own[-1] if answer.ok and own else None

    def test_deployments(self):
        self.act("deployment", "/apis/apps/v1/namespaces/{}/deployments")

    def test_config_maps(self):
        self.act("config_map", "/api/v1/namespaces/{}/configmaps")


if __name__ == "__main__":
    guarded.main()
