"""The TLS that the API server meets: 1.2 and 1.3, HTTP/1.1 alone, nothing kept from one connection to the next."""

import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import threading
import unittest
import warnings

import harness
import wire
from harness import review

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"

OFFERS = {
    "no ALPN": None,
    "http/1.1": ["http/1.1"],
    "h2 first": ["h2", "http/1.1"],
    "h2 only": ["h2"],
    "others": ["spdy/3", "http/1.0", "h3", "h2c"],
}


def only(context, version):
    """The context pinned to one version, however old."""
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = version
        context.maximum_version = version
    return context


def s_client(port, *options, text=b"", **more):
    return harness.run(
        "openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", *options, input=text, **more)


class OldServer:
    """`openssl s_server` with TLS 1.1: shows that the client of these tests could speak it."""

    def __init__(self, certificate):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{self.port}", "-cert", certificate.certificate, "-key",
             certificate.key, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-quiet"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        harness.wait_until(self._listens, what="s_server")

    def _listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self):
        self.process.kill()
        self.process.communicate()


class Versions(harness.ServerTest):
    def test_1_2_and_1_3(self):
        """TLS 1.2 (the API server's minimum) and 1.3 serve, with forward secrecy and an AEAD cipher."""
        body = review("csa-image")
        for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
            context = self.server.certificate.client_context()
            context.minimum_version = context.maximum_version = version
            with self.subTest(name), self.server.connect(context=context) as connection:
                self.assertEqual(connection.socket.version(), name)
                self.assertRegex(connection.socket.cipher()[0], r"^(ECDHE-|TLS_).*(GCM|POLY1305)")
                self.assert_verdict(connection.review(body), body)

    def test_1_1_is_refused(self):
        """TLS 1.1 and 1.0 get no connection, though this client speaks them."""
        old = OldServer(self.server.certificate)
        self.addCleanup(old.close)
        context = only(self.server.certificate.client_context(), ssl.TLSVersion.TLSv1_1)
        with wire.Connection(old.port, context=context) as connection:
            self.assertEqual(connection.socket.version(), "TLSv1.1")
        for version in (ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1):
            context = only(self.server.certificate.client_context(), version)
            with self.subTest(version), self.assertRaises((ssl.SSLError, ConnectionError)):
                self.server.connect(context=context).close()

    def test_weak_ciphers_are_refused(self):
        """No cipher without forward secrecy or authentication of its records is taken."""
        for ciphers in ("kRSA", "ECDHE+AES+SHA1", "aNULL", "eNULL", "3DES"):
            context = self.server.certificate.client_context()
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            try:
                context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
            except ssl.SSLError:
                continue  # This OpenSSL cannot even offer it.
            with self.subTest(ciphers), self.assertRaises((ssl.SSLError, ConnectionError)):
                self.server.connect(context=context).close()

    def test_no_renegotiation(self):
        """A TLS 1.2 client cannot make the server do handshake after handshake on one connection."""
        result = s_client(self.server.port, "-tls1_2", text=b"R\n")
        self.assertIn(b"RENEGOTIATING", result.stdout + result.stderr)
        self.assertNotEqual(result.returncode, 0)
        # s_client prints this line twice for each handshake: it does not trust the certificate.
        self.assertEqual((result.stdout + result.stderr).count(b"verify return:1"), 2)

    def test_key_update(self):
        """A TLS 1.3 client may renew its keys, and ask for ours to be renewed, in the middle."""
        process = subprocess.Popen(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{self.server.port}", "-tls1_3", "-crlf"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        output = bytearray()

        def collect():
            while data := process.stdout.read(65536):
                output.extend(data)

        reader = threading.Thread(target=collect)
        reader.start()
        try:
            # s_client takes a letter for a command where a read of its input begins with it.
            for letter, seen in ((b"k\n", 1), (b"K\n", 2)):
                process.stdin.write(letter)
                harness.wait_until(lambda: output.count(b"KEYUPDATE") == seen, what="a key update")
            process.stdin.write(b"GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n")
            harness.wait_until(lambda: b"HTTP/1.1 200 OK" in output, what="an answer")
        finally:
            process.kill()
            process.wait()
            reader.join()
            process.stdin.close()
            process.stdout.close()


class NothingKept(harness.ServerTest):
    """The API server never resumes a session, and what is not kept cannot be stolen (CVE-2023-41337)."""

    def test_no_resumption_by_openssl(self):
        """`s_client -reconnect` makes five new sessions and no ticket."""
        result = s_client(self.server.port, "-tls1_2", "-reconnect")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(re.findall(rb"^New, TLSv1.2", result.stdout, re.M)), 6)
        self.assertNotIn(b"Reused", result.stdout)
        self.assertNotIn(b"session ticket:", result.stdout)
        for session in re.findall(rb"Session-ID: *(\w*)", result.stdout):
            self.assertEqual(session, b"", "an ID would say that the session is kept")

    def test_no_tickets(self):
        """No ticket follows a TLS 1.3 handshake, so there is nothing to resume with, nor early data."""
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = self.server.certificate.client_context()
            context.minimum_version = context.maximum_version = version
            with self.subTest(version), self.server.connect(context=context) as first:
                first.review(review("delete"))
                session = first.socket.session
                if session is None:
                    continue
                self.assertFalse(session.has_ticket)
                with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
                    with context.wrap_socket(raw, server_hostname="localhost", session=session) as second:
                        self.assertFalse(second.session_reused)
        with_ticket = s_client(self.server.port, "-tls1_3", text=b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertNotIn(b"Session Ticket arrived", with_ticket.stdout)


class HttpOneAlone(harness.ServerTest):
    """HTTP/2 in H2O 2.2.5 is old (CVE-2023-44487, CVE-2019-9512): no way leads there."""

    def _connect(self, offer, **options):
        context = self.server.certificate.client_context()
        if offer:
            context.set_alpn_protocols(offer)
        return self.server.connect(context=context, **options)

    def test_alpn(self):
        """http/1.1 is selected where it is offered; a client that offers only h2 gets no h2."""
        body = review("csa-image")
        for name, offer in OFFERS.items():
            with self.subTest(name), self._connect(offer) as connection:
                expected = "http/1.1" if offer and "http/1.1" in offer else None
                self.assertEqual(connection.socket.selected_alpn_protocol(), expected)
                self.assert_verdict(connection.review(body), body)

    def test_the_preface(self):
        """`PRI * HTTP/2.0` is refused after any ALPN: H2O would take it as the start of HTTP/2."""
        connections = {name: (lambda offer=offer, **options: self._connect(offer, **options)) for name, offer in OFFERS.items()}
        connections["the second listener"] = self.server.connect_plain
        for name, connect in connections.items():
            for pieces in ((PREFACE,), (PREFACE[:5], PREFACE[5:]), (PREFACE[:18], PREFACE[18:])):
                with self.subTest(name, pieces=len(pieces)), connect() as connection:
                    for piece in pieces:
                        try:
                            connection.send(piece)
                        except (ConnectionError, ssl.SSLError):
                            break
                    answer = connection.read_to_end()
                    self.assertRegex(answer, rb"^(HTTP/1\.1 400 |$)")
                    self.assertNotIn(b"\0\0", answer, "no frame of HTTP/2")

    def test_the_preface_after_a_request(self):
        """Nor does it work as the second request of a connection."""
        with self._connect(["http/1.1"]) as connection:
            self.assertEqual(connection.get("/healthz").status, 200)
            connection.send(PREFACE)
            self.assertRegex(connection.read_to_end(), rb"^(HTTP/1\.1 400 |$)")

    def test_curl_that_prefers_http2(self):
        """curl --http2 over either listener ends up with HTTP/1.1."""
        for port, scheme in ((self.server.port, "https"), (self.server.metrics_port, "http")):
            result = harness.run(
                "curl", "--silent", "--http2", "--cacert", self.server.certificate.certificate, "--output", "/dev/null",
                "--write-out", "%{http_version} %{http_code}", f"{scheme}://localhost:{port}/healthz")
            self.assertEqual(result.stdout, b"1.1 200", result.stderr)


class Records(harness.ServerTest):
    def test_an_answer_is_one(self):
        """Head and body are encrypted once, and neither side handles two records for one answer."""
        with self.server.connect() as connection:
            connection.send(wire.post(review("csa-image")))
            record = connection.socket.recv(65536)
            self.assertRegex(record, rb"(?s)^HTTP/1\.1 200 OK\r\n.*\r\n\r\n\{.*\}\n$")


class Handshakes(harness.ServerTest):
    def test_a_client_hello_in_single_bytes(self):
        """A handshake may come in as many packets as it likes."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self.server.context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
            raw.settimeout(10)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            done = False
            while not done:
                try:
                    tls.do_handshake()
                    done = True
                except ssl.SSLWantReadError:
                    pass
                for byte in outgoing.read():
                    raw.send(bytes([byte]))
                if not done:
                    data = raw.recv(65536)
                    self.assertTrue(data, "the server ended the handshake")
                    incoming.write(data)
            self.assertIn("TLS", tls.version())

    def test_what_is_no_handshake(self):
        """Plain HTTP, noise and half a handshake on the TLS port end that connection and leak nothing."""
        before = self.server.connections()
        noises = (
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", wire.post(review("delete")), bytes(range(256)), b"\x16\x03\x01", b"",
            b"\x16\x03\x01\xff\xff" + b"\0" * 70000, b"\x80\x2e\x01\0\x02", PREFACE, b"\x15\x03\x03\0\x02\x02\0")
        for noise in noises * 20:
            with self.server.connect(context=None) as connection:
                try:
                    connection.send(noise)
                    connection.socket.shutdown(socket.SHUT_WR)
                except OSError:
                    continue  # It is closed already.
                self.assertFalse(connection.read_to_end().startswith(b"HTTP/"), noise)
        harness.wait_until(lambda: self.server.connections() <= before, what="sockets closed")
        body = review("csa-image")
        self.assert_verdict(self.server.review(body), body)

    def test_a_client_that_does_not_trust_us(self):
        """A client that breaks off at our certificate leaves the next one served."""
        stranger = harness.Certificate()
        for _ in range(10):
            with self.assertRaises(ssl.SSLCertVerificationError):
                self.server.connect(context=stranger.client_context()).close()
        self.assertEqual(self.server.probe("/healthz", tls=True), 200)


class Reload(unittest.TestCase):
    def test_a_connection_that_is_not_talking_yet(self):
        """H2O keeps the TLS context of a connection from accept to its first byte: reloads in between are safe."""
        body = review("csa-image")
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\n")
        with harness.Server(policy=policy) as server:
            silent = [server.connect(handshake=False) for _ in range(20)]
            harness.wait_until(lambda: all(server.holds(connection) for connection in silent), what="accepted")
            renewed = harness.Certificate()
            server.context.load_verify_locations(renewed.certificate)
            renewed_bytes = ssl.PEM_cert_to_DER_cert(pathlib.Path(renewed.certificate).read_text())
            for old, new in ((server.certificate.certificate, renewed.certificate), (server.certificate.key, renewed.key)):
                os.replace(new, old)
            for count in range(1, 4):
                policy.write_text(f"apiVersion: applyguard.io/v1\nkind: Policy\n# {count}\n")
                server.signal(signal.SIGHUP)
                server.wait_for_log("policy reloaded", count=count)
            for connection in silent:
                with connection:
                    connection.socket.do_handshake()
                    self.assertEqual(connection.socket.getpeercert(True), renewed_bytes)
                    harness.assert_verdict(self, connection.review(body), body)


if __name__ == "__main__":
    harness.main()
