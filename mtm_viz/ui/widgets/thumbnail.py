"""A small picture of measures on the sphere as an SVG image: no library, no request, drawn in microseconds an atom."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np

from mtm_viz.measures.measure import Measure
from mtm_viz.problem import Problem
from mtm_viz.sphere import normalise

#: Drawn on both themes, so in greys that both carry.
_RIM, _LINE, _FILL = "rgba(128,132,140,.75)", "rgba(128,132,140,.28)", "rgba(128,132,140,.09)"


def problem_svg(problem: Problem, colours: Sequence[str], size: int) -> str:
    """Inputs as dots, targets as hollow rings, seen from the side where most atoms are."""
    everything = [_drawn(m) for m in (*problem.inputs, *problem.targets)]
    view = facing(np.concatenate(everything))
    dots = [_dots(m, view, colours[k], hollow=True) for k, m in enumerate(problem.targets)]
    dots += [_dots(m, view, colours[k], hollow=False) for k, m in enumerate(problem.inputs)]
    return _globe(view, dots, size)


def measure_svg(measure: Measure, paint: str, size: int, hollow: bool) -> str:
    """One measure alone, as filled dots or as a target's hollow ones."""
    view = facing(_drawn(measure))
    return _globe(view, [_dots(measure, view, paint, hollow)], size)


#: The symbols of mtm_viz.rendering.style, as paths in a box from -1 to 1.
SYMBOL_PATHS = {
    "circle": "M-.85 0a.85.85 0 1 0 1.7 0a.85.85 0 1 0-1.7 0Z",
    "diamond": "M0-1L.85 0L0 1L-.85 0Z",
    "square": "M-.75-.75H.75V.75H-.75Z",
    "cross": "M-.3-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z",
    "x": "M-.9-.55L-.55-.9L0-.35L.55-.9L.9-.55L.35 0L.9 .55L.55 .9L0 .35L-.55 .9L-.9 .55L-.35 0Z",
    "triangle": "M0-.9L.9 .75H-.9Z",
    "star": "M0-1L.25-.31L.95-.31L.38 .12L.59 .81L0 .4L-.59 .81L-.38 .12L-.95-.31L-.25-.31Z",
    "hexagon": "M-.5-.87H.5L1 0L.5 .87H-.5L-1 0Z",
}


def symbol_svg(symbol: str, paint: str, size: int) -> str:
    """The marker that a measure wears in the player."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="-1.1 -1.1 2.2 2.2">'
        f'<path fill="{paint}" d="{SYMBOL_PATHS[symbol]}"/></svg>'
    )


def image(svg: str, alt: str, css: str = "") -> str:
    """An <img> that carries the SVG itself."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="{css}">'


def _drawn(measure: Measure) -> np.ndarray:
    """The first three coordinates, which is what the player shows too; the circle lies in the equator."""
    points = measure.points[:, :3]
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1])))


def facing(points: np.ndarray) -> np.ndarray:
    """An orthonormal frame, rows (right, up, toward the viewer), that looks at the middle of the points from a little above."""
    middle = points.mean(axis=0)
    toward = middle if np.linalg.norm(middle) > 0.05 else np.array([1.0, 0.35, 0.3])
    toward = normalise(toward + np.array([0.0, 0.0, 0.18]))
    up = np.array([0.0, 0.0, 1.0]) if abs(toward[2]) < 0.97 else np.array([-1.0, 0.0, 0.0])
    right = normalise(np.cross(up, toward))
    return np.stack([right, np.cross(toward, right), toward])


def _dots(measure: Measure, view: np.ndarray, paint: str, hollow: bool) -> str:
    seen = _drawn(measure) @ view.T
    style = f'fill="none" stroke="{paint}" stroke-width=".014"' if hollow else f'fill="{paint}"'
    drawn = [
        f'<circle cx="{x:.3f}" cy="{-y:.3f}" r="{0.03 if hollow else 0.036}" opacity="{0.95 if z > 0 else 0.28}"/>'
        for x, y, z in seen[np.argsort(seen[:, 2])]
    ]
    return f"<g {style}>{''.join(drawn)}</g>"


def _globe(view: np.ndarray, dots: Sequence[str], size: int) -> str:
    lines = "".join(_front(curve @ view.T) for curve in _graticule())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="-1.06 -1.06 2.12 2.12">'
        f'<circle r="1" fill="{_FILL}" stroke="{_RIM}" stroke-width=".012"/>'
        f'<g fill="none" stroke="{_LINE}" stroke-width=".012">{lines}</g>{"".join(dots)}</svg>'
    )


def _graticule() -> list[np.ndarray]:
    t = np.linspace(0.0, 2.0 * np.pi, 49)
    circles = [
        np.stack([np.cos(lat) * np.cos(t), np.cos(lat) * np.sin(t), np.full_like(t, np.sin(lat))], axis=1)
        for lat in np.deg2rad([-45, 0, 45])
    ]
    meridians = [
        np.stack([np.cos(t) * np.cos(lon), np.cos(t) * np.sin(lon), np.sin(t)], axis=1)
        for lon in np.deg2rad([0, 45, 90, 135])
    ]
    return circles + meridians


def _front(curve: np.ndarray) -> str:
    """The part of a curve in front of the sphere, as one path."""
    path, drawing = [], False
    for x, y, z in curve:
        if z > 0:
            path.append(f"{'L' if drawing else 'M'}{x:.2f} {-y:.2f}")
        drawing = z > 0
    return f'<path d="{"".join(path)}"/>' if path else ""
