"""Disentangle one measure at a time (Lemma 3.3): the road where no single (V, w) does it within the allowed contraction.

With V = omega alpha^T and w = -V c, alpha chosen so that <alpha, E[mu_j] - c> = 0 for all measures but one, only that
one feels a drift, c being a barycentre of the others; these rest, exactly, and so do their barycentres. So each
measure in turn is boosted out of the crowd toward its own direction in the belt, and pays for its own contraction
only. The paper takes d + 1 segments a measure; one alpha, hence one segment, does where barycentres are affinely
independent, so for at most d + 1 measures.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mtm_viz.construction.frontier import around
from mtm_viz.construction.hulls import separation
from mtm_viz.construction.stage import Cloud, Clouds
from mtm_viz.dynamics.exact import Boost, MeanField

#: e^s of the largest boost of one measure.
MOST_CONTRACTION = 150.0
#: Steps of the search over s, and directions omega tried.
STEPS, DIRECTIONS = 50, 24
#: <alpha, E[mu] - c> must not fall below this share of its value at the start: the drift would stall.
STALLED = 0.05
#: Barycentres with a smaller part outside the others' affine hull cannot be told apart by alpha.
DEPENDENT = 1e-4


def one_at_a_time(
    clouds: Clouds, pole: np.ndarray, margin: float, tick: Callable[[], None]
) -> tuple[MeanField, ...] | None:
    """One segment for every measure but the last, in the order in which they leave; None where the lemma does not apply."""
    forms: list[MeanField] = []
    crowd = set(range(len(clouds)))
    while len(crowd) > 1:
        ways = []
        for k in crowd:
            tick()
            way = _way_out(clouds, k, pole, margin)
            if way is not None:
                ways.append((way[0], k, way[1]))
        if not ways:
            return None
        _, k, form = min(ways, key=lambda way: way[:2])
        forms.append(form)
        clouds = tuple(Cloud(form.flow(*cloud), cloud.weights) if i == k else cloud for i, cloud in enumerate(clouds))
        crowd.remove(k)
    return tuple(forms)


def _way_out(clouds: Clouds, k: int, pole: np.ndarray, margin: float) -> tuple[float, MeanField] | None:
    """(s, form): the shortest boost of measure k after which it is apart from all others."""
    means = np.array([cloud.weights @ cloud.points for cloud in clouds])
    others = [i for i in range(len(clouds)) if i != k]
    c = means[others[0]]
    alpha = means[k] - c
    if len(others) > 1:
        # Off the affine hull of the others' barycentres.
        spanned = np.linalg.svd(means[others[1:]] - c, full_matrices=False)
        kept = spanned[2][spanned[1] > 1e-12]
        alpha = alpha - kept.T @ (kept @ alpha)
    lead = float(alpha @ alpha)
    if lead < DEPENDENT**2:
        return None
    best: tuple[float, np.ndarray, float] | None = None
    for omega in around(pole, DIRECTIONS, 0):
        time, before = 0.0, 1.0
        h = float(np.log(MOST_CONTRACTION)) / STEPS
        for step in range(1, STEPS + 1):
            s = step * h
            if best is not None and s >= best[0]:
                break
            moved = Boost(omega, s).flow(clouds[k].points)
            speed = float(alpha @ (clouds[k].weights @ moved - c)) / lead
            if speed < STALLED:
                break
            # ds = speed dt.
            time, before = time + h * (1 / speed + 1 / before) / 2, speed
            if all(separation([moved, clouds[i].points]) > margin for i in others):
                best = (s, omega, time)
                break
    if best is None:
        return None
    s, omega, time = best
    V = np.outer(omega, alpha) / lead
    form = MeanField(V, -V @ c, time)
    # The time is a quadrature: keep what it reaches only if it is apart.
    moved = form.flow(*clouds[k])
    return (s, form) if all(separation([moved, clouds[i].points]) > margin / 2 for i in others) else None
