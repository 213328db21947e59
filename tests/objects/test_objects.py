#!/usr/bin/env python3
"""The findings of `applyguard scan` in objects as a cluster stores them, under each profile.

    tests/objects/test_objects.py APPLYGUARD [--update] [STORY...]

Each folder is a story: `story.txt` says what happened to the objects in `objects.json`, and `findings.txt` is what scan finds in
them. --update writes it again; read git diff afterwards. Protects admins: from findings that are not so, and from silence where a
rule knows better.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
STORIES = sorted(path.parent for path in HERE.glob("*/story.txt"))
RULES = re.findall(r'^RULE\(\s*\w+,\s*"([a-z-]+)",\s*OBJECT,', (HERE.parents[1] / "policy" / "rules.def").read_text(), re.MULTILINE)
HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"


def scan(story, profile):
    done = subprocess.run([APPLYGUARD, "scan", "--policy", "-", "-o", "json", "-f", story / "objects.json"],
                          input=f"{HEAD}profile: {profile}\n", capture_output=True, text=True, timeout=60)
    *lines, last = [json.loads(line) for line in done.stdout.splitlines()]
    shown = [f"{finding['policyAction']} {finding['rule']}: {finding['message']}" for line in lines for finding in line["findings"]]
    ready = ", ".join(f"{number} {state}" for state, number in last["summary"]["readiness"].items())
    return "\n".join([f"profile {profile}, exit status {done.returncode}, {ready}", *shown]) + f"\n{done.stderr}"


def findings(story):
    return "\n".join(scan(story, profile) for profile in ("baseline", "strict"))


class Objects(unittest.TestCase):
    maxDiff = None

    def test_stories(self):
        for story in STORIES:
            with self.subTest(story.name):
                self.assertEqual(findings(story), (story / "findings.txt").read_text())

    def test_every_rule_fires_and_stays_silent(self):
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
