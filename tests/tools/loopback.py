"""loopback.py: a webhook of the API server on loopback, which answers what a function says."""

import functools
import http.server
import json
import ssl
import threading


class Loopback:
    """Serves until it is closed. `answer`: (PATH, REVIEW) -> the review with its response."""

    def __init__(self, certificate, answer):
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate.certificate, certificate.key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Answering, answer))
        self.server.daemon_threads = True
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class _Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, answer, *arguments):
        self.answer = answer
        super().__init__(*arguments)

    def log_message(self, *_):
        pass

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(self.answer(self.path.partition("?")[0], review)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
