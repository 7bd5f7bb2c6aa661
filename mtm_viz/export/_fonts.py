"""The letters of a font that a file uses, as a font of their own: small enough to be carried inside."""

from __future__ import annotations

import io
import logging
from pathlib import Path

from fontTools import subset as tool
from fontTools.ttLib import TTFont


def subset(path: Path, characters: set[int]) -> bytes:
    """A TrueType font with these code points only, kerning kept. The same bytes for the same letters."""
    options = tool.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp"]
    options.hinting = False
    options.notdef_outline = True
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    # No date in it: two exports of one picture are the same file.
    out = io.BytesIO()
    with TTFont(path, recalcTimestamp=False) as face:
        cutter = tool.Subsetter(options)
        cutter.populate(unicodes=characters)
        cutter.subset(face)
        face.save(out)
    return out.getvalue()
