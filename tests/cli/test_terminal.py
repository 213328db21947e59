#!/usr/bin/env python3
"""Features for a person at a terminal: the pager, interrupts, colours.

    tests/cli/test_terminal.py APPLYGUARD
"""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIVE = ROOT / "tests/conflicts/live-web.yaml"
PLAIN = {name: value for name, value in os.environ.items() if name not in ("PAGER", "LESS", "NO_COLOR", "TERM")}


class Terminal:
    """A terminal in which a command runs."""

    def __init__(self, *arguments, **environment):
        self.ours, theirs = pty.openpty()
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
        self.assertEqual((shown, status), ("/absent: No such file or directory\n", 2))


class Colour(unittest.TestCase):
    def test_a_dumb_terminal_has_none(self):
        self.assertIn("\033[", Terminal("check", LIVE).read_all()[0])
        self.assertNotIn("\033", Terminal("check", LIVE, TERM="dumb").read_all()[0])
        self.assertNotIn("\033[", Terminal("check", LIVE, NO_COLOR="1").read_all()[0])


if __name__ == "__main__":
    unittest.main()
