#!/usr/bin/env python3
"""Names of files and values of flags come from anywhere: none writes to the terminal, or looks like a line of ours.

    tests/cli/test_messages.py APPLYGUARD
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
APPLYGUARD = pathlib.Path(APPLYGUARD).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EVIL = "a\033[31m\x9b\u202e\nforged\x7f"
# GitHub Actions takes a line that begins with :: for a command, after white space, too; others take ##[ anywhere in text.
COMMANDS = ("::error::forged", " ::stop-commands::forged", "##[error]forged")
LIVE = (ROOT / "tests/conflicts/live-web.yaml").read_text()
POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\n"
CONFLICT = (ROOT / "tests/conflicts/kubectl-1.36-many.txt").read_text()


def run(*arguments, folder=None):
    done = subprocess.run([APPLYGUARD, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, cwd=folder,
                          env={**os.environ, "HOME": "/absent", "KUBECONFIG": "/absent/config"})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@functools.cache
def help_of(*command):
    return run(*command, "--help")[1]


def commands(*command):
    listed = help_of(*command).partition("\nCommands:\n")[2].partition("\n\n")[0]
    inner = re.findall(r"^  ([a-z_]+) ", listed, re.MULTILINE)
    yield command
    for name in inner:
        yield from commands(*command, name)


EVERY = list(commands())


class Messages(unittest.TestCase):
    def assert_clean(self, *arguments, folder=None):
        """It mentions what it got, and nothing of that reaches the terminal as it is."""
        with self.subTest(arguments):
            status, output, errors = run(*arguments, folder=folder)
            for line in (output + errors).split("\n"):
                self.assertTrue(line.isprintable(), line)
                self.assertFalse(line.startswith("forged"), line)
                self.assertFalse(line.lstrip().startswith("::") or ("##[" in line and "junit" not in arguments), line)
            return status, output, errors

    def test_there_are_commands(self):
        self.assertGreater(len(EVERY), 15)

    def test_values_of_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            for command in EVERY:
                for name, value in re.findall(r"^  (?:-\w, )?--([a-z-]+)(?: (\S+))?", help_of(*command), re.MULTILINE):
                    # Without a file scan asks kubectl, whose own lines are passed on: they name the flags that kubectl got.
                    file = ("-f", "absent") if command == ("scan",) else ()
                    self.assert_clean(*command, f"--{name}={EVIL}", *file, folder=folder)

    def test_unknown_flags_and_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            for command in EVERY:
                for words in ((f"--{EVIL}=x",), ("-\033",), (EVIL,), (EVIL, EVIL), (f"deploy/{EVIL}",), ("--", f"-{EVIL}")):
                    _, _, errors = self.assert_clean(*command, *words, folder=folder)
                    self.assertNotEqual(errors, "", (command, words))

    def test_files_that_are_there(self):
        """Good ones and broken ones, under a name of that kind."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, EVIL)
            made = pathlib.Path(folder, EVIL + "certs")
            for content in ("{", "", "a: [", LIVE, POLICY, POLICY + "rules: {x: 1}\nmode: y\n" + "z: 1\n" * 200,
                            POLICY + "overrides: [{match: {}, mode: audit, expires: 2020-01-01}]\n", CONFLICT):
                file.write_text(content)
                for command in EVERY:
                    if command not in (("serve",), ("certs", "create")):
                        self.assert_clean(*command, EVIL, folder=folder)
                    if " --filename " in help_of(*command):
                        self.assert_clean(*command, "-f", EVIL, *(("--to", "x") if command == ("migrate",) else ()), folder=folder)
                self.assert_clean("preview", "-f", EVIL, "--live", EVIL, folder=folder)
                self.assert_clean("explain", "-f", EVIL, "--live", EVIL, folder=folder)
                self.assert_clean("check", EVIL, "--baseline", EVIL, folder=folder)
                self.assert_clean("check", EVIL, "--policy", EVIL, folder=folder)
                self.assert_clean("certs", "inject", "--ca", EVIL, EVIL, folder=folder)
            for words in (("create", "--out", made, "--dns", "a.example"), ("create", "--out", made, "--dns", "a.example"),
                          ("show", made), ("show", made / "tls.crt"), ("renew", "--out", made), ("renew", "--out", EVIL),
                          ("inject", "--ca", made / "ca.crt", EVIL)):
                self.assert_clean("certs", *words, folder=folder)

    def test_commands_of_ci_systems(self):
        """A file of a pull request, or a field manager's name, gives no command to the runner in whose log it is."""
        review = (ROOT / "tests/reviews/explicit-fields-missing/review.json").read_text()
        with tempfile.TemporaryDirectory() as folder:
            for name in COMMANDS:
                file = pathlib.Path(folder, name)
                for content in ("{", POLICY + "overrides: [{match: {}, mode: audit, expires: 2020-01-01}]\n", review):
                    file.write_text(content)
                    for command in (("policy", "check"), ("policy", "show"), ("policy", "test"), ("review",), ("check",),
                                    ("check", "-o", "junit"), ("explain", "-f")):
                        self.assert_clean(*command, name, folder=folder)
                file.write_text(POLICY + "profile: strict\nrules: {yaml-ambiguity: {action: audit}}\n")
                pathlib.Path(folder, f"{name}.yaml").write_text(
                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: on, b: on, c: on}\n")
                self.assert_clean("check", "--policy", name, "-o", "junit", f"{name}.yaml", folder=folder)
                pathlib.Path(folder, "conflict").write_text(
                    f'{name}/a/b dry-run failed: Apply failed with 1 conflict: conflict with "{name}" using v1: .data.a\n')
                _, output, _ = self.assert_clean("explain", "-f", "conflict", folder=folder)
                self.assertIn("forged", output)
                quoted = json.dumps(name)
                pathlib.Path(folder, "manifest.yaml").write_text(
                    f"apiVersion: v1\nkind: {quoted}\nmetadata: {{name: a, labels: {{{quoted}: a}}}}\n")
                pathlib.Path(folder, "none.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n")
                pathlib.Path(folder, "live.json").write_text(json.dumps({
                    "apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}, "metadata": {"name": "a", "managedFields": [
                        {"manager": name, "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
                         "fieldsV1": {"f:data": {"f:a": {}}}}]}}))
                _, output, _ = self.assert_clean("blame", "-f", "live.json", folder=folder)
                self.assertIn("forged", output)
                _, output, _ = self.assert_clean("preview", "-f", "manifest.yaml", "--live", "none.yaml", folder=folder)
                self.assertIn("forged", output)

    def test_messages_are_printed_in_one_place(self):
        """Which escapes them as a whole. A message that is longer than a line consists of parts that are escaped."""
        for file in sorted((ROOT / "cli").glob("*.c")):
            if file.name in ("message.c",):
                continue
            with self.subTest(file.name):
                written = re.findall(r"\bf(?:printf|puts|write)\([^;]*\bstderr\b[^;]*;", file.read_text())
                self.assertEqual([each for each in written if "files\", done" not in each and "objects\", objects" not in each and "\\033[K" not in each], [])


if __name__ == "__main__":
    unittest.main()
