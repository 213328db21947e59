#!/usr/bin/env python3
"""The workflows of GitHub, by actionlint, and the rules that it does not know: pinned actions, and no right that is not needed.

    tests/release/test_workflows.py APPLYGUARD
"""

import re
import unittest

from dist import ROOT, run
import harness

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# Each with its version; the commits are those of the tags in these repositories.
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


class Workflows(unittest.TestCase):
    def test_actionlint_finds_nothing(self):
        actionlint = run(ROOT / "tests/release/tools/tool", "actionlint").stdout.strip()
        done = run(actionlint, "-no-color", *WORKFLOWS, cwd=ROOT)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_actions_are_pinned_to_commits(self):
        """A tag of an action may name other code tomorrow."""
        used = [line for file in WORKFLOWS for line in re.findall(r"uses: (.*)", file.read_text())]
        self.assertTrue(used)
        self.assertEqual([each for each in used if not PINNED.fullmatch(each)], [])

    def test_an_action_has_one_commit(self):
        commits = {}
        for file in WORKFLOWS:
            for action, commit in re.findall(r"uses: ([\w./-]+)@(\w+)", file.read_text()):
                commits.setdefault(action, set()).add(commit)
        self.assertEqual({action: found for action, found in commits.items() if len(found) > 1}, {})

    def test_a_workflow_has_no_rights_but_to_read(self):
        """A job that needs more asks for it itself."""
        for file in WORKFLOWS:
            text = file.read_text()
            self.assertRegex(text, r"(?m)^permissions:( \{\}|\n  contents: read)\n(?=\S)", file.name)
            for right in re.findall(r"^      ([a-z-]+: write.*)$", text, re.MULTILINE):
                self.assertRegex(right, r"^[a-z-]+: write # to |^[a-z-]+: write # for ", f"{file.name}: why {right}?")

    def test_no_text_of_others_reaches_a_shell(self):
        """An expression in a script is replaced before the shell reads it: what a pull request says would be run."""
        for file in WORKFLOWS:
            scripts = re.findall(r"run: (?:\|\n((?:        .*\n)+)|(.*))", file.read_text())
            for script in scripts:
                self.assertNotIn("${{", "".join(script), file.name)

    def test_the_cosign_of_the_tests_signs(self):
        tested = re.search(r"sigstore/cosign/v2 (v\S+)", (ROOT / "tests/release/tools/cosign/go.mod").read_text())[1]
        self.assertEqual(re.findall(r"cosign-release: (v[0-9.]+)", (ROOT / ".github/workflows/release.yml").read_text()), [tested])

    def test_checkouts_leave_no_token(self):
        for file in WORKFLOWS:
            text = file.read_text()
            self.assertEqual(text.count("actions/checkout@"), text.count("persist-credentials: false"), file.name)


if __name__ == "__main__":
    harness.main()
