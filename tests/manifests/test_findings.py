#!/usr/bin/env python3
"""The findings of `applyguard check` in manifests, under each profile.

    tests/manifests/test_findings.py APPLYGUARD [--update] [STORY...]

Each folder is a story: `story.txt` says what a user wrote, the manifests are in the same folder (or where the flags in
`flags.txt` say), and `findings.txt` is what check reports. --update writes it again; read git diff afterwards. Protects authors
of manifests: from findings that are not so, and from silence where a rule knows better.
"""
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
STORIES = sorted(path.parent for path in HERE.glob("*/story.txt"))
RULES = re.findall(r'^RULE\(\s*\w+,\s*"([a-z-]+)",\s*MANIFEST,', (HERE.parents[1] / "policy" / "rules.def").read_text(), re.MULTILINE)
HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"


def check(story, profile):
    own = story / "policy.yaml"
    policy = (own.read_text() if own.exists() else HEAD) + f"profile: {profile}\n"
    manifests = sorted(path.name for path in story.iterdir() if path.suffix in (".yaml", ".json") and path != own)
    flags = story / "flags.txt"
    if flags.exists():
        manifests = flags.read_text().split()
    done = subprocess.run([APPLYGUARD, "check", "--policy", "-", "--show", "audit", "--all", *manifests], input=policy, capture_output=True, text=True,
                          cwd=story, timeout=60)
    return f"profile {profile}, exit status {done.returncode}\n{done.stdout}{done.stderr}"


def findings(story):
    return "\n".join(check(story, profile) for profile in ("baseline", "strict"))


class Findings(unittest.TestCase):
    maxDiff = None

    def test_stories(self):
        for story in STORIES:
            with self.subTest(story.name):
                self.assertEqual(findings(story), (story / "findings.txt").read_text())

    def test_every_rule_fires_and_stays_silent(self):
        self.assertGreaterEqual(len(RULES), 5)
        said = [(story / "findings.txt").read_text() for story in STORIES]
        for rule in RULES:
            self.assertTrue(any(f" {rule}: " in text for text in said), f"no story in which {rule} fires")
            self.assertTrue(any(story.name.startswith(rule) and f" {rule}: " not in text for story, text in zip(STORIES, said)),
                            f"no story in which {rule} almost fires")


if __name__ == "__main__":
    APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
    if "--update" in sys.argv:
        wanted = sys.argv[sys.argv.index("--update") + 1:]
        for folder in STORIES:
            if not wanted or folder.name in wanted:
                (folder / "findings.txt").write_text(findings(folder))
    else:
        unittest.main()
