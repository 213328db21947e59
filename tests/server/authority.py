"""authority.py: certificates of one authority, of any age, for servers and clients.

`applyguard certs` makes the servers' certificates itself, at the time that it is given; clients' by openssl(1).
"""

import os
import pathlib
import ssl
import time

import harness

DAY = 86400


def clock():
    return harness.shared_library("clock")


def certs(*arguments, age_days=0.0):
    """`applyguard certs` as if it had been run so long ago."""
    environment = {**os.environ, "LD_PRELOAD": clock(), "NOW": str(int(time.time() - age_days * DAY)),
                   **harness.sanitizer_options(ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")}
    done = harness.run(harness.Program.path, "certs", *map(str, arguments), env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())


class Pair:
    """A certificate and its key in files, and the authority that clients trust for it."""

    def __init__(self, directory, authority):
        self.certificate = str(directory / "tls.crt")
        self.key = str(directory / "tls.key")
        self.authority = authority

    def flags(self):
        return ["--tls-cert", self.certificate, "--tls-key", self.key]

    def client_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.authority)
        return context

    def bytes(self):
        """The certificate as a peer sees it."""
        text = pathlib.Path(self.certificate).read_text()
        return ssl.PEM_cert_to_DER_cert(text[:text.index("-----END") + 26])


class Authority:
    """An authority and a first certificate of it, made `age_days` ago."""

    def __init__(self, days=90, age_days=0.0):
        self.directory = harness.temporary_directory() / "certificates"
        certs("create", "--out", self.directory, "--dns", "localhost", "--ip", "127.0.0.1", "--days", days, age_days=age_days)
        self.certificate = str(self.directory / "ca.crt")
        self.pair = Pair(self.directory, self.certificate)

    def another(self, days=90, age_days=0.0):
        """One more certificate of this authority, with files of its own."""
        directory = harness.temporary_directory()
        for file in self.directory.iterdir():
            (directory / file.name).write_bytes(file.read_bytes())
        certs("renew", "--force", "--out", directory, "--days", days, age_days=age_days)
        return Pair(directory, self.certificate)

    def client(self, common_name, names="", usage="clientAuth", days=30):
        """A client's certificate and key in one file."""
        directory = harness.temporary_directory()
        extensions = f"extendedKeyUsage={usage}\n" + (f"subjectAltName={names}\n" if names else "")
        (directory / "extensions").write_text(extensions)
        for command in (
            ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", directory / "key",
             "-out", directory / "request", "-subj", f"/CN={common_name}"),
            ("x509", "-req", "-in", directory / "request", "-CA", self.certificate, "-CAkey", self.directory / "ca.key",
             "-CAcreateserial", "-days", days, "-extfile", directory / "extensions", "-out", directory / "certificate"),
        ):
            made = harness.run("openssl", *map(str, command))
            if made.returncode:
                raise RuntimeError(made.stderr.decode())
        both = directory / "client.pem"
        both.write_text((directory / "key").read_text() + (directory / "certificate").read_text())
        return str(both)
