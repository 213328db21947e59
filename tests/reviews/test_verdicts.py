#!/usr/bin/env python3
"""Golden verdicts: the verdict on each recorded review, under each profile.

    tests/reviews/test_verdicts.py APPLYGUARD [--update] [STORY...]

tests/reviews/STORY holds the review as the API server sent it, story.txt with what was done, and verdict.txt with what
people read of it. A story with a policy.yaml is also judged under that policy. A verdict that differs is
shown as a diff; --update rewrites the files: read that diff.
Protects every judgement, and with it every user from a warning that was not intended.
"""
import collections
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import typing

HERE = pathlib.Path(__file__).resolve().parent
PROFILES = ("audit", "baseline", "strict")
OWN_POLICY = "policy.yaml"
# Counts the changes of an object's fields across all reviews of one start, and reports the fourth within ten minutes.
COUNTS_CHANGES = "contested-field"
REVIEWS_OF_AN_OBJECT_MAX = 3
ACTIONS = ("deny", "warn", "audit")
# A message of a review with ordinary names, which has to fit into a warning whole.
MESSAGE_BYTES_MAX = 200
# The text for people comes before the command that a message may end in.
COMMAND = re.compile(r": (kubectl edit |kubectl annotate |applyguard migrate |applyguard blame )\S.*$")
# Words for what an apply does to a field, or does not do.
UNDONE = re.compile(r"undoes this|may undo this|will set again")
KEPT = re.compile(r"in no manifest|no apply removes|still owns? (it|them)|cannot delete")
KEYS = ["file", "uid", "operation", "kind", "namespace", "name", "allowed", "mode", "findings", "dropped"]
FINDING_KEYS = ["rule", "action", "policyAction", "message", "fields", "fieldCount", "taker", "losers", "loserCount", "waivedBy"]


class Judged(typing.NamedTuple):
    """The program's verdict on one story under one policy."""
    text: str
    json: str
    response: str
    audit: str  # -o json in the mode audit


def run(applyguard, stories, policy, output, mode="enforce"):
    """The reports of one start for all these stories, one for each."""
    files = [f"{story}/review.json" for story in stories]
    done = subprocess.run([applyguard, "review", "--policy", policy, "--mode", mode, "-o", output, *files],
                          cwd=HERE, capture_output=True, timeout=300)
    if done.stderr:
        raise AssertionError(f"--policy {policy} -o {output}: {done.stderr.decode(errors='replace')}")
    reports = re.findall(r"^\S.*\n(?:^ .*\n)*", done.stdout.decode(), re.MULTILINE)
    assert "".join(reports) == done.stdout.decode() and len(reports) == len(stories), f"-o {output}: not a report for each review"
    if output == "json":
        denied = any(not json.loads(report)["allowed"] for report in reports)
        assert done.returncode == (1 if denied else 0), f"exit status {done.returncode}"
    return reports


def judge(applyguard, policy, stories):
    """All stories that share the policy, each as a Judged."""
    kinds = [run(applyguard, stories, policy, *how)
             for how in (("text",), ("json",), ("response",), ("json", "audit"))]
    return dict(zip(stories, map(Judged, *kinds)))


def batches_of(stories):
    """Lists of stories that are judged in one start each, with so few reviews of an object that none affects another."""
    batches, seen = collections.defaultdict(list), collections.Counter()
    for story in stories:
        request = json.loads((HERE / story / "review.json").read_text())["request"]
        uid = (request["object"] or request["oldObject"])["metadata"].get("uid")
        batches[seen[uid] // REVIEWS_OF_AN_OBJECT_MAX if uid else 0].append(story)
        seen[uid] += 1
    return list(batches.values())


def judge_all(applyguard, stories):
    """For each story, the program's verdict under each profile, and under the story's own policy if it has one (for rules that
    are off in all profiles). A start takes longer than a judgement, so a start judges many stories."""
    batches = [(profile, f"{profile}.yaml", batch) for profile in PROFILES for batch in batches_of(stories)]
    batches += [(OWN_POLICY, f"{story}/{OWN_POLICY}", [story]) for story in stories if (HERE / story / OWN_POLICY).exists()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = pool.map(lambda batch: judge(applyguard, *batch[1:]), batches)
        found = {story: {} for story in stories}
        for (profile, _, _), batch in zip(batches, judged):
            for story, said in batch.items():
                found[story][profile] = said
    return found


def verdict_text(story, judged):
    """The expected verdict.txt: the story, then the report under each profile."""
    parts = [(HERE / story / "story.txt").read_text()]
    for profile, said in judged.items():
        parts.append(f"\n== {profile}\n" + said.text.removeprefix(f"{story}/"))
    return "".join(parts)


def in_order(keys, order):
    positions = [order.index(key) for key in keys]
    return positions == sorted(positions)


def object_of(verdict):
    """How a message has to begin: kubectl prints equal warnings of a command once, so each names its object."""
    kind, namespace, name = verdict["kind"].split(".")[0], verdict.get("namespace"), verdict.get("name")
    if namespace and kind != "Namespace":
        name = f"{namespace}/{name or ''}"
    return f"{kind} {name}" if name else kind


def check_messages(verdict):
    """Each begins with the object and is short, and no two contradict each other about a field."""
    undone, kept = set(), set()
    for finding in verdict["findings"]:
        message, fields = finding["message"], set(finding.get("fields", []))
        assert message.startswith(object_of(verdict)), f"the object is not in front: {message}"
        assert message.count(object_of(verdict)) == 1, f"the object is there twice: {message}"
        sentence = COMMAND.sub("", message)
        assert len(sentence.encode()) <= MESSAGE_BYTES_MAX, f"{len(sentence.encode())} bytes are too long: {message}"
        undone |= fields if UNDONE.search(message) else set()
        kept |= fields if KEPT.search(message) else set()
    both = [(a, b) for a in undone for b in kept if a.startswith(b) or b.startswith(a)]
    assert not both, f"said to be undone by an apply, and to be left by it: {both}"


def check_json(text, profile, request):
    """-o json: one line, the keys in their order, the uid right."""
    assert text.count("\n") == 1 and text.endswith("\n"), "-o json is not one line"
    verdict = json.loads(text)
    assert in_order(verdict, KEYS), f"keys in another order: {list(verdict)}"
    assert verdict["uid"] == request["uid"], "another uid"
    denied = any(finding["action"] == "deny" for finding in verdict["findings"])
    assert verdict["allowed"] is not denied, "allowed and findings differ"
    for finding in verdict["findings"]:
        assert in_order(finding, FINDING_KEYS), f"keys in another order: {list(finding)}"
        assert profile == OWN_POLICY or finding["rule"] != COUNTS_CHANGES, "depends on the stories before it; use a policy.yaml"
    actions = [ACTIONS.index(finding["action"]) for finding in verdict["findings"]]
    assert actions == sorted(actions), "not the worst first"
    check_messages(verdict)
    return verdict


def check_audit(text, enforced):
    """Where nothing is enforced, the same is found, in the same order, and each finding says what enforcing would do."""
    found = json.loads(text)["findings"]
    assert found == [{**finding, "action": "audit"} for finding in enforced], "other findings in the mode audit"


def check_response(text, review, verdict):
    """-o response: what the API server accepts (admissionreview.go), within its limits."""
    answer = json.loads(text)
    assert (answer["kind"], answer["apiVersion"]) == ("AdmissionReview", review["apiVersion"]), "another version"
    response = answer["response"]
    assert response["uid"] == review["request"]["uid"] and response["allowed"] is verdict["allowed"]
    assert ("status" in response) is not verdict["allowed"], "a status goes with a denial"
    warnings = response.get("warnings", [])
    assert len(warnings) == min(5, sum(finding["action"] == "warn" for finding in verdict["findings"]))
    for warning in warnings:
        assert warning.isprintable() and len(warning.encode()) <= 256, f"no API server prints {warning!r}"
    for key, value in response.get("auditAnnotations", {}).items():
        assert "/" not in key and value.isprintable()


def check_story(story, judged, update):
    """A list of faults."""
    review = json.loads((HERE / story / "review.json").read_text())
    problems = []
    for profile, said in judged.items():
        try:
            verdict = check_json(said.json, profile, review["request"])
            check_response(said.response, review, verdict)
            check_audit(said.audit, verdict["findings"])
        except AssertionError as problem:
            problems.append(f"{story}, {profile}: {problem}")
    golden = HERE / story / "verdict.txt"
    actual = verdict_text(story, judged)
    expected = golden.read_text() if golden.exists() else ""
    if update:
        golden.write_text(actual)
    elif actual != expected:
        diff = difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True), f"{story}/verdict.txt", "what applyguard says")
        problems.append("".join(diff))
    return problems


def main():
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__.strip())
        return
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    applyguard = pathlib.Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    chosen = [argument.strip("/").split("/")[-1] for argument in sys.argv[2:] if argument != "--update"]
    recorded = sorted(path.parent.name for path in HERE.glob("*/review.json"))
    if unknown := sorted(set(chosen) - set(recorded)):
        sys.exit(f"there is no story {', '.join(unknown)}; there are {', '.join(recorded)}")
    stories = chosen or recorded
    try:
        judged = judge_all(applyguard, stories)
    except AssertionError as problem:
        sys.exit(problem)
    problems = [problem for story in stories for problem in check_story(story, judged[story], update)]
    goldens = "".join(path.read_text() for path in HERE.glob("*/verdict.txt"))
    problems += [f"no story says {words.pattern}" for words in (UNDONE, KEPT) if not words.search(goldens)]
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(stories)} stories, {len(problems)} problems")
    sys.exit(1 if problems or not stories else 0)


if __name__ == "__main__":
    main()
