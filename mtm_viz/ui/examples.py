"""Examples are data: a scenario, a title, and a sentence that says what to look for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json, read_bytes
from mtm_viz.scenario import Scenario

FOLDER = Path(__file__).parents[2] / "assets" / "scenarios"
#: The example the page opens on.
FIRST = "clustering"


@dataclass(frozen=True)
class Example:
    """One file of assets/scenarios."""

    name: str
    title: str
    sentence: str
    place: int
    scenario: dict[str, Any]


def load_example(path: Path) -> Example:
    """Read one example file. Raises InputError naming what it lacks."""
    said = load_json(read_bytes(path))
    for key in ("title", "sentence", "scenario"):
        if key not in said:
            raise InputError(f'{path.name} lacks "{key}"')
    scenario = Scenario.from_json(said["scenario"]).to_json()
    return Example(path.stem, said["title"], said["sentence"], said.get("place", 1000), scenario)


def load_examples() -> dict[str, Example]:
    """Every example by name, the plainest first."""
    found = [load_example(path) for path in FOLDER.glob("*.json")]
    return {example.name: example for example in sorted(found, key=lambda example: (example.place, example.name))}
