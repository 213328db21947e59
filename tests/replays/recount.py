#!/usr/bin/env python3
"""recount.py: the numbers of a replay that need no judge, counted from a raw audit log by other means than applyguard's.

    recount.py AUDIT.log...      prints them as JSON
"""

import collections
import json
import sys
import urllib.parse

NUMBERS = ("events", "writes", "dry_runs", "refused", "forced", "conflicts")
CALLS = ("exec", "attach", "portforward", "proxy", "log", "token", "eviction", "binding")


def recount(events):
    """The numbers, as the summary of `replay -o json` has them."""
    found = {"events": 0, "writes": 0, "dry_runs": 0, "refused": collections.Counter(), "forced": collections.Counter(),
             "conflicts": collections.Counter()}
    seen = set()
    for event in events:
        if event["stage"] not in ("ResponseComplete", "Panic") or event["auditID"] in seen:
            continue
        seen.add(event["auditID"])
        found["events"] += 1
        if _is_write(event):
            _count(found, event)
    return {name: dict(number) if isinstance(number, dict) else number for name, number in found.items()}


def picked(summary):
    return {name: summary[name] for name in NUMBERS}


def is_done_write(event):
    return event["stage"] == "ResponseComplete" and _is_write(event) and 200 <= event["responseStatus"]["code"] < 300


def _is_write(event):
    reference = event.get("objectRef", {})
    resource = reference.get("resource", "")
    return (event["verb"] in ("create", "update", "patch") and resource and not resource.endswith("reviews")
            and resource != "bindings" and reference.get("subresource") not in CALLS)


def _count(found, event):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(event["requestURI"]).query)
    manager = query.get("fieldManager", [event.get("userAgent", "").partition("/")[0]])[0]
    code, is_dry_run = event["responseStatus"]["code"], "All" in query.get("dryRun", [])
    is_done = 200 <= code < 300
    found["writes"] += is_done
    found["dry_runs"] += is_done and is_dry_run
    if is_dry_run:
        return
    if is_done:
        found["forced"].update([manager] if query.get("force") == ["true"] else [])
        return
    causes = event["responseStatus"].get("details", {}).get("causes", [])
    is_conflict = code == 409 and causes and causes[0].get("reason") == "FieldManagerConflict"
    found["refused"].update([str(code)])
    found["conflicts"].update([manager] if is_conflict else [])


if __name__ == "__main__":
    print(json.dumps(recount(json.loads(line) for path in sys.argv[1:] for line in open(path))))
