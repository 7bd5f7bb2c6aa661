"""Which observables are measured at once, and what is said of their curves, of plateaus, and by theory."""

from __future__ import annotations

import numpy as np

from mtm_viz.diagnostics import between, predictions
from mtm_viz.diagnostics.observables import observables
from mtm_viz.dynamics.models.kuramoto import Kuramoto
from mtm_viz.dynamics.models.sa import Softmax
from mtm_viz.dynamics.models.usa import Unnormalised
from mtm_viz.simulation import Simulation

Curves = list[tuple[np.ndarray, np.ndarray]]

#: What is measured at once, in the order in which it is drawn.
ORDER = ("energy", "clusters", "order", "diameter", "rank")
#: What is no observable of one measure, and its name in the list of more.
W2, MATRIX = "w2", "attention"


def names() -> list[str]:
    return list(ORDER)


def more(found: Simulation) -> dict[str, str]:
    """What is measured when asked for, and its label."""
    said = {name: kind.label for name, kind in observables().items() if name not in ORDER}
    return said | ({W2: between.LABEL} if len(found.names) > 1 else {}) | {MATRIX: "Attention matrix"}


def reading(name: str, curves: Curves) -> str:
    """Where it starts and where it ends.

    >>> reading("clusters", [(np.array([0, 1]), np.array([12.0, 1.0]))])
    '12 → 1'
    """
    kind = observables()[name]

    def said(x: float) -> str:
        return f"{x:.0f}" if kind.counts else f"{x:.1f}{kind.unit}" if kind.unit else f"{x:.3f}"

    return ", ".join(f"{said(values[0])} → {said(values[-1])}" for _, values in curves)


def tooltip(name: str, found: Simulation) -> str:
    """Formula and source; of many particles, how many are looked at; what theory says of this law."""
    kind, most = observables()[name], max(len(w) for w in found.weights)
    parts = [kind.formula]
    if kind.most_particles is not None and most > kind.most_particles:
        parts.append(f"Measured on {kind.most_particles:,} of {most:,} particles, evenly chosen by mass.")
    parts.append(f"Source: {kind.source}.")
    theory = theories(found).get(name)
    return "\n\n".join([*parts, *([f"Theory: {theory}"] if theory else [])])


def plateau_words(found: Simulation) -> str:
    """When there are how many clusters, in a sentence, or ""."""
    parts = []
    for k, p in enumerate(found.plateaus):
        start, end = float(found.times[p.first]), float(found.times[p.last])
        count = p.said if k == 0 else p.said.removesuffix(" clusters").removesuffix(" cluster")
        until = "on" if p.last == len(found.times) - 1 else f"to {end:.3g}"
        parts.append(f"{count} from {start:.3g} {until}")
    return "; ".join(parts)


def theories(found: Simulation) -> dict[str, str]:
    """By observable, what is known of this law before it runs; only of V = I and B = beta I on the sphere, one law, no mask."""
    law, d = found.scenario.law, found.scenario.dimension
    beta, one = float(law.heads[0].B[0, 0]), len(law.heads) == 1 and not found.scenario.schedule
    plain = np.array_equal(law.heads[0].V, np.eye(d)) and np.array_equal(law.heads[0].B, beta * np.eye(d)) and beta >= 0
    if not (one and plain and law.is_on_sphere) or law.causal or law.W is not None or law.layers is not None:
        return {}
    said, kind = {}, law.model
    if isinstance(kind, Softmax) and not law.is_random and beta > 0:
        degree = predictions.fastest_degree(beta, d)
        said["clusters"] = (
            f"of all perturbations of the uniform measure those of degree {degree} grow fastest"
            + (f", so that about {degree} clusters come first" if d == 2 and degree > 1 else "")
            + " (arXiv 2410.23228)."
        )
    if law.noise > 0 and not law.common_noise and isinstance(kind, Kuramoto | Softmax | Unnormalised):
        beta = 0.0 if isinstance(kind, Kuramoto) else beta
        threshold = predictions.critical_kappa(beta, d, normalised=isinstance(kind, Softmax))
        said["order"] = (
            f"particles balance where the noise is above {(2 / threshold) ** 0.5:.3g}; it is {law.noise:.3g} (arXiv 2606.05140)."
        )
        if beta == 0:
            said["order"] += f" It settles at {predictions.settled_order(2 / law.noise**2, d):.3g}."
        elif isinstance(kind, Unnormalised):
            jump = predictions.jump_beta(d)
            said["order"] += (
                f" Order sets in {'with a jump' if beta > jump else 'continuously'}: β is {'above' if beta > jump else 'below'} {jump:.3g}."
            )
    return said
