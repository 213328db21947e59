"""discovery.py: the API server's own word on its kinds: their paths, and which of their lists and maps are one value."""

import functools

ANYTHING = {}


class Discovery:
    def __init__(self, api):
        self.api = api

    def versions(self):
        """Each apiVersion that is served."""
        groups = self.api.request("GET", "/apis").body["groups"]
        return ["v1", *(each["groupVersion"] for group in groups for each in group["versions"])]

    @functools.cache
    def resources(self, version):
        """The resources of an apiVersion by their kinds, without subresources; none, if its API server does not answer."""
        answer = self.api.request("GET", f"/{_root(version)}")
        return {each["kind"]: each for each in answer.body["resources"] if "/" not in each["name"]} if answer.ok else {}

    def collection(self, manifest, namespace):
        """The path of all objects of the manifest's kind; the namespace counts if the kind has any."""
        version = manifest["apiVersion"]
        resource = self.resources(version)[manifest["kind"]]
        place = ["namespaces", namespace] if resource["namespaced"] else []
        return "/".join(["", _root(version), *place, resource["name"]])

    def path(self, manifest, namespace):
        return f"{self.collection(manifest, namespace)}/{manifest['metadata']['name']}"

    @functools.cache
    def schema(self, version, kind):
        """The schema of a kind; one that says nothing, if there is none."""
        group, _, number = f"/{version}".rpartition("/")
        wanted = {"group": group.strip("/"), "kind": kind, "version": number}
        schemas = self._schemas(version)
        found = [each for each in schemas.values() if wanted in each.get("x-kubernetes-group-version-kind", ())]
        return Schema(schemas, found[0] if found else ANYTHING)

    @functools.cache
    def _schemas(self, version):
        return self.api.request("GET", f"/openapi/v3/{_root(version)}").body["components"]["schemas"]


def _root(version):
    return f"apis/{version}" if "/" in version else f"api/{version}"


class Schema:
    """A schema of a document, with those that it refers to."""

    def __init__(self, schemas, at):
        self.schemas = schemas
        self.at = at
        while "$ref" in self.at or len(self.at.get("allOf", ())) == 1:
            inner = self.at if "$ref" in self.at else self.at["allOf"][0]
            self.at = {**self.schemas[inner["$ref"].rpartition("/")[2]], **{
                name: value for name, value in self.at.items() if name not in ("$ref", "allOf")}}

    def member(self, name):
        below = self.at.get("properties", {}).get(name, self.at.get("additionalProperties", ANYTHING))
        return Schema(self.schemas, below if isinstance(below, dict) else ANYTHING)

    def item(self):
        return Schema(self.schemas, self.at.get("items", ANYTHING))

    @property
    def is_whole(self):
        """Whether a list or map of this schema is one value."""
        if self.at.get("type") == "array":
            return self.at.get("x-kubernetes-list-type", "atomic") == "atomic"
        return self.at.get("x-kubernetes-map-type") == "atomic"

    @property
    def keys(self):
        """The keys of the items of a list of this schema."""
        return self.at.get("x-kubernetes-list-map-keys", ())
