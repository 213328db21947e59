"""Certificates between a real API server and applyguard: they change under a stream of applies, and only the API server may ask.

APPLYGUARD_ROTATIONS: how many certificates are served one after the other, two seconds each.
"""

import base64
import functools
import json
import os
import pathlib
import secrets
import shutil
import time

import guarded
import authority
import harness
import registration
from api import JSON_PATCH, Api
from applying import Stream
from control_plane import ControlPlane
from test_registration import Registered

ROTATIONS = int(os.environ.get("APPLYGUARD_ROTATIONS") or guarded.amount(6, 12))
ROTATION_SECONDS = 2
ROTATIONS_OF_AN_AUTHORITY = 5
# Amply until the API server goes by a new bundle.
PROPAGATION_SECONDS = 1


class Rotation(Registered):
    """failurePolicy Fail: what is not judged fails."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.certificate = authority.Authority()

    def test_changing_certificates_and_authorities_fail_no_apply(self):
        """A certificate every two seconds and an authority every ten, in the bundle before it signs (outage 6).

        Each change of the bundle makes the API server connect again, so that new certificates are indeed checked.
        """
        pair = self.certificate.another()
        with harness.Server(certificate=pair) as server:
            namespace = self.register(server.port, "Fail")
            self.wait_until_judged(namespace)
            with Stream(self.plane, functools.partial(self.apply, namespace)) as stream:
                self.rotate(namespace, pair, server)
            self.assertEqual(server.log("certificate not reloaded, the old one stays"), [])
        print(f"{len(stream.applied)} applies through {ROTATIONS} certificates, {len(stream.failures)} failed")
        self.assertEqual([], stream.failures)
        self.assertGreater(len(stream.applied), ROTATIONS)

    def rotate(self, release, pair, server):
        old = new = self.certificate
        for count in range(1, ROTATIONS + 1):
            if count % ROTATIONS_OF_AN_AUTHORITY == 0:
                old, new = new, authority.Authority()
            self.publish(release, count, old, new)
            time.sleep(PROPAGATION_SECONDS)
            fresh = new.another()
            shutil.copy(fresh.certificate, pair.certificate)
            shutil.copy(fresh.key, pair.key)
            server.wait_for_log("certificate reloaded", count=count)
            time.sleep(ROTATION_SECONDS - PROPAGATION_SECONDS)

    def publish(self, release, count, *authorities):
        """The bundle, never twice with the same bytes."""
        bundle = "\n" * count + "".join(pathlib.Path(each.certificate).read_text() for each in authorities)
        path = f"{registration.CONFIGURATIONS}/{release}"
        webhooks = self.api.request("GET", path).body["webhooks"]
        changed = self.api.request("PATCH", path, [
            {"op": "replace", "path": f"/webhooks/{index}/clientConfig/caBundle",
             "value": base64.b64encode(bundle.encode()).decode()} for index in range(len(webhooks))], content_type=JSON_PATCH)
        self.assertTrue(changed.ok, changed.body)


class Clients(Registered):
    """An API server that shows a certificate to webhooks, as its AdmissionConfiguration says."""

    @classmethod
    def setUpClass(cls):
        cls.clients = authority.Authority()
        file = cls.clients.client("kube-apiserver")
        cls.plane = ControlPlane(guarded.temporary_directory(), webhook_client=(file, file))
        cls.addClassCleanup(cls.plane.stop)
        cls.plane.start()
        cls.api = Api(cls.plane)
        cls.addClassCleanup(cls.api.close)
        cls.certificate = harness.Certificate()

    def serve(self, name):
        server = harness.Server("--client-ca", self.clients.certificate, "--client-name", name, certificate=self.certificate)
        self.addCleanup(server.stop)
        return server

    def test_the_api_server_may_ask(self):
        server = self.serve("kube-apiserver")
        namespace = self.register(server.port, "Fail")
        self.wait_until_judged(namespace)
        self.assertEqual(201, self.apply(namespace, "web").status)
        self.assertIsNone(server.probe("/healthz", tls=True), "a client without a certificate")

    def test_another_client_may_not(self):
        server = self.serve("somebody-else")
        namespace = self.register(server.port, "Fail")
        guarded.wait_until(lambda: not self.apply(namespace, "probe", secrets.token_hex(4)).ok, timeout=30, what="a refusal")
        answer = self.apply(namespace, "web")
        self.assertEqual(500, answer.status, answer.body)
        self.assertIn("failed calling webhook", answer.body["message"])
        self.assertEqual(server.wait_for_log("handshakes refused")[0]["lastReason"], "bad_certificate")


class Injected(Registered):
    """`applyguard certs inject` into the configuration that the chart has made."""

    def inject(self, release, bundle, kubeconfig=None, context="admin"):
        return harness.run(
            harness.Program.path, "certs", "inject", "--ca", bundle, "--configuration", release,
            "--kubeconfig", str(kubeconfig or self.plane.kubeconfig), "--context", context)

    def configuration(self, release):
        return self.api.request("GET", f"{registration.CONFIGURATIONS}/{release}").body

    def assert_injected(self, release, bundle):
        expected = pathlib.Path(bundle).read_text()
        for webhook in self.configuration(release)["webhooks"]:
            self.assertEqual(expected, base64.b64decode(webhook["clientConfig"]["caBundle"]).decode())

    def test_an_authority_replaces_another(self):
        """And nothing else changes hands: what installs the configuration keeps all but the bundles."""
        release = self.register(1, "Ignore")
        before = self.configuration(release)
        bundle = authority.Authority().certificate
        done = self.inject(release, bundle)
        self.assertEqual((0, b""), (done.returncode, done.stderr))
        self.assertIn(f"of {len(before['webhooks'])} webhooks is set", done.stdout.decode())
        self.assert_injected(release, bundle)
        after = self.configuration(release)
        [entry] = [each for each in after["metadata"]["managedFields"] if each["manager"] == "applyguard"]
        self.assertEqual("Apply", entry["operation"])
        owned = entry["fieldsV1"]["f:webhooks"]
        self.assertEqual(len(before["webhooks"]), len(owned))
        for fields in owned.values():
            self.assertEqual({"f:caBundle": {}}, fields["f:clientConfig"])
            self.assertLessEqual(set(fields), {".", "f:name", "f:clientConfig"})
        for each in (before, after):
            for webhook in each["webhooks"]:
                del webhook["clientConfig"]["caBundle"]
        self.assertEqual(before["webhooks"], after["webhooks"])
        self.assertEqual(0, self.inject(release, bundle).returncode)

    def test_what_the_api_server_says_is_reported(self):
        done = self.inject("absent", self.certificate.certificate)
        self.assertEqual(2, done.returncode)
        self.assertIn(b"absent: error: 404 NotFound: ", done.stderr)


del Registered  # or it would be run here as well

if __name__ == "__main__":
    guarded.main()
