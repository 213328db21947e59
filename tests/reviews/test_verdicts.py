#!/usr/bin/env python3
"""Golden verdicts: what applyguard says of each recorded review, under each profile.

    tests/reviews/test_verdicts.py APPLYGUARD [--update] [STORY...]

tests/reviews/STORY holds the review as the API server sent it, story.txt with what was done, and verdict.txt with what
people read of it; policy.yaml, where there is one, is a policy to judge it under besides. A verdict that differs is
shown as a diff; --update writes the files anew, for that diff to be read.
Protects every judgement, and with it every user from a warning that nobody meant to give.
"""
import concurrent.futures
import difflib
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROFILES = ("audit", "baseline", "strict")
OWN_POLICY = "policy.yaml"
ACTIONS = ("deny", "warn", "audit")
# A message of a review with ordinary names, which has to fit into a warning whole.
MESSAGE_BYTES_MAX = 200
# What an apply does to a field, and what it does not.
UNDONE = re.compile(r"undoes this|will undo this|will set again")
KEPT = re.compile(r"no apply removes|but (it stays|they stay),|cannot delete")
KEYS = ["file", "uid", "operation", "kind", "namespace", "name", "allowed", "mode", "findings", "dropped"]
FINDING_KEYS = ["rule", "action", "policyAction", "message", "fields", "fieldCount", "taker", "losers", "loserCount", "waivedBy"]


def policies_of(story):
    """The profiles, and the story's own policy: for rules that are off in all of them."""
    return PROFILES + ((OWN_POLICY,) if (HERE / story / "policy.yaml").exists() else ())


def judge(applyguard, story, profile, output, mode="enforce"):
    """The report, and the exit status."""
    policy = HERE / story / "policy.yaml" if profile == OWN_POLICY else HERE / f"{profile}.yaml"
    command = [applyguard, "review", "--policy", policy, "--mode", mode, "-o", output, "review.json"]
    done = subprocess.run(command, cwd=HERE / story, capture_output=True, timeout=60)
    if done.stderr:
        raise AssertionError(f"{story}, {profile}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode("utf-8"), done.returncode


def verdict_text(applyguard, story):
    """What verdict.txt should hold: the story, then the report under each profile."""
    parts = [(HERE / story / "story.txt").read_text()]
    for profile in policies_of(story):
        parts.append(f"\n== {profile}\n" + judge(applyguard, story, profile, "text")[0])
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
    """Each begins with the object, is short, and none says of a field what another one denies."""
    undone, kept = set(), set()
    for finding in verdict["findings"]:
        message, fields = finding["message"], set(finding.get("fields", []))
        assert message.startswith(object_of(verdict)), f"the object is not in front: {message}"
        assert message.count(object_of(verdict)) == 1, f"the object is there twice: {message}"
        assert len(message.encode()) <= MESSAGE_BYTES_MAX, f"{len(message.encode())} bytes are too long: {message}"
        undone |= fields if UNDONE.search(message) else set()
        kept |= fields if KEPT.search(message) else set()
    both = [(a, b) for a in undone for b in kept if a.startswith(b) or b.startswith(a)]
    assert not both, f"said to be undone by an apply, and to be left by it: {both}"


def check_json(applyguard, story, profile, request):
    """-o json: one line, the keys in their order, the exit status and the uid right."""
    text, status = judge(applyguard, story, profile, "json")
    assert text.count("\n") == 1 and text.endswith("\n"), "-o json is not one line"
    verdict = json.loads(text)
    assert in_order(verdict, KEYS), f"keys in another order: {list(verdict)}"
    assert verdict["uid"] == request["uid"], "another uid"
    denied = any(finding["action"] == "deny" for finding in verdict["findings"])
    assert verdict["allowed"] is not denied and status == (1 if denied else 0), "allowed, findings and status differ"
    for finding in verdict["findings"]:
        assert in_order(finding, FINDING_KEYS), f"keys in another order: {list(finding)}"
    actions = [ACTIONS.index(finding["action"]) for finding in verdict["findings"]]
    assert actions == sorted(actions), "not the worst first"
    check_messages(verdict)
    return verdict


def check_audit(applyguard, story, profile, enforced):
    """Where nothing is enforced, the same is found, in the same order, and each finding says what enforcing would do."""
    found = json.loads(judge(applyguard, story, profile, "json", mode="audit")[0])["findings"]
    assert found == [{**finding, "action": "audit"} for finding in enforced], "other findings in the mode audit"


def check_response(applyguard, story, profile, review, verdict):
    """-o response: what the API server accepts (admissionreview.go), within its limits."""
    text, _ = judge(applyguard, story, profile, "response")
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


def check_story(applyguard, story, update):
    """A list of what is wrong."""
    review = json.loads((HERE / story / "review.json").read_text())
    problems = []
    for profile in policies_of(story):
        try:
            verdict = check_json(applyguard, story, profile, review["request"])
            check_response(applyguard, story, profile, review, verdict)
            check_audit(applyguard, story, profile, verdict["findings"])
        except AssertionError as problem:
            problems.append(f"{story}, {profile}: {problem}")
    golden = HERE / story / "verdict.txt"
    actual = verdict_text(applyguard, story)
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
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(functools.partial(check_story, applyguard, update=update), stories)
        problems = [problem for of_story in found for problem in of_story]
    goldens = "".join(path.read_text() for path in HERE.glob("*/verdict.txt"))
    problems += [f"no story says {words.pattern}" for words in (UNDONE, KEPT) if not words.search(goldens)]
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(stories)} stories, {len(problems)} problems")
    sys.exit(1 if problems or not stories else 0)


if __name__ == "__main__":
    main()
