#!/usr/bin/env python3
"""The time and memory of `applyguard replay`: a log of 300 MB at the levels Metadata and RequestResponse, plain and packed.

    tests/bench/replaying.py APPLYGUARD [MEGABYTES]
    tests/bench/replaying.py APPLYGUARD MEGABYTES OBJECTS    # into a pipe, with nothing on the disk: time and memory alone

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


def write_log(log, events, megabytes, objects=1000):
    story = forms.lines(events)
    first = events[0]["stageTimestamp"][:17]
    size = number = 0
    while size < megabytes * 1_000_000:
        time = f"2026-01-{number // 86400 % 28 + 1:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:"
        # Whether or not the story is the same: each has an object, an ID and a time of its own.
        text = story.replace("settings", f"settings-{number % objects}").replace(first, time).replace(
            '"auditID":"', f'"auditID":"{number}-')
        log.write(text)
        size += len(text)
        number += 1


def start(*command, actions=()):
    return os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), *actions])


def ended(pid):
    """CPU seconds and the peak of resident memory in MiB."""
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def seconds(*command):
    return ended(start(*command))


def pipe(program, events, megabytes, objects):
    reader, writer = os.pipe()
    pid = start(program, "replay", "-o", "json", "-", actions=[(os.POSIX_SPAWN_DUP2, reader, 0)])
    os.close(reader)
    with open(writer, "w") as log:
        write_log(log, events, megabytes, objects)
    taken, memory = ended(pid)
    print(f"{megabytes} MB with {objects} objects: {taken:.1f} s of CPU, {memory:.0f} MiB", flush=True)


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return
    program = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    events = [json.loads(line) for line in (RECORDED / "audit.log").read_text().splitlines()]
    if len(sys.argv) > 3:
        pipe(program, events, megabytes, int(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "audit.log"
        for level, found in (("RequestResponse", events), ("Metadata", forms.at_metadata(events))):
            with open(path, "w") as log:
                write_log(log, found, megabytes)
            plain, memory = seconds(program, "replay", "-o", "json", str(path))
            subprocess.run(["gzip", "-1", "-k", "-f", str(path)], check=True)
            packed, _ = seconds(program, "replay", "-o", "json", f"{path}.gz")
            unpacking, _ = seconds("zcat", f"{path}.gz")
            print(f"{level}: {megabytes / plain:.0f} MB/s of CPU, {memory:.0f} MiB; packed {packed:.2f} s, "
                  f"plain {plain:.2f} s and zcat {unpacking:.2f} s", flush=True)


if __name__ == "__main__":
    main()
