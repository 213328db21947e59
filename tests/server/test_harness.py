"""The tests' own harness: a sanitizer's report fails the test, even if the test accepts how the program ended.

Protects all that `./dev sanitize` says from being said in vain.
"""

import pathlib
import sys
import unittest

import harness

# The report, its sanitizer, and how to cause it.
FAULTS = {
    "heap-use-after-free": ("address", "char *volatile block = malloc(1); free(block); block[0] = 1;"),
    "LeakSanitizer": ("address", "void *volatile block = malloc(100); block = 0;"),
    "signed integer overflow": ("undefined", "volatile int most = 0x7fffffff; most++;"),
    # The sanitizer may miss two writes in the same instant, so the second waits for the first, by a flag that orders nothing
    # but time.
    "data race": ("thread", "pthread_t other; pthread_create(&other, 0, run, 0);"
                            "while (!atomic_load_explicit(&has_run, memory_order_relaxed)) {} run(0);"
                            "pthread_join(other, 0);"),
}
# Says that it is done, and waits to be killed, or for the end of its input.
PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static int shared;
static atomic_int has_run;
void *run(void *data) { shared++; atomic_store_explicit(&has_run, 1, memory_order_relaxed); return data; }
int main(void) { if (getenv("FAULTY")) { %s } puts("done"); fclose(stdout); getchar(); return 0; }
"""
TEST = """
import os, subprocess, sys, unittest
sys.path.insert(0, %r)
import harness
class Careless(unittest.TestCase):
    def test_nothing(self):
        with subprocess.Popen([harness.Program.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.read()
            if os.environ["END"] == "kill":
                process.kill()
harness.main()
"""


class Sanitizers(unittest.TestCase):
    def setUp(self):
        self.directory = harness.temporary_directory()
        self.test = self.directory / "careless.py"
        self.test.write_text(TEST % str(pathlib.Path(__file__).parent))

    def program(self, fault):
        sanitizer, statements = FAULTS[fault]
        path = self.directory / "program"
        made = harness.run("cc", "-x", "c", "-", "-g", "-w", f"-fsanitize={sanitizer}", "-o", str(path),
                           input=(PROGRAM % statements).encode())
        self.assertEqual(made.returncode, 0, made.stderr)
        return path

    def outcome(self, program, **environment):
        """For a test that does not look at how its program ended, or kills it."""
        return harness.run(sys.executable, str(self.test), str(program), env={"PATH": "/usr/bin:/bin", **environment})

    def test_a_report_fails_the_test(self):
        for fault in FAULTS:
            program = self.program(fault)
            with self.subTest(fault):
                failed = self.outcome(program, FAULTY="1", END="wait")
                self.assertEqual(failed.returncode, 1, failed.stderr)
                self.assertIn(fault.encode(), failed.stderr)
                passed = self.outcome(program, END="wait")
                self.assertEqual(passed.returncode, 0, passed.stderr)

    def test_of_a_program_that_is_killed(self):
        failed = self.outcome(self.program("signed integer overflow"), FAULTY="1", END="kill")
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.assertIn(b"signed integer overflow", failed.stderr)


if __name__ == "__main__":
    harness.main()
