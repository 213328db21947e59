#!/usr/bin/env python3
"""cert-manager's controller and CA injector: certificates from their issuance to their renewal, together with Helm and
kubectl."""

import base64
import json
import pathlib

import bench
import harness
import installers
import operators
import programs

WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/{}webhookconfigurations/cert-manager-webhook"


class CertManager(bench.Bench):
    tool = "cert-manager"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kubectl("create", "namespace", "cert-manager", user="setup")

    def is_trusted(self, authority):
        """Whether the API server knows cert-manager's webhooks by it, among others that came before."""
        configurations = [self.api.request("GET", WEBHOOKS.format(kind)).body for kind in ("validating", "mutating")]
        bundles = [each["clientConfig"].get("caBundle", "") for whole in configurations for each in whole["webhooks"]]
        return all(authority in base64.b64decode(bundle) for bundle in bundles)

    def trust(self, authority):
        """cert-manager's webhook keeps its authority in a Secret, from which the injector takes it."""
        self.kubectl("apply", "--server-side", "--field-manager=cert-manager-webhook", "--force-conflicts", "--filename=-",
                     namespace="cert-manager", user="operator", input=json.dumps({
                         "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cert-manager-webhook-ca", "annotations": {
                             "cert-manager.io/allow-direct-injection": "true"}},
                         "data": {"ca.crt": base64.b64encode(authority).decode()}}))
        self.wait_for(lambda: self.is_trusted(authority), "the injector")

    def test_1_its_own_chart(self):
        """The injector writes into the webhook configurations that Helm keeps."""
        with self.phase("helm 4: install"):
            operators.release_cert_manager(self, 4, "install")
        self.start(programs.program("cert-manager"), "-inject", user="operator")
        first, second = self.authority("one"), self.authority("two")
        with self.phase("the injector injects"):
            self.trust(first)
        for major in (4, 4, 3):
            with self.phase(f"helm {major}: upgrade to the same"):
                operators.release_cert_manager(self, major, "upgrade", *(("--server-side=true",) if major == 4 else ()))
                self.wait_for(lambda: self.is_trusted(first), "the injector")
        with self.phase("the injector injects another authority"):
            self.trust(second)
        with self.phase("helm 4: upgrade"):
            operators.release_cert_manager(self, 4, "upgrade", "--server-side=true", "--set=global.logLevel=3")

    @staticmethod
    def authority(name):
        return pathlib.Path(harness.Certificate(name).certificate).read_bytes()

    def test_2_certificates(self):
        """As cert-manager writes by default, and by server-side apply, as its feature gate has it."""
        for writes, gates in (("updates", ""), ("applies", "ServerSideApply=true")):
            for way, flags in (("client-side", ()), ("server-side", ("--server-side",))):
                self.live(f"{way}-{writes}", flags, gates)

    def live(self, name, flags, gates):
        self.namespace(name)
        operators.start_cert_manager(self, name, gates)

        def apply(phase, version, *more):
            with self.phase(f"{name}: {phase}"):
                installers.kubectl(self, name, [*operators.issuance(version), *more], *flags)
                self.wait_for(lambda: operators.is_issued(self, name, version), "the certificate")
        apply("install", 1)
        for _ in range(2):
            apply("apply the same", 1)
        with self.phase(f"{name}: renew"):
            operators.renew(self, name)
            self.wait_for(lambda: operators.is_issued(self, name, 1), "the renewed certificate")
        apply("apply the same", 1)
        apply("upgrade", 2)
        apply("an ingress asks for a certificate", 2, ingress())
        self.wait_for(lambda: self.get("secret/shop-tls", name), "the certificate of the ingress")
        with self.fight(f"{name}: kubectl edit of a certificate's Secret"):
            before = self.get("secret/web-tls", name)["data"]["tls.crt"]
            self.kubectl("patch", "secret/web-tls", "--type=merge", "--patch", '{"data": {"tls.crt": "eA=="}}', namespace=name,
                         user="alice")
            self.wait_for(lambda: self.get("secret/web-tls", name)["data"]["tls.crt"] not in ("eA==", before), "a new certificate")
        apply("apply the same", 2)
        with self.fight(f"{name}: kubectl annotate of a certificate's Secret"):
            self.kubectl("annotate", "secret/web-tls", "team=mine", "--overwrite", namespace=name, user="alice")
            self.wait_for(lambda: self.get("secret/web-tls", name)["metadata"]["annotations"]["team"] == "2", "the controller's answer")
        with self.phase(f"{name}: delete"):
            self.kubectl("delete", "certificate/web", namespace=name, user="alice")


def ingress():
    return {
        "apiVersion": "networking.k8s.io/v1", "kind": "Ingress",
        "metadata": {"name": "shop", "annotations": {"cert-manager.io/issuer": "authority"}}, "spec": {
            "tls": [{"hosts": ["shop.example.com"], "secretName": "shop-tls"}], "rules": [{
                "host": "shop.example.com", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": {
                    "service": {"name": "web", "port": {"number": 80}}}}]}}]}}


if __name__ == "__main__":
    bench.main()
