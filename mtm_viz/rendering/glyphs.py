"""What the running segment does, drawn on the sphere: polylines, caps and labels. The same rules as the player's picture.js."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mtm_viz.dynamics.attention import attention
from mtm_viz.dynamics.schedule import Segment
from mtm_viz.rendering.moments import between
from mtm_viz.rendering.reading import Mover, Reading
from mtm_viz.rendering.shading import Cap
from mtm_viz.sphere import angle

LIFT = 1.012
MOST_ARROWS = 24


@dataclass(frozen=True, eq=False)
class Line:
    """A polyline in space, points (n, 3); width in CSS pixels."""

    points: np.ndarray
    color: str
    width: float
    alpha: float = 1.0


@dataclass
class Glyphs:
    """Everything drawn for a segment. labels: (point, text)."""

    caps: list[Cap] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    labels: list[tuple[np.ndarray, str]] = field(default_factory=list)


def segment_glyphs(
    reading: Reading,
    movers: list[Mover],
    segment: Segment,
    atoms: list[tuple[np.ndarray, np.ndarray]],
    rows: np.ndarray,
    theme: dict[str, Any],
) -> Glyphs:
    """Gates as caps, movers and drifts as arrows, a rotation as a ring, attention's pull where each barycentre lies.

    atoms: (positions (n, 3), weights (n,)) of each measure now; rows (3, d): how points are seen.
    """
    d = rows.shape[1]
    on_sphere = d <= 3
    found = Glyphs()
    ink = theme["ink"]
    colors = theme["measures"]
    for gate in reading.gates:
        if on_sphere:  # above dimension 3 a cap's shadow is no circle
            color = colors[movers[0].measure % len(colors)] if movers else theme["accent"]
            found.caps.append(Cap(rows @ gate.a, gate.tau, color))
        _name(found, _unit(rows @ gate.drift), 0.035, ink)
    if reading.gates and len(movers) <= MOST_ARROWS:
        for mover in movers:
            start, end = _unit(rows @ mover.start), _unit(rows @ mover.end)
            found.lines += arrow(start, end, colors[mover.measure % len(colors)], 2.4)
    if reading.drift is not None and not reading.gates:
        omega = _unit(rows @ reading.drift)
        _name(found, omega, 0.045, ink)
        found.lines += _comb(omega, ink)
    if reading.rotation is not None and d == 3:
        found.lines += _turning(reading.rotation, ink)
    if reading.attends:
        for i, (points, weights) in enumerate(atoms):
            found.lines += _pull(points, weights, segment, on_sphere and d == 3, colors[i % len(colors)])
    return found


def arrow(x: np.ndarray, y: np.ndarray, color: str, width: float, alpha: float = 1.0, head: float = 1.0) -> list[Line]:
    """An arrow along the great circle from x to y."""
    gap = float(angle(x, y))
    if gap < 1e-4:
        return []
    shaft = arc(x, y, 20) * LIFT
    back = _unit(_slerp(x, y, 0.9) - y)
    side = _unit(np.cross(y, back))
    size = min(0.075, 0.45 * gap) * head
    left, right = (LIFT * _unit(y + back * size + side * (s * size * 0.55)) for s in (1, -1))
    barbs = np.array([left, y * LIFT, right])
    return [Line(shaft, color, width, alpha), Line(barbs, color, width, alpha)]


def mark(point: np.ndarray, size: float, color: str, width: float, alpha: float = 0.92) -> list[Line]:
    """A small cross on the sphere."""
    e, g = _frame(_unit(point))
    return [Line(np.array([point - size * v, point + size * v]), color, width, alpha) for v in (e, g)]


def arc(x: np.ndarray, y: np.ndarray, pieces: int) -> np.ndarray:
    """The great circle from x to y, (pieces + 1, 3)."""
    s = np.linspace(0, 1, pieces + 1)[:, None]
    theta = float(angle(x, y))
    if theta < 1e-6 or theta > np.pi - 1e-6:
        return np.array([_slerp(x, y, float(t)) for t in s[:, 0]])
    return (np.sin((1 - s) * theta) * x + np.sin(s * theta) * y) / np.sin(theta)


def cap_circle(a: np.ndarray, tau: float, pieces: int = 180) -> np.ndarray:
    """The boundary of {<a, x> > tau} on the 2-sphere, closed, (pieces + 1, 3)."""
    e, g = _frame(a)
    t = np.linspace(0, 2 * np.pi, pieces + 1)[:, None]
    return tau * a + np.sqrt(max(0.0, 1 - tau * tau)) * (np.cos(t) * e + np.sin(t) * g)


def _name(found: Glyphs, omega: np.ndarray, size: float, ink: str) -> None:
    found.lines += mark(omega * LIFT, size, ink, 2.1)
    found.labels.append((omega * 1.07, "ω"))


def _comb(omega: np.ndarray, ink: str) -> list[Line]:
    """Six arrows round omega, all pointing to it: a drift that is open everywhere."""
    e, g = _frame(omega)
    lines = []
    for k in range(6):
        t = k * np.pi / 3
        x = np.cos(0.75) * omega + np.sin(0.75) * (np.cos(t) * e + np.sin(t) * g)
        lines += arrow(x, _slerp(x, omega, 0.42 / 0.75), ink, 2.1, 0.75)
    return lines


def _turning(A: np.ndarray, ink: str) -> list[Line]:
    """A ring round the axis of a rotation, two arrow heads in its sense."""
    k = _unit(np.array([A[2, 1], A[0, 2], A[1, 0]]))
    e, g = _frame(k)
    lines = [Line(np.array([k, 1.16 * k]), ink, 2.1, 0.92)]
    for start in (0.0, np.pi):
        t = start + np.linspace(0, 2.6, 22)[:, None]
        path = np.cos(0.45) * k + np.sin(0.45) * (np.cos(t) * e + np.sin(t) * g)
        lines.append(Line(path[:-3] * LIFT, ink, 2.1, 0.92))
        lines += arrow(path[18], path[21], ink, 2.1, 0.92, 1.6)
    return lines


def _pull(points: np.ndarray, weights: np.ndarray, segment: Segment, whole: bool, color: str) -> list[Line]:
    """P_x V A_B[mu](x) at x = mean / |mean|, scaled to be seen."""
    mean = weights @ points
    size = np.linalg.norm(mean)
    if size < 1e-3:
        return []
    x = mean / size
    if not whole:
        return mark(x, 0.03, color, 3.0, 1.0)
    heard = attention(points, weights, segment.B, queries=x[None])[0]
    force = segment.V @ heard
    along = force - (force @ x) * x
    strength = float(np.linalg.norm(along))
    if strength < 1e-9:
        return mark(x, 0.03, color, 3.0, 1.0)
    reach = min(0.62, 0.2 + 0.9 * strength / max(float(np.abs(segment.V).max()), 1e-12))
    y = np.cos(reach) * x + np.sin(reach) * along / strength
    return mark(x * LIFT, 0.03, color, 3.0, 1.0) + arrow(x, y, color, 3.0, head=1.3)


def _unit(x: np.ndarray) -> np.ndarray:
    size = float(np.linalg.norm(x))
    return x / size if size > 1e-12 else np.array([0.0, 0.0, 1.0])


def _slerp(x: np.ndarray, y: np.ndarray, s: float) -> np.ndarray:
    return between(x[None], y[None], s)[0]


def _frame(k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A right-handed frame (e, g) of the plane orthogonal to the unit vector k."""
    e = _unit(np.array([-k[1], k[0], 0.0]) if abs(k[2]) < 0.9 else np.array([0.0, -k[2], k[1]]))
    return e, np.cross(k, e)
