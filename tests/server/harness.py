"""harness.py: one applyguard server for a test, from its start to its exit.

The server is the real program on loopback, with a certificate made for the run. A test that starts a server stops it, and
stopping proves that it ends as promised: status 0 after SIGTERM, and no word from a sanitizer. A sanitizer's report on any
program that a test ran fails the test, however that program was run and ended.
"""

import atexit
import concurrent.futures
import contextlib
import functools
import json
import os
import pathlib
import re
import select
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import wire

REVIEWS = pathlib.Path(__file__).resolve().parent.parent / "reviews"
SANITIZERS = pathlib.Path(__file__).resolve().parent.parent / "sanitizers"

# The exit status of a program that a sanitizer found fault with: none of applyguard's own.
SANITIZER_STATUS = 86
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
LOG_PIPE_BYTES = 1 << 20


class Program:
    """The program under test, and the directory of its files."""

    path = None
    is_sanitized = False
    directory = None


def main():
    """Runs the tests of the calling file against the program named by the first argument, and exits."""
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK) or os.path.isdir(sys.argv[1]):
        sys.exit(f"usage: {sys.argv[0]} PATH/TO/applyguard [TEST...]")
    Program.path = os.path.abspath(sys.argv.pop(1))
    content = pathlib.Path(Program.path).read_bytes()
    Program.is_sanitized = b"__asan_init" in content or b"__tsan_init" in content
    Program.directory = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-test-"))
    atexit.register(shutil.rmtree, Program.directory, ignore_errors=True)
    os.environ.update(sanitizer_options())
    tests = unittest.main(module="__main__", verbosity=2, exit=False)
    reports = sanitizer_reports()
    print(*reports, sep="\n", file=sys.stderr)
    sys.exit(bool(reports) or not tests.result.wasSuccessful())


def sanitizer_options(**more):
    """The environment that has every sanitized program leave its reports in files, under the suppressions we know."""
    common = f"log_path={Program.directory / 'sanitizer'}:exitcode={SANITIZER_STATUS}:print_suppressions=0"
    options = {
        "ASAN_OPTIONS": "detect_leaks=1",
        "LSAN_OPTIONS": f"suppressions={SANITIZERS / 'leaks.supp'}",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": f"suppressions={SANITIZERS / 'races.supp'}",
    }
    return {name: ":".join([common, own, more.get(name, "")]) for name, own in options.items()}


def sanitizer_reports(pid="*"):
    """The reports of sanitizers so far, of this process or of all that ran under main()."""
    paths = Program.directory.glob(f"sanitizer.{pid}") if Program.directory else []
    return [path.read_text(errors="replace") for path in sorted(paths)]


def temporary_directory():
    return pathlib.Path(tempfile.mkdtemp(dir=Program.directory))


@functools.lru_cache
def shared_library(name, *flags):
    """tests/NAME.c, built to be preloaded."""
    library = temporary_directory() / f"{name}.so"
    source = pathlib.Path(__file__).resolve().parent.parent / f"{name}.c"
    made = run("cc", "-shared", "-fPIC", *flags, str(source), "-o", str(library))
    if made.returncode:
        raise RuntimeError(made.stderr.decode())
    return str(library)


def run(*arguments, timeout=60, **options):
    """Runs a program to its end, its output captured. `timeout` is for an idle machine: it keeps a test from hanging, and asserts
    no speed."""
    return subprocess.run(arguments, capture_output=True, timeout=timeout * PATIENCE, **options)


class Certificate:
    """A self-signed certificate for localhost and its key."""

    def __init__(self, name="localhost", days=30):
        directory = temporary_directory()
        self.certificate = str(directory / "tls.crt")
        self.key = str(directory / "tls.key")
        made = run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", self.key, "-out", self.certificate, "-days", str(days), "-subj", f"/CN={name}",
            "-addext", f"subjectAltName=DNS:{name},IP:127.0.0.1")
        if made.returncode:
            raise RuntimeError(made.stderr.decode())

    def flags(self):
        """The flags that make a server use it."""
        return ["--tls-cert", self.certificate, "--tls-key", self.key]

    def client_context(self):
        """TLS as a client that trusts this certificate, and no other."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.certificate)
        return context


class UnknownCertificate:
    """One that a server makes or gets itself: these flags say how, and a client cannot know which authority to trust."""

    def __init__(self, flags):
        self._flags = flags

    def flags(self):
        return self._flags

    def client_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context


def review(story):
    """A recorded review, byte for byte as the API server sent it."""
    return (REVIEWS / story / "review.json").read_bytes()


def by_controller():
    """A recorded edit, as if a controller had written it: a warning would not be read."""
    whole = json.loads(review("edit-ssa"))
    asked = whole["request"]
    asked["userInfo"] = {"username": "system:serviceaccount:keda:keda-operator"}
    for entry in asked["object"]["metadata"]["managedFields"]:
        if entry["manager"] == asked["options"]["fieldManager"]:
            entry["manager"] = "keda"
    asked["options"]["fieldManager"] = "keda"
    return json.dumps(whole).encode()


def stories():
    names = sorted(path.parent.name for path in REVIEWS.glob("*/review.json"))
    if not names:
        raise RuntimeError(f"no recorded reviews in {REVIEWS}")
    return names


# Tests run in parallel on machines that others share: what takes seconds alone takes several times as long there.
PATIENCE = 4


def stretched(seconds):
    """A limit that holds on an idle machine, for the machine as it is: the more processes there are for each processor, the longer
    each of them takes."""
    return seconds * max(1, os.getloadavg()[0] / os.cpu_count())


def wait_until(condition, timeout=10, what="the condition"):
    """Polls until `condition` gives something, and returns that. A condition that takes long is checked less often. `timeout`
    is for an idle machine: it keeps a test from hanging, and asserts no speed."""
    timeout *= PATIENCE
    began = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - began
        if waited > stretched(timeout):
            raise AssertionError(f"{what} did not come about within {waited:.0f} s")
        time.sleep(min(0.01 + waited / 10, 0.2))


def tcp_socket(local_port, remote_port):
    """The fields of a loopback socket in /proc/net/tcp; None if it is absent."""
    ends = [f"0100007F:{port:04X}" for port in (local_port, remote_port)]
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1:3] == ends:
            return fields
    return None


def in_parallel(functions):
    """Runs the functions each on its own thread; their results in order. The first exception is raised."""
    functions = list(functions)
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(functions))) as pool:
        return [future.result() for future in [pool.submit(function) for function in functions]]


class Server:
    """`applyguard serve`, ready to answer unless that is not waited for."""

    def __init__(self, *flags, policy=None, certificate=None, open_files=None, drain=False, environment=None, ready=True):
        self.certificate = certificate or Certificate()
        self.flags = [
            "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", *self.certificate.flags()]
        if policy:
            self.flags += ["--policy", str(policy)]
        if not drain:
            self.flags += ["--drain-delay", "0"]
        self.flags += flags
        self.context = self.certificate.client_context()
        self.output = b""
        self.parsed = []
        self.parsed_bytes = 0
        self.reading = threading.Lock()
        self._start(open_files, environment or {}, ready)

    def _start(self, open_files, environment, ready):
        command = [Program.path, *self.flags]
        if open_files:
            command = ["sh", "-c", 'ulimit -n "$0"; exec "$@"', str(open_files), *command]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            # So that no line is dropped while a busy machine keeps the reader waiting.
            pipesize=LOG_PIPE_BYTES, env={**os.environ, **environment})
        self.pid = self.process.pid
        # A test that fails before it stops the server leaves none behind.
        atexit.register(self.process.kill)
        self.reader = threading.Thread(target=self._collect, daemon=True)
        self.reader.start()
        try:
            wait_until(self._find_ports, what="the startup line")
            if ready:
                self.wait_until_ready()
        except BaseException:
            self.kill()
            raise

    def wait_until_ready(self):
        wait_until(lambda: self.probe("/readyz") == 200, what="/readyz")

    def _collect(self):
        while self._take(timeout=None) != b"":
            pass

    def _take(self, timeout):
        """The bytes that the server has written and that are not read yet; None if nothing has come, b"" if nothing more will
        come."""
        pipe = self.process.stderr.fileno()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        poll.poll(timeout)
        with self.reading:
            if not poll.poll(0):
                return None
            data = os.read(pipe, 65536)
            self.output += data
            return data

    def _find_ports(self):
        if self.process.poll() is not None:
            self.reader.join()
            raise AssertionError(f"exit {self.process.returncode} at the start: {self.output.decode()}")
        ports = re.findall(rb"127\.0\.0\.1:(\d+)", next(self._lines_with(b"listening"), b""))
        if len(ports) < 2:
            return False
        self.port, self.metrics_port = int(ports[0]), int(ports[1])
        return True

    def _lines_with(self, text):
        return (line for line in self.output.splitlines() if text in line)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.kill()
        else:
            self.stop()

    def stop(self, timeout=15):
        """SIGTERM, and what must follow."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.wait(timeout)

    def wait(self, timeout=15):
        """Waits for the exit after SIGTERM was sent, and checks it."""
        patience = stretched(timeout * PATIENCE)
        try:
            status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"no exit within {patience:.0f} s of SIGTERM: {self.tail()}") from None
        self._close()
        if status:
            raise AssertionError(f"exit status {status}: {self.tail()}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._close()

    def _close(self):
        self.reader.join()
        self.process.stderr.close()
        if reports := sanitizer_reports(self.pid):
            raise AssertionError("\n".join(reports))

    def tail(self, size=2000):
        return self.output[-size:].decode(errors="replace")

    def signal(self, number):
        self.process.send_signal(number)

    @contextlib.contextmanager
    def frozen(self):
        """Its threads do not run meanwhile. (SIGSTOP alone lets the others go on until one of them has taken it.)"""
        self.signal(signal.SIGSTOP)
        try:
            wait_until(lambda: self._thread_states() == {"T"}, what="the stop of every thread")
            yield
        finally:
            self.signal(signal.SIGCONT)

    def _thread_states(self):
        states = set()
        for path in pathlib.Path(f"/proc/{self.pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):  # A thread may have ended.
                states.add(path.read_text().rpartition(")")[2].split()[0])
        return states

    def is_running(self):
        return self.process.poll() is None

    # Talking to it

    def connect(self, **options):
        options.setdefault("context", self.context)
        return wire.Connection(self.port, **options)

    def connect_plain(self, **options):
        """To the second listener."""
        return wire.Connection(self.metrics_port, **options)

    def probe(self, path, tls=False):
        """The status of a GET, on the second listener unless given another; None without an answer."""
        try:
            with self.connect() if tls else self.connect_plain() as connection:
                return connection.get(path).status
        except (OSError, wire.Closed):
            return None

    def review(self, body, path="/validate?timeout=10s"):
        """Sends one review over a connection of its own."""
        with self.connect() as connection:
            return connection.review(body, path)

    # Watching it

    def log(self, message=None):
        """The lines so far that are JSON, with this message if given. Those of an answered request are there: a server logs
        first, and what the reader has not come to yet is read here."""
        while not self.process.stderr.closed and self._take(timeout=0):
            pass
        with self.reading:
            end = self.output.rfind(b"\n") + 1
            new = self.output[self.parsed_bytes:end].splitlines()
            self.parsed += [json.loads(line) for line in new if line.startswith(b"{")]
            self.parsed_bytes = end
            return [line for line in self.parsed if message is None or line["message"] == message]

    def wait_for_log(self, message, timeout=10, count=1):
        wait_until(lambda: len(self.log(message)) >= count, timeout, f"{count} log lines {message!r}")
        return self.log(message)

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    def resident_bytes(self, peak=False):
        return self._memory_bytes("VmHWM" if peak else "VmRSS")

    def anonymous_bytes(self):
        """Memory without a file behind it, which is not shared."""
        return self._memory_bytes("RssAnon")

    def _memory_bytes(self, name):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", status).group(1)) * 1024

    def open_files(self):
        files = pathlib.Path(f"/proc/{self.pid}/fd")
        names = []
        for file in files.iterdir():
            try:
                names.append(os.readlink(file))
            except FileNotFoundError:
                pass
        return names

    def connections(self):
        """How many sockets the server has open."""
        return sum(name.startswith("socket:") for name in self.open_files())

    def holds(self, connection):
        """Whether the server has the other end of this connection open."""
        fields = tcp_socket(self.port, connection.local_port)
        return fields is not None and fields[9] != "0"

    def has_read_all(self, connection):
        """Whether nothing that was sent on this connection is still on the way to the server."""
        sent = tcp_socket(connection.local_port, self.port)[4].partition(":")[0]
        unread = tcp_socket(self.port, connection.local_port)[4].partition(":")[2]
        return int(sent, 16) == 0 and int(unread, 16) == 0


def at_once(test_case):
    """Class decorator: the tests of the class, which mostly wait, run at the same time, each on its own instance.

    Each test method then only reports the result of its run.
    """
    set_up = test_case.setUp
    methods = {name: getattr(test_case, name) for name in dir(test_case) if name.startswith("test_")}

    def run_one(name):
        test = test_case(name)
        try:
            set_up(test)
            methods[name](test)
        finally:
            test.doCleanups()

    def start(_):
        pool = concurrent.futures.ThreadPoolExecutor(max_workers=len(methods))
        test_case.outcomes = {name: pool.submit(run_one, name) for name in methods}

    def telling(name, method):
        @functools.wraps(method)
        def tell(_):
            test_case.outcomes[name].result()
        return tell

    test_case.setUpClass = classmethod(start)
    test_case.setUp = unittest.TestCase.setUp
    for name, method in methods.items():
        setattr(test_case, name, telling(name, method))
    return test_case


class ServerTest(unittest.TestCase):
    """Tests that share one server."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.flags)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def tearDown(self):
        self.assertTrue(self.server.is_running(), self.server.tail())

    def assert_verdict(self, response, body, allowed=None):
        """The answer is an AdmissionReview that the API server takes as the answer to this review."""
        assert_verdict(self, response, body, allowed)

    def assert_sentence(self, response, status):
        assert_sentence(self, response, status)


def assert_verdict(test, response, body, allowed=None):
    asked = json.loads(body)
    test.assertEqual(response.status, 200, response)
    test.assertEqual(response.headers.get("content-type"), "application/json")
    test.assertNotIn("content-encoding", response.headers)
    answer = json.loads(response.body)
    test.assertEqual(answer["apiVersion"], asked["apiVersion"])
    test.assertEqual(answer["kind"], "AdmissionReview")
    test.assertEqual(answer["response"]["uid"], asked["request"]["uid"])
    test.assertIsInstance(answer["response"]["allowed"], bool)
    for unwanted in ("patch", "patchType"):
        test.assertNotIn(unwanted, answer["response"])
    if allowed is not None:
        test.assertEqual(answer["response"]["allowed"], allowed, answer)
    return answer["response"]


def assert_sentence(test, response, status):
    """The answer is a refusal of this status that a person can read."""
    test.assertEqual(response.status, status, response)
    text = response.body.decode("utf-8").rstrip("\n")
    test.assertRegex(text, r"^[^\x00-\x1f\x7f]{8,}$", "one printable line")
    test.assertIn(" ", text, "a sentence, not a word")
    test.assertTrue(response.headers.get("content-type", "").startswith("text/plain"), response)
