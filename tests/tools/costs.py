"""costs.py: what a scan costs the machine and the API server, and what other ways to look at all objects cost.

    costs.py APPLYGUARD KUBECONFIG     # of any cluster on this machine, as root

Wall time depends on what else the machine does. A program's memory is the peak of its own; kubectl's, which it starts, is
apart. The API server's CPU time includes what it does anyway in that time.
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import threading
import time

import control_plane

# All requests of `alice`, who does what is measured.
AUDIT_POLICY = control_plane.AUDIT_POLICY.replace("rules:\n", "rules:\n- {level: Metadata, users: [alice]}\n")
# A tenth of the work: how many objects each manager has.
JQ = "[.items[].metadata.managedFields[]? | .manager] | group_by(.) | map({manager: .[0], objects: length})"
LEFT_OUT = re.compile(r"^(events|leases|componentstatuses|endpoints|endpointslices)(\.|$)")
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """User and system time of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Memory(threading.Thread):
    """The peaks of resident memory below a process, by the name of the program."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self.peaks, self.is_over = pid, {}, False

    def run(self):
        while not self.is_over:
            for pid in [self.pid, *_descendants(self.pid)]:
                with contextlib.suppress(OSError, AttributeError):
                    status = pathlib.Path(f"/proc/{pid}/status").read_text()
                    name = re.search(r"Name:\t(\S+)", status).group(1)
                    peak = int(re.search(r"VmHWM:\s+(\d+)", status).group(1))
                    self.peaks[name] = max(self.peaks.get(name, 0), peak)
            time.sleep(0.01)


def _descendants(pid):
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from _descendants(int(child))


def measure(plane, environment, name, line):
    """Runs a line of a shell as alice: its cost in one line of text."""
    server = int((plane.directory / "kube-apiserver.pid").read_text())
    log, before = plane.audit_log.stat().st_size, cpu_seconds(server)
    start = time.monotonic()
    with subprocess.Popen(["bash", "-o", "pipefail", "-c", line], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        memory = Memory(process.pid)
        memory.start()
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        memory.is_over = True
        memory.join()
    seconds, used = time.monotonic() - start, cpu_seconds(server) - before
    peaks = ", ".join(f"{program} {peak / 1024:.0f} MiB" for program, peak in memory.peaks.items() if program != "bash")
    failed = f"; exit status {process.returncode}: {errors.decode(errors='replace')[-300:]}" if process.returncode else ""
    return (f"{name}: {seconds:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of CPU, {calls(plane, log)} API calls, "
            f"the API server's CPU {used:.1f} s; peaks of memory: {peaks}{failed}")


def calls(plane, offset):
    """The requests of alice that the audit log has behind the offset."""
    with open(plane.audit_log, "rb") as log:
        log.seek(offset)
        return sum(event["user"]["username"] == "alice" for event in map(json.loads, log.read().splitlines()))


def kinds(environment):
    listed = subprocess.run(["kubectl", "--context=alice", "api-resources", "--verbs=list", "-o", "name"], env=environment, check=True,
                            capture_output=True, text=True).stdout.split()
    return ",".join(kind for kind in listed if not LEFT_OUT.match(kind))


def report(plane, environment, popeye=None):
    """A line for each way; each runs twice, and the second counts, because the API server fills its caches in the first."""
    config = plane.directory / "alice.kubeconfig"
    config.write_text(json.dumps({**json.loads(plane.kubeconfig.read_text()), "current-context": "alice"}))
    environment = {**environment, "KUBECONFIG": str(config)}
    ways = {
        "applyguard scan": "applyguard scan",
        "kubectl get | jq": f"kubectl get {kinds(environment)} -A -o json --show-managed-fields | jq '{JQ}'"}
    if popeye:
        ways["popeye"] = f"{popeye} -A --force-exit-zero"
    for name, line in ways.items():
        measure(plane, environment, name, line)
        yield measure(plane, environment, name, line)
