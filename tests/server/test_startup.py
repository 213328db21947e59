"""A server that cannot start says why in one sentence, and exits with status 2."""

import pathlib
import resource
import socket
import subprocess
import unittest

import authority
import harness

POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\n"


class Startup(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.certificate = harness.Certificate()
        cls.directory = harness.temporary_directory()

    def _file(self, name, content):
        path = self.directory / name
        path.write_text(content)
        return str(path)

    def _serve(self, *flags, certificate=None, key=None, **options):
        """Runs `serve` with flags that come after, and so replace, good ones."""
        return harness.run(
            harness.Program.path, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0",
            "--tls-cert", certificate or self.certificate.certificate, "--tls-key", key or self.certificate.key, *flags,
            **options)

    def _check(self, result, *words):
        """Status 2, and one line on standard error that has these words in it."""
        text = result.stderr.decode()
        self.assertEqual(result.returncode, 2, text)
        self.assertEqual(result.stdout, b"")
        self.assertRegex(text, r"^applyguard[^\x00-\x1f\x7f]{20,}\n$", "one printable line")
        for word in words:
            self.assertIn(word, text)

    def test_certificate_and_key(self):
        """Whatever is wrong with the TLS files, the sentence names the file and the flag."""
        other = harness.Certificate()
        words = self._file("words.pem", "not a certificate\n")
        empty = self._file("empty.pem", "")
        whole = pathlib.Path(self.certificate.certificate).read_text()
        cut = self._file("cut.pem", whole[:len(whole) // 2])
        locked = str(self.directory / "locked.pem")
        harness.run("openssl", "pkey", "-in", self.certificate.key, "-aes256", "-passout", "pass:x", "-out", locked)
        for bad in ("/nowhere/tls.crt", words, empty, cut, str(self.directory), self.certificate.key):
            with self.subTest(certificate=bad):
                self._check(self._serve(certificate=bad), bad, "--tls-cert")
        for bad in ("/nowhere/tls.key", words, empty, locked, str(self.directory), self.certificate.certificate):
            with self.subTest(key=bad):
                self._check(self._serve(key=bad, stdin=subprocess.DEVNULL), bad, "--tls-key")
        self._check(self._serve(key=other.key), other.key, "--tls-key", self.certificate.certificate)

    def test_required_flags(self):
        """Without certificate or key the sentence says which flag is missing."""
        program = harness.Program.path
        self._check(harness.run(program, "serve"), "--tls-cert")
        self._check(harness.run(program, "serve", "--tls-cert", self.certificate.certificate), "--tls-key")
        self._check(harness.run(program, "serve", "--tls-key", self.certificate.key), "--tls-cert")

    def test_names_of_the_service(self):
        """An empty or a wrong name of the Service is refused in one sentence, before anything is asked of a cluster."""
        program = harness.Program.path
        for name in ("", "a.b", "-a"):
            with self.subTest(name):
                self._check(
                    harness.run(program, "serve", "--certs-secret", "guard/authority", "--certs-service", name),
                    "--certs-service is no name of a Service")

    def test_flags(self):
        """An unknown flag, a missing or a bad value, and a word too many are refused by name."""
        for flags, words in (
                (("--no-such-flag",), ("--no-such-flag",)),
                (("--no-such-flag=1",), ("--no-such-flag",)),
                (("-x",), ("-x",)),
                (("--listen",), ("--listen",)),
                (("word",), ("takes no arguments",)),
                (("--help=1",), ("--help",)),
                (("--max-body-bytes", "0"), ("--max-body-bytes", "0")),
                (("--max-body-bytes", "16777217"), ("--max-body-bytes", "16777217")),
                (("--max-body-bytes", "-1"), ("--max-body-bytes", "-1")),
                (("--max-body-bytes", "8MiB"), ("--max-body-bytes", "8MiB")),
                (("--max-body-bytes", "99999999999999999999999"), ("--max-body-bytes",)),
                (("--max-body-bytes", ""), ("--max-body-bytes",)),
                (("--max-connections", "0"), ("--max-connections",)),
                (("--max-connections", "many"), ("--max-connections", "many")),
                (("--metrics-labels", "kinds"), ("--metrics-labels", "kinds", "kind,namespace")),
                (("--metrics-labels", "kind,name"), ("--metrics-labels", "kind,name")),
                (("--metrics-labels-max", "0"), ("--metrics-labels-max",)),
                (("--metrics-labels-max", "10001"), ("--metrics-labels-max", "10001")),
                (("--threads", "0"), ("--threads",)),
                (("--threads", "100000"), ("--threads",)),
                (("--drain-delay", "5"), ("--drain-delay", "5")),
                (("--drain-delay", "-5s"), ("--drain-delay", "-5s")),
                (("--drain-delay", "soon"), ("--drain-delay", "soon")),
                (("--grace-period", ""), ("--grace-period",)),
                (("--grace-period", "99999h"), ("--grace-period",)),
                (("--log-format", "xml"), ("--log-format", "xml", "json"))):
            with self.subTest(flags):
                self._check(self._serve(*flags), *words)

    def test_addresses(self):
        """A port that is taken and an invalid address are named with their flag."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for flag in ("--listen", "--metrics-listen"):
                with self.subTest(flag, address=address):
                    self._check(self._serve(flag, address), flag, address)
        for bad in ("nonsense", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
                    "[::1:80", "no-such-host.invalid:80", "192.0.2.1:0"):
            with self.subTest(bad):
                self._check(self._serve("--listen", bad), "--listen", bad)

    def test_policy(self):
        """A policy that does not load is named with file, line and column."""
        missing = str(self.directory / "missing.yaml")
        self._check(self._serve("--policy", missing), missing, "--policy")
        self._check(self._serve("--policy", str(self.directory)), str(self.directory), "--policy")
        broken = self._file("broken.yaml", POLICY + "rulez: {}\n")
        self._check(self._serve("--policy", broken), f"{broken}:3:1: ", "rulez")
        self._check(self._serve("--policy", self._file("no.yaml", "")), "no.yaml")

    def test_too_few_files(self):
        """A limit of open files that leaves no room for a connection is reported at once, not found out later."""
        result = self._serve(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60)))
        self._check(result, "ulimit -n")

    def test_help(self):
        """--help goes to standard output, with status 0, and names each flag that the design promises."""
        result = harness.run(harness.Program.path, "serve", "--help")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, b"")
        for flag in ("policy", "listen", "tls-cert", "tls-key", "metrics-listen", "drain-delay", "max-body-bytes",
                     "max-connections", "log-format", "help"):
            self.assertIn(f"--{flag}", result.stdout.decode())

    def test_the_startup_line(self):
        """One line says where it listens and which policy is in force, so that a person can see what runs."""
        policy = self._file("policy.yaml", POLICY)
        with harness.Server(policy=policy) as server:
            lines = server.log("listening")
        self.assertEqual(len(lines), 1)
        self.assertEqual(lines[0]["address"], f"127.0.0.1:{server.port}")
        self.assertEqual(lines[0]["policyFile"], policy)
        self.assertTrue(lines[0]["policy"])

    def test_flags_that_change_nothing(self):
        """Protects who set one and expects something of it: the log names the flag that is missing."""
        message = "a flag has no effect without another"
        flags = {"--certs-key": "rsa", "--certs-ca-validity": "99h", "--certs-leaf-validity": "9h", "--certs-soak": "9s",
                 "--kubeconfig": "/absent", "--metrics-labels-max": "9"}
        with harness.Server(*(word for flag in flags.items() for word in flag)) as server:
            lines = server.wait_for_log(message, count=len(flags))
            self.assertEqual(list(flags), [line["flag"] for line in lines])
            self.assertEqual({"warning"}, {line["level"] for line in lines})
            lacks = {line["flag"]: line["lacks"] for line in lines}
            self.assertEqual(("--certs-secret", "--metrics-labels"), (lacks["--certs-soak"], lacks["--metrics-labels-max"]))
        with harness.Server("--certs-ca-life", "99h", "--certs-leaf-life", "9h") as server:  # their former names
            lines = server.wait_for_log(message, count=2)
            self.assertEqual(["--certs-ca-validity", "--certs-leaf-validity"], [line["flag"] for line in lines])
        with harness.Server("--metrics-labels", "kind", "--metrics-labels-max", "9", "--certs-soak", "10m") as server:
            self.assertEqual([], server.log(message))

    def test_labels_that_nobody_reads(self):
        """Metrics by kind that no listener serves are reported, too."""
        process = subprocess.Popen(
            [harness.Program.path, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "", "--metrics-labels", "kind",
             "--drain-delay", "0", "--tls-cert", self.certificate.certificate, "--tls-key", self.certificate.key],
            stderr=subprocess.PIPE)
        self.assertIn(b"listening", process.stderr.readline())
        process.terminate()
        _, rest = process.communicate()
        self.assertIn(b'"flag":"--metrics-labels","lacks":"--metrics-listen"', rest)

    def test_ipv6_and_all_addresses(self):
        """IPv6 in brackets, and a port alone, are addresses to listen on."""
        for address in ("[::1]:0", ":0"):
            with self.subTest(address):
                process = subprocess.Popen(
                    [harness.Program.path, "serve", "--listen", address, "--metrics-listen", "", "--drain-delay", "0",
                     "--tls-cert", self.certificate.certificate, "--tls-key", self.certificate.key],
                    stderr=subprocess.PIPE)
                line = process.stderr.readline()
                process.terminate()
                process.communicate()
                self.assertEqual(process.returncode, 0, line)
                self.assertIn(b"listening", line)

    def test_a_certificate_that_has_ended(self):
        """A restart with an expired certificate is loud: an error in the log, not silence (outage 3)."""
        expired = harness.Certificate()
        made = harness.run("openssl", "x509", "-in", expired.certificate, "-signkey", expired.key, "-days", "-1", "-out",
                           expired.certificate + ".expired")
        self.assertEqual(made.returncode, 0, made.stderr)
        with harness.Server("--tls-cert", expired.certificate + ".expired", certificate=expired, ready=False) as server:
            line = server.wait_for_log("the certificate has expired")[0]
        self.assertEqual(line["level"], "error")
        self.assertEqual(line["file"], expired.certificate + ".expired")

    def test_a_certificate_that_ends_soon(self):
        """In the last sixth of its life a certificate is a warning at the start, before it is not (outage 3)."""
        soon = authority.Authority(days=30, age_days=27).pair
        with harness.Server(certificate=soon) as server:
            lines = [line for line in server.log() if line["level"] == "warning"]
        self.assertEqual(len(lines), 1)
        self.assertIn("expire", lines[0]["message"])
        self.assertEqual(lines[0]["file"], soon.certificate)
        for young in (harness.Certificate(), authority.Authority(days=30, age_days=20).pair):
            with harness.Server(certificate=young) as server:
                self.assertEqual([line for line in server.log() if line["level"] != "info"], [])


if __name__ == "__main__":
    harness.main()
