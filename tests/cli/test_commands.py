#!/usr/bin/env python3
"""The command line: exit statuses, help, and what is said when something is wrong.

    tests/cli/test_commands.py APPLYGUARD

Protects scripts and CI jobs that go by exit statuses and output, and people who mistype.
"""
import datetime
import json
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import sys
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REVIEWS = ROOT / "tests" / "reviews"
EDIT = REVIEWS / "edit-ssa" / "review.json"      # one warning, denied under strict
CLEAN = REVIEWS / "annotate" / "review.json"     # nothing found
STRICT = REVIEWS / "strict.yaml"


def run(*arguments, stdin=b"", env=None):
    done = subprocess.run([APPLYGUARD, *map(str, arguments)], input=stdin, capture_output=True, timeout=60,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def on_terminal(*arguments, env=None):
    """The text as a terminal shows it."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([APPLYGUARD, *map(str, arguments)], stdout=theirs, env={**os.environ, **(env or {})}):
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:
            pass  # the other side is closed
    os.close(ours)
    return shown.decode()


class Review(unittest.TestCase):
    def test_exit_status_tells_what_was_denied(self):
        self.assertEqual(run("review", CLEAN)[0], 0)
        self.assertEqual(run("review", EDIT)[0], 0)
        self.assertEqual(run("review", "--policy", STRICT, EDIT)[0], 1)
        self.assertEqual(run("review", "--policy", STRICT, CLEAN, EDIT, CLEAN)[0], 1)

    def test_fail_on_warn(self):
        self.assertEqual(run("review", "--fail-on", "warn", EDIT)[0], 1)
        self.assertEqual(run("review", "--fail-on=warn", CLEAN)[0], 0)

    def test_mode_is_a_ceiling(self):
        self.assertEqual(run("review", "--policy", STRICT, "--mode", "warn", EDIT)[0], 0)
        status, output, _ = run("review", "--mode", "audit", "--fail-on", "warn", "-o", "json", EDIT)
        self.assertEqual((status, json.loads(output)["mode"]), (0, "audit"))
        self.assertIn("allowed: 1 warn, in mode warn", run("review", "--mode", "warn", EDIT)[1])

    def test_unreadable_files_do_not_hide_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder, "broken.json")
            broken.write_text("{")
            empty = pathlib.Path(folder, "empty.json")
            empty.write_text(" \n")
            status, output, errors = run("review", broken, folder, folder + "/absent", empty, EDIT)
        self.assertEqual(status, 2)
        self.assertEqual(output.count("edit-ssa"), 1)
        self.assertEqual(errors.count("\n"), 4)
        for line, word in zip(errors.splitlines(), ("not JSON", "directory", "No such file", "no AdmissionReview")):
            self.assertIn(word, line)

    def test_file_names_do_not_write_to_the_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            for content in (b"{", EDIT.read_bytes()):
                name = pathlib.Path(folder, "a\033[2Jb.json")
                name.write_bytes(content)
                _, output, errors = run("review", name)
                self.assertIn("a\\x1b[2Jb.json: ", output + errors)
                self.assertNotIn("\033", output + errors)

    def test_several_reviews_in_one_file(self):
        one = EDIT.read_bytes().strip()
        for joined in (one + one, one + b"\n" + one + b"\n", b"\n\n" + one + b"   " + one):
            status, output, errors = run("review", "-o", "json", "-", stdin=joined)
            self.assertEqual((status, output.count("\n"), errors), (0, 2, ""))

    def test_one_broken_review_among_several_is_reported_by_its_number(self):
        """The text behind it is still judged, also with brackets and quotes in strings."""
        one = EDIT.read_bytes().strip()
        tricky = one.replace(b'"admin"', b'"}]{\\"\\\\"', 1)
        status, output, errors = run("review", "-o", "json", "-", stdin=tricky + b'{"a":]}' + one + b"\n{}")
        self.assertEqual((status, output.count("\n")), (2, 2))
        self.assertRegex(errors, r"\A-: error: review 2: [^\n]+\n-: error: review 4: [^\n]+\n\Z")

    def test_many_reviews_cost_no_more_than_their_number(self):
        """A recording of 50 MB is judged in seconds: each review is looked at once, not all that follow it."""
        status, output, errors = run("review", "-o", "json", "-", stdin=EDIT.read_bytes().strip() * 8000)
        self.assertEqual((status, output.count("\n"), errors), (0, 8000, ""))

    def test_output_that_cannot_be_written_is_no_verdict(self):
        for arguments in (("review", CLEAN), ("policy", "show"), ("version",), ("help",)):
            with self.subTest(arguments[0]), open("/dev/full", "wb") as full:
                done = subprocess.run([APPLYGUARD, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (2, b"applyguard: the output could not be written\n"))

    def test_output_for_programs_is_one_line_a_review(self):
        _, output, _ = run("review", "-o", "json", EDIT, CLEAN)
        files = [json.loads(line)["file"] for line in output.splitlines()]
        self.assertEqual(files, [str(EDIT), str(CLEAN)])

    def test_dropped_findings_are_reported_to_programs(self):
        """A verdict lists 64 findings at most; a user who counts them must see that there were more."""
        review = json.loads(EDIT.read_bytes())
        for side, value in (("object", 2), ("oldObject", 1)):
            review["request"][side]["data"] = {f"key-{index}": value for index in range(70)}
        review["request"]["oldObject"]["metadata"]["managedFields"] += [
            {"manager": f"tool-{index}", "operation": "Apply", "apiVersion": "apps/v1", "time": "2026-01-01T00:00:00Z",
             "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {f"f:key-{index}": {}}}} for index in range(70)]
        _, output, _ = run("review", "-o", "json", "-", stdin=json.dumps(review).encode())
        verdict = json.loads(output)
        self.assertEqual(len(verdict["findings"]), 64)
        self.assertEqual(verdict["dropped"], {"warn": 7})
        self.assertNotIn("dropped", run("review", "-o", "json", EDIT)[1])

    def test_colour_is_for_terminals_that_want_it(self):
        self.assertIn("\033[", on_terminal("review", EDIT))
        self.assertNotIn("\033[", on_terminal("review", EDIT, env={"NO_COLOR": "1"}))
        self.assertNotIn("\033[", on_terminal("review", "-o", "json", EDIT))
        self.assertNotIn("\033[", run("review", EDIT)[1])

    def test_values_are_never_printed(self):
        """A Secret's data, and an image, stay out of every output."""
        for story, value in (("secret-csa", "password\\\":"), ("edit-ssa", "nginx:1.1")):
            for output in ("text", "json", "response"):
                self.assertNotIn(value, run("review", "-o", output, REVIEWS / story / "review.json")[1])

    def test_mistakes_are_reported_with_what_to_do(self):
        for arguments, words in (
            (("review",), "which FILE"),
            (("review", "--polcy", "x", EDIT), "--polcy is not a flag of review; did you mean --policy?"),
            (("review", "--policy"), "--policy lacks its value"),
            (("review", "-o"), "-o lacks its value"),
            (("review", "-zo", EDIT), "-z is not a flag"),
            (("review", "-k", EDIT), "-k is not a flag"),
            (("check", "-k", "overlay"), "-k is a flag of kubectl alone: pipe what kubectl kustomize prints into -f -"),
            (("preview", "-k", "overlay"), "-k is a flag of kubectl alone"),
            (("review", "--help=x"), "takes no value"),
            (("review", "-o", "yaml", EDIT), "text, json, response"),
            (("review", "--mode", "strict", EDIT), "enforce, warn, audit"),
            (("review", "--fail-on", "off", EDIT), "deny, warn, audit"),
            (("review", "--policy", "/absent.yaml", EDIT), "/absent.yaml: error: No such file"),
            (("serve", "--drain-delay", "1d"), "--drain-delay 1d needs a unit: ms, s, m or h"),
        ):
            with self.subTest(arguments=arguments[1:2]):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)


class Policy(unittest.TestCase):
    def test_check(self):
        status, output, _ = run("policy", "check", STRICT, REVIEWS / "audit.yaml")
        self.assertEqual(status, 0)
        self.assertIn("strict.yaml: ok, profile strict, mode enforce, 0 overrides", output)

    def test_errors_have_file_line_and_column(self):
        text = b"apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n  oversized-annotations: {warnByte: 1}\n"
        status, output, errors = run("policy", "check", "-", stdin=text)
        self.assertEqual((status, output), (2, ""))
        self.assertRegex(errors, r'\A-:4:\d+: .*warnByte.*warnBytes')

    def test_all_errors_are_reported_in_the_order_of_the_file(self):
        """One run is enough to mend a file: what cannot be understood and what has no effect, each with its place."""
        text = (b"apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n- match: {kinds: [Deployment]}\n  mode: none\n"
                b"rules:\n  unjudged: {action: Deny}\n")
        status, output, errors = run("policy", "check", "-", stdin=text)
        self.assertEqual((status, output), (2, ""))
        self.assertEqual(re.findall(r"^-:(\d+):\d+: \S+", errors, re.MULTILINE), ["4", "5", "7"])
        self.assertIn('did you mean "Deployment.apps"?', errors)

    def test_the_first_hundred_errors_are_enough(self):
        text = "apiVersion: applyguard.io/v1\nkind: Policy\nmanagers:\n" + "- {name: a, class: b}\n" * 250
        status, _, errors = run("policy", "check", "-", stdin=text.encode())
        self.assertEqual((status, len(errors.splitlines())), (2, 101))
        self.assertEqual(errors.splitlines()[-1], "-: 150 more errors")

    def test_what_has_no_effect_is_refused_here_and_judged_by_all_the_same(self):
        """An upgrade must not stop a webhook over a line that never mattered; checking the file reports it."""
        text = b"apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n- match: {namespaces: []}\n  mode: audit\n"
        status, output, errors = run("policy", "check", "-", stdin=text)
        self.assertEqual((status, output), (2, ""))
        self.assertRegex(errors, r"\A-:4:23: .*namespaces.*\n-: a server still loads this policy")
        self.assertEqual(run("policy", "show", "-", stdin=text)[0], 0)

    def test_notes_are_no_errors(self):
        text = b"apiVersion: applyguard.io/v1\nkind: Policy\nmode: warn\noverrides:\n- {match: {}, mode: enforce}\n"
        status, output, errors = run("policy", "check", "-", stdin=text)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"\A-:5:\d+: note: overrides\[0\]\.mode changes nothing.*\n-: ok, ")

    def test_show_loads_to_the_same_policy(self):
        status, shown, _ = run("policy", "show")
        self.assertEqual(status, 0)
        self.assertEqual(run("policy", "show", "-", stdin=shown.encode()), (0, shown, ""))

    def test_mistakes_are_reported_with_what_to_do(self):
        for arguments, words in (
            (("policy",), "Usage: applyguard policy check FILE"),
            (("policy", "chek", STRICT), '"chek"'),
            (("policy", "--strict"), "--strict is not a flag"),
            (("policy", "check"), "which FILE"),
            (("policy", "show", STRICT, STRICT), "one FILE"),
            (("policy", "check", ROOT), "directory"),
            (("policy", "check", "/absent.yaml"), "/absent.yaml: error: No such file"),
            (("policy", "check", "/dev/zero"), "larger than 1048576 bytes"),
        ):
            with self.subTest(arguments=arguments[:2]):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)

    def test_one_broken_file_does_not_hide_the_others(self):
        status, output, errors = run("policy", "check", "/absent.yaml", STRICT)
        self.assertEqual((status, output.count("ok, profile strict"), errors.count("\n")), (2, 1, 1))

    def test_expired_overrides_are_noted(self):
        """The author of an exception learns that it has expired, or soon will; the policy is still valid."""
        today = datetime.datetime.now(datetime.timezone.utc).date()
        days = {name: str(today + datetime.timedelta(days)) for name, days in (("past", -1), ("soon", 3), ("later", 30))}
        text = "apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n" + "".join(
            f"- {{match: {{}}, mode: audit, reason: \"{name} \\e[2J\", expires: {day}}}\n" for name, day in days.items())
        status, output, errors = run("policy", "check", "-", stdin=text.encode())
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output.splitlines()[1:], [
            f"-: note: overrides[0] (past \\x1b[2J) has no effect: it expired with {days['past']}",
            f"-: note: overrides[1] (soon \\x1b[2J) soon has no effect: it expires with {days['soon']}"])


class Help(unittest.TestCase):
    def commands(self):
        return re.findall(r"^  (\w+) ", run("--help")[1], re.MULTILINE)

    def test_every_command_explains_itself(self):
        commands = self.commands()
        self.assertEqual(commands, ["serve", "review", "check", "policy", "certs", "explain", "blame", "migrate", "replay", "scan", "preview", "completion", "version", "help"])
        for command in commands:
            with self.subTest(command):
                status, output, errors = run(command, "--help")
                self.assertEqual((status, errors), (0, ""))
                self.assertEqual(run("help", command), (status, output, errors))
                self.assertEqual(run(command, "-h"), (status, output, errors))
                self.assertTrue(output)
        for arguments in (("policy", "check"), ("policy", "show"), ("policy", "test"), ("certs", "create"),
                          ("certs", "show")):
            self.assertEqual(run(*arguments, "-h"), run(*arguments, "--help"), arguments)
            self.assertEqual(run(*arguments, "-h")[0], 0, arguments)

    def test_no_command_and_unknown_command(self):
        status, output, errors = run()
        self.assertEqual((status, output), (2, ""))
        self.assertIn("Usage: applyguard COMMAND", errors)
        status, _, errors = run("reveiw")
        self.assertEqual(status, 2)
        self.assertEqual(errors, 'applyguard: there is no command "reveiw"; did you mean review? There are serve, review, check, policy, certs, explain, blame, '
                                 'migrate, replay, scan, preview, completion, version and help\n')
        self.assertEqual(run("help", "reveiw"), (status, "", errors))

    def test_mistyped_flags_and_values_are_guessed(self):
        self.assertIn("--output htlm is not one of text, json, html; did you mean html?", run("replay", "-o", "htlm", "x")[2])
        self.assertNotIn("did you mean", run("review", "-o", "quite-another-word", EDIT)[2])
        self.assertIn("--namspace=x is not a flag of blame; did you mean --namespace?", run("blame", "--namspace=x", "y")[2])

    def test_addresses_are_refused_with_a_sentence(self):
        for command in (("check",), ("review",), ("policy", "check"), ("explain", "-f")):
            with self.subTest(command=command):
                status, _, errors = run(*command, "https://example.com/x.yaml")
                self.assertEqual(status, 2)
                self.assertIn("https://example.com/x.yaml: ", errors)
                self.assertIn("this is an address, and only files are read", errors)

    def test_the_command_for_an_address_can_be_run(self):
        for command, reader in ((("check",), "applyguard check -"), (("review",), "applyguard review -"), (("replay",), "applyguard replay -"),
                                (("explain", "-f"), "applyguard explain -f -"), (("check", "-f"), "applyguard check -f -")):
            errors = run(*command, "https://example.com/x.yaml")[2]
            self.assertIn(f"curl -fsSL https://example.com/x.yaml | {reader}\n", errors)
        errors = run("check", "--policy", "https://example.com/x.yaml", "-")[2]
        self.assertIn("download it\n", errors)

    def test_review_of_a_manifest_names_the_command(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("apiVersion: v1\nkind: ConfigMap\n")
            file.flush()
            status, output, errors = run("review", file.name)
        self.assertEqual((status, output), (2, ""))
        self.assertIn("it is YAML, and review reads AdmissionReviews in JSON; for a manifest see applyguard check", errors)

    def test_kubectls_spelling_is_accepted(self):
        server = run("check", "--apply", "server", "tests/manifests/duplicate-object")
        self.assertEqual(run("check", "--server-side", "tests/manifests/duplicate-object"), server)
        apart, joined = run("blame", "deploy", "web"), run("blame", "deploy/web")
        self.assertEqual(apart, joined)
        self.assertNotIn("is not KIND/NAME", apart[2])

    def test_all_errors_of_a_policy_are_shown(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as policy:
            policy.write("apiVersion: applyguard.io/v1\nkind: Policy\nmoed: x\nprofle: y\n")
            policy.flush()
            for command in (("policy", "show", policy.name), ("review", "--policy", policy.name, EDIT),
                            ("check", "--policy", policy.name, "tests/manifests/clean")):
                with self.subTest(command=command):
                    status, _, errors = run(*command)
                    self.assertEqual(status, 2)
                    self.assertIn(":3:1: ", errors)
                    self.assertIn(":4:1: ", errors)

    def test_words_that_are_no_commands(self):
        unknown = run("-")
        self.assertEqual(unknown[:2], (2, ""))
        self.assertIn('applyguard: there is no command "-"; there are serve, ', unknown[2])
        for arguments in (("help", "-"), ("--", "-"), ("help", "--", "-")):
            self.assertEqual(run(*arguments), unknown, arguments)
        self.assertIn('applyguard: there is no command "--version"', run("help", "--", "--version")[2])
        self.assertIn('applyguard policy: there is no command "-"; there are check, show and test', run("policy", "-")[2])
        self.assertEqual(run("--", "version"), run("version"))
        self.assertEqual(run("policy", "--", "show"), run("policy", "show"))
        self.assertEqual(run("--", "version", "x")[0], 2)

    def test_version(self):
        self.assertRegex(run("version")[1], r"\Aapplyguard \d+\.\d+\.\d+\n\Z")
        self.assertEqual(run("--version"), run("version"))
        self.assertEqual(run("--vers")[0], 2)
        self.assertEqual(run("--version=1")[0], 2)
        status, output, errors = run("version", "-o", "json")
        self.assertEqual((status, errors), (0, ""))
        told = json.loads(output)
        self.assertEqual(f"applyguard {told['version']}\n", run("version")[1])
        self.assertRegex(told["platform"], r"\A\w+/\w+\Z")
        self.assertLessEqual(set(told), {"version", "commit", "platform"})
        status, output, errors = run("version", "--short")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("--short is not a flag of version", errors)


if __name__ == "__main__":
    unittest.main()
