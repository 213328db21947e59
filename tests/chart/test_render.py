#!/usr/bin/env python3
"""The objects that the chart renders: for each set of values in values/, as a real API server takes it; and what it refuses to
render."""

import json
import re
import unittest

from chart import CHART, ClusterTest, FULL_NAME, HERE, NAMESPACE, render, run
from harness import Certificate, Program, main, temporary_directory
from helm import chart_values

VALUES = sorted((HERE / "values").glob("*.yaml"))
ALERTS, DASHBOARD = CHART / "monitoring/alerts.yaml", CHART / "monitoring/dashboard.json"
SYSTEM_NAMESPACES = ["kube-system", "kube-public", "kube-node-lease"]
POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\n"
# Whether Kubernetes accepts them, with their names.
ANNOTATIONS_BYTES = 256 << 10
RIGHTS = {"Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"}


def promtool():
    return run([HERE.parent / "metrics/promtool"]).stdout.strip()


def rendered(file, *arguments):
    done = render(4, "--values", file, *arguments)
    if done.returncode:
        raise AssertionError(f"{file.name}: {done.stderr}")
    return done.stdout


def makes_certificates(file):
    """Whether these values ask for certificates of applyguard's own, as they do by default."""
    text = file.read_text()
    mode = re.search(r"^certs:\s*\{?\s*mode: (\w+)", text, re.MULTILINE)
    return "server: {enabled: false}" not in text and (not mode or mode.group(1) == "self")


def purpose(right):
    """The purpose of a right, by its name."""
    found = re.search(r"-(lookup|events|scan)$", right["metadata"]["name"])
    return found.group(1) if found else "certificates"


def json_documents(text):
    """The values of a text that holds one after the other."""
    decoder, values = json.JSONDecoder(), []
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        values.append(value)
        text = text[end:]
    return values


class Server(ClusterTest):
    """Each set of values on a real API server, in a namespace that takes restricted pods only."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.create_namespace("monitoring")
        cls.objects = {file.stem: cls.create(rendered(file)) for file in VALUES}

    @classmethod
    def create(cls, manifests):
        """The objects as the API server would have them, and what it said about them."""
        done = cls.kubectl("create", "--dry-run=server", "--filename=-", "--output=json", input=manifests)
        return {"status": done.returncode, "told": done.stderr, "objects": json_documents(done.stdout)}

    def of_kind(self, values, kind):
        return [each for each in self.objects[values]["objects"] if each["kind"] == kind]

    def the(self, values, kind):
        [only] = self.of_kind(values, kind)
        return only

    def of_servers(self, values, kind):
        """Those that are not for the CronJob of a scan."""
        return [each for each in self.of_kind(values, kind) if not each["metadata"]["name"].endswith("-scan")]

    def network_policy(self, values):
        [only] = self.of_servers(values, "NetworkPolicy")
        return only

    def webhooks(self, values):
        webhooks = self.the(values, "ValidatingWebhookConfiguration")["webhooks"]
        names = [f"{name}.applyguard.io" for name in ("enforce", "warn", "audit", "cluster", "policy")]
        self.assertEqual([each["name"] for each in webhooks],
                         names if values == "everything" else [*names[:3], *names[4:]] if values == "policy-elsewhere" else names[:3])
        return [each for each in webhooks if each["name"] != names[4]]

    def pod_templates(self, values):
        return [each["spec"]["template"]["spec"] for kind in ("Deployment", "Job") for each in self.of_kind(values, kind)] + [
            each["spec"]["jobTemplate"]["spec"]["template"]["spec"] for each in self.of_kind(values, "CronJob")] + [
            each["spec"] for each in self.of_kind(values, "Pod")]

    def test_the_api_server_takes_every_object_without_a_warning(self):
        """Protects the promise of restricted pods, and the manifests from misspelt fields."""
        for file in VALUES:
            with self.subTest(file.stem):
                made = self.objects[file.stem]
                told = made["told"]
                if file.stem == "host-network":
                    told = told.replace('Warning: would violate PodSecurity "restricted:latest": host namespaces (hostNetwork=true)\n', "")
                    self.assertNotEqual(told, made["told"])
                self.assertEqual((made["status"], told), (0, ""))
                self.assertTrue(made["objects"])

    def test_a_pod_that_is_not_restricted_would_have_been_reported(self):
        """Protects the test above: the namespace does refuse and warn."""
        manifests = rendered(HERE / "values/defaults.yaml").replace("allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true")
        made = self.create(manifests)
        self.assertIn("restricted", made["told"])

    def test_pods_hold_nothing_that_could_be_misused(self):
        """Protects clusters from the webhook itself: no token by itself, no keys from the chart, no writable root."""
        for file in VALUES:
            self.assertFalse(self.of_kind(file.stem, "Secret"), file.stem)
            for pod in self.pod_templates(file.stem):
                self.assertIs(pod["automountServiceAccountToken"], False)
                user = {"openshift": None, "everything": 1000}.get(file.stem, 65532)
                self.assertEqual(pod["securityContext"].get("runAsUser"), user)
                self.assertIs(pod["securityContext"]["runAsNonRoot"], True)
                self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
                for container in pod["containers"]:
                    self.assertIs(container["securityContext"]["readOnlyRootFilesystem"], True)
                    self.assertEqual(container["securityContext"]["capabilities"], {"drop": ["ALL"]})

    def test_rights_and_a_token_are_for_certificates_of_its_own_lookups_and_events_alone(self):
        """Protects who has certificates from elsewhere: their pods can do nothing in the cluster. And everybody from the
        pod of `helm test`, which never can."""
        seen = set()
        for file in VALUES:
            with self.subTest(file.stem):
                text = file.read_text()
                makes, looks_up, records = makes_certificates(file), "\nlookup: true\n" in text, "\nevents: {enabled: true}\n" in text
                seen.add((makes, looks_up, records))
                rights = {(each["kind"], purpose(each)) for each in self.objects[file.stem]["objects"] if each["kind"] in RIGHTS}
                of_others = {(kind, what) for what, is_asked_for in (("lookup", looks_up), ("events", records)) if is_asked_for
                             for kind in ("ClusterRole", "ClusterRoleBinding")}
                if self.of_kind(file.stem, "CronJob"):
                    # A report in a volume takes no right to write, which the Role is for.
                    in_volume = "\n  report: {volume:" in text
                    of_others |= {(kind, "scan") for kind in RIGHTS if kind.startswith("Cluster") or not in_volume}
                self.assertEqual(rights, of_others | ({(kind, "certificates") for kind in RIGHTS} if makes else set()))
                for deployment in self.of_kind(file.stem, "Deployment"):
                    volumes = deployment["spec"]["template"]["spec"]["volumes"]
                    self.assertEqual("serviceAccountToken" in json.dumps(volumes), makes or looks_up or records)
                    self.assertEqual("certificate" in [each["name"] for each in volumes], not makes)
                for pod in self.of_kind(file.stem, "Pod"):
                    self.assertEqual([list(volume) for volume in pod["spec"]["volumes"]], [["configMap", "name"]])
                for job in self.of_kind(file.stem, "Job"):
                    pod = job["spec"]["template"]["spec"]
                    source = "configMap" if file.stem == "policy-elsewhere" else "downwardAPI"
                    self.assertEqual([list(volume) for volume in pod["volumes"]], [[source, "name"]])
                    self.assertNotIn("serviceAccountName", pod)
        self.assertLessEqual(
            {(True, True, False), (True, False, False), (False, True, False), (False, False, True), (False, False, False)}, seen)

    def test_rights_name_what_they_are_for(self):
        """Protects all other Secrets and webhooks: the rights are these, for these names, and for this account."""
        for values, secret, configuration, account in (
                ("defaults", f"{FULL_NAME}-ca", FULL_NAME, FULL_NAME),
                ("self-everything", "own-authority", FULL_NAME, "for-applyguard")):
            rights = {each["kind"]: each for each in self.objects[values]["objects"]
                      if each["kind"] in RIGHTS and purpose(each) == "certificates"}
            self.assertEqual(rights["Role"]["rules"], [
                {"apiGroups": [""], "resources": ["secrets"], "resourceNames": [secret], "verbs": ["get", "update"]},
                {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]}])
            self.assertEqual(len(self.the("made-by-hand", "Role")["rules"]), 1)
            self.assertEqual(rights["ClusterRole"]["rules"], [
                {"apiGroups": ["admissionregistration.k8s.io"], "resources": ["validatingwebhookconfigurations"],
                 "resourceNames": [configuration], "verbs": ["get", "patch"]}])
            for kind in "Role", "ClusterRole":
                binding = rights[f"{kind}Binding"]
                self.assertEqual(binding["subjects"], [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}])
                self.assertEqual(binding["roleRef"]["kind"], kind)
                self.assertEqual(binding["roleRef"]["name"], rights[kind]["metadata"]["name"])
            [deployment] = self.of_kind(values, "Deployment")
            self.assertEqual(deployment["spec"]["template"]["spec"]["serviceAccountName"], account)

    def test_a_scan_may_list_the_named_kinds_and_write_one_object(self):
        """Protects everything else, Secrets above all: the token of the CronJob's pods is for its own account."""
        for values, name, secrets in ("scan", f"{FULL_NAME}-scan", False), ("everything", "hygiene-scan", True):
            rights = {each["kind"]: each for each in self.objects[values]["objects"] if each["kind"] in RIGHTS and purpose(each) == "scan"}
            self.assertEqual(rights["Role"]["rules"], [
                {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": [name], "verbs": ["patch"]}])
            rules = rights["ClusterRole"]["rules"]
            self.assertEqual({verb for rule in rules for verb in rule["verbs"]}, {"list"})
            self.assertNotIn("*", json.dumps(rules))
            self.assertEqual(any("secrets" in rule["resources"] for rule in rules), secrets)
            for kind in "RoleBinding", "ClusterRoleBinding":
                self.assertEqual(rights[kind]["subjects"], [{"kind": "ServiceAccount", "name": name, "namespace": NAMESPACE}])
            pod = self.the(values, "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
            self.assertEqual(pod["serviceAccountName"], name)
            listed = [each.removeprefix("--kinds=") for each in pod["containers"][0]["args"] if each.startswith("--kinds=")]
            self.assertEqual(listed, [f"{resource}.{group}" for rule in rules for group in rule["apiGroups"] for resource in rule["resources"]])

    def test_a_scan_with_a_volume_may_write_nothing(self):
        """Protects the cluster from the CronJob's token, and the report from a volume that is not writable."""
        rights = [each for each in self.objects["scan-volume"]["objects"] if each["kind"] in RIGHTS and purpose(each) == "scan"]
        self.assertEqual(sorted(each["kind"] for each in rights), ["ClusterRole", "ClusterRoleBinding"])
        self.assertFalse([each for each in self.of_kind("scan-volume", "ConfigMap") if each["metadata"]["name"].endswith("-scan")])
        pod = self.the("scan-volume", "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        [container] = pod["containers"]
        self.assertEqual({each for each in container["args"] if each.startswith(("--report-dir", "--config-map", "--rate", "--lists"))},
                         {"--report-dir=/var/lib/applyguard/scan", "--rate=5", "--lists=1"})
        self.assertIn({"name": "report", "mountPath": "/var/lib/applyguard/scan"}, container["volumeMounts"])
        self.assertIn({"name": "report", "persistentVolumeClaim": {"claimName": "scans"}}, pod["volumes"])

    def test_a_scan_may_change_its_own_reports_alone(self):
        """Protects the reports of others: it may create reports, which no rule can bound by name, and change its own."""
        [role] = [each for each in self.objects["scan-reports"]["objects"] if each["kind"] == "ClusterRole" and purpose(each) == "scan"]
        rules = [rule for rule in role["rules"] if rule["verbs"] != ["list"]]
        for group, resources in ("openreports.io", ["reports", "clusterreports"]), ("wgpolicyk8s.io", ["policyreports", "clusterpolicyreports"]):
            self.assertIn({"apiGroups": [group], "resources": resources, "verbs": ["list", "create"]}, rules)
            self.assertIn({"apiGroups": [group], "resources": resources, "resourceNames": ["applyguard-scan"], "verbs": ["patch", "delete"]}, rules)
        self.assertEqual(len(rules), 4)
        arguments = self.the("scan-reports", "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]["args"]
        self.assertLessEqual({"--output=policyreport", "--write"}, set(arguments))

    def test_rights_that_no_role_can_bound_have_a_guard(self):
        """Protects what the roles' rights are not for: a policy for each, for this account, where it has the right."""
        for values, guards in (("defaults", ["configuration", "secret"]), ("made-by-hand", ["configuration"]), ("own-certificate", [])):
            policies = {each["metadata"]["name"]: each["spec"] for each in self.of_kind(values, "ValidatingAdmissionPolicy")}
            self.assertEqual(sorted(policies), [f"{FULL_NAME}-{guard}-guard" for guard in guards], values)
            bound = {each["spec"]["policyName"]: each["spec"]["validationActions"] for each in self.of_kind(values, "ValidatingAdmissionPolicyBinding")}
            self.assertEqual(bound, {name: ["Deny"] for name in policies})
            for spec in policies.values():
                self.assertEqual(spec["failurePolicy"], "Fail")
                [condition] = spec["matchConditions"]
                self.assertEqual(condition["expression"], f"request.userInfo.username == 'system:serviceaccount:{NAMESPACE}:{FULL_NAME}'")

    def test_the_token_is_short_lived_and_where_clients_look(self):
        """Protects the token from who reads it later, and the server from not finding it."""
        [deployment] = self.of_kind("defaults", "Deployment")
        pod = deployment["spec"]["template"]["spec"]
        [projected] = [each for each in pod["volumes"] if "projected" in each]
        token, authority, namespace = projected["projected"]["sources"]
        self.assertEqual(token, {"serviceAccountToken": {"path": "token", "expirationSeconds": 3600}})
        self.assertEqual(authority["configMap"], {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]})
        self.assertEqual(namespace["downwardAPI"]["items"][0]["path"], "namespace")
        [mount] = [each for each in pod["containers"][0]["volumeMounts"] if each["name"] == projected["name"]]
        self.assertEqual((mount["mountPath"], mount["readOnly"]), ("/var/run/secrets/kubernetes.io/serviceaccount", True))

    def certificate_flags(self, values):
        [deployment] = self.of_kind(values, "Deployment")
        return [each for each in deployment["spec"]["template"]["spec"]["containers"][0]["args"] if each.startswith(("--certs-", "--tls-"))]

    def test_the_server_is_reported_which_certificates_to_make(self):
        """Protects the TLS handshake and the values: names, validity and key are the chart's."""
        common = [f"--certs-configuration={FULL_NAME}", f"--certs-service={FULL_NAME}"]
        lives = ["--certs-key=ec", "--certs-ca-validity=8760h", "--certs-leaf-validity=168h", "--certs-soak=10m"]
        secret = f"--certs-secret={NAMESPACE}/{FULL_NAME}-ca"
        self.assertEqual(self.certificate_flags("defaults"), [secret, *common, *lives])
        self.assertEqual(self.certificate_flags("self-url"), [secret, *common, "--certs-dns=hooks.example.com", *lives])
        self.assertEqual(self.certificate_flags("self-everything"), [
            f"--certs-secret={NAMESPACE}/own-authority", *common, "--certs-ip=192.0.2.7",
            "--certs-key=rsa", "--certs-ca-validity=4320h", "--certs-leaf-validity=24h30m", "--certs-soak=5m"])
        for values in "own-certificate", "cert-manager", "everything":
            self.assertEqual(self.certificate_flags(values), [
                "--tls-cert=/etc/applyguard/certificate/tls.crt", "--tls-key=/etc/applyguard/certificate/tls.key"])
        self.assertEqual(self.the("defaults", "ValidatingWebhookConfiguration")["metadata"]["name"], FULL_NAME)
        self.assertEqual(self.the("defaults", "Service")["metadata"]["name"], FULL_NAME)

    def test_clients_are_checked_where_the_values_say_so(self):
        """Protects who lets only the API server ask: authorities and names come to the server, from either kind of object."""
        for values, source, names in (
                ("only-the-api-server", {"configMap": {"name": "clients", "defaultMode": 0o440, "items": [
                    {"key": "ca.crt", "path": "ca.crt"}]}}, ["kube-apiserver", "name with spaces"]),
                ("everything", {"secret": {"secretName": "clients", "defaultMode": 0o440, "items": [
                    {"key": "clients.crt", "path": "ca.crt"}]}}, ["kube-apiserver"]),
                ("defaults", None, [])):
            pod = self.pod_templates(values)[0]
            args = [each for each in pod["containers"][0]["args"] if each.startswith("--client-")]
            flags = ["--client-ca=/etc/applyguard/clients/ca.crt"] if source else []
            self.assertEqual(args, flags + [f"--client-name={name}" for name in names])
            volumes = [each for each in pod["volumes"] if each["name"] == "clients"]
            self.assertEqual(volumes, [{"name": "clients", **source}] if source else [])
            mounts = [each["mountPath"] for each in pod["containers"][0]["volumeMounts"] if each["name"] == "clients"]
            self.assertEqual(mounts, ["/etc/applyguard/clients"] if source else [])

    def test_the_pod_outlives_its_drain(self):
        """Protects reviews under way: the kubelet's SIGKILL comes after the server's own last moment."""
        for values, drain, grace in ("defaults", 10, 30), ("everything", 0, 60):
            [pod] = [each["spec"]["template"]["spec"] for each in self.of_kind(values, "Deployment")]
            args = pod["containers"][0]["args"]
            self.assertIn(f"--drain-delay={drain}s", args)
            self.assertIn(f"--grace-period={grace}s", args)
            self.assertGreater(pod["terminationGracePeriodSeconds"], grace)

    def test_numbers_keep_their_digits(self):
        """Protects large numbers, which Helm likes to turn into 8.388608e+06."""
        for values in "defaults", "everything":
            [deployment] = self.of_kind(values, "Deployment")
            for argument in deployment["spec"]["template"]["spec"]["containers"][0]["args"]:
                self.assertNotRegex(argument, r"\de\+")

    def test_some_namespaces_are_always_left_alone(self):
        """Protects clusters from a deadlock: neither the system's namespaces nor applyguard's own wait for applyguard."""
        for file in VALUES:
            for webhook in self.webhooks(file.stem):
                [excluded] = [each["values"] for each in webhook["namespaceSelector"]["matchExpressions"]
                              if (each["key"], each["operator"]) == ("kubernetes.io/metadata.name", "NotIn")]
                self.assertLessEqual({*SYSTEM_NAMESPACES, NAMESPACE}, set(excluded), file.stem)
        self.assertIn("sandbox", json.dumps(self.webhooks("everything")[0]["namespaceSelector"]))

    def test_the_webhooks_are_harmless_by_default(self):
        """Protects clusters from an applyguard that is down, slow or new to them."""
        for webhook in self.webhooks("defaults"):
            self.assertEqual(
                {key: webhook[key] for key in (
                    "failurePolicy", "matchPolicy", "sideEffects", "timeoutSeconds", "admissionReviewVersions")},
                {"failurePolicy": "Ignore", "matchPolicy": "Equivalent", "sideEffects": "None", "timeoutSeconds": 5,
                 "admissionReviewVersions": ["v1"]})
            for rule in webhook["rules"]:
                self.assertEqual((rule["operations"], rule["scope"]), (["CREATE", "UPDATE"], "Namespaced"))
                self.assertFalse(set(rule["resources"]) & {"*", "*/*", "pods", "events", "leases", "endpointslices"})
                self.assertNotIn("/", "".join(rule["resources"]))

    def test_only_enforced_namespaces_can_fail_closed(self):
        """Protects namespaces that are only watched from being blocked."""
        self.assertEqual([each["failurePolicy"] for each in self.webhooks("fail-closed")], ["Fail", "Ignore", "Ignore"])

    def test_namespaces_are_chosen_by_the_label_and_what_the_admin_adds(self):
        """Protects releases that share a cluster: each judges its own namespaces, in each mode."""
        for webhook in self.webhooks("everything")[:3]:
            selector = webhook["namespaceSelector"]
            self.assertEqual(selector["matchLabels"], {"stage": "live"})
            self.assertEqual([each["key"] for each in selector["matchExpressions"]], [
                "applyguard.io/mode", "kubernetes.io/metadata.name", "team"])

    def test_kinds_are_judged_where_they_live(self):
        """Protects what the admin adds: kinds in addition to the chart's own, and kinds without a namespace."""
        *modes, cluster = self.webhooks("everything")
        for webhook in modes:
            kinds = [each["resources"] for each in webhook["rules"] if not any("/" in name for name in each["resources"])]
            self.assertEqual(kinds, [["deployments", "widgets"], ["services"], ["rollouts"]])
        self.assertEqual([(each["resources"], each["scope"]) for each in cluster["rules"]], [
            (["clusterroles"], "Cluster"), (["clusterroles/status"], "Cluster")])
        self.assertEqual(cluster["failurePolicy"], "Ignore")

    def test_nothing_is_put_into_ca_bundle_unless_given(self):
        """Protects users who inject it: a rendered caBundle, even an empty one, would be taken back by each upgrade."""
        for file in VALUES:
            with self.subTest(file.stem):
                lines = re.findall(r"^\s*caBundle:.*$", rendered(file), re.MULTILINE)
                self.assertEqual(len(lines), 5 if file.stem == "everything" else 0)

    def test_urls_and_services(self):
        """Protects the paths: each mode is judged on its own."""
        paths = ["/validate", "/validate/warn", "/validate/audit"]
        clients = [each["clientConfig"] for each in self.webhooks("defaults")]
        self.assertEqual([each["service"] for each in clients], [
            {"namespace": NAMESPACE, "name": FULL_NAME, "port": 443, "path": path} for path in paths])
        self.assertEqual(self.the("defaults", "Service")["metadata"]["name"], FULL_NAME)
        clients = [each["clientConfig"] for each in self.webhooks("everything")]
        self.assertEqual(
            [each["url"] for each in clients], [f"https://[::1]:8443/some/path{path}" for path in [*paths, "/validate/audit"]])
        self.assertNotIn("service", clients[0])

    def test_a_webhook_elsewhere_installs_no_server(self):
        """Protects the small installation: nothing runs that is never called."""
        self.assertEqual(
            sorted(each["kind"] for each in self.objects["webhook-elsewhere"]["objects"]),
            ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"])

    def test_the_certificate_names_what_the_api_server_calls(self):
        """Protects the TLS handshake: the API server checks exactly this name."""
        certificates = {each["metadata"]["name"]: each["spec"] for each in self.of_kind("cert-manager", "Certificate")}
        self.assertIn(f"{FULL_NAME}.{NAMESPACE}.svc", certificates[FULL_NAME]["dnsNames"])
        self.assertTrue(certificates[f"{FULL_NAME}-ca"]["isCA"])
        self.assertEqual(certificates[f"{FULL_NAME}-ca"]["privateKey"]["rotationPolicy"], "Never")
        annotations = self.the("cert-manager", "ValidatingWebhookConfiguration")["metadata"]["annotations"]
        self.assertEqual(annotations["cert-manager.io/inject-ca-from"], f"{NAMESPACE}/{FULL_NAME}")
        [volume] = [each for each in self.pod_templates("cert-manager")[0]["volumes"] if each["name"] == "certificate"]
        self.assertEqual(volume["secret"]["secretName"], certificates[FULL_NAME]["secretName"])
        self.assertIn("hooks.example.com", json.dumps(self.of_kind("cert-manager-url", "Certificate")))
        self.assertIn('"ipAddresses": ["192.0.2.7"]', json.dumps(self.of_kind("cert-manager-address", "Certificate")))
        self.assertEqual(self.the("cert-manager-issuer", "Certificate")["spec"]["issuerRef"], {
            "name": "corporate", "kind": "ClusterIssuer", "group": "cert-manager.io"})

    def test_the_network_policy_lets_nothing_out(self):
        """Protects against an applyguard that was taken over: it can call nobody, or with certificates of its own only who
        listens where API servers do, or only those that the admin names."""
        for values, egress in (
                ("own-certificate", None), ("cert-manager", None), ("everything", None),
                ("defaults", [{"ports": [{"port": port, "protocol": "TCP"} for port in (443, 6443, 8443, 16443)]}]),
                ("self-everything", [{"ports": [{"port": 6443, "protocol": "TCP"}], "to": [{"ipBlock": {"cidr": "10.0.0.1/32"}}]}])):
            policy = self.network_policy(values)["spec"]
            self.assertEqual(policy["policyTypes"], ["Ingress", "Egress"])
            self.assertEqual(policy.get("egress") or None, egress, values)
        policy = self.network_policy("defaults")["spec"]
        self.assertEqual(policy["ingress"], [{"ports": [{"port": "https", "protocol": "TCP"}]}])
        selected = policy["podSelector"]["matchLabels"].items()
        self.assertLessEqual(selected, self.the("defaults", "Deployment")["spec"]["template"]["metadata"]["labels"].items())

    def test_scales_are_judged_with_no_more_than_that_takes(self):
        """Protects clusters from rights that the admin did not ask for: the pods may read what can be scaled, and call the API
        server."""
        [rule] = self.the("lookup", "ClusterRole")["rules"]
        self.assertEqual(rule, {"apiGroups": ["apps"], "resources": ["deployments", "replicasets", "statefulsets"], "verbs": ["get"]})
        binding, account = self.the("lookup", "ClusterRoleBinding"), self.the("lookup", "ServiceAccount")["metadata"]
        self.assertEqual(binding["roleRef"]["name"], self.the("lookup", "ClusterRole")["metadata"]["name"])
        self.assertEqual(binding["subjects"], [
            {"kind": "ServiceAccount", "name": account["name"], "namespace": account["namespace"]}])
        [pod] = [each["spec"]["template"]["spec"] for each in self.of_kind("lookup", "Deployment")]
        self.assertEqual(pod["serviceAccountName"], account["name"])
        self.assertIn("--lookup", pod["containers"][0]["args"])
        self.assertEqual(self.the("lookup", "NetworkPolicy")["spec"]["egress"], [{"ports": [{"port": 8443, "protocol": "TCP"}]}])
        for webhook in self.webhooks("lookup"):
            scales = [each for each in webhook["rules"] if any("/" in name for name in each["resources"])]
            self.assertEqual([(each["apiGroups"], each["resources"]) for each in scales], [
                (["apps"], ["deployments/scale", "replicasets/scale", "statefulsets/scale"])])

    def test_statuses_are_judged_if_more_than_they_changes(self):
        """Protects API servers from needless calls: a status is sent if the values ask for it and it carries more."""
        for file in VALUES:
            is_asked_for = "statusWrites: true" in file.read_text()
            for webhook in self.webhooks(file.stem):
                rules = [each for each in webhook["rules"] if any(name.endswith("/status") for name in each["resources"])]
                conditions = [each["name"] for each in webhook["matchConditions"]]
                self.assertEqual(bool(rules), is_asked_for, file.stem)
                self.assertEqual("not-a-status-alone" in conditions, is_asked_for, file.stem)
        for webhook in self.webhooks("status-writes"):
            plain = {(group, name) for rule in webhook["rules"] for group in rule["apiGroups"] for name in rule["resources"]
                     if "/" not in name}
            statuses = {(group, name.removesuffix("/status")) for rule in webhook["rules"] for group in rule["apiGroups"]
                        for name in rule["resources"] if name.endswith("/status")}
            self.assertEqual(statuses, plain)
            self.assertEqual({operation for rule in webhook["rules"] if any("/status" in name for name in rule["resources"])
                              for operation in rule["operations"]}, {"UPDATE"})

    def test_findings_become_events_with_no_more_than_that_takes(self):
        """Protects clusters from rights that the admin did not ask for, and dry runs: the pods may write Events, call the API
        server, and the webhooks say that they do."""
        [rule] = self.the("events", "ClusterRole")["rules"]
        self.assertEqual(rule, {"apiGroups": [""], "resources": ["events"], "verbs": ["create", "patch"]})
        binding, account = self.the("events", "ClusterRoleBinding"), self.the("events", "ServiceAccount")["metadata"]
        self.assertEqual(binding["roleRef"]["name"], self.the("events", "ClusterRole")["metadata"]["name"])
        self.assertEqual(binding["subjects"], [
            {"kind": "ServiceAccount", "name": account["name"], "namespace": account["namespace"]}])
        [pod] = [each["spec"]["template"]["spec"] for each in self.of_kind("events", "Deployment")]
        self.assertEqual(pod["serviceAccountName"], account["name"])
        self.assertEqual(self.the("events", "NetworkPolicy")["spec"]["egress"], [{"ports": [{"port": 8443, "protocol": "TCP"}]}])
        for file in VALUES:
            records = file.stem == "events"
            for webhook in self.webhooks(file.stem):
                self.assertEqual(webhook["sideEffects"], "NoneOnDryRun" if records else "None", file.stem)
            for deployment in self.of_kind(file.stem, "Deployment"):
                args = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
                self.assertEqual("--events" in args, records, file.stem)

    def test_scrapers_are_let_in_where_the_values_say_so_and_nowhere_else(self):
        """Protects the port that has no TLS: it is in the Service and the network policy only for who scrapes it."""
        monitoring = [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}]
        opened = {"metrics": (9090, None), "scraped": (9090, monitoring), "everything": (9191, monitoring)}
        for file in VALUES:
            if not self.of_kind(file.stem, "Service"):
                continue
            with self.subTest(file.stem):
                port, peers = opened.get(file.stem, (None, None))
                ports = {each["name"]: each for each in self.the(file.stem, "Service")["spec"]["ports"]}
                self.assertEqual(set(ports), {"https", "metrics"} if port else {"https"})
                for policy in self.of_servers(file.stem, "NetworkPolicy"):
                    https, *others = policy["spec"]["ingress"]
                    self.assertEqual(https["ports"], [{"port": "https", "protocol": "TCP"}])
                    scrapers = {"ports": [{"port": "health", "protocol": "TCP"}], **({"from": peers} if peers else {})}
                    self.assertEqual(others, [scrapers] if port else [])
                if port:
                    self.assertTrue(self.of_kind(file.stem, "NetworkPolicy"))
                    self.assertEqual((ports["metrics"]["port"], ports["metrics"]["targetPort"]), (port, "health"))
                    container = self.the(file.stem, "Deployment")["spec"]["template"]["spec"]["containers"][0]
                    self.assertIn("health", [each["name"] for each in container["ports"]])

    def test_the_monitor_finds_the_service(self):
        """Protects scrapes: the ServiceMonitor chooses this release's Service, where it is, by a port that it has."""
        for values, namespace in ("metrics", NAMESPACE), ("everything", "monitoring"):
            monitor, service = self.the(values, "ServiceMonitor"), self.the(values, "Service")
            self.assertEqual(monitor["metadata"]["namespace"], namespace)
            self.assertEqual(monitor["spec"]["namespaceSelector"], {"matchNames": [service["metadata"]["namespace"]]})
            chosen = monitor["spec"]["selector"]["matchLabels"].items()
            self.assertLessEqual(chosen, service["metadata"]["labels"].items())
            [endpoint] = monitor["spec"]["endpoints"]
            self.assertIn(endpoint["port"], [each["name"] for each in service["spec"]["ports"]])
        self.assertEqual(monitor["metadata"]["labels"]["release"], "kube-prometheus-stack")
        self.assertEqual((endpoint["interval"], endpoint["scrapeTimeout"]), ("1m30s", "500ms"))
        self.assertEqual(endpoint["relabelings"][0]["targetLabel"], "node")
        self.assertEqual(endpoint["metricRelabelings"][0]["action"], "drop")

    def test_the_alerts_are_those_of_the_file_and_of_this_release(self):
        """Protects releases that share a Prometheus from each other's alerts, and the alerts from what a template does to
        them: promtool takes them, and their timeout is the webhook's."""
        in_file = re.findall(r"- alert: (\w+)", ALERTS.read_text())
        for values, name, timeout in ("metrics", FULL_NAME, 5), ("everything", "hygiene", 9):
            rule = self.the(values, "PrometheusRule")["spec"]
            [group] = rule["groups"]
            self.assertEqual([each["alert"] for each in group["rules"]], in_file)
            text = json.dumps(rule).replace('\\"', '"')
            own = f'job="{name}",namespace="{NAMESPACE}"'
            for selector in re.findall(r"\b(?:applyguard_\w+|up|process_\w+)\{([^}]*)\}", text):
                self.assertTrue(selector.startswith(own), selector)
            self.assertIn(f'deployment="{name}",namespace="{NAMESPACE}"', text)
            self.assertIn(f"> 0.5 * {timeout}", text)
            file = temporary_directory() / "rules.json"
            file.write_text(json.dumps(rule))
            done = run([promtool(), "check", "rules", file])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"{len(in_file)} rules found", done.stdout)

    def test_the_dashboard_is_the_file_word_for_word(self):
        """Protects the dashboard from templates, and Grafana's sidecar from not finding it."""
        for values, label in ("metrics", ("grafana_dashboard", "1")), ("everything", ("dashboards", "yes")):
            [found] = [each for each in self.of_kind(values, "ConfigMap") if each["metadata"]["name"].endswith("-dashboard")]
            self.assertIn(label, found["metadata"]["labels"].items())
            self.assertEqual(found["data"], {"applyguard.json": DASHBOARD.read_text()})
        self.assertEqual(found["metadata"]["annotations"], {"grafana_folder": "Kubernetes"})
        self.assertEqual(found["metadata"]["namespace"], "monitoring")

    def test_kinds_and_namespaces_are_counted_where_asked(self):
        """Protects Prometheus: names of a cluster are labels only by the admin's will."""
        for values, flags in ("defaults", []), ("everything", ["--metrics-labels=namespace,kind", "--metrics-labels-max=10000"]):
            [deployment] = self.of_kind(values, "Deployment")
            args = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
            self.assertEqual([each for each in args if each.startswith("--metrics-labels")], flags)

    def test_pods_that_check_the_policy_get_no_reviews(self):
        """Protects reviews during helm test and upgrades: the Service must not choose such a pod."""
        for values in "defaults", "everything":
            chosen = self.the(values, "Service")["spec"]["selector"].items()
            self.assertLessEqual(chosen, self.the(values, "Deployment")["spec"]["template"]["metadata"]["labels"].items())
            for pod in self.the(values, "Pod"), self.the(values, "Job")["spec"]["template"]:
                self.assertFalse(chosen <= pod["metadata"]["labels"].items())

    def test_the_policy_is_checked_before_anything_changes(self):
        """Protects the policy in force: the Job is a hook, brings the next policy along word for word, and can be left out."""
        for values in "defaults", "everything":
            job = self.the(values, "Job")
            hook = {key: value for key, value in job["metadata"]["annotations"].items() if key.startswith("helm.sh/")}
            self.assertEqual(hook, {
                "helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
                "helm.sh/hook-output-log-policy": "hook-failed"})
            [policies] = [each["data"] for each in self.of_kind(values, "ConfigMap") if "policy.yaml" in each.get("data", {})]
            self.assertEqual("shadow-policy.yaml" in policies, values == "everything")
            template = job["spec"]["template"]
            annotations = template["metadata"]["annotations"]
            self.assertEqual(
                {f'{key.removeprefix("applyguard.io/")}.yaml': text for key, text in annotations.items()
                 if key.startswith("applyguard.io/")}, policies)
            items = template["spec"]["volumes"][0]["downwardAPI"]["items"]
            self.assertEqual(
                {item["path"]: item["fieldRef"]["fieldPath"] for item in items},
                {file: f"metadata.annotations['applyguard.io/{file.removesuffix('.yaml')}']" for file in policies})
            checked = [f"/etc/applyguard/policy/{file}" for file in sorted(policies)]
            self.assertEqual(template["spec"]["containers"][0]["args"], ["policy", "check", *checked])
            arguments = self.the(values, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"]
            shadow = "--shadow-policy=/etc/applyguard/policy/shadow-policy.yaml"
            self.assertEqual(shadow in arguments, values == "everything")
        self.assertEqual(job["spec"]["activeDeadlineSeconds"], 60)
        self.assertEqual(template["metadata"]["annotations"]["example.com/scrape"], "false")
        self.assertEqual(template["metadata"]["labels"]["sidecar.istio.io/inject"], "false")
        self.assertEqual(self.of_kind("made-by-hand", "Job"), [])

    def test_the_largest_policy_that_can_be_checked(self):
        """Protects upgrades from a message about annotations: what the chart takes, the API server takes."""
        file = temporary_directory() / "policy.yaml"
        file.write_text(POLICY.ljust(ANNOTATIONS_BYTES - len("applyguard.io/policy"), "#"))
        policy = f"--set-file=policy={file}"
        made = self.create(rendered(HERE / "values/defaults.yaml", policy))
        self.assertEqual((made["status"], made["told"]), (0, ""))
        manifests = rendered(HERE / "values/defaults.yaml", policy, "--show-only=templates/policycheck.yaml")
        self.assertIn("annotations", self.create(manifests.replace("######", "#######", 1))["told"])

    def test_the_policy_of_a_config_map_that_is_there(self):
        """Protects tools that own the policy's ConfigMap: the chart makes none, and all that reads a policy reads that one."""
        values = "policy-elsewhere"
        self.assertEqual([each for each in self.of_kind(values, "ConfigMap") if "policy.yaml" in each.get("data", {})], [])
        job = self.the(values, "Job")["spec"]["template"]
        self.assertEqual([key for key in job["metadata"].get("annotations", {}) if key.startswith("applyguard.io/")], [])
        for pod in self.pod_templates(values):
            [volume] = [each for each in pod["volumes"] if each["name"] == "policy"]
            self.assertEqual(volume["configMap"]["name"], "team-policy")
        guard = self.the(values, "ValidatingWebhookConfiguration")["webhooks"][-1]
        self.assertEqual([each["expression"] for each in guard["matchConditions"]], ["request.name == 'team-policy'"])

    def test_more_flags_and_variables(self):
        """Protects what the chart has no value for: it is added to the flags, and to each container."""
        for pod in self.pod_templates("policy-elsewhere"):
            [container] = pod["containers"]
            self.assertEqual([each["name"] for each in container["env"]], ["HTTPS_PROXY", "POD"])
            self.assertEqual(container["env"][1]["valueFrom"], {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}})
        arguments = self.the("policy-elsewhere", "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"]
        self.assertEqual(arguments[-1], "--certs-dns=guard.example.com")

    def test_a_registry_for_all_charts(self):
        """Protects clusters without access to others' registries: the registry is replaced, and the path stays."""
        for given, image in (("ghcr.io/a/applyguard", "own:5000/a/applyguard:v1"), ("localhost/applyguard", "own:5000/applyguard:v1"),
                             ("a/applyguard", "own:5000/a/applyguard:v1"), ("host:1/b/c", "own:5000/b/c:v1")):
            shown = rendered(HERE / "values/defaults.yaml", f"--set=global.imageRegistry=own:5000/,image.repository={given},image.tag=v1")
            self.assertEqual(set(re.findall(r"^ +image: (.*)$", shown, re.MULTILINE)), {f'"{image}"'})

    def test_an_autoscaler_has_the_replicas(self):
        """Protects autoscalers: what the chart renders would be taken back from them with each upgrade."""
        self.assertNotIn("replicas:", rendered(HERE / "values/autoscaled.yaml", "--show-only=templates/deployment.yaml"))
        self.the("autoscaled", "PodDisruptionBudget")

    def test_openshift_assigns_the_ids(self):
        """Protects pods from restricted-v2, which refuses ids that are not its own."""
        for pod in self.pod_templates("openshift"):
            self.assertEqual(set(pod["securityContext"]), {"runAsNonRoot", "seccompProfile"})

    def test_pods_in_the_nodes_network(self):
        """Protects upgrades where a node's ports are taken by the old pod; and does not mislead by a policy that does not
        apply."""
        pod = self.the("host-network", "Deployment")["spec"]
        self.assertEqual(pod["strategy"]["rollingUpdate"], {"maxSurge": 0, "maxUnavailable": 1})
        spec = pod["template"]["spec"]
        self.assertEqual((spec["hostNetwork"], spec["dnsPolicy"]), (True, "ClusterFirstWithHostNet"))
        self.assertEqual([each["containerPort"] for each in spec["containers"][0]["ports"]], [10260, 10261])
        self.assertEqual(self.of_kind("host-network", "NetworkPolicy"), [])
        for check in self.the("host-network", "Job")["spec"]["template"], self.the("host-network", "Pod"):
            self.assertNotIn("hostNetwork", check["spec"])
        usual = self.the("defaults", "Deployment")["spec"]
        self.assertEqual(usual["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0})
        self.assertNotIn("hostNetwork", usual["template"]["spec"])
        given = self.the("everything", "Deployment")["spec"]
        self.assertEqual(given["strategy"]["rollingUpdate"], {"maxSurge": 0, "maxUnavailable": "40%"})
        self.assertEqual(given["template"]["spec"]["dnsPolicy"], "Default")

    def test_the_policy_is_guarded_alone(self):
        """Protects the namespace of the release: of what is in it the policy is judged, and never without an answer."""
        guard = self.the("everything", "ValidatingWebhookConfiguration")["webhooks"][4]
        [policy] = [each for each in self.of_kind("everything", "ConfigMap") if "policy.yaml" in each.get("data", {})]
        self.assertEqual(guard["namespaceSelector"], {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}})
        self.assertEqual([each["expression"] for each in guard["matchConditions"]], [f"request.name == '{policy['metadata']['name']}'"])
        self.assertEqual([each["resources"] for each in guard["rules"]], [["configmaps"]])
        self.assertEqual((guard["failurePolicy"], guard["sideEffects"]), ("Ignore", "None"))
        self.assertTrue(guard["clientConfig"]["url"].endswith("/some/path/policy"))

    def test_the_policy_is_the_file_word_for_word(self):
        """Protects policies: what `applyguard policy check` saw is what is mounted."""
        [policy] = [each["data"]["policy.yaml"] for each in self.of_kind("everything", "ConfigMap") if "policy.yaml" in each.get("data", {})]
        self.assertEqual(policy.splitlines()[0], r'''# quotes " ' and \ backslashes, {{ braces }}, and a line that is not ASCII: ✓''')
        self.assertTrue(policy.endswith("unjudged: {action: off}\n"))


class Refused(unittest.TestCase):
    """Values that the schema takes one by one, and that together make what cannot work."""

    def refusal(self, *arguments, **options):
        """Why the chart renders nothing; an empty text if it does. Helm 3 and 4 say the same."""
        told = []
        for major in 3, 4:
            done = render(major, *arguments, **options)
            found = re.search(r"relations\.yaml:\d+:\d+\): (.*)", done.stderr)
            self.assertEqual(bool(found), done.returncode != 0, done.stderr)
            told.append(found.group(1) if found else "")
        self.assertEqual(*told)
        return told[0]

    def test_contradictions_are_refused(self):
        """Protects upgrades: values with which pods would not start, or objects would be refused, change nothing."""
        self.assertEqual(self.refusal(), "")
        for values, told in (
                ("server.port=9090", "server.port and server.healthPort are both 9090: choose two ports"),
                ("policyConfigMap=team-policy,shadowPolicy=apiVersion: a", "policyConfigMap and shadowPolicy are both set"),
                ("metrics.enabled=true,metrics.port=443", "metrics.port is 443, where the Service has the webhook itself"),
                ("metrics.serviceMonitor.enabled=true,metrics.port=443", "metrics.port is 443"),
                ("server.memoryLimit=300Mi", "server.memoryLimit (300Mi) must be at most resources.limits.memory (256Mi)"),
                ("server.memoryLimit=300Mi,resources.limits.memory=268435456", "must be at most resources.limits.memory (268435456)"),
                ("server.drainDelaySeconds=21,server.gracePeriodSeconds=20",
                 "server.drainDelaySeconds (21) must be at most server.gracePeriodSeconds (20)"),
                ("certs.mode=certManager,certs.certManager.duration=24h", "certs.certManager.renewBefore (720h) must be"),
                ("certs.mode=certManager,certs.certManager.renewBefore=4m59s", "certs.certManager.renewBefore (4m59s) must be"),
                ("certs.mode=certManager,certs.certManager.caDuration=59m", "must be at least 1h")):
            with self.subTest(values):
                self.assertIn(told, self.refusal(f"--set={values}"))
        for release in "1st", "my.guard":
            self.assertIn("set fullnameOverride", self.refusal(release=release))

    def test_without_an_image_nothing_is_installed(self):
        """Protects a first install without a value: pods would wait for an image that does not exist, and Helm for its timeout."""
        unset = f"--set=image.repository={chart_values()['image']['repository']}"
        self.assertIn("image.repository is not set, and no image is published yet: build one", self.refusal(unset))
        self.assertEqual(self.refusal(unset, "--set=server.enabled=false,webhook.url=https://guard.example.com"), "")

    def test_what_is_not_asked_for_contradicts_nothing(self):
        """Protects who does not use a value from a word about it."""
        for values in ("metrics.port=443", "certs.mode=secret,certs.self.soak=100h", "certs.certManager.duration=24h",
                       "server.memoryLimit=300Mi,resources.limits=null", "server.memoryLimit=300Mi,resources.limits.memory=0.5Gi",
                       "server.enabled=false,webhook.url=https://guard.example.com,server.port=9090"):
            with self.subTest(values):
                self.assertEqual(self.refusal(f"--set={values}"), "")

    def program_refuses(self, *flags):
        """The flags in the help of serve; an empty text if it goes on to the files, which are not there."""
        done = run([Program.path, "serve", "--listen=127.0.0.1:0", "--metrics-listen=", "--policy=/nonexistent",
                    "--kubeconfig=/nonexistent", *flags])
        self.assertEqual(done.returncode, 2)
        return "" if "cannot read /nonexistent" in done.stderr else done.stderr

    def assert_both(self, refused, values, flags):
        with self.subTest(values):
            self.assertEqual(bool(self.program_refuses(*flags)), refused, "the program")
            self.assertEqual(bool(self.refusal("--values=-", input=json.dumps(values))), refused, "the chart")

    def test_chart_and_program_agree_on_validities(self):
        """Protects the chart from another opinion of durations than the program has: both are asked."""
        for refused, ca, leaf, soak in (
                (False, "8760h", "168h", "10m"), (True, "8760h", "8760h", "10m"), (True, "8760h", "168h", "100h"),
                (False, "504h", "168h", "56h"), (True, "504h", "168h", "56h1s"), (True, "503h59m59s", "168h", "56h"),
                (False, "3m", "1m", "20s"), (True, "3m", "1m1s", "20s"), (False, "9s", "3s", "1s"), (True, "9s", "3s", "0m"),
                (False, "1h30m", "30m", "600s"), (True, "1h29m59s", "30m", "600s"), (False, "05h", "01h40m", "010m"),
                (False, "876000h", "168h", "10m"), (True, "876000h1s", "168h", "10m")):
            self.assert_both(refused, {"certs": {"self": {"caValidity": ca, "leafValidity": leaf, "soak": soak}}}, [
                "--certs-secret=a/b", "--certs-service=c", f"--certs-ca-validity={ca}", f"--certs-leaf-validity={leaf}", f"--certs-soak={soak}"])

    def test_chart_and_program_agree_on_memory(self):
        """Protects the least memory that the values promise: the program takes it, and no MiB less."""
        certificate = Certificate()
        for refused, threads, limit in (
                (False, 1, "118Mi"), (True, 1, "117Mi"), (False, 2, "136Mi"), (True, 2, "135Mi"), (False, 8, "244Mi"),
                (True, 8, "243Mi"), (True, 1, "1000k"), (False, 1, "123731968"), (True, 1, "122683392"), (False, 1, "124M"),
                (True, 1, "122M"), (False, 1, "120832Ki"), (False, 1, "1Gi"), (False, 1, "1G"), (False, 1, "1048576Gi"),
                (True, 1, "1048577Gi")):
            server = {"threads": threads, "memoryLimit": limit}
            self.assert_both(refused, {"server": server, "resources": {"limits": None}}, [
                *certificate.flags(), f"--threads={threads}", f"--memory-limit={limit}"])
        for least, values, flags in (
                (29, {"server": {"maxBodyBytes": 1024}}, ["--max-body-bytes=1024"]),
                (208, {"server": {"maxBodyBytes": 16 << 20}}, [f"--max-body-bytes={16 << 20}"]),
                (140, {"lookup": True, "events": {"enabled": True}}, ["--lookup", "--events"]),
                (144, {"metrics": {"labels": ["kind"], "labelsMax": 10000}}, ["--metrics-labels=kind", "--metrics-labels-max=10000"])):
            for refused, limit in (False, least), (True, least - 1):
                server = {"threads": 1, **values.get("server", {}), "memoryLimit": f"{limit}Mi"}
                self.assert_both(refused, {**values, "server": server, "resources": {"limits": None}}, [
                    *certificate.flags(), *flags, "--threads=1", f"--memory-limit={limit}Mi"])

    def test_the_schema_has_the_limits_of_the_program(self):
        """Protects pods from numbers that the program does not take: the largest of the schema is its largest."""
        certificate = Certificate()
        server = json.loads((CHART / "values.schema.json").read_text())["properties"]["server"]["properties"]
        for value, flag in ("threads", "threads"), ("maxBodyBytes", "max-body-bytes"), ("maxConnections", "max-connections"):
            most = server[value]["maximum"]
            self.assertEqual(self.program_refuses(*certificate.flags(), f"--{flag}={most}"), "")
            self.assertIn("too large", self.program_refuses(*certificate.flags(), f"--{flag}={most + 1}"))

    def test_a_policy_too_large_is_refused(self):
        """Protects upgrades of large policies: the chart says what to do, before the API server speaks of annotations."""
        file = temporary_directory() / "policy.yaml"

        def refusal(size, *values):
            file.write_text(POLICY.ljust(size, "#"))
            return self.refusal(f"--set-file=policy={file}", *values)

        most = ANNOTATIONS_BYTES - len("applyguard.io/policy")
        self.assertEqual(refusal(most), "")
        self.assertIn("set policyCheck.enabled=false", refusal(most + 1))
        self.assertIn("set policyCheck.enabled=false", refusal(most, "--set=policyCheck.podAnnotations.a=b"))
        self.assertEqual(refusal(1 << 20, "--set=policyCheck.enabled=false"), "")
        file.write_text(POLICY + "é" * (1 << 19))
        self.assertIn("at most 1048576", self.refusal(f"--set-file=policy={file}", "--set=policyCheck.enabled=false"))


if __name__ == "__main__":
    main()
