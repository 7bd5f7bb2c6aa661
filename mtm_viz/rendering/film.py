"""A run as a film: which moments, seen from where, and the pictures one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from mtm_viz.rendering.lettering import undrawable
from mtm_viz.rendering.options import MOST_FRAMES, Options
from mtm_viz.rendering.paths import CameraPath, Eye
from mtm_viz.rendering.raster import Raster
from mtm_viz.rendering.scene import seen_through
from mtm_viz.rendering.style import SIZES
from mtm_viz.run import Run

Progress = Callable[[str, float], None]

STILL_PARTS = frozenset({"legend", "targets", "segment"})
FILM_PARTS = frozenset({"caption", "legend", "timeline", "curve", "targets", "segment"})
#: A film rests on its last frame: the result is what people came for. At most a tenth of it.
REST_SECONDS = 1.2


@dataclass(frozen=True, eq=False)
class Film:
    """Display time and the viewer's place at every frame, and the size and pace of the pictures."""

    run: Run
    options: Options
    size: tuple[int, int]
    fps: float
    at: np.ndarray
    eyes: list[Eye]
    parts: frozenset[str]

    def __len__(self) -> int:
        return len(self.at)

    @property
    def walks(self) -> bool:
        return len(set(self.eyes)) > 1

    @property
    def remarks(self) -> list[str]:
        """What should be said beside the film: a projection, a size rounded up, letters that no font here draws."""
        said = []
        note = seen_through(self.run, self.options.axes)[1]
        if note:
            said.append(f"the picture shows {note}")
        if self.options.size not in (None, self.size):
            said.append(f"it is {self.size[0]}x{self.size[1]} pixels, since films need even sides")
        words = self.options.title + ("".join(self.run.names) if "legend" in self.parts else "")
        lacking = undrawable(words)
        if lacking:
            said.append(f"no font on this machine draws {lacking}: install one that does, such as Noto")
        return said

    def raster(self) -> Raster:
        return Raster(self.run, self.options, self.size, self.parts, self.walks)

    def pictures(self, progress: Progress) -> Iterator[Image.Image]:
        """Every frame in order. `progress` may raise Cancelled."""
        raster = self.raster()
        last: tuple[float, Eye] | None = None
        picture: Image.Image | None = None
        for k, (at, eye) in enumerate(zip(self.at.tolist(), self.eyes, strict=True)):
            progress(f"drawing frame {k + 1} of {len(self)}", k / len(self))
            if picture is None or last != (at, eye):
                picture, last = raster.picture(at, eye), (at, eye)
            yield picture


def film(
    run: Run, options: Options, *, size: tuple[int, int], fps: float, frames: int | None = None, even: bool = False
) -> Film:
    """The film that `options` ask for; size, fps and frames are the format's own choice where they do not say.

    even: sides are rounded up to even numbers, as H.264 with 4:2:0 colours needs them.
    """
    wide, high = options.size or size
    if even:
        wide, high = wide + wide % 2, high + high % 2
    pace = options.fps or fps
    count = options.frames or frames or min(MOST_FRAMES, round(film_seconds(len(run.schedule)) * pace))
    at = moments_of(count, pace, options)
    eyes = CameraPath.parse(options.camera, run.names).eyes(seen_through(run, options.axes)[0], at)
    return Film(run, options, (wide, high), pace, at, eyes, FILM_PARTS if options.show is None else options.show)


def still(run: Run, options: Options, size: tuple[int, int] = (1600, 1200)) -> Film:
    """A film of one frame, at options.at."""
    at = np.array([options.at])
    path = CameraPath.parse(options.camera, run.names)
    eye = path.eyes(seen_through(run, options.axes)[0], at)[0]
    # At the end nothing runs any more: the result stands alone.
    usual = STILL_PARTS - {"segment"} if options.at == 1 else STILL_PARTS
    parts = usual if options.show is None else options.show
    return Film(run, options, options.size or size, 1.0, at, [eye], parts)


def moments_of(count: int, fps: float, options: Options) -> np.ndarray:
    """Display time of every frame, (count,): evenly from 0 to 1, resting at the end; there and back for ping-pong."""
    if count == 1:
        return np.array([options.at])
    if options.loop == "pingpong" and count > 2:
        there = np.linspace(0, 1, count // 2 + 1)
        return np.concatenate([there, there[::-1][1:]])[:count]
    rest = min(round(REST_SECONDS * fps), count // 10)
    return np.concatenate([np.linspace(0, 1, count - rest), np.ones(rest)])


def film_seconds(segments: int) -> float:
    """How long the player's film lasts at speed 1 (filmSeconds of clock.js)."""
    return min(SIZES["longest"], SIZES["shortest"] + SIZES["per_segment"] * segments)
