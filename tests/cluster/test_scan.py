"""A cluster that several tools and people have used is scanned: each fault that they left is found, and no other.

scan reads it through kubectl, as an admin and as users who may list less.
"""

import base64
import json
import os
import subprocess
import tempfile
import unittest
import urllib.parse
from pathlib import Path

import account
import guarded
import harness
import helm
from stage import web

def deployment(name):
    manifest = web()
    manifest["metadata"]["name"] = name
    manifest["spec"]["strategy"] = {"type": "RollingUpdate"}
    return manifest


class Scan(guarded.WithPlane):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = Path(tempfile.mkdtemp(dir=guarded.temporary_directory()))
        cls.kubectl("create", "namespace", "shop")
        cls.fill()

    @classmethod
    def kubectl(cls, *arguments, manifest=None):
        subprocess.run(cls.plane.kubectl_command("--context=setup", *arguments), check=True, text=True, timeout=60, capture_output=True,
                       input=json.dumps(manifest) if manifest else None, env=cls.plane.kubectl_environment())

    @classmethod
    def apply(cls, manifest, manager, **query):
        """As a tool that sends its applies itself."""
        group = manifest["apiVersion"] if "/" in manifest["apiVersion"] else "v1"
        plural = manifest["kind"].lower() + "s"
        base = f"/apis/{group}" if "/" in group else f"/api/{group}"
        made = cls.api.apply(f"{base}/namespaces/shop/{plural}/{manifest['metadata']['name']}", manifest, manager, **query)
        assert made.ok, made.body

    @classmethod
    def fill(cls):
        """What Helm 4, kubectl, Flux and people do; the faults that they leave are in `planted`."""
        for name in ("orderly", "edited", "labelled", "restarted"):
            cls.apply(deployment(name), "helm")
        cls.kubectl("-n", "shop", "set", "image", "deployment/edited", "*=nginx:9")
        cls.kubectl("-n", "shop", "label", "deployment/labelled", "by=hand")
        cls.kubectl("-n", "shop", "rollout", "restart", "deployment/restarted")
        for name in ("flux", "flux-scaled"):
            cls.apply(deployment(name), "kustomize-controller")
        cls.kubectl("-n", "shop", "set", "image", "deployment/flux", "*=nginx:9")
        cls.kubectl("-n", "shop", "autoscale", "deployment/flux-scaled", "--min=2", "--max=5", "--cpu-percent=80")
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "leaked"}, "stringData": {"password": "never-shown"}}
        cls.kubectl("-n", "shop", "apply", "-f", "-", manifest=secret)
        config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shared"}, "data": {"a": "1"}}
        cls.apply(config, "helm")
        cls.apply(config, "argocd-controller")
        cls.kubectl("-n", "shop", "apply", "-f", "-", manifest={**config, "metadata": {"name": "client-side"}})
        cls.planted = {
            ("Deployment.apps", "edited", "next-conflict"), ("Deployment.apps", "labelled", "orphaned-fields"),
            ("Deployment.apps", "restarted", "orphaned-fields"), ("Deployment.apps", "flux-scaled", "autoscaled-replicas"), ("Deployment.apps", "flux", "undone-change"),
            ("Secret", "leaked", "last-applied-secret"), ("ConfigMap", "shared", "multiple-appliers"),
        }

    def scan(self, *arguments, context="admin", status=0):
        inherited = {name: value for name, value in os.environ.items() if not name.upper().endswith("_PROXY")}
        environment = {**inherited, **self.plane.kubectl_environment()}
        done = subprocess.run([harness.Program.path, "scan", "--context", context, *arguments], capture_output=True, text=True, timeout=120,
                              env=environment, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout

    def lines(self, *arguments, **options):
        *lines, last = [json.loads(line) for line in self.scan("-o", "json", *arguments, **options).splitlines()]
        return lines, last["summary"]

    @staticmethod
    def found(lines):
        return {(line["kind"], line["name"], finding["rule"]) for line in lines for finding in line["findings"]}

    def test_each_planted_fault_is_found_and_no_other(self):
        lines, summary = self.lines("-n", "shop")
        self.assertEqual(self.found(lines), self.planted)
        self.assertEqual(summary["readiness"]["migrate"], 2)

    def test_the_whole_cluster(self):
        """What Kubernetes itself makes has no faults."""
        lines, summary = self.lines()
        self.assertEqual(self.found(lines), self.planted)
        self.assertEqual((summary["forbidden"], summary["oldVersions"], summary["withoutManagedFields"]), ([], {}, 0))
        managers = {(each["manager"], each["operation"]): each for each in summary["managers"]}
        self.assertEqual((managers["helm", "Apply"]["tool"], managers["helm", "Apply"]["class"], managers["helm", "Apply"]["kinds"]),
                         ("Helm", "applier", {"ConfigMap": 1, "Deployment.apps": 4}))
        self.assertEqual(managers["kubectl-set", "Update"]["class"], "adhoc")

    def test_pages_are_the_same_as_files(self):
        kinds = "deployments,hpa,secrets,configmaps"
        done = subprocess.run(self.plane.kubectl_command("--context=admin", "-n", "shop", "get", kinds, "-o", "json", "--show-managed-fields"),
                              check=True, text=True, capture_output=True, timeout=60, env=self.plane.kubectl_environment())
        (self.folder / "objects.json").write_text(done.stdout)
        output = subprocess.run([harness.Program.path, "scan", "-o", "json", "-f", self.folder / "objects.json"], text=True, capture_output=True,
                                timeout=60).stdout
        lines = [json.loads(line) for line in output.splitlines()][:-1]
        wanted = self.lines("-n", "shop", "--kinds", kinds)[0]
        key = lambda line: (line["kind"], line["name"])
        self.assertEqual(sorted(lines, key=key), sorted(wanted, key=key))

    def test_expired_tokens_are_continued(self):
        """The token of a list, made to continue with the newest objects, is one that the API server takes."""
        for number in range(3):
            self.kubectl("-n", "shop", "create", "configmap", f"many-{number}")
        page = self.api.request("GET", "/api/v1/namespaces/shop/configmaps", limit=1).body
        token = page["metadata"]["continue"]
        parts = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        self.assertEqual(set(parts), {"v", "rv", "start"})
        renewed = base64.urlsafe_b64encode(json.dumps({**parts, "rv": -1}).encode()).decode().rstrip("=")
        rest = self.api.request("GET", "/api/v1/namespaces/shop/configmaps", **{"limit": 500, "continue": renewed})
        self.assertTrue(rest.ok, rest.body)
        self.assertGreaterEqual(len(rest.body["items"]), 3)

    def test_a_user_who_may_list_less(self):
        lines, summary = self.lines("--kinds", "secrets,configmaps,deployments", "--as", "jane")
        self.assertEqual((lines, sorted(summary["forbidden"])), ([], ["ConfigMap", "Deployment.apps", "Secret"]))

    def run_cronjob(self, release, *values, refused=""):
        """Runs it as its pod would, without kubectl: with its arguments, its rights and its token. It fails if something is refused."""
        account.create(self.plane, release, ",".join(("scan.enabled=true", *values)), "scan")
        base = f"/apis/batch/v1/namespaces/{helm.NAMESPACE}/cronjobs/{release}-scan"
        pod = self.api.request("GET", base).body["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        arguments = [each for each in pod["containers"][0]["args"] if not each.startswith("--policy=")]
        token = self.api.request("POST", f"/api/v1/namespaces/{helm.NAMESPACE}/serviceaccounts/{pod['serviceAccountName']}/token",
                                 {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}).body["status"]["token"]
        files = self.folder / release
        files.mkdir()
        for name, text in ("token", token), ("ca.crt", self.plane.authority.read_text()), ("namespace", helm.NAMESPACE):
            (files / name).write_text(text)
        mounted = "/var/run/secrets/kubernetes.io/serviceaccount"
        server = urllib.parse.urlsplit(self.plane.server())
        done = subprocess.run(
            ["unshare", "--mount", "--propagation=private", "sh", "-c",
             f'mount -t tmpfs tmpfs /var/run && mkdir -p {mounted} && cp "$0"/* {mounted} && PATH=/nowhere && exec "$@"', files,
             harness.Program.path, *arguments],
            text=True, capture_output=True, timeout=120,
            env={**os.environ, "KUBERNETES_SERVICE_HOST": server.hostname, "KUBERNETES_SERVICE_PORT": str(server.port)})
        self.assertEqual((done.returncode, bool(done.stderr)), (2, True) if refused else (0, False), done.stderr)
        self.assertIn(refused, done.stderr)
        return done.stdout

    @unittest.skipIf(os.geteuid(), "only root may mount the files of a pod")
    def test_the_cronjob_of_the_chart(self):
        """Its arguments, its rights and its token are enough, in a pod without kubectl; its report is in its ConfigMap."""
        self.run_cronjob("nightly")
        data = self.api.request("GET", f"/api/v1/namespaces/{helm.NAMESPACE}/configmaps/nightly-scan").body["data"]
        self.assertEqual(set(data), {"report.txt", "summary.json", "metrics.prom"})
        summary = json.loads(data["summary.json"])["summary"]
        self.assertEqual((summary["forbidden"], summary["findings"]["next-conflict"]), ([], {"warn": 1}))
        self.assertNotIn("last-applied-secret", summary["findings"])
        self.assertIn("Deployment shop/edited: kubectl set holds nginx's image", data["report.txt"])
        self.assertIn("\napplyguard_scan_partial 0\n", data["metrics.prom"])

    @unittest.skipIf(os.geteuid(), "only root may mount the files of a pod")
    def test_the_cronjob_writes_reports(self):
        """Its rights are enough to write reports, and to delete one that has nothing to report any more."""
        base = "/apis/openreports.io/v1alpha1"
        for kind, scope in ("Report", "Namespaced"), ("ClusterReport", "Cluster"):
            self.kubectl("apply", "-f", "-", manifest={
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{kind.lower()}s.openreports.io"},
                "spec": {"group": "openreports.io", "scope": scope, "names": {"kind": kind, "plural": f"{kind.lower()}s", "singular": kind.lower()},
                         "versions": [{"name": "v1alpha1", "served": True, "storage": True, "schema": {
                             "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
            self.kubectl("wait", f"crd/{kind.lower()}s.openreports.io", "--for=condition=Established", "--timeout=60s")
        stale = {"apiVersion": "openreports.io/v1alpha1", "kind": "Report", "metadata": {
            "name": "applyguard-scan", "namespace": "default", "labels": {"app.kubernetes.io/managed-by": "applyguard-scan"}}}
        self.kubectl("apply", "-f", "-", manifest=stale)
        self.assertIn("Report of openreports.io/v1alpha1: 1 written, 1 deleted\n", self.run_cronjob("reporting", "scan.policyReports=true"))
        [report] = self.api.request("GET", f"{base}/reports").body["items"]
        self.assertEqual((report["metadata"]["namespace"], report["metadata"]["name"]), ("shop", "applyguard-scan"))
        self.assertIn("next-conflict", {result["policy"] for result in report["results"]})
        self.kubectl("-n", "shop", "delete", "reports.openreports.io/applyguard-scan")
        # A person's scan, which may read Secrets as well, writes it through kubectl.
        self.assertIn("Report of openreports.io/v1alpha1: 1 written, 0 deleted\n", self.scan("-o", "policyreport", "--write"))
        [written] = self.api.request("GET", f"{base}/reports").body["items"]
        self.assertEqual({result["policy"] for result in written["results"]},
                         {result["policy"] for result in report["results"]} | {"last-applied-secret"})
        self.kubectl("-n", "shop", "delete", "reports.openreports.io/applyguard-scan")
        self.leave_namespace("going")
        self.run_cronjob("partial", "scan.policyReports=true", refused="because it is being terminated")
        [report] = self.api.request("GET", f"{base}/reports").body["items"]
        self.assertEqual(report["metadata"]["namespace"], "shop")

    def leave_namespace(self, name):
        """A namespace that is being deleted, with an object that has a finding."""
        self.kubectl("create", "namespace", name)
        manifest = deployment("edited")
        manifest["metadata"].update(namespace=name, finalizers=["example.com/wait"])
        made = self.api.apply(f"/apis/apps/v1/namespaces/{name}/deployments/edited", manifest, "helm")
        self.assertTrue(made.ok, made.body)
        self.kubectl("-n", name, "set", "image", "deployment/edited", "*=nginx:9")
        self.kubectl("delete", "namespace", name, "--wait=false")
        self.addCleanup(self.kubectl, "-n", name, "delete", "deployment/edited", "--wait=false", "--ignore-not-found")
        self.addCleanup(self.kubectl, "-n", name, "patch", "deployment/edited", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')

    def test_the_report_has_no_secret(self):
        output = {form: self.scan("--all", "--kinds", "secrets,deployments", "-o", form) for form in ("text", "json", "metrics")}
        for text in output.values():
            self.assertNotIn("never-shown", text)
            self.assertIn("last-applied-secret", text)
        self.assertIn("Do these first\n", output["text"])


if __name__ == "__main__":
    guarded.main()
