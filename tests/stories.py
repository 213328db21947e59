"""stories.py: stories and the findings in them, for tests/manifests and tests/objects.

A story is a folder: `story.txt` says what happened, and `findings.txt` is what a command reports about the files beside it.
"""
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# The head of a policy file; a profile follows.
POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\n"


def applyguard():
    """The program, the first argument of a test."""
    return pathlib.Path(sys.argv[1]).resolve()


def rules(scope):
    """The names of the rules with this scope, in the order of the rule table."""
    return re.findall(rf'^RULE\(\s*\w+,\s*"([a-z-]+)",\s*{scope},', (HERE.parent / "policy" / "rules.def").read_text(), re.MULTILINE)


class Stories:
    """Tests of stories, for a unittest.TestCase that has `folder`, `scope`, `least_rules` of that scope, and
    report(story, profile)."""
    maxDiff = None

    @classmethod
    def stories(cls):
        return sorted(path.parent for path in cls.folder.glob("*/story.txt"))

    @classmethod
    def findings(cls, story):
        return "\n".join(cls.report(story, profile) for profile in ("baseline", "strict"))

    def test_stories(self):
        for story in self.stories():
            with self.subTest(story.name):
                self.assertEqual(self.findings(story), (story / "findings.txt").read_text())

    def test_every_rule_fires_and_stays_silent(self):
        stories = self.stories()
        said = [(story / "findings.txt").read_text() for story in stories]
        self.assertGreaterEqual(len(rules(self.scope)), self.least_rules)
        for rule in rules(self.scope):
            self.assertTrue(any(f" {rule}: " in text for text in said), f"no story in which {rule} fires")
            self.assertTrue(any(story.name.startswith(rule) and f" {rule}: " not in text for story, text in zip(stories, said)),
                            f"no story in which {rule} almost fires")


def main(case, usage):
    """Runs the tests of the case, or with --update writes the findings of its stories, or of those that are named."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    if "--update" not in sys.argv:
        unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
    wanted = sys.argv[sys.argv.index("--update") + 1:]
    for story in case.stories():
        if not wanted or story.name in wanted:
            (story / "findings.txt").write_text(case.findings(story))
