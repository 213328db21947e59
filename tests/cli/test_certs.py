#!/usr/bin/env python3
"""Certificates by hand: what `applyguard certs` makes is what openssl(1) and the API server take, for years.

    tests/cli/test_certs.py APPLYGUARD

Protects people whose webhook must not lapse, and whose keys must not leak.
"""
import base64
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOW = int(time.time())
DAY = 86400


def run(*arguments, at=None, stdin=b"", variables=(), **options):
    environment = {**os.environ, **dict(variables)}
    if at is not None:
        environment.update(NOW=str(at), LD_PRELOAD=clock(), ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
    done = subprocess.run([APPLYGUARD, *map(str, arguments)], input=stdin, capture_output=True, timeout=60,
                          env=environment, restore_signals=False, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def clock():
    library = pathlib.Path(Certs.directory.name, "clock.so")
    if not library.exists():
        subprocess.run(["cc", "-shared", "-fPIC", str(ROOT / "tests" / "clock.c"), "-o", str(library)], check=True)
    return str(library)


def full_disk():
    """No file can grow beyond 100 bytes, and a write beyond that fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def openssl(*arguments, check=True):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, timeout=60)
    if check and done.returncode:
        raise AssertionError(done.stderr.decode())
    return done.returncode, done.stdout.decode() + done.stderr.decode()


class Certs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Certs.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(Certs.directory.cleanup)

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(dir=self.directory.name)) / "certificates"

    def create(self, *flags, at=None):
        status, output, errors = run("certs", "create", "--out", self.out, "--service", "guard", "--namespace", "prod",
                                     *flags, at=at)
        self.assertEqual((status, errors), (0, ""))
        return output

    def renew(self, *flags, at=None):
        status, output, errors = run("certs", "renew", "--out", self.out, *flags, at=at)
        self.assertEqual((status, errors), (0, ""))
        return output

    def verifies(self, at=NOW, name="guard.prod.svc", ca=None):
        return openssl("verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-attime", at,
                       "-CAfile", ca or self.out / "ca.crt", self.out / "tls.crt", check=False)[0] == 0

    def key_matches(self):
        keys = [openssl(*arguments)[1] for arguments in (
            ("pkey", "-pubout", "-in", self.out / "tls.key"), ("x509", "-pubkey", "-noout", "-in", self.out / "tls.crt"))]
        return keys[0] == keys[1]

    def bundle(self):
        return re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", (self.out / "ca.crt").read_text(),
                          re.DOTALL)

    def save_bundle(self, name):
        return shutil.copy(self.out / "ca.crt", self.out.parent / name)


class Create(Certs):
    def test_what_is_made_verifies(self):
        """For the name that the API server asks for, and the others that were given; not for another."""
        self.create("--dns", "guard.example.com", "--ip", "192.0.2.7", "--ip", "::1")
        for name in ("guard.prod.svc", "guard.prod.svc.cluster.local", "guard.example.com"):
            self.assertTrue(self.verifies(name=name), name)
        self.assertFalse(self.verifies(name="other.prod.svc"))
        text = openssl("x509", "-in", self.out / "tls.crt", "-noout", "-text")[1]
        self.assertIn("IP Address:192.0.2.7", text)
        self.assertIn("IP Address:0:0:0:0:0:0:0:1", text)
        self.assertTrue(self.key_matches())

    def test_lifetimes(self):
        """90 days and a year, or as the flags say; good from an hour ago, for clocks that are behind."""
        self.create()
        self.assertTrue(self.verifies(at=NOW - 3500))
        self.assertTrue(self.verifies(at=NOW + 89 * DAY))
        self.assertFalse(self.verifies(at=NOW + 91 * DAY))
        self.out = self.out.with_name("short")
        self.assertIn("tls.crt: it ends with its authority, in 2 days, not in 3 (--days)\n",
                      self.create("--days", "3", "--ca-days", "2"))
        self.assertTrue(self.verifies(at=NOW + 1 * DAY))
        self.assertFalse(self.verifies(at=NOW + 2 * DAY + 3600))

    def test_rsa(self):
        self.create("--key", "rsa")
        self.assertTrue(self.verifies())
        for file in ("ca.crt", "tls.crt"):
            self.assertIn("Public-Key: (2048 bit)", openssl("x509", "-in", self.out / file, "-noout", "-text")[1])

    def test_keys_are_for_their_owner_alone(self):
        """0600 with any umask, in a directory of 0700; no key in any output."""
        old = os.umask(0)
        try:
            output = self.create()
        finally:
            os.umask(old)
        self.assertIn(f"the server needs tls.crt and tls.key alone\nwhere ca.key is, run applyguard certs renew --out {self.out} every day\n", output)
        self.assertEqual(stat.S_IMODE(self.out.stat().st_mode), 0o700)
        for file, mode in (("ca.key", 0o600), ("tls.key", 0o600), ("ca.crt", 0o644), ("tls.crt", 0o644)):
            self.assertEqual(stat.S_IMODE((self.out / file).stat().st_mode), mode, file)
        shown = run("certs", "show", self.out)[1]
        for key in ("ca.key", "tls.key"):
            for line in (self.out / key).read_text().splitlines()[1:-1]:
                self.assertNotIn(line[:16], output + shown)
        self.assertEqual(sorted(file.name for file in self.out.iterdir()), ["ca.crt", "ca.key", "tls.crt", "tls.key"])

    def test_nothing_is_overwritten(self):
        """Clients may trust the files that exist."""
        self.create()
        before = {file.name: file.read_bytes() for file in self.out.iterdir()}
        status, output, errors = run("certs", "create", "--out", self.out, "--dns", "a")
        self.assertEqual((status, output), (2, ""))
        self.assertEqual(errors, f"{self.out}: error: ca.crt is there already; renew what is there, or give another directory\n")
        self.assertEqual({file.name: file.read_bytes() for file in self.out.iterdir()}, before)

    def test_a_full_disk_leaves_no_half_files(self):
        """A limit of file size is a disk that is full."""
        # A build with coverage counts in files, which this process would cut short for all others.
        status, _, errors = run("certs", "create", "--out", self.out, "--dns", "a",
                                variables={"GCOV_PREFIX": self.directory.name}, preexec_fn=full_disk)
        self.assertEqual(status, 2)
        self.assertIn("cannot write", errors)
        for file in ("ca.crt", "ca.key", "tls.crt", "tls.key"):
            self.assertFalse((self.out / file).exists(), file)

    def test_mistakes_are_reported_with_what_to_do(self):
        out = str(self.out)
        for arguments, words in (
            ((), "Usage: applyguard certs create"),
            (("mke",), '"mke"'),
            (("create",), "--out is missing"),
            (("create", "--out", out), "a name is missing"),
            (("create", "--out", out, "--service", "a"), "go together"),
            (("create", "--out", out, "--service", "a_b", "--namespace", "c"), "a Service and its namespace"),
            (("create", "--out", out, "--dns", "UPPER"), "--dns UPPER is no DNS name"),
            (("create", "--out", out, "--dns", "a,b"), "is no DNS name"),
            (("create", "--out", out, "--ip", "1.2.3"), "is no IP address"),
            (("create", "--out", out, "--key", "dsa"), "is not one of ec, rsa"),
            (("create", "--out", out, "--days", "0"), "--days 0 is too small"),
            (("create", "--out", out, "--days", "99999"), "too large"),
            (("create", "--out", out, "--force"), "--force is not a flag"),
            (("create", "--out", out, "--dns"), "--dns lacks its value"),
            (("create", "--out", out, "--dns", "a", "b"), "certs create takes no arguments"),
            (("create", "--out", "/absent/a", "--dns", "a"), "/absent/a: error: cannot make it: No such file"),
            (("renew",), "--out is missing"),
            (("renew", "--out", "/absent"), "/absent: error: No such file"),
            (("renew", "--out", out, "--dns", "x"), "--dns is not a flag"),
            (("show",), "DIR or FILE is missing"),
            (("show", "/absent"), "/absent: error: No such file"),
            (("inject",), "--ca is missing"),
            (("inject", "--ca", "/absent"), "/absent: error: No such file"),
            (("inject", "--ca", "/absent", "a", "b"), "b is one MANIFEST too many"),
            (("inject", "--ca", "/absent", "--configuration", "x", "a"), "use either MANIFEST or --configuration"),
            (("inject", "--ca", "/absent", "--kubeconfig", "x"), "--configuration is missing"),
        ):
            with self.subTest(arguments=arguments):
                status, output, errors = run("certs", *arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)


class Renew(Certs):
    def test_nothing_is_done_before_two_thirds(self):
        self.create()
        before = {file.name: file.read_bytes() for file in self.out.iterdir()}
        self.assertEqual(self.renew(at=NOW + 59 * DAY), "tls.crt: not due yet\n")
        self.assertEqual({file.name: file.read_bytes() for file in self.out.iterdir()}, before)

    def test_a_new_certificate_at_two_thirds(self):
        """With the same names and kind of key, a key of its own, from the same authority."""
        self.create("--dns", "guard.example.com", "--key", "rsa")
        old, ca = (self.out / "tls.key").read_text(), (self.out / "ca.crt").read_text()
        self.renew(at=NOW + 61 * DAY)
        for name in ("guard.prod.svc", "guard.example.com"):
            self.assertTrue(self.verifies(at=NOW + 150 * DAY, name=name))
        self.assertTrue(self.key_matches())
        self.assertNotEqual((self.out / "tls.key").read_text(), old)
        self.assertEqual((self.out / "ca.crt").read_text(), ca)
        self.assertIn("Public-Key: (2048 bit)", openssl("x509", "-in", self.out / "tls.crt", "-noout", "-text")[1])

    def test_force(self):
        self.create()
        old = (self.out / "tls.crt").read_bytes()
        self.assertEqual(self.renew("--force"), "tls.crt, tls.key: new\n")
        self.assertNotEqual((self.out / "tls.crt").read_bytes(), old)
        self.assertTrue(self.verifies() and self.key_matches())

    def test_an_authority_that_ends_sooner(self):
        """The user learns at once that a certificate is shorter than asked for, and not when it ends."""
        self.assertNotIn("it ends", self.create("--days", "300"))
        output = self.renew("--days", "300", at=NOW + 201 * DAY)
        self.assertIn("tls.crt: it ends with its authority, in 164 days, not in 300 (--days)\n", output)
        self.assertTrue(self.verifies(at=NOW + 364 * DAY))

    def test_an_authority_that_is_over(self):
        """It is replaced at once, and the output says what the user must do."""
        self.create()
        old = self.bundle()
        self.assertIn("inject the new one now", self.renew(at=NOW + 400 * DAY))
        self.assertTrue(self.verifies(at=NOW + 400 * DAY))
        self.assertEqual((len(self.bundle()), set(old) & set(self.bundle())), (1, set()))

    def test_what_a_crash_leaves_is_mended(self):
        """A key without its certificate, of the authority to come or of the server."""
        self.create()
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.out / "tls.key")
        self.assertEqual(self.renew(), "tls.crt, tls.key: new\n")
        self.assertTrue(self.verifies() and self.key_matches())
        (self.out / "tls.key").unlink()
        self.renew()
        self.assertTrue(self.key_matches())
        shutil.copy(self.out / "tls.key", self.out / "ca-next.key")
        self.renew(at=NOW + 260 * DAY)
        self.assertEqual(len(self.bundle()), 2)
        self.renew(at=NOW + 261 * DAY)
        self.assertTrue(self.verifies(at=NOW + 261 * DAY))
        self.assertFalse((self.out / "ca-next.key").exists())

    def test_what_cannot_be_renewed_is_reported(self):
        self.create()
        for file, content, words in (
            ("ca.key", "", "ca.key: it holds no private key"),
            ("ca.crt", "x", "ca.crt: it holds no whole certificate"),
            ("tls.crt", "", "tls.crt: it holds no whole certificate"),
            ("ca.key", (self.out / "tls.key").read_text(), "is the key of no certificate in ca.crt"),
        ):
            before = (self.out / file).read_text()
            (self.out / file).write_text(content)
            with self.subTest(words):
                status, _, errors = run("certs", "renew", "--out", self.out)
                self.assertEqual(status, 2)
                self.assertIn(words, errors)
            (self.out / file).write_text(before)


class Show(Certs):
    def test_a_directory(self):
        self.create("--dns", "guard.example.com")
        status, output, errors = run("certs", "show", self.out)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"(?m)^  authority EC, CN=guard@\d+-[0-9a-f]{8}$")
        self.assertRegex(output, r"(?m)^  for      .*guard\.prod\.svc, ")
        self.assertRegex(output, r"(?m)^  valid    .* UTC to .* UTC, (89|90) days left$")
        self.assertEqual(run("certs", "show", self.out / "tls.crt")[0], 0)

    def test_standard_input(self):
        self.create("--dns", "guard.example.com")
        named = run("certs", "show", self.out / "tls.crt", at=NOW)[1]
        status, output, errors = run("certs", "show", "-", at=NOW, stdin=(self.out / "tls.crt").read_bytes())
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, named.replace(str(self.out / "tls.crt"), "-"))
        self.assertEqual(run("certs", "show", "-")[0], 2)

    def test_the_last_days_are_counted(self):
        self.create("--dns", "guard.example.com", "--days", "3", at=NOW)
        for days, words in ((1, "1 day left"), (0.5, "2 days left"), (2.5, "0 days left")):
            self.assertIn(f" UTC, {words}\n", run("certs", "show", self.out / "tls.crt", at=int(NOW + days * DAY) + 60)[1])

    def test_a_file_is_named_as_it_was_given(self):
        for path, reason in (("/absent/x.crt", "No such file or directory"), ("absent.crt", "No such file or directory")):
            self.assertEqual(run("certs", "show", path), (2, "", f"{path}: error: {reason}\n"))
        self.assertEqual(run("certs", "renew", "--out", "."), (2, "", ".: error: cannot read ca.key: No such file or directory\n"))

    def test_what_is_wrong_is_reported(self):
        """Expired, not yet valid, signed by another, a key of another: exit status 1."""
        self.create()
        self.assertIn("EXPIRED", run("certs", "show", self.out, at=NOW + 100 * DAY)[1])
        self.assertEqual(run("certs", "show", self.out, at=NOW + 100 * DAY)[0], 1)
        self.assertIn("NOT YET", run("certs", "show", self.out, at=NOW - DAY)[1])
        shutil.copy(self.out / "ca.key", self.out / "tls.key")
        status, output, _ = run("certs", "show", self.out)
        self.assertEqual(status, 1)
        self.assertIn("tls.key IS NOT THE KEY", output)
        other, self.out = self.out, self.out.with_name("other")
        self.create()
        shutil.copy(other / "ca.crt", self.out / "ca.crt")
        status, output, _ = run("certs", "show", self.out)
        self.assertEqual(status, 1)
        self.assertIn("tls.crt IS NOT SIGNED", output)

    def test_names_do_not_write_to_the_terminal(self):
        """The maker of the certificate chose its names."""
        file = self.out.with_name("evil.crt")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "/dev/null",
                "-out", file, "-subj", "/CN=a\033[2Jb\nc", "-addext", "subjectAltName=DNS:x\033[2J\n")
        status, output, _ = run("certs", "show", file)
        self.assertEqual(status, 0)
        self.assertNotIn("\033", output)
        self.assertEqual(output.count("\n"), 4)


MANIFEST = """\
# the webhooks of ü
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: applyguard, annotations: {clientConfig: "x"}}   # stays
webhooks:
- name: a.example.com
  clientConfig:
    # a comment
    service: {namespace: n, name: s}
- name: b.example.com
  clientConfig: {url: "https://127.0.0.1/"}
- clientConfig:
    caBundle: Cg==   # old
    url: https://127.0.0.1/
  name: c.example.com
- name: d.example.com
  clientConfig:
    caBundle:
    url: https://127.0.0.1/
- name: e.example.com
  clientConfig: &shared
    caBundle: |
      Cg==
    url: https://127.0.0.1/
- {name: f.example.com, clientConfig: *shared}
- {name: g.example.com, clientConfig: {}}
---
kind: ConfigMap
data: {webhooks: "clientConfig: 1"}
webhookz: [{clientConfig: {url: x}}]
"""


class Inject(Certs):
    def setUp(self):
        super().setUp()
        self.create()
        self.expected = base64.b64encode((self.out / "ca.crt").read_bytes()).decode()

    def inject(self, manifest):
        status, output, errors = run("certs", "inject", "--ca", self.out / "ca.crt", stdin=manifest)
        self.assertEqual((status, errors), (0, ""))
        return output

    def test_every_way_to_write_a_webhook(self):
        """Each gets the bundle, and no other byte of the manifest changes."""
        output = self.inject(MANIFEST.encode())
        self.assertEqual(output.count(self.expected), 6)
        kept = output.replace(f"    caBundle: {self.expected}\n    # a comment", "    # a comment")
        kept = kept.replace(f'"caBundle": "{self.expected}", ', "").replace(f'"caBundle": "{self.expected}"', "")
        kept = kept.replace(f"caBundle: {self.expected}   # old", "caBundle: Cg==   # old")
        kept = kept.replace(f"caBundle: {self.expected}\n    service", "service")
        kept = kept.replace(f"caBundle: {self.expected}\n    url: https://127.0.0.1/\n- name: e", "caBundle:\n    url: https://127.0.0.1/\n- name: e")
        kept = kept.replace(f"caBundle: {self.expected}\n", "caBundle: |\n      Cg==\n")
        self.assertEqual(kept, MANIFEST)

    def test_json(self):
        """As kubectl get -o json gives it, also as a List."""
        configuration = {"kind": "ValidatingWebhookConfiguration", "webhooks": [
            {"name": "a", "clientConfig": {"service": {"name": "ü"}, "caBundle": "Cg=="}},
            {"name": "b", "clientConfig": {"url": "https://x"}}]}
        for manifest in (configuration, {"kind": "List", "items": [configuration, {"kind": "Secret"}, configuration]}):
            for indent in (None, 4):
                output = json.loads(self.inject(json.dumps(manifest, indent=indent).encode()))
                webhooks = [webhook for item in output.get("items", [output]) for webhook in item.get("webhooks", [])]
                self.assertEqual({webhook["clientConfig"].pop("caBundle") for webhook in webhooks}, {self.expected})

    def test_it_is_done_only_once(self):
        """A manifest with the bundle stays as it is when it is injected again."""
        once = self.inject(MANIFEST.encode())
        self.assertEqual(self.inject(once.encode()), once)
        self.assertEqual(self.inject(b"\xef\xbb\xbf" + MANIFEST.replace("\n", "\r\n").encode()).count(self.expected), 6)

    def test_only_certificates_are_injected(self):
        """A key in the file of the authority does not end up where all can read it."""
        both = self.out / "both.pem"
        both.write_text((self.out / "ca.key").read_text() + "words\n" + (self.out / "ca.crt").read_text())
        output = run("certs", "inject", "--ca", both, stdin=MANIFEST.encode())[1]
        self.assertEqual(output.count(self.expected), 6)

    def test_what_cannot_be_edited_is_refused_whole(self):
        for manifest, words in (
            (b"kind: ConfigMap\n", "it has no webhooks"),
            (b"", "it has no webhooks"),
            (b"webhooks:\n- clientConfig:\n    url: [\n", ":4:1: "),
            (b"webhooks:\n- clientConfig:\n    caBundle: &a x\n", ":3:15: error: a caBundle with an anchor"),
            (b"webhooks:\n- clientConfig: {caBundle: a, caBundle: b}\n", "second caBundle"),
            (b"webhooks:\n- clientConfig:\n    ? [a]\n    : b\n", "set the caBundle by hand"),
            (b"webhooks:\n- clientConfig:\n    caBundle: {a: b}\n", ":3:15: error: a caBundle that is no text"),
            (b"webhooks: [{clientConfig: {url: x, [a]: {}, {b: c}: d, ? e}}, {clientConfig: {[f]: g, caBundle: [h]}}]\n",
             "a caBundle that is no text"),
            (b"\xff\xfe", "no text in UTF-8"),
            (b"[" * 10000, "nested too deep"),
        ):
            with self.subTest(words):
                status, output, errors = run("certs", "inject", "--ca", self.out / "ca.crt", stdin=manifest)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(words, errors)


class InjectIntoACluster(Certs):
    """Which cluster is meant, or what is wrong with the way to it; the rest needs an API server."""

    def setUp(self):
        super().setUp()
        self.create()

    def assert_refused(self, words, *flags, **variables):
        home = {"HOME": "/absent", "KUBECONFIG": "", "KUBERNETES_SERVICE_HOST": ""}
        status, output, errors = run("certs", "inject", "--ca", self.out / "ca.crt", "--configuration", "applyguard", *flags,
                                     variables={**home, **variables})
        self.assertEqual((status, output), (2, ""))
        self.assertIn(words, errors)

    def test_no_cluster_is_named(self):
        self.assert_refused("name a file with --kubeconfig")

    def test_a_kubeconfig_that_is_not_there(self):
        self.assert_refused("/absent/config: No such file", "--kubeconfig", "/absent/config")
        self.assert_refused("/absent/config: No such file", KUBECONFIG="/absent/config")

    def test_several_kubeconfigs(self):
        self.assert_refused("KUBECONFIG names several files; name one of them with --kubeconfig", KUBECONFIG="/absent/a:/absent/b")

    def test_a_kubeconfig_with_a_plugin(self):
        file = pathlib.Path(self.directory.name, "plugin")
        file.write_text("""{current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}], users: [{name: a, user: {exec: {command: x}}}]}""")
        self.assert_refused("a program that provides credentials is not run here; use a token or a client certificate",
                            "--kubeconfig", str(file))

    def test_a_kubeconfig_that_cannot_be_looked_up_is_not_taken_for_absent(self):
        home = pathlib.Path(self.directory.name, "looping")
        home.mkdir()
        (home / ".kube").symlink_to(".kube")
        self.assert_refused(f"cannot read {home}/.kube/config: Too many levels of symbolic links", HOME=str(home))

    def test_a_kubeconfig_that_a_program_prints_is_waited_for(self):
        script = 'exec "$@" --kubeconfig <(sleep 0.3; echo "{current-context: a, contexts: [{name: b}]}")'
        done = subprocess.run(["bash", "-c", script, "bash", APPLYGUARD, "certs", "inject", "--ca", self.out / "ca.crt",
                               "--configuration", "applyguard"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('there is no context "a"; there are b', done.stderr)

    def test_a_broken_kubeconfig_is_reported_with_its_place(self):
        home = pathlib.Path(self.directory.name)
        (home / ".kube").mkdir(exist_ok=True)
        file = home / ".kube" / "config"
        file.write_text("current-context: a\ncontexts:\n- name: b\n")
        self.assert_refused(f'{file}:3:1: there is no context "a"; there are b', HOME=str(home))
        self.assert_refused(f"{file}:3:3: \"context\" must be a map", "--context", "b", HOME=str(home))

    def test_a_name_cannot_lead_elsewhere(self):
        for name in "../secrets", "guard..test", "-guard":
            with self.subTest(name):
                self.assert_refused("no name of an object", f"--configuration={name}")

if __name__ == "__main__":
    unittest.main()
