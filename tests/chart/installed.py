"""installed.py: for tests that install the release, each from nothing."""

from chart import CHART, ClusterTest, FULL_NAME, NAMESPACE, RELEASE
from harness import temporary_directory, wait_until

BASELINE = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: baseline\n"
STRICT = BASELINE.replace("baseline", "strict")
EVERY_KIND = (
    "deployments,replicasets,pods,services,serviceaccounts,configmaps,secrets,poddisruptionbudgets,networkpolicies,"
    "roles,rolebindings,certificates,issuers,servicemonitors,prometheusrules")
CLUSTER_KINDS = (
    "validatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings,clusterroles,"
    "clusterrolebindings")
# A certificate that is served elsewhere: the release's own makes none.
OWN_CERTIFICATE = "--set=certs.mode=secret"


def policy_file(text):
    file = temporary_directory() / "policy.yaml"
    file.write_text(text)
    return file


class Installed(ClusterTest):
    """Helpers for tests that install the release, each from nothing."""

    def setUp(self):
        self.addCleanup(self.clean)

    def clean(self):
        """Uninstalls what a test has left."""
        if self.helm(4, "uninstall", RELEASE).returncode == 0:
            self.wait_until_nothing_is_there()

    def wait_until_nothing_is_there(self):
        wait_until(lambda: not self.what_is_there(), timeout=30, what="an empty namespace")
        # The API server goes by a guard for a moment after it was deleted.
        label = ("label", "namespace", "default", "applyguard.io/mode=off", "--dry-run=server")
        wait_until(lambda: self.kubectl(*label).returncode == 0, timeout=30, what="the end of the guard")

    def what_is_there(self):
        """All objects with the release's label, anywhere, and the objects in the namespace that Kubernetes does not make
        itself."""
        label = f"--selector=app.kubernetes.io/instance={RELEASE}"
        names = self.must("get", f"{EVERY_KIND}", "--namespace", NAMESPACE, "--output=name").split()
        return [name for name in names if name not in ("configmap/kube-root-ca.crt", "serviceaccount/default")] + self.must(
            "get", CLUSTER_KINDS, label, "--output=name").split()

    def helm_does(self, major, *arguments, **options):
        """Helm where nothing may go wrong, and where nothing may be warned of."""
        done = self.helm(major, *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("warning", done.stderr.lower())
        return done.stdout

    def install(self, major, *arguments, chart=CHART, **options):
        """Installs, and replaces an installation that an earlier part of the test may have left when it failed."""
        self.clean()
        return self.helm_does(major, "install", RELEASE, chart, *arguments, **options)

    def upgrade(self, major, *arguments, **options):
        return self.helm_does(major, "upgrade", RELEASE, CHART, *arguments, **options)

    def uninstall(self, major):
        self.helm_does(major, "uninstall", RELEASE)
        self.wait_until_nothing_is_there()

    def configuration(self):
        return self.get("validatingwebhookconfiguration", FULL_NAME)

    def in_release(self, kind, name=FULL_NAME):
        return self.get(kind, name, "--namespace", NAMESPACE)
