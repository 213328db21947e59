"""What a watched namespace's users never see can be found: by the very commands of webhook/README.md."""

import json
import pathlib
import re
import subprocess

import guarded
from stage import web

README = pathlib.Path(__file__).resolve().parents[2] / "webhook" / "README.md"
PLACES = ("kubectl -n applyguard logs", "jq", "curl")


def commands():
    """The section's commands, by what they begin with."""
    [section] = re.findall(r"^## Finding what was found$(.*?)^## ", README.read_text(), re.MULTILINE | re.DOTALL)
    found = re.findall(r"^\$ (.*)$", section, re.MULTILINE)
    return {place: [command for command in found if command.startswith(place)] for place in PLACES}, len(found)


class AuditTrail(guarded.Guarded):
    """A conflict in a namespace that is only watched: it passes in silence."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.watched = cls.namespace("strict-audit")
        for arguments in ("apply", "--server-side", "--filename=-"), ("set", "image", "deployment/web", "*=nginx:9"):
            done = cls.run_kubectl(*arguments, namespace=cls.watched, manifest=web(), user="alice")
            if (done.returncode, done.stderr) != (0, ""):
                raise AssertionError(done.stderr)
        guarded.wait_until(lambda: cls.watched in cls.plane.audit_log.read_text(), what="the audit log")

    def output(self, place):
        """What the README's command says, with this server's log and port in the place of a cluster's."""
        found, count = commands()
        self.assertEqual(count, len(PLACES), "a command that no test runs")
        [command] = found[place]
        guard = self.guards["strict"]
        (self.plane.directory / "webhook.log").write_bytes(guard.output)
        command = command.replace(":9090/", f":{guard.metrics_port}/")
        script = f'set -euo pipefail; kubectl() {{ cat webhook.log; }}; {command}'
        done = subprocess.run(["bash", "-c", script], cwd=self.plane.directory, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_in_the_webhook_s_log(self):
        """Protects who has no access to the API server's own log: one line tells object, writer and rule."""
        lines = [line.split() for line in self.output("kubectl -n applyguard logs").splitlines() if self.watched in line]
        conflicts = [line for line in lines if "ownership-conflict" in line]
        self.assertEqual(len(conflicts), 1, lines)
        # The API server asks again when a controller wrote in between: uniq says once or twice.
        self.assertRegex(conflicts[0][0], "^[1-9]$")
        self.assertEqual(conflicts[0][1:7], ["audit", self.watched, "Deployment.apps", "web", "kubectl-set", "alice"])

    def test_in_the_audit_log(self):
        """Protects who wants the whole finding: fields and managers are in the annotation."""
        found = [json.loads(line) for line in self.output("jq").splitlines()]
        [conflict] = [(each, finding) for each in found if each["object"].get("namespace") == self.watched
                      for finding in each["findings"] if finding.get("rule") == "ownership-conflict"]
        self.assertEqual((conflict[0]["user"], conflict[0]["object"]["name"]), ("alice", "web"))
        self.assertEqual(conflict[1]["action"], "audit")
        self.assertIn(".image", json.dumps(conflict[1]))

    def test_in_the_metrics(self):
        """Protects who looks at numbers first: what was only recorded counts as well."""
        self.assertRegex(
            self.output("curl"),
            r'applyguard_findings_total\{rule="ownership-conflict",action="audit",taker="adhoc",loser="applier"\} [1-9]')


if __name__ == "__main__":
    guarded.main()
