#!/usr/bin/env python3
"""Krew installs the plugin `kubectl applyguard`, and Homebrew the formula, from the archives of a release.

    tests/cli/test_krew.py APPLYGUARD

Does what Krew does: checks the archive's sum, unpacks the files that the manifest names, and links kubectl-applyguard to the
program.
"""
import hashlib
import pathlib
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "packaging"))

import archive
import facts
import plugins

ARCHIVES = [f"applyguard-{platform}.tar.gz" for platform in facts.PLATFORMS]


class Plugins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        manual = self.path / "applyguard.1"
        manual.write_text(subprocess.run([APPLYGUARD, "help", "--man"], capture_output=True, text=True).stdout)
        self.enterContext(unittest.mock.patch.object(archive, "MANUAL", manual))
        # Stands for the program, which is large with sanitizers: to pack it takes many seconds.
        self.program = self.path / "program"
        self.program.write_text(f'#!/bin/bash\nexec -a "$0" {shlex.quote(str(APPLYGUARD))} "$@"\n')

    def pack(self, name):
        archive.write(self.path / name, archive.files_of_program(self.program))
        return self.path / name

    def sums(self, **more):
        return {**{name: hashlib.sha256(name.encode()).hexdigest() for name in ARCHIVES}, **more}

    def test_the_manifest_leads_to_a_plugin_that_runs(self):
        packed = self.pack("applyguard-linux-amd64.tar.gz")
        digest = hashlib.sha256(packed.read_bytes()).hexdigest()
        manifest = plugins.krew_manifest("0.1.0", self.sums(**{packed.name: digest}))
        self.assertNotIn("{{", manifest)
        value = {key: re.search(rf"^ *{key}: (.+)$", manifest, re.MULTILINE).group(1) for key in ("name", "version", "shortDescription", "bin")}
        self.assertRegex(manifest, rf"uri: https://\S+/v0\.1\.0/{packed.name}\n    sha256: {digest}\n")
        # Krew's rules: a semantic version behind v, and a line that fits `kubectl krew search`.
        self.assertRegex(value["version"], r"\Av\d+\.\d+\.\d+\Z")
        self.assertLessEqual(len(value["shortDescription"]), 50)
        named = set(re.findall(r"\{from: (\S+), to: \.\}", manifest))
        with tarfile.open(packed) as tar:
            self.assertLessEqual(named, set(tar.getnames()))
            tar.extractall(self.path)
        plugin = self.path / f"kubectl-{value['name']}"
        plugin.symlink_to(value["bin"])
        done = subprocess.run([plugin, "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "Usage: kubectl applyguard COMMAND [FLAG...]"))

    def test_each_platform_has_its_archive_and_sum(self):
        sums = self.sums()
        for text in plugins.krew_manifest("0.1.0", sums), plugins.homebrew_formula("0.1.0", sums):
            self.assertEqual(sorted(re.findall(r"applyguard-\w+-\w+\.tar\.gz", text)), sorted(ARCHIVES))
            named = re.findall(r"(applyguard-\w+-\w+\.tar\.gz).*\n *sha256:? \"?(\w{64})", text)
            self.assertEqual(dict(named), sums)

    def test_the_same_program_makes_the_same_bytes(self):
        """The sum in a published manifest stays true of an archive that is packed again."""
        self.assertEqual(self.pack("one.tar.gz").read_bytes(), self.pack("two.tar.gz").read_bytes())

    def test_the_formula_installs_files_that_are_there(self):
        names = set(archive.files_of_program(self.program))
        formula = plugins.homebrew_formula("0.1.0", self.sums())
        self.assertLessEqual(set(re.findall(r'\.install "([^"]+)"', formula)), names)


if __name__ == "__main__":
    unittest.main()
