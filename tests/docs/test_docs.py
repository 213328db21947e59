#!/usr/bin/env python3
"""The documents say what the code does: the same rules, the same defaults, policies that load, links that lead somewhere.

    tests/docs/test_docs.py APPLYGUARD

Protects readers from a README that was true once.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
RULES = (ROOT / "policy" / "README.md").read_text()

ROW = re.compile(r'^RULE\(\s*(\w+),\s*"([a-z-]+)",\s*(\w+),\s*(\w+),\s*"([^"]+)"\)', re.MULTILINE)


def judged_rules():
    """Name, baseline, strict, summary of each row of the table."""
    table = (ROOT / "policy" / "rules.def").read_text()
    rows = [row[1:] for row in ROW.findall(table)]
    assert len(rows) == len(re.findall(r"^RULE\(", table, re.MULTILINE)), "a row has another form"
    return rows


def shown_actions(profile):
    """The action of each rule as `policy show` has it."""
    policy = f"apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {profile}\n"
    shown = subprocess.run([APPLYGUARD, "policy", "show", "-"], input=policy, capture_output=True, text=True,
                           check=True).stdout
    return dict(re.findall(r'^  ([a-z-]+):\n    action: "?(\w+)"?$', shown, re.MULTILINE))


class Rules(unittest.TestCase):
    def test_every_rule_has_its_paragraph(self):
        headings = re.findall(r"^## (\S+)$", RULES, re.MULTILINE)
        self.assertEqual(headings, [row[0] for row in judged_rules()])

    def test_readme_lists_every_rule(self):
        listed = re.findall(r"^\| \[`([a-z-]+)`\]\(policy/README\.md#([a-z-]+)\) \| (.+?) \|", README, re.MULTILINE)
        self.assertEqual(listed, [(row[0], row[0], row[3]) for row in judged_rules()])

    def test_readme_has_the_defaults(self):
        """ownership-conflict goes by its table: the README names the strongest cell."""
        cells = re.findall(r"^\| \[`([a-z-]+)`\].*\| (\w+) \| (\w+) \|$", README, re.MULTILINE)
        for column, profile in ((1, "baseline"), (2, "strict")):
            actions = shown_actions(profile)
            if profile == "baseline":
                self.assertEqual(actions["ownership-conflict"], "deny")
                actions["ownership-conflict"] = "warn"
            self.assertEqual({cell[0]: cell[column] for cell in cells}, actions)


class Examples(unittest.TestCase):
    def test_policies_load(self):
        examples = [block for block in re.findall(r"```yaml\n(.*?)```", README + RULES, re.DOTALL)
                    if "kind: Policy" in block or block.startswith("rules:")]
        self.assertGreaterEqual(len(examples), 2)
        for example in examples:
            text = example if "kind:" in example else "apiVersion: applyguard.io/v1\nkind: Policy\n" + example
            done = subprocess.run([APPLYGUARD, "policy", "check", "-"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_warning_shown_is_the_warning_given(self):
        shown = re.search(r"^Warning: (applyguard: .*)$", README, re.MULTILINE).group(1)
        answer = subprocess.run([APPLYGUARD, "review", "-o", "response", ROOT / "tests/reviews/edit-ssa/review.json"],
                                capture_output=True, text=True, check=True).stdout
        self.assertEqual([shown], json.loads(answer)["response"]["warnings"])


class Links(unittest.TestCase):
    def test_links_lead_to_files_of_ours(self):
        documents = [path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts]
        for document in documents:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.relative_to(ROOT)}: {target}")


if __name__ == "__main__":
    unittest.main()
