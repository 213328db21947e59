"""A cluster is filled with objects of many kinds, as tools and people leave them, and is scanned: each fault that was planted is
found, and nothing else is; what the report says is done with its own commands. `SEED` draws other objects, and `OBJECTS` says how
many.

tests/tools/test_scan_filled.py fills a large cluster, also with real tools, and measures.
"""

import os
import pathlib
import re
import unittest

import filled
import guarded
import scanning
from faults import FAULTS

OBJECTS = int(os.environ.get("OBJECTS") or guarded.amount(300, 600))
SEED = os.environ.get("SEED", "1")
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Rules that find nothing under the built-in policy.
OFF = {"explicit-fields"}


class ScanFilled(scanning.Scanning, unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.plane = guarded.start_plane(cls, own=True)
        cls.expected = filled.Filling(cls.plane, OBJECTS, SEED).fill()

    def test_1_what_was_planted_is_found_and_nothing_else(self):
        self.check_what_was_planted()

    def test_2_what_to_do_first_can_be_done(self):
        self.do_the_first_five()

    def test_each_rule_about_stored_objects_is_planted(self):
        judges = {re.search(r"rule_definition rule_(\w+)", path.read_text()).group(1).replace("_", "-")
                  for path in (ROOT / "policy/rules").glob("*.c") if re.search(r"\.judges?_objects?\b", path.read_text())}
        self.assertEqual(judges - OFF, judges & set(FAULTS))


if __name__ == "__main__":
    guarded.main()
