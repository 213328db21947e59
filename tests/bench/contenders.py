"""contenders.py: what a user may pick to keep apply hygiene, each set to the same two demands in a namespace of its own.

Annotations may have no more than LIMIT bytes, and what is applied server-side must declare its strategy. A contender that does
not refuse broken reviews is not measured.
"""
import base64
import http.client
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / folder) for folder in ("cluster", "server", "chart")]

import starting
from api import Api
from control_plane import free_ports
from server import Measured

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 131072
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
DEPLOYMENTS = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["deployments"]}
PATIENCE_SECONDS = 60

CEL_ANNOTATIONS = f"""\
object.metadata.?annotations.orValue({{}}).map(key, size(bytes(key)) + size(bytes(object.metadata.annotations[key]))).sum()
  <= {LIMIT}"""
CEL_STRATEGY = """\
!object.metadata.managedFields.exists(entry, entry.operation == 'Apply' && entry.manager == request.options.fieldManager
  && !('f:strategy' in dyn(entry.fieldsV1)[?'f:spec'].orValue({})))"""
REGO = f"""\
package hygiene

violation[{{"msg": "the annotations are too large"}}] {{
  annotations := object.get(input.review.object.metadata, "annotations", {{}})
  sum([size | value := annotations[key]; size := (count(hex.encode(key)) + count(hex.encode(value))) / 2]) > {LIMIT}
}}

violation[{{"msg": "the strategy is not declared"}}] {{
  entry := input.review.object.metadata.managedFields[_]
  entry.operation == "Apply"
  entry.manager == input.review.options.fieldManager
  not entry.fieldsV1["f:spec"]["f:strategy"]
}}
"""
POLICY = f"""\
apiVersion: applyguard.io/v1
kind: Policy
rules:
  oversized-annotations: {{action: deny, denyBytes: {LIMIT}, warnBytes: {LIMIT // 2}}}
  explicit-strategy: {{action: deny}}
"""


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not come about within {PATIENCE_SECONDS} s")
        time.sleep(0.002)


class Contender:
    """Nothing at all: what an apply costs without any of the others."""

    name = "nothing"
    refuses = False

    @classmethod
    def build(cls):
        """Makes what it takes minutes to make: before there are connections, which the API server ends when they idle."""

    def __init__(self, plane, folder, refused_review):
        self.plane, self.folder, self.refused_review = plane, folder, refused_review
        self.api = Api(plane)
        self.namespace = f"judged-by-{self.name}"
        self.start_seconds = None
        self.create("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})

    def create(self, path, body):
        answer = self.api.request("POST", path, body)
        if not answer.ok:
            raise RuntimeError(f"{self.name}: {answer.body.get('message')}")

    def selector(self):
        return {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}}

    def start(self):
        """Registers it; from then on it judges its namespace."""

    def stop(self):
        """Ends what it needs of its own."""

    def resident_mib(self):
        return None

    def cpu_seconds(self):
        return None


class AdmissionPolicy(Contender):
    """A ValidatingAdmissionPolicy: the API server judges by itself."""

    name = "admission-policy"
    refuses = True

    def start(self):
        self.create(f"{ADMISSION}/validatingadmissionpolicies", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "hygiene"}, "spec": {
                "failurePolicy": "Fail", "matchConstraints": {"resourceRules": [DEPLOYMENTS]}, "validations": [
                    {"expression": CEL_ANNOTATIONS, "message": "the annotations are too large"},
                    {"expression": CEL_STRATEGY, "message": "the strategy is not declared"}]}})
        self.create(f"{ADMISSION}/validatingadmissionpolicybindings", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "hygiene"}, "spec": {
                "policyName": "hygiene", "validationActions": ["Deny"],
                "matchResources": {"namespaceSelector": self.selector()}}})


class Webhook(Measured, Contender):
    """A process that the API server asks over TLS."""

    path = None
    refuses = True
    process = None

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.port, self.plain_port = free_ports(2)

    def stop(self):
        if self.process:
            super().stop()

    def command(self):
        raise NotImplementedError

    def prepare(self):
        """The objects that it needs in the cluster before it can judge."""

    def start(self):
        self.prepare()
        self.stop()
        self.start_seconds = self._run()
        bundle = base64.b64encode((self.folder / "tls.crt").read_bytes()).decode()
        self.create(f"{ADMISSION}/validatingwebhookconfigurations", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": self.name}, "webhooks": [{
                "name": f"{self.name}.bench.test", "admissionReviewVersions": ["v1"], "sideEffects": "None",
                "failurePolicy": "Fail", "timeoutSeconds": 10, "rules": [DEPLOYMENTS],
                "namespaceSelector": self.selector(),
                "clientConfig": {"url": f"https://127.0.0.1:{self.port}{self.path}", "caBundle": bundle}}]})

    def _run(self):
        """The seconds from exec until it refuses a review that breaks a demand."""
        begin = time.monotonic()
        self.spawn()
        wait_until(self._refuses, f"{self.name}: the first refusal")
        return time.monotonic() - begin

    def spawn(self):
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, env={
                **self.plane.kubectl_environment(), "POD_NAME": "bench", "POD_NAMESPACE": "gatekeeper-system"})

    def _refuses(self):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=ssl._create_unverified_context())
        try:
            connection.request("POST", f"{self.path}?timeout=10s", self.refused_review, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status == 200 and not json.loads(answer.read())["response"]["allowed"]
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class Applyguard(Webhook):
    """With all its rules."""

    name = "applyguard"
    path = "/validate"

    def prepare(self):
        (self.folder / "policy.yaml").write_text(POLICY)

    def serve(self, port, plain_port, *flags):
        return [ROOT / "build" / "applyguard", "serve", "--listen", f"127.0.0.1:{port}", "--metrics-listen",
                f"127.0.0.1:{plain_port}", "--policy", self.folder / "policy.yaml", "--drain-delay", "0", *flags]

    def command(self):
        return self.serve(
            self.port, self.plain_port, "--tls-cert", self.folder / "tls.crt", "--tls-key", self.folder / "tls.key")

    def start(self):
        super().start()
        self.own_certificate_seconds = self._start_with_own_certificate()

    def _start_with_own_certificate(self):
        """The seconds until another one is ready that has its authority in the cluster, and signs for itself."""
        port, plain_port = free_ports(2)
        self.create(f"{ADMISSION}/validatingwebhookconfigurations", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": "own-certificate"}, "webhooks": [{
                "name": "own-certificate.bench.test", "admissionReviewVersions": ["v1"], "sideEffects": "None", "rules": [],
                "clientConfig": {"url": f"https://127.0.0.1:{port}{self.path}"}}]})
        command = self.serve(
            port, plain_port, "--certs-secret", f"{self.namespace}/authority", "--certs-configuration", "own-certificate",
            "--certs-ip", "127.0.0.1", "--kubeconfig", self.plane.kubeconfig)
        starting.milliseconds_to_ready(command, plain_port)
        return starting.median_milliseconds(lambda: (command, plain_port), 5) / 1000


class Gatekeeper(Webhook):
    """One process with all that judging needs."""

    name = "gatekeeper"
    path = "/v1/admit"
    module = "github.com/open-policy-agent/gatekeeper/v3"

    @classmethod
    def build(cls):
        cls.program, sources = build(HERE / "gatekeeper", cls.module)
        cls.definitions = sources / "charts" / "gatekeeper" / "crds"

    def command(self):
        return [self.program, "--kubeconfig", self.plane.kubeconfig, "--debug-use-fake-pod", "--operation=webhook",
                "--operation=generate", "--disable-cert-rotation", "--cert-dir", self.folder, "--host=127.0.0.1",
                f"--port={self.port}", f"--health-addr=127.0.0.1:{self.plain_port}", "--prometheus-port",
                str(free_ports(1)[0])]

    def prepare(self):
        self._kubectl("apply", "--server-side", "-f", self.definitions)
        self._kubectl("create", "namespace", "gatekeeper-system")
        self.spawn()
        self.create("/apis/templates.gatekeeper.sh/v1/constrainttemplates", {
            "apiVersion": "templates.gatekeeper.sh/v1", "kind": "ConstraintTemplate", "metadata": {"name": "hygiene"},
            "spec": {"crd": {"spec": {"names": {"kind": "Hygiene"}}}, "targets": [
                {"target": "admission.k8s.gatekeeper.sh", "rego": REGO}]}})
        constraint = {"apiVersion": "constraints.gatekeeper.sh/v1beta1", "kind": "Hygiene", "metadata": {"name": "hygiene"},
                      "spec": {"match": {"kinds": [{"apiGroups": ["apps"], "kinds": ["Deployment"]}]}}}
        path = "/apis/constraints.gatekeeper.sh/v1beta1/hygiene"
        wait_until(lambda: self.api.request("POST", path, constraint).ok, "Gatekeeper's constraint")

    def _kubectl(self, *arguments):
        subprocess.run(self.plane.kubectl_command(*map(str, arguments)), env=self.plane.kubectl_environment(), check=True,
                       stdout=subprocess.DEVNULL)


def build(pins, module, package=""):
    """The program of a module that a folder pins, built once and kept by version, and where its sources are."""
    def go(*arguments):
        return subprocess.run(["go", *arguments], cwd=pins, check=True, stdout=subprocess.PIPE, text=True, env={
            **os.environ, "GOWORK": "off"}).stdout.strip()
    go("mod", "download", module)
    version, sources = go("list", "-mod=readonly", "-m", "-f", "{{.Version}} {{.Dir}}", module).split()
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    program = caches / "applyguard" / f"{pins.name}-{version}" / pins.name
    if not os.access(program, os.X_OK):
        print(f"building {pins.name} {version}, some minutes; the next run finds it in {program.parent}", file=sys.stderr)
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as unfinished:
            built = pathlib.Path(unfinished) / pins.name
            go("build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", str(built), module + package)
            built.rename(program)
    return program, pathlib.Path(sources)
