"""The terminal session of docs/session.md: each of its commands, in its order, on a real API server that applyguard guards.

Its output equals the document, except for times and for names that each cluster makes up. With --update as its first argument
it writes the document again. Protects a reader who does what the page does from seeing something else.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

import guarded
import harness

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "session.md"
NAMESPACE = "shop"
# Values that differ between runs, and their form on the page.
MADE_UP = (
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "2026-11-23T09:00:00Z"),
    (re.compile(r'("path":"/metadata/resourceVersion","value":)"\d+"'), r'\1"1234"'),
    # As Kubernetes 1.33 writes it.
    (re.compile(r"^.* creationTimestamp: null\n", re.MULTILINE), ""),
    (re.compile(r" (uid|resourceVersion): \S+$", re.MULTILINE), r" \1: …"),
)
BLOCK = re.compile(r"^```(console|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.yaml)\n")
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n", re.MULTILINE)


# In a column of its own, which stays as wide.
AGE = re.compile(r"(?<= )\d+s +(?=\S| )", re.MULTILINE)


def normal(text):
    for pattern, replacement in MADE_UP:
        text = pattern.sub(replacement, text)
    return AGE.sub(lambda age: "0s".ljust(len(age[0])), text)


class Session(guarded.Guarded):
    is_updating = False

    def setUp(self):
        guarded.halt_controllers(self.plane, self.addCleanup)
        labels = guarded.registration.labels(self.release("strict"), "warn")
        made = self.api.request("POST", "/api/v1/namespaces", {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": labels}})
        self.assertTrue(made.ok, made.body)
        self.addCleanup(self.api.request, "DELETE", f"/api/v1/namespaces/{NAMESPACE}")
        self.folder, programs = guarded.temporary_directory(), guarded.temporary_directory()
        for name, program in (("kubectl", self.plane.programs / "kubectl"), ("applyguard", harness.Program.path)):
            (programs / name).symlink_to(program)
        config = self.folder / "kubeconfig"
        self.environment = {
            **self.plane.kubectl_environment(), "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(self.folder)}
        whole = subprocess.run(
            self.plane.kubectl_command("config", "view", "--raw", "--flatten", "-o", "json"), env=self.environment, check=True,
            capture_output=True, text=True, timeout=60).stdout
        read = json.loads(whole)
        read["current-context"] = "admin"
        for context in read["contexts"]:
            context["context"]["namespace"] = NAMESPACE
        config.write_text(json.dumps(read))
        self.environment["KUBECONFIG"] = str(config)

    def run_block(self, block):
        """The same block with what its commands print now."""
        lines = []
        for command in COMMAND.findall(block):
            # managedFields has times in whole seconds: who came last is known only of people who are no faster.
            time.sleep(1.1)
            done = subprocess.run(
                ["sh", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=120)
            lines.append(f"$ {command}\n{done.stdout}")
        return normal("".join(lines))

    def test_each_command_prints_what_the_page_says(self):
        def play(match):
            kind, text = match.groups()
            if kind == "console":
                text = self.run_block(text)
            elif name := FILE.match(text):
                (self.folder / name[1]).write_text(text)
            return f"```{kind}\n{text}```"

        page = PAGE.read_text()
        played = BLOCK.sub(play, page)
        self.assertGreater(len(COMMAND.findall(page)), 8)
        if self.is_updating:
            PAGE.write_text(played)
        else:
            self.assertEqual(played, page)


if __name__ == "__main__":
    if "--update" in sys.argv:
        sys.argv.remove("--update")
        Session.is_updating = True
    guarded.main()
