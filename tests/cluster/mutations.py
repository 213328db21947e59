"""mutations.py: valid objects with one field made wrong, by the schemas of the API server.

Each class of mistakes is one table or function: a text that is empty, too long or of another form, a number out of range, a field
that is missing, one that excludes another, an item that is there twice.
"""

import copy

LONG = "a" * 254
TEXTS = ("", "x", "Bad Value!", "1", "-a", "/a/../b", LONG)
NUMBERS = (-1, 0, 1, 70000, 2**31 - 1)
AMOUNTS = ("", "-1", "1GB", "0", "1", "100Gi", "1.5")
NUMBERS_OR_TEXTS = (-1, 0, 1, 70000, "", "0", "x", "101%", "Bad Value!")
MAPS = ({}, {"": "x"}, {"a b": "x"}, {"a": "b"}, {"a": "Bad Value!"}, {"a": LONG})
# Fields that the API server fills in or ignores, and parts that are tested with every kind.
LEFT_OUT = {"status", "apiVersion", "kind", "managedFields", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
            "generation", "resourceVersion", "selfLink", "uid"}
DEPTH = 3
TWICE = "twice"


def type_of(schema):
    at = schema.at
    if at.get("format") == "int-or-string":
        return "int-or-string"
    if "oneOf" in at:
        return "quantity" if {"type": "number"} in at["oneOf"] else "int-or-string"
    if at.get("type") == "object" and "additionalProperties" in at:
        return "map"
    return at.get("type", "any")


def texts(schema):
    return (*(each for each in schema.at.get("enum", ())), *TEXTS)


def filled(schema, depth=DEPTH):
    """A value with all its fields, each a plain one."""
    kind = type_of(schema)
    if kind == "object":
        return {name: filled(schema.member(name), depth - 1) for name in schema.at.get("properties", {})} if depth else {}
    if kind == "array":
        return [filled(schema.item(), depth - 1)] if depth else []
    if kind == "map":
        return {"a": filled(schema.member("a"), depth - 1)} if depth else {}
    return {"string": "x", "quantity": "1", "int-or-string": 1, "integer": 1, "number": 1, "boolean": True}.get(kind, {})


def values(schema, present):
    """Other values of a field."""
    kind = type_of(schema)
    if kind == "object":
        yield from ({}, *(() if present is not None else (filled(schema, 1), filled(schema))))
        return
    if kind == "array":
        item = schema.item()
        yield from ([], [{}], *(() if present is not None else ([filled(item, 2)],))) if type_of(item) in ("object", "map") else (
            [], *([each] for each in values(item, None)), ["a", "a"])
        return
    if kind == "map":
        yield from MAPS if type_of(schema.member("a")) == "string" else ({}, {"a": {}}, *({"cpu": each} for each in AMOUNTS), {"a b": "1"}, {"x": "1"}, {"e.com/x": "1.5"})
        return
    yield from {"string": texts(schema), "quantity": AMOUNTS, "int-or-string": NUMBERS_OR_TEXTS, "integer": NUMBERS, "boolean": (True, False)}.get(kind, ())


def changed(manifest, path, value):
    """A copy with another value at the path; without it if the value is `...`, with the item again if it is TWICE."""
    result = at = copy.copy(manifest)
    for part in path[:-1]:
        at[part] = copy.copy(at[part])
        at = at[part]
    if value is ...:
        del at[path[-1]]
    elif value is TWICE:
        at.append(at[path[-1]])
    else:
        at[path[-1]] = value
    return result


def mutations(schema, at, is_left_out, path=()):
    """(path, other value) of each, but for those below paths that are left out."""
    if is_left_out(path):
        return
    if isinstance(at, list):
        below = schema.item()
        for index, item in enumerate(at):
            yield (*path, index), TWICE
            yield (*path, index), ...
            if isinstance(item, (dict, list)):
                yield from mutations(below, item, is_left_out, (*path, index))
        return
    for name in ([*schema.at["properties"], *(each for each in at if each not in schema.at["properties"])] if "properties" in schema.at else at):
        if name in LEFT_OUT and len(path) < 2 or is_left_out((*path, name)):
            continue
        below, here, present = schema.member(name), (*path, name), at.get(name)
        yield from ((here, value) for value in values(below, present) if value != present)
        if name in at:
            yield here, ...
            if isinstance(present, (dict, list)):
                yield from mutations(below, present, is_left_out, here)
