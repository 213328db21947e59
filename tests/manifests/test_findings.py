#!/usr/bin/env python3
"""The findings of `applyguard check` in manifests, under each profile.

    tests/manifests/test_findings.py APPLYGUARD [--update] [STORY...]

Each folder is a story: `story.txt` says what a user wrote, the manifests are in the same folder (or where the flags in
`flags.txt` say), and `findings.txt` is what check reports. --update writes it again; read git diff afterwards. Protects authors
of manifests: from findings that are not so, and from silence where a rule knows better.
"""
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import stories  # noqa: E402


class Findings(stories.Stories, unittest.TestCase):
    folder, scope, least_rules = HERE, "MANIFEST", 5

    @staticmethod
    def report(story, profile):
        own = story / "policy.yaml"
        policy = (own.read_text() if own.exists() else stories.POLICY) + f"profile: {profile}\n"
        manifests = sorted(path.name for path in story.iterdir() if path.suffix in (".yaml", ".json") and path != own)
        flags = story / "flags.txt"
        if flags.exists():
            manifests = flags.read_text().split()
        done = subprocess.run([stories.applyguard(), "check", "--policy", "-", "--show", "audit", "--all", *manifests], input=policy,
                              capture_output=True, text=True, cwd=story, timeout=60)
        return f"profile {profile}, exit status {done.returncode}\n{done.stdout}{done.stderr}"


if __name__ == "__main__":
    stories.main(Findings, __doc__)
