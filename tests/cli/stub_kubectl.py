"""stub_kubectl.py: a program named kubectl, for tests of the commands that read a cluster.

`serve` makes one that answers from a table of paths, as kubectl get --raw and kubectl get do; `script` one that does anything.
"""
import json
import os
import sys

SERVER = """\
#!{python}
import json, sys
with open({asked!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
objects, names = json.load(open({objects!r})), json.load(open({names!r}))
words = [word for word in sys.argv[1:] if not word.startswith(("--kubeconfig=", "--context="))]
if words[:3] == ["config", "view", "--minify"]:
    sys.exit(print("shop", end=""))
found = objects.get(words[2] if words[:2] == ["get", "--raw"] else names.get(words[-1]))
if found is None:
    sys.exit('Error from server (NotFound): the server could not find the requested resource')
print(json.dumps(found) if found != "" else "", end="")
"""


def script(folder, text):
    """Writes folder/kubectl. Returns the environment in which it is the only kubectl."""
    path = folder / "kubectl"
    path.write_text(text)
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


class Served:
    """What the stub answers: the object of each path, and the path of each KIND/NAME."""

    def __init__(self, folder, objects, names):
        self.folder, self.objects, self.names = folder, objects, names
        self.environment = script(folder, SERVER.format(
            python=sys.executable, **{name: str(folder / f"kubectl-{name}.json") for name in ("asked", "objects", "names")}))
        self.write()

    def write(self):
        for name in ("objects", "names"):
            (self.folder / f"kubectl-{name}.json").write_text(json.dumps(getattr(self, name)))
        self.asked_file().write_text("")

    def asked_file(self):
        return self.folder / "kubectl-asked.json"

    def asked(self):
        """The arguments of each call so far."""
        return [json.loads(line) for line in self.asked_file().read_text().splitlines()]

    def paths(self):
        return [words[-1] for words in self.asked() if "--raw" in words]


def without_kubectl(folder):
    """A PATH that has no kubectl."""
    return {**os.environ, "PATH": str(folder)}
