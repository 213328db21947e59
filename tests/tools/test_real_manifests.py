#!/usr/bin/env python3
"""The findings of `applyguard check` in a manifest equal the webhook's when it is applied: the manifests of many projects.

The manifests are all that kubectl reads in the modules of programs/manifests and in Kubernetes' own, and their Helm charts as
Helm renders them. Definitions of custom resources are installed first, and a definition that allows everything replaces the
ones that no module holds. Every object is applied with --dry-run=server, so that none is in another's way: admission is the
same. Those that the API server refuses, as it does test data that is meant to be wrong, are not counted.
"""

import collections
import json
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / folder) for folder in ("cluster", "chart", "server")]

import guarded
import helm
import programs
import test_manifests

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TYPE = re.compile(r"(?m)^(apiVersion|kind): *[\"']?([^\s\"'#]+)")
# The configuration of a program that looks like an object: check passes over it, as no cluster gets it.
CONFIGURATION = {"ConfigManagementPlugin"}
# Rules that look at what a manifest declares: such a finding is right if check, which sees nothing else, has it too.
OF_THE_DECLARATION = test_manifests.ABOUT_THE_MANIFEST | {
    "ambiguous-merge-key", "applyset", "duplicate-list-key", "last-applied-invalid", "last-applied-runtime-fields",
    "last-applied-secret"}


def modules():
    pins = (programs.HERE / "manifests" / "go.mod").read_text()
    return re.findall(r"(?m)^\t(\S+) v", pins)


def rendered(chart):
    """The output of Helm for a chart; nothing if the chart needs values or other charts."""
    return helm.render(4, "--include-crds", release="shop", chart=chart).stdout


def stand_in(group, version, kind):
    """A definition of a custom resource that may hold everything."""
    plural = f"{kind.lower()}s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "annotations": {
            "api-approved.kubernetes.io": "unapproved, stands in for one that is not here"}},
        "spec": {"group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural}, "versions": [{
            "name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


class RealManifests(test_manifests.RealManifests):
    one_in, least = 1, 2000

    @classmethod
    def sources(cls):
        return [*super().sources(), *(programs.sources("manifests", module) for module in modules())]

    @classmethod
    def documents(cls):
        yield from super().documents()
        for folder in cls.sources():
            for chart in sorted(folder.rglob("Chart.yaml")):
                yield from re.split(r"(?m)^---.*$", rendered(chart.parent))

    @classmethod
    def prepare(cls):
        cls.texts = [text for text in cls.documents() if re.search(r"(?m)^apiVersion: *\S", text)]
        definitions = {}
        for each in cls.read(text for text in cls.texts if re.search("(?m)^kind: *CustomResourceDefinition", text)):
            name = each.get("metadata", {}).get("name")
            if each["apiVersion"] == "apiextensions.k8s.io/v1" and name and "versions" in each.get("spec", {}):
                definitions.setdefault(name, each)
        for each in definitions.values():
            each.pop("status", None)
            for own in ("uid", "resourceVersion", "managedFields", "ownerReferences"):
                each["metadata"].pop(own, None)
            each["spec"]["conversion"] = {"strategy": "None"}
        cls.install([*definitions.values(), *cls.stand_ins(definitions.values())])

    @classmethod
    def stand_ins(cls, definitions):
        """For the kinds of groups that neither the API server nor a definition has."""
        groups = {each["name"] for each in cls.api.request("GET", "/apis").body["groups"]}
        kinds = {(each["spec"]["group"], each["spec"]["names"]["kind"]) for each in definitions}
        for text in cls.texts:
            found = dict(TYPE.findall(text))
            group, _, version = found.get("apiVersion", "").rpartition("/")
            kind = found.get("kind", "")
            if "." in group and group not in groups and (group, kind) not in kinds and re.fullmatch("[A-Z]\\w+", kind):
                kinds.add((group, kind))
                yield stand_in(group, version, kind)

    @classmethod
    def install(cls, definitions):
        made = [cls.api.request("POST", DEFINITIONS, each) for each in definitions]
        refused = [answer.body["message"] for answer in made if not answer.ok]
        print(f"{len(made) - len(refused)} definitions of custom resources; refused: {refused}")

        def are_shown():
            shown = {}
            for answer in made:
                spec = answer.body.get("spec") if answer.ok else None
                for version in (each["name"] for each in spec["versions"] if each["served"]) if spec else ():
                    path = f"/apis/{spec['group']}/{version}"
                    if path not in shown:
                        shown[path] = {each["name"] for each in cls.api.request("GET", path).body.get("resources", [])}
                    if spec["names"]["plural"] not in shown[path]:
                        return False
            return True
        guarded.wait_until(are_shown, timeout=120, what="the custom resources")

    @classmethod
    def read_objects(cls):
        objects = []
        for first in range(0, len(cls.texts), test_manifests.AT_ONCE):
            objects += cls.read(cls.texts[first:first + test_manifests.AT_ONCE])
        objects = [each for each in objects if each["kind"] not in CONFIGURATION]
        return [cls.of_a_group_of_its_own(each) for each in cls.with_own_names(objects)]

    @staticmethod
    def of_a_group_of_its_own(each):
        """A definition that is installed is not created again: its copy is of another group."""
        if each["kind"] == "CustomResourceDefinition" and "group" in each.get("spec", {}):
            each["spec"]["group"] = f"copy.{each['spec']['group']}"
            each["metadata"]["name"] = f"{each['spec']['names']['plural']}.{each['spec']['group']}"
        return each

    def check(self, *flags):
        namespace = self.namespace("strict-warn")
        exchanges = [each for each in self.apply(self.objects, namespace, "--dry-run=server", *flags)
                     if each.request["operation"] == "CREATE"]
        distinct = {(json.dumps(each.request["kind"]), each.request["name"]) for each in exchanges}
        rules = collections.Counter(finding["rule"] for each in exchanges for finding in each.findings)
        print(f"{len(self.objects)} objects, {len(exchanges)} first applies of {len(distinct)}; findings: {dict(rules)}")
        self.assertEqual(set(), set(rules) - OF_THE_DECLARATION)
        self.compare(exchanges, namespace, is_client_side="--server-side" not in flags)
        self.assertGreaterEqual(len(distinct), self.least)


if __name__ == "__main__":
    guarded.main()
