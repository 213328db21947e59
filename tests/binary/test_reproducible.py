#!/usr/bin/env python3
"""The same sources, built with the same tools, give the same bytes.

    tests/binary/test_reproducible.py APPLYGUARD

Protects users who build the program again to see that it was made of these sources. The program is compared with one that is
built elsewhere, at another time, in another order, and without a cache of the compiler.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parents[2]
# The choices of the build, and other things that may differ from one machine to another.
CHOSEN = ("CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_C_FLAGS", "CMAKE_EXE_LINKER_FLAGS", "CMAKE_TOOLCHAIN_FILE")
ELSEWHERE = {"CCACHE_DISABLE": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1"}


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout[-2000:]}")
    return done.stdout


def build_elsewhere(directory):
    sources = directory / "a checkout of another name"
    shutil.copytree(ROOT, sources, ignore=lambda folder, names: {"build", ".git"} if pathlib.Path(folder) == ROOT else set())
    cache = (APPLYGUARD.parent / "CMakeCache.txt").read_text()
    chosen = [f"-D{name}={value}" for name, value in re.findall(r"^(\w+):\w+=(.+)$", cache, re.MULTILINE) if name in CHOSEN]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CMAKE_", "CCACHE_"))} | ELSEWHERE
    before = os.umask(0o077)
    try:
        run("cmake", "-G", "Ninja", "-S", sources, "-B", directory / "out", "-DBUILD_TESTING=OFF", *chosen, env=environment)
        run("cmake", "--build", directory / "out", "--target", "applyguard", env=environment)
    finally:
        os.umask(before)
    return directory / "out/applyguard"


class Reproducible(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-reproducible-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.again = build_elsewhere(cls.directory)

    def test_the_same_bytes(self):
        self.assertNotEqual(APPLYGUARD, self.again)
        # Not assertEqual, which would print both.
        self.assertTrue(APPLYGUARD.read_bytes() == self.again.read_bytes(), f"cmp -l {APPLYGUARD} and one built elsewhere")

    def test_no_path_is_in_it(self):
        """Protects the names of folders, and so of people, on the machine that built it; a path of a source differs as well by
        where from it is compiled. The pages that `explain` prints may name sources of ours."""
        pages = [page.read_bytes() for page in (ROOT / "docs" / "rules").glob("*.md")]
        for program, place in (APPLYGUARD, ROOT), (self.again, self.directory):
            text = program.read_bytes()
            self.assertNotIn(os.fsencode(place), text)
            for page in pages:
                text = text.replace(page, b"")
            self.assertEqual(re.findall(rb"[\w.-]*/[\w.-]+\.[ch]\b", text), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
