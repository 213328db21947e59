#!/usr/bin/env python3
"""Two days of all tools in one cluster: replay reads the audit log of the first, and its policy is enforced on the second.

    tests/tools/days.py APPLYGUARD FirstDay, then tests/tools/days.py APPLYGUARD SecondDay
    TOOLS=flux,helm-4 HOURS=1 tests/tools/days.py …      fewer tools of test_day.py, and fewer additional hours

No test runs it, because it takes an hour. On the first day nothing is refused. Its log, with more than 20,000 requests, is replayed
as it is, as a packed and rotated set, and as exports of EKS, AKS and GKE. Each verdict must be that on the review which the API
server sent, and the numbers that need no judge are counted again. On the second day the tools go on, and a person does other
things. Logs, reports, the suggested policy and the list of denials, for people to read, are in build/tools/days.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / folder) for folder in ("replays", "cluster")]

import bench
import forms
import guarded
import harness
import offences
import people
import recount
import test_day
import test_replay
import verdicts

FOLDER = TESTS.parent / "build" / "tools" / "days"
HOURS = int(os.environ.get("HOURS", "6"))
TOOLS = os.environ["TOOLS"].split(",") if "TOOLS" in os.environ else list(test_day.TOOLS)
# That of docs/replay.md, with metadata of requests that only read.
AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: None, resources: [{group: coordination.k8s.io}, {resources: [events]}, {group: events.k8s.io}]}
- {level: Metadata, resources: [{group: "", resources: [secrets]}]}
- {level: RequestResponse, verbs: [create, update, patch, delete]}
- {level: Metadata}
"""
ROTATED = 5
REQUESTS = 20_000

IMAGE = "example.com/web:carol"
REMOVAL = [{"op": "remove", "path": "/spec/template/spec/containers/0/resources/requests/memory"}]
# What a person does who was not there on the first day: {what: (kubectl's arguments, its input, its editor)}.
CAROL = ("--as=carol", "--as-group=devs")
ACTS = {
    "kubectl edit": (("edit", "deployment/web"), None, f"sed -i s,example.com/web:[0-9],{IMAGE},"),
    "kubectl set image": (("set", "image", "deployment/web", f"web={IMAGE}"), None, None),
    "kubectl apply": (("apply", "--filename=-"), offences.hotfix, None),
    "a forced apply": (("apply", "--server-side", "--force-conflicts", "--field-manager=team-x", "--filename=-"),
                       offences.hotfix, None),
    "an apply that conflicts": (("apply", "--server-side", "--field-manager=team-x", "--filename=-"), offences.hotfix, None),
    "rollout restart": (("rollout", "restart", "deployment/web"), None, None),
    "kubectl scale": (("scale", "deployment/web", "--replicas=3"), None, None),
    "a new label": (("label", "deployment/web", "team=carol"), None, None),
    "an item is removed": (("patch", "deployment/web", "--type=json", "--patch", json.dumps(REMOVAL)), None, None),
    "last-applied is removed": (("annotate", "deployment/web", f"{offences.LAST_APPLIED}-"), None, None),
    "a ConfigMap of her own": (("create", "configmap", "carol", "--from-literal=a=1"), None, None),
    "an edit of it": (("patch", "configmap/carol", "--patch", '{"data": {"a": "2"}}'), None, None),
    "an edit of the settings": (("patch", "configmap/settings", "--patch", '{"data": {"greeting": "carol"}}'), None, None),
}


def command(name, *arguments):
    done = subprocess.run([harness.Program.path, name, *map(str, arguments)], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1) or done.stderr:
        raise AssertionError(f"{name} {arguments}: {done.returncode} {done.stderr}")
    return done.stdout


def lines_of(output):
    """The lines of a replay's JSON by audit ID, and the summary."""
    *lines, last = map(json.loads, output.splitlines())
    return {line["auditID"]: line for line in lines}, last["summary"]


class LoggedDay(test_day.Day):
    """A day whose audit log and reviews are kept."""

    plane_options = {**test_day.Day.plane_options, "audit_policy": AUDIT_POLICY}

    @classmethod
    def setUpClass(cls):
        test_day.TOOLS = {name: test_day.TOOLS[name] for name in TOOLS}
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        cls._asked()
        FOLDER.mkdir(parents=True, exist_ok=True)
        cls.log, cls.reviews = FOLDER / f"{cls.__name__}.log", FOLDER / f"{cls.__name__}.reviews"
        # The API server may be about to write a line.
        cls.log.write_bytes(b"".join(line + b"\n" for line in guarded.whole_lines(cls.plane.audit_log, 0)))
        cls.reviews.write_bytes(b"".join(each.review.rstrip() + b"\n" for each in cls.recorder.since(0)))
        cls.examine()


class FirstDay(LoggedDay):
    mode = "audit"

    def test_06_more_hours(self):
        for hour in range(HOURS):
            self.normal("resync", self.all_put(3))
            for what, act in people.ADDITIONS.items():
                self.all_do(what, lambda tool, act=act: act(self, tool))
            self.all_do("a conflict", self.collide)
            self.all_do("kubectl scale", lambda tool, hour=hour: self.scale(tool, 5 + hour % 4))
            self.normal("heal", self.all_put(3, forced=True))

    def all_do(self, what, act):
        self.hour(what, {tool: lambda tool=tool: act(tool) for tool in test_day.TOOLS}, fight=True)

    def collide(self, namespace):
        """Two teams apply the Deployment server-side; one of them forces it after the conflict."""
        path, web = f"/apis/apps/v1/namespaces/{namespace}/deployments/web", json.loads(offences.hotfix())
        for manager, force in (("team-c", False), ("team-d", False), ("team-d", True)):
            self.api.apply(path, web, manager, user="alice", force=force)

    def scale(self, namespace, replicas):
        self.kubectl("scale", "deployment/web", f"--replicas={replicas}", namespace=namespace, user="operator")

    @classmethod
    def examine(cls):
        examine_log(cls.log, cls.reviews)


def examine_log(log, reviews):
    """Writes the reports, and compares each form of the log, each verdict and the numbers."""
    events = [json.loads(line) for line in log.read_text().splitlines()]
    policy = FOLDER / "policy.yaml"
    policy.write_text(verdicts.policy("strict", test_day.EXCEPTIONS))
    for form in ("text", "html"):
        (FOLDER / f"replay.{form}").write_text(command("replay", "-o", form, "--policy", policy, log))
    (FOLDER / "suggested.yaml").write_text(command("replay", "--suggest", log))
    output = command("replay", "-o", "json", "--policy", policy, log)
    lines, summary = lines_of(output)
    found = recount.recount(events)
    print(f"counted again: {found}", flush=True)
    compare(summary["events"] >= REQUESTS, f"{summary['events']} requests")
    compare(found == recount.picked(summary), f"{found} are {recount.picked(summary)}")
    compare_forms(events, policy, output)
    compare_google(events, policy, lines)
    compare_reviews(events, policy, reviews, lines)


def compare(is_same, problem):
    if not is_same:
        raise AssertionError(problem)


def compare_forms(events, policy, expected):
    size = len(events) // ROTATED + 1
    rotated = [FOLDER / f"audit-{number}.log.gz" for number in range(ROTATED)]
    for number, file in enumerate(rotated):
        file.write_bytes(gzip.compress(forms.lines(events[number * size:(number + 1) * size]).encode(), 1))
    compare(command("replay", "-o", "json", "--policy", policy, *reversed(rotated)) == expected, "the rotated set")
    for make in (forms.cloudwatch_subscription, forms.azure_event_hub):
        file = FOLDER / f"{make.__name__}.log"
        file.write_text(make(events))
        compare(command("replay", "-o", "json", "--policy", policy, file) == expected, file.name)


def compare_google(events, policy, lines):
    """What GKE's log does not show leaves writes unjudged; the others have the same findings."""
    file = FOLDER / "google_sink.log"
    file.write_text(forms.google_sink(
        event for event in events if event["stage"] == "ResponseComplete" and "resource" in event.get("objectRef", {})))
    google, summary = lines_of(command("replay", "-o", "json", "--policy", policy, file))
    print(f"GKE: {summary['judged']}, {summary['unjudged']}", flush=True)
    for identity in {*lines, *google}:
        ours, theirs = lines.get(identity, {}), google.get(identity, {})
        if not ours.get("unjudged") and not theirs.get("unjudged"):
            compare(ours.get("findings") == theirs.get("findings"), f"GKE: {ours} {theirs}")


def compare_reviews(events, policy, reviews, lines):
    """Each write is judged as its review is, or it is unjudged with a reason."""
    truth, compared, unjudged = {}, 0, 0
    judged = command("review", "-o", "json", "--policy", policy, reviews).splitlines()
    for review, verdict in zip(reviews.read_text().splitlines(), judged, strict=True):
        request = json.loads(review)["request"]
        key = request["userInfo"]["username"], bool(request["dryRun"]), test_replay.stored(request["object"] or {})
        truth.setdefault(key, []).append(json.loads(verdict)["findings"])
    for event in events:
        user = event.get("impersonatedUser", event["user"])["username"]
        key = user, "dryRun=All" in event["requestURI"], test_replay.stored(event.get("responseObject", {}))
        if not recount.is_done_write(event) or key not in truth:
            continue
        line = lines.get(event["auditID"], {})
        unjudged += "unjudged" in line
        compared += "unjudged" not in line
        compare("unjudged" in line or line.get("findings", []) in truth[key], f"{line} {truth[key]}")
    print(f"{compared} writes judged as their reviews, {unjudged} not judged in full", flush=True)


class SecondDay(LoggedDay):
    mode = "enforce"

    # The story is not that of the first day.
    test_02_offences = test_03_a_secret_in_an_annotation = test_04_break_glass = None
    test_05_what_was_written_before_enforcement = test_06_autoscalers = test_07_rollbacks = test_08_adoption = None
    test_09_a_restored_backup = test_10_deletion = None

    @classmethod
    def policy_text(cls):
        """The policy that the first day suggested, with reasons."""
        return (FOLDER / "suggested.yaml").read_text().replace("FILL IN: ", "")

    def test_01_installs(self):
        self.normal("install", self.all_put(1, first=True))
        self.normal("upgrade", self.all_put(2))
        self.normal("resync", self.all_put(2))

    def test_02_a_person(self):
        for what, (arguments, manifest, editor) in ACTS.items():
            self.hour(what, {tool: lambda tool=tool: self.kubectl(
                *arguments, *CAROL, namespace=tool, input=manifest and manifest(),
                environment={"KUBE_EDITOR": editor} if editor else None) for tool in test_day.TOOLS}, fight=True)
        self.normal("heal", self.all_put(2, forced=True))

    def test_03_the_tools_go_on(self):
        self.normal("an autoscaler", {tool: lambda tool=tool: self.autoscale(tool) for tool in test_day.TOOLS})
        self.normal("upgrade", self.all_put(3))
        self.normal("resync", self.all_put(3))
        self.normal("delete", {tool: lambda tool=tool: self.delete(tool) for tool in test_day.TOOLS})

    @classmethod
    def examine(cls):
        """The denials, for people to read: each must be true, and none may concern a tool."""
        denied = [each for each in cls.recorder.since(0) if not each.response["allowed"]]
        lines = [f"{each.request['userInfo']['username']} {each.request['operation']} {each.response['status']['message']}"
                 for each in denied]
        (FOLDER / "denials.txt").write_text("\n".join(lines) + "\n")
        print(f"{len(lines)} denials", *lines, sep="\n", flush=True)
        compare({each.request["userInfo"]["username"] for each in denied} <= {"carol"}, "a tool was denied")


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
    else:
        bench.main()
