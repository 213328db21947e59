"""operators.py: operators that run until a class of tests is done, what people apply for them, and what they make of it."""

import json
import shutil

import bench
import harness
import programs
from control_plane import free_ports

# KEDA


def start_keda(test):
    test.define(programs.sources("keda", "github.com/kedacore/keda/v2") / "config" / "crd" / "bases")
    test.kubectl("create", "namespace", "keda", user="setup")
    made, folder = harness.Certificate(), bench.temporary_directory()
    for source, name in ((made.certificate, "ca.crt"), (made.certificate, "tls.crt"), (made.key, "tls.key")):
        shutil.copy(source, folder / name)
    metrics, health, service = free_ports(3)
    test.start(
        programs.program("keda"), f"--metrics-bind-address=127.0.0.1:{metrics}", f"--cert-dir={folder}",
        f"--health-probe-bind-address=127.0.0.1:{health}", f"--metrics-service-bind-address=127.0.0.1:{service}",
        user="operator",
        environment={"WATCH_NAMESPACE": "", "KEDA_CLUSTER_OBJECT_NAMESPACE": "keda", "POD_NAMESPACE": "keda"})


def scaled_object(most):
    return {
        "apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {
            "scaleTargetRef": {"name": "web"}, "minReplicaCount": 1, "maxReplicaCount": most, "triggers": [{
                "type": "kubernetes-workload", "metadata": {"podSelector": "app=db", "value": "1"}}]}}


def most_replicas(test, namespace):
    """The upper bound of KEDA's autoscaler; None while it is absent."""
    found = test.get("horizontalpodautoscaler/keda-hpa-web", namespace)
    return found and found["spec"]["maxReplicas"]


# The Prometheus Operator


def start_prometheus_operator(test):
    sources = programs.sources("prometheus-operator", "github.com/prometheus-operator/prometheus-operator")
    test.define(sources / "example" / "prometheus-operator-crd")
    test.start(programs.program("prometheus-operator"), f"--web.listen-address=127.0.0.1:{free_ports(1)[0]}",
               "--kubelet-endpoints=false", user="operator")


def prometheus(namespace, replicas):
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "prometheus"}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "Prometheus", "metadata": {"name": "main"}, "spec": {
            "replicas": replicas, "serviceAccountName": "prometheus", "serviceMonitorSelector": {}, "ruleSelector": {},
            "resources": {"requests": {"memory": "400Mi"}}}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor", "metadata": {"name": "web"}, "spec": {
            "selector": {"matchLabels": {"app": "web"}}, "endpoints": [{"port": "http"}]}},
        {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": {"name": "web"}, "spec": {
            "groups": [{"name": "web", "rules": [{"alert": "Down", "expr": f'up{{namespace="{namespace}"}} == 0'}]}]}}]


def prometheus_replicas(test, namespace):
    found = test.get("statefulset/prometheus-main", namespace)
    return found and found["spec"]["replicas"]


# cert-manager

# No pod serves its webhook here, which nothing but its own checks need.
UNCHECKED = {"cert-manager.io/disable-validation": "true"}
SELECTOR = {"matchExpressions": [{"key": next(iter(UNCHECKED)), "operator": "NotIn", "values": ["true"]}]}
VALUES = {"crds": {"enabled": True}, "startupapicheck": {"enabled": False},
          "webhook": {"mutatingWebhookConfiguration": {"namespaceSelector": SELECTOR}}}


def release_cert_manager(test, major, verb, *flags, user="admin"):
    """Its own chart, which brings its custom resources."""
    chart = programs.sources("cert-manager", "github.com/cert-manager/cert-manager") / "deploy/charts/cert-manager"
    values = test.plane.directory / "values.json"
    values.write_text(json.dumps(VALUES))
    test.helm(major, verb, "cert-manager", chart, f"--values={values}", *flags, namespace="cert-manager", user=user)


def start_cert_manager(test, namespace, gates=""):
    """Its controllers for this namespace, which exists."""
    test.kubectl("label", "namespace", namespace, *(f"{key}={value}" for key, value in UNCHECKED.items()), user="setup")
    test.start(programs.program("cert-manager"), "-namespace", namespace, "-feature-gates", gates, user="operator")


def issuance(version):
    """An authority that signs itself, and a certificate of it."""
    return [
        _custom("Issuer", "self", selfSigned={}),
        _custom("Certificate", "authority", isCA=True, commonName="authority", secretName="authority", issuerRef={"name": "self"},
                privateKey={"algorithm": "ECDSA", "size": 256}),
        _custom("Issuer", "authority", ca={"secretName": "authority"}),
        _custom("Certificate", "web", secretName="web-tls", issuerRef={"name": "authority"}, duration="24h",
                privateKey={"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
                dnsNames=["web.example.com", *(["www.example.com"] if version == 2 else [])],
                secretTemplate={"annotations": {"team": str(version)}, **({"labels": {"old": "1"}} if version == 1 else {})})]


def _custom(kind, name, **spec):
    return {"apiVersion": "cert-manager.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def certificate(test, namespace):
    return test.api.request("GET", f"/apis/cert-manager.io/v1/namespaces/{namespace}/certificates/web").body


def is_issued(test, namespace, version):
    """Whether the certificate of this version is ready, and nothing is under way."""
    live = certificate(test, namespace)
    conditions = {each["type"]: each for each in live.get("status", {}).get("conditions", [])}
    secret = test.get("secret/web-tls", namespace)
    is_at_rest = conditions.get("Issuing", {}).get("status") != "True"
    ready = conditions.get("Ready", {})
    return (ready.get("status") == "True" and ready.get("observedGeneration") == live["metadata"]["generation"] and is_at_rest
            and secret and secret["metadata"].get("annotations", {}).get("team") == str(version))


def renew(test, namespace):
    """As cert-manager's command line does: by a condition in the status. Waits until the new certificate is there."""
    path = f"/apis/cert-manager.io/v1/namespaces/{namespace}/certificates/web/status"
    revision = certificate(test, namespace)["status"]["revision"]

    def is_asked():
        live = certificate(test, namespace)
        conditions = [each for each in live["status"]["conditions"] if each["type"] != "Issuing"]
        live["status"]["conditions"] = [*conditions, {
            "type": "Issuing", "status": "True", "reason": "ManuallyTriggered",
            "message": "Certificate re-issuance manually triggered", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "observedGeneration": live["metadata"]["generation"]}]
        return test.api.request("PUT", path, live, user="alice", agent="cmctl/v2").ok
    test.wait_for(is_asked, "the order to renew")
    test.wait_for(lambda: certificate(test, namespace)["status"].get("revision", 0) > revision, "the renewal")
