#!/usr/bin/env python3
"""Krew installs the plugin `kubectl applyguard`.

    tests/cli/test_krew.py APPLYGUARD

Does what Krew does: checks the archive's sum, unpacks the files that the manifest names, and links kubectl-applyguard to the
program.
"""
import hashlib
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def pack(folder, *programs):
    return subprocess.run([ROOT / "cmake/krew.py", "--version", "0.1.0", "--url", "https://example.com/v0.1.0/", "--homepage",
                           "https://example.com", "--output", folder, *programs], capture_output=True, text=True)


class Krew(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_the_manifest_leads_to_a_plugin_that_runs(self):
        self.assertEqual(pack(self.path, f"linux/amd64={APPLYGUARD}").stderr, "")
        manifest = (self.path / "applyguard.yaml").read_text()
        value = {key: re.search(rf"^ *{key}: (.+)$", manifest, re.MULTILINE).group(1)
                 for key in ("name", "version", "shortDescription", "uri", "sha256", "bin", "matchLabels")}
        archive = self.path / value["uri"].rpartition("/")[2]
        self.assertEqual(value["uri"], f"https://example.com/v0.1.0/{archive.name}")
        self.assertEqual(value["matchLabels"], "{os: linux, arch: amd64}")
        self.assertEqual(value["sha256"], hashlib.sha256(archive.read_bytes()).hexdigest())
        # Krew's rules: a semantic version behind v, and a line that fits `kubectl krew search`.
        self.assertRegex(value["version"], r"\Av\d+\.\d+\.\d+\Z")
        self.assertLessEqual(len(value["shortDescription"]), 50)
        with tarfile.open(archive) as tar:
            self.assertEqual(sorted(tar.getnames()), sorted(re.findall(r"\{from: (\S+), to: \.\}", manifest)))
            tar.extractall(self.path)
        plugin = self.path / f"kubectl-{value['name']}"
        plugin.symlink_to(value["bin"])
        done = subprocess.run([plugin, "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "Usage: kubectl applyguard COMMAND [FLAG...]"))

    def test_each_platform_has_its_archive(self):
        pack(self.path, f"linux/amd64={ROOT}/README.md", f"linux/arm64={ROOT}/LICENSE")
        manifest = (self.path / "applyguard.yaml").read_text()
        self.assertEqual(re.findall(r"applyguard-\S+\.tar\.gz", manifest), ["applyguard-linux-amd64.tar.gz", "applyguard-linux-arm64.tar.gz"])
        self.assertEqual(len(set(re.findall(r"sha256: (\w{64})", manifest))), 2)

    def test_the_same_program_makes_the_same_bytes(self):
        """The sum in a published manifest stays true of an archive that is packed again."""
        for name in ("one", "two"):
            pack(self.path / name, f"linux/amd64={ROOT}/LICENSE")
        one, two = (sorted((file.name, file.read_bytes()) for file in (self.path / name).iterdir()) for name in ("one", "two"))
        self.assertEqual(one, two)

    def test_mistakes_are_reported(self):
        done = pack(self.path, "linux=program")
        self.assertEqual(done.returncode, 2)
        self.assertIn("linux=program is not OS/ARCH=PROGRAM", done.stderr)


if __name__ == "__main__":
    unittest.main()
