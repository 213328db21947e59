#!/usr/bin/env python3
"""The static program (`./dev static`) is one small file that runs anywhere, and says what the whole program says.

    tests/binary/test_static.py APPLYGUARD

Protects users who put it into an image, a runner or a hook: it needs no library, no file and no loader there.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/static"
STATIC = BUILD / "applyguard"
STATIC.exists() or sys.exit(f"{STATIC} is not built: ./dev static")
BYTES_MAX = 3_500_000
COMMANDS = {"review", "check", "policy", "preview", "blame", "migrate", "replay", "scan", "explain", "completion", "version",
            "help"}

# Those of C and POSIX, of the libraries, and three that Linux, macOS and the BSDs share.
HEADERS = set("""
    assert.h ctype.h dirent.h errno.h fcntl.h float.h glob.h inttypes.h limits.h locale.h math.h poll.h pthread.h regex.h setjmp.h signal.h spawn.h
    stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h sys/stat.h sys/types.h
    sys/wait.h time.h unistd.h
    yaml.h yyjson.h zlib.h zstd.h zstd_errors.h getopt.h sys/ioctl.h sys/random.h""".split())
# POSIX has them since 2024, or as an extension (XSI), and macOS for longer.
NEWER = {"memmem", "getentropy", "strptime", "timegm"}


def run(*arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False, **more)


class Static(unittest.TestCase):
    def test_small(self):
        self.assertLessEqual(STATIC.stat().st_size, BYTES_MAX)

    def test_nothing_is_loaded(self):
        """No interpreter, no library; still position-independent and without writable relocations."""
        shown = run("readelf", "--wide", "--file-header", "--program-headers", "--dynamic", STATIC).stdout
        self.assertRegex(shown, r"Type: +DYN")
        self.assertIn("GNU_RELRO", shown)
        self.assertNotIn("INTERP", shown)
        self.assertNotIn("NEEDED", shown)

    def test_its_commands(self):
        listed = re.search(r"^Commands:\n((?:  .*\n)+)", run(STATIC, "help").stdout, re.MULTILINE)[1]
        self.assertEqual({line.split()[0] for line in listed.splitlines()}, COMMANDS)
        self.assertEqual(run(STATIC, "serve").returncode, 2)


class EmptyRoot(unittest.TestCase):
    """Where there is nothing but the program and its input."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copy(STATIC, self.root / "applyguard")

    def copy(self, path):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / path).is_dir() else shutil.copy)(ROOT / path, target)

    def compare(self, *arguments, status):
        """The same output and exit status as the whole program gives in a complete root."""
        enter = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
        alone = run(*enter, self.root, "/applyguard", *arguments)
        whole = run(APPLYGUARD, *arguments, cwd=self.root)
        self.assertEqual((alone.returncode, alone.stdout, alone.stderr), (whole.returncode, whole.stdout, whole.stderr))
        self.assertEqual(alone.returncode, status, alone.stderr)
        self.assertTrue(alone.stdout + alone.stderr)

    def test_check(self):
        for story, status in (("autoscaled-replicas", 0), ("refused-combination", 1), ("yaml-ambiguity", 0)):
            path = f"tests/manifests/{story}"
            self.copy(path)
            for output in "text", "json", "sarif", "junit":
                self.compare("check", f"--output={output}", path, status=status)

    def test_review(self):
        path = "tests/reviews/applyset-member/review.json"
        self.copy(path)
        self.compare("review", path, status=0)
        self.compare("review", "--output=response", path, status=0)

    def test_policy(self):
        for path in sorted((ROOT / "tests/policies/good").glob("*.yaml"))[:3]:
            self.copy(path.relative_to(ROOT))
            self.compare("policy", "check", str(path.relative_to(ROOT)), status=0)
        self.compare("policy", "show", status=0)
        self.compare("policy", "check", "absent.yaml", status=2)

    def test_explain(self):
        self.compare("explain", "ownership-conflict", status=0)


    def test_preview(self):
        self.copy("tests/previews/web.yaml")
        self.copy("tests/conflicts/live-web.yaml")
        self.compare("preview", "-f", "tests/previews/web.yaml", "--live", "tests/conflicts/live-web.yaml", status=0)


class Portable(unittest.TestCase):
    """Its sources ask for nothing that only Linux has, so another Unix can follow. That it builds there is not shown."""

    def commands(self):
        for entry in json.loads((BUILD / "compile_commands.json").read_text()):
            if pathlib.Path(entry["file"]).is_relative_to(ROOT) and "embedded_files" not in entry["file"]:
                yield entry["file"], entry["directory"], [
                    word for word in shlex.split(entry["command"]) if word != "-D_GNU_SOURCE" and not word.startswith("-W")]

    def test_its_headers(self):
        for file, _, _ in self.commands():
            # What follows is for one C library alone, and there is another way behind #else.
            source = re.sub(r"^#ifdef __GLIBC__\n.*?^#else\n", "", pathlib.Path(file).read_text(), flags=re.DOTALL | re.MULTILINE)
            included = set(re.findall(r"^#include <(.*)>", source, re.MULTILINE))
            self.assertLessEqual(included, HEADERS, file)

    def test_its_functions(self):
        """Compiled as a program for POSIX alone, where the C library shows no more than that."""
        undeclared = {}
        for file, directory, command in self.commands():
            command = [word for word in command if word not in ("-c",)]
            at = command.index("-o")
            command[at:at + 2] = ["-fsyntax-only", "-D_POSIX_C_SOURCE=200809L", "-Werror=implicit-function-declaration"]
            errors = run(*command, cwd=directory).stderr
            for line in errors.splitlines():
                if ": error: " in line:
                    name = re.search("implicit declaration of function \\W(\\w+)", line)
                    undeclared.setdefault(name[1] if name else line, file)
        self.assertLessEqual(set(undeclared), NEWER, undeclared)
        self.assertTrue(undeclared, "what is newer is no longer used: mend the list")


if __name__ == "__main__":
    unittest.main()
