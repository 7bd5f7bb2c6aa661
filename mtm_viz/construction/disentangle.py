"""Disentangle: ONE attention segment after which the measures' geodesic hulls are pairwise disjoint (Prop 3.1, Prop 6.2).

With B = 0 measure i feels x' = P_x c_i, c_i = V E[mu_i] + w: a Moebius boost of its own. The common part of the
barycentres pulls everything together and is wasted contraction, so it is cancelled by the perceptron's constant
drift: w = -V m, m the mean barycentre. Then clouds that overlap move apart and hardly shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mtm_viz.construction.hulls import certified_separation, separation
from mtm_viz.construction.stage import Clouds, Stage
from mtm_viz.dynamics.exact import MeanField


class Demand(NamedTuple):
    """margin: hulls are apart when separated by hyperplanes with this margin on either side (sine of the angle);
    calm: the price of amplifying a shift of the barycentres, against that of contraction; strays: how many standard
    deviations aside other samples of the measures still find room, 0 where only these atoms count; long_chains: how
    many slices may be carried by a long chain of caps.
    """

    margin: float = 0.012
    calm: float = 1.0
    strays: float = 0.0
    long_chains: float = np.inf

    @property
    def general(self) -> bool:
        """Whether other samples are to come along."""
        return self.strays > 0


#: e^s of the largest boost the search allows any atom.
MOST_CONTRACTION = 40.0
#: Clouds farther than this from the pole leave too little of the equator free.
MOST_SPREAD = np.radians(72.0)


@dataclass(frozen=True)
class Candidate:
    """A mean field that disentangles, with what it costs."""

    form: MeanField
    contraction: float
    spread: float
    sensitivity: float
    cost: float


def disentangle(
    clouds: Clouds, pole: np.ndarray, demand: Demand, tick: Callable[[], None] = lambda: None
) -> Candidate | None:
    """The least costly of a few (V, w), each run for the least time that separates; None where none does.

    `tick` is called before each and may raise to cancel.
    """
    best: Candidate | None = None
    for V, w in drives(clouds, pole):
        tick()
        candidate = least_time(clouds, V, w, pole, demand)
        if candidate is not None and (best is None or candidate.cost < best.cost):
            best = candidate
    return best


def as_stage(forms: tuple[MeanField, ...], after: Clouds) -> Stage:
    """The stage for the certificate; `after` are the disentangled clouds."""
    sine = certified_separation([cloud.points for cloud in after]) if len(after) > 1 else 1.0
    value = float(2 * np.arcsin(np.clip(sine, -1.0, 1.0)))
    claim = "the geodesic hulls are pairwise disjoint, at least this far apart (rad)"
    return Stage("disentangle", forms, claim, value)


def drives(clouds: Clouds, pole: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(V, w) to try. Offsets of the barycentres are scaled so that the largest drift is 1 at the start."""
    d = len(pole)
    identity, across = np.eye(d), np.eye(d) - np.outer(pole, pole)
    means = np.array([cloud.weights @ cloud.points for cloud in clouds])
    centre = means.mean(axis=0)
    offsets = means - centre
    for kappa in (1.0, 0.5):
        yield identity - kappa * np.outer(pole, pole), np.zeros(d)
    covariance = across @ offsets.T @ offsets @ across
    values, axes = np.linalg.eigh(covariance)
    spread = np.sqrt(np.maximum(values, 0.0))
    evened = axes @ np.diag(1 / np.maximum(spread, 0.15 * spread.max() + 1e-300)) @ axes.T @ across
    # Only what tells the measures apart: noise of a barycentre in any other direction is not amplified.
    within = np.linalg.svd(offsets)[2][: np.linalg.matrix_rank(offsets, tol=1e-3)]
    for V in (identity, across, (identity + across) / 2, evened, within.T @ within, -across):
        speed = np.linalg.norm(offsets @ V.T, axis=1).max()
        if speed > 1e-9:
            yield V / speed, -(V / speed) @ centre


def least_time(clouds: Clouds, V: np.ndarray, w: np.ndarray, pole: np.ndarray, demand: Demand) -> Candidate | None:
    """Follow every measure's Lorentz matrix by RK4 until the hulls are apart, or the contraction is too much."""
    d, n = len(pole), [len(cloud.points) for cloud in clouds]
    rays = np.zeros((len(clouds), max(n), d + 1))
    rays[:, :, d] = 1.0
    weights = np.zeros((len(clouds), max(n)))
    for i, cloud in enumerate(clouds):
        rays[i, : n[i], :d], weights[i, : n[i]] = cloud.points, cloud.weights

    def drift(g: np.ndarray) -> np.ndarray:
        moved = rays @ np.swapaxes(g, 1, 2)
        return np.einsum("im,imk->ik", weights / moved[..., d], moved[..., :d]) @ V.T + w

    def rate(g: np.ndarray) -> np.ndarray:
        c = drift(g)
        return np.concatenate(
            [c[:, :, None] * g[:, d:, :], np.einsum("ik,ikj->ij", c, g[:, :d, :])[:, None, :]], axis=1
        )

    g = np.broadcast_to(np.eye(d + 1), (len(clouds), d + 1, d + 1)).copy()
    t = 0.0
    for _ in range(400):
        h = 0.03 / max(float(np.linalg.norm(drift(g), axis=1).max()), 0.03)
        k1 = rate(g)
        k2 = rate(g + h / 2 * k1)
        k3 = rate(g + h / 2 * k2)
        g = g + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(g + h * k3))
        t += h
        moved = rays @ np.swapaxes(g, 1, 2)
        # 1 / (last entry) is the conformal factor at that atom.
        stretched = [moved[i, : n[i], d] for i in range(len(clouds))]
        contraction = max(max(float(s.max()), 1 / float(s.min())) for s in stretched)
        if contraction > MOST_CONTRACTION:
            return None
        images = [moved[i, : n[i], :d] / stretched[i][:, None] for i in range(len(clouds))]
        if separation(images, enough=1.0) > demand.margin:
            spread = float(np.arccos(np.clip(min((x @ pole).min() for x in images), -1.0, 1.0)))
            sensitivity = t * float(np.linalg.norm(V, 2)) / np.sqrt(min(n))
            # Log of the amplification it brings, with a fine for leaving the hemisphere of the pole.
            cost = np.log(contraction) + demand.calm * np.log1p(sensitivity) + 8.0 * max(0.0, spread - MOST_SPREAD)
            return Candidate(MeanField(V, w, t), contraction, spread, sensitivity, float(cost))
    return None
