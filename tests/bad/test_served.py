#!/usr/bin/env python3
"""Bad input over TLS: 400 with a sentence, or 200 with the right uid; the connection and the server live on.

    tests/bad/test_served.py APPLYGUARD

Protects the cluster from a webhook that dies of one request, or whose answer belongs to another.
"""
import json
import pathlib
import sys

import inputs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))
import harness  # noqa: E402: it stands in another folder

GOOD = "csa-image"


def servable():
    """A body that is larger than the server reads is refused unread: tests/server/test_refusals.py."""
    return [case for case in inputs.inputs() if len(case.body) <= 8 << 20]


class BadInput(harness.ServerTest):
    def check(self, case, answer):
        if case.expect is None:
            self.assertEqual(answer.status, 400)
            self.assertGreater(len(answer.body), 10)
            self.assertTrue(answer.body.decode().strip().isprintable())
        else:
            self.assertEqual(answer.status, 200)
            response = json.loads(answer.body)["response"]
            self.assertEqual(response["uid"], json.loads(case.body)["request"]["uid"])
            self.assertTrue(response["allowed"])

    def test_each_input(self):
        """The answer that is due, on a connection of its own."""
        for case in servable():
            with self.subTest(case.name):
                self.check(case, self.server.review(case.body))

    def test_one_bad_input_does_not_hurt_the_next_review(self):
        """On one connection, a good review after each bad one gets the answer that it gets alone."""
        good = harness.review(GOOD)
        expected = self.server.review(good).body
        with self.server.connect() as connection:
            for case in servable():
                with self.subTest(case.name):
                    self.check(case, connection.review(case.body))
                    self.assertEqual(connection.review(good).body, expected)

    def test_the_command_line_says_the_same(self):
        """A refused review gets the same sentence at the terminal as in the API server's log."""
        for case in servable():
            if case.expect is not None or case.name in inputs.SEVERAL_IN_A_FILE or not case.body:
                continue
            with self.subTest(case.name):
                said = harness.run(harness.Program.path, "review", "-", input=case.body).stderr
                if b"it is YAML" in said:  # a person gave a manifest to the wrong command
                    continue
                self.assertIn(said.removeprefix(b"-: error: ").strip(), self.server.review(case.body).body)


if __name__ == "__main__":
    harness.main()
