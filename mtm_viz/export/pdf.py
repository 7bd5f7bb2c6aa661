"""A vector still as PDF, for LaTeX: written object by object, its fonts inside, text that can be searched."""

from __future__ import annotations

from typing import BinaryIO

from mtm_viz.export._pdf_page import PdfPage
from mtm_viz.rendering.film import Progress, still
from mtm_viz.rendering.options import Options
from mtm_viz.rendering.vector import compose
from mtm_viz.run import Run

MIME_TYPE = "application/pdf"


def write_pdf(run: Run, stream: BinaryIO, options: Options, progress: Progress) -> list[str]:
    """One page; 1200 pixels are 6.5 inches, a text width."""
    progress("drawing", 0.0)
    made = still(run, options, (1200, 900))
    drawing = compose(made)
    page = PdfPage(drawing, 6.5 * 72 / 1200)
    for k, item in enumerate(drawing.items):
        progress("writing", k / len(drawing.items))
        page.add(item)
    stream.write(page.content())
    return made.remarks
