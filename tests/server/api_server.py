"""api_server.py: an API server of a test's own, on loopback, that answers as the test says, and the way to it."""

import contextlib
import dataclasses
import http.server
import json
import ssl
import threading

import harness


@dataclasses.dataclass
class Request:
    method: str
    path: str
    authorization: str
    content_type: str
    body: object  # parsed; None where there is none


class ApiServer:
    """Notes every request, and answers it once it may."""

    def __init__(self):
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.requests = []
        self.certificate = harness.Certificate()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate.certificate, self.certificate.key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answer(self, method, path, body):
        """Status and content of the answer: what a test's own server says."""
        raise NotImplementedError

    def _handler(self):
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def respond(self):
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = Request(self.command, self.path, self.headers["Authorization"], self.headers["Content-Type"],
                                  json.loads(text) if text else None)
                api.requests.append(request)
                api.may_answer.wait(60)
                status, content = api.answer(self.command, self.path, request.body)
                body = json.dumps(content).encode()
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = respond

            def log_message(self, *_):
                pass

        return Handler

    def stop(self):
        self.may_answer.set()
        self.server.shutdown()
        self.server.server_close()

    def kubeconfig(self):
        path = harness.temporary_directory() / "kubeconfig"
        path.write_text(json.dumps({
            "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {
                "server": f"https://127.0.0.1:{self.server.server_port}",
                "certificate-authority": self.certificate.certificate}}],
            "users": [{"name": "a", "user": {"token": "s3cr3t"}}]}))
        return str(path)
