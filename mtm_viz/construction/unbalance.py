"""Unbalance: make barycentres different where attention with B = 0 could not tell the measures apart (Lemma 3.4).

Two tools. A boost off the axis: measures with equal barycentres but different shapes get different ones, since
E[P_x omega] = omega - E[x x^T] omega (second moments at first order in the boost, the l-th at order l - 1; all
of them matter, so some boost tells any two measures apart). And a gate around atoms that one measure has and the
other has not, which always exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mtm_viz.construction.disentangle import Candidate, Demand, disentangle
from mtm_viz.construction.gates import widest_cap
from mtm_viz.construction.stage import Cloud, Clouds, Stage, union
from mtm_viz.dynamics.exact import Boost, Gate
from mtm_viz.sphere import normalise, tangent_basis

#: A disentangling that costs less is taken at once (log of the amplification).
CHEAP = 1.2
#: One that costs less is not worth a search for an unbalancing segment.
GOOD_ENOUGH = 3.5


def unbalance(
    clouds: Clouds, pole: np.ndarray, demand: Demand, tick: Callable[[], None]
) -> tuple[Stage, Candidate | None]:
    """(stage, what then disentangles): no form where none is needed; None where nothing disentangles."""
    claim = "the barycentres are pairwise at least this far apart"
    plain = disentangle(clouds, pole, demand, tick)
    if plain is not None and plain.cost < GOOD_ENOUGH:
        return Stage("unbalance", (), claim, least_gap(clouds)), plain
    best, chosen = plain, None
    for form in [*_boosts(pole), *_gates(clouds)]:
        moved = _moved(form, clouds)
        candidate = disentangle(moved, pole, demand, tick)
        if candidate is None:
            continue
        extra = float(np.log(np.max(1 / form.stretch(union(clouds))))) if isinstance(form, Boost) else 0.5
        # A segment more must earn its keep.
        if best is None or candidate.cost + extra + 0.2 < best.cost + (0.0 if chosen is None else chosen[1] + 0.2):
            best, chosen = candidate, (form, extra)
        if best is not None and best.cost < CHEAP:
            break
    if chosen is None:
        return Stage("unbalance", (), claim, least_gap(clouds)), best
    return Stage("unbalance", (chosen[0],), claim, least_gap(_moved(chosen[0], clouds))), best


def _moved(form: Boost | Gate, clouds: Clouds) -> Clouds:
    return tuple(Cloud(form.flow(cloud.points), cloud.weights) for cloud in clouds)


def least_gap(clouds: Clouds) -> float:
    """The least distance between two barycentres."""
    means = np.array([cloud.weights @ cloud.points for cloud in clouds])
    gaps = [float(np.linalg.norm(means[i] - means[j])) for i in range(len(means)) for j in range(i)]
    return min(gaps, default=0.0)


def _boosts(pole: np.ndarray) -> Iterator[Boost]:
    """Boosts across the pole, in both senses of every axis of a tangent basis."""
    for s in (0.4, 0.8):
        for axis in tangent_basis(pole):
            for sign in (1.0, -1.0):
                yield Boost(sign * axis, s)


def _gates(clouds: Clouds) -> Iterator[Gate]:
    """A gate around one atom of a measure that another measure lacks, for every pair whose barycentres nearly agree."""
    for i in range(len(clouds)):
        for j in range(i):
            gap = clouds[i].weights @ clouds[i].points - clouds[j].weights @ clouds[j].points
            if np.linalg.norm(gap) > 0.02:
                continue
            form = _gate_around_difference(clouds, i, j)
            if form is not None:
                yield form


def _gate_around_difference(clouds: Clouds, i: int, j: int) -> Gate | None:
    """The widest cap around one atom of measure i that is no atom of j, pushed a third of a radian within its cap's plane."""
    everything = union(clouds)
    best: tuple[float, np.ndarray, np.ndarray, float] | None = None
    for x in clouds[i].points:
        away = np.linalg.norm(clouds[j].points - x, axis=1).min()
        others = everything[np.linalg.norm(everything - x, axis=1) > 1e-12]
        if away < 1e-9 or len(others) == 0:
            continue
        outward = normalise(x - others.mean(axis=0))
        cap = widest_cap(np.stack([x, normalise(x + 0.35 * outward)]), others)
        if cap is not None and (best is None or cap[2] > best[0]):
            best = (cap[2], cap[0], normalise(x + 0.7 * outward), cap[1])
    return None if best is None else Gate(best[1], best[3], best[2], 6.0)
