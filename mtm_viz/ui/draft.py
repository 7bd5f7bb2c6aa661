"""The problem being edited: plain JSON measures, which may not fit together yet. Checked only when asked."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from mtm_viz.errors import InputError

#: As many pairs as the palette has colours that anyone can tell apart.
MOST_PAIRS = 8
#: Atoms a measure the page will draw; a file or link that asks for more is refused before one is drawn.
MOST_ATOMS_SHOWN = 2_000

Side = Literal["input", "target"]
SIDES: tuple[Side, Side] = ("input", "target")

_fresh = itertools.count(1)


@dataclass(frozen=True)
class DraftPair:
    """A pair of measures in JSON. `uid` names its widgets, so that a new pair never inherits an old one's."""

    name: str
    input: dict[str, Any]
    target: dict[str, Any]
    uid: int = field(default_factory=lambda: next(_fresh), compare=False)


@dataclass(frozen=True)
class Draft:
    """Pairs of measures of one dimension, each a copy that may be edited."""

    dimension: int
    pairs: tuple[DraftPair, ...]

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> Draft:
        """Take up a problem that has been read and checked. Raises InputError for more pairs than the page shows."""
        refuse_too_large(said)
        pairs = (
            DraftPair(pair.get("name", f"pair {k}"), pair["input"], pair["target"])
            for k, pair in enumerate(said["pairs"], 1)
        )
        return cls(said["dimension"], tuple(pairs))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": "mtm-problem",
            "version": 1,
            "dimension": self.dimension,
            "pairs": [{"name": pair.name, "input": pair.input, "target": pair.target} for pair in self.pairs],
        }

    @property
    def text(self) -> str:
        """The problem as canonical JSON: the key of every cache."""
        return canonical(self.to_json())

    @property
    def generators_only(self) -> bool:
        return all("generator" in pair_side for pair in self.pairs for pair_side in (pair.input, pair.target))

    def edited(self, uid: int, **changes: Any) -> Draft:
        """The same draft with one pair's name, input or target replaced; its widgets stay."""
        return replace(self, pairs=tuple(replace(pair, **changes) if pair.uid == uid else pair for pair in self.pairs))

    def without(self, uid: int) -> Draft:
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair.uid != uid))

    def with_pair(self) -> Draft:
        """One pair more: a cloud and a ring placed where no earlier ones are."""
        k = len(self.pairs)
        # Drawn by the pair's number: never twice the same place, and the same place on every machine.
        here, there = np.random.default_rng(k).standard_normal((2, self.dimension)).round(3).tolist()
        n = self.pairs[-1].input.get("n", 60) if self.pairs else 60
        cloud = {"generator": "von_mises_fisher", "params": {"mean": here, "kappa": 12.0}, "n": n, "seed": k}
        ring = {"generator": "ring", "params": {"center": there, "radius_deg": 25.0}, "n": n, "seed": 0}
        return replace(self, pairs=(*self.pairs, DraftPair(f"pair {k + 1}", cloud, ring)))


def refuse_too_large(said: Any) -> None:
    """Raises InputError where decoded JSON asks for more pairs or atoms than the page shows; other faults are not its business."""
    pairs = said.get("pairs") if isinstance(said, dict) else None
    if not isinstance(pairs, list):
        return
    if len(pairs) > MOST_PAIRS:
        raise InputError(
            f"this page shows at most {MOST_PAIRS} pairs and the problem has {len(pairs)}: "
            "solve it with `python -m mtm_viz interpolate`"
        )
    sides = [pair.get(side) for pair in pairs if isinstance(pair, dict) for side in SIDES]
    for measure in (side for side in sides if isinstance(side, dict)):
        points = measure.get("points")
        n = len(points) if isinstance(points, list) else measure.get("n", 0)
        if isinstance(n, int) and n > MOST_ATOMS_SHOWN:
            raise InputError(
                f"this page shows at most {MOST_ATOMS_SHOWN:,} atoms a measure and one has {n:,}: "
                "use fewer, or solve it with `python -m mtm_viz interpolate`"
            )


def canonical(said: Any) -> str:
    """JSON that is the same text for the same problem, whatever the order of its keys and whether 14 was said as 14.0.

    >>> canonical({"n": 14.0, "a": [1, 2.5]})
    '{"a":[1,2.5],"n":14}'
    """
    return json.dumps(_plain(said), sort_keys=True, separators=(",", ":"))


def _plain(said: Any) -> Any:
    if isinstance(said, dict):
        return {key: _plain(value) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return [_plain(value) for value in said]
    return int(said) if isinstance(said, float) and said.is_integer() else said


def digest(text: str) -> str:
    """A short name for a problem's text."""
    return sha256(text.encode()).hexdigest()[:16]
