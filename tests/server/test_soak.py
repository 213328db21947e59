"""A long life in short: all that clients do and admins change, and nothing of it is left in the server.

tests/bench/soak does the same for long, under load.
"""

import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench"))

import harness
import soaking

ROUNDS = 15


class Soak(unittest.TestCase):
    def test_nothing_is_left(self):
        """Every answer is right while policy and certificate change, and open files and threads are as before."""
        acts = soaking.Acts()
        self.addCleanup(lambda: acts.server.is_running() and acts.server.kill())
        acts.begin()
        for _ in range(ROUNDS):
            for act in acts.all():
                acts.do(act)
        acts.check_at_rest()
        acts.check_answers()
        acts.check_reloads()
        acts.check_log()
        acts.stop()


if __name__ == "__main__":
    harness.main()
