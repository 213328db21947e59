#!/usr/bin/env python3
"""The findings of `applyguard scan` in objects as a cluster stores them, under each profile.

    tests/objects/test_objects.py APPLYGUARD [--update] [STORY...]

Each folder is a story: `story.txt` says what happened to the objects in `objects.json`, and `findings.txt` is what scan finds in
them. --update writes it again; read git diff afterwards. Protects admins: from findings that are not so, and from silence where a
rule knows better.
"""
import json
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import stories  # noqa: E402


class Objects(stories.Stories, unittest.TestCase):
    folder, scope, least_rules = HERE, "OBJECT", 1

    @staticmethod
    def report(story, profile):
        done = subprocess.run([stories.applyguard(), "scan", "--policy", "-", "-o", "json", "-f", story / "objects.json"],
                              input=f"{stories.POLICY}profile: {profile}\n", capture_output=True, text=True, timeout=60)
        *lines, last = [json.loads(line) for line in done.stdout.splitlines()]
        shown = [f"{finding['policyAction']} {finding['rule']}: {finding['message']}" for line in lines for finding in line["findings"]]
        ready = ", ".join(f"{number} {state}" for state, number in last["summary"]["readiness"].items())
        return "\n".join([f"profile {profile}, exit status {done.returncode}, {ready}", *shown]) + f"\n{done.stderr}"


if __name__ == "__main__":
    stories.main(Objects, __doc__)
