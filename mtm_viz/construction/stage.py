"""What every phase of the construction returns: its segments, what it claims of them, and the claim's value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtm_viz.dynamics.exact import ClosedForm
from mtm_viz.dynamics.schedule import UNDO, Segment


class Cloud(NamedTuple):
    """The atoms of one measure under construction: points (n, d), weights (n,)."""

    points: np.ndarray
    weights: np.ndarray


Clouds = tuple[Cloud, ...]


@dataclass(frozen=True, eq=False)
class Stage:
    """One phase: closed-form flows in order, a claim in words and the number that certifies it."""

    phase: str
    forms: tuple[ClosedForm, ...]
    claim: str
    value: float

    def flow(self, clouds: Clouds) -> Clouds:
        """The images of the clouds, each under its own attention and the common perceptron."""
        for form in self.forms:
            clouds = tuple(Cloud(form.flow(cloud.points, cloud.weights), cloud.weights) for cloud in clouds)
        return clouds

    def segments(self, width: int | None = None) -> list[Segment]:
        return [form.segment(self.phase, width) for form in self.forms]

    @property
    def undoes(self) -> bool:
        return self.phase.startswith(UNDO)


def union(clouds: Clouds) -> np.ndarray:
    """All atoms of all clouds, one below the other."""
    return np.concatenate([cloud.points for cloud in clouds])
