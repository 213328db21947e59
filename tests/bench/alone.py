"""The measurements of policy/ without a server: judge.c and rules.c, each a text and whether all was reached."""
import pathlib
import subprocess
import sys

import growth
import plot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"


def build(target):
    subprocess.run(["cmake", "--preset", "release", "-B", BUILD / "bench", "-D", "APPLYGUARD_BENCH=ON"], cwd=ROOT,
                   check=True, capture_output=True)
    subprocess.run(["cmake", "--build", BUILD / "bench", "--target", target], check=True, capture_output=True)
    return BUILD / "bench" / "tests" / "bench" / target


def run(program, files, quick):
    done = subprocess.run([program, *(["--quick"] if quick else []), *files.values()], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"bench: {program.name}: {done.stderr}")
    return done.stdout, done.returncode == 0


def rules(files, quick):
    return run(build("rules"), files, quick)


def judging(folder, files, quick):
    """For the same reviews; then how it grows, which goes to build/judging.csv and as plots beside that, too."""
    program = build("judge")
    text, reached = run(program, files, quick)
    rows = growth.measure(program, folder, quick)
    growth.write(rows, BUILD / "judging.csv")
    plot.write_all(BUILD / "judging.csv", BUILD)
    lines, all_reached = growth.targets(rows)
    return "\n".join([text, *lines, "", ""]), reached and all_reached
