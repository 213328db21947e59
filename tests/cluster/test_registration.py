"""Registered as the chart does it, with nothing in between: what people see while applyguard is away, and that a restart fails no apply.

APPLYGUARD_RESTARTS: how many instances are replaced under a stream of applies.
"""

import concurrent.futures
import contextlib
import functools
import json
import os
import pathlib
import secrets
import signal
import socket
import threading
import time

import guarded
import harness
import registration
from api import Api
from applying import Stream

WEBHOOK = "enforce.applyguard.io"
RESTARTS = int(os.environ.get("APPLYGUARD_RESTARTS") or guarded.amount(8, 20))
ESTABLISHED = "01"


def deployment(name, image="nginx:1"):
    return {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
        "spec": {"paused": True, "selector": {"matchLabels": {"app": name}}, "template": {
            "metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "a", "image": image}]}}}}


def unread_bytes(port):
    """How much has come for a port of loopback that the process behind it has not read."""
    sockets = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    queues = [queues for _, local, _, state, queues, *_ in sockets if local == f"0100007F:{port:04X}" and state == ESTABLISHED]
    return sum(int(each.partition(":")[2], 16) for each in queues)


class Balancer:
    """Stands for a Service: each new connection goes to an instance that is ready, and connections are kept as they are."""

    def __init__(self):
        self.backends = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        turn = 0
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            turn += 1
            ports = list(self.backends)
            try:
                server = socket.create_connection(("127.0.0.1", ports[turn % len(ports)]))
            except (OSError, ZeroDivisionError):
                client.close()
                continue
            threading.Thread(target=self._relay, args=(client, server), daemon=True).start()

    def _relay(self, client, server):
        with client, server:
            back = threading.Thread(target=self._pump, args=(server, client), daemon=True)
            back.start()
            self._pump(client, server)
            back.join()

    @staticmethod
    def _pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Registered(guarded.WithPlane):
    """Tests that share one control plane, each with a registration of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.certificate = harness.Certificate()

    def register(self, port, failure_policy, review_version="v1", **webhook):
        """An enforced namespace that is judged at the port; its name."""
        name = f"faults-{secrets.token_hex(4)}"
        manifests = registration.render(
            name, f"https://127.0.0.1:{port}", self.certificate, failurePolicy=failure_policy, **webhook)
        registration.register(self.plane, manifests.replace("[v1]", f"[{review_version}]"))
        self.addCleanup(self.api.request, "DELETE", f"{registration.CONFIGURATIONS}/{name}")
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": name, "labels": registration.labels(name, "enforce")}}
        self.assertTrue(self.api.request("POST", "/api/v1/namespaces", namespace).ok)
        self.addCleanup(self.api.request, "DELETE", f"/api/v1/namespaces/{name}")
        return name

    def apply(self, namespace, name, image="nginx:1", api=None):
        path = f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}"
        return (api or self.api).apply(path, deployment(name, image), "team", force=True)

    def apply_once(self, namespace):
        """The same over a connection of its own."""
        with contextlib.closing(Api(self.plane)) as api:
            return self.apply(namespace, "web", api=api)

    def wait_until_judged(self, namespace):
        guarded.wait_until(
            lambda: self.apply(namespace, f"probe-{secrets.token_hex(4)}").warnings, timeout=30, what="the first warning")

    def audit_event(self, audit_id):
        def find():
            return next((line for line in guarded.whole_lines(self.plane.audit_log, 0) if audit_id.encode() in line), None)
        return json.loads(guarded.wait_until(find, what="the audit event"))


class Registration(Registered):

    def test_reviews_of_the_old_version(self):
        with harness.Server(certificate=self.certificate) as server:
            namespace = self.register(server.port, "Fail", review_version="v1beta1")
            self.wait_until_judged(namespace)
            answer = self.apply(namespace, "web")
            self.assertEqual(201, answer.status, answer.body)
            self.assertRegex(answer.warnings[0], r"\[explicit-strategy\]$")

    def test_down_with_ignore_lets_everything_pass_unjudged(self):
        server = harness.Server(certificate=self.certificate)
        namespace = self.register(server.port, "Ignore")
        self.wait_until_judged(namespace)
        server.stop()
        answer = self.apply(namespace, "web")
        self.assert_not_judged(answer, "Ignore", None)

    def test_down_with_fail_refuses_and_says_who(self):
        server = harness.Server(certificate=self.certificate)
        namespace = self.register(server.port, "Fail")
        self.wait_until_judged(namespace)
        server.stop()
        self.assert_not_judged(self.apply(namespace, "web"), "Fail", "connection refused")

    def test_killed_and_started_again_serves_on_the_same_address(self):
        server = harness.Server(certificate=self.certificate)
        namespace = self.register(server.port, "Fail")
        self.wait_until_judged(namespace)
        server.kill()
        self.assertEqual(500, self.apply(namespace, "web").status)
        again = harness.Server("--listen", f"127.0.0.1:{server.port}", certificate=self.certificate)
        self.addCleanup(again.stop)
        answer = self.apply(namespace, "web")
        self.assertEqual(201, answer.status, answer.body)
        self.assertRegex(answer.warnings[0], r"\[explicit-strategy\]$")

    def test_killed_during_a_request(self):
        """Protects users who apply at that moment: with Ignore it passes, with Fail the refusal names the webhook."""
        for failure_policy in ("Ignore", "Fail"):
            with self.subTest(failure_policy):
                server = harness.Server(certificate=self.certificate)
                namespace = self.register(server.port, failure_policy)
                self.wait_until_judged(namespace)
                with self.under_way(server, namespace) as applying:
                    server.kill()
                self.assert_not_judged(applying.result(), failure_policy, "EOF|connection reset by peer")

    def test_hung_during_a_request(self):
        """Protects users who apply from an applyguard that never answers: the API server waits no longer than
        `timeoutSeconds`."""
        for failure_policy in ("Ignore", "Fail"):
            with self.subTest(failure_policy), harness.Server(certificate=self.certificate) as server:
                namespace = self.register(server.port, failure_policy, timeoutSeconds=1)
                self.wait_until_judged(namespace)
                with self.under_way(server, namespace) as applying:
                    answer = applying.result()
                self.assert_not_judged(answer, failure_policy, "deadline exceeded")

    @contextlib.contextmanager
    def under_way(self, server, namespace):
        """An apply whose review has reached the server, which does not answer."""
        with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool, server.frozen():
            applying = pool.submit(self.apply_once, namespace)
            guarded.wait_until(lambda: applying.done() or unread_bytes(server.port), what="the review")
            self.assertFalse(applying.done(), "the review is answered")
            yield applying

    def assert_not_judged(self, answer, failure_policy, reason):
        if failure_policy == "Ignore":
            self.assertEqual((201, []), (answer.status, answer.warnings), answer.body)
            self.assert_failed_open(answer)
        else:
            self.assertEqual(500, answer.status, answer.body)
            self.assertRegex(answer.body["message"], f'failed calling webhook "{WEBHOOK}".*({reason})')

    def assert_failed_open(self, answer):
        annotations = self.audit_event(answer.audit_id)["annotations"]
        self.assertIn(WEBHOOK, annotations["failed-open.validating.webhook.admission.k8s.io/round_0_index_0"])

    def test_a_policy_is_reloaded_broken_and_mended(self):
        policy = guarded.temporary_directory() / "policy.yaml"
        head = "apiVersion: applyguard.io/v1\nkind: Policy\n"
        policy.write_text(head)
        with harness.Server(policy=policy, certificate=self.certificate) as server:
            namespace = self.register(server.port, "Fail")
            self.wait_until_judged(namespace)
            policy.write_text(head + "rules: {explicit-strategy: {action: forbid}}\n")
            server.signal(signal.SIGHUP)
            guarded.wait_until(lambda: b"forbid" in server.output, what="the complaint")
            answer = self.apply(namespace, "web")
            self.assertEqual((201, 1), (answer.status, len(answer.warnings)))
            policy.write_text(head + "rules: {explicit-strategy: {action: off}}\n")
            server.signal(signal.SIGHUP)
            guarded.wait_until(
                lambda: not self.apply(namespace, f"web-{secrets.token_hex(4)}").warnings, what="the mended policy")

    def test_a_rolling_restart_fails_no_apply(self):
        balancer = Balancer()
        self.addCleanup(balancer.close)
        # As long as a Service takes to forget an instance, with the patience of a test.
        flags = ("--drain-delay", "500ms", "--grace-period", "10s")
        servers = [harness.Server(*flags, certificate=self.certificate, drain=True) for _ in range(2)]
        self.addCleanup(lambda: [server.stop() for server in servers])
        balancer.backends = [server.port for server in servers]
        namespace = self.register(balancer.port, "Fail")
        self.wait_until_judged(namespace)
        with Stream(self.plane, functools.partial(self.apply, namespace)) as stream:
            for restart in range(RESTARTS):
                self.restart(balancer, servers, restart % 2, flags)
        print(f"{len(stream.applied)} applies through {RESTARTS} restarts, {len(stream.failures)} failed")
        self.assertEqual([], stream.failures)
        self.assertGreater(len(stream.applied), RESTARTS)

    def restart(self, balancer, servers, index, flags):
        """As a rolling update does: the new one is ready first, then the old one gets SIGTERM while connections still come."""
        old, new = servers[index], harness.Server(*flags, certificate=self.certificate, drain=True)
        balancer.backends.append(new.port)
        old.process.terminate()
        time.sleep(0.2)
        balancer.backends.remove(old.port)
        old.wait()
        servers[index] = new


class Restart(Registered):
    """Changes that must not happen to a control plane that others use."""

    own_plane = True

    def test_the_api_server_is_restarted(self):
        with harness.Server(certificate=self.certificate) as server:
            namespace = self.register(server.port, "Fail")
            self.wait_until_judged(namespace)
            self.api.close()
            self.plane.restart("kube-apiserver")
            self.wait_until_judged(namespace)


if __name__ == "__main__":
    guarded.main()
