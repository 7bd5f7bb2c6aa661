"""Gather: one boost away from the emptiest direction (Lemma 3.2), or toward it where the union is very small."""

from __future__ import annotations

import numpy as np

from mtm_viz.construction.stage import Clouds, Stage, union
from mtm_viz.dynamics.exact import Boost
from mtm_viz.sphere import boost, smallest_cap

#: Unions within these radii are left as they are; others are brought to the nearer one. Within a hemisphere
#: with room to spare there is a free equator; below, gates would have to squeeze between atoms.
LEAST_RADIUS = np.radians(30.0)
MOST_RADIUS = np.radians(50.0)


def gather(clouds: Clouds) -> tuple[Stage, np.ndarray]:
    """(stage, centre): after it all atoms lie in the cap of MOST_RADIUS about `centre`.

    A boost toward the centre obeys tan(theta/2) -> e^{-s} tan(theta/2), so its strength is known.
    """
    points = union(clouds)
    centre, radius = smallest_cap(points)
    wanted = float(np.clip(radius, LEAST_RADIUS, MOST_RADIUS))
    if radius < 1e-6 or wanted == radius:
        return Stage("gather", (), "the union of supports already lies in a cap of this radius (rad)", radius), centre
    s = float(np.log(np.tan(radius / 2) / np.tan(wanted / 2)))
    # Toward the centre to gather, toward its antipode to spread.
    form = Boost(centre if s > 0 else -centre, abs(s))
    reached = float(enclosing_radius(boost(points, form.omega, form.duration), centre))
    return Stage("gather", (form,), "the union of supports lies in a cap of this radius (rad)", reached), centre


def enclosing_radius(points: np.ndarray, centre: np.ndarray) -> float:
    """The radius of the cap about `centre` that just holds every point."""
    return float(np.arccos(np.clip((points @ centre).min(), -1.0, 1.0)))
