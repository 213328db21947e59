"""Requests that are not reviews: refused with a status, a sentence, and no harm to the next client."""

import json
import pathlib
import ssl
import unittest

import harness
import wire
from harness import review

DEFAULT_LIMIT = 8 << 20
LARGEST_LIMIT = 16 << 20

# The bytes that a client may have sent and the server has not read: the kernel's buffers on both sides.
ON_THE_WAY = 16 << 20

# The memory that the program may keep for the next review after large ones: each loop the end of its heap (KEPT_HEAP_BYTES in
# webhook/server/settings.h), and the rest for code that ran for the first time.
LOOPS = 2
KEPT_BYTES = LOOPS * (6 << 20) + (4 << 20)

WEBHOOK_PATHS = ("/validate", "/validate/warn", "/validate/audit")

# Ways to write a path that some servers answer with a redirect, and what asks for one.
ODD_PATHS = (
    "/", "/validate/", "//validate", "///validate", "/validate/../x", "/validate/..", "/./validate", "/validate/.",
    "/validate%2f", "/validate%2F..%2fx", "/%76alidate", "/validate/warn/", "/validate//warn", "/validate;a=b",
    "/VALIDATE", "/validate/%2e%2e/", "/healthz/", "//example.com/..", "//example.com/%2f..", "/\\example.com",
    "/validate\\", "/?http://example.com/", "https://example.com/validate", "/validate/../../../../etc/passwd",
    "/%00", "/validate%00", "/validate?x=%0d%0aLocation:%20http://example.com/", "*", "validate", "/" + "a" * 5000)

NOT_REVIEWS = {
    "empty": b"",
    "white space": b" \n",
    "words": b"hello",
    "a number": b"1",
    "null": b"null",
    "a list": b"[]",
    "a string": b'"AdmissionReview"',
    "an empty object": b"{}",
    "a binary": bytes(range(256)),
    "a NUL": b"\0",
    "100,000 nested arrays": b"[" * 100000,
    "100,000 nested arrays that close": b"[" * 100000 + b"]" * 100000,
    "100,000 nested objects": b'{"a":' * 100000 + b"1" + b"}" * 100000,
    "no request": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
    "request null": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":null}',
    "request a list": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":[]}',
    "request a string": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":"x"}',
    "request empty": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}',
    "an answer": b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"x","allowed":true}}',
}


def altered(old, new, story="configmap-create"):
    """A recorded review with one piece of its text replaced."""
    body = review(story)
    changed = body.replace(old, new, 1)
    if changed == body:
        raise ValueError(f"{old!r} is not in {story}")
    return changed


def broken_reviews():
    whole = review("configmap-create")
    uid = b'"uid":"' + json.loads(whole)["request"]["uid"].encode() + b'"'
    return {
        "truncated": whole.rstrip()[:-1],
        "cut in half": whole[:len(whole) // 2],
        "trailing garbage": whole.rstrip() + b"x",
        "twice": whole.rstrip() + whole,
        "a NUL inside": altered(b'"data":', b'"da\0ta":'),
        "a NUL at the end": whole.rstrip() + b"\0",
        "a byte order mark": b"\xef\xbb\xbf" + whole,
        "a lone surrogate": altered(b'"a":"b"', b'"a":"\\ud800"'),
        "a lone surrogate in a name": altered(b'"name":"plain"', b'"name":"\\udfff"'),
        "a surrogate in UTF-8": altered(b'"a":"b"', b'"a":"\xed\xa0\x80"'),
        "bytes that are no UTF-8": altered(b'"a":"b"', b'"a":"\xff\xfe"'),
        "a raw newline in a string": altered(b'"a":"b"', b'"a":"\n"'),
        "a trailing comma": altered(b'"a":"b"', b'"a":"b",'),
        "a comment": altered(b'"a":"b"', b'"a":/**/"b"'),
        "NaN": altered(b'"a":"b"', b'"a":NaN'),
        "no uid": altered(uid + b",", b""),
        "uid null": altered(uid, b'"uid":null'),
        "uid a number": altered(uid, b'"uid":1'),
        "uid an object": altered(uid, b'"uid":{}'),
        "uid twice": altered(uid, uid + b',"uid":"another"'),
        "object twice": altered(b'"oldObject":null', b'"oldObject":null,"object":null'),
        "a number beyond all doubles": altered(b'"a":"b"', b'"a":1e999'),
        "another version": altered(b"admission.k8s.io/v1", b"admission.k8s.io/v2"),
        "another group": altered(b"admission.k8s.io/v1", b"apps/v1"),
        "another kind": altered(b"AdmissionReview", b"TokenReview"),
    }


class Refusals(harness.ServerTest):
    def test_other_methods(self):
        """The webhook's paths take POST and say so; a probe's paths take GET."""
        with self.server.connect() as connection:
            for path in WEBHOOK_PATHS:
                for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "post"):
                    with self.subTest(method=method, path=path):
                        response = connection.get(path, method)
                        self.assertEqual(response.status, 405)
                        self.assertEqual(response.headers["allow"], "POST")
            for path in ("/healthz", "/readyz"):
                response = connection.exchange(wire.post(b"{}", path))
                self.assert_sentence(response, 405)
                self.assertEqual(response.headers["allow"], "GET, HEAD")

    def test_other_paths(self):
        """An unknown path gets 404, with any method."""
        with self.server.connect() as connection:
            for path in ("/", "/validate2", "/validat", "/mutate", "/metrics", "/favicon.ico"):
                for method in ("GET", "POST"):
                    with self.subTest(method=method, path=path):
                        self.assert_sentence(connection.exchange(wire.request(method, path, b"{}")), 404)

    def test_other_content_types(self):
        """A body that is not said to be JSON is not read as JSON."""
        body = review("configmap-create")
        with self.server.connect() as connection:
            for kind in ("text/plain", "application/jsonx", "application/x-json", "text/json", "",
                         "application/vnd.kubernetes.protobuf", "application/x-www-form-urlencoded"):
                with self.subTest(kind):
                    sent = wire.post(body, headers=[("Content-Type", kind)])
                    self.assert_sentence(connection.exchange(sent), 415)
            self.assert_sentence(connection.exchange(wire.post(body, headers=())), 415)

    def test_never_a_redirect(self):
        """The API server follows redirects (CVE-2020-8561): no path, however written, is answered 3xx."""
        body = review("configmap-create")
        for path in ODD_PATHS:
            for connect in (self.server.connect, self.server.connect_plain):
                for method in ("POST", "GET", "HEAD"):
                    with self.subTest(path=path, method=method, plain=connect == self.server.connect_plain):
                        sent = wire.request(method, path, body, wire.API_SERVER_HEADERS)
                        with connect() as connection:
                            response = connection.exchange(sent, method)
                        self.assertNotEqual(response.status // 100, 3, response)
                        self.assertNotIn("location", response.headers)

    def test_no_path_leads_to_another(self):
        """A path is what it says, letter by letter: none that must be read first is a webhook's (path traversal)."""
        body = review("configmap-create")
        for path in ODD_PATHS:
            if path.startswith("/validate?"):
                continue
            with self.subTest(path=path), self.server.connect() as connection:
                response = connection.exchange(wire.post(body, path))
                self.assertIn(response.status, (400, 404), response)
                self.assertNotIn(b"allowed", response.body)

    def test_bodies_that_are_no_reviews(self):
        """A body that cannot be read gets 400 and a sentence, and the connection stays open."""
        good = review("configmap-create")
        for name, body in {**NOT_REVIEWS, **broken_reviews()}.items():
            with self.subTest(name), self.server.connect() as connection:
                self.assert_sentence(connection.review(body), 400)
                self.assert_verdict(connection.review(good), good)

    def test_an_empty_body(self):
        """A request without a body gets an error in applyguard's own words."""
        with self.server.connect() as connection:
            self.assertIn(b"the body is empty", connection.review(b"").body)

    def test_odd_bodies_that_are_reviews(self):
        """Oddities inside the object are judged as far as they can be: 200 with the right uid, never a crash."""
        deep = b"[" * 100000 + b"]" * 100000
        odd = {
            "an object 100,000 deep": altered(b'"data":{"a":"b"}', b'"data":' + deep),
            "both objects 100,000 deep": altered(
                b'"image":', b'"deep":' + deep + b',"image":', "edit-ssa"),
            "an escaped NUL": altered(b'"a":"b"', b'"a":"\\u0000"'),
            "a surrogate pair": altered(b'"a":"b"', b'"a":"\\ud83d\\ude00"'),
            "duplicate keys": altered(b'"a":"b"', b'"a":"b","a":"c"'),
            "managedFields a string": altered(b'"managedFields":[', b'"managedFields":"x","other":['),
            "managedFields of nothing": altered(b'"managedFields":[{', b'"managedFields":[null,1,"x",[],{},{'),
            "an entry without fieldsV1": altered(b'"fieldsV1":', b'"fieldsV2":'),
            "unknown prefixes": altered(b'"f:data":{".":{}', b'"z:data":{},"":{},"f":{},"k:{":{},"v:":{},"i:x":{},"f:data":{".":{}'),
            "annotations that are numbers": altered(b'"metadata":{"name"', b'"metadata":{"annotations":{"a":1},"name"'),
            "annotations a list": altered(b'"metadata":{"name"', b'"metadata":{"annotations":[],"name"'),
            "a long number": altered(b'"a":"b"', b'"a":0.' + b"9" * 100000),
        }
        last_applied = b'"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":%s},"name"'
        for name, value in {
                "null": b'"null"', "[]": b'"[]"', "empty": b'""', "250 KiB of [": b'"' + b"[" * 256000 + b'"',
                "not a string": b"{}", "a NUL": b'"\\u0000"'}.items():
            odd[f"last-applied {name}"] = altered(b'"metadata":{"name"', last_applied % value)
        for name, body in odd.items():
            with self.subTest(name), self.server.connect() as connection:
                response = connection.review(body)
                uid = json.loads(review("edit-ssa" if name.startswith("both") else "configmap-create"))["request"]["uid"]
                self.assertEqual(response.status, 200, response)
                answer = json.loads(response.body)["response"]
                self.assertEqual(answer["uid"], uid)
                self.assertTrue(answer["allowed"], answer)

    def test_requests_that_are_no_http(self):
        """A request that breaks HTTP gets 400 or a closed connection, and the server goes on."""
        requests = {
            "a Content-Length of 20 digits": b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551617\r\n\r\n",
            "a negative Content-Length": b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "a Content-Length in words": b"POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n",
            "an unknown encoding": b"POST /validate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
            "a broken chunk": b"POST /validate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "a chunk of 2^64": b"POST /validate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n",
            "101 headers": b"POST /validate HTTP/1.1\r\n" + b"A: b\r\n" * 101 + b"\r\n",
            "half a megabyte of header": b"POST /validate HTTP/1.1\r\nA: " + b"b" * 500000 + b"\r\n\r\n",
            "control characters": b"POST /validate\x01 HTTP/1.1\r\n\x02: \x03\r\n\r\n",
            "another protocol": b"EHLO example.com\r\n\r\n",
            "bytes": bytes(range(256)) + b"\r\n\r\n",
            "HTTP/9.9": b"POST /validate HTTP/9.9\r\nHost: x\r\n\r\n",
        }
        for name, sent in requests.items():
            with self.subTest(name), self.server.connect() as connection:
                try:
                    connection.send(sent)
                    response = connection.read()
                except (wire.Closed, ConnectionError, ssl.SSLError):
                    continue
                self.assertEqual(response.status, 400, response)
                self.assertTrue(response.closes, "what follows a broken request cannot be told apart from its body")
                self.assertTrue(connection.has_ended(30))
        self.assertEqual(self.server.probe("/healthz", tls=True), 200)

    def test_no_upgrade(self):
        """`Upgrade: h2c` is not taken up: no 101, an ordinary answer."""
        body = review("configmap-create")
        upgrade = (("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA"))
        with self.server.connect() as connection:
            self.assert_verdict(connection.exchange(wire.post(body, headers=(*wire.API_SERVER_HEADERS, *upgrade))), body)
        with self.server.connect_plain() as connection:
            self.assertEqual(connection.exchange(wire.request("GET", "/healthz", headers=upgrade)).status, 200)

    def test_the_server_does_not_introduce_itself(self):
        """No answer names the version of a library."""
        with self.server.connect() as connection:
            for response in (connection.get("/"), connection.get("/healthz"), connection.review(review("delete"))):
                self.assertNotRegex(str(response.headers) + repr(response.body), r"(?i)h2o|openssl|yyjson")


class Limits(unittest.TestCase):
    """Bodies are bounded however they come (outage 12: unbounded request reads)."""

    def setUp(self):
        self.server = harness.Server()
        self.good = review("configmap-create")

    def tearDown(self):
        self.assertEqual(self.server.review(self.good).status, 200)
        self.server.stop()

    def _refused(self, connection):
        response = connection.read()
        self.assertEqual(response.status, 413, response)
        self.assertTrue(response.closes)
        self.assertIn(b" ", response.body)
        self.assertTrue(connection.has_ended(30))

    def _stream_until_refused(self, connection, data, most):
        """Sends `data` again and again until an answer or the end comes; more than `most` bytes is a failure."""
        sent = 0
        try:
            while not connection.is_readable():
                self.assertLess(sent, most, "the server goes on reading")
                connection.send(data)
                sent += len(data)
            return connection.read()
        except (wire.Closed, ConnectionError, ssl.SSLError):
            return None

    def test_length_over_the_limit(self):
        """A Content-Length above the limit is refused before any of the body is sent."""
        with self.server.connect() as connection:
            connection.send(wire.request("POST", "/validate", headers=(
                *wire.API_SERVER_HEADERS, ("Content-Length", DEFAULT_LIMIT + 1))))
            self._refused(connection)

    def test_the_largest_body(self):
        """A body of just the limit is read and judged: the limit is what --max-body-bytes says."""
        padding = b" " * (DEFAULT_LIMIT - len(self.good))
        body = self.good + padding
        with self.server.connect() as connection:
            harness.assert_verdict(self, connection.review(body), body)

    def test_chunks_over_the_limit(self):
        """Chunks are counted: 413 soon after the limit is passed."""
        with self.server.connect() as connection:
            connection.send(wire.request("POST", "/validate", headers=(
                *wire.API_SERVER_HEADERS, ("Transfer-Encoding", "chunked"))))
            piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
            response = self._stream_until_refused(connection, piece, DEFAULT_LIMIT + ON_THE_WAY)
            if response:
                self.assertEqual(response.status, 413)

    def test_chunks_just_over_the_limit(self):
        """A client that stops to listen gets 413."""
        piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
        with self.server.connect() as connection:
            connection.send(wire.request("POST", "/validate", headers=(
                *wire.API_SERVER_HEADERS, ("Transfer-Encoding", "chunked"))) + piece * (DEFAULT_LIMIT // 65536))
            connection.send(b"1\r\n")
            self._refused(connection)

    def test_one_endless_chunk(self):
        """A chunk that says it is enormous is cut at the limit as well."""
        with self.server.connect() as connection:
            connection.send(wire.request("POST", "/validate", headers=(
                *wire.API_SERVER_HEADERS, ("Transfer-Encoding", "chunked"))) + b"7fffffffffffffff\r\n")
            response = self._stream_until_refused(connection, b" " * 65536, DEFAULT_LIMIT + ON_THE_WAY)
            if response:
                self.assertEqual(response.status, 413)

    def test_sixteen_megabytes_of_string(self):
        """A string of 16 MiB is above the default limit."""
        body = self.good.replace(b'"a":"b"', b'"a":"' + b"x" * LARGEST_LIMIT + b'"')
        with self.server.connect() as connection:
            response = self._stream_until_refused(connection, wire.post(body)[:65536], len(body))
            if response:
                self.assertEqual(response.status, 413)


class LargestLimit(unittest.TestCase):
    def test_no_file_in_tmp(self):
        """H2O keeps buffers above 32 MiB in /tmp, which a read-only file system lacks: ours never are there."""
        good = review("configmap-create")
        body = good.replace(b'"a":"b"', b'"a":"' + b"x" * (LARGEST_LIMIT - len(good)) + b'"')
        self.assertEqual(len(body), LARGEST_LIMIT + len(b'"a":""') - len(b'"a":"b"'))
        with harness.Server("--max-body-bytes", str(LARGEST_LIMIT)) as server, server.connect() as connection:
            sent = wire.post(body)
            connection.send(sent[:-1])
            harness.wait_until(lambda: server.has_read_all(connection), what="the body at the server")
            files = [name for name in server.open_files() if name.startswith(("/tmp", "/var/tmp"))]
            self.assertEqual(files, [])
            self.assertNotIn("h2o.b", pathlib.Path(f"/proc/{server.pid}/maps").read_text())
            harness.assert_verdict(self, connection.exchange(sent[-1:]), body)

    def test_a_small_limit(self):
        """--max-body-bytes is kept to the byte."""
        good = review("configmap-create")
        with harness.Server("--max-body-bytes", str(len(good))) as server:
            harness.assert_verdict(self, server.review(good), good)
            self.assertEqual(server.review(good + b" ").status, 413)


class ManyLargeBodies(unittest.TestCase):
    def test_memory_comes_back(self):
        """Many large reviews at once are all answered, and the memory they took is given back (outage 11)."""
        good = review("configmap-create")
        body = good.replace(b'"a":"b"', b'"a":[' + b"[]," * (2 << 20) + b"1]")

        def send(server):
            with server.connect(timeout=60) as connection:
                return connection.review(body).status

        with harness.Server("--threads", str(LOOPS)) as server:
            idle = server.resident_bytes()
            statuses = harness.in_parallel([lambda: send(server)] * 16)
            self.assertLessEqual(set(statuses), {200, 503})
            self.assertIn(200, statuses)
            if not harness.Program.is_sanitized:
                self.assertGreater(server.resident_bytes(peak=True), idle + 2 * KEPT_BYTES)
                harness.wait_until(lambda: server.resident_bytes() < idle + KEPT_BYTES, what="memory given back")


if __name__ == "__main__":
    harness.main()
