#!/usr/bin/env python3
"""A stolen token of the pods, with every right that the chart can give it: what it may do is what SECURITY.md says, and all
else that an attacker would try is refused by a real API server."""

import base64
import contextlib
import http.client
import json
import re
import urllib.parse

from chart import FULL_NAME, HERE, NAMESPACE, RELEASE
from harness import main
from test_certs import PROMOTED, SECRET, SelfMade

ALL_RIGHTS = "lookup=true,events.enabled=true"
# For each condition in the table, what does not meet it.
WITHOUT = {
    "certs.mode=self": "certs.mode=secret", "certs.self.createSecret=true": "certs.self.createSecret=false",
    "lookup=true": "lookup=false", "events.enabled=true": "events.enabled=false"}
EVERYWHERE = "everywhere"


def stated():
    """The rows of SECURITY.md's table: the conditions of a right, where it holds, and the rule as RBAC has it."""
    table = (HERE.parents[1] / "SECURITY.md").read_text().partition("| API group |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        group, resources, names, where, verbs, conditions = (
            re.findall(r"`([\w.=-]+)`", cell) or cell.strip() for cell in row.strip("|").split("|"))
        rule = {"apiGroups": group if isinstance(group, list) else [""], "resources": resources, "verbs": verbs}
        if isinstance(names, list):
            rule["resourceNames"] = [name.replace("applyguard", FULL_NAME) for name in names]
        yield set(conditions), where, json.dumps(rule, sort_keys=True)


def manifest(version, kind, name="thief", **more):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **more}


def pod(**more):
    return {"containers": [{"name": "web", "image": "web", "env": [{"name": "PASSWORD", "value": "in-plain-text"}]}], **more}


DEPLOYMENT = manifest("apps/v1", "Deployment", "web", spec={
    "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": pod()}})
EVENT = manifest(
    "v1", "Event", "thief.1", reason="Thief", message="made up", type="Normal",
    involvedObject={"apiVersion": "v1", "kind": "ConfigMap", "namespace": "default", "name": "any"})
ADMIN = {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
         "subjects": [{"kind": "ServiceAccount", "name": FULL_NAME, "namespace": NAMESPACE}]}
ALL = {"rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]}
WEBHOOKS = {"webhooks": [{
    "name": "thief.example.com", "clientConfig": {"url": "https://192.0.2.1/"}, "sideEffects": "None", "admissionReviewVersions": ["v1"],
    "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "operations": ["*"]}]}]}
LABEL = {"metadata": {"labels": {"thief": "was-here"}}}
MODE_OFF = {"metadata": {"labels": {"applyguard.io/mode": "off"}}}
TOKEN = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 31536000}}
MASTERS = {"Impersonate-User": "system:admin", "Impersonate-Group": "system:masters"}

CORE, OWN, OTHER = "/api/v1", f"/api/v1/namespaces/{NAMESPACE}", "/api/v1/namespaces/default"
APPS, RBAC, ADMISSION = "/apis/apps/v1", "/apis/rbac.authorization.k8s.io/v1", "/apis/admissionregistration.k8s.io/v1"
GUARDS = f"{FULL_NAME}-configuration-guard", f"{FULL_NAME}-secret-guard"
OWN_APPS, OTHER_APPS = (f"{APPS}/namespaces/{name}" for name in (NAMESPACE, "default"))
OWN_RBAC, NETWORK = (f"/apis/{group}/namespaces/{NAMESPACE}" for group in ("rbac.authorization.k8s.io/v1", "networking.k8s.io/v1"))

# By what they are for, what an attacker tries: a method and a path, and perhaps a body and headers.
ATTEMPTS = {
    "read what others keep secret": [
        ("GET", f"{CORE}/secrets"), ("GET", f"{OWN}/secrets"), ("GET", f"{OWN}/secrets?watch=true"), ("GET", f"{OWN}/secrets/other"),
        ("GET", f"{OTHER}/secrets"), ("GET", f"{OTHER}/secrets/other"), ("GET", f"{OTHER}/secrets/{SECRET}"),
        ("GET", f"{CORE}/configmaps"), ("GET", f"{OWN}/configmaps/{FULL_NAME}-policy")],
    "look around": [
        *(("GET", f"{CORE}/{what}") for what in ("pods", "events", "nodes", "namespaces", "serviceaccounts", "services")),
        *(("GET", f"{APPS}/{what}") for what in ("deployments", "replicasets", "statefulsets", "deployments?watch=true")),
        *(("GET", f"{RBAC}/{what}") for what in ("roles", "clusterroles", "rolebindings", "clusterrolebindings")),
        *(("GET", f"{ADMISSION}/{what}") for what in (
            "validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingwebhookconfigurations/other",
            f"mutatingwebhookconfigurations/{FULL_NAME}")),
        ("GET", f"{OTHER_APPS}/daemonsets/web"), ("GET", f"{OTHER_APPS}/deployments/web/scale"), ("GET", f"{OTHER}/events/any"),
        ("GET", "/metrics"), ("GET", "/logs/"), ("GET", "/debug/pprof/")],
    "put others in the place of Secrets": [
        ("DELETE", f"{OWN}/secrets/{SECRET}"), ("DELETE", f"{OWN}/secrets/other"), ("DELETE", f"{OWN}/secrets"),
        ("PATCH", f"{OWN}/secrets/{SECRET}", LABEL), ("PATCH", f"{OWN}/secrets/other", LABEL),
        ("PUT", f"{OWN}/secrets/other", manifest("v1", "Secret", "other")), ("POST", f"{OTHER}/secrets", manifest("v1", "Secret")),
        ("POST", "/api/v1/namespaces/kube-system/secrets", manifest("v1", "Secret"))],
    "have other webhooks called": [
        *(("POST", f"{ADMISSION}/{kind.lower()}s", manifest("admissionregistration.k8s.io/v1", kind, **WEBHOOKS))
          for kind in ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")),
        ("PATCH", f"{ADMISSION}/validatingwebhookconfigurations/other", LABEL),
        ("PATCH", f"{ADMISSION}/mutatingwebhookconfigurations/{FULL_NAME}", LABEL),
        ("PUT", f"{ADMISSION}/validatingwebhookconfigurations/{FULL_NAME}", manifest(
            "admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", FULL_NAME, **WEBHOOKS)),
        ("DELETE", f"{ADMISSION}/validatingwebhookconfigurations/{FULL_NAME}"), ("DELETE", f"{ADMISSION}/validatingwebhookconfigurations"),
        ("POST", "/apis/apiregistration.k8s.io/v1/apiservices", manifest("apiregistration.k8s.io/v1", "APIService")),
        ("PATCH", f"{OWN}/services/{FULL_NAME}", LABEL), ("POST", f"{OWN}/endpoints", manifest("v1", "Endpoints"))],
    "get rid of the guards": [
        *((method, f"{ADMISSION}/{kind}/{guard}", body) for guard in GUARDS for kind in ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
          for method, body in (("DELETE", None), ("PATCH", LABEL)))],
    "run programs": [
        ("POST", f"{OWN}/pods", manifest("v1", "Pod", spec=pod(serviceAccountName=FULL_NAME))),
        ("POST", f"{OTHER}/pods", manifest("v1", "Pod", spec=pod(hostNetwork=True))), ("POST", f"{OWN_APPS}/deployments", DEPLOYMENT),
        ("POST", f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs", manifest("batch/v1", "Job", spec={"template": {"spec": pod()}})),
        ("POST", f"{OWN}/pods/any/exec?command=id"), ("POST", f"{OWN}/pods/any/attach"), ("POST", f"{OWN}/pods/any/portforward"),
        ("GET", f"{OWN}/pods/any/log"), ("GET", f"{CORE}/nodes/any/proxy/pods"), ("GET", f"{OWN}/services/any/proxy/")],
    "change what runs": [
        *((method, f"{OTHER_APPS}/deployments/web{sub}", body) for method, sub, body in (
            ("PATCH", "", LABEL), ("PUT", "", DEPLOYMENT), ("DELETE", "", None), ("PATCH", "/scale", {"spec": {"replicas": 0}}))),
        ("PATCH", f"{OWN_APPS}/deployments/{FULL_NAME}", LABEL), ("DELETE", f"{OWN}/pods"),
        ("PATCH", f"{OWN}/configmaps/{FULL_NAME}-policy", {"data": {"policy.yaml": ""}}),
        ("PATCH", f"{NETWORK}/networkpolicies/{FULL_NAME}", LABEL), ("DELETE", f"{NETWORK}/networkpolicies/{FULL_NAME}")],
    "get more rights": [
        ("POST", f"{OWN_RBAC}/roles", manifest("rbac.authorization.k8s.io/v1", "Role", **ALL)),
        ("POST", f"{OWN_RBAC}/rolebindings", manifest("rbac.authorization.k8s.io/v1", "RoleBinding", **ADMIN)),
        ("POST", f"{RBAC}/clusterroles", manifest("rbac.authorization.k8s.io/v1", "ClusterRole", **ALL)),
        ("POST", f"{RBAC}/clusterrolebindings", manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", **ADMIN)),
        ("PATCH", f"{OWN_RBAC}/roles/{FULL_NAME}", ALL), ("PATCH", f"{OWN_RBAC}/rolebindings/{FULL_NAME}", LABEL),
        ("PATCH", f"{RBAC}/clusterroles/{FULL_NAME}", ALL), ("PATCH", f"{RBAC}/clusterroles/system:basic-user", ALL)],
    "be somebody else": [
        ("GET", f"{CORE}/namespaces", None, MASTERS), ("GET", f"{CORE}/namespaces", None, {"Impersonate-User": "alice"}),
        ("GET", f"{OWN}/secrets", None, {"Impersonate-User": "system:serviceaccount:kube-system:replicaset-controller"}),
        # Its own as well, which would be a token that does not end with the pod.
        *(("POST", f"{namespace}/serviceaccounts/{name}/token", TOKEN)
          for namespace, name in ((OWN, FULL_NAME), (OWN, "bare"), (OTHER, "default"))),
        ("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", manifest(
            "certificates.k8s.io/v1", "CertificateSigningRequest"))],
    "lower what is judged": [
        ("PATCH", OTHER, MODE_OFF), ("PATCH", f"{OTHER}/status", MODE_OFF), ("DELETE", OWN),
        ("POST", f"{CORE}/namespaces", manifest("v1", "Namespace"))],
    "hide": [("DELETE", f"{OTHER}/events"), ("DELETE", f"{OWN}/events/any"), ("PUT", f"{OWN}/events/any", EVENT),
             ("PATCH", f"{OWN}/serviceaccounts/{FULL_NAME}", LABEL)],
}


class Thief:
    """An attacker with the token that is mounted into the pods, and nothing else."""

    def __init__(self, plane, token):
        self.plane, self.token = plane, token

    def request(self, method, path, body=None, headers=None, form="application/json"):
        """The status of the answer, and what it says."""
        form = "application/merge-patch+json" if method == "PATCH" and form == "application/json" else form
        server = urllib.parse.urlsplit(self.plane.server())
        connection = http.client.HTTPSConnection(server.hostname, server.port, context=self.plane.tls(), timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), {
                "Authorization": f"Bearer {self.token}", "Content-Type": form, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or "{}")


class StolenToken(SelfMade):
    def install_with(self, *values):
        self.install(4, *self.flags(*(f"--set={each}" for each in (ALL_RIGHTS, *values))))

    def steal(self):
        """The token, after a server has put its authority into the Secret."""
        self.install_with()
        with self.serve() as server:
            server.wait_for_log(PROMOTED, timeout=60)
        for kind, namespace in (("serviceaccount bare", NAMESPACE), ("secret generic other", NAMESPACE), ("secret generic other", "default")):
            self.must("create", *kind.split(), f"--namespace={namespace}")
            self.addCleanup(self.must, "delete", kind.split()[0], kind.split()[-1], f"--namespace={namespace}")
        self.must("create", "--filename=-", "--namespace=default", input=json.dumps(DEPLOYMENT))
        self.addCleanup(self.must, "delete", "deployment", "web", "--namespace=default")
        return Thief(self.plane, self.deployed.kubeconfig.parent.joinpath("api-access/token").read_text())

    def test_its_rights_are_those_of_the_page(self):
        """Protects readers of SECURITY.md: the rights are these, each under the condition that it names."""
        for without in (None, *WITHOUT):
            with self.subTest(without=without):
                self.install_with(*filter(None, [WITHOUT.get(without)]))
                self.assertEqual(self.given(), {(where, rule) for conditions, where, rule in stated() if without not in conditions})

    def given(self):
        """The rights of the release's roles, and where they hold."""
        label = f"--selector=app.kubernetes.io/instance={RELEASE}"
        return {(where, json.dumps(rule, sort_keys=True))
                for kind, where in (("role", "the release's namespace"), ("clusterrole", EVERYWHERE))
                for each in self.get(kind, label, "--namespace", NAMESPACE)["items"] for rule in each["rules"]}

    def test_the_api_server_knows_of_no_others(self):
        """Protects from rights that come from elsewhere: its only other rights are those of every account."""
        thief = self.steal()
        anybody = Thief(self.plane, self.must("create", "token", "bare", "--namespace", NAMESPACE).strip())
        for namespace in NAMESPACE, "default":
            rights = {rule for _, where, rule in stated() if where == EVERYWHERE or namespace == NAMESPACE}
            of_anybody = self.rules_of(anybody, namespace)
            self.assertTrue(of_anybody)
            self.assertEqual(self.rules_of(thief, namespace) - of_anybody, rights)

    def rules_of(self, client, namespace):
        status, answer = client.request("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
            "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": {"namespace": namespace}})
        self.assertEqual(status, 201, answer)
        self.assertFalse(answer["status"]["incomplete"])
        return {json.dumps(rule, sort_keys=True) for rule in answer["status"]["resourceRules"] + answer["status"]["nonResourceRules"]}

    def test_it_can_do_nothing_else(self):
        """Protects the cluster: each try of an attacker is forbidden, and changes nothing."""
        thief = self.steal()
        for goal, attempts in ATTEMPTS.items():
            for attempt in attempts:
                with self.subTest(goal, attempt=attempt):
                    status, answer = thief.request(*attempt)
                    self.assertEqual((status, answer.get("reason")), (403, "Forbidden"), answer)
        everything = self.must("get", "all,secrets,roles,rolebindings,configmaps", "--all-namespaces", "--output=name")
        self.assertNotIn("thief", everything)

    def test_what_it_can_do(self):
        """Protects the page from saying too little: what it warns of does work."""
        thief = self.steal()
        secret = self.may(thief, "GET", f"{OWN}/secrets/{SECRET}")
        self.assertIn("PRIVATE KEY", base64.b64decode(secret["data"]["tls.key"]).decode())
        self.may(thief, "PUT", f"{OWN}/secrets/{SECRET}", secret)
        for kind in "deployments", "replicasets", "statefulsets":
            self.assertEqual(thief.request("GET", f"{OTHER_APPS}/{kind}/none")[0], 404)
        self.assertIn("in-plain-text", json.dumps(self.may(thief, "GET", f"{OTHER_APPS}/deployments/web")))
        configuration = f"{ADMISSION}/validatingwebhookconfigurations/{FULL_NAME}"
        self.may(thief, "GET", configuration)
        self.may(thief, "PATCH", configuration, [{"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "Zmlyc3Q="}],
                 form="application/json-patch+json")
        self.may(thief, "POST", f"{OTHER}/events", EVENT)
        self.addCleanup(self.must, "delete", "event", "thief.1", "--namespace=default")
        self.may(thief, "PATCH", f"{OTHER}/events/thief.1", {"message": "changed"})

    def may(self, thief, *request, **options):
        status, answer = thief.request(*request, **options)
        self.assertLess(status, 300, answer)
        return answer

    def test_it_makes_no_secret_but_its_own(self):
        """Protects Helm's releases, which are Secrets, and the other service accounts of the namespace, whose tokens a Secret can
        ask for: neither under another name, nor under its own while that is free, nor by a change."""
        thief = self.steal()
        own = self.may(thief, "GET", f"{OWN}/secrets/{SECRET}")
        asks = {"type": "kubernetes.io/service-account-token"}
        annotated = {"annotations": {"kubernetes.io/service-account.name": "bare"}}
        status, answer = thief.request("PUT", f"{OWN}/secrets/{SECRET}", {**own, **asks, "metadata": {**own["metadata"], **annotated}})
        self.assertEqual(status, 422, answer)
        self.assertIn("immutable", answer["message"])
        self.delete_secret()
        for name, more in ((SECRET, asks), ("thief", asks), ("thief", {"type": "kubernetes.io/tls", "data": own["data"]}),
                           ("sh.helm.release.v1.guard.v2", {"type": "helm.sh/release.v1"}), (SECRET, {})):
            with self.subTest(name, **more):
                secret = manifest("v1", "Secret", name, **more)
                secret["metadata"] |= annotated
                status, answer = thief.request("POST", f"{OWN}/secrets", secret)
                self.assertEqual(status, 403, answer)
                self.assertIn(f"no Secret but {SECRET}", answer["message"])
        self.may(thief, "POST", f"{OWN}/secrets", manifest("v1", "Secret", SECRET, type="kubernetes.io/tls", data=own["data"]))


if __name__ == "__main__":
    main()
