"""Scales on a real API server: what kubectl and an autoscaler write through the subresource, judged by the scaled object.

applyguard reads it with the rights that the chart gives, and no others.
"""

import json
import re
import subprocess

import account
import guarded
import harness
from test_registration import Registered

STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
TAKEN = "this request changes replicas, which {}; change the manifest [ownership-conflict]"
WILL_CONFLICT = "kubectl apply --server-side manages: the next apply fails or undoes this"
TAKEN_FROM_CLIENT_SIDE = (
    "this request changes replicas, but the next kubectl apply undoes this; change the manifest [ownership-conflict]")


def workload(kind="Deployment", replicas=3):
    return {
        "apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "web"}, "spec": {
            "replicas": replicas, "selector": {"matchLabels": {"app": "web"}},
            **({"strategy": {"type": "RollingUpdate"}} if kind == "Deployment" else {
                "serviceName": "web", "updateStrategy": {"type": "RollingUpdate"}}),
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "nginx:1"}]}}}}


def autoscaler(least):
    return {
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"}, "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": least, "maxReplicas": 10,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]}}


class Scales(Registered):
    plane_options = {"autoscaler_seconds": 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        account.create(cls.plane, "permitted", "lookup=true", "lookup")
        account.create(cls.plane, "stranger", "lookup=true")

    def serve(self, *flags, reader="permitted", policy=None):
        """An enforced namespace, and the server that judges it."""
        if policy:
            file = guarded.temporary_directory() / "policy.yaml"
            file.write_text(policy)
            flags += ("--policy", str(file))
        if reader:
            flags += ("--lookup", "--kubeconfig", account.kubeconfig(self.plane, self.api, reader))
        server = harness.Server(*flags, certificate=self.certificate)
        self.addCleanup(server.stop)
        namespace = self.register(server.port, "Fail", lookup=True)
        self.wait_until_judged(namespace)
        return namespace, server

    def kubectl(self, namespace, *arguments, user="admin", manifest=None):
        return subprocess.run(
            self.plane.kubectl_command(*arguments, f"--context={user}", f"--namespace={namespace}"), text=True,
            env=self.plane.kubectl_environment(), capture_output=True, timeout=60,
            input=json.dumps(manifest) if manifest else None)

    def given(self, namespace, manifest, *flags):
        """Applied by who is not judged."""
        done = self.kubectl(namespace, "apply", "--filename=-", *flags, user="setup", manifest=manifest)
        self.assertEqual((0, ""), (done.returncode, done.stderr))

    def scale(self, namespace, replicas, target="deployment/web"):
        """The warnings, which begin with the object; the scale must succeed."""
        done = self.kubectl(namespace, "scale", target, f"--replicas={replicas}")
        self.assertEqual(0, done.returncode, done.stderr)
        return re.findall(rf"^Warning: applyguard: (?:Deployment|StatefulSet) {namespace}/web: (.*)$", done.stderr, re.MULTILINE)

    def replicas(self, namespace):
        return self.api.request("GET", f"/apis/apps/v1/namespaces/{namespace}/deployments/web").body["spec"]["replicas"]

    def lookups(self, server, outcome):
        with server.connect_plain() as connection:
            text = connection.get("/metrics").body.decode()
        return int(re.search(rf'^applyguard_scale_lookups_total{{outcome="{outcome}"}} (\d+)$', text, re.MULTILINE).group(1))

    def test_scaling_what_is_applied_server_side(self):
        """The first scale takes the field, the second changes what the first has taken, until it is applied again."""
        namespace, server = self.serve()
        self.given(namespace, workload(), "--server-side")
        self.assertEqual([TAKEN.format(WILL_CONFLICT)], self.scale(namespace, 5))
        self.assertEqual([], self.scale(namespace, 6))
        self.given(namespace, workload(), "--server-side", "--force-conflicts")
        self.assertEqual([TAKEN.format(WILL_CONFLICT)], self.scale(namespace, 7))
        self.assertEqual(7, self.replicas(namespace))
        # The API server sends a write that meets another one for review again.
        fetched = self.lookups(server, "fetched")
        self.assertGreaterEqual(fetched, 3)
        self.assertEqual(0, self.lookups(server, "failed"))
        self.assertEqual([], self.scale(namespace, 7), "nothing changes, nobody is asked")
        self.assertEqual(fetched, self.lookups(server, "fetched"))

    def test_scaling_what_is_applied_client_side(self):
        namespace, _ = self.serve()
        self.given(namespace, workload())
        self.assertEqual([TAKEN_FROM_CLIENT_SIDE], self.scale(namespace, 5))

    def test_scaling_to_zero_and_from_it(self):
        """The API server leaves zeros out; the server goes on, and reports it like any other number."""
        namespace, server = self.serve()
        self.given(namespace, workload(), "--server-side")
        self.assertEqual([TAKEN.format(WILL_CONFLICT)], self.scale(namespace, 0))
        self.assertEqual(0, self.replicas(namespace))
        self.given(namespace, workload(replicas=0), "--server-side", "--force-conflicts")
        self.assertEqual([TAKEN.format(WILL_CONFLICT)], self.scale(namespace, 2))
        self.assertEqual([], self.scale(namespace, 0))
        self.assertEqual(0, self.lookups(server, "failed"))

    def test_scaling_a_stateful_set(self):
        namespace, _ = self.serve()
        self.given(namespace, workload("StatefulSet"), "--server-side")
        self.assertEqual([TAKEN.format(WILL_CONFLICT)], self.scale(namespace, 5, "statefulset/web"))

    def test_strict_refuses(self):
        namespace, _ = self.serve(policy=STRICT)
        self.given(namespace, workload(), "--server-side")
        done = self.kubectl(namespace, "scale", "deployment/web", "--replicas=5")
        self.assertEqual(1, done.returncode)
        self.assertIn(TAKEN.format(WILL_CONFLICT), done.stderr)
        self.assertEqual(3, self.replicas(namespace))

    def test_scaling_what_declares_no_replicas(self):
        """As it should be where something scales: silent from the first to the last."""
        namespace, server = self.serve(policy=STRICT)
        manifest = workload()
        del manifest["spec"]["replicas"]
        self.given(namespace, manifest, "--server-side")
        for replicas in (2, 3):
            self.assertEqual([], self.scale(namespace, replicas))
        self.assertGreaterEqual(self.lookups(server, "fetched"), 2)

    @staticmethod
    def reviews_of_scales(server):
        """Those with findings. The API server asks again where the object has changed since."""
        return [review for review in server.log("review") if review.get("subresource") == "scale"]

    def test_an_autoscaler_takes_what_is_applied(self):
        """kube-controller-manager's own: it is warned, never refused, and may change the fields that it has taken without a
        warning."""
        namespace, server = self.serve(policy=STRICT)
        self.given(namespace, workload(), "--server-side")
        self.given(namespace, autoscaler(5), "--server-side")
        guarded.wait_until(lambda: self.replicas(namespace) == 5, timeout=60, what="the autoscaler")
        reviews = self.reviews_of_scales(server)
        self.assertTrue(reviews, server.log())
        for review in reviews:
            self.assertEqual("Deployment.apps", review["kind"])
            self.assertEqual((["ownership-conflict"], "warn"), (review["rules"], review["action"]))
            self.assertTrue(review["user"].startswith("system:"), review)
        self.given(namespace, autoscaler(7), "--server-side")
        guarded.wait_until(lambda: self.replicas(namespace) == 7, timeout=60, what="the autoscaler")
        self.assertEqual(len(reviews), len(self.reviews_of_scales(server)))

    def test_without_the_flag_it_is_allowed(self):
        namespace, server = self.serve(reader=None, policy=STRICT)
        self.given(namespace, workload(), "--server-side")
        self.assertEqual([], self.scale(namespace, 5))
        self.assertEqual(0, self.lookups(server, "fetched"))

    def test_without_the_right_it_is_allowed(self):
        """And said: it is the chart's right that counts."""
        namespace, server = self.serve(reader="stranger", policy=STRICT)
        self.given(namespace, workload(), "--server-side")
        self.assertEqual([], self.scale(namespace, 5))
        self.assertGreaterEqual(self.lookups(server, "failed"), 1)
        [line] = server.log("a scaled object could not be fetched, its scale is not judged")
        self.assertIn("403 Forbidden: deployments.apps \"web\" is forbidden", line["reason"])


del Registered  # or it would be run here as well

if __name__ == "__main__":
    guarded.main()
