#!/usr/bin/env python3
"""Makes what each fuzz target starts from, out of the recorded reviews, the sample policies, and keys made for it.

    tests/fuzz/seeds.py FOLDER

fills FOLDER/fuzz_NAME for every target.
"""
import base64
import contextlib
import copy
import functools
import gzip
import io
import itertools
import json
import pathlib
import ssl
import subprocess
import sys
import tarfile
import tempfile
import warnings


TESTS = pathlib.Path(__file__).resolve().parent.parent
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

# Larger ones make each run slow, and show nothing that smaller ones do not.
BYTES_MAX = 20 * 1000

TEXTS = ["kubectl", "kube-controller-manager", ".spec.template.spec.containers[name=\"nginx\"].image", "a\tb\x1b[31m",
         "\u202eabc", "\u200b\ufeff", "日本語", "\U000e0041", "…", "\"\\", "\x7f\x9f"]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def requests():
    for path in sorted(TESTS.glob("reviews/*/review.json")):
        yield path.parent.name, json.loads(path.read_text())


def sides(review):
    request = review["request"]
    return [request[side] or {} for side in ("object", "oldObject") if side in request]


def entries(review):
    for side in sides(review):
        for entry in side.get("metadata", {}).get("managedFields", []):
            yield entry["fieldsV1"]


def pairs_of_fields():
    for name, review in requests():
        for number, (a, b) in enumerate(itertools.permutations(entries(review), 2)):
            if a != b and number % 5 == 0:
                yield f"{name}-{number}", compact([a, b])


def objects():
    for name, review in requests():
        for number, side in enumerate(sides(review)):
            if side.get("metadata", {}).get("managedFields"):
                yield f"{name}-{number}", compact(side)


def live_objects():
    """With a resourceVersion, as the API server has them."""
    for name, text in objects():
        found = json.loads(text)
        found["metadata"].setdefault("resourceVersion", "1")
        found["metadata"].pop("deletionTimestamp", None)
        yield name, compact(found)


def histories():
    """An object, and an audit log in which it comes to be what it is: from each recorded review that has both sides."""
    for name, review in requests():
        request = review["request"]
        new, old = request.get("object"), request.get("oldObject")
        if not (isinstance(new, dict) and isinstance(old, dict) and new.get("metadata", {}).get("managedFields")):
            continue
        log = []
        for number, (verb, answer) in enumerate((("create", old), ("patch", None), ("update", new))):
            log.append(compact({
                "kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse", "auditID": str(number),
                "stage": "ResponseComplete", "requestURI": "/apis?fieldManager=m&force=true", "verb": verb, "user": {"username": "u"},
                "userAgent": "kubectl/v1 (linux)", "objectRef": {
                    "resource": new.get("kind", "").lower() + "s", "namespace": new["metadata"].get("namespace", ""),
                    "name": new["metadata"].get("name", ""), "apiGroup": request.get("kind", {}).get("group", "")},
                "responseStatus": {"code": 201 if verb == "create" else 200}, **({"responseObject": answer} if answer else {}),
                "stageTimestamp": f"2026-11-23T10:00:0{number}.000000Z"}))
        yield name, b"\n".join([compact(new), *log]) + b"\n"


def audit_logs():
    """The logs of `histories`, and the recorded one in each form."""
    for name, text in histories():
        yield name, text.split(b"\n", 1)[1]
    sys.path.append(str(TESTS / "replays"))
    import forms
    events = [json.loads(line) for line in (TESTS / "replays/audit.log").read_text().splitlines()]
    for write in (forms.lines, forms.event_lists, forms.cloudwatch_subscription, forms.cloudwatch_filter, forms.azure_event_hub,
                  forms.google_sink, forms.google_read):
        yield write.__name__, write(events[:5]).encode()


def stored_objects():
    """The stories of stored objects, with the manifest of a release apart; one of them as a backup."""
    for path in sorted(TESTS.glob("objects/*/objects.json")):
        items, manifest = json.loads(path.read_text())["items"], ""
        for item in [item for item in items if item.get("type") == "helm.sh/release.v1"]:
            packed = base64.b64decode(base64.b64decode(item["data"]["release"]))
            manifest = manifest or json.loads(gzip.decompress(packed))["manifest"]
            items.remove(item)
        yield path.parent.name, b"\n".join(map(compact, items)) + f"\n---manifest\n{manifest}".encode()
        backup = io.BytesIO()
        with tarfile.open(fileobj=backup, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for number, item in enumerate(items[:2]):
                member = tarfile.TarInfo(f"resources/things/namespaces/shop/{number}.json")
                member.size = len(compact(item))
                tar.addfile(member, io.BytesIO(compact(item)))
        yield f"{path.parent.name}-backup", backup.getvalue()[:backup.getvalue().rindex(b"}") + 1 + 1024]


def annotations():
    for name, review in requests():
        for number, side in enumerate(sides(review)):
            text = side.get("metadata", {}).get("annotations", {}).get(LAST_APPLIED)
            if text:
                yield f"{name}-{number}", text.encode()


def policies():
    for path in sorted(TESTS.glob("policies/*/*.yaml")):
        yield f"{path.parent.name}-{path.stem}", path.read_bytes()


def policy_tests():
    for path in sorted(TESTS.parent.glob("docs/policies/*/*.test.yaml")):
        yield path.parent.name, path.read_bytes()


def pairs_of_objects():
    """Each recorded request, as the object before and after it, and the former again as a release before declared it."""
    for name, review in requests():
        yield name, b"\n".join(compact(review["request"][side]) for side in ("oldObject", "object", "oldObject")
                               if review["request"].get(side))


def turned_back(review):
    """The previous owner takes all of it back."""
    back = copy.deepcopy(review)
    request = back["request"]
    request["object"], request["oldObject"] = request["oldObject"], request["object"]
    entries = request["object"]["metadata"].get("managedFields")
    if entries:
        request.setdefault("options", {})["fieldManager"] = entries[0]["manager"]
    request["oldObject"]["metadata"]["resourceVersion"] = "999999"
    return back


def contests():
    for name, review in requests():
        request = review["request"]
        if request["operation"] == "UPDATE" and request.get("object") and request.get("oldObject"):
            yield name, compact([review, turned_back(review)])


def scales():
    reviews = dict(requests())
    scale = reviews["scale-subresource"]
    metadata = scale["request"]["oldObject"]["metadata"]
    for name, review in reviews.items():
        scaled = copy.deepcopy(review["request"].get("object") or {})
        if scaled.get("kind") in ("Deployment", "StatefulSet", "ReplicaSet"):
            scaled["metadata"]["uid"] = metadata["uid"]
            scaled["metadata"]["name"] = metadata["name"]
            yield name, compact([scale, scaled])


@functools.cache
def made(*options):
    """A key and a certificate of its own, both PEM, as openssl(1) makes them."""
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = (pathlib.Path(folder) / name for name in ("key", "certificate"))
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "3650", "-subj", "/CN=test", *options, "-keyout", key,
                        "-out", certificate], check=True, capture_output=True)
        return key.read_bytes(), certificate.read_bytes()


EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
NAMED = (*EC, "-addext", "subjectAltName=DNS:guard.prod.svc,DNS:*.example,IP:10.0.0.1,IP:::1,email:a@b.example")
OLD = ("-newkey", "rsa:1024", "-sha1")
EDWARDS = ("-newkey", "ed25519")


def pems():
    for number, options in enumerate((EC, NAMED, OLD, EDWARDS)):
        key, certificate = made(*options)
        yield f"pair-{number}", certificate + key
        yield f"key-{number}", key
        yield f"certificate-{number}", b"text before\n" + certificate
    yield "chain", made(*EC)[1] + made(*NAMED)[1] + made(*OLD)[1]


def text(pem):
    return base64.b64encode(pem).decode()


def secrets():
    (key, certificate), (next_key, next_certificate) = made(*EC), made(*NAMED)
    current = {"tls.crt": text(certificate), "tls.key": text(key), "ca.crt": text(certificate + next_certificate)}
    staged = {**current, "next.crt": text(next_certificate), "next.key": text(next_key)}
    promoted = {**current, "previous.crt": text(next_certificate)}
    annotations = {"applyguard.io/promoted-at": "2026-03-14T09:26:53Z"}
    for name, data in (("current", current), ("staged", staged), ("promoted", promoted)):
        yield name, compact({"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls", "data": data, "metadata": {
            "name": "ca", "namespace": "guard", "resourceVersion": "7", "annotations": annotations, "managedFields": []}})


def configurations():
    (_, one), (_, other) = made(*EC), made(*NAMED)
    for name, bundles in (("one", [one]), ("two", [one, other + one]), ("none", [None, one])):
        yield name, compact({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": "applyguard", "uid": "1f0a", "resourceVersion": "7"},
            "webhooks": [{"name": f"w{number}.applyguard.io", "failurePolicy": "Ignore", "clientConfig": {
                "service": {"name": "guard", "namespace": "prod"}, **({"caBundle": text(bundle)} if bundle else {})}}
                for number, bundle in enumerate(bundles)]})


def manifests():
    for name, json_text in configurations():
        yield name, json_text
    yield "yaml", b"""\
# kept
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
webhooks:
- name: a.applyguard.io
  clientConfig:
    service: {name: guard, namespace: prod}  # kept too
- name: b.applyguard.io
  clientConfig: {caBundle: "LS0t", url: 'https://x'}
- name: c.applyguard.io
  clientConfig: {}
- name: d.applyguard.io
  clientConfig:
    caBundle: |
      LS0t
---
kind: List
items:
- webhooks: [{name: e, clientConfig: &a {url: "https://x"}}]
- webhooks: []
...
"""


def kubeconfigs():
    key, certificate = made(*EC)
    head = "apiVersion: v1\nkind: Config\ncurrent-context: a\n"
    for name, cluster, user in (
            ("data", {"certificate-authority-data": text(certificate), "tls-server-name": "kubernetes.default.svc"},
             {"client-certificate-data": text(certificate), "client-key-data": text(key)}),
            ("files", {"certificate-authority": "pki/ca.crt", "proxy-url": "socks5://localhost:1080"},
             {"client-certificate": "/abs/me.crt", "client-key": "../me.key", "tokenFile": "token"}),
            ("token", {"insecure-skip-tls-verify": True}, {"token": "s3cr3t"}),
            ("exec", {}, {"exec": {
                "apiVersion": "client.authentication.k8s.io/v1", "command": "gke-gcloud-auth-plugin", "args": ["a", "b"],
                "env": [{"name": "A", "value": "b"}], "installHint": "Install it.", "provideClusterInfo": True,
                "interactiveMode": "IfAvailable"}})):
        yield name, (head + "\n".join(f"{part}: {json.dumps(value)}" for part, value in {
            "clusters": [{"name": "c", "cluster": {"server": "https://10.0.0.1:6443/", **cluster}}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": context, "context": {"cluster": "c", "user": "u", "namespace": "guard"}}
                         for context in "ab"]}.items())).encode()


def statuses():
    for number, (reason, message) in enumerate((
            ("Forbidden", 'secrets "ca" is forbidden: User "x" cannot get resource "secrets"'), ("Expired", ""),
            ("", "too old\nresource \x1b[31mversion"), ("日本語", "…" * 100), ("a" * 400, "\u202eabc\U000e0041"))):
        yield str(number), compact({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason,
                                    "message": message, "code": 403})
    yield "html", b"<html><body>502 Bad Gateway</body></html>"


def conflicts():
    for path in sorted((TESTS / "conflicts").iterdir()):
        if path.suffix in (".txt", ".json", ".log", ".yaml"):
            yield path.name, path.read_bytes()


def http_request(line, *fields, body=b""):
    return "\r\n".join((line, "Host: guard.prod.svc", *fields, "", "")).encode() + body


def posts():
    body = compact(dict(requests())["delete"])
    json_type, length = "Content-Type: application/json", f"Content-Length: {len(body)}"
    review = http_request("POST /validate?timeout=10s HTTP/1.1", json_type, length, "User-Agent: kube-apiserver-admission",
                          "Accept: application/json, */*", "Accept-Encoding: gzip", body=body)
    probe = http_request("GET /healthz HTTP/1.1", "Connection: close")
    yield "review", review
    yield "reviews", review + review.replace(b"/validate?", b"/validate/audit?") + probe
    yield "probes", http_request("HEAD /readyz HTTP/1.1") + http_request("GET /nothing HTTP/1.0") + probe
    yield "expecting", http_request("POST /validate/warn HTTP/1.1", json_type, length, "Expect: 100-continue", body=body)
    yield "chunks", http_request("POST /validate HTTP/1.1", json_type, "Transfer-Encoding: chunked",
                                 body=b"5\r\n{\"a\":\r\n2;x=y\r\n1}\r\n0\r\n\r\n") + probe
    yield "lengths", http_request("POST /validate HTTP/1.1", json_type, "Content-Length: 2", "Content-Length: 3", body=b"{}")
    yield "too-large", http_request("POST /validate HTTP/1.1", json_type, "Content-Length: 8388609", body=b"{}" * 99)
    yield "h2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
    yield "text", http_request("POST /validate HTTP/1.1", "Content-Type: text/plain", length, body=body)


def client_hellos():
    for name, version, settings in (
            ("1.2", ssl.TLSVersion.TLSv1_2, {}), ("1.3", ssl.TLSVersion.TLSv1_3, {}), ("1.1", ssl.TLSVersion.TLSv1_1, {}),
            ("h2", ssl.TLSVersion.TLSv1_3, {"alpn": ["h2", "http/1.1"]})):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = context.maximum_version = version
        context.set_alpn_protocols(settings.get("alpn", ["http/1.1"]))
        outgoing = ssl.MemoryBIO()
        client = context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="guard.prod.svc")
        with contextlib.suppress(ssl.SSLWantReadError):
            client.do_handshake()
        hello = outgoing.read()
        yield name, hello
        # The same in two records.
        body = hello[5:]
        yield f"{name}-split", b"".join(hello[:3] + len(part).to_bytes(2, "big") + part for part in (body[:50], body[50:]))
    yield "http", http_request("GET /readyz HTTP/1.1")
    yield "alert", b"\x15\x03\x03\x00\x02\x01\x00"


SEEDS = {
    "fuzz_blame": objects,
    "fuzz_history": histories,
    "fuzz_replay": audit_logs,
    "fuzz_migrate": live_objects,
    "fuzz_scan": stored_objects,
    "fuzz_review": lambda: ((name, compact(review)) for name, review in requests()),
    "fuzz_fields": pairs_of_fields,
    "fuzz_last_applied": annotations,
    "fuzz_policy": policies,
    "fuzz_policy_test": policy_tests,
    "fuzz_made_review": pairs_of_objects,
    "fuzz_preview": pairs_of_objects,
    "fuzz_served": lambda: ((name, compact(review)) for name, review in requests()),
    "fuzz_http": posts,
    "fuzz_metrics": contests,
    "fuzz_tls": client_hellos,
    "fuzz_yaml": lambda: itertools.chain(policies(), kubeconfigs(), manifests()),
    "fuzz_manifest": lambda: itertools.chain(policies(), manifests()),
    "fuzz_contest": contests,
    "fuzz_scaled": scales,
    "fuzz_kubeconfig": kubeconfigs,
    "fuzz_status": statuses,
    "fuzz_secret": secrets,
    "fuzz_publication": configurations,
    "fuzz_ca_bundle": manifests,
    "fuzz_pem": pems,
    "fuzz_conflict_text": conflicts,
    "fuzz_text": lambda: ((str(number), text.encode()) for number, text in enumerate(TEXTS)),
}


def main():
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, seed in seeds():
            if len(seed) <= BYTES_MAX:
                (folder / name).write_bytes(seed)


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
    elif len(sys.argv) != 2:
        sys.exit(__doc__)
    else:
        main()
