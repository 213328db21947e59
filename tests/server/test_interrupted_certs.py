#!/usr/bin/env python3
"""`applyguard certs` is killed, or refused by the system, at each of its writes in turn.

    tests/server/test_interrupted_certs.py APPLYGUARD

Protects who serves from the directory: each file in it is the old one or the new one, never half of one; the authority that
callers were given still vouches for what is served; and the next run goes on from there, with nothing to do by hand.
"""
import base64
import errno
import os
import random
import re
import shutil
import subprocess
import time
import unittest

import faults
import harness

DAY = 86400
BLOCK = re.compile(r"-----BEGIN [A-Z ]+-----\n([A-Za-z0-9+/=\n]+)-----END [A-Z ]+-----\n")
STEPS = ("open", "file write", "sync", "rename")
REFUSALS = {"open": errno.EMFILE, "file write": errno.ENOSPC, "sync": errno.EIO, "rename": errno.EIO}
# The steps that are due so many days after the start, one after the other.
RENEWALS = {"the certificate": 70, "the next authority": 260, "its first signature": 261, "an authority that is over": 800}


def openssl(*arguments):
    return harness.run("openssl", *map(str, arguments))


class Interrupted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.faults = faults.Faults()
        cls.addClassCleanup(cls.faults.close)

    def certs(self, *arguments, days=0, **options):
        self.faults.set_clock(days * DAY)
        return harness.run(harness.Program.path, "certs", *map(str, arguments), env=self.environment(), **options)

    def environment(self):
        """Without the search for leaks at exit: who is killed meanwhile has the sanitizer report that it lost its process."""
        environment = {**os.environ, **self.faults.environment()}
        environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        return environment

    def create(self):
        """A directory, and the authorities that callers have from it."""
        out = harness.temporary_directory() / "certificates"
        done = self.certs("create", "--out", out, "--dns", "localhost")
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def renew(self, out, days, *flags):
        return self.certs("renew", "--out", out, *flags, days=days)

    def assert_whole(self, out):
        """Each file is blocks of PEM, the last of which ends, with as many bytes in them as their DER says."""
        for file in out.glob("[!.]*"):
            text = file.read_text()
            self.assertEqual(BLOCK.sub("", text), "", file)
            for content in BLOCK.findall(text):
                der = base64.b64decode(content, validate=False)
                self.assertEqual(self.der_length(der), len(der), file)

    @staticmethod
    def der_length(der):
        count = der[1] - 0x80 if der[1] > 0x80 else 0
        return 2 + count + (int.from_bytes(der[2:2 + count], "big") if count else der[1])

    def vouches(self, out, days, bundle="ca.crt"):
        return openssl("verify", "-x509_strict", "-attime", int(time.time()) + days * DAY, "-CAfile", out / bundle,
                       out / "tls.crt").returncode == 0

    def assert_mended(self, out, days, old_bundle):
        done = self.renew(out, days)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_whole(out)
        self.assertTrue(self.vouches(out, days))
        public = [openssl(*command, "-in", out / name).stdout for command, name in (
            (("pkey", "-pubout"), "tls.key"), (("x509", "-pubkey", "-noout"), "tls.crt"))]
        self.assertEqual(*public)
        # Clients with the old authority get the next one before it signs.
        if days < 800:
            (out / "old.pem").write_bytes(old_bundle)
            self.assertTrue(self.vouches(out, days, "old.pem") or days == 261)
            (out / "old.pem").unlink()

    def prepared(self):
        """For each renewal the directory in which it is due."""
        out = self.create()
        for name, days in RENEWALS.items():
            if days == 260:
                self.assertEqual(self.renew(out, days - 20, "--force").returncode, 0)
            yield name, days, out
            out = shutil.copytree(out, harness.temporary_directory() / "certificates")
            self.assertEqual(self.renew(out, days).returncode, 0)

    def interrupt_each(self, error_of, count):
        for name, days, before in self.prepared():
            old_bundle = (before / "ca.crt").read_bytes()
            for kind in STEPS:
                self.faults.set(kind)
                copy = shutil.copytree(before, harness.temporary_directory() / "certificates")
                self.assertEqual(self.renew(copy, days).returncode, 0)
                for number in faults.sample(range(1, self.faults.calls(kind) + 1), count):
                    with self.subTest(name, call=kind, number=number):
                        out = shutil.copytree(before, harness.temporary_directory() / "certificates")
                        self.faults.set(kind, at=number, error=error_of(kind))
                        done = self.renew(out, days)
                        self.faults.clear()
                        self.check_interrupted(done, error_of(kind))
                        self.assert_whole(out)
                        self.assertTrue(days == 800 or self.vouches(out, days))
                        self.assert_mended(out, days, old_bundle)

    def check_interrupted(self, done, error):
        if error == faults.KILLED:
            self.assertEqual(done.returncode, -9, done.stderr)
        else:
            self.assertIn(done.returncode, (0, 2), done.stderr)
            self.assertEqual(done.returncode == 2, bool(done.stderr), "a failure is told")

    def test_killed_at_each_call(self):
        """SIGKILL before every open, write, fsync and rename of a renewal."""
        self.interrupt_each(lambda kind: faults.KILLED, 2)

    def test_refused_at_each_call(self):
        """EMFILE, ENOSPC and EIO at every one of them."""
        self.interrupt_each(REFUSALS.get, 2)

    def test_killed_at_any_time(self):
        """SIGKILL at random moments, again and again in one directory."""
        out = self.create()
        old = (out / "ca.crt").read_bytes()
        chance = random.Random(19)
        for _ in range(400 if faults.ALL else 40):
            self.faults.set_clock(0)
            process = subprocess.Popen([harness.Program.path, "certs", "renew", "--force", "--out", out],
                                       env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.03))
            process.kill()
            process.wait()
            self.assert_whole(out)
            self.assertTrue(self.vouches(out, 0))
        self.assert_mended(out, 0, old)

    def test_killed_while_it_creates(self):
        """The files of a creation that was killed are whole, and a later creation does not overwrite them."""
        for kind in STEPS:
            for number in range(1, 40):
                out = harness.temporary_directory() / "certificates"
                self.faults.set(kind, at=number, error=faults.KILLED)
                done = self.certs("create", "--out", out, "--dns", "localhost")
                self.faults.clear()
                if done.returncode == 0:
                    break
                with self.subTest(kind, number=number):
                    self.assertEqual(done.returncode, -9, done.stderr)
                    self.assert_whole(out)
                    if (out / "tls.crt").exists():
                        self.assert_mended(out, 0, (out / "ca.crt").read_bytes())

    def test_the_same_process_number_again(self):
        """In a container each run has the same number: what a killed one left in the way stops no other."""
        out = self.create()
        self.faults.set_clock(0)
        for name in ("tls.key", "tls.crt"):
            done = harness.run(
                "sh", "-c", f'echo half > "$1/.{name}.$$"; exec "$0" certs renew --force --out "$1"', harness.Program.path, str(out))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(list(out.glob(".*")), [])
        self.assert_whole(out)


def tearDownModule():
    print(f"fault points: {faults.Faults.total}")


if __name__ == "__main__":
    harness.main()
