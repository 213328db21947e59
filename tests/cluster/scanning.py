"""scanning.py: scans a cluster as its admin does, and does what the report says.

A test class with `plane` and `expected` (filled.py) mixes it in.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import filled
import guarded
import harness
from api import Api


class Scanning:
    """A scan of the whole cluster starts kubectl for each kind, so a class scans only once before its tests change anything."""

    first = None

    def scan_first(self):
        """The lines of JSON, and the report."""
        if not self.first:
            type(self).first = self.scan("-o json"), self.scan("--all")
        return self.first

    @classmethod
    def environment(cls):
        """As in the admin's shell: kubectl and applyguard are in PATH."""
        folder = Path(tempfile.mkdtemp(dir=guarded.temporary_directory()))
        (folder / "applyguard").symlink_to(harness.Program.path)
        return {**cls.plane.kubectl_environment(), "PATH": f"{folder}:{cls.plane.programs}:{os.environ['PATH']}"}

    def run_line(self, line):
        """A line that the admin pastes; it must succeed."""
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, timeout=900, env=self.environment())
        self.assertEqual(done.returncode, 0, f"{line}: {done.stdout}{done.stderr}")
        return done

    def scan(self, arguments=""):
        done = self.run_line(f"applyguard scan {arguments}")
        self.assertEqual(done.stderr, "")
        return done.stdout

    def check_what_was_planted(self):
        output, report = self.scan_first()
        lines, summary = filled.lines_of(output)
        self.assertEqual(filled.differences(self.expected, lines, summary, report), [])
        for version, number in self.expected.old_versions.items():
            self.assertIn(f" {version} ({number} entr", report)
        self.assertEqual((summary["forbidden"], summary["withoutManagedFields"]), ([], 0))
        return lines, summary

    def do_the_first_five(self):
        """With the commands that the report prints; the next scan shows that they are done, and that nothing is worse."""
        before = guarded.temporary_directory() / "before.json"
        output, report = self.scan_first()
        before.write_text(output)
        tasks = first_tasks(report)
        self.assertEqual([number for number, *_ in tasks], [1, 2, 3, 4, 5])
        for _, kind, namespace, name, rule, command in tasks:
            self.assertTrue(command, (kind, namespace, name, rule))
            printed = self.run_line(command).stdout
            if command.startswith("applyguard migrate") and "| sh" not in command:
                self.run_line(printed)
            elif command.startswith("applyguard blame"):
                self.leave_to_one(kind, namespace, name)
        better, *_, sums = self.split_diff(self.scan(f"--diff {before}"))
        done = {(kind, namespace, name, rule) for _, kind, namespace, name, rule, _ in tasks}
        self.assertEqual((better, sums), (done, "5 better, 0 worse, 0 new"))

    def leave_to_one(self, kind, namespace, name):
        """What only a person can decide: one of two tools drops the object's fields from its manifest."""
        api = Api(self.plane)
        self.addCleanup(api.close)
        self.assertEqual(kind, "ConfigMap")
        path = f"/api/v1/namespaces/{namespace}/configmaps/{name}"
        appliers = [entry["manager"] for entry in api.request("GET", path).body["metadata"]["managedFields"] if entry["operation"] == "Apply"]
        self.assertEqual(len(appliers), 2)
        answer = api.apply(path, {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}}, appliers[1], user="setup")
        self.assertTrue(answer.ok, answer.body)

    @staticmethod
    def split_diff(output):
        """What is better, each line that is worse or new, and the sums."""
        *lines, sums = output.splitlines()
        better = set()
        for line in lines:
            found = re.fullmatch(r"better  (\S+) (?:(\S+)/)?(\S+) \[(\S+)\]", line)
            if found:
                kind, namespace, name, rule = found.groups()
                better.add((kind.partition(".")[0], namespace or "", name, rule))
        return better, [line for line in lines if not line.startswith("better")], sums


def first_tasks(report):
    """(number, kind, namespace, name, rule, command) of each thing to do first; the command is empty where it has none."""
    tasks = []
    for line in report.partition("\nDo these first\n")[2].partition("\n\n")[0].splitlines():
        found = re.fullmatch(r"  (\d)\. (\S+) (?:([^\s/:]+)/)?([^\s/:]+): .* \[(\S+)\]", line)
        if found:
            number, kind, namespace, name, rule = found.groups()
            tasks.append((int(number), kind, namespace or "", name, rule, ""))
        else:
            tasks[-1] = (*tasks[-1][:-1], line.strip())
    return tasks
