#!/usr/bin/env python3
"""The output, which every command treats in the same way: lost output is an error, a reader that went away is not.

    tests/cli/test_output.py APPLYGUARD

Protects users who write the output to a file or a pipe and rely on the exit status, with `set -o pipefail` or without.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
LIVE = TESTS / "conflicts/live-web.yaml"
REVIEW = TESTS / "reviews/edit-ssa/review.json"
STRICT = TESTS / "reviews/strict.yaml"
LOST = "applyguard: the output could not be written\n"

# Arguments, and the exit status when all is printed. FOLDER has certificates.
COMMANDS = (
    (("review", REVIEW), 0),
    (("review", "--policy", STRICT, REVIEW), 1),
    (("review", "-o", "json", *[REVIEW] * 200), 0),
    (("check", LIVE), 0),
    (("check", "-o", "json", LIVE), 0),
    (("check", "-o", "json", "--fail-on", "audit", *[LIVE] * 200), 1),
    (("policy", "check", STRICT), 0),
    (("policy", "show"), 0),
    (("policy", "test", TESTS / "cli/small"), 1),
    (("policy", "test", "-o", "json", TESTS / "cli/small"), 1),
    (("certs", "show", "FOLDER"), 0),
    (("certs", "renew", "--out", "FOLDER"), 0),
    (("certs", "inject", "--ca", "FOLDER/ca.crt", "FOLDER/webhook.yaml"), 0),
    (("explain",), 0),
    (("explain", "-o", "json"), 0),
    (("explain", "unjudged"), 0),
    (("explain", "-f", TESTS / "conflicts/kubectl-1.36-many.txt"), 0),
    (("blame", "-f", LIVE), 0),
    (("blame", "-o", "json", *["-f", LIVE] * 200), 0),
    (("migrate", "-f", LIVE, "--back", "--from", "platform-team"), 0),
    (("preview", "-f", LIVE, "--live", LIVE), 0),
    (("preview", "-o", "json", *["-f", LIVE] * 200, "--live", LIVE), 0),
    (("completion", "bash"), 0),
    (("version",), 0),
    (("version", "-o", "json"), 0),
    (("help",), 0),
    (("help", "--man"), 0),
    (("blame", "--help"), 0),
    (("__complete", ""), 0),
)

WEBHOOK = """apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: applyguard}
webhooks:
- name: a.applyguard.io
  clientConfig:
    service: {name: a, namespace: b}
"""


class Output(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        made = cls.run_it(("certs", "create", "--out", "FOLDER", "--dns", "a.example"))
        assert made.returncode == 0, made.stderr
        pathlib.Path(cls.folder.name, "webhook.yaml").write_text(WEBHOOK)

    @classmethod
    def run_it(cls, arguments, **options):
        words = [str(word).replace("FOLDER", cls.folder.name) for word in arguments]
        return subprocess.run([APPLYGUARD, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60,
                              **{"stdout": subprocess.PIPE, **options})

    def each(self, check):
        """Calls it with the arguments, the exit status, and the run whose output is read to its end."""
        for arguments, status in COMMANDS:
            with self.subTest(" ".join(map(str, arguments))[:80]):
                check(arguments, status, self.run_it(arguments))

    def test_there_is_output(self):
        """So that the tests below are about something."""
        def check(_, status, whole):
            self.assertEqual(whole.returncode, status, whole.stderr)
            self.assertTrue(whole.stdout)
        self.each(check)

    def test_a_full_disk_is_an_error(self):
        def check(arguments, _, whole):
            with open("/dev/full", "wb") as full:
                done = self.run_it(arguments, stdout=full)
            self.assertEqual((done.returncode, done.stderr), (2, whole.stderr + LOST))
        self.each(check)

    def test_a_closed_output_is_an_error(self):
        """Nor does any file that the command opens become its output."""
        def check(arguments, _, whole):
            done = self.run_it(arguments, stdout=None, preexec_fn=lambda: os.close(1))
            self.assertEqual((done.returncode, done.stderr), (2, whole.stderr + LOST))
        self.each(check)

    def test_a_reader_that_went_away_is_none(self):
        def check(arguments, status, whole):
            theirs, ours = os.pipe()
            os.close(theirs)
            done = self.run_it(arguments, stdout=ours)
            os.close(ours)
            self.assertEqual((done.returncode, done.stderr), (status, whole.stderr))
        self.each(check)

    def test_head_ends_a_pipeline_well(self):
        with tempfile.TemporaryDirectory() as folder:
            big = pathlib.Path(folder, "big.yaml")
            big.write_text("---\n".join([LIVE.read_text()] * 300))
            done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" blame -f "$1" | head -1', APPLYGUARD, big],
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
