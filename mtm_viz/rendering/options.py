"""What may be asked of a picture, a film or a table: one frozen record, checked in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from mtm_viz.errors import InputError
from mtm_viz.rendering.camera import Lens
from mtm_viz.rendering.layout import PARTS
from mtm_viz.rendering.style import DARK, LIGHT

THEMES = ("light", "dark", "transparent", "transparent-dark")
LOOPS = ("once", "loop", "pingpong")
DITHERS = ("none", "bayer", "floyd")
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080), "4k": (3840, 2160), "square": (1080, 1080)}
SMALLEST, LARGEST = 16, 8192
MOST_FRAMES = 20_000


@dataclass(frozen=True)
class Options:
    """None: the format's own choice.

    size (width, height) in pixels; frames: how many; fps: a second; at: display time of a still, 0 to 1;
    camera: see paths.CameraPath.parse; axes: `1,2,3` or `spread`, what is shown above dimension 3;
    show: parts of layout.PARTS; most_bytes: a GIF is made smaller until it fits; layers: of the discretised network;
    command: the command line to write into a bundle.
    """

    size: tuple[int, int] | None = None
    frames: int | None = None
    fps: float | None = None
    at: float = 1.0
    camera: str = "fixed"
    lens: Lens = "perspective"
    zoom: float = 1.0
    axes: str = "1,2,3"
    theme: str = "light"
    title: str = ""
    show: frozenset[str] | None = None
    loop: Literal["once", "loop", "pingpong"] = "loop"
    dither: str = "bayer"
    most_bytes: int | None = None
    layers: int | None = None
    command: str = ""

    def __post_init__(self) -> None:
        if self.size is not None and not all(SMALLEST <= side <= LARGEST for side in self.size):
            raise InputError(f"a picture of {self.size[0]}x{self.size[1]} pixels: use {SMALLEST} to {LARGEST} a side")
        if self.frames is not None and not 1 <= self.frames <= MOST_FRAMES:
            raise InputError(f"{self.frames} frames: use 1 to {MOST_FRAMES}")
        if self.fps is not None and not (math.isfinite(self.fps) and 0.5 <= self.fps <= 120):
            raise InputError(f"{self.fps:g} frames a second: use 0.5 to 120")
        if not 0 <= self.at <= 1:
            raise InputError(f"display time {self.at:g}: use a number from 0 (start) to 1 (end)")
        if not 0.2 <= self.zoom <= 20:
            raise InputError(f"zoom {self.zoom:g}: use 0.2 to 20")
        if len(self.title) > 500:
            raise InputError(f"the title has {len(self.title)} characters: use at most 500")
        if self.most_bytes is not None and self.most_bytes < 1:
            raise InputError(f"a size of {self.most_bytes} bytes: use at least 1")
        if self.layers is not None and not 1 <= self.layers <= 1_000_000:
            raise InputError(f"{self.layers} layers: use 1 to 1000000")
        for value, known, what in (
            (self.theme, THEMES, "theme"),
            (self.loop, LOOPS, "loop"),
            (self.dither, DITHERS, "dithering"),
            (self.lens, ("perspective", "orthographic"), "lens"),
        ):
            if value not in known:
                raise InputError(f"the {what} '{value}' is not known: use one of {', '.join(known)}")
        unknown = sorted((self.show or frozenset()) - set(PARTS))
        if unknown:
            raise InputError(f"'{unknown[0]}' is no part of the picture: use some of {', '.join(PARTS)}")

    @property
    def transparent(self) -> bool:
        return self.theme.startswith("transparent")

    @property
    def colors(self) -> dict[str, Any]:
        """The table of style.py, with `dark` said."""
        dark = self.theme.endswith("dark")
        return {**(DARK if dark else LIGHT), "dark": dark}


def parse_size(said: str) -> tuple[int, int]:
    """`1280x720`, or a name. Raises InputError.

    >>> parse_size("1080p"), parse_size("640x480")
    ((1920, 1080), (640, 480))
    """
    if said.lower() in SIZES:
        return SIZES[said.lower()]
    wide, _, high = said.lower().replace("×", "x").partition("x")
    if not (wide.isdecimal() and high.isdecimal() and len(wide) < 6 and len(high) < 6):
        raise InputError(f"the size '{said}' is not known: use WIDTHxHEIGHT, or one of {', '.join(SIZES)}")
    return int(wide), int(high)
