#!/usr/bin/env python3
"""tests/changed: which tests a change touches.

    tests/dev/test_changed.py APPLYGUARD

Protects developers who rely on `./dev test changed`: it may run too much, but leaves out no test that could fail.
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = APPLYGUARD.parent
UNITS = [path.stem.replace("test_", "unit.", 1) for path in ROOT.glob("tests/unit/**/test_*.c")]


# Loaded, so that what it reads of the programs is read once for all tests.
LOADER = importlib.machinery.SourceFileLoader("changed", str(ROOT / "tests/changed"))
CHANGED = importlib.util.module_from_spec(importlib.util.spec_from_loader("changed", LOADER))
LOADER.exec_module(CHANGED)


def touched(*paths):
    """The regular expressions for unit and server tests, and what is left for later."""
    lines = [line.split(" ", 1) for line in CHANGED.touched(set(paths), BUILD)]
    found = {kind: test for kind, test in lines if kind != "later"}
    return found.get("unit"), found.get("server"), {what for kind, what in lines if kind == "later"}


def selected(expression, tests):
    return {test for test in tests if re.search(expression, test)}


class Code(unittest.TestCase):
    def setUp(self):
        sections = subprocess.run(["readelf", "-SW", APPLYGUARD], capture_output=True, text=True).stdout
        if ".debug_info" not in sections:
            self.skipTest("this build has no debug information")

    def test_a_source_touches_the_programs_that_link_it(self):
        unit, server, later = touched("certs/rotation.c")
        units = selected(unit, UNITS)
        self.assertIn("unit.certs_rotation", units)
        self.assertIn("unit.issuer_years", units)
        self.assertNotIn("unit.arena", units)
        self.assertTrue(selected(unit, ["cli.certs"]))
        self.assertEqual(server, r"^server\.")
        self.assertIn("cluster", later)

    def test_a_rule_touches_the_recorded_reviews_and_not_the_server(self):
        unit, server, _ = touched("policy/rules/applyset.c")
        self.assertEqual(len(selected(unit, ["reviews.verdicts", "manifests.findings", "rooms.rooms"])), 3)
        self.assertIn("unit.rule_applyset", selected(unit, UNITS))
        self.assertIsNone(server)

    def test_a_header_touches_all_that_include_it(self):
        """rules.def reaches tests by headers alone."""
        for path in ("base/slice.h", "policy/rules.def"):
            with self.subTest(path):
                self.assertLessEqual({"unit.conflicts", "unit.encode"}, selected(touched(path)[0], UNITS))

    def test_a_test_touches_itself(self):
        self.assertEqual(selected(touched("tests/unit/base/test_json.c")[0], UNITS), {"unit.json"})

    def test_code_that_nothing_links_touches_all_units(self):
        self.assertEqual(touched("policy/rules/removed.c")[0], ".")
        self.assertEqual(touched("policy/removed.h", "certs/rotation.c")[0], ".")


class Files(unittest.TestCase):
    def test_as_a_program(self):
        done = subprocess.run([ROOT / "tests/changed", BUILD], input="README.md\ndev\n", capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "unit ^dev\\.|^docs\\.\n")

    def test_documents(self):
        self.assertEqual(touched("docs/policy.md", "README.md"), (r"^docs\.", None, set()))

    def test_documents_that_other_tests_read(self):
        """A rule's page is printed by the program, and a folder's README lists its files."""
        for path, tests in (("docs/rules/waiver.md", {"docs.docs", "cli.explain"}), ("docs/conflicts.md", {"docs.docs", "cli.explain_conflict"}),
                            ("docs/policy-test.md", {"docs.docs", "cli.policy_test"}), ("policy/rules/README.md", {"docs.docs", "rooms.rooms"})):
            with self.subTest(path):
                self.assertLessEqual(tests, selected(touched(path)[0], tests))
        self.assertEqual(touched("webhook/README.md")[1:], (r"^server\.metrics$", {"cluster", "metrics"}))
        for path, what in (("SECURITY.md", "chart"), ("docs/session.md", "cluster"), ("charts/applyguard/README.md", "cluster metrics")):
            with self.subTest(path):
                self.assertEqual(touched(path), (r"^docs\.", None, set(what.split())))

    def test_tests_touch_themselves(self):
        self.assertEqual(touched("tests/server/test_tls.py"), (None, r"^server\.tls$", set()))
        # Those that build on it, too, such as test_certs_years.py.
        self.assertEqual(touched("tests/cli/test_certs.py"), (r"^cli\.certs(_.+)?$", None, set()))
        self.assertEqual(touched("tests/server/harness.py"), (None, r"^server\.", set()))

    def test_charts_are_left_for_later(self):
        self.assertEqual(touched("charts/applyguard/values.yaml"), (None, None, {"chart"}))

    def test_a_release_is_left_for_later(self):
        self.assertEqual(touched("packaging/image.py"), (r"^cli\.krew$|^docs\.where$", None, {"release"}))
        self.assertEqual(touched(".github/workflows/ci.yml"), (r"^docs\.where$", None, {"release"}))
        self.assertEqual(touched("action.yml"), (r"^cli\.integrations$|^docs\.where$", None, set()))

    def test_any_other_file_touches_all_units(self):
        for path in ("CMakeLists.txt", "cmake/compile.cmake", "tests/reviews/edit-ssa/review.json", "new/file"):
            with self.subTest(path):
                self.assertEqual(touched(path)[0], ".")

    def test_nothing(self):
        self.assertEqual(touched(), (None, None, set()))


if __name__ == "__main__":
    unittest.main()
