"""The JUnit that `policy test` writes, by its schema, with any names of cases and files.

    tests/report/policy_test_junit.py APPLYGUARD
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EDIT = ROOT / "tests/reviews/edit-ssa/review.json"
NAMES = ["a", "</testcase><x>&amp;]]>", "\x1b[31m\n\0", "\u202e\ufffe\U000e0041", "'\"", "日本語 é", "x" * 3000]


def errors_by_schema(text):
    folder = pathlib.Path(subprocess.run([HERE / "schemas"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
    done = subprocess.run([folder / "bin/python", HERE / "validate.py", "junit", folder / "junit.xsd"], input=text,
                          stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


class JUnit(unittest.TestCase):
    def run_test(self, *paths):
        return subprocess.run([APPLYGUARD, "policy", "test", "-o", "junit", *map(str, paths)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def test_the_examples(self):
        self.assertEqual(errors_by_schema(self.run_test(ROOT / "docs/policies")), "")

    def test_cases_that_fail_and_what_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            cases = [{"name": name, "review": review, "expect": [{"rule": "mixed-apply", "taker": name}]}
                     for name in NAMES for review in (str(EDIT), "missing.json", "a\x1b<b>")]
            test = {"apiVersion": "applyguard.io/v1", "kind": "PolicyTest", "policy": str(ROOT / "tests/reviews/strict.yaml"),
                    "cases": cases}
            (folder / "<&\"\x1b.test.yaml").write_text(json.dumps(test, ensure_ascii=False).replace("\ufffe", "\\ufffe"))
            (folder / "broken.test.yaml").write_text("cases: [{<: '&'}]\nkind: \"\\e]]>\"\n")
            report = self.run_test(folder, folder / "nothing<&>")
        self.assertIn(b"<failure ", report)
        self.assertIn(b"<error ", report)
        self.assertEqual(errors_by_schema(report), "")


if __name__ == "__main__":
    unittest.main(argv=[__file__])
