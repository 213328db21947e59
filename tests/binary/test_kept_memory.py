#!/usr/bin/env python3
"""check uses the memory of one file for the next.

    tests/binary/test_kept_memory.py APPLYGUARD

Protects users with large files from a slow check: the kernel clears memory that it takes back and gives again, page by page, and
that took a fifth of the time. The allocator of the sanitizers keeps memory in another way.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)

MEMBERS = "".join(f"  member-{number}: {{text: {'x' * 40}, type: object}}\n" for number in range(9000))


def page_faults(count):
    """Of a check of so many large files. Each takes the same memory."""
    with tempfile.TemporaryDirectory() as directory:
        for number in range(count):
            text = f"apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: w{number}}}\nspec:\n{MEMBERS}"
            (pathlib.Path(directory) / f"{number}.yaml").write_text(text)
        child = subprocess.Popen([APPLYGUARD, "check", "--apply", "server", directory], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode, usage.ru_minflt


class KeptMemory(unittest.TestCase):
    def test_more_files_take_no_more_new_memory(self):
        """Each processor reads files of 700 KB; from its second file on, it needs no new pages."""
        processors = os.cpu_count()
        (status, few), (other_status, many) = page_faults(processors), page_faults(10 * processors)
        self.assertEqual((status, other_status), (0, 0))
        self.assertLess(many, 3 * few)


if __name__ == "__main__":
    unittest.main()
