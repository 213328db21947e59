"""recorder.py: stands between the API server and applyguard, relays each review, and keeps what both sides said."""

import dataclasses
import functools
import http.client
import http.server
import json
import ssl
import threading


@dataclasses.dataclass
class Exchange:
    """A review as the API server sent it, and the answer as applyguard gave it."""

    guard: str
    path: str
    review: bytes
    status: int
    answer: bytes

    @functools.cached_property
    def request(self):
        return json.loads(self.review)["request"]

    @functools.cached_property
    def response(self):
        return json.loads(self.answer)["response"]

    @property
    def findings(self):
        """Those that the audit annotation has room for; behind them it counts the rest."""
        listed = json.loads(self.response.get("auditAnnotations", {}).get("findings", "[]"))
        return [finding for finding in listed if "rule" in finding]

    @property
    def rules(self):
        """All findings, even if the warnings have no room for them."""
        return self.response.get("auditAnnotations", {}).get("rules", "").split(",")


class Recorder:
    """Serves https://127.0.0.1:PORT/GUARD/PATH, where GUARD names one of the `applyguard serve` that it relays to."""

    def __init__(self, guards, certificate):
        self.guards = guards
        self.exchanges = []
        self.lock = threading.Lock()
        self.to_guards = certificate.client_context()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate.certificate, certificate.key)
        self.server = _Server(("127.0.0.1", 0), functools.partial(_Relay, self))
        # The handshake is left to the connection's own thread.
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def keep(self, exchange):
        with self.lock:
            self.exchanges.append(exchange)

    def count(self):
        with self.lock:
            return len(self.exchanges)

    def since(self, start):
        with self.lock:
            return self.exchanges[start:]


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A connection that the API server gave up does not matter for the test."""


class _Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, recorder, *arguments):
        self.recorder = recorder
        self.upstream = {}
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def do_POST(self):
        review = self.rfile.read(int(self.headers["Content-Length"]))
        guard, path = self.path.removeprefix("/").split("/", 1)
        status, headers, answer = self._ask(guard, "/" + path, review)
        self.recorder.keep(Exchange(guard, "/" + path.partition("?")[0], review, status, answer))
        self.send_response_only(status)
        for name in ("Content-Type", "Retry-After"):
            if name in headers:
                self.send_header(name, headers[name])
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _ask(self, guard, path, review):
        connection = self.upstream.get(guard)
        if not connection:
            connection = self.upstream[guard] = http.client.HTTPSConnection(
                "127.0.0.1", self.recorder.guards[guard].port, context=self.recorder.to_guards, timeout=30)
        connection.request("POST", path, review, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def finish(self):
        for connection in self.upstream.values():
            connection.close()
        super().finish()
