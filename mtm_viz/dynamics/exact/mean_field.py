"""Mean-field attention B = 0: every measure undergoes its own Moebius map, driven by its own barycentre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from mtm_viz.backend import beside, namespace, to_host
from mtm_viz.dynamics.exact.boost import constant_drift, drift_segment
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.sphere import normalise


@dataclass(frozen=True, eq=False)
class MeanField:
    """x' = P_x(V E[mu] + drift) for `duration`; V (d, d), drift (d,).

    With c(t) = V E[mu(t)] + drift, points ride on null vectors of Minkowski space: (x, 1) -> g (x, 1),
    g' = [[0, c], [c^T, 0]] g, and x is read back by dividing by the last entry. So only g in SO(d, 1) is
    integrated, whatever the number of atoms.
    """

    V: np.ndarray
    drift: np.ndarray
    duration: float

    def lorentz(self, points: Any, weights: Any) -> np.ndarray:
        """g(duration), (d + 1, d + 1), on the host; points on a device stay there, their mean comes over."""
        d = points.shape[1]
        rays = _rays(points)

        def rate(_: float, flat: np.ndarray) -> np.ndarray:
            g = flat.reshape(d + 1, d + 1)
            moved = rays @ beside(g.T, points)
            c = self.V @ to_host((weights / moved[:, d]) @ moved[:, :d]) + self.drift
            return np.vstack([np.outer(c, g[d]), c @ g[:d]]).ravel()

        found = solve_ivp(
            rate,
            (0.0, self.duration),
            np.eye(d + 1).ravel(),
            method="DOP853",
            rtol=1e-13,
            atol=1e-13,
            t_eval=[self.duration],
        )
        if not found.success:
            raise ArithmeticError(f"the mean-field flow could not be integrated: {found.message}")
        return found.y[:, -1].reshape(d + 1, d + 1)

    def flow(self, points: Any, weights: Any) -> Any:
        moved = _rays(points) @ beside(self.lorentz(points, weights).T, points)
        return normalise(moved[:, :-1] / moved[:, -1:])

    def segment(self, phase: str, width: int | None = None) -> Segment:
        return drift_segment(self.V, self.drift, self.duration, phase, width)

    @classmethod
    def of(cls, segment: Segment) -> MeanField | None:
        drift = constant_drift(segment)
        if drift is None or not segment.uses_attention or np.any(segment.B):
            return None
        return cls(segment.V, drift, segment.duration)


def _rays(points: Any) -> Any:
    """(x, 1) for every row x."""
    xp = namespace(points)
    return xp.concat([points, xp.ones_like(points[:, :1])], axis=1)
