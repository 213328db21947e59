"""compared.py: an object as a preview foresees it, against the one that the API server makes.

The latter has in addition: fields that the API server makes, and defaults of fields and items that were not there before.
"""

SERVER_MADE = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid", "deletionTimestamp",
               "deletionGracePeriodSeconds")
# It counts the changes of a DaemonSet's template.
COUNTER = "deprecated.daemonset.template.generation"


def declared(found):
    """Without what the API server makes."""
    rest = {name: value for name, value in found.items() if name != "status"}
    rest["metadata"] = {name: value for name, value in found["metadata"].items() if name not in SERVER_MADE}
    if COUNTER in rest["metadata"].get("annotations", ()):
        rest["metadata"]["annotations"] = {name: value for name, value in rest["metadata"]["annotations"].items() if name != COUNTER}
    return rest


def differences(schema, ours, theirs, live):
    """(path, ours, theirs) of each difference, except for defaults of fields that the live object does not have. A list or map
    that is one value, as the schema says, has all its defaults. `live` is None for a new object: plugins of the API server add
    items to its lists. Null is as good as nothing."""
    yield from _differences(schema, ours, theirs, live, "", False, live is None)


def _differences(schema, ours, theirs, live, path, is_whole, is_new):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        is_whole |= schema.is_whole and isinstance(live, dict)
        live = live if isinstance(live, dict) else {}
        for name in sorted(ours.keys() | theirs.keys()):
            if name in ours or name in live or is_whole:
                yield from _differences(schema.member(name), ours.get(name), theirs.get(name), live.get(name), f"{path}.{name}", is_whole, is_new)
    elif isinstance(ours, list) and isinstance(theirs, list) and (len(ours) == len(theirs) or is_new and len(ours) < len(theirs)):
        is_whole |= schema.is_whole and isinstance(live, list)
        live = live if isinstance(live, list) else []
        for index, (mine, other) in enumerate(zip(ours, theirs)):
            yield from _differences(schema.item(), mine, other, _same_item(schema, mine, live), f"{path}[{index}]", is_whole, is_new)
    elif ours != theirs:
        yield path, ours, theirs


def _same_item(schema, item, items):
    return next((each for each in items if schema.keys and all(each.get(key) == item.get(key) for key in schema.keys)), None)
