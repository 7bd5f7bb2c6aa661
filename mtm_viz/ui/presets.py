"""Presets are data: a problem, a title, what to look for, and for each the run that solves it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json, read_bytes
from mtm_viz.ui.choice import Choice
from mtm_viz.ui.draft import canonical

FOLDER = Path(__file__).parents[2] / "assets" / "presets"
#: The preset the app opens on.
FIRST = "three-clouds"
#: The order of the gallery: from the plainest to the strangest; one not named here comes last.
ORDER = (
    "three-clouds",
    "mu-to-nu",
    "shared-atoms",
    "rings-swap",
    "continents",
    "fills-the-sphere",
    "four-share",
    "a-measure",
    "spirals",
    "letters",
    "cities-trade",
    "four-dimensions",
)


@dataclass(frozen=True)
class Preset:
    """One file of assets/presets."""

    name: str
    title: str
    sentence: str
    attribution: str
    problem: dict[str, Any]
    choice: Choice

    @cached_property
    def text(self) -> str:
        return canonical(self.problem)

    @property
    def key(self) -> str:
        """The name of its run."""
        return self.choice.key(self.text)

    @property
    def run_path(self) -> Path:
        return FOLDER / "runs" / f"{self.name}.npz"


def load_preset(path: Path) -> Preset:
    """Read one preset file. Raises InputError naming what it lacks."""
    said = load_json(read_bytes(path))
    for key in ("title", "sentence", "problem"):
        if key not in said:
            raise InputError(f'{path.name} lacks "{key}"')
    choice = Choice(**said.get("solve", {}))
    return Preset(path.stem, said["title"], said["sentence"], said.get("attribution", ""), said["problem"], choice)


def load_presets() -> dict[str, Preset]:
    """Every preset by name, in the gallery's order."""
    found = {path.stem: load_preset(path) for path in FOLDER.glob("*.json")}
    return {
        name: found[name]
        for name in sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    }
