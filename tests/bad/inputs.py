"""Reviews that no client should send: each a name, the bytes, and what must come of them.

Made from a recorded review, so that 16 MiB strings and 100,000 brackets are not stored. `expect` is None where no
answer with a right uid could be given (HTTP 400, exit status 2), else the words that an audit finding of the rule
`unjudged`, or of another rule, must hold; "" where the review is judged as if nothing were wrong.
"""
import copy
import json
import pathlib
from typing import NamedTuple, Optional

REVIEWS = pathlib.Path(__file__).resolve().parent.parent / "reviews"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

# A file may hold several reviews, one after another; a request may not.
SEVERAL_IN_A_FILE = ("two-reviews-in-one", "trailing-garbage")


class Input(NamedTuple):
    name: str
    body: bytes
    expect: Optional[str]


def recorded(story):
    return json.loads((REVIEWS / story / "review.json").read_text())


def encode(review):
    return json.dumps(review, separators=(",", ":"), ensure_ascii=False).encode()


def changed(story, change):
    review = copy.deepcopy(recorded(story))
    change(review["request"])
    return encode(review)


def both_sides(request):
    return [request[side] for side in ("object", "oldObject") if request.get(side)]


def rename_key(fields, old, new):
    """Replaces a key of FieldsV1 wherever it stands, in place in the order."""
    for key in list(fields):
        value = fields.pop(key)
        rename_key(value, old, new)
        fields[new if key == old else key] = value


def with_key(new):
    def change(request):
        for side in both_sides(request):
            for entry in side["metadata"]["managedFields"]:
                rename_key(entry["fieldsV1"], 'k:{"name":"nginx"}', new)
    return changed("edit-ssa", change)


def with_managed_fields(value):
    def change(request):
        for side in both_sides(request):
            side["metadata"]["managedFields"] = value
    return changed("edit-ssa", change)


def without_fields_v1(request):
    for side in both_sides(request):
        del side["metadata"]["managedFields"][0]["fieldsV1"]


def two_items_with_one_key(request):
    for side in both_sides(request):
        containers = side["spec"]["template"]["spec"]["containers"]
        containers.append(copy.deepcopy(containers[0]))


def unknown_prefix(request):
    for side in both_sides(request):
        side["metadata"]["managedFields"][0]["fieldsV1"]["x:future"] = {"f:a": {}}
    request["object"]["metadata"]["managedFields"][0]["fieldsV1"].pop("x:future")


def with_annotation(value, key=LAST_APPLIED):
    def change(request):
        request["object"]["metadata"].setdefault("annotations", {})[key] = value
    return changed("csa-image", change)


def with_request(**members):
    return changed("edit-ssa", lambda request: request.update(members))


def without_request(name):
    return changed("edit-ssa", lambda request: request.pop(name))


def duplicate(body, member):
    """The member once more, at the end of the request."""
    return body[:-2] + b"," + member + b"}}"


def invisible_names(request):
    for side in both_sides(request):
        for entry in side["metadata"]["managedFields"]:
            if entry["manager"] == "kubectl":
                entry["manager"] = "a\u0000b\u001b[31m\n\u202e"


def unreadable():
    good = encode(recorded("edit-ssa"))
    yield "empty", b""
    yield "not-json", b"hello"
    yield "yaml", b"kind: AdmissionReview\n"
    yield "truncated", good[: len(good) // 2]
    yield "trailing-garbage", good + b"}"
    yield "two-reviews-in-one", good + good
    yield "nul-byte", good.replace(b'"admin"', b'"ad\0min"', 1)
    yield "not-utf-8", good.replace(b'"admin"', b'"ad\xff\xfemin"', 1)
    yield "lone-surrogate", good.replace(b'"admin"', b'"\\ud800"', 1)
    yield "nested-arrays", b"[" * 100_000
    yield "nested-arrays-closed", b"[" * 100_000 + b"]" * 100_000
    yield "array", b"[" + good + b"]"
    yield "null", b"null"
    yield "empty-object", b"{}"
    yield "other-kind", good.replace(b'"AdmissionReview"', b'"TokenReview"', 1)
    yield "other-version", good.replace(b"admission.k8s.io/v1", b"admission.k8s.io/v2", 1)
    yield "request-missing", encode({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1"})
    yield "request-null", encode({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": None})
    yield "uid-missing", without_request("uid")
    yield "uid-number", with_request(uid=7)
    yield "uid-empty", with_request(uid="")
    yield "uid-twice", duplicate(good, b'"uid":"another"')
    yield "object-twice", duplicate(good, b'"object":null')
    yield "request-twice", good[:-1] + b',"request":{"uid":"another"}}'
    yield "operation-unknown", with_request(operation="PATCH")
    yield "operation-missing", without_request("operation")
    yield "kind-missing", without_request("kind")


def readable():
    yield "object-null", with_request(object=None), "no object"
    yield "object-string", with_request(object="web"), "object is not an object"
    yield "object-list", with_request(object=[{}]), "object is not an object"
    yield "object-empty", with_request(object={}), "metadata is not an object"
    yield "old-object-null", with_request(oldObject=None), "no old object"
    yield "old-object-number", with_request(oldObject=3), "oldObject is not an object"
    yield "metadata-list", changed("edit-ssa", lambda r: r["object"].update(metadata=[])), "metadata is not an object"
    yield "options-missing", without_request("options"), ""
    yield "user-missing", without_request("userInfo"), ""
    yield "user-string", with_request(userInfo="admin"), ""
    yield "nested-in-object", with_request(object={"metadata": {}, "spec": json.loads("[" * 900 + "]" * 900)}), ""
    yield "huge-string", changed("edit-ssa", lambda r: r["object"]["spec"].update(huge="x" * (16 << 20))), ""
    yield "large-string", changed("edit-ssa", lambda r: r["object"]["spec"].update(large="x" * (7 << 20))), ""
    yield "metadata-twice", encode(recorded("edit-ssa")).replace(b'"metadata":{', b'"metadata":{},"metadata":{', 1), ""
    yield "managed-fields-string", with_managed_fields("f:spec"), "managedFields are not a list"
    yield "managed-fields-object", with_managed_fields({}), "managedFields are not a list"
    yield "managed-fields-of-strings", with_managed_fields(["a"]), "no readable fieldsV1"
    yield "managed-fields-null", with_managed_fields(None), ""
    yield "fields-v1-missing", changed("edit-ssa", without_fields_v1), "no readable fieldsV1"
    yield "fields-unknown-prefix", changed("edit-ssa", unknown_prefix), ""
    yield "key-not-json", with_key("k:nginx"), "not a path element"
    yield "key-not-object", with_key("k:[1]"), "not a path element"
    yield "key-too-short", with_key("k"), "not a path element"
    yield "key-without-colon", with_key("kk"), "not a path element"
    yield "key-of-no-item", with_key('k:{"name":"absent"}'), "cannot be found"
    yield "key-empty", with_key("k:{}"), "cannot be found"
    yield "key-of-two-items", changed("edit-ssa", two_items_with_one_key), "cannot be found"
    yield "invisible-names", changed("edit-ssa", invisible_names), "changes"
    yield "annotations-list", changed("edit-ssa", lambda r: r["object"]["metadata"].update(annotations=[])), \
        "annotations are not an object"
    yield "annotation-number", with_annotation(7, "note"), "not a string"
    yield "last-applied-number", with_annotation(7), "not a string"
    yield "last-applied-null", with_annotation("null"), "not a JSON object"
    yield "last-applied-list", with_annotation("[]"), "not a JSON object"
    yield "last-applied-empty", with_annotation(""), "not a JSON object"
    yield "last-applied-brackets", with_annotation("[" * 250 * 1024), "not a JSON object"
    yield "last-applied-nested", with_annotation('{"a":' * 40_000 + "1" + "}" * 40_000), ""


def inputs():
    for name, body in unreadable():
        yield Input(name, body, None)
    for name, body, expect in readable():
        yield Input(name, body, expect)
