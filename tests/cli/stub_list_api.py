"""stub_list_api.py: a program named kubectl that answers lists as an API server does, for the tests of scan.

Each kind has its objects, and how its lists behave: in pages, with tokens that expire, too busy for the first requests, forbidden.
"""
import json
import sys

from stub_kubectl import script

SERVER = """\
#!{python} -IS
import base64, json, os, re, sys, time, urllib.parse
folder = {folder!r}
words = sys.argv[1:]
context = next((word[len("--context="):] for word in words if word.startswith("--context=")), "")
if "--raw" not in words:
    with open(folder + "/commands", "a") as log:
        content = json.load(open(words[words.index("-f") + 1])) if "-f" in words else None
        log.write(json.dumps([words, content]) + "\\n")
    if not os.path.exists(folder + "/refuse"):
        sys.exit()
    how = open(folder + "/refuse").read()
    if how == "silently":
        sys.exit(3)
    print("Error from server (Forbidden): not you", file=sys.stderr, flush=True)
    time.sleep(float(how or 0))
    sys.exit(1)
path = words[words.index("--raw") + 1]
with open(folder + "/asked", "a") as log:
    log.write(json.dumps([context, path]) + "\\n")
cluster = json.load(open(f"{{folder}}/cluster-{{context}}.json"))
address = urllib.parse.urlsplit(path)
query = urllib.parse.parse_qs(address.query)

def refuse(reason, sentence="it is so"):
    sys.exit(f"Error from server ({{reason}}): {{sentence}}")

if address.path in cluster["discovery"]:
    print(json.dumps(cluster["discovery"][address.path]))
    sys.exit()
kind = cluster["lists"].get(re.sub("/namespaces/[^/]+/", "/", address.path))
if kind is None:
    refuse("NotFound")
if kind.get("forbidden"):
    refuse("Forbidden", "things is forbidden")
counter = folder + "/tries" + address.path.replace("/", "_")
tries = int(open(counter).read()) if os.path.exists(counter) else 0
open(counter, "w").write(str(tries + 1))
if tries < kind.get("busy", 0):
    refuse("TooManyRequests", "please try again later")
if kind.get("broken"):
    print("{{")
    sys.exit()
namespace = re.search("/namespaces/([^/]+)/", address.path)
items = [item for item in json.load(open(kind["items"])) if not namespace or item["metadata"].get("namespace") == namespace.group(1)]
start, metadata = 0, {{"resourceVersion": "7"}}
if "continue" in query:
    text = query["continue"][0]
    token = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    if token["rv"] != -1 and kind.get("expires"):
        refuse("Expired", "The provided continue parameter is too old")
    start = int(token["start"])
if start and kind.get("ends"):
    refuse("Forbidden", "things is forbidden")
end = start + int(query.get("limit", ["100000"])[0])
if end < len(items):
    token = json.dumps({{"v": "meta.k8s.io/v1", "rv": 7, "start": str(end)}}).encode()
    metadata["remainingItemCount"] = len(items) - end
    metadata["continue"] = base64.urlsafe_b64encode(token).decode().rstrip("=")
print(json.dumps({{"kind": kind["kind"] + "List", "apiVersion": kind["apiVersion"], "metadata": metadata, "items": items[start:end]}}))
"""


class Cluster:
    """Kinds with their objects. `set` changes how the lists of a kind behave."""

    def __init__(self, folder, contexts=("",)):
        self.folder, self.contexts = folder, contexts
        self.kinds = {}
        self.environment = script(folder, SERVER.format(python=sys.executable, folder=str(folder)))

    def add(self, api_version, kind, plural, items=(), namespaced=True, verbs=("get", "list"), short=()):
        """Items of built-in kinds do not name their kind, as in an API server's lists."""
        self.kinds[plural] = {"apiVersion": api_version, "kind": kind, "namespaced": namespaced, "verbs": list(verbs), "short": list(short),
                              "items": [{name: value for name, value in item.items() if name not in ("kind", "apiVersion")} for item in items]}
        return self

    def set(self, plural, **behaviour):
        self.kinds[plural].update(behaviour)
        return self

    def write(self):
        versions = {}
        for plural, kind in self.kinds.items():
            versions.setdefault(kind["apiVersion"], []).append({
                "name": plural, "singularName": kind["kind"].lower(), "kind": kind["kind"], "namespaced": kind["namespaced"],
                "verbs": kind["verbs"], "shortNames": kind["short"]})
            versions[kind["apiVersion"]].append({"name": f"{plural}/status", "kind": kind["kind"], "verbs": ["get"], "namespaced": True})
        groups = {}
        for version in versions:
            if "/" in version:
                groups.setdefault(version.split("/")[0], []).append({"groupVersion": version, "version": version.split("/")[1]})
        base = {version: "/apis/" + version if "/" in version else "/api/" + version for version in {"v1", *versions}}
        discovery = {path: {"kind": "APIResourceList", "groupVersion": version, "resources": versions.get(version, [])}
                     for version, path in base.items()}
        discovery["/apis"] = {"kind": "APIGroupList", "groups": [
            {"name": name, "versions": each, "preferredVersion": each[0]} for name, each in groups.items()]}
        # Each request is a program of its own, which reads only the objects that it lists.
        lists = {f"{base[kind['apiVersion']]}/{plural}": {**kind, "items": str(self.folder / f"items-{plural}.json")}
                 for plural, kind in self.kinds.items()}
        for plural, kind in self.kinds.items():
            (self.folder / f"items-{plural}.json").write_text(json.dumps(kind["items"]))
        for context in self.contexts:
            (self.folder / f"cluster-{context}.json").write_text(json.dumps({"discovery": discovery, "lists": lists}))
        (self.folder / "asked").write_text("")
        for tries in self.folder.glob("tries*"):
            tries.unlink()
        return self

    def commands(self):
        """The words of each command that writes, with the content of its file."""
        path = self.folder / "commands"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def asked(self):
        """The context and the path of each request so far."""
        return [json.loads(line) for line in (self.folder / "asked").read_text().splitlines()]
