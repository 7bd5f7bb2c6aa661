"""What panels, captions and lines are made of. The same list is painted by Pillow, written as SVG and written as PDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

Anchor = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class Box:
    """A rectangle with rounded corners."""

    x: float
    y: float
    w: float
    h: float
    color: str
    alpha: float = 1.0
    round: float = 0.0


@dataclass(frozen=True, eq=False)
class Path:
    """A polyline, or a filled polygon where width is 0; points (n, 2). alphas (n - 1,): one a piece, in place of alpha."""

    points: np.ndarray
    color: str
    width: float
    alpha: float = 1.0
    alphas: np.ndarray | None = None


@dataclass(frozen=True)
class Text:
    """One line; y is the baseline. halo: a colour behind the letters, or empty."""

    x: float
    y: float
    text: str
    size: float
    color: str
    weight: str = "regular"
    anchor: Anchor = "left"
    alpha: float = 1.0
    halo: str = ""


@dataclass(frozen=True)
class Icon:
    """A measure's symbol, `size` pixels across."""

    x: float
    y: float
    size: float
    symbol: str
    color: str


Shape = Box | Path | Text | Icon


def outline(symbol: str, inset: float = 0.0) -> np.ndarray:
    """The symbol as a polygon in half-diameters, y downward, (n, 2): where its distance in sprites.py is -inset."""
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]

    def ring(n: int, r: float, start: float = 0.0) -> np.ndarray:
        a = start + 2 * np.pi * np.arange(n) / n
        return max(r, 0.02) * np.stack([np.sin(a), -np.cos(a)], axis=1)

    if symbol == "circle":
        return max(0.80 - inset, 0.02) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if symbol == "diamond":
        return ring(4, 0.98 - inset / 0.7071)
    if symbol == "square":
        return ring(4, (0.70 - inset) * np.sqrt(2), np.pi / 4)
    if symbol == "triangle":
        return ring(3, 2 * (0.48 - inset)) + np.array([0, 0.12])
    if symbol == "hexagon":
        return ring(6, (0.76 - inset) / np.cos(np.pi / 6), np.pi / 6)
    if symbol == "star":
        # Its edges lie 0.33 from the centre.
        share = max(1 - inset / 0.3306, 0.05)
        points = np.empty((10, 2))
        points[0::2], points[1::2] = ring(5, 0.98 * share), ring(5, 0.40 * share, np.pi / 5)
        return points
    w, reach = max(0.30 - inset, 0.02), max(0.92 - inset, 0.05)
    plus = np.array([[-w, -reach], [w, -reach], [w, -w], [reach, -w], [reach, w], [w, w],
                     [w, reach], [-w, reach], [-w, w], [-reach, w], [-reach, -w], [-w, -w]])  # fmt: skip
    return plus if symbol == "cross" else plus @ np.array([[0.7071, 0.7071], [-0.7071, 0.7071]])
