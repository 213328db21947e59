#!/usr/bin/env python3
"""Each rule of the table can deny: with `action: deny` for it and all others off, some recorded review is refused.

    tests/reviews/test_every_rule_denies.py APPLYGUARD

A rule that has nothing to say without settings is refused under the policy of some story (STORY/policy.yaml) instead.
Protects users who write `action: deny` into a policy from a rule that never does, and each rule from having no recorded review
in which it speaks.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
HERE = pathlib.Path(__file__).resolve().parent
RULES = re.findall(r'^RULE\(\s*\w+,\s*"([a-z-]+)",\s*REVIEW,', (HERE.parents[1] / "policy" / "rules.def").read_text(), re.MULTILINE)

# The other rules say there what they could not judge.
OF_ALL_RULES = {"unjudged"}

# Settings that a rule needs as well. contested-field counts what ownership-conflict finds, from one review of `web` to the
# next.
BESIDES = {"contested-field": {
    "ownership-conflict": {"action": "audit"}, "contested-field": {"action": "deny", "changes": 1}}}


def denying(rule):
    """A policy in which the rule denies, and nothing else does."""
    rules = {} if rule in OF_ALL_RULES else {other: {"action": "off"} for other in RULES}
    rules[rule] = {"action": "deny"}
    rules.update(BESIDES.get(rule, {}))
    return json.dumps({"apiVersion": "applyguard.io/v1", "kind": "Policy", "profile": "strict", "rules": rules})


def findings(policy, reviews):
    """Rule, action, and whether the request was allowed, of each finding."""
    done = subprocess.run([APPLYGUARD, "review", "--policy", "-", "-o", "json", *reviews],
                          input=policy, capture_output=True, text=True, timeout=300)
    if done.stderr:
        raise AssertionError(done.stderr)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    return {(finding["rule"], finding["action"], verdict["allowed"])
            for verdict in verdicts for finding in verdict["findings"]}


class EveryRule(unittest.TestCase):
    def test_every_rule_denies(self):
        self.assertGreaterEqual(len(RULES), 9)
        by_own_policy = set()
        for policy in HERE.glob("*/policy.yaml"):
            by_own_policy |= findings(policy.read_text(), [policy.with_name("review.json")])
        for rule in RULES:
            wanted = (rule, "deny", False)
            with self.subTest(rule):
                if wanted not in by_own_policy:
                    self.assertIn(wanted, findings(denying(rule), sorted(HERE.glob("*/review.json"))))

    def test_what_honest_requests_come_with_is_not_denied(self):
        """Protects the change of a CRD's version from a policy that denies what cannot be judged."""
        said = findings(denying("unjudged"), [HERE / "widget-other-version" / "review.json"])
        self.assertEqual({("unjudged", "audit", True)}, {each for each in said if each[0] == "unjudged"})


if __name__ == "__main__":
    unittest.main()
