"""Lines in space as shapes on the picture: graticule, the edges of caps, glyphs and their labels, one side at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtm_viz.rendering.camera import Camera
from mtm_viz.rendering.glyphs import Glyphs, cap_circle
from mtm_viz.rendering.shading import CAP_EDGE, GRATICULE, THROUGH, Cap, graticule_lines
from mtm_viz.rendering.shapes import Path, Shape, Text


def graticule_shapes(camera: Camera, front: bool, theme: dict[str, Any], unit: float) -> list[Shape]:
    """Meridians and parallels on the viewer's side of the sphere, or behind it."""
    strength = GRATICULE * (1 if front else THROUGH)
    shapes: list[Shape] = []
    for points, alphas, width in graticule_lines():
        shapes += _on_side(points, camera, front, theme["graticule"], width * unit, strength * alphas)
    return shapes


def cap_edge_shapes(cap: Cap, camera: Camera, front: bool, theme: dict[str, Any], unit: float) -> list[Shape]:
    """The circle in which a gate's hyperplane meets the sphere."""
    circle = cap_circle(cap.a, cap.tau)
    strength = np.full(len(circle) - 1, CAP_EDGE * (1 if front else THROUGH))
    return _on_side(circle, camera, front, theme["ink"], 1.8 * unit, strength)


def glyph_shapes(glyphs: Glyphs, camera: Camera, front: bool, unit: float) -> list[Shape]:
    """Arrows and marks, faded where they turn round the limb."""
    shapes: list[Shape] = []
    for line in glyphs.lines:
        alphas = line.alpha * side_strength(line.points, camera, front)
        for run in runs_of(alphas > 0.004):
            points, _ = camera.project(line.points[run.start : run.stop + 1])
            shapes.append(_path(points, line.color, line.width * unit, alphas[run]))
    return shapes


def label_shapes(glyphs: Glyphs, camera: Camera, unit: float, theme: dict[str, Any]) -> list[Shape]:
    """Names of points, dim behind the sphere."""
    shapes: list[Shape] = []
    size = 18 * unit
    for point, text in glyphs.labels:
        xy, _ = camera.project(point[None])
        front = bool(camera.fronted(point[None] / np.linalg.norm(point))[0] > 0)
        x, y = float(xy[0, 0]) + 0.4 * size, float(xy[0, 1]) - 0.25 * size
        shapes.append(Text(x, y, text, size, theme["ink"], "symbol", alpha=1 if front else 0.4, halo=theme["outline"]))
    return shapes


def side_strength(points: np.ndarray, camera: Camera, front: bool) -> np.ndarray:
    """How strongly each piece of a line (n, 3) is drawn in the pass of one side, (n - 1,): seen() of the line shader."""
    reach = 1.0 if camera.lens == "orthographic" else camera.distance
    t = np.clip(camera.fronted(points) / reach * camera.distance / 0.06 + 0.5, 0, 1)
    near = t * t * (3 - 2 * t)
    strength = near if front else (1 - near) * 0.38
    return (strength[1:] + strength[:-1]) / 2


def runs_of(flags: np.ndarray) -> list[slice]:
    """Where a row of truths is true without a break.

    >>> runs_of(np.array([True, True, False, True]))
    [slice(0, 2, None), slice(3, 4, None)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _on_side(
    points: np.ndarray, camera: Camera, front: bool, color: str, width: float, alphas: np.ndarray
) -> list[Shape]:
    """The pieces of a line on the sphere whose middles lie on one side."""
    middle = (points[1:] + points[:-1]) / 2
    seen = (camera.fronted(middle / np.linalg.norm(middle, axis=1, keepdims=True)) > 0) == front
    xy, _ = camera.project(points)
    return [_path(xy[run.start : run.stop + 1], color, width, alphas[run]) for run in runs_of(seen & (alphas > 0.004))]


def _path(points: np.ndarray, color: str, width: float, alphas: np.ndarray) -> Path:
    if np.ptp(alphas) < 1e-3:
        return Path(points, color, width, float(alphas[0]))
    return Path(points, color, width, alphas=alphas)
