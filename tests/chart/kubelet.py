"""kubelet.py: a container of the chart's on loopback, with what a kubelet would mount into it, from the cluster, in files."""

import base64
import json
import pathlib


class Kubelet:
    """For the pods of one namespace. `cluster` has `get` and `must`, as ClusterTest has them; what is mounted is put into
    folders of `directory`."""

    def __init__(self, cluster, namespace, directory):
        self.cluster, self.namespace, self.directory = cluster, namespace, pathlib.Path(directory)

    def arguments(self, pod, annotations=None):
        """The arguments of the pod's only container; mounts are where they are here. `pod` is its spec."""
        self.fields = {f"metadata.annotations['{key}']": value for key, value in (annotations or {}).items()}
        self.fields["metadata.namespace"] = self.namespace
        [container] = pod["containers"]
        args = container["args"]
        for mount in container["volumeMounts"]:
            folder = self._fill(pod, mount["name"])
            args = [each.replace(mount["mountPath"], str(folder)) for each in args]
        return args

    def folder(self, name):
        """Where a volume is."""
        return self.directory / name

    def _fill(self, pod, name):
        [volume] = [each for each in pod["volumes"] if each["name"] == name]
        self.folder(name).mkdir()
        for path, content in self._files(pod, volume).items():
            (self.folder(name) / path).write_bytes(content)
        return self.folder(name)

    def _files(self, pod, source):
        if "projected" in source:
            parts = [self._files(pod, part) for part in source["projected"]["sources"]]
            return {path: content for part in parts for path, content in part.items()}
        if "serviceAccountToken" in source:
            return self._token(pod, source["serviceAccountToken"])
        if "downwardAPI" in source:
            return {item["path"]: self.fields[item["fieldRef"]["fieldPath"]].encode() for item in source["downwardAPI"]["items"]}
        if "configMap" in source:
            data = self._get("configmap", source["configMap"]["name"])["data"]
            return chosen(source["configMap"], {key: value.encode() for key, value in data.items()})
        data = self._get("secret", source["secret"]["secretName"])["data"]
        return chosen(source["secret"], {key: base64.b64decode(value) for key, value in data.items()})

    def _token(self, pod, source):
        """A token of the pod's account, from the API server, for as long as the pod asks."""
        token = self.cluster.must(
            "create", "token", pod["serviceAccountName"], f"--duration={source['expirationSeconds']}s",
            "--namespace", self.namespace)
        return {source["path"]: token.strip().encode()}

    def _get(self, kind, name):
        return self.cluster.get(kind, name, "--namespace", self.namespace)


def chosen(source, data):
    """The entries that a volume takes."""
    return {item["path"]: data[item["key"]] for item in source["items"]} if "items" in source else data


def kubeconfig(file, server, token_file, authority):
    """How a program outside of a pod reaches the API server with a pod's token."""
    file.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "pod",
        "clusters": [{"name": "test", "cluster": {"server": server, "certificate-authority": str(authority)}}],
        "users": [{"name": "pod", "user": {"tokenFile": str(token_file)}}],
        "contexts": [{"name": "pod", "context": {"cluster": "test", "user": "pod"}}]}))
    return file
