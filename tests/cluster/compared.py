"""compared.py: an object as a preview foresees it, against the one that the API server makes.

The latter has in addition: fields that the API server makes, and defaults, of fields that were not there before.
"""

SERVER_MADE = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid", "deletionTimestamp",
               "deletionGracePeriodSeconds")
# Fields that the API server fills in, also in place of dropped ones.
DEFAULTED = {
    "imagePullPolicy", "protocol", "strategy", "type", "rollingUpdate", "maxSurge", "maxUnavailable", "revisionHistoryLimit", "replicas",
    "terminationGracePeriodSeconds", "securityContext", "resources", "dnsPolicy", "sessionAffinity", "sessionAffinityConfig",
    "internalTrafficPolicy", "targetPort", "nodePort", "periodSeconds", "requests", "floor", "locked", "progressDeadlineSeconds",
    "apiVersion", "emptyDir", "httpGet.path"}
# Fields that it removes as well, because another field makes them void.
WIPED = {"nodePort", "sessionAffinityConfig", "externalTrafficPolicy"}
KEYS = ("name", "port", "containerPort", "protocol", "ip", "key", "topologyKey", "whenUnsatisfiable", "mountPath", "floor")


def declared(found):
    """Without what the API server makes."""
    rest = {name: value for name, value in found.items() if name != "status"}
    rest["metadata"] = {name: value for name, value in found["metadata"].items() if name not in SERVER_MADE}
    return rest


def key_of(item):
    return tuple(item.get(name) for name in KEYS) if isinstance(item, dict) else None


def is_defaulted(path):
    return any(path.endswith(f".{each}") for each in DEFAULTED)


def is_void(value):
    """The API server does not store these."""
    return value is None or value is False or value in ("", 0) or value == {} or value == []


def differences(ours, theirs, live, path=""):
    """(path, ours, theirs) of each difference, except for defaults of fields that the live object does not have."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        live = live if isinstance(live, dict) else {}
        for name in sorted(ours.keys() | theirs.keys()):
            here = f"{path}.{name}"
            if name not in ours:
                if name in live and not is_defaulted(here) and not is_void(theirs[name]):
                    yield here, None, theirs[name]
            elif name not in theirs and name in WIPED:
                continue
            else:
                yield from differences(ours[name], theirs.get(name), live.get(name), here)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        of_live = {key_of(item): item for item in live} if isinstance(live, list) else {}
        for index, (mine, other) in enumerate(zip(ours, theirs)):
            yield from differences(mine, other, of_live.get(key_of(mine)), f"{path}[{index}]")
    elif ours != theirs and not (is_void(ours) and is_void(theirs)):
        yield path, ours, theirs
