"""Where a viewer stands and where a point of the unit sphere falls on the picture: the player's camera, in numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtm_viz.rendering.style import SIZES

Lens = Literal["perspective", "orthographic"]

#: The player's scene is a cube of half-width 1.22 fitted into a unit cube, seen under 45 degrees (camera.js).
CUBE = 2 * 1.22
FIELD_OF_VIEW = np.pi / 4
HOME: tuple[float, float, float] = SIZES["eye"]


@dataclass(frozen=True)
class Camera:
    """A viewer at `eye` (in units of the player's cube), looking at the centre, the third axis up.

    centre (x, y): where the sphere's centre falls, in pixels; focal: pixels by which the sphere's radius appears per
    unit of its distance, so that the silhouette has radius focal / sqrt(D^2 - 1) for a viewer at distance D.
    """

    eye: tuple[float, float, float]
    centre: tuple[float, float]
    focal: float
    lens: Lens = "perspective"

    @classmethod
    def filling(
        cls, eye: tuple[float, float, float], centre: tuple[float, float], radius: float, lens: Lens = "perspective"
    ) -> Camera:
        """The camera that shows the sphere `radius` pixels large when the eye is as far as the player's at first."""
        far = CUBE * float(np.linalg.norm(HOME))
        return cls(eye, centre, radius * float(np.sqrt(far**2 - 1)), lens)

    @classmethod
    def players(cls, eye: tuple[float, float, float], width: float, height: float) -> Camera:
        """The camera of a player whose stage is width x height CSS pixels."""
        return cls(eye, (width / 2, height / 2), height / 2 / float(np.tan(FIELD_OF_VIEW / 2)))

    @property
    def place(self) -> np.ndarray:
        """The viewer in units of the sphere's radius, (3,)."""
        return CUBE * np.asarray(self.eye, dtype=float)

    @property
    def distance(self) -> float:
        return float(np.linalg.norm(self.place))

    @property
    def axes(self) -> np.ndarray:
        """Rows: right, up, and toward the viewer; orthonormal."""
        toward = self.place / self.distance
        right = np.cross([0.0, 0.0, 1.0], toward)
        if np.linalg.norm(right) < 1e-9:  # straight above a pole
            right = np.array([0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(toward, right), toward])

    @property
    def radius(self) -> float:
        """Of the silhouette, in pixels."""
        if self.lens == "orthographic":
            return self.focal / self.distance
        return self.focal / float(np.sqrt(self.distance**2 - 1))

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (n, 2), y downward, and nearness (n,): the centre's distance over the point's, which scales markers."""
        seen = points @ self.axes.T
        if self.lens == "orthographic":
            near = np.ones(len(points))
        else:
            near = self.distance / np.maximum(self.distance - seen[:, 2], 1e-6)
        scale = (self.focal / self.distance * near)[:, None]
        return np.asarray(self.centre) + seen[:, :2] * scale * [1, -1], near

    def fronted(self, points: np.ndarray) -> np.ndarray:
        """Positive where a point lies on the viewer's side of the sphere: <x, eye> - |x|^2, or <x, toward viewer>."""
        if self.lens == "orthographic":
            return points @ self.axes[2]
        return points @ self.place - np.einsum("ij,ij->i", points, points)

    def depth(self, points: np.ndarray) -> np.ndarray:
        """Larger is nearer to the viewer, (n,)."""
        return points @ self.axes[2]
