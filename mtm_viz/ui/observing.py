"""Observables along a simulation, measured once and kept as long as the simulation is."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from mtm_viz.diagnostics.observables import observables, observed
from mtm_viz.simulation import Simulation

Curves = list[tuple[np.ndarray, np.ndarray]]

#: What is measured at once, in the order in which it is drawn.
ORDER = ("energy", "clusters", "order", "diameter", "rank")

_measured: WeakKeyDictionary[Simulation, dict[str, Curves]] = WeakKeyDictionary()


def names() -> list[str]:
    return list(ORDER)


def measured(found: Simulation, name: str) -> Curves:
    """(frames, values) of one observable for every measure; of several heads, the first one's B counts."""
    known = _measured.setdefault(found, {})
    if name not in known:
        B = found.scenario.law.heads[0].B
        known[name] = [observed(name, x, w, B) for x, w in zip(found.trajectories, found.weights, strict=True)]
    return known[name]


def reading(name: str, curves: Curves) -> str:
    """Where it starts and where it ends.

    >>> reading("clusters", [(np.array([0, 1]), np.array([12.0, 1.0]))])
    '12 → 1'
    """
    kind = observables()[name]

    def said(x: float) -> str:
        return f"{x:.0f}" if kind.counts else f"{x:.1f}{kind.unit}" if kind.unit else f"{x:.3f}"

    return ", ".join(f"{said(values[0])} → {said(values[-1])}" for _, values in curves)
