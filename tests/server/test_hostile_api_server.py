"""An API server that hangs, lies, truncates or floods, towards look-ups, Events and the keeper of the certificates.

With any lies, reviews are answered and get no findings for facts that it did not show; when it tells the truth again, the
verdicts are right again.
"""

import base64
import contextlib
import itertools
import json
import os
import signal
import socket
import ssl
import threading
import time
import unittest

import faults
import harness
from harness import review
from test_events import review as event_review
from test_metrics import samples, total
from test_scales import WARNING, deployment, scale

NAMESPACE, SECRET, CONFIGURATION = "prod", "guard-authority", "guard"
ENDLESS = 64 << 20
STATUS = b'{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"Gone","code":410}'


def answer(status, body=b"", *headers, length=None):
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % (len(body) if length is None else length), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def said(content):
    return answer(b"200 OK", json.dumps(content).encode(), b"Content-Type: application/json")


def pieces(head, piece):
    """More bytes than any client may read, for as long as one reads."""
    yield head
    for _ in range(ENDLESS // len(piece)):
        yield piece


# Answers that any request may get. Each is bytes, or pieces of them, and then the connection is closed.
LIES = {
    "nothing": b"",
    "no HTTP": b"\x00\x01\x02\xff" * 100,
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0",
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "half a body": answer(b"200 OK", b'{"kind":"Deploy', length=5000),
    "half an object": answer(b"200 OK", b'{"kind":"Deployment","metadata":{"uid":"'),
    "an empty body": answer(b"200 OK"),
    "no content": answer(b"204 No Content"),
    "a page": answer(b"200 OK", b"<html><body>Sign in</body></html>", b"Content-Type: text/html"),
    "a page that refuses": answer(b"502 Bad Gateway", b"<html>\x1b[2J</html>", b"Content-Type: text/html"),
    "null": answer(b"200 OK", b"null"),
    "a list": answer(b"200 OK", b"[]"),
    "a list of objects": said({"kind": "List", "apiVersion": "v1", "items": [deployment()]}),
    "a Status that is no failure": answer(b"200 OK", STATUS),
    "gone": answer(b"410 Gone", STATUS),
    "an error": answer(b"500 Internal Server Error", STATUS),
    "too many, come back some time": answer(b"429 Too Many Requests", STATUS, b"Retry-After: 99999999999999999999"),
    "too many, come back at no time": answer(b"429 Too Many Requests", STATUS, b"Retry-After: -1"),
    "too many, come back in words": answer(b"503 Service Unavailable", STATUS, b"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"),
    "a redirect": answer(b"307 Temporary Redirect", b"", b"Location: https://127.0.0.1:1/steal"),
    "a redirect to itself": answer(b"302 Found", b"", b"Location: /"),
    "a strange status": answer(b"999 What", b"{}"),
    "deep nesting": answer(b"200 OK", b'{"a":' * 100000 + b"1" + b"}" * 100000),
    "deep lists": answer(b"200 OK", b"[" * 100000),
    "no UTF-8": answer(b"200 OK", b'{"kind":"\xff\xfe","metadata":{"uid":"\xc3"}}'),
    "zeros": answer(b"200 OK", bytes(1000)),
    "types at random": said({"kind": 7, "apiVersion": None, "metadata": [], "data": "x", "webhooks": {"a": 1}, "spec": True}),
    "compressed, it says": answer(b"200 OK", b"{}", b"Content-Encoding: gzip"),
    "broken chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a thousand answers before": b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + answer(b"200 OK", b"{}"),
    "two answers": answer(b"200 OK", b"{}") + answer(b"200 OK", b"{}"),
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
    "a huge length": answer(b"200 OK", b"{}", length=1 << 62),
    "endless headers": pieces(b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 1000 + b"\r\n"),
    "one endless header": pieces(b"HTTP/1.1 200 OK\r\nX: ", b"a" * 65536),
    "an endless body": pieces(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536),
    "an endless object": pieces(b'HTTP/1.1 200 OK\r\n\r\n{"a":"', b"x" * 65536),
    "endless chunks": pieces(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b" " * 4096 + b"\r\n"),
    "silence": None,
}
# An object, but not what was asked for: the review shows which it is about.
OTHER_OBJECTS = {
    "of another uid": deployment(uid="another"),
    "without a uid": deployment(uid=None),
    "without fields of anybody": deployment(managedFields=None),
    "with managers that are no list": deployment(managedFields={"manager": "kubectl"}),
    "with managers of no type": deployment(managedFields=[None, 7, "x", [], {}]),
}


class ApiServer:
    """Answers with what a test gives it: bytes, an iterator of them, None for silence. `honest` is asked if no lie is set;
    where it gives None the connection is closed without an answer."""

    def __init__(self, honest):
        self.honest, self.lie, self.is_lying = honest, None, False
        self.requests = []
        self.certificate = harness.Certificate()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate.certificate, self.certificate.key)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.listener.getsockname()[1]
        self.has_ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError), self.context.wrap_socket(connection, server_side=True) as tls:
            tls.settimeout(30)
            file = tls.makefile("rb")
            while first := file.readline():
                method, path, _ = first.decode().split()
                headers = dict(line.decode().rstrip().lower().split(": ", 1) for line in iter(file.readline, b"\r\n"))
                body = file.read(int(headers.get("content-length", 0)))
                self.requests.append((method, path))
                if not self._answer(tls, method, path, body):
                    return

    def _answer(self, tls, method, path, body):
        """False: the connection ends."""
        lie, is_lying = self.lie, self.is_lying
        if not is_lying:
            truth = self.honest(method, path, body)
            tls.sendall(truth or b"")
            return truth is not None
        if lie is None:
            self.has_ended.wait(20)
        elif isinstance(lie, bytes):
            tls.sendall(lie)
        else:
            for piece in lie():
                tls.sendall(piece)
        return False

    @contextlib.contextmanager
    def lying(self, lie):
        """A generator begins again for each request."""
        if lie is not None and not isinstance(lie, bytes):
            kept = list(itertools.islice(lie, 2))
            lie = lambda: itertools.chain(kept[:1], itertools.repeat(kept[1], ENDLESS // len(kept[1])))  # noqa: E731
        self.lie, self.is_lying = lie, True
        try:
            yield
        finally:
            self.is_lying = False

    def stop(self):
        self.has_ended.set()
        self.listener.close()

    def kubeconfig(self):
        path = harness.temporary_directory() / "kubeconfig"
        path.write_text(json.dumps({
            "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {
                "server": f"https://127.0.0.1:{self.port}", "certificate-authority": self.certificate.certificate}}],
            "users": [{"name": "a", "user": {"token": "s3cr3t"}}]}))
        return str(path)


class Hostile(unittest.TestCase):
    def api(self, honest):
        api = ApiServer(honest)
        self.addCleanup(api.stop)
        return api

    def serve(self, api, *flags):
        server = harness.Server("--kubeconfig", api.kubeconfig(), "--threads", "1", *flags)
        self.addCleanup(lambda: server.is_running() and server.kill())
        return server

    def assert_untold(self, server):
        """Nothing of the API server's words reaches a terminal, and the token goes nowhere."""
        self.assertNotRegex(server.output, rb"\x1b|s3cr3t")


class LookUps(Hostile):
    def test_lies(self):
        """Protects who scales: on no such answer anybody is warned or refused, and the next true one is judged by."""
        api = self.api(lambda method, path, body: said(deployment()))
        server = self.serve(api, "--lookup")
        versions = itertools.count(1000)

        def ask():
            body = scale(str(next(versions)))
            return harness.assert_verdict(self, server.review(body), body, allowed=True).get("warnings")

        self.assertEqual([WARNING], ask())
        memory = server.resident_bytes()
        for name, lie in {**LIES, **{name: said(other) for name, other in OTHER_OBJECTS.items()}}.items():
            with self.subTest(name):
                with api.lying(lie):
                    self.assertIsNone(ask())
                self.assertEqual([WARNING], ask())
        if not harness.Program.is_sanitized:
            self.assertLess(server.resident_bytes() - memory, 48 << 20)
        self.assert_untold(server)
        self.assertEqual({path for _, path in api.requests}, {api.requests[0][1]}, "no redirect was followed")
        server.stop()


class Events(Hostile):
    def told_about(self, event):
        about = event["involvedObject"]
        return about["namespace"], about["name"]

    def tell(self, server, namespace, name):
        body = event_review(uid=f"{name}-{namespace}", name=name, namespace=namespace)
        harness.assert_verdict(self, server.review(body), body)

    def test_lies(self):
        """Protects reviews and the next Event: even if one is lost, reviews are answered and later Events are sent."""
        told = set()

        def honest(method, path, body):
            told.add(self.told_about(json.loads(body)))
            return answer(b"201 Created", body)

        api = self.api(honest)
        server = self.serve(api, "--events")
        for number, (name, lie) in enumerate(LIES.items()):
            with self.subTest(name):
                with api.lying(lie):
                    before = len(api.requests)
                    self.tell(server, f"of-{number}", "lie")
                    harness.wait_until(lambda: len(api.requests) > before, what="the Event")
                    if lie is None:
                        time.sleep(1)
                self.tell(server, f"of-{number}", "truth")
                if lie is not None:
                    harness.wait_until(lambda: (f"of-{number}", "truth") in told, timeout=15, what="the next Event")
        self.assert_untold(server)
        api.has_ended.set()
        server.stop()

    def test_lost_answers(self):
        """Protects `kubectl get events` where API servers restart: an Event whose answer is lost is there, and once."""
        kept = {}

        def keeps(method, path, body):
            event = json.loads(body)
            if event["metadata"]["name"] in kept:
                return answer(b"409 Conflict", STATUS)
            kept[event["metadata"]["name"]] = self.told_about(event)
            return answer(b"201 Created", body) if len(kept) % 2 else None

        api = self.api(keeps)
        server = self.serve(api, "--events")
        for number in range(6):
            self.tell(server, f"of-{number}", "lost")
        harness.wait_until(lambda: total(samples(server), "applyguard_events_total", outcome="sent") == 6, what="six Events")
        self.assertEqual([(f"of-{number}", "lost") for number in range(6)], list(kept.values()))
        self.assertEqual(9, len(api.requests), "three answers were lost, on connections that were in use before")
        server.stop()


class Cluster:
    """One Secret and one ValidatingWebhookConfiguration, as an API server keeps them."""

    def __init__(self):
        self.secret = None
        self.bundle = ""
        self.revision = 1
        self.writes = 0
        self.before_write = self.after_write = lambda number: None
        self.lock = threading.RLock()

    def configuration(self):
        hook = {"name": "guard.applyguard.io", "admissionReviewVersions": ["v1"], "sideEffects": "None",
                "clientConfig": {"service": {"namespace": NAMESPACE, "name": "guard", "path": "/validate"}}}
        if self.bundle:
            hook["clientConfig"]["caBundle"] = self.bundle
        return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
                "metadata": {"name": CONFIGURATION, "uid": "c0f19", "resourceVersion": str(self.revision)}, "webhooks": [hook]}

    def answer(self, method, path, body):
        with self.lock:
            if method != "GET":
                self.writes += 1
                self.before_write(self.writes)
            status, content = self._answer(method, path, json.loads(body) if body else None)
            if method != "GET":
                self.after_write(self.writes)
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime()).encode()
        return answer(status, json.dumps(content).encode(), b"Content-Type: application/json", b"Date: " + date)

    def _answer(self, method, path, content):
        path = path.partition("?")[0]
        if path.endswith(f"/validatingwebhookconfigurations/{CONFIGURATION}"):
            if method == "PATCH":
                self.bundle = content["webhooks"][0]["clientConfig"]["caBundle"]
                self.revision += 1
            return b"200 OK", self.configuration()
        if "/secrets" not in path:
            return b"404 Not Found", {"kind": "Status", "reason": "NotFound", "code": 404}
        return self._answer_of_secret(method, content)

    def _answer_of_secret(self, method, content):
        if method == "POST" and self.secret:
            return b"409 Conflict", {"kind": "Status", "reason": "AlreadyExists", "code": 409}
        if method == "GET" and not self.secret:
            return b"404 Not Found", {"kind": "Status", "reason": "NotFound", "message": "no such secret", "code": 404}
        if method in ("POST", "PUT"):
            if method == "PUT" and content["metadata"].get("resourceVersion") != self.secret["metadata"]["resourceVersion"]:
                return b"409 Conflict", {"kind": "Status", "reason": "Conflict", "code": 409}
            self.revision += 1
            content["metadata"].update(uid="5ec2e7", resourceVersion=str(self.revision))
            self.secret = content
        return (b"201 Created" if method == "POST" else b"200 OK"), self.secret


class Certificates(Hostile):
    FLAGS = ("--certs-secret", f"{NAMESPACE}/{SECRET}", "--certs-configuration", CONFIGURATION, "--certs-dns", "localhost",
             "--certs-ip", "127.0.0.1")

    def begin(self, api, *flags):
        """A server that makes its certificates itself, ready or not."""
        class Own:
            """In place of files."""

            @staticmethod
            def flags():
                return list(Certificates.FLAGS)

            @staticmethod
            def client_context():
                return ssl.create_default_context()

        server = harness.Server("--kubeconfig", api.kubeconfig(), "--threads", "1", *flags, certificate=Own, ready=False)
        self.addCleanup(lambda: server.is_running() and server.kill())
        return server

    def assert_trusted(self, server, cluster):
        """A client that trusts the configuration's bundle is served, and the Secret's certificates and keys match."""
        harness.wait_until(lambda: server.probe("/readyz") == 200, timeout=30, what="ready")
        context = ssl.create_default_context(cadata=base64.b64decode(cluster.bundle).decode())
        with server.connect(context=context) as connection:
            harness.assert_verdict(self, connection.review(review("csa-image")), review("csa-image"))
        self.assert_pair(cluster.secret["data"])

    def assert_pair(self, data):
        directory = harness.temporary_directory()
        for name in ("tls.crt", "tls.key"):
            (directory / name).write_bytes(base64.b64decode(data[name]))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(directory / "tls.crt", directory / "tls.key")

    def test_lies(self):
        """Protects a start: with lies it serves no certificate that is not trusted, and with the truth it becomes ready by
        itself."""
        # Each costs a start and a wait, and what a client reads is read in one way for all calls.
        names = list(LIES)[::1 if faults.ALL else 8]
        for name in names:
            with self.subTest(name):
                cluster = Cluster()
                api = self.api(cluster.answer)
                with api.lying(LIES[name]):
                    server = self.begin(api)
                    harness.wait_until(lambda: api.requests, what="a question")
                    self.assertEqual(server.probe("/readyz"), 503)
                    if name == "silence":
                        api.has_ended.set()
                self.assert_trusted(server, cluster)
                self.assert_untold(server)
                server.stop()

    def test_lies_later(self):
        """Protects who trusts it already: lies take nothing away, and nothing is written on their word."""
        cluster = Cluster()
        api = self.api(cluster.answer)
        server = self.begin(api)
        self.assert_trusted(server, cluster)
        kept, writes = json.dumps(cluster.secret), cluster.writes
        with api.lying(answer(b"200 OK", b'{"kind":"Secret","data":{}}')):
            time.sleep(2)
            self.assertEqual(server.probe("/readyz"), 200)
        self.assertEqual((json.dumps(cluster.secret), cluster.writes), (kept, writes))
        self.assert_trusted(server, cluster)
        server.stop()

    def test_killed_while_it_writes(self):
        """Protects the Secret: killed before or after any write, the next server goes on with what is there, whole."""
        for when in ("before_write", "after_write"):
            for number in (1, 2):
                with self.subTest(when, number=number):
                    cluster = Cluster()
                    api = self.api(cluster.answer)
                    pids = []

                    def kill(at, number=number, pids=pids):
                        if at == number and pids:
                            os.kill(pids[0], signal.SIGKILL)

                    # Nothing is answered before the process is known.
                    with cluster.lock:
                        setattr(cluster, when, kill)
                        first = self.begin(api)
                        pids.append(first.pid)
                    harness.wait_until(lambda: not first.is_running(), what="the kill")
                    first.kill()
                    if cluster.secret:
                        self.assert_pair(cluster.secret["data"])
                    stored = cluster.secret and cluster.secret["data"]["tls.crt"]
                    setattr(cluster, when, lambda at: None)
                    second = self.begin(api)
                    self.assert_trusted(second, cluster)
                    if stored:
                        self.assertEqual(stored, cluster.secret["data"]["tls.crt"], "the authority that was stored goes on")
                    second.stop()


if __name__ == "__main__":
    harness.main()
