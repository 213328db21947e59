#!/usr/bin/env python3
"""The files of a release: each is what its name says, and works where there is nothing else.

    tests/release/test_dist.py APPLYGUARD

Needs dist/ (./dev release). Programs for arm64 run under qemu; those for macOS cannot run here, and are looked at.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import time
import unittest

from dist import ARCHITECTURES, DIST, EMULATORS, PLATFORMS, ROOT, VERSION, Image, enter, run, unpack
import harness

DIST.is_dir() or sys.exit(f"{DIST} is not there: ./dev release")

# The processors of Mach-O's header, for 64 bits.
MACH_O = {"amd64": bytes.fromhex("cffaedfe07000001"), "arm64": bytes.fromhex("cffaedfe0c000001")}
# The magic of an embedded signature.
SIGNATURE = bytes.fromhex("fade0cc0")
STORY = "tests/manifests/refused-combination/web.yaml"
MEMBERS = {"applyguard", "LICENSE", "applyguard.1", "completion/applyguard.bash", "completion/applyguard.fish",
           "completion/applyguard.zsh", "completion/kubectl_complete-applyguard"}


class Dist(unittest.TestCase):
    maxDiff = None

    def folder(self):
        return harness.temporary_directory()

    def assert_checks(self, *command, cwd=None):
        """Its `check` finds in a manifest what the program of this build finds."""
        alone, whole = run(*command, "check", "-o", "json", "web.yaml", cwd=cwd), run(
            harness.Program.path, "check", "-o", "json", "web.yaml", cwd=(ROOT / STORY).parent)
        self.assertEqual((alone.returncode, alone.stdout, alone.stderr), (1, whole.stdout, ""))


class Sums(Dist):
    def test_every_file_has_its_sum(self):
        self.assertEqual(run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=DIST).returncode, 0)
        listed = [line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(sorted([*listed, "SHA256SUMS"]), sorted(file.name for file in DIST.iterdir()))

    def test_the_provenance_is_of_these_files(self):
        statement = json.loads((DIST / "applyguard.intoto.json").read_text())
        self.assertEqual((statement["_type"], statement["predicateType"]), ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"))
        found = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
        self.assertEqual(found, {name: hashlib.sha256((DIST / name).read_bytes()).hexdigest() for name in found})
        self.assertEqual(set(found), {file.name for file in DIST.iterdir()} - {"applyguard.intoto.json", "SHA256SUMS"})
        self.assertNotIn("metadata", statement["predicate"]["runDetails"], "a time")

    def test_validators_accept_the_sbom(self):
        """The SPDX project's own validator finds nothing to say."""
        validator = run(ROOT / "tests/binary/spdx-validator").stdout.strip()
        done = run(validator, "--infile", DIST / "applyguard.spdx.json")
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_the_sboms_name_every_artifact_and_what_is_in_it(self):
        spdx, cyclonedx = (json.loads((DIST / f"applyguard.{form}.json").read_text()) for form in ("spdx", "cdx"))
        artifacts = [name for name in os.listdir(DIST) if name.endswith((".tar.gz", ".deb", ".tgz", ".tar"))]
        for name in artifacts:
            digest = hashlib.sha256((DIST / name).read_bytes()).hexdigest()
            [package] = [each for each in spdx["packages"] if each["name"] == name]
            self.assertEqual(package["checksums"][0]["checksumValue"], digest)
            [component] = [each for each in cyclonedx["components"] if each["name"] == name]
            self.assertEqual(component["hashes"][0]["content"], digest)
        links = {link["ref"]: link["dependsOn"] for link in cyclonedx["dependencies"]}
        known = {each["bom-ref"] for each in cyclonedx["components"]}
        self.assertLessEqual({name for names in links.values() for name in names}, known)
        for name in artifacts:
            libraries = " ".join(links[name])
            self.assertEqual("pkg:deb/debian/libyaml" in libraries, not name.endswith(".tgz"), name)
            self.assertEqual("pkg:deb/debian/libh2o" in libraries, "server" in name or "image" in name, name)


class Archives(Dist):
    def test_their_members(self):
        for platform in PLATFORMS:
            folder = self.folder()
            unpack(DIST / f"applyguard-{platform}.tar.gz", folder)
            self.assertEqual({str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}, MEMBERS)
            self.assertTrue(os.access(folder / "applyguard", os.X_OK))
            self.assertIn("\n.Dt APPLYGUARD 1\n", (folder / "applyguard.1").read_text())

    def test_with_nothing_but_the_archive_it_checks_within_a_second(self):
        root = self.folder()
        begun = time.monotonic()
        unpack(DIST / "applyguard-linux-amd64.tar.gz", root)
        shutil.copy(ROOT / STORY, root)
        self.assert_checks(*enter(root), "/applyguard")
        self.assertLess(time.monotonic() - begun, 10, "a second on an idle machine")

    def test_arm64_checks(self):
        root = self.folder()
        unpack(DIST / "applyguard-linux-arm64.tar.gz", root)
        self.assert_checks("qemu-aarch64", root / "applyguard", cwd=(ROOT / STORY).parent)

    def test_macos(self):
        """It cannot run here: it is for that processor, loads the system's own library alone, and has an ad-hoc signature on arm64,
        without which macOS starts no program."""
        for architecture in ARCHITECTURES:
            folder = self.folder()
            unpack(DIST / f"applyguard-darwin-{architecture}.tar.gz", folder)
            program = (folder / "applyguard").read_bytes()
            self.assertTrue(program.startswith(MACH_O[architecture]))
            self.assertEqual(set(re.findall(rb"/[\w/.]+\.dylib", program)) - {b"/usr/lib/dyld"}, {b"/usr/lib/libSystem.B.dylib"})
            self.assertEqual(SIGNATURE in program, architecture == "arm64")


class Packages(Dist):
    def install(self, package):
        """Into a root of its own, without its scripts and what it depends on."""
        root = self.folder()
        for path in "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log":
            (root / path).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        done = run("dpkg", f"--root={root}", "--force-not-root", "--force-script-chrootless", "--force-depends", "--force-bad-path",
                   f"--log={root}/log", "--install", DIST / package)
        self.assertEqual(done.returncode, 0, done.stderr)
        return root

    def test_the_command_line(self):
        root = self.install(f"applyguard_{VERSION}_amd64.deb")
        shutil.copy(ROOT / STORY, root)
        self.assert_checks(*enter(root), "/usr/bin/applyguard")
        manual = gzip.decompress((root / "usr/share/man/man1/applyguard.1.gz").read_bytes())
        self.assertEqual(manual.decode(), run(root / "usr/bin/applyguard", "help", "--man").stdout)
        for path in ("usr/share/bash-completion/completions/applyguard", "usr/share/zsh/vendor-completions/_applyguard",
                     "usr/share/fish/vendor_completions.d/applyguard.fish"):
            self.assertTrue((root / path).is_file())
        self.assertEqual(run("dpkg-deb", "--field", DIST / f"applyguard_{VERSION}_amd64.deb", "Depends").stdout.strip(), "")

    def test_arm64(self):
        for package in "applyguard", "applyguard-server":
            file = DIST / f"{package}_{VERSION}_arm64.deb"
            self.assertEqual(run("dpkg-deb", "--field", file, "Architecture").stdout, "arm64\n")
        root = self.folder()
        run("dpkg-deb", "--extract", DIST / f"applyguard_{VERSION}_arm64.deb", root)
        self.assert_checks("qemu-aarch64", root / "usr/bin/applyguard", cwd=(ROOT / STORY).parent)

    def test_the_server(self):
        """The program serves with the libraries of this machine, which the package depends on, by the flags of its unit."""
        root = self.folder()
        run("dpkg-deb", "--extract", DIST / f"applyguard-server_{VERSION}_amd64.deb", root)
        self.assertIn("\n.Ss serve\n", gzip.decompress((root / "usr/share/man/man1/applyguard.1.gz").read_bytes()).decode())
        depends = run("dpkg-deb", "--field", DIST / f"applyguard-server_{VERSION}_amd64.deb", "Depends").stdout
        self.assertLessEqual({"libc6", "libcurl4", "libh2o-evloop0.13", "libssl3", "libyaml-0-2"}, set(re.findall(r"[a-z][\w.-]+", depends)))
        self.assertNotIn("yyjson", depends, "Debian 12 has none")
        with ProgramOf(root / "usr/bin/applyguard"), harness.Server(policy=root / "etc/applyguard/policy.yaml") as server:
            self.assertTrue(json.loads(server.review(harness.review("edit-ssa")).body)["response"]["allowed"])

    def test_the_unit(self):
        """systemd finds no mistake in it, and it leaves an attacker little."""
        root = self.folder()
        run("dpkg-deb", "--extract", DIST / f"applyguard-server_{VERSION}_amd64.deb", root)
        unit = root / "lib/systemd/system/applyguard.service"
        text = unit.read_text()
        flags = re.search(r"^ExecStart=/usr/bin/applyguard serve (.*) \$APPLYGUARD_FLAGS$", text, re.MULTILINE)[1]
        self.assertLessEqual(set(re.findall(r"--[a-z-]+", flags)), set(re.findall(r"--[a-z-]+", run(harness.Program.path, "serve", "--help").stdout)))
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd here")
        unit.write_text(text.replace("/usr/bin/applyguard", str(harness.Program.path)).replace("Documentation=", "#"))
        self.assertEqual(run("systemd-analyze", "verify", unit).stderr, "")
        exposure = run("systemd-analyze", "security", "--offline=true", unit).stdout
        self.assertLess(float(re.search(r"exposure level for applyguard.service: ([0-9.]+)", exposure)[1]), 2)


class ProgramOf:
    """Has the harness start another program in the place of the one that is tested."""

    def __init__(self, program):
        self.program = str(program)

    def __enter__(self):
        self.before, harness.Program.path = harness.Program.path, self.program

    def __exit__(self, *_):
        harness.Program.path = self.before


class Images(Dist):
    @classmethod
    def setUpClass(cls):
        cls.layout = harness.temporary_directory()
        unpack(DIST / "applyguard-image.tar", cls.layout)
        cls.images = {architecture: Image(cls.layout, architecture) for architecture in ARCHITECTURES}

    def root_of(self, architecture):
        root = self.folder()
        self.images[architecture].unpack(root)
        return root

    def test_the_blobs_are_what_their_names_say(self):
        for file in (self.layout / "blobs/sha256").iterdir():
            self.assertEqual(hashlib.sha256(file.read_bytes()).hexdigest(), file.name)

    def test_its_configuration(self):
        for architecture, image in self.images.items():
            self.assertEqual(image.tag, VERSION)
            self.assertEqual(image.configuration["architecture"], architecture)
            made = image.configuration["config"]
            self.assertEqual((made["User"], made["Entrypoint"]), ("65532:65532", ["/usr/bin/applyguard"]))
            self.assertEqual(made["Labels"]["org.opencontainers.image.version"], VERSION)
            self.assertEqual(made["Labels"]["org.opencontainers.image.licenses"], "Apache-2.0")

    def test_nothing_else_can_be_started_in_it(self):
        root = self.root_of("amd64")
        programs = [file for file in root.rglob("*") if file.is_file() and os.access(file, os.X_OK)]
        for file in programs:
            self.assertTrue(file.name == "applyguard" or re.match(r"(ld-linux.*|lib.*)\.so", file.name), file)
        shutil.copy(ROOT / STORY, root)
        self.assert_checks(*enter(root), "/usr/bin/applyguard")

    def test_a_container_runtime_starts_it(self):
        """By crun, where it may: as the user of the image, with a root that cannot be written."""
        if not shutil.which("crun"):
            self.skipTest("no crun here")
        bundle = self.folder()
        self.images["amd64"].unpack(bundle / "rootfs")
        run("crun", "spec", cwd=bundle)
        spec = json.loads((bundle / "config.json").read_text())
        spec["process"].update(args=["/usr/bin/applyguard", "version"], terminal=False, user={"uid": 65532, "gid": 65532})
        spec["process"]["capabilities"] = {}
        spec["root"]["readonly"] = True
        (bundle / "config.json").write_text(json.dumps(spec))
        done = run("crun", "--root", bundle / "state", "--cgroup-manager=disabled", "run", f"applyguard-{os.getpid()}", cwd=bundle)
        if done.returncode and not done.stdout:
            self.skipTest(f"crun may not start a container here: {done.stderr.strip()}")
        self.assertIn(VERSION, done.stdout)

    def test_it_serves(self):
        """A review for both processors: with nothing but the files of the image."""
        for architecture in ARCHITECTURES:
            with self.subTest(architecture):
                root = self.root_of(architecture)
                started = self.folder() / "started"
                command = [part.format(root=root) for part in EMULATORS[architecture]] or [
                    root / "lib64/ld-linux-x86-64.so.2", "--library-path", f"{root}/lib/x86_64-linux-gnu:{root}/usr/lib/x86_64-linux-gnu"]
                words = " ".join(f"'{word}'" for word in [*command, root / "usr/bin/applyguard"])
                started.write_text(f"#!/bin/sh\nexec {words} \"$@\"\n")
                started.chmod(0o755)
                with ProgramOf(started), harness.Server() as server:
                    answer = json.loads(server.review(harness.review("edit-ssa")).body)
                    self.assertTrue(answer["response"]["allowed"])
                    self.assertIn("[ownership-conflict]", " ".join(answer["response"]["warnings"]))


if __name__ == "__main__":
    harness.main()
