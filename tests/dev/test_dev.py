#!/usr/bin/env python3
"""./dev, and the other scripts that people type: what they say, what they leave behind, and their exit status.

    tests/dev/test_dev.py APPLYGUARD

Each test has a checkout of its own, in which the program is built already, and a PATH in which cmake does nothing and apt
is played. Protects the first minutes of a new developer.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 60

# The programs on the PATH of the tests of installing. apt's files go to $STATE, and there is libyyjson-dev once $NETWORK.
PLAYED = {
    "cmake": "exit 0",
    "dpkg-query": '[ -e "$STATE/missing" ] || printf installed',
    "id": "echo 1000",
    "sudo": """case $1 in
      tee) cat > "$STATE/${2##*/}" ;;
      rm) shift 2; for file; do rm -f "$STATE/${file##*/}"; done ;;
      env) shift 2; exec "$@" ;;
      *) exec "$@" ;;
    esac""",
    "apt-get": """case $1 in
      indextargets) echo http://mirror.example stable bookworm ;;
      update) [ "$NETWORK" = no ] || cp "$STATE"/*.sources "$STATE/available" 2> /dev/null; exit 0 ;;
      install) rm "$STATE/missing"; echo "Setting up libyyjson-dev:amd64 (0.10.0) ..." ;;
    esac""",
    "apt-cache": '[ ! -e "$STATE/available" ] || echo "  Candidate: 0.10.0"',
}


class Checkout:
    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-dev-"))
        shutil.copy(ROOT / "dev", self.directory)
        (self.directory / "tests").symlink_to(ROOT / "tests")
        for name in ("build", "bin", "state"):
            (self.directory / name).mkdir()
        (self.directory / "build" / "applyguard").symlink_to(APPLYGUARD)
        for name, script in PLAYED.items():
            program = self.directory / "bin" / name
            program.write_text(f"#!/bin/bash\n{script}\n")
            program.chmod(0o755)

    def remove(self):
        shutil.rmtree(self.directory)

    def state(self):
        return sorted(path.name for path in (self.directory / "state").iterdir())

    def start(self, *arguments, **environment):
        # A session of its own, so that Ctrl-C can be played.
        return subprocess.Popen(
            ["./dev", *arguments], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True, env={
                **os.environ, "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}",
                "STATE": str(self.directory / "state"), **environment})

    def run(self, *arguments, **environment):
        """Exit status, output and errors."""
        with self.start(*arguments, **environment) as process:
            output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, output, errors


class Dev(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout()
        self.addCleanup(self.checkout.remove)


class Help(Dev):
    def test_every_command_explains_itself(self):
        status, text, _ = self.checkout.run("help")
        commands = sorted(set(re.findall(r"^  ([a-z]+)", text, re.MULTILINE)))
        self.assertEqual(status, 0)
        self.assertGreater(len(commands), 10)
        for command in commands:
            with self.subTest(command):
                asked = self.checkout.run(command, "-h")
                self.assertEqual((asked[0], asked[2]), (0, ""))
                self.assertTrue(asked[1].strip())
                self.assertEqual(self.checkout.run(command, "--help"), asked)
                self.assertEqual(self.checkout.run("help", command), asked)

    def test_every_script_explains_itself(self):
        scripts = [path for path in (ROOT / "tests").rglob("*") if path.is_file() and os.access(path, os.X_OK)
                   and not path.name.startswith("test_") and path.read_bytes().startswith(b"#!")]
        self.assertGreater(len(scripts), 5)
        for script in scripts:
            with self.subTest(script.relative_to(ROOT)):
                for flag in ("-h", "--help"):
                    done = subprocess.run([script, flag], capture_output=True, timeout=PATIENCE_SECONDS, text=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertGreater(len(done.stdout), 40)

    def test_what_there_is_not(self):
        for arguments, word in ((("biuld",), "biuld"), (("test", "untis"), "untis"), (("setup", "all"), "all"),
                                (("sanitize", "adress"), "adress"), (("help", "biuld"), "biuld")):
            with self.subTest(arguments):
                status, output, errors = self.checkout.run(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertRegex(errors, rf"^dev: there is no .*{word}; see ./dev help\n$")

    def test_a_story_that_there_is_not(self):
        status, output, errors = self.checkout.run("golden", "edit-sas")
        self.assertEqual((status, output), (1, ""))
        self.assertIn("no story edit-sas", errors)
        self.assertIn("edit-ssa", errors)

    def test_all_goldens_are_written(self):
        """Protects developers who change a rule: reviews, manifests and stored objects are judged by the same rules. A story is
        one of the reviews."""
        tests = self.checkout.directory / "tests"
        tests.unlink()
        names = ("reviews/test_verdicts.py", "manifests/test_findings.py", "objects/test_objects.py")
        for name in names:
            (tests / name).parent.mkdir(parents=True)
            (tests / name).write_text('#!/bin/bash\necho "${0#tests/} $*"\n')
            (tests / name).chmod(0o755)
        reviews, manifests, objects = (f"{name} build/applyguard --update" for name in names)
        self.assertEqual(self.checkout.run("golden")[:2], (0, f"{reviews}\n{manifests}\n{objects}\n"))
        self.assertEqual(self.checkout.run("golden", "edit-ssa")[:2], (0, f"{reviews} edit-ssa\n"))


class Gates(Dev):
    """`./dev test` and `./dev lint` with scripts in place of the tools, each of which fails if $BROKEN names it."""

    TESTS = {"tests": [{"name": f"{label}.one", "properties": [{"name": "LABELS", "value": [label, "slow"]}]}
                       for label in ("unit", "fuzz", "server", "chart")]}

    def setUp(self):
        super().setUp()
        (self.checkout.directory / "tests").unlink()
        played = '[[ " $BROKEN " != *" ${0##*/} "* ]] || { echo "found by ${0##*/}"; exit 1; }'
        for path in ("bin/clang-format", "bin/git", "bin/go", "tests/lint/sources", "tests/lint/complexity", "tests/fuzz/run"):
            self.play(path, played)
        self.play("cmake/yyjson-source", "echo /nowhere")
        (self.checkout.directory / "tests.json").write_text(json.dumps(self.TESTS))
        self.play("bin/ctest", """shift
            build=$1
            [[ $* != *show-only* ]] || { cat tests.json; exit; }
            [[ $* =~ --output-junit\\ ([^ ]+) ]] || exit 0
            tests=(unit fuzz); [[ $build == */debug ]] || tests=(server chart)
            { echo "<testsuite>"
              for test in "${tests[@]}"; do
                [[ " $BROKEN " == *" $test "* ]] && status=fail || status=run
                echo "<testcase name='$test.one' time='2.6' status='$status'/>"
              done
              echo "</testsuite>"; } > "${BASH_REMATCH[1]}"
            [[ " $BROKEN " != *" ${tests[0]} "* ]]""")
        shutil.copy(ROOT / "tests" / "gates", self.checkout.directory / "tests")

    def play(self, path, script):
        program = self.checkout.directory / path
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/bash\n{script}\n")
        program.chmod(0o755)

    def summary(self, *arguments, **environment):
        """The exit status, and the result of each gate in the order of the summary."""
        status, output, errors = self.checkout.run(*arguments, **environment)
        head, separator, table = output.partition("\ngate ")
        self.assertTrue(separator, output + errors)
        rows = [re.split(r"  +", line.strip()) for line in table.splitlines()[1:-1]]
        return status, {name: result for name, _, result in rows}, head, errors

    def test_every_gate_has_its_name_and_result(self):
        status, results, head, _ = self.summary("test", BROKEN="")
        self.assertEqual(status, 0)
        self.assertEqual(list(results), ["format", "lint", "complexity", "clang", "build", "unit", "fuzz", "fuzz: new inputs",
                                         "threads", "server", "chart"])
        self.assertEqual(set(results.values()), {"ok"})
        for name in ("format", "lint", "unit, fuzz", "threads", "server, metrics, binary, report, differential, chart, cluster"):
            self.assertIn(f"\n=== {name}\n", "\n" + head)

    def test_a_gate_that_fails_stops_no_other(self):
        """Protects who waits for continuous integration: one run shows all that is broken."""
        status, results, head, errors = self.summary("test", BROKEN="clang-format sources unit run")
        self.assertEqual(status, 1)
        self.assertEqual({name for name, result in results.items() if result != "ok"}, {"format", "lint", "unit", "fuzz: new inputs"})
        self.assertEqual(results["unit"], "failed: unit.one")
        self.assertIn("found by sources", head)
        self.assertIn("dev: failed: format lint unit fuzz: new inputs", errors)

    def test_a_build_that_fails(self):
        """Nothing is left to test; the sources are still checked."""
        self.play("bin/cmake", "[[ $* != *--build*debug* ]]")
        status, results, _, _ = self.summary("test", BROKEN="")
        self.assertEqual((status, results["lint"], results["build"]), (1, "ok", "failed"))
        self.assertEqual({results[name] for name in ("unit", "server", "cluster")}, {"left out: the build failed"})

    def test_lint_alone(self):
        self.assertEqual(self.summary("lint", BROKEN="complexity")[:2], (1, {"format": "ok", "lint": "ok", "complexity": "failed"}))

    def test_parts(self):
        self.assertEqual(self.summary("test", "threads", "server", BROKEN="")[:2], (0, {"threads": "ok", "server": "ok"}))


class Sanitize(Dev):
    def test_runs_every_checker_by_itself(self):
        """Without a word all three run, and memcheck on each unit test; what one of them finds is its exit status."""
        for name, script in ("ctest", 'echo "ctest $*"'), ("valgrind", '[[ $* != *broken* ]]'):
            program = self.checkout.directory / "bin" / name
            program.write_text(f"#!/bin/bash\n{script}\n")
            program.chmod(0o755)
        tests = self.checkout.directory / "build" / "tests"
        tests.mkdir()
        (tests / "test_sound").touch()
        status, output, errors = self.checkout.run("sanitize")
        self.assertEqual(status, 0, output + errors)
        for word in ("build/debug", "build/thread", "ok     build/tests/test_sound"):
            self.assertIn(word, output)
        (tests / "test_broken").touch()
        status, output, _ = self.checkout.run("sanitize")
        self.assertNotEqual(status, 0)
        self.assertIn("failed build/tests/test_broken", output)


class Run(Dev):
    @contextlib.contextmanager
    def running(self, *flags):
        """The output until it was stopped, and after."""
        with self.checkout.start("run", *flags) as process:
            said = []
            try:
                for line in process.stdout:
                    said.append(line)
                    if "Ctrl-C" in line:
                        break
                yield process, "".join(said)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGINT)

    def test_shows_a_verdict_wherever_it_listens(self):
        for address in ("127.0.0.1:0", ":0", "[::1]:0"):
            for form in ((f"--listen={address}",), ("--listen", address, "--log-format", "json")):
                with self.subTest(form):
                    with self.running(*form) as (process, said):
                        self.assertIn('"kind": "AdmissionReview"', said)
                        self.assertRegex(said, r"curl .*https://127\.0\.0\.1:[1-9]")
                        self.assertIn("Ctrl-C", said)
                    process.communicate(timeout=PATIENCE_SECONDS)
                    self.assertEqual(process.returncode, 0)

    def test_a_port_that_is_taken(self):
        """By another ./dev run, whose verdict is not ours."""
        with self.running("--listen", "127.0.0.1:0") as (_, said):
            port = re.search(r"https://127\.0\.0\.1:(\d+)", said).group(1)
            status, output, errors = self.checkout.run("run", "--listen", f"127.0.0.1:{port}")
        self.assertEqual((status, output), (2, ""))
        self.assertIn(f"127.0.0.1:{port}", errors)
        self.assertIn("in use", errors)

    def test_a_bad_flag(self):
        status, output, errors = self.checkout.run("run", "--no-such-flag")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("--no-such-flag", errors)


class Build(Dev):
    def test_one_at_a_time(self):
        """The second one says that it waits, and goes on when the first is done."""
        with open(self.checkout.directory / "build" / "dev.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.checkout.start("build") as process:
                self.assertIn("waiting", process.stderr.readline())
                self.assertIsNone(process.poll())
                fcntl.flock(lock, fcntl.LOCK_UN)
                process.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual(process.returncode, 0)


class Setup(Dev):
    def setUp(self):
        super().setUp()
        (self.checkout.directory / "state" / "missing").touch()

    def test_says_what_it_installs_and_changes(self):
        status, output, errors = self.checkout.run("setup", "build", NETWORK="yes")
        self.assertEqual((status, output), (0, ""), errors)
        lines = errors.splitlines()
        self.assertRegex(lines[0], "installing with apt-get.*libyyjson-dev")
        self.assertRegex(errors, "adding trixie to apt's sources.*\n.*applyguard-trixie.sources.*applyguard-yyjson")
        self.assertEqual(lines[-1].strip(), "libyyjson-dev:amd64", "progress")
        self.assertEqual(self.checkout.state(), ["applyguard-trixie.sources", "applyguard-yyjson", "available"])
        self.assertEqual(self.checkout.run("setup", "build"), (0, "", ""), "nothing is missing any more")

    def test_leaves_nothing_behind_without_a_network(self):
        status, output, errors = self.checkout.run("setup", "build", NETWORK="no")
        self.assertEqual((status, output), (1, ""))
        self.assertIn("is there a network", errors)
        self.assertEqual(self.checkout.state(), ["missing"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
