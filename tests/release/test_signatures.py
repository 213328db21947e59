#!/usr/bin/env python3
"""packaging/sign and packaging/verify, with cosign and a key that is thrown away; without a network.

    tests/release/test_signatures.py APPLYGUARD

Protects users from files that somebody has changed: the sum, the signature and the list of files are each looked at.
"""

import os
import pathlib
import shutil
import unittest

from dist import DIST, ROOT, run
import harness

TOOL = ROOT / "tests/release/tools/tool"


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = harness.temporary_directory()
        cosign = pathlib.Path(run(TOOL, "cosign").stdout.strip())
        # Proxies at a closed port: cosign would fail if it used the network.
        nowhere = {name: "http://127.0.0.1:9" for name in ("HTTP_PROXY", "HTTPS_PROXY")}
        cls.environment = {**os.environ, **nowhere, "PATH": f"{cosign.parent}:{os.environ['PATH']}", "HOME": str(cls.folder), "COSIGN_PASSWORD": "",
                           "NO_PROXY": ""}
        cls.must("cosign", "generate-key-pair", "--output-key-prefix", cls.folder / "key")
        cls.must("cosign", "generate-key-pair", "--output-key-prefix", cls.folder / "other")
        cls.dist, cls.signatures = cls.folder / "dist", cls.folder / "signatures"
        # Each file is signed in the same way: the large ones would only take longer.
        cls.dist.mkdir()
        names = ("applyguard-linux-amd64.tar.gz", "applyguard.spdx.json", "applyguard.intoto.json")
        for name in names:
            shutil.copy(DIST / name, cls.dist)
        sums = [line for line in (DIST / "SHA256SUMS").read_text().splitlines() if line.split()[1] in names]
        (cls.dist / "SHA256SUMS").write_text("\n".join(sums) + "\n")
        cls.must(ROOT / "packaging/sign", cls.dist, cls.signatures, cls.folder / "key.key")

    @classmethod
    def must(cls, *command):
        done = run(*command, env=cls.environment)
        if done.returncode:
            raise AssertionError(f"{command[0]}: {done.stderr}")

    def verify(self, key="key", dist=None):
        return run(ROOT / "packaging/verify", dist or self.dist, self.signatures, "--key", self.folder / f"{key}.pub", env=self.environment)

    def changed(self, name, content):
        copy = harness.temporary_directory() / "dist"
        shutil.copytree(self.dist, copy)
        (copy / name).write_bytes(content)
        return self.verify(dist=copy)

    def test_each_file_has_a_bundle(self):
        self.assertEqual(sorted(file.name for file in self.signatures.iterdir()),
                         sorted(f"{file.name}.sigstore.json" for file in self.dist.iterdir()))

    def test_what_was_signed_is_verified(self):
        done = self.verify()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_key_is_refused(self):
        done = self.verify(key="other")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not valid", done.stderr)

    def test_a_changed_file_is_refused(self):
        name = "applyguard-linux-amd64.tar.gz"
        self.assertNotEqual(self.changed(name, (self.dist / name).read_bytes() + b"\0").returncode, 0)

    def test_changed_sums_are_refused(self):
        done = self.changed("SHA256SUMS", (self.dist / "SHA256SUMS").read_bytes() + b"\n")
        self.assertNotEqual(done.returncode, 0)

    def test_a_file_without_a_sum_is_refused(self):
        self.assertIn("is not in SHA256SUMS", self.changed("more.tar.gz", b"more").stderr)


if __name__ == "__main__":
    harness.main()
