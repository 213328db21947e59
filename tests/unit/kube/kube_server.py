#!/usr/bin/env python3
"""A small API server for tests of the client: it does what the path says.

    kube_server.py CERTIFICATE KEY AUTHORITY

Prints its port. Counts the requests of each path, so that a test sees what was tried again.

    /echo                what came: method, headers, body, the client's certificate, which connection
    /answers/429,503     the first request of this path is answered 429, the second 503, later ones 200
    /answers/503?after=1 the same with Retry-After
    /cut/2               the connection is closed without an answer twice, then 200
    /slow                no answer for a minute
    /huge                an answer that does not end
    /only/TOKEN          401 for everybody else
    /meet/3              no answer before three requests of this path are there at the same time
    /delay/50            an answer after so many milliseconds
    /large/1000000       an answer of about so many bytes
    /closes              an answer, and then the connection is closed without a word of it
    /moved               a redirect to /echo
    /forbidden           a Status, with what should not reach a terminal
    /of/NAME/PATH        what the file NAME.json has at "/PATH": text as it is, a number as a Status of that code, all else
                         as JSON; 404 for what it does not have
"""
import collections
import http.server
import json
import pathlib
import ssl
import sys
import threading
import time
import urllib.parse

meeting = threading.Condition()
requests = collections.Counter()
connections = collections.Counter()
FORBIDDEN = {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403,
             "message": "secrets \"y\" is forbidden:\x1b[2J no"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        connections["all"] += 1
        self.number = connections["all"]

    def log_message(self, *_):
        pass

    def answer(self, status, content, **headers):
        body = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_of_file(self, name, path):
        content = json.loads(pathlib.Path(f"{name}.json").read_text()).get(path, 404)
        if isinstance(content, int):
            self.answer(content, {"kind": "Status", "reason": http.HTTPStatus(content).phrase})
        else:
            self.answer(200, content)

    def echo(self, body, count):
        certificate = self.connection.getpeercert() or {}
        subject = dict(pair for names in certificate.get("subject", ()) for pair in names)
        self.answer(200, {"method": self.command, "path": self.path, "body": body.decode(), "count": count,
                          "connection": self.number, "subject": subject.get("commonName", ""),
                          "headers": {name.lower(): value for name, value in self.headers.items()}})

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        url = urllib.parse.urlsplit(self.path)
        requests[self.path] += 1
        count = requests[self.path]
        parts = url.path.split("/")
        if parts[1] == "answers":
            statuses = parts[2].split(",")
            after = urllib.parse.parse_qs(url.query).get("after")
            if count <= len(statuses):
                self.answer(int(statuses[count - 1]), {"kind": "Status"}, **({"Retry_After": after[0]} if after else {}))
                return
        if parts[1] == "cut" and count <= int(parts[2]):
            self.close_connection = True
            return
        if parts[1] == "meet":
            with meeting:
                meeting.notify_all()
                meeting.wait_for(lambda: requests[self.path] >= int(parts[2]), 60)
        if parts[1] == "delay":
            time.sleep(int(parts[2]) / 1000)
        if parts[1] == "large":
            self.answer(200, "x" * int(parts[2]))
            return
        if parts[1] == "of":
            self.answer_of_file(parts[2], "/" + "/".join(parts[3:]))
            return
        if parts[1] == "closes":
            self.close_connection = True
        if parts[1] == "slow":
            time.sleep(60)
        if parts[1] == "huge":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            while True:
                self.wfile.write(b"x" * 65536)
        if parts[1] == "only" and self.headers.get("Authorization") != f"Bearer {parts[2]}":
            self.answer(401, {"kind": "Status", "reason": "Unauthorized"})
        elif parts[1] == "moved":
            self.answer(307, {}, Location="/echo")
        elif parts[1] == "forbidden":
            self.answer(403, FORBIDDEN)
        else:
            self.echo(body, count)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, context):
        super().__init__(("127.0.0.1", 0), Handler)
        self.context = context

    def finish_request(self, request, client_address):
        try:
            with self.context.wrap_socket(request, server_side=True) as connection:
                super().finish_request(connection, client_address)
        except OSError:
            pass  # what tests are about


def main():
    certificate, key, authority = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(authority)
    context.verify_mode = ssl.CERT_OPTIONAL
    server = Server(context)
    print(server.server_address[1], flush=True)
    # It ends with the process that started it: its standard input is a pipe from there.
    threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
    server.serve_forever(poll_interval=0.05)


if __name__ == "__main__":
    main()
