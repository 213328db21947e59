"""repository.py: where Flux finds what to apply: folders as archives, served on loopback as its source controller does."""

import functools
import hashlib
import http.server
import io
import pathlib
import tarfile
import threading


class Repository:
    """Serves each revision that was published as FOLDER-DIGEST.tar.gz."""

    def __init__(self, directory):
        self.directory = directory
        handler = functools.partial(_Quiet, directory=str(directory))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def publish(self, folder, root=pathlib.PurePath()):
        """The artifact in a source's status: what is in the folder now, under `root` in the archive."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for file in sorted(folder.rglob("*.yaml")):
                archive.add(file, root / file.relative_to(folder))
        digest = hashlib.sha256(packed.getvalue()).hexdigest()
        name = f"{folder.name}-{digest}.tar.gz"
        (self.directory / name).write_bytes(packed.getvalue())
        return {
            "url": f"http://127.0.0.1:{self.server.server_address[1]}/{name}", "path": name, "digest": f"sha256:{digest}",
            "revision": f"main@sha1:{digest[:40]}", "lastUpdateTime": "2026-01-01T00:00:00Z"}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
