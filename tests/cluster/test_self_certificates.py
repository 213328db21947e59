"""Certificates that applyguard makes itself: they need no one's work, and changes by others do not last.

APPLYGUARD_AUTHORITIES: how many authorities follow one another under a stream of applies, about twelve seconds each.
APPLYGUARD_AWAY_SECONDS: for how long the API server is away.
"""

import base64
import functools
import json
import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import time

import guarded
import authority
import harness
import registration
from api import MERGE
from applying import Stream
from test_registration import Balancer, Registered

AUTHORITIES = int(os.environ.get("APPLYGUARD_AUTHORITIES") or guarded.amount(1, 3))
AWAY_SECONDS = int(os.environ.get("APPLYGUARD_AWAY_SECONDS", "9"))
# A certificate is renewed after two thirds of its life: about every four seconds. An authority signs for about twelve. Within
# the two seconds before it signs, an API server that is busy must have read that it is to be trusted.
LEAF_SECONDS, AUTHORITY_SECONDS, SOAK_SECONDS = 6, 20, 2
NAMESPACE = "applyguard-system"
SECRETS = f"/api/v1/namespaces/{NAMESPACE}/secrets"
MADE = "made a certificate authority"
STAGED = "made the next certificate authority; it signs once the API servers know it"
PROMOTED = "the next certificate authority signs from now on"
ANEW = "restored the certificate authority that others changed or deleted"


def encode(text):
    return base64.b64encode(text.encode()).decode()


class SelfMade(harness.UnknownCertificate):
    """The flags of a server that makes its own certificates."""

    def __init__(self, plane, configuration, lives=(LEAF_SECONDS, AUTHORITY_SECONDS, SOAK_SECONDS)):
        self.secret = f"ca-{configuration}"
        leaf, ca, soak = lives
        super().__init__([
            "--certs-secret", f"{NAMESPACE}/{self.secret}", "--certs-configuration", configuration, "--certs-ip", "127.0.0.1",
            "--kubeconfig", str(plane.kubeconfig), "--certs-leaf-validity", f"{leaf}s", "--certs-ca-validity", f"{ca}s",
            "--certs-soak", f"{soak}s"])


class SelfCertificates(Registered):
    """failurePolicy Fail: what is not judged fails. Three replicas stand behind one address."""

    own_plane = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.certificate = None
        cls.api.request("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})

    def setUp(self):
        self.servers = []
        self.balancer = Balancer()
        self.addCleanup(self.balancer.close)
        self.namespace = self.register(self.balancer.port, "Fail")

    def serve(self, count=1, **options):
        """Instances that start at the same moment; stopped at the end, when what they logged is looked through."""
        servers = harness.in_parallel([
            functools.partial(harness.Server, certificate=self.made, **options) for _ in range(count)])
        for each in servers:
            self.servers.append(each)
            self.addCleanup(self.stop, each)
        return servers

    def stop(self, server):
        """Protects keys and tokens: no log line has one."""
        if server.is_running():
            server.stop()
        log = server.output.decode()
        self.assertNotIn("PRIVATE KEY", log)
        self.assertNotIn("LS0tLS1CRUdJTi", log, "the beginning of PEM text in base64")
        self.assertNotIn("-token", log)

    def replicas(self, lives=None):
        self.made = SelfMade(self.plane, self.namespace, *([lives] if lives else []))
        servers = self.serve(count=3)
        self.balancer.backends = [server.port for server in servers]
        self.wait_until_judged(self.namespace)
        return servers

    def applying(self):
        return Stream(self.plane, functools.partial(self.apply, self.namespace), clients=3)

    def logged(self, message):
        return sum(len(server.log(message)) for server in self.servers)

    def wait_for(self, message, count=1, timeout=30):
        guarded.wait_until(lambda: self.logged(message) >= count, timeout, f"{count} log lines {message!r}")

    # The stored objects

    def secret(self):
        return self.api.request("GET", f"{SECRETS}/{self.made.secret}").body

    def entry(self, name):
        return base64.b64decode(self.secret().get("data", {}).get(name, "")).decode(errors="replace")

    def bundle(self):
        webhooks = self.api.request("GET", f"{registration.CONFIGURATIONS}/{self.namespace}").body["webhooks"]
        return {webhook["clientConfig"].get("caBundle") for webhook in webhooks}

    def shown(self, port):
        """The certificate that is served, checked as any client would with the Secret's bundle."""
        context = ssl.create_default_context(cadata=self.entry("ca.crt"))
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            with context.wrap_socket(connection, server_hostname="127.0.0.1") as tls:
                return tls.getpeercert(True)

    # Stories

    def test_certificates_change_all_the_time_and_no_apply_fails(self):
        """A certificate about every four seconds, an authority about every twelve; and three that start at the same moment on
        a Secret that is there and empty agree on one authority."""
        self.made = SelfMade(self.plane, self.namespace)
        empty = {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls", "metadata": {"name": self.made.secret},
                 "data": {"tls.crt": "", "tls.key": ""}}
        self.assertTrue(self.api.request("POST", SECRETS, empty).ok)
        self.replicas()
        with self.applying() as stream:
            self.wait_for(PROMOTED, AUTHORITIES, timeout=60 * AUTHORITIES)
            # Each replica serves certificates of the last authority, too.
            served = self.logged("serving a new certificate")
            self.wait_for("serving a new certificate", served + 2 * len(self.servers), timeout=60)
        # The API server closes connections that are idle for long.
        self.api.close()
        served, promoted = self.logged("serving a new certificate"), self.logged(PROMOTED)
        print(f"{len(stream.applied)} applies through {served} certificates of {promoted + 1} authorities, "
              f"{len(stream.failures)} failed")
        self.assertEqual([], stream.failures)
        self.assertEqual(1, self.logged(MADE))
        self.assertGreater(len(stream.applied), served)

    def test_the_secret_is_one_that_other_tools_can_read(self):
        self.replicas(lives=(3600, 86400, 60))
        self.assertEqual("kubernetes.io/tls", self.secret()["type"])
        self.assertTrue(self.shown(self.servers[0].port))
        key = subprocess.run(["openssl", "pkey", "-pubout"], input=self.entry("tls.key"), capture_output=True, text=True, check=True)
        certificate = subprocess.run(
            ["openssl", "x509", "-noout", "-pubkey"], input=self.entry("tls.crt"), capture_output=True, text=True, check=True)
        self.assertEqual(key.stdout, certificate.stdout)
        self.assertEqual({encode(self.entry("ca.crt"))}, self.bundle())

    def test_only_the_bundle_is_owned(self):
        """Protects `helm upgrade` of Helm 4, which applies server-side: it shares no field with applyguard."""
        self.replicas(lives=(3600, 86400, 60))
        fields = self.api.request("GET", f"{registration.CONFIGURATIONS}/{self.namespace}").body["metadata"]["managedFields"]
        ours = [entry for entry in fields if entry["manager"] == "applyguard"]
        self.assertEqual(["Apply"], [entry["operation"] for entry in ours])
        for webhook in ours[0]["fieldsV1"]["f:webhooks"].values():
            self.assertEqual({".": {}, "f:name": {}, "f:clientConfig": {"f:caBundle": {}}}, webhook)

    def change(self, data):
        """Puts other data into the Secret, over any concurrent writes."""
        stored = self.secret()
        keep = {name: None for name in stored["data"] if name not in data}
        answer = self.api.request("PATCH", f"{SECRETS}/{self.made.secret}", {"data": {**keep, **data}}, content_type=MERGE)
        self.assertTrue(answer.ok, answer.body)

    def test_whatever_becomes_of_the_secret_no_apply_fails(self):
        """Deleted, garbage, the key of another: replicas that remember put it right, and a new authority comes in steps."""
        another = authority.Authority()
        self.replicas(lives=(9, 90, 3))
        changes = {
            "deleted": lambda: self.api.request("DELETE", f"{SECRETS}/{self.made.secret}"),
            "garbage": lambda: self.change({"tls.crt": encode("garbage"), "tls.key": "AAAA", "ca.crt": ""}),
            "the key of another": lambda: self.change({"tls.crt": encode(self.entry("tls.crt")), "tls.key": encode(
                (another.directory / "ca.key").read_text())}),
        }
        with self.applying() as stream:
            for what, change in changes.items():
                with self.subTest(what):
                    before, promoted = self.logged(ANEW), self.logged(PROMOTED)
                    change()
                    self.wait_for(ANEW, before + 1)
                    self.wait_for(PROMOTED, promoted + 1, timeout=60)
        self.assertEqual([], stream.failures)
        self.assertEqual(1, self.logged(MADE))
        self.assertTrue(self.shown(self.servers[0].port))

    def test_an_authority_of_somebody_else_is_taken_over_and_renewed(self):
        """The authority in the Secret is another, and has but minutes left."""
        other = harness.temporary_directory() / "other"
        authority.certs("create", "--out", other, "--dns", "localhost", "--ca-days", 1, "--days", 1, age_days=0.999)
        self.replicas(lives=(9, 90, 3))
        with self.applying() as stream:
            promoted = self.logged(PROMOTED)
            self.change({"tls.crt": encode((other / "ca.crt").read_text()), "tls.key": encode((other / "ca.key").read_text())})
            self.wait_for(PROMOTED, promoted + 1, timeout=60)
        self.assertEqual([], stream.failures)

    def test_a_wiped_bundle_is_put_back(self):
        """kubectl replace, and a GitOps tool that applies an empty one by force: applies fail until it is back, seconds later."""
        self.replicas(lives=(3600, 86400, 60))
        good = self.bundle()
        self.assertEqual(1, len(good))
        manifest = registration.render(self.namespace, f"https://127.0.0.1:{self.balancer.port}", None)
        kubectl = lambda *arguments, text: subprocess.run(
            self.plane.kubectl_command(*arguments, "--context=setup", "--filename=-"), env=self.plane.kubectl_environment(),
            input=text, capture_output=True, text=True, timeout=60)
        replaced = kubectl("replace", text=manifest)
        self.assertEqual(0, replaced.returncode, replaced.stderr)
        guarded.wait_until(lambda: self.bundle() == good, 30, "the bundle, after kubectl replace")
        wiped = re.sub(r"( *)clientConfig:\n", r"\1clientConfig:\n\1  caBundle: Cg==\n", manifest)
        self.assertIn("Cg==", wiped)
        applied = kubectl("apply", "--server-side", "--force-conflicts", "--field-manager=gitops", text=wiped)
        self.assertEqual(0, applied.returncode, applied.stderr)
        guarded.wait_until(lambda: self.bundle() == good, 30, "the bundle, after a forced apply")
        guarded.wait_until(lambda: self.apply(self.namespace, "web", secrets.token_hex(4)).ok, 30, "an apply")

    def test_the_api_server_goes_away_for_longer_than_a_certificate_lives(self):
        """The authority lives on meanwhile, and signs certificates from memory."""
        self.replicas(lives=(LEAF_SECONDS, 240, SOAK_SECONDS))
        self.api.close()
        served = self.logged("serving a new certificate")
        port = self.plane.server().rpartition(":")[2]
        command = self.plane.stop_with_command("kube-apiserver")
        try:
            time.sleep(AWAY_SECONDS)
            guarded.wait_until(
                lambda: self.logged("serving a new certificate") > served + 3, 60, "certificates without an API server")
            guarded.wait_until(lambda: self.logged("cannot maintain the certificates") >= 3, 60, "a word of each replica")
        finally:
            self.plane.start_again("kube-apiserver", command)
        self.assertEqual(port, self.plane.server().rpartition(":")[2])
        guarded.wait_until(lambda: self.apply(self.namespace, "web", secrets.token_hex(4)).ok, 60, "an apply")
        with self.applying() as stream:
            self.wait_for("the certificates are maintained again", 3, timeout=60)
            time.sleep(LEAF_SECONDS)
        self.assertEqual([], stream.failures)

    def test_a_clock_that_is_most_of_a_year_ahead_does_no_harm(self):
        """A replica whose machine has the wrong time joins: it goes by the API server's, and says so."""
        self.replicas(lives=(60, 600, 2))
        before = self.entry("tls.crt")
        wrong = self.serve(environment={
            "LD_PRELOAD": authority.clock(), "AHEAD": str(300 * 86400),
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"})[0]
        self.assertTrue(wrong.wait_for_log("this clock differs from the API server's, which is used instead; correct this clock"))
        self.balancer.backends = [wrong.port]
        with self.applying() as stream:
            time.sleep(3)
        self.assertEqual([], stream.failures)
        self.assertEqual(before, self.entry("tls.crt"))
        self.assertTrue(self.shown(wrong.port))

    def test_a_stop_breaks_a_call_off_without_a_complaint(self):
        """Protects readers of the log after a rolling update: a pod that ends logs no problem."""
        self.made = SelfMade(self.plane, self.namespace, lives=(3600, 86400, 60))
        [server] = self.serve()
        api_server = int((self.plane.directory / "kube-apiserver.pid").read_text())
        os.kill(api_server, signal.SIGSTOP)
        try:
            # Within these seconds it looks at the cluster, and waits for an answer.
            time.sleep(6)
            server.stop(timeout=3)
        finally:
            os.kill(api_server, signal.SIGCONT)
        self.assertEqual([], server.log("cannot maintain the certificates"))

    def test_what_it_may_not_do_is_said(self):
        """Without the right to the Secret the server has no certificate, and the log says what is missing."""
        self.made = SelfMade(self.plane, self.namespace)
        config = json.loads(self.plane.kubeconfig.read_text())
        config["current-context"] = "nobody"
        config["users"].append({"name": "nobody", "user": {"token": "nobodys"}})
        config["contexts"].append({"name": "nobody", "context": {"cluster": "test", "user": "nobody"}})
        file = harness.temporary_directory() / "kubeconfig"
        file.write_text(json.dumps(config))
        self.made._flags += ["--kubeconfig", str(file)]
        server = self.serve(ready=False)[0]
        line = server.wait_for_log("cannot maintain the certificates")[0]
        self.assertIn("401 Unauthorized", line["reason"])
        self.assertEqual(503, server.probe("/readyz"))
        self.assertEqual(200, server.probe("/healthz"))


del Registered  # or it would be run here as well

if __name__ == "__main__":
    guarded.main()
