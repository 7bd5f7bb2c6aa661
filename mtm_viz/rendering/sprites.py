"""Markers as small pictures: the signed distances of the player's fragment shader, sampled once per size and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

#: Markers are placed to a quarter of a pixel, and their diameters to a quarter too: finer is not seen.
PLACES = 4
SIZE_STEP = 0.25
MOST_STEPS = 4096

Color = tuple[int, int, int]


def _plus(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x, y = np.maximum(np.abs(x), np.abs(y)), np.minimum(np.abs(x), np.abs(y))
    return np.maximum(x - 0.92, y - 0.30)


def _polygon(x: np.ndarray, y: np.ndarray, n: int, r: float) -> np.ndarray:
    a, s = np.arctan2(x, y), 2 * np.pi / n
    return np.cos(np.floor(0.5 + a / s) * s - a) * np.hypot(x, y) - r


def _star(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    a = np.mod(np.arctan2(x, y) + 0.62831853, 1.25663706) - 0.62831853
    length = np.hypot(x, y)
    px, py = length * np.cos(a), length * np.abs(np.sin(a))
    ex, ey = 0.40 * 0.809017 - 0.98, 0.40 * 0.587785
    return -(ex * py - ey * (px - 0.98)) / np.hypot(ex, ey)


#: Distance to the outline in half-diameters, negative inside, y upward; the names of style.SYMBOLS.
SHAPES = {
    "circle": lambda x, y: np.hypot(x, y) - 0.80,
    "diamond": lambda x, y: (np.abs(x) + np.abs(y) - 0.98) * 0.7071,
    "square": lambda x, y: np.maximum(np.abs(x), np.abs(y)) - 0.70,
    "cross": _plus,
    "x": lambda x, y: _plus((x + y) * 0.7071, (x - y) * 0.7071),
    "triangle": lambda x, y: _polygon(x, -y - 0.12, 3, 0.48),
    "star": _star,
    "hexagon": lambda x, y: _polygon(x, y, 6, 0.76),
}


@dataclass(frozen=True)
class Look:
    """How a cloud's markers look; `hollow` is the width of a ghost's line and 0 for a solid marker, in pixels."""

    symbol: str
    color: Color
    outline: Color
    alpha: float = 1.0
    hollow: float = 0.0
    rim: float = 1.1


#: (picture, mask, reach, extent): to be pasted with the upper left corner `reach` pixels before the marker's own pixel.
#: Both are Pillow's core images: its public paste checks four times as long as it pastes, a million times a film.
Sprite = tuple[Any, Any, int, int]


class Sprites(dict[int, Sprite]):
    """The sprites of some looks, each drawn when first asked for.

    The key of look k, diameter s SIZE_STEPs and place (x, y) within its pixel: ((k MOST_STEPS + s) PLACES + x) PLACES + y.
    """

    def __init__(self, looks: list[Look]) -> None:
        super().__init__()
        self._looks = looks

    def __missing__(self, key: int) -> Sprite:
        rest, y = divmod(key, PLACES)
        rest, x = divmod(rest, PLACES)
        look, size = divmod(rest, MOST_STEPS)
        made = self[key] = _draw(self._looks[look], max(size, 1) * SIZE_STEP, x / PLACES, y / PLACES)
        return made


def _draw(look: Look, px: float, dx: float, dy: float) -> Sprite:
    """One marker of diameter px, its centre (dx, dy) beyond the upper left corner of its own pixel."""
    reach = int(np.ceil(px / 2 + 1))
    at = np.arange(2 * reach + 1) - reach + 0.5
    x, y = np.meshgrid((at - dx) * 2 / px, -(at - dy) * 2 / px)
    unit = 2.0 / px
    distance = SHAPES[look.symbol](x, y)
    if look.hollow > 0:
        ring = np.abs(distance + look.hollow * unit * 0.5) - look.hollow * unit * 0.5
        cover = np.clip(0.5 - ring / unit, 0, 1)
        color = np.broadcast_to(np.array(look.color, float), (*cover.shape, 3))
    else:
        cover = np.clip(0.5 - distance / unit, 0, 1)
        inner = np.clip(0.5 - (distance + look.rim * unit) / unit, 0, 1)[..., None]
        gleam = 0.0
        if px > 6:
            away = np.clip((0.95 - np.hypot(x + 0.28, y - 0.34)) / 0.95, 0, 1)
            gleam = (0.28 * away * away * (3 - 2 * away))[..., None]
        base = np.array(look.color, float)
        color = np.array(look.outline, float) * (1 - inner) + (base * (1 - gleam) + 255.0 * gleam) * inner
    picture = Image.fromarray(np.rint(color).astype(np.uint8), "RGB")
    mask = Image.fromarray(np.rint(255 * cover * look.alpha).astype(np.uint8), "L")
    return picture.im, mask.im, reach, 2 * reach + 1
