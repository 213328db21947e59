"""corpus.py: the reviews of a tool's life, kept in a folder so that they can be judged again without the tool.

    FOLDER/TOOL/index.json              what follows, in the order in which it happened
    FOLDER/TOOL/01-install/001.json     the AdmissionReviews of a phase, byte for byte as the API server sent them
    FOLDER/TOOL/exceptions.yaml         what the policies have besides the profile, if anything
"""

import dataclasses
import json
import pathlib
import re
import shutil

DEFAULT = pathlib.Path(__file__).resolve().parents[2] / "build" / "tools" / "reviews"


@dataclasses.dataclass
class Phase:
    """A part of a tool's life; in a fight a person, or another controller, works against the tool."""

    name: str
    is_fight: bool
    reviews: list

    @property
    def title(self):
        return f"fight: {self.name}" if self.is_fight else self.name


@dataclasses.dataclass
class Review:
    """`in_chart`: whether the chart's own configuration would have asked applyguard; `path` is the file."""

    text: bytes
    in_chart: bool
    path: pathlib.Path | None = None


def write(folder, tool, phases, exceptions=""):
    root = folder / tool
    shutil.rmtree(root, ignore_errors=True)
    index = []
    for number, phase in enumerate(phases, 1):
        place = root / f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', phase.title.lower()).strip('-')}"
        place.mkdir(parents=True)
        entries = []
        for count, review in enumerate(phase.reviews, 1):
            review.path = place / f"{count:03}.json"
            review.path.write_bytes(review.text)
            entries.append({"file": str(review.path.relative_to(root)), "chart": review.in_chart})
        index.append({"phase": phase.name, "fight": phase.is_fight, "reviews": entries})
    (root / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    if exceptions:
        (root / "exceptions.yaml").write_text(exceptions)


def read(folder, tool):
    root = folder / tool
    return [
        Phase(entry["phase"], entry["fight"], [
            Review((root / each["file"]).read_bytes(), each["chart"], root / each["file"]) for each in entry["reviews"]])
        for entry in json.loads((root / "index.json").read_text())]


def exceptions(folder, tool):
    file = folder / tool / "exceptions.yaml"
    return file.read_text() if file.exists() else ""


def tools(folder):
    return sorted(path.parent.name for path in folder.glob("*/index.json"))
