"""A still picture, at the display time asked for."""

from __future__ import annotations

from typing import BinaryIO

from PIL import PngImagePlugin

from mtm_viz.rendering.film import Progress, still
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "image/png"


def write_png(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    made = still(run, options)
    about = PngImagePlugin.PngInfo()
    about.add_itxt("Title", options.title or ", ".join(run.names))
    about.add_text("Software", "mtm_viz")
    for picture in made.pictures(progress):
        picture.save(stream, "png", pnginfo=about, dpi=(300, 300))
    return made.remarks
