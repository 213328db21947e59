"""Fields that change hands again and again: what the webhook remembers from review to review, and what it does not."""

import json
import signal
import unittest

import harness
from harness import review

POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n  contested-field: {action: ACTION, changes: 3}\n"
WARN, DENY = POLICY.replace("ACTION", "warn"), POLICY.replace("ACTION", "deny")
FOUGHT_OVER = " changed hands "


class Fight:
    """Two appliers that take an image from each other, as the API server sends it: a recorded take, sent again."""

    def __init__(self):
        self.takes = 0

    def next(self, dry_run=False):
        """The next take: by the other one, of the next version of the object, which the loser has just written."""
        self.takes += 1
        body = json.loads(review("ssa-force"))
        request = body["request"]
        request["uid"] = f"take-{self.takes}"
        request["dryRun"] = dry_run
        request["userInfo"] = {"username": "ci"}
        metadata = request["oldObject"]["metadata"]
        metadata["resourceVersion"] = str(1000 + self.takes)
        for entry in metadata["managedFields"]:
            entry["time"] = f"2026-11-21T10:{self.takes // 60:02}:{self.takes % 60:02}Z"
        text = json.dumps(body)
        if self.takes % 2:
            text = text.replace('"flux"', '"fl\\u0075x"').replace('"kubectl"', '"flux"').replace('"fl\\u0075x"', '"kubectl"')
        return text.encode()


def told(answer):
    """The findings of the rule, as the audit log would hold them."""
    findings = json.loads(answer.get("auditAnnotations", {}).get("findings", "[]"))
    return [finding for finding in findings if finding["rule"] == "contested-field"]


@harness.at_once
class Contests(unittest.TestCase):
    def setUp(self):
        self.policy = harness.temporary_directory() / "policy.yaml"
        self.policy.write_text(WARN)
        self.fight = Fight()

    def send(self, server, body):
        """Over a connection of its own, so that the loops take turns."""
        return harness.assert_verdict(self, server.review(body), body)

    def peace_then_fight(self, server):
        for _ in range(3):
            self.assertEqual(told(self.send(server, self.fight.next())), [])
        self.assertEqual(len(told(self.send(server, self.fight.next()))), 1)

    def test_a_fight_is_reported(self):
        """All loops share one memory: the loop that judges the fourth take knows of the other three."""
        with harness.Server("--threads", "4", policy=self.policy) as server:
            self.peace_then_fight(server)
            answer = self.send(server, self.fight.next())
            warning = next(line for line in answer["warnings"] if FOUGHT_OVER in line)
            applier = "(Flux|kubectl apply --server-side)"
            self.assertRegex(warning, f"nginx's image changed hands 5 times within 10m, now from {applier} to {applier}; "
                                      r"let only one of them set it \[contested-field\]$")

    def test_the_same_request_again(self):
        """A field whose request the API server sends twice, because it could not store it, has changed hands once."""
        with harness.Server(policy=self.policy) as server:
            for _ in range(3):
                body = self.fight.next()
                for _ in range(4):
                    self.assertEqual(told(self.send(server, body)), [])

    def test_dry_runs(self):
        """They change nothing, however many come; the finding says that they would be a fight."""
        with harness.Server(policy=self.policy) as server:
            for _ in range(8):
                self.assertEqual(told(self.send(server, self.fight.next(dry_run=True))), [])
            self.peace_then_fight(server)
            self.assertEqual(len(told(self.send(server, self.fight.next(dry_run=True)))), 1)

    def test_denied_requests(self):
        """They have not come about: the limit stays where it is, and the fight is over."""
        self.policy.write_text(DENY)
        with harness.Server(policy=self.policy) as server:
            self.peace_then_fight(server)
            for _ in range(3):
                answer = self.send(server, self.fight.next())
                self.assertFalse(answer["allowed"])
                self.assertIn("changed hands 4 times", answer["status"]["message"])

    def test_another_policy(self):
        """A reload forgets nothing."""
        with harness.Server(policy=self.policy) as server:
            self.peace_then_fight(server)
            self.policy.write_text(DENY)
            server.signal(signal.SIGHUP)
            server.wait_for_log("policy reloaded", timeout=5)
            harness.wait_until(lambda: not self.send(server, self.fight.next())["allowed"], what="the denial")

    def test_the_command_line_remembers_as_the_webhook(self):
        """One run over all the reviews, in one file or in many, gives the webhook's answers byte for byte."""
        bodies = [self.fight.next() for _ in range(6)]
        with harness.Server(policy=self.policy) as server:
            answers = b"".join(server.review(body).body for body in bodies)
        self.assertEqual(answers.count(b'\\"contested-field\\"'), 3, answers)
        directory = harness.temporary_directory()
        files = [directory / f"{number}.json" for number in range(len(bodies))]
        for file, body in zip(files, bodies):
            file.write_bytes(body)
        (directory / "all.json").write_bytes(b"\n".join(bodies))
        for arguments in (files, [directory / "all.json"]):
            done = harness.run(harness.Program.path, "review", "--policy", self.policy, "-o", "response", *arguments)
            self.assertEqual(done.stdout, answers)
        alone = harness.run(harness.Program.path, "review", "--policy", self.policy, "-o", "response", files[-1])
        self.assertNotIn(b"contested-field", alone.stdout)


if __name__ == "__main__":
    harness.main()
