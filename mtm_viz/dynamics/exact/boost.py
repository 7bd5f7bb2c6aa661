"""The boost x' = P_x omega: U = 0, b = 1, W 1 = omega, V = 0 (Lemma 3.2 moves everything this way)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.backend import beside
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import boost, boost_factor


@dataclass(frozen=True, eq=False)
class Boost:
    """Every point slides toward the unit vector `omega` for `duration` at unit drift: a Moebius map."""

    omega: np.ndarray
    duration: float

    def flow(self, points: Any, weights: Any = None) -> Any:
        return boost(points, beside(self.omega, points), self.duration)

    def stretch(self, points: np.ndarray) -> np.ndarray:
        """The conformal factor at each point: both singular values of the differential."""
        return boost_factor(points, self.omega, self.duration)

    def segment(self, phase: str, width: int | None = None) -> Segment:
        return drift_segment(np.zeros((len(self.omega),) * 2), self.omega, self.duration, phase, width)

    @classmethod
    def of(cls, segment: Segment) -> Boost | None:
        drift = constant_drift(segment)
        if drift is None or segment.uses_attention:
            return None
        speed = float(np.linalg.norm(drift))
        if speed == 0:
            return None
        return cls(drift / speed, speed * segment.duration)


def constant_drift(segment: Segment) -> np.ndarray | None:
    """W (b)_+ where U = 0, the drift of a perceptron that ignores x; None where U is not zero."""
    return None if np.any(segment.U) else segment.W @ np.maximum(segment.b, 0.0)


def drift_segment(V: np.ndarray, drift: np.ndarray, duration: float, phase: str, width: int | None) -> Segment:
    """x' = P_x(V E[mu] + drift): attention with B = 0, perceptron with U = 0, b = 1 and W = drift 1^T / p."""
    d = len(drift)
    p = width or d
    return Segment(duration, V, np.zeros((d, d)), np.outer(drift, np.ones(p)) / p, np.zeros((p, d)), np.ones(p), phase)
