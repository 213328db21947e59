"""`applyguard check` compared with other checkers of manifests: on the same tree in the same run, on all cores.

kubeconform holds manifests against schemas, which it gets from a folder; kube-linter is measured where it is installed. Each
reads every document: the counts that they print say so.
"""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import alone
import manifests
import schemas

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "tests" / "tools"), str(ROOT / "tests" / "cluster")]

import kubernetes
import programs

PROGRAM = ROOT / "build" / "applyguard"
STATIC = ROOT / "build" / "static" / "applyguard"
ROUNDS, ROUNDS_QUICK = 9, 2
COLD_STARTS, COLD_STARTS_QUICK = 101, 11
# The same documents in few files and in many; and, last, many more documents.
TREES = ((50, 100), (500, 10), (5000, 1), (5000, 10))
PAUSE_SECONDS = 0.0005

# What people install as a command, if ./dev static has built it. The other one also links what serves requests.
STATIC_NAME = "static program"

RATIO_MIN = 10
COLD_MS_MAX = 10
GROWTH_MAX = 1.25


def swagger():
    """The OpenAPI document of the Kubernetes that the tests pin."""
    folder = kubernetes.module_of(kubernetes.chosen_minor())
    subprocess.run(["go", "mod", "download", "k8s.io/kubernetes"], cwd=folder, check=True)
    module = subprocess.run(["go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes"], cwd=folder, check=True,
                            capture_output=True, text=True).stdout.strip()
    return pathlib.Path(module) / "api" / "openapi-spec" / "swagger.json"


class Checker:
    """A command that reads a tree, and how it says how many documents it read."""

    def __init__(self, name, command, counted):
        self.name, self.command, self.counted = name, command, counted

    def run(self, tree):
        """Wall and CPU seconds, and what it printed."""
        before, begin = os.times(), time.monotonic()
        done = subprocess.run([*self.command, tree], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wall, after = time.monotonic() - begin, os.times()
        return wall, after.children_user + after.children_system - before.children_user - before.children_system, done.stdout

    def documents(self, tree):
        _, _, printed = self.run(tree)
        found = re.search(self.counted, printed)
        if not found:
            sys.exit(f"bench: {self.name} did not check the tree: {printed[-500:]}")
        return int(found[1])


def checkers(folder):
    written = folder / "schemas"
    written.mkdir()
    schemas.write_schemas(swagger(), written)
    found = [
        Checker("applyguard", [PROGRAM, "check", "--recursive"], r"(\d+) objects in"),
        Checker("kubeconform", [
            programs.program("kubeconform"), "-summary", "-n", str(os.cpu_count()), "-ignore-missing-schemas",
            "-schema-location", f"{written}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json"],
            r"(\d+) resources found in .* Invalid: 0, Errors: 0")]
    if STATIC.exists():
        found.insert(1, Checker(STATIC_NAME, [STATIC, "check", "--recursive"], r"(\d+) objects in"))
    if shutil.which("kube-linter"):
        found.append(Checker("kube-linter", ["kube-linter", "lint", "--fail-if-no-objects-found"], r"()found \d+ lint errors"))
    return found


def compare(found, tree, rounds):
    """Each in turn: of wall and CPU seconds the least, by checker. Whatever else runs on the machine only adds to them, and to
    the longer more often."""
    taken = {checker.name: [] for checker in found}
    for _ in range(rounds):
        for checker in found:
            taken[checker.name].append(checker.run(tree)[:2])
    return {name: [min(column) for column in zip(*runs)] for name, runs in taken.items()}


def libyaml_seconds(tree, rounds):
    """CPU seconds of libyaml alone, events only: what is left of the time of applyguard if all else took none."""
    program, files = alone.build("events"), sorted(tree.rglob("*.yaml"))
    return min(float(subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout) for _ in range(rounds))


def cold_milliseconds(commands, times):
    """From exec until the program has ended: the median of each command, which take turns."""
    taken = [[] for _ in commands]
    silent = os.open(os.devnull, os.O_WRONLY)
    for _ in range(times):
        for command, values in zip(commands, taken):
            begin = time.monotonic()
            started = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, silent, 1)])
            _, status = os.waitpid(started, 0)
            values.append(1000 * (time.monotonic() - begin))
            if status:
                sys.exit(f"bench: {command[0]} ends with status {status}")
    os.close(silent)
    return [statistics.median(values) for values in taken]


def peak_mib(tree):
    """The largest resident set. It is read while the program runs: what wait4 says counts the program that started it, too."""
    process = subprocess.Popen([PROGRAM, "check", "--recursive", tree], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        peak = max(peak, int(found[1]) if found else 0)
        time.sleep(PAUSE_SECONDS)
    return peak / 1024


def target(what, value, bound, is_reached):
    return f"  {what:<58}{value:>9.2f}{bound:>14}   {'reached' if is_reached else 'MISSED'}", is_reached


def targets(taken, cold, memory):
    ours = [name for name in ("applyguard", STATIC_NAME) if name in taken]
    for name in taken.keys() - ours:
        for own in ours:
            for what, other, seconds in zip(("seconds", "CPU seconds"), taken[name], taken[own]):
                yield target(f"{what} of {name} to {own}", other / seconds, f"at least {RATIO_MIN}", other / seconds >= RATIO_MIN)
    for name, milliseconds in cold.items():
        yield target(f"one document with {name}, from exec to exit, ms", milliseconds, f"at most {COLD_MS_MAX}",
                     milliseconds <= COLD_MS_MAX)
    few, _, many, _ = memory
    yield target("memory of 5000 documents in 5000 files to 50 files", many / few, f"at most {GROWTH_MAX}", many / few <= GROWTH_MAX)


def measure(quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        trees = [folder / f"tree-{files}-{documents}" for files, documents in TREES]
        for tree, shape in zip(trees, TREES):
            manifests.write_tree(tree, *shape)
        tree = trees[TREES.index((manifests.FILES, manifests.DOCUMENTS_OF_A_FILE))]
        one = folder / "one.yaml"
        one.write_text((tree / "team-00" / "app-00000.yaml").read_text().partition("---\n")[0])
        found = checkers(folder)
        documents = manifests.FILES * manifests.DOCUMENTS_OF_A_FILE
        counts = [checker.documents(tree) for checker in found if checker.name != "kube-linter"]
        if set(counts) != {documents}:
            sys.exit(f"bench: of {documents} documents, {counts} were checked")
        taken = compare(found, tree, ROUNDS_QUICK if quick else ROUNDS)
        alone = libyaml_seconds(tree, ROUNDS_QUICK if quick else ROUNDS)
        programs_at_hand = [PROGRAM, *([STATIC] if STATIC.exists() else [])]
        empty, *cold = cold_milliseconds(
            [["/bin/true"], *([program, "check", one] for program in programs_at_hand)], COLD_STARTS_QUICK if quick else COLD_STARTS)
        cold = dict(zip(("applyguard", f"the {STATIC_NAME}"), cold))
        memory = [peak_mib(tree) for tree in trees]
    lines = [f"{documents} documents in {manifests.FILES} files, {os.cpu_count()} cores" +
             ("" if "kube-linter" in taken else "; kube-linter is not installed, and not measured"),
             f"  {'':<16}{'seconds':>10}{'CPU seconds':>14}"]
    lines += [f"  {name:<16}{wall:>10.3f}{cpu:>14.3f}" for name, (wall, cpu) in taken.items()]
    lines += [f"  {'libyaml alone':<16}{'':>10}{alone:>14.3f}   events only, of one reading: kubeconform takes "
              f"{taken['kubeconform'][1] / alone:.1f} times as much, the most that any use of libyaml can reach"]
    lines += ["", f"a program that does nothing (/bin/true), from exec to exit: {empty:.2f} ms", "peak memory of applyguard, MiB: " +
              ", ".join(f"{mib:.1f} for {files} files of {each}" for (files, each), mib in zip(TREES, memory)), "", "targets"]
    told, reached = zip(*targets(taken, cold, memory))
    return "\n".join([*lines, *told, ""]), all(reached)
