"""verdicts.py: what both profiles find in the reviews of a tool's life, as the command line judges them."""

import dataclasses
import json
import subprocess
import tempfile

PROFILES = ("baseline", "strict")
STRENGTH = ("off", "audit", "warn", "deny")


@dataclasses.dataclass
class Judged:
    """A request and its findings under each profile: {profile: [finding]}."""

    phase: object
    in_chart: bool
    request: dict
    findings: dict

    def action(self, profile):
        """The strongest under the profile."""
        return max((finding["action"] for finding in self.findings[profile]), key=STRENGTH.index, default="off")


def policy(profile, exceptions="", mode="enforce"):
    """The file; `exceptions` are overrides, waivers and its other settings."""
    return f"apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {profile}\nmode: {mode}\n{exceptions}"


def judge(program, phases, exceptions=""):
    """Each request of the life, in order: in one run a profile, which remembers what changed hands as the webhook does."""
    reviews = [(phase, review) for phase in phases for review in phase.reviews]
    if not reviews:
        return []
    files = [review.path for _, review in reviews]
    found = {profile: _verdicts(program, policy(profile, exceptions), files) for profile in PROFILES}
    return [
        Judged(phase, review.in_chart, json.loads(review.text)["request"],
               {profile: found[profile][number]["findings"] for profile in PROFILES})
        for number, (phase, review) in enumerate(reviews)]


def _verdicts(program, text, files):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(
            [program, "review", "--policy", file.name, "-o", "json", *files], capture_output=True, text=True, timeout=300)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1) or len(verdicts) != len(files):
        raise RuntimeError(f"{len(verdicts)} verdicts on {len(files)} reviews: {done.stderr}")
    return verdicts
