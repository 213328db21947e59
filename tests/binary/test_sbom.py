#!/usr/bin/env python3
"""The SBOM that the build writes: in the form of SPDX 2.3, and naming what a running server has mapped.

    tests/binary/test_sbom.py APPLYGUARD

Protects users who ask, after a vulnerability in a library is known, whether this program has it.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/server"))

import harness

NAME = "SPDXRef-Package-applyguard"


def run(*command, **environment):
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C", **environment}).stdout


def owner(file):
    """The Debian package of an installed file, which may be known by its name before /lib became a link."""
    found = subprocess.run(
        ["dpkg-query", "--search", file, file.removeprefix("/usr")], capture_output=True, text=True).stdout
    return found.splitlines()[0].split(":")[0]


def version(package):
    return run("dpkg-query", "--show", "--showformat=${Version}\n", package).splitlines()[0]


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = pathlib.Path(harness.Program.path)
        cls.file = cls.program.parent / "applyguard.spdx.json"
        cls.document = json.loads(cls.build())
        cls.packages = {each["name"]: each for each in cls.document["packages"]}

    @classmethod
    def build(cls, **environment):
        run("cmake", "--build", str(cls.program.parent), "--target", "sbom", **environment)
        return cls.file.read_text()

    def linked(self, kind, by=None):
        """The names of packages that are linked in this way, by one package or by any."""
        names = {each["SPDXID"]: name for name, each in self.packages.items()}
        return {names[each["relatedSpdxElement"]] for each in self.document["relationships"]
                if each["relationshipType"] == kind and by in (None, each["spdxElementId"])}

    def test_has_the_form_of_spdx(self):
        """The SPDX project's own validator finds nothing to say."""
        validator = run(ROOT / "tests/binary/spdx-validator").strip()
        done = subprocess.run([validator, "--infile", self.file], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        self.assertEqual(self.document["spdxVersion"], "SPDX-2.3")
        self.assertEqual(self.linked("DESCRIBES"), {"applyguard"})

    def test_describes_this_program(self):
        package = self.packages["applyguard"]
        self.assertEqual(package["versionInfo"], run(self.program, "version").split()[1])
        [checksum] = package["checksums"]
        self.assertEqual(checksum, {"algorithm": "SHA256", "checksumValue": hashlib.sha256(self.program.read_bytes()).hexdigest()})

    def test_names_what_a_server_has_mapped(self):
        """Asks not ldd, which the SBOM is made with, but the kernel about a server that has answered a review."""
        with harness.Server() as server:
            body = harness.review("edit-ssa")
            harness.assert_verdict(self, server.review(body), body)
            maps = pathlib.Path(f"/proc/{server.pid}/maps").read_text()
        files = set(re.findall(r" (/\S+)$", maps, re.MULTILINE)) - {str(self.program)}
        self.assertGreater(len(files), 10)
        self.assertEqual(self.linked("DYNAMIC_LINK"), {owner(file) for file in files})

    def test_names_what_the_program_asks_for(self):
        asked = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--wide", "--dynamic", self.program))
        files = dict(re.findall(r"^\s*(\S+) => (\S+) \(", run("ldd", self.program), re.MULTILINE))
        expected = {owner(os.path.realpath(files[name])) for name in asked if name in files}
        self.assertLessEqual({"libc6", "libssl3", "libyaml-0-2", "libyyjson0"}, expected)
        self.assertEqual(self.linked("DYNAMIC_LINK", by=NAME), expected)

    def test_names_what_is_linked_in(self):
        """The start files, of the C library and of the compiler."""
        self.assertEqual({re.sub(r"\d+", "N", name) for name in self.linked("STATIC_LINK", by=NAME)}, {"libcN-dev", "libgcc-N-dev"})

    def test_has_each_version_and_licence(self):
        licenses = {each["licenseId"]: each["extractedText"] for each in self.document["hasExtractedLicensingInfos"]}
        for name, package in self.packages.items():
            if name == "applyguard":
                continue
            with self.subTest(name):
                self.assertEqual(package["versionInfo"], version(name))
                self.assertIn(f"pkg:deb/debian/{name}@", package["externalRefs"][0]["referenceLocator"])
                for reference in re.findall(r"LicenseRef-[\w.-]+", package["licenseDeclared"]):
                    self.assertGreater(len(licenses[reference]), 20, reference)
        declared = {name: package["licenseDeclared"] for name, package in self.packages.items()}
        self.assertEqual(declared["libyaml-0-2"], "MIT")
        self.assertEqual(declared["zlib1g"], "Zlib")
        self.assertIn("BSD-3-Clause OR GPL-2.0-only", declared["libzstd1"])

    def test_is_the_same_each_time(self):
        """Protects users who compare two: its only time is one that is given."""
        first = self.build(SOURCE_DATE_EPOCH="1700000000", PYTHONHASHSEED="1")
        self.assertEqual(first, self.build(SOURCE_DATE_EPOCH="1700000000", PYTHONHASHSEED="2", TZ="Pacific/Kiritimati"))
        self.assertIn('"created": "2023-11-14T22:13:20Z"', first)
        self.assertEqual(
            json.loads(first)["documentNamespace"], json.loads(self.build(SOURCE_DATE_EPOCH="0"))["documentNamespace"])


if __name__ == "__main__":
    harness.main()
