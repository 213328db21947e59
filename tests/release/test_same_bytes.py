#!/usr/bin/env python3
"""The same commit makes the same release: in another folder, at another time, without a cache of the compiler.

    tests/release/test_same_bytes.py APPLYGUARD
"""

import os
import shutil
import subprocess
import unittest

from dist import DIST, ROOT
import harness
from facts import commit, epoch


class SameBytes(unittest.TestCase):
    def test_a_second_build_has_the_same_sums(self):
        copy = harness.temporary_directory() / "elsewhere"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        for name in filter(None, listed.decode().split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        for architecture in "amd64", "arm64":
            (copy / "build").mkdir(exist_ok=True)
            (copy / f"build/sysroot-{architecture}").symlink_to(ROOT / f"build/sysroot-{architecture}")
        environment = {**os.environ, "CCACHE_DISABLE": "1", "SOURCE_DATE_EPOCH": str(epoch()), "APPLYGUARD_COMMIT": commit(), "TZ": "Asia/Tokyo"}
        done = subprocess.run(["bash", "-c", "umask 077; ./dev release"], cwd=copy, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((copy / "dist/SHA256SUMS").read_text(), (DIST / "SHA256SUMS").read_text())


if __name__ == "__main__":
    harness.main()
