"""wire.py: an HTTP/1.1 client that knows exactly what went over the wire.

http.client forgives, retries and hides; these tests must see each byte, so this client reads answers strictly: a
status line, headers, a body of exactly Content-Length bytes, and nothing else.
"""

import select
import socket
import ssl

CRLF = b"\r\n"

# The headers that kube-apiserver 1.36.3 sends with each review, in its order.
API_SERVER_HEADERS = (
    ("User-Agent", "kube-apiserver-admission"),
    ("Accept", "application/json, */*"),
    ("Content-Type", "application/json"),
    ("Accept-Encoding", "gzip"),
)


class Closed(Exception):
    """The server ended the connection where an answer was due."""


class Malformed(Exception):
    """The bytes are not an HTTP/1.1 answer."""


class Response:
    """One answer, its headers by lower-case name."""

    def __init__(self, status, reason, headers, body):
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body

    @property
    def closes(self):
        return self.headers.get("connection", "").lower() == "close"

    def __repr__(self):
        return f"Response({self.status}, {self.headers}, {self.body[:200]!r})"


def request(method, path, body=None, headers=()):
    """The bytes of a request; a Content-Length where there is a body."""
    lines = [f"{method} {path} HTTP/1.1", "Host: applyguard.applyguard.svc:443"]
    lines += [f"{name}: {value}" for name, value in headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + CRLF + CRLF + (body or b"")


def post(body, path="/validate?timeout=10s", headers=API_SERVER_HEADERS):
    """The bytes of a review as the API server sends it."""
    return request("POST", path, body, headers)


def chunked(pieces):
    """The pieces as a chunked body, its end included."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def client_hello():
    """The first record of a client that is like any other."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def announced_hello(size):
    """A record with the first four bytes of a ClientHello of this size."""
    return bytes.fromhex("160301000401") + size.to_bytes(3, "big")


class Connection:
    """One connection, TLS if `context` is given."""

    def __init__(self, port, context=None, timeout=60, receive_buffer=None, handshake=True, no_delay=True,
                 source=None):
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            if source:
                self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
            self.local_port = self.socket.getsockname()[1]
            if no_delay:
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context:
                self.socket = context.wrap_socket(
                    self.socket, server_hostname="localhost", do_handshake_on_connect=False)
                if handshake:
                    self.socket.do_handshake()
        except BaseException:
            self.socket.close()
            raise
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def abort(self):
        """Ends the connection with a reset, as a client that was killed."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        """Reads once; b"" at the end of the connection."""
        data = self.socket.recv(65536)
        self.received += data
        return data

    def _line(self):
        while CRLF not in self.received:
            if len(self.received) > 65536:
                raise Malformed(f"no line in {self.received[:200]!r}")
            if not self.more():
                raise Closed(f"after {self.received[:200]!r}")
        line, self.received = self.received.split(CRLF, 1)
        return line.decode("latin-1")

    def _headers(self):
        headers = {}
        while line := self._line():
            name, separator, value = line.partition(": ")
            if not separator or not name or name.lower() in headers:
                raise Malformed(f"header {line!r}")
            headers[name.lower()] = value
        return headers

    def _body(self, length):
        parts = [self.received]
        missing = length - len(self.received)
        while missing > 0:
            data = self.socket.recv(min(missing, 262144))
            if not data:
                raise Closed(f"{missing} bytes before the end of a body")
            parts.append(data)
            missing -= len(data)
        whole = b"".join(parts)
        self.received = whole[length:]
        return whole[:length]

    def read(self, method="POST"):
        """The next answer, to a request of this method."""
        version, _, rest = self._line().partition(" ")
        status, _, reason = rest.partition(" ")
        if version != "HTTP/1.1" or not status.isdigit():
            raise Malformed(f"status line {version} {rest!r}")
        headers = self._headers()
        if "transfer-encoding" in headers or not headers.get("content-length", "").isdigit():
            raise Malformed(f"an answer without Content-Length: {headers}")
        length = 0 if method == "HEAD" else int(headers["content-length"])
        return Response(int(status), reason, headers, self._body(length))

    def exchange(self, data, method="POST"):
        self.send(data)
        return self.read(method)

    def review(self, body, path="/validate?timeout=10s"):
        return self.exchange(post(body, path))

    def get(self, path, method="GET"):
        return self.exchange(request(method, path), method)

    def has_ended(self, timeout=0):
        """Whether the server has ended the connection within this time, nothing unread being left."""
        if not self.is_readable(timeout):
            return False
        try:
            return not self.more()
        except (ConnectionError, ssl.SSLError):
            return True

    def is_readable(self, timeout=0):
        pending = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending()
        return bool(pending or select.select([self.socket], [], [], timeout)[0])

    def read_to_end(self):
        """All that still comes until the server ends the connection."""
        try:
            while self.more():
                pass
        except (ConnectionError, ssl.SSLError):
            pass
        data, self.received = self.received, b""
        return data
