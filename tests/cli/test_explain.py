#!/usr/bin/env python3
"""`applyguard explain`: what a rule is, for who met it in a terminal and has no browser at hand.

    tests/cli/test_explain.py APPLYGUARD
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = {path.stem: path.read_text() for path in (ROOT / "docs" / "rules").glob("*.md") if path.name != "README.md"}


def explain(*arguments):
    # From elsewhere: the program needs no file of ours.
    done = subprocess.run([pathlib.Path(APPLYGUARD).resolve(), "explain", *arguments], capture_output=True, cwd="/", timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def words(text):
    """Letters and digits alone, which neither marks nor line breaks change."""
    return re.findall(r"\w+", text.lower())


class Explain(unittest.TestCase):
    def test_it_lists_each_rule_with_its_summary(self):
        status, output, errors = explain()
        rows = re.findall(r'^RULE\(\w+, "([a-z-]+)", \w+, \w+, \w+, "([^"]+)"\)', (ROOT / "policy/rules.def").read_text(), re.MULTILINE)
        self.assertEqual((status, errors), (0, ""))
        rows.append(("index-patch", "a JSON patch by place changes another item than its writer saw (replay)"))
        self.assertEqual([line.split(None, 1) for line in output.splitlines()], [list(row) for row in rows])
        self.assertEqual(len(rows), len(PAGES))

    def test_nothing_of_a_page_is_lost(self):
        """All words of the page, in their order; of links to files of the repository only the text."""
        for rule, page in PAGES.items():
            with self.subTest(rule):
                status, output, errors = explain(rule)
                self.assertEqual((status, errors), (0, ""))
                page = re.sub(r"\]\((?!https:)[^)]+\)", "]", page)
                page = re.sub(r"^```yaml$|^\| ---.*$", "", page, flags=re.MULTILINE)
                self.assertEqual(words(output), words(page))

    def test_a_page_reads_as_text(self):
        """No marks of Markdown, and lines that fit a terminal but for examples and addresses."""
        for rule in PAGES:
            with self.subTest(rule):
                _, output, _ = explain(rule)
                self.assertNotRegex(output, r"(?m)^#|^```|^\||\]\(|\*\*")
                self.assertNotIn("\n\n\n", output)
                long = [line for line in output.splitlines()
                        if len(line) > 80 and not line.startswith("    ") and "<https://" not in line]
                self.assertEqual(long, [])

    def test_examples_stay_as_they_are(self):
        """The examples on a page are policies that load."""
        _, output, _ = explain("manager-scope")
        self.assertIn('    rules:\n      manager-scope:\n        action: warn\n', output)
        self.assertIn('        - {manager: "kubectl*", deny: [.metadata.finalizers]}\n', output)

    def test_tables_have_columns(self):
        _, output, _ = explain("ownership-conflict")
        lines = output.splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("taker"))
        columns = [lines[head].index(word) for word in ("applier", "controller", "unknown", "ad-hoc")]
        for row, name in zip(lines[head + 1:], ("applier", "controller, operator", "ad-hoc")):
            self.assertTrue(row.startswith(name + " "), row)
            for column in columns:
                self.assertRegex(row[column - 2:], r"\A  (warn|audit) / (warn|deny|audit)", row)

    def test_programs_get_the_page_itself(self):
        status, output, errors = explain("-o", "json", "unjudged")
        self.assertEqual((status, errors, output.count("\n")), (0, "", 1))
        read = json.loads(output)
        self.assertEqual(list(read), ["rule", "summary", "page"])
        self.assertEqual((read["rule"], read["page"]), ("unjudged", PAGES["unjudged"]))
        every = [json.loads(line) for line in explain("--output=json")[1].splitlines()]
        self.assertEqual({each["rule"]: each["page"] for each in every}, PAGES)

    def test_an_unknown_rule_is_told_with_the_nearest(self):
        for name, words in (("unjuged", 'there is no rule "unjuged"; did you mean "unjudged"?\n'),
                            ("Mixed-Apply", 'did you mean "mixed-apply"?'),
                            ("qqqq", "applyguard explain lists the rules"),
                            ("", "explain lists the rules"),
                            (__file__, "for what a tool printed, give the file with -f\n"),
                            ("x" * 5000, "explain lists the rules"),
                            ("a\033[2J", '"a\\x1b[2J"')):
            with self.subTest(name[:20]):
                status, output, errors = explain(name)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)
                self.assertNotIn("\033", errors)

    def test_mistakes_are_reported_with_what_to_do(self):
        for arguments, words in ((("unjudged", "waiver"), "waiver is one RULE too many"),
                                 (("-o", "yaml"), "--output yaml is not one of text, json"),
                                 (("-f", "-", "unjudged"), "use either RULE or -f"),
                                 (("--live", "x"), "--live needs -f FILE"), (("--policy", "x"), "--policy needs -f FILE"),
                                 (("-f", "-", "--live", "-"), "-f and --live both read standard input")):
            with self.subTest(arguments):
                status, output, errors = explain(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)


class Plugin(unittest.TestCase):
    """kubectl runs kubectl-applyguard for `kubectl applyguard`: what it says is what people type."""

    def test_help_names_what_people_type(self):
        with tempfile.TemporaryDirectory() as folder:
            plugin = pathlib.Path(folder, "kubectl-applyguard")
            plugin.symlink_to(pathlib.Path(APPLYGUARD).resolve())
            for arguments in ((), ("review",), ("policy",), ("policy", "check"), ("explain",)):
                with self.subTest(arguments):
                    ours, theirs = (subprocess.run([program, *arguments, "--help"], capture_output=True, check=True, text=True).stdout
                                    for program in (APPLYGUARD, plugin))
                    self.assertIn("Usage: kubectl applyguard ", theirs)
                    self.assertEqual(words(ours), words(theirs.replace("kubectl applyguard", "applyguard")))
            wrong = subprocess.run([plugin, "review", "--polcy"], capture_output=True, text=True)
            self.assertEqual((wrong.returncode, wrong.stderr.splitlines()), (2, [
                "applyguard review: --polcy is not a flag of review; did you mean --policy?; see kubectl applyguard review --help"]))
            judged = subprocess.run([plugin, "review", ROOT / "tests/reviews/annotate/review.json"], capture_output=True)
            self.assertEqual(judged.returncode, 0)


if __name__ == "__main__":
    unittest.main()
