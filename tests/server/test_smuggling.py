"""Requests that two can read in two ways: refused, so that none hides another (request smuggling).

No proxy has to be between the API server and the webhook, but one may be there. No client's request is taken for a part of
another's: what is refused ends its connection, and what follows it is never answered.
"""

import ssl

import harness
import wire
from harness import review

BODY = review("csa-image")
HEADERS = b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
START = b"POST /validate" + HEADERS
STATED = b"Content-Length: %d\r\n\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
# The request that would be answered if the one before it ended elsewhere.
HIDDEN = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def ambiguous(start, body):
    """Requests that begin so and have this body."""
    length = b"%d" % len(body)
    stated = b"Content-Length: " + length + b"\r\n\r\n"
    return {
        "a length and chunks": start + b"Content-Length: 5\r\n" + CHUNKED + wire.chunked([body]),
        "chunks and a length": start + b"Transfer-Encoding: chunked\r\n" + stated + wire.chunked([body]),
        "two lengths": start + b"Content-Length: 5\r\n" + stated + body,
        "two lengths, the second too short": start + stated[:-2] + b"Content-Length: 5\r\n\r\n" + body,
        "the same length twice": start + stated[:-2] + stated + body,
        "a list of lengths": start + b"Content-Length: %s, %s\r\n\r\n" % (length, length) + body,
        "a signed length": start + b"Content-Length: +%s\r\n\r\n" % length + body,
        "a length in hexadecimal": start + b"Content-Length: 0x10\r\n\r\n" + body,
        "an empty length": start + b"Content-Length: \r\n\r\n" + HIDDEN,
        "a space before the colon": start + b"Content-Length : %s\r\n\r\n" % length + body,
        "two encodings": start + b"Transfer-Encoding: chunked\r\n" + CHUNKED + wire.chunked([body]),
        "a list of encodings": start + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + wire.chunked([body]),
        "no encoding, said as one": start + b"Transfer-Encoding: identity\r\n" + stated + body,
        "nearly chunked": start + b"Transfer-Encoding: xchunked\r\n\r\n" + wire.chunked([body]),
        "chunked behind a vertical tab": start + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + wire.chunked([body]),
        "chunked on a line of its own": start + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + wire.chunked([body]),
        "a folded line": start + b"X: a\r\n b\r\n" + stated + body,
        "a line folded with a tab": start + b"X: a\r\n\tContent-Length: 5\r\n" + stated + body,
        "a first line that is folded": start.replace(b"\r\nHost", b"\r\n Host") + stated + body,
        "lines that end without CR": (start + stated).replace(b"\r\n", b"\n") + body,
        "one line that ends without CR": start + b"X: a\nContent-Length: 5\r\n" + stated + body,
        "a head that ends without CR": start + stated[:-2] + b"\n" + body,
        "an empty line without CR first": b"\n" + start + stated + body,
        "two empty lines first": b"\r\n\r\n" + start + stated + body,
        "a CR in a line": start + b"X: a\rContent-Length: 5\r\n" + stated + body,
        "a NUL in a line": start + b"X: a\0b\r\n" + stated + body,
        "a line without a colon": start + b"X\r\n" + stated + body,
        "a header without a name": start + b": x\r\n" + stated + body,
        "two hosts": start + b"Host: y\r\n" + stated + body,
        "two hosts, written otherwise": start + b"hOST: y\r\n" + stated + body,
    }


REVIEWS = ambiguous(START, BODY)
PROBES = ambiguous(b"GET /healthz" + HEADERS, b"{}")

# H2O takes all of these: what stands behind the digits of a size, trailers, lines without CR.
IN_CHUNKS = {
    "chunks": wire.chunked([BODY]),
    "an extension": b"%x;a=b\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n",
    "a size in the form 0x": b"0x%x\r\n" % len(BODY) + HIDDEN + b"\r\n0\r\n\r\n",
    "a space behind the size": b"%x \r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n",
    "lines without CR": b"%x\n" % len(BODY) + BODY + b"\n0\n\n",
    "trailers that contradict": b"%x\r\n" % len(BODY) + BODY + b"\r\n0\r\nContent-Length: 5\r\n\r\n",
}


class Smuggling(harness.ServerTest):
    def _refused(self, connection, sent, status):
        """This status and the end, or the end alone; nothing that comes behind is a request."""
        try:
            connection.send(sent + HIDDEN)
            response = connection.read()
        except (wire.Closed, ConnectionError, ssl.SSLError):
            return
        self.assert_refusal(response, status)
        self.assertEqual(b"", connection.read_to_end(), "what was hidden is answered")

    def assert_refusal(self, response, status):
        self.assertEqual(response.status, status, response)
        self.assertTrue(response.closes, response)
        self.assertNotIn(b'"allowed"', response.body)

    def test_what_can_be_read_in_two_ways(self):
        """Protects clients that share a proxy's connection: no part of a review becomes a request, on either listener."""
        for connect, requests in ((self.server.connect, REVIEWS), (self.server.connect_plain, PROBES)):
            for name, sent in requests.items():
                with self.subTest(name, listener=connect.__name__), connect() as connection:
                    self._refused(connection, sent, 400)

    def test_as_a_later_request(self):
        """Nor does it work behind a good request, in the same packet or in one of its own."""
        for name, sent in REVIEWS.items():
            with self.subTest(name), self.server.connect() as connection:
                connection.send(wire.post(BODY) + sent[:40])
                self.assert_verdict(connection.read(), BODY)
                self._refused(connection, sent[40:], 400)

    def test_in_chunks(self):
        """A body that comes in chunks, which no API server sends, is asked for with its length."""
        for name, chunks in IN_CHUNKS.items():
            with self.subTest(name), self.server.connect() as connection:
                self._refused(connection, START + CHUNKED + chunks, 411)

    def test_they_are_counted(self):
        """An operator sees that a client sends such requests."""
        with harness.Server() as server:
            for sent in (REVIEWS["two lengths"], START + CHUNKED + wire.chunked([BODY])):
                with server.connect() as connection:
                    self._refused(connection, sent, 400 if b"chunked" not in sent else 411)
            harness.wait_until(lambda: self._malformed(server) == 2, what="two refusals counted")

    @staticmethod
    def _malformed(server):
        with server.connect_plain() as connection:
            text = connection.get("/metrics").body.decode()
        [line] = [line for line in text.splitlines() if line.startswith('applyguard_requests_refused_total{reason="http"}')]
        return float(line.split()[-1])

    def test_what_is_odd_and_clear(self):
        """An empty line before a request, names in any case and a request without Host can be read in one way only."""
        for name, sent in {
                "an empty line first": b"\r\n" + START + STATED + BODY,
                "names in any case": START.replace(b"Host", b"hOsT") + STATED.replace(b"Content-L", b"CONTENT-l") + BODY,
                "no Host": START.replace(b"Host: x\r\n", b"") + STATED + BODY,
                "headers of a similar name": START + b"Content-Lengths: 5\r\nHosts: y\r\nTransfer-Encodings: x\r\n" + STATED + BODY,
                "an empty header": START + b"X:\r\n" + STATED + BODY,
        }.items():
            with self.subTest(name), self.server.connect() as connection:
                self.assert_verdict(connection.exchange(sent), BODY)
                self.assert_verdict(connection.review(BODY), BODY)


if __name__ == "__main__":
    harness.main()
