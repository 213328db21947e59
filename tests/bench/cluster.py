"""As much of an API server as `applyguard serve` talks to: it keeps the objects it is given."""
import http.server
import json
import ssl
import threading

CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/applyguard"


def configuration():
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": "applyguard", "uid": "0"},
            "webhooks": [{"name": "validate.applyguard.io", "clientConfig": {}}]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def keep(self, path, value):
        value["metadata"].update(uid="1", resourceVersion=str(len(self.server.kept)))
        self.server.kept[path] = value
        self.answer(200, value)

    def do_GET(self):
        value = self.server.kept.get(self.path.partition("?")[0])
        self.answer(200 if value else 404, value or {"kind": "Status", "message": "not found"})

    def do_POST(self):
        value = self.body()
        self.keep(f"{self.path.partition('?')[0]}/{value['metadata']['name']}", value)

    def do_PUT(self):
        self.keep(self.path.partition("?")[0], self.body())

    do_PATCH = do_PUT


class Cluster:
    """Serves on loopback until it is stopped."""

    def __init__(self, folder, certificate, key):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.kept = {CONFIGURATION: configuration()}
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {
                "server": f"https://127.0.0.1:{self.server.server_port}", "certificate-authority": str(certificate)}}],
            "users": [{"name": "a", "user": {"token": "t"}}]}))

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
