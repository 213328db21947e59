#!/usr/bin/env python3
"""Each rule of the table can deny: with `action: deny` for it and all others off, some recorded review is refused.

    tests/reviews/test_every_rule_denies.py APPLYGUARD

Protects whoever writes `action: deny` into a policy from a rule that never does, and each rule from having no recorded
review in which it speaks.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
HERE = pathlib.Path(__file__).resolve().parent
RULES = re.findall(r'^RULE\(\s*\w+,\s*"([a-z-]+)"', (HERE.parents[1] / "policy" / "rules.def").read_text(), re.MULTILINE)

# What a rule must be told before it has anything to say of the recorded reviews.
SETTINGS = {
    "explicit-fields": {"fields": {"Deployment.apps": [".spec.revisionHistoryLimit"]}},
    "oversized-annotations": {"warnBytes": 100, "denyBytes": 200},
}
# Never more than an audit finding, whatever a policy says; the other rules say there what they could not judge.
AUDIT_ONLY = {"unjudged"}


def findings(rule):
    """The rule's findings in all recorded reviews: their actions, and whether the request was allowed."""
    rules = {} if rule in AUDIT_ONLY else {other: {"action": "off"} for other in RULES}
    rules[rule] = {"action": "deny", **SETTINGS.get(rule, {})}
    policy = {"apiVersion": "applyguard.io/v1", "kind": "Policy", "profile": "strict", "rules": rules}
    done = subprocess.run(
        [APPLYGUARD, "review", "--policy", "-", "-o", "json", *sorted(HERE.glob("*/review.json"))],
        input=json.dumps(policy), capture_output=True, text=True, timeout=300)
    if done.stderr:
        raise AssertionError(done.stderr)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    return [(finding["action"], verdict["allowed"])
            for verdict in verdicts for finding in verdict["findings"] if finding["rule"] == rule]


class EveryRule(unittest.TestCase):
    def test_every_rule_denies(self):
        self.assertGreaterEqual(len(RULES), 9)
        for rule in RULES:
            with self.subTest(rule):
                found = findings(rule)
                self.assertTrue(found, "the rule speaks in no recorded review")
                strongest = "audit" if rule in AUDIT_ONLY else "deny"
                self.assertIn(strongest, [action for action, _ in found])
                self.assertTrue(all(allowed is (action != "deny") for action, allowed in found) or rule in AUDIT_ONLY)


if __name__ == "__main__":
    unittest.main()
