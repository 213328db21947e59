"""api.py: requests to the API server as a client library sends them, with the answer's warnings and audit ID."""

import dataclasses
import http.client
import json
import re
import threading
import time
import urllib.parse

from control_plane import TOKENS

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"

# The API server closes a connection that was idle for 90 seconds, perhaps just when the next request is on its way.
IDLE_SECONDS = 30


@dataclasses.dataclass
class Answer:
    status: int
    body: dict
    warnings: list
    audit_id: str

    @property
    def ok(self):
        return self.status < 300


class Api:
    """A client that keeps one connection a thread."""

    def __init__(self, plane):
        self.plane = plane
        self.local = threading.local()

    def _connection(self):
        if time.monotonic() - getattr(self.local, "used_at", 0) > IDLE_SECONDS:
            self.close()
        self.local.used_at = time.monotonic()
        if not hasattr(self.local, "connection"):
            server = urllib.parse.urlsplit(self.plane.server())
            self.local.connection = http.client.HTTPSConnection(
                server.hostname, server.port, context=self.plane.tls(), timeout=60)
        return self.local.connection

    def close(self):
        if hasattr(self.local, "connection"):
            self.local.connection.close()
            del self.local.connection

    def request(self, method, path, body=None, *, user="admin", content_type="application/json", agent="client/v1",
                **query):
        query = {key: value for key, value in query.items() if value is not None}
        target = path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": f"Bearer {TOKENS[user]}", "Content-Type": content_type, "User-Agent": agent}
        connection = self._connection()
        try:
            connection.request(method, target, None if body is None else json.dumps(body).encode(), headers)
            response = connection.getresponse()
            text = response.read()
        except BaseException:
            self.close()
            raise
        return Answer(
            response.status, json.loads(text) if text.startswith(b"{") else {"text": text.decode()},
            [_warning_text(header) for header in response.headers.get_all("Warning", [])],
            response.headers.get("Audit-Id"))

    def apply(self, path, manifest, manager, *, force=False, user="admin", **query):
        return self.request(
            "PATCH", path, manifest, user=user, content_type=APPLY, fieldManager=manager,
            force="true" if force else "false", **query)


def _warning_text(header):
    """The text of `299 - "text"`, which is UTF-8; http.client reads headers as Latin-1."""
    quoted = re.match(r'\d+ \S+ "(.*)"$', header.encode("latin-1").decode(), re.DOTALL).group(1)
    return re.sub(r"\\(.)", r"\1", quoted)
