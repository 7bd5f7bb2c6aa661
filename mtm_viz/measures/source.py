"""Where a measure comes from: points given, or a generator with its parameters and seed. Small, JSON, no results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.measures.generators import generate
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers import read_measure
from mtm_viz.measures.readers.limits import MOST_ATOMS


@dataclass(frozen=True, eq=False)
class Points:
    """Atoms given one by one."""

    given: Measure

    def measure(self, dimension: int) -> Measure:
        if self.given.dimension != dimension:
            raise InputError(
                f"points have {self.given.dimension} coordinates but the problem's dimension is {dimension}: make them agree"
            )
        return self.given

    def to_json(self) -> dict[str, Any]:
        return self.given.to_json()


@dataclass(frozen=True, eq=False)
class Generated:
    """A named generator: the same name, parameters, n and seed give the same atoms on every machine."""

    generator: str
    params: dict[str, Any]
    n: int = 200
    seed: int = 0

    def measure(self, dimension: int) -> Measure:
        return generate(self.generator, self.params, n=self.n, seed=self.seed, dimension=dimension)

    def fresh(self, seed: int, n: int | None = None) -> Generated:
        """Another sample of the same measure."""
        return Generated(self.generator, self.params, n or self.n, seed)

    def to_json(self) -> dict[str, Any]:
        return {"generator": self.generator, "params": self.params, "n": self.n, "seed": self.seed}


Source = Points | Generated

_LONGEST_NAME = 1_000


def source_from_json(said: Any, where: str, folder: Path | None = None) -> Source:
    """Read one MEASURE of the file formats. `where` names it in messages.

    {"file": ...} is resolved inside `folder` only; without a folder (the app) it is refused.
    """
    if not isinstance(said, dict):
        raise InputError(f'{where} must be an object with "points", "generator" or "file"')
    kinds = [kind for kind in ("points", "generator", "file") if kind in said]
    if len(kinds) != 1:
        raise InputError(f'{where} must have exactly one of "points", "generator" and "file"')
    try:
        if kinds == ["points"]:
            _only(said, "points", "weights")
            return Points(Measure(said["points"], said.get("weights")))
        if kinds == ["generator"]:
            _only(said, "generator", "params", "n", "seed")
            params = said.get("params", {})
            if not isinstance(said["generator"], str) or not isinstance(params, dict):
                raise InputError('"generator" must be a name and "params" an object')
            n = _whole(said.get("n", 200), "n", 1, MOST_ATOMS)
            return Generated(said["generator"], params, n, _whole(said.get("seed", 0), "seed", 0, 2**63 - 1))
        options = {key: value for key, value in said.items() if key != "file"}
        return Points(read_measure(_inside(said["file"], folder), options))
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from problem


def _only(said: dict[str, Any], *known: str) -> None:
    unknown = sorted(set(said) - set(known))
    if unknown:
        raise InputError(f'"{unknown[0]}" is not known here: use {", ".join(known)}')


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f'"{name}" is {value!r}: give a whole number from {least} to {most}')
    return value


def _inside(name: Any, folder: Path | None) -> Path:
    """The file `name` of `folder`: no absolute path, no .., no link that leads out."""
    if folder is None:
        raise InputError('"file" measures are read by the command line only: upload the points themselves')
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise InputError(f'"file" must be a relative path of at most {_LONGEST_NAME} characters')
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        exists = path.is_file()
    except (OSError, RuntimeError, ValueError) as problem:  # a loop of links, a part too long, a NUL in it
        raise InputError(f'file "{name}" cannot be looked up: check its name') from problem
    if Path(name).is_absolute() or not path.is_relative_to(root):
        raise InputError(f'file "{name}" lies outside the problem\'s folder: put it beside the problem')
    if not exists:
        raise InputError(f'file "{name}" does not exist beside the problem: check its name')
    return path
