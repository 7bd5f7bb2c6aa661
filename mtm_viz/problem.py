"""What to interpolate: pairs (input, target) of measures on one sphere. The mtm-problem file format, version 1."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mtm_viz.errors import InputError
from mtm_viz.files import load_json, named, read_bytes, written_whole
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.source import Source, source_from_json

MOST_PAIRS = 64


@dataclass(frozen=True, eq=False)
class Pair:
    """One input measure and the target it is to be sent to."""

    name: str
    input: Source
    target: Source


@dataclass(frozen=True, eq=False)
class Problem:
    """N pairs of measures on S^{d-1}; names, parameters, seeds and given points, never results."""

    dimension: int
    pairs: tuple[Pair, ...]

    @cached_property
    def inputs(self) -> tuple[Measure, ...]:
        return tuple(self._measure(k, "input") for k in range(len(self.pairs)))

    @cached_property
    def targets(self) -> tuple[Measure, ...]:
        return tuple(self._measure(k, "target") for k in range(len(self.pairs)))

    def _measure(self, k: int, side: str) -> Measure:
        try:
            return getattr(self.pairs[k], side).measure(self.dimension)
        except InputError as problem:
            raise InputError(f'pair {k + 1} ("{self.pairs[k].name}"), {side}: {problem}') from problem

    def to_json(self) -> dict[str, Any]:
        return {
            "format": "mtm-problem",
            "version": 1,
            "dimension": self.dimension,
            "pairs": [
                {"name": pair.name, "input": pair.input.to_json(), "target": pair.target.to_json()}
                for pair in self.pairs
            ],
        }

    @classmethod
    def from_json(cls, said: Any, folder: Path | None = None) -> Problem:
        """Read a decoded mtm-problem. Raises InputError naming the place and the remedy."""
        if not isinstance(said, dict) or said.get("format") != "mtm-problem":
            raise InputError('this is not a problem: it needs "format": "mtm-problem"')
        if said.get("version") != 1:
            raise InputError(f"problem version {said.get('version')!r} is not known: this program reads version 1")
        dimension = said.get("dimension")
        if isinstance(dimension, bool) or not isinstance(dimension, int) or not 2 <= dimension <= 64:
            raise InputError(f'"dimension" is {dimension!r}: give a whole number from 2 to 64')
        pairs = said.get("pairs")
        if not isinstance(pairs, list) or not 1 <= len(pairs) <= MOST_PAIRS:
            raise InputError(f'"pairs" must be a list of 1 to {MOST_PAIRS} pairs')
        read = []
        for k, pair in enumerate(pairs, start=1):
            if not isinstance(pair, dict) or "input" not in pair or "target" not in pair:
                raise InputError(f'pair {k} needs an "input" and a "target"')
            name = pair.get("name", f"pair {k}")
            if not isinstance(name, str) or len(name) > 200:
                raise InputError(f"the name of pair {k} must be text of at most 200 characters")
            read.append(
                Pair(
                    name,
                    source_from_json(pair["input"], f'pair {k} ("{name}"), input', folder),
                    source_from_json(pair["target"], f'pair {k} ("{name}"), target', folder),
                )
            )
        problem = cls(dimension, tuple(read))
        _ = problem.inputs, problem.targets  # every measure is drawn and checked before anything is promised
        return problem

    @classmethod
    def from_bytes(cls, content: bytes, folder: Path | None = None) -> Problem:
        """Read a problem file's content."""
        return cls.from_json(load_json(content), folder)

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """Read a problem file; its {"file": ...} measures are looked for beside it."""
        path = Path(path)
        with named(path.name):
            return cls.from_bytes(read_bytes(path), path.parent)

    def save(self, path: str | Path) -> None:
        with written_whole(path) as stream:
            stream.write(json.dumps(self.to_json()).encode() + b"\n")
