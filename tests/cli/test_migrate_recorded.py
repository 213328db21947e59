#!/usr/bin/env python3
"""`applyguard migrate` of every object of the recorded reviews.

    tests/cli/test_migrate_recorded.py APPLYGUARD
"""
import json
import unittest

import test_migrate


def paths(fields, above=()):
    """Each path of a set: the elements of FieldsV1, keys of items as JSON has them."""
    for key, below in fields.items():
        if key == ".":
            yield above
            continue
        if key[:2] in ("k:", "v:"):
            key = key[:2] + json.dumps(json.loads(key[2:]), sort_keys=True)
        if not below:
            yield (*above, key)
        yield from paths(below, (*above, key))


def union(an_object):
    return {path for each in an_object["metadata"]["managedFields"] for path in paths(each["fieldsV1"])}


# Its managedFields are deeper than migrate reads.
TOO_DEEP = "forged-depth-beside-an-edit"


def recorded():
    """Every object of the recorded reviews that has managers, made a live one."""
    for path in sorted(test_migrate.TESTS.glob("reviews/*/review.json")):
        if path.parent.name == TOO_DEEP:
            continue
        request = json.loads(path.read_text())["request"]
        for side in ("object", "oldObject"):
            found = request.get(side) or {}
            if not isinstance(found, dict) or "apiVersion" not in found or "kind" not in found:
                continue
            metadata = found.get("metadata", {})
            entries = metadata.get("managedFields")
            if isinstance(entries, list) and entries and all(isinstance(each.get("fieldsV1"), dict) for each in entries) \
                    and "deletionTimestamp" not in metadata:
                metadata.setdefault("resourceVersion", "1")
                yield f"{path.parent.name} {side}", found


class Patch(test_migrate.Migration):
    def test_recorded_objects_lose_no_field_and_migrate_once(self):
        """The fields of all entries together, compared with a separate reading of FieldsV1."""
        count = moved = 0
        for name, found in recorded():
            with self.subTest(name):
                after, errors = self.migrated(found, "--to", test_migrate.SSA)
                self.assertEqual(union(after), union(found))
                self.assertEqual({**after, "metadata": {**after["metadata"], "managedFields": 0}},
                                 {**found, "metadata": {**found["metadata"], "managedFields": 0}})
                if after != found:  # if it is the same, it was asked just now
                    self.assertEqual(self.migrated(after, "--to", test_migrate.SSA)[0], after)
                count += 1
                moved += after != found
        self.assertGreater(count, 150)
        self.assertGreater(moved, 30)


class Webhook(test_migrate.Judged):
    def test_recorded_objects(self):
        count = 0
        for number, (name, found) in enumerate(recorded()):
            managers = sorted({each["manager"] for each in found["metadata"]["managedFields"] if each["operation"] == "Update"
                               and not each.get("subresource")})
            if number % 4 == 0 and managers:
                with self.subTest(name):
                    count += self.passes(found, "platform", *(word for each in managers for word in ("--from", each))) is not None
        self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main()
