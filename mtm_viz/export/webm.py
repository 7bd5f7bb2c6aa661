"""A film in VP9: for the web, and the one film that can be transparent over a slide."""

from __future__ import annotations

from typing import BinaryIO

from mtm_viz.rendering.encode import encode, vp9
from mtm_viz.rendering.film import Progress, film
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "video/webm"


def write_webm(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    made = film(run, options, size=(1920, 1080), fps=30.0, even=True)
    encode(made.pictures(progress), made.size, made.fps, vp9(options.transparent), ".webm", stream)
    return made.remarks
