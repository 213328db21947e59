"""A shadow policy has no effect on any answer: it is counted and logged, and reloads like the policy."""

import json
import os
import re
import signal
import subprocess
import unittest

import harness
import wire
from harness import review

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"
BASELINE, STRICT = HEAD + "profile: baseline\n", HEAD + "profile: strict\n"
DIFFERS = "the shadow policy decides otherwise"


def shadow_samples(server):
    """Of the metrics of the shadow policy, those that are not 0, by name and labels."""
    with server.connect_plain() as connection:
        text = connection.exchange(wire.request("GET", "/metrics"), "GET").body.decode()
    found = re.findall(r"^applyguard_shadow_(\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found if float(value)}


@harness.at_once
class Shadow(unittest.TestCase):
    def setUp(self):
        self.folder = harness.temporary_directory()
        self.policy, self.shadow = self.folder / "policy.yaml", self.folder / "shadow.yaml"
        self.policy.write_text(BASELINE)
        self.shadow.write_text(STRICT)

    def serve(self, *flags):
        return harness.Server("--shadow-policy", self.shadow, *flags, policy=self.policy)

    def test_answers_are_those_without_it(self):
        """Protects clients: no warning, no denial and no audit annotation comes from the shadow policy."""
        for story in "edit-ssa", "csa-image":
            body = review(story)
            with harness.Server(policy=self.policy) as alone, self.serve() as shadowed:
                expected, answer = alone.review(body), shadowed.review(body)
            self.assertEqual((answer.status, answer.body), (expected.status, expected.body), story)

    def test_a_denial_to_come_is_counted_and_logged(self):
        """Protects the roll-out: the write is allowed, and the log and the metrics say who will be denied what."""
        with self.serve() as server:
            body = review("edit-ssa")
            harness.assert_verdict(self, server.review(body), body, allowed=True)
            line, = harness.wait_until(lambda: server.log(DIFFERS), what="the line")
            counted = shadow_samples(server)
            self.assertEqual(counted.pop('reviews_total{difference="newly-denied"}'), 1)
            self.assertEqual(
                counted.pop('findings_total{rule="ownership-conflict",action="deny",policy_action="deny"}'), 1)
            self.assertEqual(counted.pop("policy_last_load_successful"), 1)
            hashes = [name for name in counted if name.startswith("policy_info{")]
            self.assertEqual(len(hashes), 1)
            self.assertFalse([name for name in counted if name.startswith("reviews_total")])
        request = json.loads(body)["request"]
        self.assertEqual(
            (line["uid"], line["name"], line["user"]), (request["uid"], request["name"], request["userInfo"]["username"]))
        self.assertEqual((line["difference"], line["shadowAction"]), ("newly-denied", "deny"))
        self.assertIn("ownership-conflict", line["shadowRules"])

    def test_each_difference_has_its_name(self):
        """Protects who compares two policies: what each of them does to the same write."""
        auditing = BASELINE + "rules: {ownership-conflict: {action: audit}}\n"
        silent = BASELINE + "rules: {ownership-conflict: {action: \"off\"}}\n"
        for policy, shadow, difference in (
                (STRICT, BASELINE, "no-longer-denied"), (auditing, BASELINE, "newly-warned"),
                (BASELINE, auditing, "no-longer-warned"), (auditing, silent, "other-findings")):
            self.policy.write_text(policy)
            self.shadow.write_text(shadow)
            with self.serve() as server:
                server.review(review("edit-ssa"))
                line, = harness.wait_until(lambda: server.log(DIFFERS), what="the line")
            self.assertEqual(line["difference"], difference)

    def test_modes_hide_nothing(self):
        """Protects the roll-out, which begins in the mode audit: what counts is what each policy alone would do."""
        self.policy.write_text(BASELINE + "mode: audit\n")
        with self.serve() as server, server.connect() as connection:
            self.assertEqual(connection.exchange(
                wire.post(review("edit-ssa"), "/validate/audit")).status, 200)
            line, = harness.wait_until(lambda: server.log(DIFFERS), what="the line")
        self.assertEqual(
            (line["difference"], line["policyAction"], line["shadowAction"]), ("newly-denied", "warn", "deny"))

    def test_the_same_verdict_is_no_line(self):
        """Protects the log."""
        self.shadow.write_text(BASELINE + "# the same\n")
        with self.serve() as server:
            server.review(review("edit-ssa"))
            server.wait_for_log("review")
            self.assertEqual(server.log(DIFFERS), [])
            self.assertEqual(shadow_samples(server)['reviews_total{difference="same"}'], 1)

    def test_without_one_there_are_no_samples(self):
        """Protects dashboards: a policy that nobody tries is not one that differs nowhere."""
        with harness.Server(policy=self.policy) as server:
            server.review(review("edit-ssa"))
            self.assertEqual(shadow_samples(server), {})

    def test_it_reloads_like_the_policy(self):
        """Protects who edits it: a change counts within seconds, and a broken one changes nothing but a metric."""
        with self.serve() as server:
            self.shadow.write_text(BASELINE)
            server.wait_for_log("shadow policy reloaded")
            harness.wait_until(lambda: server.review(review("edit-ssa")) and
                               shadow_samples(server).get('reviews_total{difference="same"}'), what="the new one")
            new = self.folder / "new"
            new.write_text(STRICT + "rulez: {}\n")
            os.replace(new, self.shadow)
            server.signal(signal.SIGHUP)
            server.wait_for_log("shadow policy not reloaded, the old one stays")
            line = server.log("shadow policy not reloaded, the old one stays")[0]
            self.assertIn(f"{self.shadow}:4:1: ", line["reason"])
            harness.wait_until(lambda: "policy_last_load_successful" not in shadow_samples(server), what="the metric")
            server.review(review("edit-ssa"))
            self.assertEqual(server.log(DIFFERS), [])

    def test_one_that_does_not_load_is_refused_at_the_start(self):
        """Protects who misspells the file's name: nobody would miss what is never counted."""
        for content, reason in (None, "shadow.yaml"), (HEAD + "rulez: {}\n", "shadow.yaml:3:1: "):
            self.shadow.unlink(missing_ok=True)
            if content:
                self.shadow.write_text(content)
            done = subprocess.run(
                [harness.Program.path, "serve", "--shadow-policy", self.shadow, *harness.Certificate().flags()],
                capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 2)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    harness.main()
