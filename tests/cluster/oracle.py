"""oracle.py: the API server's own view of ownership, to compare with applyguard's findings.

An unforced server-side apply that would take fields is answered 409, with each field and its manager in the causes. The
same apply forced reaches the webhook, and its ownership conflicts must be exactly those causes, but for what applyguard
leaves out on purpose; `left_out` says what that is.
"""

import json
import re

QUOTED = r'"((?:[^"\\]|\\.)*)"'
CAUSE = re.compile(rf"conflict with {QUOTED}(?: with subresource {QUOTED})?( using \S+(?: at \S+)?)?$")
ABSENT = object()
TOOLS_ANNOTATIONS = {
    ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration",
    ".metadata.annotations.deployment.kubernetes.io/revision",
}


def refused(answer):
    """{(field, manager, operation, subresource)} of a 409."""
    conflicts = set()
    for cause in answer.body["details"]["causes"]:
        if cause["reason"] != "FieldManagerConflict":
            raise AssertionError(f"another cause: {cause}")
        manager, subresource, update = CAUSE.match(cause["message"]).groups()
        conflicts.add((
            cause["field"], _unquote(manager), "Update" if update else "Apply", _unquote(subresource or "")))
    return conflicts


def _unquote(text):
    return json.loads(f'"{text}"')


def found(exchange):
    """The same of the findings in the answer to a review."""
    conflicts = set()
    for finding in exchange.findings:
        if "more" in finding or "fieldCount" in finding or "loserCount" in finding:
            raise AssertionError(f"the findings are not all listed: {finding}")
        if finding["rule"] == "ownership-conflict":
            conflicts |= {
                (field, loser["manager"], loser["operation"], loser.get("subresource", ""))
                for field in finding["fields"] for loser in finding["losers"]}
    return conflicts


def left_out(exchange, conflicts, taker):
    """Those conflicts of a 409 that applyguard does not report, by its own definition of the word."""
    values = owned_values(exchange.request)
    left = set()
    for conflict in conflicts:
        field, manager, _, subresource = conflict
        # The API server makes up the owner of an object without managedFields during the request.
        if conflict not in values and manager == "before-first-apply":
            left.add(conflict)
            continue
        old, new = values[conflict]
        # The server compares before it normalises: 1000m for 1 is refused, and yet no other value in the end.
        same_tool = (manager, subresource) == (taker, "")
        if (_same(old, new) or same_tool or _is_membership(exchange.request, field, old, new)
                or field in TOOLS_ANNOTATIONS or manager == "kubectl-last-applied"):
            left.add(conflict)
    return left


def _same(old, new):
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True) if ABSENT not in (old, new) else old is new


def _is_membership(request, field, old, new):
    """A container that is there or not, while others own what is in it. An empty one is not stored at all."""
    if not isinstance(new, (dict, list)) or not (old is ABSENT or isinstance(old, (dict, list))):
        return False
    if not new and not (old is not ABSENT and old):
        return True
    sides = [request["oldObject"], request["object"]]
    return any(
        other.startswith((field + ".", field + "["))
        for side in sides for other, *_ in _fields(side) if other != field)


def removed(exchange, conflicts):
    """Those findings that say that a field is gone: the server refuses no apply for what it removes."""
    gone = {key for key, (old, new) in owned_values(exchange.request).items() if old is not ABSENT and new is ABSENT}
    # A removed item or map counts as its content.
    return {
        (field, *owner) for field, *owner in conflicts
        if any(owned[1:] == tuple(owner) and (owned[0] == field or owned[0].startswith((field + ".", field + "[")))
               for owned in gone)}


def _fields(side):
    for entry in side["metadata"].get("managedFields", []):
        yield from _walk(entry["fieldsV1"], "", side, side)


def owned_values(request):
    """{(field, manager, operation, subresource): (old value, new value)} of fields that the old object's managers own."""
    values = {}
    for entry in request["oldObject"]["metadata"].get("managedFields", []):
        owner = (entry["manager"], entry["operation"], entry.get("subresource", ""))
        for field, *sides in _walk(entry["fieldsV1"], "", request["oldObject"], request["object"]):
            values[(field, *owner)] = tuple(sides)
    return values


def _walk(fields, printed, old, new):
    # A container may be owned with what is in it, and then the server names it, or only what is in it.
    if printed:
        yield printed, old, new
    for key, below in fields.items():
        if key != ".":
            yield from _walk(below, printed + _print(key), _step(old, key), _step(new, key))


def _print(key):
    kind, text = key.split(":", 1)
    if kind == "f":
        return f".{text}"
    value = json.loads(text)
    if kind == "k":
        return "[" + ",".join(f"{name}={_scalar(value[name])}" for name in sorted(value)) + "]"
    return f"[={_scalar(value)}]" if kind == "v" else f"[{text}]"


def _scalar(value):
    return json.dumps(value, ensure_ascii=False)


def _step(value, key):
    kind, text = key.split(":", 1)
    if kind == "f":
        return value.get(text, ABSENT) if isinstance(value, dict) else ABSENT
    if not isinstance(value, list):
        return ABSENT
    wanted = json.loads(text)
    for item in value:
        if kind == "k" and isinstance(item, dict) and all(item.get(name) == wanted[name] for name in wanted):
            return item
        if kind == "v" and item == wanted and type(item) is type(wanted):
            return item
    return ABSENT


def judge(test, path, manifest, manager, user="admin"):
    """Applies unforced and, where that is refused, forced; the forced apply's findings must be the causes.

    Gives the exchange of the apply that was let through and the conflicts, or None where the manifest is invalid.
    """
    before = test.recorder.count()
    tried = test.api.apply(path, manifest, manager, user=user)
    answer = tried if tried.status != 409 else test.api.apply(path, manifest, manager, force=True, user=user)
    if not answer.ok:
        return None
    exchange = own_exchange(test, before, path, manager)
    if exchange.request["operation"] == "CREATE":
        return exchange, set()
    causes = refused(tried) if tried.status == 409 else set()
    expected = causes - left_out(exchange, causes, manager)
    said = found(exchange)
    missing, false = expected - said, said - expected
    false -= removed(exchange, false)
    if missing or false:
        raise AssertionError(
            f"{manager} applies {json.dumps(manifest)}\nmissing findings: {sorted(missing)}\n"
            f"false findings: {sorted(false)}\nthe review is in {test.save(exchange, 'conflict')}")
    return exchange, expected


def own_exchange(test, before, path, manager):
    """The review of the request just sent; the controllers' are left aside."""
    name = path.rpartition("/")[2]
    own = [each for each in test.recorder.since(before) if each.request["name"] == name
           and (each.request.get("options") or {}).get("fieldManager") == manager]
    if not own:
        raise AssertionError(f"no review of {path} by {manager} was recorded")
    return own[-1]
