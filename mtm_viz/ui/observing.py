"""Which observables are measured at once, and what is said of their curves."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics.observables import observables
from mtm_viz.simulation import Simulation

Curves = list[tuple[np.ndarray, np.ndarray]]

#: What is measured at once, in the order in which it is drawn.
ORDER = ("energy", "clusters", "order", "diameter", "rank")


def names() -> list[str]:
    return list(ORDER)


def measured(found: Simulation, name: str) -> Curves:
    """(frames, values) of one observable for every measure."""
    return found.observed(name)


def reading(name: str, curves: Curves) -> str:
    """Where it starts and where it ends.

    >>> reading("clusters", [(np.array([0, 1]), np.array([12.0, 1.0]))])
    '12 → 1'
    """
    kind = observables()[name]

    def said(x: float) -> str:
        return f"{x:.0f}" if kind.counts else f"{x:.1f}{kind.unit}" if kind.unit else f"{x:.3f}"

    return ", ".join(f"{said(values[0])} → {said(values[-1])}" for _, values in curves)
