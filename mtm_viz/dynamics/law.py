"""The law of motion of free particles: heads of attention, a perceptron, and where the normalisation stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtm_viz.backend import beside, namespace, row_dot, row_times
from mtm_viz.dynamics.model import Model
from mtm_viz.sphere import norm, normalise

#: Where the layer normalisation stands: see `Law.velocity`.
PLACEMENTS = ("sphere", "post-ln", "pre-ln", "peri-ln", "none")

Field = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Head:
    """One head of attention: V and B (d, d)."""

    V: np.ndarray
    B: np.ndarray


@dataclass(frozen=True, eq=False)
class Law:
    """drift(x) = sum_heads V A_B[mu](x) + W (U x + b)_+ + residual x, and what is made of it.

    model: what A is; W (d, p), U (p, d), b (p,), or all None; causal: particle i feels j <= i only; noise,
    common_noise: sigma of Brownian motions, one a particle and one for all; placement: one of PLACEMENTS; layers: the step
    of discrete layers, or None for continuous time.
    """

    model: Model
    heads: tuple[Head, ...]
    W: np.ndarray | None = None
    U: np.ndarray | None = None
    b: np.ndarray | None = None
    causal: bool = False
    noise: float = 0.0
    common_noise: float = 0.0
    residual: float = 0.0
    placement: str = "sphere"
    layers: float | None = None

    @property
    def is_on_sphere(self) -> bool:
        """Whether the state itself is a unit vector; otherwise its direction is what is shown."""
        return self.placement in ("sphere", "post-ln")

    @property
    def is_random(self) -> bool:
        return self.noise > 0 or self.common_noise > 0

    @property
    def uses_attention(self) -> bool:
        """Whether particles feel each other."""
        return any(np.any(head.V) for head in self.heads)

    @property
    def jumps(self) -> bool:
        """Whether the drift is not continuous, so that continuous time needs steps of its own."""
        return self.model.jumps and self.uses_attention

    @property
    def strength(self) -> float:
        """A bound of the order of |drift| where the model's pull is a mean: spectral norms of V and W, and |residual|."""
        heads = sum(float(np.linalg.norm(head.V, 2)) for head in self.heads)
        return heads + (0.0 if self.W is None else float(np.linalg.norm(self.W, 2))) + abs(self.residual)

    def attends(self, like: Any, weights: Any, rtol: float) -> Field:
        """x -> sum_heads V A_B[mu](x), for unit rows x, in the namespace of `like`."""
        heads = [(beside(head.V.T, like), beside(head.B, like)) for head in self.heads if np.any(head.V)]
        model, causal = self.model, self.causal

        def drift(x: Any) -> Any:
            parts = [row_times(model.pull(x, weights, B, causal=causal, rtol=rtol), V) for V, B in heads]
            return sum(parts[1:], parts[0]) if parts else namespace(x).zeros_like(x)

        return drift

    def perceives(self, like: Any) -> Field | None:
        """x -> W (U x + b)_+ + residual x; None where that is zero."""
        residual = self.residual
        if self.W is None or self.U is None or self.b is None:
            return (lambda x: residual * x) if residual else None
        W, U, b = (beside(array, like) for array in (self.W.T, self.U.T, self.b))
        xp = namespace(like)

        def drift(x: Any) -> Any:
            hidden = row_times(x, U) + b
            return row_times(xp.maximum(hidden, xp.zeros_like(hidden)), W) + residual * x

        return drift

    def velocity(self, like: Any, weights: Any, rtol: float) -> Field:
        """x' as a function of the state x (n, d), extended off the sphere by x / |x|.

        sphere, post-ln: x' = P_u drift(u), u = x / |x|: with steps that go to zero they are the same.
        pre-ln: x' = drift(u), x in R^d. peri-ln: x' = drift(u) / |drift(u)|. Source: arXiv 2510.22026.
        none: x' = drift(x), x in R^d: nothing is normalised, as in arXiv 2407.01602.
        """
        attends, perceives = self.attends(like, weights, rtol), self.perceives(like)
        placement, on_sphere = self.placement, self.is_on_sphere

        def field(x: Any) -> Any:
            u = x if placement == "none" else x / namespace(x).sqrt(row_dot(x, x))[:, None]
            drift = attends(u) if perceives is None else attends(u) + perceives(u)
            if on_sphere:
                return drift - row_dot(u, drift)[:, None] * u
            return _unit(drift) if placement == "peri-ln" else drift

        return field

    def layer(self, like: Any, weights: Any, rtol: float, step: float) -> Field:
        """One discrete layer of that step: attention, then perceptron, each added and normalised as the placement says."""
        parts = [part for part in (self.attends(like, weights, rtol), self.perceives(like)) if part is not None]
        placement, on_sphere = self.placement, self.is_on_sphere

        def advance(x: Any) -> Any:
            for part in parts:
                drift = part(x if placement == "none" else normalise(x))
                x = x + step * (_unit(drift) if placement == "peri-ln" else drift)
                if on_sphere:
                    x = normalise(x)
            return x

        return advance


def _unit(drift: Any) -> Any:
    """Each row divided by its length; a row of zeros stays."""
    xp = namespace(drift)
    length = norm(drift)
    return drift / xp.where(length > 0, length, xp.ones_like(length))
