#!/usr/bin/env python3
"""The time and memory of `applyguard replay`: logs of 300 MB, plain and packed.

    tests/bench/replaying.py APPLYGUARD [MEGABYTES]
    tests/bench/replaying.py APPLYGUARD MEGABYTES OBJECTS    # into a pipe, with nothing on the disk: time and memory alone

A recorded log is repeated, with other objects and times, until it is large: the day of tools, and a story in which most writes
have findings, at the levels RequestResponse and Metadata. `zcat` of the same log shows how fast the machine is.
"""
import datetime
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROUNDS = 5
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


def story():
    return [json.loads(line) for line in (RECORDED / "audit.log").read_text().splitlines()]


def day():
    log = subprocess.run(["zstdcat", RECORDED / "day.log.zst"], check=True, capture_output=True).stdout
    return [json.loads(line) for line in log.splitlines()]


def write_day(log, events, megabytes):
    """Each repetition has objects of its own, and is a day later."""
    recorded = forms.lines(events)
    first = recorded.partition('"stageTimestamp":"')[2][:10]
    size = number = 0
    while size < megabytes * 1_000_000:
        day = datetime.date.fromisoformat(first) + datetime.timedelta(number)
        text = re.sub('"(uid|auditID)":"[0-9a-f]{8}', lambda match: f'"{match[1]}":"{number:08x}', recorded)
        text = text.replace(f'"{first}T', f'"{day}T')
        log.write(text)
        size += len(text)
        number += 1


def write_file(path, write, events, megabytes):
    with open(path, "w") as log:
        write(log, events(), megabytes)


def start(*command, actions=()):
    return os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), *actions])


def ended(pid):
    """CPU seconds and the peak of resident memory in MiB."""
    _, _, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def seconds(*command):
    return ended(start(*command))


def least_seconds(*commands):
    """The least CPU seconds of each, and its largest memory. They take turns: other load on the machine only adds seconds."""
    rounds = [[seconds(*command) for command in commands] for _ in range(ROUNDS)]
    return [(min(taken for taken, _ in runs), max(memory for _, memory in runs)) for runs in zip(*rounds)]


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
    if len(sys.argv) > 3:
        pipe(program, story(), megabytes, int(sys.argv[3]))
        return
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "audit.log"
        for name, write, found in (("a day of tools", write_day, day),
                                   ("a day of tools, at Metadata", write_day, lambda: forms.at_metadata(day())),
                                   ("findings", write_log, story),
                                   ("findings, at Metadata", write_log, lambda: forms.at_metadata(story()))):
            # Elsewhere: the memory that this program has had counts as that of each program which it starts.
            writer = multiprocessing.Process(target=write_file, args=(path, write, found, megabytes))
            writer.start()
            writer.join()
            subprocess.run(["gzip", "-1", "-k", "-f", str(path)], check=True)
            (plain, memory), (packed, _), (unpacking, _) = least_seconds(
                (program, "replay", "-o", "json", str(path)), (program, "replay", "-o", "json", f"{path}.gz"), ("zcat", f"{path}.gz"))
            print(f"{name}: {megabytes / plain:.0f} MB/s of CPU, {memory:.0f} MiB; packed {packed:.2f} s, "
                  f"plain {plain:.2f} s and zcat {unpacking:.2f} s", flush=True)


if __name__ == "__main__":
    main()
