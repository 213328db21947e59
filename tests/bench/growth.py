"""How judging grows with a review's bytes and with its field managers, measured with judge.c."""
import copy
import csv
import io
import math
import subprocess
import sys

import bodies

SIZES = [4 << 10 << step for step in range(13)]
MANAGERS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

# Twice as much is to take twice as long: the exponent of a power law through the points, at most. In proportion is 1, and
# what is beyond allows for caches, which hold 64 KiB and not 16 MiB.
EXPONENT_MAX = 1.2
FIRST_BYTES, FIRST_MANAGERS = 64 << 10, 10


def settings(size):
    """A file of about `size` bytes as people keep it in a ConfigMap."""
    lines, length = [], 0
    while length < size:
        lines.append(f'server.{len(lines)}.endpoint = "https://service-{len(lines)}.example.com:8443/api"\n')
        length += len(lines[-1])
    return "".join(lines)


def config_map(size):
    """kubectl apply of a ConfigMap: one file in it, once more in the annotation, on both sides."""
    review = bodies.recorded("configmap-last-applied-222k")
    request = review["request"]
    request["operation"] = "UPDATE"
    request["options"]["kind"] = "UpdateOptions"
    text = settings(max(0, size - 2200) // 4 * 93 // 100)
    data = {"settings.properties": text}
    request["object"]["data"] = data
    bodies.edit_last_applied(request["object"], lambda applied: applied.update(data=data))
    request["oldObject"] = copy.deepcopy(request["object"])
    changed = {"settings.properties": text.replace("8443", "9443", 1)}
    request["object"]["data"] = changed
    bodies.edit_last_applied(request["object"], lambda applied: applied.update(data=changed))
    request["object"]["metadata"]["managedFields"][0]["time"] = "2026-11-21T05:17:02Z"
    return bodies.encode(review)


def applied_by(manager, owned, operation="Apply"):
    return {"manager": manager, "operation": operation, "apiVersion": "apps/v1", "time": "2026-11-21T05:02:54Z",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:template": {"f:spec": {"f:containers": owned}}}}}


def owned(containers):
    return {'k:{"name":"%s"}' % container["name"]: bodies.owned_container(container) for container in containers}


def deployment_of(containers, entries):
    """Both sides alike; the caller makes the difference."""
    review = bodies.recorded("ssa-force-heals-edit")
    request = review["request"]
    for side in ("object", "oldObject"):
        request[side]["spec"]["template"]["spec"]["containers"] = copy.deepcopy(containers)
        request[side]["metadata"]["managedFields"] = copy.deepcopy(entries)
    return review


def change_image(review, index, taker):
    request = review["request"]
    request["object"]["spec"]["template"]["spec"]["containers"][index]["image"] += "-new"
    entries = request["object"]["metadata"]["managedFields"]
    next(entry for entry in entries if entry["manager"] == taker)["time"] = "2026-11-21T05:03:54Z"
    request["options"]["fieldManager"] = taker


def list_entries(size):
    """A server-side apply of many list items that takes an image from kubectl edit and drops a variable."""
    made = bodies.containers(max(1, round((size - 2500) / 5180)))
    if size < 8000:
        made[0]["env"] = made[0]["env"][:2]
    edited = {'k:{"name":"worker-0"}': {"f:image": {}}}
    review = deployment_of(
        made, [applied_by("deployer", owned(made)), applied_by("kubectl-edit", edited, "Update")])
    change_image(review, 0, "deployer")
    request = review["request"]
    request["object"]["metadata"]["managedFields"].pop()
    request["object"]["spec"]["template"]["spec"]["containers"][-1]["env"].pop()
    entry = request["object"]["metadata"]["managedFields"][0]
    below = entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:containers"]
    below['k:{"name":"%s"}' % made[-1]["name"]]["f:env"].popitem()
    return bodies.encode(review)


def each_its_own(count):
    """Every manager applies a container of its own."""
    made = bodies.containers(count)
    review = deployment_of(
        made, [applied_by(f"team-{index}", owned([container])) for index, container in enumerate(made)])
    change_image(review, count // 2, f"team-{count // 2}")
    return bodies.encode(review)


def all_the_same(count):
    """Every manager applies the same container."""
    made = bodies.containers(1)
    review = deployment_of(made, [applied_by(f"team-{index}", owned(made)) for index in range(count)])
    change_image(review, 0, f"team-{count // 2}")
    entries = review["request"]["object"]["metadata"]["managedFields"]
    for entry in entries[:count // 2] + entries[count // 2 + 1:]:
        container = entry["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:containers"]['k:{"name":"worker-0"}']
        del container["f:image"]
    return bodies.encode(review)


SERIES = {
    "ConfigMap with its annotation": ("bytes", config_map, SIZES),
    "Deployment, many list items": ("bytes", list_entries, SIZES),
    "each applies its own container": ("managers", each_its_own, MANAGERS),
    "all apply the same container": ("managers", all_the_same, MANAGERS),
}


def measure(program, folder, quick):
    """Rows of series, against, amount, bytes and nanoseconds."""
    rows = []
    for series, (against, make, amounts) in SERIES.items():
        files = [folder / f"{against}-{amount}" for amount in amounts]
        for file, amount in zip(files, amounts):
            file.write_bytes(make(amount))
        done = subprocess.run([program, "--growth", *(["--quick"] if quick else []), *files],
                              capture_output=True, text=True, check=True)
        for amount, measured in zip(amounts, csv.DictReader(io.StringIO(done.stdout))):
            size = int(measured["bytes"])
            if int(measured["judging_ns"]) <= 0:
                sys.exit("bench: the machine is too busy for measuring; try again")
            rows.append({
                "series": series, "against": against, "amount": size if against == "bytes" else amount,
                "bytes": size, "parsing_ns": int(measured["parsing_ns"]), "judging_ns": int(measured["judging_ns"])})
    return rows


def write(rows, file):
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def exponent(points):
    """The exponent of the power law that fits best: least squares of the logarithms."""
    xs, ys = ([math.log(value) for value in axis] for axis in zip(*points))
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / sum((x - x_mean) ** 2 for x in xs))


def targets(rows):
    """The goals, and whether all were reached."""
    lines, all_reached = [], True
    for series, (against, _, _) in SERIES.items():
        first = FIRST_BYTES if against == "bytes" else FIRST_MANAGERS
        points = [(row["amount"], row["judging_ns"]) for row in rows
                  if row["series"] == series and row["amount"] >= first]
        value = exponent(points)
        reached = value <= EXPONENT_MAX
        all_reached &= reached
        lines.append(f"{series}: grows with {against} to the power of {value:.2f}, at most {EXPONENT_MAX}: "
                     f"{'reached' if reached else 'MISSED'}")
    return lines, all_reached
