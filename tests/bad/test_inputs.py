#!/usr/bin/env python3
"""Bad input through `applyguard review`: a sentence, or an answer that says what was not judged; never a crash.

    tests/bad/test_inputs.py APPLYGUARD

Protects the cluster from a webhook that dies of one request (kubeedge#7254), or answers the wrong one.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import inputs

# As long as a warning may be; with any names in it.
MESSAGE_BYTES_MAX = 256
APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)


def review(body, output="json"):
    return subprocess.run([APPLYGUARD, "review", "-o", output, "-"], input=body, capture_output=True, timeout=120)


class BadInput(unittest.TestCase):
    def check_unreadable(self, done):
        """One sentence for a person, exit status 2, and no answer that could be taken for one."""
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        sentence = done.stderr.decode()
        self.assertRegex(sentence, r"\A-: [^\n]{10,}\n\Z")
        self.assertTrue(sentence.rstrip("\n").isprintable())

    def check_judged(self, done, case):
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        verdict = json.loads(done.stdout)
        request = json.loads(case.body)["request"]
        self.assertEqual(verdict["uid"], request["uid"])
        self.assertTrue(verdict["allowed"])
        self.assertIn(case.expect, "\n".join(finding["message"] for finding in verdict["findings"]))
        self.assertTrue(done.stdout.decode().rstrip("\n").isprintable())
        for finding in verdict["findings"]:
            self.assertLessEqual(len(finding["message"].encode()), MESSAGE_BYTES_MAX, finding["message"])
            if finding["rule"] == "unjudged":
                self.assertEqual(finding["action"], "audit")

    def test_inputs(self):
        """Every input of inputs.py has the outcome that inputs.py gives for it."""
        for case in inputs.inputs():
            if case.name in inputs.SEVERAL_IN_A_FILE:
                continue
            with self.subTest(case.name):
                done = review(case.body)
                if case.expect is None:
                    self.check_unreadable(done)
                else:
                    self.check_judged(done, case)

    def test_answers_carry_the_uid(self):
        """A uid of any text comes back as it came: the API server fails the request otherwise."""
        for uid in ("a\"b\\c", "\u00e9\u4e2d\U0001f600", "x" * 5000, "line\nbreak", "\u0000"):
            with self.subTest(uid=uid[:20]):
                answer = json.loads(review(inputs.with_request(uid=uid), "response").stdout)
                self.assertEqual(answer["response"]["uid"], uid)


def paths(value, path=()):
    """Every member and item below the value, containers first."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(children):
        yield path + (key,)
        yield from paths(child, path + (key,))


def edited(review_, path, edit):
    changed = json.loads(json.dumps(review_))
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    edit(parent, path[-1])
    return inputs.encode(changed)


def put(value):
    def edit(parent, key):
        parent[key] = value
    return edit


def remove(parent, key):
    del parent[key]


EDITS = {"dropped": remove, "null": put(None), "number": put(7), "text": put("text"), "list": put([]), "object": put({})}


class Mutations(unittest.TestCase):
    """Each field of the envelope, of the metadata and of managedFields dropped, or made another type."""

    def check_all(self, bodies):
        """Concatenated, so that thousands take one process; it answers each and ends well."""
        done = review(b"\n".join(bodies))
        self.assertIn(done.returncode, (0, 1, 2), done.stderr.decode()[-2000:])
        answered = done.stdout.count(b"\n") + done.stderr.count(b"\n")
        self.assertEqual(answered, len(bodies), done.stderr.decode()[-2000:])
        for line in done.stdout.splitlines():
            for finding in json.loads(line)["findings"]:
                self.assertLessEqual(len(finding["message"].encode()), MESSAGE_BYTES_MAX, finding["message"])

    def test_fields(self):
        for story in ("edit-ssa", "replace", "csa-create"):
            with self.subTest(story):
                whole = inputs.recorded(story)
                chosen = [path for path in paths(whole)
                          if "spec" not in path[:3] and "status" not in path[:3] and len(path) < 9]
                self.check_all([edited(whole, path, edit) for path in chosen for edit in EDITS.values()])

    def test_truncations(self):
        """A review that is cut at any byte is refused."""
        body = inputs.encode(inputs.recorded("edit-ssa"))
        with tempfile.TemporaryDirectory() as folder:
            cut = [pathlib.Path(folder, f"{length}.json") for length in range(1, len(body) - 1, 53)]
            for file in cut:
                file.write_bytes(body[:int(file.stem)])
            done = subprocess.run([APPLYGUARD, "review", "-o", "json", *cut], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual([line.split(":")[0] for line in done.stderr.splitlines()], list(map(str, cut)))


if __name__ == "__main__":
    unittest.main()
