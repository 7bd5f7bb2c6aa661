"""Every frame as a PNG, in one archive: for film editors and for LaTeX's animate."""

from __future__ import annotations

import io
import zipfile
from typing import BinaryIO

from mtm_viz.rendering.film import Progress, film
from mtm_viz.rendering.options import Options
from mtm_viz.run import Run

MIME_TYPE = "application/zip"


def write_png_zip(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    """frame_0000.png and on. The pictures are compressed already, the archive is not."""
    made = film(run, options, size=(1920, 1080), fps=30.0, frames=120)
    digits = max(4, len(str(len(made) - 1)))
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for k, picture in enumerate(made.pictures(progress)):
            out = io.BytesIO()
            picture.save(out, "png", compress_level=3)
            archive.writestr(f"frame_{k:0{digits}d}.png", out.getvalue())
    return made.remarks
