#!/usr/bin/env python3
"""Features for a person at a terminal: the pager, interrupts, colours.

    tests/cli/test_terminal.py APPLYGUARD
"""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIVE = ROOT / "tests/conflicts/live-web.yaml"
PLAIN = {name: value for name, value in os.environ.items() if name not in ("PAGER", "LESS", "NO_COLOR", "TERM")}


class Terminal:
    """A terminal in which a command runs."""

    def __init__(self, *arguments, columns=0, **environment):
        self.ours, theirs = pty.openpty()
        if columns:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        # A shell that runs the tests in the background may ignore interrupts.
        self.process = subprocess.Popen(
            [APPLYGUARD, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
            env={**PLAIN, "TERM": "xterm", **environment}, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        os.close(theirs)

    def read_all(self):
        """All that it shows until the end, and the exit status."""
        shown = b""
        try:
            while chunk := os.read(self.ours, 65536):
                shown += chunk
        except OSError:
            pass  # the other side is closed
        os.close(self.ours)
        return shown.decode().replace("\r", ""), self.process.wait(60)


class Pager(unittest.TestCase):
    def test_an_input_that_never_comes_can_be_interrupted(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = pathlib.Path(folder, "fifo")
            os.mkfifo(fifo)
            terminal = Terminal("blame", "-f", fifo, PAGER="sed s/^/paged:/")
            with fifo.open("wb"):  # once the command has opened it
                terminal.process.send_signal(signal.SIGINT)
                self.addCleanup(terminal.process.kill)
                self.assertEqual(terminal.process.wait(20), -signal.SIGINT)
            self.assertEqual(terminal.read_all()[0], "")

    def test_what_is_printed_is_paged(self):
        shown, status = Terminal("blame", "-f", LIVE, PAGER="sed 's/^/paged: /'").read_all()
        self.assertEqual(status, 0)
        self.assertTrue(all(line.startswith("paged: ") for line in shown.splitlines()), shown)

    def test_long_texts_are_paged(self):
        """Also where the pager takes no more than the first line."""
        preview = ("preview", "-f", LIVE, "--live", LIVE, "--applier", "kubectl-server")
        for arguments in (("help",), ("check", "--help"), ("explain",), ("explain", "ownership-conflict"), preview,
                          ("explain", "-f", ROOT / "tests/conflicts/kubectl-1.36-many.txt")):
            with self.subTest(arguments):
                shown, status = Terminal(*arguments, PAGER="sed 's/^/paged: /'").read_all()
                self.assertTrue(shown and all(line.startswith("paged: ") for line in shown.splitlines()), shown)
                self.assertEqual(status, 1 if arguments == preview else 0)
                self.assertEqual(Terminal(*arguments, PAGER="head -n 1").read_all()[1], status)

    def test_a_pager_that_is_not_there_loses_nothing(self):
        plain, _ = Terminal("blame", "-f", LIVE, PAGER="").read_all()
        self.assertTrue(plain)
        for pager in ("no-such-pager", "no-such-pager -R", "/"):
            with self.subTest(pager):
                shown, status = Terminal("blame", "-f", LIVE, PAGER=pager).read_all()
                self.assertEqual(status, 0)
                self.assertTrue(shown.endswith(plain), shown)

    def test_nothing_to_print_starts_none(self):
        shown, status = Terminal("blame", "-f", "/absent", PAGER="echo started").read_all()
        self.assertEqual((shown, status), ("/absent: error: No such file or directory\n", 2))


class Colour(unittest.TestCase):
    def test_a_dumb_terminal_has_none(self):
        self.assertIn("\033[", Terminal("check", LIVE).read_all()[0])
        self.assertNotIn("\033", Terminal("check", LIVE, TERM="dumb").read_all()[0])
        self.assertNotIn("\033[", Terminal("check", LIVE, NO_COLOR="1").read_all()[0])

    def test_a_flag_decides(self):
        review = ROOT / "tests/reviews/edit-ssa/review.json"
        for arguments in (("check", LIVE), ("review", review), ("blame", "-f", LIVE), ("preview", "-f", LIVE, "--live", LIVE),
                          ("explain", "-f", ROOT / "tests/conflicts/kubectl-1.36-many.txt"), ("policy", "test", ROOT / "tests/absent.test.yaml")):
            with self.subTest(arguments):
                def printed(*flags, **environment):
                    done = subprocess.run([APPLYGUARD, *map(str, arguments), *flags], capture_output=True, env={**PLAIN, **environment})
                    return (done.stdout + done.stderr).decode()
                self.assertNotIn("\033[", printed())
                self.assertNotIn("\033[", printed("--color=auto"))
                self.assertIn("\033[", printed("--color=always", NO_COLOR="1"))
                self.assertNotIn("\033[", Terminal(*arguments, "--color=never", PAGER="").read_all()[0])

    def test_every_command_has_the_flag(self):
        listed = subprocess.run([APPLYGUARD, "help"], capture_output=True, text=True).stdout
        names = re.search(r"^Commands:\n((?:  .*\n)+)", listed, re.MULTILINE)[1]
        for name in re.findall(r"^  (\w+)", names, re.MULTILINE):
            helped = subprocess.run([APPLYGUARD, name, "--color=never", "--help"], capture_output=True, text=True)
            self.assertEqual(helped.returncode, 0, helped.stderr)
            self.assertIn("--color auto|always|never", helped.stdout)
            wrong = subprocess.run([APPLYGUARD, name, "--color=red"], capture_output=True, text=True)
            self.assertIn("--color red is not one of auto, always, never", wrong.stderr)

    def test_no_code_has_colours_of_its_own(self):
        """One palette: each meaning has one colour, whatever prints it."""
        palette = {"base/terminal.h", "commands/blame/append_text.c"}
        for path in ROOT.glob("[a-z]*/**/*.[ch]"):
            name = str(path.relative_to(ROOT))
            if not name.startswith(("build", "tests")) and name not in palette:
                self.assertNotRegex(path.read_text(), r'\\(033|x1b|e)\[[\d;]+m', name)


class Width(unittest.TestCase):
    def test_text_is_as_wide_as_the_terminal(self):
        for arguments in (("check", "--help"), ("help",), ("explain", "ownership-conflict")):
            for columns, pager in ((120, ""), (60, ""), (120, "cat"), (100, "sed -n p")):
                shown, _ = Terminal(*arguments, columns=columns, PAGER=pager).read_all()
                wrapped = [line for line in shown.splitlines() if not line.startswith((" ", "Usage"))]
                if arguments[0] != "explain":
                    self.assertLessEqual(max(map(len, wrapped)), columns)
                self.assertGreater(max(map(len, wrapped)), columns - 15)

    def test_a_pipe_is_80_columns_wide(self):
        shown = subprocess.run([APPLYGUARD, "check", "--help"], capture_output=True, text=True).stdout
        self.assertLessEqual(max(map(len, shown.splitlines())), 80)


if __name__ == "__main__":
    unittest.main()
