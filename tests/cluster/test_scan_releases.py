"""The fields of a Helm release that a scan says will conflict, or be set back, are those of Helm's own upgrade.

Helm 4 installs one release server-side, Helm 3 one client-side. kubectl changes fields that their manifest declares, and adds one.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

import guarded
import harness
import helm
from stage import web

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: objects\nversion: 1.0.0\n",
    "templates/objects.yaml": "{{- range .Values.objects }}\n---\n{{ toYaml . }}\n{{- end }}\n"}
OBJECTS = [web(), {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"color": "blue", "size": "3"}}]
PATH = re.compile(r"(?:^- |: )(\.\S+)$", re.MULTILINE)


class ScanOfReleases(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.chart = Path(tempfile.mkdtemp(dir=guarded.temporary_directory()))
        (cls.chart / "templates").mkdir()
        for name, text in CHART.items():
            (cls.chart / name).write_text(text)
        (cls.chart / "values.yaml").write_text(json.dumps({"objects": OBJECTS}))

    def run_line(self, command, environment):
        return subprocess.run(command, text=True, capture_output=True, timeout=120, env=environment)

    def kubectl(self, *arguments):
        done = self.run_line(self.plane.kubectl_command("--context=setup", *arguments), self.plane.kubectl_environment())
        self.assertEqual(done.returncode, 0, done.stderr)

    def helm(self, major, *arguments):
        return self.run_line([helm.helm_program(major), "--kube-context=setup", *arguments], helm.helm_environment(self.plane))

    def release(self, major, namespace):
        """Installs it, and changes it by hand."""
        self.kubectl("create", "namespace", namespace)
        done = self.helm(major, "install", "r", str(self.chart), f"--namespace={namespace}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.kubectl("-n", namespace, "set", "image", "deployment/web", "*=nginx:9")
        self.kubectl("-n", namespace, "scale", "deployment/web", "--replicas=7")
        self.kubectl("-n", namespace, "patch", "configmap", "c", "--type=merge", "-p", '{"data":{"color":"red","note":"x"}}')

    def found(self, namespace, rule):
        """The fields of the rule's findings."""
        done = self.run_line([harness.Program.path, "scan", "--context=setup", "-n", namespace, "--kinds=secrets,configmaps,deployments", "-o", "json"],
                             self.plane.kubectl_environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {field for line in done.stdout.splitlines()[:-1] for finding in json.loads(line)["findings"] if finding["rule"] == rule
                for field in finding["fields"]}

    def test_a_server_side_upgrade_is_refused_on_these_fields(self):
        self.release(4, "server-side")
        found = self.found("server-side", "next-conflict")
        self.assertEqual(found, {".data.color", ".spec.replicas", '.spec.template.spec.containers[name="nginx"].image'})
        done = self.helm(4, "upgrade", "r", str(self.chart), "--namespace=server-side")
        errors = done.stderr[done.stderr.index("Error: "):]
        self.assertEqual({path for part in errors.split(" && ") for path in PATH.findall(part)}, found)
        self.assertEqual(self.found("server-side", "next-conflict"), found)

    def test_a_client_side_upgrade_sets_these_fields_back(self):
        self.release(3, "client-side")
        found = self.found("client-side", "undone-change")
        self.assertEqual(found, {".data.color", ".spec.replicas", '.spec.template.spec.containers[name="nginx"].image'})
        before = web()["spec"]
        self.assertEqual(self.helm(3, "upgrade", "r", str(self.chart), "--namespace=client-side").returncode, 0)
        spec = self.api.request("GET", "/apis/apps/v1/namespaces/client-side/deployments/web").body["spec"]
        data = self.api.request("GET", "/api/v1/namespaces/client-side/configmaps/c").body["data"]
        self.assertEqual((spec["replicas"], spec["template"]["spec"]["containers"][0]["image"]),
                         (before["replicas"], before["template"]["spec"]["containers"][0]["image"]))
        self.assertEqual(data, {"color": "blue", "size": "3", "note": "x"})
        self.assertEqual(self.found("client-side", "undone-change"), set())


if __name__ == "__main__":
    guarded.main()
