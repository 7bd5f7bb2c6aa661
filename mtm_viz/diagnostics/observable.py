"""What an observable is: one number that a cloud of particles has at one moment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np


class Observable(ABC):
    """A number of a measure; each final class is one file of mtm_viz/diagnostics/observables.

    `label` names it; `formula` and `source` are what its tooltip says; `unit` is "" for a pure number; `most` is its
    largest value, or None; `counts` where it is a whole number; `cost`: operations for a pair of particles, roughly;
    `most_particles`: of more, as many are looked at, evenly chosen by mass (None: always all).
    """

    label: ClassVar[str]
    formula: ClassVar[str]
    source: ClassVar[str]
    unit: ClassVar[str] = ""
    most: ClassVar[float | None] = None
    counts: ClassVar[bool] = False
    cost: ClassVar[float] = 1.0
    most_particles: ClassVar[int | None] = 2000

    def begin(self, points: np.ndarray, weights: np.ndarray) -> None:  # noqa: B027 - most need no start
        """Take note of the first frame: called once, before any value."""

    @abstractmethod
    def value(self, points: np.ndarray, weights: np.ndarray, B: np.ndarray) -> float:
        """Its value for points (n, d), unit rows, weights (n,) that sum to 1, and B (d, d), the attention's, beta included."""
