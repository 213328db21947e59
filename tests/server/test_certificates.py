"""The certificate's files change, and what is served with them; what is broken changes nothing."""

import base64
import errno
import os
import pathlib
import shutil
import signal
import ssl
import threading
import time
import unittest

import authority
import harness
from harness import review

NOTICED_WITHIN = 10
KEPT = "certificate not reloaded, the old one stays"
RELOADED = "certificate reloaded"


def served(server):
    """The certificate that a new connection gets; the client checks it against the authority."""
    with server.connect() as connection:
        return connection.socket.getpeercert(True)


def wait_for(server, pair, seconds=NOTICED_WITHIN):
    harness.wait_until(lambda: served(server) == pair.bytes(), seconds, "the new certificate")


def replace(pair, new):
    """As `certs renew` and most tools do it: one file after the other takes the name."""
    for old, fresh in ((pair.key, new.key), (pair.certificate, new.certificate)):
        shutil.copy(fresh, old + ".new")
        os.replace(old + ".new", old)


def count_in_memory(pid, needle):
    """How often the bytes are anywhere in what the process may write to."""
    found = 0
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
            addresses, mode, *_, name = line.split()
            if not mode.startswith("rw") or name.startswith("[v"):
                continue
            begin, end = (int(number, 16) for number in addresses.split("-"))
            memory.seek(begin)
            try:
                found += memory.read(end - begin).count(needle)
            except OSError as error:
                if error.errno != errno.EIO:  # unmapped meanwhile
                    raise
    return found


@harness.at_once
class Reload(unittest.TestCase):
    def setUp(self):
        self.authority = authority.Authority()
        self.pair = self.authority.another()
        self.body = review("csa-image")

    def test_files_are_replaced(self):
        """A pair renamed into place is served to new connections; open connections go on."""
        with harness.Server(certificate=self.pair) as server, server.connect() as kept:
            for _ in range(3):
                new = self.authority.another()
                replace(self.pair, new)
                wait_for(server, new)
                harness.assert_verdict(self, kept.review(self.body), self.body)
            self.assertEqual(len(server.log(RELOADED)), 3)
            self.assertEqual(server.log(KEPT), [])

    def test_files_are_written_in_place(self):
        """Written over, the old inode kept."""
        with harness.Server(certificate=self.pair) as server:
            new = self.authority.another()
            pathlib.Path(self.pair.key).write_bytes(pathlib.Path(new.key).read_bytes())
            pathlib.Path(self.pair.certificate).write_bytes(pathlib.Path(new.certificate).read_bytes())
            wait_for(server, new)

    def test_a_mounted_secret(self):
        """The kubelet swaps the link ..data to a new directory; names and links of the files never change (outage 5)."""
        mount = harness.temporary_directory()

        def write(name, pair):
            (mount / name).mkdir()
            shutil.copy(pair.certificate, mount / name / "tls.crt")
            shutil.copy(pair.key, mount / name / "tls.key")
            os.symlink(name, mount / "..data_tmp")
            os.replace(mount / "..data_tmp", mount / "..data")

        write("..1", self.pair)
        for file in ("tls.crt", "tls.key"):
            os.symlink(f"..data/{file}", mount / file)
        mounted = authority.Pair(mount, self.authority.certificate)
        with harness.Server(certificate=mounted) as server:
            for count in (2, 3):
                new = self.authority.another()
                write(f"..{count}", new)
                shutil.rmtree(mount / f"..{count - 1}")
                wait_for(server, new)
            self.assertEqual(server.log(KEPT), [])

    def test_hangup(self):
        """SIGHUP takes them at once, and reports broken ones at once."""
        with harness.Server(certificate=self.pair) as server:
            new = self.authority.another()
            replace(self.pair, new)
            server.signal(signal.SIGHUP)
            server.wait_for_log(RELOADED, timeout=3)
            self.assertEqual(served(server), new.bytes())
            pathlib.Path(self.pair.key).write_text("")
            for count in (1, 2):
                server.signal(signal.SIGHUP)
                server.wait_for_log(KEPT, timeout=3, count=count)
            self.assertEqual(served(server), new.bytes())

    def test_halfway_through(self):
        """A certificate whose key comes a moment later is not a failure, and is taken when the key is there (outage 5)."""
        with harness.Server(certificate=self.pair) as server:
            for _ in range(3):
                new = self.authority.another()
                shutil.copy(new.certificate, self.pair.certificate)
                time.sleep(0.5)
                shutil.copy(new.key, self.pair.key)
                wait_for(server, new)
            self.assertEqual(server.log(KEPT), [])

    def test_what_is_broken_changes_nothing(self):
        """Each fault is logged once, with its file and what to do; the old pair is served until it is mended."""
        good = self.authority.another()
        other = self.authority.another()
        expired = self.authority.another(days=1, age_days=3)
        early = self.authority.another(age_days=-2)
        certificate, key = pathlib.Path(self.pair.certificate), pathlib.Path(self.pair.key)
        shutil.copy(good.certificate, certificate)
        shutil.copy(good.key, key)
        with harness.Server(certificate=self.pair) as server:
            count = 0
            for spoil, words in (
                (lambda: shutil.copy(other.key, key), "is not the key of the certificate"),
                (lambda: replace(self.pair, expired), "expired on"),
                (lambda: replace(self.pair, early), "is not valid before"),
                (lambda: certificate.write_bytes(certificate.read_bytes()[:200]), "no whole certificate"),
                (lambda: key.write_bytes(b""), "no private key"),
                (certificate.unlink, "No such file"),
                (lambda: (key.unlink(), key.mkdir()), "Is a directory"),
                (lambda: certificate.write_bytes(b"x" * (2 << 20)), "larger than"),
            ):
                spoil()
                count += 1
                line = server.wait_for_log(KEPT, count=count)[-1]
                self.assertEqual(line["level"], "error")
                self.assertIn(words, line["reason"])
                self.assertRegex(line["reason"], r"tls\.(crt|key) \(--tls-(cert|key)\)")
                self.assertEqual(served(server), good.bytes())
                time.sleep(2.5)
                self.assertEqual(len(server.log(KEPT)), count, "told once")
                if key.is_dir():
                    key.rmdir()
                shutil.copy(good.certificate, certificate)
                shutil.copy(good.key, key)
                time.sleep(2.5)
            replace(self.pair, other)
            wait_for(server, other)

    def test_a_certificate_whose_time_comes(self):
        """One that is not valid yet is taken when it is, though its files change no more (outage 4)."""
        with harness.Server(certificate=self.pair) as server:
            # An hour less is what all certificates are made earlier. The rest of the time allows for a busy machine.
            early = self.authority.another(age_days=-(3600 + 15) / authority.DAY)
            replace(self.pair, early)
            self.assertIn("is not valid before", server.wait_for_log(KEPT)[0]["reason"])
            wait_for(server, early, 40)
            self.assertEqual(len(server.log(KEPT)), 1)

    def test_no_request_is_lost(self):
        """New connections and old ones get answers while the certificate changes a hundred times (outage 6)."""
        done = threading.Event()
        pairs = [self.authority.another() for _ in range(4)]
        seen = set()

        def stay(server):
            with server.connect() as connection:
                while not done.is_set():
                    harness.assert_verdict(self, connection.review(self.body), self.body)

        def come_and_go(server):
            while not done.is_set():
                with server.connect() as connection:
                    seen.add(connection.socket.getpeercert(True))
                    harness.assert_verdict(self, connection.review(self.body), self.body)

        def renew(server):
            try:
                for count in range(1, 101):
                    replace(self.pair, pairs[count % len(pairs)])
                    server.signal(signal.SIGHUP)
                    server.wait_for_log(RELOADED, count=count)
            finally:
                done.set()

        with harness.Server(certificate=self.pair) as server:
            harness.in_parallel([lambda: stay(server), lambda: come_and_go(server), lambda: come_and_go(server),
                                 lambda: renew(server)])
            self.assertEqual(server.log(KEPT), [])
        self.assertLessEqual({pair.bytes() for pair in pairs}, seen)

    def test_memory_does_not_grow(self):
        """Old credentials are freed once no handshake holds them."""
        pairs = [self.authority.another() for _ in range(2)]
        with harness.Server(certificate=self.pair) as server:
            def renew(first, last):
                for count in range(first, last):
                    replace(self.pair, pairs[count % 2])
                    server.signal(signal.SIGHUP)
                    server.wait_for_log(RELOADED, count=count)
                    served(server)
                return server.resident_bytes()

            early = renew(1, 50)
            late = renew(50, 200)
            if not harness.Program.is_sanitized:
                self.assertLess(late - early, 1 << 20)

    def test_old_keys_leave_no_trace(self):
        """A key is in the server's memory once while it is in use, and nowhere when another took its place."""
        if harness.Program.is_sanitized:
            self.skipTest("a sanitizer keeps what was freed")
        text = pathlib.Path(self.pair.key).read_text()
        # In an EC key as PKCS#8, these bytes are the private number, which OpenSSL keeps with the lowest byte first.
        number = base64.b64decode("".join(text.splitlines()[1:-1]))[36:68][::-1]
        with harness.Server(certificate=self.pair) as server:
            try:
                self.assertEqual(count_in_memory(server.pid, number), 1)
            except PermissionError:
                self.skipTest("the system does not let us read the server's memory")
            self.assertEqual(count_in_memory(server.pid, text[40:80].encode()), 0)
            new = self.authority.another()
            replace(self.pair, new)
            wait_for(server, new)
            self.assertEqual(count_in_memory(server.pid, number), 0)
            self.assertEqual(count_in_memory(server.pid, text[40:80].encode()), 0)

    def test_core_dumps_hold_no_keys(self):
        """The memory that the process wrote is not dumped."""
        with harness.Server(certificate=self.pair) as server:
            words = pathlib.Path(f"/proc/{server.pid}/coredump_filter").read_text()
            self.assertEqual(int(words, 16) & 0x1af, 0)


@harness.at_once
class Ready(unittest.TestCase):
    """/readyz is 503 as long as no API server would take the certificate (outages 3 and 4)."""

    def setUp(self):
        self.authority = authority.Authority()

    def readiness(self, server):
        with server.connect_plain() as connection:
            answer = connection.get("/readyz")
        return answer.status, answer.body.decode().strip()

    def test_a_certificate_that_expires(self):
        """Takes the pod out of service in that second, and the next certificate brings it back; alive it is all along."""
        pair = self.authority.another(days=1, age_days=1 - 8 / authority.DAY)
        with harness.Server(certificate=pair) as server:
            harness.wait_until(lambda: self.readiness(server)[0] == 503, 15, "the expiry")
            self.assertEqual(self.readiness(server), (503, "the certificate has expired"))
            self.assertEqual(server.wait_for_log("the certificate has expired")[0]["level"], "error")
            self.assertEqual(server.probe("/healthz"), 200)
            replace(pair, self.authority.another())
            harness.wait_until(lambda: self.readiness(server) == (200, "ok"), NOTICED_WITHIN, "ready again")

    def test_a_certificate_whose_end_comes_near(self):
        """The log warns as its last sixth begins, however short its life, and not some time later (outage 3)."""
        life = authority.DAY + 3600
        pair = self.authority.another(days=1, age_days=1 - (life / 6 + 8) / authority.DAY)
        with harness.Server(certificate=pair) as server:
            self.assertEqual([], server.log("the certificate is about to expire"))
            [line] = server.wait_for_log("the certificate is about to expire", 15)
            self.assertEqual("warning", line["level"])
            self.assertEqual(200, server.probe("/readyz"))

    def test_a_server_that_starts_with_an_expired_one(self):
        """It serves and says so, and is not ready: a roll-out stops there."""
        pair = self.authority.another(days=1, age_days=3)
        with harness.Server(certificate=pair, ready=False) as server:
            self.assertEqual(self.readiness(server), (503, "the certificate has expired"))
            self.assertEqual(server.log("the certificate has expired")[0]["level"], "error")

    def test_a_certificate_whose_time_is_yet_to_come(self):
        """No API server takes it sooner."""
        pair = self.authority.another(age_days=-(3600 + 6) / authority.DAY)
        with harness.Server(certificate=pair, ready=False) as server:
            self.assertEqual(self.readiness(server), (503, "the certificate is not yet valid"))
            self.assertEqual(server.wait_for_log("the certificate is not yet valid")[0]["level"], "error")
            harness.wait_until(lambda: self.readiness(server) == (200, "ok"), 15, "its time")


@harness.at_once
class Clients(unittest.TestCase):
    """--client-ca and --client-name: only the API server may ask."""

    def setUp(self):
        self.body = review("csa-image")
        self.clients = authority.Authority()

    def server(self, *names):
        flags = [word for name in names or ("kube-apiserver",) for word in ("--client-name", name)]
        return harness.Server("--client-ca", self.clients.certificate, *flags)

    def context(self, server, file=None):
        context = server.certificate.client_context()
        if file:
            context.load_cert_chain(file)
        return context

    def assert_asks(self, server, file):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = self.context(server, file)
            context.minimum_version = context.maximum_version = version
            with server.connect(context=context) as connection:
                harness.assert_verdict(self, connection.review(self.body), self.body)

    def assert_refused(self, server, file):
        """No handshake, or with TLS 1.3, where the client learns of it later, no answer."""
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = self.context(server, file)
            context.minimum_version = context.maximum_version = version
            with self.assertRaises((OSError, harness.wire.Closed)):
                with server.connect(context=context) as connection:
                    connection.review(self.body)

    def test_the_api_server_may_ask(self):
        """By its common name, or a DNS name."""
        with self.server() as server:
            self.assert_asks(server, self.clients.client("kube-apiserver"))
            self.assert_asks(server, self.clients.client("x", names="DNS:a.example,DNS:kube-apiserver"))
        with self.server("one", "two.example") as server:
            self.assert_asks(server, self.clients.client("one"))
            self.assert_asks(server, self.clients.client("x", names="DNS:two.example"))

    def test_nobody_else_may(self):
        """No certificate, another authority's, another name, a near miss, one for servers, one that is over."""
        with self.server() as server:
            self.assert_refused(server, None)
            self.assert_refused(server, authority.Authority().client("kube-apiserver"))
            for name in ("kubelet", "kube-apiserver2", "kube-apiserve", "KUBE-APISERVER", "*"):
                self.assert_refused(server, self.clients.client(name))
            self.assert_refused(server, self.clients.client("x", names="DNS:*,DNS:kube-apiserver.example,URI:kube-apiserver"))
            self.assert_refused(server, self.clients.client("kube-apiserver", usage="serverAuth"))
            self.assert_refused(server, self.clients.client("kube-apiserver", days=-1))
            self.assert_asks(server, self.clients.client("kube-apiserver"))
            lines = server.wait_for_log("handshakes refused")
            self.assertEqual(lines[0]["level"], "warning")
            self.assertEqual(len(lines), 1, "one line a minute")
            self.assertTrue(lines[0]["lastReason"])

    def test_enormous_certificates(self):
        """Names by the thousand, and chains without end, are cut off before they take memory; large ones are read."""
        def names(count):
            return ",".join(f"DNS:name-{number}.example" for number in range(count)) + ",DNS:kube-apiserver"

        with self.server() as server:
            self.assert_asks(server, self.clients.client("x", names=names(500)))
            for count in (2500, 5000):
                self.assert_refused(server, self.clients.client("x", names=names(count)))
            file = pathlib.Path(self.clients.client("kube-apiserver"))
            link = authority.Authority().client("x", names=names(500))
            chain = pathlib.Path(link).read_text().partition("-----BEGIN CERTIFICATE")
            file.write_text(file.read_text() + (chain[1] + chain[2]) * 8)
            self.assert_refused(server, str(file))
            self.assert_asks(server, self.clients.client("kube-apiserver"))

    def test_why_a_client_was_refused(self):
        """The log says what was wrong: each alert has a name there, the newest as well."""
        other = authority.Authority().client("kube-apiserver")
        for reason, file in (("certificate_required", None), ("unknown_ca", other)):
            with self.server() as server:
                self.assert_refused_once(server, file)
                self.assertEqual(server.wait_for_log("handshakes refused")[0]["lastReason"], reason)

    def assert_refused_once(self, server, file):
        with self.assertRaises((OSError, harness.wire.Closed)):
            with server.connect(context=self.context(server, file)) as connection:
                connection.review(self.body)

    def test_probes_need_no_certificate(self):
        """The plain listener serves the kubelet as before."""
        with self.server() as server:
            self.assertEqual(server.probe("/healthz"), 200)
            self.assertEqual(server.probe("/readyz"), 200)

    def test_another_authority_of_clients(self):
        """Its file is reloaded like the certificate: with both in it both may ask."""
        other = authority.Authority()
        file = pathlib.Path(self.clients.certificate)
        old, new = self.clients.client("kube-apiserver"), other.client("kube-apiserver")
        first = file.read_text()
        with self.server() as server:
            self.assert_refused(server, new)
            file.write_text(first + pathlib.Path(other.certificate).read_text())
            server.wait_for_log(RELOADED)
            self.assert_asks(server, old)
            self.assert_asks(server, new)
            file.write_text("nothing")
            self.assertIn("(--client-ca)", server.wait_for_log(KEPT)[0]["reason"])
            self.assert_asks(server, old)

    def test_flags_go_together(self):
        """An authority without a name would let in every client that it signs for; a name without one means nothing."""
        pair = self.clients.pair
        serve = (harness.Program.path, "serve", "--tls-cert", pair.certificate, "--tls-key", pair.key)
        for flags, words in (
            (("--client-ca", self.clients.certificate), b"--client-name is missing"),
            (("--client-name", "a"), b"--client-ca is missing"),
            (("--client-ca", self.clients.certificate, "--client-name", ""), b"is empty"),
            (("--client-ca", self.clients.certificate, *("--client-name", "a") * 17), b"one name too many"),
            (("--client-ca", "/absent", "--client-name", "a"), b"cannot read /absent (--client-ca): No such file"),
            (("--client-ca", pair.key, "--client-name", "a"), b"holds no whole certificate"),
        ):
            done = harness.run(*serve, *flags)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    harness.main()
