"""control_plane.py: etcd, kube-apiserver and kube-controller-manager on loopback, from their start to their end.

No kubelet and no scheduler: pods stay pending, and everything that admission has to do with is real. Users: `admin`,
`alice` (a developer), `flux` and `argocd` (service accounts of GitOps tools), `operator` (that of any other), and `setup`,
who prepares what a test is not about; each is a context of the kubeconfig.
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import kubernetes

# All programs in Go that the tests run collect less garbage, and take a seventh less time. Their memory stays below a GiB.
os.environ.setdefault("GOGC", "400")

TOKENS = {name: f"{name}-token" for name in ("admin", "alice", "flux", "helm-controller", "argocd", "operator", "setup")}
USER_NAMES = {
    "admin": "admin", "alice": "alice", "setup": "setup",
    "flux": "system:serviceaccount:flux-system:kustomize-controller",
    "helm-controller": "system:serviceaccount:flux-system:helm-controller",
    "argocd": "system:serviceaccount:argocd:argocd-application-controller",
    "operator": "system:serviceaccount:platform:operator"}
ACCOUNTS = """\
admin-token,admin,1,"system:masters"
alice-token,alice,2,"devs"
flux-token,system:serviceaccount:flux-system:kustomize-controller,3,"system:serviceaccounts,system:serviceaccounts:flux-system"
helm-controller-token,system:serviceaccount:flux-system:helm-controller,8,"system:serviceaccounts,system:serviceaccounts:flux-system"
argocd-token,system:serviceaccount:argocd:argocd-application-controller,6,"system:serviceaccounts,system:serviceaccounts:argocd"
operator-token,system:serviceaccount:platform:operator,7,"system:serviceaccounts,system:serviceaccounts:platform"
setup-token,setup,4,"system:masters"
manager-token,system:kube-controller-manager,5,"system:masters"
"""
AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: None, verbs: [get, list, watch]}
- {level: None, resources: [{group: coordination.k8s.io}, {resources: [events]}, {group: events.k8s.io}]}
- {level: Metadata}
"""
USERS_MAY_DO_ALL = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "users"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
    "subjects": [
        {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name}
        for name in ("devs", *(f"system:serviceaccounts:{namespace}" for namespace in ("flux-system", "argocd", "platform")))],
}
# The files of docs/control-plane.md.
DOCUMENTED = pathlib.Path(__file__).resolve().parents[2] / "docs/control-plane"
# In the order in which they are stopped: a program that depends on another goes first.
PROCESSES = ("kube-controller-manager", "kube-apiserver", "etcd")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class ControlPlane:
    """The control plane whose state is in `directory`: running, or yet to be started.

    With `webhook_client`, files of a certificate and its key, the API server shows that certificate to all webhooks.
    `autoscaler_seconds`: how often autoscalers look. They keep to their bounds without any metrics. `audit_policy`: what
    the audit log holds. `static_webhooks`: a folder of webhook configurations that the API server reads itself.
    """

    def __init__(self, directory, webhook_client=None, autoscaler_seconds=15, audit_policy=AUDIT_POLICY, static_webhooks=None):
        self.directory = pathlib.Path(directory).resolve()
        self.webhook_client = webhook_client
        self.autoscaler_seconds = autoscaler_seconds
        self.audit_policy = audit_policy
        self.static_webhooks = static_webhooks
        self.kubeconfig = self.directory / "kubeconfig"
        self.audit_log = self.directory / "audit.log"
        self.authority = self.directory / "apiserver-certs" / "apiserver.crt"
        self.client_authority = self.directory / "pki" / "clients.crt"
        self.programs = kubernetes.programs()
        self.children = {}

    # Up and down

    def start(self):
        """Starts all, and returns when the API server is ready."""
        if self.is_up():
            return
        self.stop()
        (self.directory / "pki").mkdir(parents=True, exist_ok=True)
        self._write_credentials()
        etcd, peer, api, manager = free_ports(4)
        try:
            self._start_etcd(etcd, peer)
            self._start_api_server(etcd, api)
            self._write_kubeconfig(self.kubeconfig, api, TOKENS)
            self._write_kubeconfig(self.directory / "controller-manager.kubeconfig", api, {"manager": "manager-token"})
            self._wait_until_ready()
            self.call("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", USERS_MAY_DO_ALL)
            self._start_controller_manager(manager)
        except BaseException:
            self.stop()
            raise

    def _write_credentials(self):
        key = self.directory / "pki/sa.key"
        if not key.exists():
            self._openssl("genrsa", "-out", key, "2048")
            self._openssl("rsa", "-in", key, "-pubout", "-out", self.directory / "pki/sa.pub")
            self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                          "-subj", "/CN=clients", "-keyout", self.client_authority.with_suffix(".key"),
                          "-out", self.client_authority)
        (self.directory / "pki/tokens.csv").write_text(ACCOUNTS)
        (self.directory / "audit-policy.yaml").write_text(self.audit_policy)

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def _start_etcd(self, port, peer):
        # A test's data need not survive a power cut, so nothing is flushed to the disk.
        self._spawn(
            "etcd", "--data-dir", "etcd", "--unsafe-no-fsync",
            "--listen-client-urls", f"http://127.0.0.1:{port}", "--advertise-client-urls", f"http://127.0.0.1:{port}",
            "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"default=http://127.0.0.1:{peer}")

    def _start_api_server(self, etcd, port):
        self._spawn(
            "kube-apiserver", "--etcd-servers", f"http://127.0.0.1:{etcd}", "--bind-address", "127.0.0.1",
            "--secure-port", str(port), "--cert-dir", "apiserver-certs",
            "--service-account-key-file", "pki/sa.pub", "--service-account-signing-key-file", "pki/sa.key",
            "--service-account-issuer", "https://kubernetes.default.svc", "--service-cluster-ip-range", "10.0.0.0/16",
            "--token-auth-file", "pki/tokens.csv", "--client-ca-file", str(self.client_authority), "--authorization-mode", "RBAC",
            "--disable-admission-plugins", "ServiceAccount",
            "--audit-policy-file", "audit-policy.yaml", "--audit-log-path", "audit.log", *self._admission_flags())

    def _admission_flags(self):
        if self.static_webhooks:
            return self._static_admission_flags()
        if not self.webhook_client:
            return []
        certificate, key = self.webhook_client
        (self.directory / "webhooks.kubeconfig").write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config",
            "users": [{"name": "*", "user": {"client-certificate": str(certificate), "client-key": str(key)}}]}))
        (self.directory / "admission.yaml").write_text(json.dumps({
            "apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration",
            "plugins": [{"name": "ValidatingAdmissionWebhook", "configuration": {
                "apiVersion": "apiserver.config.k8s.io/v1", "kind": "WebhookAdmissionConfiguration",
                "kubeConfigFile": str(self.directory / "webhooks.kubeconfig")}}]}))
        return ["--admission-control-config-file", "admission.yaml"]

    def _static_admission_flags(self):
        """By the documented file. The gate is on by default where it is beta; it is named because it was alpha."""
        documented = (DOCUMENTED / "admission.yaml").read_text()
        (self.directory / "admission.yaml").write_text(documented.replace("/etc/kubernetes/admission", str(self.static_webhooks)))
        return ["--admission-control-config-file", "admission.yaml", "--feature-gates", "ManifestBasedAdmissionControlConfig=true"]

    def _start_controller_manager(self, port):
        self._spawn(
            "kube-controller-manager", "--kubeconfig", "controller-manager.kubeconfig", "--bind-address", "127.0.0.1",
            "--secure-port", str(port), "--leader-elect=false",
            "--horizontal-pod-autoscaler-sync-period", f"{self.autoscaler_seconds}s",
            "--service-account-private-key-file", "pki/sa.key")

    def _spawn(self, name, *flags):
        with open(self.directory / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [self.programs / name, *flags], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        self.children[name] = process
        (self.directory / f"{name}.pid").write_text(f"{process.pid}\n")
        # While exec is under way the process is not yet known by its name.
        while not self._pid(name) and process.poll() is None:
            time.sleep(0.001)

    def _write_kubeconfig(self, file, port, tokens):
        file.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": next(iter(tokens)),
            "clusters": [{"name": "test", "cluster": {
                "server": f"https://127.0.0.1:{port}", "certificate-authority": str(self.authority)}}],
            "users": [{"name": name, "user": {"token": token}} for name, token in tokens.items()],
            "contexts": [{"name": name, "context": {"cluster": "test", "user": name}} for name in tokens],
        }, indent=2))

    def _wait_until_ready(self, timeout=120):
        deadline = time.monotonic() + timeout
        while not self._is_ready():
            if time.monotonic() > deadline or not self._pid("kube-apiserver") or not self._pid("etcd"):
                log = (self.directory / "kube-apiserver.log").read_text(errors="replace")
                raise RuntimeError(f"{self.server()} does not become ready:\n{log[-3000:]}")
            time.sleep(0.2)

    def _is_ready(self):
        try:
            return self.call("GET", "/readyz") == b"ok"
        except (OSError, urllib.error.URLError):
            return False

    def is_up(self):
        return all(self._pid(name) for name in PROCESSES) and self._is_ready()

    def stop(self):
        for name in PROCESSES:
            self.stop_process(name)

    def stop_process(self, name, patience=20):
        """SIGTERM, and SIGKILL for a program that ignores it."""
        pid = self._pid(name)
        if pid:
            os.kill(pid, signal.SIGTERM)
            deadline = time.monotonic() + patience
            while self._pid(name):
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.05)
        if name in self.children:
            self.children.pop(name).wait()
        (self.directory / f"{name}.pid").unlink(missing_ok=True)

    def restart(self, name):
        """Stops a process and starts it again just as it was."""
        self.start_again(name, self.stop_with_command(name))

    def stop_with_command(self, name):
        """Stops a process; the command line that start_again takes."""
        command = pathlib.Path(f"/proc/{self._pid(name)}/cmdline").read_text().rstrip("\0").split("\0")
        self.stop_process(name)
        return command

    def start_again(self, name, command):
        self._spawn(name, *command[1:])
        self._wait_until_ready()

    def _pid(self, name):
        """The process that the pid file names, if it is still the one that was started."""
        try:
            pid = int((self.directory / f"{name}.pid").read_text())
            if name in self.children:
                # The process that started it also reaps it.
                self.children[name].poll()
            process = pathlib.Path(f"/proc/{pid}")
            program = process.joinpath("cmdline").read_bytes().split(b"\0")[0].decode()
            ours = program == str(self.programs / name) and process.joinpath("cwd").resolve() == self.directory
            return pid if ours else None
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return None

    # Talking to it

    def server(self):
        return json.loads(self.kubeconfig.read_text())["clusters"][0]["cluster"]["server"]

    def tls(self):
        return ssl.create_default_context(cafile=str(self.authority))

    def call(self, method, path, body=None, user="admin"):
        """One request to the API server; the body of its answer. Other statuses than 2xx are an exception."""
        request = urllib.request.Request(
            self.server() + path, method=method, data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {TOKENS[user]}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, context=self.tls(), timeout=30) as response:
            return response.read()

    def kubectl_command(self, *arguments):
        return [str(self.programs / "kubectl"), f"--cache-dir={self.directory / 'kubectl-cache'}", *arguments]

    def kubectl_environment(self):
        return {**os.environ, "KUBECONFIG": str(self.kubeconfig)}
