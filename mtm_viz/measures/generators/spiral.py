"""An Archimedean spiral about a centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import axis, evenly_along, on_patch
from mtm_viz.parameters import Direction, Number

_STEPS_A_TURN = 720


@final
@dataclass(frozen=True)
class Spiral(Generator):
    """Evenly spaced by arc length on angle = radius t, bearing = 2 pi turns t, 0 <= t <= 1.

    In d > 3 it winds in one plane of the tangent space, see tangent_frame.
    """

    label: ClassVar[str] = "Spiral"
    help: ClassVar[str] = "Evenly spaced on a spiral that winds out from its centre."
    random: ClassVar[bool] = False
    least_dimension: ClassVar[int] = 3

    center: tuple[float, ...] | None = Direction("Centre", "Where the spiral begins.").field(None)
    radius_deg: float = Number("Radius", "Angle from the centre to the end.", min=0.01, max=180, unit="deg").field(60.0)
    turns: float = Number("Turns", "How often it winds about the centre.", min=0, max=50).field(3.0)

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        t = np.linspace(0.0, 1.0, _STEPS_A_TURN * (1 + int(np.ceil(self.turns))))
        bearing = 2.0 * np.pi * self.turns * t
        plane = np.deg2rad(self.radius_deg) * t[:, None] * np.stack([np.cos(bearing), np.sin(bearing)], axis=1)
        return evenly_along([on_patch(axis(self.center, dimension), plane)], n)
