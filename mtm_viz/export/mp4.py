"""A film in H.264, as every projector, slide and browser plays it."""

from __future__ import annotations

from typing import BinaryIO

from mtm_viz.errors import InputError
from mtm_viz.rendering.encode import H264, encode
from mtm_viz.rendering.film import Progress, film
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "video/mp4"


def write_mp4(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    """Even sizes, yuv420p, the index in front. Raises InputError for a transparent theme: H.264 has none."""
    if options.transparent:
        raise InputError("a .mp4 film cannot be transparent: use .webm, .gif or .png, or another theme")
    made = film(run, options, size=(1920, 1080), fps=30.0, even=True)
    encode(made.pictures(progress), made.size, made.fps, H264, ".mp4", stream)
    return made.remarks
