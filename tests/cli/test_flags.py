#!/usr/bin/env python3
"""The flags of a command are the same wherever they are written: help, manual page, shells, and what the program takes.

    tests/cli/test_flags.py APPLYGUARD

zsh, fish and mandoc are asked where they are installed; ./dev test installs them.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAIN = {**os.environ, "PATH": f"{APPLYGUARD.parent}:{os.environ['PATH']}", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
RULES = re.findall(r'^RULE\(\w+, "([a-z-]+)"', (ROOT / "policy/rules.def").read_text(), re.MULTILINE)


def run(*arguments):
    done = subprocess.run([APPLYGUARD, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def help_of(*command):
    return run(*command, "--help")[1]


def subcommands(*command):
    listed = help_of(*command).partition("\nCommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z_]+) ", listed, re.MULTILINE)


def commands(*command):
    """Each command that runs something, as a tuple of words."""
    inner = subcommands(*command)
    if not inner:
        yield command
    for name in inner:
        yield from commands(*command, name)


def flags(command):
    """Name and value ('' without one) of each flag, by the help."""
    listed = help_of(*command).partition("\nFlags:\n")[2].partition("\n\n")[0]
    return [(name, value or "") for name, value in re.findall(r"^  (?:-\w, )?--([a-z-]+)(?: (\S+))?", listed, re.MULTILINE)]


EVERY = list(commands())


def offered(*words):
    """The output of __complete: the words, and the kind of other arguments that fit."""
    *lines, last = run("__complete", *words)[1].splitlines()
    return [line.split("\t")[0] for line in lines], last


class Flags(unittest.TestCase):
    def test_there_are_commands_and_flags(self):
        """So that the tests below are about something."""
        self.assertGreaterEqual(len(EVERY), 10)
        self.assertGreaterEqual(sum(len(flags(command)) for command in EVERY), 50)

    def test_formats_of_output_are_those_of_the_table(self):
        table = re.findall(r'^OUTPUT_FORMAT\(\w+, "([a-z]+)"', (ROOT / "report/output_format.def").read_text(), re.MULTILINE)
        taken = {command: value.split("|") for command in EVERY for name, value in flags(command) if name == "output"}
        self.assertEqual(sorted(set().union(*taken.values())), sorted(table))
        for command, formats in taken.items():
            for value in table + ["xml"]:
                with self.subTest(command=command, value=value):
                    wrong = f"--output {value} is not one of {', '.join(formats)}"
                    (self.assertNotIn if value in formats else self.assertIn)(wrong, run(*command, "-o", value)[2])

    def test_each_flag_is_taken(self):
        """With a value or without one, as the help says: what is complained of is the next flag, or the value."""
        for command in EVERY:
            for name, value in flags(command):
                with self.subTest(command=command, flag=name):
                    if name == "help":
                        continue
                    if value:
                        self.assertIn(f"--{name} lacks its value", run(*command, f"--{name}")[2])
                    else:
                        self.assertIn(f"--{name}=x takes no value", run(*command, f"--{name}=x")[2])

    def test_each_choice_is_taken_and_no_other(self):
        for command in EVERY:
            for name, value in flags(command):
                choices = value.split("|") if re.fullmatch(r"[a-z].*", value) else []
                for choice in choices:
                    with self.subTest(command=command, flag=name, choice=choice):
                        self.assertIn("--no-such-flag is not a flag", run(*command, f"--{name}", choice, "--no-such-flag")[2])
                if choices:
                    self.assertIn(f"--{name} no-such-choice ", run(*command, f"--{name}", "no-such-choice", "--no-such-flag")[2])

    def test_a_short_flag_is_its_long_one(self):
        for command in EVERY:
            for letter, value in re.findall(r"^  -(\w), --[a-z-]+(?: (\S+))?", help_of(*command), re.MULTILINE):
                with self.subTest(command=command, letter=letter):
                    asked = run(*command, f"-{letter}")
                    self.assertEqual(asked, run(*command, "--help") if letter == "h" else (2, "", asked[2]))
                    if value:
                        self.assertIn(f"-{letter} lacks its value", asked[2])

    def test_a_short_flag_takes_its_value_as_those_of_kubectl(self):
        """-n VALUE, -nVALUE and -n=VALUE; what takes none says so."""
        for command in EVERY:
            for letter, name, value in re.findall(r"^  -(\w), --([a-z-]+)(?: (\S+))?", help_of(*command), re.MULTILINE):
                if name == "help":
                    continue
                with self.subTest(command=command, letter=letter):
                    if not value:
                        for word in (f"-{letter}=false", f"-{letter}=", f"-{letter}=={letter}"):
                            self.assertIn(f"-{letter} takes no value; see ", run(*command, word)[2])
                        continue
                    given = value.split("|")[0] if value[0].islower() else "a=b"
                    expected = run(*command, f"--{name}={given}", "--no-such-flag")
                    self.assertIn("--no-such-flag is not a flag", expected[2])
                    for words in ((f"-{letter}", given), (f"-{letter}{given}",), (f"-{letter}={given}",)):
                        self.assertEqual(run(*command, *words, "--no-such-flag"), expected)
                    if value[0].islower():
                        self.assertIn(f"--{name} x is not one of", run(*command, f"-{letter}=x")[2])
                        self.assertIn(f"--{name} =x is not one of", run(*command, f"-{letter}", "=x")[2])

    def test_the_value_of_a_short_flag_is_what_stands_behind_the_sign(self):
        manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(manifest)
            file.flush()
            long = run("check", "--output=json", "--namespace=prod", f"--filename={file.name}")
            self.assertIn('"namespace":"prod"', long[1])
            self.assertEqual(run("check", "-o=json", "-n=prod", f"-f={file.name}"), long)
            self.assertEqual(run("check", "-Ro=json", "-n=prod", f"-Rf={file.name}"), long)

    def test_a_part_of_a_flag_is_no_flag(self):
        for words in (("--versio",), ("--hel",), ("check", "--polic", "x", "-"), ("check", "--polic=x", "-")):
            status, output, errors = run(*words)
            self.assertEqual((status, output), (2, ""), words)
            self.assertIn("is not a flag", errors)
        self.assertIn("did you mean --version?", run("--versio")[2])

    def test_a_command_without_arguments_says_so(self):
        for command in (("serve",), ("certs", "create"), ("certs", "renew"), ("version",)):
            with self.subTest(command):
                expected = f"applyguard {' '.join(command)}: {' '.join(command)} takes no arguments; see applyguard {' '.join(command)} --help\n"
                self.assertEqual(run(*command, "extra"), (2, "", expected))

    def test_standard_input_is_read_once(self):
        """The second reader would get an empty file."""
        for command in EVERY:
            listed = re.findall(r"^  (?:-(\w), )?--([a-z-]+) FILE$|^  (?:-(\w), )?--([a-z-]+) FILE ", help_of(*command), re.MULTILINE)
            readers = [(f"-{letter}" if letter else f"--{name}", f"--{name}=-")
                       for letter, name in ((one[0] or one[2], one[1] or one[3]) for one in listed)]
            for number, (first, word) in enumerate(readers):
                for second, other in readers[number + 1:]:
                    with self.subTest(command=command, first=first, second=second):
                        status, output, errors = run(*command, word, other)
                        self.assertEqual((status, output), (2, ""))
                        self.assertIn(f": {first} and {second} both read standard input; name a file for one of them; see ", errors)
        for arguments, sentence in ((("check", "-", "--baseline", "-"), '--baseline and the argument "-" both read standard input'),
                                    (("check", "-f", "-", "-"), '-f and the argument "-" both read standard input'),
                                    (("review", "-", "--policy=-"), '--policy and the argument "-" both read standard input'),
                                    (("blame", "-f-", "-f=-"), "-f - is given twice, and standard input is read once"),
                                    (("review", "-", "-"), "- is given twice, and standard input is read once"),
                                    (("certs", "inject", "--ca", "-"), "--ca and MANIFEST both read standard input"),
                                    (("certs", "inject", "--ca", "-", "-"), '--ca and the argument "-" both read standard input')):
            with self.subTest(arguments):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(f": {sentence}", errors)

    def test_no_input_is_dropped(self):
        for arguments, sentence in ((("explain", "-f", "a", "-f", "b"), "--filename b is one FILE too many"),
                                    (("explain", "-f", "a", "--live", "b", "--live", "c"), "--live c is one FILE too many"),
                                    (("preview", "-f", "a", "--live", "b", "--live", "b"), "--live b is one FILE too many"),
                                    (("preview", "-f", "a", "--previous", "b", "--previous", "c"), "--previous c is one FILE too many"),
                                    (("check", "a", "--baseline", "b", "--baseline", "c"), "--baseline c is one FILE too many"),
                                    (("certs", "inject", "--ca", "b", "--ca", "c"), "--ca c is one FILE too many"),
                                    (("explain", "-f", "a", "unjudged"), "use either RULE or -f; see "),
                                    (("blame", "-f", "a", "deploy/web"), "use either KIND/NAME or -f; see "),
                                    (("migrate", "--to", "a", "-f", "a", "deploy/web"), "use either KIND/NAME or -f; see "),
                                    (("migrate", "--to", "a", "-f", "a", "-f", "b"), "-f is given twice: a patch is for one object"),
                                    (("migrate", "--to", "a", "deploy/a", "deploy/b"), "KIND/NAME is given twice: a patch is for one ")):
            with self.subTest(arguments):
                status, output, errors = run(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(f": {sentence}", errors)

    def test_lines_fit_a_terminal(self):
        for command in [(), *EVERY]:
            for line in help_of(*command).splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_the_readme_lists_each_command(self):
        table = (ROOT / "README.md").read_text().partition("## The commands")[2].partition("\n## ")[0]
        listed = set(re.findall(r"^\| `applyguard (\w+)", table, re.MULTILINE))
        self.assertEqual(listed, {command[0] for command in EVERY})


class Manual(unittest.TestCase):
    page = run("help", "--man")[1]

    def test_each_command_and_flag_is_in_it(self):
        for command in EVERY:
            with self.subTest(command):
                section = self.page.partition(f"\n.Ss {' '.join(command)}\n")[2].partition("\n.Ss ")[0].partition("\n.Sh ")[0]
                found = [(name, value or "") for name, value in
                         re.findall(r"^\.It (?:Fl \w , )?Fl Fl ([a-z-]+)(?: Ar (\S+))?$", section, re.MULTILINE)]
                self.assertEqual(found, flags(command))

    def test_it_is_clean(self):
        checks = [["mandoc", "-Tlint"], ["groff", "-ww", "-mandoc", "-Tutf8", "-z"]]
        checks = [check for check in checks if shutil.which(check[0])]
        if not checks:
            self.skipTest("needs mandoc or groff")
        for check in checks:
            done = subprocess.run(check, input=self.page, capture_output=True, text=True)
            self.assertEqual(done.stdout + done.stderr, "", check[0])

    def test_two_builds_have_the_same(self):
        self.assertEqual(self.page, run("help", "--man")[1])
        self.assertRegex(self.page, r"(?m)^\.Dd \w+ \d+, \d{4}$")


class Completion(unittest.TestCase):
    """`applyguard __complete`, which all shells ask."""

    def test_each_flag_is_offered(self):
        for command in EVERY:
            with self.subTest(command):
                self.assertEqual(offered(*command, "--"), ([f"--{name}" for name, _ in flags(command)], ":4"))

    def test_each_command_is_offered(self):
        self.assertEqual(offered(""), (subcommands(), ":4"))
        self.assertEqual(offered("certs", ""), (["create", "renew", "show", "inject"], ":4"))
        self.assertEqual(offered("help", "certs", "re"), (["renew"], ":4"))
        self.assertNotIn("__complete", offered("__")[0])

    def test_values_are_offered_by_what_they_are(self):
        for words, expected in (
            (("review", "--mode", ""), (["enforce", "warn", "audit"], ":4")),
            (("review", "--mode=w"), (["warn"], ":4")),
            (("review", "-o", "j"), (["json"], ":4")),
            (("review", "-o=j"), (["json"], ":4")),
            (("review", "--policy", ""), ([], ":0")),
            (("review", "x.json", ""), ([], ":0")),
            (("review", "-"), (["--policy", "--mode", "--output", "--fail-on", "--color", "--help"], ":4")),
            (("certs", "create", "--out", ""), ([], ":16")),
            (("certs", "create", "--dns", ""), ([], ":4")),
            (("explain", ""), (RULES, ":4")),
            (("explain", "-o", "json", "unj"), (["unjudged"], ":4")),
            (("explain", "--", "unj"), (["unjudged"], ":4")),
            (("completion", ""), (["bash", "zsh", "fish"], ":4")),
            (("version", ""), ([], ":4")),
            (("no-such-command", ""), (subcommands(), ":4")),
        ):
            with self.subTest(words):
                self.assertEqual(offered(*words), expected)

    def test_mistakes_are_reported_with_what_to_do(self):
        for arguments, words in (((), "bash, zsh or fish"), (("tcsh",), "tcsh is not one of bash, zsh, fish"),
                                 (("bash", "zsh"), "one SHELL")):
            status, output, errors = run("completion", *arguments)
            self.assertEqual((status, output), (2, ""))
            self.assertIn(words, errors)


class Shells(unittest.TestCase):
    """The shells themselves, each with its script."""

    def setUp(self):
        if APPLYGUARD.name != "applyguard":
            self.skipTest("the program has another name")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        pathlib.Path(self.folder.name, "a file.yaml").touch()
        pathlib.Path(self.folder.name, "folder").mkdir()

    def needs(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"needs {shell}")

    def script(self, shell):
        status, script, errors = run("completion", shell)
        self.assertEqual((status, errors), (0, ""))
        path = pathlib.Path(self.folder.name, f".{shell}")
        path.write_text(script)
        return path

    def check(self, complete):
        """`complete` returns the set of words that the shell offers for a line that ends where the tab is pressed."""
        for command in EVERY:
            with self.subTest(command):
                line = " ".join(["applyguard", *command, "--"])
                self.assertEqual(complete(line), {f"--{name}" for name, _ in flags(command)})
        for line, expected in (
            ("applyguard ", set(subcommands())),
            ("applyguard certs ", {"create", "renew", "show", "inject"}),
            ("applyguard review --mode ", {"enforce", "warn", "audit"}),
            ("applyguard explain explicit-", {rule for rule in RULES if rule.startswith("explicit-")}),
            ("applyguard version x ", set()),
        ):
            with self.subTest(line):
                self.assertEqual(complete(line), expected)

    def test_bash(self):
        script = self.script("bash")

        def complete(line):
            words = line.split(" ")
            program = (f"source {script}; COMP_LINE=$1 COMP_POINT=${{#1}} COMP_CWORD={len(words) - 1}; "
                       'read -ra COMP_WORDS <<< "$1"; _applyguard applyguard; printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "--norc", "-c", program, "bash", line], capture_output=True, text=True, env=PLAIN,
                                  cwd=self.folder.name)
            return {word for word in done.stdout.split("\n") if word}

        self.check(complete)
        self.assertEqual(complete("applyguard review --mode=e"), {"enforce"})
        self.assertEqual(complete("/absent/applyguard "), set())
        for line, expected in (
            ("review --mode=en", "--mode=enforce"),
            ("review a", "review a\\ file.yaml"),
            ("review a\\ f", "review a\\ file.yaml"),
            ("review 'a f", "review 'a file.yaml'"),
            ("review --policy=a", "--policy=a\\ file.yaml"),
            ("certs create --out f", "--out folder/"),
        ):
            with self.subTest(line):
                self.assert_shown(["bash", "--norc", "-i"], script, f"applyguard {line}\t", [expected])

    def test_fish(self):
        self.needs("fish")
        script = self.script("fish")

        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete --do-complete $argv[1]", line],
                                  capture_output=True, text=True, env={**PLAIN, "HOME": self.folder.name}, cwd=self.folder.name)
            self.assertEqual(done.stderr, "")
            return {offer.split("\t")[0] for offer in done.stdout.splitlines()}

        self.check(complete)
        self.assertEqual(complete("applyguard review --mode=e"), {"--mode=enforce"})
        self.assertEqual(complete("applyguard review a"), {"a file.yaml"})
        self.assertEqual(complete("applyguard review --policy=a"), {"--policy=a file.yaml"})
        self.assertEqual(complete("applyguard certs create --out "), {"folder/"})

    def test_zsh(self):
        self.needs("zsh")
        script = self.script("zsh")
        zsh = ["zsh", "-f", "-i"]
        start = pathlib.Path(self.folder.name, ".start")
        start.write_text("autoload -U compinit; compinit -u -D; LISTMAX=9999; unsetopt menu_complete auto_menu\n"
                         f"source {script}\n")
        for command in EVERY:
            with self.subTest(command):
                self.assert_shown(zsh, start, " ".join(["applyguard", *command, "--\t"]), [f"--{name}" for name, _ in flags(command)])
        for line, expected in (
            ("", subcommands()),
            ("certs ", ["create", "renew", "show", "inject"]),
            ("review --mode ", ["enforce", "warn", "audit"]),
            ("review --mode=en", ["--mode=enforce"]),
            ("explain unj", ["explain unjudged"]),
            ("explain explicit-", [rule for rule in RULES if rule.startswith("explicit-")]),
            ("review a", ["review a\\ file.yaml"]),
            ("review --policy=a", ["--policy=a\\ file.yaml"]),
            ("certs create --out ", ["--out folder/"]),
        ):
            with self.subTest(line):
                self.assert_shown(zsh, start, f"applyguard {line}\t", expected)

    def assert_shown(self, shell, script, keys, expected):
        """A person at a terminal sees each of the expected texts after the keys."""
        ours, theirs = pty.openpty()
        subprocess.run(["stty", "rows", "200", "columns", "200"], stdin=theirs, check=True)
        with subprocess.Popen(shell, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.folder.name, start_new_session=True,
                              env={**PLAIN, "HOME": self.folder.name}) as process:
            os.close(theirs)
            # The prompt as the shell prints it is not how it was typed.
            os.write(ours, f"PS1='READY'; source {script}; PS1='GO''> '\n".encode())
            self.read_until(ours, ["GO> "])
            os.write(ours, keys.encode())
            missing = self.read_until(ours, expected)
            process.kill()
        os.close(ours)
        self.assertEqual(missing, [], keys)

    def read_until(self, terminal, expected):
        """Returns what was not among what the terminal showed within a minute."""
        shown, end = "", time.monotonic() + 60
        while missing := [text for text in expected if text not in shown]:
            if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                break
            shown += os.read(terminal, 65536).decode(errors="replace").replace("\r", "").replace("\a", "")
        return missing


if __name__ == "__main__":
    unittest.main()
