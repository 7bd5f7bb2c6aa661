"""PNG and JPEG by Pillow: dark is mass. Width and height are bounded by the header before a pixel is decoded."""

from __future__ import annotations

import io
import struct
import warnings
import zlib

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from mtm_viz.errors import InputError
from mtm_viz.measures.measure import Measure
from mtm_viz.measures.readers.format import Format
from mtm_viz.measures.readers.ink import FINEST, Ink, measure_of_ink
from mtm_viz.measures.readers.limits import Watch

#: The largest picture that is decoded.
MOST_SIDE = 12_000
MOST_PIXELS = 40_000_000
#: What Pillow's decoders raise on bytes that are no picture.
_BROKEN = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, OverflowError, AttributeError,
    NotImplementedError, struct.error, zlib.error, UnidentifiedImageError, Warning,
)  # fmt: skip


def darkness_of(content: bytes, watch: Watch) -> np.ndarray:
    """1 for black, 0 for white or transparent, shape (rows, columns), at most FINEST a side."""
    if not content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")):
        raise InputError("this is no PNG or JPEG picture: save it as one of them")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if content.startswith(b"\x89PNG") and len(content) > 24:
                _require_small(*struct.unpack(">II", content[16:24]))
            with Image.open(io.BytesIO(content), formats=["PNG", "JPEG"]) as picture:
                _require_small(*picture.size)
                picture.draft("L", (FINEST, FINEST))  # a JPEG decodes itself smaller
                watch.check()
                return _grey(picture)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise InputError(
            f"the picture has more than {MOST_PIXELS // 1_000_000} million pixels: make it smaller"
        ) from problem
    except _BROKEN as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError("the picture is damaged or cut off: save it again as PNG") from problem


def _require_small(width: int, height: int) -> None:
    if max(width, height) > MOST_SIDE or width * height > MOST_PIXELS:
        raise InputError(
            f"the picture is {width:,} x {height:,} pixels: make it at most {MOST_SIDE:,} a side and {MOST_PIXELS // 1_000_000} million in all"
        )


def _grey(picture: Image.Image) -> np.ndarray:
    upright = ImageOps.exif_transpose(picture)
    if upright.mode.startswith("I"):  # 16 bits a pixel: Pillow's own way to 8 clips instead of scaling
        values = np.asarray(upright)
        upright = Image.fromarray((values >> 8 if values.max() > 255 else values).astype(np.uint8))
    if upright.has_transparency_data:
        upright = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright)
    grey = upright.convert("L")
    grey.thumbnail((FINEST, FINEST), Image.Resampling.BOX)
    return 1.0 - np.asarray(grey, dtype=np.float64) / 255.0


def read_picture(content: bytes, options: Ink, watch: Watch) -> Measure:
    darkness = darkness_of(content, watch)
    measure = measure_of_ink(darkness, options)
    if options.invert or (darkness > 0.5).mean() <= 0.6:
        return measure
    note = "most of the picture is dark: if the drawing is light on dark, choose that light is ink"
    return Measure(measure.points, measure.weights, (note,))


FORMAT = Format("a picture", (".png", ".jpg", ".jpeg"), read_picture, Ink)
