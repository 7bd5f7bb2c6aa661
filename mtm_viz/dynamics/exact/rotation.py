"""Rigid rotation by the perceptron alone: all units open on the whole sphere, W U skew, W b = 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import expm

from mtm_viz.backend import beside
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import normalise, tangent_basis


@dataclass(frozen=True, eq=False)
class Rotation:
    """x' = generator x for `duration`, generator (d, d) skew: the map exp(duration generator)."""

    generator: np.ndarray
    duration: float

    @classmethod
    def in_plane(cls, x: np.ndarray, e: np.ndarray, phi: float) -> Rotation:
        """Through angle phi in the oriented plane of the orthonormal pair (x, e): x goes toward e."""
        return cls(np.outer(e, x) - np.outer(x, e), phi)

    def flow(self, points: Any, weights: Any = None) -> Any:
        return normalise(points @ beside(expm(self.duration * self.generator).T, points))

    def stretch(self, points: np.ndarray) -> np.ndarray:
        return np.ones(len(points))

    def segment(self, phase: str, width: int | None = None) -> Segment:
        """d units that never close: U = Q orthogonal with Q k = 1/sqrt(d), k a unit vector of the generator's
        kernel, b = 1 and W = generator Q^T. The rows are unit, so Qx + 1 >= 0 on the sphere, and
        W b = generator Q^T 1 = sqrt(d) generator k = 0.

        Raises ValueError without a kernel (every rotation in one plane of R^d, d >= 3, has one) or with p < d.
        """
        d = len(self.generator)
        p = width or d
        _, singular, rows = np.linalg.svd(self.generator)
        if singular[-1] > 1e-9 * singular[0] or p < d:
            raise ValueError("a rotation needs a fixed axis and at least d units: rotate in one plane")
        k = rows[-1]
        ones = np.ones(d) / np.sqrt(d)
        # Orthogonal Q with Q k = 1/sqrt(d): each basis completed to the whole space.
        Q = np.c_[ones, tangent_basis(ones).T] @ np.c_[k, tangent_basis(k).T].T
        U, b, W = np.zeros((p, d)), np.zeros(p), np.zeros((d, p))
        U[:d], b[:d], W[:, :d] = Q, 1.0, self.generator @ Q.T
        b[d:] = -1.0
        zero = np.zeros((d, d))
        return Segment(self.duration, zero, zero, W, U, b, phase)

    @classmethod
    def of(cls, segment: Segment) -> Rotation | None:
        if segment.uses_attention or not np.any(segment.U):
            return None
        lengths = np.linalg.norm(segment.U, axis=1)
        open_always = segment.b >= lengths * (1 - 1e-14)
        closed_always = segment.b <= -lengths
        if not (open_always | closed_always).all():
            return None
        W, U, b = segment.W[:, open_always], segment.U[open_always], segment.b[open_always]
        generator = W @ U
        size = np.abs(generator).max(initial=0.0)
        if (
            np.abs(W @ b).max(initial=0.0) > 1e-13 * size
            or np.abs(generator + generator.T).max(initial=0.0) > 1e-13 * size
        ):
            return None
        return cls((generator - generator.T) / 2, segment.duration)
