"""Look-ups, Events and certificates that the server makes itself, all on one thread: none of them waits for another.

The API server answers to the one and not to the other, late, or never.
"""

import contextlib
import pathlib
import signal
import threading
import time
import unittest
from http import HTTPStatus

import api_server
import authority
import harness
import wire
from test_metrics import samples
from test_scales import NAMESPACE, PATH, PATIENCE_SECONDS, WARNING, deployment, scale

SECRETS, SECRET = "/api/v1/namespaces/guard/secrets", "authority"
CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/guard"
EVENTS = f"/api/v1/namespaces/{NAMESPACE}/events"
# The issuer looks at the cluster five times a second.
LIVES = ("--certs-leaf-validity", "3600s", "--certs-ca-validity", "86400s", "--certs-soak", "1s")
LOOKS = 3


class SelfMade(harness.UnknownCertificate):
    """The flags of a server that makes its own certificates."""

    def __init__(self, kubeconfig):
        super().__init__(["--certs-secret", f"guard/{SECRET}", "--certs-configuration", "guard", "--certs-ip", "127.0.0.1",
                          "--kubeconfig", kubeconfig, *LIVES])


class ApiServer(api_server.ApiServer):
    """Keeps a Secret and a webhook configuration, and has one Deployment. It may be silent, or too busy, for some paths."""

    def __init__(self):
        self.secret, self.silent, self.busy = None, None, None
        self.may_speak = threading.Event()
        self.configuration = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
                              "metadata": {"name": "guard", "uid": "u1"}, "webhooks": [{"name": "a.b.c", "clientConfig": {}}]}
        super().__init__()

    @contextlib.contextmanager
    def silence(self, path):
        """Nothing below this path is answered meanwhile."""
        self.silent = path
        self.may_speak.clear()
        try:
            yield
        finally:
            self.silent = None
            self.may_speak.set()

    def answer(self, method, path, body):
        path = path.partition("?")[0]
        if self.silent and path.startswith(self.silent):
            self.may_speak.wait(60)
        if self.busy and path.startswith(self.busy):
            return HTTPStatus.SERVICE_UNAVAILABLE, {"kind": "Status", "code": 503}
        if path == PATH:
            return HTTPStatus.OK, deployment()
        if path == CONFIGURATION:
            return HTTPStatus.OK, self.configured(body)
        if path.startswith(SECRETS):
            return self.kept(method, body)
        return HTTPStatus.CREATED, body

    def configured(self, apply):
        if apply:
            self.configuration = {**self.configuration, "webhooks": apply["webhooks"]}
        return self.configuration

    def kept(self, method, body):
        if method == "GET":
            return (HTTPStatus.OK, self.secret) if self.secret else (HTTPStatus.NOT_FOUND, {"kind": "Status", "code": 404})
        self.secret = body
        return HTTPStatus.CREATED if method == "POST" else HTTPStatus.OK, body

    def asked(self, path):
        return sum(request.path.startswith(path) for request in list(self.requests))


class ApiCalls(unittest.TestCase):
    def setUp(self):
        self.api = ApiServer()
        self.addCleanup(self.api.stop)

    def serve(self, *flags, **options):
        server = harness.Server("--threads", "1", *flags, certificate=SelfMade(self.api.kubeconfig()), **options)
        self.addCleanup(server.stop)
        return server

    def wait_for_more(self, path, count=1):
        """Until it was asked for so many times from now on."""
        before = self.api.asked(path)
        harness.wait_until(lambda: self.api.asked(path) >= before + count, what=f"{count} requests for {path}")

    def scale(self, server, version):
        """The warnings about a scale of an object that has not been looked up yet."""
        body = scale(f"{version}")
        return harness.assert_verdict(self, server.review(body), body, allowed=True).get("warnings")

    def test_scales_and_events_do_not_wait_for_certificates(self):
        """Protects scales and Events while the API server does not answer to what certificates need."""
        server = self.serve("--lookup", "--events")
        for version, path in enumerate((SECRETS, CONFIGURATION)):
            with self.subTest(silent=path), self.api.silence(path):
                self.wait_for_more(path)
                told = self.api.asked(EVENTS)
                self.assertEqual([WARNING], self.scale(server, version))
                harness.wait_until(lambda: self.api.asked(EVENTS) > told, what="the Event")
            self.wait_for_more(SECRETS, LOOKS)

    def test_scales_do_not_wait_for_another_try(self):
        """Protects scales while the API server is too busy for the Secret, which is asked for again and again."""
        server = self.serve("--lookup")
        self.api.busy = SECRETS
        self.wait_for_more(SECRETS, 2)
        for version in range(5):
            self.assertEqual([WARNING], self.scale(server, version))

    def test_certificates_do_not_wait_for_scales(self):
        """Protects certificates while the API server does not answer to what scales need."""
        server = self.serve("--lookup")
        body = scale()
        with self.api.silence(PATH), server.connect() as waiting:
            waiting.send(wire.post(body))
            harness.wait_until(lambda: self.api.asked(PATH), what="the question")
            self.wait_for_more(SECRETS, LOOKS)
            harness.assert_verdict(self, waiting.read(), body, allowed=True)

    def test_a_shutdown_does_not_wait_for_certificates(self):
        """Protects the grace period: no answer is waited for, and its absence harms no client."""
        for path in (SECRETS, CONFIGURATION):
            server = self.serve("--lookup", "--events")
            with self.subTest(silent=path), self.api.silence(path):
                self.wait_for_more(path)
                begin = time.monotonic()
                server.stop()
                self.assertLess(time.monotonic() - begin, harness.stretched(PATIENCE_SECONDS))
                self.assertEqual([], server.log("cannot maintain the certificates"))

    def test_a_shutdown_is_no_recovery(self):
        """Protects who reads the log: a problem that lasts is not over because the server stops before it has looked again."""
        server = self.serve()
        self.api.configuration = {**self.api.configuration, "webhooks": []}
        server.wait_for_log("cannot maintain the certificates")
        with self.api.silence(SECRETS):
            self.wait_for_more(SECRETS)
            server.stop()
        self.assertEqual([], server.log("the certificates are maintained again"))

    def test_handshakes_that_announce_much(self):
        """Protects the memory of a server that makes certificates for itself: such a handshake is cut for what it announces."""
        server = self.serve()
        with server.connect(context=None) as connection:
            connection.send(wire.announced_hello(130816))
            self.assertEqual(b"", connection.read_to_end())
        with server.connect_plain() as connection:
            metrics = connection.get("/metrics").body.decode().splitlines()
        slow = 'applyguard_connections_cut_total{phase="handshake"} '
        self.assertEqual([slow + "0"], [line for line in metrics if line.startswith(slow)])

    def test_a_hangup(self):
        """Protects every call: without a certificate file there is nothing to load again, and the server goes on."""
        server = self.serve()
        server.signal(signal.SIGHUP)
        server.wait_for_log("there is no policy file to reload")
        self.wait_for_more(SECRETS, LOOKS)
        self.assertEqual(200, server.probe("/healthz"))
        self.assertEqual([], server.log("client authorities reloaded"))

    def test_metrics_before_the_first_certificate(self):
        """Protects the person on call from an alert about a certificate that expired in 1970, while no certificate exists
        yet."""
        expiry = "applyguard_certificate_expiry_timestamp_seconds"
        with self.api.silence(SECRETS):
            server = self.serve(ready=False)
            self.assertNotIn(expiry, samples(server))
        harness.wait_until(lambda: samples(server).get(expiry, 0) > time.time(), what="the certificate")

    def test_authorities_of_clients(self):
        """Protects who alerts on what is not loaded: a broken file of authorities shows even if the certificates are good."""
        def certificates():
            values = samples(server)
            return tuple(values[f"applyguard_certificate_{name}"] for name in ("load_failures_total", "last_load_successful"))

        clients = authority.Authority()
        file = pathlib.Path(clients.certificate)
        good = file.read_bytes()
        server = self.serve("--client-ca", clients.certificate, "--client-name", "kube-apiserver")
        harness.wait_until(lambda: certificates() == (0, 1), what="all well")
        file.write_bytes(b"nothing")
        [line] = server.wait_for_log("client authorities not reloaded, the old ones stay")
        self.assertIn("(--client-ca)", line["reason"])
        harness.wait_until(lambda: certificates() == (1, 0), what="one failure")
        file.write_bytes(good)
        harness.wait_until(lambda: certificates() == (1, 1), what="all well again")

    def test_certificates_alone(self):
        """Protects who needs nothing else of the API server."""
        server = self.serve()
        self.wait_for_more(SECRETS, LOOKS)
        self.assertTrue(server.log("serving a new certificate"))


if __name__ == "__main__":
    harness.main()
