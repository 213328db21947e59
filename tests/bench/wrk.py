"""wrk, which sends reviews over kept TLS connections as fast as they are answered."""
import dataclasses
import os
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).resolve().parent / "post.lua"


@dataclasses.dataclass
class Result:
    requests: int
    microseconds: int
    p50_us: int
    p99_us: int
    failed: int


def post(port, bodies, seconds, connections):
    """Posts the files, in turn, for that long. An answer of another status than 2xx or 3xx is a failed one."""
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", SCRIPT, f"https://127.0.0.1:{port}"],
        env={**os.environ, "BODIES": ":".join(map(str, bodies))}, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"wrk: {done.stdout}{done.stderr}")
    return Result(*next(map(int, line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("RESULT")))
