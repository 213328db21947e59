#!/usr/bin/env python3
"""cert-manager's controller and CA injector: certificates from their issuance to their renewal, beside Helm and kubectl."""

import base64
import json
import pathlib

import bench
import harness
import programs
from application import write

# No pod serves its webhook here, which nothing but its own checks need.
UNCHECKED = {"cert-manager.io/disable-validation": "true"}
SELECTOR = {"matchExpressions": [{"key": next(iter(UNCHECKED)), "operator": "NotIn", "values": ["true"]}]}
VALUES = {"crds": {"enabled": True}, "startupapicheck": {"enabled": False},
          "webhook": {"mutatingWebhookConfiguration": {"namespaceSelector": SELECTOR}}}
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/{}webhookconfigurations/cert-manager-webhook"


class CertManager(bench.Bench):
    tool = "cert-manager"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.chart = programs.sources("cert-manager", "github.com/cert-manager/cert-manager") / "deploy/charts/cert-manager"
        cls.program = programs.program("cert-manager")
        cls.kubectl("create", "namespace", "cert-manager", user="setup")

    def release(self, major, verb, *flags):
        values = self.plane.directory / "values.json"
        values.write_text(json.dumps(VALUES))
        self.helm(major, verb, "cert-manager", self.chart, f"--values={values}", *flags, namespace="cert-manager")

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
            self.release(4, "install")
        self.start(self.program, "-inject", user="operator")
        first, second = self.authority("one"), self.authority("two")
        with self.phase("the injector injects"):
            self.trust(first)
        for major in (4, 4, 3):
            with self.phase(f"helm {major}: upgrade to the same"):
                self.release(major, "upgrade", *(("--server-side=true",) if major == 4 else ()))
                self.wait_for(lambda: self.is_trusted(first), "the injector")
        with self.phase("the injector injects another authority"):
            self.trust(second)
        with self.phase("helm 4: upgrade"):
            self.release(4, "upgrade", "--server-side=true", "--set=global.logLevel=3")

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
        self.kubectl("label", "namespace", name, *(f"{key}={value}" for key, value in UNCHECKED.items()), user="setup")
        self.start(self.program, "-namespace", name, "-feature-gates", gates, user="operator")

        def apply(phase, version, *more):
            with self.phase(f"{name}: {phase}"):
                folder = write([*issuance(version), *more], self.plane.directory / "repositories" / name)
                self.kubectl("apply", "--filename", folder, *flags, namespace=name, user="alice")
                self.wait_for(lambda: self.is_issued(name, version), "the certificate")
        apply("install", 1)
        for _ in range(2):
            apply("apply the same", 1)
        with self.phase(f"{name}: renew"):
            revision = self.certificate(name)["status"]["revision"]
            self.renew(name)
            self.wait_for(lambda: self.certificate(name)["status"].get("revision", 0) > revision and
                          self.is_issued(name, 1), "the renewal")
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

    def certificate(self, namespace):
        return self.api.request("GET", f"/apis/cert-manager.io/v1/namespaces/{namespace}/certificates/web").body

    def is_issued(self, namespace, version):
        """Whether the certificate of this version is ready, and nothing is under way."""
        live = self.certificate(namespace)
        conditions = {each["type"]: each for each in live.get("status", {}).get("conditions", [])}
        secret = self.get("secret/web-tls", namespace)
        is_at_rest = conditions.get("Issuing", {}).get("status") != "True"
        ready = conditions.get("Ready", {})
        return (ready.get("status") == "True" and ready.get("observedGeneration") == live["metadata"]["generation"] and is_at_rest
                and secret and secret["metadata"].get("annotations", {}).get("team") == str(version))

    def renew(self, namespace):
        """As cert-manager's command line does: by a condition in the status."""
        path = f"/apis/cert-manager.io/v1/namespaces/{namespace}/certificates/web/status"

        def is_asked():
            live = self.certificate(namespace)
            conditions = [each for each in live["status"]["conditions"] if each["type"] != "Issuing"]
            live["status"]["conditions"] = [*conditions, {
                "type": "Issuing", "status": "True", "reason": "ManuallyTriggered", "message": "Certificate re-issuance manually triggered",
                "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": live["metadata"]["generation"]}]
            return self.api.request("PUT", path, live, user="alice", agent="cmctl/v2").ok
        self.wait_for(is_asked, "the order to renew")


def issuance(version):
    """An authority that signs itself, and a certificate of it."""
    return [
        custom("Issuer", "self", selfSigned={}),
        custom("Certificate", "authority", isCA=True, commonName="authority", secretName="authority", issuerRef={"name": "self"},
               privateKey={"algorithm": "ECDSA", "size": 256}),
        custom("Issuer", "authority", ca={"secretName": "authority"}),
        custom("Certificate", "web", secretName="web-tls", issuerRef={"name": "authority"}, duration="24h",
               privateKey={"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
               dnsNames=["web.example.com", *(["www.example.com"] if version == 2 else [])],
               secretTemplate={"annotations": {"team": str(version)}, **({"labels": {"old": "1"}} if version == 1 else {})})]


def custom(kind, name, **spec):
    return {"apiVersion": "cert-manager.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def ingress():
    return {
        "apiVersion": "networking.k8s.io/v1", "kind": "Ingress",
        "metadata": {"name": "shop", "annotations": {"cert-manager.io/issuer": "authority"}}, "spec": {
            "tls": [{"hosts": ["shop.example.com"], "secretName": "shop-tls"}], "rules": [{
                "host": "shop.example.com", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": {
                    "service": {"name": "web", "port": {"number": 80}}}}]}}]}}


if __name__ == "__main__":
    bench.main()
