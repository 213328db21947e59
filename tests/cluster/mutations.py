"""mutations.py: other values for each field of a valid object, by the API server's own schema of it.

Each class of mistakes is a table here: texts that are empty, too long or of another form, numbers out of range, amounts, keys of
maps; and a field that is not there gets a value, one that is there goes, an item is there twice.
"""

import copy

TEXTS = ("", "x", "Bad Value!", "1", "-a", "/a/../b", "A.b", "Example.com/Name", "a" * 254)
NUMBERS = (-1, 0, 1, 70000, 2**31 - 1)
AMOUNTS = ("", "-1", "1GB", "0", "1", "100Gi", "1.5")
NUMBERS_OR_TEXTS = (-1, 0, 1, 70000, "", "0", "x", "101%", "Bad Value!")
MAPS_OF_TEXTS = ({}, {"": "x"}, {"a b": "x"}, {"a": "b"}, {"a": "Bad Value!"}, {"a": "a" * 254})
OTHER_MAPS = ({}, *({"cpu": amount} for amount in AMOUNTS), {"a b": "1"}, {"x": "1"}, {"e.com/x": "1.5"})
PLAIN = {"string": "x", "quantity": "1", "int-or-string": 1, "integer": 1, "number": 1, "boolean": True}
# Fields that the API server fills in, and those of the metadata that say where the object is.
LEFT_OUT = {"status", "apiVersion", "kind", "managedFields", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
            "generation", "generateName", "namespace", "resourceVersion", "selfLink", "uid"}
# How deep a value is that a field gets.
DEPTH = 3
TWICE = "twice"


def mutations(schema, value, path=()):
    """(path, other value) of each: `...` instead of a value removes it, and TWICE repeats an item."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index), TWICE
            yield (*path, index), ...
            yield from mutations(schema.item(), item, (*path, index))
    elif isinstance(value, dict):
        for name in dict.fromkeys((*schema.at.get("properties", ()), *value)):
            if name not in LEFT_OUT or len(path) > 1:
                yield from _of_member(schema.member(name), value.get(name, ...), (*path, name))


def _of_member(schema, value, path):
    yield from ((path, other) for other in _values(schema, value is ...) if other != value)
    if value is not ...:
        yield path, ...
        yield from mutations(schema, value, path)


def changed(manifest, path, value):
    """A copy of the manifest with one mutation. It shares what is not changed."""
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


def _type(schema):
    at = schema.at
    if "oneOf" in at:
        return "quantity" if {"type": "number"} in at["oneOf"] else "int-or-string"
    if at.get("format") == "int-or-string":
        return "int-or-string"
    return "map" if at.get("type") == "object" and "additionalProperties" in at else at.get("type")


def _values(schema, is_absent):
    kind = _type(schema)
    if kind == "object":
        return ({}, _filled(schema, 1), _filled(schema, DEPTH)) if is_absent else ({},)
    if kind == "map":
        return MAPS_OF_TEXTS if _type(schema.member("a")) == "string" else OTHER_MAPS
    if kind == "array":
        item = schema.item()
        holds_objects = _type(item) in ("object", "map", "array")
        return ([], [{}], *([[_filled(item, DEPTH - 1)]] if is_absent else ())) if holds_objects else (
            [], *([each] for each in _values(item, True)), ["a", "a"])
    if kind == "string":
        return (*schema.at.get("enum", ()), *TEXTS)
    return {"quantity": AMOUNTS, "int-or-string": NUMBERS_OR_TEXTS, "integer": NUMBERS, "boolean": (True, False)}.get(kind, ())


def _filled(schema, depth):
    """A value with all of its fields, down to a depth."""
    kind = _type(schema)
    if kind == "object":
        return {name: _filled(schema.member(name), depth - 1) for name in schema.at.get("properties", ())} if depth else {}
    if kind == "array":
        return [_filled(schema.item(), depth - 1)] if depth else []
    if kind == "map":
        return {"a": _filled(schema.member("a"), depth - 1)} if depth else {}
    return PLAIN.get(kind, {})
