"""Letters drawn on the sphere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from mtm_viz.errors import InputError
from mtm_viz.measures.generator import Generator
from mtm_viz.measures.placing import axis, evenly_along, on_patch
from mtm_viz.parameters import Direction, Number, Words

_STEPS_A_CURVE = 16


@final
@dataclass(frozen=True)
class Text(Generator):
    """Evenly spaced by arc length along the outlines of DejaVu Sans, upright and readable from outside.

    `size_deg` is the angle along the longer side of the text's bounding box, whose middle is `center`.
    In d > 3 the letters lie in one plane of the tangent space, see tangent_frame.
    """

    label: ClassVar[str] = "Text"
    help: ClassVar[str] = "Evenly spaced along the outlines of letters."
    random: ClassVar[bool] = False
    least_dimension: ClassVar[int] = 3

    text: str = Words("Text", "One line of letters, digits or signs.", max=40).field("A")
    center: tuple[float, ...] | None = Direction("Centre", "The middle of the text.").field(None)
    size_deg: float = Number("Size", "Angle along the longer side.", min=0.1, max=170, unit="deg").field(60.0)

    def points(self, n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
        outlines = _outlines(self.text)
        if not outlines:
            raise InputError(f'"text" is {self.text!r}, which has no outline: give it a visible letter')
        corners = np.concatenate(outlines)
        low, high = corners.min(axis=0), corners.max(axis=0)
        scale = np.deg2rad(self.size_deg) / (high - low).max()
        centre = axis(self.center, dimension)
        return evenly_along([on_patch(centre, scale * (curve - (low + high) / 2)) for curve in outlines], n)


def _outlines(text: str) -> list[np.ndarray]:
    """The Bezier pieces of the glyphs' outlines, each as rows (x to the right, y up) in font units."""
    import matplotlib
    from matplotlib.font_manager import FontProperties, get_font
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextToPath

    # By its file, not by its name: a search by name would depend on the fonts of the machine.
    file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    font = get_font(str(file))
    missing = [letter for letter in text if font.get_char_index(ord(letter)) == 0]
    if missing:
        raise InputError(f'"text" holds "{missing[0]}", which the font DejaVu Sans cannot draw: leave it out')
    vertices, codes = TextToPath().get_text_path(FontProperties(fname=str(file)), text)
    t = np.linspace(0.0, 1.0, _STEPS_A_CURVE)
    pieces = Outline(vertices, codes).iter_bezier() if len(vertices) else ()
    # The stubs of matplotlib type the pairs that iter_bezier yields as bare segments.
    return [piece(t) for piece, code in pieces if code != Outline.MOVETO]  # pyright: ignore[reportGeneralTypeIssues]
