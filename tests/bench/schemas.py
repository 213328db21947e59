"""JSON Schemas of Kubernetes' kinds, as kubeconform reads them, made of the OpenAPI document that the API server's module has.

Those that people load from the internet are made of it too: each is whole in itself, and what is optional may be null.
"""
import json

INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
REFERENCE = "#/definitions/"
KINDS = "x-kubernetes-group-version-kind"


def whole(definitions, schema, above=()):
    """The schema with what it refers to in the place of each reference."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        if name == INT_OR_STRING:
            return {"oneOf": [{"type": ["string", "null"]}, {"type": "integer"}]}
        if name == QUANTITY:
            return {"oneOf": [{"type": ["string", "null"]}, {"type": "number"}]}
        # Schemas of schemas hold themselves.
        return {} if name in above else whole(definitions, definitions[name], (*above, name))
    made = {key: value for key, value in schema.items() if key in ("type", "required", "enum")}
    for key in "items", "additionalProperties":
        if key in schema:
            made[key] = whole(definitions, schema[key], above)
    required = schema.get("required", [])
    if "properties" in schema:
        made["properties"] = {name: or_null(whole(definitions, each, above), name in required)
                              for name, each in schema["properties"].items()}
    return made


def or_null(schema, is_required):
    return schema if is_required or not isinstance(schema.get("type"), str) else {**schema, "type": [schema["type"], "null"]}


def write_schemas(swagger, folder):
    """One file per kind and version: deployment-apps-v1.json."""
    definitions = json.loads(swagger.read_text())["definitions"]
    for definition in definitions.values():
        # A kind in several groups, such as DeleteOptions, is in every group, and is not for manifests.
        if len(definition.get(KINDS, ())) != 1:
            continue
        [of] = definition[KINDS]
        suffix = "-".join(part.split(".")[0] for part in (of["group"], of["version"]) if part)
        schema = whole(definitions, definition)
        schema["properties"]["apiVersion"]["enum"] = ["/".join(part for part in (of["group"], of["version"]) if part)]
        schema["properties"]["kind"]["enum"] = [of["kind"]]
        (folder / f"{of['kind'].lower()}-{suffix}.json".lower()).write_text(json.dumps(schema))
