#!/usr/bin/env python3
"""certs.mode self, installed for real: the program runs as the Deployment says, with the token of the chart's account and
the rights that the chart gives it, and no others."""

import contextlib
import itertools
import json
import re
import secrets
import subprocess

from chart import CHART, FULL_NAME, NAMESPACE, RELEASE
import authority
from api import Api
from applying import Stream
from control_plane import free_ports
from harness import Server, UnknownCertificate, main, temporary_directory, wait_until
from installed import Installed
from kubelet import Kubelet, kubeconfig

SECRET = f"{FULL_NAME}-ca"
LIVES = "--set=certs.self.leafValidity=3s,certs.self.caValidity=9s,certs.self.soak=1s"
# The same, with time for an API server that is busy to read what it is to trust.
LIVES_UNDER_LOAD = "--set=certs.self.leafValidity=6s,certs.self.caValidity=18s,certs.self.soak=2s"
PROMOTED = "the next certificate authority signs from now on"
NOT_KEPT = "cannot maintain the certificates"
EVERY_RIGHT = (
    ("role", 0, "get", f"secrets/{SECRET}"), ("role", 0, "update", f"secrets/{SECRET}"), ("role", 1, "create", "secrets"),
    ("clusterrole", 0, "get", f"validatingwebhookconfigurations/{FULL_NAME}"),
    ("clusterrole", 0, "patch", f"validatingwebhookconfigurations/{FULL_NAME}"))


def replace(path, value):
    return {"op": "replace", "path": path, "value": value}


class Deployed(UnknownCertificate):
    """The release's container, in the form that harness.Server takes."""

    def __init__(self, cluster, port):
        kubelet = Kubelet(cluster, NAMESPACE, temporary_directory())
        command, *args = kubelet.arguments(cluster.get("deployment", FULL_NAME, "--namespace", NAMESPACE)["spec"]["template"]["spec"])
        assert command == "serve", command
        self.kubeconfig = kubeconfig(
            kubelet.directory / "kubeconfig", cluster.plane.server(), kubelet.folder("api-access") / "token", cluster.plane.authority)
        elsewhere = [each for each in args if not each.startswith(("--listen=", "--metrics-listen="))]
        super().__init__([*elsewhere, "--listen", f"127.0.0.1:{port}", "--kubeconfig", str(self.kubeconfig)])


class Watch:
    """All that a webhook configuration ever is, while this is open."""

    def __init__(self, cluster):
        self.file = temporary_directory() / "watch"
        command = cluster.plane.kubectl_command(
            "get", "validatingwebhookconfiguration", FULL_NAME, "--watch", "--output=json", "--context=admin")
        with open(self.file, "wb") as output:
            self.process = subprocess.Popen(command, stdout=output, env=cluster.plane.kubectl_environment())
        self.cluster = cluster

    def __enter__(self):
        wait_until(self.is_complete, timeout=30, what="the watch")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def is_complete(self):
        """Whether the last that was seen is what is there now."""
        now = self.cluster.get("validatingwebhookconfiguration", FULL_NAME)["metadata"]["resourceVersion"]
        text = self.file.read_text()
        return f'"resourceVersion": "{now}"' in text and text.endswith("}\n")

    def bundles(self):
        """The caBundles of the webhooks, from the first to the last state."""
        wait_until(self.is_complete, timeout=30, what="the last event")
        decoder, text, seen = json.JSONDecoder(), self.file.read_text(), []
        while text := text.lstrip():
            configuration, end = decoder.raw_decode(text)
            seen.append([each["clientConfig"].get("caBundle") for each in configuration["webhooks"]])
            text = text[end:]
        return seen


class SelfMade(Installed):
    """A release that makes its certificates; the API server calls it on loopback."""

    def clean(self):
        self.delete_secret()
        super().clean()

    def delete_secret(self):
        self.must("delete", "secret", SECRET, "--namespace", NAMESPACE, "--ignore-not-found")

    def flags(self, *more):
        [self.port] = free_ports(1)
        return (f"--set=webhook.url=https://127.0.0.1:{self.port},server.drainDelaySeconds=0,webhook.failurePolicy=Fail", LIVES, *more)

    def serve(self, **options):
        """The container that the Deployment would run now."""
        self.deployed = Deployed(self, self.port)
        return Server(certificate=self.deployed, drain=True, **options)

    def bundle(self):
        """Of all webhooks."""
        [bundle] = {each["clientConfig"].get("caBundle") for each in self.configuration()["webhooks"]}
        return bundle

    def as_account(self, *arguments, **options):
        """kubectl with the token that is mounted into the pods."""
        return self.kubectl_as(self.deployed.kubeconfig, *arguments, **options)

    def kubectl_as(self, file, *arguments, **options):
        environment = {**self.plane.kubectl_environment(), "KUBECONFIG": str(file)}
        return subprocess.run(
            self.plane.kubectl_command(*arguments), env=environment, capture_output=True, text=True, timeout=60, **options)


class Rights(SelfMade):
    def test_each_right_is_needed(self):
        """Protects the roles from rights that nothing uses: without any one of them the log says what is missing, a pod that
        cannot publish its CA is not ready, and all comes right once the right is there."""
        self.install(4, *self.flags())
        for kind, rule, verb, what in EVERY_RIGHT:
            with self.subTest(verb=verb, what=what):
                self.delete_secret()
                rights = self.get(kind, FULL_NAME, "--namespace", NAMESPACE)["rules"][rule]["verbs"]
                self.deployed = Deployed(self, self.port)
                self.give(kind, rule, [each for each in rights if each != verb])
                self.wait_until_it_may(verb, what, False)
                with self.serve(ready=False) as server:
                    [first, *_] = server.wait_for_log(NOT_KEPT, timeout=60)
                    self.assertIn("403 Forbidden", first["reason"])
                    # It is by updates that an authority is followed by the next.
                    self.assertEqual(server.probe("/readyz"), 200 if verb == "update" else 503)
                    self.assertEqual(server.probe("/healthz"), 200)
                    self.give(kind, rule, rights)
                    server.wait_for_log("the certificates are maintained again", timeout=60)
                    server.wait_until_ready()
                    server.wait_for_log(PROMOTED, timeout=60)

    def give(self, kind, rule, verbs):
        self.must("patch", kind, FULL_NAME, "--namespace", NAMESPACE, "--type=json", "--patch", json.dumps([
            {"op": "replace", "path": f"/rules/{rule}/verbs", "value": verbs or ["none"]}]))

    def wait_until_it_may(self, verb, what, may):
        def says():
            return self.as_account("auth", "can-i", verb, what, "--namespace", NAMESPACE).stdout.strip() == ("yes" if may else "no")
        wait_until(says, timeout=30, what=f"the right to {verb} {what}")

    def test_the_configuration_is_its_own_but_for_the_bundle(self):
        """Protects the API server from a stolen token: a thief of it can send no review elsewhere, and can judge neither more
        nor less than the admin says."""
        self.install(4, *self.flags())
        self.deployed = Deployed(self, self.port)
        self.wait_until_guarded()
        first = self.configuration()["webhooks"][0]
        given = {
            "clientConfig": {"url": "https://192.0.2.1/"}, "failurePolicy": "Ignore", "matchPolicy": "Exact", "sideEffects": "NoneOnDryRun",
            "timeoutSeconds": 30, "namespaceSelector": {}, "objectSelector": {"matchLabels": {"a": "b"}}, "matchConditions": [],
            "admissionReviewVersions": ["v1", "v1beta1"], "name": "other.applyguard.io",
            "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "operations": ["*"], "scope": "*"}]}
        self.assertLessEqual(set(first), set(given), "a field of webhooks that the guard does not know yet")
        service = {"clientConfig": {"service": {"namespace": "default", "name": "a", "path": "/"}}}
        attempts = [replace(f"/webhooks/0/{name}", value) for name, value in [*given.items(), *service.items()]]
        attempts += [{"op": "remove", "path": "/webhooks/0"}, {"op": "add", "path": "/webhooks/-", "value": {**first, "name": "more.applyguard.io"}}]
        attempts += [{"op": "add", "path": f"/metadata/{name}", "value": value} for name, value in (
            ("labels", {"a": "b"}), ("annotations", {"a": "b"}), ("finalizers", ["example.com/a"]), ("ownerReferences", [
                {"apiVersion": "v1", "kind": "Namespace", "name": "none", "uid": "1"}]))]
        for attempt in attempts:
            with self.subTest(attempt["path"], op=attempt["op"]):
                done = self.patch_as_account(attempt)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("nothing but caBundle", done.stderr)
        self.assertEqual(self.configuration()["webhooks"][0], first)
        bundle = self.patch_as_account({"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "Zmlyc3Q="})
        self.assertEqual(bundle.returncode, 0, bundle.stderr)
        done = self.patch_as_account(replace("/webhooks/0/timeoutSeconds", 30), account=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def wait_until_guarded(self):
        """Each attempt is a change: a try that succeeded before the guard existed fails now."""
        seconds = itertools.cycle((28, 29))
        wait_until(
            lambda: self.patch_as_account(replace("/webhooks/0/timeoutSeconds", next(seconds))).returncode, timeout=60, what="the guard")

    def patch_as_account(self, step, account=True):
        run = self.as_account if account else self.kubectl
        return run("patch", "validatingwebhookconfiguration", FULL_NAME, "--type=json", "--patch", json.dumps([step]))

    def test_a_secret_that_the_admin_makes_is_filled(self):
        """Protects who gives the pods no right to create Secrets: an empty one is as good."""
        self.install(4, *self.flags("--set=certs.self.createSecret=false"))
        self.must("create", "secret", "generic", SECRET, "--namespace", NAMESPACE)
        with self.serve() as server:
            server.wait_for_log(PROMOTED, timeout=60)
            self.assertEqual(server.log(NOT_KEPT), [])
            done = self.as_account("create", "secret", "generic", "other", f"--namespace={NAMESPACE}")
            self.assertIn("forbidden", done.stderr.lower())
            self.assertIn("tls.key", self.in_release("secret", SECRET)["data"])


class Life(SelfMade):
    def test_no_upgrade_touches_the_bundle(self):
        """Protects TLS through the life of a release, with each Helm and from one to the other, while certificates and
        authorities change: the caBundle is never empty, nothing conflicts, and no enforced write fails."""
        for helms in (3, 3), (4, 4), (3, 4):
            with self.subTest(helms=helms):
                self.keeps_its_bundle(*helms)

    def keeps_its_bundle(self, first, then):
        flags = self.flags(LIVES_UNDER_LOAD)
        notes = self.install(first, *flags)
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(self.serve())
            before = self.bundle()
            watch = stack.enter_context(Watch(self))
            stream = stack.enter_context(Stream(self.plane, self.wait_until_judged(), clients=2))
            server.wait_for_log(PROMOTED, timeout=60)
            for seconds in 6, 7:
                self.upgrade(then, *flags, f"--set=webhook.timeoutSeconds={seconds},webhook.defaultMode=audit")
                self.assertEqual({each["timeoutSeconds"] for each in self.configuration()["webhooks"]}, {seconds})
                server.wait_for_log(PROMOTED, timeout=60, count=len(server.log(PROMOTED)) + 1)
            self.helm_does(then, "rollback", RELEASE, "1")
            self.assertEqual({each["timeoutSeconds"] for each in self.configuration()["webhooks"]}, {5})
            server.wait_for_log(PROMOTED, timeout=60, count=len(server.log(PROMOTED)) + 1)
            bundles = watch.bundles()
        self.assertEqual(stream.failures, [])
        self.assertGreater(len(stream.applied), 20)
        self.assertEqual([each for each in bundles if not all(each)], [])
        self.assertGreater(len({bundle for each in bundles for bundle in each}), 4)
        self.assertNotIn(before, bundles[-1])
        self.assertEqual(server.log(NOT_KEPT), [])
        self.stays_behind(then, notes)

    def wait_until_judged(self):
        """An apply in an enforced namespace, as Stream takes it: what is not judged fails, and each is warned of."""
        namespace = f"stream-{secrets.token_hex(4)}"
        self.create_namespace(namespace, **{"applyguard.io/mode": "enforce"})

        def apply(name, image, api):
            path = f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}"
            return api.apply(path, {
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
                "spec": {"paused": True, "replicas": 0, "selector": {"matchLabels": {"app": name}}, "template": {
                    "metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "a", "image": image}]}}}}, "team", force=True)

        with contextlib.closing(Api(self.plane)) as api:
            wait_until(lambda: apply(f"probe-{secrets.token_hex(4)}", "nginx:1", api).warnings, timeout=30, what="the first warning")
        return apply

    def stays_behind(self, major, notes):
        """The Secret alone does, and goes as the notes say."""
        self.helm_does(major, "uninstall", RELEASE)
        wait_until(lambda: self.what_is_there() == [f"secret/{SECRET}"], timeout=30, what="the Secret alone")
        [command] = re.findall(r"^ +kubectl (.* delete secret .*)$", notes, re.MULTILINE)
        self.must(*command.split())
        self.assertEqual(self.what_is_there(), [])

    def test_a_new_installation_goes_on_with_the_authority(self):
        """Protects who uninstalls and installs again: the Secret that stayed is taken up."""
        self.install(4, *self.flags("--set=certs.self.leafValidity=1h,certs.self.caValidity=24h,certs.self.soak=1m"))
        certificates = []
        for _ in range(2):
            with self.serve():
                certificates.append(self.in_release("secret", SECRET)["data"]["tls.crt"])
                self.assertEqual(self.bundle(), self.in_release("secret", SECRET)["data"]["ca.crt"])
            self.helm_does(4, "uninstall", RELEASE)
            self.helm_does(4, "install", RELEASE, CHART, *self.flags("--set=certs.self.leafValidity=1h,certs.self.caValidity=24h"))
        self.assertEqual(*certificates)


class Clients(SelfMade):
    def test_only_a_client_of_that_name_may_ask(self):
        """Protects server.clientCA: what the chart mounts and says is what the server goes by."""
        clients = authority.Authority()
        self.install(4, *self.flags("--set=server.clientCA.configMap=clients,server.clientCA.key=pem,server.clientCA.names={kube-apiserver}"))
        self.must("create", "configmap", "clients", "--namespace", NAMESPACE, f"--from-file=pem={clients.certificate}")
        self.addCleanup(self.must, "delete", "configmap", "clients", "--namespace", NAMESPACE)
        with self.serve() as server:
            self.assertEqual(self.ask(server, clients.client("kube-apiserver")), 200)
            self.assertIsNone(self.ask(server, clients.client("somebody-else")))
            self.assertIsNone(self.ask(server, None))

    def ask(self, server, certificate):
        """The status of an answer; None if it is absent."""
        server.context = self.deployed.client_context()
        if certificate:
            server.context.load_cert_chain(certificate)
        return server.probe("/healthz", tls=True)


class Elsewhere(SelfMade):
    """Certificates from elsewhere, and back."""

    def test_a_release_changes_over(self):
        """Protects who begins with one mode and goes on with another: the caBundle is that of who makes the certificates,
        and rights come and go. Helm 4 asks first, for a field that is applyguard's."""
        own = ("--set=certs.mode=secret", "--set-file", f"webhook.caBundle={authority.Authority().certificate}")
        for major, force in (3, ()), (4, ("--force-conflicts",)):
            with self.subTest(helm=major):
                flags = self.flags()
                self.install(major, *flags, *own)
                given = self.bundle()
                self.assertEqual(self.rights(), [])
                self.upgrade(major, *flags)
                self.assertEqual(len(self.rights()), 4)
                with self.serve():
                    self.assertNotIn(self.bundle(), (None, given))
                if force:
                    done = self.helm(major, "upgrade", RELEASE, CHART, *flags, *own)
                    self.assertIn('conflicts with "applyguard"', done.stderr)
                self.upgrade(major, *flags, *own, *force)
                self.assertEqual(self.bundle(), given)
                self.assertEqual(self.rights(), [])

    def rights(self):
        return [each for each in self.what_is_there() if each.startswith(("role", "clusterrole"))]


del Installed

if __name__ == "__main__":
    main()
