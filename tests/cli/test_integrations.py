#!/usr/bin/env python3
"""Files with which other programs run applyguard: the hook of pre-commit and the GitHub Action.

    tests/cli/test_integrations.py APPLYGUARD

Protects those whose commits and pull requests depend on them: each runs what its definition says, on real manifests, with the
flags that there are, and fails when check does.
"""
import hashlib
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import unittest
import unittest.mock

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parents[2]
STORIES = "tests/manifests"


class Integrations(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.tools = pathlib.Path(directory.name)

    def run_bash(self, script, folder=ROOT, **environment):
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], capture_output=True, text=True, cwd=folder, timeout=60,
            env={**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", **environment})

    def test_the_hook(self):
        (self.tools / "applyguard").symlink_to(APPLYGUARD)
        hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
        entry, arguments = (re.search(rf"^  {key}: \[?(.+?)\]?$", hook, re.MULTILINE).group(1) for key in ("entry", "args"))
        self.assertIn("\n  pass_filenames: false\n", hook)
        repository = self.tools / "repository"
        (repository / "deploy").mkdir(parents=True)
        (repository / "chart" / "templates").mkdir(parents=True)
        (repository / "workflow.yaml").write_text("on: push\n")
        (repository / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
        (repository / "chart" / "values.yaml").write_text("replicas: 2\n")
        (repository / "chart" / "templates" / "web.yaml").write_text("replicas: {{ .Values.replicas }}\n")
        for story, status in (("clean", 0), ("refused-combination", 1)):
            (repository / "deploy" / "web.yaml").write_bytes((ROOT / STORIES / story / "web.yaml").read_bytes())
            done = self.run_bash(f"{entry} {arguments.replace(',', ' ')}", folder=repository)
            self.assertEqual((done.returncode, done.stderr), (status, ""))
        own = re.search(r"^#       args: \[(.+)\]$", hook, re.MULTILINE).group(1)
        (repository / "policy.yaml").write_text("apiVersion: applyguard.io/v1\nkind: Policy\n")
        self.assertEqual(self.run_bash(f"{entry} {own.replace(',', ' ')}", folder=repository).returncode, 1)

    def act(self, **inputs):
        """Runs the step with a docker that starts the program itself; the command that docker got, and what came of it."""
        docker = self.tools / "docker"
        docker.write_text(textwrap.dedent(f"""\
            #!/bin/bash
            printf '%s\\n' "$*" > {shlex.quote(str(self.tools / 'command'))}
            while [ "$1" != an/image ]; do shift; done
            shift
            exec {shlex.quote(str(APPLYGUARD))} "$@"
            """))
        docker.chmod(0o755)
        action = (ROOT / "action.yml").read_text()
        script = textwrap.dedent(re.search(r"    run: \|\n(.*)", action, re.DOTALL).group(1))
        defaults = {name: value.strip('"') for name, value in re.findall(
            r"^  ([a-z0-9-]+):\n    description: .*\n    default: (.*)$", action, re.MULTILINE)}
        given = {**defaults, "image": "an/image", **inputs}
        names = re.findall(r"^      ([A-Z_0-9]+): \$\{\{ inputs\.([a-z0-9-]+) \}\}$", action, re.MULTILINE)
        self.assertEqual(sorted(name for _, name in names), sorted(given))
        done = self.run_bash(script, **{variable: given[name] for variable, name in names})
        command = self.tools / "command"
        return command.read_text() if command.exists() else "", done

    def test_the_action(self):
        command, done = self.act(paths=f"{STORIES}/refused-combination\n{STORIES}/clean\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stdout.startswith(f"::error file={STORIES}/refused-combination/web.yaml,line=12,"), done.stdout)
        self.assertIn("--network none", command)

    def test_the_action_without_containers(self):
        for stories, status in (("clean", 0), ("refused-combination", 1)):
            _, done = self.act(image="", program=str(APPLYGUARD), paths=f"{STORIES}/{stories}")
            self.assertEqual(done.returncode, status, done.stderr)
        _, done = self.act(image="", paths=STORIES)
        self.assertEqual((done.returncode, done.stdout), (2, "::error::applyguard: which version, image or program?\n"))

    def release(self):
        """The address of a release whose archive for this machine has a script that starts the program that is tested, which
        takes long to pack; and the archive's sum."""
        system, processor = platform.system().lower(), {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
        archive = self.tools / f"downloads/v1.2.3/applyguard-{system}-{processor}.tar.gz"
        archive.parent.mkdir(parents=True)
        program = self.tools / "program"
        program.write_text(f'#!/bin/bash\nexec {shlex.quote(str(APPLYGUARD))} "$@"\n')
        program.chmod(0o755)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(program, "applyguard")
        return (self.tools / "downloads").as_uri(), hashlib.sha256(archive.read_bytes()).hexdigest()

    def test_the_action_with_a_release(self):
        downloads, digest = self.release()
        home = {"XDG_CACHE_HOME": str(self.tools / "cache"), "GITHUB_ACTION_PATH": str(ROOT), "APPLYGUARD_DOWNLOADS": downloads}
        inputs = {"image": "", "version": "1.2.3", "paths": f"{STORIES}/refused-combination"}
        with unittest.mock.patch.dict(os.environ, home):
            wrong = self.act(**inputs, sha256="0" * 64)[1]
            self.assertEqual(wrong.returncode, 2)
            self.assertIn(f"has the SHA-256 sum {digest}, not {'0' * 64}", wrong.stderr)
            self.assertIn("must have 64 digits", self.act(**inputs)[1].stderr)
            done = self.act(**inputs, sha256=digest)[1]
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertTrue(done.stdout.startswith(f"::error file={STORIES}/refused-combination/web.yaml,line=12,"), done.stdout)
            # It is fetched once.
            shutil.rmtree(self.tools / "downloads")
            self.assertEqual(self.act(**inputs, sha256=digest)[1].returncode, 1)

    def test_the_hook_with_a_release(self):
        downloads, digest = self.release()
        hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
        [entry] = re.findall(r"^- id: applyguard-check-release\n(?:  .*\n)*?  entry: (.+)$", hook, re.MULTILINE)
        done = self.run_bash(f"{ROOT / entry} 1.2.3 {digest} check {STORIES}/refused-combination",
                             XDG_CACHE_HOME=str(self.tools / "cache"), APPLYGUARD_DOWNLOADS=downloads)
        self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_the_inputs_of_the_action(self):
        for inputs, status in (
                ({"paths": f"{STORIES}/clean"}, 0), ({"paths": f"{STORIES}/autoscaled-replicas"}, 0),
                ({"paths": f"{STORIES}/autoscaled-replicas", "fail-on": "warn"}, 1), ({"paths": "absent"}, 2),
                ({"paths": f"{STORIES}/clean", "policy": "absent.yaml"}, 2),
                ({"paths": f"{STORIES}/clean", "flags": "--apply\nserver"}, 0), ({"paths": "-x"}, 2)):
            with self.subTest(inputs):
                _, done = self.act(**inputs)
                self.assertEqual(done.returncode, status, done.stderr)


if __name__ == "__main__":
    unittest.main()
