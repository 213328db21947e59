#!/usr/bin/env python3
"""The time and memory of `applyguard replay`: a log of 300 MB at the levels Metadata and RequestResponse, plain and packed.

    tests/bench/replaying.py APPLYGUARD [MEGABYTES]

The recorded log is repeated with other names and times until it is large. `zcat` of the same log shows how fast the machine is.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RECORDED = pathlib.Path(__file__).resolve().parents[1] / "replays"
sys.path.append(str(RECORDED))

import forms


def write_log(path, events, megabytes):
    texts = [forms.compact(event) for event in events]
    first = events[0]["stageTimestamp"][:17]
    size = number = 0
    with open(path, "w") as log:
        while size < megabytes * 1_000_000:
            time = f"2026-01-{number // 86400 % 28 + 1:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:"
            for text in texts:
                # Whether or not the story is the same: each has an object, an ID and a time of its own.
                line = text.replace("settings", f"settings-{number % 1000}").replace(first, time).replace(
                    '"auditID":"', f'"auditID":"{number}-') + "\n"
                log.write(line)
                size += len(line)
            number += 1


def seconds(*command):
    """CPU seconds and the peak of resident memory in MiB."""
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return
    program = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    events = [json.loads(line) for line in (RECORDED / "audit.log").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "audit.log"
        for level, found in (("RequestResponse", events), ("Metadata", forms.at_metadata(events))):
            write_log(path, found, megabytes)
            plain, memory = seconds(program, "replay", "-o", "json", str(path))
            subprocess.run(["gzip", "-1", "-k", "-f", str(path)], check=True)
            packed, _ = seconds(program, "replay", "-o", "json", f"{path}.gz")
            unpacking, _ = seconds("zcat", f"{path}.gz")
            print(f"{level}: {megabytes / plain:.0f} MB/s of CPU, {memory:.0f} MiB; packed {packed:.2f} s, "
                  f"plain {plain:.2f} s and zcat {unpacking:.2f} s", flush=True)


if __name__ == "__main__":
    main()
