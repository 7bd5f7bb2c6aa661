"""One moment of a run as it is drawn: markers with their places, sizes and looks, lines, caps and labels, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Any

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.rendering.camera import Camera
from mtm_viz.rendering.glyphs import Glyphs, segment_glyphs
from mtm_viz.rendering.moments import Moments, coordinate_rows, spread_rows
from mtm_viz.rendering.numbers import superscript
from mtm_viz.rendering.reading import movers_of, read_segment
from mtm_viz.rendering.shading import rgb
from mtm_viz.rendering.sprites import Look
from mtm_viz.rendering.style import SIZES, SYMBOLS
from mtm_viz.run import Run

TRAIL_SAMPLES, TRAIL_SPAN, MOST_TRAIL_PIECES = 10, 0.035, 12_000


@dataclass(frozen=True, eq=False)
class Markers:
    """Markers to draw, those farther away first: xy (n, 2) and px (n,) diameters in pixels, look (n,) an index."""

    xy: np.ndarray
    px: np.ndarray
    look: np.ndarray
    front: np.ndarray

    def side(self, front: bool) -> Markers:
        """Those on the viewer's side of the sphere, or those behind it."""
        chosen = self.front == front
        return Markers(self.xy[chosen], self.px[chosen], self.look[chosen], self.front[chosen])


@dataclass(eq=False)
class Scene:
    """A run with colours and sizes. unit: pixels per CSS pixel; `looks`: solid markers first, then the hollow ones."""

    moments: Moments
    theme: dict[str, Any]
    unit: float
    parts: frozenset[str]

    @property
    def run(self) -> Run:
        return self.moments.run

    @cached_property
    def diameter(self) -> float:
        """Of a marker of average weight at the centre's distance, in pixels (markerSize of scene.js)."""
        total = sum(x.shape[1] for x in self.run.trajectories)
        crowd = min(1.0, log(max(total, 100) / 100) / log(SIZES["many"] / 100))
        return self.unit * (SIZES["marker_few"] + crowd * (SIZES["marker_many"] - SIZES["marker_few"]))

    @cached_property
    def looks(self) -> list[Look]:
        """One solid and one hollow look a measure."""
        solid, hollow = [], []
        css = self.diameter / self.unit
        for i in range(len(self.run.trajectories)):
            color = rgb(self.theme["measures"][i % len(self.theme["measures"])])
            symbol, outline = SYMBOLS[i % len(SYMBOLS)], rgb(self.theme["outline"])
            solid.append(Look(symbol, color, outline, rim=(1.1 if css > 5 else 0.5) * self.unit))
            line = max(1.3, css * SIZES["ghost"] * 0.13) * self.unit
            hollow.append(Look(symbol, color, outline, 0.85, line))
        return solid + hollow

    def atoms(self, at: float, camera: Camera) -> Markers:
        """Every atom at display time `at`."""
        positions = [self.moments.positions(i, at) for i in range(len(self.run.trajectories))]
        return self._markers(positions, self.run.weights, camera, 0, self.diameter)

    def ghosts(self, camera: Camera) -> Markers:
        """Hollow markers where each measure must arrive."""
        if "targets" not in self.parts:
            return Markers(np.empty((0, 2)), np.empty(0), np.empty(0, int), np.empty(0, bool))
        count = len(self.run.targets)
        points = [self.moments.targets(i) for i in range(count)]
        return self._markers(points, self.run.target_weights, camera, count, self.diameter * SIZES["ghost"])

    def _markers(
        self, points: list[np.ndarray], weights: tuple[np.ndarray, ...], camera: Camera, first: int, diameter: float
    ) -> Markers:
        whole = np.concatenate(points)
        look = np.repeat(np.arange(first, first + len(points)), [len(x) for x in points])
        size = np.concatenate([relative_sizes(w) for w in weights])
        radius = 1.0 if self.run.schedule.dimension > 3 else SIZES["radius"]
        xy, near = camera.project(whole * radius)
        front = camera.fronted(whole) > 0
        size = size * np.where(front, 1.0, SIZES["behind"])
        px = np.maximum(diameter * size * np.clip(near, 0.6, 1.6), min(2.0, 2 * self.unit))
        # Stable: atoms in one place are drawn in the order of their measures, as in the player.
        order = np.argsort(camera.depth(whole), kind="stable")
        return Markers(xy[order], px[order], look[order], front[order])

    def glyphs(self, at: float) -> Glyphs:
        """Lines, caps and labels of the running segment, in space."""
        if "segment" not in self.parts:
            return Glyphs()
        s = self.moments.segment(at)
        segment = self.run.schedule.segments[s]
        reading, movers = self._read(s)
        atoms = [(self.moments.positions(i, at), w) for i, w in enumerate(self.run.weights)] if reading.attends else []
        return segment_glyphs(reading, movers, segment, atoms, self.moments.rows, self.theme)

    @cached_property
    def _read(self):
        @lru_cache(maxsize=64)
        def read(s: int):
            reading = read_segment(self.run.schedule.segments[s])
            return reading, movers_of(self.moments, s) if reading.gates else []

        return read

    def trails(self, at: float) -> list[tuple[np.ndarray, np.ndarray, int, float]]:
        """Where atoms have just been: (starts (k, 3), ends (k, 3), measure, strength), older ones first and fainter."""
        if "trails" not in self.parts:
            return []
        total = sum(x.shape[1] for x in self.run.trajectories)
        every = max(1, -(-total * TRAIL_SAMPLES // MOST_TRAIL_PIECES))
        pieces = []
        for i in range(len(self.run.trajectories)):
            near = self.moments.positions(i, at)[::every]
            for k in range(1, TRAIL_SAMPLES + 1):
                before = at - TRAIL_SPAN * k / TRAIL_SAMPLES
                if before < -TRAIL_SPAN / TRAIL_SAMPLES:
                    break
                far = self.moments.positions(i, max(0.0, before))[::every]
                moved = np.abs(near - far).sum(axis=1) > 1e-4
                pieces.append((near[moved], far[moved], i, 0.6 * (1 - (k - 1) / TRAIL_SAMPLES)))
                near = far
        return pieces[::-1]


def relative_sizes(weights: np.ndarray) -> np.ndarray:
    """Diameter factors, area in proportion to mass; 1 where all weigh the same."""
    mean = weights.mean() if len(weights) else 1.0
    if (np.abs(weights - mean) < 1e-3 * mean).all():
        return np.ones(len(weights))
    return np.clip(np.sqrt(weights / mean), 0.35, 2.5)


def seen_through(run: Run, axes: str) -> tuple[Moments, str]:
    """The run through three coordinates or its largest spread, and the note that says so ("" in dimension 3 or less)."""
    d = run.schedule.dimension
    if d <= 3:
        return Moments(run, coordinate_rows(d)), ""
    sphere = f"S{superscript(d - 1)} seen through"
    if axes == "spread":
        return Moments(run, spread_rows(run)), f"{sphere} the three directions of largest spread"
    words = [word.strip() for word in axes.split(",")]
    if len(words) != 3 or len(set(words)) != 3 or not all(w.isdecimal() and 1 <= int(w) <= d for w in words):
        raise InputError(
            f"the axes '{axes}' are not known: use spread, or three different numbers from 1 to {d}, as in 1,2,3"
        )
    which = (int(words[0]) - 1, int(words[1]) - 1, int(words[2]) - 1)
    return Moments(run, coordinate_rows(d, which)), f"{sphere} coordinates {', '.join(words)}"
