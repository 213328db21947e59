"""filled.py: fills a cluster with objects as tools and people leave them; some have a fault, and all faults are known.

    Filling(plane, objects=20_000, seed=1).fill()

1 % of the objects have each fault of `faults.py`; the others live as in `lives.py`. The seed draws them. `scanned` compares
what a scan found with what was planted.
"""

import collections
import concurrent.futures
import itertools
import json
import random
import threading
import time

from api import MERGE, Api
from faults import FAULTS
from lives import HEALTHY, applied_server_side
from place import Expected, Place

THREADS = 6
NAME_BYTES = 38
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Filling:
    """`expected`: what a scan must find, once it is filled."""

    def __init__(self, plane, objects, seed):
        self.api = Api(plane)
        self.objects, self.seed = objects, seed
        self.random = random.Random(seed)
        self.expected = Expected()
        self.namespaces = [f"team-{number}" for number in range(max(3, objects // 250))]
        self.numbers = itertools.count()

    def fill(self):
        with concurrent.futures.ThreadPoolExecutor(THREADS) as self.pool:
            self._all(self._send, (("POST", "/api/v1/namespaces", {"metadata": {"name": name}}) for name in self.namespaces))
            for definition in (widgets(), scaled_objects()):
                self._send("POST", DEFINITIONS, definition)
            for path in ("example.com/v1/widgets", "example.com/v1beta1/widgets", "keda.sh/v1alpha1/scaledobjects"):
                self._wait_for(f"/apis/{path}", 200)
            self._live(self._planted())
            self._live(self.random.choices(HEALTHY, k=max(0, self.objects - self.expected.objects) * 2 // 3))
            self._live([applied_server_side] * max(0, self.objects - self.expected.objects))
            self._all(self._close, [(threading.Barrier(THREADS),)] * THREADS)
        self._send("PATCH", f"{DEFINITIONS}/widgets.example.com", {"spec": {"versions": widgets(old_is_served=False)["spec"]["versions"]}},
                   content_type=MERGE)
        self._wait_for("/apis/example.com/v1beta1/widgets", 404)
        return self.expected

    def _planted(self):
        """Each fault, in its variants."""
        lives = [variant for variants in FAULTS.values()
                 for _, variant in zip(range(max(len(variants), self.objects // 100)), itertools.cycle(variants))]
        self.random.shuffle(lives)
        return lives

    def _live(self, lives):
        self._all(self._live_once, ((life, f"{self.seed}-{next(self.numbers)}") for life in lives))

    def _live_once(self, life, seed):
        """Where, under which name and how it lives: nothing but the seed decides, and not which thread is first."""
        draw = random.Random(seed)
        namespace, other = draw.sample(self.namespaces, 2)
        name = f"o{draw.randrange(36**6):08x}-{life.__name__.replace('_', '-')[:NAME_BYTES]}".rstrip("-")
        place = Place(self.api, self.expected, namespace, name, draw, other)
        life(place)

    def _close(self, barrier):
        """The connection of this thread; each has one."""
        barrier.wait()
        self.api.close()

    def _all(self, act, arguments):
        for done in concurrent.futures.as_completed([self.pool.submit(act, *each) for each in arguments]):
            done.result()

    def _send(self, method, path, body, **options):
        answer = self.api.request(method, path, body, user="setup", **options)
        assert answer.ok, answer.body

    def _wait_for(self, path, status):
        deadline = time.monotonic() + 60
        while self.api.request("GET", path, user="setup", limit=1).status != status:
            assert time.monotonic() < deadline, f"{path} does not become {status}"
            time.sleep(0.1)


def definition(group, kind, plural, versions):
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"}, "spec": {
        "group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural, "singular": kind.lower()}, "versions": versions}}


def widgets(old_is_served=True):
    schema = {"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"size": {"type": "integer"}, "floors": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}},
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}}
    return definition("example.com", "Widget", "widgets", [
        {"name": "v1", "served": True, "storage": True, "schema": schema, "subresources": {"status": {}}},
        {"name": "v1beta1", "served": old_is_served, "storage": False, "schema": schema, "subresources": {"status": {}}}])


def scaled_objects():
    return definition("keda.sh", "ScaledObject", "scaledobjects", [{"name": "v1alpha1", "served": True, "storage": True, "schema": {
        "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}])


# Comparing


def found(lines, expected):
    """The findings as `expected` counts them: without the fields, where it names none."""
    without_fields = {key[:4] for key in expected.findings if not key[4]}
    counted = collections.Counter()
    for line in lines:
        for finding in line["findings"]:
            key = (line["kind"], line.get("namespace", ""), line["name"], finding["rule"])
            counted[(*key, () if key in without_fields else tuple(finding.get("fields", ())))] += 1
    return counted


def tasks(report):
    """The objects of the part about server-side apply, in the report with --all: {"migrate", "stuck": {(kind, namespace, name)}}."""
    part = report.partition("\nServer-side apply\n")[2].partition("\n\n")[0]
    named = collections.defaultdict(set)
    for line in part.splitlines()[1:]:
        state, kind, name = line.split()[:3]
        namespace, _, name = name.rstrip(":").partition("/")
        named[state].add((kind, namespace, name))
    return named


def overlaps(summary):
    return {(each["namespace"], each["kind"], frozenset({each["name"], each["otherName"]}) if each["mutual"]
             else (each["name"], each["otherName"]), each["mutual"]) for each in summary["overlappingSelectors"]}


def differences(expected, lines, summary, report):
    """The words for each thing that was planted and is missing, or that is invented."""
    pairs = [(expected.findings, found(lines, expected)), (collections.Counter(expected.overlaps), collections.Counter(overlaps(summary))),
             (expected.old_versions, collections.Counter(summary["oldVersions"]))]
    pairs += [(collections.Counter(expected.readiness[state]), collections.Counter(tasks(report)[state])) for state in ("migrate", "stuck")]
    pairs.append((collections.Counter(unowned=len(expected.unowned), ready=len(expected.readiness["ready"])),
                  collections.Counter(unowned=summary["unowned"], ready=summary["readiness"]["ready"])))
    return [f"{word}: {key} × {number}" for wanted, seen in pairs for word, left in (("missed", wanted - seen), ("invented", seen - wanted))
            for key, number in sorted(left.items(), key=str)]


def table(expected, lines):
    """Rule, planted, found."""
    planted = expected.rules()
    seen = collections.Counter(finding["rule"] for line in lines for finding in line["findings"])
    return [f"{rule:30} {planted[rule]:6} {seen[rule]:6}" for rule in sorted(planted | seen)]


def owners(lists):
    """The oracle of the matrix: the objects of each manager and operation, by kind, from the lists of all kinds."""
    matrix = collections.defaultdict(collections.Counter)
    for kind, items in lists.items():
        for item in items:
            entries = {(each["manager"], each["operation"]) for each in item["metadata"].get("managedFields", [])}
            for entry in entries:
                matrix[entry][kind] += 1
    return {entry: dict(kinds) for entry, kinds in matrix.items()}


def owners_found(summary):
    return {(each["manager"], each["operation"]): each["kinds"] for each in summary["managers"]}


def lines_of(output):
    *lines, last = [json.loads(line) for line in output.splitlines()]
    return lines, last["summary"]
