"""account.py: a service account as the chart makes it for its pods, with rights that the chart gives, and no others."""

import json
import pathlib
import subprocess
import sys

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("server", "chart")]

import harness
import helm


def create(plane, name, values, *rights):
    """The account, with the rights of these templates of the chart as they are under the values."""
    _apply(plane, json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": helm.NAMESPACE}}))
    templates = (f"--show-only=templates/{each}.yaml" for each in ("serviceaccount", *rights))
    done = helm.render(4, f"--set={values},fullnameOverride={name}", *templates)
    if done.returncode:
        raise RuntimeError(done.stderr)
    _apply(plane, done.stdout)


def _apply(plane, text):
    subprocess.run(
        plane.kubectl_command("apply", "--context=setup", "--filename=-"), input=text, check=True, text=True, timeout=60,
        env=plane.kubectl_environment(), stdout=subprocess.DEVNULL)


def kubeconfig(plane, api, name):
    """The path of a file by which one comes to the API server as that account."""
    path = f"/api/v1/namespaces/{helm.NAMESPACE}/serviceaccounts/{name}/token"
    token = api.request("POST", path, {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}})
    config = json.loads(plane.kubeconfig.read_text())
    config["users"] = [{"name": name, "user": {"token": token.body["status"]["token"]}}]
    config["contexts"] = [{"name": name, "context": {"cluster": config["clusters"][0]["name"], "user": name}}]
    file = harness.temporary_directory() / "kubeconfig"
    file.write_text(json.dumps({**config, "current-context": name}))
    return str(file)
