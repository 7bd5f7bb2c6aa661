"""Where things stand in a picture of any size: the sphere's place, the caption, the legend, the timeline, the curve."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

#: What may be in the picture besides atoms and sphere.
PARTS = ("caption", "legend", "timeline", "curve", "targets", "segment", "trails")
#: Below this many pixels of width or height words would be specks: only atoms, targets and sphere are drawn.
SMALLEST_WITH_WORDS = 220


@dataclass(frozen=True)
class Frame:
    """A rectangle in pixels."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True)
class Layout:
    """`unit`: pixels per CSS pixel of the player. Frames are None where the part is not shown."""

    width: int
    height: int
    unit: float
    stage: Frame
    timeline: Frame | None
    curve: Frame | None
    parts: frozenset[str]
    title: str

    @property
    def margin(self) -> float:
        return 22 * self.unit

    @property
    def top(self) -> float:
        """Where the caption starts: below the title, if there is one."""
        return self.margin + (38 * self.unit if self.title else 0)

    @property
    def narrow(self) -> bool:
        """Too little room beside the sphere for whole sentences."""
        return self.stage.w < 1.25 * self.stage.h

    @property
    def centre(self) -> tuple[float, float]:
        return self.stage.x + self.stage.w / 2, self.stage.y + self.stage.h / 2

    def radius(self, zoom: float) -> float:
        """Of the sphere, leaving room for its halo."""
        words = bool(self.parts & {"caption", "legend"})
        share = 0.385 if words else 0.42
        return zoom * share * min(self.stage.w * 0.97, self.stage.h)


def lay_out(width: int, height: int, parts: frozenset[str], title: str = "") -> Layout:
    """Divide a picture of width x height pixels among the parts asked for."""
    unit = max(sqrt(width * height) / 850, 0.8)
    if min(width, height) < SMALLEST_WITH_WORDS:
        unit = max(min(width, height) / 420, 0.25)
        parts, title = parts & {"targets", "segment", "trails"}, ""
    margin = 22 * unit
    bottom = height - margin
    timeline = curve = None
    if "timeline" in parts:
        bar = 30 * unit
        timeline = Frame(margin, bottom - bar, width - 2 * margin, bar)
        bottom -= bar + 18 * unit
    top = margin + (38 * unit if title else 0)
    right = width - margin
    if "curve" in parts and width > 1.15 * height:
        wide = min(300 * unit, 0.33 * width)
        curve = Frame(right - wide, top, wide, min(270 * unit, bottom - top))
        right -= wide + 14 * unit
    elif "curve" in parts:
        tall = min(190 * unit, 0.24 * height)
        curve = Frame(margin, bottom - tall, width - 2 * margin, tall)
        bottom -= tall + 12 * unit
    stage_top = top
    words = parts & {"caption", "legend"}
    if "caption" in parts and (right - margin) < 1.25 * (bottom - top):
        stage_top += 22 * unit  # the phase's name has a line of its own
    if not words and not title:
        stage = Frame(0, 0, width if curve is None else right, height if bottom == height - margin else bottom)
    else:
        stage = Frame(margin, stage_top, right - margin, bottom - stage_top)
    return Layout(width, height, unit, stage, timeline, curve, parts, title)
