#!/usr/bin/env python3
"""Makes what each fuzz target starts from, out of the recorded reviews and the sample policies.

    tests/fuzz/seeds.py FOLDER

fills FOLDER/fuzz_NAME for every target.
"""
import itertools
import json
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

# Larger ones make each run slow, and show nothing that smaller ones do not.
BYTES_MAX = 16 * 1024

TEXTS = ["kubectl", "kube-controller-manager", ".spec.template.spec.containers[name=\"nginx\"].image", "a\tb\x1b[31m",
         "\u202eabc", "\u200b\ufeff", "日本語", "\U000e0041", "…", "\"\\", "\x7f\x9f"]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def requests():
    for path in sorted(TESTS.glob("reviews/*/review.json")):
        yield path.parent.name, json.loads(path.read_text())


def sides(review):
    request = review["request"]
    return [request[side] or {} for side in ("object", "oldObject") if side in request]


def entries(review):
    for side in sides(review):
        for entry in side.get("metadata", {}).get("managedFields", []):
            yield entry["fieldsV1"]


def pairs_of_fields():
    for name, review in requests():
        for number, (a, b) in enumerate(itertools.permutations(entries(review), 2)):
            if a != b and number % 5 == 0:
                yield f"{name}-{number}", compact([a, b])


def annotations():
    for name, review in requests():
        for number, side in enumerate(sides(review)):
            text = side.get("metadata", {}).get("annotations", {}).get(LAST_APPLIED)
            if text:
                yield f"{name}-{number}", text.encode()


def policies():
    for path in sorted(TESTS.glob("policies/*/*.yaml")):
        yield f"{path.parent.name}-{path.stem}", path.read_bytes()


SEEDS = {
    "fuzz_review": lambda: ((name, compact(review)) for name, review in requests()),
    "fuzz_fields": pairs_of_fields,
    "fuzz_last_applied": annotations,
    "fuzz_policy": policies,
    "fuzz_text": lambda: ((str(number), text.encode()) for number, text in enumerate(TEXTS)),
}


def main():
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, seed in seeds():
            if len(seed) <= BYTES_MAX:
                (folder / name).write_bytes(seed)


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
    elif len(sys.argv) != 2:
        sys.exit(__doc__)
    else:
        main()
