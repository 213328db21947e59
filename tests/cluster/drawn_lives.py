"""drawn_lives.py: an object of each kind that an API server serves, and the manifests of its writes, one after the other."""

import base64
import random
import subprocess

from drawn import Life
from drawn_kinds import DRAWN


def _openssl_req(*flags):
    return subprocess.run(
        ["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "/dev/null", *flags],
        check=True, capture_output=True).stdout


def certificates():
    """The words for them in the patterns: signing requests as manifests hold them, and roots of trust."""
    return {"request": base64.b64encode(_openssl_req("-subj", "/CN=x")).decode(),
            "stub": base64.b64encode(_openssl_req("-subj", "/", "-outform", "DER")).decode(),
            **{name: _openssl_req("-x509", "-subj", f"/CN={name}").decode() for name in ("root", "other")}}


def lives(discovery, namespace, words, number, seed, use):
    """One of each kind that is served: an older API server has fewer. `number` keeps the addresses of one test apart from those of
    others. `seed` and the `use` of the lives decide what is drawn."""
    served = [each for each in DRAWN if each["kind"] in discovery.resources(each["apiVersion"])]
    return [Life(
        random.Random(f"{seed} {pattern['apiVersion']} {pattern['kind']} {use}"), pattern, namespace=namespace,
        name=f"{pattern['kind'].lower()}-{index}-{namespace[-8:]}", address=f"10.254.{index}.{number}", network=f"10.{number}.{index}.0",
        **words) for index, pattern in enumerate(served)]


def next_manifest(life, share, discovery):
    """The manifest after this share of its choices was made again."""
    life.change(share)
    manifest = life.draw()
    if discovery.resources(manifest["apiVersion"])[manifest["kind"]]["namespaced"]:
        manifest["metadata"]["namespace"] = life.words["namespace"]
    return manifest
